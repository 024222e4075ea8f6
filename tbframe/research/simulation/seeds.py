"""Random numbers by counter: those of an event depend on the seed and its number, on nothing else.

So an event comes out the same however many are made with it, and in whichever order.
"""

from __future__ import annotations

from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tbframe.theory.needs import scipy_module

__all__ = ["Events", "Floats"]

Floats = NDArray[np.float64]

#: A step of the counter gives four numbers.
_AT_A_STEP: Final = 4


class Events:
    """Some consecutive events that are made together.

    Parameters
    ----------
    seed
        The seed of the simulation, 0 or more.
    first, count
        The number of the first event, and how many there are.
    """

    def __init__(self, seed: int, first: int, count: int) -> None:
        self.seed, self.first, self.count = seed, first, count

    def uniform(self, purpose: str, *shape: int) -> Floats:
        """Return numbers from 0 up to 1, by event and `shape`; each `purpose` has its own."""
        each = -(-prod(shape) // _AT_A_STEP)
        words = np.frombuffer(purpose.encode().ljust(16, b"\0"), dtype=np.uint32)
        key = np.random.SeedSequence([self.seed, *map(int, words)]).generate_state(2, np.uint64)
        source = np.random.Philox(key=key)
        source.advance(self.first * each)
        numbers = np.random.Generator(source).random((self.count, each * _AT_A_STEP))
        return numbers[:, : prod(shape)].reshape(self.count, *shape)

    def normal(self, purpose: str, *shape: int) -> Floats:
        """Return normally distributed numbers of mean 0 and variance 1, likewise."""
        tiny = np.finfo(np.float64).tiny  # a zero would be minus infinity
        uniform = np.maximum(self.uniform(purpose, *shape), tiny)
        return np.asarray(scipy_module("scipy.special").ndtri(uniform))
