"""What teams scored on each board of their matches."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl

from tbframe.ledger.block import Block, Ints
from tbframe.ledger.kinds import EMPTY, KIND
from tbframe.ledger.numbers import positions

__all__ = ["with_boards"]

#: What a round without games counts on every board: a bye or forfeit win as a win, a
#: half-point bye as a draw (art. 12).
_WITHOUT_GAMES = np.zeros(EMPTY + 1, dtype=np.int64)
_WITHOUT_GAMES[[KIND[code] for code in "UF+"]] = 2
_WITHOUT_GAMES[KIND["H"]] = 1


def with_boards(blocks: list[Block], boards: pl.DataFrame, players: pl.DataFrame) -> list[Block]:
    """Give the blocks of team events the points of each board.

    Parameters
    ----------
    blocks
        All blocks of a ledger.
    boards
        One row for each team and board of a match: ``tournament``, ``round``, ``team``,
        ``board``, ``points``.
    players
        The ledger's players: the teams.
    """
    keys = boards.select("tournament", player="team")
    team = positions(keys, players.select("tournament", "player"))
    number = boards["board"].cast(pl.Int64).to_numpy()
    place = boards["round"].cast(pl.Int64).to_numpy()
    points = boards["points"].cast(pl.Float64).fill_null(0.0).to_numpy()
    column = np.full(players.height, -1)
    done = []
    for block in blocks:
        if not block.primary:
            done.append(block)
            continue
        rows = block.player_rows()
        column[rows] = np.arange(len(rows))
        here = (column[team] >= 0) & (place <= block.rounds[-1])
        some = np.flatnonzero(here)
        tables = _empty_tables(block, int(number[some].max(initial=1)))
        sizes = np.diff(block.first)
        unit = np.repeat(block.scores["GP"].unit, sizes)
        slot = np.searchsorted(block.rounds, place[some])
        at = column[team[some]]
        tables[:, slot, at] = 0  # a match with games has no other boards
        tables[number[some] - 1, slot, at] = np.rint(points[some] * unit[at])
        done.append(replace(block, boards=tables))
        column[rows] = -1
    return done


def _empty_tables(block: Block, boards: int) -> Ints:
    """Fill the rounds of a team without games, as many boards as its matches have."""
    sizes = np.diff(block.first)
    number = np.repeat(block.match_boards, sizes)
    win, draw = (
        np.repeat(of_match, sizes) // np.maximum(number, 1)
        for of_match in (block.scores["GP"].win, block.scores["GP"].draw)
    )
    on = np.arange(max(boards, int(number.max(initial=1))))[:, None, None] < number
    worth = _WITHOUT_GAMES[block.kind]
    each = np.where(worth == 2, win, np.where(worth == 1, draw, 0))
    return np.where(on, each, 0)
