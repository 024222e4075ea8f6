"""The text of CSV files: what separates its columns, and which types their values have.

CSV knows no types. So every column is read as text, all of it is looked at, and a column is of
whole numbers only if all its values are: ``007`` is text, and stays another key than ``7``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import polars as pl

from tbframe.errors import SourceError

__all__ = ["SEPARATORS", "Looks", "looks_of", "scan_text", "separator_of", "with_type"]

SEPARATORS: Final = {",": "comma", ";": "semicolon", "\t": "tab"}
_WHOLE: Final = r"^-?(?:0|[1-9][0-9]{0,17})$"
_DIGITS: Final = r"^-?[0-9]+$"
_POINT: Final = r"^[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?:\.[0-9]*)?[eE][-+]?[0-9]+)$"
_COMMA: Final = r"^[-+]?[0-9]*,[0-9]+$"
_TRUTH: Final = r"^(?i:true|false)$"


@dataclass(frozen=True)
class Looks:
    """How many values of a column look like what.

    Attributes
    ----------
    values
        All but the empty ones.
    whole, digits
        Whole numbers; these and others of digits alone, such as 007.
    point, comma
        Decimal numbers, by what stands before the decimals.
    truth
        True and false.
    """

    values: int = 0
    whole: int = 0
    digits: int = 0
    point: int = 0
    comma: int = 0
    truth: int = 0

    def __add__(self, other: Looks) -> Looks:
        """Count the values of both."""
        return Looks(*(a + b for a, b in zip(_counts(self), _counts(other), strict=True)))

    @property
    def dtype(self) -> pl.DataType:
        """The type that all values have; Null where there is none."""
        if not self.values:
            return pl.Null()
        if self.whole == self.values:
            return pl.Int64()
        if self.values in (self.whole + self.point, self.whole + self.comma):
            return pl.Float64()
        return pl.Boolean() if self.truth == self.values else pl.String()

    @property
    def mixed(self) -> bool:
        """Whether it is text only because not all of its values are whole numbers."""
        return 0 < self.whole < self.values and self.whole == self.digits


def _counts(looks: Looks) -> tuple[int, ...]:
    return (looks.values, looks.whole, looks.digits, looks.point, looks.comma, looks.truth)


def separator_of(path: Path) -> str:
    """Tell what separates the columns of a CSV file, by its first line.

    Raises
    ------
    SourceError
        If it cannot be read.
    """
    try:
        with path.open("rb") as file:
            head = file.readline(100_000).decode("utf-8", "replace")
    except OSError as error:
        raise SourceError(f"{path}: cannot be read as a table ({error})") from error
    bare = re.sub(r'"[^"]*"', "", head)
    return max(SEPARATORS, key=bare.count)


def scan_text(paths: list[Path], separator: str, *, path_as: str | None = None) -> pl.LazyFrame:
    """Read CSV files with the same columns, all as text; what is empty is null.

    Parameters
    ----------
    paths, separator
        The files, and what separates their columns.
    path_as
        A column that says of which file a row is.
    """
    return pl.scan_csv(
        paths, infer_schema=False, separator=separator, glob=False, include_file_paths=path_as
    )


def looks_of(path: Path, separator: str) -> dict[str, Looks]:
    """Look at all values of a file, column by column."""
    frame = scan_text([path], separator)
    counts = frame.select(
        pl.struct(
            values=column.is_not_null().sum(),
            whole=column.str.contains(_WHOLE).sum(),
            digits=column.str.contains(_DIGITS).sum(),
            point=column.str.contains(_POINT).sum(),
            comma=(column.str.contains(_COMMA) & pl.lit(separator == ";")).sum(),
            truth=column.str.contains(_TRUTH).sum(),
        ).alias(name)
        for name in frame.collect_schema()
        for column in [pl.col(name).str.strip_chars()]
    ).collect(engine="streaming")
    return {name: Looks(**counts[name][0]) for name in counts.columns}


def with_type(column: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """Bring a column of text to the type that all its values look like."""
    if dtype == pl.String():
        return column
    bare = column.str.strip_chars()
    if dtype == pl.Boolean():
        return bare.str.to_lowercase() == "true"
    return bare.str.replace(",", ".", literal=True).cast(dtype)
