"""What a source gives: tournaments in parts, each small enough to be held at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import polars as pl

from tbframe.archive import Archive

__all__ = ["GAMES_A_PART", "Loaded", "PartSource"]

#: Enough games to forget what a call costs, few enough for the memory of a small machine.
GAMES_A_PART = 500_000


@dataclass(frozen=True)
class Loaded:
    """One part of a source.

    Attributes
    ----------
    archive
        Its tournaments, with what was found in reading them and what was set aside.
    rows
        How many result rows each tournament had where it came from: ``tournament`` (text) and
        ``rows``, for the count of what is lost. ``None`` where the source has no rows of its
        own: reports are counted by what was read of them.
    one_to_one
        Whether each of these rows is a result row, and not a game of two.
    numbered
        The results with row numbers in the place of keys (`numbering.number`), where the
        source has them so.
    checked
        Whether the findings hold those of `Archive.check` already.
    contents
        The hash of what each tournament holds (`digest.contents`), where the source has it.
    """

    archive: Archive
    rows: pl.DataFrame | None = None
    one_to_one: bool = False
    numbered: pl.DataFrame | None = None
    checked: bool = False
    contents: pl.Series | None = None

    @cached_property
    def rows_read(self) -> pl.DataFrame:
        """How many rows each tournament had: ``tournament`` and ``rows``; of reports, as read."""
        if self.rows is not None:
            return self.rows
        if self.numbered is None:
            counts = self.archive.results.group_by("tournament").len("rows")
        else:  # counting numbers takes a tenth of the time that texts take
            players = self.archive.players["tournament"]
            row = self.numbered["player_row"].to_numpy()
            each = np.bincount(row, minlength=len(players))
            counts = pl.DataFrame({"tournament": players, "rows": each})
            counts = counts.group_by("tournament").agg(pl.col("rows").sum())
        aside = self.archive.quarantine.group_by("tournament").agg(pl.col("rows").sum())
        types = pl.Schema({"tournament": pl.String, "rows": pl.Int64})
        return pl.concat([counts.cast(types), aside.cast(types)])


class PartSource(Protocol):
    """Something that tournaments come from, part by part, the same parts every time.

    Attributes
    ----------
    described
        What it is and a fingerprint that changes with it, for the manifest.
    parts
        How many parts there are.
    tournaments
        How many tournaments, or files, there are in each part.
    """

    @property
    def described(self) -> Mapping[str, object]:
        """The kind of source, its fingerprint, and how it is cut into parts."""

    @property
    def parts(self) -> int:
        """How many parts there are."""

    @property
    def tournaments(self) -> list[int]:
        """How many tournaments, or files, each part has."""

    def load(self, number: int) -> Loaded:
        """Read one part; may be called from several threads."""
