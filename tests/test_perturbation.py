"""Scenarios: each is what one would compute from results changed by hand."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import polars as pl
import pytest

import tbframe as tb
from tbframe.research import (
    bye_bias,
    kingmakers,
    monotonicity,
    outside_influence,
    sabotage,
    withdrawal_sensitivity,
)

ORDER = "PTS DE BH/C1 BH SB WIN"
MIRROR = {"1": "0", "=": "=", "0": "1", "+": "-", "-": "+"}


@pytest.fixture(scope="module")
def events() -> tb.Archive:
    return tb.simulate(
        events=3, players=9, rounds=4, seed=8, half_point_byes=0.1, forfeits=0.05, withdrawals=0.05
    )


def by_hand(archive: tb.Archive, scenario: dict, kind: str) -> pl.DataFrame:
    """Change the results row by row, in Python, and rank them as a table of their own."""
    rows = archive.results.filter(tournament=scenario["tournament"]).to_dicts()
    changed = []
    for row in rows:
        mine = row["player"] == scenario["player"]
        met = row["opponent"] == scenario["player"]
        here = row["round"] == scenario["round"]
        new = dict(row)
        if kind in ("flip", "forfeit") and here and (mine or met):
            new |= {"result": scenario["becomes"] if mine else MIRROR[scenario["becomes"]],
                    "points": None}  # fmt: skip
        if kind == "bye" and here and mine:
            new |= {"result": scenario["becomes"], "points": None}
        if kind == "withdraw" and row["round"] >= scenario["round"] and (mine or met):
            new |= {"result": "Z" if mine else "U", "points": None, "opponent": None, "color": None}
        if kind == "drop_round":
            if here:
                continue
            if row["round"] > scenario["round"]:
                new["round"] -= 1
        changed.append(new)
    table = pl.DataFrame(changed, schema=archive.results.schema)
    made = tb.from_results(
        table,
        players=archive.players.filter(tournament=scenario["tournament"]),
        tournaments=archive.tournaments.filter(tournament=scenario["tournament"]),
    )
    return made.standings(ORDER)


@pytest.mark.parametrize("kind", ["flip", "forfeit", "withdraw", "drop_round", "bye"])
@pytest.mark.parametrize("rounds", ["last", "all", [2]])
def test_a_scenario_is_the_tournament_changed_by_hand(
    events: tb.Archive, kind: str, rounds: str | list[int]
) -> None:
    scenarios = tb.perturb(events, kind, rounds=rounds)
    standings = scenarios.standings(ORDER)
    assert standings["scenario"].n_unique() == scenarios.scenarios.height
    for scenario in scenarios.scenarios.to_dicts():
        found = standings.filter(scenario=scenario["scenario"]).drop("scenario")
        assert found.equals(by_hand(events, scenario, kind)), scenario


def test_a_round_robin_player_who_leaves_forfeits_his_games() -> None:
    archive = tb.simulate(events=1, players=4, pairing="berger", seed=1)
    leaving = tb.perturb(archive, "withdraw", rounds=[2])
    assert leaving.scenarios.height == 4
    before = dict(archive.standings("PTS", after_round=1).select("player", "PTS").rows())
    for scenario in leaving.scenarios["scenario"]:
        player = leaving.scenarios["player"][scenario]
        table = leaving.standings("PTS").filter(scenario=scenario)
        points = dict(table.select("player", "PTS").rows())
        assert points[player] == before[player]
        assert sum(points.values()) == 6  # a forfeited game is worth one point as any other


def test_london_2013_was_decided_in_the_last_round() -> None:
    # Carlsen and Kramnik had 8.5 each and both lost. Whatever Carlsen's game, he would have been
    # first; Kramnik with a draw would have had 9 and been first, and so with a win.
    archive = tb.read("data/trf/candidates_london_2013.trf")
    flips = tb.perturb(archive)
    first = flips.standings("PTS DE WIN SB").filter(rank=1)
    by_game = flips.scenarios.join(first, on="scenario").select("player", "opponent", "name")
    kramnik = by_game.filter(name="Kramnik, Vladimir")
    assert kramnik.height == 2
    names = dict(archive.players.select("player", "name").rows())
    assert {names[one] for one in kramnik.select("player", "opponent").row(0)} == {
        "Kramnik, Vladimir",
        "Ivanchuk, Vassily",
    }
    # No game of others decides between the two.
    kings = kingmakers(flips, "PTS DE WIN SB")
    assert kings.height == 4
    assert not kings["kingmaker"].any()


def ranks(table: pl.DataFrame) -> dict[int, int]:
    return dict(table.select("player", "rank").rows())


def test_effects_are_those_counted_one_by_one(events: tb.Archive) -> None:
    flips = tb.perturb(events, rounds="all")
    standings = flips.standings(ORDER)
    results = events.results.filter(pl.col("result").is_in(["1", "=", "0"]))
    outside = outside_influence(flips, ORDER)
    own = monotonicity(flips, ORDER)
    third = sabotage(flips, ORDER)
    worth = {"1": 2, "=": 1, "0": 0}
    for scenario in flips.scenarios.to_dicts():
        number, tournament = scenario["scenario"], scenario["tournament"]
        before = events.standings(ORDER).filter(tournament=tournament)
        points = dict(before.select("player", "PTS").rows())
        old, new = ranks(before), ranks(standings.filter(scenario=number))
        two = {scenario["player"], scenario["opponent"]}
        pairs = [
            (a, b)
            for a, b in combinations(points, 2)
            if points[a] == points[b] and not two & {a, b}
        ]

        def sign(a: int, b: int) -> int:
            return (a > b) - (a < b)

        changed = sum(sign(old[a], old[b]) != sign(new[a], new[b]) for a, b in pairs)
        assert outside.filter(scenario=number).select("pairs", "changed").row(0) == (
            len(pairs),
            changed,
        )
        better = worth[scenario["becomes"]] > worth[scenario["was"]]
        for player in two:
            mine = own.filter(scenario=number, player=player).row(0, named=True)
            improved = better == (player == scenario["player"])
            assert mine["improved"] == improved
            assert (mine["before"], mine["after"]) == (old[player], new[player])
            assert mine["violation"] == (
                new[player] > old[player] if improved else new[player] < old[player]
            )
        loser = scenario["opponent"] if better else scenario["player"]
        met = set(results.filter(tournament=tournament, player=loser)["opponent"]) - two
        gain = sum(new[player] < old[player] for player in met)
        assert third.filter(scenario=number).select("opponents", "gain").row(0) == (len(met), gain)


def test_kingmakers_are_those_counted_one_by_one(events: tb.Archive) -> None:
    flips = tb.perturb(events)
    found = kingmakers(flips, ORDER, top=2)
    standings = flips.standings(ORDER)
    for game in found.to_dicts():
        key = {name: game[name] for name in ("tournament", "round", "player", "opponent")}
        worlds = [
            ranks(standings.filter(scenario=number))
            for number in flips.scenarios.filter(**key)["scenario"]
        ]
        worlds.append(ranks(events.standings(ORDER).filter(tournament=game["tournament"])))
        tops = [{player for player, rank in world.items() if rank <= 2} for world in worlds]
        others = not any({game["player"], game["opponent"]} & top for top in tops)
        assert game["kingmaker"] == (others and any(top != tops[0] for top in tops))


def test_own_results_alone_have_no_outside_influence(events: tb.Archive) -> None:
    flips = tb.perturb(events, rounds="all")
    assert outside_influence(flips, "PTS WIN PS")["changed"].sum() == 0
    assert outside_influence(flips, "PTS BH")["changed"].sum() > 0


def test_an_opponent_who_leaves_counts_by_the_text() -> None:
    # Two rounds, four players. 1 beats 3, 2 beats 4; then 1 beats 2, 3 beats 4. If 2 leaves before
    # round 2 he keeps 1 point. Buchholz of 4, who met 2 and 3: plain 2's point + 3's 1 = 2.
    games = pl.DataFrame(
        {"round": [1, 1, 2, 2], "white": [1, 2, 1, 3], "black": [3, 4, 2, 4], "result": ["1-0"] * 4}
    )
    about = pl.DataFrame({"tournament": ["t"], "pairing": ["swiss"]})
    archive = tb.from_games(games.with_columns(tournament=pl.lit("t")), tournaments=about)
    leaving = tb.perturb(archive, "withdraw", rounds=[2])
    who = leaving.scenarios.filter(player=2)["scenario"].item()
    table = leaving.tiebreaks("PTS BH", edition="plain").filter(scenario=who)
    assert dict(table.select("player", "PTS").rows()) == {1: 2, 2: 1, 3: 1, 4: 0}
    assert dict(table.select("player", "BH").rows())[4] == 2
    found = withdrawal_sensitivity(leaving, "BH", editions=["plain", "2012"])
    assert found["edition"].to_list() == ["plain", "2012"]
    # Everybody had met one opponent before round 2, in four scenarios: four players.
    assert found["players"].to_list() == [4, 4]


def test_the_bias_of_a_bye_is_the_difference_from_those_who_played() -> None:
    # Five players, one round: 1 beats 2, 3 beats 4, 5 has the bye. Plain Buchholz: 1 and 3 have
    # an opponent of 0 points and 5 has none: all 0, no bias.
    games = pl.DataFrame({"round": [1, 1], "white": [1, 3], "black": [2, 4], "result": ["1-0"] * 2})
    byes = pl.DataFrame({"round": [1], "player": [5], "type": ["U"]})
    archive = tb.from_games(games, byes=byes)
    assert bye_bias(archive, "BH", edition="plain").rows() == [("U", 1, 0.0, 0.0)]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda a: tb.perturb(a, "sideways"),
        lambda a: tb.perturb(a, rounds="first"),
        lambda a: tb.perturb(a, rounds=["1"]),
        lambda a: sabotage(tb.perturb(a, "forfeit"), "PTS"),
        lambda a: outside_influence(tb.perturb(a, "bye"), "PTS"),
        lambda a: withdrawal_sensitivity(tb.perturb(a), "BH"),
        lambda a: withdrawal_sensitivity(tb.perturb(a, "withdraw"), "BH SB"),
    ],
)
def test_what_cannot_be_is_refused(
    events: tb.Archive, wrong: Callable[[tb.Archive], object]
) -> None:
    with pytest.raises(tb.TbframeError):
        wrong(events)


def test_teams_are_refused() -> None:
    boards = pl.DataFrame(
        {
            "tournament": ["t"] * 2,
            "round": [1, 1],
            "team": ["A", "B"],
            "opponent": ["B", "A"],
            "board": [1, 1],
            "result": ["1", "0"],
        }
    )
    with pytest.raises(tb.TbframeError, match="team events"):
        tb.perturb(tb.from_boards(boards))


def test_nothing_to_change_is_no_error() -> None:
    for archive in (tb.simulate(events=0), tb.simulate(events=2, players=1)):
        for kind in ("flip", "forfeit", "withdraw", "drop_round", "bye"):
            nothing = tb.perturb(archive, kind)
            assert nothing.scenarios.is_empty()
            assert nothing.standings(ORDER).is_empty()
        assert outside_influence(tb.perturb(archive), ORDER).is_empty()
        assert monotonicity(tb.perturb(archive), ORDER).is_empty()
        assert kingmakers(tb.perturb(archive), ORDER).is_empty()
