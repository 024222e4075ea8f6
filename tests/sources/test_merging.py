from dataclasses import replace

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import tbframe as tb
from tbframe.sources.merging import merge


def event(key: object, white: object = 1, black: object = 2, **more: object) -> tb.Archive:
    games = {"tournament": [key], "round": [1], "white": [white], "black": [black]}
    return tb.from_games(pl.DataFrame({**games, "result": ["1-0"], **more}))


def test_one_archive_is_itself() -> None:
    archive = event("a")
    assert merge([archive]) is archive


def test_tournaments_are_sorted_together() -> None:
    merged = merge([event("b"), event("a"), event("c")])
    assert merged.tournaments["tournament"].to_list() == ["a", "b", "c"]
    assert merged.results["tournament"].to_list() == ["a", "a", "b", "b", "c", "c"]
    assert merged.players.height == 6
    assert merged.findings.filter(pl.col("code").str.contains("renamed|keys")).is_empty()


@pytest.mark.parametrize(("key", "free"), [("a", "a-2"), (7, 8)])
def test_a_key_that_is_taken_is_changed_everywhere(key: object, free: object) -> None:
    first, second = event(key), event(key, 3, 4)
    merged = merge([first, second])
    assert merged.tournaments["tournament"].to_list() == [key, free]
    renamed = merged.results.filter(pl.col("tournament") == free)
    assert renamed.select("player", "opponent").rows() == [(3, 4), (4, 3)]
    assert merged.players.filter(pl.col("tournament") == free)["player"].to_list() == [3, 4]
    finding = merged.findings.filter(code="tournament-renamed").row(0, named=True)
    assert (finding["tournament"], finding["severity"]) == (str(free), "info")
    assert str(key) in finding["message"]


def test_the_next_number_may_be_taken_too() -> None:
    merged = merge([event("a"), event("a-2"), event("a")])
    assert merged.tournaments["tournament"].to_list() == ["a", "a-2", "a-3"]


def test_numbers_and_text_as_keys_become_text() -> None:
    merged = merge([event("a", 1, 2), event("b", "x", "y")])
    assert merged.results.schema["player"] == pl.String
    assert merged.results.schema["opponent"] == pl.String
    assert merged.results["player"].to_list() == ["1", "2", "x", "y"]
    merged = merge([event(7), event("b")])
    assert merged.tournaments["tournament"].to_list() == ["7", "b"]
    assert "keys-as-text" in merged.findings["code"].to_list()


def test_empty_archives_change_no_keys() -> None:
    text = event("a", "x", "y")
    empty = replace(
        text,
        results=text.results.clear(),
        players=text.players.clear(),
        tournaments=text.tournaments.clear(),
    )
    full = event(7)
    merged = merge([empty, full])
    assert_frame_equal(merged.results, full.results)


def test_columns_that_only_one_has() -> None:
    merged = merge([event("a", board=[3]), event("b")])
    assert merged.results["board"].to_list() == [3, 3, None, None]


def test_games_of_one_archive_number_those_of_the_other() -> None:
    double = tb.from_games(
        pl.DataFrame(
            {"tournament": "a", "round": [1, 1], "white": [1, 2], "black": [2, 1],
             "result": ["1-0", "1-0"]}
        )
    )  # fmt: skip
    merged = merge([double, event("b")])
    assert merged.results["game"].to_list() == [1, 2, 1, 2, 1, 1]


def test_boards_follow_their_tournaments() -> None:
    def with_boards(first: object) -> tb.Archive:
        boards = pl.DataFrame(
            {"tournament": ["a", "a"], "round": [1, 1], "team": [first, 2], "board": [1, 1]}
        )
        return replace(event("a", first), boards=boards)

    merged = merge([event("c"), with_boards(1), with_boards(3)])
    assert merged.boards is not None
    assert merged.boards.select("tournament", "team").rows() == [
        ("a", 1), ("a", 2), ("a-2", 2), ("a-2", 3),
    ]  # fmt: skip
    assert merge([event("c"), event("d")]).boards is None
    text = merge([event("c", "x", "y"), with_boards(1)]).boards
    assert text is not None
    assert text["team"].to_list() == ["1", "2"]


def test_members_have_keys_of_their_own() -> None:
    def with_members(key: str, player: object) -> tb.Archive:
        members = pl.DataFrame({"tournament": [key], "player": [player], "team": [1]})
        return replace(event(key), members=members)

    members = merge([with_members("a", 11), with_members("b", "x")]).members
    assert members is not None
    assert members.rows() == [("a", "11", 1), ("b", "x", 1)]
