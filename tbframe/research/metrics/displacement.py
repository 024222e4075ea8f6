"""How far players stand from their true places: Spearman's footrule and correlation."""

from __future__ import annotations

import numpy as np
import polars as pl

from tbframe.ledger.block import Ints
from tbframe.research.metrics.catalogue import metric
from tbframe.research.metrics.orders import Orders

__all__ = ["footrule", "rho"]


@metric(needs="truth", low=0, high=1, best="low")
def footrule(orders: Orders) -> pl.Series:
    r"""Spearman's footrule: the mean distance from the true place, as a share of the greatest.

    :math:`F_n = \sum_i |\sigma_i - \pi_i| / \lfloor n^2 / 2 \rfloor`, where :math:`\pi_i` is the
    rank of a player in the order and :math:`\sigma_i` in the truth.

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
    The tied have the middle of the ranks that they share. With K the distance of Kendall in pairs,
    K <= F <= 2 K.

    References
    ----------
    P. Diaconis, R. L. Graham, "Spearman's footrule as a measure of disarray", J. Royal Stat. Soc.
    B 39 (1977) 262-268; with ties: R. Fagin et al., SIAM J. Discrete Math. 20 (2006) 628-648.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"tournament": "t", "rank": [1, 2, 3], "strength": [7, 9, 8]})
    >>> footrule(Orders.of(frame, truth="strength")).item()
    1.0
    """
    order, truth = _midranks(orders.judged)
    groups = orders.judged.groups
    return orders.quotient(groups.sum(np.abs(order - truth)) / 2, groups.size**2 // 2)


@metric(needs="truth", low=-1, high=1, best="high")
def rho(orders: Orders) -> pl.Series:
    r"""Spearman's rank correlation of order and truth.

    The product-moment correlation of the ranks; without ties
    :math:`\rho = 1 - 6 \sum_i (\sigma_i - \pi_i)^2 / (n (n^2 - 1))`.

    Parameters
    ----------
    orders
        With a truth.

    Returns
    -------
    Series
        -1 (reversed) to 1 (the same order); null where the order or the truth separates nobody.

    Notes
    -----
    The tied have the middle of the ranks that they share.

    References
    ----------
    C. Spearman, "The proof and measurement of association between two things", American J.
    Psychology 15 (1904) 72-101.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"tournament": "t", "rank": [1, 2, 3], "strength": [7, 9, 8]})
    >>> rho(Orders.of(frame, truth="strength")).item()
    -0.5
    """
    order, truth = _midranks(orders.judged)
    groups = orders.judged.groups
    spread = groups.sum(order**2).astype(np.float64) * groups.sum(truth**2)
    return orders.quotient(groups.sum(order * truth), np.sqrt(spread))


def _midranks(orders: Orders) -> tuple[Ints, Ints]:
    """Return twice the middle ranks less their mean, whole numbers that add up to 0."""
    size = orders.groups.size[orders.groups.number]
    return (
        2 * orders.place + orders.tied - size,
        2 * orders.given("truth") + orders.truth_tied - size,
    )
