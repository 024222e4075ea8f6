"""Tournament report files as they should not be: seeded damage to good ones.

    python -m benchmarks.mutated_reports FOLDER                2,000 good files, 10,000 damaged
    python -m benchmarks.mutated_reports FOLDER --good 40 --mutated 300 --seed 7

The good files are synthetic individual and team events, written as TRF16 and TRF26. A mutated file
is a good one after one to three of `accidents.ACCIDENTS`. All of them are read in one call. Then
every good file has to rank as the archive that it was written from, every mutated one to be in the
archive or in the quarantine, and whatever changed results to be told of with file and line.
Printed is what became of the files after each accident; files that break a promise are copied to
FOLDER/failed, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeVar

import polars as pl
from polars import selectors as cs

import tbframe as tb
from benchmarks.synthetic_reports import Reports, write_reports
from tbframe.schema import ResultCode

__all__ = ["ask_everything", "outcomes", "rows_lost", "unlike"]

ORDER: Final = "PTS BH/C1 BH SB WIN"
#: Accidents after which every player still has every round.
ROWS_KEPT: Final = ("ratings", "points", "ranks", "opponents", "colors", "results")
T = TypeVar("T")


def unlike(reports: Reports, archive: tb.Archive) -> list[str]:
    """List the good files that do not rank as before they were written."""
    wrong = []
    for before in reports.archives:
        keys = before.tournaments["tournament"]
        there = set(archive.tournaments["tournament"]) & set(keys)
        expected = before.standings(ORDER).drop("name")
        found = archive.select(*sorted(there)).standings(ORDER).drop("name") if there else None
        if found is not None and found.equals(expected):
            continue
        wrong += [
            key
            for key in keys
            if found is None
            or not found.filter(tournament=key).equals(expected.filter(tournament=key))
        ]
    return wrong


def outcomes(reports: Reports, archive: tb.Archive) -> pl.DataFrame:
    """Tell what became of the mutated files.

    Returns
    -------
    DataFrame
        ``tournament``, ``kinds``, ``base`` and ``outcome``, one row a mutated file: it is
        ``quarantined``; in the archive ``as before``, or with a difference that is ``reported``
        with its file, or that `Archive.check` tells of (``checked``), or with ``other words`` that
        nothing contradicts (names, ratings, dates, rules), or with teams that are only
        ``renumbered``, or without its teams, as a list of ``individuals``. None should be in
        ``both``, be ``lost``, or have results changed ``unnoticed``.
    """
    boards = archive.boards
    # Without colours that no value depends on: those of forfeits and of boards.
    forfeit = pl.col("result").is_in(["+", "-"])
    results = archive.results.with_columns(
        color=pl.when(~forfeit).then("color"),
        # A loss by forfeit against nobody is what some programs write for an absence.
        result=pl.when((pl.col("result") == "-") & pl.col("opponent").is_null())
        .then(pl.lit("Z", ResultCode))
        .otherwise("result"),
    )
    prints = {
        "results": _prints(results, None if boards is None else boards.drop("color")),
        "rows": _prints(results.drop("player", "opponent")),
        "codes": _prints(results.drop(cs.matches("points"))),
        "words": _prints(archive.players, archive.tournaments, archive.members),
    }
    teams = [] if boards is None else boards["tournament"].unique().to_list()
    own = archive.tournaments.select(
        "tournament",
        *(
            pl.col("tournament").replace_strict(known, default=None, return_dtype=pl.UInt64)
            .alias(name)
            for name, known in prints.items()
        ),
        told=pl.col("tournament").is_in(archive.findings["tournament"].implode()),
        checked=pl.col("tournament").is_in(archive.check()["tournament"].implode()),
        teams=pl.col("tournament").is_in(teams),
    )  # fmt: skip
    mutated = reports.files.filter(pl.col("kinds").is_not_null())
    table = mutated.join(own, on="tournament", how="left", maintain_order="left").join(
        own.rename({"tournament": "base"}), on="base", how="left", suffix="_before"
    )
    aside = pl.col("tournament").is_in(archive.quarantine["tournament"].drop_nulls().implode())
    read = pl.col("told").is_not_null()
    same = {name: pl.col(name).eq_missing(pl.col(f"{name}_before")) for name in prints}
    outcome = (
        pl.when(aside & read).then(pl.lit("both"))
        .when(aside).then(pl.lit("quarantined"))
        .when(~read).then(pl.lit("lost"))
        .when(same["results"] & same["words"]).then(pl.lit("as before"))
        .when("told").then(pl.lit("reported"))
        .when("checked").then(pl.lit("checked"))
        .when(same["codes"]).then(pl.lit("other words"))
        .when(same["rows"] & pl.col("teams")).then(pl.lit("renumbered"))
        .when(~pl.col("teams") & pl.col("teams_before")).then(pl.lit("individuals"))
        .otherwise(pl.lit("unnoticed"))
    )  # fmt: skip
    return table.select("tournament", "kinds", "base", outcome=outcome)


def _prints(*frames: pl.DataFrame | None) -> dict[str, int]:
    """Return a number for each tournament that stands for its rows."""
    parts = [
        # Smaller numbers, so that their sum does not wrap around.
        frame.select("tournament", row=frame.drop("tournament").hash_rows() // 2**20)
        for frame in frames
        if frame is not None
    ]
    return dict(pl.concat(parts).group_by("tournament").agg(pl.col("row").sum()).rows())


def rows_lost(reports: Reports, archive: tb.Archive) -> list[str]:
    """List the mutated files of which rows are neither in the archive nor in the quarantine.

    Of accidents that leave all players and rounds in their places, it is known how many there
    have to be: as many as in the file that was mutated.
    """
    read = archive.results if archive.boards is None else archive.results.filter(
        ~pl.col("tournament").is_in(archive.boards["tournament"].unique().implode())
    )  # fmt: skip
    rows = pl.concat(
        [read.group_by("tournament").agg(rows=pl.len().cast(pl.Int64)),
         archive.quarantine.select("tournament", "rows")]
    )  # fmt: skip
    known = reports.files.filter(
        pl.col("kinds").is_in(ROWS_KEPT), pl.col("base").str.starts_with("good-i")
    )
    counted = known.join(rows, on="tournament", how="left").join(
        rows.rename({"tournament": "base"}), on="base", how="left", suffix="_before"
    )
    return counted.filter(pl.col("rows").ne_missing(pl.col("rows_before")))["tournament"].to_list()


def culprits(items: Sequence[T], works: Callable[[Sequence[T]], object]) -> list[T]:
    """Find the items that each make `works` raise, by halves."""
    try:
        works(items)
    except Exception:
        middle = len(items) // 2
        if not middle:
            return list(items)
        return culprits(items[:middle], works) + culprits(items[middle:], works)
    return []


def ask_everything(archive: tb.Archive) -> None:
    """Ask an archive everything that its readers must keep from failing."""
    for frame in vars(archive).values():
        if isinstance(frame, pl.DataFrame):
            frame.to_arrow().validate(full=True)  # text that is no text, above all
    archive.check()
    archive.standings(ORDER)
    archive.standings()


def _report(reports: Reports) -> dict[str, str]:
    """Read everything, print what became of it, and return what is wrong with which files."""
    folders = [reports.folder / "good", reports.folder / "mutated"]
    start = time.perf_counter()
    try:
        archive = tb.read(folders)
        reading = time.perf_counter() - start
        ask_everything(archive)
    except Exception:
        traceback.print_exc()
        paths = [path for folder in folders for path in sorted(folder.iterdir())]
        guilty = culprits(paths, lambda some: ask_everything(tb.read(some)))
        return dict.fromkeys((path.stem for path in guilty), "stops everything")
    seconds = time.perf_counter() - start
    print(f"{archive}\nread in {reading:.0f} s; checked and ranked in {seconds - reading:.0f} s\n")
    table = outcomes(reports, archive)
    single = table.filter(~pl.col("kinds").str.contains(" ")).group_by("kinds", "outcome").len()
    with pl.Config(tbl_rows=-1, tbl_cols=-1, tbl_hide_dataframe_shape=True,
                   tbl_hide_column_data_types=True):  # fmt: skip
        print(table["outcome"].value_counts(sort=True))
        print("\nby accident, where there was one only:")
        print(single.pivot("outcome", index="kinds", values="len").fill_null(0).sort("kinds"))
    bad = table.filter(pl.col("outcome").is_in(["both", "lost", "unnoticed"]))
    wrong = dict(bad.select("tournament", "outcome").rows())
    wrong |= dict.fromkeys(rows_lost(reports, archive), "rows lost")
    return wrong | dict.fromkeys(unlike(reports, archive), "a good file is not what it was")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--good", type=int, default=2_000)
    parser.add_argument("--mutated", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    warnings.simplefilter("ignore", tb.FindingWarning)
    reports = write_reports(given.folder, given.good, given.mutated, given.seed)
    wrong = _report(reports)
    failed = given.folder / "failed"
    for key, what in sorted(wrong.items()):
        kinds = reports.files.filter(tournament=key).row(0, named=True)["kinds"]
        print(f"{key}: {what} ({kinds or 'a good file'})")
        failed.mkdir(exist_ok=True)
        shutil.copy(given.folder / ("mutated" if kinds else "good") / f"{key}.trf", failed)
    print(f"{len(wrong)} files break a promise")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
