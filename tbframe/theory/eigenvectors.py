"""Ratings that feed on themselves: a win is worth the rating of who was beaten.

* Perron (Wei 1952; Kendall 1955): A x = lambda x, for the results matrix A; defined where the
  tournament is strongly connected.
* Keener (1993): the same with (A_ij + 1) / (A_ij + A_ji + 2) for each pair that met, divided by
  the number of games of i; defined where the tournament is connected.
* PageRank (Brin and Page 1998): a walk from losers to winners.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tbframe.ledger import Batch
from tbframe.theory.comparisons import Bools, Comparisons, Floats, comparisons
from tbframe.theory.linear import solve
from tbframe.theory.solution import Solution

__all__ = ["keener", "pagerank", "perron"]

#: Products before elimination takes over, and steps of elimination.
_PRODUCTS: Final = 300
_STEPS: Final = 40
#: The end: bounds of the eigenvalue this close, relative to it.
_CLOSE: Final = 1e-13
#: The bound is raised by this part of it, so that the system has a solution.
_ABOVE: Final = 1e-12
#: The end of a walk: a step changes no more than this part of the whole.
_SHORT: Final = 1e-14


def perron(t: Batch | Comparisons) -> Solution:
    """Rate players in proportion to the ratings of those they beat, draws by half.

    Parameters
    ----------
    t
        A batch of tournaments, or their comparisons.

    Returns
    -------
    Solution
        Shares: the values of a tournament add up to 1. Undefined where it is not strongly
        connected.
    """
    c = comparisons(t)
    return _dominant(c, c.points, c.strongly_connected)


def keener(t: Batch | Comparisons) -> Solution:
    """Rate players like `perron`, with results smoothed by Laplace's rule of succession.

    Parameters
    ----------
    t
        A batch of tournaments, or their comparisons.

    Returns
    -------
    Solution
        Shares: the values of a tournament add up to 1. Undefined where it is not connected.
    """
    c = comparisons(t)
    smooth = (c.points_of_pair + 1) / (c.games_of_pair + 2)
    entries = np.where(c.first_of_pair, smooth, 0) / np.maximum(c.number, 1)
    return _dominant(c, entries, c.count_components(c.component) == 1)


def _dominant(c: Comparisons, entries: Floats, defined: Bools) -> Solution:
    """Find the positive eigenvector of non-negative matrices, one for each tournament.

    Products with the matrix come close quickly in most tournaments. Where they do not, Noda's
    iteration (1971) joins in: it solves with the highest of the bounds (A x)_i / x_i of the
    eigenvalue, keeps x positive and always arrives.
    """
    here = c.compared & c.each(defined)
    values = np.where(here, 1.0, 0.0)
    open_, iterations = defined.copy(), np.zeros(len(defined), dtype=np.int64)
    gap = np.zeros(len(defined))
    for step in range(_PRODUCTS + _STEPS):
        image = c.product(entries, values)
        growth = np.divide(image, values, out=np.zeros_like(values), where=here)
        highest = c.most(growth)
        lowest = -c.most(np.where(here, -growth, -np.inf))
        gap = np.where(open_, 1 - lowest / np.where(highest > 0, highest, 1.0), gap)
        open_ &= gap > _CLOSE
        if not open_.any():
            break
        iterations += open_
        if step < _PRODUCTS or step % 2:
            # The own value is kept in part, or two groups that only meet each other would swing.
            image = image + c.each(highest) / 2 * values
        else:
            image = solve(c, entries, c.each(highest * (1 + _ABOVE)), values, open_)
        total = c.sum(image)
        image = image / c.each(np.where(total > 0, total, 1.0))
        values = np.where(c.each(open_), image, values)
    total = c.sum(values)
    return Solution.of(
        c,
        values / c.each(np.where(total > 0, total, 1.0)),
        1e-13,
        iterations=iterations,
        residual=np.maximum(gap, 0),
        converged=defined & (gap < 1e-11),
    )


def pagerank(t: Batch | Comparisons, *, damping: float = 0.85) -> Solution:
    """Follow a walk that goes from a player to those he lost points to.

    Parameters
    ----------
    t
        A batch of tournaments, or their comparisons.
    damping
        How likely the walk goes on that way, at least 0 and less than 1; else, and wherever a
        player lost nothing, it goes to anybody in the tournament.

    Returns
    -------
    Solution
        How often the walk comes to each player, as shares that add up to 1.
    """
    c = comparisons(t)
    conceded = c.number - c.score
    share = np.divide(damping, conceded, out=np.zeros_like(conceded), where=conceded > 0)
    start = np.where(c.compared, 1.0, 0.0)
    values, iterations = start, np.zeros(len(c.size), dtype=np.int64)
    open_ = c.compared_in > 0
    change = np.zeros(len(c.size))
    # Where the walk starts anew does not depend on the past, so its level is found at the end.
    # Each step is shorter than the one before by the damping, at least.
    most = int(np.log(_SHORT) / np.log(max(damping, _SHORT))) + 2
    for _ in range(most):
        if not open_.any():
            break
        following = start + c.product(c.points, share * values)
        change = c.sum(np.abs(following - values)) / np.maximum(c.sum(following), 1)
        values = following
        iterations += open_
        open_ &= change > _SHORT
    total = c.sum(values)
    return Solution.of(
        c,
        values / c.each(np.where(total > 0, total, 1.0)),
        1e-13,
        iterations=iterations,
        residual=change,
    )
