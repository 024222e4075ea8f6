"""Points that can be counted exactly: those that records may give, and those of whole files."""

from __future__ import annotations

import numpy as np
import polars as pl

from tbframe.errors import ContractError
from tbframe.intake.assembling import MOST_UNITS
from tbframe.scoring import is_countable, parse_scoring
from tbframe.sources.trf.notes import Notes

__all__ = ["can_be_scored", "reject_uncountable", "scorable"]


def can_be_scored(points: float) -> bool:
    """Whether a scoring system can have these points for a result.

    Examples
    --------
    >>> can_be_scored(0.375), can_be_scored(0.3333), can_be_scored(-1.0), can_be_scored(1e9)
    (True, False, False, False)
    """
    try:
        parse_scoring(f"W={np.format_float_positional(points, trim='-')}")
    except ContractError:
        return False
    return True


def scorable(points: pl.Series) -> pl.Series:
    """Tell for each of many points whether a scoring system can have them; null is none."""
    known = [value for value in points.drop_nulls().unique().to_list() if can_be_scored(value)]
    return points.is_in(known) | points.is_null()


def reject_uncountable(rows: pl.DataFrame, notes: Notes) -> None:
    """Set aside the files whose points are too fine or too large to be summed exactly.

    Parameters
    ----------
    rows
        ``file``, ``round`` and, in all other columns, points.
    notes
        Told of the files.
    """
    points = pl.exclude("file", "round")
    fine = ~is_countable(points)
    halves = ((points * 2).round() - points * 2).abs() < 1e-9
    per_file = rows.group_by("file", maintain_order=True).agg(
        fine=pl.any_horizontal(fine.any()),
        halves=pl.all_horizontal(halves.all()),
        most=pl.max_horizontal(points.abs().max()),
        rounds=pl.col("round").max(),
    )
    unit = pl.when("halves").then(2).otherwise(1000)
    wrong = per_file.filter(
        pl.col("fine") | (pl.col("most") * pl.col("rounds") * unit > MOST_UNITS)
    )
    notes.reject(
        "points-not-countable",
        pl.format("points of up to {} are too fine or too large to be summed exactly", "most"),
        file=wrong["file"].to_numpy(),
        most=wrong["most"],
    )
