from collections.abc import Callable

import pytest

import tbframe as tb

Player = Callable[..., str]
ReadText = Callable[..., tb.Archive]


def test_tabs_that_stand_for_one_blank(player: Player, read_text: ReadText) -> None:
    a = player(1, "A", "   2 w 1").replace("  2 w 1", "\t 2\tw\t1")
    archive = read_text(a, player(2, "B", "   1 b 0"))
    assert archive.results.filter(player=1).select("opponent", "color", "result").row(0) == (
        2, "w", "1",
    )  # fmt: skip
    assert archive.findings.is_empty()


def test_tabs_that_run_to_the_next_stop(player: Player, read_text: ReadText) -> None:
    # Columns 17 to 24 are blank in the name: a tab behind column 16 runs to column 24.
    a = player(1, "AB", "   2 w 1")
    assert a[16:24] == " " * 8
    archive = read_text(a[:16] + "\t" + a[24:], player(2, "B", "   1 b 0"))
    assert archive.results.filter(player=1)["opponent"].to_list() == [2]
    assert archive.players["name"].to_list() == ["AB", "B"]
    assert archive.findings.select("severity", "code").rows() == [("warning", "realigned")]


def test_columns_that_count_bytes(player: Player, read_text: ReadText) -> None:
    # Padded to 33 bytes, a name with two accents has 31 characters.
    a = player(1, "Müller, Jürgen", "   2 w 1").replace("Jürgen  ", "Jürgen")
    archive = read_text(a, player(2, "B", "   1 b 0"))
    assert archive.players["name"].to_list() == ["Müller, Jürgen", "B"]
    assert archive.results["opponent"].to_list() == [2, 1]
    assert archive.findings.select("severity", "code").rows() == [("warning", "realigned")]


@pytest.mark.parametrize("shift", [-1, 1])
def test_shifted_blocks_are_never_read(shift: int, player: Player, read_text: ReadText) -> None:
    a = player(1, "A", "   2 w 1")
    a = a[:20] + a[21:] if shift < 0 else a[:20] + " " + a[20:]
    archive = read_text(a, player(2, "B", "   1 b 0"))
    assert archive.results.is_empty()
    assert archive.quarantine.select("line", "code").rows() == [(1, "unreadable-round")]
