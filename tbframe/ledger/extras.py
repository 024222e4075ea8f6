"""Columns that only some tie-breaks look at: handicaps, start scores, games won in a match.

The frames of an archive carry any column along. A tie-break that needs one asks its batch for it
(`Tournaments.column`), and only then are the values put in the places of their rounds and players:
what nobody asks for costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.errors import TbframeError
from tbframe.ledger.block import Ints
from tbframe.ledger.numbers import positions
from tbframe.ledger.values import fixed
from tbframe.scoring import are_whole

if TYPE_CHECKING:
    from tbframe.ledger.tournaments import Tournaments

__all__ = ["Extras", "Found", "WrongValueError"]

_FRAMES = ("results", "players", "tournaments")
#: Larger numbers are not exact where they come with decimals, and leave no room for sums.
_MOST = 2.0**53


@dataclass(frozen=True, eq=False)
class Found:
    """The values of a column, in the places of a batch.

    Attributes
    ----------
    values
        ``(rounds, players)`` for a column of the results, else ``(players,)``; 0 where none is.
    given
        Of the same shape: where there is a value.
    """

    values: NDArray[Any]
    given: NDArray[np.bool_]

    def whole(self, unit: Ints | int, otherwise: Ints | int, least: int | None = None) -> Ints:
        """Return the values as whole numbers of a unit.

        Parameters
        ----------
        unit
            How many units make one: a number, or one for each player.
        otherwise
            What stands, in units, where there is no value.
        least
            No value may be lower; by default any may be.

        Raises
        ------
        WrongValueError
            If a value is no whole number of units, too large to be counted with, or too low.
        """
        low = np.zeros_like(self.given) if least is None else self.given & (self.values < least)
        most = _MOST / np.asarray(unit)
        large = (self.values > most) | (self.values < -most)
        exact = np.where(large, 0, self.values) * unit
        whole = exact if exact.dtype == np.int64 else np.rint(exact).astype(np.int64)
        odd = ~are_whole(exact.astype(np.float64))
        for wrong, why in ((large, "too large"), (odd, ""), (low, f"less than {least}")):
            if wrong.any():
                at = int(np.flatnonzero(wrong)[0])
                parts = int(np.broadcast_to(unit, wrong.shape).flat[at])
                no_part = f"no multiple of 1/{parts}" if parts > 1 else "no whole number"
                raise WrongValueError(at, f"{self.values.flat[at]:g}, {why or no_part}")
        return np.where(self.given, whole, otherwise)


class WrongValueError(ValueError):
    """A value that cannot be counted with.

    Attributes
    ----------
    at
        Its flat position in the batch.
    """

    def __init__(self, at: int, what: str) -> None:
        super().__init__(what)
        self.at = at


@dataclass(frozen=True, eq=False)
class Extras:
    """The frames of a ledger, to look columns up in.

    Attributes
    ----------
    results
        Sorted by tournament, player, round and game; with keys, or with ``player_row``, the
        player's row in `players`, in their place.
    players, tournaments
        Sorted by their keys.
    """

    results: pl.DataFrame
    players: pl.DataFrame
    tournaments: pl.DataFrame
    _kept: dict[object, Found] = field(default_factory=dict, init=False, repr=False)

    def look_up(self, t: Tournaments, path: str) -> Found | None:
        """Return a column in the places of a batch; kept for further questions.

        Parameters
        ----------
        t
            The batch.
        path
            Frame and column, such as ``"results.handicap"``.

        Returns
        -------
        Found
            ``None`` where there is no such column, or nothing in it.

        Raises
        ------
        TbframeError
            If there is no such frame, or the column does not hold numbers.
        """
        frame, column = self._find(path)
        if column not in frame.columns or frame[column].null_count() == frame.height:
            return None
        key = (path, int(t.row[0]), t.players, t.rounds)
        if key not in self._kept:
            series = frame[column]
            if not (series.dtype.is_numeric() or series.dtype == pl.Boolean):
                raise TbframeError(f"the column {path} holds {series.dtype}, not numbers")
            of_rounds = frame is self.results
            self._kept[key] = (
                self._of_rounds(t, series)
                if of_rounds
                else self._of_players(t, series, each=frame is self.players)
            )
        return self._kept[key]

    def whole(
        self, t: Tournaments, path: str, unit: Ints | int, otherwise: Ints | int, least: int | None
    ) -> Ints | None:
        """Return a column as whole numbers of a unit; ``None`` where there is none.

        Raises
        ------
        TbframeError
            As `look_up`; or if a value cannot be counted with, and where it stands.
        """
        found = self.look_up(t, path)
        if found is None:
            return None
        try:
            return found.whole(unit, otherwise, least)
        except WrongValueError as wrong:
            player = self.players.row(int(t.player_rows()[wrong.at % t.players]), named=True)
            where = f"tournament {player['tournament']!r}"
            if not path.startswith("tournaments."):
                where += f", player {player['player']!r}"
            if path.startswith("results."):
                where += f", round {t.rounds[wrong.at // t.players]}"
            raise TbframeError(f"the column {path} holds {wrong} ({where})") from wrong

    def _of_players(self, t: Tournaments, series: pl.Series, *, each: bool) -> Found:
        rows = t.player_rows()
        return Found(*map(fixed, _numbers(series.gather(rows if each else self._owner[rows]))))

    def _of_rounds(self, t: Tournaments, series: pl.Series) -> Found:
        row, cell = self._places(t)
        numbers, given = _numbers(series.gather(row))
        found = Found(np.zeros(t.kind.shape, dtype=numbers.dtype), np.zeros(t.kind.shape, np.bool_))
        found.values.reshape(-1)[cell] = numbers
        found.given.reshape(-1)[cell] = given
        return Found(fixed(found.values), fixed(found.given))

    def _find(self, path: str) -> tuple[pl.DataFrame, str]:
        frame, _, column = path.partition(".")
        if frame not in _FRAMES or not column:
            raise TbframeError(f"{path!r} is no column: write results.NAME or players.NAME")
        return getattr(self, frame), column

    def _places(self, t: Tournaments) -> tuple[Ints, Ints]:
        """Return the result rows of a batch, and the flat position of the round of each."""
        rows = t.player_rows()
        count = self._begin[rows + 1] - self._begin[rows]
        shift = self._begin[rows] - (np.cumsum(count) - count)
        row = np.repeat(shift, count) + np.arange(int(count.sum()))
        player = np.repeat(np.arange(t.players), count)
        number = self.results["round"].gather(row).cast(pl.Int64).to_numpy()
        first = np.searchsorted(np.asarray(t.rounds), np.arange(t.round_count + 1))
        kept = number <= t.round_count
        if not kept.all():
            row, player, number = row[kept], player[kept], number[kept]
        slot = first[number]
        if "game" in self.results.columns:
            slot += self.results["game"].gather(row).fill_null(1).cast(pl.Int64).to_numpy() - 1
        return row, slot * t.players + player

    @cached_property
    def _begin(self) -> Ints:
        """``(players + 1,)``: the row of the results where those of each player begin."""
        results = self.results
        if "player_row" in results.columns:
            owner = results["player_row"].cast(pl.Int64).to_numpy()
            return np.searchsorted(owner, np.arange(self.players.height + 1))
        # A player's rows stand together, so only the first of each run is looked up.
        keys = results.select("tournament", "player")
        first = keys.select(pl.any_horizontal(pl.all().ne_missing(pl.all().shift()))).to_series()
        heads = np.append(np.flatnonzero(first.to_numpy()), results.height)
        player = positions(keys.filter(first), self.players.select("tournament", "player"))
        rows = np.zeros(self.players.height, dtype=np.int64)
        rows[player] = np.diff(heads)
        return np.append(0, np.cumsum(rows))

    @cached_property
    def _owner(self) -> Ints:
        """``(players,)``: the row of each player's tournament."""
        return positions(self.players.select("tournament"), self.tournaments.select("tournament"))


def _numbers(series: pl.Series) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return the values of a column, 0 where there is none, and where there is one."""
    fraction = series.dtype.is_float() or series.dtype.is_decimal()
    if fraction:
        series = series.cast(pl.Float64).fill_nan(None)
    given = series.is_not_null().to_numpy()
    values = series.cast(pl.Float64 if fraction else pl.Int64).fill_null(0).to_numpy()
    return values, given
