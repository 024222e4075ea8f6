"""From a file or a text to the tables in it, whatever it is: known by its content."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tbframe.errors import SourceError
from tbframe.sources.crosstable.encodings import decode, decode_page
from tbframe.sources.crosstable.latex import looks_like_latex, tabulars_of
from tbframe.sources.crosstable.matrix import matrix_of
from tbframe.sources.crosstable.pages import tables_of
from tbframe.sources.crosstable.sheets import Sheet, delimited, separator_of
from tbframe.sources.crosstable.tables import Table, tables_in
from tbframe.sources.crosstable.wallcharts import joined_lines
from tbframe.sources.crosstable.workbooks import looks_like_workbook, sheets_of
from tbframe.sources.unpacking import unpack

__all__ = ["Opened", "is_crosstable", "looks_like_crosstable", "open_file", "open_source"]

_TAGS: Final = r"!doctype\s+html|html|head|body|table"
_PAGE: Final = re.compile(rf"<\s*(?:{_TAGS}|tbody|tr|td|div)\b", re.IGNORECASE)
_TAG: Final = re.compile(rf"<\s*(?:{_TAGS})\b".encode(), re.IGNORECASE)
_PAGES: Final = (".htm", ".html", ".xhtml")
_HEAD: Final = 65_536
#: Known columns by which a text is taken for a crosstable; another may have a word for a name.
_KNOWN: Final = 3
#: What a tournament is called whose table is no file.
_IN_MEMORY: Final = Path("table")


@dataclass(frozen=True)
class Opened:
    """The sheets of a source, and how they were read.

    Attributes
    ----------
    path
        The file; that of a text is none.
    sheets
        Its sheets.
    encoding
        How a text was read that is no UTF-8.
    in_memory
        Whether it was a text.
    """

    path: Path
    sheets: list[Sheet]
    encoding: str | None = None
    in_memory: bool = False


def looks_like_crosstable(head: bytes, path: Path) -> bool:
    r"""Tell by its beginning whether a file is a page, a workbook, or a text with such a heading.

    Examples
    --------
    >>> looks_like_crosstable(b"No;Name;1.Rd;2.Rd;Pts\n1;Ada;2w1;-1;2\n", Path("cup.csv"))
    True
    """
    if looks_like_workbook(head):
        return path.suffix.lower() not in (".zip", ".docx", ".pptx")
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if path.suffix.lower() in _PAGES or (start == b"<" and _TAG.search(head)):
        return True
    if looks_like_latex(head):
        return True
    text = decode(head, cut=True)[0]
    if "\0" in text:
        return False
    found = separator_of(text)
    if found is None or found[1] < _KNOWN:
        return False
    sheet = joined_lines(delimited(text, found[0]))
    return any(is_crosstable(table) for table in tables_in(sheet))


def is_crosstable(table: Table) -> bool:
    """Tell a table with columns for rounds, or for all players, from any other with names."""
    return table.own or bool(table.heading.rounds) or matrix_of(table) is not None


def open_source(source: str | Path, encoding: str | None) -> Opened:
    """Open a file, or a text that has a table itself.

    Raises
    ------
    SourceError
        If there is no such file.
    UnreadableError
        If it cannot be read.
    """
    if isinstance(source, str) and ("\n" in source or _PAGE.search(source)):
        page = _PAGE.search(source) is not None
        sheets = tables_of(source) if page else _text_sheets(source)
        return Opened(_IN_MEMORY, sheets, in_memory=True)
    path = Path(source)
    if not path.is_file():
        raise SourceError(f"{path}: no such file")
    return open_file(path, encoding)


def open_file(path: Path, encoding: str | None = None) -> Opened:
    """Take the sheets of a file.

    Raises
    ------
    UnreadableError
        If it cannot be read.
    """
    data = unpack(path)
    if looks_like_workbook(data[:_HEAD]):
        return Opened(path, sheets_of(path))
    if path.suffix.lower() in _PAGES or _TAG.search(data[:_HEAD]):
        text, how = decode_page(data, encoding=encoding)
        return Opened(path, tables_of(text), how)
    text, how = decode(data, encoding=encoding)
    return Opened(path, _text_sheets(text), how)


def _text_sheets(text: str) -> list[Sheet]:
    if looks_like_latex(text[:_HEAD].encode("utf-8", "replace")):
        return tabulars_of(text)
    found = separator_of(text)
    return [] if found is None else [joined_lines(delimited(text, found[0]))]
