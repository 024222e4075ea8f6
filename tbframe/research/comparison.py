"""What a comparison of tie-breaks found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import polars as pl

from tbframe.research.bootstrap import estimate
from tbframe.research.cells import By, split_by
from tbframe.research.groups import Floats

__all__ = ["Comparison", "Measured"]

#: Lines that a comparison shows of itself.
_LINES: Final = 60


@dataclass(frozen=True, eq=False)
class Measured:
    """The values of each tournament.

    Attributes
    ----------
    about
        One row for each tournament.
    rounds
        After which they were measured; ``None``: the last.
    keys, metrics
        Their names.
    values
        ``(rounds, keys, metrics, tournaments)``: not-a-number where undefined.
    """

    about: pl.DataFrame
    rounds: Sequence[int | None]
    keys: Sequence[str]
    metrics: Sequence[str]
    values: Floats

    @property
    def by_round(self) -> bool:
        """Whether rounds were asked for."""
        return list(self.rounds) != [None]

    def tidy(self) -> pl.DataFrame:
        """Return one row for each tournament, round, key and metric."""
        values = np.moveaxis(self.values, -1, 0)
        tournament, after, key, metric = np.indices(values.shape).reshape(4, -1)
        frame = pl.DataFrame(
            {
                "tournament": self.about["tournament"].gather(tournament),
                "after_round": pl.Series(self.rounds, dtype=pl.Int32).gather(after),
                "key": pl.Series(self.keys, dtype=pl.String).gather(key),
                "metric": pl.Series(self.metrics, dtype=pl.String).gather(metric),
                "value": pl.Series(values.reshape(-1), nan_to_null=True),
            }
        )
        return frame if self.by_round else frame.drop("after_round")

    def estimates(
        self, reference: int, by: By, *, boot: int, level: float, seed: int
    ) -> pl.DataFrame:
        """Return one row for each cell, round, metric and key, as of `Comparison.table`."""
        cells, number = split_by(self.about, by)
        schema = {name: self.about.schema[name] for cell in cells[:1] for name in cell}
        parts = [self._means(number == -1, reference, boot=0, level=level, seed=seed).clear()]
        for place, cell in enumerate(cells):
            found = self._means(number == place, reference, boot=boot, level=level, seed=seed)
            own = [pl.lit(value, dtype=schema[name]).alias(name) for name, value in cell.items()]
            parts.append(found.select(*own, pl.all()))
        table = pl.concat(parts[1:] or parts)
        return table if self.by_round else table.drop("after_round")

    def _means(
        self, where: np.ndarray, reference: int, *, boot: int, level: float, seed: int
    ) -> pl.DataFrame:
        """Estimate the means over some of the tournaments."""
        values = np.moveaxis(self.values[..., where], 1, 2)
        apart = values - values[:, :, [reference]]
        after, metric, key = np.indices(values.shape[:3]).reshape(3, -1)
        quantities = np.concatenate([each.reshape(len(key), -1) for each in (values, apart)])
        found = estimate(quantities, boot=boot, level=level, seed=seed)
        columns: dict[str, object] = {
            "after_round": pl.Series(self.rounds, dtype=pl.Int32).gather(after),
            "key": pl.Series(self.keys, dtype=pl.String).gather(key),
            "metric": pl.Series(self.metrics, dtype=pl.String).gather(metric),
        }
        for name, events, half in (
            ("mean", "events", slice(None, len(key))),
            ("difference", "pairs", slice(len(key), None)),
        ):
            columns |= {
                events: found.events[half],
                name: found.mean[half],
                f"{name}_se": found.error[half],
                f"{name}_low": found.low[half],
                f"{name}_high": found.high[half],
            }
        return pl.DataFrame(columns).with_columns(pl.col(pl.Float64).fill_nan(None))


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """How well several tie-breaks order the players of the same tournaments.

    Attributes
    ----------
    table
        One row for each metric and key (and each round and cell, if asked for): the columns of
        `by` and ``after_round``, then ``key``, ``metric``; ``events`` with a value, their
        ``mean``, its standard error ``mean_se`` and bootstrap interval from ``mean_low`` to
        ``mean_high``; ``pairs``, the events with a value of the key and of the reference, and the
        mean ``difference`` of key less reference over them, with ``difference_se``,
        ``difference_low`` and ``difference_high``. Null where there are too few events. Sorted by
        the columns of `by`, round, and then in the order in which metrics and keys were given.
    values
        One row for each tournament, metric and key: ``tournament``, (``after_round``), ``key``,
        ``metric``, ``value``; sorted by tournament, round, key and metric, those as given. Null
        where a metric is undefined.
    keys, metrics
        Their names.
    reference
        The key that the others are compared with.
    truth
        What the orders were held against.
    measured
        The values as one array, to compute on.
    """

    table: pl.DataFrame
    keys: tuple[str, ...]
    metrics: tuple[str, ...]
    reference: str
    truth: str | None
    measured: Measured

    @cached_property
    def values(self) -> pl.DataFrame:
        """The value of each tournament, key and metric."""
        return self.measured.tidy()

    def __repr__(self) -> str:
        """Write the table, a line for each key."""
        truth = "no truth" if self.truth is None else f"truth: {self.truth}"
        lines = [
            f"{self.measured.about.height:,} tournaments, reference: {self.reference}, {truth}"
        ]
        width = max(len(key) for key in self.keys)
        split = [name for name in self.table.columns if name not in _OF_EVERY_TABLE]
        above = None
        for row in self.table.iter_rows(named=True):
            told = ", ".join([row["metric"], *(f"{name} {row[name]}" for name in split)])
            if told != above:
                lines.append(told)
            above = told
            lines.append(f"  {row['key']:<{width}}  {_number(row, 'mean')}")
            if row["key"] != self.reference:
                lines[-1] += f"  difference {_number(row, 'difference', sign='+')}"
        if len(lines) > _LINES:
            lines[_LINES:] = [f"and {len(lines) - _LINES:,} more lines: see .table"]
        return "\n".join(lines)


_OF_EVERY_TABLE: Final = {
    "key", "metric", "events", "pairs",
    *(f"{name}{end}" for name in ("mean", "difference") for end in ("", "_se", "_low", "_high")),
}  # fmt: skip


def _number(row: dict[str, float | None], name: str, sign: str = "") -> str:
    """Write a mean with its standard error, as far as they are defined."""
    mean, error = row[name], row[f"{name}_se"]
    if mean is None:
        return "undefined"
    return f"{mean:{sign}.4f}" + ("" if error is None else f" ({error:.4f})")
