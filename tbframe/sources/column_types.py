"""The types of columns in words, to stand beside files that know no types."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import polars as pl

from tbframe.errors import SourceError

__all__ = ["SCHEMA", "read_types", "typed", "types_in_words"]

#: The file that says them, beside the CSV files of a folder.
SCHEMA: Final = "schema.json"

_PLAIN: Final = {
    str(dtype): dtype
    for dtype in (
        pl.String(), pl.Boolean(), pl.Date(), pl.Float32(), pl.Float64(),
        pl.Int8(), pl.Int16(), pl.Int32(), pl.Int64(),
        pl.UInt8(), pl.UInt16(), pl.UInt32(), pl.UInt64(), pl.Null(),
    )
}  # fmt: skip


def typed(column: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """Bring a column of text to its type."""
    if dtype == pl.Boolean:
        return column.replace_strict({"true": True, "false": False}, return_dtype=pl.Boolean)
    if dtype == pl.Date:
        return column.str.to_date("%Y-%m-%d")
    return column.cast(dtype)


def types_in_words(frames: dict[str, pl.DataFrame]) -> dict[str, dict[str, Any]]:
    """Return the types of all columns in words; raise if CSV cannot hold one."""
    words: dict[str, dict[str, Any]] = {}
    for name, frame in frames.items():
        words[name] = {}
        for column, dtype in frame.schema.items():
            if isinstance(dtype, pl.Enum):
                words[name][column] = {"Enum": dtype.categories.to_list()}
            elif str(dtype) in _PLAIN:
                words[name][column] = str(dtype)
            else:
                raise SourceError(
                    f"{name}: column {column!r} of type {dtype} cannot be written as CSV; "
                    "write Parquet, or leave it out"
                )
    return words


def read_types(path: Path) -> dict[str, dict[str, pl.DataType]]:
    """Read back what `types_in_words` gave; empty where there is no such file."""
    if not path.is_file():
        return {}
    try:
        return {
            frame: {
                column: pl.Enum(word["Enum"]) if isinstance(word, dict) else _PLAIN[word]
                for column, word in columns.items()
            }
            for frame, columns in json.loads(path.read_text(encoding="utf-8")).items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise SourceError(f"{path}: is not a description of frames ({error})") from error
