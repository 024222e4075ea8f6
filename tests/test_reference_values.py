"""Every value that the FIDE reference checker gave for generated and for real files.

The files stand beside the repository, so these tests are skipped where it stands alone.
"""

from __future__ import annotations

import re
from pathlib import Path

import polars as pl
import pytest

import tbframe as tb

#: Not tie-breaks of the regulations but intermediate results of the checker.
INTERMEDIATE = {"ABH", "VUR"}
SINCE_2026 = {"STD", "RTNG"}


def _values(folder: Path) -> pl.DataFrame:
    values = pl.read_parquet(folder / "values.parquet").filter(level="player")
    return values.filter(~pl.col("code").is_in(INTERMEDIATE)).with_columns(
        tournament=pl.col("file").str.strip_suffix(".trf")
    )


def _over_declared_rounds(archive: tb.Archive) -> tb.Archive:
    """The checker counts the rounds declared, so rounds not reached yet are byes to it."""
    played = archive.results.group_by("tournament").agg(played=pl.col("round").max())
    missing = (
        archive.tournaments.join(played, on="tournament")
        .filter(pl.col("rounds") > pl.col("played"))
        .select("tournament", round=pl.int_ranges(pl.col("played") + 1, pl.col("rounds") + 1))
        .explode("round")
    )
    byes = archive.players.select("tournament", "player").join(missing, on="tournament")
    byes = byes.with_columns(pl.col("round").cast(pl.Int64), result=pl.lit("Z"))
    results = archive.results.with_columns(
        pl.col("result").cast(pl.String), pl.col("round").cast(pl.Int64)
    )
    rows = pl.concat([results, byes], how="diagonal")
    # It knows two texts, and takes the newer one for files without a date.
    older = pl.col("start") < pl.date(2026, 3, 1)
    edition = pl.when(older).then(pl.lit("2024-08")).otherwise(pl.lit("2026-03"))
    return tb.from_results(rows, archive.players, archive.tournaments.with_columns(edition=edition))


@pytest.fixture(scope="module", params=["generated", "trf"])
def reference(request, cases) -> tuple[str, tb.Archive, pl.DataFrame]:
    folder = cases / request.param
    values = _values(folder)
    archive = tb.read([folder / name for name in sorted(values["file"].unique())])
    assert archive.quarantine.is_empty()
    return request.param, _over_declared_rounds(archive), values


def _double_forfeits(archive: tb.Archive) -> pl.DataFrame:
    """Players with a round in which neither side came: by art. 7.7 they had equal points."""
    rows = archive.results.with_columns(pl.col("result").cast(pl.String))
    both = rows.join(
        rows, left_on=["tournament", "round", "player"],
        right_on=["tournament", "round", "opponent"], suffix="_other",
    )  # fmt: skip
    equal = pl.col("points") == pl.col("points_other")
    level = both.filter(equal & (pl.col("points") != 0.5))
    return level.group_by("tournament", "player").len("level_rounds")


def _compare(reference, codes: list[str], label: str, edition: str) -> tuple[int, pl.DataFrame]:
    _, archive, values = reference
    computed = archive.tiebreaks(codes, edition=edition)
    names = dict(zip(computed.columns[2:], codes, strict=True))
    ours = computed.unpivot(index=["tournament", "player"], variable_name="c", value_name="ours")
    ours = ours.with_columns(code=pl.col("c").replace_strict(names))
    both = values.filter(edition=label).join(ours, on=["tournament", "player", "code"])
    # The checker writes 0 where there is nothing to average, and rounds AOB.
    nothing = pl.col("ours").is_null() & (pl.col("value").fill_null(0) == 0)
    differ = (pl.col("value") - pl.col("ours")).abs() > 0.00501
    unlike = pl.col("value").is_null() != pl.col("ours").is_null()
    return both.height, both.filter((differ | unlike).fill_null(True) & ~nothing)


@pytest.mark.parametrize("edition", ["2024-08", "2026-03"])
def test_values_that_depend_on_the_edition(reference, edition):
    codes = reference[2].filter(edition=edition)["code"].unique(maintain_order=True).to_list()
    compared, wrong = _compare(reference, codes, edition, edition)
    assert compared > 14_000
    assert wrong.is_empty(), wrong


@pytest.mark.parametrize("edition", ["2024-08", "2026-03"])
def test_values_that_do_not(reference, edition):
    codes = reference[2].filter(edition="any")["code"].unique(maintain_order=True).to_list()
    codes = [code for code in codes if "|" not in code and code != "GE"]
    if edition != "2026-03":
        codes = [code for code in codes if re.split("[/:]", code)[0] not in SINCE_2026]
    compared, wrong = _compare(reference, codes, "any", edition)
    assert compared > 14_000
    # The checker holds every round against a draw (STD), the text against the opponent's points.
    level = wrong.filter(code="STD").join(
        _double_forfeits(reference[1]), on=["tournament", "player"], how="left"
    )
    assert (level["ours"] - level["value"]).to_list() == [0.5 * n for n in level["level_rounds"]]
    assert wrong.filter(pl.col("code") != "STD").is_empty(), wrong


@pytest.mark.parametrize("order", ["PTS|DE", "PTS|DE/P", "PTS|BH/C1|DE", "PTS|WIN|DE"])
def test_ranks_with_direct_encounter(reference, order):
    _, archive, values = reference
    standings = archive.standings(order.split("|"), edition="auto")
    both = values.filter(code=order).join(
        standings.select("tournament", "player", ours="rank"), on=["tournament", "player"]
    )
    wrong = both.filter(pl.col("rank") != pl.col("ours"))
    assert both.height > 700
    assert wrong.is_empty(), wrong


def test_synonyms(reference):
    archive = reference[1]
    assert archive.tiebreaks("GE").columns[-1] == "REP"
