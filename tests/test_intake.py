"""Users' own tables of results."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import tbframe as tb
from tbframe.archive import Archive
from tbframe.contracts import Players, Results, Tournaments, validate
from tbframe.errors import ContractError, FindingWarning
from tbframe.intake import from_results
from tbframe.schema import (
    FINDINGS,
    MOST_ROUNDS,
    PLAYERS,
    QUARANTINE,
    RESULTS,
    TOURNAMENTS,
    ResultCode,
)

Layout = Callable[[pl.DataFrame], pl.DataFrame | pl.LazyFrame]

#: Two tournaments of three players; the second uses the same player keys.
CUPS = pl.DataFrame(
    {
        "tournament": ["a"] * 6 + ["b"] * 3,
        "round": [1, 1, 1, 2, 2, 2, 1, 1, 1],
        "player": ["x", "y", "z", "x", "y", "z", "x", "y", "z"],
        "opponent": ["y", "x", None, "z", None, "x", None, "z", "y"],
        "color": ["w", "b", None, "b", None, "w", None, "w", "b"],
        "result": ["1", "0", "U", "=", "H", "=", "Z", "+", "-"],
        "board": [1, 1, 2, 1, 2, 1, 2, 1, 1],
    }
)
#: The same, sorted by tournament, player and round; points by hand.
CANONICAL = [
    ("a", 1, "x", "y", "w", "1", 1.0, 1),
    ("a", 2, "x", "z", "b", "=", 0.5, 1),
    ("a", 1, "y", "x", "b", "0", 0.0, 1),
    ("a", 2, "y", None, None, "H", 0.5, 2),
    ("a", 1, "z", None, None, "U", 1.0, 2),
    ("a", 2, "z", "x", "w", "=", 0.5, 1),
    ("b", 1, "x", None, None, "Z", 0.0, 2),
    ("b", 1, "y", "z", "w", "+", 1.0, 1),
    ("b", 1, "z", "y", "b", "-", 0.0, 1),
]


def assert_canonical(archive: Archive) -> None:
    validate(archive.results, Results, "results")
    validate(archive.players, Players, "players")
    validate(archive.tournaments, Tournaments, "tournaments")
    for frame, types in (
        (archive.results, RESULTS),
        (archive.players, PLAYERS),
        (archive.tournaments, TOURNAMENTS),
    ):
        assert frame.columns[: len(types)] == list(types)
        assert "__row__" not in frame.columns
    assert archive.findings.schema == FINDINGS
    assert archive.quarantine.schema == QUARANTINE
    unknown = archive.results.filter(pl.col("points").is_null())["result"].cast(pl.String)
    assert set(unknown) <= {"*"}


def same(one: Archive, other: Archive) -> None:
    for frame in ("results", "players", "tournaments", "findings", "quarantine"):
        assert_frame_equal(getattr(one, frame), getattr(other, frame))


def one(**columns: Any) -> pl.DataFrame:
    """Return the two rows of one game, with these columns instead."""
    game: dict[str, Any] = {
        "tournament": ["t", "t"],
        "round": [1, 1],
        "player": [1, 2],
        "opponent": [2, 1],
        "color": ["w", "b"],
        "result": ["1", "0"],
    }
    return pl.DataFrame({**game, **columns}).select(
        name for name in {**game, **columns} if columns.get(name, 0) is not None
    )


# -- what comes out ---------------------------------------------------------------------------


def test_canonical_frames_from_every_layout(layout: Layout) -> None:
    archive = from_results(layout(CUPS))
    assert_canonical(archive)
    assert archive.results.rows() == CANONICAL
    assert archive.results.schema["result"] == ResultCode
    assert archive.players.select("tournament", "player").rows() == [
        (t, p) for t in "ab" for p in "xyz"
    ]
    assert archive.tournaments["tournament"].to_list() == ["a", "b"]
    assert archive.findings.is_empty()
    assert archive.quarantine.is_empty()


def test_an_arrow_table_is_a_table() -> None:
    same(from_results(CUPS.to_arrow()), from_results(CUPS))


def test_anything_that_speaks_the_arrow_stream_is_a_table() -> None:
    class Stream:
        def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
            return CUPS.to_arrow().__arrow_c_stream__(requested_schema)

    same(from_results(Stream()), from_results(CUPS))


@pytest.mark.parametrize("table", [[1, 2], {"player": [1]}, None, "results.csv"])
def test_what_is_no_table_is_refused(table: Any) -> None:
    with pytest.raises(ContractError, match=r"results: .* is no table"):
        from_results(table)


def test_the_tables_given_are_not_changed() -> None:
    players = pl.DataFrame({"tournament": ["a"], "player": ["x"], "rating": [0]})
    before = CUPS.clone(), players.clone()
    from_results(CUPS, players)
    assert_frame_equal(CUPS, before[0])
    assert_frame_equal(players, before[1])


def test_canonical_frames_go_through_unchanged() -> None:
    archive = from_results(CUPS)
    again = from_results(archive.results, archive.players, archive.tournaments)
    same(archive, again)


@pytest.mark.parametrize(
    "key", [pl.Int8, pl.UInt16, pl.Int32, pl.UInt64, pl.Float64, pl.Decimal(9, 0)]
)
def test_integer_keys_of_any_width(key: Any) -> None:
    table = one().with_columns(pl.col("player", "opponent").cast(key))
    archive = from_results(table)
    assert archive.results["player"].to_list() == [1, 2]
    assert archive.results.schema["player"] == archive.results.schema["opponent"] == pl.Int64
    assert archive.players.schema["player"] == pl.Int64


def test_a_gap_that_made_the_opponents_floats_is_no_opponent() -> None:
    table = pl.DataFrame(
        {
            "tournament": 1,
            "round": [1.0, 1.0, 1.0],
            "player": [1, 2, 3],
            "opponent": [2.0, 1.0, float("nan")],
            "result": ["1", "0", "U"],
        }
    )
    assert from_results(table).results["opponent"].to_list() == [2, 1, None]


@pytest.mark.parametrize("dtype", [pl.String, pl.Float64, pl.Null, pl.Boolean])
def test_a_column_without_a_value_has_any_type(dtype: pl.DataType) -> None:
    nothing = pl.Series([None, None], dtype=dtype)
    table = one(opponent=nothing, color=nothing, points=nothing, result=["U", "U"])
    players = pl.DataFrame({"tournament": ["t", "t"], "player": [1, 2], "rating": nothing})
    archive = from_results(table, players)
    assert_canonical(archive)
    assert archive.results["opponent"].to_list() == [None, None]
    assert archive.results.schema["opponent"] == pl.Int64
    assert archive.results["points"].to_list() == [1.0, 1.0]


@pytest.mark.parametrize("dtype", [pl.Categorical, pl.Enum(["x", "y", "z"])])
def test_categories_are_strings(dtype: pl.DataType) -> None:
    table = CUPS.with_columns(pl.col("player", "opponent").cast(dtype))
    assert from_results(table).results.rows() == CANONICAL


def test_categorical_results_and_colors() -> None:
    table = CUPS.with_columns(pl.col("color", "result").cast(pl.Categorical))
    assert from_results(table).results.rows() == CANONICAL


def test_without_a_tournament_all_rows_are_one() -> None:
    archive = from_results(one(tournament=None), pl.DataFrame({"player": [1], "name": ["Ann"]}))
    assert archive.tournaments["tournament"].to_list() == ["tournament"]
    assert archive.players.select("player", "name").rows() == [(1, "Ann"), (2, None)]
    assert archive.findings.select("code", "severity").rows()[0] == ("single-tournament", "info")


def test_a_color_may_be_missing_or_spelt_colour() -> None:
    assert from_results(one(color=None)).results["color"].to_list() == [None, None]
    spelt = one().rename({"color": "colour"})
    assert from_results(spelt).results["color"].to_list() == ["w", "b"]


@pytest.mark.parametrize(
    ("spelling", "code"),
    [
        *((code, code) for code in "1=0WDL+-FHUZ*"),
        *(("½", "="), ("1/2", "="), ("0.5", "="), (" Draw ", "="), ("0,5", "=")),
        *(("win", "1"), ("1.0", "1"), ("LOSS", "0"), ("0.0", "0"), ("−", "-")),
        *(("PAB", "U"), ("hpb", "H"), ("Fpb", "F"), ("zpb", "Z"), ("w", "W"), ("u", "U")),
    ],
)
def test_spellings_of_a_result(spelling: str, code: str) -> None:
    archive = from_results(one(result=[spelling, "*"]))
    assert archive.results["result"].to_list() == [code, "*"]


@pytest.mark.parametrize(
    "numbers",
    [
        [0.5, 0.5],
        pl.Series([0.5, 0.5], dtype=pl.Float32),
        pl.Series([Decimal("0.50"), Decimal("0.50")]),
    ],
)
def test_numbers_are_results_over_the_board(numbers: Any) -> None:
    assert from_results(one(result=numbers)).results["result"].to_list() == ["=", "="]
    assert from_results(one(result=[1, 0])).results["result"].to_list() == ["1", "0"]
    assert from_results(one(result=[1.0, 0.0])).results["result"].to_list() == ["1", "0"]


@pytest.mark.parametrize("result", ["1-0", "x", "2", "bye", "", "1F", "?", "ff"])
def test_other_results_are_refused_with_their_rows(result: str) -> None:
    with pytest.raises(ContractError) as error:
        from_results(one(result=["1", result]))
    first, row = str(error.value).splitlines()
    assert first.startswith("results, column 'result': a result is one of")
    assert "Broken by 1 row(s)" in first
    assert row == f"  row 1: tournament='t', round=1, player=2, result={result!r}"


@pytest.mark.parametrize("number", [0.25, 2.0, -1.0])
def test_other_numbers_are_refused(number: float) -> None:
    with pytest.raises(ContractError, match="results, column 'result'"):
        from_results(one(result=[number, 1.0]))


@pytest.mark.parametrize(("spelling", "color"), [("White", "w"), ("B", "b"), ("black", "b")])
def test_spellings_of_a_color(spelling: str, color: str) -> None:
    archive = from_results(one(color=[spelling, None]))
    assert archive.results["color"].to_list() == [color, None]


# -- points -----------------------------------------------------------------------------------


def test_points_are_filled_by_the_scoring_of_the_tournament() -> None:
    tournaments = pl.DataFrame({"tournament": ["b", "a"], "scoring": [None, "W=3 D=1 U=2"]})
    archive = from_results(CUPS, None, tournaments)
    assert archive.results["points"].to_list() == [3.0, 1.0, 0.0, 1.0, 2.0, 1.0, 0.0, 1.0, 0.0]


def test_given_points_are_kept_and_null_ones_filled() -> None:
    archive = from_results(one(points=[7, None]))
    assert archive.results["points"].to_list() == [7.0, 0.0]
    assert archive.results.schema["points"] == pl.Float64


def test_points_of_an_unknown_result_stay_null() -> None:
    assert from_results(one(result=["*", "*"])).results["points"].to_list() == [None, None]


def test_a_scoring_that_cannot_be_read_is_told_with_its_tournament() -> None:
    tournaments = pl.DataFrame({"tournament": ["a", "b"], "scoring": [None, "3/1/0"]})
    with pytest.raises(ContractError) as error:
        from_results(CUPS, None, tournaments)
    assert str(error.value).startswith("tournaments, column 'scoring'")
    assert "row 1: tournament='b', scoring='3/1/0'" in str(error.value)


# -- side frames ------------------------------------------------------------------------------


def test_side_frames_are_completed_and_keep_their_extras(layout: Layout) -> None:
    players = pl.DataFrame(
        {
            "tournament": ["b", "a", "a"],
            "player": ["z", "x", "late"],
            "rating": [0.0, 2100.0, None],
            "id": [None, 12345.0, None],
            "club": ["B", "A", "C"],
        }
    )
    tournaments = pl.DataFrame(
        {
            "tournament": ["c", "a"],
            "start": ["2018-01-05", "2019-12-31"],
            "end": [dt.datetime(2018, 1, 7), None],
            "sponsor": ["S", None],
        }
    )
    archive = from_results(layout(CUPS), layout(players), layout(tournaments))
    assert_canonical(archive)
    assert archive.players.select("tournament", "player", "rating", "id", "club").rows() == [
        ("a", "late", None, None, "C"),
        ("a", "x", 2100, "12345", "A"),
        ("a", "y", None, None, None),
        ("a", "z", None, None, None),
        ("b", "x", None, None, None),
        ("b", "y", None, None, None),
        ("b", "z", None, None, "B"),
    ]
    assert archive.tournaments.select("tournament", "start", "end", "sponsor").rows() == [
        ("a", dt.date(2019, 12, 31), None, None),
        ("b", None, None, None),
        ("c", dt.date(2018, 1, 5), dt.date(2018, 1, 7), "S"),
    ]
    assert archive.findings.select("code", "severity", "tournament", "player").rows() == [
        ("tournament-added", "info", "b", None),
        ("player-added", "info", "a", "y"),
        ("player-added", "info", "a", "z"),
        ("player-added", "info", "b", "x"),
        ("player-added", "info", "b", "y"),
        ("rating-zero", "info", "b", "z"),
    ]


def test_a_tournament_of_the_players_frame_alone_is_a_tournament() -> None:
    players = pl.DataFrame({"tournament": ["soon"], "player": ["x"]})
    archive = from_results(CUPS, players)
    assert archive.tournaments["tournament"].to_list() == ["a", "b", "soon"]


def test_who_is_only_an_opponent_becomes_a_player_with_a_warning() -> None:
    archive = from_results(one().head(1))
    assert archive.players["player"].to_list() == [1, 2]
    assert archive.findings.select("code", "severity", "player").rows() == [
        ("opponent-added", "warning", "2")
    ]


def test_columns_that_look_like_others_are_told_of_and_carried() -> None:
    players = pl.DataFrame({"tournament": ["t"], "player": [1], "Elo": [2000], "fed": ["NED"]})
    archive = from_results(one(), players)
    assert archive.players["rating"].to_list() == [None, None]
    assert archive.players["Elo"].to_list() == [2000, None]
    told = archive.findings.filter(code="column-not-used", severity="warning")["message"]
    assert ["'Elo'" in told[0], "'rating'" in told[0]] == [True, True]
    assert ["'fed'" in told[1], "'federation'" in told[1]] == [True, True]


def test_columns_of_the_players_in_the_results_are_told_of() -> None:
    archive = from_results(one(rating=[2000, 2100]))
    assert archive.results["rating"].to_list() == [2000, 2100]
    (message,) = archive.findings.filter(code="column-not-used")["message"]
    assert "belongs in the players frame" in message


# -- opponents that are none ------------------------------------------------------------------


def test_opponent_zero_of_a_bye_or_forfeit_is_none() -> None:
    table = pl.DataFrame(
        {
            "tournament": 1,
            "round": [1, 1, 1, 2],
            "player": [1, 2, 3, 3],
            "opponent": [2, 1, 0, 0],
            "color": ["w", "b", "w", None],
            "result": ["1", "0", "U", "-"],
        }
    )
    archive = from_results(table)
    assert archive.results["opponent"].to_list() == [2, 1, None, None]
    assert archive.players["player"].to_list() == [1, 2, 3]
    assert archive.findings.select("code", "round", "player").rows() == [
        ("opponent-zero", 1, "3"),
        ("opponent-zero", 2, "3"),
    ]


def test_a_player_may_have_the_key_zero() -> None:
    archive = from_results(one(player=[0, 1], opponent=[1, 0], result=["+", "-"]))
    assert archive.results["opponent"].to_list() == [1, 0]
    assert archive.findings.is_empty()


def test_an_opponent_called_bye_is_none() -> None:
    table = pl.DataFrame(
        {
            "tournament": "t",
            "round": [1, 2, 3],
            "player": "Ann",
            "opponent": ["BYE", "Bye", "bye"],
            "color": "w",
            "result": ["1", "=", "Z"],
        }
    )
    archive = from_results(table)
    assert archive.results.select("opponent", "color", "result", "points").rows() == [
        (None, None, "U", 1.0),
        (None, None, "H", 0.5),
        (None, None, "Z", 0.0),
    ]
    assert archive.findings.select("code", "severity", "round").rows() == [
        ("bye-read", "info", 1),
        ("bye-assumed", "warning", 2),
        ("bye-assumed", "warning", 3),
    ]


def test_letters_alone_are_read_as_unrated_games_with_a_warning() -> None:
    archive = from_results(one(result=["W", "L"]))
    assert archive.results["result"].to_list() == ["W", "L"]
    assert archive.findings.select("code", "severity", "tournament").rows() == [
        ("letters-unrated", "warning", "t")
    ]
    mixed = one(tournament=["t", "u"], result=["W", "1"], opponent=[None, None])
    assert from_results(mixed).findings["tournament"].to_list() == ["t"]


# -- games ------------------------------------------------------------------------------------


def test_several_games_in_a_round_are_kept_and_counted_from_one() -> None:
    table = pl.concat([one(game=[3, 3]), one(game=[5, 5], result=["=", "="])])
    archive = from_results(table)
    assert archive.results.select("player", "game", "result").rows() == [
        (1, 1, "1"),
        (1, 2, "="),
        (2, 1, "0"),
        (2, 2, "="),
    ]
    assert archive.results.schema["game"] == pl.Int32
    assert archive.findings.select("code", "severity").rows() == [("games-renumbered", "info")]


def test_a_game_column_that_tells_nothing_is_left_out() -> None:
    assert "game" not in from_results(one(game=[1, 1])).results.columns
    archive = from_results(one(game=[17, 17]))
    assert "game" not in archive.results.columns
    assert archive.findings["code"].to_list() == ["games-renumbered"]


# -- the contract -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "told"),
    [
        (one(result=None), ["results, column 'result'", "missing"]),
        (one(opponent=None, oponent=[2, 1]), ["'opponent'", "did you mean 'oponent'?"]),
        (one(player=None, Player=[1, 2]), ["'player'", "did you mean 'Player'?"]),
        (one(tournament=None, event=["t", "t"]), ["'tournament'", "did you mean 'event'?"]),
        (one(round=[1, 0]), ["results, column 'round'", "from 1", "row 1: tournament='t'"]),
        (one(round=[1, None]), ["results, column 'round'", "never null", "row 1: "]),
        (one(round=[1.5, 1.0]), ["results, column 'round'", "no Int32", "row 0: round=1.5"]),
        (one(round=["1", "x"]), ["results, column 'round'", "no Int32", "row 1: round='x'"]),
        (one(round=[2**31, 1]), ["results, column 'round'", "no Int32", "row 0"]),
        (one(player=[1, None]), ["results, column 'player'", "never null", "row 1: "]),
        (one(player=[1.5, 2.0]), ["results, column 'player'", "row 0: player=1.5"]),
        (one(player=[True, False]), ["results, column 'player'", "Boolean"]),
        (one(player=["1", "2"]), ["results.player is String", "results.opponent is Int64"]),
        (one(tournament=[None, "t"]), ["results, column 'tournament'", "never null", "row 0: "]),
        (one(tournament=["", "t"]), ["results, column 'tournament'", "empty string", "row 0: "]),
        (one(color=["w", "red"]), ["results, column 'color'", "row 1: ", "color='red'"]),
        (one(result=[None, "0"]), ["results, column 'result'", "never null", "row 0: "]),
        (one(result=[True, False]), ["results, column 'result'", "Boolean"]),
        (one(points=["1", "0"]), ["results, column 'points'", "String"]),
        (one(points=[float("inf"), 0.0]), ["results, column 'points'", "finite", "row 0: "]),
        (one(points=[0.0, float("nan")]), ["results, column 'points'", "not NaN", "row 1: "]),
        (one(game=[0, 1]), ["results, column 'game'", "from 1", "row 0: "]),
        (one(player=[1, 1]), ["'tournament', 'player', 'round', 'game'", "row 0: ", "row 1: "]),
    ],
)
def test_a_breach_names_frame_column_rule_and_rows(table: pl.DataFrame, told: list[str]) -> None:
    with pytest.raises(ContractError) as error:
        from_results(table)
    for words in told:
        assert words in str(error.value)


def test_rows_are_numbered_as_the_user_sees_them() -> None:
    table = pl.concat([CUPS.reverse(), CUPS.filter(tournament="b", player="y")])
    with pytest.raises(ContractError) as error:
        from_results(table)
    _, *rows = str(error.value).splitlines()
    # Row 7 of the table turned around is row 1 of the last tournament.
    assert [row.split(":")[0] for row in rows] == ["  row 1", "  row 9"]


@pytest.mark.parametrize(
    ("players", "tournaments", "told"),
    [
        ({"tournament": ["t"], "player": ["1"]}, None, "players.player is String"),
        ({"tournament": [1], "player": [1]}, None, "players.tournament is Int64"),
        ({"tournament": ["t", "t"], "player": [1, 1]}, None, "players, columns 'tournament'"),
        ({"tournament": ["t"], "player": [1], "rating": [-5]}, None, "players, column 'rating'"),
        ({"tournament": ["t"], "player": [1], "rating": ["x"]}, None, "players, column 'rating'"),
        ({"tournament": ["t"], "player": [1], "id": [1.5]}, None, "players, column 'id'"),
        (None, {"tournament": ["t"], "start": ["05/01/2018"]}, "tournaments, column 'start'"),
        (None, {"tournament": ["t", "t"]}, "tournaments, column 'tournament'"),
        (None, {"tournament": ["t"], "pairing": ["Swiss"]}, "tournaments, column 'pairing'"),
        (None, {"tournament": ["t"], "fide_event": ["yes"]}, "tournaments, column 'fide_event'"),
    ],
)
def test_a_breach_of_the_side_frames(
    players: dict[str, Any] | None, tournaments: dict[str, Any] | None, told: str
) -> None:
    with pytest.raises(ContractError) as error:
        from_results(
            one(),
            None if players is None else pl.DataFrame(players),
            None if tournaments is None else pl.DataFrame(tournaments),
        )
    assert told in str(error.value)


# -- quarantine -------------------------------------------------------------------------------


def test_who_meets_himself_sets_his_tournament_aside(layout: Layout) -> None:
    bad = one(tournament=["bad", "bad"], player=["x", "y"], opponent=["x", "x"])
    table = pl.concat([CUPS.drop("board"), bad])
    players = pl.DataFrame({"tournament": ["bad", "a"], "player": ["x", "x"]})
    archive = from_results(layout(table), layout(players))
    assert_canonical(archive)
    assert archive.quarantine.rows(named=True) == [
        {
            "file": None,
            "line": None,
            "tournament": "bad",
            "code": "meets-himself",
            "message": "player x meets himself in round 1",
            "rows": 2,
        }
    ]
    assert archive.results.drop("points").rows() == [row[:6] for row in CANONICAL]
    assert "bad" not in archive.players["tournament"]
    assert archive.tournaments["tournament"].to_list() == ["a", "b"]


def test_a_bye_besides_a_game_sets_the_tournament_aside() -> None:
    table = pl.concat(
        [one(game=[1, 1]), one(game=[2, 2], opponent=[None, None], result=["U", "-"])]
    )
    archive = from_results(table)
    assert archive.results.is_empty()
    assert archive.quarantine.select("code", "rows").rows() == [("bye-and-game", 4)]
    assert archive.quarantine["message"].to_list() == [
        "player 1 has a bye besides another result in round 1"
    ]


def test_a_game_against_nobody_sets_the_tournament_aside() -> None:
    (entry,) = from_results(one(opponent=[None, None])).quarantine.rows(named=True)
    assert entry["code"] == "game-without-opponent"
    assert "player 1 has an over-the-board result against nobody in round 1" in entry["message"]


def test_a_tournament_is_set_aside_once_for_all_its_faults() -> None:
    table = pl.concat([one(game=[1, 1], opponent=[1, 1]), one(game=[2, 2], result=["U", "U"])])
    (entry,) = from_results(table).quarantine.rows(named=True)
    assert entry["rows"] == 4
    assert "meets himself" in entry["message"]
    assert "has a bye besides" in entry["message"]


ROWS = st.lists(
    st.tuples(
        st.integers(1, 4),
        st.integers(1, 3),
        st.integers(0, 4),
        st.none() | st.integers(0, 4),
        st.sampled_from(["1", "=", "0", "+", "-", "U", "Z", "*"]),
    ),
    max_size=40,
    unique_by=lambda row: row[:3],
)


@settings(deadline=None, max_examples=40)
@given(rows=ROWS, data=st.data())
def test_rows_in_are_rows_out_and_rows_set_aside(
    rows: list[tuple[Any, ...]], data: st.DataObject
) -> None:
    schema = {"tournament": pl.Int64, "round": pl.Int64, "player": pl.Int64}
    schema |= {"opponent": pl.Int64, "result": pl.String}
    table = pl.DataFrame(rows, schema=schema, orient="row").with_row_index("mark")
    archive = from_results(table)
    assert_canonical(archive)
    assert archive.results.height + archive.quarantine["rows"].sum() == table.height
    played = pl.col("result").is_in(["1", "=", "0", "W", "D", "L"])
    against_nobody = pl.col("opponent").is_null() & played
    impossible = set(
        table.filter((pl.col("player") == pl.col("opponent")) | against_nobody)["tournament"]
    )
    assert set(archive.quarantine["tournament"]) == {str(key) for key in impossible}
    kept = table.filter(~pl.col("tournament").is_in(list(impossible)))
    assert sorted(archive.results["mark"]) == sorted(kept["mark"])
    everybody = archive.players.select("tournament", "player")
    named = archive.results.select("tournament", player="opponent").drop_nulls()
    assert named.join(everybody, on=["tournament", "player"], how="anti").is_empty()
    order = data.draw(st.permutations(range(table.height)))
    same(from_results(table[order] if order else table), archive)


# -- small ones -------------------------------------------------------------------------------


def test_no_rows_at_all() -> None:
    archive = from_results(CUPS.clear())
    assert_canonical(archive)
    assert archive.results.is_empty()
    assert archive.players.is_empty()
    assert archive.tournaments.is_empty()


def test_no_rows_and_no_types() -> None:
    names = ["tournament", "round", "player", "opponent", "result"]
    archive = from_results(pl.DataFrame({name: [] for name in names}))
    assert_canonical(archive)
    assert archive.results.is_empty()


def test_players_without_any_result_stay() -> None:
    players = pl.DataFrame({"tournament": [1, 1], "player": [2, 1]})
    empty = pl.DataFrame(
        {"tournament": [], "round": [], "player": [], "opponent": [], "result": []}
    )
    archive = from_results(empty, players)
    assert archive.players["player"].to_list() == [1, 2]
    assert archive.tournaments["tournament"].to_list() == [1]


def test_a_tournament_of_byes_alone() -> None:
    table = pl.DataFrame(
        {"tournament": 1, "round": [1, 2], "player": 5, "opponent": None, "result": ["U", "H"]}
    )
    archive = from_results(table)
    assert_canonical(archive)
    assert archive.results["points"].to_list() == [1.0, 0.5]
    assert archive.players["player"].to_list() == [5]
    assert archive.results.schema["opponent"] == pl.Int64


def test_one_game() -> None:
    archive = from_results(one())
    assert_canonical(archive)
    assert archive.results["points"].to_list() == [1.0, 0.0]
    assert archive.findings.is_empty()


# -- text for numbers, side tables without a tournament, warnings ------------------------------


def test_whole_numbers_as_text_are_read_and_told() -> None:
    players = pl.DataFrame({"tournament": "t", "player": [1, 2], "rating": ["2000", None]})
    archive = from_results(one(round=["1", " 1 "]), players)
    assert_canonical(archive)
    assert archive.results["round"].to_list() == [1, 1]
    assert archive.players["rating"].to_list() == [2000, None]
    told = archive.findings.filter(code="text-as-number").select("severity", "message").rows()
    assert told == [
        ("info", "results: the text in 'round' is read as whole numbers"),
        ("info", "players: the text in 'rating' is read as whole numbers"),
    ]


@pytest.mark.parametrize("text", ["1.0", "", "one", "1a"])
def test_other_text_is_no_round(text: str) -> None:
    with pytest.raises(ContractError, match="results, column 'round': a value is no"):
        from_results(one(round=["1", text]))


@pytest.mark.parametrize("key", ["t", 7])
def test_side_tables_need_no_tournament_where_there_is_one(key: Any) -> None:
    players = pl.DataFrame({"player": [1, 2], "rating": [2000, 1900]})
    about = pl.DataFrame({"start": ["2024-05-01"]})
    archive = from_results(one(tournament=[key, key]), players, about)
    assert_canonical(archive)
    assert archive.players["rating"].to_list() == [2000, 1900]
    assert archive.tournaments.select("tournament", "start").rows() == [(key, dt.date(2024, 5, 1))]
    told = archive.findings.filter(code="tournament-filled")
    assert told["tournament"].to_list() == [str(key)] * 2
    with pytest.raises(ContractError, match="players, column 'tournament': the column is missing"):
        from_results(one(tournament=["t", "u"]), players)


def test_what_is_set_aside_is_warned_of_at_the_line_of_the_user() -> None:
    rows = one(tournament=["bad", "good"], opponent=[1, None], result=["1", "U"])
    with pytest.warns(FindingWarning, match=r"bad \(meets-himself: player 1 meets") as warned:
        archive = from_results(rows)
    assert archive.quarantine["tournament"].to_list() == ["bad"]
    assert warned[0].filename == __file__
    with pytest.warns(FindingWarning, match="meets-himself") as warned:
        rows.lazy().tb.archive()
    assert warned[0].filename == __file__


def test_as_many_rounds_as_a_report_file_can_hold(tmp_path: Path) -> None:
    archive = from_results(one(round=[MOST_ROUNDS, MOST_ROUNDS]))
    (path,) = tb.write_trf(archive, tmp_path)
    assert tb.read(path).results["round"].max() == MOST_ROUNDS
    with pytest.raises(ContractError, match=f"no more than {MOST_ROUNDS} rounds"):
        from_results(one(round=[MOST_ROUNDS + 1, 1]))
