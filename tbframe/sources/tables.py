"""The frames of an archive as files: Parquet, or CSV with the types beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal

import polars as pl
from polars.exceptions import PolarsError

from tbframe.archive import Archive
from tbframe.errors import SourceError
from tbframe.findings import concat_findings, findings_from
from tbframe.sources.assembling import as_archive
from tbframe.sources.column_types import SCHEMA, types_in_words
from tbframe.sources.csv_text import SEPARATORS, separator_of
from tbframe.sources.dataset_files import DatasetFiles, find_tables
from tbframe.sources.dataset_table import DatasetTable
from tbframe.sources.datasets import read_dataset
from tbframe.sources.escaping import escaped
from tbframe.sources.frame_columns import KNOWN, NEEDED, main_table
from tbframe.sources.making import key_of
from tbframe.sources.names import as_text
from tbframe.sources.plain_copies import plain_table
from tbframe.sources.table_files import columns_of, known_names, look_at
from tbframe.sources.table_kinds import TableKind, map_columns, table_kind
from tbframe.sources.unreadable import OtherTableError

__all__ = ["read_frames", "read_table_file", "read_values", "write_frames"]

#: The last two are there for team events only.
_FRAMES: Final = (
    "results", "players", "tournaments", "findings", "quarantine", "boards", "members",
)  # fmt: skip
_FORMATS: Final = ("parquet", "csv")
#: The columns of the tables that a file may be by itself.
_KNOWN: Final = {*KNOWN["results"], *KNOWN["games"]}


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
            for path in [*there, *([target / SCHEMA] if there else [])]:
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
        (folder / SCHEMA).write_text(text, encoding="utf-8")
        names.append(SCHEMA)
    return names


def read_frames(folder: str | PathLike[str]) -> Archive:
    """Read the frames that `write_frames` wrote, or the like made by others.

    Parameters
    ----------
    folder
        With ``results``, ``games`` or ``boards``, and any of ``players``, ``tournaments``,
        ``members``, ``byes``, ``findings`` and ``quarantine``: Parquet or CSV files, or folders
        of such files.

    Returns
    -------
    Archive
        Frames in canonical form are taken as they are; others go through `from_results`,
        `from_games` and `from_boards`. Tournaments that break the contract are set aside.

    Raises
    ------
    SourceError
        If there are no frames, or a file cannot be read.
    ContractError
        If something is wrong with a column, and so with every tournament.
    """
    source = Path(folder)
    found = find_tables(source)
    if found is None:
        raise SourceError(
            f"{source}: there is no results.parquet or results.csv in it, nor games or boards"
        )
    return read_dataset(found)


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
    UnreadableError
        If it is packed and damaged, or too large.
    SourceError
        If the file cannot be read as a table.
    ContractError
        If it is a table of results or games that breaks the contract.
    """
    kind = kind or table_kind(path, b"") or "csv"
    with plain_table(path, kind) as (plain, encoding):
        if kind in ("arrow", "arrow-stream"):
            archive = _read_arrow(plain, columns, kind)
        else:
            main = _main_table(plain, columns_of(plain, plain.parent, columns), kind)
            files = DatasetFiles(plain.parent, key_of(path), {main: (plain,)}, named=False)
            archive = read_dataset(files, columns)
    how = [] if encoding is None else [encoding]
    assumed = findings_from(
        pl.DataFrame({"how": how}, schema={"how": pl.String}),
        code="encoding-assumed",
        severity="info",
        message=pl.format("is no UTF-8: read as {}", "how"),
    )
    here = pl.lit(as_text(path)).alias("file")
    return replace(
        archive,
        findings=concat_findings(assumed, archive.findings).with_columns(here),
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
    where = Path(path)
    found = look_at(where, where.parent, None)
    file = replace(found, names=tuple(found.columns), values={})
    types = {name: pl.String() if dtype == pl.Null() else dtype
             for name, dtype in file.types.items()}  # fmt: skip
    table = DatasetTable("values", (file,), where.parent, types)
    with table.readable():
        return table.frame.collect()


def _main_table(path: Path, columns: Sequence[str], kind: TableKind | None) -> str:
    main = main_table(columns)
    if main is None:
        split = f" (separated by {SEPARATORS[separator_of(path)]})" if kind == "csv" else ""
        raise OtherTableError(
            f"a table with the columns {', '.join(columns)}{split}: one of results needs "
            f"{', '.join(NEEDED['results'])}, and one of games {', '.join(NEEDED['games'])}",
            likely=len(_KNOWN.intersection(columns)) > 1,
        )
    return main


def _read_arrow(path: Path, columns: Mapping[str, str] | None, kind: TableKind) -> Archive:
    """Read an Arrow file of results, games or boards."""
    try:
        table = pl.read_ipc(path) if kind == "arrow" else pl.read_ipc_stream(path)
    except (PolarsError, OSError) as error:
        raise SourceError(f"{path}: cannot be read as a table ({error})") from error
    table = map_columns(table, columns or {})
    names = known_names(table.columns, _KNOWN)
    renamed = {old: new for old, new in zip(table.columns, names, strict=True) if old != new}
    table = table.rename(renamed)
    main = _main_table(path, names, kind)
    if "tournament" not in names:
        table = table.with_columns(tournament=pl.lit(key_of(path)))
    archive = as_archive({main: table}, as_text(path))
    pairs = ", ".join(f"{old!r} as {new!r}" for old, new in renamed.items())
    told = findings_from(
        pl.DataFrame({"file": [as_text(path)] * bool(renamed)}, schema={"file": pl.String}),
        code="columns-renamed", severity="info", message=f"columns read: {pairs}",
    )  # fmt: skip
    return replace(archive, findings=concat_findings(told, archive.findings))
