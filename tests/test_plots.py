"""Plots: what they draw is in their data, and they are written without a browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import tbframe as tb
from tbframe.research import calibrate, plots

VALUES = pl.DataFrame(
    {
        "tournament": [1, 2, 3] * 2,
        "key": ["BH"] * 3 + ["SB"] * 3,
        "metric": "tau_b",
        "value": [0.5, 0.6, 0.7, 0.3, 0.5, 0.4],
    }
)
COMPARED = pl.DataFrame(
    {
        "key": ["BH", "SB"],
        "metric": "tau_b",
        "mean": [0.6, 0.4],
        "difference": [0.0, -0.2],
        "mean_low": [0.5, 0.3],
        "mean_high": [0.7, 0.5],
        "difference_se": [0.0, 0.05],
        "difference_low": [0.0, -0.3],
        "difference_high": [0.0, -0.1],
        "events": 3,
        "rounds": [5, 5],
    }
)
AGREEMENT = pl.DataFrame(
    {
        "key": ["a", "a", "a", "b", "b", "b", "c", "c", "c"],
        "other": ["a", "b", "c"] * 3,
        "mean": [1.0, 0.4, -0.2, 0.4, 1.0, 0.4, -0.2, 0.4, 1.0],
    }
)
RANKS = pl.DataFrame(
    {
        "edition": ["2012"] * 3 + ["2026-03"] * 3,
        "round": [1, 1, 1, 2, 2, 2],
        "rank": [1, 2, 3, 2, 1, 3],
        "player": [7, 8, 9] * 2,
    }
)
DEPTHS = pl.DataFrame(
    {
        "what": ["neighbours"] * 3 + ["winner"],
        "decided_by": [None, "PTS", "BH", "PTS"],
        "depth": [0, 1, 2, 1],
        "number": [1, 8, 1, 5],
    }
)


@pytest.fixture(scope="module")
def calibration() -> Any:
    return calibrate(tb.simulate(events=60, seed=1))


def drawn(chart: Any) -> list[list[dict[str, Any]]]:
    """Return the rows that a chart draws, layer by layer."""
    return list(chart.to_dict()["datasets"].values())


ALL: list[Callable[[], Any]] = [
    lambda: plots.violins(VALUES, "tau_b"),
    lambda: plots.metric_lines(COMPARED, "rounds", metric="tau_b", unit="rounds"),
    lambda: plots.forest(COMPARED, metric="tau_b", reference="BH"),
    lambda: plots.agreement_heatmap(AGREEMENT),
    lambda: plots.ranking_map(AGREEMENT),
    lambda: plots.bump_chart(RANKS),
    lambda: plots.rank_path(RANKS),
    lambda: plots.depth_histogram(DEPTHS),
]


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize("kind", ["png", "svg"])
def test_every_plot_is_written_without_a_browser(
    tmp_path: Path, make: Callable[[], Any], kind: str
) -> None:
    path = tmp_path / f"plot.{kind}"
    make().save(path)
    start = {"png": b"\x89PNG", "svg": b"<svg"}[kind]
    assert path.read_bytes().startswith(start)
    assert path.stat().st_size > 2000


def test_violins_show_means_and_quartiles() -> None:
    # BH: 0.5 0.6 0.7, mean 0.6, quartiles 0.55 and 0.65; SB: 0.4, 0.35 and 0.45.
    rows = [row for rows in drawn(plots.violins(VALUES, "tau_b")) for row in rows if "mean" in row]
    found = {row["key"]: (row["row"], row["mean"], row["low"], row["high"]) for row in rows}
    assert found["BH"] == (0, pytest.approx(0.6), pytest.approx(0.55), pytest.approx(0.65))
    assert found["SB"] == (1, pytest.approx(0.4), pytest.approx(0.35), pytest.approx(0.45))


def test_a_hundred_thousand_values_are_summed_up_before_they_are_drawn() -> None:
    many = pl.concat([VALUES] * 20_000)
    assert sum(map(len, drawn(plots.violins(many, "tau_b")))) < 500


def test_the_forest_is_in_order_of_differences() -> None:
    chart = plots.forest(COMPARED.reverse(), metric="tau_b", reference="BH").to_dict()
    assert chart["layer"][1]["encoding"]["y"]["sort"] == ["BH", "SB"]
    assert chart["layer"][1]["encoding"]["x"]["title"] == "difference in tau_b to BH"


def test_the_map_keeps_distances_that_fit_a_line() -> None:
    # Distances .3, .6, .3: three points on a line, all in the first of two axes.
    (rows,) = drawn(plots.ranking_map(AGREEMENT))
    x = {row["key"]: row["x"] for row in rows}
    assert abs(x["a"] - x["b"]) == pytest.approx(0.3)
    assert abs(x["a"] - x["c"]) == pytest.approx(0.6)
    assert {round(abs(row["y"]), 6) for row in rows} == {0.0}


def test_depths_are_shares_of_pairs() -> None:
    (rows,) = drawn(plots.depth_histogram(DEPTHS))
    assert [(row["label"], row["share"]) for row in rows] == [
        ("1. PTS", 0.8), ("2. BH", 0.1), ("tied", 0.1),
    ]  # fmt: skip


def test_a_bump_chart_has_those_who_were_ever_in_the_top() -> None:
    rows = drawn(plots.bump_chart(RANKS, top=1))[0]
    assert {row["shown"] for row in rows} == {"7", "8"}
    assert {row["shown"] for row in drawn(plots.rank_path(RANKS, top=2))[0]} == {"7", "8"}


def test_the_calibration_plot(tmp_path: Path, calibration: Any) -> None:
    chart = plots.calibration_plot(calibration)
    chart.save(tmp_path / "fit.png")
    rows = drawn(chart)[0]
    assert all(row["games"] >= 30 for row in rows)
    assert all(0 <= row["low"] <= row["high"] <= 1 for row in rows)


def test_the_table_for_a_paper() -> None:
    table = plots.comparison_table(COMPARED, metric="tau_b", decimals=3)
    assert "\u22120.200" in table.as_raw_html()
    assert "-0.200" in table.as_latex()


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: plots.violins(VALUES, "rho"),
        lambda: plots.violins(VALUES.drop("key"), "tau_b"),
        lambda: plots.forest(COMPARED, metric="rho"),
        lambda: plots.metric_lines(COMPARED, "players", metric="tau_b"),
        lambda: plots.metric_lines(COMPARED, "rounds", metric="rho"),
        lambda: plots.ranking_map(AGREEMENT.filter(pl.col("mean") > 0)),
        lambda: plots.ranking_map(AGREEMENT.clear()),
        lambda: plots.comparison_table(COMPARED, metric="rho"),
        lambda: plots.depth_histogram(DEPTHS, what="prizes"),
    ],
)
def test_what_cannot_be_drawn_is_said(wrong: Callable[[], object]) -> None:
    with pytest.raises(tb.TbframeError, match=r"needs the columns|no values|no rows|each two"):
        wrong()
