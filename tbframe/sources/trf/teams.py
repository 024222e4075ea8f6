"""Team events: the individuals of a file as members, boards and matches of teams."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.schema import MEMBERS, RESULT_CODES, ResultCode
from tbframe.sources.trf.countable import reject_uncountable
from tbframe.sources.trf.line_ups import find_matches, seat_players
from tbframe.sources.trf.notes import Notes
from tbframe.sources.trf.sheet import Sheet
from tbframe.sources.trf.team_points import settle_team_points, team_systems
from tbframe.sources.trf.team_records import TeamRecords
from tbframe.sources.trf.team_rounds import (
    byes_of_players,
    every_round,
    forfeited,
    report_byes_of_players,
    rounds_of,
    sides_of,
    valid_byes,
)

__all__ = ["TeamEvents", "read_teams"]

_SIDE = ["file", "round", "team"]


@dataclass(frozen=True)
class TeamEvents:
    """The team events of a batch; every frame has ``file`` for the tournament.

    Attributes
    ----------
    files
        True for each file that is a team event with rosters.
    results, players, boards, members
        As in an `Archive`, in order.
    tournaments
        ``scoring``, ``game_scoring``, ``boards``, ``primary``: one row each.
    rounds
        The rounds of each file.
    """

    files: NDArray[np.bool_]
    results: pl.DataFrame
    players: pl.DataFrame
    boards: pl.DataFrame
    members: pl.DataFrame
    tournaments: pl.DataFrame
    rounds: NDArray[np.int64]


def read_teams(
    sheet: Sheet,
    records: TeamRecords,
    tournaments: pl.DataFrame,
    *,
    people: pl.DataFrame,
    points: NDArray[np.float64],
    paired: NDArray[np.int64],
    given: pl.DataFrame,
) -> TeamEvents | None:
    """Read the files with rosters of teams as team events.

    Parameters
    ----------
    sheet
        Text, players and settled rounds of the individuals.
    records
        What the records of teams say.
    tournaments
        ``file``, ``code``, ``boards``, ``primary``, ``game_scoring``: one row a file.
    people
        ``file``, ``player`` (start number) and the other columns of `schema.PLAYERS`.
    points
        Points of each row of the grid.
    paired
        Paired rounds of each file.
    given
        Byes from outside: ``file``, ``round``, ``team``, ``result``, ``match_points``,
        ``game_points``.

    Returns
    -------
    TeamEvents or None
        None if no file has rosters.
    """
    notes = sheet.notes
    files = np.zeros(len(paired), dtype=bool)
    files[records.members["file"].to_numpy()] = True
    files &= ~notes.rejected
    if not files.any():
        return None
    records = records.of(pl.Series(np.flatnonzero(files)))
    members = _members(records, people, notes)
    games = _games(sheet, files, members, points)
    _report_outsiders(games, notes)
    matches = find_matches(games, records, notes)
    seats = seat_players(games, matches, records, notes)
    _reject_strange_opponents(seats, notes)
    files &= ~notes.rejected
    kept = pl.col("file").is_in(np.flatnonzero(files))
    records = records.of(pl.Series(np.flatnonzero(files)))
    members, games, seats = (frame.filter(kept) for frame in (members, games, seats))

    sides = forfeited(sides_of(seats), records, matches, notes)
    rounds = rounds_of(records, paired, sheet.grid.rounds)
    byes = pl.concat(
        [given.filter(kept), records.byes, byes_of_players(games, sides)], how="diagonal_relaxed"
    )
    byes = valid_byes(byes, records, sides, rounds, notes)
    report_byes_of_players(games, sides, notes)
    # Where a bye is recorded, wins because nobody came are its points, and no boards.
    sides, seats = (
        frame.join(byes, on=_SIDE, how="anti", maintain_order="left") for frame in (sides, seats)
    )
    results = every_round(records, sides, byes, rounds, notes)
    systems = team_systems(records, tournaments.filter(kept), _boards_found(seats), notes)
    results = settle_team_points(results, systems, records, notes)
    reject_uncountable(results.select("file", "round", "points", "game_points"), notes)
    _compare_declared(records, results, notes)
    files &= ~notes.rejected
    kept = pl.col("file").is_in(np.flatnonzero(files))
    return TeamEvents(
        files=files,
        results=results.filter(kept).sort(_SIDE),
        players=records.teams.filter(kept).sort("file", "team"),
        boards=seats.filter(kept).sort(*_SIDE, "board", "order"),
        members=members.filter(kept).sort("file", "player"),
        tournaments=systems.filter(kept).sort("file"),
        rounds=rounds,
    )


def _members(records: TeamRecords, people: pl.DataFrame, notes: Notes) -> pl.DataFrame:
    """Return all players, with team and place in its list where they have one."""
    listed = records.members.rename({"number": "player"})
    unknown = listed.join(people, on=["file", "player"], how="anti", maintain_order="left")
    again = listed.filter(~pl.struct("file", "player").is_first_distinct())
    for rows, code, message in (
        (unknown, "unknown-member", "a team lists a player who has no 001 record: left out"),
        (again, "member-of-two-teams", "several teams list the player; the first one counts"),
    ):
        notes.find(
            code,
            "error",
            message,
            file=rows["file"].to_numpy(),
            line=rows["line"].to_numpy(),
            player=rows["player"].to_numpy(),
        )
    files = pl.col("file").is_in(records.members["file"].unique().implode())
    return (
        people.filter(files)
        .join(
            listed.join(people, on=["file", "player"], how="semi", maintain_order="left")
            .unique(["file", "player"], keep="first", maintain_order=True)
            .with_columns(order=pl.int_range(1, pl.len() + 1, dtype=pl.Int32).over("file", "team")),
            on=["file", "player"],
            how="left",
            maintain_order="left",
        )
        .select("file", *(name for name in MEMBERS if name != "tournament"))
    )


def _games(
    sheet: Sheet, files: NDArray[np.bool_], members: pl.DataFrame, points: NDArray[np.float64]
) -> pl.DataFrame:
    """Return every player in every round, with his team and his opponent's."""
    grid, file = sheet.grid, sheet.file()
    rows = np.flatnonzero(files[file])
    opponent = pl.Series(grid.opponent[rows].astype(np.int64))
    games = pl.DataFrame(
        {
            "file": file[rows],
            "round": grid.round[rows].astype(np.int64),
            "number": sheet.roster.number[grid.player[rows]].astype(np.int64),
            "opponent_number": opponent.set(opponent == 0, None),
            "color": pl.Series([None, "w", "b"], dtype=pl.String).gather(grid.color[rows]),
            "result": pl.Series(RESULT_CODES, dtype=ResultCode).gather(grid.result[rows]),
            "points": pl.Series(points[rows], nan_to_null=True),
        }
    )
    teams = members.select("file", "team", "order", number="player")
    return games.join(teams, on=["file", "number"], how="left", maintain_order="left").join(
        teams.select("file", opponent="team", opponent_number="number"),
        on=["file", "opponent_number"],
        how="left",
        maintain_order="left",
    )


def _report_outsiders(games: pl.DataFrame, notes: Notes) -> None:
    """Report games and points of players without a team."""
    outside = (
        games.filter(
            pl.col("team").is_null(),
            pl.col("opponent_number").is_not_null() | (pl.col("points") > 0),
        )
        .group_by("file", "number", maintain_order=True)
        .agg(pl.len())
    )
    notes.find(
        "player-without-team",
        "error",
        pl.format("no team lists the player: his {} games count for none", "len"),
        file=outside["file"].to_numpy(),
        player=outside["number"].to_numpy(),
        len=outside["len"],
    )


def _reject_strange_opponents(seats: pl.DataFrame, notes: Notes) -> None:
    """Reject files in which a team has nobody but players without a team to play against."""
    strange = seats.filter(pl.col("opponent").is_null(), pl.col("opponent_number").is_not_null())
    strange = strange.unique(_SIDE, keep="first", maintain_order=True)
    notes.reject(
        "opponents-without-team",
        pl.format(
            "team {} meets players of no team in round {}; teams=False reads the list of the "
            "individuals",
            "team",
            "round",
        ),
        file=strange["file"].to_numpy(),
        team=strange["team"],
        round=strange["round"],
    )


def _boards_found(seats: pl.DataFrame) -> pl.DataFrame:
    return seats.group_by("file").agg(found=pl.col("board").max())


def _compare_declared(records: TeamRecords, results: pl.DataFrame, notes: Notes) -> None:
    sums = results.group_by("file", "team").agg(
        pl.col("points", "game_points").sum().round(4).name.suffix("_found")
    )
    both = records.teams.join(sums, on=["file", "team"], how="left", maintain_order="left")
    for score, words in (("points", "match points"), ("game_points", "game points")):
        wrong = both.filter((pl.col(score) - pl.col(f"{score}_found")).abs() > 0.01)
        notes.find(
            "team-points-declared",
            "warning",
            pl.format(
                f"team {{}}: {{}} {words} are declared, the results bring {{}}",
                "team",
                "declared",
                "found",
            ),
            file=wrong["file"].to_numpy(),
            line=wrong["line"].to_numpy(),
            player=wrong["team"].to_numpy(),
            team=wrong["team"],
            declared=wrong[score],
            found=wrong[f"{score}_found"],
        )
