"""SQLite, by the standard library.

Its columns have no types, its values do. So all values of a column are looked at first: whole
numbers alone are read as such, with fractions among them as numbers, and otherwise as text. Keys
are whole numbers (``7.0`` too) or text, never fractions. Binary values are refused.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Final

import polars as pl

from tbframe.errors import SourceError
from tbframe.schema import TOURNAMENTS
from tbframe.sources.database.columns import EXACT, ROWS_A_BATCH, Column, quoted

__all__ = ["Sqlite"]

_FLAGS: Final = tuple(name for name, dtype in TOURNAMENTS.items() if dtype == pl.Boolean())


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

    errors: Final = (sqlite3.Error, OSError)

    def __init__(self, address: str) -> None:
        path = Path(address)
        if not path.is_file():
            raise SourceError(f"{address}: no such database")
        #: Texts so far that were no UTF-8.
        self.undecoded = 0
        self._path = path
        self._with_floats: set[tuple[str, str]] = set()
        # To read a database with a write-ahead log, SQLite makes files beside it and leaves them
        # there. Where nobody has it open, it is read as a file that does not change, and a
        # change is looked out for.
        self._as_it_was = _state(path) if _is_closed_wal(path) else None
        how = "mode=ro" if self._as_it_was is None else "mode=ro&immutable=1"
        self._connection = sqlite3.connect(
            f"{path.as_uri()}?{how}", uri=True, check_same_thread=False, timeout=5
        )
        self._connection.text_factory = self._text
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

    def types(
        self, rows: str, columns: Mapping[str, str], keys: Collection[str]
    ) -> dict[str, Column]:
        """Tell how columns are read so that no value changes.

        Raises
        ------
        SourceError
            If a column has binary values.
        """
        found = {}
        for name, column in columns.items():
            asked = f"SELECT DISTINCT typeof({quoted(column)}) FROM {rows}"  # noqa: S608
            kinds = {kind for (kind,) in self._connection.execute(asked)} - {"null"}
            if "blob" in kinds:
                raise SourceError(
                    f"column {column!r} has binary values: say in a query what they mean, "
                    f"hex({column}) or CAST({column} AS TEXT)"
                )
            if "real" in kinds:
                self._with_floats.add((rows, column))
            if not kinds:
                found[name] = Column(pl.Null())
            elif "text" in kinds:
                found[name] = Column(pl.String(), mixed=len(kinds) > 1)
            elif "real" in kinds or name in _FLAGS:
                found[name] = self._number(rows, column, key=name in keys, flag=name in _FLAGS)
            else:
                found[name] = Column(pl.Int64())
        return found

    def _number(self, rows: str, column: str, *, key: bool, flag: bool) -> Column:
        """Tell how a column of numbers is read."""
        value = quoted(column)
        asked = (
            f"SELECT max(typeof({value}) = 'real'), "  # noqa: S608  (quoted)
            f"max(typeof({value}) = 'real' AND NOT {_whole(value)}), "
            f"min(CASE typeof({value}) WHEN 'integer' THEN {value} END), "
            f"max(CASE typeof({value}) WHEN 'integer' THEN {value} END) FROM {rows}"
        )
        floats, fractions, least, most = self._connection.execute(asked).fetchone()
        if not floats or (key and not fractions):
            truth = flag and least >= 0 and most <= 1
            return Column(pl.Boolean() if truth else pl.Int64())
        exact = least is None or (least >= -EXACT and most <= EXACT)
        if exact and not key:
            return Column(pl.Float64())
        return Column(pl.String(), mixed=True)

    def batches(
        self, rows: str, columns: Mapping[str, str], types: Mapping[str, pl.DataType]
    ) -> Iterator[pl.DataFrame]:
        """Read some columns under other names, in the types given; one batch at least."""
        wanted = ", ".join(
            _as(quoted(column), types[name], floats=(rows, column) in self._with_floats)
            for name, column in columns.items()
        )
        cursor = self._connection.execute(f"SELECT {wanted} FROM {rows}")  # noqa: S608
        schema = {n: pl.Int64() if t == pl.Boolean() else t for n, t in types.items()}
        first = True
        while (some := cursor.fetchmany(ROWS_A_BATCH)) or first:
            first = False
            if self._as_it_was is not None and _state(self._path) != self._as_it_was:
                raise SourceError(f"{self._path}: it was written to while it was read; try again")
            yield pl.DataFrame(some, schema=schema, orient="row").cast(pl.Schema(types))

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _text(self, data: bytes) -> str:
        """Read text as what it should be, else as what Windows programs write, and count it."""
        try:
            return data.decode()
        except UnicodeDecodeError:
            self.undecoded += 1
            # Five bytes mean nothing in Windows-1252; as in browsers, each stays a sign of its own.
            return "".join(_WINDOWS[byte] for byte in data)


_WINDOWS: Final = tuple(
    bytes([byte]).decode("latin-1" if byte in {0x81, 0x8D, 0x8F, 0x90, 0x9D} else "cp1252")
    for byte in range(256)
)


def _whole(column: str) -> str:
    """Ask of a float whether it is a whole number, and surely the one that was meant."""
    return f"({column} = CAST({column} AS INTEGER) AND abs({column}) <= {EXACT})"


def _as(column: str, dtype: pl.DataType, *, floats: bool) -> str:
    """Write a column so that it comes in a type; among text or keys, 7.0 is 7."""
    if dtype == pl.Float64():
        return column
    if floats:
        whole = f"typeof({column}) = 'real' AND {_whole(column)}"
        column = f"CASE WHEN {whole} THEN CAST({column} AS INTEGER) ELSE {column} END"
    return f"CAST({column} AS TEXT)" if dtype == pl.String() else column


def _is_closed_wal(path: Path) -> bool:
    """Whether it is a database with a write-ahead log that nobody has open."""
    with path.open("rb") as file:
        head = file.read(20)
    log = path.with_name(f"{path.name}-wal")
    return head[18:20] == b"\x02\x02" and not log.exists()


def _state(path: Path) -> tuple[int, int]:
    """Return what changes where a file is written to."""
    stat = path.stat()
    return stat.st_mtime_ns, stat.st_size
