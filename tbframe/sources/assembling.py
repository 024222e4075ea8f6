"""Archives of the tables that a source has: canonical frames as they are, others brought to it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

import polars as pl

from tbframe.archive import Archive
from tbframe.contracts import breach
from tbframe.errors import FindingWarning, SourceError
from tbframe.findings import concat_findings, no_findings, no_quarantine
from tbframe.intake import from_boards, from_games, from_results
from tbframe.intake.assembling import assemble
from tbframe.intake.isolating import isolate, quarantined
from tbframe.order import sort_by_key
from tbframe.schema import (
    BOARDS,
    FINDINGS,
    KEY_TYPES,
    MEMBERS,
    PLAYERS,
    QUARANTINE,
    RESULTS,
    ROW,
    TOURNAMENTS,
)
from tbframe.scoring import is_countable
from tbframe.sources.merging import merge

__all__ = ["archive_by_tournament", "as_archive", "quarantine_is_told"]

_CANONICAL: Final = (("results", RESULTS), ("players", PLAYERS), ("tournaments", TOURNAMENTS))
_TEAMS: Final = {"boards": BOARDS, "members": MEMBERS}
_TEAM_KEYS: Final = {
    "boards": ("tournament", "team", "round", "board"),
    "members": ("tournament", "player"),
}


def as_archive(frames: Mapping[str, pl.DataFrame], source: str) -> Archive:
    """Put the frames of an archive together.

    Parameters
    ----------
    frames
        ``results``, ``games`` or ``boards``, and any of the others of an archive.
    source
        What messages call the place that they are from.

    Returns
    -------
    Archive
        Frames in canonical form are taken as they are; others go through `from_results`,
        `from_games` and `from_boards`.

    Raises
    ------
    SourceError
        If a side frame has other columns or types than it should.
    ContractError
        If a frame breaks its contract.
    """
    if "results" not in frames:
        players, tournaments, byes, members = map(
            frames.get, ("players", "tournaments", "byes", "members")
        )
        with quarantine_is_told():
            if "games" in frames:
                return from_games(frames["games"], players, tournaments, byes=byes)
            return from_boards(frames["boards"], byes, players, members, tournaments)
    findings = frames.get("findings", no_findings())
    quarantine = frames.get("quarantine", no_quarantine())
    teams = {name: frames[name] for name in _TEAMS if name in frames}
    for name, frame, schema in (
        ("findings", findings, FINDINGS),
        ("quarantine", quarantine, QUARANTINE),
    ):
        if frame.schema != pl.Schema(schema):
            raise SourceError(f"{source}: {name} has other columns or types than it should")
    for name, frame in teams.items():
        if not _canonical(frame, _TEAMS[name]):
            raise SourceError(f"{source}: {name} has other columns or types than it should")
    if "boards" in teams:
        wrong = teams["boards"].filter(~is_countable(pl.col("points"))).with_row_index(ROW)
        if wrong.height:
            rows = wrong.select(ROW, "tournament", "round", "team", "points")
            raise breach("boards", ["points"], "whole thousandths", rows)
    main = {name: frames[name] for name, _ in _CANONICAL if name in frames}
    with quarantine_is_told():
        if _all_canonical(frames):
            numbered = {name: frame.with_row_index(ROW) for name, frame in main.items()}
            made = assemble(numbered, "results", findings)
        else:
            made = from_results(frames["results"], *map(frames.get, ("players", "tournaments")))
            made = replace(made, findings=concat_findings(findings, made.findings))
    _check_team_keys(source, {**teams, "players": made.players})
    there = made.tournaments.select("tournament")
    teams = {
        name: sort_by_key(
            frame.join(there, on="tournament", how="semi", maintain_order="left"), _TEAM_KEYS[name]
        )
        for name, frame in teams.items()
    }
    return replace(
        made,
        quarantine=pl.concat([quarantine, made.quarantine]),
        boards=teams.get("boards"),
        members=teams.get("members"),
    )


def archive_by_tournament(
    frames: Mapping[str, pl.DataFrame], source: str, keys: pl.Series, rows: pl.DataFrame
) -> Archive:
    """Put the frames of an archive together; tournaments that break the contract are set aside.

    Parameters
    ----------
    frames, source
        As of `as_archive`, each frame with a column ``tournament``, all of one type.
    keys
        Of the tournaments of all frames, each once.
    rows
        ``tournament`` (as text) and how many result ``rows`` it has.

    Raises
    ------
    SourceError, ContractError
        If something is wrong with a column, and so with all tournaments.
    """
    # What was found earlier may concern no tournament, and is nothing that could be wrong with one.
    told = {name: frames[name] for name in ("findings", "quarantine") if name in frames}
    tables = {name: frame for name, frame in frames.items() if name not in told}
    as_archive({name: frame.clear() for name, frame in frames.items()}, source)

    def attempt(some: pl.Series) -> Archive:
        if len(some) == len(keys):
            return as_archive(tables, source)
        among = pl.col("tournament").is_in(some.implode())
        return as_archive({name: frame.filter(among) for name, frame in tables.items()}, source)

    archives, failed = isolate(keys, attempt)
    if not archives:
        archives = [as_archive({name: frame.clear() for name, frame in tables.items()}, source)]
    archive = merge(archives)
    findings = [told["findings"]] if "findings" in told else []
    aside = [told["quarantine"]] if "quarantine" in told else []
    return replace(
        archive,
        findings=concat_findings(*findings, archive.findings),
        quarantine=pl.concat([*aside, archive.quarantine, quarantined(failed, rows)]),
    )


@contextmanager
def quarantine_is_told() -> Iterator[None]:
    """Keep quiet of what is set aside: of files, the archive's quarantine tells."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FindingWarning)
        yield


def _all_canonical(frames: Mapping[str, pl.DataFrame]) -> bool:
    """Whether the frames need nothing: all there, in their types, keys alike, points filled."""
    if not all(name in frames and _canonical(frames[name], schema) for name, schema in _CANONICAL):
        return False
    results, players, tournaments = (frames[name].schema for name, _ in _CANONICAL)
    alike = (
        results["tournament"] == players["tournament"] == tournaments["tournament"]
        and results["player"] == results["opponent"] == players["player"]
    )
    open_points = pl.col("points").is_null() & (pl.col("result") != "*")
    return alike and not frames["results"].select(open_points.any()).item()


def _check_team_keys(source: str, frames: Mapping[str, pl.DataFrame]) -> None:
    """Refuse teams whose keys are of another type than those of the players."""
    keys = frames["players"].schema
    for name, columns in (("boards", ("tournament", "team", "opponent")),
                          ("members", ("tournament", "team"))):  # fmt: skip
        for column in columns if name in frames else ():
            found = frames[name].schema[column]
            wanted = keys["tournament" if column == "tournament" else "player"]
            if found != wanted:
                raise SourceError(
                    f"{source}: {name}, column {column!r} has type {found}, and the keys of "
                    f"players have {wanted}"
                )


def _canonical(frame: pl.DataFrame, schema: dict[str, pl.DataType | None]) -> bool:
    return all(
        column in frame.columns
        and (frame.schema[column] == dtype if dtype else frame.schema[column] in KEY_TYPES)
        for column, dtype in schema.items()
    )
