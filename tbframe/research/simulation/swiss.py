"""Swiss pairings of many events at once: score groups folded, nobody twice, colours balanced.

Players of a score group are ranked by their starting number and the upper half meets the lower
half, 1 against 4 and 2 against 5 of six; who is left over meets the first of the next group. Where
two have met, or both are due the same colour, the next place in the group is taken. This is the
idea of FIDE's Dutch system and not its text: `engines` asks programs that keep to it.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tbframe.research.simulation.codes import Flags, Ints
from tbframe.research.simulation.mending import mend

__all__ = ["fold"]

#: What stands in the way of a pair, from worst to least, in places of distance from the ideal one.
_MET: Final = 1e12
_SAME_COLOUR_DUE: Final = 1e9  # both absolutely
_GROUP: Final = 1e5  # each group further down
_SAME_COLOUR_WISHED: Final = 3.0


def fold(points: Ints, present: Flags, met: Flags, due: tuple[Ints, Ints] | None) -> Ints:
    """Pair one round of many events.

    Parameters
    ----------
    points
        By event and player; players are in the order of their starting numbers.
    present
        Who is to be paired; an even number in each event.
    met
        By event, player and player: who has met whom.
    due
        The colours that players must and should have (`Colours.due`); ``None``: no matter.

    Returns
    -------
    Array
        The opponent of each player, -1 for those not present.

    Raises
    ------
    TbframeError
        If an event cannot be paired without a repetition.
    """
    events, players = points.shape
    rows = np.arange(events)
    # Those present first, by points and starting number.
    order = np.argsort(np.where(present, -points, np.iinfo(np.int64).max), axis=1, kind="stable")
    score = np.take_along_axis(points, order, axis=1)
    free = np.take_along_axis(present, order, axis=1)
    group = np.cumsum(np.diff(score, axis=1, prepend=score[:, :1]) != 0, axis=1)
    must, wish = (
        (np.take_along_axis(each, order, axis=1) for each in due)
        if due is not None
        else (np.zeros_like(points), np.zeros_like(points))
    )
    opponent = np.full((events, players), -1)
    for _ in range(int(free.sum(axis=1).max(initial=0)) // 2):
        first = free.argmax(axis=1)
        mine = order[rows, first]
        waiting = free[rows, first]  # False where an event is through
        free[rows, first] = False
        cost = _distance(free, group, group[rows, first][:, None])
        cost += _SAME_COLOUR_DUE * (must * must[rows, first][:, None] > 0)
        cost += _SAME_COLOUR_WISHED * (wish * wish[rows, first][:, None] > 0)
        cost += _MET * np.take_along_axis(met[rows, mine], order, axis=1)
        cost[~free] = np.inf
        second = cost.argmin(axis=1)
        good = waiting & (cost[rows, second] < _MET)
        at, a, b = rows[good], mine[good], order[rows, second][good]
        opponent[at, a], opponent[at, b] = b, a
        free[at, second[good]] = False
    left = present & (opponent < 0)
    for event in np.flatnonzero(left.any(axis=1)):  # a few of thousands
        opponent[event] = mend(opponent[event], present[event], met[event], order[event])
    return opponent


def _distance(free: Flags, group: Ints, mine: Ints) -> NDArray[np.float64]:
    """Return how far each free player is from the ideal opponent of the first one.

    With r players of his group left, himself among them, that is the one r // 2 places below
    him; if he is the last of his group, the first of the next.
    """
    mates = free & (group == mine)
    left = mates.sum(axis=1, keepdims=True)
    place = np.cumsum(mates, axis=1)
    off = place - (left + 1) // 2
    within = 2 * np.abs(off) + (off < 0)  # of two at the same distance the lower one
    below = np.cumsum(free & (group > mine), axis=1)
    distance: NDArray[np.float64] = np.where(
        mates, within, _GROUP * np.maximum(group - mine, 0) + below
    )
    return distance
