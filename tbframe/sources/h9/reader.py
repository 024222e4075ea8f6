"""An h9 file as an archive.

A game stands on the lines of both players; what they say of each other is compared, and nothing is
changed. The scores that the file gives are kept under their own names in the players frame, and
from the McMahon score among them follows the score that each player began with.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from tbframe.sources.gathering import Gathered
from tbframe.sources.h9.columns import part_columns
from tbframe.sources.h9.mirrors import compare_lines
from tbframe.sources.h9.rows import CELL, Cell, Row, column_names, parse_row, parse_tags, read_cell
from tbframe.sources.h9.scores import Made, Scores, Starts, criteria_of, name_scores, start_scores
from tbframe.sources.making import Doubts, key_of
from tbframe.sources.unreadable import UnreadableError

__all__ = ["looks_like_h9", "read_h9"]

_TAG: Final = re.compile(rb"^[ \t]*;[ \t]*(?:CL|EV|PC|DT|TC|KM|TM|HA)\[", re.MULTILINE)
_ROW: Final = re.compile(
    rb"^[ \t]*\d{1,4}[ \t][^\n;\[]{1,80}\s\d{1,2}[dkpDKP]\s[^\n]{0,200}?\s\d{1,4}[+\-=][/!\s]",
    re.MULTILINE,
)
_PLAYED: Final = {"+": "1", "-": "0", "=": "=", "?": "*"}
#: ``=`` by absence: half a point, as a half-point bye has it.
_BY_ABSENCE: Final = {"+": "+", "-": "-", "=": "H", "?": "*"}
_ALONE: Final = {"+": "U", "-": "Z", "=": "H", "?": "Z"}
_WORTH: Final = {"1": 1.0, "+": 1.0, "=": 0.5, "U": 1.0, "H": 0.5}


def looks_like_h9(head: bytes, path: Path) -> bool:
    r"""Tell by tags and rows, or by the ending and either of them, whether a file is of this kind.

    Examples
    --------
    >>> looks_like_h9(b"; EV[Cup]\n1 Doe Jo 5d UA Kyiv 3 2+ 3+\n", Path("cup.txt"))
    True
    """
    if path.suffix.lower() == ".h9":
        return True
    return _TAG.search(head) is not None and _ROW.search(head) is not None


def read_h9(path: Path) -> list[Gathered]:
    """Read an h9 file.

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    list of Gathered
        One tournament, called by the name of the file; the players' keys are their places, or
        the numbers of their lines where places are shared. ``results`` has ``handicap`` where the
        file tells it; ``players`` has ``grade``, ``club``, ``start_score`` (of a McMahon
        tournament) and the scores of the file under their own names.

    Raises
    ------
    UnreadableError
        If there is no player in it, or a player meets himself.
    """
    doubts = Doubts()
    text = doubts.text(path)
    lines = text.splitlines()
    rows = _rows(lines, doubts)
    numbers = _numbers(rows, doubts)
    columns = part_columns(rows, doubts)
    games = [[read_cell(word) for word in cells] for cells in columns.rounds]
    _tell_open(columns.rounds, rows, doubts)
    compare_lines(rows, numbers, games, doubts)
    names, names_behind = column_names(lines)
    before, after = columns.before, columns.after
    # Some files have all their scores behind the rounds.
    if any(before):
        scores, others = name_scores(names, before), name_scores(names_behind, after, " (behind)")
    else:
        scores, others = name_scores(names_behind, after), name_scores((), before)
    if others.has_mcmahon and not scores.has_mcmahon:
        scores, others = others, scores
    start = start_scores(scores, [_made(cells) for cells in games], rows, doubts)
    criteria = criteria_of(scores, mcmahon=start is not None)
    rounds = max(len(cells) for cells in games)
    return [
        Gathered(
            path,
            key_of(path),
            _results(numbers, games),
            _players(rows, numbers, start, (scores, others)),
            {
                **_tournament(parse_tags(lines), doubts),
                "rounds": rounds,
                "criteria": criteria,
                "keep_halves": int(start is not None and start.keep_halves),
            },
            doubts,
        )
    ]


def _rows(lines: Sequence[str], doubts: Doubts) -> list[Row]:
    """Read the lines of the players."""
    rows = []
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip().startswith(";"):
            continue
        if (row := parse_row(line, number)) is not None and row.words:
            rows.append(row)
        else:
            text = f"no line of a player: {line.strip()[:60]!r}"
            doubts.add("line-ignored", text, "warning", line=number)
    if not any(CELL.fullmatch(word) for row in rows for word in row.words):
        raise UnreadableError("there is no player with games in it", code="no-players")
    return rows


def _tell_open(rounds: Sequence[Sequence[str]], rows: Sequence[Row], doubts: Doubts) -> None:
    """Tell of rounds of which the file knows nothing."""
    lines = [row.line for row, words in zip(rows, rounds, strict=True) if "?" in words]
    if lines:
        text = f"{len(lines)} lines have rounds marked ?, of which nothing is known: read as absent"
        doubts.add("round-unknown", text, "warning", line=lines[0])


def _numbers(rows: Sequence[Row], doubts: Doubts) -> list[int]:
    """Give the players the numbers of their places, or of their lines where these are shared."""
    places = [row.place for row in rows]
    if None not in places and len(set(places)) == len(places):
        return [place for place in places if place is not None]
    # Whoever shares a place has a number of his own all the same: that of his line.
    text = "places are shared or left open: players are numbered line by line"
    doubts.add("places-shared", text)
    return list(range(1, len(places) + 1))


def _code(cell: Cell) -> str:
    if not cell.opponent:
        return _ALONE[cell.sign]
    return (_BY_ABSENCE if cell.absence else _PLAYED)[cell.sign]


def _made(cells: Sequence[Cell]) -> Made:
    """Sum up the points of a player, those of games and the others apart, as in go.MMS."""
    games = sum(_WORTH.get(_code(cell), 0.0) for cell in cells if cell.opponent)
    return Made(games, sum(_WORTH.get(_code(cell), 0.0) for cell in cells if not cell.opponent))


def _results(numbers: Sequence[int], games: Sequence[Sequence[Cell]]) -> list[dict[str, Any]]:
    told = any(cell.handicap is not None for cells in games for cell in cells)
    rows = []
    for player, cells in zip(numbers, games, strict=True):
        for number, cell in enumerate(cells, start=1):
            code = _code(cell)
            # By absence and with half a point each is no game of two: the opponent is not met.
            met = cell.opponent and code != "H"
            row = {"round": number, "player": player, "opponent": cell.opponent if met else None,
                   "color": cell.color if met else None, "result": code}  # fmt: skip
            if told:
                row["handicap"] = cell.handicap
            rows.append(row)
    return rows


def _players(
    rows: Sequence[Row],
    numbers: Sequence[int],
    start: Starts | None,
    columns: tuple[Scores, Scores],
) -> list[dict[str, Any]]:
    players: list[dict[str, Any]] = []
    rank: int | None = None
    for line, (row, number) in enumerate(zip(rows, numbers, strict=True)):
        rank = rank if row.place is None else row.place
        about = {"player": number, "name": row.name, "grade": row.grade, "club": row.club,
                 "federation": row.country, "id": row.pin, "rank": rank}  # fmt: skip
        if start is not None:
            about["start_score"] = start.scores[line]
        for group in columns:
            about.update(zip(group.names, group.values[line], strict=True))
        players.append(about)
    return players


def _tournament(tags: dict[str, str], doubts: Doubts) -> dict[str, Any]:
    nation, _, city = tags.get("PC", "").lstrip(",").partition(",")
    begin, _, end = tags.get("DT", "").partition(",")
    return {
        "name": tags.get("EV") or None,
        "federation": (nation.strip() or None) if city else None,
        "city": (city or nation).strip() or None,
        "start": doubts.date(begin, "DT"),
        "end": doubts.date(end or begin, "DT"),
        "kind": "individual",
        "type": f"Go, class {tags['CL']}" if tags.get("CL") else "Go",
        "time_control": tags.get("TM") or None,
    }
