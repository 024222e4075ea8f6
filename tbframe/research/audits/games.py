"""The games over the board, with what each side had before them."""

from __future__ import annotations

import polars as pl

from tbframe.archive import Archive
from tbframe.schema import OVER_THE_BOARD

__all__ = ["played_games", "sides"]


def sides(archive: Archive) -> pl.DataFrame:
    """Return the sides of games over the board: a row for each player of each.

    Returns
    -------
    DataFrame
        ``tournament``, ``round``, ``player``, ``opponent``, ``color``, ``points``, the ``rating``
        and ``opponent_rating`` (null: unrated), and ``before``: the player's points from earlier
        rounds, of whatever kind.
    """
    key = ["tournament", "player"]
    results = archive.results.with_columns(
        before=(pl.col("points").cum_sum() - pl.col("points")).over(key, order_by="round")
    )
    ratings = archive.players.select(*key, "rating")
    return (
        results.filter(pl.col("result").is_in(OVER_THE_BOARD), pl.col("opponent").is_not_null())
        .join(ratings, on=key, how="left", maintain_order="left")
        .join(
            ratings.rename({"player": "opponent", "rating": "opponent_rating"}),
            on=["tournament", "opponent"],
            how="left",
            maintain_order="left",
        )
        .select(
            "tournament",
            "round",
            "player",
            "opponent",
            "color",
            "points",
            "rating",
            "opponent_rating",
            "before",
        )
    )


def played_games(archive: Archive) -> pl.DataFrame:
    """Return the games over the board in which the colours are known, from White's side.

    Returns
    -------
    DataFrame
        The columns of `sides` without ``color``, with White as the player, and the ``result``:
        1 won by White, 0.5 drawn, 0 won by Black, whatever the points for it were.
    """
    codes = archive.results.filter(pl.col("color") == "w").select(
        "tournament",
        "round",
        "player",
        "opponent",
        result=pl.col("result")
        .cast(pl.String)
        .replace_strict({"1": 1.0, "W": 1.0, "=": 0.5, "D": 0.5, "0": 0.0, "L": 0.0}, default=None),
    )
    return (
        sides(archive)
        .filter(pl.col("color") == "w")
        .join(codes, on=["tournament", "round", "player", "opponent"], maintain_order="left")
        .drop("color")
    )
