"""The tie-break columns that the organisers of a real event published in 2018."""

from __future__ import annotations

import polars as pl
import pytest

import tbframe as tb


@pytest.fixture(scope="module")
def official(cases) -> tuple[tb.Archive, pl.DataFrame]:
    values = pl.read_csv(cases / "published" / "swiss_220p_9r_2018.csv")
    archive = tb.read(cases / "trf" / "swiss_220p_9r_2018.trf")
    return archive, values.pivot(on="column", index="player", values="value")


@pytest.mark.parametrize(
    ("column", "code", "edition"),
    [("TB1", "BH", "2012"), ("TB2", "BH/C1", "2012"), ("TB4", "SB", "2012-software")],
)
def test_all_220_values(official, column, code, edition):
    archive, values = official
    ours = archive.tiebreaks(code, edition=edition)
    both = values.join(ours, on="player")
    assert both.filter(pl.col(column) == pl.col(code)).height == 220


def test_the_date_alone_finds_the_edition(official):
    archive, values = official
    both = values.join(archive.tiebreaks("BH BH/C1"), on="player")
    assert both["TB1"].to_list() == both["BH"].to_list()
    assert both["TB2"].to_list() == both["BH/C1"].to_list()


def test_later_rules_reproduce_less_than_half(official):
    archive, values = official
    both = values.join(archive.tiebreaks("BH", edition="2026-03"), on="player")
    assert both.filter(pl.col("TB1") == pl.col("BH")).height < 110
