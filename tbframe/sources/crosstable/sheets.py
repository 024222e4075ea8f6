"""Sheets of cells: what tables are before anybody knows what they say."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from tbframe.sources.crosstable.headings import find_heading
from tbframe.sources.escaping import unescape
from tbframe.sources.unreadable import UnreadableError

__all__ = ["MOST_CELLS", "MOST_COLUMNS", "Row", "Sheet", "delimited", "measured", "separator_of"]

#: No crosstable is larger: 300 rounds and what is known of a player, some tens of thousands.
MOST_COLUMNS: Final = 1_000
MOST_CELLS: Final = 3_000_000
_SEPARATORS: Final = (";", "\t", ",", "|")
#: Lines among which the heading is looked for, and how long they may be.
_PREAMBLE: Final = 200
_LONGEST: Final = 20_000


@dataclass(frozen=True)
class Row:
    """A row of cells, and where it stands: its line, or its row in the table."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Sheet:
    """Rows of cells, not all of the same length, and what is written over them.

    Attributes
    ----------
    rows
        The cells.
    name
        What the source calls the sheet.
    titles
        Headlines over it, the nearest last.
    lines, below
        All text over it, from the table before on, and under it.
    """

    rows: tuple[Row, ...]
    name: str | None = None
    titles: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    below: tuple[str, ...] = ()


def measured(rows: Iterable[tuple[int, Sequence[str]]]) -> tuple[Row, ...]:
    """Make rows, unless there are more of them than a crosstable has.

    Parameters
    ----------
    rows
        The line and the cells of each; empty cells at the end are left out.

    Raises
    ------
    UnreadableError
        If there are too many columns or cells.
    """
    kept, cells = [], 0
    for line, row in rows:
        stripped = [cell.strip() for cell in row]
        while stripped and not stripped[-1]:
            stripped.pop()
        cells += len(stripped)
        if len(stripped) > MOST_COLUMNS or cells > MOST_CELLS:
            raise UnreadableError(
                f"a table has more than {MOST_COLUMNS:,} columns or {MOST_CELLS:,} cells",
                line=line,
                code="table-too-large",
            )
        kept.append(Row(line, tuple(stripped)))
    return tuple(kept)


def separator_of(text: str) -> tuple[str, int] | None:
    r"""Tell what separates the columns of a text: that with which the heading says most.

    Returns
    -------
    tuple or None
        The separator, and how many columns are known by it; None if there is no heading of a
        crosstable near the beginning.

    Examples
    --------
    >>> separator_of("Open 1950\nNo.;Name;1.Rd;Pts.\n1;Ada;2w1;1\n")
    (';', 4)
    """
    lines = [line for line in text.splitlines()[:_PREAMBLE] if len(line) <= _LONGEST]
    best: dict[str, int] = {}
    for separator in _SEPARATORS:
        rows = [_split(line, separator) for line in lines]
        for start, row in enumerate(rows):
            if len(row) < 3 or (found := find_heading(rows, start)) is None:
                continue
            best[separator] = max(found[0].recognised, best.get(separator, 0))
    if not best:
        return None
    separator = max(best, key=lambda each: best[each])
    return separator, best[separator]


def _split(line: str, separator: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]
    except csv.Error:
        return []


def delimited(text: str, separator: str) -> Sheet:
    """Read separated columns.

    Raises
    ------
    UnreadableError
        If it cannot be split into cells, or is too large.
    """
    reader = csv.reader(io.StringIO(text.replace("\0", ""), newline=""), delimiter=separator)

    def rows() -> Iterable[tuple[int, list[str]]]:
        before = 0
        for row in reader:
            yield before + 1, [unescape(cell.strip()) for cell in row]
            before = reader.line_num

    try:
        return Sheet(measured(rows()))
    except csv.Error as error:
        message = f"cannot be split into cells: {error}"
        raise UnreadableError(message, line=reader.line_num) from error
