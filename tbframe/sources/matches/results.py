"""The result of a match of several games."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from tbframe.sources.matches.records import Match

__all__ = ["Outcome", "read_outcome"]

_GAMES: Final = re.compile(r"(\d{1,2})\s*[-:–]\s*(\d{1,2})(?:\s*[-:–]\s*(\d{1,2}))?")
_DRAWN: Final = frozenset({"draw", "drawn", "tie", "id"})


@dataclass(frozen=True)
class Outcome:
    """What a match was.

    Attributes
    ----------
    code
        The result code of the first player: ``1``, ``0``, ``=`` or ``*``.
    games
        Won, lost and drawn by the first player; None where they are not told.
    """

    code: str
    games: tuple[int, int, int] | None

    def turned(self) -> Outcome:
        """Return it as the second player sees it."""
        code = {"1": "0", "0": "1"}.get(self.code, self.code)
        return Outcome(code, (self.games[1], self.games[0], self.games[2]) if self.games else None)


def read_outcome(match: Match) -> Outcome | None:
    """Read the result of a match; None where it has no meaning.

    Examples
    --------
    >>> match = Match("here", 1, "1", "Ann", "Bob", "1-2")
    >>> read_outcome(match)
    Outcome(code='0', games=(1, 2, 0))
    >>> read_outcome(Match("here", 1, "1", "Ann", "Bob", None, "Draw"))
    Outcome(code='=', games=None)
    """
    if match.result is not None:
        found = _GAMES.search(match.result)
        if found is None:
            return Outcome("=", None) if match.result.lower() in _DRAWN else None
        won, lost, drawn = (int(part or 0) for part in found.groups())
        if won + lost + drawn == 0:
            return Outcome("*", None)
        sign = "1" if won > lost else "0" if lost > won else "="
        outcome = Outcome(sign, (won, lost, drawn))
        # "Bob won 2-1" tells the games as the winner counts them.
        theirs = match.second is not None and match.result.startswith(f"{match.second} won ")
        return outcome.turned() if theirs else outcome
    if match.winner is None:
        return Outcome("*", None)
    if match.winner.lower() in _DRAWN:
        return Outcome("=", None)
    code = {match.first: "1", match.second: "0"}.get(match.winner)
    return None if code is None else Outcome(code, None)
