"""Recursive ratings: a player's is the mean of his opponents' and what his own score adds to it.

Recursive performance, recursive Buchholz and the averages of the opponents' values are computed
as in Brozos-Vázquez, Campo-Cabana, Díaz-Ramos and González-Díaz (2008) and in the program PyRP by
the same group: from a start vector, q becomes (M / N) q + c again and again until it no longer
moves. The level of the values is that of the start, their order does not depend on it. Where the
players fall into two groups that only play each other, or into groups that never meet, this does
not end, and nothing is defined.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from tbframe.ledger import Batch
from tbframe.theory.comparisons import Bools, Comparisons, Floats, comparisons
from tbframe.theory.solution import Solution

__all__ = ["mean_of_opponents", "recursive", "recursive_buchholz", "recursive_performance"]

#: As in PyRP: the end, and how many steps are taken at most to get there.
_EPSILON: Final = 1e-10
_STEPS: Final = 500


def recursive_performance(
    t: Batch, worth: Callable[[Floats], Floats], *, unrated: int = 1400
) -> Solution:
    """Rate players by the mean of their opponents' ratings and what their score is worth.

    Parameters
    ----------
    t
        A batch of tournaments.
    worth
        Gives the rating difference that a share of the points stands for; what it gives on
        average in a tournament is taken off. Where it is infinite for somebody, nothing is
        defined in his tournament.
    unrated
        The rating that the unrated start from.
    """
    c = comparisons(t)
    with np.errstate(divide="ignore"):  # a curve may have no end
        gain = np.where(c.compared, worth(c.score / np.maximum(c.number, 1)), 0)
    endless = c.most(np.abs(gain)) == np.inf
    gain = np.where(c.each(endless), 0, gain)
    inflation = c.sum(gain * c.number) / np.maximum(c.sum(c.number), 1)
    start = np.where(t.rating > 0, t.rating, unrated).astype(np.float64)
    return recursive(c, gain - c.each(inflation), start, tolerance=1e-7, kept=~endless)


def recursive_buchholz(t: Batch) -> Solution:
    """Rate players by the mean of their opponents' ratings and their share of points above half.

    The start is the score that the share of the points would make in all rounds.

    Parameters
    ----------
    t
        A batch of tournaments.
    """
    c = comparisons(t)
    share = c.score / np.maximum(c.number, 1)
    return recursive(c, share - 0.5, t.round_count * share, tolerance=1e-9)


def recursive(
    c: Comparisons, gain: Floats, start: Floats, *, tolerance: float, kept: Bools | None = None
) -> Solution:
    """Repeat q = (M / N) q + c until it stands still, each tournament on its own.

    Parameters
    ----------
    c
        The comparisons.
    gain, start
        ``(players,)``: the c of the formula, and the first q.
    tolerance
        Differences up to this one are no differences.
    kept
        ``(tournaments,)``: where there is anything to repeat; everywhere by default.
    """
    known = c.compared_in > 0 if kept is None else kept & (c.compared_in > 0)
    weights = c.games / np.maximum(c.number, 1)
    gain, values = np.where(c.compared, gain, 0), np.where(c.compared, start, 0)
    open_, iterations = known.copy(), np.zeros(len(c.size), dtype=np.int64)
    change = np.zeros(len(c.size))
    for _ in range(_STEPS):
        if not open_.any():
            break
        following = c.product(weights, values) + gain
        moved = np.sqrt(c.sum(c.number * (following - values) ** 2))
        change = np.where(open_, moved, change)
        values = np.where(c.each(open_), following, values)
        iterations += open_
        open_ &= change >= _EPSILON
    return Solution.of(
        c, values, tolerance, iterations=iterations, residual=change, converged=known & ~open_
    )


def mean_of_opponents(t: Batch, of: Solution, *, worst: int = 0, best: int = 0) -> Solution:
    """Average the values of each player's opponents without the worst and best of them.

    Parameters
    ----------
    t
        A batch of tournaments.
    of
        The values.
    worst, best
        How many are left out at either end. A round without an opponent is the first of the
        worst to go.
    """
    c = comparisons(t)
    there = c.games > 0
    values = np.sort(np.where(there, -c.of_opponent(of.values), np.inf), axis=0)
    place = np.arange(len(values))[:, None]
    kept = (place >= best) & (place < np.minimum(t.round_count - worst, there.sum(axis=0)))
    count = kept.sum(axis=0)
    total = np.where(kept, -values, 0).sum(axis=0)
    mean = np.divide(total, count, out=np.full(c.players, np.nan), where=count > 0)
    return Solution.of(
        c,
        mean,
        of.tolerance,
        iterations=of.iterations,
        residual=of.residual,
        converged=of.converged,
    )
