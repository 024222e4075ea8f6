"""Ratings that solve one system of linear equations: least squares and its kin.

With N the numbers of games, M the matches matrix, L = diag(N) - M its Laplacian and s the
players' points minus those of their opponents (a win is +1, a draw 0, a loss -1):

* least squares: L q = s, and the q of each component add up to 0. The differences of q come as
  close to the results as they can. (Gulliksen 1956; Kaiser and Serlin 1978; Massey 1997.)
* generalised row sum: (I + e L) x = (1 + e m n) s, where n players met at most m times.
  (Chebotarev 1989.)
* Colley: (L + 2 I) r = 1 + s / 2. (Colley 2002.)
"""

from __future__ import annotations

import numpy as np

from tbframe.ledger import Batch
from tbframe.theory.comparisons import Comparisons, Floats, comparisons
from tbframe.theory.linear import conjugate_gradients
from tbframe.theory.solution import Solution

__all__ = ["colley", "generalised_row_sum", "least_squares", "reasonable_epsilon"]

#: A residual above this one is not the end.
ACCEPTED = 1e-10


def least_squares(t: Batch | Comparisons) -> Solution:
    """Rate players so that differences of ratings are nearest to the results of the games.

    Parameters
    ----------
    t
        A batch of tournaments, or their comparisons.

    Returns
    -------
    Solution
        A difference of 1 stands for a certain win. Values of players in different components
        cannot be compared: each component has the mean 0.
    """
    c = comparisons(t)
    values, iterations, residual = conjugate_gradients(c, c.games, c.number, c.difference)
    return Solution.of(
        c,
        c.centred(values),
        1e-10,
        iterations=iterations,
        residual=residual,
        converged=residual < ACCEPTED,
    )


def generalised_row_sum(t: Batch | Comparisons, *, epsilon: float | None = None) -> Solution:
    """Correct the score by the scores of the opponents, theirs by those of theirs, and so on.

    Parameters
    ----------
    t
        A batch of tournaments, or their comparisons.
    epsilon
        How much opponents count: near 0 the values are the score, for large epsilon those of
        least squares (times m n). By default the largest reasonable one of each tournament,
        1 / (m (n - 2)): up to there no value is beyond m (n - 1), the best score of a round robin.

    Returns
    -------
    Solution
        On the scale of wins minus losses.
    """
    c = comparisons(t)
    meetings = c.most(c.games_of_pair.max(axis=0, initial=0))
    weight = reasonable_epsilon(c) if epsilon is None else np.full(len(c.size), float(epsilon))
    share = c.each(weight)
    right = c.each(1 + weight * meetings * c.compared_in) * c.difference
    values, iterations, residual = conjugate_gradients(
        c, share * c.games, 1 + share * c.number, right
    )
    return Solution.of(
        c,
        values,
        1e-11,
        iterations=iterations,
        residual=residual,
        converged=residual < ACCEPTED,
    )


def reasonable_epsilon(t: Batch | Comparisons) -> Floats:
    """Return the largest reasonable epsilon of the generalised row sum.

    Parameters
    ----------
    t
        A batch of tournaments, or their comparisons.

    Returns
    -------
    ndarray
        ``(tournaments,)``: 1 / (m (n - 2)) for n players who met at most m times.
    """
    c = comparisons(t)
    meetings = c.most(c.games_of_pair.max(axis=0, initial=0))
    return np.asarray(1 / (np.maximum(meetings, 1) * np.maximum(c.compared_in - 2, 1)))


def colley(t: Batch | Comparisons) -> Solution:
    """Rate players by their share of wins, corrected by the ratings of their opponents.

    Everybody starts with one win and one loss more than he has.

    Parameters
    ----------
    t
        A batch of tournaments, or their comparisons.

    Returns
    -------
    Solution
        Shares of wins, with the mean 1/2.
    """
    c = comparisons(t)
    values, iterations, residual = conjugate_gradients(
        c, c.games, c.number + 2, 1 + c.difference / 2
    )
    return Solution.of(
        c,
        values,
        1e-10,
        iterations=iterations,
        residual=residual,
        converged=residual < ACCEPTED,
    )
