"""Tie groups: an order that gets finer, criterion by criterion.

A player's *place* is the position, in the whole batch, at which his tie group starts. All
players of a tournament begin with the place of its first column; a criterion splits groups
and never joins them. So the players level with one another share a number, and the numbers
are competition ranks (1, 1, 3) but for an offset.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tbframe.ledger import Approximate, Batch, Ratio, Values
from tbframe.ledger.block import Ints

__all__ = ["TieGroups", "order_key", "refined", "sort_groups", "split"]

_LAST = np.iinfo(np.int64).min


def refined(place: Ints, values: Values, *, lower_is_better: bool) -> Ints:
    """Return the places after splitting every tie group by the values of a tie-break.

    Parameters
    ----------
    place
        ``(players,)``: where each tie group starts.
    values
        Of all players.
    lower_is_better
        Which values rank first.
    """
    if isinstance(values, Approximate):
        best_first = values.values if lower_is_better else -values.values
        key = _steps_down(place, best_first, values.tolerance)
    else:
        key = order_key(values, lower_is_better=lower_is_better)
    return split(place, key)


def _steps_down(place: Ints, values: NDArray[np.float64], tolerance: float) -> Ints:
    """Return a key for the tie groups that falls wherever the next value is out of reach.

    Neighbours in the order of a group that differ by no more than the tolerance share a key, and
    so do all that such steps connect. What is undefined comes last, and is level.
    """
    key = np.zeros(len(place), dtype=np.int64)
    order = np.lexsort((values, place))  # what is not a number comes last
    before, after = values[order][:-1], values[order][1:]
    with np.errstate(invalid="ignore"):  # infinity from infinity
        near = (after - before <= tolerance) | (after == before)
    level = near | (np.isnan(before) & np.isnan(after))
    key[order[1:]] = -np.cumsum(~level)
    return key


def order_key(values: Ints | Ratio, *, lower_is_better: bool) -> Ints:
    """Return whole numbers that order as `values` do, the higher the better.

    Quotients are compared exactly: two that differ do so by at least one part in the
    product of their denominators. What is undefined comes last.
    """
    sign = -1 if lower_is_better else 1
    if not isinstance(values, Ratio):
        return sign * values
    defined = values.denominator > 0
    bottom = np.where(defined, values.denominator, 1)
    fine = int(bottom.max(initial=1)) ** 2
    if (bottom[defined] == bottom.max(initial=1)).all():
        key = sign * values.numerator
    elif int(np.abs(values.numerator).max(initial=0)) * fine < 2**62:
        key = sign * (values.numerator * fine // bottom)
    else:  # the same with Python's whole numbers, which have no end
        exact = values.numerator.astype(object) * fine // bottom.astype(object)
        key = sign * np.unique(exact, return_inverse=True)[1].astype(np.int64)
    if values.last is not None:
        key -= np.where(values.last, key.max(initial=0) - key.min(initial=0) + 1, 0)
    return np.where(defined, key, _LAST)


@dataclass
class TieGroups:
    """The order of a batch's players so far.

    Attributes
    ----------
    place
        ``(players,)``: where the player's tie group starts.
    decided
        ``(players,)``: at the place where a group starts, the number of the criterion that
        separated it from the group above; -1 elsewhere.
    """

    place: Ints
    decided: NDArray[np.int16]

    @classmethod
    def unordered(cls, t: Batch) -> TieGroups:
        """Return the order in which all players of a tournament are level."""
        return cls(t.first[:-1][t.tournament], np.full(t.players, -1, dtype=np.int16))

    def adopt(self, place: Ints, criterion: int) -> None:
        """Take over finer places and note which criterion made them."""
        moved = place[place != self.place]
        self.decided[moved] = np.where(self.decided[moved] < 0, criterion, self.decided[moved])
        self.place = place

    def sequence(self) -> Ints:
        """Return the players from first to last; the tied in the order of their columns."""
        return sort_groups(self.place, np.zeros_like(self.place))


def split(place: Ints, key: Ints) -> Ints:
    """Return the places after splitting every tie group by a key, the higher the better."""
    size = np.bincount(place, minlength=len(place))
    tied = np.flatnonzero(size[place] > 1)
    if tied.size == 0:
        return place
    order = tied[sort_groups(place[tied], key[tied])]
    start, value = place[order], key[order]
    index = np.arange(len(order))
    new_group = np.append(True, start[1:] != start[:-1])
    new_place = new_group | np.append(True, value[1:] != value[:-1])
    first = np.maximum.accumulate(np.where(new_group, index, 0))
    subset = np.maximum.accumulate(np.where(new_place, index, 0))
    refined = place.copy()
    refined[order] = start + subset - first
    return refined


def sort_groups(place: Ints, key: Ints) -> Ints:
    """Return the order by place, then by key from high to low, then as given.

    Sorting plain numbers is several times as fast as sorting positions by them, so place,
    key and position share one number wherever they fit.
    """
    count = len(place)
    if count == 0:
        return np.arange(0)
    defined = key[key != _LAST]
    lowest = int(defined.min(initial=0)) - 1
    key = int(defined.max(initial=0)) - np.maximum(key, lowest)
    span = int(key.max()) + 1
    width = (int(place.max()) + 1) * span
    if width >= 2**62:
        return np.lexsort((key, place))
    packed = place * span
    packed += key
    if width * count >= 2**62:  # as far apart as averages can be: their order is enough
        order = np.argsort(packed)
        steps = np.diff(packed[order], prepend=packed[order[0]]) > 0
        packed[order] = np.cumsum(steps)
    packed *= count
    packed += np.arange(count)
    packed.sort()
    packed %= count
    return packed
