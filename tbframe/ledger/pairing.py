"""Whether an event with undeclared pairings was a round robin."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tbframe.ledger.block import Ints

__all__ = ["complete_round_robins"]


def complete_round_robins(
    tournament: Ints, player: Ints, opponent: Ints, size: Ints
) -> NDArray[np.bool_]:
    """Tell which tournaments paired everybody with everybody equally often.

    Parameters
    ----------
    tournament, player, opponent
        One entry for each player of each pairing: numbers of the tournament and, over all
        tournaments, of player and opponent.
    size
        ``(tournaments,)``: how many players each has.

    Returns
    -------
    ndarray
        ``(tournaments,)``.
    """
    pairings = np.bincount(tournament, minlength=len(size))
    pairs = size * (size - 1)
    complete = (pairs > 0) & (pairings > 0) & (pairings % np.maximum(pairs, 1) == 0)
    rows = complete[tournament]
    if not rows.any():
        return np.asarray(complete)
    tournament, player, opponent = tournament[rows], player[rows], opponent[rows]
    everybody = int(size.sum())
    met, times = np.unique(player * everybody + opponent, return_counts=True)
    owner = np.repeat(np.arange(len(size)), size)[met // everybody]
    cycles = np.where(complete, pairings // np.maximum(pairs, 1), 0)
    complete &= np.bincount(owner, minlength=len(size)) == pairs
    complete[owner[times != cycles[owner]]] = False
    return np.asarray(complete)
