"""Tables known by their content, and columns that are called otherwise in a file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

import polars as pl

from tbframe.errors import SourceError
from tbframe.sources.unpacking import PACKED
from tbframe.sources.unreadable import UnreadableError

__all__ = ["TableKind", "check_mapping", "map_columns", "table_kind"]

TableKind = Literal["parquet", "arrow", "arrow-stream", "csv"]

_MAGIC: Final[tuple[tuple[bytes, TableKind], ...]] = (
    (b"PAR1", "parquet"),
    (b"ARROW1", "arrow"),
    (b"\xff\xff\xff\xff", "arrow-stream"),
)
_ENDINGS: Final[dict[str, TableKind]] = {
    ".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow",
    ".csv": "csv", ".tsv": "csv",
}  # fmt: skip
_ENOUGH: Final = (frozenset({"player", "result"}), frozenset({"white", "black", "result"}))


def table_kind(
    path: Path, head: bytes, columns: Mapping[str, str] | None = None
) -> TableKind | None:
    r"""Tell by the beginning of a file, else by its ending, which kind of table it is.

    Parameters
    ----------
    path, head
        The file and its beginning, unpacked.
    columns
        Columns that a table of its kind has, by what they are called here.

    Examples
    --------
    >>> table_kind(Path("games.txt"), b"Round;White;Black;Result\n1;Ann;Bob;1-0\n")
    'csv'
    >>> table_kind(Path("notes.txt"), b"Round one was drawn.\n") is None
    True
    """
    packed = path.suffix.lower() in PACKED
    ending = (path.with_suffix("") if packed else path).suffix.lower()
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    if (known := _ENDINGS.get(ending)) is not None:
        return known
    first = head.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")[0]
    names = {
        word.strip().strip('"').lower()
        for word in re.split(r"[,;\t]", first[:10_000].decode("utf-8", "replace"))
    }
    if any(needed <= names for needed in _ENOUGH):
        return "csv"
    if columns and {name.lower() for name in columns.values()} <= names:
        return "csv"
    return None


def check_mapping(columns: object) -> dict[str, str]:
    """Insist on a mapping of names to names.

    Raises
    ------
    SourceError
        If it is none, or two columns are to come from one.
    """
    if not isinstance(columns, Mapping) or not all(
        isinstance(word, str) and word for pair in columns.items() for word in pair
    ):
        raise SourceError(
            'columns is a mapping of names to names, such as {"tournament": "event_id"}: the '
            "column here, and what the file calls it"
        )
    twice = sorted({name for name in columns.values() if list(columns.values()).count(name) > 1})
    if twice:
        raise SourceError(f"columns: {twice[0]!r} of the file stands for several columns")
    return dict(columns)


def map_columns(table: pl.DataFrame, columns: Mapping[str, str]) -> pl.DataFrame:
    """Rename columns to what they are called here.

    Parameters
    ----------
    table
        As the file has it.
    columns
        For each column here, its name in the file.

    Raises
    ------
    UnreadableError
        If one is missing, or its new name is taken by another column of the file.

    Examples
    --------
    >>> map_columns(pl.DataFrame({"event_id": [1]}), {"tournament": "event_id"}).columns
    ['tournament']
    """
    missing = sorted(set(columns.values()) - set(table.columns))
    if missing:
        raise UnreadableError(
            f"there is no column {', '.join(map(repr, missing))}; there are "
            f"{', '.join(table.columns)}",
            code="column-missing",
        )
    left = [name for name in table.columns if name not in columns.values()]
    taken = sorted({name.strip().lower() for name in left} & columns.keys())
    if taken:
        raise UnreadableError(
            f"the file has a column {taken[0]!r} of its own beside {columns[taken[0]]!r}: name "
            "what it is to be called too",
            code="column-taken",
        )
    return table.rename({theirs: ours for ours, theirs in columns.items()})
