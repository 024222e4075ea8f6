"""Who has had which colours, and who is due which."""

from __future__ import annotations

import numpy as np

from tbframe.research.simulation.codes import Ints

__all__ = ["Colours"]


class Colours:
    """The colours of all players of many events, round after round.

    White counts 1 and Black -1 throughout.

    Parameters
    ----------
    events, players
        How many there are.
    first
        By event, the colour of the first player in the first round.
    """

    def __init__(self, events: int, players: int, first: Ints) -> None:
        self._first = first
        self._balance = np.zeros((events, players), np.int64)
        self._last = np.zeros((events, players), np.int64)
        self._repeated = np.zeros((events, players), np.int64)

    def due(self) -> tuple[Ints, Ints]:
        """Return the colour that each player must have, and the one he should have; 0: none.

        He must have the other one with two more games of one colour, or after the same colour
        twice in a row; he should have the one of which he had less, or else the other than last.
        """
        absolute = np.where(np.abs(self._balance) > 1, -np.sign(self._balance), -self._repeated)
        wish = np.where(self._balance != 0, -np.sign(self._balance), -self._last)
        return absolute, np.where(absolute != 0, absolute, wish)

    def give(self, opponent: Ints, points: Ints) -> Ints:
        """Give the colours of a round.

        Parameters
        ----------
        opponent
            By event and player; -1: no game.
        points
            By event and player: of two who wish the same equally, the one with more points, and
            then the one of the lower number, has his wish.

        Returns
        -------
        Array
            1 or -1 by event and player, 0 without a game.
        """
        events, players = opponent.shape
        absolute, wish = self.due()
        # What weighs more comes first: the balance, then who must, then the last colour.
        claim = -4 * self._balance + 2 * absolute - self._last
        other = np.maximum(opponent, 0)
        theirs = np.take_along_axis(claim, other, axis=1)
        number = np.broadcast_to(np.arange(players), (events, players))
        standing = points * players - number
        above = standing > np.take_along_axis(standing, other, axis=1)
        their_wish = np.take_along_axis(wish, other, axis=1)
        # Equal claims: the higher one's wish; no wish at all: boards take turns.
        board = np.cumsum((opponent >= 0) & above, axis=1) - 1
        turn = np.where(board % 2 == 0, 1, -1) * self._first[:, None]
        by_rank = np.where(wish != 0, wish, turn)
        mine = np.where(above, by_rank, 0)
        by_rank = np.where(above, mine, -np.take_along_axis(mine, other, axis=1))
        by_claim = np.sign(claim - theirs)
        opposite = (wish != 0) & (their_wish == -wish)
        colour = np.where(opposite, wish, np.where(by_claim != 0, by_claim, by_rank))
        colour[opponent < 0] = 0
        return colour

    def remember(self, colour: Ints) -> None:
        """Take down the colours of the games that were played; 0: none."""
        played = colour != 0
        self._repeated = np.where(played, np.where(colour == self._last, colour, 0), self._repeated)
        self._last = np.where(played, colour, self._last)
        self._balance += colour
