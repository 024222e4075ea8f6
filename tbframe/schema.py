"""Names, types and contracts of the frames that a user sees.

Every column name and result code is written down here and nowhere else. Keys
(``tournament``, ``player``, ``opponent``) may be strings or integers; a player
key needs to be unique only within its tournament. Columns that are not listed
are carried along untouched.
"""

from __future__ import annotations

from typing import Final

import dataframely as dy
import polars as pl

from tbframe.errors import ContractError

__all__ = [
    "FINDINGS",
    "PLAYERS",
    "QUARANTINE",
    "RESULTS",
    "RESULT_CODES",
    "TOURNAMENTS",
    "Players",
    "ResultCode",
    "Results",
    "Tournaments",
    "validate",
]

#: TRF result codes: 1 = 0 over the board; W D L played but unrated; + - forfeits;
#: F H U Z full-point, half-point, pairing-allocated and zero-point bye; * not known yet.
RESULT_CODES: Final = ("1", "=", "0", "W", "D", "L", "+", "-", "F", "H", "U", "Z", "*")
ResultCode: Final = pl.Enum(RESULT_CODES)

KEY_TYPES: Final = (pl.String, pl.Int8, pl.Int16, pl.Int32, pl.Int64,
                    pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64)  # fmt: skip

#: Columns of the canonical frames with their types; ``None`` marks a key column,
#: whose type (string or 64-bit integer) is the user's.
RESULTS: Final[dict[str, pl.DataType | None]] = {
    "tournament": None,
    "round": pl.Int32(),
    "player": None,
    "opponent": None,
    "color": pl.String(),
    "result": ResultCode,
    "points": pl.Float64(),
}
#: ``game`` numbers the games that one player has in one round (1 where absent).
PLAYERS: Final[dict[str, pl.DataType | None]] = {
    "tournament": None,
    "player": None,
    "name": pl.String(),
    "sex": pl.String(),  # "m", "w" or null
    "title": pl.String(),  # GM, IM, FM, CM, WGM, WIM, WFM, WCM, or as the file has it
    "rating": pl.Int32(),  # null: unrated
    "federation": pl.String(),
    "id": pl.String(),  # the FIDE id, or another register's
    "birth": pl.String(),  # "1990-01-31", "1990-01" or "1990"
    "points": pl.Float64(),  # declared
    "rank": pl.Int32(),  # declared
}
TOURNAMENTS: Final[dict[str, pl.DataType | None]] = {
    "tournament": None,
    "name": pl.String(),
    "city": pl.String(),
    "federation": pl.String(),
    "start": pl.Date(),
    "end": pl.Date(),
    "rounds": pl.Int32(),  # planned
    "kind": pl.String(),  # "individual" or "team"
    "pairing": pl.String(),  # "swiss", "predetermined", or null: not declared
    "type": pl.String(),  # the source's own words for its type
    "scoring": pl.String(),  # "W=3 D=1 L=0 ..." (tbframe.scoring); null: 1, 1/2, 0
    "criteria": pl.String(),  # declared ranking order, "PTS DE BH/C1"; null: none
    "edition": pl.String(),  # overrides the edition of the start date
    "fide_event": pl.Boolean(),  # an event of FIDE itself (EVE, GSC): other dates apply
    "arbiter": pl.String(),
    "deputies": pl.String(),  # separated by "; "
    "time_control": pl.String(),
    "round_dates": pl.String(),  # ISO dates separated by blanks
}
FINDINGS: Final[dict[str, pl.DataType]] = {
    "file": pl.String(),
    "line": pl.Int32(),
    "tournament": pl.String(),
    "round": pl.Int32(),
    "player": pl.String(),
    "severity": pl.String(),  # "info", "warning" or "error"
    "code": pl.String(),
    "message": pl.String(),
}
#: Tournaments that were set aside whole: where they came from, why, and how many result rows.
QUARANTINE: Final[dict[str, pl.DataType]] = {
    "file": pl.String(),
    "line": pl.Int32(),
    "tournament": pl.String(),
    "code": pl.String(),
    "message": pl.String(),
    "rows": pl.Int64(),
}


class Results(dy.Schema):
    """Contract of the ``results`` frame: one row per tournament, round and player."""

    tournament = dy.Any()
    round = dy.Int32(min=1)
    player = dy.Any()
    opponent = dy.Any()
    color = dy.String(nullable=True)
    result = dy.Enum(RESULT_CODES)
    points = dy.Float64(nullable=True)
    game = dy.Int32(min=1)

    @dy.rule()
    def tournament_not_null(cls) -> pl.Expr:
        return pl.col("tournament").is_not_null()

    @dy.rule()
    def player_not_null(cls) -> pl.Expr:
        return pl.col("player").is_not_null()

    @dy.rule()
    def color_is_w_or_b(cls) -> pl.Expr:
        return pl.col("color").is_null() | pl.col("color").is_in(["w", "b"])

    @dy.rule()
    def points_are_finite(cls) -> pl.Expr:
        return pl.col("points").is_null() | pl.col("points").is_finite()

    @dy.rule()
    def one_row_per_tournament_round_player(cls) -> pl.Expr:
        return ~pl.struct("tournament", "round", "player", "game").is_duplicated()


class Players(dy.Schema):
    """Contract of the ``players`` frame: one row per tournament and player."""

    tournament = dy.Any()
    player = dy.Any()
    rating = dy.Int32(nullable=True, min=0)

    @dy.rule()
    def tournament_not_null(cls) -> pl.Expr:
        return pl.col("tournament").is_not_null()

    @dy.rule()
    def player_not_null(cls) -> pl.Expr:
        return pl.col("player").is_not_null()

    @dy.rule()
    def one_row_per_tournament_player(cls) -> pl.Expr:
        return ~pl.struct("tournament", "player").is_duplicated()


class Tournaments(dy.Schema):
    """Contract of the ``tournaments`` frame: one row per tournament."""

    tournament = dy.Any()
    rounds = dy.Int32(nullable=True, min=0)
    kind = dy.String(nullable=True)
    pairing = dy.String(nullable=True)

    @dy.rule()
    def tournament_not_null(cls) -> pl.Expr:
        return pl.col("tournament").is_not_null()

    @dy.rule()
    def kind_is_individual_or_team(cls) -> pl.Expr:
        return pl.col("kind").is_null() | pl.col("kind").is_in(["individual", "team"])

    @dy.rule()
    def pairing_is_swiss_or_predetermined(cls) -> pl.Expr:
        return pl.col("pairing").is_null() | pl.col("pairing").is_in(["swiss", "predetermined"])

    @dy.rule()
    def one_row_per_tournament(cls) -> pl.Expr:
        return ~pl.col("tournament").is_duplicated()


def validate(frame: pl.DataFrame, schema: type[dy.Schema], name: str) -> None:
    """Check `frame` against `schema`.

    Parameters
    ----------
    frame
        The frame, with the columns of the contract already in their types.
    schema
        `Results`, `Players` or `Tournaments`.
    name
        What the message calls the frame.

    Raises
    ------
    ContractError
        Naming the frame, the columns, the broken rule and the first five rows that break it.
    """
    _, failure = schema.filter(frame)
    counts = failure.counts()
    if not counts:
        return
    rule, count = next(iter(sorted(counts.items(), key=lambda item: -item[1])))
    details = failure.details()
    broken = details.filter(pl.col(rule) == "invalid").select(schema.column_names())
    raise ContractError(
        f"{name}: rule {rule.replace('|', ' ')!r} is broken by {count} row(s); the first:\n"
        f"{_plain(broken.head(5))}"
    )


def _plain(rows: pl.DataFrame) -> str:
    """Rows as one line each, to be read in a terminal or a log."""
    return "\n".join(
        "  " + ", ".join(f"{key}={value!r}" for key, value in row.items())
        for row in rows.iter_rows(named=True)
    )
