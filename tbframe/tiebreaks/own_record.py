"""Tie-breaks of the own record: points, wins, colours, progress (art. 7)."""

from __future__ import annotations

import numpy as np

from tbframe.codes import Criterion
from tbframe.ledger import Batch
from tbframe.ledger.block import Ints
from tbframe.ledger.kinds import EMPTY, FORFEIT_LOSS, FORFEIT_WIN, PENDING, VUR, WON
from tbframe.tiebreaks.registry import tiebreak

__all__: list[str] = []

_BLACK = 2


@tiebreak("PTS", name="Points", article="C.07 art. 4", teams="too")
def points(t: Batch, _: Criterion) -> Ints:
    """Sum the points awarded."""
    return t.score if t.sums is None else t.total(t.points)


@tiebreak("WIN", name="Number of wins", article="C.07 art. 7.1", unit="count", teams="too")
def wins(t: Batch, _: Criterion) -> Ints:
    """Count the rounds that brought as much as a win, played or not."""
    return t.count(t.known & (t.points == t.win))


@tiebreak(
    "WON", name="Games won over the board", article="C.07 art. 7.2", unit="count", teams="too"
)
def games_won(t: Batch, _: Criterion) -> Ints:
    """Count the games won; forfeit wins only where forfeits count as games (art. 15.2)."""
    return t.count(_won(t))


@tiebreak("BPG", name="Games played with Black", article="C.07 art. 7.3", unit="count")
def black_games(t: Batch, _: Criterion) -> Ints:
    """Count the games played with Black."""
    return t.count(t.own_games & (t.color == _BLACK))


@tiebreak("BWG", name="Games won with Black", article="C.07 art. 7.4", unit="count")
def black_wins(t: Batch, _: Criterion) -> Ints:
    """Count the games won with Black."""
    return t.count(_won(t) & (t.color == _BLACK))


def _won(t: Batch) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    return np.asarray(t.own_games & (WON[t.kind] | (t.kind == FORFEIT_WIN)))


@tiebreak("PS", name="Progressive scores", article="C.07 art. 7.5", modifiers="C", teams="too")
def progressive(t: Batch, c: Criterion) -> Ints:
    """Sum the scores after each round; ``/Ck`` leaves out the first k rounds."""
    rounds = np.asarray(t.rounds)
    closes = np.append(rounds[1:] != rounds[:-1], [True])  # a round's last game
    counts = (closes & (rounds > c.low))[:, None]
    return t.total(np.cumsum(t.points, axis=0), where=np.broadcast_to(counts, t.kind.shape))


@tiebreak("REP", name="Rounds one elected to play", article="C.07 art. 7.6", unit="count")
def rounds_elected(t: Batch, _: Criterion) -> Ints:
    """Count the rounds without requested byes and forfeit losses (acronym GE until 2024)."""
    declined = VUR[t.kind] | (t.kind == EMPTY)
    if t.forfeits_are_games and t.edition.predetermined_losses_own:
        declined &= t.kind != FORFEIT_LOSS
    return t.count(~declined)


@tiebreak(
    "STD",
    name="Standard points",
    article="C.07 art. 7.7",
    unit="halves",
    since="2026-03",
    teams="too",
)
def standard_points(t: Batch, _: Criterion) -> Ints:
    """Give one for each round with more points than the opponent had, half for as many.

    Where nobody was paired, the points are held against those of a draw.
    """
    own = t.points
    against = np.where(t.paired, t.points.take(_mirror(t)), t.draw)
    halves = 1 + np.sign(own - against)
    return t.total(halves, where=t.kind < PENDING)


def _mirror(t: Batch) -> Ints:
    """Flat position of the opponent's row of the same round."""
    return t.opponent_at + np.arange(len(t.rounds))[:, None] * t.players


@tiebreak(
    "TPN",
    name="Tournament pairing number",
    article="C.07 art. 7.8",
    unit="count",
    lower_is_better=True,
    since="2026-03",
)
def pairing_number(t: Batch, _: Criterion) -> Ints:
    """Return the player's key where it is a number, else his place in the order of the keys."""
    return t.pairing_number
