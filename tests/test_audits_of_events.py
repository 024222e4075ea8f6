"""Colours, schedules and result models of events."""

from __future__ import annotations

from math import sqrt

import polars as pl
import pytest

import tbframe as tb
from tbframe.research import (
    calibrate,
    colour_balance,
    extra_white,
    floats,
    models,
    pairing_number_correlation,
    schedule_strength,
)


def games(*rows: tuple[int, int, int, str]) -> tb.Archive:
    table = pl.DataFrame(list(rows), schema=["round", "white", "black", "result"], orient="row")
    return tb.from_games(table)


#: Four players, three rounds: 1 has White twice and Black once, and so on.
FOUR = games(
    (1, 1, 3, "1-0"), (1, 4, 2, "1/2-1/2"), (2, 1, 4, "1-0"), (2, 3, 2, "0-1"),
    (3, 2, 1, "0-1"), (3, 3, 4, "1-0"),
)  # fmt: skip


def test_colours_are_counted() -> None:
    # 1: W W B, 2: B B W, 3: B W W, 4: W B B. All differ by one; the longest runs are two.
    assert colour_balance(FOUR).drop("tournament").row(0) == (4, 4, 1, 0, 2)
    # One more White for player 1 in rounds 1 and 3 only, with a bye between: a run of two.
    archive = games((1, 1, 2, "1-0"), (3, 1, 2, "1-0"))
    assert colour_balance(archive).drop("tournament").row(0) == (2, 4, 2, 2, 2)


def test_the_effect_of_white_by_hand() -> None:
    # Points above a half each game: 1: 3 - 1.5 = 1.5, 2: 1.5 - 1.5 = 0, 3: 1 - 1.5 = -.5,
    # 4: .5 - 1.5 = -1; Whites more: 1, -1, 1, -1. Slope (1.5 - 0 - .5 + 1) / 4 = .5.
    raw = extra_white(FOUR).filter(model="raw").row(0, named=True)
    assert raw["effect"] == pytest.approx(0.5)
    assert (raw["players"], raw["tournaments"], raw["se"]) == (4, 1, None)
    rating = extra_white(FOUR).filter(model="rating").row(0, named=True)
    assert (rating["effect"], rating["players"]) == (None, 0)  # nobody is rated


def test_the_standard_error_is_that_of_repetition() -> None:
    white = models.coin_flip(0.3)
    effects = [
        extra_white(
            tb.simulate(events=40, players=8, pairing="berger", model=white, seed=seed)
        ).row(0, named=True)
        for seed in range(60)
    ]
    values = pl.Series([row["effect"] for row in effects])
    mean_se = pl.Series([row["se"] for row in effects]).mean()
    assert isinstance(mean_se, float)
    spread = values.std()
    assert isinstance(spread, float)
    assert spread == pytest.approx(mean_se, rel=4 / sqrt(2 * 60))
    covered = sum(row["low"] <= 0 <= row["high"] for row in effects)
    assert covered >= 50  # 95 % of 60 is 57, the standard deviation 1.7


def test_floats_are_games_between_different_scores() -> None:
    # Before round 2 there are 1: 1, 2: 1/2, 3: 0, 4: 1/2. Both games are floats of half a point.
    # Before round 3: 2, 1.5, 0, 0.5: gaps of .5 and .5.
    assert floats(FOUR).select("round", "games", "floats", "gap").rows() == [
        (1, 2, 0, 0.0), (2, 2, 2, 0.5), (3, 2, 2, 0.5),
    ]  # fmt: skip


def test_schedule_strength_by_hand() -> None:
    # Round 1 of four: 1 beats 3 and 4 beats 2. 1 and 4 are level, with opponents of 1800 and 1900:
    # mean 1850, deviations 50 with one degree of freedom; 2 and 3 met 1600 and 2000, mean 1800,
    # deviations 200. Within: sqrt((2 * 50^2 + 2 * 200^2) / 2) = 206.16.
    rating = [2000, 1900, 1800, 1600]
    archive = tb.from_games(
        pl.DataFrame({"round": [1, 1], "white": [1, 4], "black": [3, 2], "result": ["1-0"] * 2}),
        players=pl.DataFrame({"player": [1, 2, 3, 4], "rating": rating}),
    )
    row = schedule_strength(archive).row(0, named=True)
    assert (row["players"], row["mean"]) == (4, 1825)
    assert row["within"] == pytest.approx(sqrt((2 * 50**2 + 2 * 200**2) / 2))
    with pytest.raises(tb.TbframeError, match="no numeric column 'strength'"):
        schedule_strength(archive, "strength")


def test_correlation_with_the_pairing_number() -> None:
    # 1 and 4 are level and so are 2 and 3; opponents' ratings 1800 (of 1), 1900 (of 4), 1600 (of
    # 2), 2000 (of 3): the higher number has the better average twice: -1.
    archive = tb.from_games(
        pl.DataFrame({"round": [1, 1], "white": [1, 4], "black": [3, 2], "result": ["1-0"] * 2}),
        players=pl.DataFrame({"player": [1, 2, 3, 4], "rating": [2000, 1900, 1800, 1600]}),
    )
    assert pairing_number_correlation(archive, "ARO").select("players", "correlation").row(0) == (
        4, pytest.approx(-1),
    )  # fmt: skip
    assert pairing_number_correlation(archive, "WIN")["correlation"].to_list() == [None]
    named = pl.DataFrame({"round": [1], "white": ["a"], "black": ["b"], "result": ["1-0"]})
    with pytest.raises(tb.TbframeError, match="texts"):
        pairing_number_correlation(tb.from_games(named), "BH")


@pytest.mark.parametrize(
    ("name", "model", "draw"),
    [
        ("davidson", models.davidson(0.6, advantage=40), 0.6),
        ("rao_kupper", models.rao_kupper(120, advantage=40), 120),
        ("ordinal", models.ordinal(90, advantage=40), 90),
    ],
)
def test_a_model_is_found_again(name: str, model: models.ResultModel, draw: float) -> None:
    archive = tb.simulate(events=1500, players=16, rounds=5, model=model, seed=6)
    found = calibrate(archive, name)
    assert found.games == 1500 * 8 * 5
    assert found.draw == pytest.approx(draw, rel=0.05)
    assert found.advantage == pytest.approx(40, abs=6)
    assert found.scale == pytest.approx(1, abs=0.05)
    # Observed and fitted shares differ by chance only.
    off = found.table.filter(pl.col("games") > 200).select(
        ((pl.col("observed") - pl.col("fitted")) / pl.col("se")).abs()
    )
    assert (off.to_series() > 3).mean() < 0.02
    assert found.model(2000, 2000)[1] == pytest.approx(model(2000, 2000)[1], abs=0.02)
    sums = found.table.group_by("bin").agg(pl.col("observed").sum(), pl.col("fitted").sum())
    assert sums["observed"].to_list() == pytest.approx([1] * sums.height)
    assert sums["fitted"].to_list() == pytest.approx([1] * sums.height)


def test_what_cannot_be_fitted_is_said() -> None:
    decisive = tb.simulate(events=20, model=models.elo())
    with pytest.raises(tb.TbframeError, match="wins, draws and losses"):
        calibrate(decisive)
    with pytest.raises(tb.TbframeError, match="wins, draws and losses"):
        calibrate(tb.simulate(events=0))
    with pytest.raises(tb.TbframeError, match="one of davidson"):
        calibrate(decisive, "glicko")
    with pytest.raises(tb.TbframeError, match="wider"):
        calibrate(decisive, bins=0)


def test_empty_archives_give_empty_tables() -> None:
    archive = tb.simulate(events=0)
    for function in (colour_balance, floats, schedule_strength):
        assert function(archive).is_empty()
    assert pairing_number_correlation(archive, "BH").is_empty()
    assert extra_white(archive)["effect"].to_list() == [None, None]
