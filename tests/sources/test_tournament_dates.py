from collections.abc import Callable
from datetime import date

import tbframe as tb

Player = Callable[..., str]
ReadText = Callable[..., tb.Archive]


def test_unreadable_and_ambiguous_dates(player: Player, read_text: ReadText) -> None:
    archive = read_text("042 soon", "052 03/04/2024", player(1, "A"))
    assert archive.tournaments.select("start", "end").row(0) == (None, date(2024, 4, 3))
    assert archive.findings.select("line", "severity", "code", "message").rows() == [
        (1, "warning", "unreadable-date", "soon is no date: left empty"),
        (2, "warning", "ambiguous-date", "03/04/2024 is read as day/month/year"),
    ]


def test_one_date_proves_the_order_of_the_other(player: Player, read_text: ReadText) -> None:
    archive = read_text("042 24/09/2010", "052 02/10/2010", player(1, "A"))
    assert archive.tournaments.select("start", "end").row(0) == (
        date(2010, 9, 24),
        date(2010, 10, 2),
    )
    assert archive.findings.is_empty()


def test_an_end_before_the_start(player: Player, read_text: ReadText) -> None:
    archive = read_text("042 2024/05/02", "052 2024/05/01", player(1, "A"))
    assert archive.findings["code"].to_list() == ["dates-reversed"]


def test_round_dates_in_records_of_their_own(player: Player, read_text: ReadText) -> None:
    archive = read_text("132 2024/05/01", "132 2024/05/02", player(1, "A"))
    assert archive.tournaments["round_dates"].to_list() == ["2024-05-01 2024-05-02"]


def test_a_round_without_a_date(player: Player, read_text: ReadText) -> None:
    record = "132" + " " * 88 + "24/05/01" + " " * 12 + "24/05/02"
    archive = read_text(record, player(1, "A"))
    assert archive.tournaments["round_dates"].to_list() == ["2024-05-01 - 2024-05-02"]
    assert archive.findings.is_empty()


def test_round_dates_in_another_order(player: Player, read_text: ReadText) -> None:
    record = "132" + " " * 88 + "11.25.02  11.26.02"
    archive = read_text("042 25.02.2011", record, player(1, "A"))
    assert archive.tournaments["round_dates"].to_list() == ["2011-02-25 2011-02-26"]
    assert archive.findings.select("line", "severity", "code").rows() == [
        (2, "info", "ambiguous-date")
    ]


def test_round_dates_that_are_none(player: Player, read_text: ReadText) -> None:
    record = "132" + " " * 88 + "24/05/01  24/13/13"
    archive = read_text(record, player(1, "A"))
    assert archive.tournaments["round_dates"].to_list() == ["2024-05-01 -"]
    assert archive.findings["code"].to_list() == ["unreadable-date"]


def test_an_empty_record(player: Player, read_text: ReadText) -> None:
    assert read_text("132" + " " * 97, player(1, "A")).tournaments["round_dates"].to_list() == [
        None
    ]
