"""How many result rows there are in tables of games, of boards, and of byes."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

__all__ = ["result_rows"]


def result_rows(frames: Mapping[str, pl.DataFrame], main: str, keys: pl.Series) -> pl.DataFrame:
    """Count the result rows of each tournament, before anything is made of its tables.

    Parameters
    ----------
    frames
        As they came, by their names.
    main
        The table of which results are made: ``results``, ``games`` or ``boards``; beside the
        last two there may be ``byes``.
    keys
        Of all tournaments.

    Returns
    -------
    DataFrame
        ``tournament`` (text) and ``rows``: two for a game, one for a game against nobody, one
        for each team of a match, one for a bye; sorted as `keys`.
    """
    tables = [main, "byes"] if main != "results" and "byes" in frames else [main]
    counts = [_counted(name, frames[name]) for name in tables]
    together = pl.concat(counts).group_by("tournament").agg(pl.col("rows").sum())
    rows = keys.to_frame("tournament").join(
        together, on="tournament", how="left", maintain_order="left"
    )
    return rows.select(pl.col("tournament").cast(pl.String), pl.col("rows").fill_null(0))


def _counted(name: str, frame: pl.DataFrame) -> pl.DataFrame:
    there = {column.lower(): column for column in frame.columns}
    rows = [pl.len()]
    if name == "games":
        sides = [_is_somebody(frame, there[side]) for side in ("white", "black") if side in there]
        rows = [pl.max_horizontal(1, pl.sum_horizontal(sides)).sum()]
    elif name == "boards":
        frame = frame.unique([there[key] for key in ("tournament", "round", "team")])
    return frame.group_by("tournament").agg(rows=pl.sum_horizontal(rows).cast(pl.Int64))


def _is_somebody(frame: pl.DataFrame, side: str) -> pl.Expr:
    named = pl.col(side).is_not_null()
    if frame.schema[side] == pl.String():
        named &= pl.col(side).str.strip_chars().str.to_lowercase() != "bye"
    return named.cast(pl.Int64)
