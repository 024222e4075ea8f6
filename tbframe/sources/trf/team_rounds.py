"""The rounds of teams: matches from their boards, forfeits, byes, and what is left."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.intake.matches import derive_matches
from tbframe.schema import ResultCode
from tbframe.sources.trf.notes import Notes
from tbframe.sources.trf.team_records import TeamRecords

__all__ = [
    "byes_of_players",
    "every_round",
    "forfeited",
    "report_byes_of_players",
    "rounds_of",
    "sides_of",
    "valid_byes",
]

_SIDE = ["file", "round", "team"]


def sides_of(seats: pl.DataFrame) -> pl.DataFrame:
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


def forfeited(
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


def rounds_of(
    records: TeamRecords, paired: NDArray[np.int64], written: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the rounds of each file: paired ones, or with a forfeit or bye on record."""
    last = paired.copy()
    for frame in (records.forfeits, records.byes.filter(result="U")):
        file, round_ = frame["file"].to_numpy(), frame["round"].to_numpy()
        inside = round_ <= written[file]
        np.maximum.at(last, file[inside], round_[inside])
    return last


def byes_of_players(games: pl.DataFrame, sides: pl.DataFrame) -> pl.DataFrame:
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


def report_byes_of_players(games: pl.DataFrame, sides: pl.DataFrame, notes: Notes) -> None:
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


def valid_byes(
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


def every_round(
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
