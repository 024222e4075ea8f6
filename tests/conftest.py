"""What all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

#: Official values and real files that are kept beside the repository, not in it.
CASES = Path(__file__).resolve().parents[2] / "shared" / "cases"


@pytest.fixture(scope="session")
def cases() -> Path:
    """Return the folder of official cases, or skip where it is not at hand."""
    if not CASES.is_dir():
        pytest.skip("the folder of official cases is not beside this checkout")
    return CASES
