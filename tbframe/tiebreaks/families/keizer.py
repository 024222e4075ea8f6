"""Keizer: a win is worth the rank of the player beaten, so ranks and points wait for each other.

The first of n players has the top value, 1.5 n rounded up unless it is set, each next one a point
less. A game won brings the opponent's value, a draw half of it. A round without a game brings a
part of the own value: two thirds for the odd player out (``U``) and for a duty elsewhere (``F``),
a third for a notified absence (``H``), nothing for others (``Z``, and ``-`` for a forfeit). A game
won by forfeit (``+``) is a win.

The players start in the order of their ratings. After every round the order is made anew, those
level on points by rating, and all rounds so far are valued again by it; after the last one so
often until the order stays as it is. Who is level on both shares a rank, and so a value.

It can happen that no order stays: two or more follow each other in a circle for ever. Then the
points of the whole tournament are undefined, and ``keizer.PTS_PERIOD`` tells the length of the
circle. That is rare where the own value counts among the points, and common where it does not;
``keizer.NET``, without it, values all rounds again only once after each round.

Clubs differ in the figures: `Keizer` holds them, and makes a tie-break of your own of them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from tbframe.ledger import Batch, Ratio
from tbframe.ledger.block import Ints
from tbframe.ledger.kinds import EMPTY, KIND
from tbframe.tiebreaks.families.percentages import outcomes, up_to
from tbframe.tiebreaks.registry import tiebreak
from tbframe.tiegroups import split

__all__ = ["Keizer"]

#: After so many orders without an end the search is given up.
_MOST: Final = 100


@dataclass(frozen=True)
class Keizer:
    """The figures of a club.

    Attributes
    ----------
    top
        The value of the first; ``None``: 1.5 times the number of players, rounded up.
    own
        Whether the own value counts among the points.
    odd_one_out, duty, excused, unexcused
        The part of the own value that a round without a game brings: the odd player out
        (``U``), a duty elsewhere (``F``), an absence with notice (``H``) and one without (``Z``).
    excused_times
        How many absences with notice bring something, the first ones; ``None``: all.
    until_it_stays
        Whether all rounds are valued again until the order stays, or once after each round.

    Examples
    --------
    >>> from fractions import Fraction
    >>> import polars as pl
    >>> import tbframe as tb
    >>> from tbframe.tiebreaks.families.keizer import Keizer
    >>> figures = Keizer(top=70, own=False, excused=Fraction(1, 6), until_it_stays=False)
    >>> @tb.tiebreak("club.KEIZER", name="Keizer points of the club", source="its rules")
    ... def club_keizer(t):
    ...     return figures.points(t)
    >>> games = pl.DataFrame({"round": [1], "white": ["Ada"], "black": ["Bo"], "result": ["1-0"]})
    >>> tb.from_games(games).tiebreaks("club.KEIZER").rows()
    [('tournament', 'Ada', 69.0), ('tournament', 'Bo', 0.0)]
    >>> tb.forget("club.KEIZER")
    """

    top: int | None = None
    own: bool = True
    odd_one_out: Fraction = Fraction(2, 3)
    duty: Fraction = Fraction(2, 3)
    excused: Fraction = Fraction(1, 3)
    unexcused: Fraction = Fraction(0)
    excused_times: int | None = None
    until_it_stays: bool = True

    def points(self, t: Batch) -> Ratio:
        """Sum the values of the opponents beaten, and the parts of the own.

        Returns
        -------
        Ratio
            ``(players,)``: undefined for all of a tournament in which no order stays.
        """
        place, period = self._settled(t)
        stays = period == 1
        return Ratio(np.where(stays, self._valued(t, place), 0), np.where(stays, self._unit, 0))

    def period(self, t: Batch) -> Ratio:
        """Count the orders that follow each other in a circle.

        Returns
        -------
        Ratio
            ``(players,)``: 1 where the order stays; undefined where no end was found.
        """
        length = self._settled(t)[1]
        return Ratio.whole(length, length > 0)

    def _settled(self, t: Batch) -> tuple[Ints, Ints]:
        return t.once(self, lambda: self._settle(t))

    @property
    def _unit(self) -> int:
        """In how many parts points are counted, so that all are whole numbers."""
        parts = (self.odd_one_out, self.duty, self.excused, self.unexcused)
        return math.lcm(2, *(part.denominator for part in parts))

    def _values(self, t: Batch, place: Ints) -> Ints:
        """Return what each player's rank is worth, ``(players,)``."""
        size = t.over_tournament(np.add, np.ones(t.players, dtype=np.int64))
        top = (3 * size + 1) // 2 if self.top is None else self.top
        return np.maximum(top - (place - t.first[:-1][t.tournament]), 0)

    def _valued(self, t: Batch, place: Ints) -> Ints:
        """Return the points of all rounds, in units, with the players in this order."""
        value = self._values(t, place)
        halves = outcomes(2, 1)[t.kind] * t.paired
        games = (t.opponent(value, where=t.paired) * halves).sum(axis=0) * (self._unit // 2)
        return np.asarray(games + value * (self._parts(t) + self._unit * self.own))

    def _parts(self, t: Batch) -> Ints:
        """Return the parts of the own value for rounds without a game, in units."""
        table = np.zeros(EMPTY + 1, dtype=np.int64)
        for code, part in (
            ("U", self.odd_one_out), ("F", self.duty), ("H", self.excused), ("Z", self.unexcused),
        ):  # fmt: skip
            table[KIND[code]] = part * self._unit
        parts: Ints = table[t.kind]
        if self.excused_times is not None:
            excused = t.kind == KIND["H"]
            parts = np.where(excused & (excused.cumsum(axis=0) > self.excused_times), 0, parts)
        return np.asarray(parts.sum(axis=0))

    def _settle(self, t: Batch) -> tuple[Ints, Ints]:
        """Order the players until the order stays.

        Returns
        -------
        place, period
            ``(players,)``: where each player's tie group starts when all rounds are valued for
            the last time, and the length of the circle in which the orders of his tournament end:
            1 where the order stays, or need not, and 0 where no end was found.
        """

        def order(now: Batch, place: Ints) -> Ints:
            return split(split(level, self._valued(now, place)), t.rating)

        level = t.first[:-1][t.tournament]
        place = split(level, t.rating)
        for last in sorted(set(t.rounds)):
            place = order(up_to(t, last), place)
        orders = [place]
        period = np.full(len(t.row), 0 if self.until_it_stays else 1)
        while (period == 0).any() and len(orders) <= _MOST:
            place = order(t, orders[-1])
            for back, earlier in enumerate(reversed(orders), start=1):
                again = np.logical_and.reduceat(place == earlier, t.first[:-1])
                period[again & (period == 0)] = back
            orders.append(place)
        return place, period[t.tournament]


_SETTLED: Final = Keizer()
_ONCE: Final = Keizer(own=False, until_it_stays=False)


@tiebreak(
    "keizer.PTS", name="Keizer points", unit="ratio",
    source="J. H. Keizer's system as clubs play it (Haren, SV Krimpen)",
)  # fmt: skip
def keizer_points(t: Batch) -> Ratio:
    """Sum the values of the opponents beaten and the own; null where no order stays."""
    return _SETTLED.points(t)


@tiebreak(
    "keizer.PTS_PERIOD", name="Keizer orders that follow each other in a circle", better="lower",
    unit="count", source="the length of the circle in which keizer.PTS ends",
)  # fmt: skip
def keizer_period(t: Batch) -> Ratio:
    """Count the orders of the circle: 1 where the order stays."""
    return _SETTLED.period(t)


@tiebreak(
    "keizer.NET", name="Keizer points without the own value", unit="ratio",
    source="J. H. Keizer's system as clubs play it (Bornsedam)",
)  # fmt: skip
def keizer_net(t: Batch) -> Ratio:
    """Sum the values of the opponents beaten, by the order that they make themselves."""
    return _ONCE.points(t)
