"""PGN files as a source of recalculations: in parts, in bounded memory, as if read at once."""

from __future__ import annotations

import random
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import tbframe as tb
from tbframe.recalculation import pgn_files

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where the benchmarks are
pgn_archive: Any = import_module("benchmarks.pgn_archive")

ORDER = "PTS BH SB"
GAME = '[Event "{}"]\n[Date "{}"]\n[Round "{}"]\n[White "{}"]\n[Black "{}"]\n[Result "{}"]\n\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of PGN files over which the games of all tournaments are strewn."""
    folder = tmp_path / "games"
    folder.mkdir()
    pgn_archive.write_archive(folder / "odd.pgn", 1_500, odd=0.3)
    dice = random.Random(3)
    texts = []
    for number in range(40):
        names = [f"P{k}" for k in range(6)]
        for turn in range(1, 6):
            dice.shuffle(names)
            for white, black in zip(names[:3], names[3:], strict=True):
                result = dice.choice(["1-0", "0-1", "1/2-1/2", "*"])
                date = f"20{number % 3:02}.01.{turn:02}"
                head = GAME.format(f"Cup {number // 3}", date, turn, white, black, result)
                texts.append(f"{head}1. {dice.random()} {result}\n\n")
    dice.shuffle(texts)
    for name, some in (("a.pgn", texts[::2]), ("b.pgn", texts[1::2])):
        (folder / name).write_text("".join(some), encoding="utf-8")
    (folder / "notes.txt").write_text("nothing\n")
    (folder / "empty.pgn").write_text("no game\n")
    return folder


def test_in_parts_everything_is_as_at_once(folder: Path, tmp_path: Path) -> None:
    made = tb.recalc(folder, tmp_path / "out", order=ORDER, games_a_part=100)
    assert len(made.manifest["parts"]) > 5
    at_once = tb.read(folder)
    with pytest.warns(tb.FindingWarning):
        expected = at_once.standings(ORDER)
    found = made.standings.collect().sort("tournament", "rank", "player")
    expected = expected.sort("tournament", "rank", "player")
    assert found["tournament"].n_unique() == at_once.tournaments.height > 40
    assert_frame_equal(found.select(expected.columns), expected)
    aside = made.quarantine.collect()
    assert set(aside["file"]) == set(at_once.quarantine["file"]) == {str(folder / "empty.pgn")}


def test_what_is_found_is_told_once_and_with_its_file(folder: Path, tmp_path: Path) -> None:
    made = tb.recalc(folder, tmp_path / "out", order=ORDER, games_a_part=100)
    told = made.findings.collect()
    at_once = tb.read(folder).findings.filter(pl.col("code") != "read-as")
    for code in ("tag-truncated", "rounds-read-as", "tag-twice", "names-alike"):
        rows = at_once.filter(code=code).sort("file", "line", "tournament", "player")
        same = told.filter(code=code).sort("file", "line", "tournament", "player")
        assert_frame_equal(same.select(rows.columns), rows)
    passed_over = told.filter(code="file-passed-over")
    assert passed_over["file"].to_list() == [str(folder / "notes.txt")]
    assert told.filter(code="incomplete").height > 0


def test_a_name_with_too_many_games_is_set_aside(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pgn_files, "MOST_GAMES", 100)
    made = tb.recalc(folder, tmp_path / "out", order=ORDER, games_a_part=100)
    aside = made.quarantine.collect().filter(code="too-many-games")
    assert set(aside["tournament"]) == {f"Open {k}, Town NED" for k in range(7)}
    assert aside["rows"].min() > 200
    left = made.standings.collect()["tournament"].str.strip_suffix(", 2019")
    assert left.n_unique() > 40
    assert not set(left) & set(aside["tournament"])


def test_files_without_any_game_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.pgn").write_text("no game\n")
    with pytest.raises(tb.SourceError, match="no game"):
        tb.recalc(tmp_path / "empty.pgn", tmp_path / "out", order=ORDER)


def test_a_ledger_of_pgn_files_reads_as_they_do(folder: Path, tmp_path: Path) -> None:
    tb.write_ledger(folder, tmp_path / "ledger", games_a_part=300)
    columns = ["tournament", "player", "round", "game", "opponent", "result"]
    found, expected = (tb.read(path).results for path in (tmp_path / "ledger", folder))
    columns = [name for name in columns if name in found.columns and name in expected.columns]
    assert_frame_equal(found.select(columns).sort(columns), expected.select(columns).sort(columns))
