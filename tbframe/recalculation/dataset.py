"""Tables in any order as a source: cut into parts at the borders of tournaments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Final

import polars as pl

from tbframe.errors import TbframeError
from tbframe.findings import concat_findings
from tbframe.order import sort_by_key
from tbframe.recalculation.disk import remove
from tbframe.recalculation.keys import Keys, survey
from tbframe.recalculation.parts import Loaded
from tbframe.recalculation.spill import Spill
from tbframe.sources.assembling import archive_by_tournament, as_archive
from tbframe.sources.counting import result_rows
from tbframe.sources.dataset_table import DatasetTable
from tbframe.sources.datasets import Dataset
from tbframe.sources.frame_columns import TOLD

__all__ = ["Tables"]

#: By what rows are sorted, as far as a table has it.
_ORDER: Final = ("tournament", "player", "round")
#: Rows that a game has in each kind of table.
_ROWS_A_GAME: Final = {"results": 2, "games": 1, "boards": 2}


class Tables:
    """The tables of an archive as a source of parts.

    Where the rows of a table are in the order of the tournaments, a part is a range of them.
    Otherwise the table is sorted into parts on disk first.

    Parameters
    ----------
    dataset
        The tables, the main one first, and what was found in opening them.
    described
        The kind of source and its fingerprint, for the manifest.
    beside
        Where tables are sorted that need it.
    games_a_part
        About how many games a part has: it ends with the tournament that fills it.

    Raises
    ------
    ContractError
        If columns are missing or of the wrong type, or rows have no tournament.
    """

    def __init__(
        self,
        dataset: Dataset,
        described: Mapping[str, str],
        *,
        beside: Path,
        games_a_part: int,
    ) -> None:
        self.described: Mapping[str, object] = {**described, "games_a_part": games_a_part}
        self._kind = described["kind"]
        self._spilled_to = f"{described['fingerprint'][:16]}-{games_a_part}"
        self._beside = beside
        told = {name: table for name, table in dataset.tables.items() if name in TOLD}
        tables = {name: table for name, table in dataset.tables.items() if name not in TOLD}
        self._main = next(iter(tables))
        # What is wrong with a column is wrong with all tournaments: it is said at once.
        as_archive({name: table.empty for name, table in dataset.tables.items()}, self._kind)
        self._findings = dataset.findings
        self._told = {name: _whole(table) for name, table in told.items()}
        keys = {name: survey(table) for name, table in tables.items()}
        self._plan = _plan(keys, self._main, games_a_part * _ROWS_A_GAME[self._main])
        self._read = {name: self._reader(table, keys[name]) for name, table in tables.items()}

    @property
    def parts(self) -> int:
        """How many parts there are: one at least, though it may be empty."""
        return len(self.tournaments)

    @property
    def tournaments(self) -> list[int]:
        """How many tournaments each part has."""
        return self._plan.group_by("part").len().sort("part")["len"].to_list() or [0]

    def load(self, number: int) -> Loaded:
        """Read one part; tournaments that break the contract are set aside."""
        plan = self._plan.filter(part=number)
        frames = {name: read(number) for name, read in self._read.items()}
        frames |= {name: self._told_of(number, frame) for name, frame in self._told.items()}
        if frames[self._main].height != plan["rows"].sum():
            raise TbframeError(f"part {number}: rows were lost in reading: a fault of tbframe")
        rows = result_rows(frames, self._main, plan["tournament"])
        archive = archive_by_tournament(frames, self._kind, plan["tournament"], rows)
        if number == 0:  # what concerns no tournament is told in the first part
            archive = replace(archive, findings=concat_findings(self._findings, archive.findings))
        return Loaded(archive, rows, one_to_one=self._main == "results")

    def _told_of(self, number: int, frame: pl.DataFrame) -> pl.DataFrame:
        """Give what was found, or set aside, earlier: that of a part, or of no tournament."""
        keys = self._plan.select("part", key=pl.col("tournament").cast(pl.String))
        mine = pl.col("tournament").is_in(keys.filter(part=number)["key"].implode())
        nowhere = ~pl.col("tournament").is_in(keys["key"].implode()).fill_null(value=False)
        return frame.filter(mine.fill_null(value=False) | (nowhere & pl.lit(number == 0)))

    def _reader(self, table: DatasetTable, keys: Keys) -> Callable[[int], pl.DataFrame]:
        """Return how the rows of a part are read."""
        numbered = keys.rows.join(
            self._plan.select("tournament", "part", "number"), on="tournament"
        ).sort("number")
        if not keys.in_order:
            return self._spilled(table)
        ranges = {
            part: (start, rows)
            for part, start, rows in numbered.with_columns(
                start=pl.col("rows").cum_sum() - pl.col("rows")
            )
            .group_by("part")
            .agg(pl.col("start").min(), pl.col("rows").sum())
            .iter_rows()
        }

        def read(number: int) -> pl.DataFrame:
            start, rows = ranges.get(number, (0, 0))
            return table.rows(start, rows)

        return read

    def _spilled(self, table: DatasetTable) -> Callable[[int], pl.DataFrame]:
        """Sort a table into parts; the key is written as its number, which is smaller."""
        plan = self._plan.select("tournament", "part", "number")
        keys = plan["tournament"]

        def number(chunk: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series]:
            at = chunk.select("tournament").join(
                plan, on="tournament", how="left", maintain_order="left"
            )
            return chunk.with_columns(at["number"].alias("tournament")), at["part"]

        # Named so that a run that goes on finds what it wrote, and no other run does.
        folder = self._beside / self._spilled_to / table.name
        one_at_a_time = Lock()

        def read(part: int) -> pl.DataFrame:
            with one_at_a_time:  # the first part that is asked for has the table sorted
                if not Spill.is_complete(folder):
                    remove(folder)
                    empty = table.empty.with_columns(plan["number"].clear().alias("tournament"))
                    Spill.write(folder, empty, table.chunks(), number)
            rows = Spill(folder).part(part)
            # Numbers are sorted in half the time that the keys would take afterwards.
            rows = sort_by_key(rows, [key for key in _ORDER if key in rows.columns])
            return rows.with_columns(keys.gather(rows["tournament"]))

        return read


def _whole(table: DatasetTable) -> pl.DataFrame:
    with table.readable():
        return table.frame.collect()


def _plan(keys: Mapping[str, Keys], main: str, rows_a_part: int) -> pl.DataFrame:
    """Put the tournaments of all tables into parts, in the order of their keys.

    Returns
    -------
    DataFrame
        ``tournament``, ``rows`` of the main table, ``number`` from 0 and ``part``, sorted.
    """
    every = pl.concat([each.rows.select("tournament") for each in keys.values()]).unique()
    plan = (
        every.join(keys[main].rows, on="tournament", how="left")
        .with_columns(pl.col("rows").fill_null(0))
        .sort("tournament")
        .with_row_index("number")
    )
    # A part ends with the tournament that fills it, so that a tournament belongs to the same
    # part whatever comes behind it.
    before = pl.col("rows").cum_sum() - pl.col("rows")
    return plan.with_columns(part=(before // rows_a_part).rle_id())
