"""Which tie-break orders players best: paired comparisons over many tournaments."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Final, TypeAlias

import numpy as np
import polars as pl

from tbframe.archive import Archive
from tbframe.editions import AUTO, Edition
from tbframe.errors import TbframeError
from tbframe.intake.tables import Table
from tbframe.research.cells import By
from tbframe.research.comparison import Comparison, Measured
from tbframe.research.evidence import Evidence
from tbframe.research.gathering import gather, gather_ranks, taken
from tbframe.research.groups import Floats
from tbframe.research.metrics import Metric, Orders, metric_named
from tbframe.research.ordering import Keys, named_keys
from tbframe.research.truth import PREDICTION, RETRODICTION, STABILITY

__all__ = ["Metrics", "chosen_metrics", "codes_of", "compare", "values_of"]

#: A metric by name (``"top_k(3)"``), or a function from `Orders` to a series.
Asked: TypeAlias = str | Callable[[Orders], pl.Series]
#: Metrics as a list, or under names of one's own.
Metrics: TypeAlias = Sequence[Asked] | Mapping[str, Asked]

#: What is measured where nothing else is asked for, by the kind of truth.
_USUAL: Final = {
    None: ("discriminating_power", "unresolved", "tie_at_cut(1)", "agreement"),
    PREDICTION: ("hit_rate", "game_score"),
    RETRODICTION: ("hit_rate", "game_score"),
    STABILITY: ("kendall_distance", "best_wins", "top_k(3)"),
}
_USUAL_OF_STRENGTH: Final = (
    "tau_b", "within_tie_accuracy", "top_k(3)", "best_wins", "discriminating_power"
)  # fmt: skip


def compare(
    source: Archive | Table,
    keys: Keys | None = None,
    *,
    truth: str | None = None,
    metrics: Metrics | None = None,
    reference: str | None = None,
    by: By = None,
    after_round: int | Sequence[int] | None = None,
    edition: str | Edition = AUTO,
    points_first: bool = True,
    boot: int = 1000,
    level: float = 0.95,
    seed: int = 1,
) -> Comparison:
    """Compare tie-breaks by how they order the players of the same tournaments.

    Parameters
    ----------
    source
        An archive; or a table of results, as of `from_results`; or a table of ranks made
        elsewhere: ``tournament``, ``player``, ``key``, ``rank`` (equal for the tied) and, as
        needed, ``points`` and the column of the truth, one row for each player and key.
    keys
        The tie-breaks. A key is what follows points: ``"BH"`` ranks by ``PTS BH``, ``"BH/C1 SB"``
        by ``PTS BH/C1 SB``. A key that names ``PTS`` is taken as it stands, and ``"PTS"`` alone
        breaks no tie. ``"random"``, also at the end of a key, draws lots (by `seed`). A mapping
        gives names to keys. May be left out for a table of ranks only.
    truth
        What an order should find: a column of the players, the higher the better (``"strength"``
        of a simulation, ``"rating"``; players where it is null are left out);
        ``"prediction"``: the games of later rounds; ``"retrodiction"``: the games it was made
        from; ``"stability"``: the order after the last round by the same key.
    metrics
        Names such as ``"tau_b"`` or ``"top_k(3)"`` (`tbframe.research.metrics`), or functions that
        give one value for each tournament of `metrics.Orders`; a mapping gives names to them. By
        default some that suit the truth.
    reference
        The key with which the others are compared; by default the first.
    by
        Columns of the tournaments to split by: ``"year"`` of the start, ``"federation"``,
        ``"players"`` (how many), ``"rounds"`` or columns of one's own; of a table of ranks, its
        columns.
    after_round
        Rank as after this round, or after each of several (column ``after_round``); tournaments
        that did not come so far are left out. By default after the last, and for prediction and
        stability after every round that has a later one.
    edition
        As in `Archive.standings`.
    points_first
        False: keys are whole orders, and none begins with points unless it says so.
    boot
        How many samples of tournaments are drawn for the intervals; 0: none.
    level
        What share of the sample means lies in an interval.
    seed
        Of the samples and lots. The same seed gives the same table, whatever else is compared.

    Returns
    -------
    Comparison
        Means, paired differences, standard errors and intervals, with the value of each tournament.

    Raises
    ------
    CodeError, EditionError
        As in `Archive.standings`.
    TbframeError
        If a key, metric, truth, reference or column is not there, or a metric needs what is not
        given.

    Warns
    -----
    FindingWarning
        As in `Archive.standings`.

    Notes
    -----
    Every tournament counts once, whatever its size. Differences are taken within each tournament
    and then averaged, so the spread between tournaments does not blur them; standard error and
    percentile bootstrap are over tournaments, never players.

    Examples
    --------
    >>> import tbframe as tb
    >>> archive = tb.read("data/trf")
    >>> found = tb.compare(archive, ["PTS", "BH", "SB"], truth="rating", metrics=["tau_a"])
    >>> found.table.select("key", "events", "pairs").rows()
    [('PTS', 4, 4), ('BH', 4, 4), ('SB', 4, 4)]
    >>> found.values.columns
    ['tournament', 'key', 'metric', 'value']
    """
    if not 0 < level < 1 or boot < 0:
        raise TbframeError(f"level is between 0 and 1, boot 0 or more, not {level!r} and {boot!r}")
    found = taken(source)
    if isinstance(found, Archive):
        if keys is not None:
            found._warn(codes_of(keys), edition)
        gathered = gather(
            found, keys, truth=truth, after_round=after_round, edition=edition,
            points_first=points_first, seed=seed,
        )  # fmt: skip
    else:
        gathered = gather_ranks(found, keys, truth=truth, after_round=after_round)
    names = gathered.names
    has_points = isinstance(found, Archive) or "points" in found.columns
    measures = chosen_metrics(metrics, truth, has_points=has_points)
    if reference is not None and reference not in names:
        raise TbframeError(f"the reference {reference!r} is none of the keys {', '.join(names)}")
    compared = 0 if reference is None else names.index(reference)
    values = [values_of(each.against(compared), measures) for each in gathered.evidence]
    measured = Measured(
        gathered.about,
        gathered.rounds,
        names,
        tuple(each.name for each in measures),
        np.stack(values),
    )
    return Comparison(
        table=measured.estimates(compared, by, boot=boot, level=level, seed=seed),
        keys=names,
        metrics=tuple(measured.metrics),
        reference=names[compared],
        truth=truth,
        measured=measured,
    )


def chosen_metrics(metrics: Metrics | None, truth: str | None, *, has_points: bool) -> list[Metric]:
    """Return the metrics asked for, or the usual ones."""
    if metrics is None:
        usual = [metric_named(name) for name in _USUAL.get(truth, _USUAL_OF_STRENGTH)]
        return [metric for metric in usual if has_points or "points" not in metric.needs]
    asked = metrics
    if isinstance(asked, str):
        raise TbframeError(f"name the metrics one by one: [{asked!r}]")
    named = asked.items() if isinstance(asked, Mapping) else [(None, each) for each in asked]
    found = []
    for name, each in named:
        metric = metric_named(each) if isinstance(each, str) else Metric(_called(each), each)
        found.append(metric if name is None else replace(metric, name=name))
    names = [metric.name for metric in found]
    if not names or len(set(names)) < len(names):
        raise TbframeError("name at least one metric, and none twice")
    return found


def _called(function: Callable[[Orders], pl.Series]) -> str:
    return getattr(function, "__name__", type(function).__name__)


def codes_of(keys: Keys) -> list[str]:
    """Return every criterion of the keys once, for what is assumed about them."""
    criteria = [str(criterion) for key in named_keys(keys) for criterion in key.order]
    return list(dict.fromkeys(["PTS", *criteria]))


def values_of(evidence: Evidence, metrics: Sequence[Metric]) -> Floats:
    """Return the values: ``(keys, metrics, tournaments)``."""
    events = len(evidence.base.groups)

    def of_key(number: int) -> list[Floats]:
        orders = evidence.orders(number)
        return [_checked(metric, orders, events) for metric in metrics]

    with ThreadPoolExecutor(min(len(evidence.rankings), os.cpu_count() or 1)) as pool:
        values = np.array(list(pool.map(of_key, range(len(evidence.rankings)))))
    values[..., ~evidence.counted] = np.nan
    return values


def _checked(metric: Metric, orders: Orders, events: int) -> Floats:
    found = metric.function(orders)
    if not isinstance(found, pl.Series) or len(found) != events:
        raise TbframeError(f"metric {metric.name!r} has to give a series of {events} values")
    return found.cast(pl.Float64).fill_null(np.nan).to_numpy()
