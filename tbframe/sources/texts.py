"""Files as text of UTF-8, whatever they are written in, and how they were read where they were not.

A mark before the text is taken away. What is neither UTF-8 nor UTF-16 is read as cp1252, in which
most programs of Windows have written.
"""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import Final

from tbframe.sources.unpacking import unpack

__all__ = ["as_utf8", "plain_head", "read_text", "report_bytes"]

_MARK: Final = codecs.BOM_UTF8
_UTF16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
#: So much is decoded at once: a table may be large, and another copy of it is not needed.
_CHUNK: Final = 16 * 1024 * 1024


def read_text(path: Path) -> tuple[str, str | None]:
    """Return a whole file as text, unpacked, and how it was read where it is not UTF-8.

    Raises
    ------
    UnreadableError, OSError
        As `unpacking.unpack`.
    """
    data, encoding = as_utf8(unpack(path))
    return data.decode(), encoding


def as_utf8(data: bytes) -> tuple[bytes, str | None]:
    r"""Bring text to UTF-8, and tell how it was read where it was not.

    Examples
    --------
    >>> as_utf8("Zoë".encode("cp1252"))
    (b'Zo\xc3\xab', 'cp1252')
    """
    if (wide := _utf16(data)) is not None:
        return data.decode(wide, "replace").removeprefix("\ufeff").encode(), "UTF-16"
    data = data.removeprefix(_MARK)
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), _CHUNK):
            decoder.decode(data[start : start + _CHUNK], start + _CHUNK >= len(data))
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace").encode(), "cp1252"
    return data, None


def plain_head(head: bytes) -> bytes:
    """Return the beginning of a file so that whoever looks for words in it finds them."""
    wide = _utf16(head)
    return head.decode(wide, "replace").encode() if wide else head.removeprefix(_MARK)


def report_bytes(path: Path) -> bytes:
    """Return a tournament report, unpacked; its reader tells the older encodings.

    Raises
    ------
    UnreadableError, OSError
        As `unpacking.unpack`.
    """
    data = unpack(path)
    return as_utf8(data)[0] if _utf16(data) else data


def _utf16(data: bytes) -> str | None:
    """Tell text of UTF-16 by its mark, or by every other byte being 0."""
    if data.startswith(_UTF16):
        return "utf-16"
    first, second = (data[start:64:2].count(0) for start in (0, 1))
    if max(first, second) < max(4, len(data[:64]) // 3) or min(first, second):
        return None
    return "utf-16-be" if first else "utf-16-le"
