"""Team events to write: their individuals as players, their teams for the records of teams."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Final

import polars as pl

from tbframe.archive import Archive
from tbframe.schema import PLAYERS, RESULTS, ResultCode
from tbframe.scoring import parse_scoring, points_due, team_events
from tbframe.sources.trf.refusing import refuse
from tbframe.sources.trf.scoring_lines import Version

__all__ = ["TeamSheets", "take_teams"]

_SIDE: Final = ["tournament", "round", "team"]


@dataclass(frozen=True)
class TeamSheets:
    """What the records of teams are made of; teams go by their numbers.

    Attributes
    ----------
    teams
        ``tournament``, ``team`` and what is known of it.
    matches
        ``tournament``, ``round``, ``team``, ``opponent``, ``color``, ``result``, ``points``,
        ``game_points``.
    boards
        The boards, with ``number`` and ``opponent_number`` once the players are numbered.
    members
        The individuals, likewise.
    tournaments
        ``tournament``, ``scoring``, ``game_scoring``, ``boards``, ``records``.
    """

    teams: pl.DataFrame
    matches: pl.DataFrame
    boards: pl.DataFrame
    members: pl.DataFrame
    tournaments: pl.DataFrame

    def numbered(self, players: pl.DataFrame) -> TeamSheets:
        """Give players their start numbers, from `player_lines.number_players`."""
        numbers = players.select("tournament", "player", "number")
        key = numbers.schema["player"]
        boards = self.boards.with_columns(pl.col("player", "opponent_player").cast(key))
        boards = boards.join(numbers, on=["tournament", "player"], how="left").join(
            numbers.rename({"player": "opponent_player", "number": "opponent_number"}),
            on=["tournament", "opponent_player"],
            how="left",
        )
        members = self.members.with_columns(pl.col("player").cast(key))
        members = members.join(numbers, on=["tournament", "player"])
        return replace(self, boards=boards, members=members)


def take_teams(archive: Archive, version: Version) -> tuple[Archive, TeamSheets | None]:
    """Take the team events of an archive apart.

    Returns
    -------
    tuple
        The archive with the individuals of team events in the place of the teams, and the
        teams; None if there are no team events.
    """
    events = archive.tournaments.filter(team_events(archive.results, archive.tournaments))
    if events.is_empty() or archive.boards is None or archive.members is None:
        refuse(events, "tournament", "a team event is written with its boards and members")
        return archive, None
    keys = events.select("tournament")
    boards, members, matches, teams = (
        frame.join(keys, on="tournament", how="semi", maintain_order="left")
        for frame in (archive.boards, archive.members, archive.results, archive.players)
    )
    without = keys.join(members, on="tournament", how="anti")
    refuse(without, "tournament", "a team event is written with its boards and members")
    nobody = boards.filter(
        pl.col("player").is_null(), (pl.col("result") != "-") | (pl.col("points") != 0)
    )
    refuse(nobody, "board", "a file needs to know who sat there")
    _refuse_game_scorings(events, version)
    numbers = _team_numbers(teams, version)
    sheets = TeamSheets(
        _renumber(teams.rename({"player": "team"}), numbers, "team"),
        _renumber(matches.rename({"player": "team"}), numbers, "team", "opponent"),
        _renumber(boards, numbers, "team", "opponent").filter(pl.col("player").is_not_null()),
        _renumber(members, numbers, "team"),
        events,
    )
    return _individuals(archive, sheets), sheets


def _individuals(archive: Archive, sheets: TeamSheets) -> Archive:
    """Put the individuals in the place of the teams."""
    keys = sheets.tournaments.select("tournament")
    results = sheets.boards.drop("opponent").rename({"opponent_player": "opponent"})
    results = _every_round(results.select(RESULTS.keys()), sheets)
    players = sheets.members.select(PLAYERS.keys())
    others = {
        name: getattr(archive, name).join(keys, on="tournament", how="anti", maintain_order="left")
        for name in ("results", "players")
    }
    types = {
        frame.schema["player"] for frame in (others["players"], players) if not frame.is_empty()
    }
    key = types.pop() if len(types) == 1 else pl.String()
    return replace(
        archive,
        results=_stack(others["results"], results, key).sort("tournament", "player", "round"),
        players=_stack(others["players"], players, key).sort("tournament", "player"),
        tournaments=archive.tournaments.join(
            keys.with_columns(team=pl.lit(value=True)), on="tournament", how="left",
            maintain_order="left",
        )
        .with_columns(
            scoring=pl.when("team").then("game_scoring").otherwise("scoring"),
            game_scoring=pl.when(pl.col("team").is_null()).then("game_scoring"),
            boards=pl.when(pl.col("team").is_null()).then("boards"),
        )
        .drop("team"),
        boards=None,
        members=None,
    )  # fmt: skip


def _every_round(results: pl.DataFrame, sheets: TeamSheets) -> pl.DataFrame:
    """Add absence where a player was at no board: a reader finds rounds by their blocks."""
    last = sheets.matches.group_by("tournament").agg(last=pl.col("round").max())
    key = ["tournament", "round", "player"]
    absent = (
        sheets.members.select("tournament", "player")
        .join(last, on="tournament")
        .with_columns(round=pl.int_ranges(1, pl.col("last") + 1))
        .explode("round", empty_as_null=False)
        .with_columns(pl.col("round").cast(pl.Int32))
        .join(results, on=key, how="anti")
        .select(*key, result=pl.lit("Z", ResultCode))
    )
    # What absence brings under the scoring of boards, which is the players' here.
    games = sheets.tournaments.select(
        "tournament", scoring="game_scoring", kind=pl.lit("individual")
    )
    absent = absent.with_columns(points=points_due(absent, games))
    return pl.concat([results, absent], how="diagonal_relaxed")


def _stack(first: pl.DataFrame, second: pl.DataFrame, key: pl.DataType) -> pl.DataFrame:
    both = [
        frame.with_columns(
            pl.col(name).cast(key) for name in ("player", "opponent") if name in frame.columns
        )
        for frame in (first, second)
    ]
    frame = pl.concat(both, how="diagonal")
    if "game" in frame.columns:
        frame = frame.with_columns(pl.col("game").fill_null(1))
    return frame


def _team_numbers(teams: pl.DataFrame, version: Version) -> pl.DataFrame:
    """Return ``tournament``, ``key``, ``number``."""
    keys = teams.select("tournament", key="player")
    place = pl.col("key").rank("ordinal").over("tournament").cast(pl.Int64)
    written = pl.col("key").cast(pl.String)
    given = written.str.contains(r"^[1-9][0-9]{0,2}$").all().over("tournament")
    numbers = keys.with_columns(
        given=given,
        number=pl.when(given).then(written.cast(pl.Int64, strict=False)).otherwise(place),
    )
    new = numbers.filter(~pl.col("given"))["tournament"].unique(maintain_order=True)
    if len(new):
        warnings.warn(
            f"team keys are no numbers, and replaced by some, in {len(new)} tournaments, the "
            f"first: {new[0]}",
            stacklevel=5,
        )
    refuse(
        numbers.filter(pl.col("number") > 999).rename({"key": "player"}),
        "player",
        "a team number has three columns",
    )
    if version is Version.TRF16:
        gaps = numbers.filter(
            pl.col("number").max().over("tournament") != pl.len().over("tournament")
        )
        refuse(
            gaps.rename({"key": "player"}),
            "player",
            "record 013 has no number for a team: number them from 1, or write version 26",
        )
    return numbers.select("tournament", "key", "number")


def _renumber(frame: pl.DataFrame, numbers: pl.DataFrame, *columns: str) -> pl.DataFrame:
    for column in columns:
        frame = (
            frame.join(
                numbers, left_on=["tournament", column], right_on=["tournament", "key"],
                how="left", maintain_order="left",
            )
            .drop(column)
            .rename({"number": column})
        )  # fmt: skip
    return frame


def _refuse_game_scorings(events: pl.DataFrame, version: Version) -> None:
    """Refuse values of boards for which the only record is the one for matches."""
    if version is Version.TRF16:
        return
    for system in events["game_scoring"].drop_nulls().unique(maintain_order=True):
        points = parse_scoring(system)
        pairs = (("+", "1"), ("F", "1"), ("H", "="), ("-", "Z"))
        if any(points[code] != points[other] for code, other in pairs):
            rows = events.filter(game_scoring=system)
            refuse(rows, "game_scoring", "forfeits of boards have no record of their own")
