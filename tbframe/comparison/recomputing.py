"""What is computed to be compared with what was declared."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace

import polars as pl

from tbframe.archive import Archive, Criteria
from tbframe.codes import Criterion
from tbframe.comparison.declared import POINTS, RANK
from tbframe.editions import Edition, edition_of
from tbframe.errors import FindingWarning
from tbframe.tiebreaks import declared_order, definition, parse_order

__all__ = ["recomputed", "recomputed_under"]


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


def recomputed_under(
    key: str, archive: Archive, criteria: Sequence[Criterion], order: Criteria | None
) -> pl.DataFrame:
    """Compute under one edition, leaving out what it does not know.

    Returns
    -------
    DataFrame
        As of `recomputed`, without the codes that the edition does not know; ``rank`` is null
        where it does not know a criterion of the order.
    """
    known = [criterion for criterion in criteria if _all_known([criterion], key)]
    if order is not None:
        if _all_known(parse_order(order), key):
            return recomputed(archive, known, order, key)
        return recomputed(archive, known, "PTS", key).with_columns(pl.lit(None).alias(RANK))
    declared = archive.tournaments["criteria"]
    texts = declared.drop_nulls().unique()
    unknown = [text for text in texts if not _all_known(declared_order(text)[0], key)]
    unordered = archive.tournaments.with_columns(
        criteria=pl.when(~declared.is_in(unknown)).then("criteria")
    )
    return recomputed(replace(archive, tournaments=unordered), known, None, key)


def _all_known(criteria: Iterable[Criterion], key: str) -> bool:
    return all(
        definition(criterion.code).in_edition(criterion, edition_of(criterion.edition or key))
        for criterion in criteria
    )
