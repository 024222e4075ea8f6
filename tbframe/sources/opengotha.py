"""Tournaments of OpenGotha, which keeps them as XML.

The file has players, games, byes and parameters, and no scores. The start score of a McMahon
tournament follows from the grade, the floor, the bar and the player's own correction.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tbframe.sources.gathering import Gathered
from tbframe.sources.making import Doubts, absences, key_of
from tbframe.sources.unpacking import unpack
from tbframe.sources.unreadable import UnreadableError
from tbframe.sources.xml_tree import Element, parse_xml, root_name

__all__ = ["looks_like_opengotha", "read_opengotha"]

#: What each result is for White and for Black.
_RESULTS: Final = {
    "RESULT_UNKNOWN": "**", "RESULT_WHITEWINS": "10", "RESULT_BLACKWINS": "01",
    "RESULT_EQUAL": "==", "RESULT_BOTHWIN": "11", "RESULT_BOTHLOSE": "00",
    "RESULT_WHITEWINS_BYDEF": "+-", "RESULT_BLACKWINS_BYDEF": "-+",
    "RESULT_EQUAL_BYDEF": "HH", "RESULT_BOTHWIN_BYDEF": "++", "RESULT_BOTHLOSE_BYDEF": "--",
}  # fmt: skip
_CRITERIA: Final = {
    "NBW": "go.NBW", "MMS": "go.MMS", "SOSW": "go.SOSW", "SOSM": "go.SOS",
    "SOSW-1": "go.SOSW/C1", "SOSM-1": "go.SOS/C1", "SOSW-2": "go.SOSW/C2", "SOSM-2": "go.SOS/C2",
    "SODOSW": "go.SODOSW", "SODOSM": "go.SODOS", "SOSOSW": "go.SOSOSW", "SOSOSM": "go.SOSOS",
    "CUSSW": "go.CUSSW", "CUSSM": "go.CUSS", "SDC": "go.SDC", "DC": "go.DC",
}  # fmt: skip
_HALVES: Final = {"0": "Z", "1": "H", "2": "F"}
_GRADE: Final = re.compile(r"(\d{1,2})([KDP])", re.IGNORECASE)
_MOST_ROUNDS: Final = 20


def looks_like_opengotha(head: bytes, path: Path) -> bool:
    """Tell by the first element and one of OpenGotha's own whether a file is of this kind."""
    return path.suffix.lower() != ".tdf" and root_name(head) == "Tournament"


def read_opengotha(path: Path) -> list[Gathered]:
    """Read a tournament of OpenGotha.

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    list of Gathered
        One tournament, called by the name of the file; the players' keys are their names as
        OpenGotha joins them. ``results`` has ``handicap`` and ``table``; ``players`` has
        ``start_score`` (where the order begins with MMS), ``grade`` and ``club``; ``tournaments``
        has the options that the go tie-breaks look at, and the order of the criteria.

    Raises
    ------
    UnreadableError
        If it is no sound XML, or lacks players or games.
    """
    root = parse_xml(unpack(path))
    doubts = Doubts()
    players = root.find("Players")
    games = root.find("Games")
    if players is None or games is None or not players.children:
        raise UnreadableError("there are no players, or no games, in it", code="no-players")
    parameters = root.find("TournamentParameterSet") or Element("", root.line, {})
    rules = _Rules.read(parameters, root, doubts)
    known = _players(players, rules, doubts)
    rows = [row for one in games.children for row in _game(one, known, doubts)]
    byes = root.find("ByePlayers")
    rows += _byes(byes, known, rules, doubts) if byes else []
    rows += absences(rows, known, rules.absent)
    if not rows:
        raise UnreadableError("no game in it can be read", code="no-games")
    about = [{key: value for key, value in one.items() if key != "element"}
             for one in known.values()]  # fmt: skip
    return [Gathered(path, key_of(path), rows, about, rules.tournament, doubts)]


@dataclass(frozen=True)
class _Rules:
    """The parameters that decide what rounds count and where players begin."""

    mcmahon: bool
    floor: int
    bar: int
    zero: int
    absent: str
    bye: str
    tournament: dict[str, Any]

    @classmethod
    def read(cls, parameters: Element, root: Element, doubts: Doubts) -> _Rules:
        general = parameters.find("GeneralParameterSet") or Element("", root.line, {})
        placement = parameters.find("PlacementParameterSet", "PlacementCriteria")
        wanted = [(_number(one, "number", doubts) or 0, one.get("name") or "")
                  for one in (placement.children if placement else [])]  # fmt: skip
        names = [name for _, name in sorted(wanted) if name not in {"", "NULL"}]
        mcmahon = any(name.startswith("MMS") or name.endswith(("M", "M-1", "M-2"))
                      for name in names)  # fmt: skip
        system = "MMS" if mcmahon else "NBW"
        order = []
        for name in names:
            if name not in _CRITERIA:
                doubts.add("criterion-unknown", f"the order ends before {name}", "warning",
                           line=general.line)  # fmt: skip
                break
            order.append(_CRITERIA[name])

        def rank(name: str, otherwise: int) -> int:
            text = general.get(name)
            return otherwise if text is None else _rank(text, otherwise, general.line, doubts)

        return cls(
            mcmahon,
            rank("genMMFloor", -30),
            rank("genMMBar", 8),
            rank("genMMZero", -30),
            _HALVES.get(general.get(f"gen{system}2ValueAbsent") or "0", "Z"),
            # A whole point for a bye is what a pairing-allocated bye has.
            {"2": "U"}.get(value := general.get(f"gen{system}2ValueBye") or "2",
                           _HALVES.get(value, "U")),
            {
                "name": general.get("name"),
                "city": general.get("location"),
                "start": doubts.date(general.get("beginDate"), "beginDate"),
                "end": doubts.date(general.get("endDate"), "endDate"),
                "rounds": _number(general, "numberOfRounds", doubts),
                "kind": "individual",
                "type": "Go",
                "criteria": " ".join(order) or None,
                "keep_halves": int(general.get("genRoundDownNBWMMS") == "false"),
                "unplayed_as_half": int(
                    general.get("genCountNotPlayedGamesAsHalfPoint") == "true"
                ),
            },
        )  # fmt: skip

    def start_score(self, rank: int, correction: int) -> int:
        """Return the score before the first round."""
        return min(max(rank, self.floor), self.bar) - self.zero + correction


def _number(element: Element, name: str, doubts: Doubts) -> int | None:
    """Read a whole number; a finding where it is none."""
    text = element.get(name)
    if text is None:
        return None
    if re.fullmatch(r"-?\d{1,9}", text):
        return int(text)
    doubts.add("number-unread", f"{name}: no number: {text[:40]!r}", "warning", line=element.line)
    return None


def _rank(text: str, otherwise: int, line: int, doubts: Doubts) -> int:
    """Read a grade as a number: 1D is 0, 1K is -1."""
    match = _GRADE.fullmatch(text.strip())
    if match is None:
        doubts.add("grade-unread", f"no grade: {text[:20]!r}", "warning", line=line)
        return otherwise
    number = int(match[1])
    # OpenGotha counts professional grades as the highest amateur ones.
    professional = 6 if number <= 3 else 7 if number <= 6 else 8
    rank = {"K": -number, "D": number - 1, "P": professional}[match[2].upper()]
    return min(max(rank, -30), 8)


def _key(name: str) -> str:
    return name.replace(" ", "").upper()


def _players(element: Element, rules: _Rules, doubts: Doubts) -> dict[str, dict[str, Any]]:
    known: dict[str, dict[str, Any]] = {}
    for one in element.children:
        name, given = one.get("name") or "", one.get("firstName") or ""
        key = _key(name + given)
        if not key or key in known:
            reason = "is nameless" if not key else f"is there twice: {key}"
            raise UnreadableError(f"a player {reason}", line=one.line, code="player-repeated")
        rating = _number(one, "rating", doubts)
        if rating is not None and rating < 0:
            text = f"a rating of {rating} is below 0, which is no rating here: left out"
            doubts.add("rating-negative", text, line=one.line, player=key)
            rating = None
        about: dict[str, Any] = {
            "player": key,
            "name": f"{name} {given}".strip(),
            "rating": rating,
            "federation": one.get("country"),
            "id": one.get("egfPin") or one.get("ffgLicence") or one.get("agaId"),
            "grade": (one.get("grade") or one.get("rank") or "").strip().lower() or None,
            "club": one.get("club"),
            "element": one,
        }
        if rules.mcmahon:
            rank = _rank(one.get("rank") or one.get("grade") or "", -30, one.line, doubts)
            about["start_score"] = float(
                rules.start_score(rank, _number(one, "smmsCorrection", doubts) or 0)
            )
        known[key] = about
    return known


def _game(one: Element, known: dict[str, Any], doubts: Doubts) -> list[dict[str, Any]]:
    """Return the rows of a game; none, with a finding, where it cannot be read."""
    number = _number(one, "roundNumber", doubts)
    sides = [_key(one.get("whitePlayer") or ""), _key(one.get("blackPlayer") or "")]
    result = _RESULTS.get(one.get("result") or "RESULT_UNKNOWN")
    lost = [side for side in sides if side not in known]
    reason = None
    if number is None or not 1 <= number <= _MOST_ROUNDS:
        reason = f"no round {one.get('roundNumber')!r}"
    elif lost or sides[0] == sides[1]:
        reason = f"not two players of the list: {' - '.join(sides)}"
    elif result is None:
        reason = f"no result {one.get('result')!r}"
    if reason is not None or result is None:
        raise UnreadableError(f"a game cannot be read: {reason}", line=one.line, code="game-unread")
    if result in {"11", "00", "++", "--"}:
        text = f"{sides[0]} - {sides[1]}: both have {result[0]}"
        doubts.add("both-alike", text, "warning", line=one.line, round=number)
    colors = ("w", "b") if one.get("knownColor") != "false" else (None, None)
    apart = result == "HH"  # nobody met: half a point each
    handicap, table = _number(one, "handicap", doubts), _number(one, "tableNumber", doubts)
    return [
        {
            "round": number, "player": sides[side], "result": result[side], "table": table,
            "opponent": None if apart else sides[1 - side],
            "color": None if apart else colors[side], "handicap": handicap,
        }
        for side in (0, 1)
    ]  # fmt: skip


def _byes(
    element: Element, known: dict[str, Any], rules: _Rules, doubts: Doubts
) -> list[dict[str, Any]]:
    rows = []
    for one in element.children:
        key, number = _key(one.get("player") or ""), _number(one, "roundNumber", doubts)
        if key not in known or number is None or not 1 <= number <= _MOST_ROUNDS:
            raise UnreadableError("a bye cannot be read", line=one.line, code="bye-unread")
        rows.append({"round": number, "player": key, "result": rules.bye})
    return rows
