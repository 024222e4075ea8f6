"""Computed values held against printed ones, exactly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from tbframe.comparison.identification.columns import OfficialColumns
from tbframe.comparison.identification.readings import Reading
from tbframe.ledger import Batch
from tbframe.ledger.block import Ints

__all__ = ["Fractions", "Printed"]

#: Products beyond this are computed with Python's whole numbers, which have no end.
_ROOM: Final = 2**62


@dataclass(frozen=True)
class Fractions:
    """Exact values of one candidate for the players of a batch.

    Attributes
    ----------
    numerator, denominator
        ``(players, 1)``, or ``(players, columns)`` where each official column has its own;
        a denominator of 0 is an undefined value.
    """

    numerator: Ints
    denominator: Ints

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """The largest numerator and denominator."""
        return _size(self.numerator), _size(self.denominator)

    def of_column(self, column: int) -> Fractions:
        """Return the values that are for one official column."""
        if self.numerator.shape[1] == 1:
            return self
        own = slice(column, column + 1)
        return Fractions(self.numerator[:, own], self.denominator[:, own])

    def floats(self, factor: int = 1) -> NDArray[np.float64]:
        """Return the nearest floats; not-a-number where undefined. Equal fractions give equal."""
        bottom = np.maximum(self.denominator, 1)
        return np.where(self.denominator > 0, self.numerator * factor / bottom, np.nan) + 0.0


@dataclass(frozen=True)
class Printed:
    """The official columns of a batch.

    Attributes
    ----------
    first
        ``(tournaments + 1,)``: where each tournament of the batch starts.
    units
        ``(players, columns)``: values in units of the last decimal; 0 where none.
    scale
        ``(players, columns)``: how many of these units make one.
    given
        ``(players, columns)``: where there is a value to compare.
    """

    first: Ints
    units: Ints
    scale: Ints
    given: NDArray[np.bool_]

    @classmethod
    def of(cls, t: Batch, rows: Ints, official: OfficialColumns) -> Self:
        """Take the values of the players of a batch, in `rows` of the official columns."""
        decimals = official.decimals[official.owner[rows]]
        given = official.given[rows] & official.chosen
        return cls(t.first, official.units[rows], 10**decimals, given)

    def only(self, column: int) -> Printed:
        """Return one column."""
        own = slice(column, column + 1)
        return Printed(self.first, self.units[:, own], self.scale[:, own], self.given[:, own])

    def agreeing(
        self, readings: Sequence[Reading], values: Fractions
    ) -> Iterator[NDArray[np.bool_]]:
        """Tell for each reading where a value, printed so, is the official one.

        Parameters
        ----------
        readings
            How it may be printed.
        values
            What was computed.

        Yields
        ------
        ndarray
            ``(players, columns)``; where the value is undefined, whether 0 is printed.
        """
        top, bottom, units = values.numerator, values.denominator, self.units
        scale, largest = self._sizes
        factor = max(reading.factor for reading in readings)
        if 2 * max(values.sizes[0] * factor * scale, largest * values.sizes[1]) >= _ROOM:
            top, bottom, units = (each.astype(object) for each in (top, bottom, units))
        computed, printed = top * self.scale, units * bottom
        undefined = values.denominator == 0
        nothing = undefined & (self.units == 0) & self.given
        there = ~undefined & self.given
        for reading in readings:
            times = computed * reading.factor if reading.factor != 1 else computed
            if reading.moved:
                yield (times == printed - self._constants(values) * bottom) & there
            elif reading.rounding == "exact":
                yield ((times == printed) & there) | nothing
            elif reading.rounding == "nearest":
                nearest = (2 * abs(times - printed) <= bottom) & there
                if not reading.whole:  # half points are no more to be rounded than points
                    nearest &= (self.scale > 1) | (times == printed)
                yield nearest | nothing
            else:
                yield ((printed <= times) & (times < printed + bottom) & there) | nothing

    def found(self, reading: Reading, values: Fractions) -> NDArray[np.float64]:
        """Return values as a reading prints them, before rounding.

        Returns
        -------
        ndarray
            ``(players, columns)``; not-a-number where undefined.
        """
        shown = values.floats(reading.factor)
        if reading.moved:
            shown = shown + self._constants(values) / self.scale
        return np.broadcast_to(shown, self.units.shape)

    def sums(self, flags: NDArray[np.bool_]) -> Ints:
        """Count the players of each tournament for whom something holds."""
        return np.add.reduceat(flags.astype(np.int64), self.first[:-1], axis=0)

    @cached_property
    def _sizes(self) -> tuple[int, int]:
        return _size(self.scale), _size(self.units)

    def _constants(self, values: Fractions) -> Ints:
        """Return the middle difference of each tournament and column, in units."""
        bottom = np.maximum(values.denominator, 1)
        there = self.given & (values.denominator > 0)
        difference = np.where(there, self.units - values.numerator * self.scale // bottom, 0)
        tournament = np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))
        constants = np.zeros((len(self.first) - 1, difference.shape[1]), dtype=np.int64)
        for column in range(difference.shape[1]):
            row = np.flatnonzero(there[:, column])
            row = row[np.lexsort((difference[row, column], tournament[row]))]
            counts = np.bincount(tournament[row], minlength=len(constants))
            middle = (np.cumsum(counts) - (counts + 1) // 2)[counts > 0]
            constants[counts > 0, column] = difference[row[middle], column]
        return constants[tournament]


def _size(values: Ints) -> int:
    return max(int(values.max(initial=0)), -int(values.min(initial=0)))
