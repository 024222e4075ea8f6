"""Whether the best players come first: winners and top groups."""

from __future__ import annotations

import numpy as np
import polars as pl

from tbframe.ledger.block import Ints
from tbframe.research.groups import Floats
from tbframe.research.metrics.catalogue import metric, whole
from tbframe.research.metrics.orders import Orders

__all__ = ["best_reciprocal_rank", "best_wins", "top_k", "winner_true_rank"]


@metric(needs="truth", low=0, high=1, best="high")
def top_k(orders: Orders, k: int = 3, within: int | None = None) -> pl.Series:
    r"""Share of the k best players who are among the first of the order.

    :math:`|T_k \cap S_w| / k`, where :math:`T_k` are the first k in the truth and :math:`S_w` the
    first w in the order.

    Parameters
    ----------
    orders
        With a truth.
    k
        How many of the best are looked for.
    within
        Among how many of the order (w); by default k as well. For a qualification of k, Laubner
        looks for the best k / 2.

    Returns
    -------
    Series
        0 to 1; null for tournaments with fewer than `k` or `within` players.

    Raises
    ------
    TbframeError
        If a number is no number of ranks.

    Notes
    -----
    Ties across a line are broken by lot, in the order and in the truth: of t players tied for s
    places each is in with probability s / t.

    References
    ----------
    B. Laubner, tournament-simulation (2015), github.com/blaubner/tournament-simulation.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"tournament": "t", "rank": [1, 2, 3], "strength": [7, 9, 8]})
    >>> top_k(Orders.of(frame, truth="strength"), k=2).item()
    0.5
    """
    k = whole(k, "k")
    width = k if within is None else whole(within, "within")
    o = orders.judged
    chance = _chance(o.place, o.tied, width) * _chance(o.given("truth"), o.truth_tied, k)
    return orders.series(o.groups.sum(chance) / k, o.groups.size >= max(k, width))


def _chance(place: Ints, tied: Ints, line: int) -> Floats:
    """Return for each player how likely he is before the line, ties broken by lot."""
    return np.clip((line - place) / tied, 0, 1)


@metric(needs="truth", low=0, high=1, best="high")
def best_wins(orders: Orders) -> pl.Series:
    """How likely the winner is the best player.

    1 where the first in the order is first in the truth, else 0; the mean over tournaments is
    P(the best wins).

    Parameters
    ----------
    orders
        With a truth.

    Returns
    -------
    Series
        0 to 1; null for fewer than two players.

    Notes
    -----
    Of winners who are tied one is drawn by lot. Any of several tied in the truth is the best.

    References
    ----------
    J. Lasek, M. Gagolewski, "The efficacy of league formats in ranking teams", Statistical
    Modelling 18 (2018) 411-435.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"tournament": "t", "rank": [1, 1, 3], "strength": [7, 9, 8]})
    >>> best_wins(Orders.of(frame, truth="strength")).item()
    0.5
    """
    o = orders.judged
    won = o.place == 0
    both = o.groups.count(won & (o.given("truth") == 0))
    return orders.series(both / np.maximum(o.groups.count(won), 1), o.groups.size > 1)


@metric(needs="truth", low=1, best="low")
def winner_true_rank(orders: Orders) -> pl.Series:
    """Return the true rank of the winner; the mean over tournaments is its expectation.

    Parameters
    ----------
    orders
        With a truth.

    Returns
    -------
    Series
        1 to the number of players; null for fewer than two.

    Notes
    -----
    Of winners who are tied one is drawn by lot: the mean of their true ranks. Those tied in the
    truth have the middle of the ranks that they share.

    References
    ----------
    A usual measure of efficacy: K. Devriesere, L. Csató, D. Goossens, "Tournament design: a
    review", arXiv 2404.05034.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"tournament": "t", "rank": [1, 1, 3], "strength": [7, 9, 8]})
    >>> winner_true_rank(Orders.of(frame, truth="strength")).item()
    2.0
    """
    o = orders.judged
    won = o.place == 0
    true_rank = o.given("truth") + (o.truth_tied + 1) / 2
    total = o.groups.sum(np.where(won, true_rank, 0.0))
    return orders.series(total / np.maximum(o.groups.count(won), 1), o.groups.size > 1)


@metric(needs="truth", low=0, high=1, best="high")
def best_reciprocal_rank(orders: Orders) -> pl.Series:
    """One over the rank that the best player reaches; the mean over tournaments is the MRR.

    Parameters
    ----------
    orders
        With a truth.

    Returns
    -------
    Series
        Above 0, up to 1; null for fewer than two players.

    Notes
    -----
    Ties are broken by lot: the mean of 1 / rank over the ranks of the tie, and over the players
    who are level as the best.

    References
    ----------
    E. M. Voorhees, "The TREC-8 question answering track report", TREC-8 (1999) 77-82.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"tournament": "t", "rank": [1, 2, 2], "strength": [7, 9, 8]})
    >>> round(best_reciprocal_rank(Orders.of(frame, truth="strength")).item(), 4)
    0.4167
    """
    o = orders.judged
    best = o.given("truth") == 0
    most = int(o.groups.size.max(initial=0))
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, most + 1))])
    mean = (harmonic[o.place + o.tied] - harmonic[o.place]) / o.tied
    total = o.groups.sum(np.where(best, mean, 0.0))
    return orders.series(total / np.maximum(o.groups.count(best), 1), o.groups.size > 1)
