"""The result of a game as people write it, read into the two result codes."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["GAME_RESULT_RULE", "read_game_result"]

GAME_RESULT_RULE: Final = (
    "the result of a game is one of 1-0, 0-1, 1/2-1/2 (or ½-½, 0.5-0.5, 1/2, =), 0-0, 1/2-0, "
    "0-1/2, the forfeits 1-0F, 0-1F, 0-0F, +/-, -/+, -/- (or +-, -+, --), or * (not known yet)"
)

#: Each pair of signs that has a meaning: over the board, and by forfeit.
_PLAYED: Final = ("10", "01", "==", "00", "=0", "0=")
_FORFEITED: Final = {"10": "+-", "01": "-+", "00": "--"}
_HALF: Final = re.compile(r"½|1/2|0?[.,]50?")
_WHOLE: Final = re.compile(r"([01])[.,]0")
_SIGNS: Final = re.compile(r"([10=])(f*)[-:]([10=])\(?(f*|forfeit)\)?")
_PLUS_MINUS: Final = re.compile(r"([+-])[-/:]?([+-])")


def read_game_result(text: str) -> str | None:
    """Read the result of a game.

    Parameters
    ----------
    text
        As in `GAME_RESULT_RULE`, blanks and case ignored; dashes and minus signs of all
        kinds, ``:`` and ``/`` separate alike.

    Returns
    -------
    str or None
        The result codes of White and of Black, such as ``"10"``, ``"=="`` or ``"+-"``; None
        for anything else.

    Examples
    --------
    >>> [read_game_result(text) for text in ("1-0", "½ - ½", "0-1F", "-/+", "1-1")]
    ['10', '==', '-+', '-+', None]
    """
    plain = re.sub(r"\s", "", text.lower()).translate(str.maketrans("–—−‐‑", "-----"))
    plain = _WHOLE.sub(r"\1", _HALF.sub("=", plain))
    if plain in {"=", "*"}:
        return plain * 2
    if (match := _PLUS_MINUS.fullmatch(plain)) is not None:
        pair = match[1] + match[2]
        return pair if pair != "++" else None
    if (match := _SIGNS.fullmatch(plain)) is None:
        return None
    pair = match[1] + match[3]
    if match[2] or match[4]:
        return _FORFEITED.get(pair)
    return pair if pair in _PLAYED else None
