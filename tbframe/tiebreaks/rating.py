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
    source="C.07 art. 10.1",
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
    total = t.total(t.opponent(rating), where=games, low=c.low, high=c.high)
    return Ratio.whole(_half_up(total, left), left > 0, last)


@tiebreak(
    "TPR",
    name="Tournament performance rating",
    source="C.07 art. 10.2",
    modifiers="U",
    needs="ratings",
)
def performance(t: Batch, c: Criterion) -> Ratio:
    """Add to the average rating of the opponents the difference that the score stands for."""
    rating = _ratings(t, c)
    games = _rated_games(t, rating)
    number = t.count(games)
    hundredths = _half_up(50 * t.total(_HALVES[t.kind], where=games), number)
    average = _half_up(t.total(t.opponent(rating), where=games), number)
    return Ratio.whole(average + DIFFERENCE[hundredths], number > 0)


@tiebreak(
    "PTP",
    name="Perfect tournament performance",
    source="C.07 art. 10.3",
    modifiers="U",
    needs="ratings",
)
def perfect_performance(t: Batch, c: Criterion) -> Ratio:
    """Find the lowest rating whose expected score is at least the score made.

    Without a point: 800 below the lowest-rated opponent.
    """
    return t.once((perfect_performance, c.unrated), lambda: _perfect_performance(t, c))


def _perfect_performance(t: Batch, c: Criterion) -> Ratio:
    rating = _ratings(t, c)
    games = _rated_games(t, rating)
    number = t.count(games)
    opponent = t.opponent(rating)
    scored = 50 * t.total(_HALVES[t.kind], where=games)
    lowest = t.lowest(opponent, where=games)
    below = lowest - 800
    # The expected score never falls as the rating rises, so halving the range finds the first.
    low = np.where(scored > 0, lowest - CERTAIN, below)
    high = np.where(scored > 0, t.highest(opponent, where=games) + CERTAIN, below)
    while (low < high).any():
        middle = (low + high) // 2
        reached = t.total(_expected(middle, opponent), where=games) >= scored
        high = np.where(reached, middle, high)
        low = np.where(reached, low, np.minimum(middle + 1, high))
    found = t.explained(high, lambda: t.total(_expected(high, opponent), where=games))
    return Ratio.whole(found, number > 0)


@tiebreak(
    "APRO",
    name="Average performance of opponents",
    source="C.07 art. 10.4",
    modifiers="U",
    needs="ratings",
)
def average_performance(t: Batch, c: Criterion) -> Ratio:
    """Average the opponents' performance ratings."""
    return _average_of_opponents(t, performance(t, c), c)


@tiebreak(
    "APPO",
    name="Average perfect performance of opponents",
    source="C.07 art. 10.5",
    modifiers="U",
    needs="ratings",
)
def average_perfect_performance(t: Batch, c: Criterion) -> Ratio:
    """Average the opponents' perfect performances."""
    return _average_of_opponents(t, perfect_performance(t, c), c)


@tiebreak(
    "RTNG",
    name="Rating",
    source="C.07 art. 10.6",
    modifiers="U",
    since="2026-03",
    needs="ratings",
)
def own_rating(t: Batch, c: Criterion) -> Ratio:
    """Return the rating at the start."""
    rating = _ratings(t, c)
    return Ratio.whole(rating, rating > 0)


def _average_of_opponents(t: Batch, values: Ratio, c: Criterion) -> Ratio:
    games = _rated_games(t, _ratings(t, c)) & (t.opponent(values.denominator) > 0)
    number = t.count(games)
    total = t.total(t.opponent(values.numerator), where=games)
    return Ratio.whole(_half_up(total, number), number > 0)


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
    return np.asarray(games & (t.opponent(rating, where=t.paired) > 0))


def _half_up(total: Ints, number: Ints) -> Ints:
    """Divide and round halves up."""
    halved: Ints = (2 * total + number) // np.maximum(2 * number, 1)
    return halved


def _few_games(t: Batch, games: NDArray[np.bool_]) -> NDArray[np.bool_] | None:
    rule = t.edition.few_games
    if rule == "no-rule":
        return None
    if rule == "played-two-or-fewer":
        return np.asarray(t.count(games) <= 2)
    return np.asarray(t.round_count - t.count(games) > 2)
