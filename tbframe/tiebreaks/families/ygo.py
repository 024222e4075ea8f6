"""Yu-Gi-Oh!: the tie-break number XXYYYZZZTTT.

Points, the opponents' win percentage in thousandths, that of their opponents, and the sum of the
squares of the numbers of the rounds that were lost, each in its own digits. There is no least
percentage; a tie is half a win, and ``/K3`` makes it a third. Byes count for the points alone. A
percentage of 100 is written 999, and so is a sum of squares beyond that; without opponents the
digits are 000. Points are written without their halves, so under a scoring that has them the points
have to come first in the order, as in the preset.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tbframe.codes import Criterion
from tbframe.ledger import Batch, Ratio
from tbframe.ledger.block import Ints
from tbframe.tiebreaks.families.percentages import (
    Shares,
    average,
    half_up,
    matches,
    outcomes,
    rounds_multiple,
    shares,
)
from tbframe.tiebreaks.families.pokemon import win_rate
from tbframe.tiebreaks.registry import tiebreak

__all__: list[str] = []

_POLICY: Final = "Konami, Yu-Gi-Oh! tournament policy: tie-breakers"
_LIBRARY: Final = "the Python package cardarena-tournament-core"
_LOSSES: Final = "Konami tournament software: squares of the rounds lost"


@tiebreak(
    "ygo.OWP", name="Opponents' win percentage", source=f"{_POLICY}; {_LIBRARY}", modifiers="K",
    decimals=4, unit="ratio",
)  # fmt: skip
def opponents_win_percentage(t: Batch, c: Criterion) -> Ratio:
    """Average the opponents' matches won of those played; undefined without any."""
    return _opponents(t, c).ratio()


@tiebreak(
    "ygo.OOWP", name="Opponents' opponents' win percentage", source=f"{_POLICY}; {_LIBRARY}",
    modifiers="K", decimals=4, unit="ratio",
)  # fmt: skip
def opponents_opponents_win_percentage(t: Batch, c: Criterion) -> Ratio:
    """Average `opponents_win_percentage` of the opponents; undefined without any."""
    return average(t, _opponents(t, c), matches(t)).ratio()


@tiebreak("ygo.SSL", name="Sum of the squares of the rounds lost", source=_LIBRARY, unit="count")
def squares_of_lost_rounds(t: Batch) -> Ints:
    """Add up the squares of the numbers of the rounds lost: the later, the better."""
    lost = matches(t) & (outcomes(1, 1)[t.kind] == 0)
    return t.total(np.asarray(t.rounds, dtype=np.int64)[:, None] ** 2, where=lost)


@tiebreak("ygo.TB8", name="Tie-break number XXYYYZZZ", source=_POLICY, modifiers="K", unit="count")
def eight_digits(t: Batch, c: Criterion) -> Ints:
    """Write points and both percentages one behind the other."""
    opponents = _opponents(t, c)
    further = average(t, opponents, matches(t))
    first, second = (np.minimum(half_up(of, 1000), 999) for of in (opponents, further))
    return (t.score // t.unit * 1000 + first) * 1000 + second


@tiebreak(
    "ygo.TB", name="Tie-break number XXYYYZZZTTT", source=_LIBRARY, modifiers="K", unit="count"
)
def eleven_digits(t: Batch, c: Criterion) -> Ints:
    """Write the sum of the squares of the rounds lost behind the eight digits."""
    return eight_digits(t, c) * 1000 + np.minimum(squares_of_lost_rounds(t), 999)


def _opponents(t: Batch, c: Criterion) -> Shares:
    common = (c.factor or 2) * rounds_multiple(t)
    return average(t, shares(win_rate(t, c), common), matches(t))
