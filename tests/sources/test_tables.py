import json
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import tbframe as tb
from tbframe.errors import ContractError, SourceError
from tbframe.findings import no_findings
from tbframe.schema import BOARDS, MEMBERS
from tbframe.sources import read, read_frames, write_frames
from tbframe.sources.tables import read_table_file
from tbframe.sources.unreadable import OtherTableError

FRAMES = ("results", "players", "tournaments", "findings", "quarantine")
FORMATS = pytest.mark.parametrize("format_", ["parquet", "csv"])


def event(white: object = 1, black: object = 2, key: object = "cup") -> tb.Archive:
    games = {"tournament": [key], "round": [1], "white": [white], "black": [black]}
    return tb.from_games(
        pl.DataFrame({**games, "result": ["1-0"]}),
        tournaments=pl.DataFrame(
            {
                "tournament": [key],
                "name": ["The Cup"],
                "start": [date(2024, 5, 1)],
                "fide_event": [True],
            }
        ),
    )


def assert_same(one: tb.Archive, other: tb.Archive) -> None:
    for name in FRAMES:
        assert_frame_equal(getattr(one, name), getattr(other, name))


@FORMATS
@pytest.mark.parametrize("keys", [(1, 2), ("a", "b"), ("007", "7")])
@pytest.mark.parametrize("key", ["cup", 5, "5"])
def test_frames_come_back_as_they_were(
    format_: str, keys: tuple[object, object], key: object, tmp_path: Path
) -> None:
    archive = event(*keys, key=key)
    paths = write_frames(archive, tmp_path / "new" / "folder", format=format_)
    assert [path.name for path in paths][:5] == [f"{name}.{format_}" for name in FRAMES]
    again = read_frames(tmp_path / "new" / "folder")
    assert again.results.schema["player"] == archive.results.schema["player"]
    assert_same(again, archive)
    assert_same(read(tmp_path / "new"), archive)


@FORMATS
def test_empty_frames(format_: str, tmp_path: Path) -> None:
    full = event("a", "b")
    archive = tb.Archive(*(getattr(full, name).clear() for name in FRAMES))
    write_frames(archive, tmp_path, format=format_)
    assert_same(read_frames(tmp_path), archive)


@FORMATS
def test_one_player_alone(format_: str, tmp_path: Path) -> None:
    archive = tb.from_results(
        pl.DataFrame(
            {
                "tournament": ["cup"],
                "round": [1],
                "player": [1],
                "opponent": [None],
                "result": ["U"],
            },
            schema_overrides={"opponent": pl.Int64},
        )
    )
    write_frames(archive, tmp_path, format=format_)
    assert_same(read_frames(tmp_path), archive)


names = st.none() | st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=8)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    name=names,
    said=names,
    points=st.none() | st.floats(0, 1e6),
    format_=st.sampled_from(["parquet", "csv"]),
)
def test_any_text_and_number_comes_back(
    name: str | None,
    said: str | None,
    points: float | None,
    format_: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    archive = event()
    players = archive.players.with_columns(
        name=pl.lit(name, pl.String), points=pl.lit(points, pl.Float64)
    )
    found = pl.DataFrame({"message": [said]}, schema={"message": pl.String})
    findings = pl.concat([no_findings(), found], how="diagonal")
    archive = replace(archive, players=players, findings=findings)
    folder = tmp_path_factory.mktemp("frames")
    write_frames(archive, folder, format=format_)
    assert_same(read_frames(folder), archive)


def test_other_columns_keep_their_types(tmp_path: Path) -> None:
    archive = event()
    results = archive.results.with_columns(
        board=pl.lit(3, pl.Int16), rated=pl.lit(value=True), played=pl.lit(date(2024, 5, 1)),
        kind=pl.lit("x", pl.Enum(["x", "y"])), share=pl.lit(0.1, pl.Float32), empty=pl.lit(None),
    )  # fmt: skip
    archive = replace(archive, results=results)
    write_frames(archive, tmp_path, format="csv")
    assert_same(read_frames(tmp_path), archive)


@FORMATS
def test_boards_of_team_events(format_: str, tmp_path: Path) -> None:
    boards = pl.DataFrame(
        [
            {"tournament": "cup", "round": 1, "team": 1, "board": 1, "result": "1", "points": 1.0},
            {"tournament": "cup", "round": 1, "team": 2, "board": 1, "result": "0", "points": 0.0},
        ],
        schema={name: dtype or pl.Int64 for name, dtype in BOARDS.items()}
        | {"tournament": pl.String},
    )
    members = pl.DataFrame(
        [{"tournament": "cup", "player": 11, "team": 1, "order": 1, "name": "A"}],
        schema={name: dtype or pl.Int64 for name, dtype in MEMBERS.items()}
        | {"tournament": pl.String},
    )
    archive = replace(event(), boards=boards, members=members)
    write_frames(archive, tmp_path, format=format_)
    again = read_frames(tmp_path)
    assert_same(again, archive)
    assert again.boards is not None
    assert again.members is not None
    assert_frame_equal(again.boards, boards)
    assert_frame_equal(again.members, members)
    boards.drop("points").write_csv(tmp_path / "boards.csv")
    boards.drop("points").write_parquet(tmp_path / "boards.parquet")
    with pytest.raises(SourceError, match="boards"):
        read_frames(tmp_path)


def test_columns_that_csv_cannot_hold_are_refused(tmp_path: Path) -> None:
    archive = event()
    results = archive.results.with_columns(at=pl.lit(datetime(2024, 5, 1, 10)))
    archive = replace(archive, results=results)
    with pytest.raises(SourceError, match="results: column 'at' of type Datetime"):
        write_frames(archive, tmp_path, format="csv")
    assert list(tmp_path.iterdir()) == []
    write_frames(archive, tmp_path)
    assert_same(read_frames(tmp_path), archive)


def test_frames_that_are_there_stay_unless_told(tmp_path: Path) -> None:
    write_frames(event(1, 2), tmp_path)
    with pytest.raises(SourceError, match=r"results\.parquet is there already: give overwrite"):
        write_frames(event(3, 4), tmp_path, format="csv")
    assert read_frames(tmp_path).players["player"].to_list() == [1, 2]
    write_frames(event(3, 4), tmp_path, format="csv", overwrite=True)
    assert read_frames(tmp_path).players["player"].to_list() == [3, 4]
    assert not list(tmp_path.glob("*.parquet"))
    write_frames(event(5, 6), tmp_path, overwrite=True)
    assert read_frames(tmp_path).players["player"].to_list() == [5, 6]
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".parquet"] * 5


def test_unknown_formats_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="format 'xlsx'"):
        write_frames(event(), tmp_path, format="xlsx")  # type: ignore[arg-type]


def test_a_target_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SourceError, match="cannot be written"):
        write_frames(event(), tmp_path / "file")


def test_a_folder_without_frames(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"no results\.parquet or results\.csv"):
        read_frames(tmp_path)


def test_frames_made_by_others_are_brought_into_form(tmp_path: Path) -> None:
    pl.DataFrame(
        {"tournament": ["cup"] * 2, "round": [1, 1], "player": [2, 1], "opponent": [1, 2],
         "result": ["draw", "1/2"]}
    ).write_csv(tmp_path / "results.csv")  # fmt: skip
    pl.DataFrame({"tournament": ["cup"], "rounds": [9]}).write_csv(tmp_path / "tournaments.csv")
    archive = read_frames(tmp_path)
    assert archive.results.select("player", "result", "points").rows() == [
        (1, "=", 0.5),
        (2, "=", 0.5),
    ]
    assert archive.tournaments["rounds"].to_list() == [9]


@pytest.mark.parametrize(
    "types",
    [
        "{",
        "[]",
        '{"results": 3}',
        '{"results": {"round": "Int31"}}',
        '{"results": {"round": "Int32"}}',
    ],
)
def test_types_that_cannot_be_read(types: str, tmp_path: Path) -> None:
    write_frames(event(), tmp_path, format="csv")
    (tmp_path / "schema.json").write_text(types)
    with pytest.raises(SourceError, match=r"schema\.json"):
        read_frames(tmp_path)


def test_values_that_are_not_of_their_type(tmp_path: Path) -> None:
    write_frames(event(), tmp_path, format="csv")
    path = tmp_path / "results.csv"
    path.write_text(path.read_text().replace(",1,1,", ",1,one,", 1))
    with pytest.raises(SourceError, match=r"results\.csv: the table results cannot be read"):
        read_frames(tmp_path)


def test_frames_that_break_their_contract(tmp_path: Path) -> None:
    archive = event()
    twice = pl.concat([archive.results, archive.results])
    write_frames(
        tb.Archive(
            twice, archive.players, archive.tournaments, archive.findings, archive.quarantine
        ),
        tmp_path,
    )
    again = read_frames(tmp_path)
    assert again.results.is_empty()
    aside = again.quarantine.row(0, named=True)
    assert (aside["tournament"], aside["code"], aside["rows"]) == ("cup", "contract-broken", 4)
    assert "one row for each tournament, player, round and game" in aside["message"]


def test_findings_with_other_columns(tmp_path: Path) -> None:
    write_frames(event(), tmp_path)
    pl.DataFrame({"x": [1]}).write_parquet(tmp_path / "findings.parquet")
    with pytest.raises(SourceError, match="findings has other columns"):
        read_frames(tmp_path)


def test_single_tables_of_results_and_of_games(tmp_path: Path) -> None:
    path = tmp_path / "open.csv"
    path.write_text("round,white,black,result\n1,Ann,Bob,1-0\n")
    archive = read_table_file(path)
    assert archive.results.select("tournament", "player", "result").rows() == [
        ("open", "Ann", "1"), ("open", "Bob", "0"),
    ]  # fmt: skip
    path = tmp_path / "league.parquet"
    event().results.write_parquet(path)
    archive = read_table_file(path)
    assert_frame_equal(archive.results, event().results)


def test_a_table_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(OtherTableError, match=r"columns a, b \(separated by comma\)") as error:
        read_table_file(path)
    assert "results needs round, player, opponent, result" in str(error.value)
    assert "games white, black, result" in str(error.value)
    assert not error.value.likely
    path.write_text("White;Black;Res\nAnn;Bob;1-0\n")
    with pytest.raises(OtherTableError, match=r"columns white, black, Res \(.*semicolon") as error:
        read_table_file(path)
    assert error.value.likely


def test_types_are_words_that_say_what_they_are(tmp_path: Path) -> None:
    write_frames(event(), tmp_path, format="csv")
    types = json.loads((tmp_path / "schema.json").read_text())
    assert types["results"]["player"] == "Int64"
    assert types["results"]["result"]["Enum"][:3] == ["1", "=", "0"]


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("Round;WHITE;Black;Result;note\n1;Ann;Bob;½-½;1,5\n", 1.5),
        ("round\twhite\tblack\tresult\tnote\n1\tAnn\tBob\t1/2-1/2\t1.5\n", 1.5),
        ("round;white;black;result;note\n1;Ann;Bob;=;1.5\n", 1.5),
        ('round,white,black,result,note\n1,"Ann",Bob,=,"1;5;2"\n', "1;5;2"),
    ],
)
def test_separators_and_cases_of_names(text: str, points: object, tmp_path: Path) -> None:
    path = tmp_path / "open.csv"
    path.write_text(text, encoding="utf-8")
    archive = read_table_file(path)
    assert archive.results.select("player", "result", "points", "note").rows() == [
        ("Ann", "=", 0.5, points), ("Bob", "=", 0.5, points),
    ]  # fmt: skip
    renamed = archive.findings.filter(code="columns-renamed")
    assert renamed.height == ("WHITE" in text)
    assert set(renamed["file"]) <= {str(path)}


def test_decimal_commas_of_points(tmp_path: Path) -> None:
    path = tmp_path / "open.csv"
    rows = ["round;player;opponent;result;points", "1;1;2;=;0,5", "1;2;1;=;1,25"]
    path.write_text("\n".join(rows))
    assert read_table_file(path).results["points"].to_list() == [0.5, 1.25]


def test_results_and_players_alone_are_frames(tmp_path: Path) -> None:
    archive = event("a", "b")
    archive.results.write_parquet(tmp_path / "results.parquet")
    rated = archive.players.with_columns(rating=pl.Series([2000, 2100], dtype=pl.Int32))
    rated.write_parquet(tmp_path / "players.parquet")
    again = read(tmp_path)
    assert again.players["rating"].to_list() == [2000, 2100]
    assert "file-passed-over" not in again.findings["code"]


@FORMATS
def test_other_files_beside_frames_are_read_or_told(format_: str, tmp_path: Path) -> None:
    write_frames(event("a", "b"), tmp_path, format=format_)
    (tmp_path / "open.csv").write_text("round,white,black,result\n1,Ann,Bob,1-0\n")
    (tmp_path / "notes.doc").write_text("nothing")
    archive = read(tmp_path)
    assert archive.tournaments["tournament"].to_list() == ["cup", "open"]
    told = archive.findings.filter(code="file-passed-over")["file"].to_list()
    assert told == [str(tmp_path / "notes.doc")]


def test_keys_of_two_types_are_refused(tmp_path: Path) -> None:
    archive = event()
    as_text = pl.col("player").cast(pl.String)
    write_frames(replace(archive, players=archive.players.with_columns(as_text)), tmp_path)
    with pytest.raises(ContractError, match=r"results\.player is Int64.*players\.player is String"):
        read_frames(tmp_path)
    boards = pl.DataFrame(schema={name: dtype or pl.String for name, dtype in BOARDS.items()})
    write_frames(replace(archive, boards=boards), tmp_path, overwrite=True)
    with pytest.raises(SourceError, match="boards, column 'team' has type String"):
        read_frames(tmp_path)


def test_points_that_are_missing_are_filled(tmp_path: Path) -> None:
    archive = event()
    open_ = archive.results.with_columns(points=pl.lit(None, pl.Float64))
    write_frames(replace(archive, results=open_), tmp_path)
    assert read_frames(tmp_path).results["points"].to_list() == [1.0, 0.0]


def test_what_is_no_archive_or_no_path() -> None:
    with pytest.raises(SourceError, match="archive is a DataFrame, no Archive"):
        write_frames(event().results, "x")  # type: ignore[arg-type]
    with pytest.raises(SourceError, match="folder is a int, no path"):
        write_frames(event(), 5)  # type: ignore[arg-type]
