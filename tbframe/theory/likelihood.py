"""Ratings under which every player's expected score is the score he made.

A player rated d higher than his opponent expects F(d) of the point. With the logistic curve
these ratings are the maximum likelihood of Bradley and Terry's model (Zermelo 1929; Bradley and
Terry 1952), with the normal curve they are the relative Elo ratings (Elo 1978).

They exist if all players of a tournament are in one strong component (Zermelo; Ford 1957). Where
they are not, a prior stands in: everybody has some games more against one dummy in the middle,
half of them won and half of them lost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from tbframe.ledger import Batch
from tbframe.theory.comparisons import Bools, Comparisons, Floats, comparisons
from tbframe.theory.linear import conjugate_gradients
from tbframe.theory.needs import scipy_module
from tbframe.theory.solution import Solution

__all__ = ["LOGISTIC", "NORMAL", "Curve", "bounded", "bradley_terry", "expectation", "relative_elo"]

_STEPS: Final = 100
#: Steps are solved for so well; the next one mends what is left.
_STEP_PRECISION: Final = 1e-8
#: The end: no rating moves by more, in the units of the curve.
_STILL: Final = 1e-10


@dataclass(frozen=True)
class Curve:
    """What a player expects of a game: the share for a rating difference, and its slope."""

    share: Callable[[Floats], Floats]
    slope: Callable[[Floats], Floats]


def _logistic(difference: Floats) -> Floats:
    return np.asarray(scipy_module("scipy.special").expit(difference))


def _logistic_slope(difference: Floats) -> Floats:
    return _logistic(difference) * _logistic(-difference)


def _normal(difference: Floats) -> Floats:
    return np.asarray(scipy_module("scipy.special").ndtr(difference))


def _normal_slope(difference: Floats) -> Floats:
    return np.asarray(np.exp(-(difference**2) / 2) / np.sqrt(2 * np.pi))


LOGISTIC: Final = Curve(_logistic, _logistic_slope)
NORMAL: Final = Curve(_normal, _normal_slope)


def bradley_terry(t: Batch | Comparisons, *, prior: float | None = 1.0) -> Solution:
    """Find the maximum likelihood strengths of Bradley and Terry.

    Parameters
    ----------
    t
        A batch of tournaments, or their comparisons. A draw is half a win and half a loss.
    prior
        Where a tournament is not strongly connected: how many games everybody has against a
        dummy of mean strength. ``None``: then nothing is defined.

    Returns
    -------
    Solution
        Natural logarithms of the strengths, with the mean 0 in each tournament: a difference of
        1 stands for 400 / ln 10 = 173.7 points of a logistic rating.
    """
    return expectation(comparisons(t), LOGISTIC, prior=prior, unit=1.0, tolerance=1e-10)


def relative_elo(t: Batch | Comparisons, *, prior: float | None = 1.0) -> Solution:
    """Find ratings on Elo's normal curve that expect the scores which were made.

    Parameters
    ----------
    t, prior
        As for `bradley_terry`.

    Returns
    -------
    Solution
        Rating points, with the mean 0 in each tournament; the curve has the standard deviation
        2000 / 7 of a difference of two players.
    """
    return expectation(comparisons(t), NORMAL, prior=prior, unit=2000 / 7, tolerance=1e-7)


def expectation(
    c: Comparisons, curve: Curve, *, prior: float | None, unit: float, tolerance: float
) -> Solution:
    """Find ratings with which the expected scores are the scores made, by Newton's method.

    Parameters
    ----------
    c, prior
        As for `bradley_terry`.
    curve
        What a player expects of a game.
    unit
        The number that stands for a difference of 1 on the curve.
    tolerance
        Differences up to this one are no differences.
    """
    weak = ~c.strongly_connected
    kept = (c.compared_in > 0) & (~weak | (prior is not None))
    dummy = np.where(c.compared, c.each(np.where(weak, prior or 0.0, 0.0)), 0)
    ratings = np.zeros(c.players)
    open_, iterations = kept.copy(), np.zeros(len(kept), dtype=np.int64)
    for _ in range(_STEPS):
        if not open_.any():
            break
        missing = _missing(c, curve, dummy, ratings, weak)
        slope = c.games * curve.slope(ratings - c.of_opponent(ratings))
        steep = slope.sum(axis=0) + dummy * curve.slope(ratings)
        missing = np.where(c.each(open_), missing, 0)
        step = conjugate_gradients(c, slope, steep, missing, precision=_STEP_PRECISION)[0]
        step, moved = bounded(c, step)
        ratings = ratings + step
        iterations += open_
        open_ &= moved > _STILL * np.maximum(1, c.most(np.abs(ratings)))
    missing = np.abs(_missing(c, curve, dummy, ratings, weak))
    mean = c.sum(ratings * c.compared) / np.maximum(c.compared_in, 1)
    return Solution.of(
        c,
        unit * (ratings - c.each(mean)),
        tolerance,
        iterations=iterations,
        residual=np.where(kept, c.most(missing) / np.maximum(c.most(c.number), 1), 0),
        converged=kept & ~open_,
        prior=weak & kept,
    )


def _missing(c: Comparisons, curve: Curve, dummy: Floats, ratings: Floats, weak: Bools) -> Floats:
    """Return the points made beyond those expected."""
    ahead = ratings - c.of_opponent(ratings)
    missing = (c.points - c.games * curve.share(ahead)).sum(axis=0)
    missing += dummy * (0.5 - curve.share(ratings))
    # Without a dummy they add up to 0, but for rounding, which the steps must not follow.
    return np.where(c.each(weak), missing, c.centred(missing))


def bounded(c: Comparisons, step: Floats, most: float = 2.0) -> tuple[Floats, Floats]:
    """Shorten steps in which a tournament's ratings move by too much; tell how far they move."""
    length = c.most(np.abs(step))
    factor = np.minimum(1, most / np.maximum(length, most))
    return step * c.each(factor), length
