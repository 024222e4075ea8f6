"""The canonical rows of many tournaments as rectangles.

A block holds tournaments that share their rounds, their kind of pairing and the edition of
their dates. Its arrays have one row per round and one column per player; the players of a
tournament stand side by side. So a join with the opponents is a gather of numbers, and a
group-by over a player's rounds is a sum of rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tbframe.ledger.extras import Extras

__all__ = ["Block", "Ints", "Score"]

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Score:
    """One way of counting: points, or a team's match points or game points.

    Attributes
    ----------
    points
        ``(rounds, players)``: in the tournament's smallest unit.
    unit
        ``(tournaments,)``: how many of its smallest units make one point.
    win, draw
        ``(tournaments,)``: what a win and a draw are worth, in units; a match won on all
        boards, and one drawn, for game points.
    """

    points: NDArray[np.signedinteger]
    unit: Ints
    win: Ints
    draw: Ints


@dataclass(frozen=True)
class Block:
    """Tournaments of one shape.

    Attributes
    ----------
    edition
        Key of the edition of the tournaments' dates.
    predetermined
        Whether the pairings were fixed before the start (round robins).
    rounds
        The round of each row; a round stands twice where players had two games in it.
    kind
        ``(rounds, players)``: what happened, as in `kinds`.
    opponent
        ``(rounds, players)``: the opponent's column; the player's own where there is none.
    color
        ``(rounds, players)``: 1 White, 2 Black, 0 none.
    scores
        What is counted: ``{"": points}``, or ``{"MP": ..., "GP": ...}`` for teams.
    primary
        The key of the score that decides.
    first
        ``(tournaments + 1,)``: the column where each tournament starts, and the end.
    row
        ``(tournaments,)``: the row in the ledger's players frame where each tournament starts.
    met_again
        ``(rounds, players)``: whether the player has the same opponent in another round too.
    pairing_number
        ``(players,)``: the player's key where all of the tournament are numbers, else his
        place among the keys.
    rating
        ``(players,)``: the rating at the start; 0 for the unrated.
    unrated
        ``(tournaments,)``: the rule for the unrated: a rating they count with, -1 where games
        against them do not count, 0 where there is no rule.
    match_boards
        ``(tournaments,)``: how many boards a team match has; 0 for individual events.
    boards
        ``(boards, rounds, players)``: a team's points on each board, in units of game points;
        ``None`` for individual events.
    extras
        The frames, to look further columns up in.
    """

    edition: str
    predetermined: bool
    rounds: tuple[int, ...]
    kind: NDArray[np.uint8]
    opponent: NDArray[np.int32]
    color: NDArray[np.uint8]
    scores: dict[str, Score]
    primary: str
    first: Ints
    row: Ints
    met_again: NDArray[np.bool_]
    pairing_number: Ints
    rating: Ints
    unrated: Ints
    match_boards: Ints
    boards: NDArray[np.signedinteger] | None = None
    extras: Extras | None = None

    def player_rows(self) -> Ints:
        """``(players,)``: the row of each column in the ledger's players frame."""
        shift = np.repeat(self.row - self.first[:-1], np.diff(self.first))
        return np.asarray(shift + np.arange(self.first[-1]))

    def spans(self, players: int) -> Iterator[tuple[int, int]]:
        """Yield ranges of tournaments with about `players` players each."""
        start = 0
        while start < len(self.row):
            target = self.first[start] + players
            stop = int(np.searchsorted(self.first, target, side="right")) - 1
            stop = max(stop, start + 1)
            yield start, stop
            start = stop
