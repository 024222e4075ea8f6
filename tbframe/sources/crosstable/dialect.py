"""The crosstables that `write_crosstable` writes: nothing in them is left to be guessed.

Lines over the table say what is known of the tournament, what the cells mean, and which columns
were computed; the last columns are the user's own. A file that has these lines is read by them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, Final

import polars as pl

from tbframe.schema import PLAYERS, RESULT_CODES, RESULTS, TOURNAMENTS
from tbframe.sources.crosstable.tables import Table
from tbframe.sources.unreadable import UnreadableError

__all__ = [
    "BYES",
    "COLUMN",
    "COLUMNS",
    "DECLARED",
    "FACTS",
    "KINDS",
    "SIGNS",
    "read_own",
]

#: What lines about the user's own columns begin with.
COLUMN: Final = "Column: "
#: Labels of what is known of a tournament, by the columns of its frame.
FACTS: Final = {
    name: ("Tournament" if name == "tournament" else name.replace("_", " ").capitalize())
    for name in TOURNAMENTS
}
#: Headings of what is known of a player; declared points and ranks stand behind the rounds.
COLUMNS: Final = {
    "title": "Title", "name": "Name", "sex": "Sex", "rating": "Rtg", "federation": "FED",
    "id": "ID", "birth": "Birth",
}  # fmt: skip
DECLARED: Final = {"points": "Declared points", "rank": "Declared rank"}
#: Kinds of the user's own columns, and how they are read.
KINDS: Final[Mapping[str, tuple[pl.DataType, Callable[[str], Any]]]] = {
    "text": (pl.String(), str),
    "number": (pl.Float64(), float),
    "whole": (pl.Int64(), int),
    "yes or no": (pl.Boolean(), lambda text: text == "yes"),
    "date": (pl.Date(), date.fromisoformat),
}
#: How results are written: over the board and unrated, forfeits, byes with an opponent.
SIGNS: Final = {
    **dict(zip(RESULT_CODES, RESULT_CODES, strict=True)),
    "=": "½", "W": "1u", "D": "½u", "L": "0u",
}  # fmt: skip
BYES: Final = {"U": "PAB", "F": "FPB", "H": "HPB", "Z": "ZPB"}
_CODE_OF_SIGN: Final = {sign: code for code, sign in SIGNS.items()}
_CODE_OF_BYE: Final = {word: code for code, word in BYES.items()}
_CELL: Final = re.compile(
    r"(?:(?P<opponent>\d+)(?P<color>[wb:])(?P<sign>[10½]u?|[+\-*FHUZ])|(?P<bye>[FHPZ][PAB]B))"
    r"(?:\((?P<points>-?[\d.]+)\))?(?:\[(?P<game_points>-?[\d.]+)\])?"
)
_ROUND: Final = re.compile(r"(\d+)\.Rd")


def _own_lines(table: Table) -> list[str]:
    """Return the lines of a table: from the one that names the tournament on, after any title."""
    first = f"{FACTS['tournament']}: "
    starts = [place for place, line in enumerate(table.above) if line.startswith(first)]
    return [*table.above[starts[-1] if starts else 0 :]]


def read_own(table: Table) -> tuple[str, pl.DataFrame, pl.DataFrame, dict[str, Any]]:
    """Read a table that `write_crosstable` wrote.

    Parameters
    ----------
    table
        With the lines over it.

    Returns
    -------
    key, results, players, about
        As for `making.make_archive`. What was computed is left out: it follows from the results.

    Raises
    ------
    UnreadableError
        If a cell is not as it was written.
    """
    lines = _own_lines(table)
    pairs = (line.partition(": ") for line in lines)
    facts = {label: value for label, colon, value in pairs if colon}
    about = {
        name: _fact(name, facts[label])
        for name, label in FACTS.items()
        if label in facts and name != "tournament"
    }
    headings = {name: place for place, name in reversed([*enumerate(table.heading.names)])}
    try:
        keys = _keys(table, headings)
    except (KeyError, ValueError) as error:
        message = f"a number or key of a player is missing, or none: {error}"
        raise UnreadableError(message, line=table.sheet.rows[0].line, code="cell-unread") from error
    results = _results(table, keys)
    own = [line.removeprefix(COLUMN) for line in lines if line.startswith(COLUMN)]
    players = _players(table, keys["player"], headings, own)
    if "Computed" in facts:
        table.doubts.add("columns-computed", f"left out, since computed: {facts['Computed']}")
    return facts.get(FACTS["tournament"], ""), results, players, about


def _fact(name: str, text: str) -> Any:
    dtype = TOURNAMENTS[name]
    if dtype == pl.Int32():
        return int(text) if text.isdigit() else None
    if dtype == pl.Boolean():
        return text == "yes"
    if dtype == pl.Date():
        try:
            return date.fromisoformat(text)
        except ValueError:
            return None
    return text


def _keys(table: Table, headings: Mapping[str, int]) -> pl.DataFrame:
    """Return the number and the key of each row."""
    numbers = pl.Series("number", [int(text) for text in table.column(headings["No."])], pl.Int64)
    if "Key" in headings:
        keys = pl.Series("player", table.column(headings["Key"]), pl.String)
    elif (column := headings.get("Key (number)")) is not None:
        keys = pl.Series("player", [int(text) for text in table.column(column)], pl.Int64)
    else:
        keys = numbers.alias("player")
    return pl.DataFrame([numbers, keys])


def _results(table: Table, keys: pl.DataFrame) -> pl.DataFrame:
    known: dict[int, int | str] = dict(keys.select("number", "player").iter_rows())
    rounds = [
        (int(match[1]), column)
        for column, name in enumerate(table.heading.names)
        if (match := _ROUND.fullmatch(name))
    ]
    first = dict(reversed(rounds))
    rows = []
    for row, player in zip(table.rows, keys["player"], strict=True):
        for number, column in first.items():
            for game, text in enumerate(table.cell(row, column).split(), start=1):
                match = _CELL.fullmatch(text)
                opponent = int(match["opponent"] or 0) if match else 0
                if match is None or (opponent and opponent not in known):
                    raise UnreadableError(
                        f"{table.at(row, column)}: {text[:40]!r} is no result",
                        line=row.line,
                        code="cell-unread",
                    )
                code = _CODE_OF_BYE[match["bye"]] if match["bye"] else _CODE_OF_SIGN[match["sign"]]
                color = match["color"]
                rows.append(
                    (number, player, known.get(opponent), None if color == ":" else color, code,
                     _number(match["points"]), game, _number(match["game_points"]))
                )  # fmt: skip
    key = keys.schema["player"]
    schema: dict[str, pl.DataType | type[pl.DataType] | None] = {
        "round": pl.Int32, "player": key, "opponent": key, "color": pl.String,
        "result": RESULTS["result"], "points": pl.Float64, "game": pl.Int32,
        "game_points": pl.Float64,
    }  # fmt: skip
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    return frame if frame["game_points"].count() else frame.drop("game_points")


def _number(text: str | None) -> float | None:
    return None if text is None else float(text)


def _players(
    table: Table, keys: pl.Series, headings: Mapping[str, int], lines: Sequence[str]
) -> pl.DataFrame:
    series = [keys]
    own = [line.rpartition(" = ")[::2] for line in lines]
    start = len(table.heading.names) - len(own)
    for name, heading in {**COLUMNS, **DECLARED}.items():
        if headings.get(heading, start) < start:
            kinds = {str(pl.Float64()): "number", str(pl.Int32()): "whole"}
            kind = kinds.get(str(PLAYERS[name]), "text")
            values = _values(table, headings[heading], kind)
            series.append(values.alias(name).cast(PLAYERS[name] or pl.String()))
    series += [
        _values(table, column, kind).alias(name)
        for column, (name, kind) in enumerate(own, start=start)
    ]
    return pl.DataFrame(series)


def _values(table: Table, column: int, kind: str) -> pl.Series:
    dtype, read = KINDS.get(kind, KINDS["text"])
    values = []
    for row in table.rows:
        text = table.cell(row, column)
        try:
            values.append(read(text) if text else None)
        except ValueError as error:
            raise UnreadableError(
                f"{table.at(row, column)}: {text[:40]!r} is no {kind}",
                line=row.line,
                code="cell-unread",
            ) from error
    return pl.Series(values, dtype=dtype)
