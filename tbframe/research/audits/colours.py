"""Colours: what one more White is worth, and how evenly they were given."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.archive import Archive
from tbframe.research.audits.games import sides

__all__ = ["colour_balance", "extra_white"]

Floats = NDArray[np.float64]


def extra_white(archive: Archive) -> pl.DataFrame:
    """Estimate what one more game with White is worth, in points.

    Parameters
    ----------
    archive
        The tournaments.

    Returns
    -------
    DataFrame
        Two rows: ``model`` ``"raw"`` and ``"rating"``; the ``effect`` of each game with White
        more than with Black on the points of a player, its standard error ``se`` and the 95 %
        interval ``low`` to ``high``, and how many ``players`` and ``tournaments`` it rests on.
        Null where colours never differ.

    Notes
    -----
    Least squares of a player's points minus half the number of his games on Whites minus Blacks,
    with an intercept for each tournament; ``"rating"`` also on his rating and on the mean rating
    of his opponents, for players who have both. Only games over the board with known colours
    count. Standard errors are clustered by tournament: players of one are not independent.

    Where colours follow from scores, the effect is not all of it cause: in Swiss pairings the
    player with more points has the colour he wishes, so that those who did well have Whites
    more often. A round robin, or a Swiss simulated with `tbframe.research.models.coin_flip`,
    shows how much of it that is.

    Examples
    --------
    Among equals, White wins half of the games, draws a quarter and loses a quarter: a game with
    White is worth 1/8 of a point more than a half.

    >>> import tbframe as tb
    >>> from tbframe.research import extra_white, models
    >>> white = lambda a, b: (0 * a + 0.5, 0 * a + 0.25, 0 * a + 0.25)
    >>> archive = tb.simulate(events=2000, players=10, pairing="berger", model=white, seed=2)
    >>> row = extra_white(archive).row(0, named=True)
    >>> abs(row["effect"] - 0.125) < 3 * row["se"]
    True
    """
    white = (pl.col("color") == "w").cast(pl.Int32)
    players = (
        sides(archive)
        .filter(pl.col("color").is_not_null())
        .group_by("tournament", "player")
        .agg(
            above=pl.col("points").sum() - 0.5 * pl.len(),
            extra=(2 * white - 1).sum(),
            rating=pl.col("rating").first(),
            opponents=pl.col("opponent_rating").mean(),
        )
        .sort("tournament", "player")
    )
    rated = players.drop_nulls(["rating", "opponents"])
    return pl.DataFrame(
        [
            {"model": "raw"} | _regress(players, ["extra"]),
            {"model": "rating"} | _regress(rated, ["extra", "rating", "opponents"]),
        ],
        schema={
            "model": pl.String,
            "effect": pl.Float64,
            "se": pl.Float64,
            "low": pl.Float64,
            "high": pl.Float64,
            "players": pl.Int64,
            "tournaments": pl.Int64,
        },
    )


def _regress(players: pl.DataFrame, names: list[str]) -> dict[str, float | int | None]:
    """Regress on the named columns within tournaments; give the first coefficient."""
    tournaments = players["tournament"].n_unique()
    counts: dict[str, float | int | None] = {"players": players.height, "tournaments": tournaments}
    within = players.select(
        pl.col("above", *names).cast(pl.Float64)
        - pl.col("above", *names).cast(pl.Float64).mean().over("tournament")
    )
    x, y = within.select(names).to_numpy(), within["above"].to_numpy()
    gram = x.T @ x
    if players.height == 0 or np.linalg.matrix_rank(gram) < len(names):
        return counts | {"effect": None, "se": None, "low": None, "high": None}
    inverse: Floats = np.linalg.inv(gram)
    slope = inverse @ (x.T @ y)
    scores = x * (y - x @ slope)[:, None]
    start = np.flatnonzero(players["tournament"].rle_id().diff().fill_null(1).to_numpy())
    clusters = np.add.reduceat(scores, start, axis=0)
    if tournaments > 1:  # a single cluster tells nothing about the error
        few = tournaments / (tournaments - 1)
        se = float(np.sqrt((inverse @ (clusters.T @ clusters) @ inverse)[0, 0] * few))
    else:
        return counts | {"effect": float(slope[0]), "se": None, "low": None, "high": None}
    effect = float(slope[0])
    return counts | {"effect": effect, "se": se, "low": effect - 1.96 * se,
                     "high": effect + 1.96 * se}  # fmt: skip


def colour_balance(archive: Archive) -> pl.DataFrame:
    """Tell how evenly colours were given.

    Parameters
    ----------
    archive
        The tournaments.

    Returns
    -------
    DataFrame
        One row per tournament, sorted: ``tournament``; ``players`` with a game over the board and
        a colour; ``difference``, the sum of |Whites - Blacks| over them, and ``largest``; how many
        of them are ``uneven``, with a difference of two or more; ``in_a_row``, the longest run of
        the same colour of anybody (unplayed rounds do not break it).

    Examples
    --------
    >>> import tbframe as tb
    >>> from tbframe.research import colour_balance
    >>> archive = tb.read("data/trf/candidates_london_2013.trf")
    >>> colour_balance(archive).drop("tournament").row(0)
    (8, 0, 0, 0, 2)
    """
    key = ["tournament", "player"]
    coloured = sides(archive).filter(pl.col("color").is_not_null()).sort(*key, "round")
    white = (pl.col("color") == "w").cast(pl.Int32)
    run = coloured.with_columns(run=pl.struct(*key, "color").rle_id())
    longest = run.group_by(*key, "run").len().group_by(key).agg(pl.col("len").max())
    players = (
        coloured.group_by(key).agg(difference=(2 * white - 1).sum().abs()).join(longest, on=key)
    )
    return (
        players.group_by("tournament")
        .agg(
            players=pl.len(),
            difference=pl.col("difference").sum(),
            largest=pl.col("difference").max(),
            uneven=(pl.col("difference") >= 2).sum(),
            in_a_row=pl.col("len").max(),
        )
        .sort("tournament")
    )
