"""What is computed to be compared with what was declared."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import polars as pl

from tbframe.archive import Archive, Criteria
from tbframe.codes import Criterion
from tbframe.comparison.declared import POINTS, RANK
from tbframe.editions import Edition
from tbframe.errors import FindingWarning

__all__ = ["recomputed"]


def recomputed(
    archive: Archive,
    criteria: Sequence[Criterion],
    order: Criteria | None,
    edition: str | Edition,
) -> pl.DataFrame:
    """Compute points, ranks and tie-breaks of every player.

    Returns
    -------
    DataFrame
        ``tournament``, ``player``, ``points``, ``rank`` (null where `order` is not given and
        the tournament declares none) and a column for each code.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FindingWarning)  # the audit tells what disagrees
        values = archive.tiebreaks(["PTS", *map(str, criteria)], edition=edition)
        if order is None:
            ordered = archive._of(archive.tournaments["criteria"].is_not_null())
            ranks = ordered.standings(edition=edition)
        else:
            ranks = archive.standings(order, edition=edition)
    ranks = ranks.select("tournament", "player", pl.col("rank").alias(RANK))
    own = values.rename({"PTS": POINTS})
    return own.join(ranks, on=["tournament", "player"], how="left", maintain_order="left")
