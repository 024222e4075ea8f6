"""Refusing to write what the format cannot say."""

from __future__ import annotations

import polars as pl

from tbframe.errors import SourceError

__all__ = ["refuse"]


def refuse(rows: pl.DataFrame, field: str, reason: str) -> None:
    """Raise for the first of `rows`, if there is one.

    Parameters
    ----------
    rows
        With ``tournament``, any of ``player`` and ``round``, and `field`.
    field
        What cannot be written.
    reason
        Why.

    Raises
    ------
    SourceError
        Naming tournament, player, round, field and value.
    """
    if rows.is_empty():
        return
    first = rows.row(0, named=True)
    place = ", ".join(
        f"{name} {first[name]}" for name in ("tournament", "player", "round") if name in first
    )
    value = "" if field in ("tournament", "player") else f", {field} {first[field]!r}"
    more = f" (and {rows.height - 1} more)" if rows.height > 1 else ""
    raise SourceError(f"{place}{value}: {reason}{more}")
