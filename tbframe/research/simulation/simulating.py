"""Simulated tournaments: thousands of round robins and Swiss events with known strengths."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count
from typing import Final

import numpy as np

from tbframe.archive import Archive
from tbframe.editions import edition_of
from tbframe.errors import TbframeError
from tbframe.research.simulation.absences import Absences
from tbframe.research.simulation.frames import Made, as_archive, frames_of
from tbframe.research.simulation.games import Model
from tbframe.research.simulation.models import davidson
from tbframe.research.simulation.playing import Engine, play_round_robin, play_swiss
from tbframe.research.simulation.seeds import Events
from tbframe.research.simulation.strengths import Strengths, uniform

__all__ = ["simulate"]

#: Players in work at once in each thread: their arrays stay near the processor.
_AT_ONCE: Final = 65_536
#: Pairing needs a flag for each two players of an event.
_PAIRS_AT_ONCE: Final = 2**24
_PAIRINGS: Final = ("fold", "plain fold", "berger")


def simulate(
    events: int = 1_000,
    players: int = 32,
    rounds: int | None = None,
    *,
    pairing: str | Engine = "fold",
    model: Model | None = None,
    strengths: Strengths | None = None,
    rating_noise: float = 0.0,
    unrated: float = 0.0,
    form: float = 0.0,
    zero_point_byes: float = 0.0,
    half_point_byes: float = 0.0,
    withdrawals: float = 0.0,
    late_entries: float = 0.0,
    forfeits: float = 0.0,
    cycles: int = 1,
    edition: str = "2026-03",
    seed: int = 1,
) -> Archive:
    """Simulate tournaments in which the strength of every player is known.

    Parameters
    ----------
    events, players
        How many tournaments, and how many players each has.
    rounds
        How many a Swiss event has, by default the base-2 logarithm of the players rounded up
        and two more; of a round robin it follows from the players.
    pairing
        ``"fold"``: Swiss by score groups, upper against lower half, without repetitions and with
        colours balanced; ``"plain fold"``: the same, but colours have no say in who meets whom;
        ``"berger"``: a round robin by Berger's tables with seats by lot; or an engine,
        ``models.dutch()`` or ``models.bbp_pairings(path)``: FIDE's own systems, thousands of
        times slower.
    model
        The result model, one of `tbframe.research.models` or a function of the strengths of
        White and Black; by default ``davidson(1.0, advantage=35)``.
    strengths
        The distribution of strengths, by default ``uniform(1400, 2200)``.
    rating_noise
        The standard deviation of the published rating around the strength.
    unrated
        The share of players without a published rating. Starting numbers follow the ratings,
        unrated players last.
    form
        The standard deviation of a player's form in one event around the strength.
    zero_point_byes, half_point_byes
        The chance of each player and round (half-point byes: of the first three rounds) of a
        bye asked for.
    withdrawals
        The chance after each round that a player leaves for good.
    late_entries
        The share of players who miss the first round.
    forfeits
        The chance of each game to be forfeited, by either side.
    cycles
        How often everybody meets everybody in a round robin.
    edition
        The text under which the tournaments are played, in their column ``edition``.
    seed
        0 or more. An event depends on the seed and its number only: the first hundred of a
        thousand are those of a hundred, whatever the machine.

    Returns
    -------
    Archive
        ``tournament`` counts from 1 and ``player`` is the starting number. `Archive.players`
        has the columns ``rating`` (whole numbers) and ``strength`` as well; `Archive.results` a
        row per player and round, save where a round robin of an odd number gives a rest.

    Raises
    ------
    TbframeError
        If a number is out of range, or so many rounds are asked for that no pairing without a
        repetition is left.
    EditionError
        If the edition does not exist.

    Examples
    --------
    >>> import tbframe as tb
    >>> archive = tb.simulate(events=100, players=16, rounds=5, seed=7)
    >>> archive.results.height, archive.players["strength"].is_between(1400, 2200).all()
    (8000, True)
    >>> archive.standings("PTS BH").filter(rank=1)["tournament"].n_unique()
    100
    """
    swiss = pairing != "berger"
    if isinstance(pairing, str) and pairing not in _PAIRINGS:
        raise TbframeError(
            f"pairing is one of {', '.join(_PAIRINGS)} or an engine, not {pairing!r}"
        )
    if events < 0 or players < 0 or cycles < 1 or seed < 0:
        raise TbframeError("events, players and seed are 0 or more, and cycles 1 or more")
    if not swiss and rounds is not None:
        raise TbframeError("the rounds of a round robin follow from its players: leave them out")
    if rounds is None:
        rounds = min(max(players - 1, 0).bit_length() + 2, max(players - 1, 0))
    if rounds < 0 or (swiss and rounds > max(players - 1 + players % 2, 0)):
        raise TbframeError(f"{players} players can play up to {players - 1} rounds, not {rounds}")
    plan = _Plan(
        players,
        rounds if swiss else None,
        cycles,
        pairing,
        model or davidson(1.0, advantage=35.0),
        strengths or uniform(),
        rating_noise,
        unrated,
        form,
        Absences(
            zero_point=zero_point_byes,
            half_point=half_point_byes,
            withdrawals=withdrawals,
            late=late_entries,
            forfeits=forfeits,
        ),
    )
    size = max(1, min(_AT_ONCE // max(players, 1), _PAIRS_AT_ONCE // max(players, 1) ** 2))
    batches = [
        Events(seed, first, min(size, events - first)) for first in range(0, events, size)
    ] or [Events(seed, 0, 0)]
    with ThreadPoolExecutor(cpu_count() or 1) as pool:
        made = list(pool.map(plan.play, batches))
    kind = "swiss" if swiss else "predetermined"
    return as_archive(made, pairing=kind, edition=edition_of(edition).key)


@dataclass(frozen=True)
class _Plan:
    """What every batch of events is made by."""

    players: int
    rounds: int | None
    cycles: int
    pairing: str | Engine
    model: Model
    strengths: Strengths
    rating_noise: float
    unrated: float
    form: float
    absences: Absences

    def play(self, events: Events) -> Made:
        """Make some events."""
        strength = self.strengths.draw(events, self.players)
        rating = np.rint(strength + self.rating_noise * events.normal("rating", self.players))
        rating[events.uniform("unrated", self.players) < self.unrated] = np.nan
        # Starting numbers by rating; of equals the stronger comes first, as titles would tell.
        order = np.lexsort((-strength, np.where(np.isnan(rating), np.inf, -rating)), axis=1)
        strength = np.take_along_axis(strength, order, axis=1)
        rating = np.take_along_axis(rating, order, axis=1)
        shape = strength
        if self.form:
            shape = strength + self.form * events.normal("form", self.players)
        if self.rounds is None:
            played = play_round_robin(
                events, rating, shape, self.model, cycles=self.cycles, absences=self.absences
            )
        else:
            played = play_swiss(
                events,
                rating,
                shape,
                self.model,
                rounds=self.rounds,
                absences=self.absences,
                pairing=self.pairing,
            )
        return frames_of(events.first, played, rating, strength)
