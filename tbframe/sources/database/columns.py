"""Which column of a database is which column of a frame, and the types that keys share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Final

import polars as pl

from tbframe.errors import SourceError
from tbframe.sources.database.mapping import FrameSource
from tbframe.sources.frame_columns import KNOWN, key_kind

__all__ = [
    "EXACT",
    "ROWS_A_BATCH",
    "Column",
    "find_columns",
    "is_key",
    "quoted",
    "with_shared_keys",
]

#: Rows of a batch at most.
ROWS_A_BATCH: Final = 250_000
#: Up to here a float is exact for every whole number.
EXACT: Final = 2**53


@dataclass(frozen=True)
class Column:
    """How a column is read.

    Attributes
    ----------
    dtype
        Int64, Float64, Boolean, Date or String; Null where it has no values.
    mixed
        Whether it is text only because not all of its values are whole numbers.
    """

    dtype: pl.DataType
    mixed: bool = False


def quoted(name: str) -> str:
    """Write the name of a table or column as SQL has it.

    Examples
    --------
    >>> quoted('the "white" player')
    '"the ""white"" player"'
    """
    return '"' + name.replace('"', '""') + '"'


def find_columns(source: FrameSource, there: list[str], file: str) -> dict[str, str]:
    """Find the column of the database for each column of a frame.

    Parameters
    ----------
    source
        What the mapping says of the frame.
    there
        The columns of the table or query.
    file
        The mapping, for messages.

    Raises
    ------
    SourceError
        If a column is not there, or two could be meant.
    """
    where = f"{file}: [{source.name}"
    for name, column in source.columns.items():
        if column not in there:
            near = get_close_matches(column, there, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(there)}"
            raise SourceError(f"{where}.columns] {name}: no column {column!r}; {hint}")
    columns = {}
    for name in KNOWN[source.name]:
        alike = [column for column in there if column.lower() == name]
        if name in source.columns or not alike:
            continue
        if len(alike) > 1 and name not in alike:
            raise SourceError(f"{where}.columns] {name}: it may be {' or '.join(alike)}; name one")
        columns[name] = name if name in alike else alike[0]
    columns.update(source.columns)
    for name in source.values:
        if name not in columns:
            near = get_close_matches(name, columns, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise SourceError(f"{where}.values] {name}: the frame has no such column{hint}")
    if not columns:
        raise SourceError(f"{where}]: none of its columns is known: name them in columns")
    return columns


def is_key(frame: str, column: str) -> bool:
    """Whether a column of a frame holds the keys of tournaments or players."""
    return key_kind(frame, column) is not None


def with_shared_keys(
    tables: Mapping[str, Mapping[str, Column]],
) -> dict[str, dict[str, Column]]:
    """Give keys of one kind the type of text where one of their columns is mixed.

    ``black`` with ``bye`` among its numbers is text, so the numbers in ``white`` must be text
    too. A column that is nothing but text makes no other one text: whether ``001`` is 1 is not
    known here, so that difference is left to be refused.

    Examples
    --------
    >>> number, some = Column(pl.Int64()), Column(pl.String(), mixed=True)
    >>> shared = with_shared_keys({"games": {"round": number, "white": number, "black": some}})
    >>> [column.dtype for column in shared["games"].values()]
    [Int64, String, String]
    """
    kinds: dict[str, list[Column]] = {}
    for frame, columns in tables.items():
        for name, column in columns.items():
            kinds.setdefault(key_kind(frame, name) or "", []).append(column)

    def settled(frame: str, name: str, column: Column) -> Column:
        kind = key_kind(frame, name)
        of_kind = kinds[kind] if kind else []
        if any(other.mixed for other in of_kind):
            return replace(column, dtype=pl.String())
        if column.dtype != pl.Null():
            return column
        typed = [other.dtype for other in of_kind if other.dtype != pl.Null()]
        return replace(column, dtype=typed[0] if typed else pl.String())

    return {
        frame: {name: settled(frame, name, column) for name, column in columns.items()}
        for frame, columns in tables.items()
    }
