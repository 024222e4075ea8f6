"""Netrunner: strength of schedule, plain and extended, with weighted rounds.

As the tournament program Cobra computes them. An opponent's points are divided by the games he
had, byes included in both, and averaged over the opponents; a bye has no opponent. Where the rules
of an event let a round count for more or less, the column ``weight`` of the results holds it (a
double-sided round 1, a single-sided one 0.5): it weighs the games and the averages.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from tbframe.ledger import Batch, Ratio
from tbframe.ledger.block import Ints
from tbframe.ledger.kinds import BYE, KIND
from tbframe.ledger.values import Bools
from tbframe.tiebreaks.families.percentages import (
    Shares,
    average,
    matches,
    rounds_multiple,
    shares,
)
from tbframe.tiebreaks.registry import tiebreak

__all__: list[str] = []

_SOURCE: Final = "Cobra (Null Signal Games), SosCalculator"
#: Weights are whole numbers of these.
_HUNDREDTHS: Final = 100


@tiebreak("netrunner.SOS", name="Strength of schedule", source=_SOURCE, decimals=4, unit="points")
def strength_of_schedule(t: Batch) -> Ratio:
    """Average the opponents' points a game; undefined without opponents."""
    return _schedule(t).ratio()


@tiebreak(
    "netrunner.ESOS", name="Extended strength of schedule", source=_SOURCE, decimals=4,
    unit="points",
)  # fmt: skip
def extended_strength_of_schedule(t: Batch) -> Ratio:
    """Average the opponents' strength of schedule."""
    return _over_opponents(t, _schedule(t)).ratio()


def _schedule(t: Batch) -> Shares:
    return t.once(_schedule, lambda: _points_a_game(t))


def _points_a_game(t: Batch) -> Shares:
    games = matches(t) | (BYE[t.kind] & (t.kind != KIND["Z"]))
    number = _weighed(t, games)
    a_game = Ratio(_HUNDREDTHS * t.score, number)
    return _over_opponents(t, shares(a_game, _multiple(t, number)))


def _over_opponents(t: Batch, of: Shares) -> Shares:
    met = matches(t)
    weight = _weight(t)
    number = None if weight is None else _weighed(t, met)
    multiple = 1 if number is None else _multiple(t, number)
    return average(t, of, met, weight=weight, multiple=multiple)


def _weight(t: Batch) -> Ints | None:
    """Return what each round counts, in hundredths; ``None``: all the same."""
    if not t.given("results.weight").any():
        return None
    return t.column("results.weight", unit=_HUNDREDTHS, otherwise=_HUNDREDTHS, least=0)


def _weighed(t: Batch, rounds: Bools) -> Ints:
    """Return how much the rounds of each player count together."""
    weight = _weight(t)
    return np.asarray(np.where(rounds, _HUNDREDTHS if weight is None else weight, 0).sum(axis=0))


def _multiple(t: Batch, number: Ints) -> int:
    """Return a multiple of all sums of weights."""
    if _weight(t) is None:
        return _HUNDREDTHS * rounds_multiple(t)
    return math.lcm(*np.unique(number[number > 0]).tolist())
