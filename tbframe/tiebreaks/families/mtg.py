"""Magic: The Gathering: percentages of matches and games won, own and of the opponents.

Magic Tournament Rules, appendix C: a match won is 3, drawn 1, lost 0 match points, and the
match-win percentage is what was made of what was possible in the rounds a player took part in,
0.33 at least. Match points are counted so whatever the scoring of the event is. Who was absent
took part in no round, so players who withdrew are measured on the rounds they played; a match
decided by absence is a match.

*Byes.* The scorekeepers' programs leave rounds with a bye out of the match-win percentage
(``mtg.MW``); the example that appendix C prints has a bye among the rounds won (``mtg.MWB``). In
an average over the opponents a bye has none. In the game-win percentage it is a match won 2-0.

*The least percentage.* ``/K3`` makes it one third instead of 0.33, as some programs have it.

*Games.* The columns ``games_won``, ``games_lost`` and, where there are any, ``games_drawn`` of the
results hold the games of each match. Who has a match without them has no game-win percentage, and
his opponents have no average.

*Cuts.* Whom the organiser cuts after some round keeps his averages as they stood then: the column
``cut_after`` of the players frame holds that round.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from tbframe.codes import Criterion
from tbframe.ledger import Batch, Ratio
from tbframe.ledger.block import Ints
from tbframe.ledger.kinds import KIND
from tbframe.ledger.values import Bools
from tbframe.tiebreaks.families.percentages import (
    Shares,
    average,
    frozen,
    matches,
    outcomes,
    rounds_multiple,
    shares,
)
from tbframe.tiebreaks.registry import tiebreak

__all__: list[str] = []

_RULES: Final = "Magic Tournament Rules, appendix C"
_IN_PRACTICE: Final = f"{_RULES}, as scorekeepers' programs apply it"
_POINTS: Final = outcomes(3, 1)
_WON, _LOST, _DRAWN = "results.games_won", "results.games_lost", "results.games_drawn"


@tiebreak(
    "mtg.MW", name="Match-win percentage, byes left out", source=_IN_PRACTICE,
    modifiers="K", decimals=4, unit="ratio",
)  # fmt: skip
def match_win(t: Batch, c: Criterion) -> Ratio:
    """Divide the match points by three times the matches; 0.33 at least. Undefined without any."""
    return _match_win(t, matches(t), c)


@tiebreak(
    "mtg.MWB", name="Match-win percentage, byes among the matches won",
    source=f"{_RULES}, third example", modifiers="K", decimals=4, unit="ratio",
)  # fmt: skip
def match_win_with_byes(t: Batch, c: Criterion) -> Ratio:
    """Divide the match points by three times the matches and byes; 0.33 at least."""
    return _match_win(t, matches(t) | _byes(t), c)


@tiebreak(
    "mtg.OMW", name="Opponents' match-win percentage, byes left out", source=_IN_PRACTICE,
    modifiers="K", decimals=4, unit="ratio",
)  # fmt: skip
def opponents_match_win(t: Batch, c: Criterion) -> Ratio:
    """Average `match_win` of the opponents; undefined without any."""
    return _over_opponents(t, c, match_win, rounds_multiple)


@tiebreak(
    "mtg.OMWB", name="Opponents' match-win percentage, byes among the matches won",
    source=f"{_RULES}, third example", modifiers="K", decimals=4, unit="ratio",
)  # fmt: skip
def opponents_match_win_with_byes(t: Batch, c: Criterion) -> Ratio:
    """Average `match_win_with_byes` of the opponents; undefined without any."""
    return _over_opponents(t, c, match_win_with_byes, rounds_multiple)


@tiebreak(
    "mtg.GW", name="Game-win percentage", source=_RULES, modifiers="K", decimals=4,
    needs=f"{_WON} {_LOST}", unit="ratio",
)  # fmt: skip
def game_win(t: Batch, c: Criterion) -> Ratio:
    """Divide the game points by three times the games played; 0.33 at least."""
    points, games = _game_points(t)
    return _at_least(Ratio(points, 3 * games), c)


@tiebreak(
    "mtg.OGW", name="Opponents' game-win percentage", source=_RULES, modifiers="K", decimals=4,
    needs=f"{_WON} {_LOST}", unit="ratio",
)  # fmt: skip
def opponents_game_win(t: Batch, c: Criterion) -> Ratio:
    """Average `game_win` of the opponents; undefined without any."""
    return _over_opponents(t, c, game_win, _games_multiple)


def _byes(t: Batch) -> Bools:
    return np.asarray((t.kind == KIND["U"]) | (t.kind == KIND["F"]))


def _match_win(t: Batch, rounds: Bools, c: Criterion) -> Ratio:
    points = _POINTS[t.kind] + 3 * _byes(t)
    made: Ints = (points * rounds).sum(axis=0)
    return _at_least(Ratio(made, 3 * rounds.sum(axis=0, dtype=np.int64)), c)


def _least(c: Criterion) -> tuple[int, int]:
    """Return the least percentage, as a quotient."""
    return (33, 100) if c.factor is None else (1, c.factor)


def _at_least(values: Ratio, c: Criterion) -> Ratio:
    """Raise what is below the least percentage."""
    top, bottom = _least(c)
    below = (bottom * values.numerator < top * values.denominator) & (values.denominator > 0)
    return Ratio(
        np.where(below, top, values.numerator), np.where(below, bottom, values.denominator)
    )


def _over_opponents(
    t: Batch,
    c: Criterion,
    own: Callable[[Batch, Criterion], Ratio],
    multiple: Callable[[Batch], int],
) -> Ratio:
    """Average a percentage over the opponents, frozen for whom was cut."""

    def compute(now: Batch, _: Ints) -> Shares:
        common = math.lcm(3 * multiple(now), _least(c)[1])
        return average(now, shares(own(now, c), common), matches(now))

    return frozen(t, "cut_after", compute).ratio()


def _game_points(t: Batch) -> tuple[Ints, Ints]:
    """Return game points and games of each player; no games where a match does not tell them."""

    def compute() -> tuple[Ints, Ints]:
        met, byes = matches(t), _byes(t)
        won = np.where(met, t.column(_WON, least=0), 2 * byes)
        drawn = np.where(met, t.column(_DRAWN, least=0), 0)
        games = (won + drawn + np.where(met, t.column(_LOST, least=0), 0)).sum(axis=0)
        untold = (met & ~(t.given(_WON) & t.given(_LOST))).any(axis=0)
        return (3 * won + drawn).sum(axis=0), np.where(untold, 0, games)

    return t.once(_game_points, compute)


def _games_multiple(t: Batch) -> int:
    """Return a multiple of every number of games that a player has."""
    return math.lcm(*np.unique(np.maximum(_game_points(t)[1], 1)).tolist())
