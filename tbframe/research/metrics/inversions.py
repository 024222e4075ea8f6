"""Inversions of many permutations at once, bit by bit.

Write the numbers of a permutation of 0 ... 2^b - 1 in binary. Two of them are in the wrong order
if and only if at the highest bit in which they differ the earlier one has a 1. So at each bit,
from the highest down, numbers whose higher bits agree stand together in their old order, and each
one with a 0 has as many inversions as ones stand before it. The halves are separated for the next
bit: b steps, each over all numbers of all permutations, and no comparison of pairs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tbframe.ledger.block import Ints
from tbframe.research.groups import Floats

__all__ = ["inversions", "weighted_inversions"]


def inversions(numbers: NDArray[np.integer[Any]]) -> Ints:
    """Count the inversions in each row.

    Parameters
    ----------
    numbers
        ``(rows, width)``: each row a permutation of ``0 ... width - 1``, the width a power of 2.

    Returns
    -------
    ndarray
        ``(rows,)``: pairs of which the greater number stands first.

    Examples
    --------
    >>> import numpy as np
    >>> inversions(np.array([[0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 3, 2]])).tolist()
    [0, 6, 2]
    """
    rows, width = numbers.shape
    found = np.zeros(rows, dtype=np.int64)
    flat, run = np.ascontiguousarray(numbers).reshape(-1), width
    while run > 1:
        half = run // 2
        zero = (flat & half) == 0
        at = np.flatnonzero(zero)
        # A zero at position p, of which z are zeros before it, has p - z ones before it.
        positions = (at & (run - 1)).reshape(rows, -1).sum(axis=1)
        found += positions - (width // run) * (half * (half - 1) // 2)
        flat, run = _halved(flat, at, ~zero, half), half
    return found


def weighted_inversions(numbers: NDArray[np.integer[Any]], weights: Floats) -> Floats:
    """Add up for each row the weights of the later numbers of all inversions.

    Parameters
    ----------
    numbers
        As of `inversions`.
    weights
        ``(rows, width)``: what an inversion counts of which this number is the later one.

    Returns
    -------
    ndarray
        ``(rows,)``.

    Examples
    --------
    >>> import numpy as np
    >>> weights = np.array([[0.0, 1, 10, 100]])
    >>> weighted_inversions(np.array([[1, 0, 3, 2]]), weights).tolist()
    [101.0]
    """
    rows, width = numbers.shape
    found = np.zeros(rows)
    flat, run = np.ascontiguousarray(numbers).reshape(-1), width
    weight = weights.reshape(-1)
    while run > 1:
        half = run // 2
        zero = (flat & half) == 0
        at = np.flatnonzero(zero)
        ones_before = (at & (run - 1)).reshape(-1, half) - np.arange(half)
        of_zeros = weight[at]
        found += (of_zeros * ones_before.reshape(-1)).reshape(rows, -1).sum(axis=1)
        flat, weight, run = (
            _halved(flat, at, ~zero, half),
            _halved(weight, at, ~zero, half),
            half,
        )
    return found


def _halved(
    flat: NDArray[Any], zeros: NDArray[np.intp], ones: NDArray[np.bool_], half: int
) -> NDArray[Any]:
    """Put the numbers with a 0 of each run before those with a 1, both in their old order."""
    halves = np.empty((len(flat) // (2 * half), 2, half), dtype=flat.dtype)
    halves[:, 0] = flat[zeros].reshape(-1, half)
    halves[:, 1] = flat[ones].reshape(-1, half)
    return halves.reshape(-1)
