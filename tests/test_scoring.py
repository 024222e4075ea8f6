"""Scoring systems."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
