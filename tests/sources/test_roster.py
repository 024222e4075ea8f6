from collections.abc import Callable

import pytest

import tbframe as tb

Player = Callable[..., str]
ReadText = Callable[..., tb.Archive]


def test_all_fields_of_a_player(player: Player, read_text: ReadText) -> None:
    line = player(
        7, "Doe, Jane", sex="w", title="WGM", rating=2301, federation="NOR", id="1503707",
        birth="1990/01/31", points="4.5", rank=3,
    )  # fmt: skip
    assert read_text(line).players.row(0) == (
        "cup", 7, "Doe, Jane", "w", "WGM", 2301, "NOR", "1503707", "1990-01-31", 4.5, 3,
    )  # fmt: skip


def test_blank_fields_are_null(player: Player, read_text: ReadText) -> None:
    archive = read_text(player(1))
    assert archive.players.row(0) == ("cup", 1, *[None] * 9)
    assert archive.findings.is_empty()


@pytest.mark.parametrize(
    ("sex", "title", "expected"),
    [
        ("m", "GM", ("m", "GM")),
        ("M", "GM", ("m", "GM")),
        ("F", "wf", ("w", "WFM")),
        ("f", "  f", ("w", "FM")),
        ("m", "g", ("m", "GM")),
        ("m", "m", ("m", "IM")),
        ("", "c", (None, "CM")),
        ("m", "GM ", ("m", "GM")),  # glued: mGM
        ("m", "1N", ("m", "1N")),
        ("", "WIM", (None, "WIM")),
        ("G", "M  ", (None, "GM")),  # one column early
        ("I", "M  ", (None, "IM")),
    ],
)
def test_sex_and_title(
    sex: str,
    title: str,
    expected: tuple[str | None, str],
    player: Player,
    read_text: ReadText,
) -> None:
    archive = read_text(player(1, "A", sex=sex, title=title))
    assert archive.players.select("sex", "title").row(0) == expected
    assert archive.findings.is_empty()


def test_sex_that_is_none(player: Player, read_text: ReadText) -> None:
    archive = read_text(player(1, "A", sex="s"))
    assert archive.players["sex"].to_list() == [None]
    assert archive.findings.select("severity", "code", "line", "player").rows() == [
        ("info", "unreadable-field", 1, "1")
    ]


@pytest.mark.parametrize("rating", ["0000", "0", ""])
def test_unrated(rating: str, player: Player, read_text: ReadText) -> None:
    assert read_text(player(1, "A", rating=rating)).players["rating"].to_list() == [None]


@pytest.mark.parametrize(
    ("said", "expected"),
    [("0", None), ("", None), ("9000001", "9000001"), ("123456789012", "123456789012")],
)
def test_ids(said: str, expected: str | None, player: Player, read_text: ReadText) -> None:
    line = player(1, "A", federation="NOR", id="#")
    # Right-aligned in columns 58-68; a longer one starts a column early.
    line = line[:56] + said.rjust(12) + line[68:]
    players = read_text(line).players
    assert players.select("federation", "id").row(0) == ("NOR", expected)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("1990/01/31", "1990-01-31"),
        ("1990.01.31", "1990-01-31"),
        ("1990-01-31", "1990-01-31"),
        ("1990/05/00", "1990-05"),
        ("1990/00/00", "1990"),
        ("1990", "1990"),
        ("0000/00/00", None),
        ("0000", None),
    ],
)
def test_births(said: str, expected: str | None, player: Player, read_text: ReadText) -> None:
    archive = read_text(player(1, "A", birth=said))
    assert archive.players["birth"].to_list() == [expected]
    assert archive.findings.is_empty()


def test_birth_that_is_none(player: Player, read_text: ReadText) -> None:
    archive = read_text(player(1, "A", birth="1990/13/45"))
    assert archive.players["birth"].to_list() == [None]
    assert "1990/13/45" in archive.findings["message"][0]


@pytest.mark.parametrize(
    ("said", "expected"), [("4.5", 4.5), ("4,5", 4.5), ("10.0", 10.0), ("4", 4.0), ("", None)]
)
def test_declared_points(
    said: str, expected: float | None, player: Player, read_text: ReadText
) -> None:
    assert read_text(player(1, "A", points=said)).players["points"].to_list() == [expected]


def test_points_may_need_the_blank_before_them(player: Player, read_text: ReadText) -> None:
    line = player(1, "A")
    assert read_text(line[:79] + "100.5" + line[84:]).players["points"].to_list() == [100.5]


def test_unreadable_numbers_are_left_empty(player: Player, read_text: ReadText) -> None:
    archive = read_text(player(1, "A", rating="23OO", points="x", rank="1st"))
    assert archive.players.select("rating", "points", "rank").row(0) == (None, None, None)
    assert archive.findings["severity"].to_list() == ["warning"] * 3
    assert archive.findings["message"][0].endswith("23OO")


def test_start_numbers_in_any_order_and_with_gaps(player: Player, read_text: ReadText) -> None:
    lines = [player(n, name) for n, name in ((30, "C"), (2, "A"), (9999, "D"), (7, "B"))]
    assert read_text(*lines).players.select("player", "name").rows() == [
        (2, "A"), (7, "B"), (30, "C"), (9999, "D"),
    ]  # fmt: skip


@pytest.mark.parametrize("number", ["", "0", "x", "1 2"])
def test_a_player_without_a_number_condemns_the_file(
    number: str, player: Player, read_text: ReadText
) -> None:
    archive = read_text("012 Cup", player(1, "A", "   2 w 1"), player(number, "B", "   1 b 0"))
    assert archive.players.is_empty()
    assert archive.quarantine.select("file", "line", "tournament", "code").rows() == [
        ("cup.trf", 3, "cup", "unreadable-player")
    ]


def test_a_record_with_no_blank_behind_it(read_text: ReadText) -> None:
    assert read_text("0010001 Doe").quarantine["code"].to_list() == ["unreadable-player"]


def test_duplicate_start_numbers(player: Player, read_text: ReadText) -> None:
    lines = [player(n, "A", "0000 - Z") for n in (1, 2, 1)]
    assert read_text(*lines).quarantine.rows() == [
        ("cup.trf", 3, "cup", "duplicate-start-number", "start number 1 comes twice", 3)
    ]


@pytest.mark.parametrize("text", ["", "\n\n", "012 Cup\n022 Town", "\x00\x01\x02", "hello"])
def test_files_without_players(text: str, read_text: ReadText) -> None:
    archive = read_text(text)
    assert archive.tournaments.is_empty()
    assert archive.quarantine.select("code", "rows").rows() == [("no-players", 0)]
