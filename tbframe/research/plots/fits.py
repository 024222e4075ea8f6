"""How well a result model fits games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from tbframe.research.audits.calibration import Calibration
from tbframe.research.plots.drawing import CATEGORIES, WIDTH, altair, needs, title

if TYPE_CHECKING:
    import altair as alt

__all__ = ["calibration_plot"]


def calibration_plot(calibration: Calibration, *, fewest: int = 30) -> alt.LayerChart:
    """Draw observed and fitted shares of results against the rating difference.

    Parameters
    ----------
    calibration
        From `tbframe.research.calibrate`.
    fewest
        Intervals with fewer games are left out.

    Returns
    -------
    LayerChart
        For each result a line as fitted, and a dot with two standard errors as observed.

    Raises
    ------
    TbframeError
        If no interval has so many games.

    Examples
    --------
    >>> import tbframe as tb
    >>> from tbframe.research import calibrate, plots
    >>> fitted = calibrate(tb.simulate(events=100, seed=1))
    >>> plots.calibration_plot(fitted).to_dict()["title"]["text"]
    'Results observed and fitted'
    """
    table = calibration.table.filter(pl.col("games") >= fewest)
    table = needs(table, "bin", "outcome", "observed", "fitted", "se")
    width = table["bin"].unique().sort().diff().min() or 0.0
    frame = table.with_columns(
        difference=pl.col("bin") + width / 2,  # type: ignore[operator]  # numbers
        low=(pl.col("observed") - 2 * pl.col("se")).clip(0, 1),
        high=(pl.col("observed") + 2 * pl.col("se")).clip(0, 1),
    )
    vega = altair()
    x = vega.X("difference:Q", title="rating of White minus rating of Black (rating points)")
    order = ["1-0", "draw", "0-1"]
    colour = vega.Color("outcome:N", sort=order, title="result", scale=vega.Scale(range=CATEGORIES))
    share = "share of games"
    line = (
        vega.Chart(frame).mark_line().encode(x=x, y=vega.Y("fitted:Q", title=share), color=colour)
    )
    bar = (
        vega.Chart(frame)
        .mark_rule()
        .encode(x=x, y=vega.Y("low:Q", title=share), y2="high:Q", color=colour)
    )
    dot = (
        vega.Chart(frame)
        .mark_point(filled=True, size=35, opacity=1)
        .encode(x=x, y=vega.Y("observed:Q", title=share), color=colour)
    )
    chart: alt.LayerChart = vega.layer(line, bar, dot).properties(
        width=WIDTH,
        height=280,
        title=title(
            "Results observed and fitted",
            f"{calibration.games:,} games; lines: the model, dots: observed, two standard errors",
        ),
    )
    return chart
