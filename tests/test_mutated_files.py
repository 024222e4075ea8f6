"""Damaged files of every format: read or refused, with file and reason, never more."""

from __future__ import annotations

import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import tbframe as tb

sys.path.append(str(Path(__file__).resolve().parents[1]))  # where the benchmarks are
sample_files: Any = import_module("benchmarks.sample_files")
mutated_files: Any = import_module("benchmarks.mutated_files")

FILES, SEED, SECONDS = 300, 4, 10


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    paths: list[Path] = sample_files.write_samples(tmp_path_factory.mktemp("samples"))
    return paths


def test_the_good_files_are_read_whole(samples: list[Path]) -> None:
    assert len(samples) > 20
    for path in samples:
        archive = tb.read(path)
        assert archive.quarantine.is_empty(), path
        assert archive.tournaments.height == (1 if "games.pgn" not in path.name else 4) or (
            path.name == "games.zip"
        )


def test_the_seed_decides(samples: list[Path]) -> None:
    one, two = (
        [content for _, _, content in mutated_files.mutated(samples, range(20), SEED)]
        for _ in range(2)
    )
    assert one == two
    assert len(set(one)) == 20


@pytest.mark.filterwarnings("ignore::tbframe.FindingWarning")
def test_damaged_files_are_read_or_refused_in_time(samples: list[Path], tmp_path: Path) -> None:
    outcomes = set()
    for number, sample, content in mutated_files.mutated(samples, range(FILES), SEED):
        path = tmp_path / sample.name
        path.write_bytes(content)
        start = time.process_time()
        outcome, fault = mutated_files.judge(path, ask=number % 5 == 0)
        assert fault is None, f"number {number}, {sample.name}"
        assert time.process_time() - start < SECONDS, f"number {number}, {sample.name}"
        outcomes.add(outcome)
    assert {"read", "quarantined"} <= outcomes
