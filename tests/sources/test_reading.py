import os
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import tbframe as tb
from tbframe.errors import SourceError
from tbframe.sources import read, write_frames

Player = Callable[..., str]


@pytest.fixture
def put(tmp_path: Path, player: Player) -> Callable[[str], Path]:
    """Return a function that puts a good report file below the folder of the test."""
    text = "\n".join(["012 Cup", player(1, "A", "   2 w 1"), player(2, "B", "   1 b 0")])

    def write(name: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write


def keys(archive: tb.Archive) -> list[str]:
    return archive.tournaments["tournament"].to_list()


def test_a_file(put: Callable[[str], Path]) -> None:
    path = put("cup.trf")
    archive = read(path)
    assert keys(archive) == ["cup"]
    assert_frame_equal(read(str(path)).results, archive.results)
    assert archive.results.height == 2


def test_a_folder_with_folders(put: Callable[[str], Path], tmp_path: Path) -> None:
    for name in ("b.trf", "2024/a.TRF", "2024/may/c.trfx", "d.tab", "e.txt", "f.unknown"):
        put(name)
    assert keys(read(tmp_path)) == ["a", "b", "c", "d", "e", "f"]


def test_hidden_files_are_passed_over(put: Callable[[str], Path], tmp_path: Path) -> None:
    for name in ("a.trf", ".b.trf", ".git/c.trf"):
        put(name)
    assert keys(read(tmp_path)) == ["a"]


def test_a_pattern(put: Callable[[str], Path], tmp_path: Path) -> None:
    for name in ("a1.trf", "a2.trf", "b.trf", "in/a3.trf"):
        put(name)
    assert keys(read(f"{tmp_path}/a*.trf")) == ["a1", "a2"]
    assert keys(read(f"{tmp_path}/**/a*.trf")) == ["a1", "a2", "a3"]
    assert keys(read(tmp_path / "[ab]?.trf")) == ["a1", "a2"]


def test_a_name_that_looks_like_a_pattern(put: Callable[[str], Path]) -> None:
    path = put("open [2024].trf")
    assert keys(read(path)) == ["open [2024]"]


def test_several_sources_and_each_file_once(put: Callable[[str], Path], tmp_path: Path) -> None:
    a, b = put("a.trf"), put("in/b.trf")
    archive = read([b, tmp_path / "in", a, f"{tmp_path}/*.trf"])
    assert keys(archive) == ["a", "b"]
    assert archive.findings.is_empty()


def test_stems_that_come_twice(put: Callable[[str], Path], tmp_path: Path) -> None:
    for name in ("x/cup.trf", "y/cup.trf", "z/cup-2.trf"):
        put(name)
    archive = read(tmp_path)
    assert keys(archive) == ["cup", "cup-2", "cup-3"]
    finding = archive.findings.filter(code="tournament-renamed").row(0, named=True)
    assert finding["file"] == str(tmp_path / "y" / "cup.trf")
    assert (finding["tournament"], finding["severity"]) == ("cup-3", "info")


def test_other_files_in_a_folder_are_told(put: Callable[[str], Path], tmp_path: Path) -> None:
    put("a.trf")
    (tmp_path / "readme.txt").write_text("Results of the year")
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8\x00\x01")
    (tmp_path / "prices.csv").write_text("what,price\nbeer,5\n")
    archive = read(tmp_path)
    assert archive.quarantine.is_empty()
    told = archive.findings.select("file", "severity", "code").rows()
    assert told == [
        (str(tmp_path / name), "info", "file-passed-over")
        for name in ("photo.jpg", "prices.csv", "readme.txt")
    ]


def test_other_files_that_are_named_are_set_aside(
    put: Callable[[str], Path], tmp_path: Path
) -> None:
    put("a.trf")
    other = tmp_path / "readme.txt"
    other.write_text("Results of the year")
    archive = read([tmp_path, other])
    assert archive.quarantine.select("file", "code", "rows").rows() == [
        (str(other), "unknown-format", 0)
    ]
    assert archive.findings.is_empty()


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02" * 1000, b"hello", b"012 Cup\n"])
def test_report_files_that_are_none(
    content: bytes, put: Callable[[str], Path], tmp_path: Path
) -> None:
    put("a.trf")
    (tmp_path / "bad.trf").write_bytes(content)
    archive = read(tmp_path)
    assert keys(archive) == ["a"]
    assert archive.quarantine.select("file", "tournament", "code").rows() == [
        (str(tmp_path / "bad.trf"), "bad", "no-players")
    ]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(put: Callable[[str], Path]) -> None:
    path = put("a.trf")
    path.chmod(0)
    assert read(path).quarantine["code"].to_list() == ["unreadable-file"]


def test_a_broken_link_and_a_pipe(put: Callable[[str], Path], tmp_path: Path) -> None:
    put("a.trf")
    (tmp_path / "gone.trf").symlink_to(tmp_path / "nowhere.trf")
    os.mkfifo(tmp_path / "pipe.trf")
    archive = read(tmp_path)
    assert keys(archive) == ["a"]
    assert archive.quarantine.select("file", "code").rows() == [
        (str(tmp_path / "gone.trf"), "unreadable-file")
    ]
    assert archive.findings["message"].to_list() == ["not a regular file"]


def test_links_that_lead_in_a_circle(put: Callable[[str], Path], tmp_path: Path) -> None:
    put("in/a.trf")
    (tmp_path / "in" / "up").symlink_to(tmp_path)
    (tmp_path / "in" / "self").symlink_to(tmp_path / "in" / "self")
    archive = read(tmp_path)
    assert keys(archive) == ["a"]
    assert archive.quarantine["file"].to_list() == [str(tmp_path / "in" / "self")]


def test_folders_that_are_called_like_files(put: Callable[[str], Path], tmp_path: Path) -> None:
    put("year.trf/a.trf")
    assert keys(read(tmp_path / "year.trf")) == ["a"]
    assert keys(read(f"{tmp_path}/*.trf")) == ["a"]


def test_what_does_not_exist(put: Callable[[str], Path], tmp_path: Path) -> None:
    put("open-2018.trf")
    with pytest.raises(SourceError, match=r"no such file or folder; did you mean .*open-2018\.trf"):
        read(tmp_path / "open2018.trf")
    with pytest.raises(SourceError, match=r"x\.trf: no such file or folder$"):
        read(tmp_path / "no" / "x.trf")
    with pytest.raises(SourceError, match="nothing matches the pattern"):
        read(f"{tmp_path}/*.pgn")
    with pytest.raises(SourceError, match="the list of sources is empty"):
        read([])


def test_a_folder_with_nothing_to_read(tmp_path: Path) -> None:
    (tmp_path / "a.docx").write_bytes(b"PK")
    with pytest.raises(SourceError, match=r"nothing to read in .*passed over: .*a\.docx"):
        read(tmp_path)


def test_report_files_and_frames_together(put: Callable[[str], Path], tmp_path: Path) -> None:
    put("a.trf")
    games = pl.DataFrame(
        {"tournament": ["a", "b"], "round": 1, "white": "x", "black": "y", "result": "1-0"}
    )
    write_frames(tb.from_games(games), tmp_path / "frames")
    (tmp_path / "games.csv").write_text("round,white,black,result\n1,Ann,Bob,0-1\n")
    archive = read(tmp_path)
    assert keys(archive) == ["a", "a-2", "b", "games"]
    assert archive.results.filter(tournament="a")["player"].to_list() == ["1", "2"]
    assert set(archive.findings["code"]) >= {"tournament-renamed", "keys-as-text"}


def test_tables_that_break_the_contract_are_set_aside(
    put: Callable[[str], Path], tmp_path: Path
) -> None:
    put("a.trf")
    (tmp_path / "games.csv").write_text("round,white,black,result\n1,Ann,Bob,9-9\n")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and no more")
    archive = read(tmp_path)
    assert keys(archive) == ["a"]
    assert archive.quarantine.select("file", "tournament", "code").rows() == [
        (str(tmp_path / "broken.parquet"), None, "unreadable-table"),
        (str(tmp_path / "games.csv"), "games", "contract-broken"),
    ]
    assert "9-9" in archive.quarantine["message"][1]


@pytest.mark.parametrize("source", [5, None, [5], ["a.trf", None]])
def test_what_is_no_path(source: object) -> None:
    with pytest.raises(SourceError, match="a source is a"):
        read(source)  # type: ignore[arg-type]


def test_a_table_that_was_perhaps_meant_is_a_warning(
    put: Callable[[str], Path], tmp_path: Path
) -> None:
    put("a.trf")
    (tmp_path / "open.csv").write_text("White;Black;Res\nAnn;Bob;1-0\n")
    (tmp_path / "prices.csv").write_text("what,price\nbeer,5\n")
    told = read(tmp_path).findings
    assert told.select("severity", "code", "file").rows() == [
        ("warning", "file-passed-over", str(tmp_path / "open.csv")),
        ("info", "file-passed-over", str(tmp_path / "prices.csv")),
    ]
    assert "white, black, Res" in told["message"][0]


def test_the_reason_is_told_where_there_is_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "open.csv").write_text("White;Black;Res\nAnn;Bob;1-0\n")
    with pytest.raises(SourceError, match="separated by semicolon"):
        read(tmp_path)


def test_what_a_table_sets_aside_is_told_with_its_file(
    put: Callable[[str], Path], tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    put("a.trf")
    (tmp_path / "open.csv").write_text("round,white,black,result\n1,Ann,Ann,1-0\n")
    quarantine = read(tmp_path).quarantine
    assert quarantine.select("file", "code").rows() == [
        (str(tmp_path / "open.csv"), "meets-himself")
    ]
    assert not recwarn.list
