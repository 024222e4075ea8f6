"""The contracts of the canonical frames, and how a breach is worded."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

import dataframely as dy
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tbframe.contracts import Players, Results, Tournaments, breach, validate
from tbframe.errors import ContractError
from tbframe.order import in_order, sort_by_key
from tbframe.schema import PLAYERS, RESULT_CODES, RESULTS, ROW, TOURNAMENTS


def frame(types: dict[str, pl.DataType | None], **columns: list[object]) -> pl.DataFrame:
    """Return a canonical frame with these columns and nulls in the others."""
    height = len(next(iter(columns.values())))
    return pl.DataFrame(
        {
            name: pl.Series(
                columns.get(name, [None] * height), dtype=pl.Int64 if dtype is None else dtype
            )
            for name, dtype in {**types, "game": pl.Int32()}.items()
            if name in types or name in columns
        }
    )


def results(**columns: list[object]) -> pl.DataFrame:
    given = {
        "tournament": [1, 1, 1],
        "round": [1, 2, 1],
        "player": [1, 1, 2],
        "opponent": [2, None, 1],
        "color": ["w", None, "b"],
        "result": ["1", "U", "0"],
        "points": [1.0, 1.0, 0.0],
    }
    return frame(RESULTS, **{**given, **columns})


def test_canonical_frames_keep_their_contracts() -> None:
    validate(results(), Results, "results")
    validate(results(game=[1, 1, 2]), Results, "results")
    validate(results(points=[1.0, None, 0.0]), Results, "results")
    validate(frame(PLAYERS, tournament=[1, 1, 2], player=[1, 2, 1]), Players, "players")
    validate(
        frame(TOURNAMENTS, tournament=[1, 2], start=[dt.date(2020, 1, 1), None]),
        Tournaments,
        "tournaments",
    )


@pytest.mark.parametrize("contract", [Results, Players, Tournaments])
def test_frames_without_rows_keep_their_contracts(contract: type[dy.Schema]) -> None:
    types = {Results: RESULTS, Players: PLAYERS, Tournaments: TOURNAMENTS}[contract]
    validate(frame(types, tournament=[]), contract, "frame")


@pytest.mark.parametrize(
    ("broken", "columns", "rule", "rows"),
    [
        ({"round": [0, 2, 1]}, "'round'", "rounds count from 1", [0]),
        ({"round": [None, 2, 1]}, "'round'", "never null", [0]),
        ({"player": [None, 1, 2]}, "'player'", "never null", [0]),
        ({"tournament": [None, 1, 1]}, "'tournament'", "never null", [0]),
        ({"color": ["w", "white", "b"]}, "'color'", "w, b or null", [1]),
        ({"result": ["1", None, "0"]}, "'result'", "never null", [1]),
        ({"points": [1.0, float("nan"), 0.0]}, "'points'", "not NaN", [1]),
        ({"points": [1.0, 0.0, float("inf")]}, "'points'", "finite", [2]),
        ({"game": [1, 0, 1]}, "'game'", "games count from 1", [1]),
        ({"round": [1, 1, 1]}, "'tournament', 'player', 'round', 'game'", "one row", [0, 1]),
        ({"player": [2, 1, 2]}, "'tournament', 'player', 'round', 'game'", "one row", [1]),
        ({"tournament": [1, 1, 0]}, "'tournament', 'player', 'round', 'game'", "one row", [2]),
    ],
)
def test_a_broken_rule_of_the_results_is_told_with_its_rows(
    broken: dict[str, list[object]], columns: str, rule: str, rows: list[int]
) -> None:
    with pytest.raises(ContractError) as error:
        validate(results(**broken), Results, "my table")
    first, *shown = str(error.value).splitlines()
    assert first.startswith("my table, column")
    assert columns in first
    assert rule in first
    assert f"Broken by {len(rows)} row(s)" in first
    assert [line.split(":")[0].strip() for line in shown] == [f"row {row}" for row in rows]


def test_the_same_key_is_legal_with_another_game() -> None:
    twice = results(round=[1, 1, 1])
    validate(twice.with_columns(game=pl.Series([1, 2, 1], dtype=pl.Int32)), Results, "results")


@pytest.mark.parametrize(
    ("contract", "types", "broken", "rule"),
    [
        (Players, PLAYERS, {"tournament": [1, 1], "player": [3, 3]}, "one row"),
        (Players, PLAYERS, {"tournament": [1], "player": [3], "rating": [-1]}, "0 or more"),
        (Players, PLAYERS, {"tournament": [1], "player": [3], "points": [float("inf")]}, "finite"),
        (Tournaments, TOURNAMENTS, {"tournament": [4, 4]}, "one row"),
        (Tournaments, TOURNAMENTS, {"tournament": [4], "rounds": [-1]}, "0 or more"),
        (Tournaments, TOURNAMENTS, {"tournament": [4], "kind": ["solo"]}, "individual, team"),
        (Tournaments, TOURNAMENTS, {"tournament": [4], "pairing": ["Swiss"]}, "swiss, predeter"),
    ],
)
def test_a_broken_rule_of_a_side_frame(
    contract: type[dy.Schema],
    types: dict[str, pl.DataType | None],
    broken: dict[str, list[object]],
    rule: str,
) -> None:
    with pytest.raises(ContractError, match=rule):
        validate(frame(types, **broken), contract, "side")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda f: f.drop("result"), "'result': the column is missing"),
        (lambda f: f.with_columns(pl.col("round").cast(pl.Int64)), "has type Int64 where Int32"),
        (lambda f: f.with_columns(pl.col("result").cast(pl.String)), "has type String where Enum"),
        (lambda f: f.with_columns(pl.col("player").cast(pl.Int32)), "Int32 where String or Int64"),
    ],
)
def test_missing_columns_and_wrong_types(
    change: Callable[[pl.DataFrame], pl.DataFrame], told: str
) -> None:
    with pytest.raises(ContractError) as error:
        validate(change(results()), Results, "results")
    assert told in str(error.value)


def test_of_a_cause_and_its_consequence_the_cause_is_told() -> None:
    # Without its key a row is also out of order.
    with pytest.raises(ContractError, match="never null"):
        validate(results(player=[3, 1, None]), Results, "results")


def test_row_numbers_come_from_the_user_s_table() -> None:
    numbered = results(round=[0, 2, 1]).with_columns(pl.Series(ROW, [40, 41, 42]))
    with pytest.raises(ContractError, match="row 40: "):
        validate(numbered, Results, "results")


def test_a_breach_shows_five_rows_in_their_order() -> None:
    rows = pl.DataFrame({ROW: [9, 3, 5, 1, 7, 8], "player": ["f", "b", "c", "a", "d", "e"]})
    text = str(breach("t", ["player"], "wrong", rows))
    assert text.splitlines() == [
        "t, column 'player': wrong. Broken by 6 row(s), the first (counted from 0):",
        "  row 1: player='a'",
        "  row 3: player='b'",
        "  row 5: player='c'",
        "  row 7: player='d'",
        "  row 8: player='e'",
    ]


def test_the_result_codes_are_those_of_the_tournament_report_file() -> None:
    assert sorted(RESULT_CODES) == sorted("1=0WDL+-FHUZ*")


KEYS = st.one_of(
    st.lists(st.tuples(st.integers(-(2**63), 2**63 - 1), st.integers(0, 3)), max_size=30),
    st.lists(st.tuples(st.text(max_size=3), st.integers(-5, 5)), max_size=30),
    st.lists(st.tuples(st.sampled_from([None, "a", "B", "é", ""]), st.just(1)), max_size=8),
)


@given(KEYS)
def test_sorting_by_key_is_sorting(keys: list[tuple[object, int]]) -> None:
    first = pl.String if any(isinstance(key[0], str) for key in keys) else pl.Int64
    unsorted = pl.DataFrame(keys, schema={"a": first, "b": pl.Int32}, orient="row")
    expected = sorted(keys, key=lambda key: (key[0] is not None, key[0] or type(key[0])(), key[1]))
    by_key = sort_by_key(unsorted, ["a", "b"])
    assert by_key.rows() == (expected if first == pl.Int64 else _nulls_first(keys))
    if by_key.height and by_key["a"].null_count() == 0:
        assert by_key.select(in_order(["a", "b"]).all()).item()


def _nulls_first(keys: list[tuple[object, int]]) -> list[tuple[object, int]]:
    return sorted(keys, key=lambda key: (key[0] is not None, str(key[0]).encode(), key[1]))
