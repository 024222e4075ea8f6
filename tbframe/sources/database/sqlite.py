"""SQLite, by the standard library.

Its columns have no types, its values do. So all values of a column are looked at first: whole
numbers alone are read as such, with fractions among them as numbers, and otherwise as text.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import polars as pl

from tbframe.errors import SourceError

__all__ = ["Sqlite"]

_ROWS: Final = 250_000


class Sqlite:
    """A connection that only reads, all of it as of one moment.

    Parameters
    ----------
    address
        The path of the file.

    Raises
    ------
    SourceError
        If there is no such file.
    """

    errors: Final = (sqlite3.Error,)

    def __init__(self, address: str) -> None:
        if not Path(address).is_file():
            raise SourceError(f"{address}: no such database")
        uri = f"{Path(address).as_uri()}?mode=ro"
        self._connection = sqlite3.connect(uri, uri=True, check_same_thread=False, timeout=5)
        self._connection.text_factory = _text
        self._connection.isolation_level = None
        self._connection.execute("BEGIN")

    def columns(self, rows: str) -> list[str]:
        """Name the columns of a table or query."""
        cursor = self._connection.execute(f"SELECT * FROM {rows} LIMIT 0")  # noqa: S608
        return [column[0] for column in cursor.description]

    def count(self, rows: str) -> int:
        """Count the rows."""
        found = self._connection.execute(f"SELECT count(*) FROM {rows}").fetchone()  # noqa: S608
        return int(found[0])

    def batches(self, rows: str, columns: dict[str, str]) -> Iterator[pl.DataFrame]:
        """Read some columns, quoted, under other names; one batch at least."""
        types = {name: self._type(rows, column) for name, column in columns.items()}
        wanted = ", ".join(
            f"CAST({column} AS TEXT)" if types[name] == pl.String else column
            for name, column in columns.items()
        )
        cursor = self._connection.execute(f"SELECT {wanted} FROM {rows}")  # noqa: S608
        first = True
        while (some := cursor.fetchmany(_ROWS)) or first:
            first = False
            yield pl.DataFrame(some, schema=types, orient="row")

    def _type(self, rows: str, column: str) -> pl.DataType:
        asked = f"SELECT DISTINCT typeof({column}) FROM {rows}"  # noqa: S608  (quoted)
        found = {kind for (kind,) in self._connection.execute(asked)} - {"null"}
        if found and found <= {"integer"}:
            return pl.Int64()
        return pl.Float64() if found and found <= {"integer", "real"} else pl.String()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def _text(data: bytes) -> str:
    """Read text as what it should be, else as what Windows programs write."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
