"""Frames as text tables, as wide as they need to be."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import IO, Final

import polars as pl
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from tbframe.cli.cells import cells
from tbframe.tiebreaks.registry import printed_decimals

__all__ = ["Titled", "write_tables"]

#: The line above a table (may be empty) and the frame.
Titled = tuple[str, pl.DataFrame]
#: Wider than any table: a pipe or a file has no edge.
_NO_EDGE: Final = 100_000
_GAP: Final = "  "


def write_tables(tables: Iterable[Titled], file: IO[str]) -> None:
    """Write tables one below the other.

    Parameters
    ----------
    tables
        Title and frame of each.
    file
        Where to. In a terminal, or where ``COLUMNS`` is set, cells are folded to fit;
        elsewhere a row is one line, however long.
    """
    edge = file.isatty() or "COLUMNS" in os.environ
    console = Console(
        file=file, width=None if edge else _NO_EDGE, markup=False, highlight=False, emoji=False
    )
    for number, (title, frame) in enumerate(tables):
        file.write("\n" if number else "")
        if title:
            file.write(_rendered(console, Text(title, style="bold")))
        file.writelines(_lines(console, frame))


def _lines(console: Console, frame: pl.DataFrame) -> Iterator[str]:
    heads = [name.replace("_", " ") for name in frame.columns]
    right = [dtype.is_numeric() for dtype in frame.dtypes]
    columns = [cells(column, printed_decimals(column.name)) for column in frame]
    widths = [
        max(map(cell_len, [head, *column])) for head, column in zip(heads, columns, strict=True)
    ]
    if sum(widths) + len(_GAP) * (len(widths) - 1) > console.width:
        yield _folded(console, heads, right, columns)
        return
    padded = [
        [_pad(cell, width, to_right=to_right) for cell in (head, *column)]
        for head, column, width, to_right in zip(heads, columns, widths, right, strict=True)
    ]
    head, *rows = (_GAP.join(row).rstrip() for row in zip(*padded, strict=True))
    yield _rendered(console, Text(head, style="bold"))
    # not through Rich, which measures every word: there may be a million rows
    yield from (f"{row}\n" for row in rows)


def _pad(cell: str, width: int, *, to_right: bool) -> str:
    blanks = " " * (width - cell_len(cell))
    return blanks + cell if to_right else cell + blanks


def _folded(console: Console, heads: list[str], right: list[bool], columns: list[list[str]]) -> str:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for head, to_right in zip(heads, right, strict=True):
        table.add_column(head, justify="right" if to_right else "left", overflow="fold")
    for row in zip(*columns, strict=True):
        table.add_row(*row)
    return _rendered(console, table)


def _rendered(console: Console, what: RenderableType) -> str:
    # captured, because Rich would end the process where the reader of a pipe has gone
    with console.capture() as captured:
        console.print(what, soft_wrap=isinstance(what, Text))
    return captured.get()
