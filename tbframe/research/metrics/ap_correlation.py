"""AP correlation: Kendall's tau with more weight on the first places."""

from __future__ import annotations

import numpy as np
import polars as pl

from tbframe.ledger.block import Ints
from tbframe.research.groups import Floats, Groups
from tbframe.research.metrics.catalogue import metric
from tbframe.research.metrics.inversions import weighted_inversions
from tbframe.research.metrics.orders import Orders
from tbframe.research.metrics.pairs import interleaved

__all__ = ["tau_ap"]


@metric(needs="truth", low=-1, high=1, best="high")
def tau_ap(orders: Orders) -> pl.Series:
    r"""AP correlation: how likely a player stands rightly below one who ranks before him.

    :math:`\tau_{AP} = \frac{2}{n - 1} \sum_{i=2}^n \frac{C(i)}{i - 1} - 1`, where C(i) of the i - 1
    players before place i in the order are before that player in the truth too.

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
    Ties of the order are broken by lot, and the value is the exact mean over all ways to break
    them; a pair tied in the truth is half right. So an
    order that separates nobody has 0. It is not symmetric: the weights are those of the order.

    References
    ----------
    E. Yilmaz, J. A. Aslam, S. Robertson, "A new rank correlation coefficient for information
    retrieval", SIGIR 2008, 587-594; ties: J. Urbano, M. Marrero, "The treatment of ties in AP
    correlation", ICTIR 2017, 321-324.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"tournament": "t", "rank": [1, 2, 3], "strength": [8, 9, 7]})
    >>> tau_ap(Orders.of(frame, truth="strength")).item()
    0.0
    """
    o = orders.judged
    groups, truth = o.groups, o.given("truth")
    weight, by_lot = _weights(groups, o.place, o.tied)
    # Right are all players before but those who are behind in the truth, and half of those level.
    right = groups.sum(weight * o.place)
    at = np.zeros(groups.players)
    at[groups.start + o.place] = weight
    for block in groups.blocks():
        numbers, _ = interleaved(block, o.place, truth)
        before = block.take(o.place, block.width)
        before.sort(axis=1)
        weights = at[groups.first[block.groups][:, None] + before % block.width]
        right[block.groups] -= weighted_inversions(numbers, weights)
    right -= groups.sum(weight * _level_before(o)) / 2
    right += groups.sum(by_lot)
    return o.series(2 * right / np.maximum(groups.size - 1, 1) - 1, groups.size > 1)


def _weights(groups: Groups, place: Ints, tied: Ints) -> tuple[Floats, Floats]:
    """Return what a player before counts for each player, and what those level with him bring.

    A player of a tie of t behind a others has each of the t places with the same chance. At place
    a + 1 + j there are j of the tie before him, and on average over the tie half of them rightly.
    """
    most = int(groups.size.max(initial=0)) + 1
    position = np.arange(1, most + 1)
    harmonic = np.concatenate([[0.0, 0.0], np.cumsum(1 / position)])  # sums of 1 / (i - 1)
    last = place + tied
    weight = (harmonic[last] - harmonic[place]) / tied
    # sum of j / 2 / (i - 1) over the places of the tie, where i - 1 = a + j
    by_lot = (tied - 1 - place * (harmonic[last] - harmonic[place + 1])) / 2 / tied
    return weight, by_lot


def _level_before(orders: Orders) -> Ints:
    """Count for each player those level with him in the truth who are before him in the order."""
    groups, truth = orders.groups, orders.given("truth")
    if (orders.truth_tied == 1).all():
        return np.zeros_like(truth)
    both = truth * (int(groups.size.max()) + 1) + orders.place
    return groups.places(both, best="low") - truth
