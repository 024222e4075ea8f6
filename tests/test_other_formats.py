"""What files are taken for, tables of other columns and kinds, and hostile files."""

from __future__ import annotations

import gzip
import json
import random
import re
import zipfile
from pathlib import Path

import polars as pl
import pytest

import tbframe as tb
from tbframe.errors import SourceError
from tbframe.sources.unpacking import unpack
from tbframe.sources.unreadable import UnreadableError
from tbframe.sources.xml_tree import parse_xml

GAMES = pl.DataFrame(
    {
        "event_id": ["cup", "cup"],
        "rd": [1, 2],
        "white_name": ["Ann", "Bob"],
        "black_name": ["Bob", "Ann"],
        "res": ["1-0", "1/2-1/2"],
    }
)
COLUMNS = {
    "tournament": "event_id", "round": "rd", "white": "white_name", "black": "black_name",
    "result": "res",
}  # fmt: skip
H9 = "; EV[Cup]\n1 Ari Ann 3d FI Turk 1 0 2+ |1\n2 Bae Bob 3d FI Turk 0 1 1- |2\n"
LICHESS = (
    '{"rank":1,"points":4.5,"tieBreak":12.5,"rating":1900,"username":"ann","performance":2001}\n'
    '{"rank":2,"points":3,"tieBreak":10,"rating":1800,"username":"bob","title":"FM","absent":true}\n'
)
GOTHA = '<Tournament><Players><Player name="A" firstName="B"/></Players><Games/></Tournament>'
TDF = (
    '<tournament gametype="x"><players><player userid="1"/><player userid="2"/></players>'
    '<pods><pod><rounds><round number="1"><match outcome="1">'
    '<player1 userid="1"/><player2 userid="2"/></match></round></rounds></pod></pods></tournament>'
)
PLATFORM = (
    '{"Rounds": [{"RoundName": "Round 1", "Matches": '
    '[{"Player1": "A", "Player2": "B", "Result": "2-0-0"}]}]}'
)


def taken_for(archive: tb.Archive) -> list[str]:
    return archive.findings.filter(code="read-as")["message"].to_list()


def test_lichess_results_are_official_values_without_games(tmp_path: Path) -> None:
    path = tmp_path / "swiss.ndjson"
    path.write_text(LICHESS)
    archive = tb.read(path)
    assert archive.players.select(
        "player", "points", "rank", "tieBreak", "performance", "absent", "title"
    ).rows() == [("ann", 4.5, 1, 12.5, 2001, False, None), ("bob", 3.0, 2, 10.0, None, True, "FM")]
    assert archive.results.is_empty()
    found = archive.findings.filter(code="no-games")["severity"].to_list()
    assert found == ["warning"]


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        (LICHESS + '{"rank":3,"poi', "damaged-json", 3),
        (LICHESS + "[1]\n", "wrong-type", None),
        (LICHESS + '{"rank":3,"username":"ann"}\n', "player-repeated", 3),
        (LICHESS + '{"rank":3,"username":["x"]}\n', "wrong-type", None),
    ],
)
def test_lichess_refusals_name_the_line(
    tmp_path: Path, text: str, code: str, line: int | None
) -> None:
    path = tmp_path / "swiss.ndjson"
    path.write_text(text)
    (found,) = tb.read(path).quarantine.select("code", "line", "message").rows()
    assert found[:2] == (code, line)
    assert line is not None or "line 3" in found[2]


def test_lichess_report_with_forfeits_and_blank_rounds(tmp_path: Path, cases: Path) -> None:
    path = cases / "reports" / "t5_lichess_swiss_forfeits_blank_rounds.trf"
    archive = tb.read(path)
    mine = archive.results.filter(player=3)
    assert mine["points"].sum() == 6.5
    assert mine["result"].to_list().count("1") == 6
    assert mine["result"].to_list().count("=") == 1
    # Whoever was paired keeps the opponent; the three rounds behind have nobody and no color.
    left = archive.results.filter(player=1).select("opponent", "color", "result").rows()
    assert left[1:4] == [(6, "w", "-"), (4, "b", "-"), (5, "w", "-")]
    assert left[4:] == [(None, None, "-")] * 3
    assert archive.results.filter(player=4, round=3).select("opponent", "result").rows() == [
        (1, "+")
    ]  # fmt: skip
    # The letter stays as it is written, and counts as Z under every text.
    absent = tmp_path / path.name
    absent.write_text(path.read_text("utf-8").replace("         -", "  0000 - Z"), "utf-8")
    codes = "PTS BH BH/C1 SB PS REP"
    for edition in ("2012", "2024-08", "2026-03"):
        values = archive.tiebreaks(codes, edition=edition)
        assert values.equals(tb.read(absent).tiebreaks(codes, edition=edition))


@pytest.mark.parametrize("kind", ["csv", "parquet", "arrow", "stream", "semicolon"])
def test_columns_of_tables_may_be_called_otherwise(tmp_path: Path, kind: str) -> None:
    # The ending says nothing: the content does.
    path = tmp_path / "games.data"
    if kind == "csv":
        GAMES.write_csv(path)
    elif kind == "semicolon":
        GAMES.write_csv(path, separator=";")
    elif kind == "parquet":
        GAMES.write_parquet(path)
    elif kind == "arrow":
        GAMES.write_ipc(path)
    else:
        GAMES.write_ipc_stream(path)
    archive = tb.read(path, columns=COLUMNS)
    assert archive.results.select("tournament", "round", "player", "result").rows() == [
        ("cup", 1, "Ann", "1"), ("cup", 2, "Ann", "="), ("cup", 1, "Bob", "0"),
        ("cup", 2, "Bob", "="),
    ]  # fmt: skip


def test_a_table_is_known_by_its_columns_whatever_it_is_called(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text("Round;White;Black;Result\n1;Ann;Bob;1-0\n")
    assert tb.read(path).results["result"].to_list() == ["1", "0"]


def test_columns_that_are_not_there_or_taken_are_told(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    GAMES.with_columns(round=pl.lit(9)).write_csv(path)
    taken = tb.read(path, columns=COLUMNS).quarantine
    assert taken["code"].to_list() == ["column-taken"]
    assert "'round'" in taken["message"][0]
    missing = tb.read(path, columns={**COLUMNS, "round": "turn"}).quarantine
    assert missing["code"].to_list() == ["column-missing"]
    assert "'turn'" in missing["message"][0]
    assert "event_id" in missing["message"][0]
    with pytest.raises(SourceError, match="several columns"):
        tb.read(path, columns={"white": "rd", "black": "rd"})
    with pytest.raises(SourceError, match="mapping of names"):
        tb.read(path, columns=["rd"])  # type: ignore[arg-type]


def test_the_content_decides_and_is_told(tmp_path: Path) -> None:
    for name, text in {
        "a.txt": H9, "b.xml": TDF, "c.data": PLATFORM, "d": LICHESS,
        "e.csv": "round,p1,p2,result\n1,A,B,2-1",
    }.items():  # fmt: skip
        (tmp_path / name).write_text(text)
    archive = tb.read(tmp_path)
    assert archive.quarantine.is_empty()
    assert taken_for(archive) == [
        "read as Go results (h9)",
        "read as a Pokémon tournament of TOM (.tdf)",
        "read as matches of a card game",
        "read as results of a Lichess Swiss (NDJSON)",
        "read as matches of a card game",
    ]


NAMED = {
    "h9": "; EV[Cup]\n1 Ari Zoë 3d FI Turk 1 0 2+ |1\n2 Bae Bob 3d FI Turk 0 1 1- |2\n",
    "gotha": '<?xml version="1.0" encoding="{}"?><Tournament><Players><Player name="Zoë"/>'
    '<Player name="Al"/></Players><Games><Game roundNumber="1" whitePlayer="Zoë" blackPlayer="AL" '
    'result="RESULT_WHITEWINS"/></Games></Tournament>',
    "tdf": '<?xml version="1.0" encoding="{}"?>'
    + TDF.replace('"1"/>', '"1"><firstname>Zoë</firstname></player>', 1),
    "platform": PLATFORM.replace('"A"', '"Zoë"'),
    "matches": "round,p1,p2,result\n1,Zoë,B,2-1\n",
    "games": "round;white;black;result\n1;Zoë;B;1-0\n",
    "lichess": LICHESS.replace("ann", "Zoë"),
    "report": "012 Cup\n" + "001    1      Zoë".ljust(80) + " 0.0    1  0000 - Z\n",
}  # fmt: skip


@pytest.mark.parametrize("packed", ["", ".gz", ".zip"])
@pytest.mark.parametrize("name", NAMED)
def test_files_in_any_encoding_packed_or_not(tmp_path: Path, name: str, packed: str) -> None:
    told = {"cp1252": "windows-1252", "utf-8-sig": "utf-8"}
    for encoding in ("utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le"):
        text = NAMED[name]
        if "{}" in text:
            text = text.replace(
                "{}", told.get(encoding, "utf-16" if "16" in encoding else encoding)
            )
        data = text.encode(encoding)
        path = tmp_path / f"cup{packed}"
        if packed == ".zip":
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("cup.dat", data)
        else:
            path.write_bytes(gzip.compress(data) if packed else data)
        read = tb.read(path)
        assert read.quarantine.is_empty()
        assert read.tournaments["tournament"].to_list() == ["cup"]
        names = read.players["name"].to_list() + read.players["player"].cast(pl.String).to_list()
        assert any("Zoë" in one for one in names if one), encoding
        assumed = "encoding-assumed" in read.findings["code"]
        xml = name in {"gotha", "tdf"}  # the file says it itself
        assert assumed == (not encoding.startswith("utf-8") and not xml and name != "report")


def test_a_zip_archive_of_several_files_is_not_guessed_at(tmp_path: Path) -> None:
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(3):
            archive.writestr(f"{number}.h9", H9)
    (found,) = tb.read(path).quarantine.select("code", "message").rows()
    assert found == ("unknown-format", "a zip archive of 3 files: unpack it to read them")


def test_packed_tables_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tbframe.sources.plain_copies._MOST_UNPACKED", 1 << 20)
    path = tmp_path / "games.csv.gz"
    path.write_bytes(gzip.compress(b"round,white,black,result\n" + b"1,A,B,1-0\n" * 200_000))
    assert path.stat().st_size < 20_000
    assert tb.read(path).quarantine["code"].to_list() == ["file-too-large"]
    parquet = tmp_path / "games.parquet.gz"
    parquet.write_bytes(gzip.compress(b"PAR1" + b"0" * 100))
    assert tb.read(parquet).quarantine["code"].to_list() == ["unreadable-table"]


def test_packed_files_are_read_and_bounded(tmp_path: Path) -> None:
    (tmp_path / "cup.h9.gz").write_bytes(gzip.compress(H9.encode()))
    with zipfile.ZipFile(tmp_path / "tom.zip", "w") as archive:
        archive.writestr("tom.tdf", TDF)
    read = tb.read(tmp_path)
    assert read.tournaments["tournament"].to_list() == ["cup", "tom"]
    bomb = tmp_path / "bomb.h9"
    bomb.write_bytes(gzip.compress(H9.encode() + b" " * 40_000_000))
    assert bomb.stat().st_size < 100_000
    assert tb.read(bomb).quarantine["code"].to_list() == ["file-too-large"]
    cut = tmp_path / "cut.h9"
    cut.write_bytes(gzip.compress(H9.encode())[:-12])
    assert tb.read(cut).quarantine["code"].to_list() == ["damaged-archive"]
    with pytest.raises(UnreadableError, match="more than 0 MB"):
        unpack(cut.with_name("cup.h9.gz"), most=5)


LAUGHS = (
    '<?xml version="1.0"?>\n<!DOCTYPE lolz [\n<!ENTITY a "lol">\n'
    + "".join(
        f'<!ENTITY {n} "{f"&{p};" * 10}">\n' for p, n in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + "]>\n"
)
OUTSIDE = '<?xml version="1.0"?>\n<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>\n'


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (LAUGHS + GOTHA.replace('"A"', '"&i;"'), "unsafe-xml"),
        (OUTSIDE + TDF.replace("<pods>", "<pods>&e;"), "unsafe-xml"),
        ('<!DOCTYPE x SYSTEM "http://localhost/x.dtd">' + GOTHA, "unsafe-xml"),
        ("<tournament gametype='x'>" + "<a>" * 5000, "file-too-large"),
        ("<Tournament><Players>", "damaged-xml"),
        ("<Tournament>&nothing;</Tournament>", "damaged-xml"),
        ('<?xml version="1.0" encoding="no-such"?>' + GOTHA, "damaged-xml"),
    ],
)
@pytest.mark.parametrize("name", ["cup.tdf", "cup.xml"])
def test_hostile_xml_is_refused(tmp_path: Path, text: str, code: str, name: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    archive = tb.read(path)
    assert archive.tournaments.is_empty()
    (found,) = archive.quarantine.rows(named=True)
    assert found["code"] in {code, "unknown-format"}
    with pytest.raises(UnreadableError) as refused:
        parse_xml(text.encode())
    assert refused.value.code == code
    assert refused.value.line or code == "damaged-xml"


@pytest.mark.parametrize(
    "text",
    [
        PLATFORM[:-4],
        PLATFORM.replace("[{", "[" * 50_000 + "{", 1),
        PLATFORM.replace('"2-0-0"', "1" * 5000),
        PLATFORM.replace('"A"', '{"x": 1}'),
        PLATFORM.replace('"Rounds": [', '"Rounds": null, "Matches": ['),
    ],
)
def test_hostile_json_is_refused_with_a_reason(tmp_path: Path, text: str) -> None:
    path = tmp_path / "cup.json"
    path.write_text(text)
    archive = tb.read(path)
    assert archive.tournaments.is_empty()
    (found,) = archive.quarantine.rows(named=True)
    assert found["code"] in {"damaged-json", "wrong-type", "match-unread", "no-games"}
    assert found["message"]


def test_mutated_files_are_read_or_refused_never_more(tmp_path: Path) -> None:
    """Whatever is cut out, doubled or changed, there is an answer, and a refusal has a reason."""
    chance = random.Random(7)
    sources = {
        "a.h9": H9 * 2,
        "b.xml": GOTHA,
        "c.tdf": TDF,
        "d.json": PLATFORM,
        "e.ndjson": LICHESS,
        "f.csv": "round,p1,p2,result\n1,A,B,2-1\n1,C,-,2-0\n2,A,C,1-1-1\n",
    }
    for number in range(180):
        name, text = chance.choice(list(sources.items()))
        content = bytearray(text.encode())
        for _ in range(chance.randint(1, 4)):
            at, size = chance.randrange(len(content)), chance.randint(1, 12)
            match chance.randrange(4):
                case 0:
                    del content[at : at + size]
                case 1:
                    content[at:at] = content[at : at + size]
                case 2:
                    content[at : at + 1] = bytes([chance.randrange(256)])
                case _:
                    content[at:at] = chance.choice([b"9" * 30, b"-1", b"\x00", b'"', b"<", b"0="])
            content = content or bytearray(b" ")
        path = tmp_path / f"{number}{name}"
        path.write_bytes(content)
        archive = tb.read(path)
        assert archive.tournaments.height + archive.quarantine.height >= 1
        assert archive.quarantine["message"].null_count() == 0
        archive.standings("PTS")
        path.unlink()


def test_every_finding_is_explained() -> None:
    """Whatever a reader of these formats can say stands in the tables of the documentation."""
    folder = Path(tb.__file__).parent / "sources"
    text = (folder / "README.md").read_text("utf-8")
    explained = set(re.findall(r"^\| (`[a-z`, -]+) \|", text, re.MULTILINE))
    explained = {code for cell in explained for code in re.findall(r"`([a-z-]+)`", cell)}
    modules = [*folder.glob("*.py"), *folder.glob("h9/*.py"), *folder.glob("matches/*.py")]
    said = {
        code
        for module in modules
        for code in re.findall(r'(?:add\(\s*|code=)"([a-z-]+)"', module.read_text("utf-8"))
    }
    assert said - {"unreadable-content"} <= explained
    assert len(said) > 40


def test_json_lines_of_other_kinds_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(json.dumps({"username": "ann"}))
    (tmp_path / "y.xml").write_text("<feed><rounds/></feed>")
    (tmp_path / "a.h9").write_text(H9)
    archive = tb.read(tmp_path)
    assert archive.tournaments.height == 1
    assert archive.findings.filter(code="file-passed-over").height == 2
