"""Direct encounter as tables print it: points made or places taken among the tied.

Who is tied depends on what stands before: on points, or on points and every official column
to the left. So these values are not of a player alone, and each column has its own.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tbframe.comparison.identification.candidates import Candidate
from tbframe.ledger import Batch
from tbframe.ledger.block import Ints
from tbframe.standings import places_within
from tbframe.tiebreaks.direct_encounter import meetings_among
from tbframe.tiegroups import TieGroups, split

__all__ = ["encounters_shown", "may_be_encounters"]

_LOWEST = np.int64(-(2**62))


def may_be_encounters(
    units: Ints, given: NDArray[np.bool_], decimals: Ints, rounds: int
) -> NDArray[np.bool_]:
    """Tell which columns are small enough to be points or places among some tied players.

    Parameters
    ----------
    units, given, decimals
        ``(players, columns)``: official values of a batch, and their decimals.
    rounds
        How many rounds there were.
    """
    small = units <= max(rounds, 2) * 10**decimals
    return np.asarray((small | ~given).all(axis=0) & given.any(axis=0))


def encounters_shown(
    t: Batch, candidate: Candidate, units: Ints, given: NDArray[np.bool_], asked: NDArray[np.bool_]
) -> tuple[Ints, Ints]:
    """Compute what a refinement shows in each column.

    Parameters
    ----------
    t
        The batch.
    candidate
        The refinement, among whom it is applied and how it is shown.
    units, given
        ``(players, columns)``: the official values.
    asked
        ``(columns,)``: the columns it may be; the others are undefined throughout.

    Returns
    -------
    numerator, denominator
        ``(players, columns)``. Who is not tied has 0.
    """
    numerator = np.zeros(units.shape, dtype=np.int64)
    denominator = np.zeros(units.shape, dtype=np.int64)
    for column in np.flatnonzero(asked):
        before = column if candidate.ties == "columns" else 0
        place = _level(t, units[:, :before], given[:, :before])
        if candidate.shown == "place":
            numerator[:, column] = _places(t, candidate, place)
            denominator[:, column] = 1
        else:
            top, bottom = _points(t, candidate, place)
            numerator[:, column], denominator[:, column] = top, bottom
    return numerator, denominator


def _level(t: Batch, units: Ints, given: NDArray[np.bool_]) -> Ints:
    """Return the places of players after points and some columns."""

    def places() -> Ints:
        place = split(TieGroups.unordered(t).place, t.score)
        for column in range(units.shape[1]):
            place = split(place, np.where(given[:, column], units[:, column], _LOWEST))
        return place

    return t.once(("level on columns", units.shape[1]), places)


def _places(t: Batch, candidate: Candidate, place: Ints) -> Ints:
    function = candidate.known.function
    more = [place] if candidate.known.looks_ahead else []
    within = places_within(place, function(t, place, candidate.criterion, *more))
    return np.nan_to_num(within).astype(np.int64)


def _points(t: Batch, candidate: Candidate, place: Ints) -> tuple[Ints, Ints]:
    """Return the points made among the tied."""
    forfeits = candidate.criterion.forfeits or t.forfeits_are_games
    meetings = meetings_among(t, place, with_forfeits=forfeits)
    made = np.zeros(t.players, dtype=np.int64)
    met = np.zeros(t.players, dtype=np.int64)
    np.add.at(made, meetings.player, meetings.points)
    np.add.at(met, meetings.player, meetings.weight)
    if candidate.shown == "points if all met":
        size = np.bincount(place, minlength=t.players)
        all_met = np.ones(t.players, dtype=np.bool_)
        all_met[place[met < (size[place] - 1) * meetings.whole]] = False
        made = np.where(all_met[place], made, 0)
    return made, np.broadcast_to(meetings.whole * t.unit, made.shape)
