"""Text of files in whatever encoding they are."""

from __future__ import annotations

import re
from typing import Final

from tbframe.sources.crosstable.sheets import separator_of

__all__ = ["decode", "decode_page"]

_CHARSET: Final = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([\w-]{2,20})", re.IGNORECASE)
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
#: Of these that is taken in which most of the heading is known.
_OLDER: Final = ("cp1252", "cp1251", "cp1250", "cp850")
#: Encodings that do not say the same of the letters of tags, and those that were tried.
_UNFIT: Final = frozenset({"utf8", "utf16", "utf7", "utf32", "unicode"})


def decode(
    data: bytes, *, encoding: str | None = None, cut: bool = False
) -> tuple[str, str | None]:
    """Read a table as text.

    Parameters
    ----------
    data
        The file.
    encoding
        Where it is known.
    cut
        Whether it may end within a character.

    Returns
    -------
    text, encoding
        The encoding is None for UTF-8, and where it was known.
    """
    if encoding is not None:
        return data.decode(encoding, "replace"), None
    if data.startswith(_UTF16):
        return data.decode("utf-16", "replace"), "UTF-16"
    if data[1:20:2].count(0) > 6 and data[:1].isascii():
        return data.decode("utf-16-le", "replace"), "UTF-16"
    try:
        return _whole(data, cut).decode("utf-8-sig"), None
    except UnicodeDecodeError:
        pass
    best, text, name = -1, "", ""
    for each in _OLDER:
        tried = data.decode(each, "replace")
        found = separator_of(tried)
        known = 0 if found is None else found[1]
        if known > best:
            best, text, name = known, tried, each
    return text, name


def _whole(data: bytes, cut: bool) -> bytes:
    """Leave out a character that is cut in two at the end."""
    if cut:
        for length in range(1, 4):
            if len(data) > length and data[-length] >= 0xC0:
                return data[:-length]
    return data


def decode_page(data: bytes, *, encoding: str | None = None) -> tuple[str, str | None]:
    """Read a page as text: UTF-8, else the encoding that it names, else cp1252.

    Parameters
    ----------
    data
        The file.
    encoding
        Where it is known.

    Returns
    -------
    text, encoding
        As of `decode`.
    """
    if encoding is not None:
        return data.decode(encoding, "replace"), None
    if data.startswith(_UTF16):
        return data.decode("utf-16", "replace"), "UTF-16"
    try:
        return data.decode("utf-8-sig"), None
    except UnicodeDecodeError:
        pass
    named = _CHARSET.search(data[:8192])
    name = named[1].decode("ascii", "replace") if named else "cp1252"
    name = {"iso-8859-1": "cp1252", "latin1": "cp1252"}.get(name.lower(), name)
    try:
        if re.sub(r"[^a-z0-9]", "", name.lower()) not in _UNFIT:
            return data.decode(name, "replace"), name
    except (LookupError, UnicodeError, ValueError):
        pass
    return data.decode("cp1252", "replace"), "cp1252"
