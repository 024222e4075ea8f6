"""One tournament under several texts or over its rounds, and what decided places in many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from tbframe.research.plots.drawing import CATEGORIES, WIDTH, altair, needs, title

if TYPE_CHECKING:
    import altair as alt

__all__ = ["bump_chart", "depth_histogram", "rank_path"]


def bump_chart(
    standings: pl.DataFrame | pl.LazyFrame, *, top: int = 12, by: str = "edition"
) -> alt.LayerChart:
    """Draw how ranks change from one text to the next.

    Parameters
    ----------
    standings
        ``rank``, ``player`` (and ``name``, where known) and the column `by`: standings of one
        tournament under several texts, one below the other.
    top
        How many places are drawn: of those who have one of them under any text.
    by
        The column that tells the standings apart, in the order of its rows.

    Returns
    -------
    LayerChart
        A line for each player.

    Raises
    ------
    TbframeError
        If columns are missing or there are no rows.
    """
    frame = needs(standings, "rank", "player", by)
    steps = frame[by].unique(maintain_order=True).to_list()
    return _lines(frame, by, top, kind="N", sort=steps, label=by, text=f"Ranks by {by}")


def rank_path(standings: pl.DataFrame | pl.LazyFrame, *, top: int = 8) -> alt.LayerChart:
    """Draw the ranks of one tournament round by round.

    Parameters
    ----------
    standings
        ``round``, ``rank`` and ``player`` (and ``name``, where known): standings after each round,
        one below the other.
    top
        How many players are drawn: the first in the last round.

    Returns
    -------
    LayerChart
        A line for each player.

    Raises
    ------
    TbframeError
        If columns are missing or there are no rows.
    """
    frame = needs(standings, "round", "rank", "player")
    last = frame.filter(pl.col("round") == pl.col("round").max(), pl.col("rank") <= top)
    chosen = frame.filter(pl.col("player").is_in(last["player"].implode()))
    return _lines(
        chosen, "round", None, kind="O", sort=None, label="after round", text="Ranks by round"
    )


def _lines(
    frame: pl.DataFrame,
    x: str,
    top: int | None,
    *,
    kind: str,
    sort: list[object] | None,
    label: str,
    text: str,
) -> alt.LayerChart:
    if top is not None:
        best = frame.filter(pl.col("rank") <= top)["player"].unique()
        frame = frame.filter(pl.col("player").is_in(best.implode()))
    shown = pl.col("player").cast(pl.String)
    if "name" in frame.columns:
        shown = pl.coalesce("name", shown)
    frame = frame.with_columns(shown=shown)
    last = frame.filter(pl.col(x) == frame[x].to_list()[-1])
    vega = altair()
    across = vega.X(f"{x}:{kind}", sort=sort, title=label, axis=vega.Axis(labelAngle=0))
    lowest = int(frame["rank"].sort()[-1])
    down = vega.Y(
        "rank:Q",
        title="rank",
        scale=vega.Scale(domain=[lowest + 0.5, 0.5], nice=False),
        axis=vega.Axis(
            values=[1, *range(5, lowest + 1, 5)] if lowest > 12 else list(range(1, lowest + 1)),
            format="d",
        ),
    )
    colour = vega.Color("shown:N", legend=None, scale=vega.Scale(range=CATEGORIES))
    line = (
        vega.Chart(frame)
        .mark_line(point=vega.OverlayMarkDef(size=55), strokeWidth=2)
        .encode(x=across, y=down, color=colour, detail="shown:N")
    )
    # Those who share a rank share a label.
    ends = last.group_by(x, "rank").agg(shown=pl.col("shown").sort().str.join(", "))
    name = vega.Chart(ends).mark_text(align="left", dx=9).encode(x=across, y=down, text="shown:N")
    chart: alt.LayerChart = vega.layer(line, name).properties(
        width=WIDTH, height=max(200, 22 * frame["rank"].n_unique()), title=title(text)
    )
    return chart


def depth_histogram(summary: pl.DataFrame | pl.LazyFrame, *, what: str = "neighbours") -> alt.Chart:
    """Draw which criterion decided.

    Parameters
    ----------
    summary
        ``what``, ``decided_by``, ``depth`` (1: the first criterion; 0: tied) and ``number``: the
        `summary` of `tbframe.resolution`.
    what
        ``"neighbours"`` in the standings, or a line: ``"winner"``, ``"podium"``.

    Returns
    -------
    Chart
        A bar for each criterion in the order of depth, ties last.

    Raises
    ------
    TbframeError
        If columns are missing or there are no rows of `what`.
    """
    frame = needs(summary, "what", "decided_by", "depth", "number").filter(what=what)
    bars = (
        needs(frame, "number")
        .group_by("depth", "decided_by")
        .agg(pl.col("number").sum())
        .sort(pl.col("depth") == 0, "depth")
        .with_columns(
            share=pl.col("number") / pl.col("number").sum(),
            label=pl.when(pl.col("depth") == 0)
            .then(pl.lit("tied"))
            .otherwise(pl.format("{}. {}", "depth", "decided_by")),
        )
    )
    vega = altair()
    unit = "neighbouring pairs" if what == "neighbours" else "tournaments"
    chart: alt.Chart = (
        vega.Chart(bars)
        .mark_bar(color=CATEGORIES[0])
        .encode(
            x=vega.X("label:N", sort=bars["label"].to_list(), title="deciding criterion",
                     axis=vega.Axis(labelAngle=-30)),
            y=vega.Y("share:Q", title=f"share of {unit}", axis=vega.Axis(format="%")),
        )
        .properties(
            width=WIDTH,
            height=260,
            title=title(f"What decided: {what}", f"{bars['number'].sum():,} {unit}"),
        )
    )  # fmt: skip
    return chart
