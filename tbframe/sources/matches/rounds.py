"""Which rounds of an event are Swiss rounds, and which are knock-out rounds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tbframe.schema import MOST_ROUNDS
from tbframe.sources.making import Doubts
from tbframe.sources.matches.records import Event, Match
from tbframe.sources.matches.results import read_outcome

__all__ = ["part_rounds"]

_NUMBER: Final = re.compile(r"(?:swiss\s*)?(?:round|runde|ronde|ronda|r)?\s*(\d{1,4})",
                            re.IGNORECASE)  # fmt: skip


def part_rounds(
    event: Event, doubts: Doubts
) -> tuple[list[tuple[int, Match]], list[tuple[int, Match]]]:
    """Give the rounds numbers, and part those of the Swiss from those of the knock-out.

    Rounds with a name instead of a number, such as Quarterfinals, are knock-out rounds. So are the
    last rounds where each has half the matches of the one before, the last one match, and only
    winners go on.

    Returns
    -------
    swiss, knock_out
        The matches, each with the number of its round; knock-out rounds count from 1.
    """
    numbered: dict[int, list[Match]] = {}
    named: dict[str, list[Match]] = {}
    for match in event.matches:
        found = _NUMBER.fullmatch(match.round.strip())
        number = int(found[1]) if found else 0
        if 1 <= number <= MOST_ROUNDS and number <= (event.swiss_rounds or MOST_ROUNDS):
            numbered.setdefault(number, []).append(match)
        else:
            named.setdefault(match.round.strip(), []).append(match)
    order = sorted(numbered)
    tail = 0 if named else _knock_out_tail([numbered[number] for number in order])
    cut = len(order) - tail
    if named:
        text = f"{', '.join(named)}: knock-out rounds, in a tournament of their own"
        doubts.add("playoff-apart", text)
    if tail:
        text = f"rounds {order[cut]} to {order[-1]} go on with the winners alone: taken for " \
               "knock-out rounds, in a tournament of their own"  # fmt: skip
        doubts.add("playoff-assumed", text, "warning")
    swiss = [(number, match) for number in order[:cut] for match in numbered[number]]
    others = [numbered[number] for number in order[cut:]] + list(named.values())
    return swiss, [(i, match) for i, group in enumerate(others, start=1) for match in group]


def _knock_out_tail(rounds: Sequence[list[Match]]) -> int:
    """Return how many of the last rounds are knock-out rounds."""
    tail = 0
    while tail < len(rounds) - 1:
        here = rounds[len(rounds) - 1 - tail]
        if len(here) != 2**tail or any(not (one.first and one.second) for one in here):
            break
        if tail and _winners(here) != _players(rounds[len(rounds) - tail]):
            break
        tail += 1
    # A final alone, or before it a round that is no larger, is as likely an ordinary round.
    larger = tail and len(rounds[len(rounds) - 1 - tail]) > 2 ** (tail - 1)
    return tail if tail > 1 and larger else 0


def _players(matches: Sequence[Match]) -> set[str | None]:
    return {one for match in matches for one in (match.first, match.second)}


def _winners(matches: Sequence[Match]) -> set[str | None]:
    return {
        match.first if outcome.code == "1" else match.second
        for match in matches
        if (outcome := read_outcome(match)) is not None and outcome.code in {"1", "0"}
    }
