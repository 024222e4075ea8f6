"""Reading tournament report files, all files together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from os import cpu_count
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.archive import Archive
from tbframe.findings import concat_findings, findings_from, no_findings
from tbframe.schema import PLAYERS, RESULT_CODES, TOURNAMENTS, ResultCode
from tbframe.sources.trf.byes import (
    apply_bye_records,
    paired_rounds,
    settle_contradictions,
)
from tbframe.sources.trf.characters import Characters, decode
from tbframe.sources.trf.grid import Grid, read_grid
from tbframe.sources.trf.header import read_records, read_tournaments
from tbframe.sources.trf.notes import Notes
from tbframe.sources.trf.opponents import settle_opponents
from tbframe.sources.trf.points import settle_points
from tbframe.sources.trf.repairs import REPAIRS
from tbframe.sources.trf.roster import Roster, read_profiles, read_roster
from tbframe.sources.trf.scorings import read_scorings
from tbframe.sources.trf.sheet import Sheet
from tbframe.sources.trf.team_frames import with_team_events
from tbframe.sources.trf.team_records import read_team_records
from tbframe.sources.trf.teams import read_teams

__all__ = ["TrfFile", "looks_like_trf", "read_trf_files"]

_RECORDS: Final = re.compile(r"^(?:001 [ 0-9]{3}[0-9]|0[1-9]2 |1[0-4]2 |XXR )", re.MULTILINE)

#: Bytes of files that are read in one go: large enough for columns to pay, small enough
#: for the caches, and a unit of work for a thread.
_BATCH = 10_000_000


@dataclass(frozen=True)
class TrfFile:
    """A file to read: where it is from, its tournament key, its bytes."""

    path: str
    key: str
    data: bytes


def looks_like_trf(head: bytes) -> bool:
    r"""Whether a file that starts with `head` has records of a tournament report file.

    Examples
    --------
    >>> looks_like_trf(b"012 Open\r\n042 2024/05/01\r\n")
    True
    >>> looks_like_trf(b"Dear Sir or Madam,\n")
    False
    """
    if b"\0" in head and head[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        return False
    found = {record[:3] for record in _RECORDS.findall(decode(head)[0])}
    return "001" in found or len(found) > 1


def read_trf_files(
    files: Sequence[TrfFile], *, teams: bool = True, team_byes: pl.DataFrame | None = None
) -> Archive:
    """Read tournament report files of any version.

    Parameters
    ----------
    files
        The files; their keys are unique.
    teams
        Whether files with rosters of teams are read as team events.
    team_byes
        Byes of teams that the files do not tell of, from `intake.read_team_byes`.

    Returns
    -------
    Archive
        Sorted by key; files that cannot be trusted are in its quarantine.
    """
    ordered = sorted(files, key=lambda file: file.key)
    batches: list[list[TrfFile]] = [[]]
    size = 0
    for file in ordered:
        if size > _BATCH:
            batches.append([])
            size = 0
        batches[-1].append(file)
        size += len(file.data)
    with ThreadPoolExecutor(min(len(batches), cpu_count() or 1)) as pool:
        parts = list(pool.map(partial(_read_batch, teams=teams, byes=team_byes), batches))

    def together(name: str) -> pl.DataFrame:
        return _concat([getattr(part, name) for part in parts])

    events = any(part.boards is not None for part in parts)
    findings = together("findings").sort("file", "line", "round", maintain_order=True)
    return Archive(
        results=together("results"),
        players=together("players"),
        tournaments=together("tournaments"),
        findings=concat_findings(findings, _unused_byes(team_byes, parts)),
        quarantine=together("quarantine").sort("file"),
        boards=together("boards") if events else None,
        members=together("members") if events else None,
    )


def _concat(frames: Sequence[pl.DataFrame | None]) -> pl.DataFrame:
    """Put frames one below the other; those of team events are not everywhere."""
    return pl.concat([frame for frame in frames if frame is not None], how="diagonal")


def _unused_byes(byes: pl.DataFrame | None, parts: Sequence[Archive]) -> pl.DataFrame:
    """Tell of supplied byes for tournaments that are no team events here."""
    if byes is None:
        return no_findings()
    events = [part.boards["tournament"] for part in parts if part.boards is not None]
    read = pl.concat([pl.Series("tournament", [], pl.String), *events]).unique()
    unused = byes.filter(~pl.col("tournament").is_in(read.implode()))
    return findings_from(
        unused,
        code="team-bye-unused",
        severity="error",
        message=pl.format("a bye was supplied for team {}, but this is no team event", "team"),
    )


def _read_batch(files: Sequence[TrfFile], *, teams: bool, byes: pl.DataFrame | None) -> Archive:
    decoded = [decode(file.data) for file in files]
    texts = [text for text, _ in decoded]
    encodings = [encoding for _, encoding in decoded]
    read = partial(_read_texts, teams=teams, byes=byes)
    archive, astray = read(files, texts, encodings)
    for repair, said in REPAIRS:
        tried = [index for index in astray if repair(texts[index]) != texts[index]]
        if not tried:
            continue
        again, _ = read(
            [files[index] for index in tried],
            [repair(texts[index]) for index in tried],
            [encodings[index] for index in tried],
            said,
        )
        refused = set(again.quarantine["tournament"])
        repaired = {index for index in tried if files[index].key not in refused}
        astray = [index for index in astray if index not in repaired]
        archive = _replace(archive, again, [files[index].key for index in repaired])
    return archive


def _replace(archive: Archive, again: Archive, keys: Sequence[str]) -> Archive:
    """Put tournaments that were read again, and no longer refused, in their place."""
    taken = pl.col("tournament").is_in(keys)

    def merged(name: str) -> pl.DataFrame:
        more: pl.DataFrame | None = getattr(again, name)
        new = None if more is None else more.filter(taken)
        return _concat([getattr(archive, name), new]).sort("tournament", maintain_order=True)

    events = archive.boards is not None or again.boards is not None
    return Archive(
        results=merged("results"),
        players=merged("players"),
        tournaments=merged("tournaments"),
        findings=merged("findings"),
        quarantine=archive.quarantine.filter(~taken),
        boards=merged("boards") if events else None,
        members=merged("members") if events else None,
    )


def _read_texts(
    files: Sequence[TrfFile],
    texts: Sequence[str],
    encodings: Sequence[str],
    repaired: str = "",
    *,
    teams: bool,
    byes: pl.DataFrame | None,
) -> tuple[Archive, list[int]]:
    """Read the texts of the files; return also which have blocks outside their columns."""
    keys = pl.Series([file.key for file in files], dtype=pl.String)
    notes = Notes(pl.Series([file.path for file in files], dtype=pl.String), keys)
    text = Characters.of(texts)
    other = [index for index, name in enumerate(encodings) if name != "utf-8"]
    notes.find(
        "encoding",
        "info",
        pl.format("not UTF-8: read as {}", "encoding"),
        file=other,
        encoding=pl.Series([encodings[index] for index in other], dtype=pl.String),
    )
    notes.find("realigned", "warning", repaired, file=range(len(files)) if repaired else [])
    roster = read_roster(text, len(texts), notes)
    profiles = read_profiles(text, roster, notes)
    grid, astray = read_grid(text, roster, notes)
    rows_read = np.bincount(roster.file, grid.rounds[roster.file], len(texts)).astype(np.int64)

    sheet = Sheet(text, roster, grid, notes)
    paired = paired_rounds(sheet)
    settle_contradictions(sheet)
    records = read_records(text)
    tournaments = read_tournaments(text, records, grid.rounds, notes)
    individual = (tournaments["kind"] == "individual").to_numpy()
    apply_bye_records(sheet, individual)
    strangers = settle_opponents(sheet)
    grid.keep(~(grid.empty & (grid.round > paired[sheet.file()])))
    scorings = read_scorings(records, individual, notes)
    declared = profiles["points"].fill_null(np.nan).to_numpy()
    points = settle_points(sheet, declared, paired, scorings)
    _compare_counts(roster, grid, tournaments, notes)
    people = _players(profiles, roster, strangers, keys)
    events = None
    if teams and not individual.all():
        of_teams = records.filter(~pl.Series(individual).gather(records["file"]))
        events = read_teams(
            sheet,
            read_team_records(text, of_teams, notes),
            tournaments.with_columns(
                game_scoring=pl.coalesce(pl.Series(scorings.text, dtype=pl.String), "game_scoring")
            ),
            people=people,
            points=points,
            paired=paired,
            given=_byes_of(byes, keys),
        )

    kept = np.flatnonzero(~notes.rejected)
    tournaments = tournaments.with_columns(
        tournament=keys, scoring=pl.Series(scorings.text, dtype=pl.String)
    )
    # Columns that these files have nothing for.
    tournaments = tournaments.with_columns(
        pl.lit(None).alias(name) for name in TOURNAMENTS if name not in tournaments.columns
    )
    archive = Archive(
        results=_results(grid, roster, points, keys, notes),
        players=people.filter(~pl.Series(notes.rejected).gather(people["file"])).drop("file"),
        tournaments=tournaments[kept].select(
            *(pl.col(name).cast(dtype or pl.String) for name, dtype in TOURNAMENTS.items()),
            "records",
        ),
        findings=notes.findings(),
        quarantine=notes.quarantine(rows_read),
    )
    if events is not None:
        archive = with_team_events(archive, events, keys)
    return archive, np.flatnonzero(astray).tolist()


def _compare_counts(roster: Roster, grid: Grid, tournaments: pl.DataFrame, notes: Notes) -> None:
    """Compare declared numbers of players and rounds with those found."""
    found = tournaments.with_columns(
        pl.coalesce("rounds_line", "xxr_line"),
        players_found=roster.size,
        rounds_found=grid.rounds,
    )
    other = pl.col("declared_players") != pl.col("players_found")
    more = pl.col("rounds") < pl.col("rounds_found")
    for rows, code, name, declared in (
        (found.filter(other), "player-count", "players", "declared_players"),
        (found.filter(more), "rounds-beyond-plan", "rounds", "rounds"),
    ):
        notes.find(
            code,
            "warning",
            pl.format(f"{name} declared: {{}}, found: {{}}", "said", "found"),
            file=rows["file"].to_numpy(),
            line=rows[f"{name}_line"].to_numpy(),
            said=rows[declared],
            found=rows[f"{name}_found"],
        )


def _results(
    grid: Grid, roster: Roster, points: NDArray[np.float64], keys: pl.Series, notes: Notes
) -> pl.DataFrame:
    file = roster.file[grid.player]
    frame = pl.DataFrame(
        {
            "tournament": keys.gather(file),
            "round": grid.round.astype(np.int32),
            "player": roster.number[grid.player].astype(np.int64),
            "opponent": grid.opponent.astype(np.int64),
            "color": pl.Series([None, "w", "b"], dtype=pl.String).gather(grid.color),
            "result": pl.Series(RESULT_CODES, dtype=ResultCode).gather(grid.result),
            "points": pl.Series(points, nan_to_null=True),
        }
    ).with_columns(opponent=pl.when(pl.col("opponent") > 0).then("opponent"))
    return frame.filter(pl.Series(~notes.rejected[file])) if notes.rejected.any() else frame


def _players(
    profiles: pl.DataFrame,
    roster: Roster,
    strangers: tuple[NDArray[np.int64], NDArray[np.int32]],
    keys: pl.Series,
) -> pl.DataFrame:
    """Return the players and their ``file``; of opponents without a record only that is known."""
    known = profiles.with_columns(
        file=pl.Series(roster.file), player=pl.Series(roster.number.astype(np.int64))
    )
    unknown = pl.DataFrame({"file": strangers[0], "player": strangers[1].astype(np.int64)}).unique()
    frame = pl.concat([known, unknown], how="diagonal").sort("file", "player")
    return frame.with_columns(tournament=keys.gather(frame["file"])).select("file", *PLAYERS)


def _byes_of(byes: pl.DataFrame | None, keys: pl.Series) -> pl.DataFrame:
    """Return the byes supplied for the files of a batch."""
    if byes is None:
        return pl.DataFrame(schema={"file": pl.Int64})
    files = pl.DataFrame({"tournament": keys, "file": np.arange(len(keys))})
    return byes.join(files, on="tournament", maintain_order="left").drop("tournament")
