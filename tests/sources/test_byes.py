from collections.abc import Callable

import pytest

import tbframe as tb

Player = Callable[..., str]
ReadText = Callable[..., tb.Archive]


def test_byes_of_a_round_to_come_are_read_and_nothing_else(
    player: Player, read_text: ReadText
) -> None:
    archive = read_text(
        player(1, "A", "   2 w 1", "0000 - H", points="1.5"),
        player(2, "B", "   1 b 0", points="0.0"),
        player(3, "C", "0000 - U", points="1.0"),
    )
    assert archive.results.select("player", "round", "result").rows() == [
        (1, 1, "1"), (1, 2, "H"), (2, 1, "0"), (3, 1, "U"),
    ]  # fmt: skip
    assert archive.findings.select("round", "severity", "code").rows() == [
        (2, "warning", "round-not-paired")
    ]


def test_points_of_a_bye_to_come_may_not_be_declared_yet(
    player: Player, read_text: ReadText
) -> None:
    archive = read_text(
        player(1, "A", "   2 w 1", "0000 - H", points="1.0"),
        player(2, "B", "   1 b 0", points="0.0"),
    )
    assert archive.findings["code"].to_list() == ["round-not-paired"]


def test_a_round_that_all_are_absent_from_is_a_round(player: Player, read_text: ReadText) -> None:
    archive = read_text(
        player(1, "A", "   2 w 1", "0000 - Z"), player(2, "B", "   1 b 0", "0000 - Z")
    )
    assert archive.results.height == 4
    assert archive.findings.is_empty()


@pytest.mark.parametrize("code", ["Z", "H", "F", "U"])
def test_a_bye_with_an_opponent(code: str, player: Player, read_text: ReadText) -> None:
    archive = read_text(
        player(1, "A", "   2 w 1", f"   2 b {code}"), player(2, "B", "   1 b 0", "0000 - Z")
    )
    row = archive.results.filter(round=2, player=1)
    assert row.select("opponent", "color", "result").row(0) == (None, None, code)
    assert archive.findings.select("line", "round", "player", "severity", "code").rows() == [
        (1, 2, "1", "error", "bye-with-opponent")
    ]
    assert "opponent 2" in archive.findings["message"][0]


@pytest.mark.parametrize(
    ("block", "code", "points"),
    [("0000 - 1", "U", 1.0), ("0000 - =", "H", 0.5), ("0000 - 0", "Z", 0.0), ("0000 w 1", "U", 1)],
)
def test_a_result_without_an_opponent(
    block: str, code: str, points: float, player: Player, read_text: ReadText
) -> None:
    archive = read_text(player(1, "A", block))
    assert archive.results.select("color", "result", "points").row(0) == (None, code, points)
    assert archive.findings["code"].to_list() == ["game-without-opponent"]


def test_records_240_fill_blank_rounds(player: Player, read_text: ReadText) -> None:
    archive = read_text(
        player(1, "A", "   2 w 1", "        ", "   2 b 1"),
        player(2, "B", "   1 b 0", "0000 - Z", "   1 w 0"),
        player(3, "C", "0000 - U"),
        "240 H 002    1",
        "240 F 003    3",
    )
    assert archive.results.filter(player=1)["result"].to_list() == ["1", "H", "1"]
    assert archive.results.filter(player=3)["result"].to_list() == ["U", "Z", "F"]
    assert archive.tournaments["records"].to_list() == [None]


def test_records_240_that_agree_say_nothing(player: Player, read_text: ReadText) -> None:
    archive = read_text(
        player(1, "A", "0000 - H", "   2 b 1"),
        player(2, "B", "0000 - H", "   1 w 0"),
        "240 H 001    1    2",
    )
    assert archive.findings.is_empty()


def test_records_240_against_the_player_do_not_hold(player: Player, read_text: ReadText) -> None:
    archive = read_text(
        player(1, "A", "   2 w 1"), player(2, "B", "   1 b 0"), "240 H 001    1    2"
    )
    assert archive.results["result"].to_list() == ["1", "0"]
    assert archive.findings.select("code", "severity", "player").rows() == [
        ("bye-record-contradicted", "error", "1"),
        ("bye-record-contradicted", "error", "2"),
    ]


@pytest.mark.parametrize(
    "record", ["240 H 001    9", "240 Q 001    1", "240 H       1", "240 H 001   1x"]
)
def test_records_240_that_name_no_bye(record: str, player: Player, read_text: ReadText) -> None:
    archive = read_text(player(1, "A", "0000 - Z"), record)
    assert archive.results["result"].to_list() == ["Z"]
    assert archive.findings.select("line", "code").rows() == [(2, "unreadable-bye-record")]


def test_records_240_of_rounds_to_come_are_kept(player: Player, read_text: ReadText) -> None:
    archive = read_text(player(1, "A", "   2 w 1"), player(2, "B", "   1 b 0"), "240 H 002    1")
    assert archive.results.height == 2
    assert archive.findings["code"].to_list() == ["announced-bye"]
    assert archive.tournaments["records"].to_list() == ["240 H 002    1"]


def test_records_240_of_a_team_file_are_the_teams(player: Player, read_text: ReadText) -> None:
    archive = read_text(
        "092 Team Swiss", player(1, "A", "        ", "   2 w 1"),
        player(2, "B", "        ", "   1 b 0"), "240 H 001    1",
    )  # fmt: skip
    assert archive.results.filter(round=1)["result"].to_list() == ["Z", "Z"]
    assert archive.tournaments["records"].to_list() == ["240 H 001    1"]
