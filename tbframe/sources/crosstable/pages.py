"""The tables of a web page, as sheets: no link is followed and no script is run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from tbframe.sources.crosstable.sheets import MOST_CELLS, MOST_COLUMNS, Row, Sheet, measured
from tbframe.sources.unreadable import UnreadableError

__all__ = ["tables_of"]

_TITLES: Final = frozenset({"title", "h1", "h2", "h3", "h4", "caption"})
_SILENT: Final = frozenset({"script", "style", "template", "noscript", "select", "textarea"})
#: Elements within a line; all others begin a new one.
_INLINE: Final = frozenset(
    {"a", "b", "i", "u", "em", "strong", "span", "font", "small", "sup", "sub", "tt", "abbr", "img"}
)
#: A cell that is said to go over more rows goes to the end of the table, as in browsers.
_MOST_ROWS: Final = 65_534
#: Pages are laid out with tables in tables, but not deeper.
_DEEPEST: Final = 50
#: So many headlines and lines above a table are looked at.
_MOST_LINES: Final = 200


def tables_of(text: str) -> list[Sheet]:
    """Take the tables of a page, in the order in which they begin.

    Parameters
    ----------
    text
        The page, or a part of one.

    Returns
    -------
    list of Sheet
        Cells that go over several rows stand in each of them; of those that go over several
        columns the first has the text.

    Raises
    ------
    UnreadableError
        If a table is too large, tables are nested beyond measure, or lxml, which the extra
        ``formats`` brings, is not there.

    Examples
    --------
    >>> (sheet,) = tables_of("<h2>Cup</h2><table><tr><th>Name<th>1.Rd<tr><td>Ada<td>2w&frac12;")
    >>> sheet.titles, [row.cells for row in sheet.rows]
    (('Cup',), [('Name', '1.Rd'), ('Ada', '2w½')])
    """
    root = _parse(text)
    if root is None:
        return []
    # What stands below a table stands above the next.
    found: list[Sheet] = []
    titles: list[str] = []
    lines: list[str] = []
    for tag, content in _blocks(root):
        if tag != "table":
            lines.append(content)
            if tag in _TITLES:
                titles.append(content)
            continue
        rows = _rows_of(content)
        own = [_text_of(caption) for caption in content.findall("caption")]
        titles += [caption for caption in own if caption]
        above = tuple(lines[-_MOST_LINES:])
        found.append(Sheet(rows, None, tuple(titles[-_MOST_LINES:]), above))
        lines = []
    below = [*(sheet.lines for sheet in found[1:]), tuple(lines[-_MOST_LINES:])]
    return [replace(sheet, below=text) for sheet, text in zip(found, below, strict=False)]


def _parse(text: str) -> Any:
    """Make a tree of a page; entities are those of HTML, and nothing is loaded."""
    try:
        from lxml import etree, html  # noqa: PLC0415  an extra
    except ImportError as error:
        raise UnreadableError(
            "web pages are read with lxml: pip install 'tbframe[formats]'", code="extra-missing"
        ) from error
    parser = html.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True, huge_tree=False
    )
    data = text.replace("\0", "").encode("utf-8", "replace")
    try:
        return html.document_fromstring(data, parser=parser) if data.strip() else None
    except (etree.ParserError, etree.XMLSyntaxError, AssertionError, RecursionError) as error:
        raise UnreadableError(f"is no web page that can be read: {error}") from error


def _events(root: Any) -> Iterator[tuple[Any, str, bool]]:
    """Walk through a tree: each element with its tag, when it begins and when it ends.

    Of what is never seen, such as scripts, only the end is told.
    """
    stack: list[tuple[Any, str, bool]] = [(root, root.tag, False)]
    while stack:
        node, tag, closing = stack.pop()
        if not closing:
            stack.append((node, tag, True))
            if tag in _SILENT:
                continue
            stack.extend((child, str(child.tag), False) for child in reversed(node))
        yield node, tag, closing


def _blocks(root: Any) -> Iterator[tuple[str, Any]]:
    """Give the lines of text and the tables, in their order: tag, and text or the table."""
    words: list[str] = []
    within, depth = "", 0
    for node, tag, closing in _events(root):
        if tag not in _INLINE:
            if text := " ".join("".join(words).split()):
                yield within, text
            words.clear()
        if closing:
            within = "" if tag == within else within
            depth -= tag == "table"
            words.append(node.tail or "")
            continue
        within = tag if tag in _TITLES else within
        if tag == "table":
            depth += 1
            if depth > _DEEPEST:
                raise UnreadableError(
                    f"tables are nested more than {_DEEPEST} deep", code="nested-too-deep"
                )
            yield tag, node
        words.append(node.text or "")


def _rows_of(table: Any) -> tuple[Row, ...]:
    """Lay out the cells of a table; tables within its cells have their own rows."""
    #: Columns that cells of rows above reach into: for how many rows yet, and with what.
    reaching: dict[int, tuple[int, str]] = {}
    laid: list[tuple[int, list[str]]] = []
    size = 0
    for number, row in enumerate(_own_rows(table), start=1):
        cells = {column: text for column, (_, text) in reaching.items()}
        reaching = {at: (left - 1, text) for at, (left, text) in reaching.items() if left > 1}
        column = 0
        for cell in row:
            if cell.tag not in ("td", "th"):
                continue
            while column in cells:
                column += 1
            text = _text_of(cell)
            columns = _span(cell.get("colspan"), MOST_COLUMNS)
            rows = _span(cell.get("rowspan"), _MOST_ROWS)
            for at in range(column, column + columns):
                cells[at] = text if at == column else ""
                if rows > 1:
                    reaching[at] = (rows - 1, cells[at])
            column += columns
        width = max(cells, default=-1) + 1
        size += width
        if width > 2 * MOST_COLUMNS or size > MOST_CELLS:
            raise UnreadableError(
                f"a table has more than {MOST_COLUMNS:,} columns or {MOST_CELLS:,} cells",
                line=number,
                code="table-too-large",
            )
        laid.append((number, [cells.get(at, "") for at in range(width)]))
    return measured(laid)


def _own_rows(table: Any) -> Iterator[Any]:
    """Give the rows of a table, in sections or not."""
    for child in table:
        if child.tag == "tr":
            yield child
        elif child.tag in ("thead", "tbody", "tfoot"):
            yield from (row for row in child if row.tag == "tr")


def _text_of(cell: Any) -> str:
    """Return what a cell shows, on one line.

    A color or a result may stand in a table of one row within a cell; tables of more rows have
    their own text.
    """
    parts: list[str] = []
    hidden: Any = None
    for node, tag, closing in _events(cell):
        if closing:
            hidden = None if node is hidden else hidden
        elif hidden is None and tag == "table" and len(list(_own_rows(node))) > 1:
            hidden = node
        if hidden is None:
            parts.append("" if tag in _INLINE else " ")
            text = node.tail if closing else node.text
            parts.append(text or "" if node is not cell or not closing else "")
    return " ".join("".join(parts).split())


def _span(text: str | None, most: int) -> int:
    """Read over how many columns or rows a cell goes."""
    digits = (text or "").strip()
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 9:
        return 1
    return min(max(int(digits), 1), most)
