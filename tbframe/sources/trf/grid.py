"""The round blocks of the 001 records: one row for each player and each round."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.schema import BYES, MOST_ROUNDS, RESULT_CODES
from tbframe.sources.trf.characters import Characters, strings, whole_numbers
from tbframe.sources.trf.notes import Notes
from tbframe.sources.trf.roster import Roster

__all__ = [
    "BLACK",
    "CODE",
    "NO_COLOR",
    "NO_RESULT",
    "UNPLAYED",
    "WHITE",
    "Grid",
    "read_grid",
]

#: Number of each result code; `NO_RESULT` is a blank.
CODE = {code: number for number, code in enumerate(RESULT_CODES)}
NO_RESULT = len(RESULT_CODES)
_UNKNOWN = NO_RESULT + 1
NO_COLOR, WHITE, BLACK = 0, 1, 2
_BAD_COLOR = 3

_RESULT_OF = np.full(256, _UNKNOWN, dtype=np.uint8)
for _code, _number in CODE.items():
    _RESULT_OF[[ord(_code), ord(_code.lower())]] = _number
# Adjourned or unknown; and A for absent, which one program writes.
_RESULT_OF[[ord(c) for c in "Xx?"]] = CODE["*"]
_RESULT_OF[[ord(c) for c in "Aa"]] = CODE["Z"]
_RESULT_OF[ord(" ")] = NO_RESULT
_COLOR_OF = np.full(256, _BAD_COLOR, dtype=np.uint8)
_COLOR_OF[[ord(c) for c in " -"]] = NO_COLOR
_COLOR_OF[[ord(c) for c in "wW"]] = WHITE
_COLOR_OF[[ord(c) for c in "bB"]] = BLACK

#: Codes of a round without a scheduled opponent.
UNPLAYED = np.isin(np.arange(_UNKNOWN + 1), [CODE[c] for c in BYES])

#: The first round block starts behind column 89; a block is two blanks, four columns of
#: opponent, and colour and result, each behind a blank.
_FIRST, _WIDTH = 89, 10


@dataclass
class Grid:
    """Every player in every round of his file, sorted by file, start number and round.

    Attributes
    ----------
    player, round
        Which player of the roster, and the round, from 1.
    opponent
        Start number of the opponent, 0 where none is named.
    color, result
        `WHITE`, `BLACK` or `NO_COLOR`; a number of `CODE`, or `NO_RESULT`.
    empty
        True where the block has nothing at all in it.
    first
        First row of each player (one more element than players).
    rounds
        Rounds of each file.
    """

    player: NDArray[np.int64]
    round: NDArray[np.int64]
    opponent: NDArray[np.int32]
    color: NDArray[np.uint8]
    result: NDArray[np.uint8]
    empty: NDArray[np.bool_]
    first: NDArray[np.int64]
    rounds: NDArray[np.int64]

    def keep(self, rows: NDArray[np.bool_]) -> None:
        """Keep only `rows`; after that a player may lack rounds."""
        if rows.all():
            return
        count = np.bincount(self.player[rows], minlength=len(self.first) - 1)
        for name in ("player", "round", "opponent", "color", "result", "empty"):
            setattr(self, name, getattr(self, name)[rows])
        self.first = np.concatenate(([0], np.cumsum(count)))


def read_grid(text: Characters, roster: Roster, notes: Notes) -> tuple[Grid, NDArray[np.bool_]]:
    """Read the round blocks.

    Rounds behind the last one for which anybody in the file has a block have no rows.

    Returns
    -------
    tuple
        The rows as written, and which files have blocks that do not stand in their columns.
        These and other files with unreadable blocks are rejected.
    """
    length = text.end[roster.line] - text.start[roster.line]
    blocks = np.maximum(0, -((_FIRST - length) // _WIDTH))
    long = np.flatnonzero(blocks > MOST_ROUNDS)
    notes.reject(
        "unreadable-player",
        f"a 001 record with more than {MOST_ROUNDS} rounds",
        file=roster.file[long],
        line=text.number[roster.line[long]],
    )
    blocks[long] = 0
    rounds = np.zeros(len(roster.size), dtype=np.int64)
    np.maximum.at(rounds, roster.file, blocks)

    each = rounds[roster.file]
    first = np.concatenate(([0], np.cumsum(each)))
    player = np.repeat(np.arange(len(each)), each)
    index = np.arange(len(player)) - first[player]
    offset = (text.start[roster.line] + _FIRST)[player] + index * _WIDTH
    cells = text.cells_at(offset, text.end[roster.line][player], _WIDTH)

    opponent, _, bad_opponent = whole_numbers(cells[:, 2:6])
    color = _COLOR_OF[cells[:, 7]]
    result = _RESULT_OF[cells[:, 9]]
    blank = cells == ord(" ")
    misplaced = ~(blank[:, 0] & blank[:, 1] & blank[:, 6] & blank[:, 8])
    grid = Grid(player, index + 1, opponent, color, result, blank.all(axis=1), first, rounds)

    nobody = (opponent == 0) & (color != NO_COLOR) & (result == NO_RESULT)
    for wrong, what in (
        (misplaced, "does not stand in its columns"),
        (bad_opponent, "names an opponent that is not a number"),
        (color == _BAD_COLOR, "has a colour that is not w, b or -"),
        (result == _UNKNOWN, "has an unknown result code"),
        (nobody, "has a colour but neither an opponent nor a result"),
    ):
        where = np.flatnonzero(wrong)
        column = _FIRST + 3 + (grid.round[where] - 1) * _WIDTH
        notes.reject(
            "unreadable-round",
            pl.format(
                f"round {{}}, columns {{}}-{{}}: {{}} {what}", "round", "first", "last", "said"
            ),
            file=roster.file[player[where]],
            line=text.number[roster.line[player[where]]],
            round=grid.round[where],
            first=column,
            last=column + _WIDTH - 3,
            said="'" + strings(cells[where]).fill_null("") + "'",
        )
    astray = np.zeros(len(roster.size), dtype=bool)
    astray[roster.file[player[misplaced | bad_opponent | (color == _BAD_COLOR)]]] = True
    # Their files are rejected; the rest of the reading need not know of such values.
    color[color == _BAD_COLOR] = NO_COLOR
    result[result == _UNKNOWN] = NO_RESULT
    return grid, astray
