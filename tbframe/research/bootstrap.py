"""Means over events, their standard errors, and bootstrap intervals by event.

An event is drawn with all its values, those of every key and metric, so that a difference between
two keys is drawn as the pair it is: effects far smaller than the spread between events show. Single
players are never drawn, since those of an event are not independent of each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tbframe.research.groups import Floats

__all__ = ["Estimate", "estimate"]

#: Drawn events that are counted at a time.
_DRAWS: Final = 1 << 22


@dataclass(frozen=True)
class Estimate:
    """What events say about the mean of some quantities.

    Attributes
    ----------
    events
        ``(quantities,)``: events with a value.
    mean
        The mean over them; not-a-number where there are none.
    error
        The standard error of the mean; not-a-number for fewer than two.
    low, high
        The bootstrap interval; not-a-number for fewer than two events.
    """

    events: NDArray[np.int64]
    mean: Floats
    error: Floats
    low: Floats
    high: Floats


def estimate(values: Floats, *, boot: int, level: float, seed: int) -> Estimate:
    """Estimate means over events.

    Parameters
    ----------
    values
        ``(quantities, events)``: not-a-number where an event has no value.
    boot
        How many samples of events are drawn; 0: no intervals.
    level
        The share of the sample means inside the interval (percentile bootstrap).
    seed
        Equal seeds draw equal events, whatever the quantities are.

    References
    ----------
    B. Efron, R. J. Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.

    Examples
    --------
    >>> import numpy as np
    >>> found = estimate(np.array([[1.0, 2.0, 3.0, np.nan]]), boot=0, level=0.95, seed=1)
    >>> found.events.item(), found.mean.item(), round(found.error.item(), 4)
    (3, 2.0, 0.5774)
    """
    defined = ~np.isnan(values)
    known = np.where(defined, values, 0.0)
    events = defined.sum(axis=1)
    mean = _quotient(known.sum(axis=1), events)
    apart = np.where(defined, values - mean[:, None], 0.0)
    error = np.sqrt(_quotient((apart**2).sum(axis=1), events - 1) / np.maximum(events, 1))
    low, high = np.full((2, len(mean)), np.nan)
    enough = events > 1
    if boot and enough.any():
        means = _means(known[enough], defined[enough], boot, seed)
        tail = (1 - level) / 2
        low[enough], high[enough] = np.nanquantile(means, [tail, 1 - tail], axis=1)
    return Estimate(events, mean, error, low, high)


def _means(known: Floats, defined: NDArray[np.bool_], boot: int, seed: int) -> Floats:
    """Return the means of each sample of events: ``(quantities, boot)``."""
    means = []
    events = known.shape[1]
    there = None if defined.all() else defined.astype(np.float64)
    for drawn in _samples(events, boot, seed):
        number = np.asarray(events) if there is None else there @ drawn.T
        means.append(_quotient(known @ drawn.T, number))
    return np.concatenate(means, axis=1)


def _samples(events: int, boot: int, seed: int) -> Iterator[Floats]:
    """Yield how often each event is drawn, for some samples at a time: ``(samples, events)``."""
    random = np.random.Generator(np.random.Philox(key=seed))
    at_once = max(_DRAWS // events, 1)
    for begin in range(0, boot, at_once):
        samples = min(at_once, boot - begin)
        drawn = random.integers(events, size=(samples, events))
        counts = [np.bincount(one, minlength=events) for one in drawn]
        yield np.array(counts, dtype=np.float64)


def _quotient(above: Floats, below: NDArray[Any]) -> Floats:
    """Return quotients, not-a-number where the denominator is not above 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(below > 0, above / below, np.nan)
