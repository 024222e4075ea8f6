from datetime import date
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import tbframe as tb
from tbframe.errors import SourceError
from tbframe.schema import PLAYERS, RESULTS, TOURNAMENTS
from tbframe.scoring import format_scoring, parse_scoring
from tbframe.sources import read, write_trf

FRAMES = {"results": RESULTS, "players": PLAYERS, "tournaments": TOURNAMENTS}


def small_archive(**tournament: object) -> tb.Archive:
    """Two players, one game, a bye each."""
    results = pl.DataFrame(
        {
            "tournament": ["cup"] * 4,
            "round": [1, 2, 1, 2],
            "player": [1, 1, 2, 2],
            "opponent": [2, None, 1, None],
            "color": ["w", None, "b", None],
            "result": ["1", "H", "0", "Z"],
        }
    )
    players = pl.DataFrame({"tournament": ["cup"] * 2, "player": [1, 2], "name": ["A", "B"]})
    about = pl.DataFrame({"tournament": ["cup"], "kind": ["individual"]} | tournament)
    return tb.from_results(results, players, about)


def changed(archive: tb.Archive, **frames: pl.DataFrame) -> tb.Archive:
    names = ("results", "players", "tournaments", "findings", "quarantine")
    return tb.Archive(*(frames.get(name, getattr(archive, name)) for name in names))


def lines_of(archive: tb.Archive, folder: Path, **options: str) -> list[str]:
    (path,) = write_trf(archive, folder, **options)
    text = path.read_bytes().decode()
    assert text.endswith("\r\n")
    return text.removesuffix("\r\n").split("\r\n")


def test_a_file_of_version_26(tmp_path: Path) -> None:
    archive = small_archive(
        name=["Cup"], start=[date(2024, 5, 1)], rounds=[2], pairing=["swiss"],
        criteria=["PTS DE BH/C1"], scoring=["W=3 D=1 L=0 U=1"], deputies=["X; Y"],
        round_dates=["2024-05-01 2024-05-02"],
    )  # fmt: skip
    assert lines_of(archive, tmp_path) == [
        "012 Cup",
        "042 2024/05/01",
        "062 2",
        "072 0",
        "112 X",
        "112 Y",
        "132" + " " * 88 + "24/05/01  24/05/02",
        "142 2",
        "162  W 3.0    D 1.0    L 0.0    A 0.0    P 1.0",
        "192 CUSTOM_SWISS",
        "212 PTS,DE,BH/C1",
        "001    1      A" + " " * 74 + "     2 w 1  0000 - H",
        "001    2      B" + " " * 74 + "     1 b 0  0000 - Z",
    ]


def test_a_file_of_version_16(tmp_path: Path) -> None:
    archive = small_archive(rounds=[2], scoring=["W=3 D=1 L=0 U=1"])
    assert lines_of(archive, tmp_path, version="16")[2:4] == [
        "XXR 2",
        "XXS W=3.0 D=1.0 L=0.0 FW=3.0 FL=0.0 FPB=3.0 HPB=1.0 ZPB=0.0 PAB=1.0",
    ]


def test_all_fields_of_a_player_stand_in_their_columns(tmp_path: Path) -> None:
    archive = small_archive()
    players = archive.players.with_columns(
        sex=pl.lit("w"), title=pl.lit("WGM"), rating=pl.lit(2301, pl.Int32),
        federation=pl.lit("NOR"), id=pl.lit("1503707"), birth=pl.Series(["1990-05", "1990"]),
        points=pl.lit(10.5), rank=pl.Series([1, None], dtype=pl.Int32),
    )  # fmt: skip
    first, second = lines_of(changed(archive, players=players), tmp_path)[-2:]
    assert first[9:13] == "wWGM"
    assert first[14:47].rstrip() == "A"
    assert first[48:56] == "2301 NOR"
    assert first[57:68] == "    1503707"
    assert first[69:79] == "1990/05/00"
    assert first[80:84] == "10.5"
    assert first[85:89] == "   1"
    assert first[91:99] == "   2 w 1"
    assert second[69:79] == "1990      "
    assert second[85:89] == "    "


def test_points_that_are_not_what_the_scoring_gives(tmp_path: Path) -> None:
    archive = small_archive()
    odd = archive.results.with_columns(points=pl.Series([2.0, 0.5, 0.0, 0.25]))
    archive = changed(archive, results=odd)
    assert [line for line in lines_of(archive, tmp_path) if line.startswith("299")] == [
        "299 W         2.0    1    1",
        "299 Z        0.25    2    2",
    ]
    assert_frame_equal(read(tmp_path).results, odd)


@pytest.mark.parametrize("version", ["16", "26"])
@pytest.mark.parametrize("folder", ["trf", "generated", "fide", "reports"])
def test_real_files_come_back_as_they_were(
    version: str, folder: str, cases: Path, tmp_path: Path
) -> None:
    archive = read(cases / folder / "*.trf", teams=False)
    paths = write_trf(archive, tmp_path, version=version)
    again = read(tmp_path, teams=False)
    assert len(paths) == archive.tournaments.height
    for name in FRAMES:
        assert_frame_equal(getattr(again, name), getattr(archive, name))


texts = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=30
)
dates = st.dates(date(1851, 1, 1), date(2100, 1, 1))
scorings = st.builds(
    lambda w, d, u, z: format_scoring(parse_scoring(f"W={w} D={d} L=0 U={u} Z={z} -=0.5")),
    *(st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.0]) for _ in range(4)),
)


@st.composite
def events(draw: st.DrawFn) -> tuple[list[tuple], list[tuple], dict]:
    """One tournament: result rows, players, and what is known of it."""
    numbers = draw(st.lists(st.integers(1, 9999), min_size=2, max_size=7, unique=True))
    rounds = draw(st.integers(1, 4))
    rows = []
    for round_ in range(1, rounds + 1):
        order = draw(st.permutations(numbers))
        # At least one pairing a round, or the round would not count as paired.
        pairs = draw(st.integers(1, len(order) // 2))
        for white, black in zip(order[0 : 2 * pairs : 2], order[1 : 2 * pairs : 2], strict=True):
            codes = draw(st.sampled_from(["10", "==", "01", "WL", "DD", "+-", "--", "0=", "**"]))
            colors = draw(st.sampled_from([("w", "b"), (None, None)]))
            rows.append((round_, white, black, colors[0], codes[0]))
            rows.append((round_, black, white, colors[1], codes[1]))
        for alone in order[2 * pairs :]:
            code = draw(st.sampled_from("FHUZ+-"))
            rows.append((round_, alone, None, None, code))
    people = [
        (
            number,
            draw(st.none() | texts),
            draw(st.sampled_from([None, "m", "w"])),
            draw(st.sampled_from([None, "GM", "WIM", "1N"])),
            draw(st.none() | st.integers(1, 3000)),
            draw(st.sampled_from([None, "NOR", "X"])),
            draw(st.sampled_from([None, "1", "123456789012", "A1"])),
            draw(st.sampled_from([None, "1990", "1990-05", "1990-05-31"])),
            draw(st.sampled_from([None, 0.0, 1.5, 10.5, 100.5])),
            draw(st.none() | st.integers(1, 9999)),
        )
        for number in numbers
    ]
    about = {
        "name": draw(st.none() | texts),
        "start": draw(st.none() | dates),
        "rounds": draw(st.none() | st.integers(1, 20)),
        "pairing": draw(st.sampled_from([None, "swiss", "predetermined"])),
        "type": draw(st.sampled_from([None, "Open", "Individual: Swiss-System"])),
        "scoring": draw(st.none() | scorings),
        "criteria": draw(st.sampled_from([None, "PTS", "PTS DE BH/C1 BH"])),
        "edition": draw(st.sampled_from([None, "2012"])),
        "fide_event": draw(st.sampled_from([None, True, False])),
        "unrated": draw(st.sampled_from([None, "exclude", "1400"])),
        "boards": draw(st.sampled_from([None, 4])),
        "primary": draw(st.sampled_from([None, "GP"])),
        "deputies": draw(st.sampled_from([None, "X", "X; Y"])),
        "round_dates": draw(
            st.none()
            | st.lists(dates.map(str) | st.just("-"), min_size=1, max_size=4)
            .filter(lambda said: set(said) != {"-"})
            .map(" ".join)
        ),
    }
    if about["type"] == "Individual: Swiss-System":
        about["pairing"] = about["pairing"] or "swiss"
    return rows, people, about


def archive_of(drawn: list[tuple[list[tuple], list[tuple], dict]]) -> tb.Archive:
    keys = [f"event {number}" for number in range(len(drawn))]
    columns = ("round", "player", "opponent", "color", "result")
    results = pl.DataFrame(
        [(key, *row) for key, (rows, _, _) in zip(keys, drawn, strict=True) for row in rows],
        schema={"tournament": pl.String, **dict.fromkeys(columns[:3], pl.Int64),
                "color": pl.String, "result": pl.String},
        orient="row",
    )  # fmt: skip
    players = pl.DataFrame(
        [(key, *row) for key, (_, people, _) in zip(keys, drawn, strict=True) for row in people],
        schema=PLAYERS | {"tournament": pl.String, "player": pl.Int64},
        orient="row",
    )
    tournaments = pl.DataFrame(
        [{"tournament": key, "kind": "individual", **about}
         for key, (_, _, about) in zip(keys, drawn, strict=True)],
        schema_overrides={n: t for n, t in TOURNAMENTS.items() if t and n in {*drawn[0][2]}},
    )  # fmt: skip
    return tb.from_results(results, players, tournaments)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(drawn=st.lists(events(), min_size=1, max_size=3), version=st.sampled_from(["16", "26"]))
def test_archives_come_back_as_they_were(
    drawn: list[tuple[list[tuple], list[tuple], dict]],
    version: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    archive = archive_of(drawn)
    folder = tmp_path_factory.mktemp("written")
    write_trf(archive, folder, version=version)
    again = read(folder)
    assert again.quarantine.is_empty()
    for name, columns in FRAMES.items():
        assert_frame_equal(getattr(again, name).select(*columns), getattr(archive, name))


def test_rounds_without_a_row_are_absence(tmp_path: Path) -> None:
    archive = small_archive()
    lacking = archive.results.filter(~((pl.col("player") == 1) & (pl.col("round") == 2)))
    more = pl.DataFrame(
        {"tournament": ["cup"] * 2, "round": [3, 3], "player": [1, 2], "opponent": [2, 1],
         "color": [None, None], "result": ["=", "="], "points": [0.5, 0.5]},
    )  # fmt: skip
    results = pl.concat([lacking, more.cast(dict(lacking.schema))]).sort("player", "round")
    write_trf(changed(archive, results=results), tmp_path)
    assert read(tmp_path).results.filter(player=1)["result"].to_list() == ["1", "Z", "="]


def test_opponents_without_a_row_get_no_record(tmp_path: Path) -> None:
    archive = small_archive()
    results = archive.results.with_columns(opponent=pl.Series([7, None, 1, None]))
    stranger = pl.DataFrame({"tournament": ["cup"], "player": [7]})
    players = pl.concat([archive.players, stranger], how="diagonal")
    archive = changed(archive, results=results, players=players)
    assert [line[:8] for line in lines_of(archive, tmp_path)[-2:]] == ["001    1", "001    2"]
    assert read(tmp_path).players["player"].to_list() == [1, 2, 7]


def test_text_keys_become_start_numbers(tmp_path: Path) -> None:
    games = pl.DataFrame(
        {"tournament": "cup", "round": [1], "white": ["Zoe"], "black": ["Ada"], "result": ["1-0"]}
    )
    with pytest.warns(UserWarning, match="replaced by some, in 1 tournaments, the first: cup"):
        write_trf(tb.from_games(games), tmp_path)
    again = read(tmp_path)
    assert again.players.select("player", "name").rows() == [(1, "Ada"), (2, "Zoe")]
    assert again.results.select("player", "opponent", "result").rows() == [(1, 2, "0"), (2, 1, "1")]


def test_text_keys_that_are_start_numbers_stay(tmp_path: Path) -> None:
    games = pl.DataFrame(
        {"tournament": "cup", "round": [1], "white": ["12"], "black": ["7"], "result": ["1-0"]}
    )
    write_trf(tb.from_games(games), tmp_path)
    assert read(tmp_path).players["player"].to_list() == [7, 12]


def test_columns_without_a_place_are_named(tmp_path: Path) -> None:
    archive = small_archive()
    results = archive.results.with_columns(board=pl.lit(1))
    with pytest.warns(UserWarning, match=r"has no place for: results\.board$"):
        write_trf(changed(archive, results=results), tmp_path)


@pytest.mark.parametrize(
    ("frame", "change", "message"),
    [
        ("players", {"name": "N" * 34}, r"tournament cup, player 1, name 'N{34}': longer than"),
        ("players", {"name": "A\nB"}, r"player 1, name 'A\\nB': a line break"),
        ("players", {"title": "WGMX"}, r"player 1, title 'WGMX'"),
        ("players", {"federation": "NORW"}, r"player 1, federation 'NORW'"),
        ("players", {"id": "1" * 14}, r"player 1, id"),
        ("players", {"rating": 12345}, r"player 1, rating 12345"),
        ("players", {"rank": 12345}, r"player 1, rank 12345"),
        ("players", {"points": 1234.5}, r"player 1, points 1234.5"),
        ("players", {"points": -1.0}, r"player 1, points -1.0"),
        ("players", {"sex": "x"}, r"player 1, sex 'x'"),
        ("players", {"birth": "May"}, r"player 1, birth 'May'"),
        ("players", {"player": 12345}, r"player 12345: a start number has four columns"),
        ("results", {"points": 1.2345}, r"player 1, round 1, points 1.2345"),
        ("results", {"color": "w", "result": "U", "opponent": None}, r"round 1, color 'w'"),
        ("results", {"result": "U"}, r"player 1, round 1, opponent 2: a bye has no opponent"),
        ("results", {"opponent": None}, r"player 1, round 1, result '1': a game has an opponent"),
        ("results", {"result": "*"}, r"round 1, points 1.0: a result that is not known"),
        ("results", {"round": 301}, r"round 301, result '1': more than 300 rounds"),
        ("tournaments", {"name": "A\tB"}, r"tournament cup, name 'A\\tB'"),
        ("tournaments", {"kind": "team"}, r"tournament cup, kind 'team'"),
        ("tournaments", {"round_dates": "soon"}, r"tournament cup, round_dates 'soon'"),
    ],
)
def test_what_cannot_be_written_is_refused(
    frame: str, change: dict[str, object], message: str, tmp_path: Path
) -> None:
    archive = small_archive()
    table = getattr(archive, frame)
    first = pl.int_range(pl.len()) == 0
    table = table.with_columns(
        pl.when(first).then(pl.lit(value)).otherwise(name).cast(table.schema[name]).alias(name)
        for name, value in change.items()
    )
    with pytest.raises(SourceError, match=message):
        write_trf(changed(archive, **{frame: table}), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_scorings_with_points_too_wide_for_their_columns(tmp_path: Path) -> None:
    archive = small_archive(scoring=["W=3 D=1.125 L=0"])
    with pytest.raises(SourceError, match=r"tournament cup, scoring 'W=3 D=1\.125 L=0'"):
        write_trf(archive, tmp_path)
    write_trf(archive, tmp_path, version="16")
    assert read(tmp_path).tournaments["scoring"].to_list() == ["W=3 D=1.125 L=0"]


def test_tournaments_without_players_cannot_be_files(tmp_path: Path) -> None:
    archive = small_archive()
    archive = changed(archive, results=archive.results.clear(), players=archive.players.clear())
    with pytest.raises(SourceError, match="tournament cup: there are no players"):
        write_trf(archive, tmp_path)


def test_several_games_in_a_round_cannot_be_written(tmp_path: Path) -> None:
    games = pl.DataFrame(
        {
            "tournament": "cup",
            "round": [1, 1],
            "white": [1, 2],
            "black": [2, 1],
            "result": ["1-0"] * 2,
        }
    )
    with pytest.raises(SourceError, match=r"one game for each player and round"):
        write_trf(tb.from_games(games), tmp_path)


def test_files_that_are_there_stay_unless_told(tmp_path: Path) -> None:
    archive = small_archive()
    (path,) = write_trf(archive, tmp_path)
    before = path.read_bytes()
    with pytest.raises(SourceError, match=r"cup\.trf is there already: give overwrite=True"):
        write_trf(archive, tmp_path, version="16")
    assert path.read_bytes() == before
    path.write_bytes(b"")
    write_trf(archive, tmp_path, overwrite=True)
    assert path.read_bytes() == before


def test_unknown_versions_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="version '06'"):
        write_trf(small_archive(), tmp_path, version="06")  # type: ignore[arg-type]


def test_names_of_files(tmp_path: Path) -> None:
    games = pl.DataFrame(
        {
            "tournament": ["a/b: c?", "A_b_ c_", "..", "dots."],
            "round": 1,
            "white": 1,
            "black": 2,
            "result": "1-0",
        }
    )
    paths = write_trf(tb.from_games(games), tmp_path)
    assert [path.name for path in paths] == ["_.trf", "A_b_ c_.trf", "a_b_ c_-2.trf", "dots_.trf"]


def test_an_archive_without_tournaments(tmp_path: Path) -> None:
    full = small_archive()
    names = ("results", "players", "tournaments", "findings", "quarantine")
    empty = tb.Archive(*(getattr(full, name).clear() for name in names))
    assert write_trf(empty, tmp_path) == []


def test_numbers_as_tournament_keys(tmp_path: Path) -> None:
    games = pl.DataFrame({"tournament": [7], "round": 1, "white": 1, "black": 2, "result": "1-0"})
    write_trf(tb.from_games(games), tmp_path)
    assert read(tmp_path).tournaments["tournament"].to_list() == ["7"]
