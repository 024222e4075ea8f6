from collections.abc import Callable

import pytest

import tbframe as tb

Player = Callable[..., str]
ReadText = Callable[..., tb.Archive]


def rows(archive: tb.Archive) -> list[tuple]:
    return archive.results.select("player", "round", "opponent", "color", "result").rows()


@pytest.mark.parametrize(
    ("one", "other"),
    [("1", "0"), ("=", "="), ("0", "1"), ("W", "L"), ("D", "D"), ("L", "W"), ("+", "-")],
)
def test_a_blank_round_is_filled_from_the_opponent(
    one: str, other: str, player: Player, read_text: ReadText
) -> None:
    archive = read_text(player(1, "A", f"   2 w {one}"), player(2, "B"))
    assert rows(archive) == [(1, 1, 2, "w", one), (2, 1, 1, "b", other)]
    assert archive.findings.select("line", "player", "severity", "code").rows() == [
        (2, "2", "warning", "mirror-row-filled")
    ]


def test_a_forfeit_loss_does_not_tell_the_other_side(player: Player, read_text: ReadText) -> None:
    # The opponent may have won by it, or both were absent.
    archive = read_text(player(1, "A", "   2 w -"), player(2, "B"))
    assert rows(archive) == [(1, 1, 2, "w", "-"), (2, 1, None, None, "Z")]
    assert archive.findings["code"].to_list() == ["mirror-missing", "blank-rounds"]


@pytest.mark.parametrize("block", ["0000 - Z", "0000 - -", "0000 -  ", "0000 - H"])
def test_what_the_opponent_says_stays(block: str, player: Player, read_text: ReadText) -> None:
    archive = read_text(player(1, "A", "   2 w 1"), player(2, "B", block))
    assert archive.results.filter(player=1)["opponent"].to_list() == [2]
    assert archive.results.filter(player=2)["opponent"].to_list() == [None]
    finding = archive.findings.filter(code="mirror-missing")
    assert finding.select("line", "round", "player", "severity").rows() == [(1, 1, "1", "error")]


def test_two_players_who_name_one_blank_third(player: Player, read_text: ReadText) -> None:
    archive = read_text(player(1, "A", "   3 w 1"), player(2, "B", "   3 w 1"), player(3, "C"))
    assert rows(archive)[2] == (3, 1, None, None, "Z")
    assert archive.findings["code"].to_list() == [
        "mirror-missing",
        "mirror-missing",
        "blank-rounds",
    ]


def test_opponents_who_name_others(player: Player, read_text: ReadText) -> None:
    archive = read_text(
        player(1, "A", "   2 w 1"), player(2, "B", "   3 w 1"), player(3, "C", "   2 b 0")
    )
    assert rows(archive) == [(1, 1, 2, "w", "1"), (2, 1, 3, "w", "1"), (3, 1, 2, "b", "0")]
    assert archive.findings.select("player", "code").rows() == [("1", "mirror-missing")]


def test_forfeits_without_colours(player: Player, read_text: ReadText) -> None:
    archive = read_text(player(13, "A", " 153 - -"), player(153, "B", "  13 - +"))
    assert rows(archive) == [(13, 1, 153, None, "-"), (153, 1, 13, None, "+")]
    assert archive.findings.is_empty()


def test_opponents_without_a_record(player: Player, read_text: ReadText) -> None:
    archive = read_text(player(1, "A", "  12 w 1", "   9 b ="))
    assert rows(archive) == [(1, 1, 12, "w", "1"), (1, 2, 9, "b", "=")]
    assert archive.players.select("player", "name").rows() == [(1, "A"), (9, None), (12, None)]
    assert archive.findings.select("round", "player", "severity", "code").rows() == [
        (1, "1", "error", "not-among-players"),
        (2, "1", "error", "not-among-players"),
    ]


def test_a_pairing_without_results_is_not_known_yet(player: Player, read_text: ReadText) -> None:
    archive = read_text(
        player(1, "A", "   2 w 1", "   2 b  "), player(2, "B", "   1 b 0", "   1 w")
    )
    assert archive.results.filter(round=2).select("opponent", "result", "points").rows() == [
        (2, "*", None), (1, "*", None),
    ]  # fmt: skip
    assert archive.findings["code"].to_list() == ["result-unknown"] * 2


def test_a_blank_result_is_read_from_the_other_side(player: Player, read_text: ReadText) -> None:
    archive = read_text(player(1, "A", "   2 w  "), player(2, "B", "   1 b 1"))
    assert rows(archive) == [(1, 1, 2, "w", "0"), (2, 1, 1, "b", "1")]
    assert archive.findings["code"].to_list() == ["mirror-result-filled"]


def test_an_opponent_without_a_result_who_is_elsewhere(player: Player, read_text: ReadText) -> None:
    archive = read_text(
        player(1, "A", "   2 w  "), player(2, "B", "   3 b 1"), player(3, "C", "   2 w 0")
    )
    assert rows(archive)[0] == (1, 1, None, None, "Z")
    assert archive.results["points"][0] == 0
    finding = archive.findings.filter(code="opponent-without-result").row(0, named=True)
    assert (finding["severity"], finding["player"]) == ("error", "1")
    assert "opponent 2" in finding["message"]


def test_an_unknown_opponent_without_a_result_adds_no_player(
    player: Player, read_text: ReadText
) -> None:
    assert read_text(player(1, "A", "   9 w  ")).players["player"].to_list() == [1]


def test_nobody_meets_himself(player: Player, read_text: ReadText) -> None:
    archive = read_text("012 Cup", player(1, "A", "   1 w 1"))
    assert archive.quarantine.select("line", "code", "message").rows() == [
        (2, "meets-himself", "player 1 meets himself in round 1")
    ]
