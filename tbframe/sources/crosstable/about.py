"""What the text around a crosstable says of the tournament: its name, dates and rounds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final

from tbframe.schema import MOST_ROUNDS
from tbframe.sources.crosstable.spelling import key_word
from tbframe.sources.crosstable.tables import Table

__all__ = ["about", "legend", "points_explained"]

#: Lines that do not name the tournament.
_NO_NAME: Final = re.compile(
    r"chess-results|^from the tournament|^aus der turnier|https?:|^[\W\d]*$|last update"
    r"|letzte aktualisierung|última actualización"
    r"|^(?:final |end)?(?:ranking|rank|standings|rangliste|crosstable|cross table|kreuztabelle"
    r"|fortschrittstabelle|clasificaci|classement|cuadro|grille|starting rank|startrang|таблица)",
    re.IGNORECASE,
)
_LABELS: Final = {
    "start": "date dates datum data fecha fechas дата даты dátum termin datę когда",
    "rounds": "number of rounds|anzahl runden|rundenanzahl|número de rondas|nombre de rondes"
    "|numero di turni|número de rodadas|число туров|количество туров|aantal ronden|počet kol"
    "|liczba rund|rounds|runden|rondas|rondes",
    "type": "tournament type|turnierart|turniertyp|tipo de torneo|type de tournoi|system|система",
}
_LABELLED: Final = {
    label: kind
    for kind, words in _LABELS.items()
    for label in (words.split("|") if "|" in words else words.split())
}
_DATE: Final = re.compile(
    r"\b(\d{4})[./-](\d{1,2})[./-](\d{1,2})\b|\b(\d{1,2})[.](\d{1,2})[.](\d{4})\b"
)
#: ``Tie Break1: Buchholz``, ``Wtg2 = ...``: what a column is said to be.
_MEANING: Final = re.compile(
    r"\W*((?:tie[\s-]?break|tb|wtg\.?|wertung|desempate|des\.?|départage|dép\.?|доп\.?|критерий"
    r"|critère|criterio)\s*\d{1,2})\s*[:=]\s*(\S.*)",
    re.IGNORECASE,
)
#: Columns of tie-breaks: a word and a number.
_NUMBERED: Final = re.compile(r"(?!r)[^\W\d]{2,12}[\s.]*(\d{1,2})")
_POINTS: Final = re.compile(
    r"points(?: \(game-points\))?|punkte.{0,20}|puntos.{0,20}|очки", re.IGNORECASE
)


def about(table: Table) -> dict[str, Any]:
    """Return what is said of the tournament, by the columns of its frame.

    Parameters
    ----------
    table
        Where to tell what was taken from which line.
    """
    facts: dict[str, Any] = {"name": _name_of(table)}
    for label, value in _labelled(table.above):
        kind = _LABELLED.get(key_word(label))
        if kind == "start" and "start" not in facts:
            days = list(_dates(value))
            if days:
                facts |= {"start": days[0], "end": days[-1]}
                text = f"dates are read from {label + ': ' + value[:40]!r}: they choose the edition"
                table.doubts.add("date-read", text)
        elif kind == "rounds" and value.isdigit() and 0 < int(value) <= MOST_ROUNDS:
            facts.setdefault("rounds", int(value))
        elif kind == "type":
            facts.setdefault("type", value[:80])
    return facts


def legend(table: Table) -> dict[str, str]:
    """Return what is said of columns below, or above, a table, and tell it."""
    found: dict[str, str] = {}
    for text in (*table.below, *table.sheet.below, *table.above):
        if match := _MEANING.fullmatch(text):
            found.setdefault(match[1], match[2].strip()[:200])
    for name, meaning in found.items():
        table.doubts.add("column-explained", f"{name}: {meaning}")
    return found


def points_explained(table: Table, meanings: Mapping[str, str]) -> None:
    """Take a tie-break column for the points, where the text says that it is and none is else.

    Parameters
    ----------
    table
        Whose heading gets the column.
    meanings
        From `legend`.
    """
    heading = table.heading
    if "points" in heading.places:
        return
    for name, meaning in meanings.items():
        number = name[len(name.rstrip("0123456789")) :]
        if not _POINTS.fullmatch(meaning):
            continue
        for column, written in enumerate(heading.names):
            match = _NUMBERED.fullmatch(key_word(written))
            if match and match[1] == number:
                places = {**heading.places, "points": column}
                table.heading = replace(heading, places=places)
                table.doubts.add("points-explained", f"{written.strip()!r} is read as the points")
                return


def _name_of(table: Table) -> str | None:
    lines = table.sheet.titles[::-1] if table.sheet.titles else table.above
    for line in lines:
        if not _NO_NAME.search(line) and len(line) <= 200:
            return line
    return table.sheet.name


def _labelled(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Give labels with their values, which stand behind a colon or on the next line."""
    for place, line in enumerate(lines):
        label, colon, value = line.partition(":")
        if colon and value.strip():
            yield label, value.strip()
        elif place + 1 < len(lines):
            yield label, lines[place + 1].strip()


def _dates(text: str) -> Iterator[date]:
    for match in _DATE.finditer(text):
        parts = match.group(1, 2, 3) if match[1] else match.group(6, 5, 4)
        try:
            yield date(*map(int, parts))
        except ValueError:
            continue
