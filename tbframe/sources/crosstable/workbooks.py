"""The sheets of a workbook (XLSX, and what else fastexcel reads), all cells as text."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Final

from tbframe.sources.crosstable.sheets import MOST_CELLS, MOST_COLUMNS, Sheet, measured
from tbframe.sources.escaping import unescape
from tbframe.sources.unpacking import DAMAGES, MOST_BYTES
from tbframe.sources.unreadable import UnreadableError

__all__ = ["looks_like_workbook", "sheets_of"]

_CELL: Final = re.compile(rb"<(?:\w+:)?(?:c|row)\b[^>]*?\br=[\"']([A-Z]{0,3})(\d{1,7})[\"']")
_MOST_UNPACKED: Final = 8 * MOST_BYTES
#: Older workbooks are not packed, and have 256 columns and 65,536 rows at most.
_MOST_OLD: Final = MOST_BYTES // 2


def looks_like_workbook(data: bytes) -> bool:
    """Tell by its beginning whether a file is a workbook: XLSX, XLSB, ODS, or the older XLS."""
    if data.startswith(b"PK\x03\x04"):
        return any(mark in data for mark in (b"[Content_Types].xml", b"xl/", b"spreadsheet"))
    return data.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")


def sheets_of(path: Path) -> list[Sheet]:
    """Take the sheets of a workbook, all cells as text.

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    list of Sheet
        Formulas are not computed: a cell has the value that was last seen in it. Of cells that
        are merged the first has the value. Rows are counted from the first that has a value.

    Raises
    ------
    UnreadableError
        If it is no workbook, or unpacks to more than a crosstable has; if fastexcel, which the
        extra ``formats`` brings, is not there.
    """
    data = path.read_bytes()
    _measure(data)
    try:
        import fastexcel  # noqa: PLC0415  an extra
    except ImportError as error:
        raise UnreadableError(
            "workbooks are read with fastexcel: pip install 'tbframe[formats]'",
            code="extra-missing",
        ) from error
    try:
        book = fastexcel.read_excel(data)
        sheets = []
        for name in book.sheet_names:
            frame = book.load_sheet(name, header_row=None, dtypes="string").to_polars()
            rows = (
                ["" if cell is None else unescape(cell) for cell in row]
                for row in frame.iter_rows()
            )
            sheets.append(Sheet(measured(enumerate(rows, start=1)), name))
    except fastexcel.FastExcelError as error:
        message = f"is no workbook that can be read: {str(error).splitlines()[0]}"
        raise UnreadableError(message) from error
    return sheets


def _measure(data: bytes) -> None:
    """Refuse what would unpack to more than the memory is there for."""
    if not data.startswith(b"PK"):
        if len(data) > _MOST_OLD:
            raise UnreadableError("is too large for a crosstable", code="file-too-large")
        return
    try:
        with zipfile.ZipFile(BytesIO(data)) as packed:
            _insist_on_size(sum(member.file_size for member in packed.infolist()))
            for member in packed.infolist():
                if "worksheets/" in member.filename and member.filename.endswith(".xml"):
                    # What a member says of its size need not be true.
                    with packed.open(member) as file:
                        _measure_sheet(file.read(MOST_BYTES + 1))
    except UnreadableError:
        raise
    except DAMAGES as error:
        message = f"cannot be unpacked: {error}"
        raise UnreadableError(message, code="damaged-archive") from error


def _insist_on_size(unpacked: int) -> None:
    if unpacked > _MOST_UNPACKED:
        message = f"holds more than {_MOST_UNPACKED // 1024**2} MB, unpacked"
        raise UnreadableError(message, code="file-too-large")


def _measure_sheet(xml: bytes) -> None:
    """Refuse a sheet with cells so far apart that the rectangle around them is too large."""
    if len(xml) > MOST_BYTES:
        raise UnreadableError("has a sheet too large for a crosstable", code="file-too-large")
    columns: set[bytes] = set()
    rows: set[int] = set()
    for column, row in _CELL.findall(xml):
        columns.add(column or b"A")
        rows.add(int(row))
    width = [_column_number(column) for column in columns]
    wide = max(width, default=0) - min(width, default=0) + 1
    tall = max(rows, default=0) - min(rows, default=0) + 1
    if wide > MOST_COLUMNS or wide * tall > MOST_CELLS:
        raise UnreadableError(
            f"a table has more than {MOST_COLUMNS:,} columns or {MOST_CELLS:,} cells",
            code="table-too-large",
        )


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number
