"""PostgreSQL, by ADBC: rows come as Arrow, a piece at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

import polars as pl

from tbframe.errors import SourceError
from tbframe.schema import TOURNAMENTS
from tbframe.sources.database.columns import EXACT, ROWS_A_BATCH, Column, quoted

__all__ = ["Postgresql"]

_LARGEST: Final = 2**63 - 1
_DATES: Final = tuple(name for name, dtype in TOURNAMENTS.items() if dtype == pl.Date())
_TYPES: Final[dict[str, pl.DataType]] = {
    "bool": pl.Boolean(),
    "int2": pl.Int64(),
    "int4": pl.Int64(),
    "int8": pl.Int64(),
    "float4": pl.Float64(),
    "float8": pl.Float64(),
    "date": pl.Date(),
}
_CASTS: Final = {pl.Int64(): "bigint", pl.Float64(): "double precision", pl.Date(): "date"}


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
        #: Texts that were no UTF-8; the server has them all in it, or refuses.
        self.undecoded = 0
        self._connection: Any = driver.connect(address)
        self._cursor: Any = self._connection.cursor()
        self._cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        # Otherwise text comes in the encoding of the database, and Arrow takes it for UTF-8.
        self._cursor.execute("SET client_encoding TO 'UTF8'")

    def columns(self, rows: str) -> list[str]:
        """Name the columns of a table or query."""
        return list(self._types(rows))

    def count(self, rows: str) -> int:
        """Count the rows."""
        self._cursor.execute(f"SELECT count(*) FROM {rows}")  # noqa: S608  (quoted)
        return int(self._cursor.fetchone()[0])

    def types(
        self, rows: str, columns: Mapping[str, str], keys: Collection[str]
    ) -> dict[str, Column]:
        """Tell how columns are read so that no value changes.

        A column of type ``numeric`` is looked at, since it can hold what no float does: keys are
        whole numbers or else text, others are floats as far as these are exact.

        Raises
        ------
        SourceError
            If a date is asked of a moment whose date depends on where one is.
        """
        types = self._types(rows)
        found = {}
        for name, column in columns.items():
            kind = types[column]
            if name in _DATES and kind == "timestamptz":
                raise SourceError(
                    f"column {column!r} is a moment with a time zone, and its date depends on the "
                    f"zone: say it in a query, ({column} AT TIME ZONE 'Europe/Paris')::date"
                )
            dtype = _TYPES.get(kind, pl.String())
            if name in _DATES and kind == "timestamp":
                dtype = pl.Date()
            if name in keys and dtype not in {pl.Int64(), pl.Float64()}:
                dtype = pl.String()
            found[name] = Column(dtype)
        looked_at = [
            name
            for name, column in columns.items()
            if types[column] == "numeric" or (name in keys and found[name].dtype == pl.Float64())
        ]
        return found | self._looked_at(rows, {name: columns[name] for name in looked_at}, keys)

    def _looked_at(
        self, rows: str, columns: Mapping[str, str], keys: Collection[str]
    ) -> dict[str, Column]:
        """Look at all values of columns whose type does not tell whether they are whole."""
        if not columns:
            return {}
        values = [f"CAST({quoted(column)} AS numeric)" for column in columns.values()]
        asked = ", ".join(
            f"coalesce(bool_and({v} = trunc({v})), true), "
            f"CASE WHEN max(abs({v})) <= {EXACT} THEN 0 "
            f"WHEN max(abs({v})) <= {_LARGEST} THEN 1 WHEN count({v}) > 0 THEN 2 ELSE 0 END"
            for v in values
        )
        self._cursor.execute(f"SELECT {asked} FROM {rows}")  # noqa: S608  (quoted)
        told = self._cursor.fetchone()
        found = {}
        for name, whole, size in zip(columns, told[::2], told[1::2], strict=True):
            if whole and size < 2 and (name in keys or size == 1):
                found[name] = Column(pl.Int64())
            elif size == 0 and name not in keys:
                found[name] = Column(pl.Float64())
            else:
                found[name] = Column(pl.String(), mixed=True)
        return found

    def batches(
        self, rows: str, columns: Mapping[str, str], types: Mapping[str, pl.DataType]
    ) -> Iterator[pl.DataFrame]:
        """Read some columns under other names, in the types given; one batch at least."""
        kinds = self._types(rows)
        wanted = ", ".join(
            f"{_as(quoted(column), types[name], kinds[column])} AS {quoted(name)}"
            for name, column in columns.items()
        )
        self._cursor.execute(f"SELECT {wanted} FROM {rows}")  # noqa: S608  (quoted)
        with self._cursor.fetch_record_batch() as reader:
            empty: Any = pl.from_arrow(reader.schema.empty_table())
            some = False
            for batch in reader:
                frame: Any = pl.from_arrow(batch)
                for piece in frame.iter_slices(ROWS_A_BATCH):
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


def _as(column: str, dtype: pl.DataType, kind: str) -> str:
    """Write a column so that it comes in a type."""
    if dtype == pl.Boolean():
        return column
    if dtype == pl.String():
        # Text of char(n) loses the blanks that fill it up, and a number the zeros behind it.
        return f"CAST({f'trim_scale({column})' if kind == 'numeric' else column} AS text)"
    if kind == "float4":  # as it is written: 0.1 and not 0.10000000149
        column = f"CAST({column} AS text)"
    return f"CAST({column} AS {_CASTS[dtype]})"
