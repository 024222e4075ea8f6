"""How far tie-breaks agree with each other: a heat map, and a map on which the like lie close."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from tbframe.errors import TbframeError
from tbframe.research.plots.drawing import CATEGORIES, altair, needs, title
from tbframe.research.simulation.seeds import Floats

if TYPE_CHECKING:
    import altair as alt

__all__ = ["agreement_heatmap", "ranking_map"]


def agreement_heatmap(
    agreement: pl.DataFrame | pl.LazyFrame, *, label: str = "agreement"
) -> alt.LayerChart:
    """Draw how far each two tie-breaks agree.

    Parameters
    ----------
    agreement
        ``key``, ``other`` and ``mean``, one row for each two, as of
        `tbframe.research.agreement_matrix`.
    label
        What the values are.

    Returns
    -------
    LayerChart
        A square for each two, the value printed in it.

    Raises
    ------
    TbframeError
        If columns are missing or there are no rows.
    """
    frame = needs(agreement, "key", "other", "mean")
    keys = frame["key"].unique(maintain_order=True).to_list()
    vega = altair()
    low = float(frame["mean"].min() or 0.0)  # type: ignore[arg-type]  # a number
    base = vega.Chart(frame).encode(
        x=vega.X("key:N", sort=keys, title=None, axis=vega.Axis(labelAngle=-45)),
        y=vega.Y("other:N", sort=keys, title=None),
    )
    square = base.mark_rect().encode(
        color=vega.Color("mean:Q", title=label, scale=vega.Scale(scheme="viridis", domain=[low, 1]))
    )
    number = base.mark_text(fontSize=10).encode(
        text=vega.Text("mean:Q", format=".2f"),
        color=vega.condition(
            f"datum.mean > {(low + 1) / 2}", vega.value("black"), vega.value("white")
        ),
    )
    side = 44 * len(keys)
    chart: alt.LayerChart = vega.layer(square, number).properties(
        width=side, height=side, title=title("Agreement of tie-breaks", f"mean {label}")
    )
    return chart


def ranking_map(agreement: pl.DataFrame | pl.LazyFrame) -> alt.LayerChart:
    """Draw tie-breaks on a map: the farther apart, the less they agree.

    Parameters
    ----------
    agreement
        ``key``, ``other`` and ``mean`` from -1 to 1, one row for each two, as for
        `agreement_heatmap`.

    Returns
    -------
    LayerChart
        Classical multidimensional scaling of the distances (1 - mean) / 2 to two dimensions; the
        subtitle tells the share of the squared distances that the map keeps.

    Raises
    ------
    TbframeError
        If columns are missing, or some two are.

    Notes
    -----
    Torgerson 1952; for rankings of teams: Csató 2013. Only distances mean something; the
    directions do not.
    """
    frame = needs(agreement, "key", "other", "mean")
    keys = frame["key"].unique(maintain_order=True).to_list()
    number = {key: at for at, key in enumerate(keys)}
    distance = np.full((len(keys), len(keys)), np.nan)
    for key, other, value in frame.select("key", "other", "mean").iter_rows():
        if other in number:
            distance[number[key], number[other]] = (1 - value) / 2
    np.fill_diagonal(distance, 0.0)
    distance = np.where(np.isnan(distance), distance.T, distance)
    if np.isnan(distance).any():
        raise TbframeError("each two tie-breaks need a value")
    place, kept = _scaled(distance)
    points = pl.DataFrame({"key": keys, "x": place[:, 0], "y": place[:, 1]})
    vega = altair()
    reach = float(np.abs(place).max()) * 1.25 or 1.0
    scale = vega.Scale(domain=[-reach, reach])
    blank = vega.Axis(labels=False, ticks=False, grid=False, title="distance: (1 - agreement) / 2")
    base = vega.Chart(points).encode(
        x=vega.X("x:Q", scale=scale, axis=blank), y=vega.Y("y:Q", scale=scale, axis=blank)
    )
    dot = base.mark_point(filled=True, size=70, color=CATEGORIES[0], opacity=1)
    name = base.mark_text(dy=-11).encode(text="key:N")
    chart: alt.LayerChart = vega.layer(dot, name).properties(
        width=380,
        height=380,
        title=title(
            "Map of tie-breaks", f"close: alike; {kept:.0%} of the squared distances are kept"
        ),
    )
    return chart


def _scaled(distance: Floats) -> tuple[Floats, float]:
    """Place points so that their distances are as asked for; tell how much two axes keep."""
    size = len(distance)
    centre = np.eye(size) - 1 / size
    values, vectors = np.linalg.eigh(-0.5 * centre @ distance**2 @ centre)
    first = np.argsort(values)[::-1][:2]
    positive = np.maximum(values, 0)
    place = np.zeros((size, 2))
    place[:, : len(first)] = vectors[:, first] * np.sqrt(positive[first])
    return place, float(positive[first].sum() / (positive.sum() or 1.0))
