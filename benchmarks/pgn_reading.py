"""How fast the tags of PGN games are read, against python-chess, as a ratio in one run.

A fifth of the games have an oddity of `pgn_archive`, and both readers are compared game by game:
they agree on every tag but where python-chess is known to stop or err. Both read from disk, one
core each; of several runs the fastest counts, in turns, so that a busy machine is so for both.

    python benchmarks/pgn_reading.py                100,000 games
    python benchmarks/pgn_reading.py --quick        5,000 games: a look whether it works
    python benchmarks/pgn_reading.py --large 5      and a file of 5 GB, with the memory it takes
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import chess.pgn

sys.path.append(str(Path(__file__).resolve().parent))
from pgn_archive import AGREED, DIFFERENT, write_archive

from tbframe.sources.pgn import pgn_headers

TAGS = (
    "Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo",
    "EventDate",
)  # fmt: skip
RATIO = 3
NUMBER = re.compile(r"W(\d+)$")


def ours(path: Path, workers: int = 1) -> list[dict[str, str | None]]:
    return [row for part in pgn_headers(path, TAGS, workers=workers) for row in part.to_dicts()]


def theirs(path: Path) -> list[dict[str, str]]:
    rows = []
    with path.open(encoding="utf-8", errors="replace") as file:
        while (tags := chess.pgn.read_headers(file)) is not None:
            rows.append(dict(tags))
    return rows


def compare(path: Path, kinds: dict[int, str]) -> tuple[Counter[str], Counter[str]]:
    """Count the games, by oddity, on which both agree and on which they do not."""
    mine, other = (
        {int(found[1]): row for row in rows if (found := NUMBER.search(row.get("White") or ""))}
        for rows in (ours(path), theirs(path))
    )
    if set(mine) != set(kinds):
        raise SystemExit(f"games lost: {sorted(set(kinds) - set(mine))[:5]}")
    agreed, different = Counter[str](), Counter[str]()
    for number, kind in kinds.items():
        there = number in other and all(mine[number][tag] == other[number].get(tag) for tag in TAGS)
        (agreed if there else different)[kind] += 1
    return agreed, different


def turns(path: Path, games: int, repeats: int) -> tuple[float, float, float]:
    """Return games a second: ours on one core, ours on all, theirs."""
    fastest = [float("inf")] * 3
    for _ in range(repeats):
        for place, run in enumerate(
            (
                lambda: sum(part.height for part in pgn_headers(path, TAGS, workers=1)),
                lambda: sum(part.height for part in pgn_headers(path, TAGS)),
                lambda: len(theirs(path)),
            )
        ):
            start = time.perf_counter()
            run()
            fastest[place] = min(fastest[place], time.perf_counter() - start)
    return games / fastest[0], games / fastest[1], games / fastest[2]


def large(folder: Path, gigabytes: float) -> None:
    """Read a large file in a process of its own, and say how much memory that took."""
    small, path = folder / "small.pgn", folder / "large.pgn"
    write_archive(small, 20_000, seed=2)
    data = small.read_bytes().removeprefix(b"\xef\xbb\xbf")
    with path.open("wb") as file:
        while file.tell() < gigabytes * 1e9:
            file.write(data)
    code = (
        "import resource, sys; from tbframe.sources.pgn import pgn_headers\n"
        "n = sum(part.height for part in pgn_headers(sys.argv[1]))\n"
        "print(n, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
    )
    seconds = time.perf_counter() - start
    games, memory = map(int, done.stdout.split())
    print(
        f"{path.stat().st_size / 1e9:.1f} GB, {games:,} games: {seconds:.0f} s, "
        f"{games / seconds:,.0f} games a second, {memory / 1024:.0f} MB of memory"
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--quick", action="store_true", help="5,000 games")
    options.add_argument("--large", type=float, metavar="GB", help="also read a file of this size")
    given = options.parse_args()
    games = 5_000 if given.quick else 100_000

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "archive.pgn")
        kinds = write_archive(path, games)
        agreed, different = compare(path, kinds)
        unexpected = [kind for kind in AGREED if different[kind]]
        unexpected += [kind for kind in DIFFERENT if agreed[kind]]
        if unexpected:
            raise SystemExit(f"not as listed: {unexpected}")
        one, every, other = turns(path, games, repeats=2 if given.quick else 4)
        size = path.stat().st_size / 1e6
        print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
        print(
            f"{games:,} games, {size:.0f} MB; tags agree in {agreed.total():,} of them, and differ"
        )
        print(f"in {different.total():,} with {len(different)} oddities, as listed\n")
        print("| reader | games a second | ratio | target |")
        print("|---|---|---|---|")
        print(f"| tbframe, one core | {one:,.0f} | {one / other:.1f} | {RATIO} |")
        print(f"| tbframe, all cores | {every:,.0f} | {every / other:.1f} | |")
        print(f"| python-chess `read_headers` | {other:,.0f} | 1 | |")
        if given.large:
            large(Path(folder), given.large)
    if one / other < RATIO:
        raise SystemExit("slower than the target")


if __name__ == "__main__":
    main()
