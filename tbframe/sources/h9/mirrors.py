"""What two lines of an h9 file say of the same game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tbframe.sources.h9.rows import Cell, Row
from tbframe.sources.making import Doubts
from tbframe.sources.unreadable import UnreadableError

__all__ = ["compare_lines"]


def compare_lines(
    rows: Sequence[Row],
    numbers: Sequence[int],
    games: Sequence[Sequence[Cell]],
    doubts: Doubts,
) -> None:
    """Tell of games that do not stand on the lines of both players in the same way.

    Parameters
    ----------
    rows, numbers, games
        The lines of the players, their numbers, and their rounds.
    doubts
        Where to tell it.

    Raises
    ------
    UnreadableError
        If a player meets himself.
    """
    at = {number: index for index, number in enumerate(numbers)}
    for row, own, cells in zip(rows, numbers, games, strict=True):
        for number, cell in enumerate(cells, start=1):
            place: dict[str, Any] = {"line": row.line, "round": number, "player": own}
            if cell.opponent == 0:
                continue
            if cell.opponent == own:
                text = f"player {own} meets himself in round {number}"
                raise UnreadableError(text, line=row.line, code="meets-himself")
            if cell.opponent not in at:
                text = f"opponent {cell.opponent} has no line of his own"
                doubts.add("opponent-without-line", text, "error", **place)
                continue
            theirs = games[at[cell.opponent]]
            mirror = theirs[number - 1] if number <= len(theirs) else Cell(0, "-")
            if mirror.opponent != own:
                text = f"the line of {cell.opponent} does not have this game"
                doubts.add("mirror-missing", text, "warning", **place)
            elif own < cell.opponent:
                _compare_sides(cell, mirror, place, doubts)


def _compare_sides(cell: Cell, mirror: Cell, place: dict[str, Any], doubts: Doubts) -> None:
    if "".join(sorted(cell.sign + mirror.sign)) not in {"+-", "==", "??"}:
        text = f"{cell.sign} here and {mirror.sign} on the line of {cell.opponent}"
        doubts.add("results-disagree", text, "warning", **place)
    if cell.color and cell.color == mirror.color:
        doubts.add("colors-disagree", f"both players have {cell.color}", "warning", **place)
    if (cell.handicap or 0) != (mirror.handicap or 0):
        text = f"{cell.handicap} stones here and {mirror.handicap} on the line of {cell.opponent}"
        doubts.add("handicap-disagrees", text, "warning", **place)
