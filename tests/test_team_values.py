"""The team event of the Technical Commission: every published and every computed value."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import tbframe as tb

FACTS = Path(__file__).parent / "facts"
CODE = {"played": None, "forfeit_win": "+", "forfeit_loss": "-", "PAB": "U", "HPB": "H", "ZPB": "Z"}


@pytest.fixture(scope="module")
def event() -> tb.Archive:
    matches = pl.read_csv(FACTS / "team14_matches.csv", schema_overrides={"color": pl.String})
    outcome = pl.col("match_points").replace_strict({2: "1", 1: "=", 0: "0"})
    kind = pl.col("kind").replace_strict(CODE, return_dtype=pl.String)
    results = matches.select(
        tournament="event",
        round="round",
        player="team",
        opponent="opponent",
        result=pl.coalesce(kind, outcome),
        points=pl.col("match_points").cast(pl.Float64),
        game_points=pl.col("game_points").cast(pl.Float64),
    )
    about = pl.DataFrame(
        {
            "tournament": ["tec2023_team14"],
            "kind": ["team"],
            "pairing": ["swiss"],
            "scoring": ["W=2 D=1 L=0 U=1"],
            "boards": [4],
        }
    )
    return tb.from_results(results, None, about)


def _compare(event: tb.Archive, values: pl.DataFrame, edition: str, within: float) -> int:
    codes = values["code"].unique(maintain_order=True).to_list()
    names = {"MP": "MPTS", "GP": "GPTS"}
    asked = [names.get(code, code) for code in codes]
    computed = event.tiebreaks(asked, edition=edition)
    for code, ours in zip(codes, computed.columns[2:], strict=True):
        both = values.filter(code=code).join(computed.select("player", ours=ours), on="player")
        wrong = both.filter((pl.col("value") - pl.col("ours")).abs() > within)
        assert wrong.is_empty(), wrong
    return values.height


@pytest.mark.parametrize("edition", ["2023", "2024-08"])
def test_every_published_value(event, edition):
    values = pl.read_csv(FACTS / "values_team14.csv", schema_overrides={"value": pl.Float64})
    exact = values.filter(~pl.col("code").str.starts_with("SSSC"))
    assert _compare(event, exact, edition, 0.001) > 14 * 10
    # SSSC is printed with one decimal.
    combined = values.filter(pl.col("code").str.starts_with("SSSC")).with_columns(
        code=pl.lit("SSSC")
    )
    assert _compare(event, combined, edition, 0.0501) == 14


@pytest.mark.parametrize("edition", ["2024-08", "2026-03"])
def test_every_computed_value(event, edition):
    values = pl.read_csv(
        FACTS / "values_team14_computed.csv", schema_overrides={"value": pl.Float64}
    ).filter(edition=edition)
    assert _compare(event, values, edition, 0.00501) == 14 * 13


@pytest.mark.parametrize(
    ("group", "levels"),
    [
        ([1, 2, 3, 4, 5], [[4], [2], [1], [3], [5]]),  # exercise 45
        ([6, 8], [[6], [8]]),
        ([7, 9, 13], [[7, 9, 13]]),  # 9 and 13 did not meet
        ([11, 14], [[11, 14]]),
    ],
)
def test_extended_direct_encounter(event, group, levels):
    """TEC exercises 42 to 48: the groups level on match points."""
    standings = event.standings("PTS EDE", edition="2023").filter(pl.col("player").is_in(group))
    ours = [
        sorted(level["player"].to_list())
        for _, level in standings.group_by("rank", maintain_order=True)
    ]
    assert ours == levels


def test_the_other_reading_of_the_restart(event):
    """Art. 13.3.3 read as a restart: once game points have put 4 first and 5 last, 1, 2 and 3
    begin again with match points, where 1 beat both and 2 beat 3.
    """
    standings = event.standings("PTS EDE", edition="2023 restart_encounters=true")
    group = standings.filter(pl.col("player").is_in([1, 2, 3, 4, 5]))
    assert group.sort("rank")["player"].to_list() == [4, 1, 2, 3, 5]


def test_the_explanation_of_an_extended_sonneborn_berger_adds_up(event):
    """Published for team 1: EMMSB 88, EMGSB 158.5 (products, not units of them)."""
    for code, value in (("EMMSB", 88.0), ("EMGSB", 158.5)):
        rounds = event.explain("tec2023_team14", 1, code, edition="2023")
        assert rounds["contribution"].sum() == value
        assert rounds.result == f"{code} = {value:g}"
    schedule = event.explain("tec2023_team14", 1, "SSSC", edition="2023")
    assert schedule["contribution"].sum() == 64.0  # BH:MP as published


def test_game_points_may_be_finer_than_match_points():
    """Quarters of a game point beside whole match points: each is shown in its own points."""
    results = pl.DataFrame(
        [(1, "Reds", "Blues", "1", 2.25), (1, "Blues", "Reds", "0", 0.75)],
        schema=["round", "player", "opponent", "result", "game_points"],
        orient="row",
    ).with_columns(tournament=pl.lit("t"))
    about = pl.DataFrame({"tournament": ["t"], "pairing": ["swiss"], "kind": ["team"]})
    codes = "MPTS GPTS MPVGP EMMSB EGMSB EGGSB"
    values = tb.from_results(results, None, about).tiebreaks(codes, edition="plain")
    assert values.filter(player="Reds").row(0)[2:] == (2.0, 2.25, 2.25, 0.0, 1.5, 1.6875)
