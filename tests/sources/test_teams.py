"""Team events read from report files: every record of teams, in files of a few lines."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl
import pytest

import tbframe as tb
from tbframe.sources import read
from tbframe.sources.trf import TrfFile, read_trf_files

Player = Callable[..., str]
ReadText = Callable[..., tb.Archive]

#: Two teams of two boards: 1 and 2 against 3 and 4; 5 is the reserve of the first team.
ROSTERS = ("013 Rooks".ljust(36) + "   1    2    5", "013 Kings".ljust(36) + "   3    4")
#: The same with match points, game points and rank.
NUMBERED = (
    "310   1 Rooks".ljust(41) + "RKS     2000    2.0    1.5   1     1    2    5",
    "310   7 Kings".ljust(41) + "KGS              0     0.5   2     3    4",
)


def one_match(player: Player, *blocks: str) -> list[str]:
    """Lay out the players of the two teams with a block each."""
    return [player(number, f"P{number}", block) for number, block in enumerate(blocks, 1)]


PLAYED = ("   3 w 1", "   4 b =", "   1 b 0", "   2 w =", "0000 - -")


def rows(archive: tb.Archive, *columns: str) -> list[tuple[object, ...]]:
    return archive.results.select("player", "round", *columns).rows()


def codes(archive: tb.Archive) -> list[str]:
    return archive.findings["code"].to_list()


def test_rosters_of_trf16(read_text: ReadText, player: Player) -> None:
    archive = read_text(*ROSTERS, *one_match(player, *PLAYED))
    assert rows(archive, "opponent", "color", "result", "points", "game_points") == [
        (1, 1, 2, "w", "1", 2.0, 1.5),
        (2, 1, 1, "b", "0", 0.0, 0.5),
    ]
    assert archive.players.select("player", "name").rows() == [(1, "Rooks"), (2, "Kings")]
    assert archive.boards is not None
    assert archive.boards.drop("tournament").rows() == [
        (1, 1, 2, 1, 1, 3, "w", "1", 1.0),
        (1, 1, 2, 2, 2, 4, "b", "=", 0.5),
        (1, 2, 1, 1, 3, 1, "b", "0", 0.0),
        (1, 2, 1, 2, 4, 2, "w", "=", 0.5),
    ]
    assert archive.members is not None
    assert archive.members.select("player", "team", "order", "name").rows() == [
        (1, 1, 1, "P1"), (2, 1, 2, "P2"), (3, 2, 1, "P3"), (4, 2, 2, "P4"), (5, 1, 3, "P5"),
    ]  # fmt: skip
    about = archive.tournaments.row(0, named=True)
    assert (about["kind"], about["boards"], about["scoring"]) == ("team", 2, None)
    assert about["records"] is None
    assert codes(archive) == ["boards-counted"]


def test_rosters_of_trf26(read_text: ReadText, player: Player) -> None:
    archive = read_text("352 WB", *NUMBERED, *one_match(player, *PLAYED))
    assert archive.players.drop("tournament", "sex", "title", "rating", "federation", "id", "birth"
    ).rows() == [
        (1, "Rooks", 2.0, 1, "RKS", 2000.0, 1.5),
        (7, "Kings", 0.0, 2, "KGS", None, 0.5),
    ]  # fmt: skip
    assert rows(archive, "opponent", "result") == [(1, 1, 7, "1"), (7, 1, 1, "0")]
    assert archive.tournaments["boards"].item() == 2
    assert codes(archive) == []


def test_a_draft_of_trf26_has_its_rosters_two_columns_earlier(
    read_text: ReadText, player: Player
) -> None:
    drafted = [line[:54] + line[56:] for line in NUMBERED]
    assert drafted[0].index("   1    2    5") + 1 == 72
    archive = read_text("352 WB", *drafted, *one_match(player, *PLAYED))
    new = read_text("352 WB", *NUMBERED, *one_match(player, *PLAYED))
    assert archive.players.equals(new.players)
    assert archive.results.equals(new.results)
    assert codes(archive) == ["older-layout"]


def test_the_individuals_on_request(player: Player) -> None:
    text = "\n".join([*ROSTERS, *one_match(player, *PLAYED)])
    archive = read_trf_files([TrfFile("cup.trf", "cup", text.encode())], teams=False)
    assert archive.boards is None
    assert archive.players["player"].to_list() == [1, 2, 3, 4, 5]
    assert codes(archive) == ["team-records-not-read"]


def test_without_rosters_there_is_only_the_list(read_text: ReadText, player: Player) -> None:
    archive = read_text("801  1 RKS 2 1.5", *one_match(player, *PLAYED))
    assert archive.boards is None
    assert archive.players.height == 5
    assert codes(archive) == ["team-records-not-read"]


def test_declared_points_of_teams(read_text: ReadText, player: Player) -> None:
    wrong = NUMBERED[0].replace("   2.0    1.5", "   1.0    2.5")
    archive = read_text("352 WB", wrong, NUMBERED[1], *one_match(player, *PLAYED))
    found = archive.findings.filter(code="team-points-declared")
    assert found.select("player", "severity").rows() == [("1", "warning"), ("1", "warning")]
    assert found["message"].to_list() == [
        "team 1: 1.0 match points are declared, the results bring 2.0",
        "team 1: 2.5 game points are declared, the results bring 1.5",
    ]


# -- scoring --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "scoring", "points"),
    [
        ("362 TW 3.0   TD 1.0   TL 0.0", "W=3 D=1 L=0 U=1", [3.0, 0.0]),
        ("362 TW  3.0   TD  1.0   TL  0.0", "W=3 D=1 L=0 U=1", [3.0, 0.0]),
        ("362  W 1      D 0.5    L 0  ", "W=1 D=0.5 L=0 U=0.5", [1.0, 0.0]),
        ("362 TW 2     TD 1     TL 0 ", None, [2.0, 0.0]),
        ("362 TW 3     TD 2     TL 1     TP 3", "W=3 D=2 L=1 U=3", [3.0, 1.0]),
        ("362 TW 2     TD 1     TL 0     TA 0.5", "W=2 D=1 L=0 U=1 -=0.5 Z=0.5", [2.0, 0.0]),
    ],
)
def test_scoring_of_matches(
    record: str, scoring: str | None, points: list[float], read_text: ReadText, player: Player
) -> None:
    archive = read_text(record, "352 WB", *NUMBERED, *one_match(player, *PLAYED))
    assert archive.tournaments["scoring"].item() == scoring
    assert archive.results["points"].to_list() == points
    assert "unreadable-team-record" not in codes(archive)


def test_scoring_of_boards(read_text: ReadText, player: Player) -> None:
    archive = read_text(
        "162  W 3.0    D 1.0    L 0.0", "352 WB", *NUMBERED, *one_match(player, *PLAYED)
    )
    assert archive.tournaments.select("scoring", "game_scoring").row(0) == (None, "W=3 D=1 L=0")
    assert archive.results["game_points"].to_list() == [4.0, 1.0]


def test_the_score_that_decides(read_text: ReadText, player: Player) -> None:
    for code, primary in (("FIDE_TEAM_GP_MP", "GP"), ("FIDE_TEAM_MP", "MP"), ("FIDE_TEAM", None)):
        archive = read_text(f"192 {code}", *NUMBERED, *one_match(player, *PLAYED))
        assert archive.tournaments["primary"].item() == primary


def test_a_scoring_that_cannot_be_read(read_text: ReadText, player: Player) -> None:
    archive = read_text("362 TW 2   three", "352 WB", *NUMBERED, *one_match(player, *PLAYED))
    found = archive.findings.filter(code="unreadable-team-record")
    assert found.select("line", "severity").rows() == [(1, "error")]


# -- rounds without games ---------------------------------------------------------------------

THREE = (
    "310   1 A".ljust(73) + "   1    2",
    "310   2 B".ljust(73) + "   3    4",
    "310   3 C".ljust(73) + "   5    6",
)
#: Round 1: A against B on two boards, C is free; round 2: nobody plays.
IDLE = ("0000 - -",) * 2


def three_teams(player: Player, *records: str) -> list[str]:
    boards = ["   3 w 1", "   4 b 1", "   1 b 0", "   2 w 0"]
    lines = [player(n, "", block, "0000 - -") for n, block in enumerate(boards, 1)]
    return ["352 WB", *THREE, *records, *lines, player(5, "", *IDLE), player(6, "", *IDLE)]


def by_team(archive: tb.Archive, team: int) -> list[tuple[object, ...]]:
    chosen = archive.results.filter(player=team)
    return chosen.select("opponent", "color", "result", "points", "game_points").rows()


def test_a_pairing_allocated_bye(read_text: ReadText, player: Player) -> None:
    archive = read_text(*three_teams(player, "320  1.5 1.25   3   1"))
    assert by_team(archive, 3)[0] == (None, None, "U", 1.5, 1.25)
    assert by_team(archive, 1) == [
        (2, "w", "1", 2.0, 2.0),
        (None, None, "U", 1.5, 1.25),
    ]
    assert archive.tournaments["scoring"].item() == "W=2 D=1 L=0 U=1.5"
    # The others are absent in round 2.
    assert by_team(archive, 2)[1] == by_team(archive, 3)[1] == (None, None, "Z", 0.0, 0.0)
    assert codes(archive) == ["team-rounds-absent"]


def test_a_bye_without_points_counts_as_a_drawn_match(read_text: ReadText, player: Player) -> None:
    archive = read_text(*three_teams(player, "320".ljust(14) + "  3"))
    assert by_team(archive, 3)[0] == (None, None, "U", 1.0, 1.0)
    archive = read_text("362 TW 3.0   TD 1.0", *three_teams(player, "320".ljust(14) + "  3"))
    assert by_team(archive, 3)[0] == (None, None, "U", 1.0, 1.0)


def test_requested_byes(read_text: ReadText, player: Player) -> None:
    archive = read_text(
        *three_teams(player, "240 H   1    3", "240 F   2    1    2", "240 Z   2    3")
    )
    assert by_team(archive, 3) == [(None, None, "H", 1.0, 1.0), (None, None, "Z", 0.0, 0.0)]
    assert by_team(archive, 1)[1] == by_team(archive, 2)[1] == (None, None, "F", 2.0, 2.0)
    assert codes(archive) == []


@pytest.mark.parametrize(
    ("record", "code"),
    [
        ("240 H   1    1", "bye-record-contradicted"),  # has a match
        ("240 H   1    9", "unknown-team"),
        ("240 H   5    1", "announced-bye"),
        ("240 X   1    3", "unreadable-team-record"),
        ("240 H        3", "unreadable-team-record"),
    ],
)
def test_byes_that_cannot_be(record: str, code: str, read_text: ReadText, player: Player) -> None:
    archive = read_text(*three_teams(player, record))
    assert code in codes(archive)
    assert by_team(archive, 1)[0] == (2, "w", "1", 2.0, 2.0)
    assert by_team(archive, 3)[0][2] == "Z"


def test_byes_of_rounds_to_come_stay_as_text(read_text: ReadText, player: Player) -> None:
    archive = read_text(*three_teams(player, "240 H   5    1", "240 F   2    1"))
    assert archive.tournaments["records"].item() == "240 H   5    1"


@pytest.mark.parametrize(
    ("said", "results"),
    [
        ("+-", "+-"), ("-+", "-+"), ("--", "--"),
        ("WL", "+-"), ("10", "+-"), ("ZZ", "--"), ("01", "-+"),
    ],
)  # fmt: skip
def test_forfeited_matches(said: str, results: str, read_text: ReadText, player: Player) -> None:
    archive = read_text(*three_teams(player, f"330 {said}   2   3   1"))
    worth = {"+": (2.0, 2.0), "-": (0.0, 0.0)}
    white, black = results
    assert by_team(archive, 3)[1] == (1, "w", white, *worth[white])
    assert by_team(archive, 1)[1] == (3, "b", black, *worth[black])
    assert codes(archive) == ["team-rounds-absent"]


def test_a_forfeited_match_with_its_players(read_text: ReadText, player: Player) -> None:
    there = [player(n, "", "0000 - +") for n in (1, 2)]
    absent = [player(n, "", "0000 - -") for n in (3, 4)]
    archive = read_text("352 WBWB", *NUMBERED, "330 -+   1   7   1", *there, *absent, player(5))
    # Two came; the match is won with what they made, the colours are those of the record.
    assert by_team(archive, 1) == [(7, "b", "+", 2.0, 2.0)]
    assert by_team(archive, 7) == [(1, "w", "-", 0.0, 0.0)]
    assert archive.boards is not None
    assert archive.boards.select("team", "board", "player", "result").rows() == [
        (1, 1, 1, "+"), (1, 2, 2, "+"),
    ]  # fmt: skip


def test_a_forfeit_against_the_games(read_text: ReadText, player: Player) -> None:
    archive = read_text("352 WB", *NUMBERED, "330 -+   1   1   7", *one_match(player, *PLAYED))
    assert by_team(archive, 1) == [(7, "w", "1", 2.0, 1.5)]
    assert archive.findings.filter(severity="error")["code"].to_list() == ["forfeit-contradicted"]


def test_a_forfeit_of_teams_that_played_others(read_text: ReadText, player: Player) -> None:
    archive = read_text(*three_teams(player, "330 +-   1   3   1"))
    assert by_team(archive, 1)[0] == (2, "w", "1", 2.0, 2.0)
    assert by_team(archive, 3)[0][2] == "Z"
    assert archive.findings.filter(severity="error")["code"].to_list() == ["match-contradicted"]


@pytest.mark.parametrize("record", ["330 ?-   1   3   1", "330 +-       3   1", "330 +-   1   3"])
def test_forfeits_that_cannot_be_read(record: str, read_text: ReadText, player: Player) -> None:
    archive = read_text(*three_teams(player, record))
    assert "unreadable-team-record" in codes(archive)
    assert by_team(archive, 3)[0][2] == "Z"


def test_nobody_is_named_to_have_forfeited(read_text: ReadText, player: Player) -> None:
    lines = [*ROSTERS, "013 Pawns".ljust(36) + "   6"]
    came = ("0000 - +", "0000 - +", "0000 - -", "0000 - -", "0000 - -", "0000 - -")
    archive = read_text(*lines, *one_match(player, *came))
    assert by_team(archive, 1) == [(None, None, "+", 2.0, 2.0)]
    assert codes(archive).count("forfeit-without-opponent") == 1
    assert codes(archive).count("team-without-match") == 2


def test_byes_that_only_the_players_have(read_text: ReadText, player: Player) -> None:
    blocks = ("   3 w 1", "   4 b 1", "   1 b 0", "   2 w 0", "0000 - U", "0000 - U")
    archive = read_text("352 WB", *THREE, *one_match(player, *blocks))
    assert by_team(archive, 3) == [(None, None, "U", 1.0, 1.0)]
    assert codes(archive) == []


def test_byes_of_players_beside_a_match(read_text: ReadText, player: Player) -> None:
    archive = read_text("352 WB", *NUMBERED, *one_match(player, *PLAYED[:4], "0000 - H"))
    assert rows(archive, "result", "game_points") == [(1, 1, "1", 1.5), (7, 1, "0", 0.5)]
    said = archive.findings.select("code", "severity", "round", "player").rows()
    assert said == [("points-off-board", "warning", 1, "5")]


def test_trf16_cannot_say_who_had_the_bye(player: Player, tmp_path) -> None:
    teams = ["013 A", "013 B", "013 C"]
    numbers = ["   1    2", "   3    4", "   5    6"]
    rosters = [team.ljust(36) + listed for team, listed in zip(teams, numbers, strict=True)]
    lines = three_teams(player)[4:]
    (tmp_path / "cup.trf").write_text("\n".join([*rosters, *lines]))
    archive = read(tmp_path)
    assert by_team(archive, 3)[0] == (None, None, "Z", 0.0, 0.0)
    said = archive.findings.filter(code="team-without-match")
    assert sorted(said.select("round", "severity", "line").rows()) == [
        (1, "warning", 3), (2, "warning", 1), (2, "warning", 2), (2, "warning", 3),
    ]  # fmt: skip
    alone = said["message"].str.contains("the only one in the round")
    assert said.filter(alone)["round"].to_list() == [1]

    byes = pl.DataFrame({"tournament": ["cup"], "round": [1], "team": [3], "type": ["PAB"]})
    told = read(tmp_path, team_byes=byes)
    assert by_team(told, 3)[0] == (None, None, "U", 1.0, 1.0)
    assert told.findings.filter(code="team-without-match").height == 3

    byes = byes.with_columns(match_points=pl.lit(2), game_points=pl.lit(1.5))
    assert by_team(read(tmp_path, team_byes=byes.lazy()), 3)[0] == (None, None, "U", 2.0, 1.5)


def test_byes_supplied_for_nothing(player: Player, tmp_path) -> None:
    (tmp_path / "cup.trf").write_text("\n".join(three_teams(player)))
    byes = pl.DataFrame(
        {"tournament": ["cup", "cup", "other"], "round": [1, 1, 1], "team": [1, 8, 3]}
    ).with_columns(type=pl.lit("U"))
    errors = read(tmp_path, team_byes=byes).findings.filter(severity="error")
    assert sorted(errors["code"]) == ["bye-record-contradicted", "team-bye-unused", "unknown-team"]
    with pytest.raises(tb.ContractError, match="team_byes, column 'team'"):
        read(tmp_path, team_byes=byes.with_columns(team=pl.lit("A")))
    with pytest.raises(tb.ContractError, match="team_byes, column 'type'"):
        read(tmp_path, team_byes=byes.with_columns(type=pl.lit("bye")))


# -- abnormal points ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("record", "points", "game_points"),
    [
        ("299 W   3.0   2.5    1    1", [3.0, 0.0], [2.5, 0.5]),
        ("299 W         2.5    1    1", [2.0, 0.0], [2.5, 0.5]),
        ("299 L   0.5          1    7", [2.0, 0.5], [1.5, 0.5]),
        ("299    -1.0  -0.5    1    1", [1.0, 0.0], [1.0, 0.5]),
        ("299 W   3.0", [3.0, 0.0], [1.5, 0.5]),
        ("299 D   3.0   2.5    1    1", [2.0, 0.0], [1.5, 0.5]),  # concerns nobody
    ],
)
def test_abnormal_points(
    record: str, points: list[float], game_points: list[float],
    read_text: ReadText, player: Player,
) -> None:  # fmt: skip
    archive = read_text("352 WB", *NUMBERED, record, *one_match(player, *PLAYED))
    assert archive.results["points"].to_list() == points
    assert archive.results["game_points"].to_list() == game_points
    assert ("idle-record" in codes(archive)) == record.startswith("299 D")


def test_abnormal_points_of_unplayed_rounds(read_text: ReadText, player: Player) -> None:
    records = ("299 +   1.5   1.5", "299 -   0.5", "299 H   0.5   0.5", "330 +-   2   3   1")
    archive = read_text(*three_teams(player, *records, "240 H   1    3"))
    assert by_team(archive, 3) == [(None, None, "H", 0.5, 0.5), (1, "w", "+", 1.5, 1.5)]
    assert by_team(archive, 1)[1] == (3, "b", "-", 0.5, 0.0)
    assert archive.tournaments["scoring"].item() == "W=2 D=1 L=0 U=1 +=1.5 H=0.5 -=0.5"


@pytest.mark.parametrize(
    "record",
    ["299 ?   2.0   2.5    1    1", "299 W               1    1", "299    -1.0  -0.5  999    1 x",
     "299    -1.0  -0.5"],
)  # fmt: skip
def test_abnormal_points_that_cannot_be_applied(
    record: str, read_text: ReadText, player: Player
) -> None:
    archive = read_text("352 WB", *NUMBERED, record, *one_match(player, *PLAYED))
    assert archive.results["points"].to_list() == [2.0, 0.0]
    assert {"unreadable-team-record", "idle-record"} & set(codes(archive))


# -- line-ups -------------------------------------------------------------------------------


def seats(archive: tb.Archive, team: int) -> list[tuple[int, int | None, str]]:
    assert archive.boards is not None
    return archive.boards.filter(team=team).select("board", "player", "result").rows()


def test_reserves_sit_at_the_last_boards(read_text: ReadText, player: Player) -> None:
    blocks = ("   3 w 1", "0000 - -", "   1 b 0", "   5 w 0", "   4 b 1")
    archive = read_text(*ROSTERS, *one_match(player, *blocks))
    assert seats(archive, 1) == [(1, 1, "1"), (2, 5, "1")]
    assert seats(archive, 2) == [(1, 3, "0"), (2, 4, "0")]


def test_a_missing_player_leaves_his_board_empty(read_text: ReadText, player: Player) -> None:
    # 1 won because nobody came; the second board of either team played.
    blocks = ("0000 - +", "   4 b 0", "0000 - -", "   2 w 1")
    archive = read_text(*ROSTERS, *one_match(player, *blocks))
    assert seats(archive, 1) == [(1, 1, "+"), (2, 2, "0")]
    assert seats(archive, 2) == [(2, 4, "1")]
    assert rows(archive, "result", "game_points", "color") == [
        (1, 1, "=", 1.0, None), (2, 1, "=", 1.0, None),
    ]  # fmt: skip


def test_fewer_boards_count_for_the_other_team_only(read_text: ReadText, player: Player) -> None:
    blocks = ("   3 w =", "0000 - -", "   1 b =", "0000 - +")
    archive = read_text(*ROSTERS, *one_match(player, *blocks))
    assert rows(archive, "result", "game_points") == [(1, 1, "0", 0.5), (2, 1, "1", 1.5)]


def test_forfeited_boards_with_their_opponents(read_text: ReadText, player: Player) -> None:
    blocks = ("   3 w -", "   4 b 1", "   1 b +", "   2 w 0")
    archive = read_text(*ROSTERS, *one_match(player, *blocks))
    assert seats(archive, 1) == [(1, 1, "-"), (2, 2, "1")]
    assert rows(archive, "result") == [(1, 1, "="), (2, 1, "=")]


def test_a_line_up_out_of_order(read_text: ReadText, player: Player) -> None:
    blocks = ("   4 b =", "   3 w 1", "   2 b 0", "   1 w =", "0000 - -")
    record = "300   1   1   7    2    1"
    archive = read_text("352 WB", *NUMBERED, record, *one_match(player, *blocks))
    assert seats(archive, 1) == [(1, 2, "1"), (2, 1, "=")]
    assert seats(archive, 7) == [(1, 3, "0"), (2, 4, "=")]
    assert codes(archive) == []


def test_a_line_up_with_an_empty_board(read_text: ReadText, player: Player) -> None:
    # Nobody came to board 1 for the first team, so 3 won there; 2 has board 2, his opponent too.
    blocks = ("0000 - -", "   4 b 1", "0000 - +", "   2 w 0", "0000 - -")
    record = "300   1   1   7    0    2"
    archive = read_text("352 WB", *NUMBERED, record, *one_match(player, *blocks))
    assert seats(archive, 1) == [(2, 2, "1")]
    assert seats(archive, 7) == [(1, 3, "+"), (2, 4, "0")]


def test_a_line_up_names_who_did_not_come(read_text: ReadText, player: Player) -> None:
    blocks = ("0000 - -", "   4 b 1", "0000 - +", "   2 w 0", "0000 - -")
    record = "300   1   1   7    1    2"
    archive = read_text("352 WB", *NUMBERED, record, *one_match(player, *blocks))
    assert seats(archive, 1) == [(1, 1, "-"), (2, 2, "1")]


def test_line_ups_that_contradict_the_games(read_text: ReadText, player: Player) -> None:
    record = "300   1   1   7    1    4"
    archive = read_text("352 WB", *NUMBERED, record, *one_match(player, *PLAYED))
    assert codes(archive) == ["line-up-contradicted"]
    records = ("300   1   1   7    1    2", "300   1   7   1    4    3")
    archive = read_text("352 WB", *NUMBERED, *records, *one_match(player, *PLAYED))
    assert set(codes(archive)) == {"line-ups-disagree"}
    assert {f["severity"] for f in archive.findings.to_dicts()} == {"error"}


def test_lists_that_cross_are_told_and_colours_decide(read_text: ReadText, player: Player) -> None:
    # 1-4 and 2-3: by the list of the second team, whose colours alternate: b w; by that of the
    # first one 1 and 2 would both have White.
    rosters = [line + "    8" for line in ROSTERS[:1]] + [ROSTERS[1] + "    9"]
    crossed = {1: "   4 w 1", 2: "   9 w 0", 3: "   8 w 1", 4: "   1 b 0", 8: "   3 b 0",
               9: "   2 b 1"}  # fmt: skip
    lines = [player(n, "", block) for n, block in crossed.items()]
    archive = read_text(*rosters, *lines, player(5))
    # Second team: 3 (w), 4 (b), 9 (b); first team: 1 (w), 2 (w), 8 (b). Neither alternates.
    assert codes(archive).count("line-ups-cross") == 1
    assert seats(archive, 1) == [(1, 1, "1"), (2, 2, "0"), (3, 8, "0")]
    assert seats(archive, 2) == [(1, 4, "0"), (2, 9, "1"), (3, 3, "1")]

    two = {1: "   4 b 1", 2: "   3 b 0", 3: "   2 w 1", 4: "   1 w 0"}
    three = {**two, 2: "   3 w 0", 3: "   2 b 1"}
    assert seats(read_text(*ROSTERS, *[player(n, "", b) for n, b in two.items()]), 2) == [
        (1, 4, "0"), (2, 3, "1"),
    ]  # fmt: skip
    # With the colours of the first team in turn, its list leads as well.
    assert seats(read_text(*ROSTERS, *[player(n, "", b) for n, b in three.items()]), 2) == [
        (1, 4, "0"), (2, 3, "1"),
    ]  # fmt: skip


def test_the_second_list_leads_where_only_its_colours_alternate(
    read_text: ReadText, player: Player
) -> None:
    # Second team in order: 3 w, 4 b, 6 w against 2, 7, 1; the first team in order 1 b, 2 b, 7 w.
    rosters = ["013 A".ljust(36) + "   1    2    7", "013 B".ljust(36) + "   3    4    6"]
    blocks = {1: "   6 b 1", 2: "   3 b 0", 3: "   2 w 1", 4: "   7 b =", 6: "   1 w 0",
              7: "   4 w ="}  # fmt: skip
    archive = read_text(*rosters, *[player(n, "", block) for n, block in blocks.items()])
    assert seats(archive, 2) == [(1, 3, "1"), (2, 4, "="), (3, 6, "0")]
    assert seats(archive, 1) == [(1, 2, "0"), (2, 7, "="), (3, 1, "1")]


# -- rosters that do not hold -----------------------------------------------------------------


def test_members_that_cannot_be(read_text: ReadText, player: Player) -> None:
    rosters = ["013 A".ljust(36) + "   1    2   77", "013 B".ljust(36) + "   3    4    2"]
    archive = read_text(*rosters, *one_match(player, *PLAYED))
    errors = archive.findings.filter(severity="error").select("code", "player").rows()
    assert sorted(errors) == [("member-of-two-teams", "2"), ("unknown-member", "77")]
    assert archive.members is not None
    assert archive.members.select("player", "team", "order").rows() == [
        (1, 1, 1), (2, 1, 2), (3, 2, 1), (4, 2, 2), (5, None, None),
    ]  # fmt: skip


def test_games_of_players_without_a_team(read_text: ReadText, player: Player) -> None:
    rosters = ["013 A".ljust(36) + "   1    2", "013 B".ljust(36) + "   3"]
    archive = read_text(*rosters, *one_match(player, *PLAYED))
    assert rows(archive, "game_points") == [(1, 1, 1.5), (2, 1, 0.0)]
    errors = archive.findings.filter(severity="error").select("code", "player").rows()
    assert errors == [("player-without-team", "4")]


@pytest.mark.parametrize(
    ("rosters", "code"),
    [
        (["013 A".ljust(36) + "   1    3", "013 B".ljust(36) + "   2    4"], "team-meets-itself"),
        (
            [
                "013 A".ljust(36) + "   1    2",
                "013 B".ljust(36) + "   3",
                "013 C".ljust(36) + "   4",
            ],
            "several-opponents",
        ),
        (["013 A".ljust(36) + "   1    2"], "opponents-without-team"),
        ([NUMBERED[0], NUMBERED[1].replace("310   7", "310   1")], "duplicate-team-number"),
        ([NUMBERED[0], NUMBERED[1].replace("310   7", "310    ")], "duplicate-team-number"),
    ],
)
def test_contradictions_set_the_file_aside(
    rosters: list[str], code: str, read_text: ReadText, player: Player
) -> None:
    lines = [*rosters, *one_match(player, *PLAYED)]
    archive = read_text(*lines)
    assert archive.results.is_empty()
    assert archive.quarantine.select("tournament", "code", "rows").rows() == [("cup", code, 5)]
    text = "\n".join(lines).encode()
    listed = read_trf_files([TrfFile("cup.trf", "cup", text)], teams=False)
    assert listed.results.height == 5


def test_one_team_alone(read_text: ReadText, player: Player) -> None:
    archive = read_text(THREE[0], player(1, "", "0000 - -"), player(2, "", "0000 - -"))
    assert by_team(archive, 1) == [(None, None, "Z", 0.0, 0.0)]
    assert archive.standings("PTS GPTS BH:MP EDE").height == 1


def test_team_events_among_others(player: Player, tmp_path) -> None:
    (tmp_path / "a.trf").write_text(
        "\n".join([player(1, "", "   2 w 1"), player(2, "", "   1 b 0")])
    )
    (tmp_path / "b.trf").write_text("\n".join([*ROSTERS, *one_match(player, *PLAYED)]))
    (tmp_path / "c.trf").write_text("\n".join(three_teams(player)))
    archive = read(tmp_path)
    assert archive.results.select("tournament", "player").rows() == [
        ("a", 1), ("a", 2), ("b", 1), ("b", 2), *(("c", t) for t in (1, 1, 2, 2, 3, 3)),
    ]  # fmt: skip
    assert archive.results.filter(tournament="a")["game_points"].null_count() == 2
    standings = archive.standings("PTS")
    assert standings.filter(tournament="a")["PTS"].to_list() == [1.0, 0.0]
    assert standings.filter(tournament="b")["PTS"].to_list() == [2.0, 0.0]
    assert archive.select("a").boards is not None
    assert archive.select("a").boards.is_empty()
    assert archive.select("c").members["player"].to_list() == [1, 2, 3, 4, 5, 6]
