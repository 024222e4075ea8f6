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

    def who(row: int) -> str:
        return f"row {table.rows[row].line} ({table.name(table.rows[row])[:30]})"

    for row, (own, rounds) in enumerate(zip(numbers, games, strict=True)):
        for number, cells in rounds.items():
            for place, cell in enumerate(cells):
                if cell.opponent is None:
                    continue
                if cell.opponent == own:
                    yield _Clash(number, row, "meets-himself", f"{who(row)} meets himself")
                    continue
                other = at.get(cell.opponent)
                if other is None:
                    text = f"{who(row)}: there is no player with the number {cell.opponent}"
                    yield _Clash(number, row, "opponent-without-row", text, grave=False)
                    continue
                theirs = games[other].get(number, ())
                mirror = theirs[place] if place < len(theirs) else None
                if mirror is None or mirror.opponent is None:
                    excused = mirror is None or mirror.result in _ABSENT
                    excused &= cell.result in ("+", "-", "*")
                    text = f"{who(row)} has a game against {cell.opponent}, and {who(other)} has none"
                    yield _Clash(number, row, "mirror-missing", text, grave=not excused)
                elif mirror.opponent != own:
                    text = (
                        f"{who(row)} has a game against {cell.opponent}, and {who(other)} one "
                        f"against {mirror.opponent}"
                    )
                    yield _Clash(number, row, "opponents-disagree", text)
                elif row < other:
                    yield from _sides(number, row, cell, mirror, f"{who(row)} and {who(other)}")


def _sides(number: int, row: int, cell: Cell, mirror: Cell, both: str) -> Iterator[_Clash]:
    codes = cell.result + mirror.result
    if codes not in LEGAL and codes not in _UNEVEN:
        text = f"{both} have {cell.result} and {mirror.result}: not two sides of one game"
        yield _Clash(number, row, "results-disagree", text)
    if cell.color is not None and cell.color == mirror.color:
        yield _Clash(number, row, "colors-disagree", f"{both} both have {cell.color}", grave=False)
