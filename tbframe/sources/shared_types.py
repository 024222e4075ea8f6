"""The columns and types that all files of a table share, and the keys that all tables share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import add
from typing import Final

import polars as pl

from tbframe.errors import SourceError
from tbframe.findings import findings_from
from tbframe.sources.csv_text import Looks
from tbframe.sources.frame_columns import KNOWN, NEEDED, TOLD, key_kind
from tbframe.sources.names import as_text
from tbframe.sources.table_files import TableFile

__all__ = ["Types", "insist_on_columns", "shared_types", "with_shared_keys"]

#: The columns of a table and their types.
Types = Mapping[str, pl.DataType]

_TEXTUAL: Final = (pl.String, pl.Categorical, pl.Enum)
#: Keys that side tables cannot do without, if one of their files has them.
_KEYS: Final = ("tournament", "player", "team")


def insist_on_columns(table: str, files: Sequence[TableFile]) -> pl.DataFrame:
    """Compare the columns of the files of a table.

    Returns
    -------
    DataFrame
        A finding for each file that lacks columns which it can do without.

    Raises
    ------
    SourceError
        If one lacks a column that it needs.
    """
    having: dict[str, TableFile] = {}
    for file in _one_of_each_shape(files):
        for name in file.types:
            having.setdefault(name, file)
    needed = (*NEEDED.get(table, _KEYS), "tournament")
    lacking: list[tuple[str, str]] = []
    for file in files:
        there = file.types
        missing = [name for name in KNOWN[table] if name in having and name not in there]
        for name in missing:
            if name in needed:
                raise SourceError(
                    f"{file.path}: there is no column {name!r}, which {having[name].path} has; "
                    f"there are {', '.join(file.columns)}"
                )
        if missing:
            lacking.append((as_text(file.path), ", ".join(missing)))
    return findings_from(
        pl.DataFrame(lacking, schema=["file", "missing"], orient="row").cast(pl.String),
        code="column-missing",
        severity="warning",
        message=pl.format("no {}, which other files of the table have: empty here", "missing"),
    )


def shared_types(table: str, files: Sequence[TableFile]) -> Types:
    """Find the columns of a table, and a type for each that no value of any file is lost by.

    Raises
    ------
    SourceError
        If there is none: naming the column and two files.
    """
    found: dict[str, dict[pl.DataType, TableFile]] = {}
    for file in _one_of_each_shape(files):
        for name, dtype in file.types.items():
            found.setdefault(name, {}).setdefault(dtype, file)
    looks = _looks(files)
    types = {}
    for name, dtypes in found.items():
        if name in looks and all(file.separator and not file.described for file in dtypes.values()):
            dtypes = {looks[name].dtype: files[0]} | {  # noqa: PLW2901
                dtype: file for dtype, file in dtypes.items() if name in file.values
            }
        types[name] = _common(table, name, dtypes)
    return types


def with_shared_keys(
    types: Mapping[str, Types], files: Mapping[str, Sequence[TableFile]]
) -> dict[str, dict[str, pl.DataType]]:
    """Give keys of one kind one type, where that is no guess.

    CSV knows no types: its keys are text where those of a Parquet file are, or where some of
    the same kind are (``bye`` among numbers). Keys of tournaments are text where some are.
    """
    looks = {table: _looks(each) for table, each in files.items()}
    shared = {table: dict(columns) for table, columns in types.items()}
    for kind, places in _places_of_keys(types).items():
        textual = any(
            looks[table][name].mixed if name in looks[table] else _is_text(types[table][name])
            for table, name in places
        )
        others = (types[table][name] for table, name in places)
        typed = next((dtype for dtype in others if dtype != pl.Null()), pl.String())
        for table, name in places:
            found = types[table][name]
            if name in looks[table] and textual:
                shared[table][name] = pl.String()
            elif found == pl.Null():  # without any value it is as the others are
                shared[table][name] = typed
        key = _tournament_key({shared[table][name] for table, name in places})
        if kind == "tournament" and key is not None:
            for table, name in places:
                shared[table][name] = key
    for table, columns in shared.items():  # CSV columns without a value are text without any
        columns.update({n: pl.String() for n in looks[table] if columns[n] == pl.Null()})
    return shared


def _places_of_keys(types: Mapping[str, Types]) -> dict[str, list[tuple[str, str]]]:
    """List the tables and columns that hold keys of each kind."""
    kinds: dict[str, list[tuple[str, str]]] = {}
    for table, columns in types.items():
        for name in columns if table not in TOLD else ():
            if (kind := key_kind(table, name)) is not None:
                kinds.setdefault(kind, []).append((table, name))
    return kinds


def _one_of_each_shape(files: Iterable[TableFile]) -> Iterator[TableFile]:
    """Give a file of each shape and kind of values: there may be thousands of the same."""
    seen = set()
    for file in files:
        shape = (file.shape, tuple(type(value) for value in file.values.values()),
                 tuple(file.looks.items()))  # fmt: skip
        if shape not in seen:
            seen.add(shape)
            yield file


def _looks(files: Sequence[TableFile]) -> dict[str, Looks]:
    """Add up how the values of CSV columns look, whose types nobody wrote down."""
    each: dict[str, list[Looks]] = {}
    for file in files:
        for theirs, ours in zip(file.columns, file.names, strict=True):
            if theirs in file.looks:
                each.setdefault(ours, []).append(file.looks[theirs])
    return {name: reduce(add, looks) for name, looks in each.items()}


def _common(table: str, name: str, found: Mapping[pl.DataType, TableFile]) -> pl.DataType:
    """Return the type of a column of which the files have several."""
    dtypes = {dtype: file for dtype, file in found.items() if dtype != pl.Null()} or dict(found)
    if len(dtypes) == 1:
        return next(iter(dtypes))
    if all(dtype.is_integer() for dtype in dtypes):
        return pl.Int64()
    if all(dtype.is_numeric() for dtype in dtypes):
        return pl.Float64()
    hive = any(name in file.values for file in dtypes.values())
    if all(_is_text(dtype) or (hive and dtype.is_integer()) for dtype in dtypes):
        return pl.String()
    (one, first), (other, second), *_ = dtypes.items()
    raise SourceError(
        f"{second.path}: column {name!r} of {table} is {other}, and {one} in {first.path}: the "
        "files of a table have the same types"
    )


def _tournament_key(dtypes: set[pl.DataType]) -> pl.DataType | None:
    """Return the type of the keys of tournaments; ``None`` where they cannot be any."""
    if all(dtype.is_integer() or dtype.is_float() for dtype in dtypes):
        return pl.Int64()
    if all(_is_text(dtype) or dtype.is_integer() or dtype == pl.Null() for dtype in dtypes):
        return pl.String()
    return None


def _is_text(dtype: pl.DataType) -> bool:
    return isinstance(dtype, _TEXTUAL)
