"""Ledgers of scenarios: each is its tournament once more, with some rows otherwise."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.archive import Archive
from tbframe.intake.completing import fill_points
from tbframe.ledger import Ledger, build_ledger
from tbframe.ledger.block import Ints
from tbframe.ledger.numbering import number
from tbframe.ledger.numbers import positions
from tbframe.research.runs import Runs

__all__ = ["Worlds"]


class Worlds:
    """The tournaments of an archive, to be played over again.

    Parameters
    ----------
    archive
        The tournaments as they were.
    tournament
        By scenario, the row of its tournament in the archive.
    edits
        ``scenario``, ``row``, ``result``, ``alone``, sorted by scenario; a null result strikes
        the row out and lets later rounds move up.

    Attributes
    ----------
    players, rows
        By scenario, how many players and result rows its tournament has.
    """

    def __init__(self, archive: Archive, tournament: Ints, edits: pl.DataFrame) -> None:
        self._archive = archive
        self._tournament = tournament
        numbered = number(archive.results, archive.players, archive.tournaments)
        extra = [name for name in numbered.columns if name not in _NUMBERED]
        self._numbered = numbered.select(*_NUMBERED, *extra)
        keys = archive.tournaments.select("tournament")
        owner = positions(archive.players.select("tournament"), keys)
        size = np.bincount(owner, minlength=keys.height)
        self._player = Runs.of(size)
        whose = owner[numbered["player_row"].to_numpy()]
        self._row = Runs.of(np.bincount(whose, minlength=keys.height))
        self._edits = _with_points(edits, archive)
        self._edited = edits["scenario"].to_numpy()
        self.players: Ints = size[tournament]
        self.rows: Ints = self._row.size[tournament]

    def player_rows(self, first: int, last: int) -> Ints:
        """Return the archive's players row of each player of the scenarios."""
        return self._player.spread(self._tournament[first:last])[0]

    def ledger(self, first: int, last: int) -> Ledger:
        """Return the ledger of the scenarios from `first` up to `last`.

        Its tournaments are numbered from `first`; the players of each stand in their order.
        """
        which = self._tournament[first:last]
        row, start = self._row.spread(which)
        player, first_player = self._player.spread(which)
        shift = first_player - self._player.first[which]
        by_row = pl.Series(np.repeat(shift, self._row.size[which]), dtype=pl.Int32)
        numbered = self._numbered[row].with_columns(pl.col("player_row", "opponent_row") + by_row)
        world_of = np.repeat(np.arange(len(which)), self._row.size[which])
        numbered = self._edit(numbered, first, last, start - self._row.first[which], world_of)
        world = pl.Series("tournament", np.arange(first, last), dtype=pl.Int64)
        players = self._archive.players[player].with_columns(
            pl.Series("tournament", np.repeat(world.to_numpy(), self._player.size[which]))
        )
        tournaments = self._archive.tournaments[which].with_columns(world)
        return build_ledger(numbered, players, tournaments, numbered=numbered)

    def _edit(
        self, numbered: pl.DataFrame, first: int, last: int, shift: Ints, world_of: Ints
    ) -> pl.DataFrame:
        start, stop = np.searchsorted(self._edited, [first, last])
        edits = self._edits[start:stop]
        if edits.is_empty():
            return numbered
        at = edits["row"].to_numpy() + shift[edits["scenario"].to_numpy() - first]
        edit = np.full(numbered.height, -1)
        edit[at] = np.arange(len(at))
        changed = pl.Series(edit >= 0)
        new = edits.select("result", "points", "alone")[np.maximum(edit, 0)]
        alone = changed & new["alone"]
        struck = (changed & new["result"].is_null()).to_numpy()
        numbered = numbered.with_columns(
            result=pl.when(changed).then(new["result"]).otherwise("result"),
            points=pl.when(changed).then(new["points"]).otherwise("points"),
            opponent_row=pl.when(~alone).then("opponent_row"),
            color=pl.when(~alone).then("color"),
        )
        return _without(numbered, struck, world_of) if struck.any() else numbered


_NUMBERED = ("player_row", "opponent_row", "round", "color", "result", "points")


def _without(numbered: pl.DataFrame, struck: NDArray[np.bool_], world: Ints) -> pl.DataFrame:
    """Strike a round out of each world that has rows of it struck; later rounds move up."""
    number = numbered["round"].to_numpy()
    dropped = np.full(int(world[-1]) + 1, np.iinfo(np.int32).max)
    dropped[world[struck]] = number[struck]
    moved = pl.Series("round", number - (number > dropped[world]), dtype=pl.Int32)
    return numbered.with_columns(moved).filter(~pl.Series(struck))


def _with_points(edits: pl.DataFrame, archive: Archive) -> pl.DataFrame:
    """Give each edit the points that its tournament's scoring has for it."""
    rows = archive.results.with_row_index("row").with_columns(pl.col("row").cast(pl.Int64))
    asked = edits.join(rows.drop("result", "points"), on="row", how="left", maintain_order="left")
    asked = asked.with_columns(points=pl.lit(None, pl.Float64))
    return fill_points(asked, archive.tournaments).select(*edits.columns, "points")
