"""Playing events round by round, many at once: who is there, who meets whom, what comes out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tbframe.research.simulation.absences import Absences
from tbframe.research.simulation.berger import berger
from tbframe.research.simulation.codes import CODE, NONE, WORTH, Codes, Flags, Ints
from tbframe.research.simulation.colours import Colours
from tbframe.research.simulation.games import Games, Model
from tbframe.research.simulation.seeds import Events, Floats
from tbframe.research.simulation.swiss import fold

__all__ = ["Engine", "Played", "play_round_robin", "play_swiss"]

#: Pairs one round of one event: opponents and colours (1 White, -1 Black) by player.
Engine = Callable[["Played", int, int, Flags], tuple[Ints, Ints]]


@dataclass
class Played:
    """What was played so far; arrays by event, round and player, of rounds to come -1 and 0.

    Attributes
    ----------
    opponent, colour, code
        The opponent from 0 or -1, 1 White or -1 Black or 0, the position of the result code.
    points
        By event and player, in half points.
    rating
        By event and player, the rating that pairings go by.
    first
        By event, the colour of the first player in the first round.
    """

    opponent: Ints
    colour: Ints
    code: Codes
    points: Ints
    rating: Floats
    first: Ints

    def note(self, number: int, opponent: Ints, colour: Ints, code: Codes) -> None:
        """Take down a round."""
        self.opponent[:, number], self.colour[:, number] = opponent, colour
        self.code[:, number] = code
        self.points += np.where(code >= 0, WORTH[code], 0)


def _nothing_played(events: Events, rating: Floats, rounds: int) -> Played:
    count, players = rating.shape
    shape = (count, rounds, players)
    return Played(
        np.full(shape, NONE),
        np.zeros(shape, np.int64),
        np.full(shape, NONE, np.int8),
        np.zeros((count, players), np.int64),
        rating,
        np.where(events.uniform("first colour", 1)[:, 0] < 0.5, 1, -1),
    )


def play_swiss(
    events: Events,
    rating: Floats,
    strength: Floats,
    model: Model,
    *,
    rounds: int,
    absences: Absences,
    pairing: str | Engine,
) -> Played:
    """Play Swiss events.

    Parameters
    ----------
    events
        Which ones.
    rating, strength
        By event and player, in the order of the starting numbers.
    model
        The result model.
    rounds
        How many.
    absences
        Who is not there.
    pairing
        ``"fold"``, ``"plain fold"``: opponents without regard of colours; or an engine.
    """
    count, players = rating.shape
    played = _nothing_played(events, rating, rounds)
    byes = absences.byes(events, rounds, players)
    met = np.zeros((count, players, players), np.bool_)
    had_bye = np.zeros((count, players), np.bool_)
    colours = Colours(count, players, played.first)
    games = Games(events, strength, model, (rounds, players), absences.forfeits)
    for number in range(rounds):
        code = byes[:, number].copy()
        present = code == NONE
        if isinstance(pairing, str):
            odd = _allocate_bye(played.points, present, had_bye)
            due = colours.due() if pairing == "fold" else None
            opponent = fold(played.points, present & ~odd, met, due)
            colour = colours.give(opponent, played.points)
        else:
            opponent, colour = _by_engine(pairing, played, number, present)
            odd = present & (opponent < 0)
        code[odd] = CODE["U"]
        code = games.decide(number, code, opponent, colour)
        over_the_board = np.isin(code, [CODE["1"], CODE["="], CODE["0"]])
        colours.remember(np.where(over_the_board, colour, 0))
        event, player = np.nonzero(over_the_board)
        met[event, player, opponent[event, player]] = True
        had_bye |= np.isin(code, [CODE["U"], CODE["+"]])
        played.note(number, opponent, colour, code)
    return played


def play_round_robin(
    events: Events,
    rating: Floats,
    strength: Floats,
    model: Model,
    *,
    cycles: int,
    absences: Absences,
) -> Played:
    """Play round robins by Berger's tables; games of players who are not there are forfeited.

    Parameters
    ----------
    events, rating, strength, model, absences
        As of `play_swiss`; byes asked for are forfeits here.
    cycles
        How often everybody meets everybody.
    """
    count, players = rating.shape
    pairs, sides = berger(players, cycles=cycles)
    rounds = len(pairs)
    # Lots are drawn: seats by chance.
    seat = events.uniform("seat", players).argsort(axis=1)
    player = seat.argsort(axis=1)
    played = _nothing_played(events, rating, rounds)
    away = absences.byes(events, rounds, players) != NONE
    games = Games(events, strength, model, (rounds, players), absences.forfeits)
    for number in range(rounds):
        their_seat = pairs[number][seat]
        opponent = np.take_along_axis(player, np.maximum(their_seat, 0), axis=1)
        opponent[their_seat < 0] = NONE
        colour = sides[number][seat]
        code = np.full((count, players), NONE, np.int8)
        code = games.decide(number, code, opponent, colour)
        missing = away[:, number]
        they_miss = np.take_along_axis(missing, np.maximum(opponent, 0), axis=1)
        game = opponent >= 0
        code[game & they_miss] = CODE["+"]
        code[game & missing] = CODE["-"]
        played.note(number, opponent, colour, code)
    return played


def _allocate_bye(points: Ints, present: Flags, had_bye: Flags) -> Flags:
    """Give the bye of odd events to the last of those with the fewest points who had none yet."""
    players = points.shape[1]
    worst = points * players - np.arange(players)
    worst = worst + np.where(had_bye, np.int64(1) << 40, 0)
    worst[~present] = np.iinfo(np.int64).max
    bye = np.zeros_like(present)
    odd = np.flatnonzero(present.sum(axis=1) % 2)
    bye[odd, worst[odd].argmin(axis=1)] = True
    return bye


def _by_engine(engine: Engine, played: Played, number: int, present: Flags) -> tuple[Ints, Ints]:
    """Ask an engine for one event after the other."""
    pairs = [engine(played, event, number, here) for event, here in enumerate(present)]
    return np.array([opponent for opponent, _ in pairs]), np.array([side for _, side in pairs])
