"""One pass over the archive: how many official values each candidate reproduces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tbframe.comparison.identification.candidates import Candidate
from tbframe.comparison.identification.columns import OfficialColumns
from tbframe.comparison.identification.evaluating import evaluated
from tbframe.comparison.identification.printing import Fractions, Printed
from tbframe.comparison.identification.readings import Reading
from tbframe.editions import AUTO
from tbframe.ledger import Batch, Ledger
from tbframe.ledger.block import Ints
from tbframe.standings import for_each_batch

__all__ = ["Counts", "count_matches"]

_Prints = NDArray[np.uint64]
#: Random weights, one for each player: sums of weighted values tell columns of values apart.
_SEED: Final = 8191


@dataclass(frozen=True)
class Counts:
    """What was counted, for groups of tournaments.

    Attributes
    ----------
    matches
        ``(groups, columns, candidates, readings)``: official values that are reproduced.
    prints
        ``(groups, columns, candidates)``: equal where the candidates' values are, for all
        players of the group; 0 where a candidate was not computed.
    """

    matches: NDArray[np.int32]
    prints: _Prints
    _lock: Lock = field(default_factory=Lock, repr=False)

    @classmethod
    def nothing(cls, groups: int, columns: int, candidates: int, readings: int) -> Counts:
        """Return counts of 0."""
        shape = (groups, columns, candidates)
        return cls(np.zeros((*shape, readings), dtype=np.int32), np.zeros(shape, dtype=np.uint64))

    def add(self, group: Ints, candidate: int, matches: Ints, prints: _Prints) -> None:
        """Add what was found in some tournaments, `group` being the number of each one's group."""
        with self._lock:
            np.add.at(self.matches[:, :, candidate], group, matches)
            np.add.at(self.prints[:, :, candidate], group, prints)


def count_matches(
    ledger: Ledger,
    official: OfficialColumns,
    candidates: Sequence[Candidate],
    readings: Sequence[Reading],
    *,
    group: Ints,
) -> Counts:
    """Compare all candidates with all official columns.

    Parameters
    ----------
    ledger, official
        The tournaments and what was printed about them.
    candidates, readings
        Every candidate is compared in every reading.
    group
        ``(tournaments,)``: the number of each tournament's group; counts are of groups.

    Returns
    -------
    Counts
        All of them.
    """
    groups = int(group.max(initial=-1)) + 1
    counts = Counts.nothing(groups, len(official.names), len(candidates), len(readings))
    weights = np.random.default_rng(_SEED).integers(
        1, 2**63, size=ledger.players.height, dtype=np.uint64
    )

    def compute(t: Batch, rows: Ints) -> None:
        printed = Printed.of(t, rows, official)
        if not printed.given.any():
            return
        seen: dict[bytes, Ints] = {}
        where = group[official.owner[rows[t.first[:-1]]]]
        for number, values in evaluated(t, candidates, official, rows):
            prints = _fingerprints(printed, values, weights[rows])
            key = prints.tobytes()
            if key not in seen:  # many definitions come to the same here
                seen[key] = _matches(printed, values, readings)
            counts.add(where, number, seen[key], prints)

    for_each_batch(ledger, AUTO, compute)
    return counts


def _matches(printed: Printed, values: Fractions, readings: Sequence[Reading]) -> Ints:
    """Count the values of each tournament and column that are reproduced, in each reading.

    None is where a tie-break is undefined for most: else no value at all would do for a column
    of zeros.
    """
    defined = printed.sums((values.denominator > 0) & printed.given)
    mostly = 2 * defined >= printed.sums(printed.given)
    if not mostly.any():
        return np.zeros((*mostly.shape, len(readings)), dtype=np.int64)
    found = [printed.sums(agrees) for agrees in printed.agreeing(readings, values)]
    return np.stack(found, axis=-1) * mostly[:, :, None]


def _fingerprints(printed: Printed, values: Fractions, weights: _Prints) -> _Prints:
    """Give each tournament and column a number that is equal for equal values of all players."""
    bits = values.floats().view(np.uint64)
    # Mixed, because floats differ in their upper bits only, and those of a product are lost.
    bits = (bits ^ (bits >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(32))) * weights[:, None]
    sums = np.add.reduceat(bits, printed.first[:-1], axis=0)
    return np.broadcast_to(sums | np.uint64(1), (len(sums), printed.units.shape[1]))
