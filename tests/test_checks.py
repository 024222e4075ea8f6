"""The checks before computing."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import tbframe.checks
from benchmarks.synthetic import mixed_sizes
from tbframe.archive import Archive
from tbframe.checks import check
from tbframe.intake import from_games, from_results
from tbframe.ledger.numbering import number
from tbframe.schema import FINDINGS

#: A row as tournament, round, player, opponent, color, result (and points, where they differ).
Row = tuple[Any, ...]


def archive(
    rows: list[Row],
    players: dict[str, Any] | None = None,
    tournaments: dict[str, Any] | None = None,
    **columns: list[Any],
) -> Archive:
    """Return an archive of these rows, declared as Swiss unless `tournaments` says else."""
    names = ["tournament", "round", "player", "opponent", "color", "result"]
    types: dict[str, Any] = {"opponent": type(rows[0][2]), "color": pl.String}
    results = pl.DataFrame(rows, schema=names, schema_overrides=types, orient="row")
    results = results.with_columns(**{k: pl.Series(v) for k, v in columns.items()})
    keys = results["tournament"].unique(maintain_order=True).to_list()
    events = tournaments or {"tournament": keys, "pairing": "swiss"}
    side = None if players is None else pl.DataFrame(players)
    return from_results(results, side, pl.DataFrame(events))


def found(given: Archive) -> list[tuple[str, str, Any, Any]]:
    """Return severity, code, round and player of what `check` finds."""
    findings = check(given.results, given.players, given.tournaments)
    assert findings.schema == FINDINGS
    return findings.select("severity", "code", "round", "player").rows()


def told(given: Archive) -> list[str]:
    return check(given.results, given.players, given.tournaments)["message"].to_list()


SOUND: list[Row] = [
    ("t", 1, "a", "b", "w", "1"),
    ("t", 1, "b", "a", "b", "0"),
    ("t", 1, "c", "d", "w", "="),
    ("t", 1, "d", "c", "b", "="),
    ("t", 2, "a", "c", "b", "+"),
    ("t", 2, "c", "a", "w", "-"),
    ("t", 2, "b", None, None, "U"),
    ("t", 2, "d", None, None, "H"),
]


def test_nothing_is_found_where_all_is_well() -> None:
    players = {"tournament": "t", "player": list("abcd"), "points": [2.0, 1.0, 0.5, 1.0]}
    events = {"tournament": ["t"], "pairing": ["swiss"], "rounds": [2]}
    assert found(archive(SOUND, players, events)) == []


def test_nothing_is_found_in_empty_frames() -> None:
    empty = archive(SOUND).results.clear()
    assert found(from_results(empty)) == []


# -- the two rows of a game -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "severity", "code"),
    [
        *((a, b, None, None) for a, b in ("10", "==", "00", "WL", "DD", "LL", "+-", "--", "**")),
        *((a, b, "info", "asymmetric-result") for a, b in ("=0", "0=", "DL", "LD")),
        *((a, b, "warning", "rated-disagree") for a, b in ("1L", "W0", "=D", "0L")),
        *((a, b, "error", "results-disagree") for a, b in ("11", "1=", "WW", "++", "+0", "1-")),
        *((a, b, "error", "results-disagree") for a, b in ("*1", "+*", "+=", "0-", "=-", "W1")),
    ],
)
def test_the_two_results_of_a_game(
    one: str, other: str, severity: str | None, code: str | None
) -> None:
    rows = [("t", 1, "a", "b", "w", one), ("t", 1, "b", "a", "b", other)]
    unknown = [("info", "result-unknown", 1, None)] if "*" in one + other else []
    expected = [] if severity is None else [(severity, code, 1, "a")]
    assert found(archive(rows)) == unknown + expected


def test_both_players_with_one_color() -> None:
    rows = [("t", 1, "a", "b", "w", "1"), ("t", 1, "b", "a", "w", "0")]
    assert found(archive(rows)) == [("error", "colors-disagree", 1, "a")]
    rows = [("t", 1, "a", "b", None, "+"), ("t", 1, "b", "a", "w", "-")]
    assert found(archive(rows)) == []


def test_games_over_the_board_without_colors() -> None:
    rows = [("t", 1, "a", "b", None, "1"), ("t", 1, "b", "a", None, "0")]
    assert found(archive(rows)) == [("info", "color-missing", None, None)]
    assert told(archive(rows)) == ["2 results over the board without a color"]


def test_a_game_with_one_row_only() -> None:
    rows = [*SOUND[:4], ("t", 2, "a", "c", "b", "1")]
    assert found(archive(rows)) == [("error", "mirror-missing", 2, "a")]
    assert told(archive(rows)) == ["opponent c has no row for this game"]


def test_opponents_who_disagree_on_who_met_whom() -> None:
    rows = [
        ("t", 1, "a", "b", "w", "1"),
        ("t", 1, "b", "c", "b", "0"),
        ("t", 1, "c", "b", "w", "1"),
    ]
    assert found(archive(rows)) == [("error", "opponents-disagree", 1, "a")]
    assert told(archive(rows)) == ["opponent b has opponent c in this round"]


def test_an_opponent_who_says_he_had_a_bye() -> None:
    rows = [("t", 1, "a", "b", "w", "1"), ("t", 1, "b", None, None, "U")]
    assert found(archive(rows)) == [("error", "opponents-disagree", 1, "a")]
    assert told(archive(rows)) == ["opponent b has U without an opponent"]


@pytest.mark.parametrize("absent", ["-", "Z"])
def test_a_forfeit_whose_loser_names_nobody(absent: str) -> None:
    rows = [("t", 1, "a", "b", "w", "+"), ("t", 1, "b", None, None, absent)]
    assert found(archive(rows)) == [("info", "mirror-unnamed", 1, "a")]


def test_games_in_different_rounds_for_the_two_players() -> None:
    games = pl.DataFrame(
        {"tournament": "t", "white": list("azyd"), "black": list("yaza"), "result": "1-0"}
    )
    given = from_games(games)
    # Counted in row order, a has y z d, y has a z, z has a y, and d has a: a-y and y-z stand in
    # one round for both, a-z and a-d do not.
    rows = [row for row in found(given) if row[1] != "rounds-skipped"]
    assert rows == [("warning", "rounds-disagree", None, None)]
    assert told(given) == [
        "2 games in different rounds for the two players, the first: a against z, in "
        "round 2 for the one and 1 for the other"
    ]


def test_a_second_game_that_only_one_side_has() -> None:
    rows = [
        ("t", 1, "a", "b", "w", "1"),
        ("t", 1, "a", "b", "b", "0"),
        ("t", 1, "b", "a", "b", "0"),
    ]
    given = archive(rows, game=[1, 2, 1])
    assert found(given) == [
        ("error", "mirror-missing", 1, "a"),
        ("info", "several-games", 1, "a"),
    ]


def test_a_match_of_several_games_a_round_is_sound() -> None:
    rows = [
        ("t", 1, "a", "b", "w", "1"),
        ("t", 1, "a", "b", "b", "="),
        ("t", 1, "b", "a", "b", "0"),
        ("t", 1, "b", "a", "w", "="),
    ]
    # The numbers of the second game differ, its place does not.
    given = archive(rows, game=[1, 2, 1, 2])
    assert found(given) == [("info", "several-games", 1, "a"), ("info", "several-games", 1, "b")]


def test_two_opponents_in_one_round() -> None:
    rows = [
        ("t", 1, "a", "b", "w", "1"),
        ("t", 1, "a", "c", "b", "="),
        ("t", 1, "b", "a", "b", "0"),
        ("t", 1, "c", "a", "w", "="),
    ]
    assert found(archive(rows, game=[1, 2, 1, 1])) == [("error", "paired-twice", 1, "a")]


# -- one row ----------------------------------------------------------------------------------


def frames(rows: list[Row]) -> Archive:
    """Return an archive as another program could have made it, nothing set aside or added."""
    sound = archive(SOUND)
    names = ["tournament", "round", "player", "opponent", "color", "result"]
    types: dict[str, Any] = {"color": pl.String, "result": sound.results.schema["result"]}
    results = pl.DataFrame(rows, schema=names, schema_overrides=types, orient="row")
    results = results.with_columns(pl.col("round").cast(pl.Int32), points=pl.lit(0.0))
    return Archive(results, sound.players, sound.tournaments, sound.findings, sound.quarantine)


def errors(given: Archive) -> list[tuple[str, Any, Any]]:
    return [row[1:] for row in found(given) if row[0] == "error"]


def test_who_meets_himself() -> None:
    assert errors(frames([("t", 1, "a", "a", "w", "1")])) == [("meets-himself", 1, "a")]


def test_who_is_not_among_the_players() -> None:
    rows = [
        ("t", 1, "a", "stranger", "w", "1"),
        ("t", 1, "b", None, None, "U"),
        ("t", 1, "unknown", None, None, "U"),
    ]
    assert errors(frames(rows)) == [
        ("not-among-players", 1, "a"),
        ("not-among-players", 1, "unknown"),
    ]


def test_a_bye_with_an_opponent() -> None:
    rows = [("t", 1, "a", "b", "w", "Z"), ("t", 1, "b", "a", "b", "+")]
    assert errors(archive(rows)) == [
        ("bye-with-opponent", 1, "a"),
        ("results-disagree", 1, "a"),
    ]


@pytest.mark.parametrize("code", list("1=0WDL"))
def test_a_game_without_an_opponent(code: str) -> None:
    sound = archive([("t", 1, "a", "b", "w", code)])
    alone = sound.results.with_columns(opponent=pl.lit(None, pl.String))
    found = check(alone, sound.players, sound.tournaments).filter(severity="error")
    assert found.select("code", "round", "player").rows() == [("game-without-opponent", 1, "a")]


@pytest.mark.parametrize("code", list("+-FHUZ*"))
def test_what_may_have_no_opponent(code: str) -> None:
    assert errors(archive([("t", 1, "a", None, "w", code)])) == []


def test_results_not_known_yet_are_counted_by_round() -> None:
    rows = [*SOUND, ("t", 3, "a", "d", "w", "*"), ("t", 3, "d", "a", "b", "*")]
    assert found(archive(rows)) == [("info", "result-unknown", 3, None)]
    assert told(archive(rows)) == ["2 results of this round not known yet"]


# -- rounds -----------------------------------------------------------------------------------


def test_a_round_that_a_player_skipped() -> None:
    later = [(t, r + 3, *rest) for t, r, *rest in SOUND]
    between = [("t", 3, p, None, None, "Z") for p in "abc"]
    # d has no row in round 3; nobody has one in rounds 6 and 7.
    last = [("t", 8, p, None, None, "Z") for p in "ab"]
    given = archive([*SOUND, *between, *later, *last])
    assert found(given) == [
        ("info", "rounds-skipped", 3, "d"),
        ("warning", "round-empty", 6, None),
    ]
    assert told(given) == [
        "no row for 1 round before round 4: taken as absent",
        "no results from round 6 to round 7",
    ]


def test_rounds_without_a_row_are_free_in_a_round_robin() -> None:
    games = pl.DataFrame(
        {
            "tournament": "t",
            "round": [1, 2, 3],
            "white": list("aba"),
            "black": list("bcc"),
            "result": "1-0",
        }
    )
    undeclared = from_games(games)
    assert found(undeclared) == [("info", "looks-like-round-robin", None, None)]
    for pairing, expected in (
        ("predetermined", []),
        ("swiss", [("info", "rounds-skipped", 2, "a")]),
    ):
        about = pl.DataFrame({"tournament": ["t"], "pairing": [pairing]})
        assert found(from_games(games, tournaments=about)) == expected


@pytest.mark.parametrize(
    ("games", "robin"),
    [
        ("ab ac bc", True),
        ("ab ac bc ba ca cb", True),
        ("ab ac", False),
        ("ab ac bc ba ca", False),
        ("ab ab ac", False),
        ("ab cd ac bd", False),
        ("ab cd ac bd ad bc", True),
    ],
)
def test_what_looks_like_a_round_robin(games: str, robin: bool) -> None:
    pairs = games.split()
    table = pl.DataFrame(
        {
            "tournament": "t",
            "round": range(1, len(pairs) + 1),
            "white": [pair[0] for pair in pairs],
            "black": [pair[1] for pair in pairs],
            "result": "1-0",
        }
    )
    codes = [code for _, code, _, _ in found(from_games(table))]
    assert ("looks-like-round-robin" in codes) is robin


@pytest.mark.parametrize(
    ("planned", "expected"),
    [
        (None, []),
        (2, []),
        (3, [("info", "rounds-missing", None, None)]),
        (1, [("warning", "rounds-beyond-plan", 2, None)]),
    ],
)
def test_rounds_planned_and_found(planned: int | None, expected: list[Any]) -> None:
    events = {"tournament": ["t"], "pairing": ["swiss"], "rounds": [planned]}
    given = archive(SOUND, tournaments=events)
    assert found(given) == expected


def test_a_tournament_without_any_result() -> None:
    players = {"tournament": ["t", "t"], "player": ["a", "b"]}
    events = {"tournament": ["t"], "rounds": [5]}
    given = from_results(
        archive(SOUND).results.clear(), pl.DataFrame(players), pl.DataFrame(events)
    )
    assert found(given) == [
        ("info", "rounds-missing", None, None),
        ("warning", "tournament-empty", None, None),
        ("info", "player-without-results", None, "a"),
        ("info", "player-without-results", None, "b"),
    ]
    assert told(given)[0] == "5 rounds planned, results up to round 0"


# -- points -----------------------------------------------------------------------------------


def test_declared_points_that_are_not_the_sum() -> None:
    players = {
        "tournament": "t",
        "player": list("abcde"),
        "points": [2.0, 1.5, None, 1.0, 0.5],
    }
    given = archive(SOUND, players)
    assert found(given) == [
        ("warning", "points-declared", None, "b"),
        ("info", "player-without-results", None, "e"),
        ("warning", "points-declared", None, "e"),
    ]
    assert told(given)[::2] == ["1.5 points declared, 1.0 found", "0.5 points declared, 0.0 found"]


def test_declared_points_wait_for_the_results_not_known_yet() -> None:
    players = {"tournament": ["t"], "player": ["a"], "points": [1.0]}
    rows = [("t", 1, "a", "b", "w", "*"), ("t", 1, "b", "a", "b", "*")]
    assert found(archive(rows, players)) == [("info", "result-unknown", 1, None)]


def test_points_that_the_scoring_does_not_give() -> None:
    points = [1.0, 0.5, 0.5, 0.5, 1.0, 0.0, 1.0, 0.5]
    given = archive(SOUND, points=points)
    assert found(given) == [("info", "points-unusual", None, None)]
    assert told(given) == [
        "1 result with other points than the scoring system gives, the first: 0 of player b "
        "in round 1 has 0.5"
    ]


def test_points_under_another_scoring() -> None:
    events = {"tournament": ["t"], "pairing": ["swiss"], "scoring": ["W=3 D=1"]}
    assert found(archive(SOUND, tournaments=events)) == []
    players = {"tournament": ["t"], "player": ["a"], "points": [6.0]}
    assert found(archive(SOUND, players, events)) == []


# -- all together -----------------------------------------------------------------------------


def test_tournaments_do_not_mix_and_come_in_their_order() -> None:
    rows = [(t, r, i, j, c, x) for t in (10, 9) for r, i, j, c, x in _numbers()]
    rows.append((9, 3, 1, 2, "w", "1"))
    rows.append((10, 3, 10, 2, "w", "1"))
    rows.append((10, 3, 9, 2, "w", "1"))
    given = archive(rows)
    findings = check(given.results, given.players, given.tournaments)
    assert findings.select("tournament", "player", "code").rows() == [
        ("9", "1", "mirror-missing"),
        ("10", "9", "mirror-missing"),
        ("10", "10", "mirror-missing"),
    ]


def _numbers() -> list[Row]:
    number = {"a": 1, "b": 2, "c": 3, "d": 4, None: None}
    return [(r, number[p], number[o], c, x) for _, r, p, o, c, x in SOUND]


def test_row_order_plays_no_part() -> None:
    rows = [*SOUND[:-3], ("t", 3, "a", "d", "w", "1"), ("t", 3, "b", "a", "w", "1")]
    given = archive(rows)
    expected = check(given.results, given.players, given.tournaments)
    assert expected.height >= 3
    shuffled = given.results.sample(fraction=1, shuffle=True, seed=4)
    assert_frame_equal(check(shuffled, given.players, given.tournaments), expected)


def test_every_code_is_in_the_table_of_the_module_and_the_other_way_round() -> None:
    table = set(re.findall(r"^([a-z-]+) +(?:info|warning|error) ", tbframe.checks.__doc__, re.M))
    folder = tbframe.checks.__path__[0]
    source = "".join(path.read_text(encoding="utf-8") for path in Path(folder).glob("*.py"))
    assert table == set(re.findall(r'code="([a-z-]+)"', source))


def test_a_tournament_of_the_side_frame_alone_is_told() -> None:
    events = {"tournament": ["t", "u"], "pairing": ["swiss", "swiss"]}
    given = archive(SOUND, tournaments=events)
    findings = check(given.results, given.players, given.tournaments)
    assert findings.select("tournament", "severity", "code").rows() == [
        ("u", "warning", "tournament-empty")
    ]


def test_a_stranger_is_told_of_in_his_first_row() -> None:
    rows: list[Row] = [("t", 1, "a", "b", "w", "1"), ("t", 1, "b", "a", "b", "0")]
    rows += [("t", r, "unknown", None, None, "U") for r in (1, 2, 3)]
    assert errors(frames(rows)) == [("not-among-players", 1, "unknown")]


@pytest.mark.parametrize("seed", range(12))
def test_numbers_alone_pass_over_nothing(seed: int) -> None:
    """Damaged events: the quick look asks for a closer one wherever there is something to tell."""
    dice = random.Random(seed)
    results = mixed_sizes(12, seed=seed, sizes=(8, 9, 17)).to_dicts()
    for _ in range(6):
        row = dice.choice(results)
        column, values = dice.choice(
            [
                ("result", ["1", "=", "0", "+", "-", "U", "Z", "*", "W", "D"]),
                ("opponent", [None, 1, 2, 3]),
                ("color", [None, "w", "b"]),
                ("points", [0.0, 0.5, 1.0, 3.0]),
                ("round", [row["round"] + 1, row["round"] + 20]),
            ]
        )
        row[column] = dice.choice(values)
    del results[dice.randrange(len(results))]
    frame = pl.DataFrame(results, schema_overrides={"opponent": pl.Int64, "color": pl.String})
    frame = frame.unique(["tournament", "player", "round"], keep="first")
    about = frame.select("tournament").unique().with_columns(
        rounds=pl.when(pl.col("tournament") % 3 == 0).then(9).cast(pl.Int32),
        scoring=pl.when(pl.col("tournament") % 4 == 0).then(pl.lit("W=3 D=1 L=0")),
    )  # fmt: skip
    event = from_results(frame, tournaments=about)
    points = pl.when(pl.col("player") == 3).then(pl.lit(2.0)).otherwise(None)
    players = event.players.with_columns(points=points)
    event = replace(event, players=players)
    numbered = number(event.results, players, event.tournaments)
    found = event.check()
    assert found.height > 0
    assert_frame_equal(event.check(numbered), found)
