"""Rules of an event that replace those of the text (art. 16.6)."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

import tbframe as tb
from tbframe.editions import edition_of
from tbframe.errors import EditionError


@pytest.fixture(scope="module")
def olympiad(cases) -> tb.Archive:
    """Batumi 2018, Open: 185 teams, 11 rounds, 4 boards."""
    cells = pl.read_csv(cases / "theory" / "olympiad_2018_open_matches.csv")
    parts = pl.col("cell").str.extract_groups(r"^(\d+)([wb])(\d*)(½?)$")
    table = cells.select("rank", "team", "round", "cell", cell_parts=parts).unnest("cell_parts")
    games = pl.col("3").cast(pl.Float64, strict=False).fill_null(0.0) + pl.when(
        pl.col("4") == "½"
    ).then(0.5).otherwise(0.0)
    played = pl.col("1").is_not_null() & (pl.col("1") != "0")
    table = table.with_columns(
        opponent=pl.when(played).then(pl.col("1").cast(pl.Int64)),
        game_points=pl.when(played).then(games).otherwise(0.0),
    )
    half = pl.col("game_points") - 2.0
    results = table.select(
        tournament=pl.lit("batumi"),
        round="round",
        player="rank",
        opponent="opponent",
        result=pl.when(pl.col("opponent").is_null())
        .then(pl.lit("Z"))
        .when(half > 0)
        .then(pl.lit("1"))
        .when(half < 0)
        .then(pl.lit("0"))
        .otherwise(pl.lit("=")),
        game_points="game_points",
    )
    about = pl.DataFrame(
        {"tournament": ["batumi"], "kind": ["team"], "boards": [4], "pairing": ["swiss"],
         "edition": ["olympiad"]}
    )  # fmt: skip
    players = table.select(tournament=pl.lit("batumi"), player="rank", name="team").unique()
    return tb.from_results(results, players, about)


def test_the_olympiad_sonneborn_berger_of_2018(olympiad):
    """China, USA, Russia: 372.5, 360.5, 354.5 as published; next Poland, England, India ..."""
    table = olympiad.standings("MPTS EMGSB/C1 GPTS")
    printed = table.head(8).select("name", "EMGSB/C1")
    right = {"China": 372.5, "United States of America": 360.5, "Russia": 354.5, "Poland": 374.5,
             "England": 340.0, "India": 388.0, "Vietnam": 379.5, "Armenia": 371.0}  # fmt: skip
    ours = dict(table.select("name", "EMGSB/C1").rows())
    assert {name: ours[name] for name in right} == right
    assert printed["name"].to_list()[:3] == ["China", "United States of America", "Russia"]


def test_a_rule_can_be_replaced_by_name():
    edition = edition_of("2024-08 low_cut=plain own_unplayed=capped")
    assert (edition.low_cut, edition.own_unplayed) == ("plain", "capped")
    assert replace(edition, key="2024-08") == replace(
        tb.EDITIONS["2024-08"], low_cut="plain", own_unplayed="capped"
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("2024-08 low_cut=none", "low_cut is plain or vur-first or vur-unless-lower or bye-first"),
        ("2024-08 cut=plain", "there is no 'cut'"),
        ("2024-08 name=x", "there is no 'name'"),
        ("2024-08 partial_encounters=maybe", "partial_encounters is false or true"),
    ],
)
def test_a_rule_that_does_not_exist_is_refused(text, says):
    with pytest.raises(EditionError, match=says):
        edition_of(text)


def test_each_tournament_has_its_own_rules(fact_event):
    event = fact_event("sb_cut_forfeit")
    rules = ["2026-03", "2026-03 own_unplayed=own-score", "2026-03 low_cut=plain"]
    several = tb.from_results(
        pl.concat([event.results.with_columns(tournament=pl.lit(rule)) for rule in rules]),
        None,
        pl.DataFrame({"tournament": rules, "edition": rules, "pairing": ["swiss"] * 3}),
    )
    values = several.tiebreaks("SB SB/C1").filter(player=2)
    for rule in rules:
        alone = event.tiebreaks("SB SB/C1", edition=rule).filter(player=2)
        ours = values.filter(tournament=rule)
        assert ours.select("SB", "SB/C1").rows() == alone.select("SB", "SB/C1").rows()
    assert values["SB"].n_unique() > 1


def _rated(ratings: list[int | None], **about: object) -> tb.Archive:
    """Player 1 beats 2, draws with 3 and loses to 4."""
    games = pl.DataFrame(
        {
            "tournament": ["t"] * 3,
            "round": [1, 2, 3],
            "white": [1, 1, 4],
            "black": [2, 3, 1],
            "result": ["1-0", "1/2-1/2", "1-0"],
        }
    )
    players = pl.DataFrame({"tournament": ["t"] * 4, "player": [1, 2, 3, 4], "rating": ratings})
    tournaments = pl.DataFrame({"tournament": ["t"], "pairing": ["swiss"], **about})
    return tb.from_games(games, players, tournaments)


def _value(archive: tb.Archive, code: str, edition: str = "2026-03") -> float | None:
    return archive.tiebreaks(code, edition=edition).filter(player=1)[code][0]


def test_an_unrated_player_drops_the_rating_tiebreaks():
    archive = _rated([2000, None, 2100, 2200])
    for code in ("ARO", "TPR", "PTP", "APRO", "APPO"):
        assert _value(archive, code) is None


def test_unrated_players_count_with_the_rating_given():
    archive = _rated([2000, None, 2100, 2200])
    assert _value(archive, "ARO/U1400") == round((1400 + 2100 + 2200) / 3)
    by_rule = _rated([2000, None, 2100, 2200], unrated=["1400"])
    assert _value(by_rule, "ARO") == 1900
    assert _value(by_rule, "ARO/U1700") == 2000


def test_games_against_unrated_players_can_be_left_out():
    archive = _rated([2000, None, 2100, 2200], unrated=["exclude"])
    assert _value(archive, "ARO") == 2150
    assert _value(archive, "TPR") == 2150 - 193  # half a point of two: dp(.25) = -193
    lone = _rated([2000, None, None, None], unrated=["exclude"])
    assert _value(lone, "ARO") is None


def test_averages_are_rounded_half_up():
    assert _value(_rated([2000, 2000, 2000, 2001]), "ARO") == 2000  # 2000.33
    # cuts before the average: (2001 + 2002) / 2 = 2001.5
    assert _value(_rated([2000, 1000, 2001, 2002]), "ARO/C1") == 2002


def test_performance_of_full_and_of_no_score():
    games = pl.DataFrame(
        {
            "tournament": "t",
            "round": [1, 2],
            "white": [1, 1],
            "black": [2, 3],
            "result": ["1-0"] * 2,
        }
    )
    players = pl.DataFrame({"tournament": "t", "player": [1, 2, 3], "rating": [2000, 1800, 1900]})
    values = tb.from_games(games, players).tiebreaks("TPR PTP")
    assert values.row(0)[2:] == (1850 + 800, 1900 + 736)
    assert values.row(1)[2:] == (2000 - 800, 2000 - 800)


@pytest.mark.parametrize(
    ("edition", "ranks"),
    [
        # Players 2 and 3 have two games, and rank below all others by their average.
        ("2012", {4: 1, 1: 2, 2: 3, 3: 3}),
        ("2012 few_games=no-rule", {2: 1, 3: 1, 4: 3, 1: 4}),
        ("2012 few_games=skipped-more-than-two", {2: 1, 3: 1, 4: 3, 1: 4}),
        ("2026-03", {2: 1, 3: 1, 4: 3, 1: 4}),
    ],
)
def test_the_rule_on_players_with_two_games(edition, ranks):
    rows = [(1, 1, 2), (1, 3, 4), (2, 1, 3), (2, 2, 4), (3, 1, 4)]
    games = pl.DataFrame(rows, schema=["round", "white", "black"], orient="row")
    games = games.with_columns(result=pl.lit("1/2-1/2"), tournament=pl.lit("t"))
    players = pl.DataFrame(
        {"tournament": "t", "player": [1, 2, 3, 4], "rating": [2400, 1000, 2000, 2300]}
    )
    about = pl.DataFrame({"tournament": ["t"], "pairing": ["swiss"]})
    # 1: (1000 + 2000 + 2300) / 3 = 1767; 2 and 3: (2300 + 2400) / 2 = 2350;
    # 4: (2000 + 1000 + 2400) / 3 = 1800
    table = tb.from_games(games, players, about).standings("ARO", edition=edition)
    assert dict(table.select("player", "rank").rows()) == ranks
    assert dict(table.select("player", "ARO").rows()) == {1: 1767, 2: 2350, 3: 2350, 4: 1800}
