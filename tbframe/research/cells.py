"""Tournaments by year, federation, size or any other column: what results are split by."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from tbframe.errors import TbframeError
from tbframe.ledger.block import Ints

__all__ = ["By", "described", "split_by"]

#: One column of the tournaments, or several; ``year`` and ``players`` are there always.
By = str | Sequence[str] | None


def described(tournaments: pl.DataFrame, players: pl.DataFrame) -> pl.DataFrame:
    """Return the tournaments with the ``year`` of their start and the number of ``players``.

    Parameters
    ----------
    tournaments, players
        Frames of an archive. Columns that are there already are kept.
    """
    made = {}
    dated = tournaments.schema.get("start", pl.Null()).is_temporal()
    if "year" not in tournaments.columns and dated:
        made["year"] = pl.col("start").dt.year()
    found = tournaments.with_columns(**made)
    if "players" in found.columns:
        return found
    sizes = players.group_by("tournament").agg(pl.len().alias("players"))
    return found.join(sizes, on="tournament", how="left", maintain_order="left")


def split_by(about: pl.DataFrame, by: By) -> tuple[list[dict[str, object]], Ints]:
    """Return the cells and the number of each tournament's cell.

    Parameters
    ----------
    about
        One row for each tournament.
    by
        Its columns; none: all tournaments are one cell.

    Returns
    -------
    cells, number
        The values of the columns for each cell, sorted, nulls last; and ``(tournaments,)``.

    Raises
    ------
    TbframeError
        If there is no such column.
    """
    columns = [by] if isinstance(by, str) else list(by or ())
    for column in columns:
        if column not in about.columns:
            there = ", ".join(name for name in about.columns if name != "tournament")
            raise TbframeError(f"no column {column!r} of the tournaments; there are {there}")
    if not columns:
        return [{}], np.zeros(about.height, dtype=np.int64)
    keys = about.select(columns)
    cells = keys.unique().sort(columns, nulls_last=True)
    numbers = keys.join(
        cells.with_row_index("number of the cell"),
        on=columns, how="left", nulls_equal=True, maintain_order="left",
    )["number of the cell"]  # fmt: skip
    return cells.to_dicts(), numbers.cast(pl.Int64).to_numpy()
