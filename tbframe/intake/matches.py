"""Matches of teams, from what was scored on their boards."""

from __future__ import annotations

from typing import Final

import polars as pl

from tbframe.schema import ResultCode
from tbframe.scoring import STANDARD, points_due, scoring_of, scoring_table

__all__ = ["board_points", "derive_matches", "points_without_games"]

_MATCH: Final = ["tournament", "round", "team", "opponent"]
_MIRRORED: Final = ["tournament", "round", "opponent", "team"]
#: What a game brings where nothing else is said.
_GAMES: Final = f"W={STANDARD['1']} D={STANDARD['=']} L={STANDARD['0']}"


def board_points(boards: pl.DataFrame, tournaments: pl.DataFrame) -> pl.Series:
    """Give the points of each board: those that it has, else what the game scoring gives.

    Parameters
    ----------
    boards
        ``tournament``, ``result`` and ``points``, among others.
    tournaments
        ``tournament`` and ``game_scoring``, among others; one row for each tournament.
    """
    games = tournaments.select("tournament", scoring="game_scoring", kind=pl.lit("individual"))
    due = points_due(boards.select("tournament", "result"), games)
    return boards["points"].fill_null(due)


def derive_matches(boards: pl.DataFrame) -> pl.DataFrame:
    """Tell how each team's match ended, from the boards of both sides.

    The sides' game points are compared. A match is forfeited if no game was played in it and
    one side or both have nothing; where both have points, both were there, and it counts as
    played. While a board is not known yet, so is the match.

    Parameters
    ----------
    boards
        The columns of `schema.BOARDS`, points filled; the rows of a team in a round are
        against one opponent.

    Returns
    -------
    DataFrame
        ``tournament``, ``round``, ``team``, ``opponent``, ``color`` (of the first board),
        ``result`` and ``game_points``: one row for each team and match, in no given order.
    """
    over_the_board = pl.col("result").cast(pl.String).is_in(["1", "=", "0", "W", "D", "L"])
    sides = boards.group_by(_MATCH).agg(
        game_points=pl.col("points").sum(),
        played=over_the_board.any(),
        pending=(pl.col("result") == "*").any(),
        color=pl.col("color").filter(pl.col("board") == 1).first(),
    )
    other = pl.struct("game_points", "played", "pending", "color").alias("other")
    sides = sides.join(sides.select(*_MATCH, other), left_on=_MATCH, right_on=_MIRRORED, how="left")
    mine, theirs = pl.col("game_points"), pl.col("other").struct["game_points"].fill_null(0.0)
    either = {
        name: pl.col(name) | pl.col("other").struct[name].fill_null(value=False)
        for name in ("played", "pending")
    }
    played = either["played"] | ((mine > 0) & (theirs > 0))
    result = (
        pl.when(either["pending"]).then(pl.lit("*"))
        .when(played & (mine > theirs)).then(pl.lit("1"))
        .when(played & (mine < theirs)).then(pl.lit("0"))
        .when(played).then(pl.lit("="))
        .when(mine > theirs).then(pl.lit("+"))
        .otherwise(pl.lit("-"))
    )  # fmt: skip
    opposite = pl.col("other").struct["color"].replace({"w": "b", "b": "w"})
    return sides.select(
        *_MATCH,
        color=pl.coalesce("color", opposite),
        result=result.cast(ResultCode),
        game_points="game_points",
    )


def points_without_games(results: pl.DataFrame, tournaments: pl.DataFrame) -> pl.Series:
    """Give the game points that byes and forfeited matches without boards bring.

    A pairing-allocated or half-point bye is a draw on every board, a full-point bye or a
    forfeited match a win on every board (C.04.6).

    Parameters
    ----------
    results
        ``tournament`` and ``result``, among others.
    tournaments
        ``tournament``, ``game_scoring`` and ``boards``, among others.

    Returns
    -------
    Series
        One value per row of `results`; null for matches with games.
    """
    teams = pl.repeat(value=True, n=tournaments.height, eager=True)
    games = tournaments.select("game_scoring", scoring=pl.col("game_scoring").fill_null(_GAMES))
    scoring = scoring_of(games, teams)
    systems = tournaments.select("tournament", "boards", scoring=scoring)
    without = pl.col("result").cast(pl.String).is_in(["+", "-", "F", "H", "U", "Z"])
    return (
        results.select("tournament", "result")
        .join(systems, on="tournament", how="left", maintain_order="left")
        .join(scoring_table(scoring), on=["scoring", "result"], how="left", maintain_order="left")
        .select(pl.when(without).then(pl.col("value") * pl.col("boards").fill_null(0)))
        .to_series()
    )
