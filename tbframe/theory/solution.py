"""What a theory gives: values for the players, and how far to trust them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from tbframe.ledger import Approximate
from tbframe.ledger.block import Ints
from tbframe.theory.comparisons import Bools, Comparisons, Floats

__all__ = ["Solution"]


@dataclass(frozen=True)
class Solution(Approximate):
    """The values of a theory for all players of many tournaments.

    It is what a tie-break returns: in a ranking order, values within the tolerance are level.
    The tolerances of the theories lie between what rounding makes of equal players (1e-13 and
    less of the values) and how close different ones come in events of a hundred players.

    Attributes
    ----------
    values
        ``(players,)``: not-a-number where the theory defines nothing, or did not get there.
    tolerance
        Differences up to this one are no differences.
    iterations
        ``(tournaments,)``: how many steps were taken; 0 for a closed formula.
    residual
        ``(tournaments,)``: how far the equations of the theory are from being met, relative to
        the numbers in them.
    converged
        ``(tournaments,)``: whether the steps came to their end.
    prior
        ``(tournaments,)``: whether a prior had to stand in where the theory has no answer.
    estimates
        What else was found for each tournament, by name: ``(tournaments,)``, not-a-number where
        undefined.
    """

    iterations: Ints
    residual: Floats
    converged: Bools
    prior: Bools
    estimates: Mapping[str, Floats] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        c: Comparisons,
        values: Floats,
        tolerance: float,
        *,
        iterations: Ints | None = None,
        residual: Floats | None = None,
        converged: Bools | None = None,
        prior: Bools | None = None,
        estimates: Mapping[str, Floats] | None = None,
    ) -> Solution:
        """Fill in what a theory has nothing to say of; without a game nothing is defined."""
        tournaments = len(c.size)
        if converged is None:
            converged = np.ones(tournaments, dtype=np.bool_)
        known = c.compared & c.each(converged)
        return cls(
            values=np.where(known, values, np.nan),
            tolerance=tolerance,
            iterations=np.zeros(tournaments, np.int64) if iterations is None else iterations,
            residual=np.zeros(tournaments) if residual is None else residual,
            converged=converged,
            prior=np.zeros(tournaments, np.bool_) if prior is None else prior,
            estimates=estimates or {},
        )
