"""Many tournaments of different sizes in one array, and what is done to each of them at once.

The players of a tournament stand side by side; `Groups.first` says where each begins. A *place*
counts the players who rank before: 0 for the first, and the same number for those who are tied
(0, 0, 2). So a place is a competition rank less 1, and all arithmetic on ties is done with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tbframe.ledger.block import Ints
from tbframe.ledger.values import Bools

__all__ = ["Block", "Floats", "Groups"]

Floats: TypeAlias = NDArray[np.float64]

#: Cells of a block: enough to forget the cost of a call, few enough to stay in the cache.
_CELLS: Final = 1 << 16


@dataclass(frozen=True)
class Block:
    """Some tournaments as the rows of a matrix, whose width is a power of 2.

    Attributes
    ----------
    groups
        ``(rows,)``: which tournaments.
    cells
        ``(rows, width)``: where each cell stands in the arrays of players.
    beyond
        ``(rows, width)``: cells behind a tournament's last player; ``None`` if there are none.
    """

    groups: Ints
    cells: Ints
    beyond: Bools | None

    @property
    def width(self) -> int:
        """The cells of a row."""
        return int(self.cells.shape[1])

    def take(self, values: NDArray[Any], otherwise: int | float) -> NDArray[Any]:
        """Return the values of the players as a matrix, with `otherwise` behind the last."""
        found = values[self.cells]
        if self.beyond is not None:
            found[self.beyond] = otherwise
        return found


@dataclass(frozen=True)
class Groups:
    """Where each tournament begins and ends in arrays of players.

    Attributes
    ----------
    first
        ``(tournaments + 1,)``: the position where each begins, and the end.
    """

    first: Ints

    def __len__(self) -> int:
        return len(self.first) - 1

    @property
    def players(self) -> int:
        """How many players there are in all."""
        return int(self.first[-1])

    @cached_property
    def size(self) -> Ints:
        """``(tournaments,)``: how many players each has."""
        return np.diff(self.first)

    @cached_property
    def pairs(self) -> Ints:
        """``(tournaments,)``: how many pairs of players each has."""
        return self.size * (self.size - 1) // 2

    @cached_property
    def number(self) -> Ints:
        """``(players,)``: the number of each player's tournament."""
        return np.repeat(np.arange(len(self)), self.size)

    @cached_property
    def start(self) -> Ints:
        """``(players,)``: where each player's tournament begins."""
        return self.first[self.number]

    def sum(self, values: NDArray[Any]) -> NDArray[Any]:
        """Add up over each tournament: ``(tournaments,)``, whole numbers exactly."""
        total = np.zeros(len(self), dtype=np.float64 if values.dtype.kind == "f" else np.int64)
        there = self.size > 0
        if there.any():
            total[there] = np.add.reduceat(values, self.first[:-1][there], dtype=total.dtype)
        return total

    def count(self, where: Bools) -> Ints:
        """Count the players of each tournament for whom `where` holds."""
        return np.asarray(self.sum(where.astype(np.int64)))

    def tied(self, place: Ints) -> Ints:
        """``(players,)``: how many share the player's place, himself included."""
        at = self.start + place
        return np.asarray(np.bincount(at, minlength=self.players)[at])

    def blocks(self) -> Iterator[Block]:
        """Yield all tournaments with players, those of about one size together."""
        width = _power_of_two_from(self.size)
        for each in np.unique(width[self.size > 0]).tolist():
            members = np.flatnonzero((width == each) & (self.size > 0))
            rows = max(_CELLS // each, 1)
            for begin in range(0, len(members), rows):
                groups = members[begin : begin + rows]
                column = np.arange(each)
                cells = self.first[groups][:, None] + column
                beyond = column >= self.size[groups][:, None]
                if not beyond.any():
                    yield Block(groups, cells, None)
                else:
                    yield Block(groups, np.where(beyond, 0, cells), beyond)

    def places(self, values: NDArray[Any], *, best: str = "high") -> Ints:
        """Return the places by some values, equal ones tied.

        Parameters
        ----------
        values
            ``(players,)``: numbers, none of them not-a-number.
        best
            ``"high"`` or ``"low"``: which of them rank first.
        """
        key = -np.asarray(values, dtype=np.float64) if best == "high" else np.asarray(values)
        place = np.zeros(self.players, dtype=np.int64)
        last = np.inf if key.dtype.kind == "f" else np.iinfo(key.dtype).max
        for block in self.blocks():
            found = block.take(key, last)
            # Whichever way ties come, they share a place.
            order = np.argsort(found, axis=1) + np.arange(0, found.size, block.width)[:, None]
            ranked = found.reshape(-1)[order]
            new = np.ones(found.shape, dtype=np.bool_)
            new[:, 1:] = ranked[:, 1:] != ranked[:, :-1]
            begins = np.maximum.accumulate(np.where(new, np.arange(block.width), 0), axis=1)
            own = np.empty(found.size, dtype=np.int64)
            own[order.reshape(-1)] = begins.reshape(-1)
            inside = slice(None) if block.beyond is None else ~block.beyond
            place[block.cells[inside]] = own.reshape(found.shape)[inside]
        return place

    def without(self, kept: Bools) -> Groups:
        """Return the groups of the players for whom `kept` holds."""
        return Groups(np.concatenate([[0], np.cumsum(self.count(kept))]))

    def places_among(self, place: Ints, kept: Bools) -> Ints:
        """Return the places that the players of `kept` have among themselves."""
        at = (self.start + place)[kept]
        there = np.bincount(at, minlength=self.players + 1)
        before = np.cumsum(there) - there
        return np.asarray(before[at] - before[self.first[:-1]][self.number[kept]])


def _power_of_two_from(size: Ints) -> Ints:
    """Return the smallest power of 2 that is no less."""
    return np.left_shift(1, np.ceil(np.log2(np.maximum(size, 1))).astype(np.int64))
