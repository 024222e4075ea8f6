"""PGN archives: tags, tournaments, players, rounds, results, completeness."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import random
import sys
import time
import zipfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest

import tbframe as tb
from tbframe.sources import unpacking
from tbframe.sources.pgn import TAGS, looks_like_pgn, pgn_headers, read_pgn
from tbframe.sources.pgn.scanning import scan
from tbframe.sources.unpacking import streams

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where the benchmarks are
pgn_archive: Any = import_module("benchmarks.pgn_archive")

FACTS = Path(__file__).resolve().parent / "facts" / "pgn"

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a PGN file."""

    def make(text: str | bytes, name: str = "games.pgn") -> Path:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return make


def game(white: str, black: str, result: str, **tags: str) -> str:
    """Write a game; ``moves`` is the text before the result."""
    moves = tags.pop("moves", "1. e4 e5")
    all_tags = {"Event": "Cup", "White": white, "Black": black, "Result": result} | tags
    lines = [f'[{name} "{value}"]' for name, value in all_tags.items()]
    return "\n".join([*lines, "", f"{moves} {result}", "", ""])


def tags_of(data: str | bytes, *names: str) -> list[tuple[Any, ...]]:
    found = scan(data if isinstance(data, bytes) else data.encode(), names)
    return found.games.select(names).rows()


def codes(archive: tb.Archive) -> set[str]:
    return set(archive.findings["code"])


# --- the scanner -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "white"),
    [
        ('[White "A"]\n\n1. e4 *\n\n[White "B"]\n\n*\n', ["A", "B"]),
        ('[White "A"]\n[Black "X"]\n1. e4 *\n[White "B"]\n*\n', ["A", "B"]),  # no empty lines
        ('[White "A"]\r\n\r\n*\r\n\r\n[White "B"]\r\n\r\n*\r\n', ["A", "B"]),
        ('[White "A"]\r\r*\r\r[White "B"]\r\r*\r', ["A", "B"]),
        ('[White "A"]\n\n{ see\n[White "No"]\n} *\n\n[White "B"]\n\n*', ["A", "B"]),
        ('[White "A"]\n\n; a {\n*\n\n[White "B"]\n\n*', ["A", "B"]),
        ('[White "A"]\n\n{ one; two }\n*\n\n[White "B"]\n\n*', ["A", "B"]),
        ('[White "A"]\n\n1. e4 { a } e5 ; then {\n*\n\n[White "B"]\n\n*', ["A", "B"]),
        ('[White "A"]\n\n% { nothing\n*\n\n[White "B"]\n\n*', ["A", "B"]),
        ('[White "A {"]\n\n*\n\n[White "B }"]\n\n*', ["A {", "B }"]),
        ('[White "A"]\n\n{ [%clk\n[x] } ; {\n*\n\n[White "B"]\n\n*', ["A", "B"]),
        ('[White "A [x]"]\n\n*', ["A [x]"]),
        ('[White "A "B" C"]\n\n*', ['A "B" C']),
        ('[White "A \\"B\\" \\\\ C"]\n\n*', ['A "B" \\ C']),
        ('[White  "A" ]\n\n*', ["A"]),
        ('  [White\t"A"]\n\n*', ["A"]),
        ('[Event "E"] [White "A"] ; one line\n\n*', ["A"]),
        ('[White "A\nB"]\n\n*', ["A B"]),
        ('[White ACPL "25"]\n[White "A"]\n\n*', ["A"]),
        ('[WhiteTitle "GM"]\n[White "A"]\n\n*', ["A"]),
        ('[White "A"]\n[White "', ["A"]),  # the end is missing
        ('[White "A"]', ["A"]),
        ('[White ""]\n\n*', [""]),
        ('[Black "X"]\n\n*', [None]),
        ("", []),
        ("\n\n", []),
        ("{ no end", []),
        ("no tags at all", []),
    ],
)
def test_tags_are_read_at_the_start_of_games_only(text: str, white: list[str | None]) -> None:
    assert [row[0] for row in tags_of(text, "White", "Event")] == white


def test_games_without_moves_do_not_run_into_each_other() -> None:
    one = '[Event "E"]\n[White "{}"]\n[Black "X"]\n'
    assert tags_of(one.format("A") + one.format("B"), "Event", "White") == [("E", "A"), ("E", "B")]
    two = '[White "{}"]\n[Black "X"]\n\n'
    assert tags_of(two.format("A") + two.format("B"), "White", "Event") == [
        ("A", None),
        ("B", None),
    ]


def test_what_is_wrong_is_told_with_its_line() -> None:
    text = (
        '[Event "66[Event "Other"]\n[White "A"]\n[White "B"]\n[Round "1\n\n'
        '{ as in\n[Event "x"]\n } *\n'
    )
    found = scan(text.encode(), ("Event", "White", "Round"))
    assert found.games.select("Event", "White", "Round").rows() == [("66", "B", None)]
    told = [(line, code) for line, _, code, _ in sorted(found.doubts)]
    assert told == [
        (0, "tag-truncated"), (2, "tag-twice"), (3, "tag-unreadable"), (6, "game-in-comment"),
    ]  # fmt: skip


def test_windows_1252_and_utf_8_may_be_mixed_and_the_first_is_told() -> None:
    data = '[White "Müller"]\n\n*\n\n'.encode() + '[White "Žukov"]\n\n*\n'.encode("cp1252")
    assert tags_of(data, "White") == [("Müller",), ("Žukov",)]
    (told,) = scan(data, ("White",)).doubts
    assert (told[0], told[2]) == (4, "encoding-cp1252")
    # Two values that are UTF-8 only when they stand one behind the other.
    halves = b'[White "a\xc3"]\n\n*\n\n[White "\xbcb"]\n\n*\n'
    assert tags_of(halves, "White") == [("aÃ",), ("¼b",)]


@pytest.mark.parametrize("size", [1, 64, 1000, 5000])
def test_pieces_change_nothing(write: Write, size: int) -> None:
    """Whole games are cut off, comments go on over the cut, lines are counted on."""
    from tbframe.sources.pgn.headers import scan_files  # noqa: PLC0415

    text = "".join(
        game(f"W{k}", "B", "1-0", moves='{ long\n\n[Event "No"]\n } 1. e4' if k % 3 else "1. d4")
        for k in range(60)
    )
    path = write("\ufeff" + text)
    lines = [text.split("\n").index(f'[White "W{k}"]') for k in range(60)]
    parts = [
        part for part, _ in scan_files(streams(path, ".pgn")[0], workers=2, size=size) if part.width
    ]
    games = pl.concat(parts)
    assert games["White"].to_list() == [f"W{k}" for k in range(60)]
    assert games["line"].to_list() == lines


# --- python-chess as the judge ------------------------------------------------------------------


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[int, str]]:
    path = tmp_path_factory.mktemp("odd") / "odd.pgn"
    return path, pgn_archive.write_archive(path, 2_000, odd=1.0)


def test_python_chess_agrees_but_where_it_is_known_to_err(odd: tuple[Path, dict[int, str]]) -> None:
    pgn_reading: Any = import_module("benchmarks.pgn_reading")
    path, kinds = odd
    agreed, different = pgn_reading.compare(path, kinds)
    assert set(agreed) == set(pgn_archive.AGREED)
    # Each has its reason there: (`benchmarks/pgn_archive.py`).
    assert set(different) == set(pgn_archive.DIFFERENT)
    assert agreed.total() + different.total() == 2_000


def test_what_python_chess_loses_is_read_as_it_was_written(
    odd: tuple[Path, dict[int, str]],
) -> None:
    path, kinds = odd
    (games,) = pgn_headers(path, ("White", "Black", "Event", "Result", "EventDate"))
    assert games["White"].to_list() == [f"Player, W{number}" for number in kinds]
    assert games["Result"].null_count() == 0
    by_kind = dict(zip(kinds.values(), games.rows(named=True), strict=True))
    assert by_kind["escapes"]["Black"] == 'O"Neil, \\Back'
    assert by_kind["tag over two lines"]["Black"] == "Other, Two"
    assert by_kind["Windows-1252"]["Black"] == "Müller, B"
    assert by_kind["second tag within"]["EventDate"] == "2019"
    assert by_kind["second tag within"]["Event"].startswith("Open")


# --- packed files -------------------------------------------------------------------------------


def _zstandard(data: bytes) -> bytes:
    return pa.compress(data, codec="zstd", asbytes=True)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, _zstandard])
def test_packed_files_are_read(write: Write, pack: Callable[[bytes], bytes]) -> None:
    path = write(pack((game("A", "B", "1-0") * 2).encode()), "games.pgn.packed")
    assert sum(part.height for part in pgn_headers(path)) == 2
    assert tb.read(path).tournaments["name"].to_list() == ["Cup"]


def test_all_files_of_a_zip_archive_are_read(tmp_path: Path) -> None:
    path = tmp_path / "both.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.pgn", game("A", "B", "1-0", Round="1"))
        archive.writestr("b/b.PGN", game("B", "A", "1-0", Round="2"))
        archive.writestr("readme.txt", "nothing")
    assert tb.read(path).results.height == 4
    assert [file.name for file in streams(path, ".pgn")[0]] == [f"{path}/a.pgn", f"{path}/b/b.PGN"]
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "nothing")
    with pytest.raises(tb.SourceError, match=r"without a file \.pgn"):
        read_pgn(path)


def test_a_packed_file_that_grows_too_large_is_not_read_on(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "_SPARE", 1000)
    path = write(gzip.compress(game("A", "B", "1-0").encode() + b"\n" * 30_000_000), "bomb.pgn.gz")
    with pytest.raises(tb.SourceError, match="grows beyond"):
        list(pgn_headers(path))


def test_a_damaged_file_is_read_up_to_there(write: Write) -> None:
    random.seed(1)
    text = "".join(game(f"W{k}", f"B{random.random()}", "1-0", Round="1") for k in range(2000))
    packed = gzip.compress(text.encode())
    archive = read_pgn(write(packed[: len(packed) // 2], "half.pgn.gz"))
    (damage,) = archive.findings.filter(code="file-damaged").rows(named=True)
    assert damage["severity"] == "error"
    assert 0 < archive.results.height < 4000


# --- tournaments --------------------------------------------------------------------------------


def test_a_forfeit_without_moves_does_not_end_the_file() -> None:
    archive = tb.read(FACTS / "forfeit_without_moves.pgn")
    # Round 3.4 is game 4 of two matches of round 3.
    assert archive.results.select("round", "player", "result").rows() == [
        (3, "Four, D", "="), (3, "One, A", "0"), (3, "Three, C", "="), (3, "Two, B", "1"),
    ]  # fmt: skip
    assert "games-without-moves" in codes(archive)


def test_the_oddities_of_tags_are_told_and_no_game_is_lost() -> None:
    path = FACTS / "tag_oddities.pgn"
    (raw,) = pgn_headers(path, ("White", "Black", "Round", "Result"))
    assert raw["Round"].to_list() == ["?", "-", None, "1.2.3", "7"]
    assert raw["Result"].to_list() == ["*", "1/2", "½-½", "+--", "1-0"]
    archive = read_pgn(path)
    own = archive.results.filter(player="Leading, Space").sort("round")
    assert own["result"].to_list() == ["*", "=", "U"]  # the last against "bye"
    assert not set(archive.players["player"]) & {"bye", "?"}
    assert {"tag-truncated", "player-unknown", "names-alike", "bye-read"} <= codes(archive)
    assert archive.findings.filter(code="tag-truncated")["line"].to_list() == [35]


@pytest.mark.parametrize("name", ["p1_forfeit_without_moves", "p2_header_oddities"])
def test_the_official_cases(cases: Path, name: str) -> None:
    archive = tb.read(cases / "reports" / f"{name}.pgn")
    expected = {"p1_forfeit_without_moves": 4, "p2_header_oddities": 9}  # a bye has one row
    assert archive.results.height == expected[name]
    assert archive.quarantine.is_empty()


def test_event_site_section_and_event_date_tell_tournaments_apart(write: Write) -> None:
    texts = [
        game("A", "B", "1-0", Round="1", Site="Oslo"),
        game("B", "A", "1-0", Round="2", Site=" Oslo "),
        game("A", "B", "1-0", Round="1", Site="Bergen"),
        game("A", "B", "1-0", Round="1", Site="Oslo", Section="B"),
        game("A", "B", "1-0", Round="1", Site="Oslo", EventDate="2001.05.01"),
        game("A", "B", "1-0", Round="1", Site="https://example.org/1", Event="Web"),
        game("B", "A", "1-0", Round="2", Site="https://example.org/2", Event="Web"),
    ]
    archive = read_pgn(write("".join(texts)))
    assert dict(archive.results.group_by("tournament").len().rows()) == {
        "Cup, Oslo": 4, "Cup, Bergen": 2, "Cup, B, Oslo": 2, "Cup, Oslo, 2001": 2, "Web": 4,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("one", "two", "alike"),
    [
        ({"Site": "Oslo NOR"}, {"Site": "Oslo"}, True),
        ({"Event": "Cup"}, {"Event": "CUP"}, True),
        ({"EventDate": "2001.05.01", "Date": "2001.05.01"}, {"Date": "2001.05.02"}, True),
        ({"EventDate": "2001.05.01"}, {"EventDate": "2001.05.20"}, False),
        ({"Site": "Oslo", "Date": "2001.05.01"}, {"Site": "Rome", "Date": "2001.07.01"}, False),
        ({"Section": "A"}, {"Section": "B"}, False),
    ],
)  # fmt: skip
def test_tournaments_that_may_be_one_are_reported(
    write: Write, one: dict[str, str], two: dict[str, str], alike: bool
) -> None:
    text = game("A", "B", "1-0", Round="1", **one) + game("B", "C", "1-0", Round="2", **two)
    archive = read_pgn(write(text))
    assert archive.tournaments.height == 2
    assert ("tournaments-alike" in codes(archive)) == alike


def test_keys_of_tournaments_are_unique(write: Write) -> None:
    dates = ["1998.01.01", "1998.09.01"]
    texts = [game("A", "B", "1-0", Round="1", Date=date, Event="Cup") for date in dates]
    texts += [game("A", "B", "1-0", Round="1", Event="Cup, 1998-2")]
    archive = read_pgn(write("".join(texts)))
    assert sorted(archive.tournaments["tournament"]) == ["Cup, 1998", "Cup, 1998-2", "Cup, 1998-3"]


def test_dates_that_there_are_not_are_told(write: Write) -> None:
    dates = ["1998.02.30", "01/02/1998", "1998.??.??", "????.??.??", "1998", "1998.05.01"]
    texts = [game("A", "B", "1-0", Round=str(k), Date=date) for k, date in enumerate(dates, 1)]
    archive = read_pgn(write("".join(texts)))
    assert archive.findings.filter(code="date-unreadable")["line"].to_list() == [1, 10]
    assert archive.tournaments.height == 1


def test_without_an_event_date_a_long_pause_ends_a_tournament(write: Write) -> None:
    dates = ["1998.12.29", "1999.01.02", "1999.??.??", "1999.12.28", "????.??.??"]
    texts = [game("A", "B", "1-0", Round=str(k), Date=date) for k, date in enumerate(dates, 1)]
    archive = read_pgn(write("".join(texts)))
    sizes = dict(archive.results.group_by("tournament").len().rows())
    # Both of 1999 can have the game of that year, so that it is in neither; as the last.
    assert sorted(sizes.values()) == [2, 2, 2, 4]
    assert sizes["Cup, 1998"] == 4
    assert "tournament-by-dates" in codes(archive)
    assert read_pgn(write("".join(texts)), gap=1000).tournaments.height == 1


def test_players_are_known_by_their_ids_and_never_merged_by_likeness(write: Write) -> None:
    texts = [
        game("Carlsen, Magnus", "Smith, J", "1-0", Round="1", WhiteFideId="1503014"),
        game("Smith, J", "Carlsen,M", "1-0", Round="2", BlackFideId="1503014"),
        game("Carlsen, Magnus", "Smith, John", "1-0", Round="3"),
        game("Lee, A", "Lee, A", "1-0", Round="1", WhiteFideId="11111", BlackFideId="22222"),
        game("Émile Zola", "Zola, Emile", "1-0", Round="1"),
    ]
    archive = read_pgn(write("".join(texts)))
    assert set(archive.players["player"]) == {
        "Carlsen, Magnus", "Smith, J", "Smith, John", "Lee, A (11111)", "Lee, A (22222)",
        "Émile Zola", "Zola, Emile",
    }  # fmt: skip
    ids = dict(archive.players.select("player", "id").rows())
    assert ids["Carlsen, Magnus"] == "1503014"
    assert ids["Smith, J"] is None
    alike = archive.findings.filter(code="names-alike")
    assert set(alike["player"]) == {"Smith, J", "Émile Zola"}
    assert {"names-of-one-id", "ids-of-one-name"} <= codes(archive)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Kasparov, Garry", "Kasparov, Gary"), ("Kortchnoi, Viktor", "Korchnoi, V"),
        ("Müller, Jörg", "Mueller, Joerg"), ("Fischer, RJ", "Fischer, Robert James"),
        ("Smith J", "Smith, John"), ("Kasparov", "Kasparov, G"), ("Zola, Emile", "Émile Zola"),
        ("O'Kelly, A", "OKelly, Albert"), ("van der Wiel, J", "Van Der Wiel, John"),
        ("Morozevich, A", "Morozevich, Alex."), ("MÜLLER, J", "Müller, J"),
    ],
)  # fmt: skip
def test_names_that_may_be_one_players_are_reported_and_kept(
    write: Write, one: str, two: str
) -> None:
    text = game(one, "X, Y", "1-0", Round="1") + game(two, "X, Y", "1-0", Round="2")
    archive = read_pgn(write(text))
    assert archive.players.height == 3
    (told,) = archive.findings.filter(code="names-alike").rows(named=True)
    assert {told["player"]} < {one, two}
    other = ({one, two} - {told["player"]}).pop()
    assert told["message"] == f"may be {other}: taken as another player"


def test_names_of_different_players_are_not_reported(write: Write) -> None:
    names = ["Polgar, Judit", "Polgar, Zsuzsa", "Nguyen, A", "Nguyen, B", "Carlsen, M", "Karl, N"]
    texts = [game(name, "X, Y", "1-0", Round=str(k)) for k, name in enumerate(names, 1)]
    assert "names-alike" not in codes(read_pgn(write("".join(texts))))


def test_an_id_with_names_of_two_people_is_a_warning(write: Write) -> None:
    text = game("Lee, A", "X", "1-0", Round="1", WhiteFideId="11111")
    text += game("Kim, B", "X", "1-0", Round="2", WhiteFideId="11111")
    told = read_pgn(write(text)).findings.filter(code="names-of-one-id")
    assert told["severity"].to_list() == ["warning"]
    both = game("Lee, A", "Kim, B", "1-0", Round="1", WhiteFideId="11111", BlackFideId="11111")
    assert read_pgn(write(both)).quarantine["code"].to_list() == ["meets-himself"]


def test_nobody_is_a_player(write: Write) -> None:
    texts = [game("A", name, "1-0", Round=str(k)) for k, name in enumerate(["?", "NN", "-", ""], 1)]
    texts += [game("A", "bye", "1-0", Round="5"), game("BYE", "bye", "1-0", Round="5")]
    archive = read_pgn(write("".join(texts)))
    assert archive.players.height == 5
    assert archive.findings.filter(code="player-unknown").height == 4
    assert archive.findings.filter(code="game-without-players")["line"].to_list() == [41]
    assert archive.results.filter(player="A", round=5)["result"].to_list() == ["U"]


@pytest.mark.parametrize(
    ("pairs", "guess", "rounds", "games"),
    [
        ([("1.1", "A", "B"), ("1.2", "C", "D"), ("2.1", "A", "C"), ("2.2", "D", "B")],
         "round.board", [1, 1, 2, 2], None),
        ([("1.1", "A", "B"), ("1.2", "B", "A"), ("1.1", "C", "D"), ("1.2", "D", "C"),
          ("2.1", "A", "C"), ("2.2", "C", "A")], "round.game", [1, 1, 1, 1, 2, 2], [1, 2] * 3),
        ([("1.1", "A", "B"), ("1.2", "B", "A"), ("2.1", "C", "D"), ("2.2", "D", "C"),
          ("3.1", "A", "C"), ("3.2", "C", "A")], "pair.game", [1, 1, 1, 1, 2, 2], [1, 2] * 3),
        ([("1.1", "A", "B"), ("1.2", "C", "D"), ("2", "A", "C"), ("2", "D", "B")],
         "round.board", [1, 1, 2, 2], None),
        ([("1.1.1", "A", "B"), ("1.1.2", "B", "A"), ("1.2.1", "C", "D"), ("1.2.2", "D", "C")],
         "round.pair.game", [1] * 4, [1, 2] * 2),
    ],
)  # fmt: skip
def test_rounds_with_dots_are_guessed_and_the_guess_is_told(
    write: Write, pairs: list[tuple[str, ...]], guess: str, rounds: list[int], games: list[int]
) -> None:
    texts = [
        game(white, black, "1-0", Round=number, moves=f"1. {white}")
        for number, white, black in pairs
    ]
    archive = read_pgn(write("".join(texts)))
    white = archive.results.filter(color="w")
    found = {
        (row["player"], row["opponent"]): (row["round"], row.get("game"))
        for row in white.iter_rows(named=True)
    }
    for k, (_, player, opponent) in enumerate(pairs):
        assert found[player, opponent] == (rounds[k], games[k] if games else None)
    (told,) = archive.findings.filter(code="rounds-read-as").rows(named=True)
    assert told["message"] == f"rounds with dots are read as {guess} (guessed)"
    if guess == "round.game":
        said = read_pgn(write("".join(texts)), rounds="round.board")
        assert "as asked" in said.findings.filter(code="rounds-read-as")["message"][0]


def test_rounds_without_dots_stay_as_they_are(write: Write) -> None:
    """Each round has one pair, which plays twice: that is no reason to count them anew."""
    pairs = [("1", "A", "B"), ("R2", "A", "C"), ("Round 3.", "B", "C")]
    texts = [
        game(white, black, "1-0", Round=number, moves=f"1. {white}{black}")
        for number, one, two in pairs
        for white, black in ((one, two), (two, one))
    ]
    archive = read_pgn(write("".join(texts)))
    games = archive.results.filter(color="w").select("player", "opponent", "round")
    assert dict(games.group_by("round").len().rows()) == {1: 2, 2: 2, 3: 2}
    assert games.filter(round=3)["player"].sort().to_list() == ["B", "C"]
    assert "rounds-read-as" not in codes(archive)


def test_a_game_without_a_round_has_that_of_its_day(write: Write) -> None:
    texts = [
        game("A", "B", "1-0", Round="1", Date="2001.05.01"),
        game("C", "D", "1-0", Round="?", Date="2001.05.01"),
        game("A", "C", "1-0", Round="2", Date="2001.05.02"),
    ]
    archive = read_pgn(write("".join(texts)))
    assert archive.results.filter(player="D")["round"].to_list() == [1]
    assert archive.findings.filter(code="round-from-day")["line"].to_list() == [10]
    # Where a player has a game on that day already, it is no other round.
    busy = [*texts, game("D", "C", "1-0", Round="-", Date="2001.05.02")]
    archive = read_pgn(write("".join(busy)))
    assert "rounds-missing-in-file" in codes(archive)


def test_games_without_rounds_are_ordered_by_their_dates(write: Write) -> None:
    dated = [
        game("A", "B", "1-0", Date="2001.05.03", Round="?"),
        game("A", "C", "1-0", Date="2001.05.01"),
        game("B", "C", "1-0", Date="2001.05.02"),
    ]
    archive = read_pgn(write("".join(dated)))
    assert "rounds-from-dates" in codes(archive)
    assert archive.results.filter(player="A").select("round", "opponent").rows() == [
        (1, "C"), (3, "B"),
    ]  # fmt: skip
    undated = read_pgn(write("".join(dated).replace("2001.05.02", "2001.??.??")))
    assert "rounds-missing-in-file" in codes(undated)
    assert undated.results.filter(player="A").select("round", "opponent").rows() == [
        (1, "C"), (2, "B"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("result", "more", "expected"),
    [
        ("1-0", {}, ("1", "0")), ("0-1", {}, ("0", "1")), ("1/2-1/2", {}, ("=", "=")),
        ("1/2", {}, ("=", "=")), ("½-½", {}, ("=", "=")), ("*", {}, ("*", "*")),
        ("+--", {}, ("+", "-")), ("--+", {}, ("-", "+")), ("0-0", {}, ("0", "0")),
        ("1-0", {"Termination": "forfeit"}, ("+", "-")),
        ("1-0", {"Termination": "time forfeit"}, ("1", "0")),
        ("win", {"moves": "1. e4"}, ("*", "*")),
        ("?", {"moves": "1. e4 0-1\n\n"}, ("*", "*")),
    ],
)  # fmt: skip
def test_results_in_all_spellings(
    write: Write, result: str, more: dict[str, str], expected: tuple[str, str]
) -> None:
    archive = read_pgn(write(game("A", "B", result, Round="1", **more)))
    assert tuple(archive.results["result"]) == expected


def test_a_result_behind_the_moves_counts_where_there_is_no_tag(write: Write) -> None:
    text = '[Event "Cup"]\n[White "A"]\n[Black "B"]\n[Round "1"]\n\n1. e4 e5 {x} 0-1\n'
    archive = read_pgn(write(text))
    assert archive.results["result"].to_list() == ["0", "1"]
    assert "result-behind-moves" in codes(archive)


def test_games_without_moves_are_played_unless_the_caller_says_otherwise(write: Write) -> None:
    text = game("A", "B", "1-0", Round="1", moves="{ no show }")
    assert read_pgn(write(text)).results["result"].to_list() == ["1", "0"]
    assert read_pgn(write(text), moveless="forfeit").results["result"].to_list() == ["+", "-"]


def test_the_same_game_counts_once_and_a_replay_is_kept(write: Write) -> None:
    """A game twice, and a rematch with other moves: 1.5 to 0.5, as in any hand count."""
    first = game("S", "H", "1-0", Round="70.1", moves="1. e4 e5 2. Nf3 Nc6")
    text = first * 2 + game("H", "S", "1/2", Round="71.1", moves="1. d4 d5 2. c4 e6")
    once = read_pgn(write(text))
    assert dict(once.standings("PTS").select("player", "PTS").rows()) == {"S": 1.5, "H": 0.5}
    assert once.findings.filter(code="duplicate-counted-once")["line"].to_list() == [9]
    assert read_pgn(write(text), duplicates="refuse").quarantine["code"].to_list() == [
        "duplicate-games"
    ]
    assert read_pgn(write(text), duplicates="keep").results.height == 6
    replay = first + game("S", "H", "1-0", Round="70.1", moves="1. c4 e5 2. Nc3 Nf6")
    kept = read_pgn(write(replay))
    assert kept.results.height == 4
    assert "game-again" in codes(kept)


@pytest.mark.parametrize(
    ("one", "two", "games", "code"),
    [
        # Neither a round nor moves: nothing tells two games from one that stands there twice.
        ({"moves": ""}, {"moves": ""}, 2, "game-again"),
        ({"moves": "", "Round": "1"}, {"moves": "", "Round": "1"}, 1, "duplicate-counted-once"),
        ({"Round": "1"}, {"Round": "2"}, 2, "game-again"),  # the moves again
        ({"Round": "1"}, {"Round": "1", "moves": "1. e4 {!} e5"}, 2, "game-again"),
        ({"Round": "1"}, {"Round": "2", "moves": "1. d4 d5"}, 2, None),
    ],
)  # fmt: skip
def test_what_looks_like_a_repeated_game_is_told(
    write: Write, one: dict[str, str], two: dict[str, str], games: int, code: str | None
) -> None:
    archive = read_pgn(write(game("A", "B", "1-0", **one) + game("A", "B", "1-0", **two)))
    assert archive.results.height == 2 * games
    repeats = codes(archive) & {"game-again", "duplicate-counted-once"}
    assert repeats == ({code} if code else set())


def test_matches_with_boards_missing_carry_a_mark(write: Write) -> None:
    def board(number: str, result: str) -> str:
        teams = {"WhiteTeam": "X", "BlackTeam": "Y"}
        return game(f"x{number}", f"y{number}", result, Round=number, moves=f"1. {number}", **teams)

    texts = [board("1.1", "1-0"), board("1.2", "0-1"), board("1.3", "0-1"), board("2.1", "1-0"),
             board("2.2", "0-1")]  # fmt: skip
    archive = read_pgn(write("".join(texts)))
    assert tb.completeness(archive).select("boards_missing", "complete").row(0) == (1, False)
    (told,) = archive.assumptions("PTS").filter(code="incomplete")["message"]
    assert told.startswith("1 board of matches not found")


def test_tags_of_teams_make_boards(write: Write) -> None:
    def match(number: str, one: str, two: str, results: str) -> str:
        text = ""
        for board, letter in enumerate(results, 1):
            result = {"1": "1-0", "0": "0-1", "=": "1/2-1/2"}[letter]
            sides = ((one, two), (two, one))[board % 2 == 0]  # colors alternate
            text += game(
                f"{sides[0]}{board}", f"{sides[1]}{board}", result, Round=f"{number}.{board}",
                WhiteTeam=sides[0], BlackTeam=sides[1],
            )  # fmt: skip
        return text

    text = match("1", "X", "Y", "1=") + match("2", "Y", "X", "00")
    archive = read_pgn(write(text))
    assert archive.boards is not None
    assert archive.boards.height == 8
    # Round 1: X wins board 1, draws board 2. Round 2: X wins board 1 with black, Y has white on
    # board 2 no more: X, with white, loses it. 1.5 to 0.5 and 1 to 1.
    assert archive.results.select("player", "round", "points", "game_points").rows() == [
        ("X", 1, 2.0, 1.5), ("X", 2, 1.0, 1.0), ("Y", 1, 0.0, 0.5), ("Y", 2, 1.0, 1.0),
    ]  # fmt: skip
    assert "team-event-assumed" in codes(archive)
    single = read_pgn(write(text), teams=False)
    assert single.boards is None
    clubs = game("A", "B", "1-0", Round="1", WhiteTeam="NOR", BlackTeam="SWE")
    assert "team-tags-individual" in codes(read_pgn(write(clubs)))


# --- completeness -------------------------------------------------------------------------------


def _robin(players: str, cycles: int = 1) -> list[str]:
    """All games of a round robin, by the circle method."""
    names = [*players, *("-" * (len(players) % 2))]
    texts = []
    for number in range((len(names) - 1) * cycles):
        for k in range(len(names) // 2):
            one, two = names[k], names[-1 - k]
            if "-" not in (one, two):
                texts.append(game(one, two, "1-0", Round=str(number + 1)))
        names = [names[0], names[-1], *names[1:-1]]
    return texts


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (_robin("ABCDEF"), ("round-robin", 15, 15, 0, True)),
        (_robin("ABCDE"), ("round-robin", 10, 10, 0, True)),
        (_robin("ABCD", 2), ("round-robin", 12, 12, 0, True)),
        (_robin("ABCDEF")[:-2], ("round-robin", 15, 13, 2, False)),
        (_robin("ABCDEFGH")[:12], ("swiss", 12, 12, 0, True)),  # three of seven rounds
        (_robin("ABCDEFGH")[1:12], ("swiss", 12, 11, 1, False)),
        (_robin("AB", 3), ("match", None, 3, None, None)),
        ([game("A", "B", "1-0", Round="1"), game("C", "D", "1-0", Round="1"),
          game("A", "C", "1-0", Round="2")], ("knock-out", None, 3, None, None)),
        # B lost and plays on: no knock-out.
        ([game("A", "B", "1-0", Round="1"), game("C", "D", "1-0", Round="1"),
          game("B", "C", "1-0", Round="2")], ("swiss", 4, 3, 1, False)),
    ],
)  # fmt: skip
def test_games_due_and_found(write: Write, texts: list[str], expected: tuple[Any, ...]) -> None:
    archive = read_pgn(write("".join(texts)))
    found = tb.completeness(archive).select("system", "expected", "games", "missing", "complete")
    assert found.row(0) == expected
    assumed = archive.assumptions("PTS").filter(code="incomplete")
    assert assumed.height == int(expected[3] not in (0, None))


def test_standings_of_what_is_incomplete_carry_a_warning(write: Write) -> None:
    archive = read_pgn(write("".join(_robin("ABCDEF")[:-2])))
    with pytest.warns(tb.FindingWarning, match="incomplete"):
        archive.standings("PTS SB")
    message = archive.assumptions("PTS").filter(code="incomplete")["message"][0]
    assert message.startswith("2 games of 15 due not found")
    assert archive.check().filter(code="incomplete")["message"].to_list() == [message]


# --- recognising, refusing, surviving -----------------------------------------------------------


def test_pgn_is_known_by_its_content(write: Write, tmp_path: Path) -> None:
    path = write(
        "% exported\n{ note }\n\ufeff".replace("\ufeff", "") + game("A", "B", "1-0"), "x.txt"
    )
    archive = tb.read(path)
    (told,) = archive.findings.filter(code="read-as").rows(named=True)
    assert (told["file"], told["message"]) == (str(path), "read as PGN")
    assert not looks_like_pgn(b"[section]\nkey = 1\n")
    assert not looks_like_pgn(b'{"Event": "x"}')
    write("nothing", "other.txt")
    both = tb.read(tmp_path)
    assert both.tournaments.height == 1
    assert "file-passed-over" in codes(both)


def test_what_cannot_be_read_is_refused_with_its_place(write: Write) -> None:
    with pytest.raises(tb.SourceError, match=r"games\.pgn: no game in it"):
        read_pgn(write("just text\n"))
    with pytest.raises(tb.SourceError, match="UTF-16"):
        read_pgn(write(game("A", "B", "1-0").encode("utf-16")))
    with pytest.raises(tb.SourceError, match="no game in it names a player"):
        read_pgn(write('[Event "x"]\n[Site "y"]\n\n*\n'))
    with pytest.raises(tb.SourceError, match="rounds='board': give one of 'auto'"):
        read_pgn(write(game("A", "B", "1-0")), rounds="board")  # type: ignore[arg-type]
    good = write(game("A", "B", "1-0"), "good.pgn")
    archive = read_pgn([good, write("text", "bad.pgn")])
    assert archive.quarantine["file"].to_list() == [str(good.parent / "bad.pgn")]
    assert archive.results.height == 2


_BYTES = b'[]{}";%\\\n\r \t\x00\xff\xc3=-*10'


def _mutate(data: bytes, chance: random.Random) -> bytes:
    for _ in range(chance.randrange(1, 8)):
        data = data or b"\n"
        place, much = chance.randrange(len(data)), chance.randrange(1, 40)
        data = chance.choice(
            [
                data[:place] + data[place + much :],
                data[:place] + bytes(chance.choices(_BYTES, k=much // 4 + 1)) + data[place:],
                data[:place] + data[place : place + 10 * much] + data[place:],
                data[:place] + bytes([chance.choice(_BYTES)]) + data[place + 1 :],
                data[: max(place, 1)],
            ]
        )
    return data or b"\n"


def test_mutated_files_are_read_or_refused_in_time(
    write: Write, odd: tuple[Path, dict[int, str]]
) -> None:
    chance = random.Random(5)
    kinds = [*pgn_archive.AGREED, *pgn_archive.DIFFERENT]
    scanned = read = 0
    for number in range(400):
        text = "".join(pgn_archive.game(chance.choice(kinds), k, chance) for k in range(4))
        data = _mutate(text.encode(errors="surrogateescape"), chance)
        start = time.perf_counter()
        scanned += scan(data, TAGS).games.height
        if number % 40 == 0:
            with contextlib.suppress(tb.TbframeError):
                read += read_pgn(write(data)).results.height
        assert time.perf_counter() - start < 5
    assert scanned > 800
    assert read > 10


@pytest.mark.parametrize(
    "data",
    [b"[" * 300_000, b" " * 1_000_000 + b"[", b'[White "' + b"\\" * 300_000, b"{" * 300_000,
     b';{' * 200_000, b'[A "' * 50_000, b'[W "x"]\n' * 50_000, b"[A " * 100_000 + b'"]'],
)  # fmt: skip
def test_no_text_takes_long(data: bytes) -> None:
    start = time.perf_counter()
    assert scan(data, TAGS).lines >= 0
    assert time.perf_counter() - start < 5
