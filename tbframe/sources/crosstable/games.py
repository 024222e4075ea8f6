"""The games of a crosstable: its cells read, its opponents found, and both sides compared."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from tbframe.sources.crosstable.cells import OPEN, Cell, read_cells
from tbframe.sources.crosstable.matrix import Matrix, matrix_of
from tbframe.sources.crosstable.mirrors import Contradictions, compare_rows
from tbframe.sources.crosstable.notation import notation_of
from tbframe.sources.crosstable.numbering import Numbers, candidates, number_rows
from tbframe.sources.crosstable.players import declared_points
from tbframe.sources.crosstable.spelling import mends, spell
from tbframe.sources.crosstable.tables import Table
from tbframe.sources.crosstable.worth import Rows, count_otherwise, settle
from tbframe.sources.unreadable import UnreadableError

__all__ = ["Read", "games_of"]

#: A player that stands for nobody, so that the others have a number to be paired with.
_NOBODY: Final = re.compile(
    r"\W*(?:bye|spielfrei|frei|freilos|exempt|libre|descansa|vrij|wolny los|volno|свободен)\W*",
    re.IGNORECASE,
)
_AGAINST_NOBODY: Final = {"1": "U", "+": "U", "=": "H", "0": "Z", "-": "Z"}


@dataclass(frozen=True)
class Read:
    """What the cells of a table say.

    Attributes
    ----------
    results
        As for `from_results`, without the tournament.
    keys
        The player of each row.
    points
        Those that the table declares.
    rounds
        How many columns of rounds there are.
    columns
        Those of the table that have games.
    facts
        What follows for the tournament, by the columns of its frame.
    """

    results: pl.DataFrame
    keys: list[int]
    points: list[float | None]
    rounds: int
    columns: frozenset[int]
    facts: dict[str, Any]


def games_of(table: Table, asked: Numbers | None, contradictions: Contradictions) -> Read:
    """Read the games of a table.

    Parameters
    ----------
    table
        Where to tell what is assumed.
    asked
        What opponents are numbered by, where the user says it.
    contradictions
        As of `mirrors.compare_rows`.

    Raises
    ------
    UnreadableError
        If a cell cannot be read, or rows contradict each other.
    """
    points = declared_points(table)
    matrix = matrix_of(table)
    if matrix is None:
        games = _cells(table)
        _insist_on_opponents(table, games)
        numbers = number_rows(table, games, asked)
        kept = _without_nobody(table, numbers, games)
        games, numbers = [games[at] for at in kept], [numbers[at] for at in kept]
        points, table.rows = [points[at] for at in kept], [table.rows[at] for at in kept]
    else:
        games = _meetings(table, matrix, points)
        numbers = list(matrix.numbers)
    _played_only(table, games)
    facts = count_otherwise(table, numbers, games)
    compare_rows(table, numbers, games, contradictions)
    if facts.get("kind") != "team":
        facts = {**facts, "scoring": settle(table, games, points, facts.get("scoring"))}
    else:
        settle(table, games, [None] * len(games), "W=2 D=1 L=0 U=1")
    if matrix is not None:
        facts["pairing"] = "predetermined"
    known = candidates(table)
    keys = known.get("start", numbers)
    if keys != numbers:
        table.doubts.add(
            "keys-chosen",
            "the keys of players are their starting numbers, whatever opponents are numbered by",
        )
    rounds = max((number for each in games for number in each), default=0)
    of_games = [] if matrix is None else [column for each in matrix.columns for column in each]
    results = _results(keys, numbers, games)
    return Read(results, keys, points, rounds, frozenset(of_games), facts)


def _cells(table: Table) -> Rows:
    """Read the cells of all rounds."""
    raw = [
        {
            number: spell(" ".join(table.cell(row, column) for column in columns))
            for number, columns in table.heading.rounds.items()
        }
        for row in table.rows
    ]
    broken = sum(
        mends(table.cell(row, column))
        for row in table.rows
        for columns in table.heading.rounds.values()
        for column in columns
    )
    if broken:
        text = f"a broken character at the end of a cell is read as ½: {broken}"
        table.doubts.add("cells-mended", text, "warning")
    notation, doubts = notation_of(text for texts in raw for text in texts.values() if text)
    for doubt in doubts:
        table.doubts.add("cells-assumed", doubt, "warning" if "open" in doubt else "info")
    unsure: Counter[str] = Counter()
    games: Rows = []
    for row, texts in zip(table.rows, raw, strict=True):
        rounds: dict[int, list[Cell]] = {}
        for number, text in texts.items():
            cells = read_cells(text, notation) if text else []
            if cells is None:
                place = table.at(row, table.heading.rounds[number][0])
                raise UnreadableError(
                    f"{place}: {text[:40]!r} is no result of a round (cells are read as "
                    f"{notation.order})",
                    line=row.line,
                    code="cell-unread",
                )
            unsure.update(cell.unsure for cell in cells if cell.unsure)
            rounds[number] = cells
        games.append(rounds)
    for text, times in unsure.items():
        table.doubts.add("cells-assumed", f"{text}: {times}")
    return games


def _insist_on_opponents(table: Table, games: Rows) -> None:
    """Refuse a table that tells results of rounds, and not against whom.

    Raises
    ------
    UnreadableError
        If more cells have points without an opponent than with one.
    """
    cells = [cell for rounds in games for each in rounds.values() for cell in each]
    alone = sum(cell.opponent is None and cell.result in ("U", "H", "+") for cell in cells)
    met = sum(cell.opponent is not None for cell in cells)
    if alone > met:
        raise UnreadableError(
            f"{alone} cells have points and name no opponent, and {met} name one: who met whom "
            "cannot be told from such a table",
            line=table.rows[0].line,
            code="opponents-missing",
        )


def _meetings(table: Table, matrix: Matrix, points: Sequence[float | None]) -> Rows:
    """Bring the games of all against all to rounds."""
    games: Rows = [{} for _ in table.rows]
    for meeting in matrix.meetings(table, points):
        cell = Cell(matrix.numbers[meeting.opponent], None, meeting.result)
        games[meeting.row].setdefault(meeting.round, []).append(cell)
    rounds = {number for each in games for number in each}
    for each in games:
        for number in rounds - each.keys():  # one is free where their number is odd
            each[number] = [Cell(None, None, "Z")]
    return games


def _without_nobody(table: Table, numbers: Sequence[int], games: Rows) -> list[int]:
    """Read games against a row that stands for nobody as byes; return the other rows."""
    rows = {at for at, row in enumerate(table.rows) if _NOBODY.fullmatch(table.name(row))}
    nobody = {numbers[at] for at in rows}
    for rounds in games if nobody else ():
        for cells in rounds.values():
            cells[:] = [
                Cell(None, None, _AGAINST_NOBODY.get(cell.result, OPEN))
                if cell.opponent in nobody
                else cell
                for cell in cells
            ]
    if nobody:
        text = "a row that stands for nobody is left out: games against it are byes"
        table.doubts.add("bye-rows", text)
    return [at for at in range(len(table.rows)) if at not in rows]


def _played_only(table: Table, games: Rows) -> None:
    """Leave out the rounds that nobody has anything of yet."""
    numbers = sorted({number for rounds in games for number in rounds})
    for number in reversed(numbers):
        cells = [cell for rounds in games for cell in rounds.get(number, [])]
        if any(cell.opponent is not None or cell.result not in ("Z", OPEN) for cell in cells):
            return
        for rounds in games:
            rounds.pop(number, None)
        if cells:
            table.doubts.add("round-left-out", "nobody has an opponent or a point", round=number)


def _results(keys: Sequence[int], numbers: Sequence[int], games: Rows) -> pl.DataFrame:
    key_of = dict(zip(numbers, keys, strict=True))
    # Whoever has no row of his own gets a key that nobody has.
    free = max([*keys, *numbers], default=0)
    rows = []
    for key, rounds in zip(keys, games, strict=True):
        for number, cells in rounds.items():
            for game, cell in enumerate(cells, start=1):
                opponent = cell.opponent
                if opponent is not None:
                    opponent = key_of.get(
                        opponent, opponent if keys == numbers else free + opponent
                    )
                rows.append((number, key, opponent, cell.color, cell.result, game, cell.points))
    schema = {"round": pl.Int32, "player": pl.Int64, "opponent": pl.Int64, "color": pl.String,
              "result": pl.String, "game": pl.Int32, "game_points": pl.Float64}  # fmt: skip
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    return frame if frame["game_points"].count() else frame.drop("game_points")
