"""The events in data/ come out as their organisers published them."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import tbframe as tb

DATA = Path(__file__).resolve().parents[1] / "data"


def _published(event: str) -> pl.DataFrame:
    return pl.read_csv(DATA / "standings" / f"{event}.csv")


@pytest.mark.parametrize(
    ("event", "order"),
    [("candidates_london_2013", None), ("candidates_zurich_1953", "PTS")],
)
def test_official_places(event, order):
    standings = tb.read(DATA / "trf" / f"{event}.trf").standings(order)
    both = _published(event).join(standings, on="player", validate="1:1")
    assert both.height == standings.height
    assert both["place"].cast(pl.Int32).to_list() == both["rank"].to_list()
    assert both["points"].cast(pl.Float64).to_list() == both["PTS"].to_list()


def test_what_decided_in_london():
    standings = tb.read(DATA / "trf" / "candidates_london_2013.trf").standings()
    both = _published("candidates_london_2013").join(standings, on="player", suffix="_ours")
    assert both["decided_by"].to_list() == both["decided_by_ours"].to_list()


def test_avro_1938_was_decided_between_the_first_two_only():
    archive = tb.read(DATA / "trf" / "avro_1938.trf")
    published = _published("avro_1938")
    top = archive.standings("PTS DE").head(2).select("rank", "player", "decided_by").rows()
    assert top == published.head(2).select("place", "player", "decided_by").rows()
    assert top == [(1, 1, None), (2, 2, "DE")]
    both = published.join(archive.standings("PTS"), on="player")
    assert both["place"].to_list()[2:] == both["rank"].to_list()[2:]  # places 4 to 6 were shared


def test_the_sonneborn_berger_sums_printed_in_1953():
    printed = _published("candidates_zurich_1953").drop_nulls("SB")
    archive = tb.read(DATA / "trf" / "candidates_zurich_1953.trf")
    for edition in ("plain", "2009", "2026-03"):  # all games were played
        both = printed.join(archive.tiebreaks("SB", edition=edition), on="player", suffix="_ours")
        assert both.height == 9
        assert both["SB"].to_list() == both["SB_ours"].to_list()


def test_the_parquet_copy_is_the_same_archive():
    files, frames = tb.read(DATA / "trf"), tb.read(DATA / "parquet")
    for name in ("results", "players", "tournaments"):
        assert_frame_equal(getattr(frames, name), getattr(files, name))
