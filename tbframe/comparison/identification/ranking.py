"""The best definitions of each column, and which of them cannot be told apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tbframe.comparison.identification.candidates import Candidate, costs
from tbframe.comparison.identification.counting import Counts
from tbframe.ledger.block import Ints

__all__ = ["Ranked", "best_few"]

_WORST = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Ranked:
    """One definition in its place among those of a column.

    Attributes
    ----------
    group, column
        Which tournaments and column: their numbers.
    place
        From 1.
    candidate, reading
        Their numbers.
    matches
        Official values that it reproduces.
    alike
        Numbers of further candidates that give equal values for all players, the simpler first.
    """

    group: int
    column: int
    place: int
    candidate: int
    reading: int
    matches: int
    alike: tuple[int, ...]


def best_few(
    counts: Counts,
    compared: Ints,
    candidates: Sequence[Candidate],
    in_force: Sequence[tuple[str, str]],
    *,
    top: int,
) -> list[Ranked]:
    """Rank the candidates of every group and column.

    Parameters
    ----------
    counts
        From `count_matches`.
    compared
        ``(groups, columns)``: how many official values there are; those of 0 are left out.
    candidates
        What was counted.
    in_force
        Of each group the edition of its date and the likeliest, as `costs` takes them.
    top
        How many to give, those that are alike as one.

    Returns
    -------
    list
        By group, column and place. First come the most matches, then the plainest reading, then
        the simplest definition, with the likeliest edition before others.
    """
    reading = counts.matches.argmax(axis=3)  # the first, which is the simplest, of the best
    matches = counts.matches.max(axis=3).astype(np.int64)
    static = _static(candidates, in_force)
    number = len(candidates)
    misses = compared[:, :, None] - matches
    readings = counts.matches.shape[3]
    key = (misses * readings + reading) * number + static[:, None, :]
    key = np.where((matches > 0) & (counts.prints > 0), key, _WORST)
    found: list[Ranked] = []
    for place in range(1, top + 1):
        best = key.argmin(axis=2)
        lead = np.take_along_axis(key, best[:, :, None], axis=2)[:, :, 0]
        prints = np.take_along_axis(counts.prints, best[:, :, None], axis=2)
        alike = (counts.prints == prints) & (key < _WORST)
        for group, column in np.argwhere((lead < _WORST) & (compared > 0)).tolist():
            same = np.flatnonzero(alike[group, column])
            same = same[np.argsort(key[group, column, same])]
            first = int(same[0])
            found.append(
                Ranked(
                    group, column, place, first, int(reading[group, column, first]),
                    int(matches[group, column, first]), tuple(same[1:].tolist()),
                )
            )  # fmt: skip
        key = np.where(alike, _WORST, key)
    return sorted(found, key=lambda each: (each.group, each.column, each.place))


def _static(candidates: Sequence[Candidate], in_force: Sequence[tuple[str, str]]) -> Ints:
    """Order the candidates by simplicity for each group: ``(groups, candidates)``."""
    orders: dict[tuple[str, str], NDArray[np.int64]] = {}
    for key in dict.fromkeys(in_force):
        rank = np.zeros(len(candidates), dtype=np.int64)
        of = costs(candidates, *key)
        rank[sorted(range(len(candidates)), key=of.__getitem__)] = np.arange(len(candidates))
        orders[key] = rank
    return np.stack([orders[key] for key in in_force])
