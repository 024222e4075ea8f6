"""Which tournaments a table has rows of, and whether these lie in order."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from tbframe.order import in_order
from tbframe.sources.dataset_table import DatasetTable
from tbframe.sources.datasets import insist_on_keys

__all__ = ["Keys", "survey"]


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


def survey(table: DatasetTable) -> Keys:
    """Read the keys of a table through.

    Raises
    ------
    ContractError
        If rows have none.
    """
    key = table.types["tournament"]
    runs = [pl.DataFrame(schema={"tournament": key, "rows": pl.UInt32})]
    for chunk in table.chunks("tournament"):
        run = chunk["tournament"].rle().struct.unnest()
        if not run["value"].is_sorted():  # then there may be as many runs as rows
            return Keys(_counted(table), in_order=False)
        runs.append(run.select(tournament="value", rows="len"))
    together = pl.concat(runs)
    rows = together.group_by("tournament", maintain_order=True).agg(pl.col("rows").sum())
    insist_on_keys(table.name, rows)
    return Keys(rows, in_order=bool(together.select(in_order(["tournament"]).all()).item()))


def _counted(table: DatasetTable) -> pl.DataFrame:
    """Count the rows of each tournament, wherever they lie."""
    with table.readable():
        counted = table.frame.group_by("tournament").agg(pl.len().alias("rows")).collect()
    insist_on_keys(table.name, counted)
    return counted
