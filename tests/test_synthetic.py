"""The synthetic tournaments of the benchmarks are tournaments."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import tbframe as tb
from tbframe.schema import RESULTS
from tbframe.scoring import STANDARD

ROOT = Path(__file__).resolve().parents[1]
KEY = ["tournament", "player", "round"]


def load_synthetic() -> ModuleType:
    path = ROOT / "benchmarks" / "synthetic.py"
    spec = importlib.util.spec_from_file_location("synthetic", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


synthetic = load_synthetic()


@pytest.fixture(
    scope="module",
    params=[
        (40, 100, 9, 0.04),
        (60, 9, 7, 0.2),
        (30, 8, 5, 0.0),
        (1, 2, 1, 0.0),
        (20, 31, 13, 0.1),
    ],
    ids=lambda size: "{}x{}x{} at {:.0%}".format(*size),
)
def size(request: pytest.FixtureRequest) -> tuple[int, int, int, float]:
    return request.param


@pytest.fixture(scope="module")
def results(size: tuple[int, int, int, float]) -> pl.DataFrame:
    return synthetic.swiss_results(*size, seed=7)


def test_columns_have_the_canonical_types(results: pl.DataFrame) -> None:
    assert results.columns == list(RESULTS)
    for name, dtype in RESULTS.items():
        assert results.schema[name] == (dtype or pl.Int64())


def test_every_player_has_every_round_once_in_order(
    results: pl.DataFrame, size: tuple[int, int, int, float]
) -> None:
    tournaments, players, rounds, _ = size
    expected = (
        pl.DataFrame({"tournament": range(1, tournaments + 1)})
        .join(pl.DataFrame({"player": range(1, players + 1)}), how="cross")
        .join(pl.DataFrame({"round": range(1, rounds + 1)}), how="cross")
        .with_columns(pl.col("round").cast(pl.Int32))
    )
    assert_frame_equal(results.select(KEY), expected)


def test_every_pairing_has_its_mirror(results: pl.DataFrame) -> None:
    paired = results.drop_nulls("opponent")
    both = paired.join(
        paired,
        left_on=["tournament", "round", "opponent", "player"],
        right_on=["tournament", "round", "player", "opponent"],
        suffix="_theirs",
    )
    assert both.height == paired.height
    assert paired.filter(pl.col("opponent") == pl.col("player")).is_empty()
    assert both["color"].null_count() == 0
    assert both.filter(pl.col("color") == pl.col("color_theirs")).is_empty()
    seen = set(both.select(pl.format("{}{}", "result", "result_theirs")).to_series())
    assert seen <= {"10", "01", "==", "+-", "-+", "--"}


def test_a_bye_has_no_opponent_and_a_game_has_one(results: pl.DataFrame) -> None:
    bye = results.select(pl.col("result").cast(pl.String).is_in(["F", "H", "U", "Z"])).to_series()
    assert (results["opponent"].is_null() == bye).all()
    assert (results["color"].is_null() == bye).all()


def test_points_follow_from_the_results(results: pl.DataFrame) -> None:
    worth = results["result"].cast(pl.String).replace_strict(STANDARD, return_dtype=pl.Float64)
    assert (results["points"] == worth).all()


def test_an_odd_number_of_players_present_leaves_one_bye(results: pl.DataFrame) -> None:
    code = pl.col("result").cast(pl.String)
    per_round = results.group_by("tournament", "round").agg(
        present=(~code.is_in(["F", "H", "Z"])).sum(), byes=(code == "U").sum()
    )
    assert (per_round["byes"] == per_round["present"] % 2).all()


def test_the_share_of_unplayed_rounds_is_the_one_asked_for() -> None:
    for rate in (0.0, 0.04, 0.2):
        made = synthetic.swiss_results(400, 100, 9, rate, seed=3)
        code = made["result"].cast(pl.String)
        share = code.is_in(["F", "H", "Z", "+", "-"]).mean()
        assert share == pytest.approx(rate, rel=0.1)
        assert set(code) == {"1", "=", "0"} | ({*"FHUZ+-"} if rate else set())


def test_withdrawals_run_to_the_end() -> None:
    made = synthetic.swiss_results(400, 100, 9, 0.1, seed=3)
    last_seen = (
        made.filter(pl.col("result") != "Z")
        .group_by("tournament", "player")
        .agg(pl.col("round").max())
    )
    early = (last_seen["round"] <= 6).mean()
    assert early > 0.02  # three absences in a row by chance alone: far below 0.001


def test_the_seed_decides() -> None:
    first = synthetic.swiss_results(5, 21, 6, seed=1)
    assert_frame_equal(first, synthetic.swiss_results(5, 21, 6, seed=1))
    assert not first.equals(synthetic.swiss_results(5, 21, 6, seed=2))


def test_scores_spread_and_neighbours_meet() -> None:
    made = synthetic.swiss_results(50, 100, 9, 0.0, seed=5)
    scores = made.group_by("tournament", "player").agg(pl.col("points").sum())
    assert scores["points"].max() >= 7.5
    assert scores["points"].min() <= 1.5
    before = made.with_columns(
        score=pl.col("points").cum_sum().over("tournament", "player") - pl.col("points")
    )
    pairs = before.join(
        before.select("tournament", "round", opponent="player", theirs="score"),
        on=["tournament", "round", "opponent"],
    )
    assert (pairs["score"] - pairs["theirs"]).abs().mean() < 0.25
    met_again = pairs.select("tournament", "player", "opponent").is_duplicated().mean()
    assert met_again < 0.02


def test_mixed_sizes_are_mixed() -> None:
    made = synthetic.mixed_sizes(300, seed=2)
    per_event = made.group_by("tournament").agg(
        players=pl.col("player").n_unique(), rounds=pl.col("round").max(), rows=pl.len()
    )
    assert per_event["tournament"].sort().to_list() == list(range(1, 301))
    assert (per_event["players"] * per_event["rounds"] == per_event["rows"]).all()
    assert set(per_event["players"]) == set(synthetic.SIZES)
    assert set(per_event["rounds"]) == set(range(5, 14))
    assert made.select(KEY).equals(made.select(KEY).sort(KEY))


def test_shares_give_the_mean_number_of_rows() -> None:
    shares = synthetic.shares_for(400)
    made = synthetic.mixed_sizes(4000, seed=4, shares=shares)
    assert made.height / 4000 == pytest.approx(400, rel=0.08)  # three standard errors
    with pytest.raises(ValueError, match="5000 rows"):  # 300 players and 13 rounds have 3900
        synthetic.shares_for(5000)


def big_archive(folder: Path, *options: str) -> dict[str, list[pl.DataFrame]]:
    """Run the script for 5,200 small tournaments and return the parts of each frame."""
    size = ["--tournaments", "5200", "--games", "260000", "--seed", "3"]
    command = [sys.executable, "-m", "benchmarks.big_archive", str(folder), *size, *options]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return {
        name: [pl.read_parquet(part) for part in sorted((folder / name).iterdir())]
        for name in ("results", "players", "tournaments")
    }


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[pl.DataFrame]]:
    return big_archive(tmp_path_factory.mktemp("big") / "sorted")


def test_a_big_archive_is_sound(big: dict[str, list[pl.DataFrame]]) -> None:
    results, players, tournaments = (pl.concat(parts) for parts in big.values())
    assert results.height / 2 == pytest.approx(260_000, rel=0.08)
    assert results["tournament"].unique(maintain_order=True).equals(tournaments["tournament"])
    assert tournaments["tournament"].to_list() == [f"t{n:06}" for n in range(1, 5201)]
    years = tournaments["start"].dt.year()
    assert set(years) == set(range(1990, 2027))
    assert 0.08 < players["rating"].null_count() / players.height < 0.12
    archive = tb.from_results(results, players, tournaments)
    assert archive.quarantine.is_empty()
    assert archive.results.height == results.height
    assert archive.players.height == players.height
    assert archive.check().filter(severity="error").is_empty()


def test_parts_of_a_big_archive_hold_whole_tournaments_in_order(
    big: dict[str, list[pl.DataFrame]],
) -> None:
    for parts in big.values():
        assert [part["tournament"].n_unique() for part in parts] == [2500, 2500, 200]
    results = pl.concat(big["results"])
    key = ["tournament", "player", "round"]
    assert results.select(key).equals(results.select(key).sort(key))


def test_a_shuffled_big_archive_has_the_same_rows(
    big: dict[str, list[pl.DataFrame]], tmp_path: Path
) -> None:
    shuffled = big_archive(tmp_path / "shuffled", "--shuffled")
    key = ["tournament", "player", "round"]
    results = pl.concat(shuffled["results"])
    assert not results.equals(pl.concat(big["results"]))
    # Of 5,200 tournaments, two neighbouring rows in a random order are seldom of the same.
    assert (results["tournament"] == results["tournament"].shift()).mean() < 0.01
    assert_frame_equal(results.sort(key), pl.concat(big["results"]))
    for name in ("players", "tournaments"):
        assert_frame_equal(pl.concat(shuffled[name]), pl.concat(big[name]))
