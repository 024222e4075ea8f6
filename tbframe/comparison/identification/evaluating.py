"""Values of candidates for whole batches, as exact fractions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

import numpy as np

from tbframe.comparison.identification.candidates import Candidate
from tbframe.comparison.identification.columns import OfficialColumns
from tbframe.comparison.identification.encounters import encounters_shown, may_be_encounters
from tbframe.comparison.identification.printing import Fractions
from tbframe.errors import TbframeError
from tbframe.ledger import Approximate, Batch, Ratio
from tbframe.ledger.block import Ints

__all__ = ["evaluated"]

#: What cannot be exact is compared to so many decimals.
_APPROXIMATE: Final = 10**7


def evaluated(
    t: Batch, candidates: Sequence[Candidate], official: OfficialColumns, rows: Ints
) -> Iterator[tuple[int, Fractions]]:
    """Compute candidates, those under one variation after each other.

    Parameters
    ----------
    t
        The batch, under the edition in force on the tournaments' date.
    candidates
        What to compute.
    official, rows
        The official columns, and the rows of them that the batch covers.

    Yields
    ------
    int, Fractions
        The number of the candidate and its values; nothing where it does not apply.
    """
    units, given = official.units[rows], official.given[rows]
    decimals = official.decimals[official.owner[rows]]
    small = may_be_encounters(units, given, decimals, t.round_count)
    numbered = sorted(enumerate(candidates), key=lambda each: repr(each[1].variation))
    for variation, members in groupby(numbered, key=lambda each: each[1].variation):
        changed = variation.applied(t)
        if changed is None:
            continue
        for number, candidate in members:
            known, criterion = candidate.known, candidate.criterion
            if not known.applies(criterion, changed.edition, teams=bool(t.score_name)):
                continue
            if known.refinement is not None:
                if small.any():
                    shown = encounters_shown(changed, candidate, units, given, small)
                    yield number, Fractions(*shown)
                continue
            found = _fractions(changed.on(criterion.score), candidate)
            if found is not None:
                yield number, found


def _fractions(t: Batch, candidate: Candidate) -> Fractions | None:
    """Compute a formula; ``None`` where the archive lacks what it takes."""
    known = candidate.known
    try:
        values = known.values(t, candidate.criterion)
    except TbframeError:
        return None
    if isinstance(values, Approximate):
        defined = np.isfinite(values.values)
        whole = np.rint(np.where(defined, values.values, 0) * _APPROXIMATE).astype(np.int64)
        return Fractions(whole[:, None], (defined * np.int64(_APPROXIMATE))[:, None])
    scale = np.broadcast_to(known.unit.in_one(t), t.players)
    if isinstance(values, Ratio):
        return Fractions(values.numerator[:, None], (values.denominator * scale)[:, None])
    return Fractions(values[:, None], scale[:, None])
