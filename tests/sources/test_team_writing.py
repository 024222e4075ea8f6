"""Team events written as report files come back as they were."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import tbframe as tb
from tbframe.errors import SourceError
from tbframe.sources import read, write_trf
from tbframe.sources.trf import TrfFile, read_trf_files

FRAMES = ("results", "players", "tournaments", "boards", "members")
REAL = (
    "team_15t_129p_7r_2024",
    "team_15t_129p_7r_2024_two_wrong_points",
    "krause_team_160p_11r_2011",
    "trf26_official_sample",
)


def boards(*rows: tuple[int, int, int, int, int, int | None, str, float | None]) -> pl.DataFrame:
    """Rows of round, team, opponent, board, player, his opponent, result, points."""
    columns = [
        "round",
        "team",
        "opponent",
        "board",
        "player",
        "opponent_player",
        "result",
        "points",
    ]
    frame = pl.DataFrame(rows, schema=columns, orient="row")
    return frame.with_columns(tournament=pl.lit("cup"))


#: Two teams of two boards; the second game of the first round was lost by forfeit.
MATCH = (
    (1, 1, 2, 1, 1, 3, "1", None),
    (1, 2, 1, 1, 3, 1, "0", None),
    (1, 1, 2, 2, 2, 4, "-", None),
    (1, 2, 1, 2, 4, 2, "+", None),
)


def event(*rows: tuple, **about: object) -> tb.Archive:
    tournaments = pl.DataFrame({"tournament": ["cup"], **{k: [v] for k, v in about.items()}})
    return tb.from_boards(boards(*(rows or MATCH)), tournaments=tournaments)


def written(archive: tb.Archive, folder: Path, version: str = "26") -> list[str]:
    (path,) = write_trf(archive, folder, version=version, overwrite=True)
    return path.read_text(encoding="utf-8").splitlines()


def records(lines: list[str]) -> list[str]:
    return [line for line in lines if line[:3] not in ("001", "062", "072")]


@pytest.mark.parametrize("version", ["16", "26"])
@pytest.mark.parametrize("name", REAL)
@pytest.mark.filterwarnings("ignore:what a tournament report file has no place for")
def test_real_files_come_back(name: str, version: str, cases: Path, tmp_path: Path) -> None:
    archive = read(cases / "trf" / f"{name}.trf")
    write_trf(archive, tmp_path, version=version)
    again = read(tmp_path)
    for frame in FRAMES:
        before, after = getattr(archive, frame), getattr(again, frame)
        if version == "16" and frame == "players":
            # Record 013 has only the name.
            before, after = (f.select("tournament", "player", "name") for f in (before, after))
        assert_frame_equal(after, before)


def test_version_16_tells_what_it_has_no_place_for(cases: Path, tmp_path: Path) -> None:
    archive = read(cases / "trf" / "trf26_official_sample.trf")
    with pytest.warns(UserWarning, match=r"players\.rank \(of teams\).*players\.nickname"):
        write_trf(archive, tmp_path, version="16")


def test_records_of_version_26(tmp_path: Path) -> None:
    lines = written(event(), tmp_path)
    assert records(lines) == [
        "310   1".ljust(73) + "   1    2",
        "310   2".ljust(73) + "   3    4",
        "352 WB",
    ]
    assert lines[-4][89:] == "     3 - 1"
    assert lines[-3][89:] == "     4 - -"


def test_records_of_version_16(tmp_path: Path) -> None:
    lines = written(event(scoring="W=3 D=1 L=0 U=1"), tmp_path, "16")
    assert records(lines) == [
        "### tbframe boards 2",
        "013                                    1    2",
        "013                                    3    4",
        "362 TW 3.0   TD 1.0   TL 0.0",
    ]


@pytest.mark.parametrize("version", ["16", "26"])
@pytest.mark.parametrize(
    "scoring",
    ["W=3 D=1 L=0 U=1", "W=1 D=0.5 L=0 U=1", "W=2 D=1 L=0 U=2 +=1.5 F=1 H=0.5 -=0.5 Z=0.25"],
)
def test_scoring_comes_back(scoring: str, version: str, tmp_path: Path) -> None:
    archive = event(scoring=scoring, game_scoring="W=3 D=1 L=0", primary="GP")
    written(archive, tmp_path, version)
    columns = ["scoring", "game_scoring", "boards", "primary"]
    assert_frame_equal(
        read(tmp_path).tournaments.select(columns), archive.tournaments.select(columns)
    )


def test_points_that_differ_from_the_rules(tmp_path: Path) -> None:
    archive = event()
    results = archive.results.with_columns(
        points=pl.Series([0.5, 1.5]), game_points=pl.Series([1.0, 0.0])
    )
    lines = written(replace(archive, results=results), tmp_path)
    assert [line for line in lines if line.startswith("299")] == [
        "299 D   0.5   1.0    1    1",
        "299 D   1.5   0.0    1    2",
    ]
    assert_frame_equal(read(tmp_path).results, results)


def test_line_ups_are_written_where_they_are_not_in_order(tmp_path: Path) -> None:
    members = pl.DataFrame(
        {"tournament": "cup", "player": [1, 2, 3, 4], "team": [1, 1, 2, 2], "order": [2, 1, 1, 2]}
    )
    archive = tb.from_boards(boards(*MATCH), members=members)
    lines = written(archive, tmp_path)
    assert [line for line in lines if line.startswith(("300", "310"))] == [
        "310   1".ljust(73) + "   2    1",
        "310   2".ljust(73) + "   3    4",
        "300   1   1   2    1    2",
    ]
    again = read(tmp_path)
    assert again.findings.is_empty()
    assert_frame_equal(again.boards, archive.boards, check_column_order=False)


def test_colours_that_do_not_alternate_make_no_sequence(tmp_path: Path) -> None:
    archive = event()
    white = archive.boards.with_columns(
        color=pl.when(pl.col("team") == 1).then(pl.lit("w")).otherwise(pl.lit("b"))
    )
    lines = written(replace(archive, boards=white), tmp_path)
    assert "### tbframe boards 2" in lines
    assert not [line for line in lines if line.startswith("352")]


def test_team_keys_that_are_no_numbers_are_replaced(tmp_path: Path) -> None:
    names = {1: "Rooks", 2: "Kings"}
    rows = boards(*MATCH).with_columns(
        pl.col("team", "opponent").replace_strict(names, return_dtype=pl.String)
    )
    with pytest.warns(UserWarning, match="team keys are no numbers"):
        lines = written(tb.from_boards(rows), tmp_path)
    # In the order of the keys.
    assert [line[4:7] + line[73:] for line in lines if line.startswith("310")] == [
        "  1   3    4", "  2   1    2",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda a: replace(a, members=None), "boards and members"),
        (lambda a: replace(a, members=a.members.clear()), "boards and members"),
        (
            lambda a: replace(a, boards=a.boards.with_columns(player=pl.lit(None, pl.Int64))),
            "who sat there",
        ),
        (
            lambda a: replace(a, results=a.results.with_columns(
                result=pl.lit("=", a.results.schema["result"]))),
            None,
        ),
        (
            lambda a: replace(a, results=a.results.with_columns(
                result=pl.lit("W", a.results.schema["result"]))),
            "unrated",
        ),
        (
            lambda a: replace(a, results=a.results.with_columns(
                result=pl.lit("1", a.results.schema["result"]))),
            "not what the boards",
        ),
        (lambda a: replace(a, boards=a.boards.clear()), "with its boards"),
        (
            lambda a: replace(a, boards=a.boards.with_columns(points=pl.lit(0.25))),
            "not what the boards|differ from the scoring",
        ),
        (
            lambda a: replace(a, results=a.results.with_columns(points=pl.lit(1000.25))),
            "does not fit",
        ),
        (
            lambda a: replace(a, players=a.players.with_columns(name=pl.lit("x" * 33))),
            "longer than",
        ),
        (
            lambda a: replace(
                a, tournaments=a.tournaments.with_columns(game_scoring=pl.lit("W=1 D=0.5 L=0 +=2"))
            ),
            "no record of their own",
        ),
    ],
)  # fmt: skip
def test_what_no_record_can_say_is_refused(change, said: str | None, tmp_path: Path) -> None:
    archive = change(event())
    if said is None:
        assert written(archive, tmp_path)
        return
    with pytest.raises(SourceError, match=said):
        write_trf(archive, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_numbers_with_gaps_need_version_26(tmp_path: Path) -> None:
    rows = [tuple(7 if v == 2 and i in (1, 2) else v for i, v in enumerate(r)) for r in MATCH]
    archive = event(*rows)
    with pytest.raises(SourceError, match="013 has no number"):
        write_trf(archive, tmp_path, version="16")
    written(archive, tmp_path)
    assert read(tmp_path).players["player"].to_list() == [1, 7]


def test_team_events_and_others_in_one_archive(tmp_path: Path) -> None:
    games = pl.DataFrame(
        {"tournament": "open", "round": [1], "white": [1], "black": [2], "result": ["1-0"]}
    )
    archive = tb.from_games(games)
    teams = event()
    both = replace(
        teams,
        results=pl.concat([teams.results, archive.results], how="diagonal"),
        players=pl.concat([teams.players, archive.players]),
        tournaments=pl.concat([teams.tournaments, archive.tournaments]),
    )
    paths = write_trf(both, tmp_path)
    assert [path.name for path in paths] == ["cup.trf", "open.trf"]
    again = read(tmp_path)
    assert_frame_equal(again.results, both.results, check_column_order=False)


# -- whatever an event may be -------------------------------------------------------------------


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A file of a team event: random pairings, forfeits, byes, line-ups and scoring."""
    teams = draw(st.integers(1, 5))
    size = draw(st.integers(1, 3))
    rounds = draw(st.integers(1, 3))
    squad = size + draw(st.integers(0, 1))
    trf26 = draw(st.booleans())
    number = {(t, p): t * squad + p + 1 for t in range(teams) for p in range(squad)}
    blocks = {n: ["  0000 - -"] * rounds for n in number.values()}
    lines = ["352 " + ("WB" * size)[:size]] if draw(st.booleans()) else []
    allocated: dict[int, int] = {}
    for round_ in range(1, rounds + 1):
        order = draw(st.permutations(range(teams)))
        for one, two in zip(order[::2], order[1::2], strict=False):
            how = draw(st.sampled_from(["play", "play", "play", "330", "none"]))
            if how == "330":
                said = draw(st.sampled_from(["+-", "-+", "--"]))
                lines.append(f"330 {said} {round_:3} {one + 1:3} {two + 1:3}")
            elif how == "play":
                _play(draw, blocks, number, (one, two), size, squad, round_, lines)
        if teams % 2:
            kind = draw(st.sampled_from("UFHZ-"))
            if kind == "U":
                allocated[round_] = order[-1] + 1
            elif kind != "-":
                lines.append(f"240 {kind} {round_:3} {order[-1] + 1:4}")
    lines += _scoring(draw, allocated, rounds)
    for t in range(teams):
        listed = " ".join(f"{number[t, p]:4}" for p in range(squad))
        head = f"310 {t + 1:3} Team {t}".ljust(73) if trf26 else f"013 Team {t}".ljust(36)
        lines.append(head + listed)
    for n, own in blocks.items():
        lines.append(f"001 {n:4}      P{n}".ljust(89) + "".join(own))
    return "\n".join(lines)


def _scoring(draw: st.DrawFn, allocated: dict[int, int], rounds: int) -> list[str]:
    lines = []
    if allocated:
        worth = draw(st.sampled_from(["         ", " 1.0  0.5", " 2.0     ", " 0.5 1.25"]))
        slots = [f"{allocated.get(r, ''):>3}" for r in range(1, rounds + 1)]
        lines.append(f"320 {worth} {' '.join(slots)}".rstrip())
    if draw(st.booleans()):
        lines.append(draw(st.sampled_from(["362 TW 3.0   TD 1.0   TL 0.0", "362 TW 1.0   TD 0.5"])))
    awards = st.sampled_from(["299 +   1.5", "299 H   0.5   0.5", "299 -   0.5"])
    return lines + draw(st.lists(awards, max_size=2, unique=True))


def _play(draw, blocks, number, pair, size, squad, round_, lines) -> None:
    line_ups = []
    for _ in pair:
        chosen = draw(st.permutations(range(squad)))[:size]
        line_ups.append(chosen if draw(st.booleans()) else sorted(chosen))
    for board in range(size):
        one, two = (number[t, up[board]] for t, up in zip(pair, line_ups, strict=True))
        result = draw(st.sampled_from(["10", "01", "==", "+-", "-+", "+", "**"]))
        if result == "+":
            blocks[one][round_ - 1] = "  0000 - +"
            continue
        mine, theirs = "wb" if board % 2 == 0 else "bw"
        blocks[one][round_ - 1] = f"  {two:4} {mine} {result[0].replace('*', '?')}"
        blocks[two][round_ - 1] = f"  {one:4} {theirs} {result[1].replace('*', '?')}"
    for t, other, up in zip(pair, pair[::-1], line_ups, strict=True):
        if list(up) != sorted(up):
            listed = " ".join(f"{number[t, p]:4}" for p in up)
            lines.append(f"300 {round_:3} {t + 1:3} {other + 1:3} {listed}")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=texts(), version=st.sampled_from(["16", "26"]))
def test_whatever_was_read_comes_back(text: str, version: str, tmp_path_factory) -> None:
    archive = read_trf_files([TrfFile("cup.trf", "cup", text.encode())])
    assert archive.quarantine.is_empty(), text
    folder = tmp_path_factory.mktemp("written")
    lines = written(archive, folder, version)
    again = read(folder)
    for name in FRAMES:
        assert_frame_equal(getattr(again, name), getattr(archive, name)), lines
    # Every game is at a board, and every team has every round.
    played = sum(line.count(" w ") for line in text.splitlines() if line.startswith("001"))
    assert archive.boards.filter(color="w").height == played
    assert archive.results.height == archive.players.height * (archive.results["round"].max() or 0)
