"""Which numbers the opponents of a crosstable have: ranks, starting numbers, or rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from tbframe.sources.crosstable.cells import Cell
from tbframe.sources.crosstable.tables import Table
from tbframe.sources.unreadable import UnreadableError

__all__ = ["Numbers", "candidates", "number_rows"]

#: What opponents may be numbered by.
Numbers = Literal["rank", "start", "row"]
#: The cells of a player, by round; several where he had several games.
Rounds = Mapping[int, Sequence[Cell]]
#: Below this share of games that stand in both rows, no way of counting is right.
_ENOUGH: Final = 0.5
_IN_WORDS: Final[Mapping[str, str]] = {
    "rank": "their rank", "start": "their starting number", "row": "their row, counted through",
}  # fmt: skip


def candidates(table: Table) -> dict[Numbers, list[int]]:
    """List the numbers that players may have as opponents.

    Parameters
    ----------
    table
        With its rows. Columns with a number of its own for every player are taken.

    Returns
    -------
    dict
        For each way of counting, the numbers of the rows.
    """
    found: dict[Numbers, list[int]] = {}
    known = table.heading.places
    kinds: tuple[tuple[Numbers, str], ...] = (("rank", "rank"), ("start", "number"))
    columns = {way: known[kind] for way, kind in kinds if kind in known}
    if not columns:  # a first column without a heading
        columns = {"start": 0} if not table.heading.names[0].strip() else {}
    for way, column in sorted(columns.items(), key=lambda item: item[1]):
        texts = [text.rstrip(". )") for text in table.column(column)]
        if all(text.isascii() and text.isdigit() and len(text) <= 5 for text in texts):
            numbers = [int(text) for text in texts]
            if len(set(numbers)) == len(numbers) and min(numbers) > 0:
                found[way] = numbers
    rows = list(range(1, len(table.rows) + 1))
    if rows not in found.values():
        found["row"] = rows
    return found


def number_rows(table: Table, games: Sequence[Rounds], asked: Numbers | None) -> list[int]:
    """Find the numbers under which players stand as opponents.

    Parameters
    ----------
    table
        That is right under which most games stand in both rows; what was taken, and whether
        others fit as well, is told.
    games
        The cells of each row.
    asked
        What the user says they are.

    Returns
    -------
    list of int
        For each row.

    Raises
    ------
    UnreadableError
        If rows contradict each other whatever the numbers are, or there are none of the kind
        asked for.
    """
    known = candidates(table)
    if asked is not None:
        if asked == "row":
            return list(range(1, len(table.rows) + 1))
        if asked not in known:
            raise UnreadableError(
                f"numbers={asked!r}: there is no column with a number of its own for every player",
                line=table.rows[0].line,
                code="numbers-missing",
            )
        return known[asked]
    total = sum(
        cell.opponent is not None for row in games for cells in row.values() for cell in cells
    )
    scores = {way: _mirrored(numbers, games) for way, numbers in known.items()}
    chosen = max(scores, key=lambda way: scores[way])  # the first, where several are best
    if not total:
        return known[chosen]
    if scores[chosen] < _ENOUGH * total:
        tried = "; ".join(f"{_IN_WORDS[way]}: {scores[way]}" for way in known)
        raise UnreadableError(
            f"of {total} games few stand in the rows of both players, whatever the opponents are "
            f"numbered by ({tried})",
            line=table.rows[0].line,
            code="opponents-contradict",
        )
    rivals = [way for way, score in scores.items() if score == scores[chosen] and way != chosen]
    text = (
        f"opponents are numbered by {_IN_WORDS[chosen]}: {scores[chosen]} of {total} games stand "
        "in both rows"
    )
    if rivals:
        text += f"; {' and '.join(_IN_WORDS[way] for way in rivals)} would fit as well"
    sure = scores[chosen] == total and not rivals
    table.doubts.add("opponents-numbered", text, "info" if sure else "warning")
    return known[chosen]


def _mirrored(numbers: Sequence[int], games: Sequence[Rounds]) -> int:
    """Count the games that stand in the rows of both players, with other colors."""
    at = {number: row for row, number in enumerate(numbers)}
    count = 0
    for own, rounds in zip(numbers, games, strict=True):
        for number, cells in rounds.items():
            for place, cell in enumerate(cells):
                other = at.get(cell.opponent or 0)
                theirs = games[other].get(number, ()) if other is not None else ()
                if place < len(theirs) and theirs[place].opponent == own != cell.opponent:
                    count += cell.color is None or cell.color != theirs[place].color
    return count
