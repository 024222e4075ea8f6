"""Users' own tables of games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from tbframe.archive import Archive
from tbframe.checks import check
from tbframe.contracts import Players, Results, Tournaments, validate
from tbframe.errors import ContractError, FindingWarning
from tbframe.intake import from_games, from_results
from tbframe.intake.game_results import read_game_result

Layout = Callable[[pl.DataFrame], pl.DataFrame | pl.LazyFrame]

GAMES = pl.DataFrame(
    {
        "tournament": ["a", "a", "a", "b"],
        "round": [1, 2, 2, 1],
        "white": ["x", "z", "y", "y"],
        "black": ["y", "x", None, "x"],
        "result": ["1-0", "½-½", None, "0-1F"],
        "board": [1, 1, 2, 1],
    }
)
#: By hand: tournament, player, round, opponent, color, result, points, board.
ROWS = [
    ("a", "x", 1, "y", "w", "1", 1.0, 1),
    ("a", "x", 2, "z", "b", "=", 0.5, 1),
    ("a", "y", 1, "x", "b", "0", 0.0, 1),
    ("a", "y", 2, None, None, "U", 1.0, 2),
    ("a", "z", 2, "x", "w", "=", 0.5, 1),
    ("b", "x", 1, "y", "b", "+", 1.0, 1),
    ("b", "y", 1, "x", "w", "-", 0.0, 1),
]
COLUMNS = ["tournament", "player", "round", "opponent", "color", "result", "points", "board"]


def same(one: Archive, other: Archive) -> None:
    for frame in ("results", "players", "tournaments", "findings", "quarantine"):
        assert_frame_equal(getattr(one, frame), getattr(other, frame))


def assert_canonical(archive: Archive) -> None:
    validate(archive.results, Results, "results")
    validate(archive.players, Players, "players")
    validate(archive.tournaments, Tournaments, "tournaments")


def one(**columns: Any) -> pl.DataFrame:
    """Return one game, with these columns instead."""
    game: dict[str, Any] = {
        "tournament": ["t"],
        "round": [1],
        "white": [1],
        "black": [2],
        "result": ["1-0"],
    }
    return pl.DataFrame({**game, **columns}).select(
        name for name in {**game, **columns} if columns.get(name, 0) is not None
    )


# -- the result of a game ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("codes", "texts"),
    [
        ("10", "1-0|1:0| 1 - 0 |1–0|1.0-0.0|1−0|1,0-0,0"),
        ("01", "0-1|0:1|0.0-1.0|0‑1"),
        ("==", "1/2-1/2|½-½|0.5-0.5|0,5-0,5|.5-.5|1/2|½|=|=-=|½:½|1/2 - 1/2|1/2–1/2|0.50-0.50"),
        ("00", "0-0|0:0"),
        ("=0", "½-0|1/2-0|0.5-0|=-0|0.5-0.0"),
        ("0=", "0-½|0-1/2|0:0,5"),
        (
            "+-",
            "+/-|+-|+:-|+ - -|+--|1-0F|1-0 ff|1F-0F|1F-0|1-0 (ff)|1-0 forfeit|1-0(Forfeit)|+ / −",
        ),
        ("-+", "-/+|-+|-:+|- - +|0-1F|0-1ff|0F-1F|0-1 FF"),
        ("--", "-/-|--|-:-|- - -|0-0F|0F-0F|0-0 ff"),
        ("**", "*| * "),
    ],
)
def test_spellings_of_the_result_of_a_game(codes: str, texts: str) -> None:
    for text in texts.split("|"):
        assert read_game_result(text) == codes, text


@pytest.mark.parametrize(
    "text",
    [
        *("1-1", "2-0", "1-½", "½-1", "1", "0", "10", "1-", "1-00", "1-0-1", "1--0", "(1-0)"),
        *("+", "-", "++", "+/+", "+-+", "½-½F", "1/2F", "1-0x", "1-0 w", "**", "?", "x", "win"),
        *("bye", "", " "),
    ],
)
def test_what_is_no_result_of_a_game(text: str) -> None:
    assert read_game_result(text) is None


@given(st.text(alphabet="10=½/-+:*f()., F", max_size=8))
def test_a_result_read_is_read_alike_with_the_players_turned_around(text: str) -> None:
    codes = read_game_result(text)
    if codes is not None:
        assert len(codes) == 2
        white, black = {"+-": "+/-", "-+": "-/+", "--": "-/-", "**": "*"}.get(codes), codes[::-1]
        assert read_game_result(white or f"{codes[0]}-{codes[1]}") == codes
        if codes[0] in "10=":
            assert read_game_result(f"{codes[1]}-{codes[0]}") == black


# -- what comes out ---------------------------------------------------------------------------


def test_two_rows_for_a_game_and_one_for_a_bye_from_every_layout(layout: Layout) -> None:
    archive = from_games(layout(GAMES))
    assert_canonical(archive)
    assert archive.results.select(COLUMNS).rows() == ROWS
    assert archive.results.columns == [*Results.column_names()[:7], "board"]
    assert archive.findings.select("severity", "code", "tournament", "round", "player").rows() == [
        ("info", "bye-read", "a", 2, "y")
    ]
    assert archive.quarantine.is_empty()


def test_an_arrow_table_of_games() -> None:
    same(from_games(GAMES.to_arrow()), from_games(GAMES))


def test_the_games_given_are_not_changed() -> None:
    before = GAMES.clone()
    from_games(GAMES)
    assert_frame_equal(GAMES, before)


def test_results_made_of_games_are_canonical() -> None:
    archive = from_games(GAMES)
    again = from_results(archive.results, archive.players, archive.tournaments)
    assert_frame_equal(again.results, archive.results)
    assert again.findings.is_empty()


def test_no_points_are_lost_in_a_round_of_all_kinds_of_results() -> None:
    results = ["1-0", "0-1", "1/2-1/2", "0-0", "½-0", "0-½", "+/-", "-/+", "-/-", "*"]
    games = pl.DataFrame(
        {
            "tournament": 1,
            "round": 1,
            "white": range(1, 11),
            "black": range(11, 21),
            "result": results,
        }
    )
    archive = from_games(games)
    assert "".join(archive.results["result"].cast(pl.String)) == "10=0=0+--*" + "01=00=-+-*"
    full, half = 1.0, 0.5
    assert archive.results["points"].to_list() == [
        *(full, 0.0, half, 0.0, half, 0.0, full, 0.0, 0.0, None),
        *(0.0, full, half, 0.0, 0.0, half, 0.0, full, 0.0, None),
    ]
    found = check(archive.results, archive.players, archive.tournaments)
    assert found.filter(severity="error").is_empty()


def test_scoring_and_names_come_from_the_side_frames(layout: Layout) -> None:
    players = pl.DataFrame({"tournament": ["a"], "player": ["x"], "name": ["X, Y"]})
    tournaments = pl.DataFrame({"tournament": ["a"], "scoring": ["W=3 D=1 U=1"], "rounds": [2]})
    archive = from_games(layout(GAMES), layout(players), layout(tournaments))
    assert archive.results["points"].to_list() == [3.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0]
    assert archive.players["name"].to_list() == ["X, Y", None, None, None, None]
    assert archive.tournaments["rounds"].to_list() == [2, None]


def test_without_a_tournament_all_games_are_one() -> None:
    archive = from_games(one(tournament=None))
    assert archive.tournaments["tournament"].to_list() == ["tournament"]
    assert archive.findings["code"].to_list() == ["single-tournament"]


def test_a_number_is_white_s_points() -> None:
    games = one(round=[1, 2, 3], white=1, black=2, tournament="t", result=[1.0, 0.5, 0.0])
    archive = from_games(games)
    assert archive.results.filter(player=1)["points"].to_list() == [1.0, 0.5, 0.0]
    assert archive.findings.select("severity", "code").rows() == [("info", "result-number")]
    with pytest.raises(ContractError, match=r"row 0: .*result=-1.0"):
        from_games(one(result=[-1]))


# -- byes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("result", "code", "severity"),
    [
        (None, "U", "info"),
        ("1-0", "U", "info"),
        ("+/-", "U", "info"),
        ("*", "U", "info"),
        ("1/2", "H", "warning"),
        ("0-0", "Z", "warning"),
        ("-/-", "Z", "warning"),
    ],
)
@pytest.mark.parametrize("nobody", [None, "bye", "BYE"])
def test_a_game_against_nobody_is_a_bye(
    result: str | None, code: str, severity: str, nobody: str | None
) -> None:
    archive = from_games(one(white=["x"], black=[nobody], result=[result]))
    assert archive.results.select("player", "opponent", "color", "result").rows() == [
        ("x", None, None, code)
    ]
    assert archive.players["player"].to_list() == ["x"]
    assert archive.findings["severity"].to_list() == [severity]


def test_nobody_may_have_the_white_pieces() -> None:
    archive = from_games(one(white=[None], result=["0-1"]))
    assert archive.results.select("player", "color", "result").rows() == [(2, None, "U")]


def test_byes_from_a_table_of_their_own(layout: Layout) -> None:
    byes = pl.DataFrame(
        {
            "tournament": ["t"] * 5,
            "round": [1, 2, 3, 4, 1],
            "player": [3, 3, 3, 3, 4],
            "type": ["PAB", "hpb", "F", "ZPB", "z"],
        }
    )
    archive = from_games(layout(one()), byes=layout(byes))
    assert_canonical(archive)
    assert archive.results.filter(pl.col("opponent").is_null()).select(
        "player", "round", "result", "points"
    ).rows() == [
        (3, 1, "U", 1.0),
        (3, 2, "H", 0.5),
        (3, 3, "F", 1.0),
        (3, 4, "Z", 0.0),
        (4, 1, "Z", 0.0),
    ]
    assert archive.findings.is_empty()


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ({"type": ["bye"]}, "byes, column 'type': a bye is one of PAB"),
        ({"type": [None]}, "byes, column 'type': never null"),
        ({"round": [0]}, "byes, column 'round': rounds count from 1"),
        ({"player": [None]}, "byes, column 'player': never null"),
        ({"player": ["3"]}, "byes.player is String"),
    ],
)
def test_a_breach_of_the_byes(columns: dict[str, list[Any]], told: str) -> None:
    bye = {"tournament": ["t"], "round": [1], "player": [3], "type": ["U"], **columns}
    with pytest.raises(ContractError) as error:
        from_games(one(), byes=pl.DataFrame(bye))
    assert told in str(error.value)


def test_a_bye_besides_a_game_sets_the_tournament_aside() -> None:
    byes = pl.DataFrame({"tournament": ["t"], "round": [1], "player": [2], "type": ["U"]})
    other = one(tournament=["other"])
    archive = from_games(pl.concat([one(), other]), byes=byes)
    assert archive.quarantine.select("tournament", "code", "rows").rows() == [
        ("t", "bye-and-game", 3)
    ]
    assert archive.results["tournament"].unique().to_list() == ["other"]


# -- duplicates and several games in a round --------------------------------------------------


def test_a_repeated_game_sets_its_tournament_aside() -> None:
    archive = from_games(pl.concat([GAMES, GAMES.head(1)]))
    assert archive.quarantine.select("tournament", "code", "rows").rows() == [
        ("a", "duplicate-games", 7)
    ]
    (message,) = archive.quarantine["message"]
    assert "the first is x - y, 2 times" in message
    assert "duplicates='once'" in message
    assert "'keep'" in message
    assert archive.results["tournament"].unique().to_list() == ["b"]


def test_a_repeated_game_counts_once_when_told_so(layout: Layout) -> None:
    twice = pl.concat([GAMES, GAMES.head(1), GAMES.head(1)])
    archive = from_games(layout(twice), duplicates="once")
    assert archive.results.select(COLUMNS).rows() == ROWS
    assert archive.findings.select("severity", "code", "tournament", "round").rows()[0] == (
        "warning",
        "duplicate-counted-once",
        "a",
        1,
    )
    assert "3 times" in archive.findings["message"][0]


def test_a_repeated_game_is_another_game_when_told_so(layout: Layout) -> None:
    twice = pl.concat([one(), one()])
    archive = from_games(layout(twice), duplicates="keep")
    assert archive.results.select("player", "game", "points").rows() == [
        (1, 1, 1.0),
        (1, 2, 1.0),
        (2, 1, 0.0),
        (2, 2, 0.0),
    ]
    assert archive.findings.select("severity", "code", "round").rows() == [
        ("warning", "several-games", 1)
    ]


def test_a_spelling_is_no_difference_but_another_column_is() -> None:
    spelt = pl.concat([one(), one(result=["1 - 0"])])
    assert from_games(spelt).quarantine["code"].to_list() == ["duplicate-games"]
    boards = pl.concat([one(board=[1]), one(board=[2])])
    assert from_games(boards).quarantine.is_empty()


def test_what_to_do_with_duplicates_is_one_of_three() -> None:
    with pytest.raises(ContractError, match="duplicates='drop'"):
        from_games(one(), duplicates="drop")  # type: ignore[arg-type]


def test_games_of_a_round_are_counted_alike_on_both_sides(layout: Layout) -> None:
    games = pl.DataFrame(
        {
            "tournament": "t",
            "round": 1,
            "white": ["x", "y", "x", "z"],
            "black": ["y", "x", "z", "w"],
            "result": ["1-0", "1/2", "0-1", "1-0"],
        }
    )
    archive = from_games(layout(games))
    assert_canonical(archive)
    # In the order of white and black: x-y, x-z, y-x, z-w.
    assert archive.results.select("player", "game", "opponent", "color", "result").rows() == [
        ("w", 1, "z", "b", "0"),
        ("x", 1, "y", "w", "1"),
        ("x", 2, "z", "w", "0"),
        ("x", 3, "y", "b", "="),
        ("y", 1, "x", "b", "0"),
        ("y", 2, "x", "w", "="),
        ("z", 1, "x", "b", "1"),
        ("z", 2, "w", "w", "1"),
    ]
    (message,) = archive.findings["message"]
    assert "3 players with several games in this round, the first is x" in message


def test_a_column_game_gives_the_order_without_a_warning() -> None:
    games = pl.concat([one(game=[7], result=["0-1"]), one(game=[4])])
    archive = from_games(games)
    assert archive.results.filter(player=1).select("game", "result").rows() == [(1, "1"), (2, "0")]
    assert archive.findings.is_empty()


def test_a_column_game_without_several_games_is_left_out() -> None:
    archive = from_games(one(game=[31]))
    assert "game" not in archive.results.columns
    assert archive.findings.is_empty()


# -- without rounds ---------------------------------------------------------------------------


def test_without_rounds_games_are_counted_in_row_order_with_a_warning() -> None:
    games = pl.DataFrame(
        {
            "tournament": ["t"] * 3,
            "white": ["x", "z", "y"],
            "black": ["y", "x", "z"],
            "result": ["1-0", "1-0", "1-0"],
        }
    )
    archive = from_games(games)
    assert_canonical(archive)
    assert archive.results.select("player", "round", "opponent").rows() == [
        ("x", 1, "y"),
        ("x", 2, "z"),
        ("y", 1, "x"),
        ("y", 2, "z"),
        ("z", 1, "x"),
        ("z", 2, "y"),
    ]
    assert archive.tournaments["pairing"].to_list() == [None]
    assert archive.findings.select("severity", "code", "tournament").rows() == [
        ("warning", "rounds-numbered", "t")
    ]


# -- the contract -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("games", "told"),
    [
        (one(result=["1-2"]), ["games, column 'result'", "row 0: ", "white=1", "result='1-2'"]),
        (one(result=[None]), ["games, column 'result'", "never null", "row 0: "]),
        (one(white=None), ["games, column 'white': the column is missing"]),
        (one(white=None, White=[1]), ["'white'", "did you mean 'White'?"]),
        (one(tournament=None, event=["t"]), ["'tournament'", "did you mean 'event'?"]),
        (one(white=[None], black=[None]), ["games, columns 'white', 'black'", "one side at least"]),
        (one(white=["1"]), ["games.white is String", "games.black is Int64"]),
        (one(round=[0]), ["games, column 'round'", "from 1", "row 0: "]),
        (one(round=[None]), ["games, column 'round'", "never null", "row 0: "]),
        (one(round=["1.2"]), ["games, column 'round'", "no Int32", "row 0: round='1.2'"]),
        (one(points=[1.0]), ["games, column 'points'", "drop or rename"]),
        (one(player=[1]), ["games, column 'player'", "drop or rename"]),
        (one(game=[1], round=None), ["games, column 'game'", "needs a column 'round'"]),
        (one(tournament=[None]), ["games, column 'tournament'", "never null"]),
    ],
)
def test_a_breach_names_frame_column_rule_and_rows(games: pl.DataFrame, told: list[str]) -> None:
    with pytest.raises(ContractError) as error:
        from_games(games)
    for words in told:
        assert words in str(error.value)


def test_byes_by_round_need_games_by_round() -> None:
    byes = pl.DataFrame({"tournament": ["t"], "round": [1], "player": [2], "type": ["U"]})
    with pytest.raises(ContractError, match="games, column 'round'"):
        from_games(one(round=None), byes=byes)


def test_who_plays_himself_sets_his_tournament_aside() -> None:
    archive = from_games(pl.concat([GAMES.drop("board"), one(white=["q"], black=["q"])]))
    assert archive.quarantine.select("tournament", "code", "rows").rows() == [
        ("t", "meets-himself", 2)
    ]
    assert archive.results.height == len(ROWS)


# -- whatever comes ---------------------------------------------------------------------------

PLAYER = st.none() | st.integers(1, 4)
TABLE = st.lists(
    st.tuples(
        st.integers(1, 2),
        st.integers(1, 2),
        PLAYER,
        PLAYER,
        st.sampled_from(["1-0", "1/2-1/2", "0-1", "0-0", "+/-", "-/-", "*"]),
    ).filter(lambda game: game[2] is not None or game[3] is not None),
    max_size=15,
)
SCHEMA = {
    "tournament": pl.Int64,
    "round": pl.Int64,
    "white": pl.Int64,
    "black": pl.Int64,
    "result": pl.String,
}


@settings(deadline=None, max_examples=40)
@given(rows=TABLE, data=st.data(), duplicates=st.sampled_from(["refuse", "keep", "once"]))
def test_no_game_is_lost_and_row_order_plays_no_part(
    rows: list[tuple[Any, ...]], data: st.DataObject, duplicates: Any
) -> None:
    games = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    archive = from_games(games, duplicates=duplicates)
    assert_canonical(archive)
    counted = games.unique() if duplicates == "once" else games
    due = counted.select(pl.col("white", "black").count()).sum_horizontal().sum()
    assert archive.results.height + archive.quarantine["rows"].sum() == due
    order = data.draw(st.permutations(range(games.height)))
    same(from_games(games[order] if order else games, duplicates=duplicates), archive)
    found = check(archive.results, archive.players, archive.tournaments)
    contradictions = {"mirror-missing", "opponents-disagree", "results-disagree", "colors-disagree"}
    assert set(found["code"]) & (contradictions | {"rounds-disagree"}) == set()


def test_no_games_at_all() -> None:
    archive = from_games(GAMES.clear())
    assert_canonical(archive)
    assert archive.results.is_empty()
    assert from_games(GAMES.drop("round").clear()).results.is_empty()


def test_nobody_but_one_player_with_a_bye() -> None:
    archive = from_games(one(black=[None], result=[None]))
    assert archive.results.select("player", "result", "points").rows() == [(1, "U", 1.0)]


def test_side_tables_and_byes_need_no_tournament_where_there_is_one() -> None:
    games = pl.DataFrame(
        {"tournament": ["t"], "round": ["1"], "white": ["a"], "black": ["b"], "result": ["1-0"]}
    )
    players = pl.DataFrame({"player": ["a"], "rating": [2000]})
    byes = pl.DataFrame({"round": [1], "player": ["c"], "type": ["PAB"]})
    archive = from_games(games, players, byes=byes)
    assert archive.results.select("player", "result").rows() == [
        ("a", "1"), ("b", "0"), ("c", "U"),
    ]  # fmt: skip
    assert archive.players["rating"].to_list() == [2000, None, None]
    told = archive.findings.select("code").to_series().to_list()
    assert told[:2] == ["text-as-number", "tournament-filled"]


def test_duplicates_that_set_a_tournament_aside_are_warned_of() -> None:
    games = pl.DataFrame({"white": ["a", "a"], "black": ["b", "b"], "result": ["1-0", "1-0"]})
    with pytest.warns(FindingWarning, match=r"tournament \(duplicate-games") as warned:
        from_games(games)
    assert warned[0].filename == __file__
