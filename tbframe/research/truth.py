"""What an order is held against: a strength, the games, or its own end."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Final

import numpy as np
import polars as pl

from tbframe.errors import TbframeError
from tbframe.ledger import Ledger
from tbframe.ledger.block import Ints
from tbframe.ledger.kinds import DRAWN, FIRST_UNPLAYED, KIND, WON
from tbframe.research.groups import Groups
from tbframe.research.metrics import Games
from tbframe.research.metrics.orders import places_by

__all__ = ["PREDICTION", "RETRODICTION", "STABILITY", "games_of", "true_places"]

#: Truths that are no column: the games after a round, those up to it, the order after the last.
PREDICTION: Final = "prediction"
RETRODICTION: Final = "retrodiction"
STABILITY: Final = "stability"


def true_places(groups: Groups, players: pl.DataFrame, column: str) -> Ints:
    """Return the places by a column of the players, the highest first.

    Parameters
    ----------
    groups
        Where the players of each tournament begin.
    players
        One row for each player, in that order.
    column
        Numbers; null where not known.

    Raises
    ------
    TbframeError
        If there is no such column, or it holds no numbers.
    """
    if column not in players.columns:
        near = get_close_matches(column, players.columns, n=1)
        told = f"did you mean {near[0]!r}?" if near else f"they have {', '.join(players.columns)}"
        raise TbframeError(f"no column {column!r} of the players to take as truth: {told}")
    if not players.schema[column].is_numeric():
        raise TbframeError(f"column {column!r} of the players has to hold numbers to be a truth")
    return places_by(groups, players[column], "high")


def games_of(ledger: Ledger, groups: Groups, *, after: int = 0) -> Games:
    """Return the games over the board, each once.

    Parameters
    ----------
    ledger
        The tournaments.
    groups
        Where the players of each begin.
    after
        Only games of later rounds.

    Returns
    -------
    Games
        Won and drawn games; one that both lost says nothing of an order, and is left out.
    """
    parts = [np.zeros((3, 0), dtype=np.int64)]
    for block in ledger.blocks:
        rows = block.player_rows()
        mine = np.broadcast_to(np.arange(len(rows)), block.kind.shape)
        later = (np.asarray(block.rounds) > after)[:, None]
        played = later & (block.kind < FIRST_UNPLAYED) & (block.opponent != mine)
        drawn = played & ((block.kind == DRAWN) | (block.kind == KIND["D"]))
        drawn &= mine < block.opponent  # a draw stands in two rows
        for where, halves in ((played & WON[block.kind], 2), (drawn, 1)):
            one, other = rows[mine[where]], rows[block.opponent[where]]
            parts.append(np.stack([one, other, np.full(len(one), halves)]))
    one, other, halves = np.concatenate(parts, axis=1)
    return Games(groups.number[one], one, other, halves / 2)
