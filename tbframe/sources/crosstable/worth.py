"""What results and rounds without an opponent are worth, as far as the cells leave it open.

Some tables count otherwise than 1, ½, 0: draughts with 2, 1, 0, others with 3, 1, 0, and those of
teams show the points of all boards. And a round that is blank, or a bye without its points, may be
worth something or nothing; the points that the table declares decide that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from tbframe.scoring import parse_scoring
from tbframe.sources.crosstable.cells import OPEN, Cell
from tbframe.sources.crosstable.mirrors import Games
from tbframe.sources.crosstable.tables import Table
from tbframe.sources.trf.points import CANDIDATES
from tbframe.sources.unreadable import UnreadableError

__all__ = ["count_otherwise", "settle"]

#: The cells of a player that may be changed.
Rows = list[dict[int, list[Cell]]]
_TOLERANCE: Final = 0.01
#: Scorings in which the numbers of both sides of a game are these.
_SCALES: Final = (
    ("W=2 D=1 L=0", {(2.0, 0.0), (1.0, 1.0), (0.0, 2.0)}),
    ("W=3 D=1 L=0", {(3.0, 0.0), (1.0, 1.0), (0.0, 3.0)}),
)


def count_otherwise(table: Table, numbers: Sequence[int], games: Rows) -> dict[str, Any]:
    """Bring results that are numbers beyond 1 to codes.

    Parameters
    ----------
    table
        Where to tell how they are read.
    numbers
        Of the rows, as opponents have them.
    games
        The cells of each row; those with numbers are replaced.

    Returns
    -------
    dict
        What follows for the tournament, by the columns of its frame.

    Raises
    ------
    UnreadableError
        If the numbers of both sides fit no scoring, and no matches of teams.
    """
    values = {value for cell in _cells(games) if (value := cell.value) is not None}
    if not any(value > 1 for value in values):
        return {}
    sides = _sides(numbers, games)
    pairs = {(side.value, side.theirs) for side in sides if side.theirs is not None}
    scoring = next((text for text, fitting in _SCALES if pairs <= fitting), None)
    if scoring is not None and values <= {value for pair in pairs for value in pair}:
        _replace(sides, team=False)
        text = f"results are numbers up to {max(values):g}: read as points under {scoring}"
        table.doubts.add("scoring-assumed", text, "warning")
        return {"scoring": scoring}
    sums = Counter(one + other for one, other in pairs)
    if not sums:
        raise UnreadableError(
            f"a result of {max(values):g}, and no row of an opponent to compare it with",
            line=table.rows[0].line,
            code="results-unread",
        )
    boards = max(sums)
    if boards != int(boards) or boards < 2:
        raise UnreadableError(
            f"a result of {max(values):g} is none of 1, ½, 0, and both sides together have "
            f"{boards:g}",
            line=table.rows[0].line,
            code="results-unread",
        )
    _replace(sides, team=True)
    table.doubts.add(
        "teams-assumed",
        f"results are numbers of up to {boards:g} for both sides together: read as board points of "
        f"teams with {boards:g} boards, whose matches bring 2, 1, 0",
        "warning",
    )
    return {"kind": "team", "boards": int(boards)}


def _cells(games: Games) -> list[Cell]:
    return [cell for rounds in games for cells in rounds.values() for cell in cells]


@dataclass(frozen=True)
class _Side:
    """A cell with a number for its result, and what the opponent's cell about the game has."""

    rounds: dict[int, list[Cell]]
    number: int
    place: int
    value: float
    theirs: float | None


def _sides(numbers: Sequence[int], games: Rows) -> list[_Side]:
    at = {number: row for row, number in enumerate(numbers)}
    found = []
    for own, rounds in zip(numbers, games, strict=True):
        for number, cells in rounds.items():
            for place, cell in enumerate(cells):
                if cell.opponent is None or (value := cell.value) is None:
                    continue
                row = at.get(cell.opponent)
                theirs = [] if row is None else games[row].get(number, [])[place : place + 1]
                same = [mirror.value for mirror in theirs if mirror.opponent == own]
                found.append(_Side(rounds, number, place, value, same[0] if same else None))
    return found


def _replace(sides: Sequence[_Side], *, team: bool) -> None:
    """Write codes for numbers: who has more than the opponent has won."""
    for side in sides:
        theirs = side.theirs
        more = theirs is not None and side.value > theirs
        code = "*" if theirs is None else "1" if more else "=" if side.value == theirs else "0"
        cells = side.rounds[side.number]
        points = side.value if team else None
        cells[side.place] = replace(cells[side.place], result=code, points=points)


def settle(
    table: Table, games: Rows, points: Sequence[float | None], scoring: str | None
) -> str | None:
    """Decide what blank rounds and byes without points are worth, and how games count.

    Parameters
    ----------
    table
        Where to tell what is assumed.
    games
        The cells of each row, all rounds of the table; open ones are replaced.
    points
        Those that the table declares.
    scoring
        Where it is known; else one under which the points of all players are right is looked
        for.

    Returns
    -------
    str or None
        The scoring; None for the usual one.
    """
    if scoring is None:
        scoring = _scoring_of(table, games, points)
    worth = parse_scoring(scoring)
    blank = 0
    for place, rounds in enumerate(games):
        open_ = [number for number, cells in rounds.items() if _is_open(cells)]
        if not open_:
            continue
        byes = [number for number in open_ if rounds[number]]
        gap = _gap(rounds, points[place], worth)
        code, sure = _code_of(gap, open_, byes, worth)
        for number in open_:
            bye = bool(rounds[number])
            given = code if bye or code in "HU" else "Z"
            if bye and not sure:
                given = "U"
            rounds[number] = [Cell(None, None, given)]
            if not bye and given == "Z":
                blank += 1
                continue
            why = "which the declared points want" if sure else "whose worth nothing tells"
            what = "a bye without points" if bye else "a blank round"
            table.doubts.add(
                "bye-assumed",
                f"{what}, {why}: read as {_NAMES[given]} ({given})",
                "info" if bye and sure else "warning",
                line=table.rows[place].line,
                round=number,
                player=table.name(table.rows[place]),
            )
    if blank:
        table.doubts.add("blank-rounds", f"blank rounds read as absence (Z): {blank}")
    return scoring


_NAMES: Final = {
    "U": "a pairing-allocated bye", "H": "a half-point bye", "Z": "absence", "F": "a full-point bye"
}  # fmt: skip


def _is_open(cells: Sequence[Cell]) -> bool:
    return not cells or any(cell.result == OPEN for cell in cells)


def _gap(
    rounds: dict[int, list[Cell]], declared: float | None, worth: dict[str, float]
) -> float | None:
    """Return by how much the declared points exceed those of the cells; None if not known."""
    cells = [cell for cells in rounds.values() for cell in cells]
    if declared is None or any(cell.result == "*" for cell in cells):
        return None
    return declared - sum(worth.get(cell.result, 0.0) for cell in cells)


def _code_of(
    gap: float | None, open_: Sequence[int], byes: Sequence[int], worth: dict[str, float]
) -> tuple[str, bool]:
    """Tell which bye open rounds are, and whether the declared points say so."""
    if gap is None:
        return "Z", False
    for code, rounds in (("Z", open_), ("U", byes), ("H", byes), ("H", open_)):
        if rounds and abs(gap - worth[code] * len(rounds)) < _TOLERANCE:
            return code, True
    if len(open_) == 1 and abs(gap - worth["U"]) < _TOLERANCE:
        return "U", True
    return "Z", False


def _scoring_of(table: Table, games: Rows, points: Sequence[float | None]) -> str | None:
    """Find the scoring under which the declared points of all players are right."""
    declared = [
        (rounds, said)
        for rounds, said in zip(games, points, strict=True)
        if said is not None and _gap(rounds, said, {}) is not None
    ]

    def wrong(system: str | None) -> int:
        worth = parse_scoring(system)
        count = 0
        for rounds, said in declared:
            open_ = [number for number, cells in rounds.items() if _is_open(cells)]
            byes = [number for number in open_ if rounds[number]]
            gap = _gap(rounds, said, worth)
            settled = _code_of(gap, open_, byes, worth)[1] if open_ else abs(gap or 0) < _TOLERANCE
            count += not settled
        return count

    if wrong(None) < 2 or not any(said for _, said in declared):
        return None
    for system in CANDIDATES:
        if not wrong(system):
            table.doubts.add(
                "scoring-assumed",
                f"the points are wrong under 1-½-0: under {system} those of every player are "
                "right, which is assumed",
                "warning",
            )
            return system
    return None
