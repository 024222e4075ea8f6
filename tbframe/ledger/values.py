"""What a tie-break returns: whole numbers, quotients of them, or numbers with a tolerance.

In an explanation whole numbers also remember the sums over rounds that they came from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from tbframe.ledger.block import Ints

if TYPE_CHECKING:
    from tbframe.ledger.batch import Batch

__all__ = [
    "Approximate",
    "Bools",
    "Note",
    "OpponentScores",
    "OwnPoints",
    "Ratio",
    "Sum",
    "Values",
    "fixed",
    "noted",
    "notes_of",
]

Bools: TypeAlias = NDArray[np.bool_]
_Kind = TypeVar("_Kind", bound=np.generic)


def fixed(array: NDArray[_Kind]) -> NDArray[_Kind]:
    """Return the array, which can no longer be written to."""
    array.flags.writeable = False
    return array


@dataclass(frozen=True)
class Ratio:
    """A quotient of whole numbers, kept as such and compared exactly.

    Attributes
    ----------
    numerator, denominator
        ``(players,)``: whole numbers; a denominator of 0 is an undefined value.
    last
        ``(players,)``: players who rank below all others, whatever their value.
    is_whole
        The quotients are whole numbers, and shown as such.

    Examples
    --------
    >>> import tbframe as tb
    >>> @tb.tiebreak("POINTS_A_GAME", name="Points a game", source="an example")
    ... def points_a_game(t):
    ...     return tb.Ratio(t.score, t.count(t.games))
    >>> tb.forget("POINTS_A_GAME")
    """

    numerator: Ints
    denominator: Ints
    last: Bools | None = None
    is_whole: bool = False

    @classmethod
    def whole(cls, values: Ints, defined: Bools, last: Bools | None = None) -> Self:
        """Return whole numbers that are undefined for some players.

        Parameters
        ----------
        values
            ``(players,)``.
        defined
            ``(players,)``: for whom the value is defined.
        last
            As the attribute.
        """
        return cls(values, defined.astype(np.int64), last, is_whole=True)


@dataclass(frozen=True)
class Approximate:
    """Numbers that were not computed exactly, and how far they can be trusted.

    Within a tie group the values are put in order; where neighbours differ by no more than the
    tolerance they stay tied, and so do all that such steps connect, however far apart the first
    and the last of them are.

    Attributes
    ----------
    values
        ``(players,)``: not-a-number where undefined, which ranks last.
    tolerance
        Differences up to this one are no differences.

    Examples
    --------
    >>> import numpy as np
    >>> import tbframe as tb
    >>> @tb.tiebreak("ROOT", name="Root of the score", source="an example")
    ... def root(t):
    ...     return tb.Approximate(np.sqrt(t.score / t.unit), tolerance=1e-9)
    >>> tb.forget("ROOT")
    """

    values: NDArray[np.float64]
    tolerance: float


Values: TypeAlias = Ints | Ratio | Approximate


@dataclass(frozen=True)
class Sum:
    """A sum over rounds as it was taken.

    Attributes
    ----------
    batch
        The tournaments as they were counted.
    terms
        ``(rounds, players)``: what each round brings, in units.
    taken
        ``(rounds, players)``: the rounds that are part of the sum.
    cut
        ``(rounds, players)``: which of them were cut, and how (`ledger.cuts`).
    opponents
        The batch whose scores of the opponents the terms were made from, if they were.
    own
        The batch whose own points they were made from, if they were.
    """

    batch: Batch
    terms: Ints
    taken: Bools
    cut: NDArray[np.uint8]
    opponents: Batch | None
    own: Batch | None


@dataclass(frozen=True)
class OwnPoints:
    """An array of rounds was made from the players' points in a batch."""

    batch: Batch


@dataclass(frozen=True)
class OpponentScores:
    """An array of rounds was made from the opponents' scores in a batch."""

    batch: Batch


#: What an array remembers of its making.
Note: TypeAlias = Sum | OwnPoints | OpponentScores


class _Noted(np.ndarray[Any, np.dtype[Any]]):
    """Numbers that remember how they came about, and hand it on to what is made of them."""

    notes: tuple[Note, ...] = ()

    def __array_finalize__(self, source: Any) -> None:
        self.notes = getattr(source, "notes", ())

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return _called(getattr(ufunc, method), inputs, kwargs)

    def __array_function__(self, function: Any, _: Any, args: Any, kwargs: Any) -> Any:
        return _called(function, args, kwargs)


def _called(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Call a function of NumPy on plain numbers; its result remembers what they did."""
    notes = notes_of(*args, *kwargs.values())
    result = function(*_plain(args), **{name: _plain(value) for name, value in kwargs.items()})
    return noted(result, notes) if isinstance(result, np.ndarray) else result


def _plain(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return type(value)(_plain(each) for each in value)
    return value.view(np.ndarray) if isinstance(value, _Noted) else value


def notes_of(*values: Any) -> tuple[Note, ...]:
    """Return what some arrays remember, each thing once and in their order."""
    found: list[Note] = []
    for value in values:
        notes = notes_of(*value) if isinstance(value, tuple | list) else getattr(value, "notes", ())
        found += [note for note in notes if not any(note is other for other in found)]
    return tuple(found)


def noted(values: NDArray[Any], notes: Iterable[Note]) -> NDArray[Any]:
    """Return the same numbers, which remember something."""
    remembering = values.view(_Noted)
    remembering.notes = tuple(notes)
    return remembering
