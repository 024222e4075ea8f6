"""Cuts: leaving out the least and the most significant elements (arts 14 and 16.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from tbframe.ledger.block import Ints

if TYPE_CHECKING:
    from tbframe.ledger.batch import Batch
    from tbframe.ledger.unplayed import Elements

__all__ = ["HIGH_CUT", "KEPT", "LOW_CUT", "VUR_CUT", "cut_mask", "cut_total"]

_BEYOND: Final = np.int64(2**62)
#: What `cut_mask` says of an element.
KEPT, LOW_CUT, VUR_CUT, HIGH_CUT = range(4)


def cut_total(t: Batch, values: Ints, elements: Elements, *, by: Ints, low: int, high: int) -> Ints:
    """Sum each player's elements after the cuts.

    Parameters
    ----------
    t
        The batch.
    values
        ``(rounds, players)``: what each element contributes; 0 where absent.
    elements
        Which elements are absent, and which are voluntarily unplayed rounds.
    by
        ``(rounds, players)``: what makes an element significant; `values` itself for sums
        of scores, the opponent's score for Sonneborn-Berger.
    low, high
        How many elements are cut at either end.

    Returns
    -------
    ndarray
        ``(players,)``; 0 where nothing is left.
    """
    total: Ints = values.sum(axis=0)
    if low == 0 and high == 0:
        return total
    if low == 1 and high == 0 and by is values:
        return np.asarray(total - _lowest(t, values, elements))
    cut = cut_mask(t, values, elements, by=by, low=low, high=high) != KEPT
    return np.asarray(total - (values * cut).sum(axis=0))


def _lowest(t: Batch, values: Ints, elements: Elements) -> Ints:
    """Return the value that Cut-1 of a sum of scores takes out: there 16.5 always applies."""
    present = values
    if elements.absent.size:
        present = values.copy()
        present.reshape(-1)[elements.absent] = _BEYOND
    lowest: Ints = present.min(axis=0)
    lowest[lowest == _BEYOND] = 0
    if t.edition.low_cut != "plain" and elements.first_cut.size:
        player = elements.first_cut % t.players
        lowest[player] = _BEYOND
        np.minimum.at(lowest, player, values.reshape(-1)[elements.first_cut])
    return lowest


def cut_mask(
    t: Batch, values: Ints, elements: Elements, *, by: Ints, low: int, high: int
) -> NDArray[np.uint8]:
    """Tell for each element whether it is cut, and by which rule.

    Low cuts come first, one after the other (art. 14); each takes the least significant
    element or, by art. 16.5, a voluntarily unplayed round. High cuts have no exception.

    Returns
    -------
    ndarray
        ``(rounds, players)`` of `KEPT`, `LOW_CUT`, `VUR_CUT`, `HIGH_CUT`.
    """
    height = len(values)
    slot = np.arange(height)[:, None]
    value = values - min(values.min(initial=0), 0)
    rank = by - min(by.min(initial=0), 0)
    span, rank_span = int(value.max(initial=0)) + 1, int(rank.max(initial=0)) + 1
    if span * rank_span * height >= _BEYOND:
        raise OverflowError("the elements of a cut are too large to be compared exactly")
    # One number says all: who comes first, and (as its remainders) which element that is.
    usual = (rank * span + value) * height + slot
    usual.reshape(-1)[elements.absent] = _BEYOND
    vur = np.full(values.shape, _BEYOND)
    vur.reshape(-1)[elements.first_cut] = ((value * rank_span + rank) * height + slot).reshape(-1)[
        elements.first_cut
    ]
    mask = np.zeros(values.shape, dtype=np.uint8)
    for _ in range(min(low, height)):
        least, vur_least = usual.min(axis=0), vur.min(axis=0)
        takes_vur = vur_least != _BEYOND
        if t.edition.low_cut == "plain":
            takes_vur[:] = False
        elif t.edition.low_cut == "vur-unless-lower":
            takes_vur &= vur_least // height // rank_span >= least // height % span
        player = np.flatnonzero(least != _BEYOND)
        taken = np.where(takes_vur, vur_least, least)[player] % height
        mask[taken, player] = np.where(takes_vur, VUR_CUT, LOW_CUT)[player]
        usual[taken, player] = vur[taken, player] = _BEYOND
    usual[usual == _BEYOND] = -1
    for _ in range(min(high, height)):
        most = usual.max(axis=0)
        player = np.flatnonzero(most != -1)
        taken = most[player] % height
        mask[taken, player] = HIGH_CUT
        usual[taken, player] = -1
    return mask
