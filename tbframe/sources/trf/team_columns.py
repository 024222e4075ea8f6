"""Numbers in the columns of the records of teams."""

from __future__ import annotations

import polars as pl

from tbframe.sources.trf.refusing import refuse

__all__ = ["number", "number_list", "whole"]


def number_list(numbers: pl.Expr) -> pl.Expr:
    """Return numbers of four columns with a blank between: an aggregation."""
    return numbers.cast(pl.String).str.pad_start(4).str.join(" ")


def whole(column: str, width: int) -> pl.Expr:
    """Return a whole number, right-aligned; null stays null."""
    return pl.col(column).cast(pl.String).str.pad_start(width)


def number(frame: pl.DataFrame, column: str, width: int) -> pl.Expr:
    """Return a blank and a number in its columns; raise if it does not fit."""
    if column not in frame.columns:
        return pl.lit(" " * (width + 1))
    text = pl.col(column).cast(pl.String)
    if width == 6 and column == "strength":
        text = text.str.strip_suffix(".0")
    refuse(frame.filter(text.str.len_chars() > width), column, f"does not fit {width} columns")
    return pl.lit(" ") + text.fill_null("").str.pad_start(width)
