"""Team events: the individuals of a file as members, boards and matches of teams."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.intake.matches import derive_matches
from tbframe.schema import MEMBERS, RESULT_CODES, ResultCode
from tbframe.sources.trf.line_ups import find_matches, seat_players
from tbframe.sources.trf.notes import Notes
from tbframe.sources.trf.sheet import Sheet
from tbframe.sources.trf.team_points import settle_team_points, team_systems
from tbframe.sources.trf.team_records import TeamRecords

__all__ = ["TeamEvents", "read_teams"]

_SIDE = ["file", "round", "team"]
_PLAYED = ["1", "=", "0", "W", "D", "L"]


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

    sides = _forfeited(_sides(seats), records, matches, notes)
    rounds = _rounds(records, paired, sheet.grid.rounds)
    byes = pl.concat(
        [given.filter(kept), records.byes, _byes_of_players(games, sides)], how="diagonal_relaxed"
    )
    byes = _valid_byes(byes, records, sides, rounds, notes)
    _report_byes_of_players(games, sides, notes)
    # Where a bye is recorded, wins because nobody came are its points, and no boards.
    sides, seats = (
        frame.join(byes, on=_SIDE, how="anti", maintain_order="left") for frame in (sides, seats)
    )
    results = _every_round(records, sides, byes, rounds, notes)
    systems = team_systems(records, tournaments.filter(kept), _boards_found(seats), notes)
    results = settle_team_points(results, systems, records, notes)
    _compare_declared(records, results, notes)
    return TeamEvents(
        files=files,
        results=results.sort(_SIDE),
        players=records.teams.sort("file", "team"),
        boards=seats.sort(*_SIDE, "board", "order"),
        members=members.sort("file", "player"),
        tournaments=systems.sort("file"),
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


def _sides(seats: pl.DataFrame) -> pl.DataFrame:
    """Return how each match went, as the boards have it: one row a side."""
    boards = seats.rename({"file": "tournament"})
    sides = derive_matches(boards).rename({"tournament": "file"})
    # Of a match that was not played only one side may have had anybody at the boards.
    known = sides.filter(pl.col("opponent").is_not_null())
    other = known.select(
        "file",
        "round",
        team="opponent",
        opponent="team",
        color=pl.col("color").replace({"w": "b", "b": "w"}),
        result=pl.lit("-", ResultCode),
        game_points=pl.lit(0.0),
    ).join(known, on=[*_SIDE, "opponent"], how="anti")
    return pl.concat([sides, other]).with_columns(boards=pl.lit(value=True))


def _forfeited(
    sides: pl.DataFrame, records: TeamRecords, matches: pl.DataFrame, notes: Notes
) -> pl.DataFrame:
    """Enter the forfeited matches of records 330."""
    key = [*_SIDE, "opponent"]
    forfeits = records.forfeits.join(matches, on=key, how="semi", maintain_order="left")
    forfeits = forfeits.unique(key, keep="first", maintain_order=True)
    played = sides.filter(~pl.col("result").is_in(["+", "-"]))
    wrong = forfeits.join(played, on=key, how="semi", maintain_order="left").unique(
        "line", keep="first", maintain_order=True
    )
    notes.find(
        "forfeit-contradicted",
        "error",
        "record 330 has a match forfeited in which games were played: it is passed over",
        file=wrong["file"].to_numpy(),
        line=wrong["line"].to_numpy(),
        round=wrong["round"].to_numpy(),
    )
    forfeits = forfeits.join(wrong, on=["file", "line"], how="anti").select(
        *key, "color", pl.col("result").cast(ResultCode)
    )
    entered = forfeits.join(sides.select(*key, "game_points", "boards"), on=key, how="left")
    # With nobody at the boards the points are those of the rule, not none.
    entered = entered.with_columns(
        pl.when((pl.col("result") == "-") | (pl.col("game_points") > 0)).then("game_points")
    )
    kept = sides.join(forfeits, on=key, how="anti")
    return pl.concat([kept, entered.select(kept.columns)])


def _rounds(
    records: TeamRecords, paired: NDArray[np.int64], written: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the rounds of each file: paired ones, or with a forfeit or bye on record."""
    last = paired.copy()
    for frame in (records.forfeits, records.byes.filter(result="U")):
        file, round_ = frame["file"].to_numpy(), frame["round"].to_numpy()
        inside = round_ <= written[file]
        np.maximum.at(last, file[inside], round_[inside])
    return last


def _byes_of_players(games: pl.DataFrame, sides: pl.DataFrame) -> pl.DataFrame:
    """Return the byes that the players of teams without a match have."""
    return (
        games.filter(pl.col("team").is_not_null(), pl.col("result").is_in(["U", "H", "F"]))
        .join(sides, on=_SIDE, how="anti", maintain_order="left")
        .sort(*_SIDE, "order")
        .unique(_SIDE, keep="first", maintain_order=True)
        .select(
            *_SIDE,
            pl.col("result").cast(pl.String),
            *(pl.lit(None, pl.Float64).alias(name) for name in ("match_points", "game_points")),
        )
    )


def _report_byes_of_players(games: pl.DataFrame, sides: pl.DataFrame, notes: Notes) -> None:
    """Report points of players that no board of their team's match brings."""
    off = (
        games.filter(pl.col("points") > 0, pl.col("result").is_in(["U", "H", "F"]))
        .join(sides, on=_SIDE, how="semi", maintain_order="left")
        .sort("file", "number", "round")
    )
    notes.find(
        "points-off-board",
        "warning",
        pl.format(
            "{} points for a bye ({}) while team {} had a match: no board, they count for nobody",
            "points",
            "result",
            "team",
        ),
        file=off["file"].to_numpy(),
        round=off["round"].to_numpy(),
        player=off["number"].to_numpy(),
        points=off["points"],
        result=off["result"].cast(pl.String),
        team=off["team"],
    )


def _valid_byes(
    byes: pl.DataFrame,
    records: TeamRecords,
    sides: pl.DataFrame,
    rounds: NDArray[np.int64],
    notes: Notes,
) -> pl.DataFrame:
    """Return the first bye of each team and round, if there is such a team and no match.

    Byes given from outside come first, then those on record, then those of the players.
    """
    columns = ["file", "line", "round", "team", "result", "match_points", "game_points"]
    byes = byes.select(columns).with_columns(last=pl.Series(rounds[byes["file"].to_numpy()]))
    known = records.teams.select("file", "team")
    met = sides.filter(pl.col("opponent").is_not_null())
    for wrong, code, severity, message in (
        (
            byes.join(known, on=["file", "team"], how="anti", maintain_order="left"),
            "unknown-team",
            "error",
            "a bye for team {}, which is not there",
        ),
        (
            byes.filter(pl.col("round") > pl.col("last")),
            "announced-bye",
            "info",
            "a bye for team {} in a round that is not played yet",
        ),
        (
            byes.join(met, on=_SIDE, how="semi", maintain_order="left"),
            "bye-record-contradicted",
            "error",
            "a bye for team {}, which has a match in the round: the match holds",
        ),
    ):
        notes.find(
            code,
            "error" if severity == "error" else "info",
            pl.format(message, "team"),
            file=wrong["file"].to_numpy(),
            line=wrong["line"].fill_null(0).to_numpy(),
            round=wrong["round"].to_numpy(),
            team=wrong["team"],
        )
    return (
        byes.filter(pl.col("round") <= pl.col("last"))
        .join(known, on=["file", "team"], how="semi", maintain_order="left")
        .join(met, on=_SIDE, how="anti", maintain_order="left")
        .unique(_SIDE, keep="first", maintain_order=True)
        .select(columns)
    )


def _every_round(
    records: TeamRecords,
    sides: pl.DataFrame,
    byes: pl.DataFrame,
    rounds: NDArray[np.int64],
    notes: Notes,
) -> pl.DataFrame:
    """Return a row for every team in every round; where nothing is said, it was absent."""
    teams = records.teams.select("file", "team", "line")
    every = (
        teams.with_columns(round=pl.int_ranges(1, pl.Series(rounds[teams["file"].to_numpy()]) + 1))
        .explode("round", empty_as_null=False)
        .with_columns(pl.col("round").cast(pl.Int64))
    )
    byes = byes.select(*_SIDE, pl.col("result").cast(ResultCode), "match_points", "game_points")
    said = pl.concat([sides, byes], how="diagonal")
    rows = every.join(said, on=_SIDE, how="left", maintain_order="left")
    _report_idle(rows.filter(pl.col("result").is_null()), records, notes)
    alone = rows.filter(pl.col("result") == "+", pl.col("opponent").is_null())
    notes.find(
        "forfeit-without-opponent",
        "warning",
        pl.format("team {} wins because nobody comes; the file does not say against whom", "team"),
        file=alone["file"].to_numpy(),
        round=alone["round"].to_numpy(),
        team=alone["team"],
    )
    return rows.with_columns(
        pl.col("result").fill_null(pl.lit("Z", ResultCode)),
        pl.col("boards").fill_null(value=False),
    ).drop("line")


def _report_idle(idle: pl.DataFrame, records: TeamRecords, notes: Notes) -> None:
    """Tell of rounds without match or bye, one by one where the file has no records of byes."""
    knows = pl.concat([records.byes["file"], records.forfeits["file"]])
    numbered = records.teams.filter(pl.col("points").is_not_null())["file"]
    knowing = pl.col("file").is_in(pl.concat([knows, numbered]).unique().implode())
    told = (
        idle.filter(knowing)
        .group_by("file", maintain_order=True)
        .agg(pl.len(), pl.col("team").n_unique())
    )
    notes.find(
        "team-rounds-absent",
        "info",
        pl.format(
            "rounds without match or bye read as absence (Z): {}, of teams: {}", "len", "team"
        ),
        file=told["file"].to_numpy(),
        len=told["len"],
        team=told["team"],
    )
    untold = idle.filter(~knowing).with_columns(
        alone=pl.when((pl.len() == 1).over("file", "round"))
        .then(pl.lit(", the only one in the round,"))
        .otherwise(pl.lit(""))
    )
    notes.find(
        "team-without-match",
        "warning",
        pl.format(
            "team {}{} has no match, and the file cannot say which team had the pairing-allocated "
            "bye: read as absence (Z); team_byes can supply it",
            "team",
            "alone",
        ),
        file=untold["file"].to_numpy(),
        line=untold["line"].to_numpy(),
        round=untold["round"].to_numpy(),
        team=untold["team"],
        alone=untold["alone"],
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
