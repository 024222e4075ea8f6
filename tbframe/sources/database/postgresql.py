"""PostgreSQL, by ADBC: rows come as Arrow, a piece at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import polars as pl

from tbframe.errors import SourceError

__all__ = ["Postgresql"]

_ROWS: Final = 250_000


class Postgresql:
    """A connection that only reads, all of it as of one moment.

    Parameters
    ----------
    address
        ``postgresql://user@host:port/name``.

    Raises
    ------
    SourceError
        If the driver is not installed.
    """

    def __init__(self, address: str) -> None:
        try:
            import adbc_driver_postgresql.dbapi as driver  # noqa: PLC0415  (an extra)
        except ModuleNotFoundError as error:
            raise SourceError(
                'PostgreSQL needs the extra "sql": pip install "tbframe[sql]"'
            ) from error
        self.errors: tuple[type[Exception], ...] = (driver.Error, OSError)
        self._connection: Any = driver.connect(address)
        self._cursor: Any = self._connection.cursor()
        self._cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")

    def columns(self, rows: str) -> list[str]:
        """Name the columns of a table or query."""
        return list(self._types(rows))

    def count(self, rows: str) -> int:
        """Count the rows."""
        self._cursor.execute(f"SELECT count(*) FROM {rows}")  # noqa: S608  (quoted)
        return int(self._cursor.fetchone()[0])

    def batches(self, rows: str, columns: dict[str, str]) -> Iterator[pl.DataFrame]:
        """Read some columns, quoted, under other names; one batch at least."""
        types = self._types(rows)
        wanted = ", ".join(
            f'{_readable(column, types)} AS "{name}"' for name, column in columns.items()
        )
        self._cursor.execute(f"SELECT {wanted} FROM {rows}")  # noqa: S608  (quoted)
        with self._cursor.fetch_record_batch() as reader:
            empty: Any = pl.from_arrow(reader.schema.empty_table())
            some = False
            for batch in reader:
                frame: Any = pl.from_arrow(batch)
                for piece in frame.iter_slices(_ROWS):
                    some = True
                    yield piece
        if not some:
            yield empty

    def _types(self, rows: str) -> dict[str, str]:
        self._cursor.execute(f"SELECT * FROM {rows} LIMIT 0")  # noqa: S608  (quoted)
        with self._cursor.fetch_record_batch() as reader:
            return {
                column.name: (column.metadata or {}).get(b"POSTGRESQL:type", b"").decode()
                for column in reader.schema
            }

    def close(self) -> None:
        """Close the connection."""
        self._cursor.close()
        self._connection.close()


#: Types that Arrow has as PostgreSQL has them; numbers of any size become 64 bits, the rest text.
_SAME: Final = (
    "bool", "int2", "int4", "int8", "float4", "float8", "text", "varchar", "bpchar", "date",
)  # fmt: skip


def _readable(column: str, types: dict[str, str]) -> str:
    kind = types.get(column[1:-1].replace('""', '"'), "")
    if kind in _SAME:
        return column
    if kind == "numeric":
        return f"CAST({column} AS double precision)"
    return f"CAST({column} AS date)" if kind.startswith("timestamp") else f"CAST({column} AS text)"
