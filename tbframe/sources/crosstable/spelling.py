"""The spelling of cells: halves, dashes and blanks in the one way in which cells are read."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["as_number", "key_word", "mends", "spell"]

_DASHES: Final = str.maketrans(dict.fromkeys("−–—‒‐‑", "-"))
#: Brackets around a part of a cell say nothing.
_BRACKETS: Final = str.maketrans(dict.fromkeys("()[]{}", " "))
_HALF: Final = re.compile(
    r"Â½|(?<![\d.,/])1\s?/\s?2(?![\d.,/])|(?<![\d.,])0?[.,]50?(?![\d.,])|(?<=\d)[.,]50?(?![\d.,])"
)
_WHOLE: Final = re.compile(r"(?<=\d)[.,]0+(?![\d.,])")
#: What ½ becomes where a file is read in an encoding that is not its own.
_BROKEN: Final = re.compile(r"(?:[«�¬]|�)(?=$|\s)")
_INVISIBLE: Final = re.compile(r"[\u00ad\u200b-\u200f\u2060\ufeff]")
_NUMBER: Final = re.compile(r"[+-]?\d{1,12}(?:[.,]\d{1,12})?|[.,]\d{1,12}|\d{1,12}\s?½|½")


def spell(text: str) -> str:
    """Bring a cell to one spelling of halves, dashes, brackets and blanks.

    Examples
    --------
    >>> spell(" 12w1/2"), spell("7b0,5"), spell("3w«"), spell("–"), spell("1.0 (4w)")
    ('12w½', '7b½', '3w½', '-', '1 4w')
    """
    text = _INVISIBLE.sub("", text).translate(_DASHES).translate(_BRACKETS)
    text = _BROKEN.sub("½", " ".join(text.split()))
    return _WHOLE.sub("", _HALF.sub("½", text))


def mends(text: str) -> bool:
    """Tell whether `spell` takes a broken character for ½."""
    return _BROKEN.search(text) is not None


def key_word(text: str) -> str:
    r"""Bring a heading to the form in which it is looked up.

    Examples
    --------
    >>> key_word(" Pts. "), key_word("Rank\nNo.")
    ('pts', 'rank no')
    """
    return " ".join(_INVISIBLE.sub("", text).casefold().split()).strip(".:* ")


def as_number(text: str) -> float | None:
    """Read a number with decimal point or comma, or with halves.

    Examples
    --------
    >>> [as_number(text) for text in ("46,5", "6½", "½", "-0.25", "1e300", "")]
    [46.5, 6.5, 0.5, -0.25, None, None]
    """
    text = text.strip()
    if not _NUMBER.fullmatch(text):
        return None
    half = text.endswith("½")
    return float(text.rstrip("½ ").replace(",", ".") or "0") + 0.5 * half
