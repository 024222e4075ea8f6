"""Scoring systems."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tbframe as tb
from tbframe.errors import ContractError
from tbframe.schema import RESULT_CODES, ResultCode
from tbframe.scoring import STANDARD, format_scoring, parse_scoring, points_due, scoring_table

VALUES = st.integers(0, 1_000_000).map(lambda thousandths: thousandths / 1000)


def test_the_standard_system() -> None:
    full, half, none = "1W+FU", "=DH", "0L-Z"
    expected = {
        **dict.fromkeys(full, 1.0),
        **dict.fromkeys(half, 0.5),
        **dict.fromkeys(none, 0.0),
    }
    assert dict(STANDARD) == expected
    assert parse_scoring("") == expected


def test_defaults_follow_win_draw_and_loss() -> None:
    points = parse_scoring("W=3, D=1, L=0.5")
    assert [points[code] for code in "1W+FU"] == [3.0] * 5
    assert [points[code] for code in "=DH"] == [1.0] * 3
    assert [points[code] for code in "0L"] == [0.5] * 2
    assert [points[code] for code in "-Z"] == [0.0] * 2  # who is absent has no loss


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("W=3 X=1", "'X=1'"),
        ("3-1-0", "'3-1-0'"),
        ("D=0,5", "'5'"),
        ("W=-1", "'W=-1'"),
        ("W=3 D=1 W=2", "W has two values"),
        ("W=1001", "above 1,000"),
        ("W=1 D=0.3333", "more than three decimals"),
    ],
)
def test_what_cannot_be_read_is_refused(text: str, told: str) -> None:
    with pytest.raises(ContractError, match="scoring") as error:
        parse_scoring(text)
    assert told in str(error.value)


@given(st.dictionaries(st.sampled_from("WDL+-FHUZ"), VALUES))
def test_written_and_read_again_nothing_changes(values: dict[str, float]) -> None:
    text = " ".join(f"{code}={value:.7f}" for code, value in values.items())
    points = parse_scoring(text)
    assert parse_scoring(format_scoring(points)) == points


def test_the_table_has_every_system_and_code_once() -> None:
    table = scoring_table(pl.Series([None, "W=3 D=1", None]))
    assert table.height == 2 * len(RESULT_CODES)
    standard = table.filter(pl.col("scoring").is_null(), result="=")
    assert standard["value"].to_list() == [0.5]
    assert table.filter(scoring="W=3 D=1", result="=")["value"].to_list() == [1.0]
    assert table.filter(result="*")["value"].to_list() == [None, None]


@pytest.mark.parametrize("scoring", [None, "W=3 D=1 L=0"])
def test_points_due_in_row_order(scoring: str | None) -> None:
    results = pl.DataFrame(
        {
            "tournament": ["b", "a", "b", "a", "b"],
            "result": pl.Series(["=", "=", "*", "1", "Z"], dtype=ResultCode),
        }
    )
    tournaments = pl.DataFrame(
        {"tournament": ["a", "b"], "scoring": [None, scoring]}, schema_overrides={"scoring": str}
    )
    half = 0.5 if scoring is None else 1.0
    assert points_due(results, tournaments).to_list() == [half, 0.5, None, 1.0, 0.0]


def test_matches_of_teams_have_match_points() -> None:
    results = pl.DataFrame(
        {
            "tournament": ["solo", "solo", "team", "team"],
            "result": pl.Series(["1", "U", "1", "U"], dtype=ResultCode),
            "game_points": [None, None, 2.5, 2.0],
        }
    )
    tournaments = pl.DataFrame(
        {"tournament": ["solo", "team"], "scoring": None, "kind": ["team", "team"]},
        schema_overrides={"scoring": pl.String},
    )
    # Without game points the rows are those of a team event's players, not of its teams.
    assert points_due(results, tournaments).to_list() == [1.0, 1.0, 2.0, 1.0]
    assert points_due(results.drop("game_points"), tournaments).to_list() == [1.0] * 4


# -- values for some rows only ------------------------------------------------------------------


def _points(scoring: str, rows: list[tuple[object, ...]], **more: object) -> list[float]:
    """Give the points of rows of round, color, result and game."""
    results = pl.DataFrame(
        rows,
        schema={
            "round": pl.Int32,
            "color": pl.String,
            "result": pl.String,
            "game": pl.Int32,
        },
        orient="row",
    ).with_columns(pl.col("result").cast(ResultCode), tournament=pl.lit("t"))
    about = pl.DataFrame({"tournament": ["t"], "scoring": [scoring], "kind": [None], **more})
    return points_due(results, about).to_list()


def test_rounds_that_count_double() -> None:
    rows = [
        (7, "w", "1", 1),
        (8, "w", "1", 1),
        (9, "b", "=", 1),
        (9, None, "U", 1),
        (9, None, "Z", 1),
    ]
    assert _points("W=1 D=0.5; R8-9 x2", rows) == [1.0, 2.0, 1.0, 2.0, 0.0]
    assert _points("; R7 R9 x2", rows) == [2.0, 1.0, 1.0, 2.0, 0.0]
    assert _points("W=3 D=1; R9 x1.5; R8-9 x2", rows) == [3.0, 6.0, 3.0, 9.0, 0.0]  # 1 x 1.5 x 2


def test_colors_and_rounds_with_values_of_their_own() -> None:
    rows = [
        (1, "b", "=", 1),
        (1, "w", "=", 1),
        (2, "b", "=", 1),
        (2, "b", "1", 1),
        (2, None, "=", 1),
    ]
    assert _points("; b D=0.6", rows) == [0.6, 0.5, 0.6, 1.0, 0.5]
    assert _points("; r2 B d=0.6 w=1.1", rows) == [0.5, 0.5, 0.6, 1.1, 0.5]
    # What comes later prevails: 0.7 for Black in round 2.
    assert _points("; b D=0.6; R2 D=0.7", rows) == [0.6, 0.5, 0.7, 1.0, 0.7]


def test_values_of_a_round_hold_for_the_codes_that_follow_them() -> None:
    rows = [(2, None, code, 1) for code in ("F", "U", "H", "+", "0", "L", "-", "*")]
    #       F = W  U is named  H = D  + = W  0 = L  L  nothing  not known
    due = [6.0, 1.0, 2.0, 6.0, 0.5, 0.5, 0.0, None]
    assert _points("W=3 D=1 U=1; R2 W=6 D=2 L=0.5", rows) == due


def test_draws_decided_by_armageddon() -> None:
    # Norway Chess: 3/1/0, and a second game after a draw: half a point for its winner, and for
    # Black if it is drawn too. X - Y is drawn twice, so X has 1 and Y 1 + 0.5.
    games = pl.DataFrame(
        {
            "round": [1, 1],
            "game": [1, 2],
            "white": ["X", "X"],
            "black": ["Y", "Y"],
            "result": ["1/2-1/2", "1/2-1/2"],
        }
    )
    about = pl.DataFrame({"scoring": ["W=3 D=1 L=0; G2 W=0.5 D=0; G2 b D=0.5"]})
    archive = tb.from_games(games, tournaments=about)
    assert archive.tiebreaks("PTS")["PTS"].to_list() == [1.0, 1.5]
    assert archive.check().filter(code="points-unusual").is_empty()
    won = games.with_columns(result=pl.Series(["1/2-1/2", "0-1"]))
    archive = tb.from_games(won, tournaments=about)
    assert archive.tiebreaks("PTS")["PTS"].to_list() == [1.0, 1.5]


def test_draws_worth_nothing() -> None:
    games = pl.DataFrame(
        {"round": [1, 2], "white": ["A", "B"], "black": ["B", "A"], "result": ["1/2-1/2", "1-0"]}
    )
    archive = tb.from_games(games, tournaments=pl.DataFrame({"scoring": ["W=1 D=0"]}))
    assert archive.tiebreaks("PTS WIN").rows() == [
        ("tournament", "A", 0.0, 0),
        ("tournament", "B", 1.0, 1),
    ]


def test_points_of_a_row_go_before_the_scoring() -> None:
    rows = pl.DataFrame(
        {
            "round": [1, 1, 2, 2],
            "player": ["A", "B", "A", "B"],
            "opponent": ["B", "A", "B", "A"],
            "result": ["1", "0", "=", "="],
            "points": [2.5, 0.25, None, None],
        }
    )
    archive = tb.from_results(rows, tournaments=pl.DataFrame({"scoring": ["W=3 D=1; R2 x2"]}))
    assert archive.tiebreaks("PTS")["PTS"].to_list() == [4.5, 2.25]  # 2.5 + 2, 0.25 + 2


@pytest.mark.parametrize("bye", ["W=3 D=1 U=1.5", "W=3 D=1; R1 U=1.5", "W=3 D=1 U=3; R1 x0.5"])
def test_values_of_byes(bye: str) -> None:
    byes = pl.DataFrame({"round": [1], "player": ["A"], "opponent": [None], "result": ["U"]})
    archive = tb.from_results(byes, tournaments=pl.DataFrame({"scoring": [bye]}))
    assert archive.results["points"].to_list() == [1.5]


def test_tournaments_side_by_side_keep_their_own() -> None:
    results = pl.DataFrame(
        {
            "tournament": ["a", "b", "c"] * 2,
            "round": pl.Series([1, 1, 1, 2, 2, 2], dtype=pl.Int32),
            "result": pl.Series(["1", "1", "1", "=", "=", "="], dtype=ResultCode),
        }
    ).with_columns(color=pl.lit("w"))
    tournaments = pl.DataFrame(
        {"tournament": ["a", "b", "c"], "scoring": ["; R2 x2", "W=3 D=1", None], "kind": None}
    )
    assert points_due(results, tournaments).to_list() == [1.0, 3.0, 1.0, 1.0, 1.0, 0.5]


def test_matches_of_teams_that_count_double() -> None:
    results = pl.DataFrame(
        {
            "tournament": ["t"] * 3,
            "round": pl.Series([1, 2, 2], dtype=pl.Int32),
            "color": None,
            "result": pl.Series(["1", "=", "U"], dtype=ResultCode),
            "game_points": [3.0, 2.0, 2.0],
        }
    )
    about = pl.DataFrame({"tournament": ["t"], "scoring": ["W=2 D=1; R2 x2"], "kind": ["team"]})
    assert points_due(results, about).to_list() == [2.0, 2.0, 2.0]  # a bye counts as drawn


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("W=3; x2", "'x2' does not say which rows it is for"),
        ("W=3; W=2", "'W=2' does not say which rows"),
        ("W=3; R5", "'R5' has to name other values"),
        ("W=3;", "'' does not say which rows"),
        ("W=3; R5 x2 x3", "or one factor"),
        ("W=3; R9-5 x2", "rounds that there are not"),
        ("W=3; R0 x2", "rounds that there are not"),
        ("W=3; R5 W=1 W=2", "W has two values"),
        ("W=3; round 5 x2", "'ROUND'"),
        ("W=3; R5 x2000", "above 1,000"),
        ("W=3; R5 D=0.3333", "more than three decimals"),
    ],
)
def test_what_is_for_some_rows_only_is_read_strictly(text: str, told: str) -> None:
    with pytest.raises(ContractError, match="scoring") as error:
        parse_scoring(text)
    assert told in str(error.value)
    rows = pl.DataFrame({"round": [1], "player": ["A"], "opponent": ["B"], "result": ["1"]})
    with pytest.raises(ContractError, match="tournaments, column 'scoring'"):
        tb.from_results(rows, tournaments=pl.DataFrame({"scoring": [text]}))


def test_boards_have_no_values_for_some_rows_only() -> None:
    rows = pl.DataFrame({"round": [1], "player": ["A"], "opponent": ["B"], "result": ["1"]})
    with pytest.raises(ContractError, match="the same for all of them"):
        tb.from_results(rows, tournaments=pl.DataFrame({"game_scoring": ["W=1; R1 x2"]}))


def test_what_takes_the_general_value_of_a_win_is_told_of() -> None:
    games = pl.DataFrame(
        {"tournament": ["a", "b"], "round": 1, "white": "A", "black": "B", "result": "1-0"}
    )
    about = pl.DataFrame({"tournament": ["a", "b"], "scoring": ["; R1 x2", "W=3 D=1"]})
    archive = tb.from_games(games, tournaments=about)
    found = archive.assumptions("PTS WIN").filter(code="scoring-varies")
    assert found.select("tournament", "severity").rows() == [("a", "warning")]
    # So does what counts unplayed rounds as draws, or asks for more than half of the points.
    for code in ("uscf.SOLK", "uscf.MMED", "old.SUMBH"):
        assert "scoring-varies" in archive.assumptions(code)["code"]
    assert archive.assumptions("PTS BPG").filter(code="scoring-varies").is_empty()
    assert archive.assumptions("uscf.KASH").filter(code="scoring-varies").is_empty()
