"""The files of a table: what each has in it, under the names of the contracts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from polars.exceptions import PolarsError

from tbframe.errors import SourceError
from tbframe.sources.csv_text import Looks, looks_of, scan_text, separator_of
from tbframe.sources.escaping import unescape
from tbframe.sources.frame_columns import KNOWN, MAIN
from tbframe.sources.table_kinds import map_columns, table_kind

__all__ = [
    "TABLE_ENDINGS",
    "Stamp",
    "TableFile",
    "columns_of",
    "known_names",
    "look_at",
    "stamp_of",
]

#: The endings of files that datasets are made of, and how they are read.
TABLE_ENDINGS: Final = {".parquet": "parquet", ".csv": "csv", ".tsv": "csv"}
_WHOLE: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
#: Enough to know a kind of table by.
_HEAD: Final = 10_240
#: What Hive calls a folder of rows without a value.
_NOTHING: Final = "__HIVE_DEFAULT_PARTITION__"

#: Size and time of a file: what changes when it does.
Stamp = tuple[int, int]


@dataclass(frozen=True)
class TableFile:
    """One file of a table.

    Attributes
    ----------
    path
        The file.
    columns
        Its columns, by their names in the file, and their types; of CSV text.
    names
        What they are called here.
    values
        Columns that have one value in all rows: what the names of Hive folders say, and the
        key of a tournament that fills the file.
    rows
        How many there are; of CSV nobody has counted them.
    stamp
        Its size and time when it was looked at.
    separator, looks
        Of CSV: what separates columns, and how the values of each look.
    described
        The types that `write_frames` noted beside CSV.
    """

    path: Path
    columns: Mapping[str, pl.DataType]
    names: tuple[str, ...]
    stamp: Stamp
    rows: int | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    separator: str | None = None
    looks: Mapping[str, Looks] = field(default_factory=dict)
    described: Mapping[str, pl.DataType] = field(default_factory=dict)

    @property
    def types(self) -> dict[str, pl.DataType]:
        """The type of each column, under its name here."""
        looks = {name: each.dtype for name, each in self.looks.items()}
        theirs = {**self.columns, **looks, **self.described}
        found = {ours: theirs[name] for name, ours in zip(self.columns, self.names, strict=True)}
        return {**found, **{name: _type_of(value) for name, value in self.values.items()}}

    @cached_property
    def shape(self) -> str:
        """What files have in common that can be read in one go."""
        about = (dict(self.columns), self.names, tuple(self.values), self.separator)
        return str((*about, dict(self.described)))

    @property
    def renamed(self) -> dict[str, str]:
        """The columns that are called otherwise in the file."""
        both = zip(self.columns, self.names, strict=True)
        return {theirs: ours for theirs, ours in both if theirs != ours}

    def scan(self, paths: Sequence[Path], path_as: str | None) -> pl.LazyFrame:
        """Read files of this shape, with the columns that they have, under their own names."""
        if self.separator is not None:
            return scan_text(list(paths), self.separator, path_as=path_as)
        return pl.scan_parquet(
            list(paths), hive_partitioning=False, glob=False, include_file_paths=path_as
        )

    def of(self, **values: object) -> TableFile:
        """Return the file with columns more that have one value in all rows."""
        return replace(self, values={**self.values, **values})


def stamp_of(path: Path) -> Stamp:
    """Return size and time of a file."""
    stat = path.stat()
    return stat.st_size, stat.st_mtime_ns


def look_at(
    path: Path,
    root: Path,
    table: str | None,
    *,
    columns: Mapping[str, str] | None = None,
    described: Mapping[str, pl.DataType] | None = None,
) -> TableFile:
    """Look what columns a file has, and how many rows.

    Parameters
    ----------
    path
        A Parquet or CSV file.
    root
        The folder from which on folders may be Hive partitions (``year=2024``).
    table
        Which table it is; by default one of the main ones.
    columns
        What columns are called in the file, by their names here.
    described
        The types of the columns of a CSV file, where they were written down.

    Raises
    ------
    SourceError
        If it cannot be read, or lacks one of `columns`.
    """
    with _readable(path):
        stamp = stamp_of(path)
        if _kind(path, columns) == "parquet":
            schema = pl.read_parquet_schema(path)
            file = TableFile(path, schema, (), stamp, pq.read_metadata(path).num_rows)
        else:
            separator = "," if described else separator_of(path)
            looks = {} if described else looks_of(path, separator)
            text = dict.fromkeys(scan_text([path], separator).collect_schema(), pl.String())
            file = TableFile(path, text, (), stamp, separator=separator, looks=looks)
    if described:
        return _as_described(file, described)
    names = _names(file.columns, table, columns)
    return replace(file, names=names, values=_hive_values(path, root, names))


def _as_described(file: TableFile, described: Mapping[str, pl.DataType]) -> TableFile:
    """Give a CSV file the names and types that were written down beside it."""
    names = tuple(unescape(name) for name in file.columns)
    if names != tuple(described):
        raise SourceError(f"{file.path}: its columns are not those of schema.json")
    types = dict(zip(file.columns, described.values(), strict=True))
    return replace(file, names=names, described=types)


def columns_of(path: Path, root: Path, columns: Mapping[str, str] | None = None) -> list[str]:
    """Tell the columns of a main table, without a look at its rows.

    Raises
    ------
    SourceError
        As `look_at`.
    """
    with _readable(path):
        if _kind(path, columns) == "parquet":
            there = pl.read_parquet_schema(path)
        else:
            there = scan_text([path], separator_of(path)).collect_schema()
    names = _names(there, None, columns)
    return [*names, *_hive_values(path, root, names)]


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, PolarsError, pa.ArrowException) as error:
        raise SourceError(f"{path}: cannot be read as a table ({error})") from error


def _kind(path: Path, columns: Mapping[str, str] | None) -> str:
    with path.open("rb") as file:
        kind = table_kind(path, file.read(_HEAD), columns)
    if kind not in ("parquet", "csv"):
        raise SourceError(f"{path}: neither Parquet nor CSV, which datasets are made of")
    return kind


def _names(
    there: Mapping[str, pl.DataType], table: str | None, columns: Mapping[str, str] | None
) -> tuple[str, ...]:
    given = columns or {}
    if table is not None and table not in MAIN:  # they need not have them all
        given = {ours: theirs for ours, theirs in given.items()
                 if theirs in there and ours not in there}  # fmt: skip
    mapped = map_columns(pl.DataFrame(schema=dict(there)), given).columns if given else [*there]
    return known_names(mapped, KNOWN[table] if table else _MAIN_COLUMNS)


_MAIN_COLUMNS: Final = {*KNOWN["results"], *KNOWN["games"], *KNOWN["boards"]}


def _type_of(value: object) -> pl.DataType:
    if value is None:
        return pl.Null()
    return pl.Int64() if isinstance(value, int) else pl.String()


def known_names(names: Sequence[str], known: Iterable[str]) -> tuple[str, ...]:
    """Bring names to the case of the contracts, where it is clear which one is meant.

    Examples
    --------
    >>> known_names(["Round", "WHITE", "white", "Colour"], ["round", "white", "color"])
    ('round', 'WHITE', 'white', 'color')
    """
    there = {*known}
    plain = [name.strip().lower() for name in names]
    if "color" in there and "color" not in plain:
        plain = ["color" if name == "colour" else name for name in plain]
    return tuple(
        small if small in there and plain.count(small) == 1 else name
        for name, small in zip(names, plain, strict=True)
    )


def _hive_values(path: Path, root: Path, names: Sequence[str]) -> dict[str, Any]:
    """Read what the names of the folders above a file say, where it has no such column."""
    pairs = (part.partition("=") for part in path.relative_to(root).parts[:-1] if "=" in part)
    said = {unquote(name).strip(): unquote(text) for name, _, text in pairs}
    read = zip(known_names(list(said), _MAIN_COLUMNS), said.values(), strict=True)
    return {
        name: None if text == _NOTHING else int(text) if _WHOLE.fullmatch(text) else text
        for name, text in read
        if name not in names
    }
