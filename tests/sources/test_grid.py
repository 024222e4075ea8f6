from collections.abc import Callable

import pytest

import tbframe as tb

Player = Callable[..., str]
ReadText = Callable[..., tb.Archive]


def rows(archive: tb.Archive) -> list[tuple]:
    return archive.results.select("round", "player", "opponent", "color", "result", "points").rows()


@pytest.mark.parametrize(
    ("one", "other", "points"),
    [
        ("1", "0", (1.0, 0.0)),
        ("=", "=", (0.5, 0.5)),
        ("W", "L", (1.0, 0.0)),
        ("D", "D", (0.5, 0.5)),
        ("+", "-", (1.0, 0.0)),
        ("-", "-", (0.0, 0.0)),
        ("0", "0", (0.0, 0.0)),
        ("=", "0", (0.5, 0.0)),
    ],
)
def test_results_with_an_opponent(
    one: str, other: str, points: tuple[float, float], player: Player, read_text: ReadText
) -> None:
    archive = read_text(player(1, "A", f"   2 w {one}"), player(2, "B", f"   1 b {other}"))
    assert rows(archive) == [
        (1, 1, 2, "w", one, points[0]),
        (1, 2, 1, "b", other, points[1]),
    ]


@pytest.mark.parametrize(
    ("block", "code", "points"),
    [
        ("0000 - F", "F", 1.0),
        ("0000 - H", "H", 0.5),
        ("0000 - U", "U", 1.0),
        ("0000 - Z", "Z", 0.0),
        ("0000 - +", "+", 1.0),
        ("0000 - -", "-", 0.0),
        ("       H", "H", 0.5),
        ("       -", "-", 0.0),
        ("   0   U", "U", 1.0),
        ("0000 - u", "U", 1.0),
        ("0000   A", "Z", 0.0),
    ],
)
def test_results_without_an_opponent(
    block: str, code: str, points: float, player: Player, read_text: ReadText
) -> None:
    assert rows(read_text(player(1, "A", block))) == [(1, 1, None, None, code, points)]


@pytest.mark.parametrize("code", ["X", "x", "?"])
def test_unknown_results_have_no_points(code: str, player: Player, read_text: ReadText) -> None:
    archive = read_text(player(1, "A", f"   2 w {code}"), player(2, "B", f"   1 b {code}"))
    assert rows(archive) == [(1, 1, 2, "w", "*", None), (1, 2, 1, "b", "*", None)]


def test_a_short_last_block_and_trailing_blanks(player: Player, read_text: ReadText) -> None:
    # The colour ends the line of A, two blanks and more that of B.
    a = player(1, "A", "   2 w 1", "   2")
    b = player(2, "B", "   1 b 0", "   1    ") + "      "
    assert rows(read_text(a, b)) == [
        (1, 1, 2, "w", "1", 1.0),
        (2, 1, 2, None, "*", None),
        (1, 2, 1, "b", "0", 0.0),
        (2, 2, 1, None, "*", None),
    ]


def test_rounds_that_nobody_has_are_not_played(player: Player, read_text: ReadText) -> None:
    blank = " " * 8
    archive = read_text(
        "XXR 9",
        player(1, "A", "   2 w 1", blank, blank),
        player(2, "B", "   1 b 0", "0000 - Z", blank),
        player(3, "C", "0000 - U", "   1 w 0"),
    )
    assert archive.results["round"].max() == 2
    assert archive.results.filter(player=1)["result"].to_list() == ["1", "1"]
    assert archive.tournaments["rounds"].to_list() == [9]


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ("0000 w", "columns 102-109: '0000 w' has a colour but neither an opponent nor a result"),
        ("    2w 1", "columns 102-109: '2w 1' does not stand in its columns"),
        ("   2 x 1", "columns 102-109: '2 x 1' has a colour that is not w, b or -"),
        ("  2a w 1", "columns 102-109: '2a w 1' names an opponent that is not a number"),
        ("   2 w 5", "columns 102-109: '2 w 5' has an unknown result code"),
    ],
)
def test_unreadable_blocks_condemn_the_file(
    block: str, said: str, player: Player, read_text: ReadText
) -> None:
    archive = read_text(
        "012 Cup",
        player(1, "A", "   2 w 1", block),
        player(2, "B", "   1 b 0", "   1 w 0"),
    )
    assert archive.results.is_empty()
    assert archive.quarantine.row(0) == (
        "cup.trf", 2, "cup", "unreadable-round", f"round 2, {said}", 4,
    )  # fmt: skip


def test_the_first_of_many_reasons_is_told(player: Player, read_text: ReadText) -> None:
    archive = read_text(player(1, "A", "   2 w 5"), player(2, "B", "   1 b 7"))
    assert archive.quarantine["line"].to_list() == [1]
    assert archive.quarantine["message"][0].endswith("(and 1 more)")


def test_a_line_that_is_far_too_long(player: Player, read_text: ReadText) -> None:
    line = player(1, "A") + "  0000 - Z" * 301
    assert read_text(line).quarantine["code"].to_list() == ["unreadable-player"]


def test_more_blocks_than_declared_rounds(player: Player, read_text: ReadText) -> None:
    archive = read_text(
        "142 1", player(1, "A", "   2 w 1", "   2 b 1"), player(2, "B", "   1 b 0", "   1 w 0")
    )
    assert archive.results.height == 4
    assert archive.findings.select("line", "code", "message").rows() == [
        (1, "rounds-beyond-plan", "rounds declared: 1, found: 2")
    ]


def test_a_list_of_players_without_rounds(player: Player, read_text: ReadText) -> None:
    archive = read_text(player(1, "A"), player(2, "B"))
    assert archive.results.is_empty()
    assert archive.players.height == 2
    assert archive.findings.is_empty()
