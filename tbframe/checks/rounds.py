"""The rounds of each player and of each tournament: none missing, none too many."""

from __future__ import annotations

import polars as pl

from tbframe.findings import concat_findings, counted, findings_from

__all__ = ["check_rounds", "check_rounds_of_players"]


def check_rounds_of_players(rows: pl.DataFrame, robins: pl.DataFrame) -> pl.DataFrame:
    """Check that each player has one row for each round from his first to his last."""
    rows = rows.sort("player_number", "round", "game")
    same = pl.col("player_number") == pl.col("player_number").shift()
    before = pl.when(same).then(pl.col("round").shift())
    rows = rows.with_columns(before=before)
    again = pl.col("before") == pl.col("round")
    several = (
        rows.filter((again | again.shift(-1)).fill_null(value=False))
        .group_by("tournament", "round", "player")
        .agg(
            pl.len(),
            opponents=pl.col("opponent").n_unique(),
            idle=pl.col("opponent").is_null().any(),
            games=pl.col("game").n_unique(),
        )
    )
    match = (pl.col("opponents") == 1) & ~pl.col("idle") & (pl.col("games") == pl.col("len"))
    # Rounds without any result are told of once for the tournament, not for each player.
    place = rows.select("tournament", "round").unique().sort("tournament", "round")
    place = place.with_columns(nth=pl.int_range(pl.len()).over("tournament"))
    gaps = (
        rows.filter(pl.col("round") - pl.col("before") > 1)
        .join(robins, on="tournament", how="anti")
        .join(place, on=["tournament", "round"], how="left")
        .join(place, left_on=["tournament", "before"], right_on=["tournament", "round"], how="left")
        .with_columns(skipped=pl.col("nth") - pl.col("nth_right") - 1)
        .filter(pl.col("skipped") > 0)
        .with_columns(pl.col("before") + 1, until="round")
        .with_columns(round="before")
    )
    return concat_findings(
        findings_from(
            several.filter(match),
            code="several-games",
            severity="info",
            message=pl.format("{} games against one opponent", "len"),
        ),
        findings_from(
            several.filter(~match),
            code="paired-twice",
            severity="error",
            message=pl.format("{} results that are not games of one match", "len"),
        ),
        findings_from(
            gaps,
            code="rounds-skipped",
            severity="info",
            message=pl.format(
                "no row for {} before round {}: taken as absent",
                counted("skipped", "round"),
                "until",
            ),
        ),
    )


def check_rounds(rows: pl.DataFrame, tournaments: pl.DataFrame) -> pl.DataFrame:
    """Check the rounds of each tournament against each other and against the plan."""
    planned = tournaments.select("tournament", planned="rounds")
    rounds = rows.group_by("tournament", "round").agg(pl.len()).sort("tournament", "round")
    rounds = rounds.join(planned, on="tournament", how="left", maintain_order="left")
    before = pl.col("round").shift().over("tournament").fill_null(0)
    empty = rounds.with_columns(before=before).filter(pl.col("round") - pl.col("before") > 1)
    last = rounds.group_by("tournament").agg(last=pl.col("round").max())
    short = planned.join(last, on="tournament", how="left").with_columns(
        pl.col("last").fill_null(0)
    )
    return concat_findings(
        findings_from(
            empty.with_columns(round=pl.col("before") + 1, until=pl.col("round") - 1),
            code="round-empty",
            severity="warning",
            message=pl.format("no results from round {} to round {}", "round", "until"),
        ),
        findings_from(
            rounds.filter(pl.col("round") > pl.col("planned")),
            code="rounds-beyond-plan",
            severity="warning",
            message=pl.format(
                "{} in this round, of {} planned", counted("len", "result"), "planned"
            ),
        ),
        findings_from(
            short.filter(pl.col("last") < pl.col("planned")),
            code="rounds-missing",
            severity="info",
            message=pl.format("{} rounds planned, results up to round {}", "planned", "last"),
        ),
    )
