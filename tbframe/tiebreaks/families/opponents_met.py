"""Draughts, debate, bridge: the final scores of the opponents met.

The scores are those of the standings, whatever they came from, and a round without an opponent
brings nothing: none of the sources says otherwise.
"""

from __future__ import annotations

import numpy as np

from tbframe.codes import Criterion
from tbframe.ledger import Batch
from tbframe.ledger.block import Ints
from tbframe.tiebreaks.registry import refinement, tiebreak
from tbframe.tiegroups import split

__all__: list[str] = []


@tiebreak(
    "draughts.SOLK", name="Solkoff", source="FMJD, rules for international competitions",
    modifiers="CM",
)  # fmt: skip
def solkoff(t: Batch, c: Criterion) -> Ints:
    """Sum the opponents' scores.

    Truncated: ``/C1`` without the lowest, ``/M1`` without the lowest and the highest.
    """
    scores = t.opponent(t.score, where=t.paired)
    return t.total(scores, where=t.paired & t.known, low=c.low, high=c.high, plain_cuts=True)


@tiebreak("debate.DS", name="Draw strength", source="Tabbycat, metrics of the standings")
def draw_strength(t: Batch) -> Ints:
    """Sum the opponents' points."""
    return t.total(t.opponent(t.score, where=t.paired), where=t.known)


@refinement("debate.WBW", name="Who beat whom", source="Tabbycat, metrics of the standings")
def who_beat_whom(t: Batch, place: Ints, _: Criterion) -> Ints:
    """Split tie groups of exactly two by the debates between them."""
    tied = t.opponent(place, otherwise=-1, where=t.paired) == t.own(place)
    two = np.bincount(place, minlength=t.players)[place] == 2
    return split(place, np.where(two, t.total(t.points, where=tied), 0))


@tiebreak("bridge.SP", name="Swiss points", source="English Bridge Union, White Book")
def swiss_points(t: Batch) -> Ints:
    """Sum the final scores of the opponents met; not for all-play-all events."""
    return t.total(t.opponent(t.score, where=t.paired), where=t.known)
