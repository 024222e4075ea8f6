"""What one row says by itself, and whether every player and tournament has rows."""

from __future__ import annotations

from typing import Final

import polars as pl

from tbframe.findings import concat_findings, counted, findings_from
from tbframe.schema import BYES, OVER_THE_BOARD

__all__ = ["BYE", "check_players", "check_rows", "check_tournaments"]

_PLAYED: Final = pl.col("result").cast(pl.String).is_in(OVER_THE_BOARD)
BYE: Final = pl.col("result").cast(pl.String).is_in(BYES)


def check_rows(rows: pl.DataFrame) -> pl.DataFrame:
    """Check what one row says by itself."""
    opponent = pl.col("opponent")
    stranger = pl.col("player_number").is_null()
    unknown = rows.filter(pl.col("result") == "*")
    colorless = rows.filter(_PLAYED & pl.col("color").is_null())
    return concat_findings(
        findings_from(
            rows.filter(opponent == pl.col("player")),
            code="meets-himself",
            severity="error",
            message="the player is his own opponent",
        ),
        findings_from(
            rows.filter(BYE & opponent.is_not_null()),
            code="bye-with-opponent",
            severity="error",
            message=pl.format("a bye ({}), and opponent {}", "result", opponent),
        ),
        findings_from(
            rows.filter(_PLAYED & opponent.is_null()),
            code="game-without-opponent",
            severity="error",
            message=pl.format("{} over the board, and no opponent", "result"),
        ),
        findings_from(
            rows.filter(stranger).unique(
                ["tournament", "player"], keep="first", maintain_order=True
            ),
            code="not-among-players",
            severity="error",
            message=pl.format("player {} is not in the players frame", "player"),
        ),
        findings_from(
            rows.filter(opponent.is_not_null() & pl.col("opponent_number").is_null()),
            code="not-among-players",
            severity="error",
            message=pl.format("opponent {} is not in the players frame", opponent),
        ),
        findings_from(
            unknown.group_by("tournament", "round").agg(pl.len()),
            code="result-unknown",
            severity="info",
            message=pl.format("{} of this round not known yet", counted("len", "result")),
        ),
        findings_from(
            colorless.group_by("tournament").agg(pl.len()),
            code="color-missing",
            severity="info",
            message=pl.format("{} over the board without a color", counted("len", "result")),
        ),
    )


def check_players(results: pl.DataFrame, players: pl.DataFrame) -> pl.DataFrame:
    """Check that the players have results."""
    key = ["tournament", "player"]
    return findings_from(
        players.join(results, on=key, how="anti"),
        code="player-without-results",
        severity="info",
        message="no row in the results",
    )


def check_tournaments(results: pl.DataFrame, tournaments: pl.DataFrame) -> pl.DataFrame:
    """Check that the tournaments have results."""
    return findings_from(
        tournaments.join(results, on="tournament", how="anti"),
        code="tournament-empty",
        severity="warning",
        message="no row in the results",
    )
