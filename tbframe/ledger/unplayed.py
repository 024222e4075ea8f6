"""Unplayed rounds: what they count for the opponents, and what they were played against.

Articles 15 and 16 of C.07 and their forerunners, steered by the `Edition` record. Unplayed
rounds are few, so everything is computed as if played and mended in the places that need it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tbframe.ledger.block import Ints
from tbframe.ledger.kinds import (
    BYE,
    EMPTY,
    FIRST_UNPLAYED,
    FORFEIT,
    PENDING,
    REQUESTED_BYE,
    VUR,
)

if TYPE_CHECKING:
    from tbframe.ledger.batch import Batch

__all__ = ["Elements", "adjusted_score", "elements"]


@dataclass(frozen=True)
class Elements:
    """What each round brings to a tie-break over the opponents.

    Attributes
    ----------
    score
        ``(rounds, players)``: the opponent's adjusted score, or the dummy's; 0 where absent.
    result
        ``(rounds, players)``: the own points, as far as a product takes them.
    absent
        Flat positions where there is no element at all.
    vur
        Flat positions of the voluntarily unplayed rounds.
    """

    score: Ints
    result: Ints
    absent: Ints
    vur: Ints


def adjusted_score(t: Batch) -> Ints:
    """Return each player's score as his opponents' tie-breaks take it (art. 16.3)."""
    rule = t.edition.opponent_unplayed
    if rule == "awarded" or t.forfeits_are_games:
        return t.score
    adjusted = t.score.copy()
    if rule == "draw":
        cells = t.unplayed[~_is_nothing(t, t.unplayed)]
        player = cells % t.players
        draw = np.broadcast_to(t.draw, t.players)[player]
        np.add.at(adjusted, player, draw - t.points.reshape(-1)[cells])
        return adjusted
    # Requested byes that only voluntarily unplayed rounds follow: few players end so.
    passed_over = VUR.copy()
    passed_over[EMPTY] = True
    late = np.flatnonzero(passed_over[t.kind[-1]])
    kind = t.kind[:, late]
    trailing = np.logical_and.accumulate(passed_over[kind][::-1])[::-1]
    counts = trailing & (REQUESTED_BYE if rule == "trailing-requested" else VUR)[kind]
    draw = np.broadcast_to(t.draw, t.players)[late]
    adjusted[late] += ((draw - t.points[:, late]) * counts).sum(axis=0)
    return adjusted


def elements(t: Batch, *, forfeits: bool = False) -> Elements:
    """Return what each round brings: the opponents' adjusted scores, or the dummies'.

    Parameters
    ----------
    t
        The batch.
    forfeits
        Modifier ``/P``: a forfeit counts as a game with the scheduled opponent.
    """
    score = t.gather(t.adjusted_score)
    cells = t.unplayed
    kind = t.kind.reshape(-1)[cells]
    paired = FORFEIT[kind] & t.has_opponent(cells)
    as_game = paired & (forfeits or t.forfeits_are_games)
    # A free round of a round robin is no round at all: only games have a dummy there.
    no_dummy = t.edition.own_unplayed == "nothing" or t.predetermined
    nothing = _is_nothing(t, cells) | (~as_game & no_dummy)
    dummy = ~as_game & ~nothing
    flat = score.reshape(-1)
    flat[cells[nothing]] = 0
    flat[cells[dummy]] = _dummy_score(t, cells[dummy])
    result = t.points
    if t.edition.own_unplayed_result == "draw" and dummy.any():
        result = t.points.copy()
        drawn = cells[dummy]
        result.reshape(-1)[drawn] = np.broadcast_to(t.draw, t.players)[drawn % t.players]
    return Elements(score, result, cells[nothing], cells[dummy & VUR[kind]])


def _is_nothing(t: Batch, cells: Ints) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Tell places without a round: not known yet, or not there."""
    return t.kind.reshape(-1)[cells] >= PENDING


def _dummy_score(t: Batch, cells: Ints) -> Ints:
    """Return the score of the dummy opponent of unplayed rounds (art. 16.4)."""
    player = cells % t.players
    own = t.score[player]
    rule = t.edition.own_unplayed
    if rule == "own-score":
        return own
    if rule == "capped":
        kind = t.kind.reshape(-1)[cells]
        draws = np.broadcast_to(t.draw * t.round_count, t.players)[player]  # 16.4.2
        opponent = t.adjusted_score[t.opponent_at.reshape(-1)[cells]]  # 16.4.1
        paired = FORFEIT[kind] & t.has_opponent(cells)
        # The opponent of a forfeit that names none is unknown, and so is his score.
        return np.minimum(own, np.where(BYE[kind], draws, np.where(paired, opponent, own)))
    # Virtual opponent: level before the round, takes what is left of a win, then only draws.
    place = cells // t.players
    some = np.unique(player)
    before = np.cumsum(t.points[:, some], axis=0) - t.points[:, some]
    win, draw = (np.broadcast_to(value, t.players)[player] for value in (t.win, t.draw))
    level = before[place, np.searchsorted(some, player)]
    left = t.round_count - np.asarray(t.rounds)[place]
    return np.asarray(level + (win - t.points.reshape(-1)[cells]) + draw * left)


def unplayed_cells(t: Batch) -> Ints:
    """Return the flat positions of all rounds that were not played over the board."""
    return np.flatnonzero(t.kind.reshape(-1) >= FIRST_UNPLAYED)
