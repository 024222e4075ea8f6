"""Sonneborn-Berger and Koya: results against opponents by their scores (art. 9)."""

from __future__ import annotations

import numpy as np

from tbframe.codes import Criterion
from tbframe.ledger import Batch
from tbframe.ledger.block import Ints
from tbframe.tiebreaks.registry import tiebreak

__all__: list[str] = []


@tiebreak(
    "SB",
    name="Sonneborn-Berger",
    source="C.07 art. 9.1",
    modifiers="CMP",
    teams="too",
)
def sonneborn_berger(t: Batch, c: Criterion) -> Ints:
    """Sum the opponents' scores, each multiplied by the points made against him.

    A cut takes the product with the lowest-scoring opponent, the lowest product of several.
    """
    t = t.with_forfeits if c.forfeits else t
    products = t.opponent_score * t.opponent_result
    return t.total(products, by=t.opponent_score, low=c.low, high=c.high)


@tiebreak("KS", name="Koya", source="C.07 art. 9.2", modifiers="L", teams="too")
def koya(t: Batch, c: Criterion) -> Ints:
    """Sum the points against opponents who made at least half of what was possible.

    Forfeits count with the points awarded. What was possible is a win in each round; with
    predetermined pairings, in each game that a player of the tournament had, so that the
    free rounds of an odd number of players are left out.
    """
    strong = 100 * t.score >= c.limit_percent * t.win * _games(t) + 50 * c.limit_shift * t.unit
    return t.total(t.points, where=t.known & t.opponent(strong, where=t.paired))


def _games(t: Batch) -> Ints | int:
    if not t.predetermined:
        return t.round_count
    return t.over_tournament(np.maximum, t.count(t.paired))
