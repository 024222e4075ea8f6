"""What one row says by itself, and whether every player has rows."""

from __future__ import annotations

from typing import Final

import polars as pl

from tbframe.findings import concat_findings, findings_from

__all__ = ["BYE", "check_players", "check_rows"]

_OVER_THE_BOARD: Final = pl.col("result").cast(pl.String).is_in(["1", "=", "0", "W", "D", "L"])
BYE: Final = pl.col("result").cast(pl.String).is_in(["F", "H", "U", "Z"])


def check_rows(rows: pl.DataFrame) -> pl.DataFrame:
    """Check what one row says by itself."""
    opponent = pl.col("opponent")
    stranger = pl.col("player_number").is_null()
    unknown = rows.filter(pl.col("result") == "*")
    colorless = rows.filter(_OVER_THE_BOARD & pl.col("color").is_null())
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
            rows.filter(_OVER_THE_BOARD & opponent.is_null()),
            code="game-without-opponent",
            severity="error",
            message=pl.format("{} over the board, and no opponent", "result"),
        ),
        findings_from(
            rows.filter(stranger).unique(["tournament", "player"]),
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
            message=pl.format("{} result(s) of this round are not known yet", "len"),
        ),
        findings_from(
            colorless.group_by("tournament").agg(pl.len()),
            code="color-missing",
            severity="info",
            message=pl.format("{} result(s) over the board have no color", "len"),
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
