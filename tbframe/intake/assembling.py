"""Put an archive together from result rows and side tables that have their types and codes."""

from __future__ import annotations

import warnings
from collections.abc import Mapping

import dataframely as dy
import polars as pl

from tbframe.archive import Archive
from tbframe.contracts import Players, Results, Tournaments, validate
from tbframe.errors import FindingWarning, levels_to_the_user
from tbframe.findings import concat_findings, findings_from, no_quarantine
from tbframe.intake.byes import unname_nobody
from tbframe.intake.casting import unify_keys
from tbframe.intake.completing import (
    add_columns,
    add_players,
    add_tournaments,
    fill_points,
    renumber_games,
)
from tbframe.order import sort_by_key
from tbframe.schema import (
    BYES,
    OVER_THE_BOARD,
    PLAYERS,
    QUARANTINE,
    RESULTS,
    ROW,
    TOURNAMENTS,
)
from tbframe.scoring import is_countable

__all__ = ["assemble"]

#: With more units than this in all rounds, products of sums would outgrow 64 bits.
MOST_UNITS = 1_300_000


def assemble(
    frames: Mapping[str, pl.DataFrame],
    name: str,
    findings: pl.DataFrame,
    verdicts: pl.DataFrame | None = None,
) -> Archive:
    """Put an archive together.

    Parameters
    ----------
    frames
        The result rows under `name`, and ``players`` and ``tournaments`` where they were
        given; rows in any order, numbered in `ROW`.
    name
        What messages call the table that the result rows come from.
    findings
        Those made so far.
    verdicts
        Tournaments to set aside: ``tournament``, ``code``, ``message``.

    Returns
    -------
    Archive
        With `findings` first among its own.

    Raises
    ------
    ContractError
        If a rule of a contract is broken.

    Warns
    -----
    FindingWarning
        If a tournament is set aside.
    """
    frames = unify_keys(frames, [("tournament",), ("player", "opponent")])
    results = add_columns(frames[name], RESULTS)
    if "game" not in results.columns:
        results = results.with_columns(pl.lit(1, pl.Int32).alias("game"))
    results = sort_by_key(results, ["tournament", "player", "round", "game"])
    validate(results, Results, name)
    players = _side_frame(frames.get("players"), results, Players, PLAYERS)
    tournaments = _side_frame(frames.get("tournaments"), results, Tournaments, TOURNAMENTS)

    tournaments, tournaments_added = add_tournaments(tournaments, results, players)
    results, nobody = unname_nobody(results, players)
    contradictions = _contradictions(results)
    if verdicts is not None:
        contradictions = pl.concat([verdicts, contradictions])
    quarantine = _quarantine(results, contradictions)
    _warn_of(quarantine)
    results, players, tournaments = (
        frame.join(contradictions, on="tournament", how="anti", maintain_order="left")
        if contradictions.height
        else frame
        for frame in (results, players, tournaments)
    )
    results = fill_points(results, tournaments)
    results, renumbered = renumber_games(results)
    players, players_added = add_players(players, results)
    players, unrated = _without_zero_ratings(players)
    return Archive(
        results.drop(ROW),
        players.drop(ROW),
        tournaments.drop(ROW),
        concat_findings(
            findings,
            # Where a frame was not given, its rows are not missing from it.
            tournaments_added if "tournaments" in frames else tournaments_added.clear(),
            nobody,
            renumbered,
            players_added.filter(
                (pl.col("code") == "opponent-added") | pl.lit("players" in frames)
            ),
            unrated,
        ),
        quarantine,
    )


def _side_frame(
    frame: pl.DataFrame | None,
    results: pl.DataFrame,
    contract: type[dy.Schema],
    types: Mapping[str, pl.DataType | None],
) -> pl.DataFrame:
    """Bring a side table into canonical form; an empty one where none was given."""
    keys = [column for column, dtype in types.items() if dtype is None]
    if frame is None:
        frame = results.clear().select(*keys, ROW)
    frame = sort_by_key(add_columns(frame, types), keys)
    validate(frame, contract, f"{contract.__name__.lower()}")
    return frame


def _contradictions(results: pl.DataFrame) -> pl.DataFrame:
    """List the tournaments with rows that cannot both be true, or cannot be true at all.

    Returns
    -------
    DataFrame
        ``tournament``, ``code``, ``message``: the first such row of each tournament and kind.
    """
    himself = results.filter(pl.col("player") == pl.col("opponent")).select(
        "tournament",
        code=pl.lit("meets-himself"),
        message=pl.format("player {} meets himself in round {}", "player", "round"),
    )
    bye = pl.col("result").is_in(BYES)
    several = results.filter(pl.col("game") > 1).select("tournament", "player", "round").unique()
    doubled = (
        results.join(
            several, on=["tournament", "player", "round"], how="semi", maintain_order="left"
        )
        .filter(bye)
        .select(
            "tournament",
            code=pl.lit("bye-and-game"),
            message=pl.format(
                "player {} has a bye besides another result in round {}", "player", "round"
            ),
        )
    )
    unopposed = results.filter(
        pl.col("opponent").is_null() & pl.col("result").is_in(OVER_THE_BOARD)
    ).select(
        "tournament",
        code=pl.lit("game-without-opponent"),
        message=pl.format(
            "player {} has an over-the-board result against nobody in round {}", "player", "round"
        ),
    )
    both = pl.concat([himself, doubled, unopposed, _uncountable(results)])
    return both.unique(["tournament", "code"], keep="first", maintain_order=True)


def _uncountable(results: pl.DataFrame) -> pl.DataFrame:
    """List the tournaments whose points cannot be counted exactly: too fine, or too large."""
    scores = ("points", "game_points")
    points = [pl.col(name) for name in scores
              if name in results.columns and results.schema[name].is_numeric()]  # fmt: skip
    fine = pl.any_horizontal(~is_countable(each) for each in points)
    halves = pl.all_horizontal(
        (((each * 2).round() - each * 2).abs() < 1e-9).fill_null(value=True) for each in points
    )
    unit = pl.when(halves.all()).then(2).otherwise(1000)
    most = pl.max_horizontal(each.abs().max() for each in points)
    large = most * pl.col("round").max() * unit > MOST_UNITS
    return (
        results.group_by("tournament", maintain_order=True)
        .agg(fine=fine.any(), large=large, most=most)
        .filter(pl.col("fine") | pl.col("large"))
        .select(
            "tournament",
            code=pl.lit("points-not-countable"),
            message=pl.when("fine")
            .then(pl.lit("points are no whole thousandths"))
            .otherwise(pl.format("points of up to {} are too large to be summed exactly", "most")),
        )
    )


def _quarantine(results: pl.DataFrame, verdicts: pl.DataFrame) -> pl.DataFrame:
    """Write the quarantine: one row per tournament, with all that was found against it."""
    if verdicts.is_empty():
        return no_quarantine()
    reasons = verdicts.group_by("tournament", maintain_order=True).agg(
        pl.col("code").first(), pl.col("message").str.join("; ")
    )
    counts = results.group_by("tournament").agg(pl.len().alias("rows"))
    entries = reasons.join(counts, on="tournament", how="left").sort("tournament")
    return entries.select(
        (pl.col(column) if column in entries.columns else pl.lit(None)).cast(dtype).alias(column)
        for column, dtype in QUARANTINE.items()
    )


def _warn_of(quarantine: pl.DataFrame) -> None:
    """Say which tournaments are set aside, where the user's own code asked for them."""
    if quarantine.is_empty():
        return
    first = quarantine.head(3).iter_rows(named=True)
    some = "; ".join(f"{row['tournament']} ({row['code']}: {row['message']})" for row in first)
    more = f" and {quarantine.height - 3:,} more" if quarantine.height > 3 else ""
    warnings.warn(
        f"tournaments set aside: {some}{more}. Archive.quarantine lists them",
        FindingWarning,
        stacklevel=levels_to_the_user(),
    )


def _without_zero_ratings(players: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Read a rating of 0 as none, as rating lists and tournament files write it."""
    zero = pl.col("rating") == 0
    findings = findings_from(
        players.filter(zero),
        code="rating-zero",
        severity="info",
        message="a rating of 0 is read as unrated",
    )
    return players.with_columns(rating=pl.when(~zero).then("rating")), findings
