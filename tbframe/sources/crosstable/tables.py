"""Crosstables among the rows of sheets: each from its heading to the next."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from tbframe.sources.crosstable.headings import Heading, find_heading
from tbframe.sources.crosstable.sheets import Row, Sheet
from tbframe.sources.crosstable.spelling import key_word
from tbframe.sources.making import Doubts
from tbframe.sources.unreadable import UnreadableError

__all__ = ["CELLS", "Table", "fitted", "tables_in"]

#: What the cells mean; the line by which such a table is known.
CELLS: Final = (
    "Cells: number of the opponent (0: nobody), w or b or : (color not known), result 1 ½ 0; "
    "+ - are forfeits, * not known yet, u behind it not rated; PAB FPB HPB ZPB are byes"
)
#: Rows that only draw a line.
_RULE: Final = re.compile(r"[-=_+|*~\s─━—–]*")


@dataclass
class Table:
    """A table with a word for the name in its heading, and what is told of it on the way.

    Attributes
    ----------
    heading
        Its columns.
    sheet
        Where it stands.
    above
        Text over it.
    rows
        Those of players.
    below
        Text under it: what columns mean, as a rule.
    own
        Whether `write_crosstable` wrote it.
    doubts
        Findings.
    """

    heading: Heading
    sheet: Sheet
    above: tuple[str, ...] = ()
    rows: list[Row] = field(default_factory=list)
    below: list[str] = field(default_factory=list)
    own: bool = False
    doubts: Doubts = field(default_factory=Doubts)

    def cell(self, row: Row, column: int | None) -> str:
        """Return a cell; empty where the row does not go so far."""
        return row.cells[column] if column is not None and column < len(row.cells) else ""

    def column(self, column: int) -> list[str]:
        """Return the cells of a column."""
        return [self.cell(row, column) for row in self.rows]

    def name(self, row: Row) -> str:
        """Return the name in a row."""
        return self.cell(row, self.heading.places["name"])

    def at(self, row: Row, column: int) -> str:
        """Say where a cell stands."""
        name = self.name(row)[:40]
        return f"row {row.line} ({name}), {self.heading.called(column)}"


def tables_in(sheet: Sheet) -> list[Table]:
    """Find the tables of a sheet that may be crosstables.

    Parameters
    ----------
    sheet
        Its rows may have several, each below a heading of its own. A heading that is printed
        again, as on a new page, does not begin another table where the numbers go on.

    Returns
    -------
    list of Table
        Only those with players.
    """
    cells = [row.cells for row in sheet.rows]
    tables: list[Table] = []
    above = [*sheet.lines]
    skip = 0
    for index, row in enumerate(sheet.rows):
        if skip:
            skip -= 1
        elif tables and tables[-1].own and not above and _is_numbered(row):
            tables[-1].rows.append(row)
        elif (found := find_heading(cells, index)) is not None:
            own = CELLS in above
            skip = 0 if own else found[1] - 1
            tables.append(Table(_heading(row) if own else found[0], sheet, tuple(above), own=own))
            above = []
        elif not tables or tables[-1].own:
            above += _texts(row)
        elif not _is_player(tables[-1], row):
            tables[-1].below += _texts(row)
            above += _texts(row)
        else:
            tables[-1].rows.append(row)
    return [table for table in _joined(tables) if table.rows or table.own]


def _heading(row: Row) -> Heading:
    """Take the heading of a table of our own as it stands."""
    names = row.cells
    return Heading(names, {"name": names.index("Name")} if "Name" in names else {}, {}, bare=False)


def _is_numbered(row: Row) -> bool:
    """Tell a row of a player in a table of our own: the number is in its second column."""
    return len(row.cells) > 1 and row.cells[1].isascii() and row.cells[1].isdigit()


def _texts(row: Row) -> list[str]:
    """Return the texts of a row that belongs to no player: cells, and labels with their values."""
    cells = [cell for cell in row.cells if cell]
    if len(cells) == 2 and len(cells[0]) < 40 and ":" not in cells[0]:
        return [f"{cells[0]}: {cells[1]}"]
    return cells


def _is_player(table: Table, row: Row) -> bool:
    """Tell a row of a player from text below the table and from lines that are drawn."""
    filled = [column for column, cell in enumerate(row.cells) if cell]
    if table.heading.places["name"] not in filled or len(filled) < 2:
        return False
    return not all(_RULE.fullmatch(cell) for cell in row.cells)


def fitted(table: Table) -> None:
    """Bring rows that have more cells than the heading to its columns, where that is clear.

    Raises
    ------
    UnreadableError
        If nobody knows which cell belongs to which column.
    """
    width = len(table.heading.names)
    name = table.heading.places["name"]
    for place, row in enumerate(table.rows):
        length = len(row.cells)
        if length <= width:
            continue
        following = row.cells[name + 1]
        surname = row.cells[name]
        letters = surname.replace(" ", "").replace("-", "").replace("'", "").isalpha()
        if length == width + 1 and letters and following and not following[0].isdigit():
            cells = (*row.cells[:name], f"{surname}, {following}", *row.cells[name + 2 :])
            text = f"one cell too many: read as the name {surname + ', ' + following!r}"
            table.doubts.add("name-joined", text, "warning", line=row.line)
            table.rows[place] = replace(row, cells=cells)
            continue
        raise UnreadableError(
            f"row {row.line} ({surname[:40]}) has {length} cells, and the heading has {width}",
            line=row.line,
            code="row-too-long",
        )


def _joined(tables: Sequence[Table]) -> list[Table]:
    """Put tables together that are one, with its heading on each page."""
    joined: list[Table] = []
    for table in tables:
        before = joined[-1] if joined else None
        if before is not None and before.rows and not table.own and _goes_on(before, table):
            before.rows += table.rows
            before.below = table.below
            continue
        joined.append(table)
    return joined


def _goes_on(before: Table, table: Table) -> bool:
    """Whether a table goes on with the numbers of the one before, below the same heading."""
    if [*map(key_word, before.heading.names)] != [*map(key_word, table.heading.names)]:
        return False
    columns = [before.heading.places[k] for k in ("number", "rank") if k in before.heading.places]
    for column in columns[:1]:
        there, new = ({*each.column(column)} - {""} for each in (before, table))
        return bool(new) and not (there & new) and min(new, key=_size).rstrip(".") != "1"
    return False


def _size(text: str) -> tuple[int, str]:
    return len(text), text
