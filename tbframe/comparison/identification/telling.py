"""An identification in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import polars as pl

from tbframe.findings import counted

__all__ = ["told"]

#: So many tournaments are told one by one.
_ONE_BY_ONE: Final = 8


def told(summary: pl.DataFrame, strangers: int) -> str:
    """Tell what was identified.

    Parameters
    ----------
    summary
        As of `Identification`.
    strangers
        How many values are about players whom the archive does not have.
    """
    there = summary.filter(pl.col("status") != "empty")
    tournaments = there["tournament"].n_unique()
    if there.is_empty():
        lines = ["no official values"]
    elif tournaments <= _ONE_BY_ONE:
        lines = list(_one_by_one(there))
    else:
        lines = list(_together(there))
    if strangers:
        lines.append(f"not compared, since the archive lacks the players: {strangers:,}")
    return "\n".join(lines)


def _one_by_one(summary: pl.DataFrame) -> Iterator[str]:
    for (tournament,), rows in summary.group_by("tournament", maintain_order=True):
        events = int(rows["tournaments"].max())  # type: ignore[arg-type]
        yield str(tournament) if tournament is not None else f"{events:,} tournaments together"
        for row in rows.iter_rows(named=True):
            yield f"  {row['column']}{_verdict(row)}"
            if row["note"]:
                yield f"    {row['note']}"


def _verdict(row: dict[str, Any]) -> str:
    status = row["status"]
    if status in ("unknown", "no numbers"):
        return ": no definition gives any of its values" if status == "unknown" else ": no numbers"
    said = f"{row['best']}, {row['matches']:,} of {row['players']:,}"
    if status == "not reproduced":
        return f": not reproduced; nearest {said} ({_percent(row['match_rate'])})"
    if status == "constant":
        return f": constant, as of {said}"
    if not row["next"]:
        return f" = {said}"
    return f" = {said}; next best {row['next']}, {_percent(row['next_rate'])}"


def _percent(rate: float) -> str:
    """Write a rate; what is not all is never shown as 100 %."""
    return f"{min(100 * rate, 99.9 if rate < 1 else 100):.1f} %"


def _together(summary: pl.DataFrame) -> Iterator[str]:
    """Tell how often each definition is the best, column by column."""
    kinds = (
        summary.group_by("column", "status", "best", maintain_order=True)
        .agg(pl.len().alias("number"), pl.col("matches").sum(), pl.col("players").sum())
        .with_columns(times=counted("number", "tournament"))
    )
    for (column,), rows in kinds.group_by("column", maintain_order=True):
        yield str(column)
        some = rows.sort("number", descending=True, maintain_order=True)
        for row in some.head(6).iter_rows(named=True):
            best = f" {row['best']}" if row["best"] else ""
            counts = f"{row['matches']:,} of {row['players']:,}"
            yield f"  {row['times']}: {row['status']}{best}, {counts}"
        if some.height > 6:
            yield f"  and {some.height - 6:,} more"
