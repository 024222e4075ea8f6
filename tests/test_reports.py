"""Failures that people met in other programs, with the right values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import tbframe as tb
from tbframe.codes import parse_criterion
from tbframe.ledger import Batch, build_ledger
from tbframe.tiebreaks.direct_encounter import direct_encounter


def _column(archive: tb.Archive, code: str, edition: str | tb.Edition) -> dict[object, float]:
    values = archive.tiebreaks(code, edition=edition)
    return dict(zip(values["player"], values[code], strict=True))


def _expected(values: dict[str, float], archive: tb.Archive) -> dict[object, float]:
    whole = archive.players["player"].dtype.is_integer()
    return {int(key) if whole else key: float(value) for key, value in values.items()}


def _levels(standings: pl.DataFrame) -> list[list[object]]:
    return [
        sorted(level["player"].to_list())
        for _, level in standings.group_by("rank", maintain_order=True)
    ]


def test_01_an_event_under_three_rule_sets(report):
    case, archive = report("01")
    codes = {"PTS", "WIN", "WON", "BPG", "REP", "PS", "BH", "BH/C1", "SB", "SB/C1", "FB"}
    seen = 0
    for group, editions in (
        ("common", ["2023", "2026-03"]),
        ("2023", ["2023", "2024-08"]),
        ("2026-03", ["2026-03"]),
        ("2012", ["2012"]),
    ):
        for code, values in case["expected"][group].items():
            if code not in codes:
                continue
            for edition in editions:
                ours = _column(archive, code, edition)
                right = _expected(values, archive)
                assert {player: ours[player] for player in right} == right, (code, edition)
                seen += len(right)
    assert seen > 400


@pytest.mark.parametrize("number", ["02", "04"])
def test_02_04_direct_encounter_by_score_group(report, number):
    case, archive = report(number)
    groups = case["expected"].get("DE_rank_groups_by_score") or case["expected"]["DE_order"]
    standings = archive.standings("PTS DE", edition="2023")
    for score, levels in groups.items():
        ours = _levels(standings.filter(PTS=float(score)))
        assert ours == [sorted(level) for level in levels]


def test_04_a_round_robin_with_a_forfeit(report):
    case, archive = report("04")
    for code in ("PTS", "SB", "SB/C1", "KS"):
        assert _column(archive, code, "2023") == _expected(case["expected"][code], archive)


def test_05_koya_takes_the_limit_itself_and_the_last_round(report):
    case, archive = report("05")
    for edition in ("2012", "2024-08", "2026-03"):
        assert _column(archive, "KS", edition) == _expected(case["expected"]["KS"], archive)


@pytest.mark.parametrize("edition", ["2023", "2026-03", "2012"])
def test_06_sonneborn_berger_with_a_bye(report, edition):
    case, archive = report("06")
    for code, values in case["expected"][edition].items():
        assert _column(archive, code, edition) == _expected(values, archive)


def test_06_the_other_two_answers(report):
    case, archive = report("06")
    ignored = _expected(case["expected"]["bye_ignored"]["SB"], archive)
    assert _column(archive, "SB", "plain") == ignored
    (mixed,) = [values for key, values in case["expected"].items() if "as_they_are" in key]
    reading = replace(tb.EDITIONS["2012"], opponent_unplayed="awarded")
    assert _column(archive, "SB", reading) == _expected(mixed["SB"], archive)


@pytest.mark.parametrize(("number", "edition"), [("09", "2024-08"), ("13", "2026-03")])
def test_09_13_direct_encounter_of_a_given_group(report, number, edition):
    """The group is tied on something else than points, so the tie is given by hand."""
    case, archive = report(number)
    (block,) = build_ledger(archive.results, archive.players, archive.tournaments).blocks
    t = Batch.of(block, 0, 1, tb.EDITIONS[edition])
    players = archive.players["player"].to_list()
    group = [players.index(name) for name in case["tied_group"]]
    place = np.arange(len(players))
    place[group] = 0
    place[[p for p in range(len(players)) if p not in group]] = np.arange(len(group), len(players))
    refined = direct_encounter(t, place, parse_criterion("DE"))
    levels = [
        sorted(players[p] for p in group if refined[p] == level)
        for level in sorted({int(refined[p]) for p in group})
    ]
    assert levels == case["expected"]["DE_order"]


def test_11_a_chain_with_missing_games_stays_tied(report):
    case, archive = report("11")
    standings = archive.standings("PTS DE", edition="2024-08")
    for score, levels in case["expected"]["DE_order"].items():
        assert _levels(standings.filter(PTS=float(score))) == [sorted(level) for level in levels]
    assert standings.filter(PTS=2.0)["DE"].to_list() == [0, 0, 0, 0]  # did not decide


def test_12_a_double_round_robin_with_one_win_each(report):
    case, archive = report("12")
    standings = archive.standings("PTS DE", edition="2026-03")
    for score, levels in case["expected"]["DE_order"].items():
        assert _levels(standings.filter(PTS=float(score))) == [sorted(level) for level in levels]
    for code in ("PTS", "SB"):
        assert _column(archive, code, "2026-03") == _expected(case["expected"][code], archive)


def test_16_football_points(report):
    case, archive = report("16")
    assert _column(archive, "PTS", "plain") == _expected(case["expected"]["PTS"], archive)
    (key,) = [key for key in case["expected"] if "points" in key and key != "PTS"]
    right = _expected(case["expected"][key], archive)
    ours = _column(archive, "SB", "2026-03")  # C.07 art. 9.1: points times points
    assert {player: ours[player] for player in right} == right


def test_28_progressive_scores_go_on_after_a_withdrawal(report):
    rows = [
        ("t", number, player, "1" if what == "1" else "0" if what == "0" else "Z")
        for player, whole in {"A": "11110", "B": "11011", "C": "11101", "D": "1111-"}.items()
        for number, what in enumerate(whole, start=1)
    ]
    results = pl.DataFrame(
        rows, schema=["tournament", "round", "player", "result"], orient="row"
    ).with_columns(opponent=pl.when(pl.col("result") != "Z").then(pl.lit("X") + pl.col("player")))
    archive = tb.from_results(results)
    ours = _column(archive, "PS", "2023")
    assert {p: ours[p] for p in "ABCD"} == {"A": 14, "B": 12, "C": 13, "D": 14}


def test_32_shared_ranks():
    """1, 1, 1, 4 on points alone."""
    rows = [
        ("t", 1, "Alpha", "Bravo", "1"),
        ("t", 1, "Bravo", "Alpha", "0"),
        ("t", 2, "Delta", "Bravo", "1"),
        ("t", 2, "Bravo", "Delta", "0"),
        ("t", 3, "Charlie", "Bravo", "1"),
        ("t", 3, "Bravo", "Charlie", "0"),
    ]
    columns = ["tournament", "round", "player", "opponent", "result"]
    archive = tb.from_results(pl.DataFrame(rows, schema=columns, orient="row"))
    standings = archive.standings("PTS")
    assert standings.select("player", "rank").rows() == [
        ("Alpha", 1),
        ("Charlie", 1),
        ("Delta", 1),
        ("Bravo", 4),
    ]


def test_33_games_of_a_withdrawn_player_can_be_left_out(report):
    case, archive = report("33")
    without = _expected(case["expected"]["without_rule"]["PTS"], archive)
    assert _column(archive, "PTS", "2026-03") == without
    # General Regulations 6.6: under half of the games completed, none of them counts.
    rest = archive.results.filter((pl.col("player") != "W") & (pl.col("opponent") != "W"))
    ours = _column(tb.from_results(rest), "PTS", "2026-03")
    assert ours == _expected(case["expected"]["with_rule_6.6"]["PTS"], archive)


def test_35_points_given_row_by_row():
    """Classical 3/1/0 with an armageddon game of half a point: points given, not derived."""
    results = pl.DataFrame(
        {
            "tournament": ["n"] * 4,
            "round": [1] * 4,
            "game": [1, 1, 2, 2],
            "player": ["X", "Y", "X", "Y"],
            "opponent": ["Y", "X", "Y", "X"],
            "color": ["w", "b", "w", "b"],
            "result": ["="] * 4,
            "points": [1.0, 1.0, 0.0, 0.5],
        }
    )
    assert _column(tb.from_results(results), "PTS", "plain") == {"X": 1.0, "Y": 1.5}
