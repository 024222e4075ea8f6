"""Simulated events: pairings, colours, result models, absences, and what they depend on."""

from __future__ import annotations

from math import sqrt

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tbframe as tb
from tbframe.research import models
from tbframe.research.simulation.berger import berger
from tbframe.research.simulation.colours import Colours
from tbframe.research.simulation.mending import mend
from tbframe.research.simulation.seeds import Events
from tbframe.research.simulation.swiss import fold

#: FIDE Handbook C.05 annex 1, 7 or 8 players: White first.
BERGER_8 = [
    "1-8 2-7 3-6 4-5", "8-5 6-4 7-3 1-2", "2-8 3-1 4-7 5-6", "8-6 7-5 1-4 2-3",
    "3-8 4-2 5-1 6-7", "8-7 1-6 2-5 3-4", "4-8 5-3 6-2 7-1",
]  # fmt: skip


def games_of(archive: tb.Archive) -> pl.DataFrame:
    return archive.results.filter(pl.col("result").is_in(["1", "=", "0"]))


def test_berger_tables_are_those_of_the_handbook() -> None:
    opponent, colour = berger(8)
    for number, line in enumerate(BERGER_8):
        for pair in line.split():
            white, black = (int(side) - 1 for side in pair.split("-"))
            assert opponent[number, white] == black
            assert opponent[number, black] == white
            assert (colour[number, white], colour[number, black]) == (1, -1)


def test_the_player_who_would_meet_the_eighth_of_seven_rests() -> None:
    opponent, colour = berger(7)
    assert [int(np.flatnonzero(row < 0)[0]) + 1 for row in opponent] == [1, 5, 2, 6, 3, 7, 4]
    assert colour[0].tolist() == [0, 1, 1, 1, -1, -1, -1]


def test_a_second_cycle_has_the_other_colours() -> None:
    opponent, colour = berger(4, cycles=2)
    assert (opponent[:3] == opponent[3:]).all()
    assert (colour[:3] == -colour[3:]).all()


@pytest.mark.parametrize(
    ("white", "black", "expected"),
    [
        (1400, 1400, (0.443, 0.143, 0.414)),
        (2000, 2000, (0.355, 0.363, 0.282)),
        (2600, 2600, (0.276, 0.545, 0.180)),
        (2800, 2800, (0.252, 0.596, 0.153)),
        (2000, 1800, (0.670, 0.219, 0.111)),
        (1800, 2000, (0.144, 0.255, 0.601)),
        (2200, 2400, (0.117, 0.379, 0.505)),
        (1400, 2200, (0.004, 0.010, 0.986)),
    ],
)
def test_the_checkers_model_by_its_published_numbers(
    white: int, black: int, expected: tuple[float, float, float]
) -> None:
    found = models.fide_checker()(white, black)
    assert [float(p) for p in found] == pytest.approx(expected, abs=0.0006)


def test_the_checkers_model_ends_where_draws_would_be_negative() -> None:
    win, draw, loss = models.fide_checker()(1038, 1038)
    assert float(draw) == pytest.approx(0, abs=0.001)
    with pytest.raises(tb.TbframeError, match=r"below a mean rating of 1037\.6"):
        models.fide_checker()(1037, 1037)
    win, draw, loss = models.fide_checker(clamp=True)(800, 800)
    assert float(draw) == 0
    assert float(win + loss) == 1


def test_models_keep_their_equations() -> None:
    # E of 200 points is 0.7597: E^2 = .577, 2E(1-E) = .365, (1-E)^2 = .058.
    assert [round(float(p), 3) for p in models.product_draw()(2200, 2000)] == [0.577, 0.365, 0.058]
    win, draw, loss = models.davidson(0.7)(2300, 2100)
    assert float(draw) == pytest.approx(0.7 * sqrt(float(win * loss)))
    assert float(win / loss) == pytest.approx(10 ** (200 / 400))
    win, draw, loss = models.rao_kupper(120, advantage=0)(2300, 2100)
    assert float(draw) == pytest.approx((10 ** (120 / 200) - 1) * float(win * loss))
    assert [float(p) for p in models.deterministic()(1, 1)] == [0, 1, 0]
    assert [float(p) for p in models.coin_flip(0.5)(9, 1)] == [0.25, 0.5, 0.25]


ALL_MODELS = [
    models.elo(advantage=35), models.product_draw(), models.davidson(0.4, advantage=20),
    models.rao_kupper(), models.ordinal(80, advantage=30), models.fide_checker(clamp=True),
    models.coin_flip(0.3), models.deterministic(),
]  # fmt: skip


@pytest.mark.parametrize("model", ALL_MODELS, ids=repr)
@given(white=st.floats(-5000, 9000), black=st.floats(-5000, 9000))
@settings(max_examples=40, deadline=None)
def test_probabilities_are_some(model: models.ResultModel, white: float, black: float) -> None:
    found = [float(p) for p in model(white, black)]
    assert all(-1e-12 <= p <= 1 for p in found)
    assert sum(found) == pytest.approx(1)


def test_wrong_parameters_are_refused() -> None:
    for wrong in (
        lambda: models.davidson(-1),
        lambda: models.rao_kupper(-1),
        lambda: models.ordinal(1, spread=0),
        lambda: models.coin_flip(1.5),
        lambda: models.uniform(2, 1),
        lambda: models.normal(0, -1),
        lambda: tb.simulate(events=1, players=4, strengths=models.fixed(1, 2)),
        lambda: tb.simulate(events=-1),
        lambda: tb.simulate(events=1, pairing="dutch"),
        lambda: tb.simulate(events=1, players=8, rounds=3, pairing="berger"),
        lambda: tb.simulate(events=1, players=8, rounds=9),
        lambda: tb.simulate(events=1, forfeits=1.5),
        lambda: tb.simulate(events=1, zero_point_byes=0.6, half_point_byes=0.6),
    ):
        with pytest.raises(tb.TbframeError):
            wrong()


def _nobody_met(players: int) -> np.ndarray:
    return np.zeros((1, players, players), np.bool_)


def test_the_upper_half_of_each_score_group_meets_the_lower() -> None:
    # Points (in halves) 2 2 2 2 0 0 0 0: 1-3, 2-4 and 5-7, 6-8.
    points = np.array([[2, 2, 2, 2, 0, 0, 0, 0]])
    pairs = fold(points, points >= 0, _nobody_met(8), None)
    assert pairs[0].tolist() == [2, 3, 0, 1, 6, 7, 4, 5]


def test_the_last_of_an_odd_group_meets_the_first_of_the_next() -> None:
    # Three with a point: 1-2, and 3 goes down to meet 4; then 5-6.
    points = np.array([[2, 2, 2, 0, 0, 0]])
    pairs = fold(points, points >= 0, _nobody_met(6), None)
    assert pairs[0].tolist() == [1, 0, 3, 2, 5, 4]


def test_who_has_met_takes_the_next_place() -> None:
    met = _nobody_met(4)
    met[0, 0, 2] = met[0, 2, 0] = True
    points = np.zeros((1, 4), np.int64)
    assert fold(points, points >= 0, met, None)[0].tolist() == [3, 2, 1, 0]


def test_a_dead_end_opens_as_few_pairs_as_possible() -> None:
    # 1-3 and 2-4 are paired; 5 and 6 are left over and have met; 3-5, 4-5 as well.
    met = np.zeros((6, 6), np.bool_)
    for one, other in [(4, 5), (2, 4), (3, 4)]:
        met[one, other] = met[other, one] = True
    opponent = np.array([2, 3, 0, 1, -1, -1])
    mended = mend(opponent, np.ones(6, np.bool_), met, np.arange(6))
    # Opening 2-4 alone is enough: 5 with 2 and 6 with 4. 1-3 stays.
    assert mended.tolist() == [2, 4, 0, 5, 1, 3]


def test_no_pairing_left_is_said() -> None:
    met = np.ones((2, 2), np.bool_)
    with pytest.raises(tb.TbframeError, match="fewer rounds"):
        mend(np.array([-1, -1]), np.ones(2, np.bool_), met, np.arange(2))


def test_colours_alternate_and_the_higher_player_has_his_wish() -> None:
    colours = Colours(1, 4, np.array([1]))
    points = np.zeros((1, 4), np.int64)
    pairs = np.array([[2, 3, 0, 1]])
    first = colours.give(pairs, points)
    assert first[0].tolist() == [1, -1, -1, 1]  # boards take turns: 1-3, 4-2
    colours.remember(first)
    # 1 and 4 both had White: the higher one has Black; 2 and 3 both had Black.
    second = colours.give(np.array([[3, 2, 1, 0]]), points)
    assert second[0].tolist() == [-1, 1, -1, 1]


def test_nobody_meets_twice_and_colours_are_balanced() -> None:
    archive = tb.simulate(events=300, players=20, rounds=7, seed=2)
    games = games_of(archive)
    pairs = games.group_by("tournament", "player", "opponent").len()
    assert pairs["len"].max() == 1
    white = (pl.col("color") == "w").cast(pl.Int32)
    balance = games.group_by("tournament", "player").agg((2 * white - 1).sum().alias("balance"))
    share = (balance["balance"].abs() <= 1).mean()
    assert share is not None
    assert share > 0.99
    assert archive.check().is_empty()


def test_an_event_depends_on_seed_and_number_only() -> None:
    options = {"players": 15, "rounds": 5, "withdrawals": 0.05, "forfeits": 0.05,
               "half_point_byes": 0.1, "rating_noise": 30.0, "unrated": 0.1}  # fmt: skip
    many = tb.simulate(events=5000, seed=11, **options)  # more than one batch
    few = tb.simulate(events=7, seed=11, **options)
    assert many.results.filter(pl.col("tournament") <= 7).equals(few.results)
    assert many.players.filter(pl.col("tournament") <= 7).equals(few.players)
    last = many.results.filter(pl.col("tournament") == 5000)
    assert last.height == 15 * 5
    assert not tb.simulate(events=7, seed=12, **options).results.equals(few.results)


def test_purposes_do_not_share_their_numbers() -> None:
    events = Events(3, 0, 2000)
    one, other = events.uniform("result", 3).ravel(), events.uniform("strength", 3).ravel()
    assert abs(np.corrcoef(one, other)[0, 1]) < 4 / sqrt(one.size)
    assert abs(one.mean() - 0.5) < 4 * sqrt(1 / 12 / one.size)
    assert abs(events.normal("x", 3).std() - 1) < 4 / sqrt(2 * one.size)


def test_results_come_as_often_as_the_model_says() -> None:
    model = models.davidson(0.6, advantage=50)
    archive = tb.simulate(events=4000, players=2, rounds=1, model=model,
                          strengths=models.fixed(2000, 2000))  # fmt: skip
    white = games_of(archive).filter(color="w")["result"].to_list()
    for code, expected in zip("1=0", model(2000, 2000), strict=True):
        p = float(expected)
        assert abs(white.count(code) / 4000 - p) < 4 * sqrt(p * (1 - p) / 4000)


def test_the_stronger_wins_a_deterministic_round_robin() -> None:
    archive = tb.simulate(events=20, players=7, pairing="berger", model=models.deterministic())
    ranked = archive.standings("PTS").join(archive.players, on=["tournament", "player"])
    by_strength = ranked.select(
        "rank", own=pl.col("strength").rank("min", descending=True).over("tournament")
    )
    assert by_strength.filter(pl.col("rank") != pl.col("own")).is_empty()
    assert archive.results.height == 20 * 7 * 6
    assert archive.tournaments["pairing"].unique().to_list() == ["predetermined"]
    assert archive.check().is_empty()


def test_starting_numbers_follow_ratings_and_unrated_come_last() -> None:
    archive = tb.simulate(events=50, players=12, rounds=3, rating_noise=80, unrated=0.3)
    rating = archive.players["rating"].to_numpy().reshape(50, 12)
    shown = np.where(np.isnan(rating), -1, rating)
    assert (np.diff(shown, axis=1) <= 0).all()
    assert 0.2 < np.isnan(rating).mean() < 0.4


def test_absences_come_as_often_as_asked_for() -> None:
    archive = tb.simulate(events=2000, players=20, rounds=5, withdrawals=0.1, seed=5)
    absent = archive.results.with_columns(away=pl.col("result") == "Z")
    # In round r those are away who left after one of r - 1 rounds: 1 - 0.9^(r-1).
    for number in range(1, 6):
        p = 1 - 0.9 ** (number - 1)
        share = absent.filter(round=number)["away"].mean()
        assert share == pytest.approx(p, abs=4 * sqrt(p * (1 - p) / 40_000) + 1e-12)
    gone = absent.sort("tournament", "player", "round").select(
        pl.col("away") | ~pl.col("away").shift().over("tournament", "player").fill_null(value=False)
    )
    assert gone.to_series().all()  # nobody comes back
    byes = tb.simulate(events=2000, players=20, rounds=5, half_point_byes=0.1, late_entries=0.2)
    share = byes.results.group_by("round").agg(
        (pl.col("result") == "H").mean().alias("H"), (pl.col("result") == "Z").mean().alias("Z")
    ).sort("round")  # fmt: skip
    assert share["H"].to_list()[3:] == [0, 0]
    assert share["Z"].to_list()[1:] == [0, 0, 0, 0]
    assert share["Z"][0] == pytest.approx(0.2, abs=0.01)
    assert share["H"][1] == pytest.approx(0.1, abs=0.01)


def test_forfeits_come_on_both_sides() -> None:
    archive = tb.simulate(events=1000, players=10, rounds=4, forfeits=0.1)
    share = (archive.results["result"] == "+").mean()
    assert share == pytest.approx(0.05, abs=0.005)
    by_white = archive.results.filter(result="+")["color"].value_counts(normalize=True)
    assert by_white.filter(color="w")["proportion"].item() == pytest.approx(0.5, abs=0.05)


def test_the_bye_goes_to_everybody_once_at_most() -> None:
    archive = tb.simulate(events=200, players=9, rounds=5)
    byes = archive.results.filter(result="U")
    assert byes.height == 200 * 5
    assert byes.group_by("tournament", "player").len()["len"].max() == 1


@pytest.mark.parametrize(
    ("players", "rounds", "rows"), [(0, None, 0), (1, None, 0), (2, 1, 2), (3, None, 6), (4, 3, 12)]
)
def test_small_events(players: int, rounds: int | None, rows: int) -> None:
    archive = tb.simulate(events=3, players=players, rounds=rounds)
    assert archive.results.height == 3 * rows
    assert archive.players.height == 3 * players
    assert archive.tournaments.height == 3
    assert tb.simulate(events=0, players=players).tournaments.is_empty()


def test_fides_dutch_system_by_an_independent_program() -> None:
    archive = tb.simulate(events=3, players=11, rounds=5, pairing=models.dutch(), seed=4,
                          half_point_byes=0.05, forfeits=0.05, withdrawals=0.03)  # fmt: skip
    assert archive.check().is_empty()
    games = games_of(archive)
    assert games.group_by("tournament", "player", "opponent").len()["len"].max() == 1
    # Without anybody away, round 1 is the fold: 1-6, 2-7 ... of ten.
    plain = tb.simulate(events=2, players=10, rounds=1, pairing=models.dutch(), seed=4)
    ours = tb.simulate(events=2, players=10, rounds=1, seed=4)
    assert plain.results.equals(ours.results)


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(tb.SourceError, match="no such program"):
        models.bbp_pairings("no/such/program")
