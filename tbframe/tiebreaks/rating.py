"""Tie-breaks from the opponents' ratings (art. 10).

Art. 10 drops these tie-breaks where unrated players take part, unless the rules of the event
cover them: so they are undefined for a whole tournament with an unrated player, except that
``/U1400`` gives the unrated a rating, and that a tournament's own rule may do so or leave
games against them out. Ratings are rounded half up where the text rounds: the average of the
opponents' ratings, and the averages of their performances.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tbframe.codes import Criterion
from tbframe.ledger import Batch, Ratio
from tbframe.ledger.block import Ints
from tbframe.ledger.kinds import EMPTY, KIND
from tbframe.tiebreaks.rating_tables import CERTAIN, DIFFERENCE, EXPECTED
from tbframe.tiebreaks.registry import tiebreak

__all__: list[str] = []

#: Half points of each result on the usual scale, whatever the event's own scoring is.
_HALVES: Final = np.zeros(EMPTY + 1, dtype=np.int64)
_HALVES[[KIND[code] for code in "1W+"]] = 2
_HALVES[[KIND[code] for code in "=D"]] = 1


@tiebreak(
    "ARO",
    name="Average rating of opponents",
    article="C.07 art. 10.1",
    unit="count",
    modifiers="CMU",
    needs="ratings",
)
def average_rating(t: Batch, c: Criterion) -> Ratio:
    """Average the opponents' ratings; cuts take the lowest, medians the highest too.

    Under the 2012 text a player with no more than two games ranks below all others.
    """
    rating = _ratings(t, c)
    games = _rated_games(t, rating)
    left = np.maximum(t.count(games) - c.low - c.high, 0)
    last = _few_games(t, games)
    total = t.total(t.gather(rating), where=games, low=c.low, high=c.high)
    return Ratio(_half_up(total, left), np.minimum(left, 1), last)


@tiebreak(
    "TPR", name="Tournament performance rating", article="C.07 art. 10.2", unit="count",
    modifiers="U", needs="ratings",
)  # fmt: skip
def performance(t: Batch, c: Criterion) -> Ratio:
    """Add to the average rating of the opponents the difference that the score stands for."""
    rating = _ratings(t, c)
    games = _rated_games(t, rating)
    number = t.count(games)
    hundredths = _half_up(50 * t.total(_HALVES[t.kind], where=games), number)
    average = _half_up(t.total(t.gather(rating), where=games), number)
    return Ratio(average + DIFFERENCE[hundredths], np.minimum(number, 1))


@tiebreak(
    "PTP", name="Perfect tournament performance", article="C.07 art. 10.3", unit="count",
    modifiers="U", needs="ratings",
)  # fmt: skip
def perfect_performance(t: Batch, c: Criterion) -> Ratio:
    """Find the lowest rating whose expected score is at least the score made.

    Without a point: 800 below the lowest-rated opponent.
    """
    return t.once((perfect_performance, c.unrated), lambda: _perfect_performance(t, c))


def _perfect_performance(t: Batch, c: Criterion) -> Ratio:
    rating = _ratings(t, c)
    games = _rated_games(t, rating)
    number = t.count(games)
    opponent = t.gather(rating)
    scored = 50 * t.total(_HALVES[t.kind], where=games)
    lowest = t.lowest(opponent, where=games)
    below = lowest - 800
    # The expected score never falls as the rating rises, so halving the range finds the first.
    low = np.where(scored > 0, lowest - CERTAIN, below)
    high = np.where(scored > 0, -t.lowest(-opponent, where=games) + CERTAIN, below)
    while (low < high).any():
        middle = (low + high) // 2
        reached = t.total(_expected(middle, opponent), where=games) >= scored
        high = np.where(reached, middle, high)
        low = np.where(reached, low, np.minimum(middle + 1, high))
    if t.sums is not None:  # what is explained is the sum for the rating found
        t.total(_expected(high, opponent), where=games)
    return Ratio(high, np.minimum(number, 1))


@tiebreak(
    "APRO", name="Average performance of opponents", article="C.07 art. 10.4", unit="count",
    modifiers="U", needs="ratings",
)  # fmt: skip
def average_performance(t: Batch, c: Criterion) -> Ratio:
    """Average the opponents' performance ratings."""
    return _average_of_opponents(t, performance(t, c), c)


@tiebreak(
    "APPO", name="Average perfect performance of opponents", article="C.07 art. 10.5",
    unit="count", modifiers="U", needs="ratings",
)  # fmt: skip
def average_perfect_performance(t: Batch, c: Criterion) -> Ratio:
    """Average the opponents' perfect performances."""
    return _average_of_opponents(t, perfect_performance(t, c), c)


@tiebreak(
    "RTNG",
    name="Rating",
    article="C.07 art. 10.6",
    unit="count",
    modifiers="U",
    since="2026-03",
    needs="ratings",
)
def own_rating(t: Batch, c: Criterion) -> Ratio:
    """Return the rating at the start."""
    rating = _ratings(t, c)
    return Ratio(rating, (rating > 0).astype(np.int64))


def _average_of_opponents(t: Batch, values: Ratio, c: Criterion) -> Ratio:
    games = _rated_games(t, _ratings(t, c)) & (t.gather(values.denominator) > 0)
    number = t.count(games)
    return Ratio(
        _half_up(t.total(t.gather(values.numerator), where=games), number), np.minimum(number, 1)
    )


def _expected(rating: Ints, opponent: Ints) -> Ints:
    """Return the expected hundredths of a player with this rating on each of his rounds."""
    return np.asarray(EXPECTED[np.clip(rating - opponent, -CERTAIN, CERTAIN) + CERTAIN])


def _ratings(t: Batch, c: Criterion) -> Ints:
    """Return the ratings to work with; 0 for players whose games do not count."""
    unrated = t.rating == 0
    if not unrated.any():
        return t.rating
    if c.unrated is not None:
        return np.where(unrated, c.unrated, t.rating)
    given = np.where(unrated & (t.unrated > 0), t.unrated, t.rating)
    uncovered = np.bincount(t.tournament, weights=unrated & (t.unrated == 0)) > 0
    return np.where(uncovered[t.tournament], 0, given)


def _rated_games(t: Batch, rating: Ints) -> NDArray[np.bool_]:
    games = t.games if t.edition.predetermined_forfeits_rated else t.over_the_board
    return np.asarray(games & t.paired & (t.gather(rating) > 0))


def _half_up(total: Ints, number: Ints) -> Ints:
    """Divide and round halves up."""
    return np.asarray((2 * total + number) // np.maximum(2 * number, 1))


def _few_games(t: Batch, games: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
    rule = t.edition.few_games
    if rule == "no-rule":
        return None
    if rule == "played-two-or-fewer":
        return np.asarray(t.count(games) <= 2)
    return np.asarray(t.round_count - t.count(games) > 2)
