"""Damage that once stopped the reading of a whole folder, or could have passed for a value."""

from collections.abc import Callable

import pytest

import tbframe as tb

Player = Callable[..., str]
ReadText = Callable[..., tb.Archive]


@pytest.fixture
def game(player: Player, read_text: ReadText) -> Callable[..., tb.Archive]:
    """Return a function that reads records and two games of A (a win and a draw) against B."""

    def read(*records: str) -> tb.Archive:
        lines = player(1, "A", "   2 w 1", "   2 b ="), player(2, "B", "   1 b 0", "   1 w =")
        archive = read_text(*records, *lines)
        archive.check()
        archive.standings("PTS BH")
        archive.standings()
        return archive

    return read


@pytest.mark.parametrize("record", ["062 ٧", "142 ٧", "XXR ²", "042 ٢٠٢٤/٠١/٠١", "162  W ٣.0"])
def test_digits_of_other_scripts_are_none(record: str, game: Callable[..., tb.Archive]) -> None:
    archive = game(record)
    assert archive.tournaments.select("start", "rounds", "scoring").row(0) == (None, None, None)
    assert archive.results["points"].to_list() == [1.0, 0.5, 0.0, 0.5]


@pytest.mark.parametrize(
    "record",
    [
        "162  W 5000.0  D 0.5    L 0.0",  # above what a scoring can have
        "162  W 0.0001",  # finer than a thousandth
        "XXS W=1001",
        "BBW 0.12345",
        "299 W          nan",
        "299 W         1_0.",
        "299 W          inf",
    ],
)
def test_points_that_no_scoring_has(record: str, game: Callable[..., tb.Archive]) -> None:
    archive = game(record)
    findings = archive.findings.select("line", "severity", "code").rows()
    assert findings == [(1, "error", "unreadable-scoring")]
    assert archive.results["points"].to_list() == [1.0, 0.5, 0.0, 0.5]


def test_a_result_that_costs_points(game: Callable[..., tb.Archive]) -> None:
    """A scoring cannot have them: they stand in the rows."""
    archive = game("299 L         -1.0")
    assert archive.results["points"].to_list() == [1.0, 0.5, -1.0, 0.5]
    assert archive.tournaments["scoring"].to_list() == [None]


def test_points_that_cannot_be_summed_exactly(game: Callable[..., tb.Archive]) -> None:
    # 1,000 points in 2 rounds are 2 million thousandths.
    archive = game("XXS W=1000 D=0.125 L=0")
    assert archive.quarantine.select("file", "code", "rows").rows() == [
        ("cup.trf", "points-not-countable", 4)
    ]
    assert archive.results.is_empty()
    assert game("XXS W=1000 D=500 L=0").quarantine.is_empty()


@pytest.mark.parametrize("record", ["212 ", "202 "])
def test_an_order_without_end(record: str, game: Callable[..., tb.Archive]) -> None:
    archive = game(record + "PTS " * 50_000)
    assert archive.findings.select("line", "code").rows() == [(1, "unreadable-order")]
    assert archive.tournaments["criteria"].to_list() == [None]


@pytest.mark.parametrize(
    ("name", "value"), [("boards", "999999999"), ("boards", "0"), ("game_scoring", "W=x")]
)
def test_rules_in_comments_that_cannot_be(
    name: str, value: str, game: Callable[..., tb.Archive]
) -> None:
    archive = game(f"### tbframe {name} {value}")
    assert archive.findings.select("severity", "code").rows() == [("error", f"{name}-not-known")]


def teams(player: Player, *records: str) -> list[str]:
    """Lay out two teams of one player each, who played one game."""
    return [
        *(f"310 {n:3} {name:<32}".ljust(73) + f"{n:4}" for n, name in ((1, "Rooks"), (2, "Kings"))),
        *records,
        player(1, "A", "   2 w 1"),
        player(2, "B", "   1 b 0"),
    ]


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ("352 " + "WB" * 51, "is no sequence of W and B for up to 100 boards"),
        ("300   1   1   2 " + "   1 " * 101, "names more than 100 boards"),
        ("362 TW 5000   TD 1.0", "could not be read whole"),
        ("320 -1.0  1.0", "gives points that no bye can bring"),
        ("299 W  9999    1.0", "could not be read or applied"),
    ],
)
def test_records_of_teams_that_cannot_be(
    record: str, said: str, player: Player, read_text: ReadText
) -> None:
    archive = read_text(*teams(player, record))
    found = archive.findings.filter(code="unreadable-team-record")
    assert found.select("line", "severity", "message").rows() == [
        (3, "error", f"record {record[:3]} {said}")
    ]
    assert archive.check().filter(severity="error").is_empty()
    assert archive.standings("MPTS GPTS").select("player", "MPTS", "GPTS").rows() == [
        (1, 2.0, 1.0),
        (2, 0.0, 0.0),
    ]


def test_team_points_that_cannot_be_summed_exactly(player: Player, read_text: ReadText) -> None:
    # 999.125 in 2 rounds: about 2 million thousandths.
    lines = teams(player, "362 TW 999.125")
    lines[-2:] = player(1, "A", "   2 w 1", "   2 b 1"), player(2, "B", "   1 b 0", "   1 w 0")
    archive = read_text(*lines)
    assert archive.quarantine.select("code", "rows").rows() == [("points-not-countable", 4)]
    assert archive.results.is_empty()
    assert archive.boards is None or archive.boards.is_empty()


def test_two_sides_that_contradict_each_other(player: Player, read_text: ReadText) -> None:
    archive = read_text(
        player(1, "A", "   2 w 1", "   2 b 0"), player(2, "B", "   1 b =", "   1 b 1")
    )
    assert archive.findings.select("line", "round", "player", "severity", "code").rows() == [
        (1, 1, "1", "error", "results-disagree"),
        (1, 2, "1", "error", "colors-disagree"),
    ]
    assert archive.results["points"].to_list() == [1.0, 0.0, 0.5, 1.0]


def test_messages_are_text_whatever_they_quote(player: Player, read_text: ReadText) -> None:
    archive = read_text(player(1, "Ä", "  éü w 1"), player(2, "B"))
    assert archive.quarantine["code"].to_list() == ["unreadable-round"]
    archive.quarantine.to_arrow().validate(full=True)
    assert "'??" in archive.quarantine["message"].item()


def test_messages_quote_no_line_without_end(game: Callable[..., tb.Archive]) -> None:
    archive = game("042 " + "9" * 100_000, "162 " + "x" * 100_000)
    assert archive.findings["code"].to_list() == ["unreadable-date", "unreadable-scoring"]
    assert archive.findings["message"].str.len_chars().max() == 300


def test_a_bye_announced_again_and_again_is_told_once(game: Callable[..., tb.Archive]) -> None:
    archive = game("240 H   9 " + "   1 " * 10_000)
    assert archive.findings.select("line", "round", "player", "code").rows() == [
        (1, 9, "1", "announced-bye")
    ]


def test_a_team_of_which_nothing_is_known_keeps_its_number(
    player: Player, read_text: ReadText
) -> None:
    """A record may be all but blank, and its line then ends with its number."""
    rooks, kings = (f"013 {name:32}{n:4}" for name, n in (("Rooks", 1), ("Kings", 2)))
    games = player(1, "A", "   2 w 1"), player(2, "B", "   1 b 0")
    archive = read_text(rooks, "013", kings, *games)
    assert archive.players.select("player", "name").rows() == [
        (1, "Rooks"),
        (2, None),
        (3, "Kings"),
    ]
    assert archive.results.select("player", "opponent").rows() == [(1, 3), (2, None), (3, 1)]
