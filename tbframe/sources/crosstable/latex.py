r"""The tables of a LaTeX text, as sheets: what stands in ``tabular`` and its kin."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tbframe.sources.crosstable.sheets import Sheet, measured

__all__ = ["looks_like_latex", "tabulars_of"]

_BEGIN: Final = re.compile(r"\\begin\{(tabular\*?|tabularx|tabulary|longtable\*?|array)\}")
_END_OF_ROW: Final = re.compile(r"\\\\(?:\[[^\]]*\])?|\\tabularnewline\b")
_CELL_END: Final = re.compile(r"(?<!\\)&")
_SEVERAL: Final = re.compile(r"\\multicolumn\{(\d+)\}\{[^{}]*\}\{(.*)\}\Z", re.DOTALL)
_HALF: Final = re.compile(
    r"\$?\\(?:textonehalf|onehalf|(?:[td]?frac)(?:\{?1\}?)\s*\{?2\}?|nicefrac\{1\}\{2\})(?:\{\})?\$?"
)
_NAMED: Final = {
    "textless": "<", "textgreater": ">", "textbackslash": "\\", "textasciitilde": "~",
    "textasciicircum": "^", "textbar": "|",
}  # fmt: skip
_TOKEN: Final = re.compile(
    r"\\(textless|textgreater|textbackslash|textasciitilde|textasciicircum|textbar)\{\}"
    r"|\\([&%$#_{}])|\\([A-Za-z]+)\*?(?:\[[^\]]*\])?[ ]?|[{}]|(~)"
)
_COMMENT: Final = re.compile(r"(?<!\\)%.*")
#: Commands that draw lines, with what they take.
_RULES: Final = re.compile(
    r"\\(?:toprule|midrule|bottomrule|hline|addlinespace|endhead|endfirsthead|endfoot|endlastfoot"
    r"|[ch]line|cmidrule)(?:\[[^\]]*\]|\([^)]*\)|\{[^{}]*\})*"
)


def looks_like_latex(head: bytes) -> bool:
    r"""Tell whether a text has a table of LaTeX.

    Examples
    --------
    >>> looks_like_latex(b"\\begin{tabular}{ll}\nName & 1.Rd \\\\\n")
    True
    """
    return _BEGIN.search(head.decode("ascii", "replace")) is not None


def tabulars_of(text: str) -> list[Sheet]:
    r"""Take the tables of a LaTeX text.

    Parameters
    ----------
    text
        A document or a part of one.

    Returns
    -------
    list of Sheet
        Comments over a table are lines of text.

    Examples
    --------
    >>> rows = "Name & 1.Rd \\\\\nA \\& B & 2w\\textonehalf \\\\\n"
    >>> (sheet,) = tabulars_of("\\begin{tabular}{ll}\n" + rows + "\\end{tabular}")
    >>> [row.cells for row in sheet.rows]
    [('Name', '1.Rd'), ('A & B', '2w½')]
    """
    sheets = []
    end = 0
    for begin in _BEGIN.finditer(text):
        if begin.start() < end:
            continue
        stop = text.find(f"\\end{{{begin[1]}}}", begin.end())
        above = text[end : begin.start()].splitlines()
        lines = tuple(line[1:].strip() for line in above if line.startswith("%"))
        end = len(text) if stop < 0 else stop
        first = text.count("\n", 0, begin.end()) + 1
        sheets.append(Sheet(measured(_rows(text[begin.end() : end], first)), None, (), lines))
    return sheets


def _rows(body: str, line: int) -> Iterator[tuple[int, list[str]]]:
    """Split a table into rows of cells."""
    body = "\n".join(_COMMENT.sub("", each) for each in body.split("\n"))
    position = 0
    for place, raw in enumerate(_END_OF_ROW.split(body)):
        at = line + body.count("\n", 0, position)
        position += len(raw) + 2
        row = _RULES.sub(" ", raw)
        if place == 0:  # the arguments of the environment stand on its first line
            row = row.partition("\n")[2]
        if not row.strip():
            continue
        cells = []
        for cell in _CELL_END.split(row):
            several = _SEVERAL.match(cell.strip())
            cells.append(_plain(several[2] if several else cell))
            cells += [""] * (int(several[1][:3]) - 1 if several else 0)
        yield at, cells


def _plain(cell: str) -> str:
    """Return what a cell shows."""

    def shown(match: re.Match[str]) -> str:
        if match[1]:
            return _NAMED[match[1]]
        return match[2] or (" " if match[4] else "")

    text = _TOKEN.sub(shown, _HALF.sub("½", cell))
    return " ".join(text.split())
