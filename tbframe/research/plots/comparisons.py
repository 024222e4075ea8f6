"""Tie-breaks side by side: distributions, differences to a reference, and what they depend on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import numpy as np
import polars as pl

from tbframe.errors import TbframeError
from tbframe.research.plots.drawing import CATEGORIES, WIDTH, altair, needs, title
from tbframe.research.simulation.seeds import Floats

if TYPE_CHECKING:
    import altair as alt

__all__ = ["forest", "metric_lines", "violins"]

_POINTS: Final = 80  # of a density
_HALF: Final = 0.42  # of the room between two violins
_ROW: Final = 34  # pixels


def violins(values: pl.DataFrame | pl.LazyFrame, metric: str) -> alt.LayerChart:
    """Draw how a metric is distributed over tournaments, for each tie-break.

    Parameters
    ----------
    values
        ``key``, ``metric`` and ``value``, one row per tournament, key and metric: the values of
        `tbframe.compare`.
    metric
        The metric to draw.

    Returns
    -------
    LayerChart
        A violin for each key, the highest mean first: the density by a Gaussian kernel with
        Silverman's bandwidth, the middle half of the values as a bar and the mean as a dot.

    Raises
    ------
    TbframeError
        If columns are missing, or there are no values of the metric.

    Examples
    --------
    >>> import polars as pl
    >>> from tbframe.research import plots
    >>> values = pl.DataFrame({"key": ["BH", "BH", "SB", "SB"], "metric": "tau_b",
    ...                        "value": [0.6, 0.7, 0.5, 0.7]})
    >>> plots.violins(values, "tau_b").to_dict()["title"]["text"]
    'tau_b by tie-break'
    """
    frame = needs(values, "key", "metric", "value").filter(
        pl.col("metric") == metric, pl.col("value").is_not_nan()
    )
    if frame.is_empty():
        raise TbframeError(f"there are no values of the metric {metric!r}")
    rows = (
        frame.group_by("key", maintain_order=True)
        .agg(
            low=pl.col("value").quantile(0.25, "linear"),
            mean=pl.col("value").mean(),
            high=pl.col("value").quantile(0.75, "linear"),
            tournaments=pl.len(),
        )
        .sort("mean", descending=True, maintain_order=True)
        .with_row_index("row")
    )
    shapes = pl.concat(
        [
            _density(row, frame.filter(key=key)["value"].to_numpy())
            for row, key in rows.select("row", "key").iter_rows()
        ]
    )
    vega = altair()
    keys = rows["key"].to_list()
    names = json.dumps([str(key) for key in keys])
    y = {
        "axis": vega.Axis(
            values=list(range(len(keys))),
            labelExpr=f"{names}[datum.value]",
            grid=False,
            ticks=False,
        ),
        "scale": vega.Scale(domain=[len(keys) - 0.5, -0.5], nice=False),
        "title": "tie-break after points",
    }
    colour = vega.Color("row:N", legend=None, scale=vega.Scale(range=CATEGORIES))
    x = {"title": metric, "scale": vega.Scale(zero=False)}
    body = (
        vega.Chart(shapes)
        .mark_area(opacity=0.45)
        .encode(
            x=vega.X("value:Q", **x), y=vega.Y("top:Q", **y), y2="bottom:Q", color=colour,
            detail="row:N",
        )
    )  # fmt: skip
    bar = (
        vega.Chart(rows)
        .mark_rule(strokeWidth=5)
        .encode(x=vega.X("low:Q", **x), x2="high:Q", y=vega.Y("row:Q", **y), color=colour)
    )
    dot = (
        vega.Chart(rows)
        .mark_point(filled=True, size=60, color="black", opacity=1)
        .encode(x=vega.X("mean:Q", **x), y=vega.Y("row:Q", **y))
    )
    most = rows["tournaments"].sort()[-1]
    about = f"{most:,} tournaments; dot: mean, bar: middle half"
    chart: alt.LayerChart = vega.layer(body, bar, dot).properties(
        width=WIDTH, height=_ROW * len(keys), title=title(f"{metric} by tie-break", about)
    )
    return chart


def _density(row: int, values: Floats) -> pl.DataFrame:
    """Estimate a density on a grid, as a shape of the room that a row has."""
    spread = float(values.std())
    middle_half = float(np.subtract(*np.percentile(values, [75, 25]))) / 1.34
    width = 0.9 * min(spread, middle_half or spread) * len(values) ** -0.2 or 1e-3
    grid = np.linspace(values.min() - 2 * width, values.max() + 2 * width, _POINTS)
    # Counted into fine bins first: a hundred thousand values cost no more than a hundred.
    count, edges = np.histogram(values, np.linspace(grid[0], grid[-1], 513))
    centres = (edges[1:] + edges[:-1]) / 2
    height = np.exp(-0.5 * ((grid[:, None] - centres) / width) ** 2) @ count
    half = _HALF * height / height.max()
    return pl.DataFrame({"value": grid, "top": row - half, "bottom": row + half}).with_columns(
        row=pl.lit(row)
    )


def metric_lines(
    summary: pl.DataFrame | pl.LazyFrame, x: str, *, metric: str, unit: str = ""
) -> alt.LayerChart:
    """Draw the mean of a metric against what was varied: rounds, players, spread.

    Parameters
    ----------
    summary
        ``key``, ``metric``, ``mean``, ``mean_low`` and ``mean_high`` (may be null) and the
        column `x`, one row per key, metric and `x`: the table of `tbframe.compare` split by `x`.
    x
        The column that was varied.
    metric
        The metric to draw.
    unit
        Of `x`, for the axis.

    Returns
    -------
    LayerChart
        A line for each key with its interval.

    Raises
    ------
    TbframeError
        If columns are missing, or there are no values of the metric.
    """
    frame = needs(summary, "key", "metric", "mean", "mean_low", "mean_high", x).filter(
        metric=metric
    )
    if frame.is_empty():
        raise TbframeError(f"there are no values of the metric {metric!r}")
    vega = altair()
    label = f"{x} ({unit})" if unit else x
    keys = frame["key"].unique(maintain_order=True).to_list()
    colour = vega.Color("key:N", sort=keys, title="tie-break", scale=vega.Scale(range=CATEGORIES))
    across = vega.X(f"{x}:Q", title=label, scale=vega.Scale(zero=False, nice=False))
    band = (
        vega.Chart(frame)
        .mark_area(opacity=0.2)
        .encode(x=across, y=vega.Y("mean_low:Q", title=metric), y2="mean_high:Q", color=colour)
    )
    line = (
        vega.Chart(frame)
        .mark_line(point=True)
        .encode(
            x=across,
            y=vega.Y("mean:Q", title=metric, scale=vega.Scale(zero=False)),
            color=colour,
        )
    )
    chart: alt.LayerChart = vega.layer(band, line).properties(
        width=WIDTH, height=280, title=title(f"{metric} against {x}")
    )
    return chart


def forest(
    comparison: pl.DataFrame | pl.LazyFrame, *, metric: str, reference: str = "the reference"
) -> alt.LayerChart:
    """Draw paired differences to a reference with their intervals.

    Parameters
    ----------
    comparison
        ``key``, ``metric``, ``difference``, ``difference_low`` and ``difference_high``, one row
        per key and metric: the table of `tbframe.compare`.
    metric
        The metric to draw.
    reference
        What the differences are to, for the axis.

    Returns
    -------
    LayerChart
        A dot and an interval for each key, the largest difference first, and a line at 0.

    Raises
    ------
    TbframeError
        If columns are missing, or there are no values of the metric.
    """
    frame = (
        needs(comparison, "key", "metric", "difference", "difference_low", "difference_high")
        .filter(metric=metric)
        .sort("difference", descending=True, nulls_last=True, maintain_order=True)
    )
    if frame.is_empty():
        raise TbframeError(f"there are no values of the metric {metric!r}")
    vega = altair()
    order = frame["key"].to_list()
    rows = vega.Y("key:N", sort=order, title="tie-break after points")
    label = f"difference in {metric} to {reference}"
    zero = (
        vega.Chart(pl.DataFrame({"zero": [0.0]}))
        .mark_rule(strokeDash=[4, 3], color="#777")
        .encode(x=vega.X("zero:Q", title=label))
    )
    interval = (
        vega.Chart(frame)
        .mark_rule(strokeWidth=2, color=CATEGORIES[0])
        .encode(x=vega.X("difference_low:Q", title=label), x2="difference_high:Q", y=rows)
    )
    dot = (
        vega.Chart(frame)
        .mark_point(filled=True, size=70, color=CATEGORIES[0], opacity=1)
        .encode(x=vega.X("difference:Q", title=label), y=rows)
    )
    chart: alt.LayerChart = vega.layer(zero, interval, dot).properties(
        width=WIDTH,
        height=24 * len(order),
        title=title(f"{metric}: paired differences to {reference}", "95 % intervals by tournament"),
    )
    return chart
