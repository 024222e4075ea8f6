"""Bring the columns of a user's table to their types and codes.

What is the same value in another type or spelling is brought to the canonical one, where
nothing can be lost by it; the rest breaks the contract, with a message that says where.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import polars as pl

from tbframe.contracts import breach
from tbframe.errors import ContractError
from tbframe.schema import ROW, ResultCode

__all__ = ["cast_columns", "insist", "spell", "unify_keys"]


def insist(
    frame: pl.DataFrame, name: str, columns: Sequence[str], rule: str, holds: pl.Expr
) -> None:
    """Raise a `ContractError` with the first rows where `holds` is false (null is not)."""
    broken = frame.filter(~holds)
    if broken.height:
        raise breach(name, columns, rule, broken.select(ROW, *columns))


def cast_columns(
    frame: pl.DataFrame, name: str, types: Mapping[str, pl.DataType | None]
) -> pl.DataFrame:
    """Bring columns to their types where nothing is lost by it.

    Parameters
    ----------
    frame
        The table, from `read_table`.
    name
        What messages call it.
    types
        The type of each column, as in `schema.RESULTS`: ``None`` is a key, which becomes
        String or Int64 (or stays Null, where it has no value at all). Columns that the
        frame does not have are passed over.

    Raises
    ------
    ContractError
        If a value does not fit, or the type is none that could.
    """
    for column, dtype in types.items():
        if column in frame.columns and frame.schema[column] != dtype:
            frame = frame.with_columns(_cast(frame, name, column, dtype))
    return frame


def _cast(frame: pl.DataFrame, name: str, column: str, dtype: pl.DataType | None) -> pl.Series:
    """Bring one column to its type."""
    found = frame[column]
    if found.dtype.is_float() and dtype != pl.Float64():
        found = found.fill_nan(None)
    # A column without any value has the type that its maker happened to give it.
    typed_key = dtype is None and (found.dtype == pl.String() or found.dtype.is_integer())
    if found.null_count() == found.len() and not (found.is_empty() and typed_key):
        found = pl.Series(column, [None] * found.len(), dtype=pl.Null)
    if dtype is None:
        if found.dtype == pl.Null():
            return found
        textual = found.dtype in (pl.String, pl.Categorical, pl.Enum)
        dtype = pl.String() if textual else pl.Int64()
    reading = _reading(found.dtype, dtype)
    if reading is None:
        raise breach(name, [column], f"has type {found.dtype} where {dtype} is due")
    cast = reading(found)
    lost = found.is_not_null() & cast.is_null()
    if found.dtype.is_numeric() and dtype.is_numeric() and reading is not _widened:
        lost |= (cast != found).fill_null(value=False)
    if lost.any():
        rows = frame.select(ROW, column).filter(lost)
        raise breach(name, [column], f"a value is no {dtype}", rows)
    return cast.alias(column)


#: Types whose values are read as text just as they are.
_TEXTUAL = (pl.String, pl.Categorical, pl.Enum, pl.Date)


def _reading(found: pl.DataType, due: pl.DataType) -> Callable[[pl.Series], pl.Series] | None:
    """Tell how to read one type as another; None where that would be guessing."""
    number, moment = found.is_numeric(), found == pl.Datetime
    if found == pl.Float32() and due == pl.Float64():
        return _widened
    if found == pl.Null() or (number and due.is_numeric()) or (moment and due == pl.Date()):
        return lambda values: values.cast(due, strict=False)
    if due == pl.String() and (found in _TEXTUAL or found.is_integer()):
        return lambda values: values.cast(due)
    if due == pl.String() and number:  # a register's numbers, made floats by a gap
        return lambda values: _whole(values).cast(due)
    if due == pl.String() and moment:
        return lambda values: values.cast(pl.Date).cast(due)
    return _reading_of_text(due) if found == pl.String() else None


def _widened(values: pl.Series) -> pl.Series:
    """Read numbers of few bits as they are written: 0.1, and not 0.10000000149."""
    wide = values.cast(pl.Float64)
    if (wide * 2 == (wide * 2).round()).all():  # which is so for most points
        return wide
    return values.cast(pl.String).cast(pl.Float64)


def _reading_of_text(due: pl.DataType) -> Callable[[pl.Series], pl.Series] | None:
    """Tell how to read text as another type: what does not fit becomes null, and is told of."""
    if due.is_integer():
        return lambda values: values.str.strip_chars().cast(due, strict=False)
    if due == pl.Date():
        return lambda values: values.str.to_date("%Y-%m-%d", strict=False)
    return None


def _whole(numbers: pl.Series) -> pl.Series:
    """Whole numbers as integers, others as null."""
    cast = numbers.cast(pl.Int64, strict=False)
    return pl.select(pl.when(cast == numbers).then(cast)).to_series()


def unify_keys(
    frames: Mapping[str, pl.DataFrame], kinds: Iterable[tuple[str, ...]]
) -> dict[str, pl.DataFrame]:
    """Give the keys of one kind one type.

    Parameters
    ----------
    frames
        The tables by name, their keys cast by `cast_columns`.
    kinds
        The columns that hold keys of one kind, such as ``("player", "opponent")``.

    Raises
    ------
    ContractError
        If some are strings and some integers, or a string is empty.
    """
    frames = dict(frames)
    for kind in kinds:
        places = [(name, c) for name, frame in frames.items() for c in kind if c in frame.columns]
        types = {place: frames[place[0]].schema[place[1]] for place in places}
        distinct = {dtype for dtype in types.values() if dtype != pl.Null()}
        if len(distinct) > 1:
            told = ", ".join(f"{name}.{c} is {dtype}" for (name, c), dtype in types.items())
            raise ContractError(f"{told}: keys of one kind have one type; cast one of them")
        dtype = distinct.pop() if distinct else pl.String()
        for name, column in places:
            frames[name] = frames[name].with_columns(pl.col(column).cast(dtype))
            if dtype == pl.String():
                rule = "a key is not an empty string; write null for no opponent"
                insist(frames[name], name, [column], rule, pl.col(column) != "")
    return frames


def spell(
    frame: pl.DataFrame,
    name: str,
    column: str,
    read: Callable[[str], str | None],
    *,
    rule: str,
    dtype: pl.DataType,
) -> pl.DataFrame:
    """Replace the values of a column by what they mean.

    Parameters
    ----------
    frame, name
        The table, and what messages call it.
    column
        The column; numbers are read in decimal notation ("1.0", "0.5"). If the frame does
        not have it, nothing happens.
    read
        The meaning of a value; ``None`` for an unknown one. It is asked once per value.
    rule
        What the message says of unknown values.
    dtype
        The type of the meanings.

    Raises
    ------
    ContractError
        Showing the first rows with an unknown value.
    """
    if column not in frame.columns or frame.schema[column] == dtype == ResultCode:
        return frame
    found = frame[column]
    if found.null_count() == found.len():
        return frame.with_columns(pl.lit(None, dtype).alias(column))
    if found.dtype.is_decimal() or found.dtype == pl.Float32():
        found = found.cast(pl.Float64)
    if found.dtype.is_nested() or found.dtype.is_temporal() or found.dtype == pl.Boolean():
        raise breach(name, [column], f"has type {found.dtype}; {rule}")
    text = found.cast(pl.String)
    values = text.drop_nulls().unique().to_list()
    meanings = {value: read(value) for value in values}
    unknown = [value for value, meaning in meanings.items() if meaning is None]
    if unknown:
        keys = [
            k for k in ("tournament", "round", "player", "white", "black") if k in frame.columns
        ]
        rows = frame.select(ROW, *keys, column).filter(text.is_in(unknown))
        raise breach(name, [column], rule, rows)
    meant = text.replace_strict(list(meanings), list(meanings.values()), return_dtype=dtype)
    return frame.with_columns(meant.alias(column))
