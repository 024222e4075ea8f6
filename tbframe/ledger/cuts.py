"""Cuts: leaving out the least and the most significant elements (arts 14 and 16.5)."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tbframe.ledger.block import Ints
from tbframe.ledger.elements import Elements

__all__ = ["FIRST_CUT", "HIGH_CUT", "KEPT", "LOW_CUT", "cut_mask", "cut_total"]

_BEYOND: Final = np.int64(2**62)
#: What `cut_mask` says of an element.
KEPT, LOW_CUT, FIRST_CUT, HIGH_CUT = range(4)


def cut_total(
    values: Ints, elements: Elements, *, by: Ints, low: Ints | int, high: Ints | int, rule: str
) -> Ints:
    """Sum each player's elements after the cuts.

    Parameters
    ----------
    values
        ``(rounds, players)``: what each element contributes; 0 where absent.
    elements
        Which elements are absent, and which a low cut may take before others.
    by
        ``(rounds, players)``: what makes an element significant; `values` itself for sums
        of scores, the opponent's score for Sonneborn-Berger.
    low, high
        How many elements are cut at either end: a number, or one for each player.
    rule
        What a low cut takes first: `Edition.low_cut`.

    Returns
    -------
    ndarray
        ``(players,)``; 0 where nothing is left.
    """
    total: Ints = values.sum(axis=0)
    if not (np.any(low) or np.any(high)):
        return total
    if isinstance(low, int) and low == 1 and not np.any(high) and by is values:
        return np.asarray(total - _lowest(values, elements, rule))
    cut = cut_mask(values, elements, by=by, low=low, high=high, rule=rule) != KEPT
    return np.asarray(total - (values * cut).sum(axis=0))


def _lowest(values: Ints, elements: Elements, rule: str) -> Ints:
    """Return the value that Cut-1 of a sum of scores takes out: there 16.5 always applies."""
    present = values
    if elements.absent.size:
        present = values.copy()
        present.reshape(-1)[elements.absent] = _BEYOND
    lowest: Ints = present.min(axis=0)
    lowest[lowest == _BEYOND] = 0
    if rule != "plain" and elements.first_cut.size:
        player = elements.first_cut % values.shape[1]
        lowest[player] = _BEYOND
        np.minimum.at(lowest, player, values.reshape(-1)[elements.first_cut])
    return lowest


def cut_mask(
    values: Ints, elements: Elements, *, by: Ints, low: Ints | int, high: Ints | int, rule: str
) -> NDArray[np.uint8]:
    """Tell for each element whether it is cut, and by which rule.

    Low cuts come first, one after the other (art. 14); each takes the least significant
    element or, by art. 16.5, a voluntarily unplayed round. High cuts have no exception.

    Returns
    -------
    ndarray
        ``(rounds, players)`` of `KEPT`, `LOW_CUT`, `FIRST_CUT`, `HIGH_CUT`.
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
    first = np.full(values.shape, _BEYOND)
    by_contribution = (value * rank_span + rank) * height + slot
    first.reshape(-1)[elements.first_cut] = by_contribution.reshape(-1)[elements.first_cut]
    mask = np.zeros(values.shape, dtype=np.uint8)
    for step in range(min(int(np.max(low)), height)):
        least, first_least = usual.min(axis=0), first.min(axis=0)
        takes_first = first_least != _BEYOND
        if rule == "plain":
            takes_first[:] = False
        elif rule == "vur-unless-lower":
            takes_first &= first_least // height // rank_span >= least // height % span
        player = np.flatnonzero((least != _BEYOND) & (step < np.asarray(low)))
        taken = np.where(takes_first, first_least, least)[player] % height
        mask[taken, player] = np.where(takes_first, FIRST_CUT, LOW_CUT)[player]
        usual[taken, player] = first[taken, player] = _BEYOND
    usual[usual == _BEYOND] = -1
    for step in range(min(int(np.max(high)), height)):
        most = usual.max(axis=0)
        player = np.flatnonzero((most != -1) & (step < np.asarray(high)))
        taken = most[player] % height
        mask[taken, player] = HIGH_CUT
        usual[taken, player] = -1
    return mask
