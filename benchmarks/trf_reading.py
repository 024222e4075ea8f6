"""How fast tournament report files are read, against gacrux's parser, as a ratio in one run.

The files are synthetic Swiss tournaments of 100 players and 9 rounds, with names, ratings and
declared points, as `write_trf` writes them. tbframe reads all of them from disk into checked
frames; gacrux reads some of them, one after the other, as its programs do. Of several runs the
fastest counts.

    python benchmarks/trf_reading.py            2,000 files
    python benchmarks/trf_reading.py --quick    100 files: a look whether it works
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import platform
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import polars as pl
import synthetic
from gacrux.trf2json import trf2json

import tbframe as tb

PLAYERS, ROUNDS, UNPLAYED = 100, 9, 0.04
SECONDS, RATIO = 1.5, 25
#: Files that gacrux reads: enough for a steady rate.
SAMPLE: Final = 60


def archive_of(tournaments: int) -> tb.Archive:
    results = synthetic.swiss_results(tournaments, PLAYERS, ROUNDS, UNPLAYED)
    players = (
        results.group_by("tournament", "player", maintain_order=True)
        .agg(pl.col("points").sum())
        .with_columns(
            name=pl.format("Surname{}, Given", pl.col("player").cast(pl.String).str.zfill(4)),
            title=pl.when(pl.col("player") <= 10).then(pl.lit("GM")),
            rating=2600 - 5 * pl.col("player"),
            federation=pl.lit("NOR"),
            id=(1_500_000 + pl.col("player")).cast(pl.String),
            birth=pl.lit("1990-01-01"),
            rank=pl.col("points").rank("min", descending=True).over("tournament"),
        )
    )
    about = pl.DataFrame({"tournament": range(1, tournaments + 1)}).with_columns(
        name=pl.format("Open {}", "tournament"),
        start=pl.date(2025, 5, 1),
        end=pl.date(2025, 5, 9),
        rounds=ROUNDS,
        pairing=pl.lit("swiss"),
        type=pl.lit("Individual: Swiss-System"),
    )
    return tb.from_results(results, players, about)


def best(run: Callable[[], object], repeats: int) -> float:
    """Return the fewest seconds of several runs."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def parse_with_gacrux(paths: list[Path]) -> None:
    for path in paths:
        parser = trf2json()
        with contextlib.redirect_stdout(io.StringIO()):
            parser.parse_file(path.read_text(encoding="utf-8"), verbose=False)
        if parser.get_status():
            raise SystemExit(f"gacrux refuses {path.name}")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--quick", action="store_true", help="100 files")
    count = 100 if options.parse_args().quick else 2_000

    archive = archive_of(count)
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        paths = tb.write_trf(archive, folder)
        writing = time.perf_counter() - start
        size = sum(path.stat().st_size for path in paths) / 1e6

        read = tb.read(folder)
        if read.results.height != archive.results.height or read.quarantine.height:
            raise SystemExit("what was read is not what was written")
        ours = best(lambda: tb.read(folder), repeats=5)
        one = best(lambda: tb.read(paths[0]), repeats=5)
        sample = paths[:SAMPLE]
        theirs = best(lambda: parse_with_gacrux(sample), repeats=3) / len(sample) * count

    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"{count:,} files of {PLAYERS} players and {ROUNDS} rounds, {size:.0f} MB\n")
    print("| what | seconds | files a second | target |")
    print("|---|---|---|---|")
    print(f"| tb.read, the whole folder | {ours:.2f} | {count / ours:,.0f} | {SECONDS} s |")
    print(f"| gacrux, from {len(sample)} files | {theirs:.1f} | {count / theirs:,.0f} | |")
    print(f"| ratio | | {theirs / ours:.0f} | {RATIO} |")
    print(f"| tb.read, one file | {one:.3f} | {1 / one:.0f} | |")
    print(f"| tb.write_trf, all | {writing:.2f} | {count / writing:,.0f} | |")


if __name__ == "__main__":
    main()
