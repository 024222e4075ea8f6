"""Points that are no whole thousandths are refused wherever they come in."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import tbframe as tb

RESULTS = pl.DataFrame(
    {
        "tournament": ["a", "a", "b", "b"],
        "round": [1, 1, 1, 1],
        "player": [1, 2, 1, 2],
        "opponent": [2, 1, 2, 1],
        "result": ["1", "0", "1", "0"],
        "points": [1.0, 0.0, 1.0, 0.0],
    }
)
BOARDS = pl.DataFrame(
    {
        "tournament": ["a"] * 4 + ["b"] * 4,
        "round": [1] * 8,
        "team": [1, 1, 2, 2] * 2,
        "opponent": [2, 2, 1, 1] * 2,
        "board": [1, 2] * 4,
        "result": ["1", "=", "0", "="] * 2,
        "points": [1.0, 0.5, 0.0, 0.5] * 2,
    }
)
FINE = [1e-9, 1.0000001, 0.3333, 1 / 3, 1e-12, 0.0005]
WHOLE = [0.001, 0.1 + 0.2, 0.125, 1 - 0.9, 333.333, 0.7 + 0.1]


def with_points(frame: pl.DataFrame, points: float, column: str = "points") -> pl.DataFrame:
    """Put points into the first row of tournament b."""
    first = (pl.col("tournament") == "b") & (pl.col("tournament") != pl.col("tournament").shift())
    return frame.with_columns(pl.when(first).then(points).otherwise(column).alias(column))


def aside(archive: tb.Archive) -> list[tuple[str, str, int]]:
    return archive.quarantine.select("tournament", "code", "rows").rows()


def quiet(make: object, *tables: pl.DataFrame) -> tb.Archive:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tb.FindingWarning)
        archive = make(*tables)  # type: ignore[operator]
    assert isinstance(archive, tb.Archive)
    return archive


@pytest.mark.parametrize("points", FINE)
@pytest.mark.parametrize("column", ["points", "game_points"])
def test_results(points: float, column: str, tmp_path: Path) -> None:
    rows = with_points(RESULTS.with_columns(game_points="points"), points, column)
    archive = quiet(tb.from_results, rows)
    assert aside(archive) == [("b", "points-not-countable", 2)]
    assert archive.quarantine["message"].item() == "points are no whole thousandths"
    rows.write_parquet(tmp_path / "results.parquet")
    rows.write_csv(tmp_path / "results.csv")
    for name in ("results.parquet", "results.csv"):
        read = tb.read(tmp_path / name)
        assert aside(read) == aside(archive)
        done = tb.recalc(tmp_path / name, tmp_path / "out", "PTS", overwrite=True, workers=1)
        assert done.quarantine.select("tournament", "code", "rows").collect().rows() == aside(read)
        assert done.manifest["totals"]["rows"] == {"in": 4, "out": 2, "quarantined": 2}


@pytest.mark.parametrize("points", WHOLE)
def test_what_sums_lose_in_the_last_digits_is_whole(points: float) -> None:
    archive = tb.from_results(with_points(RESULTS, points))
    assert archive.quarantine.is_empty()
    found = archive.standings("PTS").filter(tournament="b", player=1)["PTS"].item()
    assert found == pytest.approx(points, abs=1e-15)
    assert found == round(points, 3)


@pytest.mark.parametrize("points", FINE)
def test_boards(points: float, tmp_path: Path) -> None:
    rows = with_points(BOARDS, points)
    archive = quiet(tb.from_boards, rows)
    assert aside(archive) == [("b", "points-not-countable", 2)]  # a match has two rows
    assert "on a board of round 1" in archive.quarantine["message"].item()
    rows.write_parquet(tmp_path / "boards.parquet")
    done = tb.recalc(tmp_path / "boards.parquet", tmp_path / "out", "PTS", workers=1)
    assert done.quarantine.select("tournament", "code", "rows").collect().rows() == aside(archive)
    # As frames, beside matches that hide it.
    good = tb.from_boards(BOARDS)
    assert good.boards is not None
    tb.write_frames(replace(good, boards=with_points(good.boards, points)), tmp_path / "frames")
    done = tb.recalc(tmp_path / "frames", tmp_path / "out2", "PTS", workers=1)
    for found in (done.quarantine.collect(), tb.read(tmp_path / "frames").quarantine):
        assert found["tournament"].to_list() == ["b"]
        assert found["message"].item().startswith("boards, column 'points': whole thousandths")


@pytest.mark.parametrize("score", ["match_points", "game_points"])
def test_byes_of_teams(score: str) -> None:
    byes = pl.DataFrame({"tournament": ["b"], "round": [2], "team": [1], "type": ["PAB"]})
    archive = quiet(tb.from_boards, BOARDS, byes.with_columns(pl.lit(1e-9).alias(score)))
    assert aside(archive) == [("b", "points-not-countable", 3)]


def test_quarters_on_boards_count_though_matches_are_whole() -> None:
    quarters = BOARDS.with_columns(
        points=pl.Series([0.75, 0.25, 0.25, 0.75] * 2)  # each match 1 : 1
    )
    found = tb.from_boards(quarters).standings("PTS BC").filter(tournament="a")
    # Board 1 counts twice as much as board 2 (art. 12.1): 1 * 0.75 + 2 * 0.25 and the reverse;
    # the lower sum is better.
    assert found.select("player", "BC").rows() == [(1, 1.25), (2, 1.75)]


@pytest.mark.parametrize("scoring", ["W=1.0000001", "W=0.3333 D=0.1"])
def test_scoring_systems(scoring: str) -> None:
    about = pl.DataFrame({"tournament": ["a", "b"], "scoring": [None, scoring]})
    with pytest.raises(tb.ContractError, match="more than three decimals"):
        tb.from_results(RESULTS, tournaments=about)


def test_archives_that_went_through_no_check() -> None:
    good = tb.from_results(RESULTS)
    fine = replace(good, results=with_points(good.results, 1e-9))
    with pytest.raises(tb.ContractError, match="points of tournament 'b' are finer than 1/1000"):
        fine.standings("PTS")


def test_start_scores() -> None:
    players = pl.DataFrame({"tournament": ["a"], "player": [1], "half": [1e-9]})
    archive = tb.from_results(RESULTS, players)

    @tb.tiebreak("TRIED", name="tried", source="this test", unit="points")
    def tried(t: tb.Batch) -> object:
        return t.column("players.half", unit=t.unit)

    try:
        with pytest.raises(tb.TbframeError, match=r"players.half holds 1e-09"):
            archive.tiebreaks("TRIED")
    finally:
        tb.forget("TRIED")
