"""Rank-biased overlap: how much the first so many of two orders have in common."""

from __future__ import annotations

import numpy as np
import polars as pl

from tbframe.errors import TbframeError
from tbframe.ledger.block import Ints
from tbframe.research.groups import Floats
from tbframe.research.metrics.catalogue import metric
from tbframe.research.metrics.orders import Orders

__all__ = ["rbo"]


@metric(needs="truth", low=0, high=1, best="high")
def rbo(orders: Orders, p: float = 0.9) -> pl.Series:
    r"""Rank-biased overlap: the mean share of the first d players that order and truth agree on.

    :math:`RBO = (1 - p) \sum_{d=1}^{\infty} p^{d-1} |A_d \cap B_d| / d`, where :math:`A_d` are the
    first d players in the order and :math:`B_d` in the truth. Beyond the last player both agree on
    everybody, which adds :math:`p^n`, so that equal orders have 1 whatever n is.

    Parameters
    ----------
    orders
        With a truth.
    p
        How steeply the weight of a depth falls, between 0 and 1: with 0.9 the first ten places have
        86 % of it.

    Returns
    -------
    Series
        0 to 1 (the same order); null without players. Reversed orders are above 0, since deep
        enough any two have players in common.

    Raises
    ------
    TbframeError
        If `p` is not between 0 and 1.

    Notes
    -----
    Ties of either order are broken by lot, and the value is the exact mean over all ways to break
    them.

    References
    ----------
    W. Webber, A. Moffat, J. Zobel, "A similarity measure for indefinite rankings", ACM Trans.
    Information Systems 28 (2010) 20; ties: M. Corsi, J. Urbano, "The treatment of ties in
    rank-biased overlap", SIGIR 2024, 251-260.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"tournament": "t", "rank": [1, 2], "strength": [8, 9]})
    >>> round(rbo(Orders.of(frame, truth="strength"), p=0.75).item(), 4)
    0.75
    """
    if not 0 < p < 1:
        raise TbframeError(f"p is a number between 0 and 1, not {p!r}")
    o = orders.judged
    size = o.groups.size
    last = size[o.groups.number]
    shared = _weight_in_both((o.place, o.tied), (o.given("truth"), o.truth_tied), last, p)
    return orders.series(o.groups.sum(shared) + p ** size.astype(np.float64), size > 0)


def _weight_in_both(
    order: tuple[Ints, Ints], truth: tuple[Ints, Ints], last: Ints, p: float
) -> Floats:
    """Return for each player the weight of the depths up to `last` at which both orders have him.

    Of t players tied behind a others each is among the first d with probability (d - a) / t, as
    far as that is between 0 and 1. The product of two such chances is 0 up to a depth, then a
    polynomial of d in two pieces, then 1; prefix sums of the weights times 1, d and d^2 add up
    each piece at once.
    """
    (a, t), (b, u) = order, truth
    d = np.arange(1, int(last.max(initial=0)) + 1)
    weight = (1 - p) * p ** (d - 1.0) / d
    sums = [np.concatenate([[0.0], np.cumsum(weight * d**power)]) for power in range(3)]
    begin = np.maximum(a, b)
    found = sums[0][last] - sums[0][begin]
    tied = np.flatnonzero((t > 1) | (u > 1))
    if tied.size:
        found[tied] -= _not_yet(a[tied], t[tied], b[tied], u[tied], sums)
    return np.asarray(found)


def _not_yet(a: Ints, t: Ints, b: Ints, u: Ints, sums: list[Floats]) -> Floats:
    """Return the weight that ties cost, of the depths from which both may have the player."""
    none, once, twice = sums
    begin = np.maximum(a, b)
    one_ends, both_end = np.minimum(a + t, b + u), np.maximum(a + t, b + u)
    # both chances still rise: depths after `begin` up to `end`
    end = np.maximum(one_ends, begin)
    both = (twice[end] - twice[begin]) - (a + b) * (once[end] - once[begin])
    both += a * b * (none[end] - none[begin])
    # one still rises: depths after that, before `both_end`
    first_last = a + t >= b + u
    c, width = np.where(first_last, a, b), np.where(first_last, t, u)
    stop = np.maximum(both_end - 1, end)
    one = (once[stop] - once[end]) - c * (none[stop] - none[end])
    return np.asarray(none[stop] - none[begin] - both / (t * u) - one / width)
