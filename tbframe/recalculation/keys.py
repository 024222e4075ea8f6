"""Which tournaments a table has rows of, and whether these lie in order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from tbframe.errors import ContractError
from tbframe.order import in_order
from tbframe.recalculation.tables import ParquetTable

__all__ = ["Keys", "key_type", "survey"]


@dataclass(frozen=True)
class Keys:
    """The tournaments of a table.

    Attributes
    ----------
    rows
        ``tournament`` and how many ``rows`` it has.
    in_order
        Whether the rows come in the order of the keys.
    """

    rows: pl.DataFrame
    in_order: bool


def key_type(tables: Iterable[ParquetTable]) -> pl.DataType:
    """Return the type of the keys: whole numbers where all tables have them, else text."""
    types = {table.frame.collect_schema()["tournament"] for table in tables}
    return pl.Int64() if all(dtype.is_integer() for dtype in types) else pl.String()


def survey(table: ParquetTable, key: pl.DataType) -> Keys:
    """Read the keys of a table through.

    Raises
    ------
    ContractError
        If rows have none.
    """
    runs = [pl.DataFrame(schema={"tournament": key, "rows": pl.UInt32})]
    for chunk in table.chunks("tournament"):
        run = chunk["tournament"].cast(key).rle().struct.unnest()
        if not run["value"].is_sorted():  # then there may be as many runs as rows
            return Keys(_counted(table, key), in_order=False)
        runs.append(run.select(tournament="value", rows="len"))
    together = pl.concat(runs)
    rows = together.group_by("tournament", maintain_order=True).agg(pl.col("rows").sum())
    _insist_on_keys(table, rows)
    return Keys(rows, in_order=bool(together.select(in_order(["tournament"]).all()).item()))


def _counted(table: ParquetTable, key: pl.DataType) -> pl.DataFrame:
    """Count the rows of each tournament, wherever they lie."""
    with table.readable():
        counted = table.frame.group_by("tournament").agg(pl.len().alias("rows")).collect()
    _insist_on_keys(table, counted)
    # Numbers that are text in another table may be written in several ways here.
    named = counted.with_columns(pl.col("tournament").cast(key))
    return named.group_by("tournament").agg(pl.col("rows").sum())


def _insist_on_keys(table: ParquetTable, rows: pl.DataFrame) -> None:
    nowhere = rows.filter(pl.col("tournament").is_null())["rows"].sum()
    if nowhere:
        raise ContractError(
            f"{table.name}: {nowhere:,} rows without a tournament, of which nobody can say where "
            "they belong"
        )
