"""Points against the scoring system, and their sums against the declared ones."""

from __future__ import annotations

from typing import Final

import polars as pl

from tbframe.findings import concat_findings, counted, findings_from
from tbframe.scoring import points_due

__all__ = ["check_points"]

#: Smaller differences of points are those of sums of decimals.
_EXACT: Final = 1e-6


def check_points(
    results: pl.DataFrame, players: pl.DataFrame, tournaments: pl.DataFrame
) -> pl.DataFrame:
    """Check the points of rows against the scoring system, and their sums against the declared."""
    key = ["tournament", "player"]
    due = points_due(results, tournaments)
    odd = results.filter((results["points"] - due).abs() > _EXACT)
    first = pl.format("{} of player {} in round {} has {}", "result", "player", "round", "points")
    unusual = odd.group_by("tournament").agg(pl.len(), first=first.first())
    sums = results.group_by(key).agg(
        found=pl.col("points").sum(), __open__=pl.col("points").is_null().any()
    )
    declared = players.filter(pl.col("points").is_not_null()).join(sums, on=key, how="left")
    found = pl.col("found").fill_null(0.0)
    wrong = (found - pl.col("points")).abs() > _EXACT
    return concat_findings(
        findings_from(
            unusual,
            code="points-unusual",
            severity="info",
            message=pl.format(
                "{} with other points than the scoring system gives, the first: {}",
                counted("len", "result"),
                "first",
            ),
        ),
        findings_from(
            declared.filter(wrong & ~pl.col("__open__").fill_null(value=False)),
            code="points-declared",
            severity="warning",
            message=pl.format("{} points declared, {} found", "points", found),
        ),
    )
