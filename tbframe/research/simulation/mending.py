"""Finishing a pairing that came to a dead end, one event at a time."""

from __future__ import annotations

from typing import Final

from tbframe.errors import TbframeError
from tbframe.research.simulation.codes import Flags, Ints

__all__ = ["mend"]

#: How many pairs may be tried: far more than any event needs that can be paired at all.
_TRIES: Final = 200_000


def mend(opponent: Ints, present: Flags, met: Flags, order: Ints) -> Ints:
    """Pair those who were left over, opening as few pairs as possible, from the bottom up.

    Parameters
    ----------
    opponent
        By player; -1: not paired.
    present
        Who is to be paired.
    met
        Who has met whom.
    order
        Players from the top of the standing down.

    Returns
    -------
    Array
        The opponents.

    Raises
    ------
    TbframeError
        If there is no pairing without a repetition.
    """
    ranked = [int(player) for player in order if present[player]]
    kept = opponent.copy()
    tries = _Tries()
    loose = {player for player in ranked if kept[player] < 0}
    for player in [None, *reversed(ranked)]:
        if player is not None:
            if player in loose:
                continue
            loose |= {player, int(kept[player])}
            kept[[player, kept[player]]] = -1
        pairs = _perfect([one for one in ranked if one in loose], met, tries)
        if pairs is not None:
            for one, other in pairs:
                kept[one], kept[other] = other, one
            return kept
    raise TbframeError(
        f"{len(ranked)} players cannot be paired any more without a repetition: "
        "take fewer rounds or more players"
    )


class _Tries:
    """Counts what was tried, and gives up in the end."""

    def __init__(self) -> None:
        self.made = 0

    def count(self) -> None:
        self.made += 1
        if self.made > _TRIES:
            raise TbframeError(
                "no pairing without a repetition was found: take fewer rounds or more players"
            )


def _perfect(players: list[int], met: Flags, tries: _Tries) -> list[tuple[int, int]] | None:
    """Pair everybody, the first with the nearest that leaves the others a pairing; or None."""
    if not players:
        return []
    first, others = players[0], players[1:]
    for at, other in enumerate(others):
        if not met[first, other]:
            tries.count()
            rest = _perfect(others[:at] + others[at + 1 :], met, tries)
            if rest is not None:
                return [(first, other), *rest]
    return None
