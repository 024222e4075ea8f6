"""Direct encounter: the table of the games among the tied (art. 6)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from tbframe.codes import Criterion
from tbframe.errors import TbframeError
from tbframe.ledger import Batch
from tbframe.ledger.block import Ints
from tbframe.ledger.kinds import FORFEIT
from tbframe.tiebreaks.registry import refinement
from tbframe.tiegroups import sort_groups

__all__ = ["direct_encounter", "encounters", "meetings_among"]

#: Up to this common multiple averages stay exact whole numbers.
_MOST: Final = 2**40


@refinement("DE", name="Direct encounter", source="C.07 art. 6", modifiers="P")
def direct_encounter(t: Batch, place: Ints, c: Criterion) -> Ints:
    """Split tie groups by the games among their members.

    If all of a group met, they are ordered by their score among themselves, and every
    subset still tied starts afresh (6.2). If not, in a Swiss event a player is placed first
    if he stays alone on top whatever the missing games bring; then the next one in the same
    table; who is left starts afresh (6.3). Several games of a pair count their average (6.1.2).
    Forfeits are no meetings (6.1.1), except with ``/P`` and predetermined pairings (15.2).
    """
    return encounters(t, place, with_forfeits=c.forfeits)


def encounters(t: Batch, place: Ints, *, with_forfeits: bool, once: bool = False) -> Ints:
    """Split tie groups by the games among their members on the batch's score.

    Parameters
    ----------
    t
        The batch.
    place
        ``(players,)``: where each tie group starts.
    with_forfeits
        Whether forfeits are meetings; with predetermined pairings they always are.
    once
        Whether to leave it at one table for each group, without starting afresh in subsets.

    Returns
    -------
    ndarray
        The places after the split.
    """
    meetings = meetings_among(t, place, with_forfeits=with_forfeits or t.forfeits_are_games)
    partial = t.edition.partial_encounters and not t.predetermined
    win = np.broadcast_to(t.win, t.players)
    place = place.copy()
    size = np.bincount(place, minlength=t.players)[place]
    open_ = np.flatnonzero(size > 1)
    while open_.size:
        # One pass over all open groups of all tournaments, each with its own table.
        here = place[meetings.player] == place[meetings.opponent]
        meetings = meetings.only(here)
        mini = np.zeros(t.players, dtype=np.int64)
        met = np.zeros(t.players, dtype=np.int64)
        np.add.at(mini, meetings.player, meetings.points)
        np.add.at(met, meetings.player, meetings.weight)
        missing = (size - 1) * meetings.whole - met
        best = mini + missing * win
        group = place[open_]
        order = open_[sort_groups(group, best[open_])]
        group = place[order]
        starts = np.flatnonzero(np.append(True, group[1:] != group[:-1]))
        of_group = np.cumsum(np.append(False, group[1:] != group[:-1]))
        complete = np.add.reduceat(missing[order], starts)[of_group] == 0
        index = np.arange(len(order))
        within = index - starts[of_group]
        # 6.2: who has more than the next one below starts a new subset.
        falls = np.append(True, mini[order][1:] != mini[order][:-1]) | (within == 0)
        # 6.3: who beats the best that all below can reach is placed, while all above are.
        following = np.append(best[order][1:], 0)
        last = np.append(group[1:] != group[:-1], True)
        safe = last | (mini[order] > following)
        stopped = np.maximum.accumulate(np.where(safe, -1, index)) >= starts[of_group]
        placed = ~stopped & partial
        falls = np.where(complete, falls, placed | np.append(True, placed[:-1]) | (within == 0))
        before = place[order]
        place[order] = before + within[np.maximum.accumulate(np.where(falls, index, 0))]
        new_size = np.bincount(place, minlength=t.players)[place]
        open_ = order[(new_size[order] > 1) & (new_size[order] < size[order])]
        size = new_size
        if once:
            break
    return place


@dataclass(frozen=True)
class Meetings:
    """The games among tied players, one entry for each side.

    A pair's games weigh `whole` together, so that averages stay whole numbers.
    """

    round: Ints
    player: Ints
    opponent: Ints
    points: Ints
    weight: Ints
    whole: int

    def only(self, kept: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Meetings:
        """Return the meetings of `kept`."""
        return Meetings(
            self.round[kept],
            self.player[kept],
            self.opponent[kept],
            self.points[kept],
            self.weight[kept],
            self.whole,
        )


def meetings_among(t: Batch, place: Ints, *, with_forfeits: bool) -> Meetings:
    """Return the games whose two players share a place."""
    counted = t.over_the_board | (FORFEIT[t.kind]) if with_forfeits else t.over_the_board
    together = t.opponent(place, otherwise=-1, where=t.paired) == t.own(place)
    cells = np.flatnonzero(counted & together)
    player = cells % t.players
    opponent = t.opponent_at.reshape(-1)[cells].astype(np.int64)
    points = t.points.reshape(-1)[cells]
    weight, whole = np.ones(len(cells), dtype=np.int64), 1
    again = t.met_again.reshape(-1)[cells]
    if again.any():
        pair = player[again] * t.players + opponent[again]
        _, number, times = np.unique(pair, return_inverse=True, return_counts=True)
        whole = math.lcm(*times.tolist())
        if whole > _MOST:
            raise TbframeError("direct encounter: pairs met in too many different numbers of games")
        weight *= whole
        weight[again] = whole // times[number]
    return Meetings(cells // t.players, player, opponent, points * weight, weight, whole)
