"""Output folders: nothing that was there is lost, and nothing that was altered is trusted."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from filelock import FileLock
from polars.testing import assert_frame_equal

import tbframe as tb
from benchmarks.synthetic import mixed_sizes
from tbframe.cli import main
from tbframe.recalculation.differing import what_differs

ORDER = "PTS BH/C1 BH SB"


class Stopped(BaseException):
    """As if the process had ended."""


def stop_after(parts: int) -> Callable[[Any], None]:
    def tell(state: Any) -> None:
        if state.parts >= parts:
            raise Stopped

    return tell


def everything(folder: Path) -> dict[str, bytes | None]:
    """All that is in a folder, folders too; but the lock, which stays for good."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
        if path.name != ".lock"
    }


@pytest.fixture(scope="module")
def archive() -> tb.Archive:
    results = mixed_sizes(8, seed=3, sizes=(8, 9, 17)).with_columns(
        tournament=pl.format("t{}", "tournament")
    )
    return tb.from_results(results)


@pytest.fixture
def frames(archive: tb.Archive, tmp_path: Path) -> Path:
    tb.write_frames(archive, tmp_path / "frames")
    return tmp_path / "frames"


@pytest.fixture
def ledger(archive: tb.Archive, tmp_path: Path) -> Path:
    return tb.write_ledger(archive, tmp_path / "ledger", games_a_part=60)


@pytest.fixture
def out(frames: Path, tmp_path: Path) -> Path:
    """A finished dataset of several parts."""
    done = tb.recalc(frames, tmp_path / "out", ORDER, games_a_part=60)
    assert len(done.manifest["parts"]) > 3
    return done.folder


def part_of(out: Path, number: int, name: str = "standings.parquet") -> Path:
    return out / "parts" / f"{number:05d}" / name


# source and output apart


def _same(source: Path) -> tuple[Any, Path]:
    return source, source


def _through_a_link(source: Path) -> tuple[Any, Path]:
    link = source.parent / "link"
    link.symlink_to(source)
    return source, link


def _inside(source: Path) -> tuple[Any, Path]:
    return source, source / "deep" / "inside"


def _around(source: Path) -> tuple[Any, Path]:
    return source, source.parent


def _in_a_list(source: Path) -> tuple[Any, Path]:
    return [str(source.parent / "elsewhere"), source], source / "out"


def _by_a_pattern(source: Path) -> tuple[Any, Path]:
    return str(source.parent / "*"), source.parent / "new"


def _by_a_deep_pattern(source: Path) -> tuple[Any, Path]:
    return str(source.parent / "**" / "*.parquet"), source


def _by_a_link_in_it(source: Path) -> tuple[Any, Path]:
    target = source.parent / "target"
    target.mkdir()
    (source / "link").symlink_to(target)
    return source, target


@pytest.mark.skipif(os.name != "posix", reason="links need rights elsewhere")
@pytest.mark.parametrize(
    "where",
    [_same, _through_a_link, _inside, _around, _in_a_list, _by_a_pattern, _by_a_deep_pattern,
     _by_a_link_in_it],
)  # fmt: skip
@pytest.mark.parametrize("job", ["recalc", "write_ledger"])
@pytest.mark.parametrize("overwrite", [False, True])
def test_no_run_writes_into_its_source(
    ledger: Path, where: Callable[[Path], tuple[Any, Path]], job: str, overwrite: bool
) -> None:
    source, target = where(ledger)
    before = everything(ledger.parent)
    run = partial(tb.recalc, order=ORDER) if job == "recalc" else tb.write_ledger
    with pytest.raises(tb.SourceError, match="apart from it"):
        run(source, target, overwrite=overwrite)
    assert everything(ledger.parent) == before


def test_no_run_writes_around_the_database_of_its_mapping(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    with sqlite3.connect(folder / "games.sqlite") as database:
        database.execute("CREATE TABLE games (tournament, round, white, black, result)")
    database.close()
    mapping = tmp_path / "mapping.toml"
    mapping.write_text('database = "out/games.sqlite"\n[games]\ntable = "games"\n')
    before = everything(tmp_path)
    with pytest.raises(tb.SourceError, match=r"out holds the source .*games.sqlite: name a folder"):
        tb.recalc(mapping, folder, ORDER, overwrite=True)
    assert everything(tmp_path) == before


def test_beside_each_other_is_apart(ledger: Path, frames: Path) -> None:
    """A name that begins like the source's, and a pattern that matches something else."""
    tb.recalc(ledger, f"{ledger}-2", "PTS")
    reports = frames.parent / "reports"
    tb.write_trf(tb.read(frames), reports, version="26")
    tb.recalc(str(reports / "*.trf"), reports / "out", "PTS")


def test_the_command_keeps_them_apart(
    ledger: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = everything(ledger)
    command = [str(ledger), "--out", str(ledger), "--overwrite"]
    assert main(["recalc", *command, "--order", "PTS"]) == 2
    assert "is the source itself: name a folder apart from it" in capsys.readouterr().err
    assert main(["ledger", *command]) == 2
    assert everything(ledger) == before


# what may be replaced


def test_another_kind_of_dataset_is_not_replaced(frames: Path, out: Path, ledger: Path) -> None:
    for way in ({}, {"overwrite": True}, {"resume": True}):
        before = everything(out), everything(ledger)
        with pytest.raises(tb.SourceError, match="holds a ledger, which a recalculation does not"):
            tb.recalc(frames, ledger, ORDER, **way)
        with pytest.raises(tb.SourceError, match="holds a recalculation, which a ledger does not"):
            tb.write_ledger(frames, out, **way)
        assert (everything(out), everything(ledger)) == before
    with pytest.raises(tb.SourceError, match="holds a ledger"):
        tb.recalc(frames, ledger, ORDER, changed_only=True)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"settings": {"kind": "ledger"}}'])
def test_a_broken_manifest_is_named_and_may_be_replaced(frames: Path, out: Path, text: str) -> None:
    whole = everything(out)
    (out / "manifest.json").write_text(text)
    message = r"out/manifest.json: cannot be read as the manifest of a dataset"
    with pytest.raises(tb.SourceError, match=message):
        tb.Recalculation(out)
    for way in ({}, {"resume": True}, {"changed_only": True}):
        with pytest.raises(tb.SourceError, match=f"{message}.*; give overwrite=True"):
            tb.recalc(frames, out, ORDER, games_a_part=60, **way)
    with pytest.raises(tb.SourceError, match="holds a recalculation"):
        tb.write_ledger(frames, out, overwrite=True)
    tb.recalc(frames, out, ORDER, games_a_part=60, overwrite=True)
    assert everything(out) == whole


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (["settings"], None), (["settings", "kind"], "other"), (["complete"], "yes"),
        (["totals"], None), (["totals", "rows"], 5), (["parts"], []),
        (["parts", "00001", "files"], None), (["parts", "00001", "tournaments"], "3"),
        (["parts", "00001", "files", "standings.parquet", "sha256"], None),
    ],
)  # fmt: skip
def test_whatever_a_manifest_lacks_is_said(out: Path, place: list[str], value: Any) -> None:
    manifest = json.loads((out / "manifest.json").read_text())
    inner = manifest
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    (out / "manifest.json").write_text(json.dumps(manifest))
    for ask in (
        lambda: tb.Recalculation(out),
        lambda: tb.diff(out, out),
        lambda: tb.recalc(out, out.parent / "again", ORDER),
        lambda: tb.recalc(out.parent / "frames", out, ORDER, resume=True),
    ):
        with pytest.raises(tb.SourceError, match=r"out/manifest.json: cannot be read"):
            ask()
    assert [row["code"] for row in tb.read(out).quarantine.to_dicts()] == ["unreadable-table"]


def test_parts_without_a_manifest_may_be_replaced(frames: Path, out: Path) -> None:
    whole = everything(out)
    (out / "manifest.json").unlink()
    with pytest.raises(tb.SourceError, match=r"there is no manifest.json; give overwrite=True"):
        tb.recalc(frames, out, ORDER, games_a_part=60)
    tb.recalc(frames, out, ORDER, games_a_part=60, overwrite=True)
    assert everything(out) == whole
    (out / "manifest.json").unlink()
    (out / "parts" / "notes.txt").write_text("mine")
    with pytest.raises(tb.SourceError, match="holds other files"):
        tb.recalc(frames, out, ORDER, overwrite=True)


@pytest.mark.parametrize("failing", ["source", "order", "table", "games"])
def test_nothing_is_removed_before_the_run_can_begin(out: Path, failing: str) -> None:
    source, order, games = str(out.parent / "frames"), ORDER, 60
    if failing == "source":
        source = str(out.parent / "nowhere")
    elif failing == "order":
        order = "PTS NONSENSE"
    elif failing == "table":
        table = out.parent / "frames" / "results.parquet"
        pl.read_parquet(table).drop("opponent").write_parquet(table)
    else:
        games = 0
    before = everything(out)
    for way in ({"overwrite": True}, {"resume": True}, {"changed_only": True}):
        with pytest.raises(tb.TbframeError):
            tb.recalc(source, out, order, games_a_part=games, **way)
        assert everything(out) == before
    assert tb.Recalculation(out).standings.collect().height > 0


def test_nothing_is_left_where_a_run_could_not_begin(frames: Path, tmp_path: Path) -> None:
    before = everything(tmp_path)
    with pytest.raises(tb.SourceError):
        tb.recalc(tmp_path / "nowhere", tmp_path / "new" / "deep", ORDER)
    assert everything(tmp_path) == before
    (tmp_path / "empty").mkdir()
    with pytest.raises(tb.SourceError):
        tb.recalc(tmp_path / "nowhere", tmp_path / "empty", ORDER)
    assert list((tmp_path / "empty").iterdir()) == []
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "letter.txt").write_text("Dear Sir or Madam")
    with pytest.raises(tb.SourceError, match=r"holds other files \(letter.txt\)"):
        tb.recalc(frames, mine, ORDER, overwrite=True)
    assert [path.name for path in mine.iterdir()] == ["letter.txt"]


def test_what_an_unfinished_run_has_read_is_kept_for_it(tmp_path: Path) -> None:
    """A database is read once: another run that cannot begin must not take that away."""
    with sqlite3.connect(tmp_path / "games.sqlite") as database:
        database.execute("CREATE TABLE games (tournament, round, white, black, result)")
        rows = [(f"t{n}", 1, "A", "B", "1-0") for n in range(20)]
        database.executemany("INSERT INTO games VALUES (?, ?, ?, ?, ?)", rows)
    database.close()
    mapping = tmp_path / "mapping.toml"
    mapping.write_text('database = "games.sqlite"\n[games]\ntable = "games"\n')
    out = tmp_path / "out"
    with pytest.raises(Stopped):
        tb.recalc(mapping, out, "PTS", games_a_part=5, workers=1, progress=stop_after(2))
    before = everything(out)
    assert any(name.startswith(".beside/database") for name in before)
    for source in ("nowhere", "other.toml"):
        (tmp_path / "other.toml").write_text('database = "none.sqlite"\n[games]\ntable = "g"\n')
        with pytest.raises(tb.SourceError):
            tb.recalc(tmp_path / source, out, "PTS", games_a_part=5, overwrite=True)
        assert everything(out) == before
    other = tmp_path / "other.toml"
    other.write_text(mapping.read_text().replace("table =", 'query = "SELECT * FROM games" #'))
    with pytest.raises(tb.SourceError, match="the source has changed, or is another one"):
        tb.recalc(other, out, "PTS", games_a_part=5, resume=True)
    assert everything(out) == before
    (tmp_path / "games.sqlite").unlink()
    done = tb.recalc(mapping, out, "PTS", games_a_part=5, resume=True)
    assert done.manifest["totals"]["tournaments"] == 20
    assert not (out / ".beside").exists()


def test_two_wishes_that_contradict_each_other(frames: Path, out: Path) -> None:
    with pytest.raises(tb.SourceError, match="contradict each other"):
        tb.recalc(frames, out, ORDER, resume=True, overwrite=True)


def test_a_run_that_was_stopped_at_its_very_beginning(frames: Path, tmp_path: Path) -> None:
    """What it left is of no one else, so the next one takes the folder."""
    folder = tmp_path / "new"
    for left in (".beside", ".beside.old", "parts", "parts.old", "parts.next"):
        (folder / left).mkdir(parents=True)
    (folder / ".manifest.json.tmp").write_text("{")
    (folder / "parts.next").rmdir()
    done = tb.recalc(frames, folder, ORDER)
    assert done.standings.collect().height > 0


# what was altered


def _remove_a_file(out: Path) -> str:
    part_of(out, 1).unlink()
    return "part 00001: standings.parquet is missing"


def _remove_a_part(out: Path) -> str:
    shutil.rmtree(out / "parts" / "00002")
    return "part 00002: is missing"


def _truncate(out: Path) -> str:
    path = part_of(out, 0)
    path.write_bytes(path.read_bytes()[:-7])
    return r"part 00000: standings.parquet has [\d,]+ bytes, and [\d,]+ were written"


def _add_a_part(out: Path) -> str:
    shutil.copytree(out / "parts" / "00001", out / "parts" / "00099")
    return "part 00099: is none of the dataset's"


def _other_bytes(out: Path) -> str:
    path = part_of(out, 1)
    data = bytearray(path.read_bytes())
    data[200] ^= 255
    path.write_bytes(data)
    return "part 00001: standings.parquet is not as it was written"


def _other_summary(out: Path) -> str:
    path = part_of(out, 1, "part.json")
    path.write_text(path.read_text().replace('"tournaments": ', '"tournaments": 1'))
    return "part 00001: part.json is not as it was written"


SEEN = [_remove_a_file, _remove_a_part, _truncate, _add_a_part]
READ = [_other_bytes, _other_summary]


@pytest.mark.parametrize("alter", [*SEEN, *READ])
def test_altered_datasets_are_told_and_mended(
    frames: Path, out: Path, alter: Callable[[Path], str]
) -> None:
    whole = everything(out)
    message = alter(out)
    if alter in SEEN:
        with pytest.raises(tb.SourceError, match=f"not as it was written .*{message}"):
            tb.Recalculation(out)
    else:
        with pytest.raises(tb.SourceError, match=f"{message}.*resume=True, from the same source"):
            tb.Recalculation(out).verify()
    with pytest.raises(tb.SourceError, match=message):
        tb.diff(out, out)
    told: list[Any] = []
    with pytest.warns(tb.FindingWarning, match=f"{message}.*: computed again"):
        tb.recalc(frames, out, ORDER, games_a_part=60, resume=True, progress=told.append)
    assert any("computed again" in note for note in told[0].notes)
    assert everything(out) == whole
    tb.Recalculation(out).verify()


def test_a_ledger_is_mended_too(archive: tb.Archive, ledger: Path) -> None:
    whole = everything(ledger)
    path = part_of(ledger, 1, "players.parquet")
    data = bytearray(path.read_bytes())
    data[100] ^= 255
    path.write_bytes(data)
    with pytest.warns(tb.FindingWarning, match="players.parquet is not as it was written"):
        tb.write_ledger(archive, ledger, games_a_part=60, resume=True)
    assert everything(ledger) == whole


@pytest.mark.parametrize("alter", [_remove_a_file, _truncate, _other_bytes])
def test_parts_of_an_unfinished_run_are_looked_at(
    frames: Path, out: Path, tmp_path: Path, alter: Callable[[Path], str]
) -> None:
    stopped = tmp_path / "stopped"
    with pytest.raises(Stopped):
        tb.recalc(frames, stopped, ORDER, games_a_part=60, workers=1, progress=stop_after(3))
    message = alter(stopped)
    with pytest.warns(tb.FindingWarning, match=message):
        tb.recalc(frames, stopped, ORDER, games_a_part=60, resume=True)
    assert everything(stopped) == everything(out)


@pytest.mark.parametrize("changed_only", [False, True])
@pytest.mark.parametrize("harm", ["remove", "truncate"])
def test_parts_that_are_altered_during_a_run(
    frames: Path, out: Path, changed_only: bool, harm: str
) -> None:
    whole = {name: data for name, data in everything(out).items() if not name.endswith(".json")}
    folder = out if changed_only else out.parent / "new"
    parts = folder / ("parts.next" if changed_only else "parts")

    def tell(state: Any) -> None:
        if state.parts == 2:
            part = next(parts.glob("0*"))
            if harm == "remove":
                shutil.rmtree(part)
            else:
                (part / "findings.parquet").write_bytes(b"")

    message = r"changed while the run was going on \(part 0000\d: .*resume=True to go on"
    with pytest.raises(tb.SourceError, match=message):
        tb.recalc(frames, folder, ORDER, games_a_part=60, workers=1, progress=tell,
                  changed_only=changed_only)  # fmt: skip
    tb.recalc(frames, folder, ORDER, games_a_part=60, resume=True)
    found = everything(folder)
    assert {name: data for name, data in found.items() if not name.endswith(".json")} == whole


# changed_only


@pytest.mark.parametrize("alter", [*SEEN, *READ])
def test_nothing_is_taken_over_that_was_altered(
    frames: Path, out: Path, archive: tb.Archive, alter: Callable[[Path], str]
) -> None:
    expected = archive.standings(ORDER)
    before = tb.Recalculation(out).manifest
    message = alter(out)
    with pytest.warns(tb.FindingWarning, match=f"{message}.*: its tournaments are computed again"):
        done = tb.recalc(frames, out, ORDER, games_a_part=60, changed_only=True)
    assert_frame_equal(done.standings.collect(), expected)
    assert done.quarantine.collect().is_empty()
    done.verify()
    assert any("computed again" in note for note in done.manifest["notes"])
    lost = 0 if alter is _add_a_part else before["parts"][message[5:10]]["tournaments"]
    assert done.manifest["totals"]["taken_over"] == archive.tournaments.height - lost


def test_a_stopped_run_with_changed_only_goes_on_by_resume_alone(frames: Path, out: Path) -> None:
    before = tb.Recalculation(out).standings.collect()
    for first in (True, False):  # a dataset to take over from, and none
        if not first:
            shutil.rmtree(out)
        with pytest.raises(Stopped):
            tb.recalc(frames, out, "PTS", games_a_part=60, changed_only=True, workers=1,
                      progress=stop_after(2))  # fmt: skip
        if first:
            assert tb.Recalculation(out).standings.collect().equals(before)
            with pytest.raises(tb.SourceError, match="unfinished run with changed_only=True"):
                tb.recalc(frames, out, "PTS", games_a_part=60)
        told: list[Any] = []
        done = tb.recalc(frames, out, "PTS", games_a_part=60, resume=True, progress=told.append)
        assert told[0].parts >= 2
        assert done.standings.collect_schema().names() == [
            "tournament", "rank", "player", "name", "PTS", "decided_by"
        ]  # fmt: skip
        assert sorted(path.name for path in out.iterdir()) == [".lock", "manifest.json", "parts"]


def test_overwriting_drops_an_unfinished_replacement(frames: Path, out: Path) -> None:
    whole = everything(out)
    with pytest.raises(Stopped):
        tb.recalc(frames, out, "PTS", games_a_part=60, changed_only=True, workers=1,
                  progress=stop_after(2))  # fmt: skip
    tb.recalc(frames, out, ORDER, games_a_part=60, overwrite=True)
    assert everything(out) == whole
    (out / "parts.next" / "00000").mkdir(parents=True)  # nothing says what it is
    done = tb.recalc(frames, out, ORDER, games_a_part=60, changed_only=True)
    assert done.manifest["totals"]["taken_over"] == done.manifest["totals"]["tournaments"] == 8


# messages


def test_what_differs_is_said_in_words(frames: Path, out: Path, ledger: Path) -> None:
    def ask(source: Any = frames, order: str = ORDER, **more: Any) -> str:
        with pytest.raises(tb.SourceError, match="cannot be resumed") as told:
            tb.recalc(source, out, order, resume=True, **{"games_a_part": 60} | more)
        assert "{" not in str(told.value)
        return str(told.value)

    assert "games_a_part was 60, is 90" in ask(games_a_part=90)
    assert "edition was 'auto', is '2012'" in ask(edition="2012")
    assert "order was 'PTS BH/C1 BH SB', is 'PTS'" in ask(order="PTS")
    assert "the source was tables, is a ledger" in ask(ledger)
    table = frames / "results.parquet"
    pl.read_parquet(table).head(30).write_parquet(table)
    assert "the source has changed, or is another one" in ask()
    settings = {"versions": {"polars": "2.0"}, "definitions": {"X": "1"}}
    assert what_differs(settings, settings) == []
    now = {"versions": {"polars": "2.1"}, "definitions": {"X": "2"}}
    assert what_differs(settings, now) == [
        "polars was 2.0, is 2.1", "the definition of X has changed",
    ]  # fmt: skip


def test_a_hint_to_go_on_is_given_where_one_can(frames: Path, tmp_path: Path) -> None:
    """Before a run has begun there is nothing to go on with, and a damaged file stays damaged."""
    (tmp_path / "file").write_text("")
    with pytest.raises(tb.SourceError, match="cannot be written") as told:
        tb.recalc(frames, tmp_path / "file" / "out", "PTS")
    assert "resume" not in str(told.value)
    table = frames / "results.parquet"
    data = bytearray(table.read_bytes())
    data[100:300] = bytes(200)
    table.write_bytes(data)
    with pytest.raises(tb.SourceError, match=r"results.parquet: .* cannot be read") as told:
        tb.recalc(frames, tmp_path / "new", "PTS")
    assert "resume" not in str(told.value)
    assert not (tmp_path / "new").exists()


def test_rows_are_result_rows_of_every_source(tmp_path: Path) -> None:
    """Two games and two byes come out, 2 x 2 + 2 rows; three games are set aside, 3 x 2 rows."""
    games = pl.DataFrame(
        [
            ("good", 1, "A", "B", "1-0"),
            ("good", 2, "A", "B", "0-1"),
            ("good", 1, "C", "bye", "1-0"),
            ("bad", 1, "A", "A", "1-0"),
            ("bad", 2, "A", "B", "1-0"),
            ("bad", 2, "C", "D", "1-0"),
        ],
        schema=["tournament", "round", "white", "black", "result"], orient="row",
    )  # fmt: skip
    byes = pl.DataFrame({"tournament": ["good"], "round": [2], "player": ["C"], "type": ["HPB"]})
    (tmp_path / "tables").mkdir()
    games.write_parquet(tmp_path / "tables" / "games.parquet")
    byes.write_parquet(tmp_path / "tables" / "byes.parquet")
    archive = tb.from_games(games, byes=byes)
    ledger = tb.write_ledger(tmp_path / "tables", tmp_path / "ledger")
    assert archive.quarantine["rows"].to_list() == [6]
    for number, source in enumerate((tmp_path / "tables", archive, ledger)):
        done = tb.recalc(source, tmp_path / f"out{number}", "PTS")
        assert done.manifest["totals"]["rows"] == {"in": 12, "out": 6, "quarantined": 6}
        assert done.quarantine.collect()["rows"].to_list() == [6]
        assert done.tournaments.collect()["rows"].to_list() == [6]


def test_the_command_says_what_it_took_over_and_set_aside(
    archive: tb.Archive, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "source", tmp_path / "out"
    results = archive.results.with_columns(
        opponent=pl.when(pl.col("tournament").is_in(["t2", "t5"]), pl.col("round") == 1)
        .then("player")
        .otherwise("opponent")
    )
    source.mkdir()
    results.write_parquet(source / "results.parquet")
    command = ["recalc", str(source), "--out", str(out), "--order", "PTS", "--games-a-part", "60"]
    assert main([*command, "--changed-only"]) == 1
    told = capsys.readouterr().err
    assert "taken over: 0 tournaments, computed: 6" in told
    assert "quarantined: 2 tournaments or files" in told
    assert "2 x quarantined " in told
    assert "(first: tournament t2)" in told
    assert "all of them: " in told
    _other_bytes(out)
    before = json.loads((out / "manifest.json").read_text())["parts"]["00001"]["tournaments"]
    assert main([*command, "--changed-only"]) == 1
    told = capsys.readouterr().err
    assert "part 00001: standings.parquet is not as it was written: its tournaments are" in told
    assert f"taken over: {6 - before} tournaments, computed: {before}" in told
    _remove_a_part(out)
    assert main([*command, "--resume"]) == 1
    assert "part 00002: is missing: computed again" in capsys.readouterr().err
    assert main([*command, "--resume", "--games-a-part", "90"]) == 2
    assert "--games-a-part was 60, is 90); give --overwrite" in capsys.readouterr().err


def test_a_lock_of_another_process_is_left(frames: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new"
    folder.mkdir()
    with FileLock(folder / ".lock"), pytest.raises(tb.SourceError, match="another process"):
        tb.recalc(frames, folder, "PTS")
    assert (folder / ".lock").exists()
