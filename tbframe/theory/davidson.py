"""Davidson's model: strengths, a propensity to draw and, if asked for, an advantage of White.

A game between strengths p and q is won, drawn and lost with probabilities in the ratio
p : nu * sqrt(p q) : q (Davidson 1970); with White's advantage (Davidson and Beaver 1977) the
strength of White is multiplied by a factor. All parameters are those of maximum likelihood, the
draws and White's advantage for each tournament on its own.

The odds of the decisive games are those of Bradley and Terry, so a difference of 1 of the natural
logarithms is 400 / ln 10 points of a logistic rating.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from tbframe.ledger import Batch
from tbframe.theory.comparisons import Bools, Comparisons, Floats, comparisons
from tbframe.theory.likelihood import LOGISTIC
from tbframe.theory.linear import conjugate_gradients
from tbframe.theory.solution import Solution

__all__ = ["davidson"]

#: Where there is no maximum every step is as long as the last: so many lead nowhere.
_STEPS: Final = 30
#: No parameter moves by more in one step.
_LONGEST: Final = 2.0
#: Below this curvature of the likelihood a parameter is not determined.
_VAGUE: Final = 1e-11
_STEP_PRECISION: Final = 1e-10
_STILL: Final = 1e-9


@dataclass(frozen=True)
class _Parameters:
    """Logarithms of the strengths, of nu and of White's factor."""

    strength: Floats
    draw: Floats
    white: Floats

    def moved(self, c: Comparisons, step: _Parameters, factor: Floats) -> _Parameters:
        """Go a part of a step."""
        return _Parameters(
            self.strength + c.each(factor) * step.strength,
            self.draw + factor * step.draw,
            self.white + factor * step.white,
        )

    def longest(self, c: Comparisons) -> Floats:
        """``(tournaments,)``: the size of the largest."""
        others = np.maximum(np.abs(self.draw), np.abs(self.white))
        return np.maximum(c.most(np.abs(self.strength)), others)


@dataclass(frozen=True)
class _Expected:
    """What parameters expect of each slot: share, draws, their variances and covariance."""

    share: Floats
    drawn: Floats
    var_share: Floats
    var_drawn: Floats
    both: Floats


def davidson(t: Batch | Comparisons, *, prior: float | None = 1.0, white: bool = False) -> Solution:
    """Find the maximum likelihood strengths of Davidson's model.

    Parameters
    ----------
    t
        A batch of tournaments, or their comparisons.
    prior
        Where the maximum does not exist (the tournament is not strongly connected, or the
        decisive games put no bound to the draws): how many games everybody has against a dummy
        of strength 1, half of them won and half of them lost. ``None``: then nothing is defined.
    white
        Estimate White's advantage too.

    Returns
    -------
    Solution
        Natural logarithms of the strengths, with the mean 0 in each tournament. Estimates:
        ``draw``, the nu of the model, 0 without draws, and ``white``, the factor of White's
        strength. Undefined where all games were drawn.
    """
    c = comparisons(t)
    decisive = c.sum((c.games - c.draws).sum(axis=0)) > 0
    bounded_by_games = decisive & c.strongly_connected
    found = _maximum(c, bounded_by_games, np.zeros(c.players), white=white)
    again = decisive & ~found.converged
    if prior is None or not again.any():
        return found
    dummy = np.where(c.compared, prior * c.each(again.astype(np.float64)), 0)
    return _merged(c, found, _maximum(c, again, dummy, white=white), again)


@dataclass(frozen=True)
class _Likelihood:
    """The likelihood of the games of some tournaments.

    Attributes
    ----------
    c
        The comparisons.
    dummy
        ``(players,)``: how many games each has against the dummy.
    draws, white
        ``(tournaments,)``: where nu and White's factor are estimated.
    """

    c: Comparisons
    dummy: Floats
    draws: Bools
    white: Bools

    def expected(self, at: _Parameters) -> _Expected:
        """Return what the parameters expect of each slot."""
        c = self.c
        ahead = at.strength - c.of_opponent(at.strength) + c.each(at.white) * c.color
        half = np.exp(-np.abs(ahead) / 2)  # relative to the likelier side: nothing overflows
        draw, least = np.exp(c.each(at.draw)) * half, half * half
        total = 1 + draw + least
        won = np.where(ahead >= 0, 1.0, least) / total
        lost = np.where(ahead >= 0, least, 1.0) / total
        drawn = draw / total
        return _Expected(
            share=won + drawn / 2,
            drawn=drawn,
            var_share=(won + lost) / 4 - (won - lost) ** 2 / 4,
            var_drawn=drawn * (1 - drawn),
            both=-(won - lost) / 2 * drawn,
        )

    def missing(self, at: _Parameters, expected: _Expected) -> _Parameters:
        """Return what was made beyond what is expected: points, draws, points of White."""
        c = self.c
        points = c.points - c.games * expected.share
        own = points.sum(axis=0) + self.dummy * (0.5 - LOGISTIC.share(at.strength))
        own = np.where(self.dummy > 0, own, c.centred(own))
        draws = self._over_games(c.draws - c.games * expected.drawn)
        white = self._over_games(c.color * points)
        return _Parameters(own, np.where(self.draws, draws, 0.0), np.where(self.white, white, 0.0))

    def step(self, at: _Parameters, open_: Bools) -> _Parameters:
        """Return Newton's step in the tournaments that are not done."""
        c, expected = self.c, self.expected(at)
        missing = self.missing(at, expected)
        weights = c.games * expected.var_share
        diagonal = weights.sum(axis=0) + self.dummy * LOGISTIC.slope(at.strength)

        def strengths(right: Floats) -> Floats:
            right = right * c.each(open_.astype(np.float64))
            return conjugate_gradients(c, weights, diagonal, right, precision=_STEP_PRECISION)[0]

        # The strengths' equations are solved first, for each of the other parameters on its own;
        # what these have to be follows from the two equations that are left.
        estimated = np.stack([self.draws & open_, self.white & open_], axis=1)
        drawn, color = c.games * expected.both, weights * c.color
        along = [drawn.sum(axis=0), color.sum(axis=0)]
        beside = [strengths(vector) for vector in along]
        alone = strengths(missing.strength)
        curvature = np.empty((len(c.size), 2, 2))
        curvature[:, 0, 0] = self._over_games(c.games * expected.var_drawn)
        curvature[:, 1, 1] = self._over_games(color * c.color)
        curvature[:, 0, 1] = curvature[:, 1, 0] = self._over_games(drawn * c.color)
        right = np.stack([missing.draw, missing.white], axis=1)
        for row, vector in enumerate(along):
            right[:, row] -= c.sum(vector * alone)
            for column, solved in enumerate(beside):
                curvature[:, row, column] -= c.sum(vector * solved)
        both = estimated[:, :, None] & estimated[:, None, :]
        curvature = np.where(both, curvature, np.eye(2))
        right = right * estimated
        # What the games do not tell apart is left open: steps without end.
        vague = np.linalg.det(curvature) < _VAGUE
        curvature[vague], right[vague] = np.eye(2), 2 * _LONGEST
        draw, white = np.linalg.solve(curvature, right[..., None])[..., 0].T
        strength = alone - c.each(draw) * beside[0] - c.each(white) * beside[1]
        return _Parameters(strength, np.asarray(draw), np.asarray(white))

    def _over_games(self, slots: Floats) -> Floats:
        """Sum over the games of each tournament, each of which stands in two slots."""
        return self.c.sum(np.asarray(slots.sum(axis=0))) / 2


def _maximum(c: Comparisons, kept: Bools, dummy: Floats, *, white: bool) -> Solution:
    """Maximise the likelihood in some tournaments by Newton's method."""
    with_draws = kept & (c.sum(c.draws.sum(axis=0)) > 0)
    likelihood = _Likelihood(c, dummy, with_draws, kept & white)
    none = np.zeros(len(kept))
    found = _Parameters(np.zeros(c.players), np.where(with_draws, 0.0, -np.inf), none)
    open_, iterations = kept.copy(), np.zeros(len(kept), dtype=np.int64)
    for _ in range(_STEPS):
        if not open_.any():
            break
        step = likelihood.step(found, open_)
        length = step.longest(c)
        found = found.moved(c, step, np.minimum(1, _LONGEST / np.maximum(length, _LONGEST)))
        iterations += open_
        open_ &= length > _STILL * np.maximum(1, c.most(np.abs(found.strength)))
    missing = likelihood.missing(found, likelihood.expected(found)).longest(c)
    converged = kept & ~open_
    estimates = {"draw": np.where(converged, np.exp(found.draw), np.nan)}
    if white:
        estimates["white"] = np.where(converged, np.exp(found.white), np.nan)
    return Solution.of(
        c,
        found.strength - c.each(c.sum(found.strength) / np.maximum(c.compared_in, 1)),
        1e-9,
        iterations=iterations,
        residual=np.where(kept, missing / np.maximum(c.most(c.number), 1), 0.0),
        converged=converged,
        prior=converged & (c.sum(dummy) > 0),
        estimates=estimates,
    )


def _merged(c: Comparisons, one: Solution, other: Solution, use_other: Bools) -> Solution:
    """Take some tournaments from another solution."""
    return Solution.of(
        c,
        np.where(c.each(use_other), other.values, one.values),
        one.tolerance,
        iterations=np.where(use_other, other.iterations, one.iterations),
        residual=np.where(use_other, other.residual, one.residual),
        converged=np.where(use_other, other.converged, one.converged),
        prior=np.where(use_other, other.prior, one.prior),
        estimates={
            name: np.where(use_other, other.estimates[name], values)
            for name, values in one.estimates.items()
        },
    )
