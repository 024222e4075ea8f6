"""Files of the Pokémon organisers' program (TOM): XML with the ending ``.tdf``.

They have players, matches and final places, and no tie-breaks. Each pod (age division) is a
tournament of its own, and so are its knock-out rounds: no standing of the Swiss rounds counts them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tbframe.schema import MOST_ROUNDS
from tbframe.sources.gathering import Gathered, Refused
from tbframe.sources.making import Doubts, absences, key_of
from tbframe.sources.unpacking import unpack
from tbframe.sources.unreadable import UnreadableError
from tbframe.sources.xml_tree import Element, parse_xml, root_name

__all__ = ["looks_like_tdf", "read_tdf"]

#: What each outcome is for the first and the second player; ``5``, a bye, has only one.
_OUTCOMES: Final = {"0": "**", "1": "10", "2": "01", "3": "=="}
_BYE: Final = "5"
#: The type of rounds in which the loser is out.
_KNOCK_OUT: Final = "1"
_DATE: Final = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")


def looks_like_tdf(head: bytes, path: Path) -> bool:
    """Tell by the first element, and by the ending or TOM's own words, whether a file is of it."""
    if root_name(head) != "tournament":
        return False
    return path.suffix.lower() == ".tdf" or b"gametype=" in head or b"<organizer" in head


def read_tdf(path: Path) -> list[Gathered | Refused]:
    """Read a file of TOM.

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    list of Gathered or Refused
        One tournament, called by the name of the file, for one pod; of several, each is called by
        the name and the number of its category. Knock-out rounds are a tournament with ``playoff``
        behind the name. ``players`` has ``dropped_after``, the round after which a player left.

    Raises
    ------
    UnreadableError
        If it is no sound XML, lacks players or matches, or a match of its only pod cannot be read.
    """
    root = parse_xml(unpack(path))
    people = _people(root)
    pods = [pod for pod in root.all("pod") if pod.find("rounds") is not None]
    members = _members(root, pods, people)
    parts: list[Gathered] = []
    refused: list[Refused] = []
    for pod, there in zip(pods, members, strict=True):
        own = f"-{pod.get('category') or pods.index(pod) + 1}" if len(pods) > 1 else ""
        swiss: list[Element] = []
        knock_out: list[Element] = []
        for one in pod.all("round"):
            (knock_out if one.get("type") == _KNOCK_OUT else swiss).append(one)
        for rounds, end in ((swiss, ""), (knock_out, "-playoff")):
            if any(True for one in rounds for _ in one.all("match")):
                key = key_of(path) + own + end
                part = _Part(root, pod, rounds, people, there, bool(end))
                try:
                    parts.append(part.gathered(path, key))
                except UnreadableError as error:
                    if len(pods) == 1:
                        raise
                    matches = sum(1 for one in rounds for _ in one.all("match"))
                    refused.append(Refused(path, key, error, 2 * matches))
    if not (parts or refused):
        raise UnreadableError("there are no matches in it", code="no-games")
    if refused:
        return [*parts, *refused]
    for key in sorted(people.keys() - {row["player"] for part in parts for row in part.players}):
        text = f"player {key} is in no pod, and has no match: left out"
        parts[0].doubts.add(
            "player-without-match", text, "warning", line=people[key].line, player=key
        )
    return [*parts]


def _people(root: Element) -> dict[str, Element]:
    """List the players by their numbers."""
    players = root.find("players")
    people: dict[str, Element] = {}
    for one in players.children if players else []:
        key = one.get("userid")
        if key is None or key in people:
            reason = "without a userid" if key is None else f"is there twice: {key}"
            raise UnreadableError(f"a player {reason}", line=one.line, code="player-repeated")
        people[key] = one
    if not people:
        raise UnreadableError("there are no players in it", code="no-players")
    return people


def _members(root: Element, pods: list[Element], people: dict[str, Element]) -> list[set[str]]:
    """List who belongs to each pod, also without a match: whoever left before the first round.

    A pod names its players, and so do the standings, under the pod's category. Of a single pod
    they are all the players that there are.
    """
    if len(pods) == 1:
        return [set(people)]
    standings = root.find("standings")
    placed = standings.children if standings else []
    members = []
    for pod in pods:
        ranked = [one for one in placed if one.get("category") == pod.get("category")]
        groups = pod.all("subgroup")
        names = [one.get("userid") for group in groups for one in group.all("player")]
        names += [one.get("id") for group in ranked for one in group.children]
        members.append({name for name in names if name in people})
    return members


@dataclass(frozen=True)
class _Part:
    """Rounds of a pod that make one tournament."""

    root: Element
    pod: Element
    rounds: list[Element]
    people: dict[str, Element]
    members: set[str]
    knock_out: bool

    def gathered(self, path: Path, key: str) -> Gathered:
        doubts = Doubts()
        rows = [row for one in self.rounds for row in self._round(one, doubts)]
        there = {row["player"] for row in rows}
        if not self.knock_out:
            there |= self.members
            rows += absences(rows, sorted(there))
        else:
            text = "knock-out rounds are a tournament of their own: the Swiss rounds are without"
            doubts.add("playoff-apart", text, line=self.rounds[0].line)
        places = self._places()
        players = [self._player(one, self.people[one], places, doubts) for one in sorted(there)]
        return Gathered(path, key, rows, players, self._tournament(doubts), doubts)

    def _round(self, one: Element, doubts: Doubts) -> Iterator[dict[str, Any]]:
        written = one.get("number") or ""
        if not (written.isdecimal() and 1 <= int(written[:9]) <= MOST_ROUNDS):
            raise UnreadableError(f"no round {written!r}", line=one.line, code="round-unread")
        for match in one.all("match"):
            yield from self._match(int(written), match, doubts)

    def _match(self, number: int, match: Element, doubts: Doubts) -> list[dict[str, Any]]:
        sides = [child.get("userid") for tag in ("player1", "player2", "player")
                 if (child := match.find(tag)) is not None]  # fmt: skip
        known = [side for side in sides if side is not None]
        outcome = match.get("outcome") or "0"
        strange = [side for side in known if side not in self.people]
        if not known or strange or len(set(known)) != len(known) or len(known) > 2:
            text = f"round {number}: a match is not one of players in the list: {sides}"
            raise UnreadableError(text, line=match.line, code="match-unread")
        table = match.child_text("tablenumber") or ""
        at = {"table": int(table) if table.isdecimal() and len(table) < 9 else None}
        if len(known) == 1:
            if outcome != _BYE:
                text = f"outcome {outcome} without an opponent: read as a bye"
                doubts.add("bye-assumed", text, "warning", line=match.line, round=number,
                           player=known[0])  # fmt: skip
            return [{"round": number, "player": known[0], "result": "U", **at}]
        result = _OUTCOMES.get(outcome)
        if result is None:
            text = f"outcome {outcome[:20]} of {known[0]} - {known[1]} is not known: left open"
            doubts.add("outcome-unknown", text, "error", line=match.line, round=number)
            result = "**"
        return [
            {"round": number, "player": known[side], "opponent": known[1 - side],
             "result": result[side], **at}
            for side in (0, 1)
        ]  # fmt: skip

    def _places(self) -> dict[str, int]:
        standings = self.root.find("standings")
        return {
            one.get("id") or "": int(place)
            for pod in (standings.children if standings else [])
            if pod.get("category") == self.pod.get("category")
            for one in pod.children
            if (place := one.get("place") or "").isdecimal() and len(place) < 9
        }

    @staticmethod
    def _player(key: str, one: Element, places: dict[str, int], doubts: Doubts) -> dict[str, Any]:
        name = [one.child_text("firstname"), one.child_text("lastname")]
        dropped = one.find("dropped")
        after = (dropped.child_text("round") if dropped else None) or ""
        if dropped is not None and not (after.isdecimal() and len(after) < 4):
            doubts.add("dropped-unread", f"dropped after round {after!r}", "warning",
                       line=dropped.line, player=key)  # fmt: skip
            after = ""
        return {
            "player": key,
            "name": " ".join(part for part in name if part) or None,
            "id": key,
            "birth": _iso(one.child_text("birthdate")),
            "rank": places.get(key),
            # Before the first round, nobody has left after one.
            "dropped_after": int(after) or None if after else None,
        }

    def _tournament(self, doubts: Doubts) -> dict[str, Any]:
        data = self.root.find("data") or Element("", self.root.line, {})
        written = data.child_text("startdate")
        date = _iso(written)
        if written and date is None:
            doubts.add("date-unread", f"startdate: no date: {written[:40]!r}", "warning")
        start = doubts.date(date, "startdate")
        return {
            "name": data.child_text("name"),
            "city": data.child_text("city"),
            "federation": data.child_text("country"),
            "start": start,
            "end": start,
            "rounds": len(self.rounds),
            "kind": "individual",
            "type": "knock-out" if self.knock_out else self.root.get("gametype") or "Pokémon",
            "scoring": "W=3 D=1 L=0",
            "criteria": None if self.knock_out else "PTS pokemon.OWP pokemon.OOWP",
        }


def _iso(text: str | None) -> str | None:
    """Read a date with the month first: ``06/20/2026`` is 2026-06-20."""
    match = _DATE.match(text or "")
    return f"{match[3]}-{int(match[1]):02}-{int(match[2]):02}" if match else None
