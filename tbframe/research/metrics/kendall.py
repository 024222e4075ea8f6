"""Kendall's distance and correlations: how many pairs of players are put the right way round."""

from __future__ import annotations

import numpy as np
import polars as pl

from tbframe.research.metrics.catalogue import metric
from tbframe.research.metrics.orders import Orders

__all__ = ["kendall_distance", "tau_a", "tau_b"]


@metric(needs="truth", low=0, high=1, best="low")
def kendall_distance(orders: Orders) -> pl.Series:
    r"""Share of the pairs of players that order and truth put differently.

    :math:`K_n = (D + T / 2) / (n (n - 1) / 2)`, where D pairs are put the opposite way round and
    T are tied in exactly one of the two. Pairs tied in both count nothing.

    Parameters
    ----------
    orders
        With a truth.

    Returns
    -------
    Series
        0 (the same order) to 1 (reversed); null for fewer than two players.

    Notes
    -----
    A tie counts one half, so that it costs what a decision by lot would cost on average. Papers
    call both this distance and ``tau_a`` "normalised Kendall tau".

    References
    ----------
    R. Fagin, R. Kumar, M. Mahdian, D. Sivakumar, E. Vee, "Comparing partial rankings", SIAM J.
    Discrete Math. 20 (2006) 628-648: the distance with parameter 1/2.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"tournament": "t", "rank": [1, 2, 3], "strength": [9, 7, 8]})
    >>> round(kendall_distance(Orders.of(frame, truth="strength")).item(), 4)
    0.3333
    """
    counts = orders.judged.pair_counts
    return orders.quotient(counts.discordant + counts.tied_once / 2, counts.pairs)


@metric(needs="truth", low=-1, high=1, best="high")
def tau_a(orders: Orders) -> pl.Series:
    r"""Kendall's correlation of order and truth, over all pairs.

    :math:`\tau_a = (C - D) / (n (n - 1) / 2)` with C concordant and D discordant pairs.

    Parameters
    ----------
    orders
        With a truth.

    Returns
    -------
    Series
        -1 (reversed) to 1 (the same order); null for fewer than two players.

    Notes
    -----
    A pair tied in either counts 0, so ties keep the value from reaching 1. Unless pairs are tied
    in both, this is 1 - 2 ``kendall_distance``.

    References
    ----------
    M. G. Kendall, "A new measure of rank correlation", Biometrika 30 (1938) 81-93.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"tournament": "t", "rank": [1, 2, 3], "strength": [9, 7, 8]})
    >>> round(tau_a(Orders.of(frame, truth="strength")).item(), 4)
    0.3333
    """
    counts = orders.judged.pair_counts
    return orders.quotient(counts.concordant - counts.discordant, counts.pairs)


@metric(needs="truth", low=-1, high=1, best="high")
def tau_b(orders: Orders) -> pl.Series:
    r"""Kendall's correlation of order and truth, over the pairs that each separates.

    :math:`\tau_b = (C - D) / \sqrt{(C + D + T_x) (C + D + T_y)}`, where :math:`T_x` pairs are tied
    only in the order and :math:`T_y` only in the truth.

    Parameters
    ----------
    orders
        With a truth.

    Returns
    -------
    Series
        -1 to 1; null where the order or the truth separates nobody.

    Notes
    -----
    An order with many ties can reach high values by separating only what is clear; compare orders
    of different discriminating power by ``tau_a`` or ``kendall_distance`` as well.

    References
    ----------
    M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 33 (1945) 239-251.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"tournament": "t", "rank": [1, 2, 2], "strength": [9, 7, 8]})
    >>> round(tau_b(Orders.of(frame, truth="strength")).item(), 4)
    0.8165
    """
    counts = orders.judged.pair_counts
    first = (counts.pairs - counts.tied_first).astype(np.float64)
    second = counts.pairs - counts.tied_second
    return orders.quotient(counts.concordant - counts.discordant, np.sqrt(first * second))
