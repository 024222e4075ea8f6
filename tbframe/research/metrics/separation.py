"""How much a tie-break separates, and how deep in the order it has to be looked for."""

from __future__ import annotations

import numpy as np
import polars as pl

from tbframe.research.metrics.catalogue import metric, whole
from tbframe.research.metrics.orders import Orders
from tbframe.research.metrics.pairs import tied_pairs

__all__ = [
    "discriminating_power",
    "resolution_depth",
    "tie_at_cut",
    "unresolved",
]


@metric(needs="points", low=0, high=1, best="high")
def discriminating_power(orders: Orders) -> pl.Series:
    r"""Share of the pairs tied on points that the order separates.

    :math:`D = 1 - \sum_g \sum_v \binom{m_{gv}}{2} / \sum_g \binom{m_g}{2}`, where :math:`m_g`
    players have the same points g and :math:`m_{gv}` of them are still tied at the value v.

    Parameters
    ----------
    orders
        With points.

    Returns
    -------
    Series
        0 (nobody is separated) to 1 (no tie is left); null where nobody is tied on points.

    Notes
    -----
    A tie that is left is not separated. An order that does not put points first is read within
    the groups of equal points.

    References
    ----------
    Simpson's index within score groups: the share of ties broken, or power of a tie-break.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"tournament": "t", "rank": [1, 2, 3, 3], "PTS": [2, 1, 1, 1]})
    >>> round(discriminating_power(Orders.of(frame, points="PTS")).item(), 4)
    0.6667
    """
    level = tied_pairs(orders.groups, orders.given("points"))
    left = tied_pairs(orders.groups, orders.within_points)
    return orders.quotient(level - left, level)


@metric(needs="", low=0, high=1, best="low")
def unresolved(orders: Orders) -> pl.Series:
    """Share of the players whom the order does not separate.

    (n - d) / n, where the n players have d different ranks.

    Parameters
    ----------
    orders
        Any.

    Returns
    -------
    Series
        0 (no tie) to below 1; null without players.

    Notes
    -----
    A tie of t players counts t - 1.

    References
    ----------
    B. Laubner, tournament-simulation (2015), github.com/blaubner/tournament-simulation.

    Examples
    --------
    >>> import polars as pl
    >>> unresolved(Orders.of(pl.DataFrame({"tournament": "t", "rank": [1, 2, 2, 4]}))).item()
    0.25
    """
    groups = orders.groups
    ranks = groups.count(_begins(orders))
    return orders.quotient(groups.size - ranks, groups.size)


@metric(needs="", low=0, high=1, best="low")
def tie_at_cut(orders: Orders, k: int = 1) -> pl.Series:
    """Whether a tie stands across the line behind the first k.

    1 where the players at k and k + 1 of the list are tied, so that the order does not say who has
    the last of k prizes or places; the mean over tournaments is its probability. With k = 1 the
    first place is shared.

    Parameters
    ----------
    orders
        Any.
    k
        How many are before the line.

    Returns
    -------
    Series
        0 or 1; null where nobody is behind the line.

    Raises
    ------
    TbframeError
        If `k` is no number of ranks.

    Notes
    -----
    Nothing but ties counts, so none is broken.

    References
    ----------
    B. Laubner, tournament-simulation (2015), github.com/blaubner/tournament-simulation.

    Examples
    --------
    >>> import polars as pl
    >>> tie_at_cut(Orders.of(pl.DataFrame({"tournament": "t", "rank": [1, 2, 2]})), k=2).item()
    1.0
    """
    k = whole(k, "k")
    groups = orders.groups
    behind = groups.size > k
    at = np.where(behind, groups.first[:-1] + k, 0)
    begins = _begins(orders)
    tied = ~begins[at] if len(begins) else behind
    return orders.series(tied, behind)


@metric(needs="depth", low=1)
def resolution_depth(orders: Orders) -> pl.Series:
    """Mean place in the order of the criterion that separates neighbours.

    Every two neighbours of the list that are not tied were separated by one criterion; 1 is the
    first of the order (points, as a rule), 2 the one behind it.

    Parameters
    ----------
    orders
        With depths: those of `compare` have them, ranks from elsewhere do not.

    Returns
    -------
    Series
        1 to the number of criteria; null where no neighbours are separated.

    Notes
    -----
    Neighbours that stay tied are left out. `tbframe.resolution` counts the depths.

    References
    ----------
    The histogram of the deciding criterion, as a mean.

    Examples
    --------
    >>> import numpy as np
    >>> import polars as pl
    >>> orders = Orders.of(pl.DataFrame({"tournament": "t", "rank": [1, 2, 3]}))
    >>> resolution_depth(orders.by(orders.place, depth=np.array([0, 1, 2]))).item()
    1.5
    """
    depth = orders.given("depth")
    return orders.quotient(orders.groups.sum(depth), orders.groups.count(depth > 0))


def _begins(orders: Orders) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Tell at which positions of the lists a new rank begins."""
    begins = np.zeros(orders.groups.players, dtype=np.bool_)
    begins[orders.groups.start + orders.place] = True
    return begins
