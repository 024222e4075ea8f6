"""Fair bets: ratings at which what players won and lost is worth the same."""

from __future__ import annotations

import numpy as np

from tbframe.ledger import Batch
from tbframe.theory.comparisons import Comparisons, comparisons
from tbframe.theory.linear import solve
from tbframe.theory.solution import Solution

__all__ = ["fair_bets"]


def fair_bets(t: Batch | Comparisons, *, prior: float | None = None) -> Solution:
    """Rate players so that everybody's wins are worth what he paid for his losses.

    The x of the players solve: sum over j of A_ij x_j = x_i times the sum over j of A_ji.
    (Daniels 1969; Moon and Pullman 1970; Slutzki and Volij 2006.) They are unique and positive
    if the tournament is strongly connected, and undefined otherwise.

    Parameters
    ----------
    t
        A batch of tournaments, or their comparisons.
    prior
        Where a tournament is not strongly connected: how many games everybody has against a
        dummy, half of them won and half of them lost. ``None``: then nothing is defined.

    Returns
    -------
    Solution
        Shares: the values of a tournament add up to 1. They fall quickly: in a large event those
        of the last few players are too small to be told apart.
    """
    c = comparisons(t)
    weak = ~c.strongly_connected
    solvable = c.compared_in > 0
    if prior is None:
        solvable &= ~weak
    conceded = c.number - c.score
    extra, right = np.zeros(c.players), np.zeros(c.players)
    if prior is not None:
        # The dummy is worth 1, and gone from the system: its own equation follows from the rest.
        extra = right = np.where(c.compared, c.each(np.where(weak, prior / 2, 0.0)), 0)
    # Elsewhere the equations are homogeneous; one more term makes the first player worth 1.
    leader = np.zeros(c.players)
    leader[_first_compared(c)] = 1
    leader *= c.each(np.asarray(~weak, dtype=np.float64))
    values = solve(c, c.points, conceded + extra + leader, right + leader, solvable)
    total = c.sum(values)
    values = values / c.each(np.where(total > 0, total, 1.0))
    error = np.abs(c.product(c.points, values) - conceded * values)
    scale = c.most(np.maximum(conceded * values, 1e-300))
    residual = np.where(solvable & ~weak, c.most(error) / scale, 0.0)
    return Solution.of(
        c,
        values,
        5e-15,
        residual=residual,
        converged=solvable & (residual < 1e-9),
        prior=weak & solvable,
    )


def _first_compared(c: Comparisons) -> np.ndarray:
    """Return the first column of each tournament that has games."""
    columns = np.flatnonzero(c.compared)
    tournament = np.searchsorted(c.first, columns, side="right") - 1
    return columns[np.unique(tournament, return_index=True)[1]]
