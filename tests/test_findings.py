"""Findings frames."""

from __future__ import annotations

import polars as pl
from polars.testing import assert_frame_equal

from tbframe.findings import concat_findings, findings_from, no_findings, no_quarantine
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
