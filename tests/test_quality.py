"""The linter, the formatter and the type checker have nothing to say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize(
    "tool",
    [["ruff", "check"], ["ruff", "format", "--check"], ["mypy"]],
    ids=["ruff-check", "ruff-format", "mypy"],
)
def test_nothing_to_say(tool: list[str]):
    done = subprocess.run(
        [sys.executable, "-m", *tool], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
