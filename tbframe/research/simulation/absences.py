"""Players who are not there: byes asked for, withdrawals, late entries."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tbframe.errors import TbframeError
from tbframe.research.simulation.codes import CODE, NONE, Codes
from tbframe.research.simulation.seeds import Events

__all__ = ["Absences"]


@dataclass(frozen=True)
class Absences:
    """How often players are not there.

    Attributes
    ----------
    zero_point, half_point
        The chance of each player and round of a bye asked for; half-point byes up to round
        `half_point_until`.
    withdrawals
        The chance, after each round, that a player leaves for good.
    late
        The share of players who come to the second round only.
    forfeits
        The chance of each game not to be played; either side may be the one who is missing.
    """

    zero_point: float = 0.0
    half_point: float = 0.0
    half_point_until: int = 3
    withdrawals: float = 0.0
    late: float = 0.0
    forfeits: float = 0.0

    def __post_init__(self) -> None:
        shares = (self.zero_point, self.half_point, self.withdrawals, self.late, self.forfeits)
        if not all(0 <= share <= 1 for share in shares) or self.zero_point + self.half_point > 1:
            raise TbframeError(f"chances lie between 0 and 1: {self}")

    def byes(self, events: Events, rounds: int, players: int) -> Codes:
        """Return the codes of the byes known before the pairing by event, round and player."""
        codes = np.full((events.count, rounds, players), NONE, np.int8)
        if self.zero_point or self.half_point:
            asked = events.uniform("bye", rounds, players)
            half = np.arange(rounds)[:, None] < self.half_point_until
            codes[half & (asked < self.zero_point + self.half_point)] = CODE["H"]
            codes[asked < self.zero_point] = CODE["Z"]
        if self.late and rounds:
            codes[:, 0][events.uniform("late", players) < self.late] = CODE["Z"]
        if self.withdrawals:
            stays = np.log1p(-events.uniform("withdrawal", players))
            leave = stays / np.log1p(-min(self.withdrawals, 1 - 1e-12))  # in rounds
            codes[np.arange(1, rounds + 1)[:, None] > np.floor(leave)[:, None] + 1] = CODE["Z"]
        return codes
