"""Team events in the frames of an archive."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import polars as pl

from tbframe.archive import Archive
from tbframe.schema import BOARDS, MEMBERS, PLAYERS, RESULTS
from tbframe.sources.trf.teams import TeamEvents

__all__ = ["with_team_events"]

#: Records whose content is in the frames of a team event.
_TAKEN: Final = ("013", "299", "300", "310", "320", "330", "362")
#: What a record 310 says of a team beyond the columns of a player.
_EXTRA: Final = ("nickname", "strength", "game_points")


def with_team_events(archive: Archive, events: TeamEvents, keys: pl.Series) -> Archive:
    """Put team events in the place of the lists of their individuals.

    Parameters
    ----------
    archive
        With every file of the batch that was not rejected read as individuals.
    events
        The team events among them.
    keys
        The tournament key of each file.
    """
    files = np.flatnonzero(events.files)
    taken = pl.col("tournament").is_in(keys.gather(files).implode())

    def keyed(frame: pl.DataFrame) -> pl.DataFrame:
        return frame.with_columns(tournament=keys.gather(frame["file"]))

    results = keyed(events.results).with_columns(pl.col("round").cast(pl.Int32), player="team")
    extra = [name for name in _EXTRA if events.players[name].null_count() < events.players.height]
    teams = (
        keyed(events.players)
        .with_columns(player="team")
        .with_columns(
            pl.lit(None, dtype).alias(name)
            for name, dtype in PLAYERS.items()
            if dtype is not None and name not in events.players.columns
        )
    )
    boards = keyed(events.boards).with_columns(
        pl.col("round").cast(pl.Int32), player="number", opponent_player="opponent_number"
    )
    return replace(
        archive,
        results=_in_place(archive.results, results.select(*RESULTS, "game_points"), taken),
        players=_in_place(archive.players, teams.select(*PLAYERS, *extra), taken),
        tournaments=_tournaments(archive.tournaments, keyed(events.tournaments), events, keys),
        findings=archive.findings.filter(~(taken & (pl.col("code") == "team-records-not-read"))),
        boards=boards.select(BOARDS.keys()).sort("tournament", "team", "round", "board"),
        members=keyed(events.members).select(MEMBERS.keys()),
    )


def _in_place(frame: pl.DataFrame, teams: pl.DataFrame, taken: pl.Expr) -> pl.DataFrame:
    """Replace rows; the keys and, within a tournament, the rows are in order already."""
    both = pl.concat([frame.filter(~taken), teams], how="diagonal")
    order = [name for name in ("tournament", "player", "round") if name in frame.columns]
    return both.sort(order)


def _tournaments(
    tournaments: pl.DataFrame, of_teams: pl.DataFrame, events: TeamEvents, keys: pl.Series
) -> pl.DataFrame:
    columns = ("scoring", "game_scoring", "boards", "primary")
    rounds = pl.DataFrame({"tournament": keys, "last": events.rounds})
    kept = (
        tournaments.join(of_teams, on="tournament", how="semi")
        .select("tournament", line=pl.col("records").str.split("\n"))
        .explode("line", empty_as_null=False)
        .join(rounds, on="tournament", maintain_order="left")
        .filter(pl.col("line").is_not_null() & ~_is_taken())
        .group_by("tournament", maintain_order=True)
        .agg(records=pl.col("line").str.join("\n"))
    )
    changed = (
        tournaments.drop(*columns, "records")
        .join(of_teams.select("tournament", *columns), on="tournament", maintain_order="left")
        .join(kept, on="tournament", how="left", maintain_order="left")
        .select(tournaments.columns)
    )
    others = tournaments.join(of_teams, on="tournament", how="anti")
    return pl.concat([others, changed]).sort("tournament")


def _is_taken() -> pl.Expr:
    """Whether the content of a record is in the frames, so that it is not kept as text."""
    line, id_ = pl.col("line"), pl.col("line").str.slice(0, 3)
    ahead = line.str.slice(6, 3).str.strip_chars().cast(pl.Int64, strict=False) > pl.col("last")
    # Where colours alternate from White on, the number of boards says it all.
    plain = line.str.contains(r"(?i)^352 +(WB)*W?\s*$")
    return (
        id_.is_in(_TAKEN)
        | ((id_ == "240") & ~ahead.fill_null(value=True))
        | ((id_ == "352") & plain)
    )
