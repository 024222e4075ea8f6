"""A small batch with something of everything, on which formulas are tried before they count."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from tbframe.editions import EDITIONS, NEWEST
from tbframe.ledger import Batch
from tbframe.ledger.block import Score
from tbframe.ledger.kinds import KIND

__all__ = ["sample"]

#: Swiss tournaments, round by round: White-Black:result of White, and byes. In the last one
#: hardly a point was made, so that its mean, median and extremes are far from the others'.
_PAIRINGS: Final = (
    ("0-1:1 2-5:W 4-3:=", "1-4:1 3-0:0 2:U 5:F", "0-2:= 1-5:1 3:H 4:Z", "0-3:- 2-1:= 5-4:0"),
    ("0-1:1 2-3:1", "0-2:= 1-3:1", "3-0:0 1-2:=", "1-0:0 2-3:+"),
    ("0-1:1 2-3:-", "4:Z", "4:H 3:Z", "1-2:-"),
)
_PLAYERS: Final = (6, 4, 5)
_RATINGS: Final = (
    (2210, 2105, 2240, 1985, 2020, 1910),
    (1890, 2050, 1940, 1995),
    (1510, 1470, 1420, 1380, 1360),
)
_OTHER_SIDE: Final = {"1": "0", "0": "1", "W": "L", "=": "=", "-": "+", "+": "-"}
#: Half points of each result, and those on the two boards of a team match.
_HALVES: Final = {"1": 2, "W": 2, "=": 1, "+": 2, "U": 2, "F": 2, "H": 1}
_BOARDS: Final = {"1": (2, 1), "W": (2, 2), "=": (2, 0), "0": (0, 1), "+": (2, 2), "U": (1, 1)}


@cache
def sample(*which: int, teams: bool = False) -> Batch:
    """Return the sample.

    Parameters
    ----------
    *which
        The tournaments, 0, 1 or 2; the first two by default.
    teams
        Whether their players are teams, with match points, game points and boards.
    """
    chosen = which or (0, 1)
    first = np.cumsum([0, *(_PLAYERS[number] for number in chosen)])
    shape = (len(_PAIRINGS[0]), int(first[-1]))
    kind = np.zeros(shape, dtype=np.uint8)
    color = np.zeros(shape, dtype=np.uint8)
    opponent_at = np.tile(np.arange(shape[1]), (shape[0], 1))
    points = np.zeros(shape, dtype=np.int64)
    boards = np.zeros((2, *shape), dtype=np.int64)
    for start, number in zip(first.tolist(), chosen, strict=False):
        for row, pairings in enumerate(_PAIRINGS[number]):
            for pairing in pairings.split():
                players, result = pairing.split(":")
                at = [start + int(player) for player in players.split("-")]
                for place, player in enumerate(at):
                    code = _OTHER_SIDE[result] if place else result
                    kind[row, player] = KIND[code]
                    color[row, player] = place + 1 if len(at) > 1 else 0
                    opponent_at[row, player] = at[1 - place] if len(at) > 1 else player
                    points[row, player] = _HALVES.get(code, 0)
                    boards[:, row, player] = _BOARDS.get(code, (0, 0))
    two, one, four = np.asarray(2), np.asarray(1), np.asarray(4)
    return Batch(
        edition=EDITIONS[NEWEST],
        predetermined=False,
        rounds=tuple(range(1, shape[0] + 1)),
        kind=kind,
        color=color,
        scores=(
            {
                "MP": Score(2 * points, two, four, two),
                "GP": Score(boards.sum(axis=0), two, four, two),
            }
            if teams
            else {"": Score(points, two, two, one)}
        ),
        score_name="MP" if teams else "",
        opponent_at=opponent_at,
        first=first,
        row=first[:-1],
        met_again=np.zeros(shape, dtype=np.bool_),
        pairing_number=np.concatenate([np.arange(1, _PLAYERS[number] + 1) for number in chosen]),
        rating=np.concatenate([np.array(_RATINGS[number]) for number in chosen]),
        unrated=np.asarray(0),
        boards=boards if teams else None,
    )
