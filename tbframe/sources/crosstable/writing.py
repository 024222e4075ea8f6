"""Writing crosstables: CSV, XLSX, HTML and LaTeX."""

from __future__ import annotations

import csv
import html
import io
import math
import re
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Final, Literal

from tbframe.archive import Archive, Criteria
from tbframe.editions import AUTO, Edition
from tbframe.errors import SourceError
from tbframe.sources.crosstable.layout import Layout, lay_out, warn_of_columns
from tbframe.sources.escaping import escape
from tbframe.sources.names import unique_names

__all__ = ["CrosstableFormat", "write_crosstable"]

CrosstableFormat = Literal["csv", "xlsx", "html", "latex"]
_ENDINGS: Final[Mapping[str, CrosstableFormat]] = {
    ".csv": "csv", ".xlsx": "xlsx", ".html": "html", ".htm": "html", ".tex": "latex",
}  # fmt: skip
_ENDING: Final = {"csv": ".csv", "xlsx": ".xlsx", "html": ".html", "latex": ".tex"}
#: A spreadsheet holds whole numbers up to this exactly, and texts up to that length.
_MOST: Final = 2**53
_LONGEST: Final = 32_767
_SHEET_NAME: Final = re.compile(r"[\[\]:*?/\\']")


def write_crosstable(
    archive: Archive,
    path: str | PathLike[str],
    *,
    order: Criteria | None = None,
    edition: str | Edition = AUTO,
    format: CrosstableFormat | None = None,  # noqa: A002 - what Polars calls it
    overwrite: bool = False,
) -> list[Path]:
    """Write tournaments as crosstables: a row for each player, a column for each round.

    Players stand in the order of the standings, with their rank and the values of its criteria.
    Opponents are given by the column ``No.``: the player's key where that is a whole number from
    1, else his place among the keys, which stand beside it.

    What was written as CSV, XLSX, HTML or LaTeX is read back by `tbframe.read` as it was: results,
    players and tournaments, with the keys of tournaments as text. Ranks and criteria were computed
    and are left out then; declared ones have columns of their own. Blanks at the ends of texts,
    several in a row, and empty texts are the exception: they are no more than one blank, or null.

    In CSV and XLSX a text that a spreadsheet would run as a formula (one that begins with
    ``=``, ``+``, ``-``, ``@``, a tab or a line break) has an apostrophe before it, which is taken
    away in reading.

    Parameters
    ----------
    archive
        What to write.
    path
        A file that ends in ``.csv``, ``.xlsx``, ``.html`` or ``.tex`` gets all tournaments: as
        sheets of a workbook, else one below the other. Any other path is a folder that gets a
        file for each; it is made if it does not exist.
    order, edition
        As of `Archive.standings`.
    format
        ``"csv"``, ``"xlsx"``, ``"html"`` or ``"latex"``; by default what the ending of the path
        says, and CSV in a folder.
    overwrite
        Whether files that are there may be replaced.

    Returns
    -------
    list of Path
        The files, in the order of the tournaments.

    Raises
    ------
    SourceError
        If `archive` is none, a file is there already or cannot be written, the ending and
        `format` disagree, or what the format needs is not installed (extra ``formats``).
    CodeError, EditionError
        As of `Archive.standings`.

    Warns
    -----
    UserWarning
        If columns are left out because a crosstable has no place for them.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import polars as pl
    >>> import tbframe as tb
    >>> games = pl.DataFrame(
    ...     {"tournament": "cup", "round": 1, "white": ["Ada"], "black": ["Bo"], "result": ["1-0"]}
    ... )
    >>> archive = tb.from_games(games)
    >>> with TemporaryDirectory() as folder:
    ...     (path,) = write_crosstable(archive, Path(folder, "cup.csv"), order="PTS BH")
    ...     print(path.read_text(encoding="utf-8-sig").splitlines()[-2:])
    ...     tb.read(path).results.equals(archive.results)
    ['1,1,Ada,,2w1,1.0,0.0', '2,2,Bo,,1b0,0.0,1.0']
    True
    """
    if not isinstance(archive, Archive):
        raise SourceError(f"archive is a {type(archive).__name__}, no Archive")
    if not isinstance(path, str | PathLike):
        raise SourceError(f"path is a {type(path).__name__}, no path")
    target = Path(path)
    form, single = _form(target, format)
    warn_of_columns(archive)
    layouts = lay_out(archive, order, edition)
    if single:
        files = {target: layouts}
    else:
        names = unique_names([layout.key for layout in layouts], _ENDING[form])
        files = {target / name: [layout] for name, layout in zip(names, layouts, strict=True)}
    there = next((file for file in files if file.exists() and not overwrite), None)
    if there is not None:
        raise SourceError(f"{there} is there already: give overwrite=True to replace it")
    # All is made before the first file is written.
    data = {file: _WRITERS[form](several) for file, several in files.items()}
    try:
        (target.parent if single else target).mkdir(parents=True, exist_ok=True)
        for file, content in data.items():
            file.write_bytes(content)
    except OSError as error:
        raise SourceError(f"{target}: cannot be written ({error})") from error
    return list(files)


def _form(target: Path, asked: object) -> tuple[CrosstableFormat, bool]:
    """Tell the format, and whether all tournaments are for one file."""
    if asked is not None and asked not in _ENDING:
        raise SourceError(f"format {asked!r}: give 'csv', 'xlsx', 'html' or 'latex'")
    ending = _ENDINGS.get(target.suffix.lower())
    if ending is None or target.is_dir():
        return (asked or "csv"), False  # type: ignore[return-value]
    if asked not in (None, ending):
        raise SourceError(f"{target} ends in {target.suffix}, and the format is {asked!r}")
    return ending, True


def _csv(layouts: Sequence[Layout]) -> bytes:
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\r\n")
    for place, layout in enumerate(layouts):
        if place:
            writer.writerow([])
        writer.writerows([escape(line)] for line in layout.lines)
        writer.writerow(map(escape, layout.headings))
        for row in layout.texts().iter_rows():
            writer.writerow(map(escape, row))
    # With its mark, or spreadsheets would take it for another encoding.
    return file.getvalue().encode("utf-8-sig")


def _xlsx(layouts: Sequence[Layout]) -> bytes:
    try:
        from xlsxwriter import Workbook  # noqa: PLC0415  an extra
    except ImportError as error:
        raise _missing("xlsxwriter", "XLSX") from error
    file = io.BytesIO()
    with Workbook(file, {"in_memory": True}) as book:
        bold = book.add_format({"bold": True, "bottom": 1})
        taken: set[str] = set()
        for layout in layouts:
            sheet = book.add_worksheet(_sheet_name(layout.key, taken))
            for place, line in enumerate(layout.lines):
                _insist_on_length(layout, line)
                sheet.write_string(place, 0, escape(line))
            top = len(layout.lines)
            for column, heading in enumerate(layout.headings):
                sheet.write_string(top, column, escape(heading), bold)
            for column, values in enumerate(layout.rows):
                for place, value in enumerate(values, start=top + 1):
                    _write_cell(layout, sheet, place, column, value)
            sheet.freeze_panes(top + 1, 0)
            name = layout.headings.index("Name")
            sheet.set_column(name, name, 28)
    return file.getvalue()


def _write_cell(layout: Layout, sheet: Any, row: int, column: int, value: object) -> None:
    if value is None or value == "":
        return
    if isinstance(value, int | float) and abs(value) <= _MOST and math.isfinite(value):
        sheet.write_number(row, column, value)
        return
    text = str(value)
    _insist_on_length(layout, text)
    sheet.write_string(row, column, escape(text))


def _insist_on_length(layout: Layout, text: str) -> None:
    if len(text) >= _LONGEST:
        raise SourceError(
            f"{layout.key}: a text of {len(text):,} characters is too long for a cell of XLSX: "
            f"{text[:40]!r}..."
        )


def _sheet_name(key: str, taken: set[str]) -> str:
    """Make a name for a sheet: at most 31 characters, unlike all others."""
    stem = _SHEET_NAME.sub("_", key).strip()[:31] or "_"
    name, number = stem, 1
    while name.casefold() in taken or name.casefold() == "history":
        number += 1
        name = f"{stem[: 30 - len(str(number))]}-{number}"
    taken.add(name.casefold())
    return name


def _html(layouts: Sequence[Layout]) -> bytes:
    parts = []
    for layout in layouts:
        lines = "\n".join(f"<p>{html.escape(line)}</p>" for line in layout.lines)
        table = _great_table(layout).as_raw_html()
        parts.append(f"<h2>{html.escape(layout.title)}</h2>\n{lines}\n{table}")
    title = html.escape(layouts[0].title if len(layouts) == 1 else "Crosstables")
    style = "body{font-family:sans-serif} p{margin:0;font-size:75%;color:#555}"
    return (
        f'<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f"<style>{style}</style>\n</head>\n<body>\n" + "\n".join(parts) + "\n</body>\n</html>\n"
    ).encode()


def _latex(layouts: Sequence[Layout]) -> bytes:
    parts = ["% Needs the packages booktabs and array."]
    for layout in layouts:
        parts += [f"% {line}" for line in layout.lines]
        parts.append(_great_table(layout).as_latex())
    return "\n".join([*parts, ""]).encode()


def _great_table(layout: Layout) -> Any:
    """Make a table of texts, numbers to the right."""
    try:
        from great_tables import GT  # noqa: PLC0415  an extra
    except ImportError as error:
        raise _missing("great-tables", "HTML and LaTeX") from error
    right = [name for name, dtype in layout.rows.schema.items() if dtype.is_numeric()]
    texts = layout.texts()
    names = {name: f"c{name}" for name in texts.columns}  # no selector, no number
    table = GT(texts.rename(names)).cols_label(
        dict(zip(names.values(), layout.headings, strict=True))
    )
    return table.cols_align("right", columns=[names[name] for name in right]) if right else table


def _missing(package: str, form: str) -> SourceError:
    return SourceError(f"{form} is written with {package}: pip install 'tbframe[formats]'")


_WRITERS: Final[Mapping[str, Callable[[Sequence[Layout]], bytes]]] = {
    "csv": _csv, "xlsx": _xlsx, "html": _html, "latex": _latex,
}  # fmt: skip
