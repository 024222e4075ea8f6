"""Criteria of FIDE's older texts that C.07 dropped."""

from __future__ import annotations

import numpy as np

from tbframe.ledger import Batch, Ratio
from tbframe.ledger.block import Ints
from tbframe.tiebreaks.registry import tiebreak

__all__: list[str] = []


@tiebreak("old.SUMBH", name="Sum of opponents' Buchholz", source="C.02 art. 13, until 2023")
def sum_of_buchholz(t: Batch) -> Ints:
    """Sum the Buchholz of the opponents played."""
    return t.total(t.opponent(t.total(t.opponent_score)))


@tiebreak(
    "old.AROC", name="Average rating of opponents cut, a missed round first",
    source="C.02 art. 13, until 2023, as the checking program of that time read it",
    needs="ratings",
)  # fmt: skip
def average_rating_cut(t: Batch) -> Ratio:
    """Average the opponents' ratings but the lowest; a round without a game is cut before it.

    `ARO/C1` always leaves out a rating.
    """
    rated = t.opponent(t.rating, where=t.over_the_board)
    games = rated > 0
    missed = t.count(games) < t.round_count
    all_, rest = t.total(rated, where=games), t.total(rated, where=games, low=1, plain_cuts=True)
    left = np.maximum(t.count(games) - ~missed, 0)
    total = np.where(missed, all_, rest)
    return Ratio.whole((2 * total + left) // np.maximum(2 * left, 1), left > 0)
