"""A batch of tournaments under one edition, and the three verbs.

A tie-break is a function of a batch. ``own`` is a player's value on each of his rounds,
``opponent`` the opponent's value there, ``total`` brings rounds back to players; ``mean``,
``count`` and ``lowest`` are its kin. All work on every player of every tournament at once:
arrays of players have the shape ``(players,)``, arrays of rounds ``(rounds, players)``, all
whole numbers in the tournament's smallest unit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from tbframe.editions import Edition
from tbframe.ledger import unplayed
from tbframe.ledger.block import Block, Ints, Score
from tbframe.ledger.cuts import cut_mask, cut_total
from tbframe.ledger.elements import Elements
from tbframe.ledger.kinds import (
    DRAWN,
    FIRST_UNPLAYED,
    FORFEIT,
    FORFEIT_LOSS,
    PENDING,
)

__all__ = ["Batch", "Ratio", "Sum"]


Bools = NDArray[np.bool_]
_Kind = TypeVar("_Kind", bound=np.generic)
_Value = TypeVar("_Value")


@dataclass(frozen=True)
class Ratio:
    """A quotient of whole numbers, kept as such; undefined where the denominator is 0.

    Players for whom `last` holds rank below all others, whatever their value.
    """

    numerator: Ints
    denominator: Ints
    last: Bools | None = None


@dataclass(frozen=True)
class Sum:
    """A sum over rounds as it was taken: the terms, and which of them were cut and how."""

    batch: Batch
    terms: Ints
    taken: Bools
    cut: NDArray[np.uint8]


@dataclass(frozen=True)
class Batch:
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
    sums
        Where given, every sum over rounds is noted there, to be explained.
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
    sums: list[Sum] | None = field(default=None, repr=False)
    _shared: dict[object, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def of(
        cls,
        block: Block,
        start: int,
        stop: int,
        edition: Edition,
        *,
        sums: list[Sum] | None = None,
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
            sums=sums,
        )

    def under(self, edition: Edition) -> Batch:
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
        return np.repeat(np.arange(len(self.row)), np.diff(self.first))

    @property
    def forfeits_are_games(self) -> bool:
        """Whether forfeits count as ordinary games (art. 15.2)."""
        return self.predetermined and self.edition.predetermined_forfeits

    # -- what happened -------------------------------------------------------------------

    @cached_property
    def over_the_board(self) -> Bools:
        """``(rounds, players)``: games that were played."""
        return np.asarray(self.kind < FIRST_UNPLAYED)

    @cached_property
    def games(self) -> Bools:
        """``(rounds, players)``: games played, and forfeits where they count as games."""
        if not self.forfeits_are_games:
            return self.over_the_board
        return np.asarray(self.over_the_board | (FORFEIT[self.kind] & self.paired))

    @cached_property
    def own_games(self) -> Bools:
        """``(rounds, players)``: the games of the own record (arts 7 and 15.2)."""
        if not self.forfeits_are_games or self.edition.predetermined_losses_own:
            return self.games
        return np.asarray(self.games & (self.kind != FORFEIT_LOSS))

    @cached_property
    def paired(self) -> Bools:
        """``(rounds, players)``: rounds with a scheduled opponent."""
        return np.asarray(self.opponent_at != np.arange(self.players))

    @cached_property
    def unplayed(self) -> Ints:
        """Flat positions of all rounds not played over the board."""
        return unplayed.unplayed_cells(self)

    def has_opponent(self, cells: Ints) -> Bools:
        """Tell for flat positions whether an opponent was scheduled."""
        return np.asarray(self.opponent_at.reshape(-1)[cells] != cells % self.players)

    # -- scores --------------------------------------------------------------------------

    @property
    def points(self) -> Ints:
        """``(rounds, players)``: points awarded, in units."""
        return self.scores[self.score_name].points

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

    def on(self, score: str | None) -> Batch:
        """Return the same tournaments counted by another score, ``"MP"`` or ``"GP"``."""
        if score is None or score == self.score_name:
            return self
        return replace(self, score_name=score)

    @property
    def secondary(self) -> Batch:
        """The same team tournaments counted by the score that does not decide."""
        return self.on("GP" if self.score_name == "MP" else "MP")

    @cached_property
    def score(self) -> Ints:
        """``(players,)``: sum of points."""
        return np.asarray(self.points.sum(axis=0))

    @cached_property
    def adjusted_score(self) -> Ints:
        """``(players,)``: the score as the opponents' tie-breaks take it (art. 16.3)."""
        return unplayed.adjusted_score(self)

    @cached_property
    def elements(self) -> Elements:
        """What each round brings to a tie-break over the opponents (art. 16)."""
        return unplayed.elements(self)

    @property
    def opponent_score(self) -> Ints:
        """``(rounds, players)``: the opponent's adjusted score, or his stand-in's (art. 16.4)."""
        return self.elements.score

    @property
    def opponent_result(self) -> Ints:
        """``(rounds, players)``: the own points, as a product with `opponent_score` takes them."""
        return self.elements.result

    @cached_property
    def with_forfeits(self) -> Batch:
        """The same tournaments with forfeits as games with the opponent (modifier ``/P``)."""
        return replace(self, forfeits_count=True)

    @cached_property
    def fore(self) -> Batch:
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

    # -- the verbs -----------------------------------------------------------------------

    def own(self, values: Ints) -> Ints:
        """Put a player's value on each of his rounds.

        Parameters
        ----------
        values
            ``(players,)``.

        Returns
        -------
        ndarray
            ``(rounds, players)``.
        """
        return np.broadcast_to(values, self.kind.shape)

    def gather(self, values: NDArray[_Kind]) -> NDArray[_Kind]:
        """Put the scheduled opponent's value on each round; the own where there is none."""
        return values.take(self.opponent_at, mode="clip")

    def opponent(self, values: Ints, *, otherwise: Ints | int = 0) -> Ints:
        """Put the opponent's value on each game.

        Parameters
        ----------
        values
            ``(players,)``.
        otherwise
            The value of rounds that are no game.

        Returns
        -------
        ndarray
            ``(rounds, players)``.
        """
        return np.where(self.games, self.gather(values), otherwise)

    def total(
        self,
        values: NDArray[np.generic],
        *,
        where: Bools | None = None,
        low: int = 0,
        high: int = 0,
        by: Ints | None = None,
    ) -> Ints:
        """Sum each player's rounds.

        Parameters
        ----------
        values
            ``(rounds, players)``.
        where
            Rounds to take; all by default.
        low, high
            How many of the least and most significant elements are cut, under the
            edition's rule for voluntarily unplayed rounds (art. 16.5).
        by
            ``(rounds, players)``: what makes an element significant; `values` by default.

        Returns
        -------
        ndarray
            ``(players,)``.
        """
        terms = np.asarray(values, dtype=np.int64)
        if where is not None:
            terms = np.where(where, terms, 0)
        if self.sums is not None:
            self.sums.append(self._noted(terms, where, low, high, by))
        if not (low or high):
            return np.asarray(terms.sum(axis=0))
        elements = self._elements_of(where)
        by = terms if by is None else by
        return cut_total(terms, elements, by=by, low=low, high=high, rule=self.edition.low_cut)

    def _elements_of(self, where: Bools | None) -> Elements:
        """Return which of the rounds in `where` are absent or voluntarily unplayed."""
        if where is None:
            return self.elements
        absent = np.union1d(self.elements.absent, np.flatnonzero(~where))
        first_cut = np.setdiff1d(self.elements.first_cut, absent)
        return replace(self.elements, absent=absent, first_cut=first_cut)

    def _noted(self, terms: Ints, where: Bools | None, low: int, high: int, by: Ints | None) -> Sum:
        taken = np.ones(terms.shape, dtype=np.bool_) if where is None else where.copy()
        cut = np.zeros(terms.shape, dtype=np.uint8)
        if self.uses_opponents or low or high:
            elements = self._elements_of(where)
            taken.reshape(-1)[elements.absent] = False
            by = terms if by is None else by
            cut = cut_mask(terms, elements, by=by, low=low, high=high, rule=self.edition.low_cut)
        return Sum(self, terms, taken, cut)

    @property
    def uses_opponents(self) -> bool:
        """Whether anything so far has asked for the opponents' scores."""
        return "elements" in vars(self)

    def mean(self, values: Ints, *, where: Bools | None = None) -> Ratio:
        """Average each player's rounds, exactly; undefined where there are none.

        Parameters
        ----------
        values
            ``(rounds, players)``.
        where
            Rounds to take; all by default.
        """
        taken = np.ones(self.kind.shape, dtype=np.bool_) if where is None else where
        number = self.count(taken)
        return Ratio(self.total(values, where=taken), number)

    def count(self, where: Bools) -> Ints:
        """Count each player's rounds for which `where` holds."""
        if self.sums is not None:
            return self.total(where)
        return np.asarray(where.sum(axis=0, dtype=np.int64))

    def lowest(self, values: Ints, *, where: Bools, otherwise: int = 0) -> Ints:
        """Return each player's lowest value among the rounds of `where`."""
        beyond = np.iinfo(np.int64).max
        least = np.where(where, values, beyond).min(axis=0, initial=beyond)
        return np.where(least == beyond, otherwise, least)

    @cached_property
    def known(self) -> Bools:
        """``(rounds, players)``: rounds whose result is known."""
        return np.asarray(self.kind < PENDING)
