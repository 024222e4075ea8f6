"""Percentages of matches won, and their averages over the opponents, exactly.

Card games compare averages of quotients: each opponent's matches won over the matches he played.
Such quotients are put over one common denominator, so that their sums stay whole numbers and two
averages are equal only where they are; a division is done for printing alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tbframe.ledger import Batch, Ratio
from tbframe.ledger.block import Ints
from tbframe.ledger.kinds import EMPTY, KIND
from tbframe.ledger.values import Bools

__all__ = ["Shares", "average", "frozen", "half_up", "matches", "outcomes", "shares", "up_to"]

#: Below this, whole numbers are counted in 64 bits, and above by Python.
_MOST: Final = 2**62
#: Up to this power of 2 a number is divided to be shown, where no common denominator fits.
_BITS: Final = 56


@dataclass(frozen=True)
class Shares:
    """A quotient for each player, all over one denominator.

    Attributes
    ----------
    tops
        ``(players,)``: the numerators; Python's whole numbers where 64 bits are too few.
    bottom
        The denominator.
    defined
        ``(players,)``: who has a value.
    """

    tops: NDArray[Any]
    bottom: int
    defined: Bools

    def ratio(self) -> Ratio:
        """Return the values of a tie-break."""
        tops, bottom = self.tops, self.bottom
        if tops.dtype == object or bottom >= _MOST:
            tops, bottom = _in_64_bits(_wide(tops, _MOST), bottom)
        return Ratio(np.where(self.defined, tops, 0), np.where(self.defined, bottom, 0))


def shares(values: Ratio, multiple: int) -> Shares:
    """Put quotients over one denominator.

    Parameters
    ----------
    values
        One for each player.
    multiple
        A multiple of every denominator.
    """
    defined = values.denominator > 0
    bottoms = np.where(defined, values.denominator, 1)
    top = _largest(values.numerator) * multiple
    tops = _wide(values.numerator, top) * (multiple // _wide(bottoms, top))
    return Shares(np.where(defined, tops, 0), multiple, defined)


def average(
    t: Batch, of: Shares, where: Bools, *, weight: Ints | None = None, multiple: int = 1
) -> Shares:
    """Average the opponents' quotients; undefined without opponents.

    Parameters
    ----------
    t
        The batch.
    of
        The quotients to average.
    where
        ``(rounds, players)``: the rounds whose opponents count; one who has no value there makes
        the average undefined.
    weight
        ``(rounds, players)``: how often a round counts; by default once.
    multiple
        A multiple of every sum of weights; by default found from the number of rounds.
    """
    counted = where if weight is None else np.where(where, weight, 0)
    number = counted.sum(axis=0, dtype=np.int64)
    multiple = multiple if weight is not None else rounds_multiple(t)
    most = _largest(of.tops) * multiple * int(number.max(initial=1))
    terms = t.opponent(_wide(of.tops, most), where=where)
    if weight is not None:
        terms = terms * counted
    defined = number > 0
    if not of.defined.all():
        defined &= t.opponent(of.defined, where=where, otherwise=1).all(axis=0)
    factor = multiple // _wide(np.where(number > 0, number, 1), most)
    return Shares(terms.sum(axis=0) * factor, of.bottom * multiple, defined)


def rounds_multiple(t: Batch) -> int:
    """Return a multiple of every number of rounds that a player can have."""
    return math.lcm(*range(1, len(t.rounds) + 1))


def half_up(of: Shares, parts: int) -> Ints:
    """Return the quotients in so many parts of one, rounded half up; 0 where undefined."""
    tops = _wide(of.tops, max(_largest(of.tops), of.bottom) * 2 * parts)
    rounded = (2 * parts * tops + of.bottom) // (2 * of.bottom)
    return np.where(of.defined, rounded, 0).astype(np.int64)


def _largest(values: NDArray[Any]) -> int:
    """Return the largest of some whole numbers without their signs, and at least 1."""
    return max(int(values.max(initial=1)), -int(values.min(initial=0)))


def _wide(values: NDArray[Any], most: int) -> NDArray[Any]:
    """Return Python's whole numbers where what is made of the values outgrows 64 bits."""
    return values.astype(object) if most >= _MOST else values


def _in_64_bits(tops: NDArray[Any], bottom: int) -> tuple[Ints, int]:
    """Return smaller numbers in the same order, as near as can be to the same quotients.

    Where the denominator outgrows 64 bits each quotient becomes the nearest multiple of a power
    of 2. Two that differ by less than that are set apart by one part, so that none that differ
    are level and none that are level differ.
    """
    largest = max(_largest(tops) // bottom, 1)
    shift = _BITS - largest.bit_length()
    distinct, place = np.unique(tops, return_inverse=True)
    nearest = (distinct * 2 ** (shift + 1) + bottom) // (2 * bottom)
    steps = np.arange(len(distinct))
    apart = np.maximum.accumulate(nearest.astype(np.int64) - steps) + steps
    return apart[place], 2**shift


# -- matches ------------------------------------------------------------------------------------


def outcomes(win: int, draw: int) -> Ints:
    """Return what each kind of result is worth, as a table over `Batch.kind`."""
    table = np.zeros(EMPTY + 1, dtype=np.int64)
    table[[KIND[code] for code in "1W+"]] = win
    table[[KIND[code] for code in "=D"]] = draw
    return table


def matches(t: Batch) -> Bools:
    """Tell where there was a match, also one decided by absence, ``(rounds, players)``."""
    return np.asarray(t.once(matches, lambda: t.paired & t.known))


def frozen(t: Batch, column: str, compute: Callable[[Batch, Ints], Shares]) -> Shares:
    """Compute values that stay as they are for players who leave the event.

    Parameters
    ----------
    t
        The batch.
    column
        A column of the players frame: the round after which a player left, null for the others.
    compute
        Gives the values of a batch; its second argument tells for each player after which round
        he left, 0 for those still there.

    Returns
    -------
    Shares
        Those who left have the values that they had after that round.
    """
    left = t.column(f"players.{column}", least=0)
    left = np.where(left <= t.round_count, left, 0)
    values = compute(t, left)
    for last in np.unique(left[(left > 0) & (left < t.round_count)]).tolist():
        then = compute(up_to(t, last), np.where(left <= last, left, 0))
        here = left == last
        common = math.lcm(values.bottom, then.bottom)
        values = Shares(
            np.where(here, _over(then, common), _over(values, common)),
            common,
            np.where(here, then.defined, values.defined),
        )
    return values


def _over(of: Shares, bottom: int) -> NDArray[Any]:
    """Return the numerators over another denominator, a multiple of the present one."""
    factor = bottom // of.bottom
    return _wide(of.tops, _largest(of.tops) * factor) * factor


def up_to(t: Batch, last: int) -> Batch:
    """Return the batch as it stood after a round."""
    rows = int(np.searchsorted(np.asarray(t.rounds), last, side="right"))
    return replace(
        t,
        rounds=t.rounds[:rows],
        kind=t.kind[:rows],
        color=t.color[:rows],
        opponent_at=t.opponent_at[:rows],
        met_again=t.met_again[:rows],
        scores={
            name: replace(score, points=score.points[:rows]) for name, score in t.scores.items()
        },
        boards=None if t.boards is None else t.boards[:, :rows],
    )
