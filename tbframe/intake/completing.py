"""Fill in what a user's tables leave out, so that the frames of an archive fit together.

Every function takes frames whose columns have their types already, and returns them with a
findings frame where that takes an assumption.
"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from tbframe.findings import concat_findings, counted, findings_from, no_findings
from tbframe.order import sort_by_key
from tbframe.scoring import points_due

__all__ = [
    "add_columns",
    "add_players",
    "add_tournaments",
    "distinct",
    "fill_points",
    "renumber_games",
]


def add_columns(frame: pl.DataFrame, types: Mapping[str, pl.DataType | None]) -> pl.DataFrame:
    """Put the columns of `types` first, in their order, with nulls where there were none."""
    missing = [
        pl.lit(None, dtype).alias(column)
        for column, dtype in types.items()
        if column not in frame.columns
    ]
    extra = [column for column in frame.columns if column not in types]
    return frame.with_columns(missing).select(*types, *extra)


def distinct(frame: pl.DataFrame, *keys: str) -> pl.DataFrame:
    """List the distinct keys of a frame that is sorted by them."""
    changes = pl.any_horizontal(pl.col(key).ne_missing(pl.col(key).shift()) for key in keys)
    return frame.select(keys).filter(changes | (pl.int_range(pl.len()) == 0))


def add_tournaments(
    tournaments: pl.DataFrame, *mentions: pl.DataFrame
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Add a row for every tournament that only other frames mention.

    Parameters
    ----------
    tournaments
        The frame, with the columns of the contract.
    mentions
        Frames sorted by ``tournament``.

    Returns
    -------
    tournaments, findings
        The frame, sorted; an info for each row added.
    """
    keys = pl.concat([distinct(frame, "tournament") for frame in mentions]).unique()
    added = keys.join(tournaments, on="tournament", how="anti").sort("tournament")
    findings = findings_from(
        added,
        code="tournament-added",
        severity="info",
        message="not in the tournaments frame: added, with nothing known but its key",
    )
    return sort_by_key(pl.concat([tournaments, added], how="diagonal"), ["tournament"]), findings


def add_players(players: pl.DataFrame, results: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Add a row for every player whom only the results mention.

    Parameters
    ----------
    players
        The frame, with the columns of the contract.
    results
        Sorted by tournament and player.

    Returns
    -------
    players, findings
        The frame, sorted; for each row added an info, or a warning where the player is only
        somebody's opponent and has no row in the results.
    """
    key = ["tournament", "player"]
    own = distinct(results, *key)
    added = own.join(players, on=key, how="anti")
    known = pl.concat([players.select(key), added])
    opponents = (
        results.select("tournament", player="opponent")
        .filter(pl.col("player").is_not_null())
        .join(known, on=key, how="anti")
        .unique()
    )
    findings = concat_findings(
        findings_from(
            added.sort(key),
            code="player-added",
            severity="info",
            message="not in the players frame: added, with nothing known but the key",
        ),
        findings_from(
            opponents.sort(key),
            code="opponent-added",
            severity="warning",
            message="only named as an opponent, without a row of his own: added as a player",
        ),
    )
    return sort_by_key(pl.concat([players, added, opponents], how="diagonal"), key), findings


def fill_points(results: pl.DataFrame, tournaments: pl.DataFrame) -> pl.DataFrame:
    """Fill null points with what the tournament's scoring system gives for the result."""
    return results.with_columns(pl.col("points").fill_null(points_due(results, tournaments)))


def renumber_games(results: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Make each player's games of a round count 1, 2, ..., in the order of their numbers.

    Parameters
    ----------
    results
        Sorted by tournament, player, round and game.

    Returns
    -------
    results, findings
        The frame, without ``game`` where nobody has several games in a round; an info for
        each tournament in which a number changed.
    """
    if results["game"].max() in (None, 1):
        return results.drop("game"), no_findings()
    number = pl.int_range(1, pl.len() + 1, dtype=pl.Int32).over("tournament", "player", "round")
    dense = results.select(number).to_series()
    changed = results.filter(dense != results["game"])
    findings = findings_from(
        changed.group_by("tournament").agg(pl.len().alias("n")).sort("tournament"),
        code="games-renumbered",
        severity="info",
        message=pl.format(
            "{} changed, so that each player's games of a round count 1, 2, ...",
            counted("n", "game number"),
        ),
    )
    results = results.with_columns(dense.alias("game"))
    return results.drop("game") if dense.max() == 1 else results, findings
