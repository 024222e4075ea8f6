"""What the rounds of players bring to a tie-break over their opponents."""

from __future__ import annotations

from dataclasses import dataclass

from tbframe.ledger.block import Ints

__all__ = ["Elements"]


@dataclass(frozen=True)
class Elements:
    """What each round brings to a tie-break over the opponents.

    Attributes
    ----------
    score
        ``(rounds, players)``: the opponent's adjusted score, or the dummy's; 0 where absent.
    result
        ``(rounds, players)``: the own points, as far as a product takes them.
    absent
        Flat positions where there is no element at all.
    first_cut
        Flat positions of the elements that a low cut takes first: the voluntarily unplayed
        rounds (art. 16.5), or the byes where the rules of the event say so.
    """

    score: Ints
    result: Ints
    absent: Ints
    first_cut: Ints
