"""Buchholz and its kin: sums over the opponents' scores (art. 8)."""

from __future__ import annotations

from dataclasses import replace

from tbframe.codes import Criterion
from tbframe.ledger import Batch, Ratio
from tbframe.ledger.block import Ints
from tbframe.tiebreaks.registry import tiebreak

__all__ = ["buchholz"]


@tiebreak("BH", name="Buchholz", source="C.07 art. 8.1", modifiers="CMPF", teams="too")
def buchholz(t: Batch, c: Criterion) -> Ints:
    """Sum the opponents' adjusted scores, or their dummies' (art. 16)."""
    if c.fore:
        return buchholz(t.fore, replace(c, fore=False))
    t = t.with_forfeits if c.forfeits else t
    return t.total(t.opponent_score, low=c.low, high=c.high)


@tiebreak(
    "AOB",
    name="Average of opponents' Buchholz",
    source="C.07 art. 8.2",
    modifiers="F",
    teams="too",
)
def average_opponents_buchholz(t: Batch, c: Criterion) -> Ratio:
    """Average the Buchholz of the opponents played; undefined without any."""
    return t.mean(t.opponent(buchholz(t, c)), where=t.games)


@tiebreak(
    "FB", name="Fore Buchholz", source="C.07 art. 8.3", modifiers="CMP", since="2022d", teams="too"
)
def fore_buchholz(t: Batch, c: Criterion) -> Ints:
    """Compute Buchholz with every pairing of the last round drawn, whatever came of it."""
    return buchholz(t.fore, c)
