from collections.abc import Callable

import pytest

import tbframe as tb

Player = Callable[..., str]
ReadText = Callable[..., tb.Archive]


def test_blank_rounds_are_absence(player: Player, read_text: ReadText) -> None:
    archive = read_text(
        player(1, "A", "   2 w 1", "        ", "   2 b =", points="1.5"),
        player(2, "B", "   1 b 0", "0000 -  ", "   1 w =", points="0.5"),
    )
    assert archive.results.filter(round=2).select("result", "points").rows() == [("Z", 0.0)] * 2
    assert archive.findings.select("severity", "code", "message").rows() == [
        ("info", "blank-rounds", "blank rounds read as absence (Z): 2, of players: 2")
    ]


def test_blank_rounds_that_the_points_count_as_draws(player: Player, read_text: ReadText) -> None:
    # A: a win and 2.0 points, so each of the two blank rounds brought a half.
    archive = read_text(
        player(1, "A", "        ", "   2 w 1", "0000 -  ", points="2.0"),
        player(2, "B", "   3 w 1", "   1 b 0", "   3 b 1", points="2.0"),
        player(3, "C", "   2 b 0", "0000 - Z", "   2 w 0", points="0.0"),
    )
    assert archive.results.filter(player=1).select("result", "points").rows() == [
        ("H", 0.5), ("1", 1.0), ("H", 0.5),
    ]  # fmt: skip
    assert archive.findings.select("line", "round", "player", "severity", "code").rows() == [
        (1, 1, "1", "warning", "half-point-bye-assumed"),
        (1, 3, "1", "warning", "half-point-bye-assumed"),
    ]


def test_points_that_blank_rounds_explain_only_partly(player: Player, read_text: ReadText) -> None:
    # One half too much, two blank rounds: nothing says which of them was a bye.
    archive = read_text(
        player(1, "A", "        ", "        ", "   2 w 1", points="1.5"),
        player(2, "B", "0000 - Z", "0000 - Z", "   1 b 0", points="0.0"),
    )
    assert archive.results.filter(player=1)["result"].to_list() == ["Z", "Z", "1"]
    assert archive.findings.select("player", "severity", "code").rows() == [
        (None, "info", "blank-rounds"),
        ("1", "warning", "points-declared"),
    ]
    assert archive.findings["message"][1] == "1.5 points are declared, the results bring 1.0"


def test_one_blank_round_that_the_points_count_as_a_win(
    player: Player, read_text: ReadText
) -> None:
    archive = read_text(
        player(1, "A", "   2 w 1", "        ", points="2.0"),
        player(2, "B", "   1 b 0", "   3 w 1", points="1.0"),
        player(3, "C", "0000 - Z", "   2 b 0", points="0.0"),
    )
    assert archive.results.filter(player=1)["result"].to_list() == ["1", "U"]
    assert archive.findings.select("round", "code").rows() == [(2, "pairing-bye-assumed")]


def test_two_pairing_byes_in_a_round_are_not_assumed(player: Player, read_text: ReadText) -> None:
    archive = read_text(
        player(1, "A", "   2 w 1", "        ", points="2.0"),
        player(2, "B", "   1 b 0", "        ", points="1.0"),
        player(3, "C", "   4 w 1", "   4 b 1", points="2.0"),
        player(4, "D", "   3 b 0", "   3 w 0", points="0.0"),
    )
    assert archive.results.filter(round=2)["result"].to_list() == ["Z", "Z", "1", "0"]
    assert archive.findings["code"].to_list().count("points-declared") == 2


def test_wrong_points_do_not_condemn_a_file(player: Player, read_text: ReadText) -> None:
    archive = read_text(
        player(1, "A", "   2 w 1", points="1.0"), player(2, "B", "   1 b 0", points="1.0")
    )
    assert archive.results["points"].to_list() == [1.0, 0.0]
    assert archive.players["points"].to_list() == [1.0, 1.0]
    assert archive.findings.select(
        "file", "line", "tournament", "player", "severity", "code"
    ).rows() == [("cup.trf", 2, "cup", "2", "warning", "points-declared")]


def test_a_file_that_declares_no_points(player: Player, read_text: ReadText) -> None:
    archive = read_text(
        player(1, "A", "   2 w =", points="0.0"), player(2, "B", "   1 b =", points="0.0")
    )
    assert archive.findings["code"].to_list() == ["no-declared-points"]


def test_results_not_known_say_nothing_about_points(player: Player, read_text: ReadText) -> None:
    archive = read_text(
        player(1, "A", "   2 w ?", points="7.0"), player(2, "B", "   1 b ?", points="7.0")
    )
    assert archive.findings.is_empty()


FOOTBALL = (
    ((1, "A", "   2 w 1", "   3 b ="), 4),
    ((2, "B", "   1 b 0", "0000 - U"), 3),
    ((3, "C", "0000 - U", "   1 w ="), 4),
)


def test_football_scoring_is_found(player: Player, read_text: ReadText) -> None:
    lines = [player(*fields, points=f"{points}.0") for fields, points in FOOTBALL]
    archive = read_text(*lines)
    assert archive.tournaments["scoring"].to_list() == ["W=3 D=1 L=0"]
    assert archive.results["points"].to_list() == [3.0, 1.0, 0.0, 3.0, 3.0, 1.0]
    assert archive.findings.select("severity", "code").rows() == [("warning", "scoring-assumed")]
    assert "W=3 D=1 L=0" in archive.findings["message"][0]


def test_football_scoring_with_a_smaller_bye(player: Player, read_text: ReadText) -> None:
    points = ["4.0", "1.0", "2.0"]
    lines = [player(*fields, points=p) for (fields, _), p in zip(FOOTBALL, points, strict=True)]
    assert read_text(*lines).tournaments["scoring"].to_list() == ["W=3 D=1 L=0 U=1"]


def test_half_point_pairing_byes_are_found(player: Player, read_text: ReadText) -> None:
    points = ["1.5", "0.5", "1.0"]
    lines = [player(*fields, points=p) for (fields, _), p in zip(FOOTBALL, points, strict=True)]
    assert read_text(*lines).tournaments["scoring"].to_list() == ["W=1 D=0.5 L=0 U=0.5"]


@pytest.mark.parametrize("wrong", range(3))
def test_one_player_against_it_and_no_scoring_is_assumed(
    wrong: int, player: Player, read_text: ReadText
) -> None:
    lines = [
        player(*fields, points=f"{points + 0.5 * (index == wrong)}")
        for index, (fields, points) in enumerate(FOOTBALL)
    ]
    archive = read_text(*lines)
    assert archive.tournaments["scoring"].to_list() == [None]
    assert set(archive.findings["code"]) == {"points-declared"}


def test_one_player_is_not_enough_for_a_scoring(player: Player, read_text: ReadText) -> None:
    archive = read_text(
        player(1, "A", "   2 w 1", points="3.0"), player(2, "B", "   1 b 0", points="0.0")
    )
    assert archive.tournaments["scoring"].to_list() == [None]


def test_a_declared_scoring_is_not_doubted(player: Player, read_text: ReadText) -> None:
    lines = [player(*fields, points=f"{points}.0") for fields, points in FOOTBALL]
    archive = read_text("162  W 1.0    D 0.5    L 0.0", *lines)
    assert archive.tournaments["scoring"].to_list() == [None]
    assert archive.findings["code"].to_list() == ["points-declared"] * 3
