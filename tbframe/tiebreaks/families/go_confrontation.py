"""Go: direct confrontation of players who are level, as OpenGotha has it.

Two refinements of tie groups. The simplified one asks for every pair to have met. The full one
makes one node of players who beat each other in a cycle, sharing their wins and losses against
the others of the group, and then fills the group from its end: of those who have beaten nobody who
is left, the one comes last whom the criteria behind this one in the order rank last; and so on.
Only games played count; of several between two players the one with more wins has won.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from tbframe.codes import Criterion
from tbframe.ledger import Batch
from tbframe.ledger.block import Ints
from tbframe.tiebreaks.families.percentages import outcomes
from tbframe.tiebreaks.registry import refinement
from tbframe.tiegroups import split

__all__: list[str] = []

_SOURCE: Final = "OpenGotha 3.52, placement criterion"
_WINS: Final = outcomes(2, 1)


@refinement("go.SDC", name="Simplified direct confrontation", source=f"{_SOURCE} SDC")
def simplified(t: Batch, place: Ints, _: Criterion) -> Ints:
    """Split groups in which everybody beat or lost to everybody by the number of those beaten."""
    beaten = _Beaten.among(t, place)
    size = np.bincount(place, minlength=t.players)
    games = np.bincount(place[beaten.winner], minlength=t.players)
    complete = games == size * (size - 1) // 2
    wins = np.bincount(beaten.winner, minlength=t.players)
    return split(place, np.where(complete[place], wins, 0))


@refinement("go.DC", name="Direct confrontation", source=f"{_SOURCE} DC")
def confrontation(t: Batch, place: Ints, _: Criterion, behind: Ints) -> Ints:
    """Put players above those they beat; the criteria behind this one order the rest.

    A group without a game among its members is left to those criteria.
    """
    beaten = _Beaten.among(t, place)
    node = _cycles(t.players, beaten.winner, beaten.loser)
    above, below = _distinct(node[beaten.winner], node[beaten.loser])
    has_games = np.zeros(t.players, dtype=np.bool_)
    has_games[place[beaten.winner]] = True
    place = place.copy()
    left = np.flatnonzero(has_games[place])
    group = place[left]
    while left.size:
        there = np.bincount(node[left], minlength=t.players) > 0
        blocked = np.zeros(t.players, dtype=np.bool_)
        blocked[above[there[below]]] = True
        free = ~blocked[node[left]]
        # The highest place is the last one, so it marks those whom the order ranks last.
        worst = np.full(t.players, -1, dtype=np.int64)
        np.maximum.at(worst, group[free], behind[left[free]])
        last = free & (behind[left] == worst[group])
        size = np.bincount(group, minlength=t.players)
        taken = np.bincount(group[last], minlength=t.players)
        place[left[last]] = (group + (size - taken)[group])[last]
        left, group = left[~last], group[~last]
    return place


@dataclass(frozen=True)
class _Beaten:
    """Pairs of level players of whom one beat the other, each once."""

    winner: Ints
    loser: Ints

    @classmethod
    def among(cls, t: Batch, place: Ints) -> _Beaten:
        together = t.opponent(place, otherwise=-1, where=t.paired) == t.own(place)
        cells = np.flatnonzero(together & t.over_the_board)
        player = cells % t.players
        opponent = t.opponent_at.reshape(-1)[cells].astype(np.int64)
        margin = _WINS[t.kind.reshape(-1)[cells]] - 1
        pair, number = np.unique(player * t.players + opponent, return_inverse=True)
        total = np.zeros(len(pair), dtype=np.int64)
        np.add.at(total, number, margin)
        won = pair[total > 0]
        return cls(won // t.players, won % t.players)


def _distinct(above: Ints, below: Ints) -> tuple[Ints, Ints]:
    """Return the pairs of different nodes, each once."""
    apart = above != below
    size = int(max(above.max(initial=0), below.max(initial=0))) + 1
    pairs = np.unique(above[apart] * size + below[apart])
    return pairs // size, pairs % size


def _cycles(nodes: int, winner: Ints, loser: Ints) -> Ints:
    """Give all who beat each other in a cycle the number of one of them, and others their own.

    Everybody passes the highest number he has heard of on to those he beat. Who hears of his own
    only, or a higher one, and can pass back to its owner, is in a cycle with him.
    """
    of = np.arange(nodes)
    while True:
        winner, loser = _in_cycles(nodes, winner, loser)
        if winner.size == 0:
            return of
        heard = np.arange(nodes)
        while True:
            before = heard.copy()
            np.maximum.at(heard, loser, before[winner])
            if (heard == before).all():
                break
        member = np.zeros(nodes, dtype=np.bool_)
        member[winner] = heard[winner] == winner
        same = heard[winner] == heard[loser]
        while True:
            joins = winner[same & member[loser] & ~member[winner]]
            if joins.size == 0:
                break
            member[joins] = True
        of[member] = heard[member]
        kept = ~(member[winner] | member[loser])
        winner, loser = winner[kept], loser[kept]


def _in_cycles(nodes: int, winner: Ints, loser: Ints) -> tuple[Ints, Ints]:
    """Leave out, again and again, the games of those who only won or only lost."""
    while winner.size:
        beats = np.bincount(winner, minlength=nodes) > 0
        loses = np.bincount(loser, minlength=nodes) > 0
        kept = loses[winner] & beats[loser]
        if kept.all():
            break
        winner, loser = winner[kept], loser[kept]
    return winner, loser
