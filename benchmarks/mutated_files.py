"""Damaged files of every format that is read: each is read or refused, in time and in memory.

    python -m benchmarks.mutated_files                            20,000 files, all formats
    python -m benchmarks.mutated_files --files 2000 --seed 7 --only pgn

The good files are those of `sample_files`, the damages those of `damages`; file number n is the
same for the same seed. Each is read alone with `tbframe.read`. What is promised:

* nothing is raised but `SourceError`, which names the file; a file that is set aside is in the
  quarantine with file, code and message;
* what was read can be checked and ranked (asked of every fifth file);
* no file takes more than 5 seconds or brings the memory of the process beyond 1 GB.

Files that break a promise are kept in the folder that `--keep` names, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import polars as pl

import tbframe as tb
from benchmarks.damages import damaged
from benchmarks.sample_files import write_samples

__all__ = ["judge", "mutated"]

SECONDS: Final = 5
MEGABYTES: Final = 1000
#: So many files are read by one process; then its memory is looked at.
BATCH: Final = 500
ORDER: Final = "PTS BH/C1 SB"


def mutated(
    samples: Sequence[Path], numbers: range, seed: int
) -> Iterator[tuple[int, Path, bytes]]:
    """Give the number, the good file and the damaged content of each file."""
    for number in numbers:
        dice = random.Random(f"{seed} {number}")
        path, other = dice.choice(samples), dice.choice(samples)
        yield number, path, damaged(path.read_bytes(), other.read_bytes(), dice)


def judge(path: Path, *, ask: bool) -> tuple[str, str | None]:
    """Read a file.

    Parameters
    ----------
    path
        The file.
    ask
        Whether what was read is checked and ranked, too.

    Returns
    -------
    outcome, fault
        ``read``, ``partly`` (some of its tournaments are set aside), ``quarantined``, ``refused``;
        the promise that is broken, or None.
    """
    try:
        archive = tb.read(path)
    except tb.SourceError as error:
        return "refused", None if str(path) in str(error) else f"names no file: {error}"
    except BaseException:  # a panic of Polars is no Exception
        return "raised", traceback.format_exc()
    aside = archive.quarantine
    if aside["file"].null_count() or aside["code"].null_count() or aside["message"].null_count():
        return "quarantined", f"a refusal without place or reason: {aside.rows()}"
    if any(not str(file).startswith(str(path)) for file in aside["file"]):
        return "quarantined", f"a refusal of another file: {aside['file'].to_list()}"
    if archive.tournaments.is_empty():
        return "quarantined", None if aside.height else "neither read nor refused"
    try:
        for frame in vars(archive).values():
            if isinstance(frame, pl.DataFrame):
                frame.to_arrow().validate(full=True)  # text that is no text, above all
        if ask:
            archive.check()
            archive.standings(ORDER)
            archive.standings()
            tb.completeness(archive)
    except BaseException:
        return "raised", traceback.format_exc()
    return "partly" if aside.height else "read", None


def work(samples: Sequence[Path], numbers: range, seed: int) -> dict[str, Any]:
    """Read the files of some numbers; give what became of them, and the promises broken."""
    warnings.simplefilter("ignore", tb.FindingWarning)
    outcomes: Counter[str] = Counter()
    faults: list[tuple[int, str, str]] = []
    slowest = (0.0, -1)
    with tempfile.TemporaryDirectory() as folder:
        for number, sample, content in mutated(samples, numbers, seed):
            path = Path(folder, sample.name)
            path.write_bytes(content)
            before, start, used = _megabytes(), time.perf_counter(), time.process_time()
            outcome, fault = judge(path, ask=number % 5 == 0)
            # On a machine with much to do, the time of the clock says little.
            seconds = min(time.perf_counter() - start, time.process_time() - used)
            slowest = max(slowest, (seconds, number))
            outcomes[f"{sample.name} {outcome}"] += 1
            if fault is not None:
                faults.append((number, sample.name, fault))
            if seconds > SECONDS:
                faults.append((number, sample.name, f"took {seconds:.1f} s"))
            if (after := _megabytes()) > MEGABYTES and after > before:
                faults.append((number, sample.name, f"memory from {before} to {after} MB"))
            path.unlink()
    return {
        "outcomes": outcomes, "faults": faults, "slowest": slowest, "megabytes": _megabytes()
    }  # fmt: skip


def _megabytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _in_process(samples: Path, numbers: range, seed: int, only: str) -> dict[str, Any]:
    """Let another process do the work, whose end no file can prevent."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.mutated_files", "--only", only, "--seed", str(seed),
         "--work", str(samples), str(numbers.start), str(numbers.stop)],
        capture_output=True, text=True, check=False, timeout=3600,
        cwd=Path(__file__).resolve().parents[1],
    )  # fmt: skip
    if done.returncode:
        fault = [numbers.start, "?", f"the process ended with {done.returncode}: {done.stderr}"]
        return {"outcomes": {}, "faults": [fault], "slowest": [0.0, -1], "megabytes": 0}
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _chosen(folder: Path, only: str) -> list[Path]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return [path for path in paths if only in path.name]


def main() -> None:
    """Do as the command line says."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--files", type=int, default=20_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", default="", help="good files with this in their names")
    options.add_argument("--keep", type=Path, help="where to put files that break a promise")
    options.add_argument("--processes", type=int, default=2)
    options.add_argument("--work", nargs=3, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.work:
        folder, start, stop = given.work
        numbers = range(int(start), int(stop))
        print(json.dumps(work(_chosen(Path(folder), given.only), numbers, given.seed)))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_samples(folder)
        samples = _chosen(folder, given.only)
        cuts = [*range(0, given.files, BATCH), given.files]
        start = time.perf_counter()
        with ThreadPoolExecutor(given.processes) as pool:
            parts = list(
                pool.map(
                    lambda ends: _in_process(folder, range(*ends), given.seed, given.only),
                    pairwise(cuts),
                )
            )
        _report(parts, samples, given, time.perf_counter() - start)
    if any(part["faults"] for part in parts):
        raise SystemExit(1)


def _report(
    parts: list[dict[str, Any]], samples: list[Path], given: argparse.Namespace, seconds: float
) -> None:
    outcomes = sum((Counter(part["outcomes"]) for part in parts), Counter[str]())
    kinds = ("read", "partly", "quarantined", "refused", "raised")
    print(f"| file | {' | '.join(kinds)} |\n|---|{'---|' * len(kinds)}")
    for name in sorted({path.name for path in samples}):
        print(f"| {name} | {' | '.join(str(outcomes[f'{name} {kind}']) for kind in kinds)} |")
    slowest = max(tuple(part["slowest"]) for part in parts)
    print(
        f"\n{outcomes.total():,} files in {seconds:.0f} s; the slowest, number {slowest[1]}, took"
    )
    print(f"{slowest[0]:.1f} s; memory {max(part['megabytes'] for part in parts)} MB at most")
    faults = [fault for part in parts for fault in part["faults"]]
    for number, name, fault in faults:
        print(f"\n--- number {number}, {name}: {fault}")
        if given.keep:
            given.keep.mkdir(parents=True, exist_ok=True)
            ((_, _, content),) = mutated(samples, range(number, number + 1), given.seed)
            (given.keep / f"{number}-{name}").write_bytes(content)
    print(f"\npromises broken: {len(faults)}")


if __name__ == "__main__":
    main()
