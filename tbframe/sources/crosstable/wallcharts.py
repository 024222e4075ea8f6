"""Wall charts with two lines for each player, as the federation of the United States prints them.

The first line has the name and the results, the second the register's number, the rating and the
colors::

    Pair | Player Name                |Total|Round|Round|
    Num  | USCF ID / Rtg (Pre->Post)  | Pts |  1  |  2  |
    -----------------------------------------------------
       1 | ADA SMITH                  |1.5  |W   2|D   3|
      ON | 15445895 / R: 1794   ->1817|N:2  |W    |B    |
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from tbframe.sources.crosstable.sheets import Row, Sheet

__all__ = ["joined_lines"]

_ROUND: Final = re.compile(r"\s*(?:round|rnd|rd)\.?\s*", re.IGNORECASE)
_REGISTER: Final = re.compile(r"(\d{6,9})?\s*/?\s*(?:R:\s*(\d{1,4})?)?.*")
_COLOR: Final = re.compile(r"[WwBb]?")


def joined_lines(sheet: Sheet) -> Sheet:
    """Write each player of such a chart on one line; other sheets are returned as they are.

    Parameters
    ----------
    sheet
        Its cells.

    Returns
    -------
    Sheet
        With the register's number and the rating in columns of their own behind the others.
    """
    top = next((at for at in range(len(sheet.rows) - 1) if _is_heading(sheet.rows, at)), None)
    if top is None:
        return sheet
    upper, lower = (sheet.rows[at].cells for at in (top, top + 1))
    width = max(len(upper), len(lower))
    heading = [
        _cell(lower, at) if _ROUND.fullmatch(_cell(upper, at)) else _cell(upper, at)
        for at in range(width)
    ]
    heading[0] = "No."
    rounds = [at for at in range(width) if _ROUND.fullmatch(_cell(upper, at))]
    rows = [*sheet.rows[:top], Row(sheet.rows[top].line, (*heading, "ID", "Rtg"))]
    below = sheet.rows[top + 2 :]
    for place, row in enumerate(below):
        if not _is_numbered(row):
            continue
        second = below[place + 1].cells if place + 1 < len(below) else ()
        if second and _is_numbered(below[place + 1]):
            second = ()
        rows.append(Row(row.line, _joined(row.cells, second, rounds, width)))
    return replace(sheet, rows=tuple(rows))


def _cell(cells: Sequence[str], at: int) -> str:
    return cells[at] if at < len(cells) else ""


def _is_heading(rows: Sequence[Row], at: int) -> bool:
    """Whether rounds are named in one line and numbered in the next."""
    upper, lower = rows[at].cells, rows[at + 1].cells
    rounds = [column for column, cell in enumerate(upper) if cell and _ROUND.fullmatch(cell)]
    numbers = [_cell(lower, column) for column in rounds]
    # Elsewhere the word stands once, over the numbers of all rounds.
    return len(rounds) > 1 and numbers == [str(number) for number in range(1, len(rounds) + 1)]


def _is_numbered(row: Row) -> bool:
    return bool(row.cells) and row.cells[0].isascii() and row.cells[0].isdigit()


def _joined(
    first: Sequence[str], second: Sequence[str], rounds: Sequence[int], width: int
) -> tuple[str, ...]:
    cells = [_cell(first, at) for at in range(width)]
    for at in rounds:
        color = _cell(second, at)
        if color and _COLOR.fullmatch(color) and any(sign.isdigit() for sign in cells[at]):
            cells[at] = f"{cells[at]} {color}"
    match = _REGISTER.fullmatch(_cell(second, 1))
    number, rating = (match[1] or "", match[2] or "") if match else ("", "")
    return (*cells, number, rating)
