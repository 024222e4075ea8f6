"""What a definition rests on: the digest changes with all of it, and doubts are told."""

from __future__ import annotations

import subprocess
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import tbframe as tb
from benchmarks.synthetic import mixed_sizes
from tbframe.tiebreaks.definition import TieBreak
from tbframe.tiebreaks.fingerprint import Basis, basis_of

#: A formula that rests on all kinds of things, each of which is changed below.
SOURCE = '''
import functools
import math
import numpy as np
import polars as pl
import tbframe as tb
from fractions import Fraction

FACTOR = 2
TABLE = {"win": [1, 2, (3, 4)], "loss": {5, 6}}
ARRAY = np.array([1, 2, 3])
FRAME = pl.DataFrame({"a": [1, 2]})
SHARE = Fraction(1, 2)
EDITION = tb.EDITIONS["2024-08"]
PARTIAL = functools.partial(pow, 2)

def inner(x):
    return x * INNER

INNER = 3

@functools.cache
def helper(x):
    """Say what it does."""
    return inner(x) + 1

def make(step):
    def formula(t, low=1, *, high=2):
        def nested(x):
            return x + 10
        import lab
        some = [each * FACTOR for each in (1, 2)]
        return t.score * helper(step) + lab.weight() + nested(low + high) + math.floor(SHARE)
    return formula

def other():
    return TABLE, ARRAY, FRAME, EDITION, PARTIAL

formula = make(7)
formula.rests_on = other
'''
LAB = """
from pathlib import Path
from typing import Final
W: Final = 5
def weight():
    return W
"""
CHANGES = [
    ("FACTOR = 2", "FACTOR = 3"),
    ("[1, 2, (3, 4)]", "[1, 2, (3, 5)]"),
    ("{5, 6}", "{5, 7}"),
    ('"win"', '"won"'),
    ("[1, 2, 3]", "[1, 2, 4]"),
    ('{"a": [1, 2]}', '{"a": [1, 3]}'),
    ("Fraction(1, 2)", "Fraction(1, 3)"),
    ('"2024-08"', '"2012"'),
    ("partial(pow, 2)", "partial(pow, 3)"),
    ("x * INNER", "x - INNER"),
    ("INNER = 3", "INNER = 3.0"),
    ("inner(x) + 1", "inner(x) + 2"),
    ("make(7)", "make(8)"),
    ("low=1", "low=2"),
    ("high=2", "high=3"),
    ("x + 10", "x + 11"),
    ("math.floor", "math.ceil"),
]
LAB_CHANGES = [("W: Final = 5", "W: Final = 6"), ("return W", "return -W")]


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Return how the module that the formula imports is made."""

    def make(source: str) -> None:
        module = types.ModuleType("lab")
        exec(compile(source, "lab.py", "exec"), vars(module))
        monkeypatch.setitem(sys.modules, "lab", module)

    make(LAB)
    return make


def made(source: str, name: str = "formula", **given: Any) -> Basis:
    space: dict[str, Any] = {"__name__": "somewhere"}
    exec(compile(source, "somewhere.py", "exec"), space)
    return basis_of(TieBreak("X", "A try", "this test", formula=space[name], **given))


@pytest.mark.parametrize(("old", "new"), CHANGES)
@pytest.mark.usefixtures("lab")
def test_whatever_a_formula_reaches_changes_its_digest(old: str, new: str) -> None:
    assert SOURCE.count(old) == 1
    before, after = made(SOURCE), made(SOURCE.replace(old, new))
    assert before.doubts == after.doubts == ()
    assert before.digest != after.digest
    assert made(SOURCE).digest == before.digest


@pytest.mark.parametrize(("old", "new"), LAB_CHANGES)
def test_a_module_of_ones_own_counts_as_a_whole(
    lab: Callable[[str], None], old: str, new: str
) -> None:
    before = made(SOURCE)
    lab(LAB.replace(old, new))
    assert made(SOURCE).digest != before.digest


@pytest.mark.usefixtures("lab")
def test_what_changes_no_value_changes_no_digest() -> None:
    more = "\n\n# A remark.\n" + SOURCE.replace("def inner(x):", "def inner(x):  # of a helper")
    assert made(more + "\nUNUSED = 1\n").digest == made(SOURCE).digest


@pytest.mark.parametrize(
    "given",
    [{"better": "lower"}, {"modifiers": "C"}, {"since": "2012"}, {"teams": "too"}, {"needs": "x"}],
)
@pytest.mark.usefixtures("lab")
def test_how_it_was_registered_counts(given: dict[str, Any]) -> None:
    assert made(SOURCE, **given).digest != made(SOURCE).digest


def test_the_order_of_a_set_does_not_count() -> None:
    """It is another one in every process, as text is hashed with a seed."""
    code = (
        "from tests.test_fingerprint import made\n"
        'print(made(\'WORDS = {"a", "b", "c", "d"}\\n\''
        '\'def formula(t):\\n    return 1 if 1 in WORDS else t.score in {"e", "f", "g"}\').digest)'
    )
    found = {
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True,
                       env={"PYTHONHASHSEED": str(seed), "PYTHONPATH": "."}).stdout
        for seed in (1, 2, 3)
    }  # fmt: skip
    assert len(found) == 1


@pytest.mark.parametrize(
    ("source", "doubt"),
    [
        ("class Own:\n    pass\nit = Own()", "it (of Own)"),
        ("class it:\n    x = 1", "it (a class of one's own)"),
        ("it = open", "open(), which may bring in anything"),
        ("it = [{1: object()}]", "it (of object)"),
        ("it = (each for each in (1, 2))", "it (of generator)"),
        ("import numpy as np\nit = np.array([object()])", "it (of ndarray)"),
    ],
)
def test_what_cannot_be_followed_is_told(source: str, doubt: str) -> None:
    basis = made(f"{source}\ndef formula(t):\n    return it")
    assert basis.doubts == (doubt,)
    assert made("def formula(t):\n    return open('x')").doubts == (
        "open(), which may bring in anything",
    )
    assert made("def formula(t):\n    import no_such_module").doubts == (
        "the module no_such_module, which cannot be imported from here",
    )


def test_what_refers_to_itself_ends() -> None:
    source = "def formula(t):\n    return formula(t) if LIST else other(t)\n"
    source += "def other(t):\n    return formula(t)\nLIST = [1]\nLIST.append(LIST)\n"
    assert made(source).doubts == ()
    assert made(source).digest != made(source.replace("[1]", "[2]")).digest


# taking over


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("source")
    tb.write_frames(tb.from_results(mixed_sizes(6, seed=3, sizes=(8, 9))), folder)
    return folder


FACTOR = 2
HELD: Any = None


def times(score: np.ndarray) -> Any:
    return score * FACTOR


def twice(t: tb.Batch) -> Any:
    return times(t.score)


def by_what_is_held(t: tb.Batch) -> Any:
    return t.score * HELD.factor


def recalculated(source: Path, out: Path) -> tuple[int, int]:
    """Return by how much the values are multiples of the points, and how many were taken over."""
    done = tb.recalc(source, out, "PTS MINE", changed_only=True)
    factor = done.standings.filter(pl.col("PTS") > 0).select(pl.col("MINE") / pl.col("PTS"))
    return factor.unique().collect().item(), done.manifest["totals"]["taken_over"]


@pytest.fixture
def define() -> Iterator[Callable[[Any], None]]:
    def define(formula: Any) -> None:
        if "MINE" in tb.catalogue()["code"]:
            tb.forget("MINE")
        tb.tiebreak("MINE", name="A multiple", source="this test")(formula)

    yield define
    tb.forget("MINE")


def test_a_changed_constant_or_closure_is_seen(
    source: Path, tmp_path: Path, define: Callable[[Any], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    define(twice)
    assert recalculated(source, tmp_path / "out") == (2, 0)
    assert recalculated(source, tmp_path / "out") == (2, 6)
    monkeypatch.setitem(globals(), "FACTOR", 3)
    assert recalculated(source, tmp_path / "out") == (3, 0)
    monkeypatch.setitem(globals(), "times", lambda score: score * 4)
    assert recalculated(source, tmp_path / "out") == (4, 0)
    for factor in (5, 6):
        define(lambda t, factor=factor: t.score * factor)
        assert recalculated(source, tmp_path / "out") == (factor, 0)
        assert recalculated(source, tmp_path / "out") == (factor, 6)


def test_a_definition_in_doubt_is_always_computed(
    source: Path, tmp_path: Path, define: Callable[[Any], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Own:
        factor = 2

    monkeypatch.setitem(globals(), "HELD", Own())
    define(by_what_is_held)
    assert recalculated(source, tmp_path / "out") == (2, 0)
    Own.factor = 3
    with pytest.warns(tb.FindingWarning, match=r"definition of MINE has changed cannot be told"):
        assert recalculated(source, tmp_path / "out") == (3, 0)
    (note,) = tb.Recalculation(tmp_path / "out").manifest["notes"]
    assert "rests on HELD (of " in note
    assert "all tournaments are computed again" in note
