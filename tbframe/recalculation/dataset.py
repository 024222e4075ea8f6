"""Tables in any order as a source: cut into parts at the borders of tournaments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Final

import polars as pl

from tbframe.archive import Archive
from tbframe.errors import TbframeError
from tbframe.order import sort_by_key
from tbframe.recalculation.counting import result_rows
from tbframe.recalculation.disk import remove
from tbframe.recalculation.isolating import isolate, quarantined
from tbframe.recalculation.keys import Keys, key_type, survey
from tbframe.recalculation.parts import Loaded
from tbframe.recalculation.spill import Spill
from tbframe.recalculation.tables import MAIN, ParquetTable
from tbframe.sources.merging import merge
from tbframe.sources.tables import as_archive

__all__ = ["Dataset"]

#: By what rows are sorted, as far as a table has it.
_ORDER: Final = ("tournament", "player", "round")
#: Rows that a game has in each kind of table.
_ROWS_A_GAME: Final = {"results": 2, "games": 1, "boards": 2}


class Dataset:
    """The tables of an archive as a source of parts.

    Where the rows of a table are in the order of the tournaments, a part is a range of them.
    Otherwise the table is sorted into parts on disk first.

    Parameters
    ----------
    tables
        By their names, one of them ``results``, ``games`` or ``boards``.
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
        tables: Mapping[str, ParquetTable],
        described: Mapping[str, str],
        *,
        beside: Path,
        games_a_part: int,
    ) -> None:
        self.described: Mapping[str, object] = {**described, "games_a_part": games_a_part}
        self._kind = described["kind"]
        self._spilled_to = f"{described['fingerprint'][:16]}-{games_a_part}"
        self._beside = beside
        self._main = next(name for name in MAIN if name in tables)
        # What is wrong with a column is wrong with all tournaments: it is said at once.
        self._assemble({name: table.frame.clear().collect() for name, table in tables.items()})
        key = key_type(tables.values())
        keys = {name: survey(table, key) for name, table in tables.items()}
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
        keys = plan["tournament"]
        frames = {name: read(number) for name, read in self._read.items()}

        def attempt(some: pl.Series) -> Archive:
            if len(some) == len(keys):
                return self._assemble(frames)
            among = pl.col("tournament").is_in(some.implode())
            return self._assemble({name: frame.filter(among) for name, frame in frames.items()})

        archives, failed = isolate(keys, attempt)
        if not archives:
            archives = [self._assemble({name: frame.clear() for name, frame in frames.items()})]
        if frames[self._main].height != plan["rows"].sum():
            raise TbframeError(f"part {number}: rows were lost in reading: a fault of tbframe")
        rows = result_rows(frames, self._main, keys)
        archive = merge(archives)
        aside = pl.concat([archive.quarantine, quarantined(failed, rows)])
        return Loaded(replace(archive, quarantine=aside), rows, one_to_one=self._main == "results")

    def _assemble(self, frames: Mapping[str, pl.DataFrame]) -> Archive:
        return as_archive(frames, self._kind)

    def _reader(self, table: ParquetTable, keys: Keys) -> Callable[[int], pl.DataFrame]:
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
            return table.rows(start, rows).with_columns(self._as_key)

        return read

    @property
    def _as_key(self) -> pl.Expr:
        return pl.col("tournament").cast(self._plan.schema["tournament"])

    def _spilled(self, table: ParquetTable) -> Callable[[int], pl.DataFrame]:
        """Sort a table into parts; the key is written as its number, which is smaller."""
        plan = self._plan.select("tournament", "part", "number")
        keys = plan["tournament"]

        def number(chunk: pl.DataFrame) -> tuple[pl.DataFrame, pl.Series]:
            at = chunk.select(self._as_key).join(
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
                    numbers = plan["number"].clear().alias("tournament")
                    empty = table.frame.clear().with_columns(numbers).collect()
                    Spill.write(folder, empty, table.chunks(), number)
            rows = Spill(folder).part(part)
            # Numbers are sorted in half the time that the keys would take afterwards.
            rows = sort_by_key(rows, [key for key in _ORDER if key in rows.columns])
            return rows.with_columns(keys.gather(rows["tournament"]))

        return read


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
