"""How much tie-breaks agree with each other: all pairs of them, and the ranks behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from tbframe.archive import Archive
from tbframe.editions import AUTO, Edition
from tbframe.intake.tables import Table
from tbframe.research.bootstrap import estimate
from tbframe.research.comparing import Metrics, chosen_metrics, codes_of, values_of
from tbframe.research.gathering import gather, gather_ranks, taken
from tbframe.research.ordering import Keys
from tbframe.standings import compute_tiebreaks
from tbframe.tiebreaks import parse_order

__all__ = ["agreement_matrix", "rankings"]


def agreement_matrix(
    source: Archive | Table,
    keys: Keys | None = None,
    *,
    metrics: Metrics = ("agreement",),
    after_round: int | None = None,
    edition: str | Edition = AUTO,
    points_first: bool = True,
    seed: int = 1,
) -> pl.DataFrame:
    """Compare every tie-break with every other, and with itself.

    Parameters
    ----------
    source, keys, after_round, edition, points_first, seed
        As of `compare`.
    metrics
        As of `compare`; the other key is the reference, and also the truth: ``"agreement"`` within
        score groups, ``"same_first(1)"`` for the share of equal winners, ``"kendall_distance"``
        between whole orders, for a map of them.

    Returns
    -------
    DataFrame
        ``key``, ``other``, ``metric``, ``events`` with a value, their ``mean`` and its standard
        error ``mean_se``; keys in the order given.

    Raises
    ------
    CodeError, EditionError, TbframeError
        As in `compare`.

    Examples
    --------
    >>> import tbframe as tb
    >>> from tbframe.research import agreement_matrix
    >>> found = agreement_matrix(tb.read("data/trf"), ["BH", "SB"], metrics=["same_first(1)"])
    >>> found.select("key", "other", "events").rows()
    [('BH', 'BH', 7), ('BH', 'SB', 7), ('SB', 'BH', 7), ('SB', 'SB', 7)]
    """
    found = taken(source)
    if isinstance(found, Archive):
        if keys is not None:
            found._warn(codes_of(keys), edition)
        gathered = gather(
            found, keys, truth=None, after_round=after_round, edition=edition,
            points_first=points_first, seed=seed,
        )  # fmt: skip
    else:
        gathered = gather_ranks(found, keys, truth=None, after_round=after_round)
    measures = chosen_metrics(metrics, None, has_points=True)
    (evidence,) = gathered.evidence
    parts = []
    for number in range(len(gathered.names)):
        against = evidence.against(number)
        against = replace(against, base=replace(against.base, truth=against.base.reference))
        parts.append(values_of(against, measures))
    values = np.stack(parts, axis=1)  # keys, others, metrics, tournaments
    key, other, metric = np.indices(values.shape[:3]).reshape(3, -1)
    means = estimate(values.reshape(len(key), -1), boot=0, level=0.95, seed=seed)
    names = pl.Series(gathered.names, dtype=pl.String)
    return pl.DataFrame(
        {
            "key": names.gather(key),
            "other": names.gather(other),
            "metric": pl.Series([each.name for each in measures]).gather(metric),
            "events": means.events,
            "mean": pl.Series(means.mean, nan_to_null=True),
            "mean_se": pl.Series(means.error, nan_to_null=True),
        }
    )


def rankings(
    archive: Archive,
    keys: Keys,
    *,
    columns: Sequence[str] = (),
    after_round: int | None = None,
    edition: str | Edition = AUTO,
    points_first: bool = True,
    seed: int = 1,
) -> pl.DataFrame:
    """Rank the players of every tournament by several tie-breaks.

    Parameters
    ----------
    archive
        The tournaments.
    keys, after_round, edition, points_first, seed
        As of `compare`.
    columns
        Columns of the players to take along, such as a truth.

    Returns
    -------
    DataFrame
        ``tournament``, ``player``, ``key``, ``rank`` (ties share it: 1, 1, 3), ``points`` and
        `columns`, one row for each player and key; keys in the order given, and of each the
        players sorted by tournament and player. `compare` takes such a table too.

    Raises
    ------
    CodeError, EditionError, TbframeError
        As in `compare`.

    Examples
    --------
    >>> import tbframe as tb
    >>> from tbframe.research import rankings
    >>> london = tb.read("data/trf/candidates_london_2013.trf")
    >>> rankings(london, ["WIN", "SB"]).filter(rank=1).select("player", "key", "rank").rows()
    [(1, 'WIN', 1), (2, 'SB', 1)]
    """
    archive._warn(codes_of(keys), edition)
    gathered = gather(
        archive, keys, truth=None, after_round=after_round, edition=edition,
        points_first=points_first, seed=seed,
    )  # fmt: skip
    (evidence,) = gathered.evidence
    ledger = archive._ledger(after_round)
    points = compute_tiebreaks(ledger, parse_order("PTS"), edition=edition)["PTS"]
    about = ledger.players.select("tournament", "player", points.alias("points"), *columns)
    return pl.concat(
        about.select(
            "tournament",
            "player",
            pl.lit(name).alias("key"),
            pl.Series("rank", ranking.place + 1),
            "points",
            *columns,
        )
        for name, ranking in zip(gathered.names, evidence.rankings, strict=True)
    )
