"""Discounted cumulative gain: the worth of the players in the first places."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl

from tbframe.ledger.block import Ints
from tbframe.research.groups import Floats
from tbframe.research.metrics.catalogue import metric, whole
from tbframe.research.metrics.orders import Orders

__all__ = ["Relevance", "ndcg"]

#: Gives a player's worth from his true rank (from 1, the middle of the ranks of a tie) and the
#: number of players, both arrays.
Relevance = Callable[[Floats, Ints], Floats]


@metric(needs="truth", low=0, high=1, best="high")
def ndcg(orders: Orders, k: int | None = None, *, relevance: Relevance | None = None) -> pl.Series:
    r"""Discounted cumulative gain of the order, as a share of that of the truth.

    :math:`DCG = \sum_i rel_i / \log_2(\pi_i + 1)` over the ranks :math:`\pi_i` of the order,
    divided by the same sum over the true ranks.

    Parameters
    ----------
    orders
        With a truth.
    k
        Ranks that count; by default all.
    relevance
        A player's worth, from his true rank and the number n of players: by default n - rank. For
        the steep form give ``lambda rank, n: 2.0 ** (n - rank) - 1``.

    Returns
    -------
    Series
        Up to 1 (the same order), and from 0 where nobody's worth is below 0; null where all are
        worth nothing, as with fewer than two players.

    Raises
    ------
    TbframeError
        If `k` is no number of ranks.

    Notes
    -----
    Ties of the order are broken by lot: each of the tied has the mean discount of their ranks,
    which is the exact mean over all ways to break them. Those tied in the truth have the middle of
    their ranks. With the usual worth even reversed orders are far above 0, so look at differences.

    References
    ----------
    K. Järvelin, J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM Trans.
    Information Systems 20 (2002) 422-446; ties: F. McSherry, M. Najork, "Computing information
    retrieval performance measures efficiently in the presence of tied scores", ECIR 2008, 414-421.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"tournament": "t", "rank": [1, 2], "strength": [8, 9]})
    >>> round(ndcg(Orders.of(frame, truth="strength")).item(), 4)
    0.6309
    """
    o = orders.judged
    truth, size = o.given("truth"), o.groups.size[o.groups.number]
    true_rank = truth + (o.truth_tied + 1) / 2
    worth = size - true_rank if relevance is None else relevance(true_rank, size)
    rank = np.arange(1, int(o.groups.size.max(initial=0)) + 1)
    discount = 1 / np.log2(rank + 1)
    if k is not None:
        discount[whole(k, "k") :] = 0
    up_to = np.concatenate([[0.0], np.cumsum(discount)])

    def gain(place: Ints, tied: Ints) -> Floats:
        mean_discount = (up_to[place + tied] - up_to[place]) / tied
        return np.asarray(o.groups.sum(worth * mean_discount))

    return orders.quotient(gain(o.place, o.tied), gain(truth, o.truth_tied))
