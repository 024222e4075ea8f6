"""Numbers for what a table of games leaves unnumbered: rounds, and the games within a round."""

from __future__ import annotations

from typing import Final

import polars as pl

from tbframe.findings import counted, findings_from, no_findings
from tbframe.order import sort_by_key
from tbframe.schema import ROW

__all__ = ["number_games", "number_rounds"]

_KEY: Final = ["tournament", "player", "round"]


def number_rounds(results: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Count the rows of each player in the order of the table, where it has no rounds.

    Parameters
    ----------
    results
        Result rows, numbered in `ROW` as in the table.

    Returns
    -------
    results, findings
        The frame with a column ``round``; a warning for each tournament that had none.
    """
    if "round" in results.columns:
        return results, no_findings()
    results = sort_by_key(results, ["tournament", "player", ROW])
    number = pl.int_range(1, pl.len() + 1, dtype=pl.Int32).over("tournament", "player")
    findings = findings_from(
        results.select(pl.col("tournament").unique().sort()),
        code="rounds-numbered",
        severity="warning",
        message="no column 'round': each player's games are numbered in the order of the table",
    )
    return results.with_columns(number.alias("round")), findings


def number_games(results: pl.DataFrame, games: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Count the games of players who have several in one round.

    Parameters
    ----------
    results
        Result rows with keys and round, each with the number of its game in `ROW`.
    games
        The games, with their numbers in `ROW`.

    Returns
    -------
    results, findings
        The frame, in any order, with a column ``game`` only if somebody has several; a warning
        for each round where the games' own column ``game`` did not decide and the order of
        their other columns had to.
    """
    results = sort_by_key(results, _KEY)
    again = pl.all_horizontal(pl.col(column) == pl.col(column).shift() for column in _KEY)
    twin = results.select((again | again.shift(-1)).fill_null(value=False)).to_series()
    if not twin.any():
        return results.drop("game", strict=False), no_findings()
    several = results.filter(twin)
    # The order is that of the games, so both sides number the games of a pair alike.
    first = ["game"] if "game" in games.columns else []
    plain = [c for c, dtype in games.schema.items() if c != ROW and not dtype.is_nested()]
    order = (
        games.join(several, on=ROW, how="semi")
        .sort([*first, *plain], nulls_last=True)
        .select(ROW)
        .with_row_index("order")
    )
    place = several.select(ROW).join(order, on=ROW, how="left", maintain_order="left")["order"]
    several = several.with_columns(place.alias("__order__")).sort(
        [*_KEY, "__order__"], nulls_last=True
    )
    unclear = several.filter(several.select(_KEY + first).is_duplicated())
    findings = findings_from(
        unclear.group_by("tournament", "round")
        .agg(pl.col("player").n_unique().alias("n"), pl.col("player").min())
        .sort("tournament", "round")
        .rename({"player": "first"}),
        code="several-games",
        severity="warning",
        message=pl.format(
            "{} with several games in this round, the first is {}: numbered in the "
            "order of the games' other columns",
            counted("n", "player"),
            "first",
        ),
    )
    number = pl.int_range(1, pl.len() + 1, dtype=pl.Int32).over(_KEY)
    several = several.with_columns(number.alias("game")).drop("__order__")
    single = results.filter(~twin).with_columns(pl.lit(1, pl.Int32).alias("game"))
    return pl.concat([single, several], how="diagonal"), findings
