"""Differences between two standings, counted by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from shutil import copy

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import tbframe as tb
from benchmarks.synthetic import mixed_sizes
from tbframe.cli import main
from tbframe.comparison.difference import compare

#: Two tournaments: in "a" the first two change places and the third drops out of two prizes; in
#: "b" two share the first place, and one of them no longer.
BEFORE = pl.DataFrame(
    {
        "tournament": ["a", "a", "a", "a", "b", "b", "b"],
        "rank": [1, 2, 3, 4, 1, 1, 3],
        "player": [1, 2, 3, 4, 1, 2, 3],
        "name": ["Ada", "Bo", "Cy", "Di", "Eli", "Flo", "Gus"],
        "PTS": [3.0, 3.0, 2.0, 1.0, 2.0, 2.0, 1.0],
        "BH": [5.0, 4.0, 3.0, None, 2.0, 2.0, 1.0],
        "decided_by": [None, "BH", "PTS", "PTS", None, None, "PTS"],
    },
    schema_overrides={"rank": pl.Int32},
)
AFTER = BEFORE.with_columns(
    rank=pl.Series([2, 1, 3, 4, 1, 2, 3], dtype=pl.Int32),
    BH=pl.Series([5.0, 6.0, 3.0, None, 2.5, 2.0, 1.0]),
)
ABOUT = pl.DataFrame(
    {
        "tournament": ["a", "b"],
        "name": ["Open A", "Open B"],
        "start": [date(1999, 5, 1), date(2001, 5, 1)],
        "federation": ["FRA", "GER"],
    }
)
CALLED = ["old", "new"]


def test_by_hand() -> None:
    found = compare(BEFORE, AFTER, ABOUT, prizes=2, called=CALLED)
    assert found.players.select("tournament", "player", "rank_before", "rank_after").rows() == [
        ("a", 1, 1, 2), ("a", 2, 2, 1), ("b", 1, 1, 1), ("b", 2, 1, 2),
    ]  # fmt: skip
    bo = found.players.filter(tournament="a", player=2)
    assert bo.select("BH before", "BH after").row(0) == (4.0, 6.0)
    a, b = found.tournaments.rows(named=True)
    assert (a["players"], a["players_moved"], a["largest_move"]) == (4, 2, 1)
    assert (a["values_changed"], a["PTS changed"], a["BH changed"]) == (1, 0, 1)
    assert (a["winners_before"], a["winners_after"]) == (["Ada"], ["Bo"])
    assert (a["winners_change"], a["prizes_change"]) == (True, False)
    assert (b["winners_before"], b["winners_after"]) == (["Eli", "Flo"], ["Eli"])
    assert (b["winners_change"], b["prizes_change"]) == (True, False)
    assert a["year"] == 1999
    assert compare(BEFORE, AFTER, ABOUT, prizes=1, called=CALLED).tournaments[
        "prizes_change"
    ].to_list() == [True, True]


def test_summaries() -> None:
    found = compare(BEFORE, AFTER, ABOUT, prizes=2, called=CALLED)
    total = found.summary().row(0, named=True)
    assert (total["tournaments"], total["players"], total["players_moved"]) == (2, 7, 3)
    assert (total["winners_change"], total["winners_change_share"]) == (2, 1.0)
    assert (total["prizes_change"], total["prizes_change_share"]) == (0, 0.0)
    assert found.summary(by="year")["year"].to_list() == [1999, 2001]
    assert found.summary(by="federation")["federation"].to_list() == ["FRA", "GER"]
    assert found.winners()["tournament"].to_list() == ["a", "b"]
    assert str(found).startswith("old against new: 2 tournaments, 7 players\n  winners change in 2")
    with pytest.raises(tb.TbframeError, match="by is 'year'"):
        found.summary(by="city")  # type: ignore[arg-type]


def test_what_only_one_has_is_listed() -> None:
    after = AFTER.filter(pl.col("player") != 4).with_columns(SB=1.0).drop("BH")
    extra = AFTER.head(1).with_columns(tournament=pl.lit("c"), SB=1.0).drop("BH")
    found = compare(
        BEFORE, pl.concat([after, extra.select(after.columns)]), ABOUT, prizes=3, called=CALLED
    )
    assert found.only_before.rows() == [("a", 4)]
    assert found.only_after.rows() == [("c", 1)]
    assert (found.codes, found.codes_before, found.codes_after) == (("PTS",), ("BH",), ("SB",))
    assert "players only of old: 1" in str(found)
    assert "codes only of new: SB" in str(found)


def test_winners_whom_only_one_has_count() -> None:
    """In "b" Flo, who shared the first place, is gone; in "a" a new player shares it."""
    gone = (pl.col("tournament") == "b") & (pl.col("player") == 2)
    new = BEFORE.head(1).with_columns(player=pl.lit(9, pl.Int64), name=pl.lit("New"))
    after = pl.concat([BEFORE.filter(~gone), new])
    found = compare(BEFORE, after, ABOUT, prizes=2, called=CALLED)
    a, b = found.tournaments.rows(named=True)
    assert (a["winners_before"], a["winners_after"]) == (["Ada"], ["Ada", "New"])
    assert (b["winners_before"], b["winners_after"]) == (["Eli", "Flo"], ["Eli"])
    assert [row["winners_change"] for row in (a, b)] == [True, True]
    assert [row["prizes_change"] for row in (a, b)] == [True, True]
    assert (a["players"], b["players"], found.players.height) == (4, 2, 0)


def test_a_tournament_with_other_keys_is_told() -> None:
    """Nobody is in both, so nobody has moved; but others win."""
    other = (pl.col("player") + pl.when(pl.col("tournament") == "b").then(100).otherwise(0)).alias(
        "player"
    )
    found = compare(BEFORE, BEFORE.with_columns(other), ABOUT, prizes=2, called=CALLED)
    b = found.tournaments.row(1, named=True)
    assert (b["tournament"], b["players"], b["players_moved"], b["largest_move"]) == ("b", 0, 0, 0)
    assert b["winners_change"]
    assert (found.only_before.height, found.only_after.height) == (3, 3)


def test_keys_have_to_be_alike() -> None:
    text = AFTER.with_columns(pl.col("player").cast(pl.String))
    with pytest.raises(tb.TbframeError, match="keys 'player' are Int64 in old and String in new"):
        compare(BEFORE, text, ABOUT, prizes=3, called=CALLED)


@pytest.fixture(scope="module")
def archive() -> tb.Archive:
    results = mixed_sizes(30, seed=5, sizes=(8, 9, 17, 31))
    about = results.select("tournament").unique().sort("tournament")
    about = about.with_columns(
        start=pl.date(2000 + pl.col("tournament").cast(pl.Int32) % 20, 1, 1),
        federation=pl.lit("FRA"),
    )
    return tb.from_results(results, tournaments=about)


def test_editions_against_a_plain_join(archive: tb.Archive) -> None:
    """The frames again, from the two standings by a loop over players."""
    order = "PTS BH/C1 BH SB"
    one, other = (archive.standings(order, edition=key) for key in ("2012", "2026-03"))
    after = {
        (t, p): row
        for row in other.iter_rows(named=True)
        for t, p in [(row["tournament"], row["player"])]
    }
    moved = values = 0
    winners: dict[object, list[set[object]]] = {}
    for row in one.iter_rows(named=True):
        twin = after[row["tournament"], row["player"]]
        moved += row["rank"] != twin["rank"]
        values += any(row[code] != twin[code] for code in order.split())
        sides = winners.setdefault(row["tournament"], [set(), set()])
        for side, each in zip(sides, (row, twin), strict=True):
            if each["rank"] == 1:
                side.add(row["player"])
    found = archive.diff("2012", "2026-03", order)
    assert moved > 0
    assert found.tournaments["players_moved"].sum() == moved
    assert found.tournaments["values_changed"].sum() == values
    assert found.tournaments.filter("winners_change")["tournament"].to_list() == sorted(
        key for key, (before, now) in winners.items() if before != now
    )
    own = replace(archive, tournaments=archive.tournaments.with_columns(criteria=pl.lit(order)))
    assert_frame_equal(own.diff("2012", "2026-03").tournaments, found.tournaments)
    same = archive.diff("2012", "2012", order)
    assert same.players.is_empty()
    assert same.summary()["winners_change"].item() == 0


@pytest.mark.parametrize("games_a_part", [300, 10**6])
def test_datasets_give_what_the_archive_gives(
    archive: tb.Archive, tmp_path: Path, games_a_part: int
) -> None:
    order = "PTS BH/C1 BH SB"
    tb.recalc(archive, tmp_path / "2012", order, edition="2012", games_a_part=400)
    tb.recalc(archive, tmp_path / "new", order, edition="2026-03", games_a_part=games_a_part)
    found = tb.diff(tmp_path / "2012", tb.Recalculation(tmp_path / "new"))
    expected = archive.diff("2012", "2026-03", order)
    assert_frame_equal(found.players, expected.players)
    assert_frame_equal(found.tournaments, expected.tournaments)
    assert (found.before, found.after) == ("2012", "new")
    assert found.only_before.is_empty()


def test_datasets_of_other_tournaments(archive: tb.Archive, tmp_path: Path) -> None:
    keys = archive.tournaments["tournament"].to_list()
    tb.recalc(archive.select(*keys[:20]), tmp_path / "old", "PTS BH", games_a_part=400)
    tb.recalc(archive.select(*keys[10:]), tmp_path / "new", "PTS SB", games_a_part=300)
    found = tb.diff(tmp_path / "old", tmp_path / "new")
    assert found.tournaments["tournament"].to_list() == keys[10:20]
    assert found.only_before["tournament"].unique().sort().to_list() == keys[:10]
    assert found.only_after["tournament"].unique().sort().to_list() == keys[20:]
    with pytest.raises(tb.SourceError, match="no dataset of recalc"):
        tb.diff(tmp_path, tmp_path / "new")


def test_how_reports_were_cut_does_not_show(tmp_path: Path) -> None:
    """The folders make the order of paths another than that of keys."""
    reports = sorted((Path(__file__).parents[1] / "data" / "trf").glob("*.trf"))
    for place, report in enumerate(reports):
        folder = tmp_path / "reports" / ("z" if place % 2 == 0 else "a")
        folder.mkdir(parents=True, exist_ok=True)
        copy(report, folder)
    found = []
    for games in (1, 10**6):
        for edition in ("2012", "2026-03"):
            tb.recalc(str(tmp_path / "reports"), tmp_path / f"{edition} {games}", "PTS BH",
                      edition=edition, games_a_part=games)  # fmt: skip
        found.append(tb.diff(tmp_path / f"2012 {games}", tmp_path / f"2026-03 {games}"))
    assert found[0].tournaments["tournament"].to_list() == sorted(path.stem for path in reports)
    for name in ("tournaments", "players"):
        assert_frame_equal(*(getattr(each, name) for each in found))


@pytest.mark.parametrize("prizes", [0, True, 2.0])
def test_prizes_are_a_number_of_ranks(archive: tb.Archive, prizes: int, tmp_path: Path) -> None:
    tb.recalc(archive, tmp_path / "done", "PTS")
    for ask in (
        lambda: archive.diff("2012", "2012", "PTS", prizes=prizes),
        lambda: tb.diff(tmp_path / "done", tmp_path / "done", prizes=prizes),
    ):
        with pytest.raises(tb.TbframeError, match="prizes is a number of ranks"):
            ask()


def test_command(archive: tb.Archive, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for edition in ("2012", "2026-03"):
        tb.recalc(archive, tmp_path / edition, "PTS BH", edition=edition)
    assert main(["diff", str(tmp_path / "2012"), str(tmp_path / "2026-03"), "--show", "year",
                 "--format", "csv"]) == 0  # fmt: skip
    told = capsys.readouterr()
    assert told.out.splitlines()[0].startswith("year,tournaments,players,players_moved,")
    assert len(told.out.splitlines()) == 21  # twenty years
    assert "2012 against 2026-03: 30 tournaments" in told.err
    folders = [str(tmp_path / "2012"), str(tmp_path / "2026-03")]
    tb.write_frames(archive, tmp_path / "frames")
    command = ["diff", "2012", "2026-03", "--of", str(tmp_path / "frames")]
    assert main(command) == 2
    assert "--of needs --order" in capsys.readouterr().err
    assert main([*command, "--order", "PTS BH", "--show", "winners", "--format", "csv"]) == 0
    expected = archive.diff("2012", "2026-03", "PTS BH").winners()
    assert len(capsys.readouterr().out.splitlines()) == expected.height + 1
    assert main(["diff", "2012", "2026-03"]) == 2
    assert "2012 is an edition, and no folder of that name is here" in capsys.readouterr().err
    assert main(["diff", "2012", folders[1]]) == 2
    assert "name tournament files with --of PATH" in capsys.readouterr().err
    assert main(["diff", "nowhere", folders[1]]) == 2
    assert "no dataset of recalc" in capsys.readouterr().err


def test_the_command_shows_the_beginning_of_a_long_table(
    archive: tb.Archive, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tb.write_frames(archive, tmp_path / "frames")
    command = ["diff", "2009", "2026-03", "--of", str(tmp_path / "frames"), "--order", "PTS BH",
               "--show", "players"]  # fmt: skip
    moved = archive.diff("2009", "2026-03", "PTS BH").players.height
    assert moved > 50
    assert main(command) == 0
    told = capsys.readouterr()
    assert len(told.out.splitlines()) == 51
    assert f"the first 50 of {moved:,} rows: --format csv or --out FILE writes all" in told.err
    assert main([*command, "--out", str(tmp_path / "all.txt")]) == 0
    assert len((tmp_path / "all.txt").read_text().splitlines()) == moved + 1
    assert "the first 50" not in capsys.readouterr().err


@pytest.mark.parametrize("harm", ["missing", "truncated", "other"])
@pytest.mark.parametrize("name", ["standings", "tournaments"])
def test_a_damaged_dataset_is_not_compared(
    archive: tb.Archive, tmp_path: Path, harm: str, name: str
) -> None:
    """Whether it is opened before the damage or after."""
    done = [tb.recalc(archive, tmp_path / side, "PTS", games_a_part=300) for side in ("a", "b")]
    path = tmp_path / "b" / "parts" / "00001" / f"{name}.parquet"
    data = path.read_bytes()
    path.unlink()
    if harm != "missing":
        path.write_bytes(data[:-9] if harm == "truncated" else bytes(len(data)))
    for sides in (done, [tmp_path / "a", tmp_path / "b"]):
        for one, other in (sides, sides[::-1]):
            with pytest.raises(tb.SourceError, match=rf"part 00001: {name}.parquet"):
                tb.diff(one, other)
