"""The dates of a tournament and of its rounds."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.sources.trf.characters import Characters, strings
from tbframe.sources.trf.dates import read_dates, read_round_dates
from tbframe.sources.trf.notes import Notes

__all__ = ["round_dates", "with_dates"]

_NAMES = ("start", "end")


def with_dates(table: pl.DataFrame, notes: Notes) -> pl.DataFrame:
    """Read the columns ``start`` and ``end`` of `table`, whose lines stand in ``..._line``."""
    said = pl.concat(
        table.select("file", pl.lit(name).alias("name"), said=name, line=f"{name}_line")
        for name in _NAMES
    )
    read = said.hstack(read_dates(said["said"])).with_columns(
        # A date that can only be read with the day in front speaks for the other one.
        assumed=pl.when(
            (pl.col("assumed") != "day/month/year") | ~pl.col("day_first").any().over("file")
        ).then("assumed")
    )
    unreadable = read.filter(pl.col("said").is_not_null(), pl.col("date").is_null())
    ambiguous = read.filter(pl.col("assumed").is_not_null())
    for rows, code, message in (
        (unreadable, "unreadable-date", pl.format("{} is no date: left empty", "said")),
        (ambiguous, "ambiguous-date", pl.format("{} is read as {}", "said", "assumed")),
    ):
        notes.find(
            code,
            "warning",
            message,
            file=rows["file"].to_numpy(),
            line=rows["line"].to_numpy(),
            said=rows["said"],
            assumed=rows["assumed"],
        )
    table = table.with_columns(read.filter(name=name)["date"].alias(name) for name in _NAMES)
    reversed_ = table.filter(pl.col("end") < pl.col("start"))
    notes.find(
        "dates-reversed",
        "warning",
        "the tournament ends before it starts",
        file=reversed_["file"].to_numpy(),
        line=reversed_["end_line"].to_numpy(),
    )
    return table


def round_dates(
    text: Characters, records: pl.DataFrame, table: pl.DataFrame, notes: Notes
) -> pl.DataFrame:
    """Read records 132: aligned with the round blocks, or one record with a date in front.

    Parameters
    ----------
    records
        From `header.read_records`.
    table
        ``file`` and ``start`` of every tournament.

    Returns
    -------
    DataFrame
        ``file``, ``round_dates``: of the files that have any.
    """
    given = records.filter(pl.col("id") == "132")
    if given.is_empty():
        return pl.DataFrame(schema={"file": pl.Int64, "round_dates": pl.String})
    lines = given["position"].to_numpy()
    places = given.select("file", "line").with_row_index("record")
    dates = (
        pl.concat([_dates_in_front(text, lines), _aligned_dates(text, lines)])
        .sort("record", maintain_order=True)
        .join(places, on="record", how="left", maintain_order="left")
        .with_columns(round=pl.int_range(pl.len()).over("file"))
        .join(table.select("file", "start"), on="file", how="left", maintain_order="left")
    )
    first = given.unique("file", keep="first").select("file", "line")
    read = read_round_dates(dates).join(first, on="file", how="left", maintain_order="left")
    ambiguous = read.filter(pl.col("assumed").is_not_null())
    unreadable = read.filter(pl.col("unreadable") > 0)
    for rows, code, message in (
        (ambiguous, "ambiguous-date", pl.format("round dates are read as {}", "assumed")),
        (
            unreadable,
            "unreadable-date",
            pl.format("{} round dates are not readable and left out", "unreadable"),
        ),
    ):
        notes.find(
            code,
            "info",
            message,
            file=rows["file"].to_numpy(),
            line=rows["line"].to_numpy(),
            assumed=rows["assumed"],
            unreadable=rows["unreadable"],
        )
    return read.select("file", round_dates="text")


def _dates_in_front(text: Characters, lines: NDArray[np.int64]) -> pl.DataFrame:
    """Return ``record``, ``said``: what stands before the columns of the rounds."""
    return (
        pl.DataFrame({"said": text.field(lines, 5, 89).fill_null("")})
        .with_row_index("record")
        .with_columns(pl.col("said").str.extract_all(r"\S+"))
        .explode("said", empty_as_null=False)
    )


def _aligned_dates(text: Characters, lines: NDArray[np.int64]) -> pl.DataFrame:
    """Return ``record``, ``said``: what stands in the columns of the rounds, null for nothing."""
    start, end = text.start[lines] + 89, text.end[lines]
    blocks = np.maximum(0, -((start - end) // 10))
    record = np.repeat(np.arange(len(lines)), blocks)
    block = np.arange(len(record)) - np.repeat(np.cumsum(blocks) - blocks, blocks)
    cells = text.cells_at(start[record] + block * 10, end[record], 10)
    return pl.DataFrame(
        {"record": pl.Series(record, dtype=pl.get_index_type()), "said": strings(cells)}
    )
