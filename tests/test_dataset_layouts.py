"""The tables of a folder: reading and recalculation find the same, and tell what they leave out."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import tbframe as tb
from tbframe.sources.dataset_files import find_dataset
from tbframe.sources.datasets import read_dataset

#: Two club events with keys that text alone tells apart; a win is worth 3 in the first.
GAMES = pl.DataFrame(
    [
        ("05", 1, 1, 2, "1-0"), ("05", 1, 3, 4, "1/2-1/2"), ("05", 2, 2, 3, "0-1"),
        ("05", 2, 4, 1, "1/2-1/2"), ("5", 1, 1, 2, "0-1"), ("5", 2, 2, 3, "1-0"),
        ("5", 2, 1, None, "1-0"), ("5", 1, 3, None, "0-1"),
    ],
    schema=["tournament", "round", "white", "black", "result"],
    orient="row",
)  # fmt: skip
PLAYERS = pl.DataFrame(
    {
        "tournament": ["05"] * 4 + ["5"] * 3,
        "player": [1, 2, 3, 4, 1, 2, 3],
        "name": ["Ada", "Bo", "Cy", "Di", "Ed", "Fay", "Gus"],
        "rating": [2000, 1900, None, 1800, 1700, None, 1600],
    }
)
TOURNAMENTS = pl.DataFrame(
    {
        "tournament": ["05", "5"],
        "name": ["May Open", "June Open"],
        "start": [date(2011, 5, 1), date(2025, 6, 1)],
        "scoring": ["W=3 D=1 L=0", None],
        "pairing": ["swiss", "swiss"],
    }
)
#: By hand: 05 with 3-1-0: Ada 3 + 1, Cy 1 + 3, Di 1 + 1, Bo 0. 5: Fay 2, Ed 0 + 1 (bye), Gus 0.
POINTS = {
    ("05", "Ada"): 4.0, ("05", "Cy"): 4.0, ("05", "Di"): 2.0, ("05", "Bo"): 0.0,
    ("5", "Fay"): 2.0, ("5", "Ed"): 1.0, ("5", "Gus"): 0.0,
}  # fmt: skip
ORDER = "PTS DE BH/C1 BH SB ARO"


def archive() -> tb.Archive:
    return tb.from_games(GAMES, PLAYERS, TOURNAMENTS)


def shuffled(frame: pl.DataFrame, seed: int = 2) -> pl.DataFrame:
    return frame.sample(fraction=1.0, shuffle=True, seed=seed)


def write(frame: pl.DataFrame, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = shuffled(frame)
    if path.suffix.lower() == ".parquet":
        rows.write_parquet(path)
    else:
        rows.write_csv(path, separator="\t" if path.suffix == ".tsv" else ",")


def in_two(frame: pl.DataFrame, folder: Path, ending: str) -> None:
    half = frame.height // 2
    rows = shuffled(frame, 5)
    write(rows[:half], folder / f"a{ending}")
    write(rows[half:], folder / "deeper" / f"b{ending}")


def sides(folder: Path, ending: str) -> None:
    write(PLAYERS, folder / f"players{ending}")
    write(TOURNAMENTS, folder / f"tournaments{ending}")


def results() -> pl.DataFrame:
    return archive().results.with_columns(pl.col("result").cast(pl.String))


def games_and_sides(folder: Path, ending: str) -> None:
    write(GAMES, folder / f"games{ending}")
    sides(folder, ending)


def games_byes_and_sides(folder: Path, ending: str) -> None:
    bye = pl.col("black").is_null()
    byes = GAMES.filter(bye).select(
        "tournament",
        "round",
        player="white",
        type=pl.col("result").replace({"1-0": "U", "0-1": "Z"}),
    )
    write(GAMES.filter(~bye), folder / f"games{ending}")
    write(byes, folder / f"byes{ending}")
    sides(folder, ending)


def results_and_sides(folder: Path, ending: str) -> None:
    write(results(), folder / f"results{ending}")
    sides(folder, ending)


def folders(folder: Path, ending: str) -> None:
    for name, frame in (("results", results()), ("players", PLAYERS), ("tournaments", TOURNAMENTS)):
        in_two(frame, folder / name, ending)


def upper_case(folder: Path, ending: str) -> None:
    for name, frame in (("GAMES", GAMES), ("Players", PLAYERS), ("Tournaments", TOURNAMENTS)):
        named = frame.rename({column: column.title() for column in frame.columns})
        write(named, folder / f"{name}{ending.upper()}")


def columns_in_another_case_in_one_file(folder: Path, ending: str) -> None:
    half = GAMES.height // 2
    write(GAMES[:half], folder / "games" / f"one{ending}")
    loud = GAMES[half:].rename({column: column.upper() for column in GAMES.columns})
    write(loud, folder / "games" / f"two{ending}")
    sides(folder, ending)


def hive(folder: Path, ending: str) -> None:
    for (number,), rows in GAMES.partition_by("round", as_dict=True).items():
        write(rows.drop("round"), folder / "games" / f"round={number}" / f"part{ending}")
    sides(folder, ending)


def hive_by_tournament(folder: Path, ending: str) -> None:
    for (key,), rows in GAMES.partition_by("tournament", as_dict=True).items():
        write(rows.drop("tournament"), folder / "games" / f"tournament={key}" / f"part{ending}")
    sides(folder, ending)


def canonical(folder: Path, ending: str) -> None:
    tb.write_frames(archive(), folder, format="parquet" if ending == ".parquet" else "csv")


LAYOUTS = [
    games_and_sides, games_byes_and_sides, results_and_sides, folders, upper_case, hive,
    columns_in_another_case_in_one_file, hive_by_tournament, canonical,
]  # fmt: skip


@pytest.mark.parametrize("ending", [".parquet", ".csv"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_reading_and_recalculation_find_the_same(
    layout: Callable[[Path, str], None], ending: str, tmp_path: Path
) -> None:
    layout(tmp_path / "source", ending)
    read = tb.read(tmp_path / "source")
    expected = archive().standings(ORDER)
    assert_frame_equal(read.standings(ORDER), expected)
    for games_a_part in (1, 1000):
        done = tb.recalc(tmp_path / "source", tmp_path / f"out{games_a_part}", ORDER,
                         games_a_part=games_a_part)  # fmt: skip
        assert_frame_equal(done.standings.collect(), expected)
        rows = done.manifest["totals"]["rows"]
        assert rows["in"] == rows["out"] > 0
        told = done.findings.filter(code="file-passed-over").collect()
        assert told.is_empty()
    points = expected.select("tournament", "name", "PTS").rows()
    assert {(tournament, name): value for tournament, name, value in points} == POINTS
    assert "file-passed-over" not in read.findings["code"]


@pytest.mark.parametrize("main", [".parquet", ".csv", ".tsv"])
@pytest.mark.parametrize("side", [".parquet", ".csv"])
def test_each_table_has_the_format_that_it_has(main: str, side: str, tmp_path: Path) -> None:
    write(GAMES, tmp_path / "source" / f"games{main}")
    sides(tmp_path / "source", side)
    expected = archive().standings(ORDER)
    assert_frame_equal(tb.read(tmp_path / "source").standings(ORDER), expected)
    done = tb.recalc(tmp_path / "source", tmp_path / "out", ORDER)
    assert_frame_equal(done.standings.collect(), expected)


def one_table(folder: Path, ending: str) -> None:
    in_two(GAMES, folder, ending)


def one_table_by_round(folder: Path, ending: str) -> None:
    for (number,), rows in GAMES.partition_by("round", as_dict=True).items():
        write(rows.drop("round"), folder / f"round={number}" / f"part{ending}")


@pytest.mark.parametrize("ending", [".parquet", ".csv"])
@pytest.mark.parametrize("layout", [one_table, one_table_by_round])
def test_files_of_one_table_under_any_names(
    layout: Callable[[Path, str], None], ending: str, tmp_path: Path
) -> None:
    layout(tmp_path / "source", ending)
    (tmp_path / "source" / "README.txt").write_text("How these came about")
    expected = tb.from_games(GAMES).standings("PTS BH")
    read = tb.read(tmp_path / "source")
    assert_frame_equal(read.standings("PTS BH"), expected)
    done = tb.recalc(tmp_path / "source", tmp_path / "out", "PTS BH")
    assert_frame_equal(done.standings.collect(), expected)
    # Nobody said that files of one key are one tournament, unless they are Hive partitions.
    told = read.findings.filter(code="tournament-in-several-files")
    assert told["tournament"].to_list() == (["05", "5"] if layout is one_table else [])
    again = done.findings.filter(code="tournament-in-several-files").collect()
    assert_frame_equal(again.select("tournament", "message"), told.select("tournament", "message"))


@pytest.mark.parametrize("ending", [".parquet", ".csv"])
def test_files_without_a_key_are_a_tournament_each(ending: str, tmp_path: Path) -> None:
    source = tmp_path / "source"
    for name, key in (("May", "05"), ("deeper/June", "5"), ("deeper/May", "5")):
        write(GAMES.filter(tournament=key).drop("tournament"), source / f"{name}{ending}")
    read = tb.read(source)
    done = tb.recalc(source, tmp_path / "out", "PTS BH", games_a_part=2)
    assert_frame_equal(done.standings.collect(), read.standings("PTS BH"))
    assert read.tournaments["tournament"].to_list() == ["June", "May", "May-2"]
    assert read.results.filter(tournament="May")["player"].n_unique() == 4


@pytest.mark.parametrize("ending", [".parquet", ".csv"])
def test_a_single_table(ending: str, tmp_path: Path) -> None:
    one = GAMES.filter(tournament="05").drop("tournament")
    for name in ("open", "games"):  # whatever it is called
        path = tmp_path / name / f"{name}{ending}"
        write(one, path)
        read = tb.read(path)
        assert read.tournaments["tournament"].to_list() == [name]
        assert_frame_equal(tb.read(path.parent).results, read.results)
        for source in (path, path.parent):
            done = tb.recalc(source, tmp_path / "out", "PTS BH", overwrite=True)
            assert_frame_equal(done.standings.collect(), read.standings("PTS BH"))


@pytest.mark.parametrize("ending", [".parquet", ".csv"])
@pytest.mark.parametrize("keyed", [(), ("players",), ("games",), ("tournaments", "players")])
def test_the_key_of_a_lone_tournament(keyed: tuple[str, ...], ending: str, tmp_path: Path) -> None:
    source = tmp_path / "May"
    for name, frame in (("games", GAMES), ("players", PLAYERS), ("tournaments", TOURNAMENTS)):
        mine = frame.filter(tournament="05").with_columns(tournament=pl.lit("mine"))
        write(mine if name in keyed else mine.drop("tournament"), source / f"{name}{ending}")
    read = tb.read(source)
    assert read.tournaments.select("tournament", "name").rows() == [
        ("mine" if keyed else "May", "May Open")
    ]
    assert read.standings("PTS").select("name", "PTS").rows() == [
        ("Ada", 4.0), ("Cy", 4.0), ("Di", 2.0), ("Bo", 0.0),
    ]  # fmt: skip
    done = tb.recalc(source, tmp_path / "out", ORDER)
    assert_frame_equal(done.standings.collect(), read.standings(ORDER))


def test_keys_of_side_tables_that_cannot_be_told(tmp_path: Path) -> None:
    write(GAMES.filter(tournament="5").drop("tournament"), tmp_path / "s" / "games.parquet")
    sides(tmp_path / "s", ".parquet")
    with pytest.raises(tb.SourceError, match=r"games.parquet: there is no column 'tournament', "
                       r"and the tables beside are of 2 tournaments"):  # fmt: skip
        tb.recalc(tmp_path / "s", tmp_path / "out", "PTS")
    write(GAMES, tmp_path / "t" / "games.parquet")
    write(PLAYERS.drop("tournament"), tmp_path / "t" / "players.parquet")
    with pytest.raises(tb.ContractError, match="players, column 'tournament': the column is miss"):
        tb.recalc(tmp_path / "t", tmp_path / "out", "PTS")
    assert "players, column 'tournament'" in tb.read(tmp_path / "t").quarantine["message"].item()


def left_out(read: pl.DataFrame, source: Path) -> Mapping[str, str]:
    told = read.filter(code="file-passed-over")
    assert set(told["severity"]) <= {"warning"}
    return {
        str(Path(file).relative_to(source)): message
        for file, message in told.select("file", "message").iter_rows()
    }


def test_tables_that_are_not_used_are_told(tmp_path: Path) -> None:
    source = tmp_path / "source"
    write(results(), source / "Results.parquet")
    games_and_sides(source, ".parquet")
    write(PLAYERS, source / "Players.csv")
    write(GAMES.head(1), source / "byes" / "one.parquet")
    write(GAMES.head(1), source / "byes" / "two.parquet")
    read = tb.read(source)
    done = tb.recalc(source, tmp_path / "out", ORDER)
    assert_frame_equal(done.standings.collect(), archive().standings(ORDER))
    assert_frame_equal(read.standings(ORDER), archive().standings(ORDER))
    said = "not used: the tournaments are read from Results.parquet"
    for findings in (read.findings, done.findings.collect()):
        assert left_out(findings, source) == {
            "games.parquet": said,
            "Players.csv": "not used: the table players is read from players.parquet",
            "byes/one.parquet": f"{said}, beside which it has no place",
            "byes/two.parquet": f"{said}, beside which it has no place",
        }


def test_boards_beside_games_and_two_spellings(tmp_path: Path) -> None:
    source = tmp_path / "source"
    games_and_sides(source, ".csv")
    write(GAMES, source / "boards.csv")
    write(GAMES.head(2), source / "GAMES.csv")
    write(PLAYERS, source / "players" / "x.csv")
    for findings in (
        tb.read(source).findings,
        tb.recalc(source, tmp_path / "out", ORDER).findings.collect(),
    ):
        assert left_out(findings, source) == {
            "boards.csv": "not used: the tournaments are read from games.csv",
            "GAMES.csv": "not used: the table games is read from games.csv",
            "players/x.csv": "not used: the table players is read from players.csv",
        }


def test_other_files_beside_a_dataset(tmp_path: Path) -> None:
    source = tmp_path / "source"
    games_and_sides(source, ".parquet")
    reports = tb.write_trf(archive(), source / "reports")
    write(GAMES, source / "more.csv")
    (source / "letter.pdf").write_bytes(b"%PDF")
    (source / "gone.trf").symlink_to(source / "nowhere.trf")
    done = tb.recalc(source, tmp_path / "out", ORDER)
    assert_frame_equal(done.standings.collect(), archive().standings(ORDER))
    told = done.findings.filter(code="file-passed-over").collect()
    beside = "beside the tables of a dataset; recalculate it by itself"
    assert {
        str(Path(file).relative_to(source)): (severity, message)
        for file, severity, message in told.select("file", "severity", "message").iter_rows()
    } == {
        **{f"reports/{Path(path).name}": ("warning", f"not used: a tournament report {beside}")
           for path in reports},
        "more.csv": ("warning", f"not used: a table {beside}"),
        "letter.pdf": ("info", "not a kind of file that could be read"),
        "gone.trf": ("warning", "not used: No such file or directory"),
    }  # fmt: skip
    # Reading takes them all.
    read = tb.read(source)
    assert read.tournaments.height == 3 * 2
    assert read.quarantine["file"].to_list() == [str(source / "gone.trf")]


def test_csv_among_parquet(tmp_path: Path) -> None:
    source = tmp_path / "source"
    one_table_by_round(source, ".parquet")
    write(GAMES, source / "all.csv")
    for findings in (
        tb.read(source).findings,
        tb.recalc(source, tmp_path / "out", "PTS").findings.collect(),
    ):
        assert left_out(findings, source) == {
            "all.csv": "not used: a CSV file among Parquet files (part.parquet, ...)"
        }


@pytest.mark.parametrize("ending", [".parquet", ".csv"])
def test_a_missing_column_names_its_file(ending: str, tmp_path: Path) -> None:
    folders(tmp_path / "source", ending)
    path = tmp_path / "source" / "results" / f"a{ending}"
    write(results()[:3].drop("round"), path)
    said = rf"results/a{ending}: there is no column 'round', which .*deeper/b{ending} has"
    with pytest.raises(tb.SourceError, match=said):
        tb.recalc(tmp_path / "source", tmp_path / "out", "PTS")
    assert f"a{ending}: there is no column 'round'" in (
        tb.read(tmp_path / "source").quarantine["message"].item()
    )
    write(results()[:3].drop("points"), path)
    done = tb.recalc(tmp_path / "source", tmp_path / "out", "PTS")
    told = done.findings.filter(code="column-missing").collect()
    assert told.select("file", "severity").rows() == [(str(path), "warning")]


def test_columns_that_only_some_files_have_are_kept(tmp_path: Path) -> None:
    source = tmp_path / "source"
    one, two = GAMES.filter(tournament="05"), GAMES.filter(tournament="5")
    write(one, source / "games" / "a.parquet")
    write(two.with_columns(table=pl.lit(7)), source / "games" / "b.parquet")
    read = tb.read(source).results
    assert read.filter(tournament="5")["table"].to_list() == [7] * 6
    assert read.filter(tournament="05")["table"].null_count() == 8


def test_a_type_mismatch_names_file_and_column(tmp_path: Path) -> None:
    folders(tmp_path / "source", ".parquet")
    text = results()[:3].with_columns(pl.col("player").cast(pl.String))
    write(text, tmp_path / "source" / "results" / "a.parquet")
    said = r"results/deeper/b.parquet: column 'player' of results is Int64, and String in .*a.parq"
    with pytest.raises(tb.SourceError, match=said):
        tb.recalc(tmp_path / "source", tmp_path / "out", "PTS")
    assert "column 'player'" in tb.read(tmp_path / "source").quarantine["message"].item()


def test_types_that_lose_nothing_are_brought_together(tmp_path: Path) -> None:
    source = tmp_path / "source"
    half = results().height // 2
    narrow = {"round": pl.Int8, "player": pl.UInt16, "opponent": pl.Int32, "points": pl.Float32}
    write(results()[:half].cast(narrow), source / "results" / "a.parquet")
    write(results()[half:].with_columns(pl.col("result").cast(pl.Categorical)),
          source / "results" / "b.parquet")  # fmt: skip
    sides(source, ".parquet")
    expected = archive().standings(ORDER)
    assert_frame_equal(tb.read(source).standings(ORDER), expected)
    done = tb.recalc(source, tmp_path / "out", ORDER)
    assert_frame_equal(done.standings.collect(), expected)


def test_a_tenth_in_few_bits_is_a_tenth(tmp_path: Path) -> None:
    rows = results().filter(tournament="5").with_columns(points=pl.lit(0.1, pl.Float32))
    wide = results().filter(tournament="05").with_columns(points=pl.lit(0.1))
    write(rows, tmp_path / "source" / "results" / "a.parquet")
    write(wide, tmp_path / "source" / "results" / "b.parquet")
    write(rows, tmp_path / "few.parquet")
    assert set(tb.read(tmp_path / "source").results["points"]) == {0.1}
    assert set(tb.read(tmp_path / "few.parquet").results["points"]) == {0.1}


def test_numbers_written_with_zeros_are_text(tmp_path: Path) -> None:
    path = tmp_path / "open.csv"
    path.write_text("round,white,black,result\n1,007,7,1-0\n2,7,08,1/2-1/2\n")
    players = tb.read(path).players["player"].to_list()
    assert players == ["007", "08", "7"]


def test_a_bye_among_numbers_makes_keys_text(tmp_path: Path) -> None:
    source = tmp_path / "source"
    write(GAMES.with_columns(pl.col("black").cast(pl.String).fill_null("bye")),
          source / "games.csv")  # fmt: skip
    sides(source, ".csv")
    read = tb.read(source)
    assert read.players.schema["player"] == pl.String
    assert dict(read.standings("PTS").select("name", "PTS").iter_rows())["Fay"] == 2.0
    done = tb.recalc(source, tmp_path / "out", ORDER)
    assert_frame_equal(done.standings.collect(), read.standings(ORDER))


def test_bad_tournaments_are_set_aside_in_both(tmp_path: Path) -> None:
    source = tmp_path / "source"
    at = pl.col("tournament") == "5"
    bad = GAMES.with_columns(result=pl.when(at).then(pl.lit("9-9")).otherwise("result"))
    write(bad, source / "games.csv")
    sides(source, ".csv")
    read = tb.read(source)
    done = tb.recalc(source, tmp_path / "out", ORDER)
    for aside in (read.quarantine, done.quarantine.collect()):
        assert aside.select("tournament", "code", "rows").rows() == [("5", "contract-broken", 6)]
    assert_frame_equal(done.standings.collect(), read.standings(ORDER))
    # Four games of two and four of two, of which two are byes.
    assert done.manifest["totals"]["rows"] == {"in": 14, "out": 8, "quarantined": 6}


def test_what_was_found_and_set_aside_goes_along(tmp_path: Path) -> None:
    himself = GAMES.with_columns(
        black=pl.when(tournament="5", round=1).then("white").otherwise("black")
    )
    with pytest.warns(tb.FindingWarning):
        first = tb.from_games(himself, PLAYERS.with_columns(rating=pl.lit(0)), TOURNAMENTS)
    assert "rating-zero" in first.findings["code"]
    for format_ in ("parquet", "csv"):
        tb.write_frames(first, tmp_path / format_, format=format_)
        done = tb.recalc(tmp_path / format_, tmp_path / f"out-{format_}", "PTS", games_a_part=1)
        assert_frame_equal(done.quarantine.collect(), first.quarantine)
        told = done.findings.collect()
        assert first.findings.join(told, on=told.columns, how="anti", nulls_equal=True).is_empty()
        assert_frame_equal(tb.read(tmp_path / format_).findings, first.findings)


def test_tables_under_other_column_names(tmp_path: Path) -> None:
    source = tmp_path / "source"
    write(GAMES.rename({"tournament": "event_id", "white": "w", "black": "b"}),
          source / "games.csv")  # fmt: skip
    write(PLAYERS.rename({"tournament": "event_id"}), source / "players.csv")
    write(TOURNAMENTS, source / "tournaments.csv")
    read = tb.read(source, columns={"tournament": "event_id", "white": "w", "black": "b"})
    assert_frame_equal(read.standings(ORDER), archive().standings(ORDER))


def test_what_is_not_one_dataset(tmp_path: Path) -> None:
    source = tmp_path / "source"
    write(GAMES, source / "one.parquet")
    write(results(), source / "two.parquet")
    with pytest.raises(tb.SourceError, match=r"one.parquet is a table of games and .*two.parquet "
                       "one of results: give the files of each kind a folder"):  # fmt: skip
        tb.recalc(source, tmp_path / "out", "PTS")
    (source / "two.parquet").unlink()
    for year in ("2024", "2025"):
        games_and_sides(source / year, ".csv")
    (source / "one.parquet").unlink()
    with pytest.raises(tb.SourceError, match=r"2024/players.csv: a table called players"):
        tb.recalc(source, tmp_path / "out", "PTS")
    assert tb.read(source).tournaments.height == 4
    (tmp_path / "prices").mkdir()
    write(pl.DataFrame({"what": ["beer"], "price": [5]}), tmp_path / "prices" / "list.csv")
    with pytest.raises(tb.SourceError, match=r"list.csv: a table with the columns what, price"):
        tb.recalc(tmp_path / "prices", tmp_path / "out", "PTS")
    with pytest.raises(tb.SourceError, match="name one file, or one folder"):
        tb.recalc(f"{tmp_path}/prices/*.csv", tmp_path / "out", "PTS")


def test_files_that_lie_among_a_table_by_chance(tmp_path: Path) -> None:
    source = tmp_path / "source"
    write(GAMES, source / "games" / "a.csv")
    write(pl.DataFrame({"what": ["beer"], "price": [5]}), source / "games" / "prices.csv")
    sides(source, ".csv")
    read = tb.read(source)
    assert_frame_equal(read.standings(ORDER), archive().standings(ORDER))
    assert left_out(read.findings, source) == {
        "games/prices.csv": "not used: a table with the columns what, price among the files of "
        "games"
    }


def test_links_pipes_and_hidden_files(tmp_path: Path) -> None:
    source = tmp_path / "source"
    write(GAMES[:4], tmp_path / "elsewhere" / "a.parquet")
    write(GAMES[4:], source / "games" / "b.parquet")
    (source / "games" / "more").symlink_to(tmp_path / "elsewhere")
    (source / "games" / "round").symlink_to(source)  # in a circle
    write(GAMES, source / "games" / ".hidden.parquet")
    write(GAMES, source / "games" / "_temporary" / "_x.parquet")
    os.mkfifo(source / "boards.csv")
    sides(source, ".parquet")
    read = tb.read(source)
    assert_frame_equal(read.standings(ORDER), archive().standings(ORDER))
    done = tb.recalc(source, tmp_path / "out", ORDER)
    assert_frame_equal(done.standings.collect(), archive().standings(ORDER))
    said = {
        "games/_temporary/_x.parquet": "not used: a name that begins with a line",
        "boards.csv": "not a regular file",
    }
    assert left_out(done.findings.collect(), source) == said
    told = dict(read.findings.filter(code="file-passed-over").select("file", "message").iter_rows())
    assert told == {str(source / name): message for name, message in said.items()}
    (source / "games" / "c.parquet").symlink_to(source / "nowhere")
    with pytest.raises(tb.SourceError, match=r"c.parquet: cannot be read as a table \(.*No such"):
        tb.recalc(source, tmp_path / "out", ORDER, overwrite=True)


def test_a_folder_is_found_by_its_path_however_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "May [2024]"
    one = GAMES.filter(tournament="05").drop("tournament")
    write(one, source / "games.parquet")
    write(PLAYERS.filter(tournament="05").drop("tournament"), source / "players.parquet")
    monkeypatch.chdir(source)
    found = find_dataset(Path())
    assert found is not None
    assert read_dataset(found).tournaments["tournament"].to_list() == ["May [2024]"]
    assert tb.read(".").tournaments["tournament"].to_list() == ["May [2024]"]
