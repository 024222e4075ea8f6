"""Results whose keys are row numbers of the players: the form that a ledger has on disk."""

from __future__ import annotations

import numpy as np
import polars as pl

from tbframe.errors import ContractError
from tbframe.ledger.numbers import number_rows
from tbframe.order import in_order

__all__ = ["named", "number", "verify"]


def number(results: pl.DataFrame, players: pl.DataFrame, tournaments: pl.DataFrame) -> pl.DataFrame:
    """Return results with rows of the players frame in the place of keys.

    Returns
    -------
    DataFrame
        ``player_row`` and ``opponent_row`` (Int32; null: none) in the place of ``tournament``,
        ``player`` and ``opponent``; else the columns and rows of `results`.

    Raises
    ------
    ContractError
        If a player is not in the players frame, or a tournament not in that of tournaments.
    """
    rows = number_rows(results, players, tournaments)
    opponent = pl.Series("opponent_row", rows.opponent, dtype=pl.Int32)
    return results.select(
        pl.Series("player_row", rows.player, dtype=pl.Int32),
        opponent.set(opponent < 0, None),
        pl.exclude("tournament", "player", "opponent"),
    )


def named(numbered: pl.DataFrame, players: pl.DataFrame) -> pl.DataFrame:
    """Return numbered results with their keys, as the results of an archive have them."""
    player, opponent = numbered["player_row"], numbered["opponent_row"]
    return numbered.select(
        players["tournament"].gather(player),
        "round",
        players["player"].gather(player),
        players["player"].gather(opponent).alias("opponent"),
        pl.exclude("player_row", "opponent_row", "round"),
    )


def verify(numbered: pl.DataFrame, players: pl.DataFrame, tournaments: pl.DataFrame) -> None:
    """Look whether rows are in the canonical order, which takes a fraction of sorting them.

    Raises
    ------
    ContractError
        If a frame is not sorted by its key or has a key twice, or a row names a player that
        is not there or of another tournament.
    """
    for frame, keys in ((tournaments, ["tournament"]), (players, ["tournament", "player"])):
        if not frame.select(in_order(keys).all() & ~pl.struct(keys).is_duplicated().any()).item():
            raise ContractError(f"{', '.join(keys)}: not in ascending order, or one comes twice")
    player = numbered["player_row"].to_numpy()
    opponent = numbered["opponent_row"].fill_null(-1).to_numpy()
    known = players.height
    if player.size == 0:
        return
    if player.min() < 0 or max(player.max(), opponent.max()) >= known or opponent.min() < -1:
        raise ContractError("results: a row names a player who is not in the players")
    owner = players["tournament"].rle_id().to_numpy()
    met = opponent >= 0
    if (owner[player[met]] != owner[opponent[met]]).any():
        raise ContractError("results: a player meets one of another tournament")
    keys = ["player_row", "round", *(["game"] if "game" in numbered.columns else [])]
    # One number a row, as no tournament has anywhere near 2**16 rounds or games in one.
    place = player.astype(np.int64) << 32 | numbered["round"].to_numpy().astype(np.int64) << 16
    if "game" in keys:
        place |= numbered["game"].to_numpy()
    if (np.diff(place) <= 0).any():
        raise ContractError(f"results: not in ascending order of {', '.join(keys)}, or one twice")
