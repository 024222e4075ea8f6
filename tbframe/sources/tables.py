"""The frames of an archive as files: Parquet, or CSV with the types beside it."""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path
from typing import Final, Literal

import polars as pl
from polars.exceptions import PolarsError

from tbframe.archive import Archive
from tbframe.contracts import Players, Results, Tournaments, validate
from tbframe.errors import SourceError
from tbframe.findings import no_findings, no_quarantine
from tbframe.intake import from_games, from_results
from tbframe.schema import (
    BOARDS,
    FINDINGS,
    KEY_TYPES,
    MEMBERS,
    PLAYERS,
    QUARANTINE,
    RESULTS,
    TOURNAMENTS,
)
from tbframe.sources.column_types import read_types, typed, types_in_words

__all__ = ["holds_frames", "read_frames", "read_table_file", "write_frames"]

#: The last two are there for team events only.
_FRAMES: Final = (
    "results", "players", "tournaments", "findings", "quarantine", "boards", "members",
)  # fmt: skip
_CANONICAL: Final = (("results", RESULTS), ("players", PLAYERS), ("tournaments", TOURNAMENTS))
_TEAMS: Final = {"boards": BOARDS, "members": MEMBERS}
_FORMATS: Final = ("parquet", "csv")
#: Types of CSV columns: CSV knows none, and a key may be text or a number.
_SCHEMA: Final = "schema.json"


def write_frames(
    archive: Archive,
    folder: str | PathLike[str],
    *,
    format: Literal["parquet", "csv"] = "parquet",  # noqa: A002 - what Polars calls it
    overwrite: bool = False,
) -> list[Path]:
    """Write all frames of an archive, one file each; `read_frames` gives them back as they are.

    Parameters
    ----------
    archive
        What to write.
    folder
        Where; made if it does not exist.
    format
        ``"parquet"``, or ``"csv"`` with the types of the columns in ``schema.json`` beside.
    overwrite
        Whether frames that are in the folder already, in either format, may be replaced.

    Returns
    -------
    list of Path
        The files written.

    Raises
    ------
    SourceError
        If there are frames already, the folder cannot be written, or a column has a type
        that CSV cannot hold.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import polars as pl
    >>> import tbframe as tb
    >>> archive = tb.from_games(pl.DataFrame({"white": ["A"], "black": ["B"], "result": ["1-0"]}))
    >>> with TemporaryDirectory() as folder:
    ...     paths = write_frames(archive, folder)
    ...     again = read_frames(folder)
    >>> [path.name for path in paths[:3]]
    ['results.parquet', 'players.parquet', 'tournaments.parquet']
    >>> again.results.equals(archive.results)
    True
    """
    if format not in _FORMATS:
        raise SourceError(f"format {format!r}: give 'parquet' or 'csv'")
    target = Path(folder)
    every = {name: getattr(archive, name) for name in _FRAMES}
    frames = {name: frame for name, frame in every.items() if frame is not None}
    types = types_in_words(frames) if format == "csv" else None
    there = [
        path
        for name in _FRAMES
        for path in (target / f"{name}.parquet", target / f"{name}.csv")
        if path.exists()
    ]
    if there and not overwrite:
        raise SourceError(f"{there[0]} is there already: give overwrite=True to replace it")
    try:
        target.mkdir(parents=True, exist_ok=True)
        for path in [*there, *([target / _SCHEMA] if there else [])]:
            path.unlink(missing_ok=True)
        written = []
        for name, frame in frames.items():
            path = target / f"{name}.{format}"
            if format == "parquet":
                frame.write_parquet(path)
            else:
                # Empty text is written in quotes, null as nothing: they stay apart.
                frame.write_csv(path)
            written.append(path)
        if types is not None:
            (target / _SCHEMA).write_text(
                json.dumps(types, indent=1, ensure_ascii=False), encoding="utf-8"
            )
            written.append(target / _SCHEMA)
    except OSError as error:
        raise SourceError(f"{target}: cannot be written ({error})") from error
    return written


def read_frames(folder: str | PathLike[str]) -> Archive:
    """Read the frames that `write_frames` wrote, or the like made by others.

    Parameters
    ----------
    folder
        With ``results.parquet`` or ``results.csv``, and any of ``players``, ``tournaments``,
        ``findings``, ``quarantine``, ``boards`` and ``members``.

    Returns
    -------
    Archive
        Frames in canonical types are taken as they are; others go through `from_results`.

    Raises
    ------
    SourceError
        If there are no frames, or a file cannot be read.
    ContractError
        If a frame breaks its contract.
    """
    source = Path(folder)
    format_ = next((f for f in _FORMATS if (source / f"results.{f}").is_file()), None)
    if format_ is None:
        raise SourceError(f"{source}: there is no results.parquet or results.csv in it")
    types = read_types(source / _SCHEMA) if format_ == "csv" else {}
    frames = {
        name: _read_table(path, types.get(name))
        for name in _FRAMES
        if (path := source / f"{name}.{format_}").is_file()
    }
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
    if not all(name in frames and _canonical(frames[name], schema) for name, schema in _CANONICAL):
        made = from_results(frames["results"], frames.get("players"), frames.get("tournaments"))
        return Archive(
            made.results,
            made.players,
            made.tournaments,
            pl.concat([findings, made.findings]),
            pl.concat([quarantine, made.quarantine]),
            **teams,
        )
    results, players, tournaments = (frames[name] for name, _ in _CANONICAL)
    one = pl.lit(1, pl.Int32).alias("game")
    numbered = results if "game" in results.columns else results.with_columns(one)
    validate(numbered, Results, "results")
    validate(players, Players, "players")
    validate(tournaments, Tournaments, "tournaments")
    return Archive(results, players, tournaments, findings, quarantine, **teams)


def holds_frames(folder: Path) -> bool:
    """Whether the folder holds the frames of an archive, in either format."""
    try:
        return any(
            (folder / f"results.{f}").is_file() and (folder / f"tournaments.{f}").is_file()
            for f in _FORMATS
        )
    except OSError:  # a folder that nobody may look into
        return False


def read_table_file(path: Path) -> Archive | None:
    """Read one Parquet or CSV file of results or of games; None if it is neither.

    Raises
    ------
    SourceError
        If the file cannot be read as a table.
    ContractError
        If it is a table of results or games that breaks the contract.
    """
    table = _read_table(path, None)
    columns = set(table.columns)
    if "tournament" not in columns:
        table = table.with_columns(tournament=pl.lit(path.stem))
    if {"player", "result"} <= columns:
        return from_results(table)
    if {"white", "black", "result"} <= columns:
        return from_games(table)
    return None


def _canonical(frame: pl.DataFrame, schema: dict[str, pl.DataType | None]) -> bool:
    return all(
        column in frame.columns
        and (frame.schema[column] == dtype if dtype else frame.schema[column] in KEY_TYPES)
        for column, dtype in schema.items()
    )


def _read_table(path: Path, types: dict[str, pl.DataType] | None) -> pl.DataFrame:
    try:
        if path.suffix.lower() == ".parquet":
            return pl.read_parquet(path)
        if types is None:
            return pl.read_csv(path, infer_schema_length=None)
        table = pl.read_csv(path, infer_schema=False)
        if list(table.columns) != list(types):
            raise SourceError(f"{path}: its columns are not those of {_SCHEMA}")
        return table.select(typed(pl.col(name), dtype) for name, dtype in types.items())
    except (PolarsError, OSError) as error:
        raise SourceError(f"{path}: cannot be read as a table ({error})") from error
