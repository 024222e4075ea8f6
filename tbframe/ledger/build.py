"""From tidy frames to the ledger: every key becomes a number, every round has its place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from tbframe.editions import resolve_editions
from tbframe.ledger.block import Block, Ints
from tbframe.ledger.kinds import BYE
from tbframe.ledger.layout import lay_out
from tbframe.ledger.numbers import number_rows, positions, units
from tbframe.ledger.pairing import complete_round_robins

__all__ = ["Ledger", "build_ledger"]


@dataclass(frozen=True)
class Ledger:
    """All tournaments of an archive in canonical form.

    Attributes
    ----------
    players
        The archive's players, sorted by tournament and player; blocks refer to its rows.
    tournaments
        The archive's tournaments, sorted.
    blocks
        The tournaments by shape.
    """

    players: pl.DataFrame
    tournaments: pl.DataFrame
    blocks: list[Block]


def build_ledger(
    results: pl.DataFrame,
    players: pl.DataFrame,
    tournaments: pl.DataFrame,
    *,
    after_round: int | None = None,
) -> Ledger:
    """Bring canonical frames into the form that everything is computed on.

    Parameters
    ----------
    results, players, tournaments
        The frames of an `Archive`.
    after_round
        Leave out what came after this round.

    Raises
    ------
    ContractError
        If a player has two rows for one round, or points are finer than a thousandth.
    """
    rows = number_rows(results, players, tournaments)
    owner = positions(players.select("tournament"), tournaments.select("tournament"))
    size = np.bincount(owner, minlength=tournaments.height)
    paired = (rows.opponent >= 0) & ~BYE[rows.kind]
    declared = tournaments["pairing"]
    assumed = complete_round_robins(
        rows.tournament[paired], rows.player[paired], rows.opponent[paired], size
    )
    predetermined = np.where(
        declared.is_null(), assumed, (declared == "predetermined").fill_null(value=False)
    )
    if after_round is not None:
        rows = rows.up_to(after_round)
    blocks = lay_out(
        rows,
        size,
        pl.DataFrame({"edition": resolve_editions(tournaments), "predetermined": predetermined}),
        units(rows, tournaments),
        pairing_number=_pairing_numbers(players["player"], np.cumsum(size) - size, owner),
        rating=players["rating"].fill_null(0).cast(pl.Int64).to_numpy(),
    )
    return Ledger(players, tournaments, blocks)


def _pairing_numbers(key: pl.Series, first: Ints, owner: Ints) -> Ints:
    if key.dtype.is_integer():
        return key.cast(pl.Int64).to_numpy()
    return np.arange(len(key)) - first[owner] + 1
