"""Matches of card games as an archive.

A match is won, lost or drawn in games (``2-1-0``), and 3, 1 and 0 are its points. The games are
kept, because tie-breaks count them. Standings that a file has are official values.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from tbframe.schema import PLAYERS
from tbframe.sources.gathering import Gathered, Refused
from tbframe.sources.json_values import number_of, parse_json, text_of, whole_of
from tbframe.sources.making import Doubts, absences, key_of
from tbframe.sources.matches.records import (
    Event,
    Match,
    events_of_json,
    events_of_table,
    match_columns,
)
from tbframe.sources.matches.results import Outcome, read_outcome
from tbframe.sources.matches.rounds import part_rounds
from tbframe.sources.unreadable import UnreadableError

__all__ = ["looks_like_matches", "read_matches"]

_SEPARATORS: Final = (",", ";", "\t")
#: What standings call the columns that every archive has.
_OWN: Final = {"Rank": "rank", "rank": "rank", "standing": "rank", "Points": "points",
               "points": "points"}  # fmt: skip
#: Columns of standings that say who it is, or are no numbers.
_NAMES: Final = frozenset({"Player", "id", "name", "decklist", "deckObj"})


def looks_like_matches(head: bytes, path: Path) -> bool:
    r"""Tell by the columns of the first line, or by the keys of JSON, whether a file is of it.

    Examples
    --------
    >>> looks_like_matches(b"round,player1,player2,result\n", Path("a.csv"))
    True
    """
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith((b"{", b"[")):
        rounds = b'"rounds"' in head or b'"Rounds"' in head
        matches = b'"tables"' in head or b'"Matches"' in head or b'"matches"' in head
        return (rounds and (matches or path.suffix.lower() == ".json")) or _flat_list(start)
    first = start.partition(b"\n")[0].decode("utf-8", "replace")
    return bool(match_columns(first.strip().split(_separator(first))))


def _flat_list(start: bytes) -> bool:
    """Whether the first object of a list is a match."""
    text = start.decode("utf-8", "replace").lstrip("[ \t\r\n")
    try:
        first, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict) and bool(match_columns(first))


def _separator(line: str) -> str:
    return max(_SEPARATORS, key=line.count)


def read_matches(path: Path) -> list[Gathered | Refused]:
    """Read a table or a JSON file of matches.

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    list of Gathered or Refused
        A tournament for each event, called by the name of the file where there is one; knock-out
        rounds are a tournament with ``playoff`` behind the name. ``results`` has ``games_won``,
        ``games_lost`` and ``games_drawn``; ``players`` the columns of the standings.

    Raises
    ------
    UnreadableError
        If the file is damaged, or a match of its only tournament cannot be read; with its place.
    """
    doubts = Doubts()
    text = doubts.text(path)
    start = text.lstrip()
    if start.startswith(("{", "[")):
        events = events_of_json(parse_json(text))
    else:
        events = [*events_of_table(text, _separator(start.partition("\n")[0]))]
    parts: list[Gathered | Refused] = []
    for number, event in enumerate(events, start=1):
        try:
            parts += _gathered(path, event, _key(path, event, number, len(events)))
        except UnreadableError as error:
            if len(events) == 1:
                raise
            parts.append(_refused(path, event, _key(path, event, number, len(events)), error))
    for part in parts:
        if isinstance(part, Gathered):
            part.doubts.found[:0] = doubts.found
            break
    return parts


def _key(path: Path, event: Event | UnreadableError, number: int, events: int) -> str:
    if events == 1:
        return key_of(path)
    own = event.key if isinstance(event, Event) else None
    return own or f"{key_of(path)}-{number}"


def _refused(
    path: Path, event: Event | UnreadableError, key: str, error: UnreadableError
) -> Refused:
    rows = 0
    if isinstance(event, Event):
        rows = sum((one.first is not None) + (one.second is not None) for one in event.matches)
    return Refused(path, key, error, rows)


def _gathered(path: Path, event: Event | UnreadableError, key: str) -> list[Gathered]:
    if isinstance(event, UnreadableError):
        raise event
    doubts = Doubts()
    start = doubts.date(event.start, "date")
    about = {
        "name": event.name, "start": start, "end": start, "kind": "individual",
        "type": event.game, "scoring": "W=3 D=1 L=0",
    }  # fmt: skip
    swiss, knock_out = part_rounds(event, doubts)
    parts = []
    for matches, end in ((swiss, ""), (knock_out, "-playoff")):
        if not matches:
            continue
        own = doubts if not end or not swiss else Doubts()
        rows = _rows(_once(matches, own), own)
        there = list(dict.fromkeys(row["player"] for row in rows))
        # Nobody is absent from a knock-out: whoever lost is out.
        rows += [] if end else absences(rows, there)
        told = any(row.get("games_won") is not None for row in rows)
        order = "PTS mtg.OMW mtg.GW mtg.OGW" if told else "PTS mtg.OMW"
        players = [_player(one, event.standings.get(one, {}), bool(end)) for one in there]
        rest = {"rounds": max(number for number, _ in matches), "criteria": None if end else order}
        parts.append(Gathered(path, key + end, rows, players, {**about, **rest}, own))
    strangers = sorted(event.standings.keys() - _people(event))
    if strangers:
        text = f"{len(strangers)} of the standings have no match: {', '.join(strangers[:3])}"
        doubts.add("player-without-match", text, "warning")
    return parts


def _people(event: Event) -> set[str | None]:
    return {one for match in event.matches for one in (match.first, match.second)}


def _once(matches: Sequence[tuple[int, Match]], doubts: Doubts) -> list[tuple[int, Match]]:
    """Take each match once: some files have it from both sides."""
    seen: dict[tuple[int, frozenset[str | None]], tuple[Match, Outcome | None]] = {}
    kept = []
    for number, match in matches:
        pair = (number, frozenset({match.first, match.second}))
        outcome = read_outcome(match)
        if pair not in seen:
            seen[pair] = match, outcome
            kept.append((number, match))
            continue
        first, before = seen[pair]
        turned = first.first == match.second and first.first is not None and outcome is not None
        if (outcome.turned() if turned and outcome else outcome) != before:
            text = f"round {number}: {match.place} and {first.place} contradict each other"
            raise UnreadableError(text, line=match.line, code="matches-disagree")
        # From the other side it is how some files list a match; twice alike may be two matches.
        text = f"{match.place}: the same match as {first.place}: taken once"
        doubts.add("match-repeated", text, "info" if turned else "warning",
                   line=match.line, round=number, player=match.first)  # fmt: skip
    return kept


def _rows(matches: Sequence[tuple[int, Match]], doubts: Doubts) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for number, match in matches:
        sides = [one for one in (match.first, match.second) if one is not None]
        outcome = read_outcome(match)
        if not sides or len(set(sides)) != len(sides):
            text = f"{match.place}: no two players: {match.first} - {match.second}"
            raise UnreadableError(text, line=match.line, code="match-unread")
        if outcome is None:
            text = f"{match.place}: no result: {(match.result or match.winner or '')[:40]!r}"
            raise UnreadableError(text, line=match.line, code="match-unread")
        if len(sides) == 1:
            rows.append(_alone(number, match, sides[0], outcome, doubts))
            continue
        if outcome.code == "*":
            text = f"{match.place}: {match.first} - {match.second} has no result: left open"
            doubts.add("result-open", text, "warning", line=match.line, round=number)
        for side, one in enumerate((outcome, outcome.turned())):
            won, lost, drawn = one.games or (None, None, None)
            rows.append({"round": number, "player": sides[side], "opponent": sides[1 - side],
                         "result": one.code, "games_won": won, "games_lost": lost,
                         "games_drawn": drawn, "table": match.table})  # fmt: skip
    return rows


def _alone(
    number: int, match: Match, player: str, outcome: Outcome, doubts: Doubts
) -> dict[str, Any]:
    """Return the row of a round without an opponent: a bye, or a match that was lost so."""
    own = outcome if match.first is not None else outcome.turned()
    if own.code != "0" or own.games is None:
        # A bye is won, however its games are written, which platforms do in either seat.
        if own.games is not None and own.code != "1":
            text = f"{match.place}: a bye with {match.result}: read as won"
            doubts.add("bye-assumed", text, "warning", line=match.line, round=number,
                       player=player)  # fmt: skip
        return {"round": number, "player": player, "result": "U"}
    if match.first is None:
        return {"round": number, "player": player, "result": "U"}
    text = f"{match.place}: lost {match.result} against nobody: read as absent"
    doubts.add("bye-assumed", text, "warning", line=match.line, round=number, player=player)
    return {"round": number, "player": player, "result": "Z"}


def _player(key: str, standing: dict[str, Any], knock_out: bool) -> dict[str, Any]:
    """Return what the standings have of a player; they are those of the Swiss rounds."""
    name = text_of(standing.get("name"), "standings") or key
    about: dict[str, Any] = {"player": key, "name": name}
    if knock_out:
        return about
    for column, value in standing.items():
        if column in _OWN:
            own = _OWN[column]
            about[own] = whole_of(value) if own == "rank" else number_of(value)
        elif column not in _NAMES and not isinstance(value, list | dict | bool):
            taken = column if column.lower() not in PLAYERS else f"{column} (file)"
            number = number_of(value)
            if number is not None:
                about[taken] = number
    return about
