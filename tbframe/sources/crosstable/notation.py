"""How the cells of a crosstable are written: the order of their parts, and the letters of colors.

``12w1`` is opponent, color, result, as most programs write it. Others have ``+12B``, ``w½ 5``,
``1 w12``, ``12/1`` or ``W12``. No cell tells its order for itself (``1w1`` may be either), but all
cells of a table do: the order taken is that in which most of them can be read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

__all__ = ["DEFAULT_NOTATION", "Notation", "Parts", "notation_of"]

#: Letters of white and black: English, German, Dutch, Spanish (and French, Italian), Portuguese,
#: Polish (and Croatian), Czech, Hungarian (and Swedish), Finnish, Norwegian, Romanian, Russian,
#: Bulgarian.
_COLORS: Final = (
    "wb", "ws", "wz", "bn", "bp", "bc", "bč", "vs", "vm", "hs", "an", "бч", "бк",
)  # fmt: skip
_LETTERS: Final = "".join(sorted({letter for pair in _COLORS for letter in pair}))
_COLOR: Final = rf"(?P<color>[{_LETTERS}{_LETTERS.upper()}])"
_OPPONENT: Final = r"(?P<opponent>\d{1,5})"
_SIGN: Final = r"\+-|-\+|--|[+\-=*?<>½]"
_VALUE: Final = r"\d{1,2}½|[01]\s?[fFkK]|\d{1,2}"
_WORD: Final = r"[WLDXF]"
_GAP: Final = r"[\s/:.,;|]*"
_APART: Final = r"[\s/:.,;|]+"


def _result(kinds: str) -> str:
    return f"(?P<result>{kinds})"


def _either(*forms: str) -> re.Pattern[str]:
    """Put the forms of one order together; groups of later ones are numbered."""
    parts = []
    for number, form in enumerate(forms):
        parts.append(re.sub(r"\?P<(\w+)>", rf"?P<\g<1>{number}>", form))
    return re.compile("|".join(parts))


#: A game without a color, such as a forfeit among games that have one.
_BEHIND: Final = rf"{_OPPONENT}{_GAP}{_result(_SIGN)}"
_BEFORE: Final = rf"{_result(_SIGN)}{_GAP}{_OPPONENT}"
#: Each order of the parts, the usual ones first. Two numbers side by side are kept apart.
_ORDERS: Final[Mapping[str, re.Pattern[str]]] = {
    "opponent, color, result": _either(
        rf"{_OPPONENT}\s*{_COLOR}(?:{_GAP}{_result(f'{_SIGN}|{_VALUE}')})?",
        _BEHIND,
    ),
    "opponent, result": _either(
        rf"{_OPPONENT}{_APART}{_result(f'{_VALUE}|{_WORD}')}",
        _BEHIND,
    ),
    "color, opponent, result": _either(
        rf"{_COLOR}\s*{_OPPONENT}(?:{_APART}{_result(f'{_SIGN}|{_VALUE}')})?",
        rf"{_COLOR}\s*{_OPPONENT}{_result(_SIGN)}",
        _BEHIND,
    ),
    "result, opponent, color": _either(
        rf"{_result(f'{_SIGN}|{_WORD}')}{_GAP}{_OPPONENT}\s*{_COLOR}?",
        rf"{_result(_VALUE)}{_APART}{_OPPONENT}\s*{_COLOR}?",
    ),
    "result, color, opponent": _either(
        rf"{_result(f'{_SIGN}|{_WORD}|{_VALUE}')}{_GAP}{_COLOR}\s*{_OPPONENT}",
        _BEFORE,
    ),
    "color, result, opponent": _either(
        rf"{_COLOR}{_GAP}{_result(_SIGN)}{_GAP}{_OPPONENT}",
        rf"{_COLOR}{_GAP}{_result(_VALUE)}{_APART}{_OPPONENT}",
        _BEFORE,
    ),
    "opponent, result, color": _either(
        rf"{_OPPONENT}{_GAP}{_result(_SIGN)}{_GAP}{_COLOR}",
        rf"{_OPPONENT}{_APART}{_result(_VALUE)}{_GAP}{_COLOR}",
        _BEHIND,
    ),
}
#: What may be a bye or a game against number 1, and does not tell the order.
_EITHER: Final = re.compile(r"[+\-=]?[01½]?")
#: Results of games that count 1, ½, 0; others are of teams, or no results.
_USUAL: Final = re.compile(rf"(?:{_SIGN}|{_WORD}|[01]\s?[fFkK]?)?")
#: In these ``-1`` is a loss against 1; in the others it is a bye with one point.
_RESULT_FIRST: Final = ("result, opponent, color", "result, color, opponent")


@dataclass(frozen=True)
class Parts:
    """The parts of a cell about a game, as written.

    Attributes
    ----------
    opponent
        His number; 0 for nobody.
    color
        ``"w"``, ``"b"`` or None.
    result
        Empty where the cell has none.
    """

    opponent: int
    color: str | None
    result: str


@dataclass(frozen=True)
class Notation:
    """How the cells of one table are written.

    Attributes
    ----------
    order
        The order of the parts.
    colors
        The color of each letter; letters without one are left open.
    games
        Whether ``+`` and ``-`` beside an opponent are games won and lost, not forfeits.
    letters
        Whether letters before an opponent are results (W, D, L), and not colors.
    """

    order: str
    colors: Mapping[str, str] = field(default_factory=dict)
    games: bool = False
    letters: bool = False

    @property
    def result_first(self) -> bool:
        """Whether a sign before a number is the result against that opponent."""
        return self.order in _RESULT_FIRST

    def parts(self, text: str) -> Parts | None:
        """Split a cell; None if it is not written so.

        Parameters
        ----------
        text
            As `spelling.spell` leaves it.

        Examples
        --------
        >>> DEFAULT_NOTATION.parts("161w1")
        Parts(opponent=161, color='w', result='1')
        """
        found = _split(self.order, text)
        if found is None:
            return None
        opponent, letter, result = found
        return Parts(int(opponent), self.colors.get(letter.casefold()), result)


#: As most programs write it.
DEFAULT_NOTATION: Final = Notation("opponent, color, result", {"w": "w", "b": "b"})


def _split(order: str, text: str) -> tuple[str, str, str] | None:
    """Return opponent, letter of the color and result, as written."""
    if (match := _ORDERS[order].fullmatch(text)) is None:
        return None
    named = {"opponent": "", "color": "", "result": ""}
    for name, value in match.groupdict().items():
        if value is not None:
            named[name[:-1]] = value
    return named["opponent"], named["color"], named["result"]


def notation_of(cells: Iterable[str]) -> tuple[Notation, list[str]]:
    """Tell how the cells of a table are written.

    Parameters
    ----------
    cells
        All of them, as `spelling.spell` leaves them; empty ones may be left out.

    Returns
    -------
    notation, doubts
        Sentences about what the cells leave open.

    Examples
    --------
    >>> notation_of(["12w1", "3s½"])[0].colors
    {'w': 'w', 's': 'b'}
    >>> notation_of(["+12", "=3", "-1"])[0].order
    'result, opponent, color'
    """
    counted = Counter(text for text in cells if not _EITHER.fullmatch(text))
    read: dict[str, list[tuple[str, str, str]]] = {}
    rank: dict[str, tuple[int, int, int]] = {}
    found: Mapping[str, tuple[str, str, str]]
    for order in _ORDERS:
        found = {text: split for text in counted if (split := _split(order, text)) is not None}
        usual = sum(counted[text] for text, parts in found.items() if _USUAL.fullmatch(parts[2]))
        told = sum(counted[text] for text, (_, _, result) in found.items() if result)
        rank[order] = sum(counted[text] for text in found), usual, told
        read[order] = list(found.values())
    order = max(rank, key=lambda name: rank[name])  # the first, where several are best
    parts = read[order]
    results = {result for _, _, result in parts if result}
    letters = order in _RESULT_FIRST and bool(results & {"W", "L", "D"})
    colors, doubts = _colors({letter.casefold() for _, letter, _ in parts if letter})
    digits = any(result[0].isdigit() or result == "½" for result in results)
    games = not (digits or letters) and bool(results & {"+", "-", "="})
    if games:
        doubts.append("no cell has 1 or 0 beside an opponent: + = - are games won, drawn and lost")
    if order not in ("opponent, color, result", "opponent, result"):
        doubts.append(f"cells are read as {order}")
    return Notation(order, colors, games=games, letters=letters), doubts


def _colors(found: set[str]) -> tuple[dict[str, str], list[str]]:
    """Find the language whose letters these are."""
    fitting = [pair for pair in _COLORS if found <= set(pair)]
    if not found:
        return {}, []
    listed = ", ".join(sorted(found))
    if not fitting:
        return {}, [f"the letters {listed} are no colors of one language: colors are left open"]
    colors: dict[str, str] = {}
    for letter in sorted(found, key=fitting[0].index):
        meanings = {"wb"[pair.index(letter)] for pair in fitting}
        if len(meanings) > 1:
            return {}, [f"{listed} may be white or black: colors are left open"]
        colors[letter] = meanings.pop()
    if set(colors) <= set("wb"):
        return colors, []
    words = ", ".join(
        f"{letter} = {'white' if color == 'w' else 'black'}" for letter, color in colors.items()
    )
    return colors, [f"colors are read as {words}"]
