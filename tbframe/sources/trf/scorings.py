"""Scoring systems of the files: records 162, XXS, BB* and 299."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.schema import RESULT_CODES
from tbframe.scoring import STANDARD, format_scoring, parse_scoring
from tbframe.sources.trf.countable import can_be_scored
from tbframe.sources.trf.grid import BLACK, CODE, NO_RESULT, Grid
from tbframe.sources.trf.notes import Notes
from tbframe.sources.trf.roster import Roster
from tbframe.sources.trf.sheet import Sheet

__all__ = ["Scorings", "read_scorings"]

_NUMBER: Final = r"([0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)"
#: Groups of nine columns in the regulations, of ten in some programs.
_GROUP_162: Final = re.compile(rf"\s*([A-Z])\s*{_NUMBER}(?=\s|$)")
_GROUP_XXS: Final = re.compile(rf"\s*([A-Z]+)\s*=\s*{_NUMBER}(?=[\s,;]|$)[,;]?")
_RECORD_299: Final = re.compile(r"299 (.) {2}(.{4}) {2}(.{4})(?: {2}(.{3})(?: (.*))?)?")
#: Match points and game points in other columns than the table of the regulations has
#: them, as in its own example: without a round or players there is nothing to confuse.
_LOOSE_299: Final = re.compile(r"299 (.)(\s+-?[0-9.,]+)??\s+(-?[0-9.,]+)()()")

#: Which codes a symbol sets, and for which colours.
_SYMBOLS: Final = {
    "162": {s: (codes, "wb") for s, codes in
            {"W": "W+F", "D": "DH", "L": "L", "A": "-Z", "P": "U"}.items()},
    "BB": {s: (codes, "wb") for s, codes in
           {"BBW": "W+F", "BBD": "DH", "BBL": "L", "BBZ": "Z", "BBF": "-", "BBU": "U"}.items()},
    "XXS": {
        "W": ("W+F", "wb"), "D": ("DH", "wb"), "L": ("L", "wb"), "WW": ("W", "w"),
        "BW": ("W", "b"), "WD": ("D", "w"), "BD": ("D", "b"), "WL": ("L", "w"), "BL": ("L", "b"),
        "ZPB": ("Z", "wb"), "HPB": ("H", "wb"), "FPB": ("F", "wb"), "PAB": ("U", "wb"),
        "FW": ("+", "wb"), "FL": ("-", "wb"),
    },
}  # fmt: skip
_SYMBOLS_299: Final = {code: code for code in "WDLFHZ+-"} | {"P": "U"}
#: Codes whose points move together: W is 1 unrated, and so on.
_TWINS: Final = {"W": "1W", "D": "=D", "L": "0L"}


@dataclass(frozen=True)
class _Award:
    """A record 299 for some rounds or players: their points for one code, or a penalty."""

    file: int
    line: int
    code: str
    points: float
    round: int
    numbers: tuple[int, ...]


@dataclass
class Scorings:
    """Points of each result code in each file.

    Attributes
    ----------
    white, black
        Files by codes, for either colour; the last columns are no result and nothing.
    declared
        True for each file with a record that declares its scoring.
    text
        The systems as `tbframe.scoring` writes them; null is 1, 1/2, 0.
    """

    white: NDArray[np.float64]
    black: NDArray[np.float64]
    declared: NDArray[np.bool_]
    text: list[str | None]
    by_color: bool = False
    awards: list[_Award] = field(default_factory=list)
    #: Records 299 that met no result when they were applied last.
    idle: list[_Award] = field(default_factory=list)

    def assume(self, systems: Mapping[int, str]) -> None:
        """Set the systems of files that declare none."""
        for file, system in systems.items():
            points = parse_scoring(system)
            self.text[file] = format_scoring(points)
            self.white[file] = self.black[file] = _row(points)

    def award(self, sheet: Sheet) -> NDArray[np.float64]:
        """Points of each row; NaN where the result is not known."""
        grid, file = sheet.grid, sheet.file()
        points: NDArray[np.float64] = self.white[file, grid.result]
        if self.by_color:
            black = np.flatnonzero(grid.color == BLACK)
            points[black] = self.black[file[black], grid.result[black]]
        self._apply_awards(points, grid, sheet.roster)
        return points

    def _apply_awards(self, points: NDArray[np.float64], grid: Grid, roster: Roster) -> None:
        """Apply the records 299 that concern some players or rounds only."""
        self.idle = []
        for award in self.awards:
            first, last = np.searchsorted(roster.file, (award.file, award.file + 1))
            rows = np.arange(grid.first[first], grid.first[last])
            if award.numbers:
                rows = rows[np.isin(roster.number[grid.player[rows]], award.numbers)]
            if award.round:
                rows = rows[grid.round[rows] == award.round]
            if award.code:
                codes = [CODE[code] for code in _TWINS.get(award.code, award.code)]
                rows = rows[np.isin(grid.result[rows], codes)]
                points[rows] = award.points
            else:
                points[rows] += award.points
            if not rows.size:
                self.idle.append(award)


def read_scorings(records: pl.DataFrame, individual: NDArray[np.bool_], notes: Notes) -> Scorings:
    """Read the scoring records.

    Parameters
    ----------
    records
        From `header.read_records`.
    individual
        True for each file that is not of a team event: abnormal points of a team file
        may be those of teams.
    """
    files = len(individual)
    personal = pl.Series(np.flatnonzero(individual))
    records = records.filter(
        pl.col("id").is_in(["162", "XXS", *_SYMBOLS["BB"]])
        | ((pl.col("id") == "299") & pl.col("file").is_in(personal.implode()))
    )
    standard = _row(STANDARD)
    scorings = Scorings(
        np.tile(standard, (files, 1)),
        np.tile(standard, (files, 1)),
        np.zeros(files, dtype=bool),
        [None] * files,
    )
    for (file,), rows in records.group_by("file", maintain_order=True):
        _read_file(int(str(file)), rows, scorings, notes)
    return scorings


def _read_file(file: int, rows: pl.DataFrame, scorings: Scorings, notes: Notes) -> None:
    sides = {"w": dict(STANDARD), "b": dict(STANDARD)}

    def put(codes: str, value: float, colors: str = "wb") -> None:
        for color in colors:
            for code in codes:
                sides[color].update(dict.fromkeys(_TWINS.get(code, code), value))

    bye_given = False
    for line, id_, value, text in rows.select("line", "id", "value", "text").iter_rows():
        if id_ == "299":
            rest = _read_299(file, line, text, scorings, put)
        else:
            groups, rest = _groups(id_, value or "")
            for symbol, number in groups:
                codes, colors = _SYMBOLS[id_[:2] if id_[:2] == "BB" else id_][symbol]
                put(codes, number, colors)
                # The pairing-allocated bye follows the win until it has a value of its own,
                # except in XXS, where every code has its usual value until it is given one.
                if codes == "W+F" and id_ != "XXS" and not bye_given:
                    put("U", number)
                bye_given |= codes == "U"
        if rest:
            notes.find(
                "unreadable-scoring",
                "error",
                f"record {id_} could not be read or applied at {rest!r}",
                file=[file],
                line=line,
            )

    scorings.declared[file] = True
    scorings.white[file], scorings.black[file] = _row(sides["w"]), _row(sides["b"])
    scorings.text[file] = format_scoring(sides["w"])
    if sides["w"] != sides["b"]:
        scorings.by_color = True
        notes.find(
            "scoring-by-colour",
            "warning",
            "White and Black score differently: the points of each row say so, while the "
            "scoring of the tournament is the one of White",
            file=[file],
            line=rows["line"][0],
        )


def _read_299(
    file: int, line: int, text: str, scorings: Scorings, put: Callable[[str, float], None]
) -> str:
    """Read a record 299; return its text if it cannot be applied."""
    award = _award(file, line, text)
    if award is None:
        return text
    special = award.numbers or award.round
    if not (special or award.code):
        return text
    if special or not can_be_scored(award.points):
        scorings.awards.append(award)
    else:
        put(award.code, award.points)
    return ""


def _groups(id_: str, value: str) -> tuple[list[tuple[str, float]], str]:
    """Return symbols with their points, and what could not be read."""
    if id_.startswith("BB"):
        match = re.fullmatch(_NUMBER, value)
        if match is None or not can_be_scored(_number(match[1])):
            return [], value or "(blank)"
        return [(id_, _number(match[1]))], ""
    pattern = _GROUP_XXS if id_ == "XXS" else _GROUP_162
    groups = []
    rest = value.upper()
    while match := pattern.match(rest):
        # The value of an unknown result (X) is not used: it stays not known.
        if match[1] in _SYMBOLS[id_] and can_be_scored(_number(match[2])):
            groups.append((match[1], _number(match[2])))
        elif match[1] != "X":
            break
        rest = rest[match.end() :]
    return groups, rest.strip()


def _award(file: int, line: int, text: str) -> _Award | None:
    text = text.upper()
    match = _RECORD_299.fullmatch(text.ljust(22)) or _LOOSE_299.fullmatch(text)
    if match is None:
        return None
    said = (match[3] or "").strip() or (match[2] or "").strip()
    numbers = [(match[4] or "").strip() or "0", *(match[5] or "").split()]
    symbol = match[1].strip()
    readable = re.fullmatch("[+-]?" + _NUMBER, said) and (not symbol or symbol in _SYMBOLS_299)
    # Unlike int, this takes no underscores and no digits of other scripts.
    if not readable or not all(re.fullmatch("[0-9]{1,4}", number) for number in numbers):
        return None
    code = _SYMBOLS_299.get(symbol, "")
    round_, *players = map(int, numbers)
    return _Award(file, line, code, _number(said), round_, tuple(n for n in players if n))


def _row(points: Mapping[str, float]) -> NDArray[np.float64]:
    known = [points.get(code, np.nan) for code in RESULT_CODES]
    return np.array([*known, 0.0, 0.0][: NO_RESULT + 2])


def _number(text: str) -> float:
    return float(text.replace(",", "."))
