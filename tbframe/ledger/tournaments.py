"""A batch of tournaments under one edition: what happened, and what it scored.

Arrays of players have the shape ``(players,)``, arrays of rounds ``(rounds, players)``; all are
whole numbers, scores in the tournament's smallest unit. Those that are handed out cannot be
written to, because every tie-break of the batch works on the same ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from tbframe.editions import Edition
from tbframe.ledger.block import Block, Ints, Score
from tbframe.ledger.extras import Extras, Found
from tbframe.ledger.kinds import (
    DRAWN,
    FIRST_UNPLAYED,
    FORFEIT,
    FORFEIT_LOSS,
    PENDING,
)
from tbframe.ledger.values import Bools, fixed

__all__ = ["Tournaments"]

_Value = TypeVar("_Value")


@dataclass(frozen=True)
class Tournaments:
    """Some tournaments of one shape, computed together.

    Attributes
    ----------
    edition
        The text that applies.
    predetermined
        Whether the pairings were fixed before the start.
    rounds
        The round of each row of the arrays below.
    kind, color
        ``(rounds, players)``: what happened (`ledger.kinds`), 1 for White and 2 for Black.
    scores
        What is counted, in units: ``{"": points}``, or ``{"MP": ..., "GP": ...}`` for teams.
        Unit, win and draw are one number, or one for each player where tournaments differ.
    score_name
        The key of the score that everything is computed from; at first the one that decides.
    opponent_at
        ``(rounds, players)``: the opponent's column; the own one where there is none.
    first
        ``(tournaments + 1,)``: the column where each tournament starts, and the end.
    row
        ``(tournaments,)``: the row of the ledger's players frame where each tournament starts.
    met_again
        ``(rounds, players)``: whether the player has the same opponent in another round too.
    pairing_number
        ``(players,)``: the player's key where all of the tournament are numbers, else his
        place among the keys.
    rating
        ``(players,)``: the rating at the start; 0 for the unrated.
    unrated
        The tournament's rule for the unrated: a rating they count with, -1 where games against
        them do not count, 0 where there is no rule.
    boards
        ``(boards, rounds, players)``: a team's points on each board, in units of game points.
    forfeits_count
        Forfeits bring the scheduled opponent's score instead of a dummy's (modifier ``/P``).
    explaining
        Numbers remember the sums over rounds that they come from, to be explained.
    extras
        The frames, where `column` looks columns up.
    """

    edition: Edition
    predetermined: bool
    rounds: tuple[int, ...]
    kind: NDArray[np.uint8]
    color: NDArray[np.uint8]
    scores: dict[str, Score]
    score_name: str
    opponent_at: NDArray[np.intp]
    first: Ints
    row: Ints
    met_again: Bools
    pairing_number: Ints
    rating: Ints
    unrated: Ints
    boards: Ints | None
    forfeits_count: bool = False
    explaining: bool = False
    extras: Extras | None = field(default=None, repr=False)
    _shared: dict[object, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def of(
        cls,
        block: Block,
        start: int,
        stop: int,
        edition: Edition,
        *,
        explaining: bool = False,
    ) -> Self:
        """Take the tournaments from `start` up to `stop` out of a block."""
        first = block.first[start : stop + 1] - block.first[start]
        columns = slice(int(block.first[start]), int(block.first[stop]))
        sizes = np.diff(first)

        def each(values: Ints) -> Ints:
            some = values[start:stop]
            return np.asarray(some[0]) if (some == some[0]).all() else np.repeat(some, sizes)

        opponent = block.opponent[:, columns].astype(np.intp)
        opponent -= columns.start
        return cls(
            edition=edition,
            predetermined=block.predetermined,
            rounds=block.rounds,
            kind=np.ascontiguousarray(block.kind[:, columns]),
            color=block.color[:, columns],
            scores={
                name: Score(
                    score.points[:, columns].astype(np.int64),
                    each(score.unit),
                    each(score.win),
                    each(score.draw),
                )
                for name, score in block.scores.items()
            },
            score_name=block.primary,
            opponent_at=opponent,
            first=first,
            row=block.row[start:stop],
            met_again=np.ascontiguousarray(block.met_again[:, columns]),
            pairing_number=block.pairing_number[columns],
            rating=block.rating[columns],
            unrated=each(block.unrated),
            boards=None if block.boards is None else block.boards[:, :, columns].astype(np.int64),
            explaining=explaining,
            extras=block.extras,
        )

    def __post_init__(self) -> None:
        """Protect what all tie-breaks work on."""
        arrays: list[NDArray[Any]] = [score.points for score in self.scores.values()]
        arrays += [self.kind, self.color, self.opponent_at, self.first, self.met_again]
        for array in (*arrays, self.pairing_number, self.rating):
            fixed(array)

    def under(self, edition: Edition) -> Self:
        """Return the same tournaments under another edition."""
        return self if edition == self.edition else replace(self, edition=edition)

    def once(self, key: object, compute: Callable[[], _Value]) -> _Value:
        """Compute what several tie-breaks share once for this batch."""
        if key not in self._shared:
            self._shared[key] = compute()
        return cast("_Value", self._shared[key])

    @property
    def players(self) -> int:
        """How many players there are."""
        return len(self.rating)

    @property
    def round_count(self) -> int:
        """The number of rounds so far."""
        return self.rounds[-1] if self.rounds else 0

    def player_rows(self) -> Ints:
        """``(players,)``: each player's row in the ledger's players frame."""
        return np.asarray((self.row - self.first[:-1])[self.tournament] + np.arange(self.players))

    @cached_property
    def tournament(self) -> Ints:
        """``(players,)``: the number of each player's tournament in the batch."""
        return fixed(np.repeat(np.arange(len(self.row)), np.diff(self.first)))

    @property
    def forfeits_are_games(self) -> bool:
        """Whether forfeits count as ordinary games (art. 15.2)."""
        return self.predetermined and self.edition.predetermined_forfeits

    # -- what happened -------------------------------------------------------------------

    @cached_property
    def over_the_board(self) -> Bools:
        """``(rounds, players)``: games that were played."""
        return fixed(self.kind < FIRST_UNPLAYED)

    @cached_property
    def games(self) -> Bools:
        """``(rounds, players)``: games played, and forfeits where they count as games."""
        if not (self.forfeits_are_games or self.forfeits_count):
            return self.over_the_board
        return fixed(self.over_the_board | (FORFEIT[self.kind] & self.paired))

    @cached_property
    def own_games(self) -> Bools:
        """``(rounds, players)``: the games of the own record (arts 7 and 15.2)."""
        if not self.forfeits_are_games or self.edition.predetermined_losses_own:
            return self.games
        return fixed(self.games & (self.kind != FORFEIT_LOSS))

    @cached_property
    def paired(self) -> Bools:
        """``(rounds, players)``: rounds with a scheduled opponent."""
        return fixed(self.opponent_at != np.arange(self.players))

    @cached_property
    def known(self) -> Bools:
        """``(rounds, players)``: rounds whose result is known."""
        return fixed(self.kind < PENDING)

    @cached_property
    def unplayed(self) -> Ints:
        """Flat positions of all rounds not played over the board."""
        return np.flatnonzero(self.kind.reshape(-1) >= FIRST_UNPLAYED)

    def has_opponent(self, cells: Ints) -> Bools:
        """Tell for flat positions whether an opponent was scheduled."""
        return np.asarray(self.opponent_at.reshape(-1)[cells] != cells % self.players)

    # -- further columns -------------------------------------------------------------------

    def column(
        self,
        path: str,
        *,
        unit: Ints | int = 1,
        otherwise: Ints | int = 0,
        least: int | None = None,
    ) -> Ints:
        """Return a column that the frames carry along, as whole numbers.

        Parameters
        ----------
        path
            ``"results.NAME"``, ``"players.NAME"`` or ``"tournaments.NAME"``: a column of numbers.
        unit
            How many units make one: a number or ``(players,)``, such as `unit` for points.
        otherwise
            What stands, in units, where there is no value or no such column.
        least
            No value may be lower, such as 0 for numbers of games; by default any may be.

        Returns
        -------
        ndarray
            ``(rounds, players)`` for a column of the results, else ``(players,)``.

        Raises
        ------
        TbframeError
            If the column does not hold numbers, or one that is no whole number of units, lower
            than `least` or beyond a thousand million; the message says where it stands.
        """
        whole = (
            None if self.extras is None else self.extras.whole(self, path, unit, otherwise, least)
        )
        if whole is None:
            return np.broadcast_to(np.asarray(otherwise, dtype=np.int64), self._shape(path))
        return whole

    def given(self, path: str) -> Bools:
        """Tell where a column that the frames carry along has a value; as in `column`."""
        found = self._looked_up(path)
        return np.broadcast_to(np.False_, self._shape(path)) if found is None else found.given

    def _looked_up(self, path: str) -> Found | None:
        return None if self.extras is None else self.extras.look_up(self, path)

    def _shape(self, path: str) -> tuple[int, ...]:
        return self.kind.shape if path.startswith("results.") else (self.players,)

    # -- how it is counted ----------------------------------------------------------------------

    @property
    def unit(self) -> Ints:
        """Units in a point: one number, or one for each player."""
        return self.scores[self.score_name].unit

    @property
    def win(self) -> Ints:
        """What a win is worth, in units."""
        return self.scores[self.score_name].win

    @property
    def draw(self) -> Ints:
        """What a draw is worth, in units."""
        return self.scores[self.score_name].draw

    def on(self, score: str | None) -> Self:
        """Return the same tournaments counted by another score, ``"MP"`` or ``"GP"``."""
        if score is None or score == self.score_name:
            return self
        return replace(self, score_name=score)

    @property
    def secondary(self) -> Self:
        """The same team tournaments counted by the score that does not decide."""
        return self.on("GP" if self.score_name == "MP" else "MP")

    def scaled(self, score: str, factor: int) -> Self:
        """Return the same tournaments with a score counted in units so many times as small."""
        one = self.scores[score]
        finer = Score(*(factor * value for value in (one.points, one.unit, one.win, one.draw)))
        boards = self.boards
        if boards is not None and score == "GP":
            boards = factor * boards
        return replace(self, scores={**self.scores, score: finer}, boards=boards)

    @cached_property
    def with_forfeits(self) -> Self:
        """The same tournaments with forfeits as games with the opponent (modifier ``/P``)."""
        return replace(self, forfeits_count=True)

    @cached_property
    def fore(self) -> Self:
        """The same tournaments with every pairing of the last round drawn (art. 8.3)."""
        last = np.asarray(self.rounds) == self.round_count
        drawn = self.paired & last[:, None]
        return replace(
            self,
            kind=np.where(drawn, np.uint8(DRAWN), self.kind),
            scores={
                name: replace(score, points=np.where(drawn, score.draw, score.points))
                for name, score in self.scores.items()
            },
        )
