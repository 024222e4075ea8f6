"""Unplayed rounds: what they count for the opponents, and what they were played against.

Articles 15 and 16 of C.07 and their forerunners, steered by the `Edition` record. Unplayed
rounds are few, so everything is computed as if played and mended in the places that need it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from tbframe.ledger.block import Ints
from tbframe.ledger.elements import Elements
from tbframe.ledger.kinds import (
    BYE,
    EMPTY,
    FIRST_UNPLAYED,
    FORFEIT,
    KIND,
    PENDING,
    REQUESTED_BYE,
    VUR,
)

if TYPE_CHECKING:
    from tbframe.ledger.batch import Batch

__all__ = ["adjusted_score", "counted_as_draw", "elements"]

#: What a run of voluntarily unplayed rounds at the end may consist of.
_PASSED_OVER: Final = VUR.copy()
_PASSED_OVER[EMPTY] = True


def adjusted_score(t: Batch) -> Ints:
    """Return each player's score as his opponents' tie-breaks take it (art. 16.3)."""
    # Only who did not play the last round can have a round there that counts otherwise.
    rule = t.edition.opponent_unplayed
    some = np.unique(t.unplayed % t.players) if rule == "draw" else _late_leavers(t)
    drawn = counted_as_draw(t, some)
    adjusted = t.score
    if drawn.any():
        adjusted = adjusted.copy()
        draw = np.broadcast_to(t.draw, t.players)[some]
        adjusted[some] += ((draw - t.points[:, some]) * drawn).sum(axis=0)
    return adjusted


def _late_leavers(t: Batch) -> Ints:
    return np.flatnonzero(_PASSED_OVER[t.kind[-1]])


def counted_as_draw(t: Batch, some: Ints) -> NDArray[np.bool_]:
    """Tell which rounds of some players count as draws for their opponents.

    Returns
    -------
    ndarray
        ``(rounds, len(some))``.
    """
    rule = t.edition.opponent_unplayed
    kind = t.kind[:, some]
    if rule == "awarded" or t.forfeits_are_games:
        return np.zeros(kind.shape, dtype=np.bool_)
    if rule == "draw":
        return np.asarray((kind >= FIRST_UNPLAYED) & (kind < PENDING))
    trailing = np.logical_and.accumulate(_PASSED_OVER[kind][::-1])[::-1]
    return np.asarray(trailing & (REQUESTED_BYE if rule == "trailing-requested" else VUR)[kind])


def elements(t: Batch) -> Elements:
    """Return what each round brings: the opponents' adjusted scores, or the dummies'."""
    score = np.asarray(t.adjusted_score).take(t.opponent_at, mode="clip")
    cells = t.unplayed
    kind = t.kind.reshape(-1)[cells]
    paired = FORFEIT[kind] & t.has_opponent(cells)
    as_game = paired & (t.forfeits_count or t.forfeits_are_games)
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
    first = kind == KIND["U"] if t.edition.low_cut == "bye-first" else VUR[kind]
    return Elements(score, result, cells[nothing], cells[dummy & first])


def _is_nothing(t: Batch, cells: Ints) -> NDArray[np.bool_]:
    """Tell places without a round: not known yet, or not there."""
    return np.asarray(t.kind.reshape(-1)[cells] >= PENDING)


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
