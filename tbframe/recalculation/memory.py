"""An archive in memory as a source."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import polars as pl

from tbframe.archive import Archive
from tbframe.ledger.numbering import number
from tbframe.recalculation.digest import contents
from tbframe.recalculation.parts import Loaded

__all__ = ["InMemory"]


class InMemory:
    """An archive as a source of parts, in the order of its tournaments.

    Parameters
    ----------
    archive
        What `tbframe.read` and its kin return.
    games_a_part
        About how many games a part has: it ends with the tournament that fills it.
    """

    def __init__(self, archive: Archive, *, games_a_part: int) -> None:
        self._archive = archive
        keys = archive.tournaments.select("tournament")
        rows = keys.join(
            archive.results.group_by("tournament").agg(pl.len().cast(pl.Int64).alias("rows")),
            on="tournament",
            how="left",
            maintain_order="left",
        )["rows"].fill_null(0)
        self._part = ((rows.cum_sum() - rows) // (2 * games_a_part)).rle_id()
        numbered = number(archive.results, archive.players, archive.tournaments)
        told = "\n".join(contents(archive, numbered))
        self.described = {
            "kind": "archive",
            "fingerprint": hashlib.sha256(told.encode()).hexdigest(),
            "games_a_part": games_a_part,
        }

    @property
    def parts(self) -> int:
        """How many parts there are: one at least, though it may be empty."""
        return len(self.tournaments)

    @property
    def tournaments(self) -> list[int]:
        """How many tournaments each part has."""
        return self._part.rle().struct.field("len").to_list() or [0]

    def load(self, number: int) -> Loaded:
        """Return one part; what concerns no tournament is told in the first."""
        archive = self._archive
        part = archive._of(self._part == number)
        if number == 0:
            keys = archive.tournaments["tournament"].cast(pl.String)
            elsewhere = ~pl.col("tournament").is_in(keys.implode()).fill_null(value=False)
            part = replace(
                part,
                findings=pl.concat([part.findings, archive.findings.filter(elsewhere)]),
                quarantine=archive.quarantine,
            )
        return Loaded(part)
