"""Pokémon: win percentages of the opponents, and of theirs.

Play! Pokémon Tournament Rules Handbook, section 5: a win percentage is matches won over matches
played, a tie being half a win; byes are neither won nor played, and a bye has no opponent. It is
25 % at least. Who left the event is 75 % at most, and keeps his own averages as they stood when he
left, as the organisers' program ranks him: the column ``dropped_after`` of the players frame holds
the round after which a player left. Without it nobody left, however few rounds he played.

``/K3`` makes a tie a third of a win, as points of 3-1-0 over three times the matches have it.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from tbframe.codes import Criterion
from tbframe.ledger import Batch, Ratio
from tbframe.ledger.block import Ints
from tbframe.tiebreaks.families.percentages import (
    Shares,
    average,
    frozen,
    matches,
    outcomes,
    rounds_multiple,
    shares,
)
from tbframe.tiebreaks.registry import tiebreak

__all__ = ["win_rate"]

_RULES: Final = "Play! Pokémon Tournament Rules Handbook, section 5"


@tiebreak(
    "pokemon.WP", name="Win percentage", source=_RULES, modifiers="K", decimals=4, unit="ratio"
)
def win_percentage(t: Batch, c: Criterion) -> Ratio:
    """Divide the matches won by those played; 25 % at least. Undefined without any."""
    left = t.column("players.dropped_after", least=0)
    return _within_limits(win_rate(t, c), np.where(left <= t.round_count, left, 0))


@tiebreak(
    "pokemon.OWP", name="Opponents' win percentage", source=_RULES, modifiers="K", decimals=4,
    unit="ratio",
)  # fmt: skip
def opponents_win_percentage(t: Batch, c: Criterion) -> Ratio:
    """Average `win_percentage` of the opponents; undefined without any."""
    return frozen(t, "dropped_after", lambda now, left: _opponents(now, left, c)).ratio()


@tiebreak(
    "pokemon.OOWP", name="Opponents' opponents' win percentage", source=_RULES, modifiers="K",
    decimals=4, unit="ratio",
)  # fmt: skip
def opponents_opponents_win_percentage(t: Batch, c: Criterion) -> Ratio:
    """Average `opponents_win_percentage` of the opponents; undefined without any."""

    def compute(now: Batch, left: Ints) -> Shares:
        return average(now, _opponents(now, left, c), matches(now))

    return frozen(t, "dropped_after", compute).ratio()


def win_rate(t: Batch, c: Criterion) -> Ratio:
    """Divide the matches won by those played; a tie is half a win, or the part that ``/K`` says."""
    win = 2 if c.factor is None else c.factor
    met = matches(t)
    won: Ints = (outcomes(win, 1)[t.kind] * met).sum(axis=0)
    return Ratio(won, win * met.sum(axis=0, dtype=np.int64))


def _within_limits(rate: Ratio, left: Ints) -> Ratio:
    """Raise to 25 %, and cut to 75 % who left."""
    low = (4 * rate.numerator < rate.denominator) & (rate.denominator > 0)
    high = (4 * rate.numerator > 3 * rate.denominator) & (left > 0)
    limited = low | high
    return Ratio(
        np.where(limited, np.where(low, 1, 3), rate.numerator),
        np.where(limited, 4, rate.denominator),
    )


def _opponents(t: Batch, left: Ints, c: Criterion) -> Shares:
    common = math.lcm((c.factor or 2) * rounds_multiple(t), 4)
    return average(t, shares(_within_limits(win_rate(t, c), left), common), matches(t))
