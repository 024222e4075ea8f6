"""Which players are connected by games, directly or over others, found by SciPy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tbframe.ledger.block import Ints
from tbframe.theory.needs import scipy_module

__all__ = ["components"]


def components(opponent: NDArray[np.intp], linked: NDArray[np.bool_], *, strong: bool) -> Ints:
    """Find the components of the graphs of all tournaments at once.

    Parameters
    ----------
    opponent
        ``(slots, players)``: the opponent's column.
    linked
        ``(slots, players)``: whether a link goes from the player to this opponent.
    strong
        Follow links in their direction only: in a strong component everybody is reached from
        everybody. Otherwise the direction does not matter.

    Returns
    -------
    ndarray
        ``(players,)``: the number of each player's component, from 0, over all tournaments.
    """
    players = opponent.shape[1]
    _, start = np.nonzero(linked)
    links = (np.ones(len(start), dtype=np.int8), (start, opponent[linked]))
    graph = scipy_module("scipy.sparse").csr_array(links, shape=(players, players))
    csgraph = scipy_module("scipy.sparse.csgraph")
    connection = "strong" if strong else "weak"
    _, label = csgraph.connected_components(graph, directed=True, connection=connection)
    return np.asarray(label, dtype=np.int64)
