"""The dates of a tournament and of its rounds."""

from __future__ import annotations

import numpy as np
import polars as pl

from tbframe.sources.trf.characters import Characters, strings
from tbframe.sources.trf.dates import read_dates, read_round_dates
from tbframe.sources.trf.notes import Notes

__all__ = ["round_dates", "with_dates"]


def with_dates(table: pl.DataFrame, notes: Notes) -> pl.DataFrame:
    """Read the columns ``start`` and ``end`` of `table`, whose lines stand in ``..._line``."""
    dates = {name: (table[name], read_dates(table[name])) for name in ("start", "end")}
    # A date that can only be read with the day in front speaks for the other one.
    proved = pl.any_horizontal(*(read["day_first"] for _, read in dates.values()))
    for name, (said, read) in dates.items():
        sure = table.select(proved.fill_null(value=False)).to_series()
        ambiguous = read["assumed"].is_not_null() & ~(sure & (read["assumed"] == "day/month/year"))
        table = table.with_columns(read["date"].alias(name))
        for where, message in (
            (ambiguous, "{} is read as {}"),
            (said.is_not_null() & read["date"].is_null(), "{} is no date: left empty"),
        ):
            rows = where.arg_true().to_numpy()
            notes.find(
                "ambiguous-date" if "read as" in message else "unreadable-date",
                "warning",
                pl.format(message, *["said", "assumed"][: message.count("{}")]),
                file=table["file"].to_numpy()[rows],
                line=table[f"{name}_line"].to_numpy()[rows].astype(np.int64),
                said=said.gather(rows),
                assumed=read["assumed"].gather(rows),
            )
    reversed_ = (table["end"] < table["start"]).fill_null(value=False).arg_true().to_numpy()
    notes.find(
        "dates-reversed",
        "warning",
        "the tournament ends before it starts",
        file=table["file"].to_numpy()[reversed_],
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
    lines = given["position"].to_numpy()
    length = text.end[lines] - text.start[lines]
    in_front = text.field(lines, 5, 89).fill_null("")
    blocks = np.maximum(0, -((89 - length) // 10))
    row = np.repeat(np.arange(len(lines)), blocks)
    column = np.arange(len(row)) - np.repeat(np.cumsum(blocks) - blocks, blocks)
    aligned = pl.DataFrame(
        {
            "row": row,
            "said": strings(
                text.cells_at(text.start[lines][row] + 89 + column * 10, text.end[lines][row], 10)
            ),
        },
        schema={"row": pl.Int64, "said": pl.String},
    )
    free = (
        pl.DataFrame({"row": np.arange(len(lines)), "said": in_front}, schema=aligned.schema)
        .with_columns(pl.col("said").str.extract_all(r"\S+"))
        .explode("said", empty_as_null=False)
    )
    dates = (
        pl.concat([free, aligned])
        .sort("row", maintain_order=True)
        .with_columns(
            file=given["file"].gather(pl.Series(np.sort(np.concatenate((free["row"], row)))))
        )
        .with_columns(round=pl.int_range(pl.len()).over("file"))
        .join(table.select("file", "start"), on="file", how="left")
    )
    read = read_round_dates(dates)
    line = given.unique("file", keep="first", maintain_order=True).select("file", "line")
    for column_, code, message in (
        ("assumed", "ambiguous-date", "round dates are read as {}"),
        ("unreadable", "unreadable-date", "{} round dates are not readable and left out"),
    ):
        said = read.join(line, on="file", how="left").filter(
            pl.col("assumed").is_not_null() if column_ == "assumed" else pl.col("unreadable") > 0
        )
        notes.find(
            code,
            "info",
            pl.format(message, column_),
            file=said["file"].to_numpy(),
            line=said["line"].to_numpy(),
            **{column_: said[column_]},
        )
    return read.select("file", round_dates="text")
