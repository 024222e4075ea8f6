"""Kills a recalculation at random moments, goes on with it, and compares with one undisturbed.

    python -m benchmarks.kill_and_resume SOURCE --times 50 --seed 1

Each time a run is killed (signal 9) once or several times, each time after a random part of the
time that a whole run takes, and resumed until it is complete. Every file has to be the same.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

__all__ = ["kill_and_resume"]

_ORDER = "PTS DE BH/C1 BH SB"


def _start(source: Path, out: Path, games_a_part: int) -> subprocess.Popen[bytes]:
    command = [
        sys.executable, "-m", "tbframe", "recalc", str(source), "--out", str(out), "--resume",
        "--order", _ORDER, "--games-a-part", str(games_a_part), "--quiet",
    ]  # fmt: skip
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def _digest(out: Path) -> str:
    files = sorted(path for path in out.rglob("*") if path.is_file() and path.name != ".lock")
    digest = hashlib.sha256()
    for path in files:
        digest.update(str(path.relative_to(out)).encode() + path.read_bytes())
    return digest.hexdigest()


def _finish(process: subprocess.Popen[bytes]) -> None:
    _, said = process.communicate()
    if process.returncode not in (0, 1):  # 1: something is in the quarantine
        raise RuntimeError(said.decode())


def kill_and_resume(source: Path, times: int, seed: int, games_a_part: int) -> tuple[int, int]:
    """Run, kill and resume.

    Returns
    -------
    different, kills
        How many of the datasets differ from the undisturbed one, and how many runs were killed.
    """
    dice = random.Random(seed)
    different = kills = 0
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder, "whole")
        start = time.perf_counter()
        _finish(_start(source, whole, games_a_part))
        span = time.perf_counter() - start
        expected = _digest(whole)
        for _ in range(times):
            out = Path(folder, "out")
            for _ in range(dice.randint(1, 3)):
                process = _start(source, out, games_a_part)
                time.sleep(dice.uniform(0, span))
                if process.poll() is None:
                    process.kill()
                    kills += 1
                process.communicate()
            _finish(_start(source, out, games_a_part))
            different += _digest(out) != expected
            shutil.rmtree(out)
    return different, kills


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games-a-part", type=int, default=50_000)
    arguments = parser.parse_args()
    different, kills = kill_and_resume(
        arguments.source, arguments.times, arguments.seed, arguments.games_a_part
    )
    print(f"{arguments.times} datasets, {kills} runs killed: {different} differ")
    sys.exit(different > 0)


if __name__ == "__main__":
    main()
