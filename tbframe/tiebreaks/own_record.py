"""Tie-breaks of the own record: points, wins, colours, progress (art. 7)."""

from __future__ import annotations

import numpy as np

from tbframe.codes import Criterion
from tbframe.ledger import Batch
from tbframe.ledger.block import Ints
from tbframe.ledger.kinds import EMPTY, FORFEIT_LOSS, FORFEIT_WIN, VUR, WON
from tbframe.tiebreaks.registry import tiebreak

__all__: list[str] = []

_BLACK = 2


@tiebreak("PTS", name="Points", source="C.07 art. 4", teams="too")
def points(t: Batch) -> Ints:
    """Sum the points awarded."""
    return t.score


@tiebreak("WIN", name="Number of wins", source="C.07 art. 7.1", teams="too")
def wins(t: Batch) -> Ints:
    """Count the rounds that brought as much as a win, played or not."""
    return t.count(t.known & (t.points == t.win))


@tiebreak("WON", name="Games won over the board", source="C.07 art. 7.2", teams="too")
def games_won(t: Batch) -> Ints:
    """Count the games won; forfeit wins only where forfeits count as games (art. 15.2)."""
    return t.count(_won(t))


@tiebreak("BPG", name="Games played with Black", source="C.07 art. 7.3")
def black_games(t: Batch) -> Ints:
    """Count the games played with Black."""
    return t.count(t.own_games & (t.color == _BLACK))


@tiebreak("BWG", name="Games won with Black", source="C.07 art. 7.4")
def black_wins(t: Batch) -> Ints:
    """Count the games won with Black."""
    return t.count(_won(t) & (t.color == _BLACK))


def _won(t: Batch) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    return np.asarray(t.own_games & (WON[t.kind] | (t.kind == FORFEIT_WIN)))


@tiebreak("PS", name="Progressive scores", source="C.07 art. 7.5", modifiers="C", teams="too")
def progressive(t: Batch, c: Criterion) -> Ints:
    """Sum the scores after each round; ``/Ck`` leaves out the first k rounds."""
    rounds = np.asarray(t.rounds)
    closes = np.append(rounds[1:] != rounds[:-1], [True])  # a round's last game
    counts = (closes & (rounds > c.low))[:, None]
    return t.total(np.cumsum(t.points, axis=0), where=counts)


@tiebreak("REP", name="Rounds one elected to play", source="C.07 art. 7.6")
def rounds_elected(t: Batch) -> Ints:
    """Count the rounds without requested byes and forfeit losses (acronym GE until 2024)."""
    declined = VUR[t.kind] | (t.kind == EMPTY)
    if t.forfeits_are_games and t.edition.predetermined_losses_own:
        declined &= t.kind != FORFEIT_LOSS
    return t.count(~declined)


@tiebreak(
    "STD",
    name="Standard points",
    source="C.07 art. 7.7",
    since="2026-03",
    teams="too",
)
def standard_points(t: Batch) -> Ints:
    """Give one for each round with more points than the opponent had, half for as many.

    Where nobody was paired, the points are held against those of a draw.
    """
    against = t.opponent(t.points, otherwise=t.draw, where=t.paired)
    halves = 1 + np.sign(t.points - against)
    return t.total(halves * (t.unit // 2), where=t.known)


@tiebreak(
    "TPN",
    name="Tournament pairing number",
    source="C.07 art. 7.8",
    better="lower",
    since="2026-03",
)
def pairing_number(t: Batch) -> Ints:
    """Return the player's key where it is a number, else his place in the order of the keys."""
    return t.pairing_number
