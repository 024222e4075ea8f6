"""Odd events and odd names: one of them must not stop the others."""

from __future__ import annotations

import os
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import tbframe as tb

SWISS5 = Path(__file__).resolve().parents[1] / "data" / "trf" / "tec2023_swiss5.trf"
CODES = "PTS BH BH/C1 BH/M1 SB SB/C1 FB AOB KS PS DE WIN REP ARO/C1/U1400 PTP/U1400 STD"
RESULTS = pl.DataFrame(
    {"tournament": "t", "round": [1, 1], "player": ["A", "B"], "opponent": ["B", "A"],
     "result": ["1", "0"]}
)  # fmt: skip


def test_a_tournament_before_its_first_round(tmp_path):
    """Everything is nought or undefined there, and the others are as they were."""
    (tmp_path / "now.trf").write_bytes(SWISS5.read_bytes())
    lines = ["012 Next", "092 Individual: Swiss-System"]
    lines += [f"001 {n:4}      {name}".ljust(80) + "  0.0" for n, name in ((1, "Ada"), (2, "Bo"))]
    (tmp_path / "next.trf").write_text("\n".join(lines), encoding="utf-8")
    both = tb.read(tmp_path).tiebreaks(CODES, edition="2026-03")
    alone = tb.read(SWISS5).tiebreaks(CODES, edition="2026-03")
    now = both.filter(tournament="now").drop("tournament")
    assert_frame_equal(now, alone.drop("tournament"))
    ahead = both.filter(tournament="next")
    assert ahead.height == 2
    assert (
        ahead.select("PTS", "BH", "BH/C1", "SB", "AOB", "PTP/U1400").rows()
        == [(0.0, 0.0, 0.0, 0.0, None, None)] * 2
    )


def test_standings_before_a_late_starter_s_first_round():
    late = RESULTS.with_columns(tournament=pl.lit("late"), round=pl.Series([3, 3]))
    archive = tb.from_results(pl.concat([RESULTS, late]))
    table = archive.standings("PTS BH/C1", edition="2026-03", after_round=2)
    assert table.filter(tournament="late")["PTS"].to_list() == [0.0, 0.0]


def test_keys_over_the_whole_range_of_whole_numbers():
    low, high = -(2**63), 2**63 - 1
    rows = RESULTS.with_columns(
        player=pl.Series([high, low]), opponent=pl.Series([low, high], dtype=pl.Int64)
    )
    values = tb.from_results(rows).tiebreaks("PTS BH", edition="2026-03")
    assert values.rows() == [("t", low, 0.0, 1.0), ("t", high, 1.0, 0.0)]


def test_points_that_cannot_be_counted_exactly_set_their_tournament_aside():
    third = RESULTS.with_columns(tournament=pl.lit("third"), points=pl.Series([1 / 3, 0.0]))
    huge = RESULTS.with_columns(tournament=pl.lit("huge"), points=pl.Series([1.2e9, 0.0]))
    sound = RESULTS.with_columns(points=pl.Series([1.0, 0.0]))
    archive = tb.from_results(pl.concat([third, huge, sound]))
    assert archive.quarantine["tournament"].to_list() == ["huge", "third"]
    assert set(archive.quarantine["code"]) == {"points-not-countable"}
    assert archive.standings("PTS")["PTS"].to_list() == [1.0, 0.0]


def test_order_of_fine_quotients_is_exact():
    """Points of a thousandth beside whole ones: the products do not wrap around."""
    fine = RESULTS.with_columns(
        tournament=pl.lit("fine"), points=pl.Series([99.001, 0.001]), game_points=2.5
    )
    about = pl.DataFrame({"tournament": ["fine"], "kind": ["team"], "boards": [4]})
    table = tb.from_results(fine, None, about).standings("EMMSB EGGSB MPTS", edition="2026-03")
    assert table["player"].to_list()[0] == "A"
    assert table["EMMSB"].to_list() == [pytest.approx(99.001 * 0.001)] * 2


@pytest.mark.skipif(os.name == "nt", reason="names are text there")
def test_file_names_that_are_no_text(tmp_path):
    for name in (b"\xe9.pdf", b"caf\xe9.trf"):
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_bytes(SWISS5.read_bytes())
    archive = tb.read(tmp_path)
    assert archive.tournaments["tournament"].to_list() == ["caf\ufffd", "\ufffd"]


@pytest.mark.parametrize("column", ["times", "open", "number", "slot", "file", "unit", "row"])
def test_columns_of_the_user_s_own(column):
    archive = tb.from_results(RESULTS.with_columns(pl.lit(7).alias(column)))
    assert archive.results[column].to_list() == [7, 7]
    assert archive.check().filter(severity="error").is_empty()
    assert archive.standings("PTS DE BH")["rank"].to_list() == [1, 2]


def test_frames_are_replaced_whole_or_not_at_all(tmp_path, monkeypatch):
    archive = tb.from_results(RESULTS)
    tb.write_frames(archive, tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_parquet", full)
    with pytest.raises(tb.SourceError, match="No space left"):
        tb.write_frames(archive, tmp_path, overwrite=True)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    "order",
    [
        "KS/L999999999",
        "ARO/U99999999999",
        "BH/C" + "9" * 5000,
        "BH/C٣",
        "KS/L101",
        5,
        ["PTS", None],
    ],
)
def test_orders_that_make_no_sense(order):
    with pytest.raises(tb.CodeError):
        tb.from_results(RESULTS).standings(order)


def test_pairing_numbers_do_not_depend_on_the_type_of_the_keys():
    """Start numbers that became text beside names of another source still count as numbers."""
    numbers = pl.DataFrame(
        {"tournament": "a", "round": 1, "player": ["2", "10"], "opponent": ["10", "2"],
         "result": ["=", "="]}
    )  # fmt: skip
    values = tb.from_results(numbers).tiebreaks("TPN", edition="2026-03")
    assert dict(values.select("player", "TPN").rows()) == {"2": 2, "10": 10}


def test_a_report_file_with_rules_that_do_not_exist(tmp_path):
    """They are told and left out; the other file, and this one, are ranked."""
    text = SWISS5.read_text(encoding="utf-8")
    wrong = "### tbframe edition bogus\n### tbframe unrated none\n### tbframe primary XX\n"
    (tmp_path / "odd.trf").write_text(wrong + text, encoding="utf-8")
    (tmp_path / "sound.trf").write_text("### tbframe edition 2023\n" + text, encoding="utf-8")
    archive = tb.read(tmp_path)
    errors = archive.findings.filter(severity="error")
    assert errors.select("tournament", "code").rows() == [
        ("odd", "edition-not-known"), ("odd", "primary-not-known"), ("odd", "unrated-not-known"),
    ]  # fmt: skip
    assert archive.tournaments.select("tournament", "edition").rows() == [
        ("odd", None),
        ("sound", "2023"),
    ]
    assert archive.standings("PTS BH").height == 32


@pytest.mark.parametrize(
    ("duplicates", "scores"), [("once", {"A": 1.5, "B": 0.5}), ("keep", {"A": 2.5, "B": 0.5})]
)
def test_the_same_game_twice_and_a_second_game(duplicates, scores):
    """Report 34: an exact duplicate counts once; the return game of another round is none."""
    games = pl.DataFrame(
        {"tournament": "E", "round": [70, 70, 71], "white": ["A", "A", "B"],
         "black": ["B", "B", "A"], "result": ["1-0", "1-0", "1/2"], "moves": ["x", "x", "y"]}
    )  # fmt: skip
    refused = tb.from_games(games)
    assert refused.results.is_empty()
    assert refused.quarantine["rows"].to_list() == [6]
    archive = tb.from_games(games, duplicates=duplicates)
    values = archive.tiebreaks("PTS", edition="plain")
    assert dict(values.select("player", "PTS").rows()) == scores
