"""The three verbs, and the scores they begin with.

A tie-break is a function of a batch. ``own`` is a player's value on each of his rounds,
``opponent`` the opponent's value there, ``total`` brings rounds back to players; ``mean``,
``count``, ``lowest`` and ``highest`` are its kin. All work on every player of every tournament
at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tbframe.errors import TbframeError
from tbframe.ledger import unplayed
from tbframe.ledger.block import Ints
from tbframe.ledger.cuts import cut_mask, cut_total
from tbframe.ledger.elements import Elements
from tbframe.ledger.kinds import FORFEIT
from tbframe.ledger.tournaments import Tournaments
from tbframe.ledger.values import (
    Bools,
    Note,
    OpponentScores,
    OwnPoints,
    Ratio,
    Sum,
    fixed,
    noted,
    notes_of,
)

__all__ = ["Batch"]

_Kind = TypeVar("_Kind", bound=np.generic)


@dataclass(frozen=True)
class Batch(Tournaments):
    """Some tournaments of one shape, as the formula of a tie-break sees them.

    Arrays of players have the shape ``(players,)``, arrays of rounds ``(rounds, players)``. All
    are whole numbers; scores are in the tournament's smallest unit (`unit` of them make a point),
    so that sums and products are exact. The players of a tournament stand side by side, and a
    formula must not mix tournaments: `over_tournament` reduces over each of them. The arrays
    cannot be written to; a formula makes new ones. Batches may be computed in several threads.

    Attributes
    ----------
    edition
        The text that applies.
    predetermined
        Whether the pairings were fixed before the start.
    rounds
        The round of each row of the arrays of rounds; one stands twice where players had two games
        in it.
    color
        ``(rounds, players)``: 1 for White, 2 for Black, 0 for neither.
    rating
        ``(players,)``: the rating at the start; 0 for the unrated, whom a formula has to leave out.
    pairing_number
        ``(players,)``: the player's key where all of the tournament are numbers, else his
        place among the keys.
    boards
        ``(boards, rounds, players)``: a team's points on each board, in units of game points;
        ``None`` for individual events.

    Examples
    --------
    >>> import tbframe as tb
    >>> @tb.tiebreak("LOST", name="Scores of those who won", source="an example")
    ... def lost_to(t):
    ...     return t.total(t.opponent(t.score), where=t.games & (t.points == 0))
    >>> tb.forget("LOST")
    """

    # -- scores --------------------------------------------------------------------------

    @property
    def points(self) -> Ints:
        """``(rounds, players)``: points awarded, in units."""
        points = self.scores[self.score_name].points
        return noted(points, [OwnPoints(self)]) if self.explaining else points

    @cached_property
    def score(self) -> Ints:
        """``(players,)``: sum of points."""
        score: Ints = fixed(self.scores[self.score_name].points.sum(axis=0))
        return self.explained(score, lambda: self.total(self.points))

    @cached_property
    def adjusted_score(self) -> Ints:
        """``(players,)``: the score as the opponents' tie-breaks take it (art. 16.3)."""
        return fixed(unplayed.adjusted_score(self))

    @cached_property
    def elements(self) -> Elements:
        """What each round brings to a tie-break over the opponents (art. 16)."""
        elements = unplayed.elements(self)
        fixed(elements.score)
        fixed(elements.result)
        return elements

    @property
    def opponent_score(self) -> Ints:
        """``(rounds, players)``: the opponent's adjusted score, or his stand-in's (art. 16.4)."""
        score = self.elements.score
        return noted(score, [OpponentScores(self)]) if self.explaining else score

    @property
    def opponent_result(self) -> Ints:
        """``(rounds, players)``: the own points, as a product with `opponent_score` takes them."""
        result = self.elements.result
        return noted(result, [OwnPoints(self)]) if self.explaining else result

    # -- the verbs -----------------------------------------------------------------------

    def own(self, values: NDArray[_Kind]) -> NDArray[_Kind]:
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

    def opponent(
        self,
        values: NDArray[_Kind],
        *,
        otherwise: NDArray[_Kind] | int = 0,
        where: Bools | None = None,
    ) -> NDArray[_Kind]:
        """Put the opponent's value on each round.

        Parameters
        ----------
        values
            ``(players,)``, or ``(rounds, players)`` for the opponent's value of the same round.
        otherwise
            The value of rounds without an opponent: a number, ``(players,)`` or
            ``(rounds, players)``.
        where
            ``(rounds, players)``: rounds that have an opponent; by default the `games`. With
            `paired` scheduled opponents count, also those of forfeits.

        Returns
        -------
        ndarray
            ``(rounds, players)``.
        """
        values = np.asarray(values)
        if values.shape not in ((self.players,), self.kind.shape):
            raise self._misshapen("opponent", values)
        at = self.opponent_at if values.ndim == 1 else self._opponents_row
        found = values.take(at, mode="clip")
        if where is None:
            cells = self._without_game
        else:
            cells = self._unpaired if where is self.paired else np.flatnonzero(~where)
        filler = np.asarray(otherwise)
        if filler.dtype.kind == "f" and found.dtype.kind != "f":
            raise TbframeError("opponent(): otherwise= has to be a whole number, as the values are")
        if filler.ndim:
            filler = np.broadcast_to(filler, self.kind.shape).reshape(-1)[cells]
        found.reshape(-1)[cells] = filler
        return found

    def total(
        self,
        values: NDArray[np.generic],
        *,
        where: Bools | None = None,
        low: Ints | int = 0,
        high: Ints | int = 0,
        by: Ints | None = None,
        plain_cuts: bool = False,
    ) -> Ints:
        """Sum each player's rounds.

        Parameters
        ----------
        values
            ``(rounds, players)``, whole numbers; also ``(players,)``, the same in every round.
        where
            Rounds to take; all by default.
        low, high
            How many of the least and most significant elements are cut, under the
            edition's rule for voluntarily unplayed rounds (art. 16.5): a number, or
            ``(players,)``.
        by
            ``(rounds, players)``: what makes an element significant; `values` by default.
        plain_cuts
            Cut by size alone among the rounds of `where`, whatever FIDE's editions say.

        Returns
        -------
        ndarray
            ``(players,)``.
        """
        given = np.asarray(values)
        if given.dtype.kind not in "iub":
            raise TbframeError(f"total() adds up whole numbers, not {given.dtype}: see tb.Ratio")
        terms = given.astype(np.int64, copy=False)
        if terms.shape != self.kind.shape:
            terms = self._as_rounds("total", terms)
        if where is not None:
            terms = np.where(where, terms, 0)
        key = terms if by is None else np.asarray(by)
        rule = "plain" if plain_cuts else self.edition.low_cut
        cuts = bool(np.any(low) or np.any(high))
        if cuts:
            elements = self._elements_of(where, plain=plain_cuts)
            total = cut_total(terms, elements, by=key, low=low, high=high, rule=rule)
        else:
            total = terms.sum(axis=0)
        if self.explaining:
            made_of = notes_of(values, by)
            note = self._sum(terms, where, made_of)
            if cuts or note.opponents is not None:
                elements = self._elements_of(where, plain=plain_cuts)
                note.taken.reshape(-1)[elements.absent] = False
                note.cut[:] = cut_mask(terms, elements, by=key, low=low, high=high, rule=rule)
            return noted(total, [note])
        return total

    def mean(self, values: Ints, *, where: Bools | None = None) -> Ratio:
        """Average each player's rounds, exactly; undefined where there are none.

        Parameters
        ----------
        values
            ``(rounds, players)``.
        where
            Rounds to take; all by default.

        Returns
        -------
        Ratio
            The sum over the number of rounds.
        """
        taken = np.ones(self.kind.shape, dtype=np.bool_) if where is None else where
        return Ratio(self.total(values, where=taken), self.count(taken))

    def count(self, where: Bools) -> Ints:
        """Count each player's rounds for which `where` holds.

        Parameters
        ----------
        where
            ``(rounds, players)``.

        Returns
        -------
        ndarray
            ``(players,)``.
        """
        if self.explaining:
            return self.total(where)
        if where.shape != self.kind.shape:
            where = self._as_rounds("count", where)
        return np.asarray(where.sum(axis=0, dtype=np.int64))

    def lowest(self, values: Ints, *, where: Bools, otherwise: int = 0) -> Ints:
        """Return each player's lowest value among some rounds.

        Parameters
        ----------
        values, where
            ``(rounds, players)``: the values, and which to look at.
        otherwise
            The value of players without such a round.

        Returns
        -------
        ndarray
            ``(players,)``.
        """
        beyond = np.iinfo(np.int64).max
        least = np.where(where, values, beyond).min(axis=0, initial=beyond)
        return np.where(least == beyond, otherwise, least)

    def highest(self, values: Ints, *, where: Bools, otherwise: int = 0) -> Ints:
        """Return each player's highest value among some rounds.

        Parameters
        ----------
        values, where, otherwise
            As in `lowest`.

        Returns
        -------
        ndarray
            ``(players,)``.
        """
        return -self.lowest(-values, where=where, otherwise=-otherwise)

    def over_tournament(self, reduction: np.ufunc, values: Ints) -> Ints:
        """Reduce over the players of each tournament, and give all of them the result.

        Parameters
        ----------
        reduction
            Such as ``np.add``, ``np.maximum`` or ``np.minimum``.
        values
            ``(players,)``.

        Returns
        -------
        ndarray
            ``(players,)``.
        """
        return np.asarray(reduction.reduceat(values, self.first[:-1])[self.tournament])

    def explained(self, values: Ints, by: Callable[[], Any]) -> Ints:
        """Let an explanation show a sum that `values` were not computed from.

        Parameters
        ----------
        values
            ``(players,)``.
        by
            Takes the sum; called in an explanation only.

        Returns
        -------
        ndarray
            `values`.
        """
        return noted(np.asarray(values), notes_of(by())) if self.explaining else values

    # -- what they need ------------------------------------------------------------------

    @cached_property
    def _opponents_row(self) -> NDArray[np.intp]:
        """Flat position of the opponent's row of the same round."""
        return self.opponent_at + np.arange(len(self.rounds))[:, None] * self.players

    @cached_property
    def _without_game(self) -> Ints:
        """Flat positions of the rounds that are no `games`."""
        cells = self.unplayed
        if not (self.forfeits_are_games or self.forfeits_count):
            return cells
        forfeits = FORFEIT[self.kind.reshape(-1)[cells]] & self.has_opponent(cells)
        return cells[~forfeits]

    @cached_property
    def _unpaired(self) -> Ints:
        """Flat positions of the rounds that are not `paired`."""
        return np.flatnonzero(~self.paired)

    def _elements_of(self, where: Bools | None, *, plain: bool) -> Elements:
        """Return which of the rounds in `where` are absent or voluntarily unplayed."""
        if where is None and not plain:
            return self.elements
        nothing = np.arange(0)
        absent = (
            nothing if where is None else np.flatnonzero(~np.broadcast_to(where, self.kind.shape))
        )
        if plain:
            return Elements(self.points, self.points, absent, nothing)
        absent = np.union1d(self.elements.absent, absent)
        first_cut = np.setdiff1d(self.elements.first_cut, absent)
        return replace(self.elements, absent=absent, first_cut=first_cut)

    def _sum(self, terms: Ints, where: Bools | None, made_of: tuple[Note, ...]) -> Sum:
        """Describe a sum as it was taken, before its cuts."""
        opponents = [note.batch for note in made_of if isinstance(note, OpponentScores)]
        own = [note.batch for note in made_of if isinstance(note, OwnPoints)]
        taken = np.ones(terms.shape, dtype=np.bool_)
        if where is not None:
            taken &= where
        cut = np.zeros(terms.shape, dtype=np.uint8)
        return Sum(self, terms, taken, cut, next(iter(opponents), None), next(iter(own), None))

    def _as_rounds(self, verb: str, values: NDArray[_Kind]) -> NDArray[_Kind]:
        """Return values for every round and player."""
        try:
            return np.broadcast_to(values, self.kind.shape)
        except ValueError:
            raise self._misshapen(verb, values) from None

    def _misshapen(self, verb: str, values: NDArray[np.generic]) -> TbframeError:
        return TbframeError(
            f"{verb}() needs one value for each player {(self.players,)} or for each round and "
            f"player {self.kind.shape}, not {values.shape}"
        )
