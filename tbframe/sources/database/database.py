"""A database as frames, a batch of rows at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from os import PathLike
from pathlib import Path

import polars as pl

from tbframe.archive import Archive
from tbframe.errors import SourceError
from tbframe.findings import concat_findings, findings_from, no_findings
from tbframe.sources.assembling import as_archive
from tbframe.sources.database.address import is_address, shown, without_secrets
from tbframe.sources.database.columns import (
    Column,
    find_columns,
    is_key,
    quoted,
    with_shared_keys,
)
from tbframe.sources.database.mapping import FrameSource, MappingFile, read_mapping
from tbframe.sources.database.postgresql import Postgresql
from tbframe.sources.database.sqlite import Sqlite
from tbframe.sources.names import as_text

__all__ = ["Database", "read_database"]


class Database:
    """The tables of a database, all as of one moment; made by `Database.open`.

    Attributes
    ----------
    tables
        The names of the frames that it gives.
    findings
        What was assumed of the values read so far (`schema.FINDINGS`).
    """

    def __init__(self, mapping: MappingFile, connection: Sqlite | Postgresql) -> None:
        self.tables = tuple(mapping.frames)
        self.findings = no_findings()
        self._mapping = mapping
        self._connection = connection
        self._found: dict[str, tuple[dict[str, str], dict[str, Column]]] = {}

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
        try:
            connection = Postgresql(address) if is_address(address) else Sqlite(address)
        except SourceError:
            raise
        except Exception as error:  # of the driver, which may not even be installed
            said = without_secrets(error, address)
            raise SourceError(f"{shown(address)}: cannot be reached ({said})") from None
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
        columns, types = self._columns()[name]
        undecoded = self._connection.undecoded
        with self._explained(source):
            dtypes = {column: of.dtype for column, of in types.items()}
            for batch in self._connection.batches(_rows(source), columns, dtypes):
                yield batch.with_columns(
                    pl.col(column).replace({key: str(value) for key, value in spelling.items()})
                    for column, spelling in source.values.items()
                )
        self._tell_of_undecoded(name, self._connection.undecoded - undecoded)

    def _columns(self) -> dict[str, tuple[dict[str, str], dict[str, Column]]]:
        """Find the columns of all frames, since the types of keys depend on each other."""
        if not self._found:
            columns, types = {}, {}
            for name, source in self._mapping.frames.items():
                with self._explained(source):
                    rows = _rows(source)
                    there = self._connection.columns(rows)
                    columns[name] = find_columns(source, there, str(self._mapping.path))
                    keys = [column for column in columns[name] if is_key(name, column)]
                    try:
                        types[name] = self._connection.types(rows, columns[name], keys)
                    except SourceError as error:
                        raise SourceError(f"{self._mapping.path}: [{name}] {error}") from None
                # What has another spelling here is text, whatever it is there.
                types[name].update((key, Column(pl.String(), mixed=True)) for key in source.values)
            shared = with_shared_keys(types)
            self._found = {name: (columns[name], shared[name]) for name in columns}
        return self._found

    def _tell_of_undecoded(self, name: str, number: int) -> None:
        told = pl.DataFrame({"name": [name] * bool(number)}, schema={"name": pl.String})
        message = f"{name}: texts that are no UTF-8 ({number}) are read as Windows-1252"
        found = findings_from(told, code="encoding", severity="warning", message=message)
        self.findings = concat_findings(self.findings, found)

    @contextmanager
    def _explained(self, source: FrameSource) -> Iterator[None]:
        try:
            yield
        except self._connection.errors as error:
            address = self._mapping.address
            raise SourceError(
                f"{shown(address)}: {source.table or 'the query'} (for {source.name}) cannot be "
                f"read: {without_secrets(error, address)}"
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
        found = database.findings
    archive = as_archive(frames, as_text(Path(mapping)))
    here = pl.lit(as_text(Path(mapping))).alias("file")
    return replace(
        archive,
        findings=concat_findings(found, archive.findings).with_columns(here),
        quarantine=archive.quarantine.with_columns(here),
    )


def _rows(source: FrameSource) -> str:
    """Return what stands behind FROM."""
    if source.query is not None:
        # On lines of its own, because a comment may end it.
        return f"(\n{source.query.strip().rstrip(';')}\n) AS rows_of_the_query"
    assert source.table is not None  # noqa: S101  (one of the two is given)
    return ".".join(quoted(part) for part in source.table.split("."))
