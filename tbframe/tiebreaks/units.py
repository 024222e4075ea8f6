"""What the numbers of a formula count: found by trying it, so that nobody has to declare it.

A formula works in the smallest units of each tournament. Counted in units half as large, points
come out twice, products of two scores four times, and a number of games as it was. A formula
that does none of these mixes what cannot be added, compares a score with a bare number, or
rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from tbframe.errors import CodeError
from tbframe.ledger import Approximate, Batch, Ratio, Values
from tbframe.ledger.block import Ints

__all__ = ["COUNT", "UNITS", "Unit", "power_of_units", "unit_of"]


@dataclass(frozen=True)
class Unit:
    """What the whole numbers of a formula count.

    Attributes
    ----------
    name
        As it is written in the catalogue.
    powers
        For each score that a team's tie-break may be computed from (``""``: any) the power
        of that score in the value, and that of the other score of the event.
    whole
        Whether the values are whole numbers, and shown as such.
    """

    name: str
    powers: Mapping[str, tuple[int, int]]
    whole: bool = False

    def in_one(self, t: Batch) -> Ints:
        """Return how many of a formula's whole numbers make one of what is shown."""
        this, other = self.powers.get(t.score_name, self.powers.get("", (0, 0)))
        one = t.unit**this
        return np.asarray(one * t.secondary.unit**other if other else one)


_NAMES: Final = ("count", "points", "points squared", "points cubed")
#: Sums of products of three scores still fit into 64 bits (`ledger.numbers`).
_HIGHEST: Final = len(_NAMES) - 1
COUNT: Final = Unit("count", {}, whole=True)
UNITS: Final[dict[str, Unit]] = {
    "count": COUNT,
    **{name: Unit(name, {"": (power, 0)}) for power, name in enumerate(_NAMES) if power},
    "ratio": Unit("ratio", {}),
    "approximate": Unit("approximate", {}),
}


def unit_of(formula: Callable[[Batch], Values], t: Batch, *, only_teams: bool) -> Unit:
    """Find out what the values of a formula count.

    Parameters
    ----------
    formula
        Gives the values of a batch.
    t
        A batch to try it on; of teams if the tie-break is for teams only.
    only_teams
        Whether the tie-break is for teams only, and may use both of their scores.

    Raises
    ------
    CodeError
        If the values are not one power of points, or are all 0.
    """
    values = formula(t)
    if isinstance(values, Approximate):
        return UNITS["approximate"]
    whole = not isinstance(values, Ratio) or values.is_whole
    powers = {
        name: tuple(power_of_units(formula, t.on(name), score) for score in _both(name))
        for name in (("MP", "GP") if only_teams else ("",))
    }
    if not any(any(power) for power in powers.values()):
        return COUNT if whole else UNITS["ratio"]
    if not only_teams:
        return UNITS[_NAMES[powers[""][0]]]
    return Unit(_name(powers), powers)  # type: ignore[arg-type]


def _both(name: str) -> tuple[str, ...]:
    return {"": ("",), "MP": ("MP", "GP"), "GP": ("GP", "MP")}[name]


def _name(powers: Mapping[str, tuple[int, ...]]) -> str:
    """Name the product of a team's scores."""
    (match, game), swapped = powers["MP"], powers["GP"]
    if (match, game) == swapped != (game, match):  # relative to the score that decides
        return _NAMES[match + game]
    factors = ((match, "match"), (game, "game"))
    return " x ".join(f"{what} {_NAMES[power]}" for power, what in factors if power)


def power_of_units(formula: Callable[[Batch], Values], t: Batch, score: str) -> int:
    """Return the power of a score's points in the values of a formula.

    Parameters
    ----------
    formula
        Gives the values of a batch.
    t
        A batch to try it on.
    score
        The key of the score.

    Raises
    ------
    CodeError
        If there is no such power.
    """
    before, below = _parts(formula(t))
    if not before.any():
        raise CodeError(
            "is 0 for all on a sample of games, which has no columns of your own: name its unit, "
            "such as unit='points'"
        )
    for power in range(_HIGHEST + 1):
        if all(
            (above * below == factor**power * before * under).all()
            for factor in (2, 3)
            for above, under in [_parts(formula(t.scaled(score, factor)))]
        ):
            return power
    raise CodeError(
        "is neither points nor a product of points nor a count: it adds up things of different "
        "kinds, holds a score against a bare number (a point is t.unit), or rounds (return "
        "tb.Ratio for a quotient)"
    )


def _parts(values: Values) -> tuple[Ints, Ints]:
    """Return numerator and denominator as Python's whole numbers, which have no end."""
    assert not isinstance(values, Approximate)  # noqa: S101  (`unit_of` has looked)
    top, bottom = (
        (values.numerator, values.denominator) if isinstance(values, Ratio) else (values, None)
    )
    plain = np.asarray(top).astype(object)
    if bottom is None:
        return plain, np.full(plain.shape, 1, dtype=object)
    return np.where(np.asarray(bottom) == 0, 0, plain), np.asarray(bottom).astype(object)
