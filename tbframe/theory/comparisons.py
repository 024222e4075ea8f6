"""Paired comparisons: what ranking theory sees of a tournament.

Theory knows players and games between them, and nothing else. A game is one comparison, which
divides one point: 1 for a win, 1/2 for a draw, 0 for a loss, whatever the event's own scoring
awards for it. Only games played over the board are comparisons; byes and forfeits are not. A
game whose two rows contradict each other in that it was played at all is left out, and one that
both lost counts as a draw: it tells no difference between the two.

For a team event a match is one comparison. Counted by match points it is won, drawn or lost;
counted by game points (``:GP``) the team's share of the boards is its part of the point.

In the terms of the literature, with players i and j: ``points`` hold the results matrix A and
``games`` the matches matrix M = A + A'. Neither is ever built in full: an array has one row for
each slot (a round) and one column for each player, so that a product of a matrix with a vector
is a gather of the opponents' values and a sum over the slots.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from tbframe.ledger import Batch
from tbframe.ledger.block import Ints
from tbframe.ledger.kinds import DRAWN, KIND, WON
from tbframe.theory.components import components

__all__ = ["Bools", "Comparisons", "Floats", "comparisons"]

_Kind = TypeVar("_Kind", bound=np.generic)
Floats: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]

#: What each kind of game is worth to the player.
_WORTH = np.where(WON, 1.0, 0.0)
_WORTH[[DRAWN, KIND["D"]]] = 0.5


@dataclass(frozen=True)
class Comparisons:
    """The games of many tournaments.

    Attributes
    ----------
    opponent
        ``(slots, players)``: the opponent's column; the own one where there is no game.
    points
        ``(slots, players)``: what the player has of the points of the slot's games.
    games
        ``(slots, players)``: how many games the slot holds; 0 where none. The opponent has the
        same number in some slot of his.
    draws
        ``(slots, players)``: how many of them were drawn.
    color
        ``(slots, players)``: 1 where the player had White, -1 Black, 0 neither.
    first
        ``(tournaments + 1,)``: the column where each tournament starts, and the end.
    """

    opponent: NDArray[np.intp]
    points: Floats
    games: Floats
    draws: Floats
    color: Floats
    first: Ints

    @property
    def players(self) -> int:
        """How many columns there are."""
        return int(self.first[-1])

    @cached_property
    def size(self) -> Ints:
        """``(tournaments,)``: how many players each has."""
        return np.diff(self.first)

    @cached_property
    def number(self) -> Floats:
        """``(players,)``: how many games the player played (N, the row sums of M)."""
        return np.asarray(self.games.sum(axis=0))

    @cached_property
    def score(self) -> Floats:
        """``(players,)``: the points he made in them (the row sums of A)."""
        return np.asarray(self.points.sum(axis=0))

    @cached_property
    def difference(self) -> Floats:
        """``(players,)``: points made minus points of the opponents (the row sums of A - A')."""
        return 2 * self.score - self.number

    @cached_property
    def compared(self) -> Bools:
        """``(players,)``: who played at all; nothing is defined for the others."""
        return self.number > 0

    @cached_property
    def compared_in(self) -> Floats:
        """``(tournaments,)``: how many players of the tournament played."""
        return self.sum(self.compared.astype(np.float64))

    # -- the verbs -----------------------------------------------------------------------------

    def of_opponent(self, values: Floats) -> Floats:
        """Put the opponent's value into each slot, ``(slots, players)``; the own where no game."""
        return values.take(self.opponent, mode="clip")

    def product(self, weights: Floats, values: Floats) -> Floats:
        """Multiply a matrix, given by slots, with a vector.

        Parameters
        ----------
        weights
            ``(slots, players)``: the entry of player and opponent; 0 where there is no game.
        values
            ``(players,)``.

        Returns
        -------
        ndarray
            ``(players,)``.
        """
        return np.asarray(np.einsum("sp,sp->p", weights, self.of_opponent(values)))

    def sum(self, values: Floats) -> Floats:
        """Sum over each tournament's players: ``(tournaments,)``."""
        return np.asarray(np.add.reduceat(values, self.first[:-1]))

    def most(self, values: Floats) -> Floats:
        """Take the highest value of each tournament: ``(tournaments,)``."""
        return np.asarray(np.maximum.reduceat(values, self.first[:-1]))

    def each(self, values: NDArray[_Kind]) -> NDArray[_Kind]:
        """Put a tournament's value on each of its players: ``(players,)``."""
        return np.repeat(values, self.size)

    # -- who met whom --------------------------------------------------------------------------

    @cached_property
    def component(self) -> Ints:
        """``(players,)``: the component of players connected by games, numbered over all."""
        return components(self.opponent, self.games > 0, strong=False)

    @cached_property
    def strong_component(self) -> Ints:
        """``(players,)``: the strong component: everybody in it is linked to everybody else.

        Links go from a player to whoever scored against him.
        """
        conceded = self.games - self.points
        return components(self.opponent, conceded > 0, strong=True)

    @cached_property
    def strongly_connected(self) -> Bools:
        """``(tournaments,)``: all who played are in one strong component."""
        return np.asarray(self.count_components(self.strong_component) == 1)

    def centred(self, values: Floats) -> Floats:
        """Shift the values of each component so that they add up to 0."""
        mean = np.bincount(self.component, weights=values) / np.bincount(self.component)
        return np.asarray(values - mean[self.component])

    def count_components(self, component: Ints) -> Ints:
        """Count the components of each tournament, leaving out players without a game."""
        here = np.flatnonzero(self.compared)
        seen = here[np.unique(component[here], return_index=True)[1]]
        tournament = np.searchsorted(self.first, seen, side="right") - 1
        return np.bincount(tournament, minlength=len(self.size))

    @cached_property
    def _met(self) -> tuple[Floats, Floats, Bools]:
        points, games = self.points.copy(), self.games.copy()
        leading = self.games > 0
        for slot in range(len(self.opponent)):
            for other in range(len(self.opponent)):
                if slot == other:
                    continue
                same = (self.opponent[slot] == self.opponent[other]) & (self.games[other] > 0)
                points[slot] += np.where(same, self.points[other], 0)
                games[slot] += np.where(same, self.games[other], 0)
                if other < slot:
                    leading[slot] &= ~same
        return points, games, leading

    @property
    def points_of_pair(self) -> Floats:
        """``(slots, players)``: the points of all games against the slot's opponent."""
        return self._met[0]

    @property
    def games_of_pair(self) -> Floats:
        """``(slots, players)``: how many games there were against the slot's opponent."""
        return self._met[1]

    @property
    def first_of_pair(self) -> Bools:
        """``(slots, players)``: the slots that stand for a pair: its first game."""
        return self._met[2]


def comparisons(t: Batch | Comparisons) -> Comparisons:
    """Return the games of a batch as comparisons, made once for all theories.

    Parameters
    ----------
    t
        A batch, counted by the score that the shares of a team match are taken from. What is
        comparisons already comes back as it is.
    """
    if isinstance(t, Comparisons):
        return t
    by_boards = t.score_name == "GP"
    return t.once(("comparisons", by_boards), lambda: _comparisons(t, by_boards=by_boards))


def _comparisons(t: Batch, *, by_boards: bool) -> Comparisons:
    worth = t.points / np.maximum(t.win, 1) if by_boards else _WORTH[t.kind]
    mine, theirs, against = (np.zeros(t.kind.shape) for _ in range(3))
    own, place = np.arange(t.players), np.arange(len(t.kind))
    rounds = np.asarray(t.rounds)
    # Where two met twice in one round, what they made in these games together is what counts.
    for slot in place:
        for other in place[rounds == rounds[slot]]:
            opponent = t.opponent_at[slot]
            mirrored = (t.opponent_at[other][opponent] == own) & t.over_the_board[other][opponent]
            against[slot] += np.where(mirrored, worth[other][opponent], 0)
            theirs[slot] += mirrored
            mine[slot] += (t.opponent_at[other] == opponent) & t.over_the_board[other]
    game = t.over_the_board & t.paired & (mine == theirs)
    against = np.divide(against, theirs, out=np.zeros_like(against), where=game)
    points = np.where(game, np.clip((1 + worth - against) / 2, 0, 1), 0)
    color = np.where(t.color == 1, 1.0, np.where(t.color == 2, -1.0, 0.0))
    return Comparisons(
        opponent=np.where(game, t.opponent_at, own),
        points=points,
        games=game.astype(np.float64),
        draws=(game & (points == 0.5)).astype(np.float64),
        color=np.where(game, color, 0),
        first=t.first,
    )
