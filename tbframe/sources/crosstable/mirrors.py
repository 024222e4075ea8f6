"""What the rows of two players say of the same game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from tbframe.checks.mirrors import LEGAL
from tbframe.sources.crosstable.cells import Cell
from tbframe.sources.crosstable.tables import Table
from tbframe.sources.unreadable import UnreadableError

__all__ = ["Contradictions", "Games", "compare_rows"]

#: What becomes of a table whose rows contradict each other.
Contradictions = Literal["quarantine", "keep"]
#: The cells of a player, by round; several where he had several games.
Games = Sequence[Mapping[int, Sequence[Cell]]]
_UNEVEN: Final = ("=0", "0=")
#: Who did not come may have no opponent in his own row.
_ABSENT: Final = ("+", "-", "Z", "*")
#: So many are told in the reason of a refusal.
_SOME: Final = 3


@dataclass(frozen=True)
class _Clash:
    round: int
    row: int
    code: str
    message: str
    grave: bool = True


def compare_rows(
    table: Table, numbers: Sequence[int], games: Games, contradictions: Contradictions
) -> None:
    """Look whether the rows of both players of each game agree.

    Parameters
    ----------
    table
        Where to tell what they do not agree on.
    numbers
        Of the rows, as opponents have them.
    games
        The cells of each row, with result codes.
    contradictions
        Whether games of which both rows cannot be true set the table aside.

    Raises
    ------
    UnreadableError
        If they do, and there is one.
    """
    clashes = list(_clashes(table, numbers, games))
    grave = [clash for clash in clashes if clash.grave]
    if grave and contradictions == "quarantine":
        some = "; ".join(f"round {clash.round}: {clash.message}" for clash in grave[:_SOME])
        more = f"; and {len(grave) - _SOME} more" if len(grave) > _SOME else ""
        raise UnreadableError(
            f"rows contradict each other: {some}{more} "
            '(read_crosstable(..., contradictions="keep") takes them as they stand)',
            line=table.rows[grave[0].row].line,
            code=grave[0].code,
        )
    for clash in clashes:
        table.doubts.add(
            clash.code,
            clash.message,
            "error" if clash.grave else "warning",
            line=table.rows[clash.row].line,
            round=clash.round,
            player=numbers[clash.row],
        )


def _clashes(table: Table, numbers: Sequence[int], games: Games) -> Iterator[_Clash]:
    at = {number: row for row, number in enumerate(numbers)}
    for row, rounds in enumerate(games):
        for number, cells in rounds.items():
            for place, cell in enumerate(cells):
                if cell.opponent is None:
                    continue
                side = _Side(table, number, row, numbers[row], cell)
                other = at.get(cell.opponent)
                theirs = () if other is None else games[other].get(number, ())
                yield from side.against(other, theirs[place] if place < len(theirs) else None)


@dataclass(frozen=True)
class _Side:
    """A game as the row of one player has it."""

    table: Table
    round: int
    row: int
    own: int
    cell: Cell

    def against(self, other: int | None, mirror: Cell | None) -> Iterator[_Clash]:
        """Compare it with the cell in the opponent's row."""
        cell, who = self.cell, self._who(self.row)
        if cell.opponent == self.own:
            yield self._clash("meets-himself", f"{who} meets himself")
        elif other is None:
            text = f"{who}: there is no player with the number {cell.opponent}"
            yield self._clash("opponent-without-row", text, grave=False)
        elif mirror is None or mirror.opponent is None:
            excused = cell.result in ("+", "-", "*")
            excused &= mirror is None or mirror.result in _ABSENT
            text = f"{who} has a game against {cell.opponent}, and {self._who(other)} has none"
            yield self._clash("mirror-missing", text, grave=not excused)
        elif mirror.opponent != self.own:
            text = f"{who} has a game against {cell.opponent}, and {self._who(other)} one against"
            yield self._clash("opponents-disagree", f"{text} {mirror.opponent}")
        elif self.row < other:
            both = f"{who} and {self._who(other)}"
            codes = cell.result + mirror.result
            if codes not in LEGAL and codes not in _UNEVEN:
                text = f"{both} have {cell.result} and {mirror.result}: not two sides of one game"
                yield self._clash("results-disagree", text)
            if cell.color is not None and cell.color == mirror.color:
                yield self._clash("colors-disagree", f"{both} both have {cell.color}", grave=False)

    def _who(self, row: int) -> str:
        line = self.table.rows[row]
        return f"row {line.line} ({self.table.name(line)[:30]})"

    def _clash(self, code: str, message: str, *, grave: bool = True) -> _Clash:
        return _Clash(self.round, self.row, code, message, grave)
