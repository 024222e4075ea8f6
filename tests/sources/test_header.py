from collections.abc import Callable
from datetime import date

import pytest

import tbframe as tb

Player = Callable[..., str]
ReadText = Callable[..., tb.Archive]


def read_header(read_text: ReadText, player: Player, *records: str) -> tb.Archive:
    return read_text(*records, player(1, "A"))


def test_the_usual_records(player: Player, read_text: ReadText) -> None:
    archive = read_header(
        read_text,
        player,
        "012 Karl-Mala-Gedenkturnier",
        "022 Frankfurt",
        "032 GER",
        "042 2005/07/28",
        "052 2005/07/31",
        "062 1 (1)",
        "072 0",
        "092 Individual: Swiss-System",
        "102 IA One",
        "112 FA Two",
        "112 FA Three",
        "122 40/120",
        "132" + " " * 88 + "05/07/28  05/07/29",
        "XXR 7",
    )
    row = archive.tournaments.row(0, named=True)
    expected = {
        "tournament": "cup",
        "name": "Karl-Mala-Gedenkturnier",
        "city": "Frankfurt",
        "federation": "GER",
        "start": date(2005, 7, 28),
        "end": date(2005, 7, 31),
        "rounds": 7,
        "kind": "individual",
        "pairing": "swiss",
        "type": "Individual: Swiss-System",
        "scoring": None,
        "criteria": None,
        "edition": None,
        "fide_event": None,
        "arbiter": "IA One",
        "deputies": "FA Two; FA Three",
        "time_control": "40/120",
        "round_dates": "2005-07-28 2005-07-29",
        "records": None,
    }
    assert {name: row[name] for name in expected} == expected
    assert archive.findings.is_empty()


def test_a_file_without_a_header(player: Player, read_text: ReadText) -> None:
    archive = read_header(read_text, player)
    row = archive.tournaments.row(0, named=True)
    assert {name: value for name, value in row.items() if value is not None} == {
        "tournament": "cup",
        "kind": "individual",
    }
    assert archive.findings.is_empty()


def test_records_of_trf26(player: Player, read_text: ReadText) -> None:
    archive = read_header(
        read_text, player, "142 9", "152 W", "172 NOR FIDE", "192 FIDE_DUTCH_2026",
        "212 PTS,DE, BH/C1", "222 5400+30", "NOR    1      A",
    )  # fmt: skip
    row = archive.tournaments.row(0, named=True)
    assert row["rounds"] == 9
    assert row["type"] == "FIDE_DUTCH_2026"
    assert row["pairing"] == "swiss"
    assert row["criteria"] == "PTS DE BH/C1"
    assert row["time_control"] == "5400+30"
    # What has no column is kept as it is.
    assert row["records"].split("\n") == [
        "152 W", "172 NOR FIDE", "192 FIDE_DUTCH_2026", "222 5400+30", "NOR    1      A",
    ]  # fmt: skip
    assert archive.findings.is_empty()


def test_tie_breaks_after_the_points(player: Player, read_text: ReadText) -> None:
    archive = read_header(read_text, player, "202 BH/C1,BH SB")
    assert archive.tournaments["criteria"].to_list() == ["PTS BH/C1 BH SB"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("092 Individual: Round-Robin", "predetermined"),
        ("092 Individual: Double Round Robin", "predetermined"),
        ("092 Rundenturnier", "predetermined"),
        ("092 All-play-all", "predetermined"),
        ("092 tournoi toutes rondes", "predetermined"),
        ("092 Berger", "predetermined"),
        ("192 FIDE_DOUBLEROUNDROBIN", "predetermined"),
        ("192 BERGER_ROUNDROBIN_G4", "predetermined"),
        ("192 CUSTOM_ROUNDROBIN", "predetermined"),
        ("092 Swiss", "swiss"),
        ("092 Individual: swiss-system (standard)", "swiss"),
        ("092 Schweizer System", "swiss"),
        ("092 FIDE_DUTCH_2025", "swiss"),
        ("192 FIDE_DUBOV", "swiss"),
        ("192 FIDE_DOUBLESWISS_BAKU", "swiss"),
        ("192 CUSTOM_SWISS", "swiss"),
        ("192 CUSTOM_KNOCKOUT", None),
        ("092 Swiss, then round robin", None),
        ("092 Dutch championship", None),
        ("092 Open", None),
    ],
)
def test_pairing(words: str, expected: str | None, player: Player, read_text: ReadText) -> None:
    assert read_header(read_text, player, words).tournaments["pairing"].to_list() == [expected]


def test_the_code_counts_before_the_words(player: Player, read_text: ReadText) -> None:
    archive = read_header(read_text, player, "092 Swiss Open", "192 FIDE_ROUNDROBIN")
    assert archive.tournaments.select("type", "pairing").row(0) == ("Swiss Open", "predetermined")


@pytest.mark.parametrize(
    ("record", "kind"),
    [
        ("092 Team Swiss System", "team"),
        ("092 Mannschaftsturnier", "team"),
        ("092 Steamboat Open", "individual"),
        ("192 FIDE_TEAM_BAKU", "team"),
        ("082 12", "team"),
        ("082 0", "individual"),
        ("013 Ladies" + " " * 27 + "   1", "team"),
        ("310   1 Ladies" + " " * 60 + "   1", "team"),
        ("320  1.0  3.0  15", "team"),
    ],
)
def test_kind(record: str, kind: str, player: Player, read_text: ReadText) -> None:
    assert read_header(read_text, player, record).tournaments["kind"].to_list() == [kind]


def test_individual_events_may_count_teams(player: Player, read_text: ReadText) -> None:
    archive = read_header(read_text, player, "082 5", "092 Individual: Swiss")
    assert archive.tournaments["kind"].to_list() == ["individual"]


def test_team_records_are_kept_and_said_not_to_be_read(player: Player, read_text: ReadText) -> None:
    records = ["013 Ladies" + " " * 27 + "   1", "362 TW 2.0    TD 1.0    TL 0.0"]
    archive = read_header(read_text, player, *records)
    assert archive.tournaments["records"].to_list() == ["\n".join(records)]
    assert archive.findings.select("severity", "code").rows() == [
        ("warning", "team-records-not-read")
    ]


def test_comments_rulers_and_legends_are_no_records(player: Player, read_text: ReadText) -> None:
    archive = read_header(
        read_text,
        player,
        "### any remark",
        "         1         2         3",
        "0123456789012345678901234567890",
        "1234567890123456789012345678901",
        "DDD SSSS sTTT NNNNNNNNNN RRRR FFF IIIIIIIIIII BBBB/BB/BB PPPP RRRR  1111 1 1",
        "",
    )
    assert archive.findings.is_empty()
    assert archive.tournaments["records"].to_list() == [None]


def test_lines_that_are_nothing_known(player: Player, read_text: ReadText) -> None:
    archive = read_header(read_text, player, "AAA legend", "so long", "and thanks")
    assert archive.findings.select("line", "severity", "code").rows() == [
        (1, "info", "unknown-records"),
        (2, "info", "ignored-lines"),
    ]
    assert "2 lines" in archive.findings["message"][1]
    assert archive.tournaments["records"].to_list() == ["AAA legend"]


def test_the_first_of_repeated_records_counts(player: Player, read_text: ReadText) -> None:
    archive = read_header(read_text, player, "012", "012 One", "012 One", "012 Two")
    assert archive.tournaments["name"].to_list() == ["One"]
    assert archive.findings.select("line", "code").rows() == [(4, "repeated-record")]


def test_rounds_given_twice(player: Player, read_text: ReadText) -> None:
    archive = read_header(read_text, player, "XXR 007", "142 7")
    assert archive.tournaments["rounds"].to_list() == [7]
    assert archive.findings.is_empty()
    archive = read_header(read_text, player, "XXR 5", "142 7")
    assert archive.tournaments["rounds"].to_list() == [7]
    assert archive.findings.select("line", "code").rows() == [(1, "rounds-contradicted")]


@pytest.mark.parametrize("said", ["many", "0", "301", "99999999999"])
def test_what_is_no_number_of_rounds(said: str, player: Player, read_text: ReadText) -> None:
    archive = read_header(read_text, player, f"142 {said}")
    assert archive.tournaments["rounds"].to_list() == [None]
    assert archive.findings.select("line", "severity", "code").rows() == [
        (1, "warning", "unreadable-rounds")
    ]


@pytest.mark.parametrize("count", ["2", "002", "2 (1)", "2(1)"])
def test_declared_players_that_are_missing(count: str, player: Player, read_text: ReadText) -> None:
    archive = read_header(read_text, player, f"062 {count}")
    assert archive.findings.select("line", "code", "message").rows() == [
        (1, "player-count", "players declared: 2, found: 1")
    ]


def test_comments_that_carry_columns(player: Player, read_text: ReadText) -> None:
    archive = read_header(
        read_text,
        player,
        "### tbframe edition 2012",
        "### tbframe fide_event true",
        "### edition of the fifth",
    )
    assert archive.tournaments.select("edition", "fide_event").row(0) == ("2012", True)
    assert archive.findings.is_empty()


def test_tabs_behind_the_identifier(player: Player, read_text: ReadText) -> None:
    archive = read_header(read_text, player, "012\tCup", "042\t2024/05/01")
    assert archive.tournaments.select("name", "start").row(0) == ("Cup", date(2024, 5, 1))
