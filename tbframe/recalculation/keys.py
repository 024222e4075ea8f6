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
    runs = []
    scattered = False
    for chunk in table.chunks("tournament"):
        keys = chunk["tournament"].cast(key)
        if keys.null_count():
            raise ContractError(
                f"{table.name}: rows without a tournament ({keys.null_count():,} or more), of "
                "which nobody can say where they belong"
            )
        run = keys.rle().struct.unnest().select(tournament="value", rows="len")
        # Rows in no order make as many runs as rows: then only their counts are kept.
        scattered |= run.height > 1000 + chunk.height // 4
        runs.append(_counts(run) if scattered else run)
    empty = pl.DataFrame(schema={"tournament": key, "rows": pl.UInt32})
    together = pl.concat([empty, *runs])
    rising = not scattered and together.select(in_order(["tournament"]).all()).item()
    return Keys(_counts(together), in_order=bool(rising))


def _counts(runs: pl.DataFrame) -> pl.DataFrame:
    return runs.group_by("tournament", maintain_order=True).agg(pl.col("rows").sum())
