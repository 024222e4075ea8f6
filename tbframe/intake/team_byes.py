"""A table of the byes that teams had."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from tbframe.intake.casting import insist, spell
from tbframe.intake.tables import Table, read_table, take
from tbframe.schema import ROW, ResultCode

__all__ = ["take_team_byes"]

_BYES: Final[dict[str, pl.DataType | None]] = {
    "tournament": None,
    "round": pl.Int32(),
    "team": None,
    "type": pl.String(),
    "match_points": pl.Float64(),
    "game_points": pl.Float64(),
}
_TYPES: Final = {
    **dict(zip(("pab", "fpb", "hpb", "zpb"), "UFHZ", strict=True)),
    **{code.lower(): code for code in "UFHZ"},
}


def take_team_byes(byes: Table, lone: Mapping[str, str], name: str = "byes") -> pl.DataFrame:
    """Bring a table of byes to its columns, types and codes.

    Parameters
    ----------
    byes
        ``tournament``, ``round``, ``team``, ``type``, and perhaps ``match_points`` and
        ``game_points``; other columns are left out.
    lone
        The key for a missing column ``tournament``; empty: it must be there.
    name
        What messages call the table.

    Returns
    -------
    DataFrame
        These columns, ``type`` as ``result``, and `ROW`.

    Raises
    ------
    ContractError
        If a column is missing, or a value cannot be read or is null.
    """
    table, _ = take(read_table(byes, name), name, _BYES, ("round", "team", "type"), lone)
    for column in ("tournament", "round", "team", "type"):
        insist(table, name, [column], "never null", pl.col(column).is_not_null())
    insist(table, name, ["round"], "rounds count from 1", pl.col("round") >= 1)
    table = spell(
        table,
        name,
        "type",
        lambda text: _TYPES.get(text.strip().lower()),
        rule="a bye is one of PAB, FPB, HPB, ZPB, or U, F, H, Z",
        dtype=ResultCode,
    )
    for column in ("match_points", "game_points"):
        if column not in table.columns:
            table = table.with_columns(pl.lit(None, pl.Float64).alias(column))
        rule = "a finite number or null"
        insist(table, name, [column], rule, pl.col(column).is_finite())
    return table.select(ROW, *_BYES).rename({"type": "result"})
