"""Sources of recalculation that are damaged, that change meanwhile, or that are no reports."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import tbframe as tb
from benchmarks.synthetic import mixed_sizes
from tbframe.sources.ledgers import Ledgers

ORDER = "PTS BH SB"
GO = """\
; EV[Spring cup]
; DT[2023-03-29,2023-03-31]
 1 Ari Ann     3d FI Turk   35   99  289 0   2+/w0  3+/w0 |10000001
 2 Bae Bob     3d NO Oslo   33   97  290 0   1-/b0  4+/w0 |10000002
 3 Cai Cid     1D SE Lund   32   96  291 0   4+/w0  1-/b0 |10000003
 4 Doe Dot     1d FI Hels   30   95  283 0   3-/b0  2-/b0 |10000004
"""
CARDS = """\
Event,Round,Player 1,Player 2,Result
spring,1,Ada,Bo,2-0
spring,1,Cy,Di,2-1
cup,1,Ed,Fay,1-2
"""
PGN = """\
[Event "Cup"]
[Site "?"]
[Date "2024.05.01"]
[Round "{round}"]
[White "{white}"]
[Black "{black}"]
[Result "1-0"]

1. e4 e5 1-0

"""


def contents(folder: Path) -> dict[str, bytes]:
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != ".lock")
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


@pytest.fixture(scope="module")
def archive() -> tb.Archive:
    results = mixed_sizes(12, seed=4, sizes=(8, 9)).with_columns(
        tournament=pl.format("t{}", pl.col("tournament").cast(pl.String).str.zfill(3))
    )
    return tb.from_results(results)


def reports(archive: tb.Archive, folder: Path) -> Path:
    tb.write_trf(archive, folder, version="26")
    return folder / "t007.trf"


def in_order(archive: tb.Archive, folder: Path) -> Path:
    (folder / "results").mkdir(parents=True)
    for key in archive.tournaments["tournament"]:
        rows = archive.results.filter(tournament=key)
        rows.write_parquet(folder / "results" / f"{key}.parquet")
    return folder / "results" / "t007.parquet"


def shuffled(archive: tb.Archive, folder: Path) -> Path:
    rows = archive.results.sample(fraction=1.0, shuffle=True, seed=1)
    (folder / "results").mkdir(parents=True)
    for number in range(3):
        rows[number::3].write_parquet(folder / "results" / f"{number}.parquet")
    return folder / "results" / "1.parquet"


def csv(archive: tb.Archive, folder: Path) -> Path:
    folder.mkdir()
    archive.results.write_csv(folder / "results.csv")
    archive.players.write_csv(folder / "players.csv")
    return folder / "results.csv"


def edit(path: Path) -> None:
    """Let another result stand there: what is counted stays as it was."""
    stat = path.stat()
    if path.suffix == ".parquet":
        rows = pl.read_parquet(path)
        turned = pl.col("result").replace({"1": "0", "0": "1"})
        rows.with_columns(turned, points=1 - pl.col("points")).write_parquet(path)
    else:
        text = path.read_text()
        path.write_text(text.replace(" 1 ", " = ", 1) if path.suffix == ".trf" else text + " ")
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns + 1))


@pytest.mark.parametrize("change", [edit, Path.unlink])
@pytest.mark.parametrize("make", [reports, in_order, shuffled])
def test_a_source_that_changes_meanwhile(
    archive: tb.Archive, tmp_path: Path, make: Callable[..., Path], change: Callable[[Path], None]
) -> None:
    path = make(archive, tmp_path / "source")
    kept = tmp_path / "kept"
    shutil.copytree(tmp_path / "source", kept)
    tb.recalc(tmp_path / "source", tmp_path / "whole", ORDER, games_a_part=100)

    def disturb(state: Any) -> None:
        if state.parts == 0 and path.exists():
            change(path)

    options: dict[str, Any] = {"games_a_part": 100, "workers": 1}
    out = tmp_path / "out"
    how = "has changed" if change is edit else "is gone"
    with pytest.raises(tb.SourceError, match=rf"{path.name}: {how} since the run began") as error:
        tb.recalc(tmp_path / "source", out, ORDER, progress=disturb, **options)
    assert "go on with resume=True, or begin anew with overwrite=True" in str(error.value)
    if change is edit:
        with pytest.raises(tb.SourceError, match="cannot be resumed, because it was begun otherw"):
            tb.recalc(tmp_path / "source", out, ORDER, resume=True, **options)
    shutil.copytree(kept, tmp_path / "source", dirs_exist_ok=True)
    tb.recalc(tmp_path / "source", out, ORDER, resume=True, **options)
    assert contents(out) == contents(tmp_path / "whole")


def test_csv_is_read_before_anything_is_written(archive: tb.Archive, tmp_path: Path) -> None:
    path = csv(archive, tmp_path / "source")
    whole, out = tmp_path / "whole", tmp_path / "out"
    tb.recalc(tmp_path / "source", whole, ORDER, games_a_part=100)

    class Stopped(BaseException):
        pass

    def stop(state: Any) -> None:
        if state.parts == 1:
            raise Stopped

    with pytest.raises(Stopped):
        tb.recalc(tmp_path / "source", out, ORDER, games_a_part=100, progress=stop, workers=1)
    copies = list((out / ".beside").rglob("*.parquet"))
    assert {copy.parent.name for copy in copies} >= {"results", "players"}
    before = {copy: copy.stat().st_mtime_ns for copy in copies}
    tb.recalc(tmp_path / "source", out, ORDER, games_a_part=100, resume=True,
              progress=lambda _: [copy.stat().st_mtime_ns == before[copy] for copy in copies
                                  if copy.exists()] or None)  # fmt: skip
    assert contents(out) == contents(whole)
    assert not (out / ".beside").exists()
    edit(path)
    again = tb.recalc(tmp_path / "source", out, ORDER, games_a_part=100, overwrite=True)
    assert again.manifest["settings"]["source"] != tb.Recalculation(whole).manifest["settings"]


def test_what_cannot_be_read_among_reports(archive: tb.Archive, tmp_path: Path) -> None:
    source = tmp_path / "source"
    reports(archive, source)
    (source / "gone.trf").symlink_to(source / "nowhere.trf")
    (source / "gone.unknown").symlink_to(source / "nowhere")
    (source / "self.trf").symlink_to(source / "self.trf")
    os.mkfifo(source / "pipe.trf")
    os.mkfifo(source / "pipe")
    (source / "folder.trf").mkdir()
    shutil.copy(source / "t003.trf", source / "folder.trf" / "t999.trf")
    (source / "frames.trf").mkdir()
    tb.write_frames(archive, source / "frames.trf" / "deep.trf")
    tb.write_ledger(archive, source / "ledger.trf")
    (source / "results.trf").mkdir()
    read = tb.read(source / "folder.trf")
    assert read.tournaments["tournament"].to_list() == ["t999"]
    done = tb.recalc(source, tmp_path / "out", ORDER, games_a_part=100)
    keys = [*archive.tournaments["tournament"], "t999"]
    found = done.tournaments.select("tournament").collect().to_series()
    assert found.sort().to_list() == keys
    aside = done.quarantine.collect().sort("file")
    assert [(Path(file).name, code) for file, code in aside.select("file", "code").rows()] == [
        ("gone.trf", "unreadable-file"),
        ("gone.unknown", "unreadable-file"),
        ("self.trf", "unreadable-file"),
    ]
    told = done.findings.filter(code="file-passed-over").collect()
    among = "among tournament files; recalculate it by itself"
    assert {
        str(Path(file).relative_to(source)): (severity, message)
        for file, severity, message in told.select("file", "severity", "message").iter_rows()
    } == {
        "pipe": ("warning", "not a regular file"),
        "pipe.trf": ("warning", "not a regular file"),
        "frames.trf/deep.trf": ("warning", f"not used: a dataset of its own {among}"),
        "ledger.trf": ("warning", f"not used: a dataset of its own {among}"),
    }


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_nobody_may_read(archive: tb.Archive, tmp_path: Path) -> None:
    source = tmp_path / "source"
    reports(archive, source).chmod(0)
    done = tb.recalc(source, tmp_path / "out", ORDER)
    assert done.quarantine.collect()["code"].to_list() == ["unreadable-file"]


def test_a_link_alone_that_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "gone.trf").symlink_to(tmp_path / "nowhere.trf")
    done = tb.recalc(tmp_path / "gone.trf", tmp_path / "out", "PTS")
    assert done.quarantine.collect()["code"].to_list() == ["unreadable-file"]
    assert done.manifest["totals"]["tournaments"] == 0
    with pytest.raises(tb.SourceError, match="no such file or folder"):
        tb.recalc(tmp_path / "nowhere.trf", tmp_path / "out2", "PTS")


def other_formats(folder: Path) -> Path:
    """Write files of several formats, some with names that others have too."""
    folder.mkdir()
    (folder / "cup.h9").write_text(GO)
    (folder / "deep").mkdir()
    (folder / "deep" / "cup.h9").write_text(GO)
    (folder / "cards.csv").write_text(CARDS)
    for number, (white, black) in enumerate([("A, B", "C, D"), ("E, F", "G, H")]):
        text = PGN.format(round=1, white=white, black=black)
        (folder / f"part{number}.pgn").write_text(text)
    return folder


def test_other_formats_are_recalculated(archive: tb.Archive, tmp_path: Path) -> None:
    source = other_formats(tmp_path / "source")
    read = tb.read(source)
    for games_a_part in (1, 10_000):
        done = tb.recalc(source, tmp_path / f"out{games_a_part}", ORDER, games_a_part=games_a_part)
        found = done.standings.collect().sort("tournament", maintain_order=True)
        expected = read.standings(ORDER)
        assert_frame_equal(found, expected, check_row_order=False, check_column_order=False)
        rows = done.manifest["totals"]["rows"]
        assert rows["in"] == rows["out"] == read.results.height
    # Both halves of the PGN event are one tournament of four, though they are in two files.
    assert 4 in read.players.group_by("tournament").len()["len"]
    codes = done.findings.filter(code="read-as").collect()
    assert codes.height == 5


def test_a_folder_of_csv_files_that_are_no_tables(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "one.csv").write_text(CARDS)
    (source / "two.csv").write_text(CARDS.replace("spring", "autumn").replace("cup", "final"))
    done = tb.recalc(source, tmp_path / "out", "PTS")
    found = done.tournaments.select("tournament").collect().to_series().sort().to_list()
    assert found == ["autumn", "cup", "final", "spring"]
    assert_frame_equal(
        done.standings.collect(), tb.read(source).standings("PTS"), check_row_order=False
    )


def test_keys_are_told_apart_over_all_parts(archive: tb.Archive, tmp_path: Path) -> None:
    source = other_formats(tmp_path / "source")
    one = archive.select("t003")
    tb.write_trf(one, source)
    for name in ("cup", "spring"):
        shutil.copy(source / "t003.trf", source / f"{name}.trf")
    keys = tb.read(source).tournaments["tournament"].to_list()
    done = tb.recalc(source, tmp_path / "out", "PTS", games_a_part=1)
    found = done.tournaments.select("tournament").collect().to_series().to_list()
    assert len(set(found)) == len(found) == len(keys)
    # Reports keep their names.
    players = dict(done.tournaments.select("tournament", "players").collect().iter_rows())
    assert players["cup"] == players["spring"] == one.players.height


def test_a_ledger_that_is_not_as_it_was_written(archive: tb.Archive, tmp_path: Path) -> None:
    kept = tb.write_ledger(archive, tmp_path / "kept", games_a_part=100)
    assert len(Ledgers(kept).summaries) > 2

    def other_result(part: Path) -> None:
        path = part / "results.parquet"
        rows = pl.read_parquet(path)
        turned = pl.col("result").replace({"1": "0", "0": "1"})
        rows.with_columns(turned, points=1 - pl.col("points")).write_parquet(path)

    def another_byte(part: Path) -> None:
        data = bytearray((part / "players.parquet").read_bytes())
        data[len(data) // 2] ^= 1
        (part / "players.parquet").write_bytes(data)

    for harm, said in (
        (other_result, r"00001: is not as it was written \(results.parquet has other bytes"),
        (another_byte, r"00001: is not as it was written \(players.parquet has other bytes"),
        (lambda part: (part / "findings.parquet").unlink(), r"00001/findings.parquet: is gone"),
        (shutil.rmtree, r"parts/00001: is gone"),
        (lambda part: shutil.copytree(part, part.parent / "00077"), "00077: is no file of the le"),
        (lambda part: shutil.copy(part / "part.json", part / "x.parquet"),
         "00001/x.parquet: is no file of the ledger: remove it, or write the ledger anew"),
        (lambda part: (part / "boards.parquet").write_bytes(b"PAR1"), "boards.parquet: is no file"),
    ):  # fmt: skip
        ledger = tmp_path / "ledger"
        shutil.rmtree(ledger, ignore_errors=True)
        shutil.copytree(kept, ledger)
        harm(ledger / "parts" / "00001")
        with pytest.raises(tb.SourceError, match=said):
            tb.recalc(ledger, tmp_path / "out", "PTS", overwrite=True)
        assert tb.read(ledger).quarantine.height == 1
