"""The lines of an h9 file: tags, the line that names the columns, and one row for each player."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

__all__ = [
    "ABSENT", "CELL", "NUMBER", "Cell", "Row",
    "column_names", "parse_row", "parse_tags", "read_cell",
]  # fmt: skip

_TAG: Final = re.compile(r"^\s*;\s*([A-Z]{2})\[(.*)\]")
_HEADING: Final = re.compile(r"^\s*;\s*(?:Pl|#|N)\s*(?:Name|Pl)\b(.*)", re.IGNORECASE)
#: Letters of other scripts that look like those of names of scores.
_LOOK_ALIKE: Final = str.maketrans("МСОРоср", "MCOPocp")
#: Opponent, result, how it came about (``!`` by absence), color, handicap stones.
CELL: Final = re.compile(r"(\d+)([+\-=?])(?:([/!]+)([wbWB?]?)([0-9O]*)|0)?")
ABSENT: Final = frozenset({"--", "-", "0--"})
_GRADE: Final = re.compile(r"\d{1,2}[dkp]", re.IGNORECASE)
#: A grade without its letter counts in kyu; behind it stands the country.
_BARE_GRADE: Final = re.compile(r"\d{1,2}")
_COUNTRY: Final = re.compile(r"[^\W\d]{2,3}")
#: A score: half points may be written ``.5``, ``½`` or ``=``; a question mark is none.
NUMBER: Final = re.compile(r"-?\d+(?:[.,]\d+)?=?|\d*½|\?")
_ROUND: Final = re.compile(r"R?\d+(?:\.|st|nd|rd|d|th)?", re.IGNORECASE)
#: Names of score columns, which are written without a blank where they fill their columns.
_SCORES: Final = (
    "SOSOSW", "SOSOSM", "SODOSW", "SODOSM", "SOSOS", "SODOS", "SOSW", "SOSM", "SSOS", "SDOS",
    "SOSO", "SOS", "MMS", "NBW", "CUSSM", "CUSSW", "CUSS", "SDC", "DC", "EXT", "EXR", "CAT",
)  # fmt: skip
_JOINED: Final = re.compile("|".join(_SCORES))


@dataclass(frozen=True)
class Cell:
    """What happened to a player in a round, as written.

    Attributes
    ----------
    opponent
        His number; 0 for none.
    sign
        ``+ - = ?``.
    absence
        Whether it was decided by absence.
    color
        ``"w"``, ``"b"`` or None.
    handicap
        Stones; None where they are not told.
    """

    opponent: int
    sign: str
    absence: bool = False
    color: str | None = None
    handicap: int | None = None


@dataclass(frozen=True)
class Row:
    """The line of a player.

    Attributes
    ----------
    line
        Of the file, from 1.
    place
        None where it is left open, which means that of the player above.
    name, grade, country, club, pin
        As written; a grade without its letter has got it.
    words
        The fields behind these: scores and rounds, as written.
    """

    line: int
    place: int | None
    name: str
    grade: str
    country: str | None
    club: str | None
    pin: str | None
    words: tuple[str, ...]


def parse_tags(lines: Iterable[str]) -> dict[str, str]:
    """Read the tags, such as ``; EV[Name of the tournament]``; the first of each kind counts."""
    tags: dict[str, str] = {}
    for line in lines:
        if (match := _TAG.match(line)) is not None:
            tags.setdefault(match[1], match[2].strip())
    return tags


def column_names(lines: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Read the names of the scores before and behind the rounds, where a line gives them.

    Examples
    --------
    >>> column_names(["; Pl Name            Rk Co Club  MMS  SOSSOSOS"])
    (('MMS', 'SOS', 'SOSOS'), ())
    >>> column_names([";Pl Name Grade Club MM S SOS SDOS 1. 2. 3. Pin"])
    (('MM', 'S', 'SOS', 'SDOS'), ())
    """
    for line in lines:
        if (match := _HEADING.match(line)) is None:
            continue
        words = match[1].translate(_LOOK_ALIKE).split()
        last = max((i for i, word in enumerate(words) if word.lower().startswith("cl")), default=2)
        words = words[last + 1 :]
        rounds = [i for i, word in enumerate(words) if _ROUND.fullmatch(word)]
        before = words[: rounds[0]] if rounds else words
        after = words[rounds[-1] + 1 :] if rounds else []
        return tuple(_apart(before)), tuple(
            word for word in after if word.lower() not in {"pin", "id", "no"}
        )
    return (), ()


def _apart(words: Sequence[str]) -> list[str]:
    """Take names that are written together apart: ``SOSSOSOS`` is SOS and SOSOS.

    A name may be cut by a blank as well: ``SOSSO SOS`` is the same.
    """
    names: list[str] = []
    left = list(words)
    while left:
        word = left.pop(0)
        found = _known_names(word)
        if not found and left and len(found := _known_names(word + left[0])) > 1:
            left.pop(0)
        names.extend(found if len(found) > 1 else [word])
    return names


def _known_names(word: str) -> list[str]:
    names: list[str] = _JOINED.findall(word)
    return names if "".join(names) == word else []


def parse_row(text: str, line: int) -> Row | None:
    """Read the line of a player; None where it is none.

    Examples
    --------
    >>> row = parse_row("1 Doe Jo 5d UA Kyiv 24 109 2+/b7 0= |12345678", 1)
    >>> row.name, row.grade, row.country, row.club, row.words, row.pin
    ('Doe Jo', '5d', 'UA', 'Kyiv', ('24', '109', '2+/b7', '0='), '12345678')
    >>> parse_row("23 Roe Al 11 PL Soch 2 2 0+ 24+/b", 1).grade
    '11k'
    """
    text, _, pin = text.partition("|")
    # With tabs, a name or a club may have blanks; but not every tab stands between two fields.
    found = _parse_words(text.split("\t"), line, pin) if text.count("\t") >= 5 else None
    if found is not None and any(map(CELL.fullmatch, found.words)):
        return found
    return _parse_words(text.split(), line, pin)


def _parse_words(parts: Sequence[str], line: int, pin: str) -> Row | None:
    words = [word.strip() for word in parts if word.strip()]
    at = _grade_place(words)
    if at is None:
        return None
    place = words[0].rstrip(".")
    number = int(place) if place.isdecimal() and len(place) < 7 else None
    name = " ".join(words[0 if number is None else 1 : at])
    if not name:
        return None
    grade = words[at].lower()
    rest = words[at + 1 :]
    country = rest.pop(0) if rest and _COUNTRY.fullmatch(rest[0]) else None
    club = []
    while rest and not _is_field(rest[0]):
        club.append(rest.pop(0))
    return Row(
        line, number, name, grade if grade[-1].isalpha() else f"{grade}k", country,
        " ".join(club) or None, pin.strip() or None, tuple(rest),
    )  # fmt: skip


def _grade_place(words: Sequence[str]) -> int | None:
    """Return where the grade stands, behind a name."""
    for i, word in enumerate(words[1:12], start=1):
        if _GRADE.fullmatch(word):
            return i
    for i, word in enumerate(words[2:12], start=2):
        behind = words[i + 1] if i + 1 < len(words) else ""
        if _BARE_GRADE.fullmatch(word) and _COUNTRY.fullmatch(behind):
            return i
    return None


def _is_field(word: str) -> bool:
    return word in ABSENT or bool(NUMBER.fullmatch(word) or CELL.fullmatch(word))


@lru_cache(maxsize=100_000)  # the same fields stand on many lines
def read_cell(word: str) -> Cell:
    """Read the field of a round.

    Examples
    --------
    >>> read_cell("12+/w3")
    Cell(opponent=12, sign='+', absence=False, color='w', handicap=3)
    >>> read_cell("0=")
    Cell(opponent=0, sign='=', absence=False, color=None, handicap=None)
    """
    match = CELL.fullmatch(word)
    if match is None:
        return Cell(0, "-")
    color = (match[4] or "").lower()
    stones = (match[5] or "").upper().replace("O", "0")[:4]
    return Cell(
        # Beyond that many digits it is nobody's number, and no integer of a frame.
        int(match[1][:9]),
        match[2],
        "!" in (match[3] or ""),
        color if color in {"w", "b"} else None,
        int(stones) if stones else None,
    )
