"""Games: a win, a draw, a loss or a forfeit, by the strengths of the two and by chance."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tbframe.research.simulation.codes import CODE, Codes, Ints
from tbframe.research.simulation.models import Probabilities
from tbframe.research.simulation.seeds import Events, Floats

__all__ = ["Games", "Model"]

#: From the strengths of White and Black to the probabilities of 1-0, a draw and 0-1.
Model = Callable[[Floats, Floats], Probabilities]


class Games:
    """Decides games.

    Parameters
    ----------
    events
        Which ones.
    strength
        By event and player.
    model
        The result model.
    shape
        Rounds and players.
    forfeits
        The chance of each game not to be played.
    """

    def __init__(
        self,
        events: Events,
        strength: Floats,
        model: Model,
        shape: tuple[int, int],
        forfeits: float,
    ) -> None:
        self._strength, self._model, self._forfeits = strength, model, forfeits
        self._luck = events.uniform("result", *shape)
        self._show = events.uniform("forfeit", *shape) if forfeits else None

    def decide(self, number: int, code: Codes, opponent: Ints, colour: Ints) -> Codes:
        """Return the codes of a round with those of its games, each by White's numbers."""
        event, white = np.nonzero((colour == 1) & (opponent >= 0))
        black = opponent[event, white]
        win, draw, _ = self._model(self._strength[event, white], self._strength[event, black])
        roll = self._luck[event, number, white]
        wins, draws = roll < win, (roll >= win) & (roll < win + draw)
        code[event, white] = np.select([wins, draws], [CODE["1"], CODE["="]], CODE["0"])
        code[event, black] = np.select([wins, draws], [CODE["0"], CODE["="]], CODE["1"])
        if self._show is not None:
            show = self._show[event, number, white]
            gone = show < self._forfeits
            white_wins = show[gone] < self._forfeits / 2
            code[event[gone], white[gone]] = np.where(white_wins, CODE["+"], CODE["-"])
            code[event[gone], black[gone]] = np.where(white_wins, CODE["-"], CODE["+"])
        return code
