"""Esports, draughts, debate, bridge, local variants, FIDE's older criteria, by hand."""

from __future__ import annotations

import polars as pl
import pytest

import tbframe as tb


def both(number: int, one: str, other: str, result: str) -> list[tuple[object, ...]]:
    theirs = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+"}[result]
    return [(number, one, other, result), (number, other, one, theirs)]


def archive_of(rows: list[tuple[object, ...]], **about: object) -> tb.Archive:
    results = pl.DataFrame(rows, schema=["round", "player", "opponent", "result"], orient="row")
    tournament = pl.lit("t").alias("tournament")
    frame = pl.DataFrame({"tournament": ["t"], "pairing": ["swiss"], **about})
    return tb.from_results(results.with_columns(tournament), None, frame)


def by_player(archive: tb.Archive, codes: str) -> dict[object, tuple[float, ...]]:
    frame = archive.tiebreaks(codes, edition="plain")
    return {row[1]: row[2:] for row in frame.rows()}


# esports

#: Out after the second loss: C and D have two matches, A and B three.
STAGE = [*both(1, "A", "C", "1"), *both(1, "B", "D", "1"), *both(2, "A", "B", "0"),
         *both(2, "C", "D", "1"), *both(3, "A", "x", "1"), *both(3, "B", "C", "1"),
         (3, "D", None, "U")]  # fmt: skip


def test_difficulty_is_wins_less_losses():
    """Balances: A 2-1, B 3-0, C 1-2, D 0-2 (a bye is no match), x 0-1.

    A met C, B, x: -1 + 3 - 1; B met D, A, C: -2 + 1 - 1; C met A, D, B: 1 - 2 + 3; D: 3 - 1.
    """
    ours = by_player(archive_of(STAGE), "esports.DIFF")
    assert [ours[player][0] for player in "ABCD"] == [1, -2, 2, 2]


@pytest.mark.parametrize(
    "scoring", ["W=1 D=0", "W=3 D=1", "W=3 D=2 L=1", "W=1 D=0.5; R2 x2", "W=2 D=1.5 L=1; b D=2"]
)
def test_wins_and_losses_are_those_of_the_results_whatever_they_score(scoring):
    """Also where a draw is worth no more than a loss, or a round counts double.

    Results: A beat B and drew with C, B beat C. Kashdan 4/2/1; performance +400, 0, -400.
    """
    rows = [*both(1, "A", "B", "1"), *both(2, "A", "C", "="), *both(3, "B", "C", "1")]
    ratings = pl.DataFrame({"tournament": "t", "player": ["A", "B", "C"], "rating": 1500})
    about = pl.DataFrame({"tournament": ["t"], "pairing": ["swiss"], "scoring": [scoring]})
    results = pl.DataFrame(rows, schema=["round", "player", "opponent", "result"], orient="row")
    archive = tb.from_results(results.with_columns(tournament=pl.lit("t")), ratings, about)
    ours = by_player(archive, "uscf.KASH uscf.PERF esports.DIFF esports.LTT")
    # Balances A +1, B 0, C -1: A met B and C, B met A and C, C met A and B.
    assert ours["A"] == (6, 1500 + 400 / 2, -1, 0)
    assert ours["B"] == (5, 1500, 0, 0)
    assert ours["C"] == (3, 1500 - 400 / 2, 1, 0)
    # In one group of three: A +1, B 0, C -1.
    table = archive.standings("uscf.SOME uscf.RBT", edition="plain")
    assert table.select("rank", "player").rows() == [(1, "A"), (2, "B"), (3, "C")]
    # Beaten opponents in full, those drawn with by half.
    score = dict(archive.tiebreaks("PTS").select("player", "PTS").rows())
    assert by_player(archive, "local.SBR") == {
        "A": (score["B"] + score["C"] / 2,), "B": (score["C"],), "C": (score["A"] / 2,)
    }  # fmt: skip


def test_median_buchholz_leaves_out_best_and_worst():
    """Scores: A 2, B 3, C 1, D 1 (the bye), x 0. A met 1, 3, 0; B 1, 2, 1; C 2, 1, 3; D 3, 1."""
    ours = by_player(archive_of(STAGE), "esports.MBH")
    assert [ours[player][0] for player in "ABCD"] == [1, 1, 2, 0]


def test_25_who_dropped_out_is_not_tied():
    """Six teams by record; only losses among them matter, the rest is against others."""
    records = {"E": (3, 3), "T": (3, 2), "R": (3, 3), "C": (2, 4), "A": (2, 3), "B": (2, 4)}
    lost = [("E", "T"), ("C", "A"), ("C", "B")]
    rows: list[tuple[object, ...]] = []
    left = {team: list(record) for team, record in records.items()}
    for number, (loser, winner) in enumerate(lost, start=1):
        rows += both(number, loser, winner, "0")
        left[loser][1] -= 1
        left[winner][0] -= 1
    number = len(lost)
    for team, (wins, losses) in left.items():
        for place in range(wins + losses):
            number += 1
            rows += both(number, team, f"x{number}", "1" if place < wins else "0")
    ours = by_player(archive_of(rows), "esports.LTT")
    assert (ours["E"], ours["C"]) == ((0,), (1,))


# draughts, debate, bridge


def test_sums_over_the_opponents_met():
    """Draughts score 2-1-0. P met a, b, c, who end on 4, 3 and 0, and had a bye.

    a won from P and y, b drew with P and beat z, c lost to P.
    """
    rows = [
        *both(1, "P", "a", "0"), *both(2, "P", "b", "="), *both(3, "P", "c", "1"),
        (4, "P", None, "U"), *both(2, "a", "y", "1"), *both(1, "b", "z", "1"),
    ]  # fmt: skip
    archive = archive_of(rows, scoring=["W=2 D=1 L=0"])
    codes = "PTS draughts.SOLK draughts.SOLK/C1 draughts.SOLK/M1 debate.DS bridge.SP"
    assert by_player(archive, codes)["P"] == (5, 7, 7, 3, 7, 7)
    order = archive.standings("preset:draughts", edition="plain").columns
    assert order[4:8] == ["PTS", "draughts.SOLK", "draughts.SOLK/C1", "draughts.SOLK/M1"]


def test_who_beat_whom_is_for_two():
    """A and B are two on 1 point, A beat B; C, D, E are three on 2, and stay."""
    rows = [
        *both(1, "A", "B", "1"), *both(2, "B", "x", "1"), *both(1, "C", "D", "1"),
        *both(2, "C", "E", "1"), *both(2, "D", "y", "1"), *both(3, "D", "z", "1"),
        *both(1, "E", "u", "1"), *both(3, "E", "v", "1"), *both(3, "u", "x", "1"),
    ]  # fmt: skip
    table = archive_of(rows).standings("PTS debate.WBW", edition="plain")
    three = table.filter(PTS=2.0)
    assert three["player"].to_list() == ["C", "D", "E"]
    assert three["rank"].n_unique() == 1
    pair = archive_of(rows[:4]).standings("PTS debate.WBW", edition="plain").head(2)
    assert pair.select("rank", "player").rows() == [(1, "A"), (2, "B")]


# local variants


def test_points_against_equal_or_better_opponents(fact_event):
    """A handout's example; ALMA (4) by its own rule has 1.5, where it prints 1.0."""
    ours = by_player(fact_event("example_10p_6r"), "PTS BH local.PEQ SB")
    assert ours[4] == (3.0, 19.5, 1.5, 8.0)
    assert ours[5] == (3.0, 18.0, 1.5, 9.0)
    assert ours[6] == (3.0, 17.0, 0.5, 6.5)


def test_16_results_instead_of_points(report):
    """Three points for a win: published tables take the whole score of a beaten opponent."""
    case, archive = report("16")
    (key,) = [key for key in case["expected"] if "fraction" in key]
    ours = by_player(archive, "local.SBR")
    right = {int(player): (value,) for player, value in case["expected"][key].items()}
    assert len(right) == 11
    assert {player: ours[player] for player in right} == right


# older texts and presets


def test_older_criteria_of_fide():
    """A met B, C and D; scores A 2.5, B 1, C 1, D 0.5; Buchholz without unplayed rounds.

    BH: B 2.5 + 1 + 0.5, C the same as B met A, C, D, and so on: a round robin of four, 5 in all.
    """
    rows = [
        *both(1, "A", "B", "1"), *both(1, "C", "D", "1"), *both(2, "A", "C", "1"),
        *both(2, "B", "D", "1"), *both(3, "A", "D", "="), *both(3, "B", "C", "0"),
    ]  # fmt: skip
    ours = by_player(archive_of(rows), "PTS BH old.SUMBH")
    scores = {"A": 2.5, "B": 1.0, "C": 2.0, "D": 0.5}
    for player, score in scores.items():
        of_all = sum(6 - other for name, other in scores.items() if name != player)
        assert ours[player] == (score, 6 - score, of_all)


@pytest.mark.parametrize(("missed", "value"), [(False, 2000), (True, 1900)])
def test_a_missed_round_is_cut_before_a_rating(missed, value):
    """Ratings 1800 and 2000: the lower is cut, unless a round was missed."""
    rows = [*both(1, "P", "a", "1"), *both(2, "P", "b", "0")]
    if missed:
        rows.append((3, "P", None, "H"))
        rows += both(3, "a", "b", "=")
    results = pl.DataFrame(rows, schema=["round", "player", "opponent", "result"], orient="row")
    players = pl.DataFrame({"player": ["P", "a", "b"], "rating": [1900, 1800, 2000]})
    tournament = pl.lit("t").alias("tournament")
    about = pl.DataFrame({"tournament": ["t"], "pairing": ["swiss"]})
    archive = tb.from_results(
        results.with_columns(tournament), players.with_columns(tournament), about
    )
    ours = by_player(archive, "old.AROC ARO/C1")
    assert ours["P"] == (value, 2000)


def test_the_olympiad_preset_is_for_teams():
    order = tb.presets().filter(name="olympiad")["order"].item()
    assert order == "PTS EMGSB@olympiad/C1 GPTS BH@olympiad:MP/C1"
