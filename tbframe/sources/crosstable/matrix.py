"""Tables in which everybody met everybody: a column for each opponent in the place of a round."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tbframe.sources.crosstable.numbering import candidates
from tbframe.sources.crosstable.spelling import spell
from tbframe.sources.crosstable.tables import Table
from tbframe.sources.unreadable import UnreadableError

__all__ = ["Matrix", "Meeting", "berger_round", "matrix_of"]

#: What stands where a player would meet himself.
_SELF: Final = re.compile(r"(?:[xX×*#■█●▓▒\\.\-─━]{1,6})?")
_GAME: Final = re.compile(r"\+-|-\+|--|[0-3½=+\-*?WDLRwdlr]")
_GAMES: Final = re.compile(rf"(?:{_GAME.pattern})(?:[\s/|,;]*(?:{_GAME.pattern}))*")
_SINGLE: Final = re.compile(r"[0-3½=+\-*?WDLRwdlr]")
#: Words for a Swiss system, whose table of opponents does not tell its rounds and byes.
_SWISS: Final = re.compile(
    r"\bswiss|schweizer|\bsuizo|\bsuiss|svizzer|suíç|zwitsers|szwajcar|švýcar|svájci|швейцар",
    re.IGNORECASE,
)
#: Where fewer of all pairs have met, it is no event of all against all that broke off.
_ENOUGH: Final = 0.5
_CODES: Final = {"½": "=", "?": "*", "w": "1", "d": "=", "r": "=", "l": "0"}


@dataclass(frozen=True)
class Meeting:
    """One side of a game.

    Attributes
    ----------
    round
        From 1.
    row, opponent
        Rows of the table, from 0.
    result
        A result code, or a number where the table counts otherwise.
    """

    round: int
    row: int
    opponent: int
    result: str


@dataclass(frozen=True)
class Matrix:
    """A table with a column for each opponent.

    Attributes
    ----------
    columns
        Those of each row's player as an opponent.
    numbers
        The number of each row's player in the heading.
    """

    columns: tuple[tuple[int, ...], ...]
    numbers: tuple[int, ...]

    def cell(self, table: Table, row: int, opponent: int) -> str:
        """Return what stands in a row under an opponent."""
        columns = self.columns[opponent]
        return spell(" ".join(table.cell(table.rows[row], column) for column in columns))

    def meetings(self, table: Table, points: Sequence[float | None]) -> list[Meeting]:
        """Read the games of each player.

        Parameters
        ----------
        table
            Where to tell what is assumed.
        points
            Those that the table declares.

        Returns
        -------
        list of Meeting
            Such a table does not tell rounds, nor colors: games are put into the rounds of the
            Berger tables, and second games into a second cycle. Pairs that have not met are
            there, with a result that is not known.

        Raises
        ------
        UnreadableError
            If a cell cannot be read, or rounds and byes cannot be told at all, as in a Swiss.
        """
        size = len(table.rows)
        cells = {
            (row, other): text
            for row in range(size)
            for other in range(size)
            if row != other and (text := self.cell(table, row, other))
        }
        for (row, other), text in cells.items():
            if not _GAMES.fullmatch(text):
                line = table.rows[row]
                place = table.at(line, self.columns[other][0])
                raise UnreadableError(
                    f"{place}: {text[:40]!r} is no result", line=line.line, code="cell-unread"
                )
        cycles = Counter(len(_GAME.findall(text)) for text in cells.values()).most_common(1)[0][0]
        games = {pair: _games_of(text, cycles) for pair, text in cells.items()}
        signs = not any(code in "0123½" for codes in games.values() for code in codes)
        signs &= any(code in "=+" for codes in games.values() for code in codes)
        if signs:
            table.doubts.add(
                "cells-assumed",
                "no cell has 1 or 0: + = - are games won, drawn and lost",
                "warning",
            )
        self._missing(table, games, points, cycles)
        _uneven(table, games)
        rounds = size - 1 + size % 2
        found = []
        for pair, codes in games.items():
            first = berger_round(self.numbers[pair[0]], self.numbers[pair[1]], size)
            found += [
                Meeting(first + cycle * rounds, *pair, _code(code, signs=signs))
                for cycle, code in enumerate(codes)
            ]
        table.doubts.add(
            "rounds-assumed",
            "a table of all against all tells no rounds and no colors: games are put into the "
            "rounds of the Berger tables; what depends on the order of rounds is not to be trusted",
            "warning",
        )
        return found

    def _missing(
        self,
        table: Table,
        games: dict[tuple[int, int], list[str]],
        points: Sequence[float | None],
        cycles: int,
    ) -> None:
        """Add the games that were not played to `games`, unless the table is one of a Swiss."""
        size = len(table.rows)
        pairs = [(row, other) for row in range(size) for other in range(row)]
        missing = [pair for pair in pairs if not ({pair, pair[::-1]} & games.keys())]
        if not missing:
            return
        texts = (*table.above, *table.sheet.titles[-2:])
        swiss = next((text for text in texts if _SWISS.search(text)), None)
        byes = _more_points(games, points)
        few = len(pairs) - len(missing) < _ENOUGH * len(pairs)
        if swiss or byes or few:
            reason = (
                f"it is called {swiss[:60]!r}" if swiss
                else f"{table.name(table.rows[byes[0]])} has more points than games in it" if byes
                else f"{len(missing)} of {len(pairs)} pairs have not met"
            )  # fmt: skip
            raise UnreadableError(
                "a column for each opponent, but not everybody met everybody: rounds and byes "
                f"cannot be told from such a table ({reason}); take one with a column for each "
                "round",
                line=table.rows[0].line,
                code="rounds-unknown",
            )
        for pair in missing:
            games[pair] = ["*"] * cycles
            games[pair[::-1]] = ["*"] * cycles
        table.doubts.add(
            "games-missing",
            f"{len(missing)} of {len(pairs)} pairs have no result: not known (*)",
            "warning",
        )


def _more_points(
    games: dict[tuple[int, int], list[str]], points: Sequence[float | None]
) -> list[int]:
    """Return the rows whose players have more points than the cells bring."""
    worth = {"1": 1.0, "½": 0.5, "=": 0.5, "+": 1.0}
    made = [0.0] * len(points)
    for (row, _), codes in games.items():
        made[row] += sum(worth.get(code, 0.0) for code in codes)
    usual = not any(code in "23" for codes in games.values() for code in codes)
    return [
        row
        for row, declared in enumerate(points)
        if usual and declared is not None and declared > made[row] + 0.01
    ]


def _uneven(table: Table, games: dict[tuple[int, int], list[str]]) -> None:
    """Refuse a pair with more games in one row than in the other."""
    for (row, other), codes in games.items():
        theirs = games.get((other, row), codes)
        if len(codes) != len(theirs):
            names = [table.name(table.rows[place]) for place in (row, other)]
            raise UnreadableError(
                f"{names[0]} has {len(codes)} games against {names[1]}, whose row has "
                f"{len(theirs)}: {' '.join(codes)} and {' '.join(theirs)}",
                line=table.rows[row].line,
                code="games-uneven",
            )


def _games_of(text: str, cycles: int) -> list[str]:
    """Split a cell into games; ``+-`` is one game, unless two are usual."""
    games = _GAME.findall(text)
    single = _SINGLE.findall(text)
    if len(games) != cycles and len(single) == cycles:
        return single
    return [game if len(game) == 1 else game[0] for game in games]


def _code(sign: str, *, signs: bool) -> str:
    if signs and sign in "+-":
        return "1" if sign == "+" else "0"
    return _CODES.get(sign.lower(), sign)


def matrix_of(table: Table) -> Matrix | None:
    """Tell whether a table has a column for each opponent, and which.

    Parameters
    ----------
    table
        With its rows.

    Returns
    -------
    Matrix or None
        Columns may be headed by numbers (of the rows, or those that players have) or by names.
    """
    heading = table.heading
    size = len(table.rows)
    if size < 2:
        return None
    if heading.rounds:
        if not heading.bare or sorted(heading.rounds) != list(range(1, size + 1)):
            return None
        known = candidates(table)
        for numbers in known.values():
            if sorted(numbers) == list(range(1, size + 1)):
                columns = tuple(heading.rounds[number] for number in numbers)
                if _fits(table, matrix := Matrix(columns, tuple(numbers))):
                    return matrix
        return None
    width = len(heading.names)
    taken = set(heading.places.values())
    for start in range(width - size + 1):
        if taken.isdisjoint(range(start, start + size)):
            columns = tuple((column,) for column in range(start, start + size))
            if _fits(table, matrix := Matrix(columns, tuple(range(1, size + 1))), marked=True):
                return matrix
    return None


def _fits(table: Table, matrix: Matrix, *, marked: bool = False) -> bool:
    """Whether nobody meets himself, and what stands elsewhere are games."""
    size = len(table.rows)
    own = [matrix.cell(table, row, row) for row in range(size)]
    if not all(_SELF.fullmatch(text.replace(" ", "")) for text in own) or (marked and not all(own)):
        return False
    others = [
        text
        for row in range(size)
        for other in range(size)
        if row != other and (text := matrix.cell(table, row, other))
    ]
    read = sum(_GAMES.fullmatch(text) is not None for text in others)
    # Without a mark anywhere, it is nobody's own place that is empty, and not much else.
    marks = any(own) or len(others) >= _ENOUGH * size * (size - 1)
    return bool(others) and read >= 0.8 * len(others) and marks


def berger_round(one: int, other: int, players: int) -> int:
    """Return the round in which two players meet in the Berger tables.

    Examples
    --------
    Of four players, 1-4 and 2-3 are round 1, 4-3 and 1-2 round 2, 2-4 and 3-1 round 3.

    >>> [berger_round(*pair, 4) for pair in ((1, 4), (2, 3), (3, 4), (1, 2), (2, 4), (1, 3))]
    [1, 1, 2, 2, 3, 3]
    """
    even = players + players % 2
    low, high = sorted((one, other))
    total = 2 * low if high == even else low + high
    return (total - 2) % (even - 1) + 1
