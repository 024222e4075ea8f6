"""The cells of a crosstable: who was met in a round, with which color and which result."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from tbframe.sources.crosstable.notation import Notation, Parts

__all__ = ["OPEN", "Cell", "read_cell", "read_cells"]

#: A round without an opponent whose worth is not told: the declared points may tell it.
OPEN: Final = "?bye"
_WORDS: Final = (
    "bye|spielfrei|frei|freilos|exempt|exemptée?|exe|libre|descansa|descanso|folga|riposo|vrij"
    "|oneven|wolny|pauza|pauzuje|volno|volný|szabad|erőnyerő|fri|fripoeng|frirond|vapaa|liber"
    "|свободен|выходной|отдых|пропуск"
)
_BYE: Final = re.compile(
    rf"(?P<before>[+\-=½]|[10]|)[\s:]*(?:{_WORDS})[\s:]*(?P<after>[+\-=½]|[10]|[wdl]|)",
    re.IGNORECASE,
)
_ABSENT: Final = frozenset(
    [
        "abs",
        "absent",
        "absente",
        "fehlt",
        "abw",
        "abwesend",
        "ausente",
        "ausent",
        "assente",
        "afwezig",
        "nieobecny",
        "frånv",
        "неявка",
        "not paired",
        "unpaired",
        "withdrawn",
    ]
)
_CODES: Final = {"pab": "U", "fpb": "F", "hpb": "H", "zpb": "Z"}
_WORTH: Final = {
    "+": "U", "1": "U", "w": "U", "=": "H", "½": "H", "d": "H", "-": "Z", "0": "Z", "l": "Z",
}  # fmt: skip
#: What stands alone in a round without an opponent.
_ALONE: Final = {
    "1": "U", "-1": "U", "+1": "U", "½": "H", "-½": "H", "+½": "H", "=": "H", "0": "Z", "-0": "Z",
    "+0": "Z", "-": "Z", "--": "Z", "...": "Z", "+": "+", "+-": "+", "-+": "-", "*": "*", "?": "*",
    "+f": "+", "1f": "+", "0f": "-", "-f": "-", "1k": "+", "0k": "-",
}  # fmt: skip
#: How tables of the United States write it: ``H---``, ``-U-``, ``B``.
_DASHED: Final = re.compile(r"-*\s*([BHUXFZ])\s*[-0]*")
_AMERICAN: Final = {"B": "U", "H": "H", "U": "Z", "Z": "Z", "X": "+", "F": "-"}
#: Placeholders: nobody (0), with a color or without one, and what it was worth.
_NOBODY: Final = {"1": "U", "=": "H", "0": "Z", "*": "Z", "+": "+", "-": "-"}
_RESULTS: Final = {
    "": "*", "?": "*", "*": "*", "½": "=", "=": "=", "+": "+", "+-": "+", ">": "+", "-": "-",
    "-+": "-", "--": "-", "<": "-", "W": "1", "D": "=", "L": "0", "X": "+", "F": "-",
}  # fmt: skip


@dataclass(frozen=True)
class Cell:
    """What happened to a player in a round.

    Attributes
    ----------
    opponent
        The number that the table has for him; None for nobody.
    color
        ``"w"``, ``"b"`` or None.
    result
        A result code, `OPEN`, or a number such as ``"2½"`` where the table counts otherwise.
    unsure
        What was taken for granted, if anything.
    points
        What it was worth, where the cell says that.
    """

    opponent: int | None
    color: str | None
    result: str
    unsure: str | None = None
    points: float | None = None

    @property
    def value(self) -> float | None:
        """The result as a number, where it is one."""
        if self.result in ("=", "1", "0"):
            return {"=": 0.5, "1": 1.0, "0": 0.0}[self.result]
        digits, half = self.result.rstrip("½"), self.result.endswith("½")
        return float(digits or 0) + 0.5 * half if digits.isdigit() else None


def read_cells(text: str, notation: Notation) -> list[Cell] | None:
    """Read a cell, which may have several games of one round.

    Parameters
    ----------
    text
        As `spelling.spell` leaves it, not empty.
    notation
        Of its table.

    Returns
    -------
    list of Cell or None
        None if it cannot be read.
    """
    if (one := read_cell(text, notation)) is not None:
        return [one]
    several = [read_cell(part, notation) for part in text.split()]
    whole = [cell for cell in several if cell is not None and cell.opponent is not None]
    return whole if len(whole) == len(several) > 1 else None


def read_cell(text: str, notation: Notation) -> Cell | None:
    """Read one game, bye or absence.

    Parameters
    ----------
    text, notation
        As of `read_cells`.

    Returns
    -------
    Cell or None
        None if it cannot be read.

    Examples
    --------
    >>> from tbframe.sources.crosstable.notation import DEFAULT_NOTATION
    >>> [read_cell(text, DEFAULT_NOTATION).result for text in ("161w1", "183b+", "-½", "0w0")]
    ['1', '+', 'H', 'Z']
    """
    if notation.result_first and (parts := notation.parts(text)) is not None:
        return _game(parts, notation)
    if (alone := _alone(text, notation)) is not None:
        return alone
    parts = notation.parts(text)
    return None if parts is None else _game(parts, notation)


def _alone(text: str, notation: Notation) -> Cell | None:
    """Read a round without an opponent."""
    small = text.casefold()
    if small in _CODES:
        return Cell(None, None, _CODES[small])
    if small in _ABSENT:
        return Cell(None, None, "Z")
    if match := _BYE.fullmatch(small):
        sign = match["before"] or match["after"]
        return Cell(None, None, _WORTH[sign] if sign else OPEN)
    if notation.letters and (match := _DASHED.fullmatch(text)):
        return Cell(None, None, _AMERICAN[match[1]])
    code = _ALONE.get(small)
    if code is None:
        return None
    meaning = {"U": "a pairing-allocated bye", "+": "a win by forfeit"}.get(code)
    unsure = f"{text!r} without an opponent is read as {meaning}"
    return Cell(None, None, code, unsure if meaning else None)


def _game(parts: Parts, notation: Notation) -> Cell | None:
    result = _code(parts.result, notation)
    if parts.opponent:
        return Cell(parts.opponent, parts.color, result)
    worth = _NOBODY.get(result)
    return None if worth is None else Cell(None, None, worth)


def _code(result: str, notation: Notation) -> str:
    """Return the code of a result, or the number as it stands."""
    if notation.games and result in ("+", "-"):
        return "1" if result == "+" else "0"
    if result[-1:] in ("f", "F", "k", "K") and result[0] in "10":
        return "+" if result[0] == "1" else "-"
    return _RESULTS.get(result, result)
