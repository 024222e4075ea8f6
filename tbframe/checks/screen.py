"""Which tournaments need a closer look: most have nothing that a check would tell of.

A look at numbers alone, some ten times as fast as the checks that find words for what is
wrong. It may ask for a closer look where nothing is found then, but never the other way round.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.checks.mirrors import LEGAL
from tbframe.ledger.block import Ints
from tbframe.ledger.kinds import BYE, FIRST_UNPLAYED, PENDING
from tbframe.ledger.numbers import Rows, numbered_rows, positions, worth
from tbframe.ledger.pairing import complete_round_robins
from tbframe.schema import RESULT_CODES

__all__ = ["suspects"]

_FITS: Final = np.array([[f"{a}{b}" in LEGAL for b in RESULT_CODES] for a in RESULT_CODES])


def suspects(
    numbered: pl.DataFrame, players: pl.DataFrame, tournaments: pl.DataFrame
) -> NDArray[np.bool_]:
    """Tell which tournaments need a closer look.

    Parameters
    ----------
    numbered
        The results with rows of the players in the place of keys (`ledger.numbering.number`),
        sorted by player, round and game.
    players, tournaments
        Canonical frames.

    Returns
    -------
    ndarray
        ``(tournaments,)``.
    """
    owner = positions(players.select("tournament"), tournaments.select("tournament"))
    size = np.bincount(owner, minlength=tournaments.height)
    rows = numbered_rows(numbered.with_columns(pl.col("points").fill_null(0.0)), owner)
    found = np.zeros(tournaments.height, dtype=np.bool_)
    found[rows.tournament[_odd_rows(rows, players.height)]] = True
    found |= _odd_rounds(rows, tournaments)
    found |= _odd_points(rows, owner, players, tournaments)
    found[owner[np.bincount(rows.player, minlength=players.height) == 0]] = True
    found |= (size == 0) | (tournaments["kind"] == "team").fill_null(value=False).to_numpy()
    paired = (rows.opponent >= 0) & ~BYE[rows.kind]
    robin = complete_round_robins(
        rows.tournament[paired], rows.player[paired], rows.opponent[paired], size
    )
    return np.asarray(found | (robin & tournaments["pairing"].is_null().to_numpy()))


def _odd_rows(rows: Rows, players: int) -> NDArray[np.bool_]:
    """Tell which rows are odd by themselves, beside the row before, or against the opponent's."""
    played, bye = rows.kind < FIRST_UNPLAYED, BYE[rows.kind]
    met = rows.opponent >= 0
    odd = (rows.kind >= PENDING) | (played & (~met | (rows.color == 0))) | (bye & met)
    odd |= (rows.opponent == rows.player) | (rows.game != 1)
    same = rows.player[1:] == rows.player[:-1]
    odd[1:] |= same & (rows.round[1:] != rows.round[:-1] + 1)
    # Without gaps, an opponent's row for the round is as many rows after his first as rounds.
    first = np.zeros(players, dtype=np.int64)
    starts = np.flatnonzero(np.append(True, ~same)) if len(rows.player) else np.arange(0)
    first[rows.player[starts]] = starts
    at = first[rows.opponent[met]]
    at = at + rows.round[met] - rows.round[at]
    there = (at >= 0) & (at < len(rows.player))
    at = np.where(there, at, 0)
    there &= (rows.player[at] == rows.opponent[met]) & (rows.round[at] == rows.round[met])
    there &= rows.opponent[at] == rows.player[met]
    there &= _FITS[rows.kind[met], rows.kind[at]]
    there &= (rows.color[met] != rows.color[at]) | (rows.color[met] == 0)
    odd[met] |= ~there
    return np.asarray(odd)


def _odd_points(
    rows: Rows, owner: Ints, players: pl.DataFrame, tournaments: pl.DataFrame
) -> NDArray[np.bool_]:
    """Tell which tournaments have points that their scoring or their players do not expect."""
    plain = tournaments["scoring"].fill_null("").str.contains(";").not_()
    due = worth(tournaments["scoring"].set(~plain, None))
    open_ = rows.kind == PENDING
    odd = ~open_ & (
        np.abs(due[rows.tournament, np.where(open_, 0, rows.kind)] - rows.points) > 1e-9
    )
    found = ~plain.to_numpy()
    found[rows.tournament[odd]] = True
    declared = players["points"].fill_null(np.nan).to_numpy()
    sums = np.bincount(rows.player, weights=rows.points, minlength=players.height)
    found[owner[np.abs(declared - sums) > 1e-9]] = True  # not-a-number is never more
    return np.asarray(found)


def _odd_rounds(rows: Rows, tournaments: pl.DataFrame) -> NDArray[np.bool_]:
    """Tell which tournaments have rounds missing, or another number than planned."""
    last = np.zeros(tournaments.height, dtype=np.int64)
    np.maximum.at(last, rows.tournament, rows.round)
    most = int(last.max(initial=0)) + 1
    there = np.zeros((tournaments.height, most), dtype=np.bool_)
    there[rows.tournament, np.minimum(rows.round, most - 1)] = True
    planned = tournaments["rounds"].cast(pl.Int64)
    differs = (planned != pl.Series(last)).fill_null(value=False).to_numpy()
    return np.asarray(differs | (there[:, 1:].sum(axis=1) != last))
