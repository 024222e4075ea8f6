"""Recalculation: every kind of source gives what `Archive.standings` gives, and nothing is lost."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from filelock import FileLock
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import tbframe as tb
from benchmarks.kill_and_resume import kill_and_resume
from benchmarks.synthetic import mixed_sizes
from tbframe.cli import main
from tbframe.cli.bulk import _GAMES
from tbframe.ledger.numbering import number, verify
from tbframe.recalculation import disk
from tbframe.recalculation.digest import contents as contents_of
from tbframe.recalculation.digest import digests
from tbframe.recalculation.parts import GAMES_A_PART
from tbframe.sources.ledgers import Ledgers

ORDER = "PTS DE BH/C1 BH SB WIN ARO"
DATA = Path(__file__).resolve().parents[1] / "data"


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a dataset; the manifest too, but not the lock."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


@pytest.fixture(scope="module")
def archive() -> tb.Archive:
    results = mixed_sizes(40, seed=3, sizes=(8, 9, 17, 40)).with_columns(
        tournament=pl.format("t{}", pl.col("tournament").cast(pl.String).str.zfill(3))
    )
    players = results.select("tournament", "player").unique().sort("tournament", "player")
    rating = (pl.col("player") * 13 % 700 + 1500).cast(pl.Int32)
    tournaments = results.select("tournament").unique().sort("tournament").with_row_index("n")
    tournaments = tournaments.select(
        "tournament",
        start=pl.date(1995 + pl.col("n") % 30, 5, 1),
        federation=pl.when(pl.col("n") % 2 == 0).then(pl.lit("FRA")).otherwise(pl.lit("GER")),
        pairing=pl.lit("swiss"),
    )
    return tb.from_results(results, players.with_columns(rating=rating), tournaments)


@pytest.fixture(scope="module")
def frames(archive: tb.Archive, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the frames as one file each."""
    folder = tmp_path_factory.mktemp("frames")
    tb.write_frames(archive, folder)
    return folder


def in_parts(archive: tb.Archive, folder: Path) -> Path:
    """Write frames as folders of files, the rows of results in no order."""
    shuffled = archive.results.sample(fraction=1.0, shuffle=True, seed=5)
    for name, frame in (
        ("results", shuffled),
        ("players", archive.players),
        ("tournaments", archive.tournaments),
    ):
        (folder / name).mkdir(parents=True)
        step = frame.height // 3 + 1
        for part in range(3):
            rows = frame.slice(part * step, step)
            rows.write_parquet(folder / name / f"part-{part}.parquet")
    return folder


def as_hive(archive: tb.Archive, folder: Path) -> Path:
    """Write results alone, a folder for each start letter of nothing in particular."""
    rounds = archive.results.rename({"round": "rnd"})
    for number_, rows in rounds.partition_by("rnd", as_dict=True).items():
        path = folder / f"round={number_[0]}"
        path.mkdir(parents=True)
        rows.drop("rnd").write_parquet(path / "rows.parquet")
    return folder


def as_games(archive: tb.Archive, folder: Path) -> Path:
    """Write a table of games and one of byes, as a federation's database has them."""
    folder.mkdir()
    paired = archive.results.filter(pl.col("opponent").is_not_null())
    white = (pl.col("color") == "w") | (
        pl.col("color").is_null() & (pl.col("player") < pl.col("opponent"))
    )
    words = {"1": "1-0", "=": "1/2-1/2", "0": "0-1", "+": "+:-", "-": "-:+"}
    other = archive.results.select("tournament", "round", opponent="player", theirs="result")
    games = (
        paired.filter(white)
        .join(other, on=["tournament", "round", "opponent"])
        .select(
            "tournament", "round", white="player", black="opponent",
            result=pl.when((pl.col("result") == "-") & (pl.col("theirs") == "-"))
            .then(pl.lit("-:-"))
            .otherwise(pl.col("result").cast(pl.String).replace(words)),
        )
    )  # fmt: skip
    byes = archive.results.filter(pl.col("opponent").is_null()).select(
        "tournament", "round", "player", type=pl.col("result").cast(pl.String)
    )
    games.sample(fraction=1.0, shuffle=True, seed=1).write_parquet(folder / "games.parquet")
    byes.write_parquet(folder / "byes.parquet")
    archive.players.write_parquet(folder / "players.parquet")
    archive.tournaments.write_parquet(folder / "tournaments.parquet")
    return folder


def as_reports(archive: tb.Archive, folder: Path) -> Path:
    tb.write_trf(archive, folder, version="26")
    return folder


def as_ledger(archive: tb.Archive, folder: Path) -> Path:
    return tb.write_ledger(archive, folder, games_a_part=900)


def as_it_is(archive: tb.Archive, _: Path) -> tb.Archive:
    return archive


SOURCES: list[Callable[[tb.Archive, Path], Any]] = [
    in_parts, as_games, as_reports, as_ledger, as_it_is,
]  # fmt: skip


@pytest.mark.parametrize("make", SOURCES)
@pytest.mark.parametrize("games_a_part", [300, 1_000_000])
def test_every_source_gives_the_standings_of_the_archive(
    archive: tb.Archive, tmp_path: Path, make: Callable[..., Any], games_a_part: int
) -> None:
    source = make(archive, tmp_path / "source")
    done = tb.recalc(source, tmp_path / "out", ORDER, games_a_part=games_a_part)
    expected = archive.standings(ORDER)
    found = done.standings.collect().sort("tournament", maintain_order=True)
    assert_frame_equal(found, expected)
    rows = done.manifest["totals"]["rows"]
    assert rows["in"] == rows["out"] > 0
    assert rows["quarantined"] == 0
    several = games_a_part == 300 or make is as_ledger  # whose parts are as they were written
    assert (len(done.manifest["parts"]) > 1) == several


def test_hive_partitions_are_columns(archive: tb.Archive, tmp_path: Path) -> None:
    source = as_hive(archive, tmp_path / "source")
    done = tb.recalc(source, tmp_path / "out", "PTS BH", edition="2024-08", games_a_part=500)
    expected = tb.from_results(archive.results).standings("PTS BH", edition="2024-08")
    assert_frame_equal(done.standings.collect(), expected)


def test_manifest_counts_and_checksums(frames: Path, tmp_path: Path) -> None:
    done = tb.recalc(frames, tmp_path / "out", ORDER, games_a_part=500)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["settings"]["order"] == ORDER
    assert manifest["settings"]["versions"]["tbframe"] == tb.__version__
    for name, part in manifest["parts"].items():
        for file, about in part["files"].items():
            path = tmp_path / "out" / "parts" / name / file
            assert hashlib.sha256(path.read_bytes()).hexdigest() == about["sha256"]
            assert pl.read_parquet(path).height == about["rows"]
    results = pl.read_parquet(frames / "results.parquet")
    totals = manifest["totals"]
    assert totals["rows"]["in"] == results.height
    assert totals["players"] == done.standings.select(pl.len()).collect().item()
    years = done.tournaments.select("edition").collect()["edition"].value_counts()
    assert totals["editions"] == dict(years.iter_rows())
    assert done.tournaments.select(pl.col("rows").sum()).collect().item() == results.height


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("games_a_part", [200, 700, 10_000])
def test_neither_threads_nor_parts_change_a_byte(
    archive: tb.Archive, tmp_path: Path, workers: int, games_a_part: int
) -> None:
    source = in_parts(archive, tmp_path / "source")
    one = tb.recalc(source, tmp_path / "one", ORDER, games_a_part=500, workers=1)
    other = tb.recalc(source, tmp_path / "other", ORDER, games_a_part=games_a_part, workers=workers)
    buffers = []
    for done in (one, other):
        frame = done.standings.collect()
        buffers.append({name: frame[name].to_arrow().to_string() for name in frame.columns})
    assert buffers[0] == buffers[1]


def stamp(folder: Path) -> None:
    """Make the checksums those of the files as they are now."""
    manifest = json.loads((folder / "manifest.json").read_text())
    for name, part in manifest["parts"].items():
        for file, about in part["files"].items():
            data = (folder / "parts" / name / file).read_bytes()
            about |= {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        (folder / "parts" / name / "part.json").write_text(json.dumps(part))
    (folder / "manifest.json").write_text(json.dumps(manifest))


class Stopped(BaseException):
    """As if the process had ended."""


def stop_after(parts: int) -> Callable[[Any], None]:
    def tell(state: Any) -> None:
        if state.parts >= parts:
            raise Stopped

    return tell


@pytest.mark.parametrize("after", [0, 1, 4])
@pytest.mark.parametrize("make", [in_parts, as_ledger, as_reports])
def test_resuming_gives_the_same_bytes(
    archive: tb.Archive, tmp_path: Path, after: int, make: Callable[..., Any]
) -> None:
    source = make(archive, tmp_path / "source")
    whole = tmp_path / "whole"
    tb.recalc(source, whole, ORDER, games_a_part=400)
    stopped = tmp_path / "stopped"
    with pytest.raises(Stopped):
        tb.recalc(source, stopped, ORDER, games_a_part=400, progress=stop_after(after), workers=1)
    with pytest.raises(tb.SourceError, match="not complete"):
        tb.Recalculation(stopped)
    with pytest.raises(tb.SourceError, match="unfinished run: give resume=True"):
        tb.recalc(source, stopped, ORDER, games_a_part=400)
    told = []
    tb.recalc(source, stopped, ORDER, games_a_part=400, resume=True, progress=told.append)
    assert told[0].parts >= after  # the next may have been under way
    assert contents(stopped) == contents(whole)


def test_killed_at_any_moment(archive: tb.Archive, tmp_path: Path) -> None:
    source = in_parts(archive, tmp_path / "source")
    different, kills = kill_and_resume(source, times=3, seed=2, games_a_part=150)
    assert kills > 0
    assert different == 0


def test_resuming_what_is_complete_changes_nothing(frames: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    tb.recalc(frames, out, "PTS")
    before = contents(out)
    told: list[Any] = []
    tb.recalc(frames, out, "PTS", resume=True, progress=told.append)
    assert contents(out) == before
    assert told == []


def test_a_truncated_part_is_computed_again(frames: Path, tmp_path: Path) -> None:
    whole, out = tmp_path / "whole", tmp_path / "out"
    tb.recalc(frames, whole, "PTS", games_a_part=400)
    with pytest.raises(Stopped):
        tb.recalc(frames, out, "PTS", games_a_part=400, progress=stop_after(2), workers=1)
    path = out / "parts" / "00001" / "standings.parquet"
    path.write_bytes(path.read_bytes()[:-10])
    tb.recalc(frames, out, "PTS", games_a_part=400, resume=True)
    assert contents(out) == contents(whole)


def test_a_second_run_needs_to_be_told(frames: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    tb.recalc(frames, out, "PTS")
    with pytest.raises(tb.SourceError, match="finished dataset: give overwrite=True"):
        tb.recalc(frames, out, "PTS")
    with pytest.raises(tb.SourceError, match="order was 'PTS', is 'PTS BH'"):
        tb.recalc(frames, out, "PTS BH", resume=True)
    done = tb.recalc(frames, out, "PTS BH", overwrite=True)
    assert "BH" in done.standings.collect_schema()


def test_a_folder_of_something_else_is_left_alone(frames: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Sir or Madam")
    with pytest.raises(tb.SourceError, match=r"holds other files \(letter.txt\)"):
        tb.recalc(frames, tmp_path, "PTS", overwrite=True)
    assert (tmp_path / "letter.txt").read_text() == "Dear Sir or Madam"


def test_two_processes_on_one_folder(frames: Path, tmp_path: Path) -> None:
    with FileLock(tmp_path / ".lock"), pytest.raises(tb.SourceError, match="another process"):
        tb.recalc(frames, tmp_path, "PTS")


def test_a_full_disk_is_told_and_resumed(
    frames: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, out = tmp_path / "whole", tmp_path / "out"
    tb.recalc(frames, whole, "PTS", games_a_part=400)
    written = 0

    def full(handle: int) -> None:
        nonlocal written
        written += 1
        if written > 12:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(disk.os, "fsync", full)
    with pytest.raises(tb.SourceError, match=r"the disk is full.*resume=True"):
        tb.recalc(frames, out, "PTS", games_a_part=400, workers=1)
    monkeypatch.undo()
    tb.recalc(frames, out, "PTS", games_a_part=400, resume=True)
    assert contents(out) == contents(whole)


def test_where_nothing_can_be_written(frames: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(tb.SourceError, match="cannot be written"):
        tb.recalc(frames, tmp_path / "file" / "out", "PTS")


@pytest.mark.parametrize("make", [in_parts, as_reports, as_ledger])
def test_a_source_that_vanishes(
    archive: tb.Archive, tmp_path: Path, make: Callable[..., Any]
) -> None:
    source = make(archive, tmp_path / "source")
    kept = tmp_path / "kept"
    shutil.copytree(source, kept)
    whole, out = tmp_path / "whole", tmp_path / "out"
    tb.recalc(source, whole, "PTS", games_a_part=400)

    def remove(state: Any) -> None:
        if state.parts == 2:
            shutil.rmtree(source)
            shutil.rmtree(out / ".beside", ignore_errors=True)

    with pytest.raises((tb.SourceError, FileNotFoundError)):
        tb.recalc(source, out, "PTS", games_a_part=400, progress=remove, workers=1)
    shutil.copytree(kept, source)
    tb.recalc(source, out, "PTS", games_a_part=400, resume=True)
    assert contents(out) == contents(whole)


def test_bad_tournaments_are_set_aside(archive: tb.Archive, tmp_path: Path) -> None:
    himself = pl.col("tournament").eq("t007") & pl.col("player").eq(1) & pl.col("round").eq(1)
    results = archive.results.with_columns(
        opponent=pl.when(himself).then(1).otherwise("opponent"),
        result=pl.when(pl.col("tournament") == "t009")
        .then(pl.lit("won by a lot"))
        .otherwise(pl.col("result").cast(pl.String)),
        points=pl.when(pl.col("tournament") == "t011").then(1e12).otherwise("points"),
    )
    twice = results.filter(tournament="t013").head(1)
    results = pl.concat([results, twice])
    folder = tmp_path / "source"
    folder.mkdir()
    results.write_parquet(folder / "results.parquet")
    archive.players.write_parquet(folder / "players.parquet")
    archive.tournaments.write_parquet(folder / "tournaments.parquet")
    done = tb.recalc(folder, tmp_path / "out", ORDER, games_a_part=700)
    bad = ["t007", "t009", "t011", "t013"]
    aside = done.quarantine.collect()
    assert aside["tournament"].to_list() == bad
    assert aside.filter(tournament="t009")["message"].item().startswith("results, column 'result'")
    good = archive.select(*[t for t in archive.tournaments["tournament"] if t not in bad])
    assert_frame_equal(done.standings.collect(), good.standings(ORDER))
    rows = done.manifest["totals"]["rows"]
    assert rows["in"] == results.height
    assert rows["quarantined"] == results.filter(pl.col("tournament").is_in(bad)).height
    assert rows["in"] == rows["out"] + rows["quarantined"]


def test_what_is_wrong_with_every_row_is_said_at_once(frames: Path, tmp_path: Path) -> None:
    results = pl.read_parquet(frames / "results.parquet")
    results.drop("opponent").write_parquet(tmp_path / "results.parquet")
    with pytest.raises(tb.ContractError, match="'opponent'"):
        tb.recalc(tmp_path / "results.parquet", tmp_path / "out", "PTS")
    nobody = results.with_columns(tournament=pl.when(pl.col("round") > 1).then("tournament"))
    nobody.write_parquet(tmp_path / "results.parquet")
    with pytest.raises(tb.ContractError, match="rows without a tournament"):
        tb.recalc(tmp_path / "results.parquet", tmp_path / "out2", "PTS")


def test_a_damaged_file_is_named(archive: tb.Archive, tmp_path: Path) -> None:
    source = in_parts(archive, tmp_path / "source")
    path = source / "results" / "part-1.parquet"
    data = bytearray(path.read_bytes())
    data[100:300] = bytes(200)
    path.write_bytes(data)
    with pytest.raises(tb.SourceError, match=r"part-1.parquet: the table results cannot be read"):
        tb.recalc(source, tmp_path / "out", "PTS")


def test_bad_reports_are_set_aside(tmp_path: Path, archive: tb.Archive) -> None:
    source = as_reports(archive, tmp_path / "source")
    (source / "empty.trf").write_bytes(b"")
    (source / "notes.pdf").write_bytes(b"%PDF")
    (source / "table.csv").write_text("a,b\n1,2\n")
    done = tb.recalc(source, tmp_path / "out", ORDER, games_a_part=500)
    aside = done.quarantine.collect()
    assert [Path(file).name for file in aside["file"]] == ["empty.trf"]
    told = done.findings.filter(code="file-passed-over").collect()
    assert {Path(f).name: s for f, s in told.select("file", "severity").iter_rows()} == {
        "notes.pdf": "info",
        "table.csv": "warning",
    }
    assert done.manifest["totals"]["tournaments"] == archive.tournaments.height


def test_changed_only_computes_what_changed(archive: tb.Archive, tmp_path: Path) -> None:
    source = tmp_path / "source"
    tb.write_frames(archive, source)
    out, whole = tmp_path / "out", tmp_path / "whole"
    tb.recalc(source, out, ORDER, games_a_part=400)
    at = (pl.col("tournament") == "t005") & (pl.col("round") == 1) & (pl.col("player") == 1)
    changed = archive.results.with_columns(points=pl.when(at).then(7.0).otherwise("points"))
    tb.write_frames(
        tb.Archive(changed, archive.players, archive.tournaments, archive.findings,
                   archive.quarantine), source, overwrite=True,
    )  # fmt: skip
    # What stands there for other tournaments is taken over: a mark in it comes through.
    path = next(
        p for p in sorted(out.glob("parts/*/standings.parquet"))
        if "t001" in pl.read_parquet(p)["tournament"]
    )  # fmt: skip
    marked = pl.read_parquet(path).with_columns(name=pl.lit("taken over"))
    marked.write_parquet(path)
    stamp(out)
    done = tb.recalc(source, out, ORDER, games_a_part=400, changed_only=True)
    names = done.standings.filter(pl.col("name") == "taken over").collect()
    assert "t001" in names["tournament"]
    assert "t005" not in names["tournament"]
    fresh = tb.recalc(source, whole, ORDER, games_a_part=400).standings.collect()
    assert_frame_equal(done.standings.collect().drop("name"), fresh.drop("name"))
    assert (
        done.standings.filter(tournament="t005").collect().equals(fresh.filter(tournament="t005"))
    )


@pytest.mark.parametrize("change", ["nothing", "more", "fewer", "order"])
def test_changed_only_gives_what_a_full_run_gives(
    archive: tb.Archive, tmp_path: Path, change: str
) -> None:
    keys = archive.tournaments["tournament"].to_list()
    source = tmp_path / "source"
    first = archive.select(*keys[3:-3])
    then = {"more": archive, "fewer": archive.select(*keys[9:20])}.get(change, first)
    order = "PTS BH" if change == "order" else ORDER
    tb.write_frames(first, source)
    out, whole = tmp_path / "out", tmp_path / "whole"
    tb.recalc(source, out, ORDER, games_a_part=400)
    tb.write_frames(then, source, overwrite=True)
    tb.recalc(source, out, order, games_a_part=400, changed_only=True)
    tb.recalc(source, whole, order, games_a_part=400)
    parts = [{k: v for k, v in contents(f).items() if not k.endswith(".json")}
             for f in (out, whole)]  # fmt: skip
    assert parts[0] == parts[1]
    hashes = [dict(done.tournaments.select("tournament", "hash").collect().rows())
              for done in (tb.Recalculation(out), tb.Recalculation(whole))]  # fmt: skip
    assert hashes[0] == hashes[1]
    same = {"nothing": 34, "more": 34, "fewer": 11, "order": 0}  # of the 40 without 3 on each side
    totals = tb.Recalculation(out).manifest["totals"]
    assert totals["taken_over"] == same[change]
    assert totals["tournaments"] == then.tournaments.height


def test_changed_only_keeps_the_old_until_the_new_is_complete(frames: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    tb.recalc(frames, out, "PTS", games_a_part=400)
    before = tb.Recalculation(out).standings.collect()
    with pytest.raises(Stopped):
        tb.recalc(frames, out, "PTS BH", games_a_part=400, changed_only=True,
                  progress=stop_after(2), workers=1)  # fmt: skip
    assert tb.Recalculation(out).standings.collect().equals(before)
    done = tb.recalc(frames, out, "PTS BH", games_a_part=400, changed_only=True, resume=True)
    assert "BH" in done.standings.collect_schema()
    assert sorted(path.name for path in out.iterdir()) == [".lock", "manifest.json", "parts"]


def test_changed_only_knows_when_a_definition_changes(frames: Path, tmp_path: Path) -> None:
    def define(factor: int) -> None:
        tb.forget("TWICE") if "TWICE" in tb.catalogue()["code"] else None
        body = f"def twice(t):\n    return {factor} * t.score\n"
        path = tmp_path / f"twice{factor}.py"
        path.write_text(body)
        space: dict[str, Any] = {}
        exec(compile(body, str(path), "exec"), space)
        tb.tiebreak("TWICE", name="A multiple of the score", source="this test")(space["twice"])

    try:
        for factor in (2, 3):
            define(factor)
            done = tb.recalc(frames, tmp_path / "out", "PTS TWICE", changed_only=True)
            values = done.standings.select("PTS", "TWICE").collect()
            assert (values["TWICE"] == factor * values["PTS"]).all()
    finally:
        tb.forget("TWICE")


def test_ledger_gives_the_archive_back(archive: tb.Archive, tmp_path: Path) -> None:
    ledger = tb.write_ledger(archive, tmp_path / "ledger", games_a_part=500)
    again = tb.read(ledger)
    for name in ("results", "players", "tournaments", "findings", "quarantine"):
        assert_frame_equal(getattr(again, name), getattr(archive, name))
    assert len(list(ledger.glob("parts/*"))) > 3


def test_a_ledger_out_of_order_is_refused(archive: tb.Archive, tmp_path: Path) -> None:
    ledger = tb.write_ledger(archive, tmp_path / "ledger", games_a_part=500)
    part = ledger / "parts" / "00001"
    path = part / "results.parquet"
    rows, players, tournaments = (
        pl.read_parquet(part / f"{name}.parquet") for name in ("results", "players", "tournaments")
    )
    for wrong, message in (
        (rows.reverse(), "ascending order of player_row"),
        (rows.with_columns(opponent_row=pl.lit(10**6, pl.Int32)), "not in the players"),
        (rows.with_columns(opponent_row=pl.lit(0, pl.Int32)), "another tournament"),
    ):
        with pytest.raises(tb.ContractError, match=message):
            verify(wrong, players, tournaments)
    # A file is compared with its checksum, so that no edit passes.
    for wrong in (rows.head(10), rows.with_columns(pl.col("points").shuffle(seed=1))):
        wrong.write_parquet(path)
        with pytest.raises(tb.SourceError, match=r"results\.parquet has other bytes"):
            tb.recalc(ledger, tmp_path / "out", "PTS", overwrite=True)
        assert "results.parquet has other bytes" in tb.read(ledger).quarantine["message"].item()


def test_a_ledger_knows_what_its_tournaments_hold(archive: tb.Archive, tmp_path: Path) -> None:
    ledger = Ledgers(tb.write_ledger(archive, tmp_path / "ledger", games_a_part=500))
    for number_ in range(len(ledger.summaries)):
        part = ledger.load(number_)
        assert part.contents.equals(contents_of(part.archive, part.numbered))


def test_team_events(tmp_path: Path) -> None:
    boards = pl.DataFrame(
        {
            "tournament": ["league"] * 8,
            "round": [1, 1, 1, 1, 2, 2, 2, 2],
            "team": ["Rooks", "Rooks", "Kings", "Kings", "Rooks", "Rooks", "Pawns", "Pawns"],
            "opponent": ["Kings", "Kings", "Rooks", "Rooks", "Pawns", "Pawns", "Rooks", "Rooks"],
            "board": [1, 2, 1, 2, 1, 2, 1, 2],
            "result": ["1", "=", "0", "=", "0", "0", "1", "1"],
        }
    )
    archive = tb.from_boards(boards)
    expected = archive.standings("PTS GPTS BC")
    assert expected["GPTS"].drop_nulls().sum() == 4.0  # two matches of two boards
    tb.write_frames(archive, tmp_path / "frames")
    boards.write_parquet(tmp_path / "boards.parquet")
    (tmp_path / "alone").mkdir()
    (tmp_path / "boards.parquet").rename(tmp_path / "alone" / "boards.parquet")
    ledger = tb.write_ledger(archive, tmp_path / "ledger")
    for source in (tmp_path / "frames", tmp_path / "alone", ledger):
        done = tb.recalc(source, tmp_path / f"out-{source.name}", "PTS GPTS BC")
        assert_frame_equal(done.standings.collect(), expected)
    assert_frame_equal(tb.read(ledger).boards, archive.boards)


def test_empty_and_tiny(tmp_path: Path) -> None:
    games = pl.DataFrame(schema={"tournament": str, "white": str, "black": str, "result": str})
    games.write_parquet(tmp_path / "games.parquet")
    done = tb.recalc(tmp_path / "games.parquet", tmp_path / "out", "PTS BH")
    assert done.standings.collect().is_empty()
    assert done.manifest["totals"]["tournaments"] == 0
    one = pl.DataFrame({"round": [1], "player": ["Ada"], "opponent": [None], "result": ["U"]})
    one.write_parquet(tmp_path / "one.parquet")
    done = tb.recalc(tmp_path / "one.parquet", tmp_path / "out1", "PTS BH")
    assert done.standings.select("tournament", "rank", "player", "PTS").collect().rows() == [
        ("one", 1, "Ada", 1.0)
    ]


def test_the_output_is_no_source(frames: Path, tmp_path: Path) -> None:
    tb.recalc(frames, tmp_path / "out", "PTS")
    with pytest.raises(tb.SourceError, match="output of a recalculation"):
        tb.recalc(tmp_path / "out", tmp_path / "again", "PTS")
    assert "Recalculation" in tb.read(tmp_path / "out").quarantine["message"].item()


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_hash_of_a_tournament(archive: tb.Archive, data: st.DataObject) -> None:
    some = archive.select("t001", "t002", "t003")
    none = pl.Series(["", "", ""])

    def hashes(of: tb.Archive, rules: pl.Series = none) -> list[str]:
        made = tb.from_results(of.results.sample(fraction=1.0, shuffle=True, seed=1), of.players,
                               of.tournaments)  # fmt: skip
        numbered = number(made.results, made.players, made.tournaments)
        return digests(made, numbered, rules).to_list()

    before = hashes(some)
    alone = archive.select("t002")
    assert digests(
        alone, number(alone.results, alone.players, alone.tournaments), pl.Series([""])
    ).to_list() == [before[1]]
    assert hashes(some, pl.Series(["", "x", ""]))[1] != before[1]
    at = data.draw(st.integers(0, alone.results.height - 1))
    here = alone.results.row(at, named=True)
    cell = pl.col("tournament").eq("t002")
    for key in ("player", "round"):
        cell &= pl.col(key) == here[key]
    column, value = data.draw(
        st.sampled_from(
            [("points", here["points"] + 0.5), ("color", "b" if here["color"] == "w" else "w")]
        )
    )
    changed = some.results.with_columns(
        pl.when(cell).then(pl.lit(value)).otherwise(column).alias(column)
    )
    after = hashes(
        tb.Archive(changed, some.players, some.tournaments, some.findings, some.quarantine)
    )
    assert [a == b for a, b in zip(after, before, strict=True)] == [True, False, True]


def test_command(frames: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "out")
    command = ["recalc", str(frames), "--out", out, "--order", "PTS BH", "--games-a-part", "900"]
    assert main(command) == 0
    told = capsys.readouterr().err.splitlines()
    parts = len(list((tmp_path / "out" / "parts").iterdir()))
    assert sum(line.startswith("part ") for line in told) == parts
    assert "40 tournaments" in told[parts]
    assert "rows: " in told[parts + 1]
    assert main(command) == 2
    assert "give --overwrite" in capsys.readouterr().err
    assert main([*command, "--resume"]) == 0
    assert main([*command, "--overwrite", "--quiet"]) == 0
    assert main(["ledger", str(frames), "--out", f"{out}-ledger"]) == 0
    assert main(["recalc", f"{out}-ledger", "--out", f"{out}-2", "--order", "PTS BH"]) == 0
    one, two = tb.Recalculation(out), tb.Recalculation(f"{out}-2")
    assert_frame_equal(one.standings.collect(), two.standings.collect())


@pytest.mark.skipif(os.name != "posix", reason="needs a terminal of its own")
def test_the_bar_of_the_command(frames: Path, tmp_path: Path) -> None:
    import pty  # noqa: PLC0415  (only there where it works)

    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "tbframe", "recalc", str(frames), "--out", str(tmp_path / "o"),
               "--order", "PTS", "--games-a-part", "300"]  # fmt: skip
    with subprocess.Popen(command, stderr=follower, env={**os.environ, "COLUMNS": "100"}) as run:
        os.close(follower)
        shown = b""
        while True:
            try:
                piece = os.read(leader, 65536)
            except OSError:  # the other end is closed
                break
            shown += piece
            if not piece:
                break
    os.close(leader)
    assert run.returncode == 0
    assert b"of 40 tournaments" in shown
    assert b"/s" in shown
    assert b"rows: " in shown


def test_the_command_has_the_default_of_the_function() -> None:
    assert _GAMES == GAMES_A_PART
