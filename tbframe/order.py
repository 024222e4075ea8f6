"""Sort big tables by their key, and number what is equal.

A table is sorted once on its way in, and most of that time goes into comparing strings.
So the strings are ranked first (there are far fewer tournaments and players than rows),
the ranks packed into one integer per row, and those sorted: a third of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import polars as pl

__all__ = ["sort_by_key"]

#: A packed key must fit a signed 64-bit integer.
_ROOM: Final = 2**63 - 1


def sort_by_key(frame: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    """Sort the rows of `frame` by `keys`.

    Parameters
    ----------
    frame
        Any frame. It is returned as it is where its rows are in order already.
    keys
        String or integer columns, the weightiest first.

    Returns
    -------
    DataFrame
        The rows in ascending order (strings by code points), nulls first; rows with equal
        keys come in no given order.

    Examples
    --------
    >>> sort_by_key(pl.DataFrame({"a": ["y", "x", "x"], "b": [1, 3, 2]}), ["a", "b"]).rows()
    [('x', 2), ('x', 3), ('y', 1)]
    """
    if frame.height < 2 or frame.select(in_order(keys).all()).item():
        return frame
    packed = _pack(frame, keys)
    if packed is None:
        return frame.sort(keys)
    # Rows of a frame in many pieces are gathered several times as slowly.
    return frame.rechunk()[packed.arg_sort()]


def in_order(keys: Sequence[str]) -> pl.Expr:
    """Whether a row's key is not below the key of the row before it (null keys: false)."""
    rising = pl.lit(value=True)
    for key in map(pl.col, reversed(keys)):
        rising = (key > key.shift()) | ((key == key.shift()) & rising)
    first = pl.int_range(pl.len()) == 0
    return first | rising.fill_null(value=False)


def _pack(frame: pl.DataFrame, keys: Sequence[str]) -> pl.Series | None:
    """One integer per row that orders the rows as `keys` do; None where that is not possible."""
    packed = pl.repeat(0, frame.height, dtype=pl.Int64, eager=True)
    width = 1
    for key in keys:
        ranks = _ranks(frame[key])
        if ranks is None:
            return None
        values = int(ranks.max()) + 1  # type: ignore[arg-type]  # rows, and no null: an integer
        width *= values
        if width > _ROOM:
            return None
        packed = packed * values + ranks
    return packed


def _ranks(key: pl.Series) -> pl.Series | None:
    """Integers from 0 in the order of the key; None for null keys and too wide a range."""
    if key.null_count():
        return None
    if key.dtype == pl.String:
        values = key.to_frame("key")
        ranked = values.unique().sort("key").with_row_index("rank")
        joined = values.join(ranked, on="key", how="left", maintain_order="left")
        return joined["rank"].cast(pl.Int64)
    lowest, highest = int(key.min()), int(key.max())  # type: ignore[arg-type]
    return None if highest - lowest >= _ROOM else key.cast(pl.Int64) - lowest
