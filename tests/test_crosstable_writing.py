"""What is written as a crosstable, a report file or Parquet reads back as it was."""

from __future__ import annotations

import csv
import warnings
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import fastexcel
import polars as pl
import polars.testing
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tbframe as tb
from tbframe.errors import CodeError, SourceError
from tbframe.schema import PLAYERS, RESULTS, TOURNAMENTS
from tbframe.sources.escaping import escape, unescape

DATA = Path(__file__).parents[1] / "data"
FORMATS = {"csv": ".csv", "xlsx": ".xlsx", "html": ".html", "latex": ".tex"}
FORMULAS = ("=", "+", "-", "@", "\t", "\r")

#: Names as people and mischief have them.
NAMES = st.one_of(
    st.sampled_from([
        "Ada", "O'Kelly, Alberic", "=1+1", "+cmd|' /C calc'!A0", "-2", "@SUM(A1)", "'quoted",
        "'=x", "a,b;c|d", 'say "hi"', "<b>&amp;</b>", "\\textbf{x} & 50 % $1_2^3#~", "12w1",
        "Name", "Rk.", "1.Rd", "bye", "½", "Łukasz Žižka", "Иванов", "李", "x" * 300, "No.", "0",
        "Start: 2020-01-01", "Cells: x", "PAB", "nan", "1e5", "007", "true",
    ]),
    st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc", "Cf", "Zl", "Zp", "Zs"]),
            min_size=1, max_size=20),
)  # fmt: skip


@st.composite
def events(draw: st.DrawFn) -> tb.Archive:
    """Make an archive of up to three tournaments with everything that results may have."""
    textual = draw(st.booleans())
    rows: list[dict[str, Any]] = []
    people: list[dict[str, Any]] = []
    about: list[dict[str, Any]] = []
    for key in draw(st.lists(NAMES, min_size=1, max_size=3, unique_by=lambda key: key.strip())):
        size = draw(st.integers(0, 7))
        names = draw(st.lists(NAMES, min_size=size, max_size=size, unique=True))
        keys: list[Any] = names if textual else draw(
            st.lists(st.integers(-2, 400), min_size=size, max_size=size, unique=True)
        )  # fmt: skip
        for player, name in zip(keys, names, strict=True):
            people.append({
                "tournament": key, "player": player, "name": draw(st.sampled_from([name, None])),
                "rating": draw(st.sampled_from([None, 1500, 2700])),
                "federation": draw(st.sampled_from([None, "FRA", "=A"])),
                "points": draw(st.sampled_from([None, 0.0, 2.5])),
                "rank": draw(st.sampled_from([None, 1, 7])),
                "club": draw(st.sampled_from([None, "007", "-x", "Rooks"])),
                "TB1": draw(st.sampled_from([None, 0.1, 46.5, 1e-7])),
                "since": draw(st.sampled_from([None, date(1990, 1, 31)])),
                "junior": draw(st.sampled_from([None, True, False])),
                "age": draw(st.sampled_from([None, 17, 2**60])),
            })  # fmt: skip
        scoring = draw(st.sampled_from([None, "W=3 D=1 L=0", "W=1 D=0.5 L=0 U=0.5"]))
        about.append({
            "tournament": key, "name": draw(st.one_of(st.none(), NAMES)),
            "start": draw(st.sampled_from([None, date(2018, 1, 2)])), "scoring": scoring,
            "criteria": draw(st.sampled_from([None, "PTS BH"])),
            "pairing": draw(st.sampled_from([None, "swiss", "predetermined"])),
        })  # fmt: skip
        for number in range(1, draw(st.integers(0, 4)) + 1):
            rows += draw(rounds(key, number, keys))
    results = pl.DataFrame(
        rows,
        schema={"tournament": pl.String, "round": pl.Int32,
                "player": pl.String if textual else pl.Int64,
                "opponent": pl.String if textual else pl.Int64, "color": pl.String,
                "result": pl.String, "game": pl.Int32, "points": pl.Float64},
    )  # fmt: skip
    players = pl.DataFrame(
        people,
        schema={"tournament": pl.String, "player": pl.String if textual else pl.Int64,
                "name": pl.String, "rating": pl.Int64, "federation": pl.String,
                "points": pl.Float64, "rank": pl.Int64, "club": pl.String, "TB1": pl.Float64,
                "since": pl.Date, "junior": pl.Boolean, "age": pl.Int64},
    )  # fmt: skip
    tournaments = pl.DataFrame(
        about, schema={name: TOURNAMENTS[name] or pl.String() for name in about[0]}
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tb.from_results(results, players, tournaments)


@st.composite
def rounds(draw: st.DrawFn, key: str, number: int, keys: list[Any]) -> list[dict[str, Any]]:
    """Pair the players of one round, once or twice, with byes and forfeits."""
    order = draw(st.permutations(keys))
    rows = []
    for one, other in zip(order[::2], order[1::2], strict=False):
        for game in range(1, draw(st.integers(1, 2)) + 1):
            result, mirror = draw(st.sampled_from(["10", "==", "01", "WL", "DD", "+-", "--", "**"]))
            color = draw(st.sampled_from(["wb", "bw", None]))
            for side, player, opponent in ((0, one, other), (1, other, one)):
                rows.append({
                    "tournament": key, "round": number, "player": player, "opponent": opponent,
                    "color": color[side] if color else None, "result": (result, mirror)[side],
                    "game": game, "points": None,
                })  # fmt: skip
    if len(order) % 2 and draw(st.booleans()):
        rows.append({
            "tournament": key, "round": number, "player": order[-1], "opponent": None,
            "color": None, "result": draw(st.sampled_from("UHFZ+-*")), "game": 1,
            "points": draw(st.sampled_from([None, 0.25])),
        })  # fmt: skip
    for row in rows:
        if row["result"] == "*":
            row["points"] = None
    return rows


def same(archive: tb.Archive, again: tb.Archive) -> None:
    """Insist on equal results, players and tournaments."""
    assert again.quarantine.is_empty(), again.quarantine["message"].to_list()
    results = archive.results.with_columns(pl.col("tournament").cast(pl.String))
    pl.testing.assert_frame_equal(again.results, results)
    players = archive.players.with_columns(pl.col("tournament").cast(pl.String))
    own = [name for name in players.columns if name not in PLAYERS]
    # Columns without any value are not written.
    empty = [name for name in own if not players[name].count()]
    pl.testing.assert_frame_equal(again.players, players.drop(empty), check_column_order=False)
    tournaments = archive.tournaments.with_columns(pl.col("tournament").cast(pl.String))
    pl.testing.assert_frame_equal(
        again.tournaments.select([*TOURNAMENTS]), tournaments.select([*TOURNAMENTS])
    )


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("form", FORMATS)
@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(archive=events(), single=st.booleans(), order=st.sampled_from([None, "PTS BH/C1 SB"]))
def test_crosstables_read_back(
    form: Any, archive: tb.Archive, single: bool, order: str | None
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, f"all{FORMATS[form]}" if single else "many")
        if archive.tournaments.is_empty():
            return
        paths = tb.write_crosstable(archive, path, order=order, format=form)
        assert len(paths) == (1 if single else archive.tournaments.height)
        same(archive, tb.read(path))


@pytest.mark.filterwarnings("ignore::UserWarning")
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(archive=events())
def test_frames_read_back(archive: tb.Archive) -> None:
    for form in ("parquet", "csv"):
        with TemporaryDirectory() as folder:
            tb.write_frames(archive, folder, format=form)  # type: ignore[arg-type]
            again = tb.read(folder)
            for name in ("results", "players", "tournaments"):
                pl.testing.assert_frame_equal(getattr(again, name), getattr(archive, name))


@pytest.mark.parametrize("form", FORMATS)
def test_the_events_of_the_repository(form: Any, tmp_path: Path) -> None:
    archive = tb.read(DATA / "trf")
    tb.write_crosstable(archive, tmp_path, order="PTS DE BH/C1 BH SB", format=form)
    same(archive, tb.read(tmp_path))


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_official_cases(cases: Path, tmp_path: Path) -> None:
    archive = tb.read(cases / "trf")
    for form in FORMATS:
        tb.write_crosstable(archive, tmp_path / form, order="PTS", format=form)  # type: ignore[arg-type]
        again = tb.read(tmp_path / form)
        columns = [*RESULTS]
        pl.testing.assert_frame_equal(
            again.results.select(columns), archive.results.select(columns)
        )


def test_report_files_carry_criteria_and_values(tmp_path: Path) -> None:
    archive = tb.read(DATA / "trf")
    about = archive.tournaments.with_columns(
        criteria=pl.lit("PTS DE BH/C1 SB"), scoring=pl.lit("W=3 D=1 L=0 U=2")
    )
    archive = tb.from_results(archive.results.drop("points"), archive.players, about)
    for version in ("16", "26"):
        tb.write_trf(archive, tmp_path / version, version=version)  # type: ignore[arg-type]
        again = tb.read(tmp_path / version)
        for name in ("results", "players", "tournaments"):
            pl.testing.assert_frame_equal(getattr(again, name), getattr(archive, name))
    text = (tmp_path / "26" / "avro_1938.trf").read_text()
    assert "212 PTS,DE,BH/C1,SB" in text
    # Values of a win, a draw, a loss, an absence and the pairing-allocated bye, nine columns each.
    assert "162  W 3.0    D 1.0    L 0.0    A 0.0    P 2.0" in text
    assert "142 14" in text


@pytest.mark.filterwarnings("ignore:what a crosstable has no place for")
def test_reports_that_people_met_read_back(cases: Path, tmp_path: Path) -> None:
    paths = [cases / "reports" / name for name in (
        "t1_real_trf16_in_progress.trf", "t3_opponent_with_Z.trf",
        "t5_lichess_swiss_forfeits_blank_rounds.trf",
    )]  # fmt: skip
    archive = tb.read(paths)
    tb.write_crosstable(archive, tmp_path)
    same(archive, tb.read(tmp_path))
    # A forfeit keeps its scheduled opponent; 6 wins and a draw are 6.5 points.
    lichess = "t5_lichess_swiss_forfeits_blank_rounds"
    forfeit = tb.read(tmp_path).results.filter(tournament=lichess, player=1, round=2)
    assert forfeit.select("opponent", "result").row(0) == (6, "-")


# what stands in the files


def club() -> tb.Archive:
    games = pl.DataFrame(
        {
            "tournament": ["cup"] * 3,
            "round": [1, 1, 2],
            "white": [1, 3, 2],
            "black": [2, 4, 3],
            "result": ["1-0", "1/2-1/2", "0-1F"],
        }
    )
    players = pl.DataFrame(
        {
            "tournament": ["cup"] * 4,
            "player": [1, 2, 3, 4],
            "name": ["=HYPERLINK(1)", "+Bo", "-Cy", "@Di"],
            "club": ["=a", None, "x", "y"],
            "=own": [1.5, 2.0, None, -3.0],
        }
    )
    return tb.from_games(games, players)


def test_no_cell_of_a_spreadsheet_is_a_formula(tmp_path: Path) -> None:
    archive = club()
    table, book = tmp_path / "cup.csv", tmp_path / "cup.xlsx"
    tb.write_crosstable(archive, table, order="PTS BH")
    tb.write_crosstable(archive, book, order="PTS BH")
    with table.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    sheet = fastexcel.read_excel(book).load_sheet(0, header_row=None, dtypes="string").to_polars()
    for lines in (rows, sheet.fill_null("").rows()):
        texts = [cell for line in lines for cell in line]
        assert "'=HYPERLINK(1)" in texts
        wrong = [text for text in texts if text.startswith(FORMULAS) and text != "-3.0"]
        # A negative number is none.
        assert [text for text in wrong if text not in ("-3", "-3.0")] == []
    for path in (table, book):
        again = tb.read(path)
        assert again.players["name"].to_list() == ["=HYPERLINK(1)", "+Bo", "-Cy", "@Di"]
        assert again.players["=own"].to_list() == [1.5, 2.0, None, -3.0]
        assert again.players["club"].to_list() == ["=a", None, "x", "y"]


def test_frames_as_csv_are_no_formulas_either(tmp_path: Path) -> None:
    archive = club()
    tb.write_frames(archive, tmp_path, format="csv")
    text = (tmp_path / "players.csv").read_text()
    assert ",'=HYPERLINK(1)," in text
    assert "'=own" in text.splitlines()[0]
    assert tb.read(tmp_path).players.equals(archive.players)


@given(st.text())
def test_escaping_is_undone(text: str) -> None:
    assert unescape(escape(text)) == text
    assert not escape(text).startswith(FORMULAS)


def test_players_stand_in_the_order_of_the_standings(tmp_path: Path) -> None:
    archive = tb.read(DATA / "trf" / "tec2023_swiss5.trf")
    (path,) = tb.write_crosstable(archive, tmp_path, order="PTS BH/C1", edition="2024-08")
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    top = next(place for place, row in enumerate(rows) if row[0] == "Rk.")
    table = pl.DataFrame(rows[top + 1 :], schema=rows[top], orient="row")
    standings = archive.standings("PTS BH/C1", edition="2024-08")
    assert table["No."].cast(pl.Int64).to_list() == standings["player"].to_list()
    assert table["Rk."].cast(pl.Int64).to_list() == standings["rank"].to_list()
    assert table["BH/C1"].cast(pl.Float64).to_list() == standings["BH/C1"].to_list()
    assert ["Computed: Rk.; PTS; BH/C1 (edition 2024-08)"] in rows
    # Player 11 of the published exercise: draw, loss, loss, win by forfeit, win.
    maria = table.filter(pl.col("No.") == "11").select("^.*Rd$").row(0)
    assert maria == ("3b½", "16w0", "5b0", "9b+", "7w1")


def test_several_tournaments_of_one_file_keep_their_keys(tmp_path: Path) -> None:
    archive = tb.read(DATA / "trf")
    for ending in FORMATS.values():
        (path,) = tb.write_crosstable(archive, tmp_path / f"all{ending}")
        assert tb.read(path).tournaments["tournament"].to_list() == (
            archive.tournaments["tournament"].to_list()
        )


def test_markup_of_names_is_shown_and_not_run(tmp_path: Path) -> None:
    games = pl.DataFrame(
        {"tournament": ["<i>"], "white": ["<script>x</script>"], "black": ["\\input{x}"],
         "result": ["1-0"]}
    )  # fmt: skip
    archive = tb.from_games(games)
    (page,) = tb.write_crosstable(archive, tmp_path, format="html")
    assert "<script>x" not in page.read_text(encoding="utf-8")
    (text,) = tb.write_crosstable(archive, tmp_path, format="latex")
    assert "\\input{x}" not in text.read_text(encoding="utf-8")
    assert tb.read(page).players["player"].to_list() == ["<script>x</script>", "\\input{x}"]


def test_refusals(tmp_path: Path) -> None:
    archive = tb.read(DATA / "trf" / "tec2023_rr6.trf")
    (path,) = tb.write_crosstable(archive, tmp_path)
    assert path.name == "tec2023_rr6.csv"
    with pytest.raises(SourceError, match="is there already"):
        tb.write_crosstable(archive, tmp_path)
    before = path.read_bytes()
    assert tb.write_crosstable(archive, tmp_path, overwrite=True)[0].read_bytes() == before
    with pytest.raises(SourceError, match="give 'csv', 'xlsx', 'html' or 'latex'"):
        tb.write_crosstable(archive, tmp_path / "a", format="pdf")  # type: ignore[arg-type]
    with pytest.raises(SourceError, match=r"ends in \.csv, and the format is 'html'"):
        tb.write_crosstable(archive, tmp_path / "b.csv", format="html")
    with pytest.raises(SourceError, match="no Archive"):
        tb.write_crosstable(archive.results, tmp_path)  # type: ignore[arg-type]
    with pytest.raises(SourceError, match="no path"):
        tb.write_crosstable(archive, 3)  # type: ignore[arg-type]
    with pytest.raises(CodeError):
        tb.write_crosstable(archive, tmp_path / "c", order="PTS NOPE")
    assert not (tmp_path / "c").exists()


def test_what_has_no_place_is_told(tmp_path: Path) -> None:
    archive = tb.read(DATA / "trf" / "tec2023_rr6.trf")
    rows = archive.results.with_columns(handicap=pl.lit(2))
    more = tb.from_results(rows, archive.players, archive.tournaments)
    with pytest.warns(UserWarning, match=r"no place for: results\.handicap"):
        tb.write_crosstable(more, tmp_path)


def test_a_changed_file_is_refused_with_the_place(tmp_path: Path) -> None:
    archive = tb.read(DATA / "trf" / "tec2023_rr6.trf")
    (path,) = tb.write_crosstable(archive, tmp_path)
    text = path.read_text(encoding="utf-8-sig")
    player = archive.players.filter(player=1)["name"].item()
    line = next(line for line in text.splitlines() if player in line)
    cell = line.split(",")[-3]
    path.write_text(text.replace(line, line.replace(f",{cell},", ",99x,", 1)))
    again = tb.read(path)
    assert again.quarantine["code"].to_list() == ["cell-unread"]
    assert f"({player})" in again.quarantine["message"][0]
