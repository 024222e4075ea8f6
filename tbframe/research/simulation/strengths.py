"""Where the strengths of the players of an event come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tbframe.errors import TbframeError
from tbframe.research.simulation.seeds import Events, Floats

__all__ = ["Strengths", "fixed", "ladder", "normal", "uniform"]


@dataclass(frozen=True)
class Strengths:
    """A distribution of strengths with a name that says its parameters.

    Attributes
    ----------
    name
        As it is called: ``"uniform(1400, 2200)"``.
    draw
        Takes events and the number of players, gives strengths by event and player.
    """

    name: str
    draw: Callable[[Events, int], Floats]

    def __repr__(self) -> str:
        """Return the name."""
        return self.name


def uniform(low: float = 1400.0, high: float = 2200.0) -> Strengths:
    """Draw strengths evenly between two numbers.

    Raises
    ------
    TbframeError
        If `high` is below `low`.
    """
    if not low <= high:
        raise TbframeError(f"strengths go from a lower to a higher number, not {low} to {high}")

    def draw(events: Events, players: int) -> Floats:
        return low + (high - low) * events.uniform("strength", players)

    return Strengths(f"uniform({low:g}, {high:g})", draw)


def normal(mean: float = 1800.0, deviation: float = 200.0) -> Strengths:
    """Draw strengths from a normal distribution.

    Raises
    ------
    TbframeError
        If `deviation` is negative.
    """
    if not deviation >= 0:
        raise TbframeError(f"a standard deviation is 0 or more, not {deviation}")

    def draw(events: Events, players: int) -> Floats:
        return mean + deviation * events.normal("strength", players)

    return Strengths(f"normal({mean:g}, {deviation:g})", draw)


def ladder(top: float = 2200.0, step: float = 10.0) -> Strengths:
    """Give every event the same strengths: `top`, and each next player `step` less."""

    def draw(events: Events, players: int) -> Floats:
        one = top - step * np.arange(players, dtype=np.float64)
        return np.broadcast_to(one, (events.count, players))

    return Strengths(f"ladder({top:g}, {step:g})", draw)


def fixed(*values: float) -> Strengths:
    """Give every event these strengths, one for each player.

    Raises
    ------
    TbframeError
        When drawn for another number of players.
    """

    def draw(events: Events, players: int) -> Floats:
        if players != len(values):
            raise TbframeError(f"{len(values)} strengths are given for {players} players")
        return np.broadcast_to(np.array(values, dtype=np.float64), (events.count, players))

    return Strengths(f"fixed({len(values)} values)", draw)
