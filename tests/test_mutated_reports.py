"""Damaged report files among good ones: none stops the reading, none is lost, none goes unnoticed.

The same files by the thousand: ``python -m benchmarks.mutated_reports FOLDER``.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import tbframe as tb

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where the benchmarks are
synthetic_reports: Any = import_module("benchmarks.synthetic_reports")
mutated_reports: Any = import_module("benchmarks.mutated_reports")

GOOD, MUTATED, SEED = 40, 300, 7


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("reports")
    return synthetic_reports.write_reports(folder, GOOD, MUTATED, SEED)


@pytest.fixture(scope="module")
def archive(reports: Any) -> tb.Archive:
    return tb.read(reports.folder)


def test_the_seed_decides(reports: Any, tmp_path: Path) -> None:
    synthetic_reports.write_reports(tmp_path, GOOD, 10, SEED)
    for path in [*tmp_path.glob("good/*"), *tmp_path.glob("mutated/*")]:
        assert path.read_bytes() == (reports.folder / path.parent.name / path.name).read_bytes()


def test_good_files_rank_as_the_archives_they_were_written_from(
    reports: Any, archive: tb.Archive
) -> None:
    assert sum(before.tournaments.height for before in reports.archives) == GOOD
    assert mutated_reports.unlike(reports, archive) == []
    # Alone, they say just what they say among the damaged ones.
    alone = tb.read(reports.folder / "good")
    assert alone.quarantine.is_empty()
    assert_frame_equal(archive.select(*alone.tournaments["tournament"]).results, alone.results)


def test_every_damaged_file_is_in_the_archive_or_in_quarantine(
    reports: Any, archive: tb.Archive
) -> None:
    table = mutated_reports.outcomes(reports, archive)
    assert table.height == MUTATED
    found = dict(table["outcome"].value_counts().rows())
    assert not {"both", "lost", "unnoticed"} & set(found), table.filter(
        pl.col("outcome").is_in(["both", "lost", "unnoticed"])
    ).rows()
    assert found["quarantined"] > MUTATED / 3  # or there was hardly any damage
    assert found["reported"] > MUTATED / 10
    assert archive.tournaments.height + archive.quarantine.height == GOOD + MUTATED


def test_no_row_is_lost(reports: Any, archive: tb.Archive) -> None:
    assert reports.files["kinds"].is_in(mutated_reports.ROWS_KEPT).sum() > 20
    assert mutated_reports.rows_lost(reports, archive) == []


def test_whatever_is_told_names_its_file(archive: tb.Archive) -> None:
    assert archive.findings["file"].null_count() == 0
    assert archive.quarantine["file"].null_count() == 0
    unreadable = archive.quarantine.filter(pl.col("code").str.starts_with("unreadable"))
    assert unreadable.height > 50
    assert unreadable["line"].null_count() == 0


def test_everything_can_be_asked_of_what_was_read(archive: tb.Archive) -> None:
    mutated_reports.ask_everything(archive)


def test_a_damaged_file_says_the_same_alone(reports: Any, archive: tb.Archive) -> None:
    for path in sorted(reports.folder.glob("mutated/*"))[::15]:
        alone = tb.read(path)
        for name in ("results", "findings", "quarantine"):
            frame = getattr(alone, name)
            among = getattr(archive, name).filter(tournament=path.stem)
            # Only with team events are there columns for them.
            assert_frame_equal(frame, among.select(frame.columns))
