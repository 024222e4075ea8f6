"""What an explanation says, checked against worked exercises."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import tbframe as tb

DATA = Path(__file__).resolve().parents[1] / "data" / "trf"


@pytest.fixture(scope="module")
def archive() -> tb.Archive:
    return tb.read([DATA / "tec2023_swiss5.trf", DATA / "tec2023_swiss9_de.trf"])


def test_it_prints_as_a_worked_exercise(archive):
    text = str(archive.explain("tec2023_swiss5", 11, "BH/C1", edition="2026-03"))
    lines = text.splitlines()
    assert lines[0].startswith("Buchholz (BH/C1) of player 11 (Maria), tec2023_swiss5, edition 202")
    assert lines[2].split()[:3] == ["round", "opponent", "name"]
    assert lines[-1] == "BH/C1 = 11"


def test_the_cap_of_a_forfeit_is_told(archive):
    """Round 4: forfeit win against player 9, who is worth 1.5; own score 2.5 (art. 16.4.1)."""
    rounds = archive.explain("tec2023_swiss5", 11, "BH", edition="2026-03")
    row = rounds.filter(round=4).row(0, named=True)
    assert (row["opponent"], row["result"], row["taken_score"]) == (9, "+", 1.5)
    assert row["why"] == "dummy with the own score 2.5, capped at the opponent's adjusted score"


def test_a_voluntarily_unplayed_round_is_cut_first(archive):
    """Player 4 took a half-point bye in round 2 (art. 16.5)."""
    rounds = archive.explain("tec2023_swiss5", 4, "BH/C1", edition="2024-08")
    cut = rounds.filter(pl.col("cut").is_not_null()).select("round", "result", "cut").rows()
    assert cut == [(2, "H", "cut: voluntarily unplayed round (art. 16.5)")]


def test_why_an_opponent_is_worth_more_than_his_score(archive):
    """Player 12 withdrew after round 3, so rounds 4 and 5 count as draws (art. 16.3)."""
    rounds = archive.explain("tec2023_swiss5", 4, "BH", edition="2023")
    row = rounds.filter(opponent=12).row(0, named=True)
    assert (row["opponent_score"], row["taken_score"]) == (2.0, 3.0)
    assert row["why"] == "unplayed round 4, 5 of the opponent as a draw"


def test_direct_encounter_shows_the_games_among_the_tied(archive):
    """TEC exercise 25: 6 has 2 points against 1, 2 and 4 and is placed first of the four."""
    explanation = archive.explain("tec2023_swiss9_de", 6, "DE", edition="2023")
    counted = explanation.filter(pl.col("contribution").is_not_null())
    assert counted.select("opponent", "contribution").rows() == [(1, 0.5), (2, 1.0), (4, 0.5)]
    assert (
        explanation.result == "DE = 2 against the 3 others with as many points, 3 met: place 1 of 4"
    )
    lone = archive.explain("tec2023_swiss9_de", 3, "DE", edition="2023")
    assert lone.result == "DE: nobody else has as many points"


def test_averages_show_the_division(archive):
    assert archive.explain("tec2023_swiss5", 2, "AOB", edition="2023").result == (
        "AOB = 68 / 5 = 13.6"
    )
    assert archive.explain("tec2023_swiss5", 2, "TPR", edition="2023").result == "TPR = 2120"
    ratings = archive.explain("tec2023_swiss5", 2, "ARO", edition="2023")["contribution"].to_list()
    assert ratings == [1750, 1900, 2200, 1450, 2100]


@pytest.mark.parametrize(
    ("player", "code", "says"),
    [
        ("Bru", "BH", r"no player 'Bru': did you mean 2 \(Bruno\)\?"),
        (99, "BH", "no player 99$"),
        (2, "MPTS", "for team events"),
        (2, "TPN", "no sum over rounds"),
        (2, "BH SB", "one criterion at a time"),
    ],
)
def test_what_cannot_be_explained(archive, player, code, says):
    with pytest.raises(tb.TbframeError, match=says):
        archive.explain("tec2023_swiss5", player, code, edition="2026-03")


def test_a_code_that_the_edition_does_not_know(archive):
    with pytest.raises(tb.EditionError, match="STD"):
        archive.explain("tec2023_swiss5", 2, "STD", edition="2012")
