"""A database as frames, a batch of rows at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from difflib import get_close_matches
from os import PathLike
from pathlib import Path
from typing import Final

import polars as pl

from tbframe.archive import Archive
from tbframe.errors import SourceError
from tbframe.sources.database.mapping import KNOWN, FrameSource, MappingFile, read_mapping
from tbframe.sources.database.postgresql import Postgresql
from tbframe.sources.database.sqlite import Sqlite
from tbframe.sources.names import as_text
from tbframe.sources.tables import as_archive

__all__ = ["Database", "read_database"]

_PASSWORD: Final = re.compile(r"(://[^:/@\s]*):[^@\s]*@")


class Database:
    """The tables of a database, all as of one moment; made by `Database.open`.

    Attributes
    ----------
    tables
        The names of the frames that it gives.
    """

    def __init__(self, mapping: MappingFile, connection: Sqlite | Postgresql) -> None:
        self.tables = tuple(mapping.frames)
        self._mapping = mapping
        self._connection = connection

    @classmethod
    @contextmanager
    def open(cls, mapping: str | PathLike[str]) -> Iterator[Database]:
        """Connect to the database of a mapping file, only to read.

        Raises
        ------
        SourceError
            If the mapping has no meaning, or the database cannot be reached.
        """
        read = read_mapping(Path(mapping))
        address = read.address
        postgresql = address.startswith(("postgresql://", "postgres://"))
        try:
            connection = Postgresql(address) if postgresql else Sqlite(address)
        except SourceError:
            raise
        except Exception as error:  # of the driver, which may not even be installed
            raise SourceError(f"{_bare(address)}: cannot be reached ({_bare(error)})") from None
        try:
            yield cls(read, connection)
        finally:
            with suppress(Exception):  # the connection may be lost already
                connection.close()

    def count(self, name: str) -> int:
        """Count the rows of a table.

        Raises
        ------
        SourceError
            If it cannot be read.
        """
        source = self._mapping.frames[name]
        with self._explained(source):
            return self._connection.count(_rows(source))

    def batches(self, name: str) -> Iterator[pl.DataFrame]:
        """Read a table through, about 250,000 rows at a time.

        Yields
        ------
        DataFrame
            With the columns of the frame, in one and the same type in all batches; one batch
            at least, though it may have no rows.

        Raises
        ------
        SourceError
            If a table or a column is not there, or the connection is lost.
        """
        source = self._mapping.frames[name]
        with self._explained(source):
            rows = _rows(source)
            columns = self._columns(source, self._connection.columns(rows))
            for batch in self._connection.batches(rows, columns):
                yield batch.with_columns(
                    pl.col(column)
                    .cast(pl.String)
                    .replace({str(key): str(value) for key, value in spelling.items()})
                    for column, spelling in source.values.items()
                )

    def _columns(self, source: FrameSource, there: list[str]) -> dict[str, str]:
        """Return the quoted column of the database for each column of the frame."""
        where = f"{self._mapping.path}: [{source.name}"
        for name, column in source.columns.items():
            if column not in there:
                near = get_close_matches(column, there, n=1)
                hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(there)}"
                raise SourceError(f"{where}.columns] {name}: no column {column!r}; {hint}")
        plain = {column.lower(): column for column in there}
        own = {name: plain[name] for name in KNOWN[source.name] if name in plain}
        columns = own | dict(source.columns)
        for column in source.values:
            if column not in columns:
                raise SourceError(f"{where}.values] {column}: the frame has no such column")
        if not columns:
            raise SourceError(f"{where}]: none of its columns is known: name them in columns")
        return {name: _quoted(column) for name, column in columns.items()}

    @contextmanager
    def _explained(self, source: FrameSource) -> Iterator[None]:
        try:
            yield
        except self._connection.errors as error:
            address = _bare(self._mapping.address)
            raise SourceError(
                f"{address}: {source.table or 'the query'} (for {source.name}) cannot be read: "
                f"{_bare(error)}"
            ) from None


def read_database(mapping: str | PathLike[str]) -> Archive:
    """Read all of a database.

    Parameters
    ----------
    mapping
        The TOML file that says which table is which frame (`sources.database.mapping`).

    Returns
    -------
    Archive
        Its findings and quarantine name the mapping as their file.

    Raises
    ------
    SourceError
        If the database cannot be read.
    ContractError
        If a table breaks its contract.
    """
    with Database.open(mapping) as database:
        frames = {name: pl.concat(list(database.batches(name))) for name in database.tables}
    archive = as_archive(frames, as_text(Path(mapping)))
    here = pl.lit(as_text(Path(mapping))).alias("file")
    return replace(
        archive,
        findings=archive.findings.with_columns(here),
        quarantine=archive.quarantine.with_columns(here),
    )


def _rows(source: FrameSource) -> str:
    """Return what stands behind FROM."""
    if source.query is not None:
        return f"({source.query.strip().rstrip(';')}) AS rows_of_the_query"
    assert source.table is not None  # noqa: S101  (one of the two is given)
    return ".".join(_quoted(part) for part in source.table.split("."))


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _bare(said: object) -> str:
    """Leave a password out of what is said, and put it on one line."""
    return _PASSWORD.sub(r"\1@", " ".join(str(said).split()))
