"""Systems of linear equations, one for each tournament, solved together.

A system is given by its diagonal, one number for each player, and its other entries, one for
each slot: the entry of the player's row in the opponent's column, with the sign turned. So the
Laplacian of the games has the numbers of games on the diagonal and `Comparisons.games` beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from tbframe.ledger.block import Ints
from tbframe.theory.comparisons import Bools, Comparisons, Floats
from tbframe.theory.needs import scipy_module

__all__ = ["conjugate_gradients", "solve"]

#: Entries of matrices that are filled at a time: enough to forget the cost of a call.
_ENTRIES: Final = 2**21
#: Above this size a tournament is solved as a sparse system, which takes less memory.
_DENSE: Final = 2048
#: Matrices are padded to the largest of their group, which is at most so many times their size.
_PADDING: Final = 1.25


def conjugate_gradients(
    c: Comparisons, weights: Floats, diagonal: Floats, right: Floats, *, precision: float = 1e-14
) -> tuple[Floats, Ints, Floats]:
    """Solve symmetric systems by conjugate gradients, each tournament until it is done.

    Parameters
    ----------
    c
        The comparisons.
    weights
        ``(slots, players)``: entries beside the diagonal, sign turned; symmetric.
    diagonal
        ``(players,)``: at least the sum of the player's weights. Where it equals that sum, the
        system of a component has solutions only if `right` adds up to 0 there, and the one
        found is one of many that differ by a constant.
    right
        ``(players,)``: the right side.
    precision
        How small the residual has to become, relative to the right side.

    Returns
    -------
    values, iterations, residual
        ``(players,)``; ``(tournaments,)``: the steps taken; ``(tournaments,)``: what is left of
        the right side, relative to it.
    """
    # Each equation is divided by its diagonal: players with few games weigh as much as others.
    scale = np.divide(1.0, diagonal, out=np.zeros_like(diagonal), where=diagonal > 0)
    values = np.zeros_like(right)
    left = right.copy()
    scaled = scale * left
    step = scaled
    power = size = c.sum(left * scaled)
    open_ = power > 0
    iterations = np.zeros(len(c.size), dtype=np.int64)
    for _ in range(4 * int(c.size.max(initial=0)) + 20):
        if not open_.any():
            break
        image = diagonal * step - c.product(weights, step)
        curvature = c.sum(step * image)
        open_ &= curvature > 0
        length = np.divide(power, curvature, out=np.zeros_like(power), where=open_)
        values += c.each(length) * step
        left -= c.each(length) * image
        scaled = scale * left
        before, power = power, c.sum(left * scaled)
        iterations += open_
        open_ &= power > precision**2 * size
        turn = np.divide(power, before, out=np.zeros_like(power), where=open_)
        step = scaled + c.each(turn) * step
    return values, iterations, residual(c, weights, diagonal, right, values)


def residual(
    c: Comparisons, weights: Floats, diagonal: Floats, right: Floats, values: Floats
) -> Floats:
    """Return the largest error in a tournament's equations, relative to their largest term."""
    error = np.abs(diagonal * values - c.product(weights, values) - right)
    terms = np.maximum(np.abs(diagonal * values), np.abs(right))
    largest = c.most(terms)
    return np.divide(c.most(error), largest, out=np.zeros_like(largest), where=largest > 0)


def solve(c: Comparisons, weights: Floats, diagonal: Floats, right: Floats, kept: Bools) -> Floats:
    """Solve systems of any kind by elimination.

    Parameters
    ----------
    c, weights, diagonal, right
        As in `conjugate_gradients`, but the systems need not be symmetric, and have to have
        exactly one solution.
    kept
        ``(tournaments,)``: those to be solved.

    Returns
    -------
    ndarray
        ``(players,)``: 0 for players without games and in other tournaments.
    """
    values = np.zeros(c.players)
    for group in _groups(c, kept & (c.size <= _DENSE)):
        width = int(c.size[group].max())
        place = np.arange(width)
        there = place < c.size[group][:, None]
        column = np.where(there, c.first[group][:, None] + place, 0)
        there &= c.compared[column]
        matrices = np.zeros((len(group), width, width))
        # Places without a player get an equation of their own: value = 0.
        matrices[:, place, place] = np.where(there, diagonal[column], 1)
        number = np.arange(len(group))[:, None]
        for opponent, weight in zip(c.opponent, weights, strict=True):
            against = np.where(there, opponent[column] - c.first[group][:, None], place)
            matrices[number, place, against] -= np.where(there, weight[column], 0)
        sides = np.where(there, right[column], 0)
        solved = np.linalg.solve(matrices, sides[..., None])[..., 0]
        values[column[there]] = solved[there]
    large = c.each(kept & (c.size > _DENSE)) & c.compared
    if large.any():
        values[large] = _solve_sparse(c, weights, diagonal, right, large)
    return values


def _groups(c: Comparisons, kept: Bools) -> Iterator[Ints]:
    """Yield tournaments of about one size, so many that their matrices fit into memory."""
    chosen = np.flatnonzero(kept)
    order = chosen[np.argsort(-c.size[chosen], kind="stable")]
    sizes = c.size[order]
    start = 0
    while start < len(order):
        most = int(sizes[start])
        stop = start + max(1, _ENTRIES // most**2)
        stop = min(stop, int(np.searchsorted(-sizes, -most / _PADDING, side="right")))
        stop = max(stop, start + 1)
        yield order[start:stop]
        start = stop


def _solve_sparse(
    c: Comparisons, weights: Floats, diagonal: Floats, right: Floats, players: Bools
) -> Floats:
    """Solve the systems of some players, whole tournaments, as one sparse system."""
    sparse = scipy_module("scipy.sparse")
    position = np.cumsum(players) - 1
    slot, row = np.nonzero((weights != 0) & players)
    entries = (-weights[slot, row], (position[row], position[c.opponent[slot, row]]))
    matrix = sparse.coo_array(entries, shape=(int(players.sum()),) * 2).tocsc()
    matrix = matrix + sparse.diags_array(diagonal[players], format="csc")
    return np.asarray(scipy_module("scipy.sparse.linalg").splu(matrix).solve(right[players]))
