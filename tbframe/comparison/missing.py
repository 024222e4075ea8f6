"""What is missing or contradictory in tournaments whose declared values nothing explains."""

from __future__ import annotations

from typing import Final

import polars as pl

from tbframe.archive import Archive, Criteria
from tbframe.comparison.declared import RANK
from tbframe.findings import counted
from tbframe.tiebreaks import declared_order

__all__ = ["what_is_missing"]

_PLACE: Final = ["tournament", "code"]


def what_is_missing(
    archive: Archive, left: pl.DataFrame, *, order: Criteria | None
) -> pl.DataFrame:
    """Say what may be why, and no more than that.

    Parameters
    ----------
    archive, order
        As of `audit`.
    left
        ``tournament`` and ``code`` of what nothing else explains.

    Returns
    -------
    DataFrame
        Those of `left` for which there is something to say, with ``reason`` and ``message``.
    """
    there = archive._of(archive.tournaments["tournament"].is_in(left["tournament"].implode()))
    last = there.results.group_by("tournament").agg(
        last=pl.col("round").max(), open=(pl.col("result") == "*").sum()
    )
    rows = there.players.join(there.results, on=["tournament", "player"], how="anti")
    idle = rows.group_by("tournament").agg(idle=pl.len())
    about = there.tournaments.select("tournament", "rounds")
    for more in (last, idle, _unread(there, order), _contradictions(there)):
        about = about.join(more, on="tournament", how="left")
    planned, found = pl.col("rounds"), pl.col("last").fill_null(0)
    told = (
        pl.when(planned > found)
        .then(pl.format("results of {} rounds planned may be missing: there are {}",
                        planned, found))
        .when(pl.col("open") > 0)
        .then(pl.format("{} may be why: not known yet", counted("open", "result")))
        .when(pl.col("idle") > 0)
        .then(pl.format("{} without any result may be why", counted("idle", "player")))
        .when((pl.col("code") == RANK) & pl.col("unread").is_not_null())
        .then(pl.format("{} in the declared order may be why: it is not known", "unread"))
        .when(pl.col("contradiction").is_not_null())
        .then(pl.format("a contradiction in the results may be why: {}", "contradiction"))
    )  # fmt: skip
    return (
        left.join(about, on="tournament", how="left", maintain_order="left")
        .with_columns(told.alias("message"))
        .drop_nulls("message")
        .select(*_PLACE, pl.lit("data-missing").alias("reason"), "message")
    )


def _unread(archive: Archive, order: Criteria | None) -> pl.DataFrame:
    """Name the criterion of a declared order that is not known."""
    declared = archive.tournaments.select("tournament", "criteria").drop_nulls()
    if order is not None:
        declared = declared.clear()
    texts = declared["criteria"].unique().to_list()
    unread = [declared_order(text)[1] for text in texts]
    known = pl.DataFrame(
        {"criteria": texts, "unread": unread},
        schema_overrides=dict.fromkeys(["criteria", "unread"], pl.String),
    )
    return declared.join(known, on="criteria").select("tournament", "unread")


def _contradictions(archive: Archive) -> pl.DataFrame:
    """Give the first error that the check finds in each tournament."""
    key = archive.tournaments.schema["tournament"]
    return (
        archive.check()
        .filter(severity="error")
        .group_by(pl.col("tournament").cast(key), maintain_order=True)
        .agg(contradiction=pl.col("message").first())
    )
