"""Comparisons of tie-breaks, against standings that are looked at one by one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from scipy import stats

import tbframe as tb
from benchmarks.synthetic import mixed_sizes, swiss_results
from tbframe.errors import CodeError, EditionError, TbframeError
from tbframe.research import agreement_matrix, bootstrap, metrics, rankings
from tbframe.research.bootstrap import estimate

KEYS = ["PTS", "BH", "BH/C1 SB", "DE WIN"]
MEASURED = ["tau_b", "within_tie_accuracy", "top_k(3)", "discriminating_power", "agreement"]


def with_strengths(results: pl.DataFrame, seed: int = 5) -> tb.Archive:
    """Make an archive whose players have strengths, one in ten unknown."""
    players = results.select("tournament", "player").unique().sort("tournament", "player")
    rng = np.random.default_rng(seed)
    strength = pl.Series("strength", rng.normal(size=players.height))
    unknown = pl.Series(rng.random(players.height) < 0.1)
    players = players.with_columns(strength.set(unknown, None))
    years = results.select("tournament").unique().sort("tournament")
    about = years.with_columns(
        start=pl.date(2005 + pl.int_range(pl.len()) % 3, 5, 1), pairing=pl.lit("swiss")
    )
    return tb.from_results(results, players, about)


@pytest.fixture(scope="module")
def archive() -> tb.Archive:
    return with_strengths(mixed_sizes(40, seed=3, sizes=(8, 9, 12, 17, 31)))


def ranks_of(archive: tb.Archive, key: str, **asked: object) -> pl.DataFrame:
    order = key if key.startswith("PTS") else f"PTS {key}"
    found = archive.standings(order, **asked)
    strength = archive.players.select("tournament", "player", "strength")
    return found.join(strength, on=["tournament", "player"]).sort("tournament", "player")


# One by one


def test_values_are_those_of_each_tournament_alone(archive):
    found = tb.compare(archive, KEYS, truth="strength", metrics=["tau_b", "rho"], boot=0)
    values = {row[:3]: row[3] for row in found.values.rows()}
    assert len(values) == archive.tournaments.height * len(KEYS) * 2
    for key in KEYS:
        for (tournament,), rows in ranks_of(archive, key).group_by("tournament"):
            rated = rows.drop_nulls("strength")
            rank, strength = -rated["rank"].to_numpy(), rated["strength"].to_numpy()
            for metric, by_scipy in (("tau_b", stats.kendalltau), ("rho", stats.spearmanr)):
                ours = values[tournament, key, metric]
                if len(set(rank)) < 2:
                    assert ours is None
                else:
                    assert ours == pytest.approx(by_scipy(rank, strength).statistic)


def test_the_table_is_of_the_values(archive):
    found = tb.compare(archive, KEYS, truth="strength", metrics=MEASURED, reference="BH", boot=200)
    assert found.table.select("metric", "key").rows() == [(m, k) for m in MEASURED for k in KEYS]
    wide = found.values.pivot("key", index=["tournament", "metric"], values="value")
    for row in found.table.iter_rows(named=True):
        own = wide.filter(metric=row["metric"])
        values = own[row["key"]].drop_nulls().to_numpy()
        assert row["events"] == len(values)
        if len(values) < 2:
            assert row["mean_se"] is None
            assert row["mean_low"] is None
            continue
        assert row["mean"] == pytest.approx(values.mean())
        assert row["mean_se"] == pytest.approx(stats.sem(values))
        assert row["mean_low"] <= row["mean"] <= row["mean_high"]
        apart = (own[row["key"]] - own["BH"]).drop_nulls().to_numpy()
        assert row["pairs"] == len(apart)
        if len(apart) > 1:
            assert row["difference"] == pytest.approx(apart.mean())
            assert row["difference_se"] == pytest.approx(stats.sem(apart))


@pytest.mark.parametrize("after", [None, 3])
@pytest.mark.parametrize("edition", ["auto", "2012"])
def test_ranks_are_those_of_standings(archive, after, edition):
    keys = [
        "PTS",
        "BH",
        "BH/C1",
        "BH/C1 SB",
        "BH/C1 DE",
        "DE BH",
        "PTS SB",
        "SB PTS",
        "WIN@2026-03",
    ]
    found = rankings(archive, keys, after_round=after, edition=edition, columns=["strength"])
    for key in keys:
        order = key if "PTS" in key else f"PTS {key}"
        standings = archive.standings(order, after_round=after, edition=edition)
        expected = standings.select("tournament", "player", "rank", points="PTS")
        ours = found.filter(key=key).select(expected.columns)
        assert_frame_equal(ours, expected.sort("tournament", "player"))


def test_ranks_of_teams_are_those_of_standings():
    """EDEBT looks at the criteria behind it, so what begins alike need not be alike."""
    archive = tb.from_boards(team_boards())
    keys = ["EDEBT", "EDEBT GPTS", "EDEBT BH:GP", "GPTS EDEBT", "MPTS"]
    found = rankings(archive, keys)
    for key in keys:
        expected = archive.standings(f"PTS {key}").sort("tournament", "player")["rank"]
        assert found.filter(key=key)["rank"].to_list() == expected.to_list()


def team_boards() -> pl.DataFrame:
    """Make matches of 8 teams on two boards, anybody against anybody."""
    rng = np.random.default_rng(2)
    other = {"1": "0", "=": "=", "0": "1"}
    rows = []
    for tournament in range(20):
        for number in range(1, 6):
            seats = rng.permutation(8).tolist()
            for one, two in zip(seats[::2], seats[1::2], strict=True):
                for board in (1, 2):
                    result = "1=0"[rng.integers(3)]
                    rows.append((tournament, number, one, two, board, result))
                    rows.append((tournament, number, two, one, board, other[result]))
    columns = ["tournament", "round", "team", "opponent", "board", "result"]
    return pl.DataFrame(rows, schema=columns, orient="row")


# The games as truth


def games(archive: tb.Archive, tournament: object) -> list[tuple[int, int, int, float]]:
    """Return round, player, opponent and score of each game over the board, from one side."""
    worth = {"1": 1.0, "W": 1.0, "=": 0.5, "D": 0.5}
    rows = archive.results.filter(tournament=tournament).cast({"result": pl.String})
    return [
        (row["round"], row["player"], row["opponent"], worth[row["result"]])
        for row in rows.iter_rows(named=True)
        if row["result"] in ("1", "W")
        or (row["result"] in ("=", "D") and row["player"] < row["opponent"])
    ]


@pytest.mark.parametrize("truth", ["prediction", "retrodiction"])
def test_games_are_told_one_by_one(archive, truth):
    found = tb.compare(
        archive, ["BH", "SB"], truth=truth, metrics=["hit_rate", "game_score", "violations"],
        after_round=[2, 6], boot=0,
    )  # fmt: skip
    assert found.values["after_round"].unique().sort().to_list() == [2, 6]
    values = {row[:4]: row[4] for row in found.values.rows()}
    last = dict(archive.results.group_by("tournament").agg(pl.col("round").max()).rows())
    assert {2, 6} & set(last.values()) or min(last.values()) < 6
    for after in (2, 6):
        for key in ("BH", "SB"):
            for (tournament,), rows in ranks_of(archive, key, after_round=after).group_by(
                "tournament"
            ):
                rank = dict(rows.select("player", "rank").rows())
                told = [
                    (score if rank[one] < rank[other] else 1 - score, score == 0.5)
                    if rank[one] != rank[other]
                    else (0.5, score == 0.5)
                    for number, one, other, score in games(archive, tournament)
                    if (number > after) == (truth == "prediction")
                ]
                if last[tournament] < after + (truth == "prediction"):
                    told = []
                place = (tournament, after, key)
                every = [score for score, _ in told]
                decisive = [score for score, drawn in told if not drawn]
                assert values[*place, "game_score"] == (
                    pytest.approx(np.mean(every)) if every else None
                )
                hits = pytest.approx(np.mean(decisive)) if decisive else None
                assert values[*place, "hit_rate"] == hits
                if decisive:
                    assert values[*place, "violations"] == pytest.approx(1 - np.mean(decisive))


def test_stability_is_the_distance_to_the_end(archive):
    found = tb.compare(archive, ["BH"], truth="stability", metrics=["kendall_distance"], boot=0)
    last = dict(archive.results.group_by("tournament").agg(pl.col("round").max()).rows())
    assert found.table["after_round"].to_list() == list(range(1, max(last.values())))
    final = ranks_of(archive, "BH")
    for after in (1, 4):
        then = ranks_of(archive, "BH", after_round=after)
        values = dict(found.values.filter(after_round=after).select("tournament", "value").rows())
        for tournament, rounds in last.items():
            if rounds <= after:
                assert values[tournament] is None
                continue
            one, other = (frame.filter(tournament=tournament)["rank"].to_numpy()
                          for frame in (then, final))  # fmt: skip
            i, j = np.triu_indices(len(one), 1)
            signs = [np.sign(ranks[i] - ranks[j]) for ranks in (one, other)]
            apart = np.abs(signs[0] - signs[1]) / 2
            assert values[tournament] == pytest.approx(apart.mean())


def test_prediction_needs_two_rounds():
    one_round = swiss_results(2, 4, 1)
    with pytest.raises(TbframeError, match="two rounds or more"):
        tb.compare(one_round, ["BH"], truth="prediction")


# What must be so


def test_two_copies_of_a_key_differ_by_nothing(archive):
    keys = {"one": "BH/C1", "two": "PTS BH/C1"}
    found = tb.compare(archive, keys, truth="strength", metrics=["tau_a", "ndcg"])
    second = found.table.filter(key="two")
    for column in ("difference", "difference_se", "difference_low", "difference_high"):
        assert second[column].to_list() == [0, 0]


def test_lots_are_right_half_of_the_time():
    archive = with_strengths(swiss_results(400, 16, 5, seed=8))
    found = tb.compare(
        archive, ["PTS", "random", "BH random"], truth="strength",
        metrics=["within_tie_accuracy", "discriminating_power"],
    )  # fmt: skip
    rows = {row[:2]: row[2:] for row in found.table.select(
        "metric", "key", "mean", "mean_se").rows()}  # fmt: skip
    assert rows["within_tie_accuracy", "PTS"][0] == 0.5
    mean, error = rows["within_tie_accuracy", "random"]
    assert 0 < error < 0.02
    assert abs(mean - 0.5) < 4 * error
    assert rows["discriminating_power", "random"][0] == 1
    assert rows["discriminating_power", "BH random"][0] == 1


def test_lots_come_behind_the_tie_break(archive):
    found = rankings(archive, ["BH", "BH random"])
    plain, drawn = (found.filter(key=key)["rank"] for key in ("BH", "BH random"))
    assert (plain <= drawn).all()
    assert (plain != drawn).any()


def test_lots_depend_on_the_seed_alone(archive):
    def drawn(keys: list[str], seed: int) -> list[int]:
        return rankings(archive, keys, seed=seed).filter(key="random")["rank"].to_list()

    assert drawn(["random"], 3) == drawn(["BH", "random"], 3)
    assert drawn(["random"], 3) != drawn(["random"], 4)


def test_the_interval_covers_the_truth_at_its_rate():
    rng = np.random.default_rng(17)
    events = rng.exponential(size=(1000, 80)) - 1  # a mean of 0, and skewed
    found = [estimate(one[None], boot=300, level=0.9, seed=i) for i, one in enumerate(events)]
    covered = [each.low.item() <= 0 <= each.high.item() for each in found]
    # 0.9, less about 0.02 of a skewed mean over 80 events; the error of the rate is 0.01
    assert 0.85 < np.mean(covered) < 0.925


def test_samples_do_not_depend_on_how_many_are_drawn_at_a_time(monkeypatch):
    values = np.random.default_rng(1).normal(size=(3, 50))
    values[1, :7] = np.nan
    whole = estimate(values, boot=99, level=0.95, seed=4)
    monkeypatch.setattr(bootstrap, "_DRAWS", 50 * 7)
    parts = estimate(values, boot=99, level=0.95, seed=4)
    assert whole.low.tolist() == parts.low.tolist()
    assert whole.high.tolist() == parts.high.tolist()


def test_the_seed_makes_the_table_and_other_keys_do_not(archive):
    asked = {"truth": "strength", "metrics": ["tau_a"], "reference": "BH", "boot": 150}
    alone = tb.compare(archive, ["BH", "SB"], **asked)
    assert_frame_equal(tb.compare(archive, ["BH", "SB"], **asked).table, alone.table)
    among = tb.compare(archive, ["WIN", "SB", "BH"], **asked).table
    rows = [frame.filter(key="SB") for frame in (alone.table, among)]
    assert_frame_equal(*rows)
    other = tb.compare(archive, ["BH", "SB"], **asked, seed=2).table
    assert other["mean"].to_list() == alone.table["mean"].to_list()
    assert other["mean_low"].to_list() != alone.table["mean_low"].to_list()


def test_by_splits_the_tournaments(archive):
    asked = {"truth": "strength", "metrics": ["tau_a"], "boot": 50}
    found = tb.compare(archive, ["BH", "SB"], by=["year", "pairing"], **asked).table
    assert found.columns[:4] == ["year", "pairing", "key", "metric"]
    assert found["year"].to_list() == [2005, 2005, 2006, 2006, 2007, 2007]
    years = archive.tournaments["start"].dt.year()
    one = archive._of(years == 2006)
    assert_frame_equal(
        found.filter(year=2006).drop("year", "pairing"),
        tb.compare(one, ["BH", "SB"], **asked).table,
    )
    sizes = tb.compare(archive, ["BH"], by="players", **asked).table["players"]
    assert sizes.to_list() == sorted(archive.players.group_by("tournament").len()["len"].unique())


def test_a_tournament_of_one_player_has_no_value():
    lone = pl.DataFrame(
        {"tournament": ["a"], "round": [1], "player": [1], "opponent": [None], "result": ["U"]},
        schema_overrides={"opponent": pl.Int64},
    )
    found = tb.compare(lone, ["BH"], metrics=["discriminating_power", "tie_at_cut"])
    assert found.values["value"].to_list() == [None, None]
    assert found.table["events"].to_list() == [0, 0]
    assert found.table["mean"].to_list() == [None, None]


def test_own_metrics_and_own_names(archive):
    def players(orders: metrics.Orders) -> pl.Series:
        return pl.Series(orders.groups.size)

    found = tb.compare(archive, ["BH"], metrics=[players, "unresolved"])
    assert found.metrics == ("players", "unresolved")
    sizes = archive.players.group_by("tournament").len().sort("tournament")["len"]
    assert found.values.filter(metric="players")["value"].to_list() == sizes.to_list()
    named = tb.compare(archive, ["BH"], metrics={"size": players, "podium": "tie_at_cut(3)"})
    assert named.metrics == ("size", "podium")


def test_points_need_not_come_first(archive):
    found = tb.compare(archive, {"BH": "BH", "PTS BH": "PTS BH"}, points_first=False, boot=0)
    ranks = rankings(archive, ["BH"], points_first=False)
    expected = archive.standings("BH").sort("tournament", "player")["rank"]
    assert ranks["rank"].to_list() == expected.to_list()
    # within groups of equal points the two are the same
    values = found.values.filter(metric="discriminating_power")
    assert (
        values.filter(key="BH")["value"].to_list() == values.filter(key="PTS BH")["value"].to_list()
    )


def test_agreement_matrix(archive):
    found = agreement_matrix(archive, ["BH", "BH/C1", "SB"],
                             metrics=["agreement", "same_first", "kendall_distance"])  # fmt: skip
    assert found.height == 27
    cells = {row[:3]: row[4] for row in found.rows()}
    same = {"agreement": 1, "same_first(1)": 1, "kendall_distance": 0}
    for metric, value in same.items():
        for key in ("BH", "BH/C1", "SB"):
            assert cells[key, key, metric] == value
            for other in ("BH", "BH/C1", "SB"):
                assert cells[key, other, metric] == pytest.approx(cells[other, key, metric])
    against = tb.compare(archive, ["SB", "BH"], metrics=["agreement"], reference="BH", boot=0)
    assert cells["SB", "BH", "agreement"] == against.table["mean"][0]
    assert 0 < cells["SB", "BH", "agreement"] < cells["BH/C1", "BH", "agreement"] < 1


# Every kind of frame


def test_results_come_in_any_form(layout: Callable[[pl.DataFrame], pl.DataFrame | pl.LazyFrame]):
    results = mixed_sizes(6, seed=2, sizes=(8, 17))
    expected = tb.compare(results, ["BH", "SB"], truth="retrodiction")
    found = tb.compare(layout(results), ["BH", "SB"], truth="retrodiction")
    assert_frame_equal(found.table, expected.table)
    assert_frame_equal(found.values, expected.values)


def test_ranks_made_elsewhere(archive, layout):
    asked = {"truth": "strength", "metrics": MEASURED, "boot": 60}
    expected = tb.compare(archive, KEYS, **asked)
    ranks = rankings(archive, KEYS, columns=["strength"])
    found = tb.compare(layout(ranks), KEYS, **asked)
    assert_frame_equal(found.table, expected.table)
    assert_frame_equal(found.values, expected.values)
    assert tb.compare(ranks, **asked).keys == tuple(KEYS)
    without = ranks.drop("points", "strength")
    assert tb.compare(without).metrics == ("unresolved", "tie_at_cut(1)")
    half = ranks.with_columns(odd=pl.col("tournament") % 2)
    assert tb.compare(half, by="odd", **asked).table["odd"].unique().sort().to_list() == [0, 1]


def test_ranks_that_do_not_fit(archive):
    ranks = rankings(archive, ["BH", "SB"], columns=["strength"])
    with pytest.raises(TbframeError, match="'SB' does not rank the same players"):
        tb.compare(ranks.head(-1), truth="strength")
    with pytest.raises(TbframeError, match="several ranks"):
        tb.compare(pl.concat([ranks, ranks]), truth="strength")
    with pytest.raises(TbframeError, match="needs a rank"):
        tb.compare(ranks.with_columns(rank=pl.when(pl.col("rank") > 1).then("rank")))
    with pytest.raises(TbframeError, match="no key 'WIN'"):
        tb.compare(ranks, ["WIN"])
    with pytest.raises(TbframeError, match="no rounds and no games"):
        tb.compare(ranks, truth="prediction")
    with pytest.raises(TbframeError, match="needs a column 'player'"):
        tb.compare(ranks.drop("player"))
    with pytest.raises(TbframeError, match="no column 'rank' of the tournaments"):
        tb.compare(ranks, by="rank")
    with pytest.raises(TbframeError, match="is empty"):
        tb.compare(ranks.clear())
    with pytest.raises(TbframeError, match="needs depth"):
        tb.compare(ranks, metrics=["resolution_depth"])


@pytest.mark.parametrize(
    ("keys", "asked", "error", "message"),
    [
        (None, {}, TbframeError, "name the keys"),
        ("BH", {}, TbframeError, "one by one"),
        ([], {}, TbframeError, "at least one key"),
        (["BH", "BH"], {}, TbframeError, "stands twice"),
        (["BHC1"], {}, CodeError, "did you mean BH/C1"),
        (["STD"], {"edition": "2012"}, EditionError, "not in edition"),
        (["BH"], {"truth": "strenght"}, TbframeError, "did you mean 'strength'"),
        (["BH"], {"truth": "name"}, TbframeError, "has to hold numbers"),
        (["BH"], {"reference": "SB"}, TbframeError, "none of the keys"),
        (["BH"], {"by": "colour"}, TbframeError, "no column 'colour' of the tournaments"),
        (["BH"], {"metrics": ["tau"]}, TbframeError, "no metric"),
        (["BH"], {"metrics": ["tau_b"]}, TbframeError, "needs truth"),
        (["BH"], {"metrics": ["hit_rate"]}, TbframeError, "needs games"),
        (["BH"], {"metrics": "unresolved"}, TbframeError, "one by one"),
        (["BH"], {"metrics": []}, TbframeError, "at least one metric"),
        (["BH"], {"metrics": ["unresolved", "unresolved"]}, TbframeError, "none twice"),
        (["BH"], {"metrics": [lambda orders: 3]}, TbframeError, "has to give a series"),
        (["BH"], {"after_round": 0}, TbframeError, "1 or more"),
        (["BH"], {"after_round": []}, TbframeError, "names no round"),
        (["BH"], {"level": 95}, TbframeError, "between 0 and 1"),
        (["BH"], {"boot": -1}, TbframeError, "0 or more"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(archive, keys, asked, error, message):
    with pytest.raises(error, match=message):
        tb.compare(archive, keys, **asked)


def test_assumptions_are_said_where_it_is_called():
    undated = tb.from_results(swiss_results(2, 4, 2, 0.3))
    for call in (
        lambda: tb.compare(undated, ["BH"]),
        lambda: agreement_matrix(undated, ["BH"]),
        lambda: rankings(undated, ["BH"]),
        lambda: tb.resolution(undated, "PTS BH"),
    ):
        with pytest.warns(tb.FindingWarning, match="undated") as told:
            call()
        assert [warning.filename for warning in told] == [__file__]


def test_the_core_goes_without():
    code = (
        "import sys, tbframe as tb\n"
        "archive = tb.read('data/trf')\n"
        "archive.standings('PTS BH'), archive.diff('2012', '2024', 'PTS BH')\n"
        "assert not [name for name in sys.modules if name.startswith('tbframe.research')]\n"
        "print(tb.compare(archive, ['BH'], truth='rating'), tb.resolution(archive))\n"
        "assert not [name for name in sys.modules if name.startswith('scipy')]\n"
    )
    root = Path(__file__).resolve().parents[1]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], cwd=root, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_it_can_be_read(archive):
    told = repr(tb.compare(archive, ["BH", "SB"], truth="strength", metrics=["tau_a"]))
    lines = told.splitlines()
    assert lines[0] == "40 tournaments, reference: BH, truth: strength"
    assert lines[1] == "tau_a"
    assert lines[2].startswith("  BH  ")
    assert "difference" in lines[3]
    assert "difference" not in lines[2]
    many = repr(tb.compare(archive, KEYS, truth="retrodiction", after_round=list(range(1, 9))))
    assert "more lines: see .table" in many


# Names and company

relaxed = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def values_of(results: pl.DataFrame, strengths: dict[object, int]) -> pl.DataFrame:
    players = results.select("tournament", "player").unique()
    players = players.with_columns(
        strength=pl.col("player").replace_strict(strengths, default=None, return_dtype=pl.Int64)
    )
    archive = tb.from_results(results, players)
    asked = {"metrics": [*MEASURED, "tau_ap", "rbo", "ndcg"], "boot": 0}
    return tb.compare(archive, ["BH", "SB"], truth="strength", **asked).values


@relaxed
@given(st.integers(2, 12), st.integers(1, 4), st.integers(0, 99), st.randoms())
def test_names_rows_and_company_change_nothing(players, rounds, seed, random):
    results = swiss_results(2, players, rounds, 0.2, seed=seed)
    strengths = {number: random.randrange(5) for number in range(1, players + 1)}
    plain = values_of(results, strengths)
    names = list(range(101, 101 + players))
    random.shuffle(names)
    new = dict(zip(range(1, players + 1), names, strict=True))
    renamed = results.sample(fraction=1, shuffle=True, seed=seed).with_columns(
        pl.col("player", "opponent").replace_strict(new, default=None)
    )
    same = values_of(renamed, {new[player]: strength for player, strength in strengths.items()})
    assert_frame_equal(same, plain, abs_tol=1e-12)
    company = swiss_results(3, 9, 3, seed=seed + 1).with_columns(pl.col("tournament") - 3)
    among = values_of(pl.concat([company, results]), strengths)
    assert_frame_equal(among.filter(pl.col("tournament") > 0), plain)
