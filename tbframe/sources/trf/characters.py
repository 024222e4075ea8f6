"""Text of many files as one array of characters, addressed by line and column.

TRF is a format of fixed columns, and a column is a character. All files are laid end to
end in an array with one element a character, so that a field of every line of every file
is one gather, whatever the encoding of its file was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

__all__ = ["Characters", "decode", "identifier", "strings", "whole_numbers"]

_BLANK = 32
_NEWLINE = 10
#: Stands for any character beyond ASCII where only the columns matter.
_FOREIGN = 128
#: What text shows in its place: a question mark.
_UNKNOWN = np.uint8(63)
_MARGIN = 256


def decode(data: bytes) -> tuple[str, str]:
    r"""Decode a file and end its lines with a line feed.

    UTF-8 is tried first, then Windows-1252, then Latin-1, which never fails; UTF-16 only
    behind its byte order mark. A byte order mark goes; ``\r\n`` and bare ``\r`` become ``\n``.

    Returns
    -------
    tuple
        The text, and the name of the encoding.

    Examples
    --------
    >>> decode(b"\xef\xbb\xbf012 Open\r\n022 K\xc3\xb6ln\r")
    ('012 Open\n022 Köln\n', 'utf-8')
    >>> decode(b"022 K\xf6ln")
    ('022 Köln', 'cp1252')
    """
    wide = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    for encoding in ("utf-16",) * wide + ("utf-8", "cp1252", "latin-1"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        break
    text = text.removeprefix("\ufeff")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text, encoding


@dataclass(frozen=True)
class Characters:
    """The lines of many texts.

    Attributes
    ----------
    ascii
        One byte a character, with a margin of blanks behind the last line. Tabs and
        no-break spaces are blanks, and a character beyond ASCII is a stand-in.
    codes
        The code points, or None where every character is ASCII.
    start, end
        Where each line starts, and where it ends without its trailing blanks.
    file, number
        Which text each line is of, and its number there, from 1.
    """

    ascii: NDArray[np.uint8]
    codes: NDArray[np.uint32] | None
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    file: NDArray[np.int64]
    number: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Sequence[str]) -> Characters:
        """Lay the texts, whose lines end with a line feed, end to end."""
        joined = "\n".join([*texts, " " * _MARGIN])
        codes = None
        if joined.isascii():
            stand_in = np.frombuffer(bytearray(joined, "ascii"), dtype=np.uint8)
        else:
            codes = np.frombuffer(bytearray(joined, "utf-32-le"), dtype=np.uint32)
            stand_in = np.minimum(codes, _FOREIGN).astype(np.uint8)
            stand_in[codes == 0xA0] = _BLANK
        stand_in[stand_in == 9] = _BLANK

        ends = np.flatnonzero(stand_in == _NEWLINE)
        starts = np.concatenate(([0], ends[:-1] + 1)) if ends.size else ends
        first = np.cumsum([0, *(len(text) + 1 for text in texts)])
        file = np.searchsorted(first, starts, side="right") - 1
        first_line = np.searchsorted(starts, first[:-1])
        number = np.arange(len(starts)) - first_line[file] + 1 if ends.size else ends
        return cls(stand_in, codes, starts, _without_trailing(stand_in, starts, ends), file, number)

    @cached_property
    def identifier(self) -> NDArray[np.int64]:
        """`identifier` of each line, 0 where column 4 is not blank."""
        cells = self.cells(np.arange(len(self.start)), 1, 4).astype(np.int64)
        value = (cells[:, 0] << 16) | (cells[:, 1] << 8) | cells[:, 2]
        return np.where(cells[:, 3] == _BLANK, value, 0)

    def cells(self, lines: NDArray[np.int64], first: int, last: int) -> NDArray[np.uint8]:
        """Columns `first` to `last` (from 1, both included) of `lines`, blank behind the end."""
        return self.cells_at(self.start[lines] + first - 1, self.end[lines], last - first + 1)

    def cells_at(
        self, offset: NDArray[np.int64], end: NDArray[np.int64], width: int
    ) -> NDArray[np.uint8]:
        """`width` characters from each `offset`, blank from `end` on."""
        return _gather(self.ascii, offset, end, width)

    def field(self, lines: NDArray[np.int64], first: int, last: int) -> pl.Series:
        """Columns `first` to `last` of `lines` as text without outer blanks; empty is null."""
        source = self.ascii if self.codes is None else self.codes
        cells = _gather(source, self.start[lines] + first - 1, self.end[lines], last - first + 1)
        return strings(cells)

    def whole(self, lines: NDArray[np.int64]) -> pl.Series:
        """Text of whole lines, without trailing blanks."""
        source = self.ascii if self.codes is None else self.codes
        length = self.end[lines] - self.start[lines]
        behind = np.cumsum(length)
        shift = self.start[lines] - (behind - length)
        cells = source[np.arange(behind[-1] if len(behind) else 0) + np.repeat(shift, length)]
        return _utf8(cells, np.concatenate(([0], behind)))


def identifier(record: str) -> int:
    """Return the three characters of a record's identifier as one number."""
    first, second, third = record.encode("ascii")
    return (first << 16) | (second << 8) | third


def whole_numbers(
    cells: NDArray[np.uint8],
) -> tuple[NDArray[np.int32], NDArray[np.bool_], NDArray[np.bool_]]:
    """Read right- or left-aligned whole numbers, one a row.

    Returns
    -------
    tuple
        The numbers (0 where there is none), where the cells are all blank, and where
        they are neither blank nor a number.
    """
    value = np.zeros(len(cells), dtype=np.int32)
    inside = np.zeros(len(cells), dtype=bool)
    closed = np.zeros(len(cells), dtype=bool)
    wrong = np.zeros(len(cells), dtype=bool)
    for column in np.ascontiguousarray(cells.T):
        digit = column - np.uint8(48)
        is_digit = digit < 10
        blank = column == _BLANK
        wrong |= ~(is_digit | blank) | (is_digit & closed)
        value = np.where(is_digit, value * 10 + digit, value)
        inside |= is_digit
        closed |= inside & blank
    value[wrong] = 0
    return value, ~inside & ~wrong, wrong


def strings(cells: NDArray[np.uint8] | NDArray[np.uint32]) -> pl.Series:
    """Rows of characters as text without outer blanks; empty is null."""
    rows, width = cells.shape
    text = _utf8(cells.reshape(-1), np.arange(rows + 1, dtype=np.int64) * width)
    stripped = pl.col("text").str.strip_chars()
    return text.to_frame("text").select(pl.when(stripped != "").then(stripped)).to_series()


def _gather(
    source: NDArray[Any], offset: NDArray[np.int64], end: NDArray[np.int64], width: int
) -> NDArray[Any]:
    # Every window of the array as one element, so that a row is one copy.
    windows = np.lib.stride_tricks.sliding_window_view(source, width)
    # Windows that start behind the end of their line are taken from the blank margin.
    cells = windows[np.where(offset < end, offset, len(source) - width)]
    short = np.flatnonzero((offset < end) & (offset + width > end))
    if short.size:
        behind = offset[short, None] + np.arange(width) >= end[short, None]
        cells[short] = np.where(behind, _BLANK, cells[short])
    return cells


def _utf8(cells: NDArray[np.uint8] | NDArray[np.uint32], bounds: NDArray[np.int64]) -> pl.Series:
    """Cut a run of characters at `bounds` into a column of text."""
    if cells.dtype == np.uint8:
        # The stand-in for what is beyond ASCII is no character by itself.
        foreign = cells >= _FOREIGN
        data = (np.where(foreign, _UNKNOWN, cells) if foreign.any() else cells).tobytes()
    elif cells.max(initial=0) < _FOREIGN:
        data = cells.astype(np.uint8).tobytes()
    else:
        data = cells.tobytes().decode("utf-32-le", "replace").encode("utf-8")
        size = 1 + (cells >= 0x80) + (cells >= 0x800) + (cells >= 0x10000).astype(np.int64)
        bounds = np.concatenate(([0], np.cumsum(size)))[bounds]
    array = pa.Array.from_buffers(
        pa.large_utf8(),
        len(bounds) - 1,
        [None, pa.py_buffer(bounds.astype(np.int64)), pa.py_buffer(data)],
    )
    return pl.Series(array, dtype=pl.String)


def _without_trailing(
    text: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Move each end back over trailing blanks, a stretch at a time."""
    ends = ends.copy()
    stretch = 32
    padded = np.concatenate((np.full(stretch, _NEWLINE, dtype=np.uint8), text))
    windows = np.lib.stride_tricks.sliding_window_view(padded, stretch)
    open_ = np.arange(len(ends))
    while open_.size:
        backwards = windows[ends[open_], ::-1] != _BLANK
        blanks = np.where(backwards.any(axis=1), backwards.argmax(axis=1), stretch)
        ends[open_] = np.maximum(ends[open_] - blanks, starts[open_])
        open_ = open_[(blanks == stretch) & (ends[open_] > starts[open_])]
    return ends
