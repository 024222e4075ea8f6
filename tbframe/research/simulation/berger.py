"""Berger tables: who meets whom in which round of a round robin, with which colour."""

from __future__ import annotations

import numpy as np

from tbframe.errors import TbframeError
from tbframe.research.simulation.codes import Ints

__all__ = ["berger"]


def berger(players: int, *, cycles: int = 1) -> tuple[Ints, Ints]:
    """Return the pairings of a round robin by the tables of FIDE's Handbook C.05 annex 1.

    Parameters
    ----------
    players
        How many take part; with an odd number one has no game in each round.
    cycles
        How often everybody meets everybody; colours change from one to the next.

    Returns
    -------
    opponent, colour
        By round and player, counted from 0: the opponent, -1 without one; 1 White, -1 Black, 0.

    Raises
    ------
    TbframeError
        If there are no cycles.

    Examples
    --------
    The first round for six players is 1-6, 2-5, 3-4, the second 6-4, 5-3, 1-2:

    >>> from tbframe.research.simulation.berger import berger
    >>> opponent, colour = berger(6)
    >>> opponent[:2].tolist(), colour[1].tolist()
    ([[5, 4, 3, 2, 1, 0], [1, 0, 4, 5, 2, 3]], [1, -1, -1, -1, 1, 1])
    """
    if cycles < 1:
        raise TbframeError(f"a round robin has 1 cycle or more, not {cycles}")
    even = players + players % 2
    rounds = max(even - 1, 0)
    opponent = np.full((rounds, even), -1)
    colour = np.zeros((rounds, even), np.int64)
    last = even - 1
    for number in range(rounds):
        # The first player of each round moves half the table on; the last one stays.
        lead = (number * (even // 2)) % max(last, 1)
        pairs = [(lead, last) if number % 2 == 0 else (last, lead)]
        pairs += [((lead + k) % last, (lead - k) % last) for k in range(1, even // 2)]
        for white, black in pairs:
            opponent[number, white], opponent[number, black] = black, white
            colour[number, white], colour[number, black] = 1, -1
    if players % 2:  # whoever meets the player who is not there has no game
        absent = opponent[:, :players] == last
        opponent, colour = opponent[:, :players].copy(), colour[:, :players].copy()
        opponent[absent], colour[absent] = -1, 0
    turns = [colour if cycle % 2 == 0 else -colour for cycle in range(cycles)]
    return np.tile(opponent, (cycles, 1)), np.concatenate(turns)
