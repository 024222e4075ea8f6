"""The frames of an archive as files: Parquet, or CSV with the types beside it."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal

import polars as pl
from polars.exceptions import PolarsError

from tbframe.archive import Archive
from tbframe.errors import FindingWarning, SourceError
from tbframe.findings import concat_findings, findings_from, no_findings, no_quarantine
from tbframe.intake import from_boards, from_games, from_results
from tbframe.intake.assembling import assemble
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
from tbframe.sources.column_types import read_types, typed, types_in_words
from tbframe.sources.escaping import escaped, unescaped
from tbframe.sources.names import as_text
from tbframe.sources.table_kinds import TableKind, map_columns

__all__ = [
    "OtherTableError",
    "as_archive",
    "frame_files",
    "holds_frames",
    "read_frames",
    "read_table_file",
    "read_values",
    "write_frames",
]

#: The last two are there for team events only.
_FRAMES: Final = (
    "results", "players", "tournaments", "findings", "quarantine", "boards", "members",
)  # fmt: skip
_CANONICAL: Final = (("results", RESULTS), ("players", PLAYERS), ("tournaments", TOURNAMENTS))
_TEAMS: Final = {"boards": BOARDS, "members": MEMBERS}
_TEAM_KEYS: Final = {
    "boards": ("tournament", "team", "round", "board"),
    "members": ("tournament", "player"),
}
_FORMATS: Final = ("parquet", "csv")
#: The columns by which a table of results and one of games are known.
_RESULTS_NEED: Final = ("round", "player", "opponent", "result")
_GAMES_NEED: Final = ("white", "black", "result")
#: All that may be written in other case; the columns of other contracts are in other tables.
_KNOWN: Final = {*RESULTS, *_GAMES_NEED, "game", "colour"}
_SEPARATORS: Final = {",": "comma", ";": "semicolon", "\t": "tab"}
_DECIMAL_POINT: Final = re.compile(rb"(?:^|;)\s*-?\d+\.\d+\s*(?=;|$)", re.MULTILINE)
#: Types of CSV columns: CSV knows none, and a key may be text or a number.
_SCHEMA: Final = "schema.json"


class OtherTableError(SourceError):
    """A table is neither one of results nor one of games.

    Attributes
    ----------
    likely
        Whether it has some of their columns, so that it may have been meant as one.
    """

    def __init__(self, message: str, *, likely: bool) -> None:
        super().__init__(message)
        self.likely = likely


def write_frames(
    archive: Archive,
    folder: str | PathLike[str],
    *,
    format: Literal["parquet", "csv"] = "parquet",  # noqa: A002 - what Polars calls it
    overwrite: bool = False,
) -> list[Path]:
    """Write all frames of an archive, one file each; `tbframe.read` gives them back as they are.

    Parameters
    ----------
    archive
        What to write.
    folder
        Where; made if it does not exist.
    format
        ``"parquet"``, or ``"csv"`` with the types of the columns in ``schema.json`` beside, and
        an apostrophe before texts that a spreadsheet would run as formulas, which is taken away
        in reading.
    overwrite
        Whether frames that are in the folder already, in either format, may be replaced.

    Returns
    -------
    list of Path
        The files written.

    Raises
    ------
    SourceError
        If `archive` is none, there are frames already, the folder cannot be written, or a
        column has a type that CSV cannot hold.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import polars as pl
    >>> import tbframe as tb
    >>> archive = tb.from_games(pl.DataFrame({"white": ["A"], "black": ["B"], "result": ["1-0"]}))
    >>> with TemporaryDirectory() as folder:
    ...     paths = write_frames(archive, folder)
    ...     again = tb.read(folder)
    >>> [path.name for path in paths[:3]]
    ['results.parquet', 'players.parquet', 'tournaments.parquet']
    >>> again.results.equals(archive.results)
    True
    """
    if format not in _FORMATS:
        raise SourceError(f"format {format!r}: give 'parquet' or 'csv'")
    if not isinstance(archive, Archive):
        raise SourceError(
            f"archive is a {type(archive).__name__}, no Archive: give what tbframe.read, "
            "from_results or from_games return"
        )
    if not isinstance(folder, str | PathLike):
        raise SourceError(f"folder is a {type(folder).__name__}, no path")
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
        # All is written beside first, so that what was there is lost to nothing that fails.
        with TemporaryDirectory(prefix=".tbframe-", dir=target) as beside:
            names = _write_into(Path(beside), frames, format, types)
            for path in [*there, *([target / _SCHEMA] if there else [])]:
                path.unlink(missing_ok=True)
            for name in names:
                (Path(beside) / name).replace(target / name)
    except (OSError, PolarsError) as error:
        raise SourceError(f"{target}: cannot be written ({error})") from error
    return [target / name for name in names]


def _write_into(
    folder: Path,
    frames: Mapping[str, pl.DataFrame],
    form: str,
    types: Mapping[str, Any] | None,
) -> list[str]:
    """Write the frames, and for CSV the types of their columns; return the names of the files."""
    names = []
    for name, frame in frames.items():
        path = folder / f"{name}.{form}"
        if form == "parquet":
            frame.write_parquet(path)
        else:
            escaped(frame).write_csv(path)  # empty text is written in quotes, null as nothing
        names.append(path.name)
    if types is not None:
        text = json.dumps(types, indent=1, ensure_ascii=False)
        (folder / _SCHEMA).write_text(text, encoding="utf-8")
        names.append(_SCHEMA)
    return names


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
        Frames in canonical form are taken as they are; others go through `from_results`.

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
    return as_archive(frames, str(source))


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
        with _quarantine_is_told():
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
    main = {name: frames[name] for name, _ in _CANONICAL if name in frames}
    with _quarantine_is_told():
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


def holds_frames(folder: Path) -> bool:
    """Whether the folder holds the frames of an archive, in either format.

    ``results`` alone may be any table; with ``players`` or ``tournaments`` beside they are frames.
    """
    try:
        return any(
            (folder / f"results.{f}").is_file()
            and any((folder / f"{side}.{f}").is_file() for side in ("players", "tournaments"))
            for f in _FORMATS
        )
    except OSError:  # a folder that nobody may look into
        return False


def frame_files() -> frozenset[str]:
    """Name the files that belong to the frames of a folder; others beside them do not."""
    return frozenset({f"{name}.{f}" for name in _FRAMES for f in _FORMATS} | {_SCHEMA})


def read_table_file(
    path: Path, columns: Mapping[str, str] | None = None, kind: TableKind | None = None
) -> Archive:
    """Read one Parquet, Arrow or CSV file of results or of games.

    The columns of a CSV file may be separated by comma, semicolon or tab, with decimal commas
    where it is the semicolon. The case of column names does not matter.

    Parameters
    ----------
    path
        The file.
    columns
        What the file calls columns, by their names here; the others have their own names.
    kind
        What kind of table it is; by default its ending tells.

    Raises
    ------
    OtherTableError
        If it is neither.
    SourceError
        If the file cannot be read as a table.
    ContractError
        If it is a table of results or games that breaks the contract.
    """
    read = _read_table(path, None, kind)
    table, renamed = _known_names(map_columns(read, columns) if columns else read, path)
    there = set(table.columns)
    make: Callable[[pl.DataFrame], Archive]
    if {"player", "result"} <= there:
        make = from_results
    elif {"white", "black", "result"} <= there:
        make = from_games
    else:
        listed = ", ".join(table.columns)
        csv = (kind or path.suffix.lower().removeprefix(".")) == "csv"
        split = f" (separated by {_SEPARATORS[_separator(path)]})" if csv else ""
        raise OtherTableError(
            f"a table with the columns {listed}{split}: one of results needs "
            f"{', '.join(_RESULTS_NEED)}, and one of games {', '.join(_GAMES_NEED)}",
            likely=len(there & _KNOWN) > 1,
        )
    if "tournament" not in there:
        table = table.with_columns(tournament=pl.lit(as_text(path.stem)))
    with _quarantine_is_told():
        archive = make(table)
    here = pl.lit(as_text(path)).alias("file")
    return replace(
        archive,
        findings=concat_findings(renamed, archive.findings).with_columns(here),
        quarantine=archive.quarantine.with_columns(here),
    )


def read_values(path: str | PathLike[str]) -> pl.DataFrame:
    """Read a Parquet or CSV file of anything, such as published values, as it is.

    Parameters
    ----------
    path
        The file; columns are separated as in `read_table_file`.

    Raises
    ------
    SourceError
        If it cannot be read as a table.
    """
    return _read_table(Path(path), None)


def _known_names(table: pl.DataFrame, path: Path) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Bring column names to the case of the contracts; an info tells of it."""
    plain = {name: name.strip().lower() for name in table.columns}
    renamed = {
        name: small
        for name, small in plain.items()
        if small in _KNOWN and name != small and list(plain.values()).count(small) == 1
    }
    told = pl.DataFrame({"file": [as_text(path)] * bool(renamed)}, schema={"file": pl.String})
    pairs = ", ".join(f"{name!r} as {small!r}" for name, small in renamed.items())
    return table.rename(renamed), findings_from(
        told, code="columns-renamed", severity="info", message=f"columns read: {pairs}"
    )


@contextmanager
def _quarantine_is_told() -> Iterator[None]:
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


def _separator(path: Path) -> str:
    """Tell what separates the columns of a CSV file, by its first line."""
    try:
        with path.open("rb") as file:
            head = file.readline(100_000).decode("utf-8", "replace")
    except OSError as error:
        raise SourceError(f"{path}: cannot be read as a table ({error})") from error
    bare = re.sub(r'"[^"]*"', "", head)
    return max(_SEPARATORS, key=bare.count)


def _canonical(frame: pl.DataFrame, schema: dict[str, pl.DataType | None]) -> bool:
    return all(
        column in frame.columns
        and (frame.schema[column] == dtype if dtype else frame.schema[column] in KEY_TYPES)
        for column, dtype in schema.items()
    )


def _read_table(
    path: Path, types: dict[str, pl.DataType] | None, kind: TableKind | None = None
) -> pl.DataFrame:
    try:
        if kind == "arrow":
            return pl.read_ipc(path)
        if kind == "arrow-stream":
            return pl.read_ipc_stream(path)
        if (kind or path.suffix.lower().removeprefix(".")) == "parquet":
            return pl.read_parquet(path)
        if types is None:
            data, separator = path.read_bytes(), _separator(path)
            commas = separator == ";" and _DECIMAL_POINT.search(data) is None
            return pl.read_csv(
                data, infer_schema_length=None, separator=separator, decimal_comma=commas
            )
        table = unescaped(pl.read_csv(path, infer_schema=False))
        if list(table.columns) != list(types):
            raise SourceError(f"{path}: its columns are not those of {_SCHEMA}")
        return table.select(typed(pl.col(name), dtype) for name, dtype in types.items())
    except (PolarsError, OSError) as error:
        raise SourceError(f"{path}: cannot be read as a table ({error})") from error
