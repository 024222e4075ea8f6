"""Matches and standings in the shapes that files have them, brought to one shape."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from tbframe.sources.json_values import as_dict, as_list, number_of, text_of, whole_of
from tbframe.sources.unreadable import UnreadableError

__all__ = ["Event", "Match", "events_of_json", "events_of_table", "match_columns"]

#: Columns of a table of matches, and how they are called elsewhere; blanks and ``_`` are the same.
_COLUMNS: Final = {
    "tournament": ("tournament", "tournamentid", "event", "eventid", "tid"),
    "round": ("round", "roundnumber", "roundname", "rd"),
    "first": ("player1", "p1", "playera", "player1name", "firstplayer", "player1id"),
    "second": ("player2", "p2", "playerb", "player2name", "secondplayer", "player2id"),
    "result": ("result", "score", "matchresult"),
    "wins": ("player1wins", "player1games", "player1gamewins", "p1wins", "gameswon1"),
    "losses": ("player2wins", "player2games", "player2gamewins", "p2wins", "gameswon2"),
    "draws": ("draws", "gamesdrawn", "drawngames", "gamedraws"),
    "winner": ("winner",),
    "table": ("table", "tablenumber"),
}  # fmt: skip
_NOBODY: Final = frozenset({"", "-", "--", "bye", "byes", "none", "null", "n/a"})


@dataclass(frozen=True)
class Match:
    """A match as a file has it.

    Attributes
    ----------
    place
        Where it stands, for messages.
    line
        The line of the file, where there is one.
    round
        The number, or the name, of the round.
    first, second
        The players; None for nobody.
    result
        Games won, lost and drawn by the first player, as text; None where it is not told.
    winner
        The player who won, or ``"draw"``; None where it is not told.
    """

    place: str
    line: int | None
    round: str
    first: str | None
    second: str | None
    result: str | None = None
    winner: str | None = None
    table: int | None = None


@dataclass
class Event:
    """A tournament as a file has it: its matches, and what is known of its players."""

    key: str | None
    name: str | None = None
    start: str | None = None
    game: str | None = None
    swiss_rounds: int | None = None
    matches: list[Match] = field(default_factory=list)
    standings: dict[str, dict[str, Any]] = field(default_factory=dict)


def match_columns(names: Iterable[str]) -> dict[str, str]:
    """Find the columns of a table of matches.

    Returns
    -------
    dict
        The column of the table for each of ours; empty where it is no table of matches.

    Examples
    --------
    >>> match_columns(["Round", "Player 1", "Player 2", "Result"])["first"]
    'Player 1'
    """
    plain = {re.sub(r"[\s_]", "", name).lower(): name for name in names if name}
    found = {
        ours: plain[other]
        for ours, others in _COLUMNS.items()
        for other in others[::-1]
        if other in plain
    }
    scored = {"result", "winner"} & found.keys() or {"wins", "losses"} <= found.keys()
    return found if {"round", "first", "second"} <= found.keys() and scored else {}


def events_of_table(text: str, separator: str) -> list[Event]:
    """Read a table of matches with a line of column names."""
    lines = csv.reader(text.splitlines(), delimiter=separator, strict=True)
    rows: list[tuple[int, list[str]]] = []
    try:
        for row in lines:
            if any(cell.strip() for cell in row):
                rows.append((lines.line_num, row))  # noqa: PERF401 - the number changes
    except csv.Error as error:
        raise UnreadableError(
            f"cannot be read as a table: {error}", line=lines.line_num, code="damaged-table"
        ) from error
    names = [name.strip() for name in rows[0][1]]
    return _events(
        (line, f"line {line}", dict(zip(names, row, strict=False))) for line, row in rows[1:]
    )


def events_of_json(read: Any) -> list[Event | UnreadableError]:
    """Read what a platform gives: one tournament, a list of them, or a list of matches.

    Of several tournaments, those that cannot be read are the reasons why.
    """
    if isinstance(read, list):
        if not read:
            raise UnreadableError("the list is empty", code="no-games")
        if match_columns(as_dict(read[0], "[0]")):
            rows = ((None, f"[{i}]", as_dict(one, f"[{i}]")) for i, one in enumerate(read))
            return [*_events(rows)]
        return [_event_or_reason(one, i) for i, one in enumerate(read)]
    return [_event(as_dict(read, "the file"), "")]


def _events(rows: Iterable[tuple[int | None, str, Mapping[str, Any]]]) -> list[Event]:
    events: dict[str | None, Event] = {}
    for line, place, row in rows:
        columns = match_columns(row)
        if not columns:
            raise UnreadableError(f"{place}: no match: {list(row)[:8]}", line=line,
                                  code="match-unread")  # fmt: skip
        cell = {ours: text_of(row[theirs], f"{place}, {theirs}")
                for ours, theirs in columns.items()}  # fmt: skip
        result = cell.get("result")
        if "wins" in cell and cell["wins"] is not None:
            result = "-".join(cell.get(name) or "0" for name in ("wins", "losses", "draws"))
        key = cell.get("tournament")
        events.setdefault(key, Event(key)).matches.append(
            Match(place, line, cell["round"] or "", _person(cell["first"]),
                  _person(cell["second"]), result, cell.get("winner"),
                  whole_of(cell.get("table")))
        )  # fmt: skip
    if not events:
        raise UnreadableError("there are no matches in it", code="no-games")
    return list(events.values())


def _event_or_reason(read: Any, number: int) -> Event | UnreadableError:
    try:
        return _event(as_dict(read, f"[{number}]"), f"[{number}].")
    except UnreadableError as error:
        return error


def _event(about: dict[str, Any], place: str) -> Event:
    """Read one tournament, in one of two shapes: rounds of matches, or of tables."""
    head = about.get("Tournament") or about.get("tournament")
    own = {**about, **(head if isinstance(head, dict) else {})}

    def word(*keys: str) -> str | None:
        return next((text for key in keys if (text := text_of(own.get(key), place + key))), None)

    event = Event(
        word("TID", "Id", "id"),
        word("Name", "name", "tournamentName"),
        _day(next((own[key] for key in ("Date", "date", "startDate") if own.get(key)), None)),
        word("game"),
        whole_of(own.get("swissNum")),
    )
    rounds = about.get("Rounds", about.get("rounds"))
    for i, one in enumerate(as_list(rounds, f"{place}rounds")):
        here = f"{place}rounds[{i}]"
        turn = as_dict(one, here)
        name = text_of(turn.get("RoundName", turn.get("round", i + 1)), here) or str(i + 1)
        for j, match in enumerate(as_list(turn.get("Matches"), here)):
            event.matches.append(_match(as_dict(match, here), f"{here}.matches[{j}]", name))
        for j, table in enumerate(as_list(turn.get("tables"), here)):
            event.matches.extend(_table(as_dict(table, here), f"{here}.tables[{j}]", name))
    standings = about.get("Standings", about.get("standings"))
    for i, one in enumerate(as_list(standings, f"{place}standings")):
        here = f"{place}standings[{i}]"
        row = as_dict(one, here)
        player = text_of(row.get("Player", row.get("id", row.get("name"))), here)
        if player is None or player in event.standings:
            raise UnreadableError(f"{here}: no player, or one twice: {player}",
                                  code="player-repeated")  # fmt: skip
        event.standings[player] = {"Rank": i + 1, **row}
    if not event.matches:
        raise UnreadableError(f"{place or 'the file'}: there are no matches", code="no-games")
    return event


def _match(match: dict[str, Any], place: str, round_: str) -> Match:
    first, second = (_person(text_of(match.get(key), place)) for key in ("Player1", "Player2"))
    return Match(place, None, round_, first, second, text_of(match.get("Result"), place))


def _table(table: dict[str, Any], place: str, round_: str) -> list[Match]:
    """Read a table: two players and the winner, or any number of players with a bye."""
    players = [as_dict(one, place) for one in as_list(table.get("players"), place)]
    names = [text_of(one.get("id") or one.get("name"), place) for one in players]
    words = [text_of(one.get("name"), place) for one in players]
    number = table.get("table")
    if isinstance(number, str) and number.strip().lower() in _NOBODY:
        return [Match(place, None, round_, name, None) for name in names]
    if len(names) > 2:
        raise UnreadableError(f"{place}: a match of {len(names)} players", code="match-unread")
    winner = text_of(table.get("winner_id") or table.get("winner"), place)
    if winner in words and winner not in names:
        winner = names[words.index(winner)]
    first, second = (_person(name) for name in [*names, None, None][:2])
    return [Match(place, None, round_, first, second, None, winner, whole_of(number))]


def _person(name: str | None) -> str | None:
    return None if name is None or name.lower() in _NOBODY else name


def _day(value: Any) -> str | None:
    """Return a date as text; a number is seconds since 1970."""
    seconds = number_of(value)
    if seconds is not None and 0 < seconds < 32503680000:
        return datetime.fromtimestamp(seconds, tz=UTC).date().isoformat()
    return value if isinstance(value, str) else None
