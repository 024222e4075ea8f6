"""Archives of team events from tables of boards."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import tbframe as tb
from tbframe.sources import read_frames, write_frames

Layout = Callable[[pl.DataFrame], pl.DataFrame | pl.LazyFrame]

FACTS = Path(__file__).parent / "facts"
#: A third of a match a board: Rooks beat Kings 2.5-0.5, and Pawns are free; then Pawns beat Rooks
#: by forfeit and Kings are away.
ROWS = [
    ("cup", 1, "Rooks", "Kings", 1, "Ann", "Kim", "w", "1"),
    ("cup", 1, "Rooks", "Kings", 2, "Bea", "Lee", "b", "1"),
    ("cup", 1, "Rooks", "Kings", 3, "Cis", "Max", "w", "="),
    ("cup", 1, "Kings", "Rooks", 1, "Kim", "Ann", "b", "0"),
    ("cup", 1, "Kings", "Rooks", 2, "Lee", "Bea", "w", "0"),
    ("cup", 1, "Kings", "Rooks", 3, "Max", "Cis", "b", "="),
    ("cup", 2, "Pawns", "Rooks", 1, "Una", None, None, "+"),
    ("cup", 2, "Pawns", "Rooks", 2, "Val", None, None, "+"),
    ("cup", 2, "Rooks", "Pawns", 1, None, "Una", None, "-"),
]
COLUMNS = [
    "tournament", "round", "team", "opponent", "board", "player", "opponent_player", "color",
    "result",
]  # fmt: skip
BYES = [("cup", 1, "Pawns", "PAB"), ("cup", 2, "Kings", "HPB")]
BYE_COLUMNS = ["tournament", "round", "team", "type"]


def frame(rows: list[tuple], columns: list[str] = COLUMNS) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=columns, orient="row", infer_schema_length=None)


def small(*rows: tuple[int, str, str, int, str], **about: object) -> tb.Archive:
    """Boards of round, team, opponent, board, result."""
    boards = frame(list(rows), ["round", "team", "opponent", "board", "result"])
    tournaments = pl.DataFrame({"tournament": ["t"], **{k: [v] for k, v in about.items()}})
    return tb.from_boards(boards.with_columns(tournament=pl.lit("t")), tournaments=tournaments)


def matches(archive: tb.Archive) -> list[tuple[object, ...]]:
    return archive.results.select("player", "result", "points", "game_points").rows()


def two(first: str, second: str) -> list[tuple[int, str, str, int, str]]:
    """One match of A against B: the results of either side, board by board; blank: nobody."""
    sides = (("A", "B", first), ("B", "A", second))
    return [
        (1, team, other, board, result)
        for team, other, results in sides
        for board, result in enumerate(results, 1)
        if result != " "
    ]


def test_matches_are_made_of_boards(layout: Layout) -> None:
    archive = tb.from_boards(layout(frame(ROWS)), layout(frame(BYES, BYE_COLUMNS)))
    assert archive.results.drop("tournament").rows() == [
        (1, "Kings", "Rooks", "b", "0", 0.0, 0.5),
        (2, "Kings", None, None, "H", 1.0, 1.5),
        (1, "Pawns", None, None, "U", 1.0, 1.5),
        (2, "Pawns", "Rooks", None, "+", 2.0, 2.0),
        (1, "Rooks", "Kings", "w", "1", 2.0, 2.5),
        (2, "Rooks", "Pawns", None, "-", 0.0, 0.0),
    ]
    assert archive.players["player"].to_list() == ["Kings", "Pawns", "Rooks"]
    about = archive.tournaments.row(0, named=True)
    assert (about["tournament"], about["kind"], about["boards"]) == ("cup", "team", 3)
    assert archive.boards is not None
    assert archive.boards.columns == [*COLUMNS, "points"]
    assert archive.boards.height == len(ROWS)
    assert archive.boards.filter(team="Kings")["points"].to_list() == [0.0, 0.0, 0.5]
    assert archive.members is not None
    assert archive.members.select("player", "team").rows() == [
        ("Ann", "Rooks"), ("Bea", "Rooks"), ("Cis", "Rooks"), ("Kim", "Kings"), ("Lee", "Kings"),
        ("Max", "Kings"), ("Una", "Pawns"), ("Val", "Pawns"),
    ]  # fmt: skip
    assert archive.findings["code"].to_list() == ["boards-counted"]
    assert archive.check().filter(pl.col("severity") != "info").is_empty()


def test_tie_breaks_of_boards() -> None:
    archive = tb.from_boards(frame(ROWS), frame(BYES, BYE_COLUMNS))
    values = archive.tiebreaks("MPTS GPTS BC", edition="2026-03")
    # Board count: a bye is a win on each board (1 + 2 + 3), a half-point bye a draw.
    assert values.drop("tournament").rows() == [
        ("Kings", 1.0, 2.0, 3 * 0.5 + (1 + 2 + 3) * 0.5),
        ("Pawns", 3.0, 3.5, 1 + 2 + (1 + 2 + 3)),
        ("Rooks", 2.0, 2.5, 1 + 2 + 3 * 0.5),
    ]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("1=", "0=", [("A", "1", 2.0, 1.5), ("B", "0", 0.0, 0.5)]),
        ("10", "01", [("A", "=", 1.0, 1.0), ("B", "=", 1.0, 1.0)]),
        ("W0", "L1", [("A", "=", 1.0, 1.0), ("B", "=", 1.0, 1.0)]),
        ("++", "--", [("A", "+", 2.0, 2.0), ("B", "-", 0.0, 0.0)]),
        ("--", "--", [("A", "-", 0.0, 0.0), ("B", "-", 0.0, 0.0)]),
        ("+-", "--", [("A", "+", 2.0, 1.0), ("B", "-", 0.0, 0.0)]),
        # Both were there, so the match was played although no game was.
        ("+-", "-+", [("A", "=", 1.0, 1.0), ("B", "=", 1.0, 1.0)]),
        ("++-", "--+", [("A", "1", 2.0, 2.0), ("B", "0", 0.0, 1.0)]),
        # A forfeited board counts its point; a board where nobody sat counts none.
        ("0+", "1-", [("A", "=", 1.0, 1.0), ("B", "=", 1.0, 1.0)]),
        ("0+", "1", [("A", "=", 1.0, 1.0), ("B", "=", 1.0, 1.0)]),
        ("1 ", "0+", [("A", "=", 1.0, 1.0), ("B", "=", 1.0, 1.0)]),
        ("=", "=", [("A", "=", 1.0, 0.5), ("B", "=", 1.0, 0.5)]),
        ("0", "0", [("A", "=", 1.0, 0.0), ("B", "=", 1.0, 0.0)]),
        ("1*", "0*", [("A", "*", None, 1.0), ("B", "*", None, 0.0)]),
    ],
)
def test_results_of_matches(first: str, second: str, expected: list[tuple[object, ...]]) -> None:
    assert matches(small(*two(first, second))) == expected


@pytest.mark.parametrize(
    ("scoring", "points"),
    [(None, [2.0, 0.0]), ("W=3 D=1 L=0", [3.0, 0.0]), ("W=1 D=0.5 L=0.25", [1.0, 0.25])],
)
def test_scoring_of_matches(scoring: str | None, points: list[float]) -> None:
    archive = small(*two("1=", "0="), scoring=scoring)
    assert archive.results["points"].to_list() == points


def test_scoring_of_boards() -> None:
    archive = small(*two("1==", "0=="), game_scoring="W=3 D=1 L=0")
    assert archive.results["game_points"].to_list() == [5.0, 2.0]
    # 3-1-0 on the boards: two losses and a win against two draws and a win.
    archive = small(*two("100", "011"), game_scoring="W=3 D=1 L=0")
    assert archive.results["result"].to_list() == ["0", "1"]


def test_points_that_are_given_count() -> None:
    rows = frame(ROWS).with_columns(points=pl.when(pl.col("board") == 1).then(pl.lit(0.25)))
    archive = tb.from_boards(rows)
    sums = archive.results.filter(round=1).select("player", "game_points").rows()
    assert sums == [("Kings", 0.25 + 0.5), ("Rooks", 0.25 + 1.5)]


@pytest.mark.parametrize(
    ("kind", "scoring", "boards", "points"),
    [
        ("U", None, 4, (1.0, 2.0)),
        ("U", "W=3 D=1 L=0", 4, (1.0, 2.0)),
        ("U", "W=3 D=1 L=0 U=3", 4, (3.0, 2.0)),
        ("H", None, 4, (1.0, 2.0)),
        ("F", None, 4, (2.0, 4.0)),
        ("Z", None, 4, (0.0, 0.0)),
        ("PAB", None, None, (1.0, 1.0)),
    ],
)
def test_byes(
    kind: str, scoring: str | None, boards: int | None, points: tuple[float, float]
) -> None:
    rows = frame(two("1=", "0="), ["round", "team", "opponent", "board", "result"])
    byes = pl.DataFrame({"tournament": ["t"], "round": [1], "team": ["C"], "type": [kind]})
    about = pl.DataFrame({"tournament": ["t"], "scoring": [scoring], "boards": [boards]})
    rows = rows.with_columns(tournament=pl.lit("t"))
    archive = tb.from_boards(rows, byes, tournaments=about)
    row = archive.results.filter(player="C").row(0, named=True)
    assert (row["points"], row["game_points"]) == points

    told = byes.with_columns(match_points=pl.lit(0.5), game_points=pl.lit(1.5))
    row = tb.from_boards(rows, told).results.filter(player="C").row(0, named=True)
    assert (row["points"], row["game_points"]) == (0.5, 1.5)


def test_what_is_known_besides() -> None:
    teams = pl.DataFrame({"tournament": ["cup"], "team": ["Rooks"], "name": ["The Rooks"]})
    members = pl.DataFrame(
        {"tournament": ["cup"] * 2, "player": ["Ann", "Zoe"], "team": ["Rooks"] * 2,
         "order": [1, 2], "rating": [2000, None], "club": ["X", "Y"]}
    )  # fmt: skip
    archive = tb.from_boards(
        frame(ROWS).with_columns(venue=pl.lit("hall")), frame(BYES, BYE_COLUMNS), teams, members
    )
    assert archive.players.select("player", "name").rows() == [
        ("Kings", None), ("Pawns", None), ("Rooks", "The Rooks"),
    ]  # fmt: skip
    known = archive.members.filter(pl.col("player").is_in(["Ann", "Zoe", "Bea"]))
    assert known.select("player", "team", "order", "rating", "club").rows() == [
        ("Ann", "Rooks", 1, 2000, "X"), ("Bea", "Rooks", None, None, None),
        ("Zoe", "Rooks", 2, None, "Y"),
    ]  # fmt: skip
    assert archive.boards["venue"].unique().to_list() == ["hall"]
    counts = archive.findings["code"].value_counts()
    assert dict(counts.iter_rows()) == {"boards-counted": 1, "player-added": 2, "member-added": 7}


def test_one_tournament_needs_no_key() -> None:
    archive = tb.from_boards(frame(ROWS).drop("tournament"))
    assert archive.tournaments["tournament"].to_list() == ["tournament"]
    assert "single-tournament" in archive.findings["code"].to_list()


def test_individuals_need_not_be_known() -> None:
    archive = tb.from_boards(frame(ROWS).drop("player", "opponent_player", "color"))
    assert archive.members.is_empty()
    assert archive.results["color"].null_count() == archive.results.height
    assert archive.tiebreaks("GPTS")["GPTS"].sum() == 5.0


def test_keys_may_be_numbers_for_teams_and_text_for_individuals() -> None:
    numbers = {"Rooks": 1, "Kings": 2, "Pawns": 3}
    rows = frame(ROWS).with_columns(
        pl.col("team", "opponent").replace_strict(numbers, return_dtype=pl.Int16)
    )
    archive = tb.from_boards(rows)
    assert archive.boards.schema["team"] == pl.Int64
    assert archive.boards.schema["player"] == pl.String
    assert archive.players["player"].to_list() == [1, 2, 3]


def test_a_side_of_a_forfeited_match_may_be_missing() -> None:
    archive = small(*two("++", "  "))
    assert matches(archive) == [("A", "+", 2.0, 2.0), ("B", "-", 0.0, 0.0)]
    assert archive.findings.filter(code="side-added").select("player", "severity").rows() == [
        ("B", "warning")
    ]


def test_two_events_one_of_them_wrong(layout: Layout) -> None:
    good = frame(ROWS)
    bad = good.with_columns(
        tournament=pl.lit("bad"),
        opponent=pl.when(pl.col("player") == "Bea").then(pl.lit("Pawns")).otherwise("opponent"),
    )
    both = pl.concat([good, bad])
    archive = tb.from_boards(layout(both), layout(frame(BYES, BYE_COLUMNS)))
    alone = tb.from_boards(good, frame(BYES, BYE_COLUMNS))
    for name in ("results", "players", "tournaments", "boards", "members"):
        assert_frame_equal(getattr(archive, name), getattr(alone, name))
    row = archive.quarantine.row(0, named=True)
    matches = bad.select("round", "team").unique().height
    assert (row["tournament"], row["code"], row["rows"]) == ("bad", "several-opponents", matches)
    assert archive.boards.height == good.height


@pytest.mark.parametrize(
    ("rows", "byes", "code"),
    [
        ([(1, "A", "A", 1, "="), (1, "A", "A", 2, "=")], [], "meets-itself"),
        ([*two("1", "0"), (1, "A", "C", 2, "1"), (1, "C", "A", 2, "0")], [], "several-opponents"),
        ([*two("1=", "0="), (1, "A", "B", 1, "0")], [], "board-twice"),
        ([*two("1", "0"), (1, "C", "A", 1, "1")], [], "opponents-disagree"),
        (two("1=", "  "), [], "side-missing"),
        (two("1=", "  "), [("t", 1, "B", "U")], "opponents-disagree"),
        (two("1=", "0="), [("t", 1, "B", "U")], "bye-and-match"),
        (two("1=", "0="), [("t", 1, "C", "U"), ("t", 1, "C", "Z")], "bye-twice"),
    ],
)
def test_contradictions_set_a_tournament_aside(
    rows: list[tuple], byes: list[tuple], code: str
) -> None:
    boards = frame(rows, ["round", "team", "opponent", "board", "result"])
    boards = boards.with_columns(tournament=pl.lit("t"))
    off = pl.DataFrame(byes, schema=BYE_COLUMNS, orient="row") if byes else None
    archive = tb.from_boards(boards, off)
    assert archive.results.is_empty()
    assert archive.boards.is_empty()
    assert archive.members.is_empty()
    row = archive.quarantine.row(0, named=True)
    # A team has one result row for a match, however many boards it had in it.
    due = len({(round_, team) for round_, team, *_ in rows}) + len(byes)
    assert (row["tournament"], row["code"], row["rows"]) == ("t", code, due)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda f: f.drop("board"), "boards, column 'board': the column is missing"),
        (lambda f: f.with_columns(result=pl.lit("win!")), "boards, column 'result': a result is"),
        (lambda f: f.with_columns(color=pl.lit("red")), "boards, column 'color': a color is"),
        (lambda f: f.with_columns(opponent=None), "boards, column 'opponent': never null"),
        (lambda f: f.with_columns(team=pl.lit(None, pl.String)), "column 'team': never null"),
        (lambda f: f.with_columns(round=0), "boards, column 'round': rounds count from 1"),
        (lambda f: f.with_columns(board=0), "boards, column 'board': boards count from 1"),
        (lambda f: f.with_columns(points=float("inf")), "boards, column 'points'"),
        (lambda f: f.with_columns(team=pl.lit(1)), "keys of one kind have one type"),
    ],
)
def test_breaches_of_the_contract(
    change: Callable[[pl.DataFrame], pl.DataFrame], said: str
) -> None:
    with pytest.raises(tb.ContractError) as caught:
        tb.from_boards(change(frame(ROWS)))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("sides", "said"),
    [
        ({"byes": frame([("cup", 1, "Pawns", "bye")], BYE_COLUMNS)}, "byes, column 'type'"),
        ({"byes": frame([("cup", 0, "Pawns", "U")], BYE_COLUMNS)}, "byes, column 'round'"),
        ({"byes": frame([("cup", 1, "U")], ["tournament", "round", "type"])}, "'team'"),
        ({"members": frame([("cup", "Ann", "A"), ("cup", "Ann", "B")],
                           ["tournament", "player", "team"])}, "members, columns"),
        ({"tournaments": frame([("cup", "individual")], ["tournament", "kind"])}, "'kind'"),
        ({"tournaments": frame([("cup", "W=x")], ["tournament", "scoring"])}, "'scoring'"),
    ],
)  # fmt: skip
def test_breaches_in_side_tables(sides: dict[str, pl.DataFrame], said: str) -> None:
    with pytest.raises(tb.ContractError) as caught:
        tb.from_boards(frame(ROWS), **sides)
    assert said in str(caught.value)


def test_no_boards_at_all(layout: Layout) -> None:
    archive = tb.from_boards(layout(frame(ROWS).clear()))
    assert archive.results.is_empty()
    assert archive.boards.is_empty()
    assert archive.members.is_empty()
    assert archive.standings("PTS").is_empty()
    byes = tb.from_boards(frame(ROWS).clear(), frame(BYES, BYE_COLUMNS))
    assert byes.results.select("player", "points", "game_points").rows() == [
        ("Kings", 1.0, 0.0), ("Pawns", 1.0, 0.0),
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_frames_written_and_read(kind: str, tmp_path: Path) -> None:
    archive = tb.from_boards(frame(ROWS), frame(BYES, BYE_COLUMNS))
    write_frames(archive, tmp_path, format=kind)
    again = read_frames(tmp_path)
    for name in ("results", "players", "tournaments", "boards", "members", "findings"):
        assert_frame_equal(getattr(again, name), getattr(archive, name))
    assert_frame_equal(tb.read(tmp_path).boards, archive.boards)


def test_matches_need_no_boards() -> None:
    """Results of matches alone: match points by the usual scoring, game points as given."""
    results = pl.DataFrame(
        {"tournament": ["t"] * 4, "round": [1, 1, 2, 2], "player": [1, 2, 1, 2],
         "opponent": [2, 1, None, None], "result": ["1", "0", "U", "Z"],
         "game_points": [3, 1, 2, 0]}
    )  # fmt: skip
    about = pl.DataFrame({"tournament": ["t"], "kind": ["team"]})
    archive = tb.from_results(results, tournaments=about)
    assert archive.results["points"].to_list() == [2.0, 1.0, 0.0, 0.0]
    assert archive.results.schema["game_points"] == pl.Float64
    assert archive.boards is None
    about = about.with_columns(scoring=pl.lit("W=3 D=1 L=0"))
    archive = tb.from_results(results, tournaments=about)
    assert archive.results["points"].to_list() == [3.0, 1.0, 0.0, 0.0]


# -- checks -----------------------------------------------------------------------------------


def found(archive: tb.Archive, **frames: pl.DataFrame) -> list[tuple[object, ...]]:
    changed = tb.Archive(**{
        name: frames.get(name, getattr(archive, name))
        for name in ("results", "players", "tournaments", "findings", "quarantine", "boards",
                     "members")
    })  # fmt: skip
    wrong = changed.check().filter(pl.col("severity") != "info")
    return wrong.select("code", "severity", "round", "player").rows()


@pytest.fixture
def sound() -> tb.Archive:
    return tb.from_boards(frame(ROWS), frame(BYES, BYE_COLUMNS))


def test_game_points_against_boards(sound: tb.Archive) -> None:
    first = (pl.col("player") == "Rooks") & (pl.col("round") == 1)
    changed = sound.results.with_columns(
        game_points=pl.when(first).then(3.0).otherwise("game_points")
    )
    assert found(sound) == []
    assert found(sound, results=changed) == [("game-points-differ", "error", 1, "Rooks")]


def test_boards_against_boards(sound: tb.Archive) -> None:
    boards = sound.boards
    at = (pl.col("team") == "Kings") & (pl.col("board") == 1)
    drawn = boards.with_columns(
        result=pl.when(at).then(pl.lit("=", boards.schema["result"])).otherwise("result")
    )
    assert found(sound, boards=drawn) == [("boards-disagree", "error", 1, "Kings")]
    other = boards.with_columns(player=pl.when(at).then(pl.lit("Max")).otherwise("player"))
    assert ("boards-disagree", "error", 1, "Kings") in found(sound, boards=other)
    gone = boards.filter(~at)
    assert found(sound, boards=gone) == [("board-mirror-missing", "error", 1, "Rooks")]


def test_boards_against_the_plan_and_the_lists(sound: tb.Archive) -> None:
    about = sound.tournaments.with_columns(boards=pl.lit(2, pl.Int32))
    assert found(sound, tournaments=about) == [("boards-beyond-plan", "warning", None, None)]
    moved = sound.members.with_columns(
        team=pl.when(pl.col("player") == "Ann").then(pl.lit("Kings")).otherwise("team")
    )
    assert found(sound, members=moved) == [("board-of-another-team", "warning", 1, "Rooks")]


# -- whatever the boards may be -----------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_rows_in_are_rows_out_and_points_are_those_of_the_boards(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 4))
    pairs = data.draw(st.lists(st.sampled_from(["10", "01", "==", "+-", "-+", "--", "LL"]),
                               min_size=size, max_size=size))  # fmt: skip
    worth = {"1": 1.0, "+": 1.0, "=": 0.5}
    archive = small(*two("".join(p[0] for p in pairs), "".join(p[1] for p in pairs)))
    assert archive.boards.height == 2 * size
    mine, theirs = (sum(worth.get(p[side], 0.0) for p in pairs) for side in (0, 1))
    assert archive.results["game_points"].to_list() == [mine, theirs]
    points = archive.results["points"].to_list()
    played = any(p not in ("+-", "-+", "--") for p in pairs) or (mine > 0 and theirs > 0)
    if played:
        assert points == ([1.0, 1.0] if mine == theirs else [2.0, 0.0] if mine > theirs
                          else [0.0, 2.0])  # fmt: skip
    else:
        assert archive.results["result"].is_in(["+", "-"]).all()
        assert sum(points) == (2.0 if mine != theirs else 0.0)
