"""Variants that go by a name that is another tie-break's."""

from __future__ import annotations

import numpy as np

from tbframe.ledger import Batch, Ratio
from tbframe.ledger.block import Ints
from tbframe.tiebreaks.families.percentages import outcomes
from tbframe.tiebreaks.registry import tiebreak

__all__: list[str] = []


@tiebreak(
    "local.PEQ", name="Points against opponents with at least the own score",
    source="a French training handout, which calls it Sonneborn-Berger",
)  # fmt: skip
def points_against_equals(t: Batch) -> Ints:
    """Sum the own points against opponents whose final score is at least the own score."""
    strong = t.opponent(t.score, where=t.paired) >= t.own(t.score)
    return t.total(t.points, where=t.paired & t.known & strong)


@tiebreak(
    "local.SBR", name="Sonneborn-Berger by results",
    source="published tables of events with 3 points for a win (Lippstadt 2003)",
)  # fmt: skip
def sonneborn_berger_by_results(t: Batch) -> Ratio:
    """Sum the scores of opponents beaten and half of those drawn with, whatever a win is worth."""
    total = t.total(t.opponent(t.score) * outcomes(2, 1)[t.kind])
    return Ratio(total, np.full(t.players, 2))
