"""Rows of many groups that stand one group after the other, and how to repeat them."""

from __future__ import annotations

import numpy as np

from tbframe.ledger.block import Ints

__all__ = ["Runs"]


class Runs:
    """Where the rows of each group begin, and how many there are.

    Parameters
    ----------
    first, size
        By group.
    """

    def __init__(self, first: Ints, size: Ints) -> None:
        self.first, self.size = first, size

    @classmethod
    def of(cls, size: Ints) -> Runs:
        """Make them of the sizes of groups that fill a table without gaps."""
        return cls(np.cumsum(size) - size, size)

    def spread(self, which: Ints) -> tuple[Ints, Ints]:
        """Return the rows of some groups one after the other, and where each begins."""
        size = self.size[which]
        start = np.cumsum(size) - size
        within = np.arange(int(size.sum())) - np.repeat(start, size)
        return np.repeat(self.first[which], size) + within, start
