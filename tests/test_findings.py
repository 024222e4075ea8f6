"""Findings frames."""

from __future__ import annotations

import polars as pl
from polars.testing import assert_frame_equal

from tbframe.findings import (
    concat_findings,
    counted,
    findings_from,
    no_findings,
    no_quarantine,
    without_repeats,
)
from tbframe.schema import FINDINGS, QUARANTINE


def test_every_row_becomes_a_finding_even_without_a_place() -> None:
    rows = pl.DataFrame({"anything": [1, 2, 3]})
    found = findings_from(rows, code="some-kind", severity="info", message="said")
    assert found.schema == FINDINGS
    assert found["message"].to_list() == ["said"] * 3
    assert found["tournament"].null_count() == 3


def test_the_place_is_taken_from_the_rows_and_keys_become_text() -> None:
    rows = pl.DataFrame(
        {"player": [7], "tournament": [1], "round": pl.Series([3], dtype=pl.Int64), "line": [12]}
    )
    (found,) = findings_from(
        rows, code="kind", severity="error", message=pl.format("player {}", "player")
    ).rows(named=True)
    assert found == {
        "file": None,
        "line": 12,
        "tournament": "1",
        "round": 3,
        "player": "7",
        "severity": "error",
        "code": "kind",
        "message": "player 7",
    }


def test_a_message_may_speak_of_columns_that_findings_have_too() -> None:
    rows = pl.DataFrame({"code": ["1"], "message": ["before"]})
    found = findings_from(
        rows, code="kind", severity="info", message=pl.format("{} {}", "code", "message")
    )
    assert found.select("code", "message").rows() == [("kind", "1 before")]


def test_no_rows_give_no_findings() -> None:
    rows = pl.DataFrame(schema={"tournament": pl.Int64})
    found = findings_from(rows, code="k", severity="info", message=pl.format("{}", "tournament"))
    assert_frame_equal(found, no_findings())


def test_concatenation_keeps_the_order_and_the_columns() -> None:
    one, two = (
        findings_from(pl.DataFrame({"x": [0]}), code=code, severity="info", message="")
        for code in ("b", "a")
    )
    assert concat_findings(one, no_findings(), two)["code"].to_list() == ["b", "a"]
    assert concat_findings().schema == FINDINGS
    assert no_quarantine().schema == QUARANTINE


def test_numbers_and_what_they_count() -> None:
    said = pl.DataFrame({"n": [0, 1, 2]}).select(counted("n", "result")).to_series()
    assert said.to_list() == ["0 results", "1 result", "2 results"]


def _place(*rows: tuple[str, str, int | None, str | None]) -> pl.DataFrame:
    names = ["tournament", "code", "round", "player"]
    types = {"round": pl.Int32, "player": pl.String}
    given = pl.DataFrame(rows, schema=names, schema_overrides=types, orient="row")
    return pl.concat([no_findings(), given], how="diagonal")


def test_what_is_told_of_one_place_is_told_once() -> None:
    found = _place(
        ("t", "declared", None, "1"),  # of a player
        ("t", "mirror", 2, "1"),  # of a player in a round
        ("t", "beyond", None, None),  # of the tournament
    )
    more = _place(
        ("u", "declared", None, "1"),
        ("t", "declared", None, "2"),
        ("t", "declared", None, "1"),
        ("t", "mirror", 2, "1"),
        ("t", "mirror", 2, None),
        ("t", "mirror", 3, None),
        ("t", "mirror", 2, "2"),
        ("t", "beyond", 5, None),
        ("t", "beyond", None, "1"),
    )
    kept = without_repeats(found, more).select("tournament", "code", "round", "player").rows()
    assert kept == [
        ("u", "declared", None, "1"),
        ("t", "declared", None, "2"),
        ("t", "mirror", 3, None),
        ("t", "mirror", 2, "2"),
        ("t", "beyond", None, "1"),
    ]
    assert_frame_equal(without_repeats(no_findings(), more), more)
