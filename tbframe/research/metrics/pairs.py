"""How many pairs of players two orders put alike, in O(n log n).

Players are sorted by one order and written as their positions in the other, ties of either in the
order of the other, so that a tie is no inversion (Knight 1966). The inversions are the discordant
pairs; the pairs tied in an order follow from its places, since places of n players without ties
add up to n (n - 1) / 2 and a tie of t lowers the sum by t (t - 1) / 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tbframe.ledger.block import Ints
from tbframe.research.groups import Block, Groups
from tbframe.research.metrics.inversions import inversions

__all__ = ["PairCounts", "count_pairs", "interleaved", "tied_pairs"]


@dataclass(frozen=True)
class PairCounts:
    """The pairs of players of each tournament, by what two orders say of them.

    Attributes
    ----------
    pairs
        ``(tournaments,)``: all of them.
    discordant
        Pairs that the two orders put the opposite way round.
    tied_first, tied_second
        Pairs tied in the first and in the second order.
    tied_both
        Pairs tied in both.
    """

    pairs: Ints
    discordant: Ints
    tied_first: Ints
    tied_second: Ints
    tied_both: Ints

    @property
    def concordant(self) -> Ints:
        """Pairs that both orders separate, and put the same way round."""
        either = self.tied_first + self.tied_second - self.tied_both
        return self.pairs - either - self.discordant

    @property
    def tied_once(self) -> Ints:
        """Pairs tied in exactly one of the orders."""
        return self.tied_first + self.tied_second - 2 * self.tied_both


def count_pairs(groups: Groups, first: Ints, second: Ints) -> PairCounts:
    """Compare two orders of the players of each tournament, pair by pair.

    Parameters
    ----------
    groups
        The tournaments.
    first, second
        ``(players,)``: the places in the two orders.

    Examples
    --------
    >>> import numpy as np
    >>> one, other = np.array([0, 1, 1, 3]), np.array([1, 0, 2, 2])
    >>> found = count_pairs(Groups(np.array([0, 4])), one, other)
    >>> found.concordant.tolist(), found.discordant.tolist(), found.tied_once.tolist()
    ([3], [1], [2])
    """
    discordant = np.zeros(len(groups), dtype=np.int64)
    both = np.zeros(len(groups), dtype=np.int64)
    for block in groups.blocks():
        numbers, tied = interleaved(block, first, second)
        discordant[block.groups] = inversions(numbers)
        both[block.groups] = tied
    return PairCounts(
        groups.pairs, discordant, tied_pairs(groups, first), tied_pairs(groups, second), both
    )


def tied_pairs(groups: Groups, place: Ints) -> Ints:
    """Count the pairs of each tournament that are tied."""
    return np.asarray(groups.pairs - groups.sum(place))


def interleaved(block: Block, first: Ints, second: Ints) -> tuple[NDArray[np.integer[Any]], Ints]:
    """Write the players in the first order as their positions in the second.

    Returns
    -------
    numbers, tied
        ``(rows, width)``: permutations, cells beyond the last player at their end; ``(rows,)``:
        how many pairs are tied in both orders.
    """
    width = block.width
    bits = width.bit_length()  # the width itself stands for the cells beyond
    kind: type[np.int32 | np.int64] = np.int32 if 2 * bits < 31 else np.int64
    low = (1 << bits) - 1
    position = np.arange(width, dtype=kind)
    one: NDArray[Any] = block.take(first, width).astype(kind)
    other: NDArray[Any] = block.take(second, width).astype(kind)
    # Sorting plain numbers is many times as fast as sorting positions by them.
    packed = (other << bits) | one
    packed.sort(axis=1)
    new = np.ones(packed.shape, dtype=np.bool_)
    new[:, 1:] = packed[:, 1:] != packed[:, :-1]
    begins = np.maximum.accumulate(np.where(new, position, 0), axis=1)
    behind = position - begins
    if block.beyond is not None:
        behind[block.beyond] = 0
    packed = ((packed & low) << bits) | position
    packed.sort(axis=1)
    return (packed & low).astype(np.int16 if bits < 15 else kind), behind.sum(axis=1, dtype=int)
