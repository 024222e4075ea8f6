import numpy as np
import polars as pl
import pytest

from tbframe.schema import FINDINGS, QUARANTINE
from tbframe.sources.trf.notes import Notes


@pytest.fixture
def notes() -> Notes:
    return Notes(pl.Series(["in/a.trf", "in/b.trf"]), pl.Series(["a", "b"]))


def test_findings_say_where(notes: Notes) -> None:
    notes.find(
        "kind",
        "warning",
        pl.format("{} is odd", "word"),
        file=np.array([0, 1]),
        line=np.array([3, 4]),
        round=np.array([0, 2]),
        player=np.array([0, 7]),
        word=pl.Series(["x", "y"]),
    )
    notes.find("other", "info", "nothing more", file=[1])
    assert notes.findings().rows() == [
        ("in/a.trf", 3, "a", None, None, "warning", "kind", "x is odd"),
        ("in/b.trf", 4, "b", 2, "7", "warning", "kind", "y is odd"),
        ("in/b.trf", None, "b", None, None, "info", "other", "nothing more"),
    ]
    assert notes.findings().schema == pl.Schema(FINDINGS)


def test_nothing_found_and_nothing_rejected(notes: Notes) -> None:
    notes.find("kind", "error", "never", file=[])
    notes.reject("kind", "never", file=np.array([], dtype=np.int64))
    assert notes.findings().is_empty()
    assert notes.quarantine(np.array([5, 6])).is_empty()


def test_a_rejected_file_gives_its_first_reason_and_no_findings(notes: Notes) -> None:
    notes.find("kind", "info", "of both", file=[0, 1])
    notes.reject("late", "line nine", file=[1], line=np.array([9]))
    notes.reject("early", "line two", file=[1, 1], line=np.array([2, 5]))
    assert notes.findings()["tournament"].to_list() == ["a"]
    quarantine = notes.quarantine(np.array([10, 20]))
    assert quarantine.rows() == [("in/b.trf", 2, "b", "early", "line two (and 2 more)", 20)]
    assert quarantine.schema == pl.Schema(QUARANTINE)
    assert notes.rejected.tolist() == [False, True]
