"""The package's front door: what loads when, and that every name is there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tbframe as tb

ROOT = Path(__file__).resolve().parents[1]


def in_fresh_python(code: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_importing_the_package_loads_no_polars():
    in_fresh_python(
        "import sys, tbframe as tb\n"
        "assert not {'polars', 'numpy', 'pyarrow', 'dataframely', 'rich'} & set(sys.modules)\n"
        "assert set(tb.__all__) <= set(dir(tb))\n"
        "assert tb.EDITIONS['2012'].key == '2012'\n"
        "assert 'polars' not in sys.modules\n"
        "assert tb.read.__module__.startswith('tbframe.sources')\n"
        "assert 'polars' in sys.modules\n"
    )


@pytest.mark.parametrize(
    "imports",
    [
        "import polars as pl, tbframe as tb",
        "import tbframe as tb, polars as pl; tb.Archive",
        "from tbframe import from_games as _; import polars as pl",
    ],
)
def test_frames_get_their_namespace(imports: str):
    in_fresh_python(f"{imports}\nassert pl.DataFrame().tb and pl.LazyFrame().tb")


def test_a_module_does_not_hide_the_function_of_its_name():
    in_fresh_python(
        "import tbframe.standings, tbframe.editions, tbframe as tb\n"
        "assert tb.editions().height == len(tb.EDITIONS)\n"
    )


def test_a_name_that_is_not_there():
    assert tb.read
    with pytest.raises(AttributeError, match="has no attribute 'red'"):
        _ = tb.red
