"""Ratings from a few products of the results matrix, and averages of the opponents' scores."""

from __future__ import annotations

from math import comb

import numpy as np

from tbframe.ledger import Batch
from tbframe.theory.comparisons import Comparisons, comparisons
from tbframe.theory.solution import Solution

__all__ = ["mean_buchholz", "neustadtl", "ordered_weighted_average"]


def neustadtl(t: Batch | Comparisons, *, power: int = 2, mean: bool = True) -> Solution:
    """Multiply the results matrix with itself: points are worth the points of who was beaten.

    Parameters
    ----------
    t
        A batch of tournaments, or their comparisons.
    power
        How often: the first power is the score, the second Neustadtl's rating (Sonneborn-Berger
        over the games played), high powers come near the Perron vector.
    mean
        Points and opponents' points are means of the games played (González-Díaz, Hendrickx and
        Lohmann 2014); otherwise sums.
    """
    c = comparisons(t)
    weights = c.points / np.maximum(c.number, 1) if mean else c.points
    values = np.ones(c.players)
    for _ in range(power):
        values = c.product(weights, values)
    tolerance = 1e-12 if mean else 1e-9 * max(1.0, float(values.max(initial=0)))
    return Solution.of(c, values, tolerance)


def mean_buchholz(t: Batch | Comparisons, *, depth: int = 1) -> Solution:
    """Add to the mean score the mean of the opponents' values, so many times over.

    With depth 1 this is the Buchholz rating of González-Díaz, Hendrickx and Lohmann (2014): the
    mean score and the mean of the opponents' mean scores. Deeper ones grow by 1/2 each time; what
    is above that tends to half of the least squares ratings.

    Parameters
    ----------
    t
        A batch of tournaments, or their comparisons.
    depth
        How often the opponents' values are taken.
    """
    c = comparisons(t)
    number = np.maximum(c.number, 1)
    weights, score = c.games / number, c.score / number
    values = score
    for _ in range(depth):
        values = c.product(weights, values) + score
    return Solution.of(c, values, 1e-11 * (depth + 1))


def ordered_weighted_average(t: Batch) -> Solution:
    """Average the opponents' scores with binomial weights on their order.

    With m opponents, the k-th lowest score weighs C(m - 1, k - 1) / 2^(m - 1): much in the middle
    and little at the ends (Freixas, An aggregation rule based on the binomial distribution, 2022).

    Parameters
    ----------
    t
        A batch of tournaments.
    """
    c = comparisons(t)
    there = c.games > 0
    scores = c.of_opponent(t.score / t.unit)
    values = np.sort(np.where(there, scores, np.inf), axis=0)
    slots = len(values)
    weights = np.zeros((slots + 1, slots))
    for count in range(1, slots + 1):
        weights[count, :count] = [comb(count - 1, k) / 2 ** (count - 1) for k in range(count)]
    known = np.where(np.isfinite(values), values, 0)
    total = np.einsum("ps,sp->p", weights[there.sum(axis=0)], known)
    return Solution.of(c, total, 1e-10)
