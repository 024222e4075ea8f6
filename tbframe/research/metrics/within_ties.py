"""What a tie-break makes of players with equal points.

An order that puts points first agrees with the order by points on every pair that points
separate. So what it says of the pairs within groups is a difference of two counts over all pairs,
and no group needs to be looked at alone.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from tbframe.ledger.values import Bools
from tbframe.research.metrics.catalogue import metric, whole
from tbframe.research.metrics.orders import Orders
from tbframe.research.metrics.pairs import PairCounts, count_pairs, tied_pairs

__all__ = ["agreement", "same_first", "within_tie_accuracy"]


@metric(needs="truth points", low=0, high=1, best="high")
def within_tie_accuracy(orders: Orders) -> pl.Series:
    """How likely the stronger of two players with equal points ranks higher.

    A = (C + T / 2) / (C + D + T) over the pairs with equal points whose strengths differ: C have
    the stronger first, D the weaker, T are still tied.

    Parameters
    ----------
    orders
        With points and a truth.

    Returns
    -------
    Series
        0 to 1; 1/2 is what drawing lots gives; null where no such pair is.

    Notes
    -----
    A tie that is left counts 1/2, as if broken by lot; pairs that are tied in the truth are left
    out. It tells the quality of a tie-break apart from that of the points, which a correlation over
    all pairs hides. An order that does not put points first is read within the groups.

    References
    ----------
    Kendall's distance, restricted to score groups: M. G. Kendall, Biometrika 33 (1945) 239-251.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame(
    ...     {"tournament": "t", "rank": [1, 2, 3], "PTS": [2, 1, 1], "strength": [7, 8, 9]}
    ... )
    >>> within_tie_accuracy(Orders.of(frame, points="PTS", truth="strength")).item()
    0.0
    """
    o = orders.judged
    truth, points = o.given("truth"), o.given("points")

    def by_points() -> PairCounts:
        return count_pairs(o.groups, points, truth)

    level = o.once("points and truth", by_points)
    counts = (
        o.pair_counts
        if o.within_points is o.place
        else count_pairs(o.groups, o.within_points, truth)
    )
    right, wrong = (
        counts.concordant - level.concordant,
        counts.discordant - level.discordant,
    )
    pairs = level.tied_first - level.tied_both
    return o.quotient(right + (pairs - right - wrong) / 2, pairs)


@metric(needs="reference points", low=-1, high=1)
def agreement(orders: Orders) -> pl.Series:
    r"""Kendall's :math:`\tau_b` of two tie-breaks, within the groups of equal points.

    Over the pairs with equal points, :math:`(C - D) / \sqrt{(C + D + T_x) (C + D + T_y)}`, where C
    pairs are put alike by both, D the opposite way round, and :math:`T_x`, :math:`T_y` are tied
    in the one only.

    Parameters
    ----------
    orders
        With points and a reference, the other order.

    Returns
    -------
    Series
        -1 to 1 (the same); null where one of them separates nobody with equal points.

    Notes
    -----
    Pairs with different points, which any two tie-breaks put alike, count nothing.

    References
    ----------
    M. G. Kendall, "The treatment of ties in ranking problems", Biometrika 33 (1945) 239-251.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame(
    ...     {"tournament": "t", "rank": [1, 2, 3], "PTS": [2, 1, 1], "other": [1, 3, 2]}
    ... )
    >>> agreement(Orders.of(frame, points="PTS", reference="other")).item()
    -1.0
    """
    groups, points = orders.groups, orders.given("points")
    other = orders.by(orders.given("reference")).within_points
    counts = count_pairs(groups, orders.within_points, other)
    level = tied_pairs(groups, points)
    apart = groups.pairs - level  # pairs that points separate, alike in both
    first, second = level - counts.tied_first, level - counts.tied_second
    spread = np.sqrt(first.astype(np.float64) * second)
    return orders.quotient(counts.concordant - apart - counts.discordant, spread)


@metric(needs="reference", low=0, high=1)
def same_first(orders: Orders, k: int = 1) -> pl.Series:
    """Whether the same players are among the first k as by the reference.

    1 where everybody of rank k or better by the order is so by the reference too and the other way
    round, else 0. 1 less the mean is how often winners (k = 1), the podium (3) or prizes change.

    Parameters
    ----------
    orders
        With a reference, the other order.
    k
        How many ranks count.

    Returns
    -------
    Series
        0 or 1; null without players.

    Raises
    ------
    TbframeError
        If `k` is no number of ranks.

    Notes
    -----
    All who are tied for the last of the ranks are among them, as in `Archive.diff`.

    References
    ----------
    L. Csató, "On the ranking of a Swiss system chess team tournament", Annals of Operations
    Research 254 (2017) 17-36, compares orders place by place.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"tournament": "t", "rank": [1, 2, 3], "other": [1, 3, 2]})
    >>> orders = Orders.of(frame, reference="other")
    >>> same_first(orders, k=1).item(), same_first(orders, k=2).item()
    (1.0, 0.0)
    """
    k = whole(k, "k")
    other: Bools = orders.given("reference") < k
    differ = orders.groups.count((orders.place < k) != other)
    return orders.series(differ == 0, orders.groups.size > 0)
