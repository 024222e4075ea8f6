"""Tie-breaks and standings of a whole ledger, batch by batch, as frames."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.codes import Criterion
from tbframe.editions import AUTO, Edition, edition_of
from tbframe.errors import EditionError
from tbframe.ledger import Batch, Ledger, Values
from tbframe.ledger.block import Block, Ints
from tbframe.tiebreaks import definition
from tbframe.tiebreaks.definition import FORE_SINCE
from tbframe.tiegroups import TieGroups, refined, split

__all__ = [
    "check_editions",
    "column_names",
    "compute_ranks",
    "compute_standings",
    "compute_tiebreaks",
    "for_each_batch",
    "places_within",
    "refine",
]

#: Players in a batch: enough to forget the cost of a call, few enough to stay in the cache.
_BATCH: Final = 49_152


@dataclass(frozen=True)
class _Column:
    """Where the values of one criterion go, for all players of the ledger."""

    criterion: Criterion
    values: NDArray[np.float64]  # not-a-number: undefined

    @classmethod
    def empty(cls, criterion: Criterion, players: int) -> _Column:
        return cls(criterion, np.full(players, np.nan))

    def series(self) -> pl.Series:
        series = pl.Series(str(self.criterion), self.values, nan_to_null=True)
        whole = definition(self.criterion.code).unit.whole
        return series.cast(pl.Int64) if whole else series


def compute_tiebreaks(
    ledger: Ledger, criteria: Sequence[Criterion], *, edition: str | Edition = AUTO
) -> pl.DataFrame:
    """Compute tie-breaks for every player of every tournament.

    Direct encounter, which needs a tie, is applied among the players level on points.

    Returns
    -------
    DataFrame
        ``tournament``, ``player`` and a column for each criterion, sorted by tournament, player.

    Raises
    ------
    EditionError
        If the edition asked for does not know a criterion.
    """
    columns = [_Column.empty(criterion, ledger.players.height) for criterion in criteria]
    check_editions(criteria, edition)

    def compute(t: Batch, rows: Ints) -> None:
        for column in columns:
            known = definition(column.criterion.code)
            if known.refinement is not None:
                level = TieGroups.unordered(t)
                level.adopt(split(level.place, t.score), 0)
                column.values[rows] = refine(t, column.criterion, level)[0]
                continue
            values, under = _evaluate(t, column.criterion)
            if values is not None:
                column.values[rows] = known.shown(values, under)

    for_each_batch(ledger, edition, compute)
    keys = ledger.players.select("tournament", "player")
    return keys.with_columns(
        column.series().alias(name)
        for name, column in zip(column_names(criteria), columns, strict=True)
    )


def compute_standings(
    ledger: Ledger, criteria: Sequence[Criterion], *, edition: str | Edition = AUTO
) -> pl.DataFrame:
    """Rank every player of every tournament.

    Returns
    -------
    DataFrame
        ``tournament``, ``rank`` (ties share it: 1, 1, 3), ``player``, ``name``, a column for
        each criterion, and ``decided_by``: the criterion that separated the player from the
        one above; null for the first and for those level with the one above. Sorted by
        tournament, rank, player.

    Raises
    ------
    EditionError
        If the edition asked for does not know a criterion.
    """
    height = ledger.players.height
    columns = [_Column.empty(criterion, height) for criterion in criteria]
    check_editions(criteria, edition)
    player = np.zeros(height, dtype=np.int64)
    rank = np.zeros(height, dtype=np.int32)
    decided = np.full(height, -1, dtype=np.int16)

    def compute(t: Batch, rows: Ints) -> None:
        order = TieGroups.unordered(t)
        values = []
        for number, column in enumerate(columns):
            behind = [each.criterion for each in columns[number + 1 :]]
            shown, place = refine(t, column.criterion, order, behind)
            order.adopt(place, number)
            values.append(shown)
        sequence = order.sequence()
        player[rows] = rows[sequence]
        place = order.place[sequence]
        rank[rows] = place - t.first[:-1][t.tournament] + 1
        index = np.arange(t.players)
        decided[rows] = np.where(place == index, order.decided[place], -1)
        for column, shown in zip(columns, values, strict=True):
            column.values[rows] = shown[sequence]

    for_each_batch(ledger, edition, compute)
    names = column_names(criteria)
    keys = ledger.players.select("tournament", "player", "name")[player]
    return keys.select(
        "tournament",
        pl.Series("rank", rank),
        "player",
        "name",
        *(column.series().alias(name) for name, column in zip(names, columns, strict=True)),
        pl.Series("decided_by", decided).replace_strict(
            list(range(len(names))), names, default=None, return_dtype=pl.String
        ),
    )


def compute_ranks(
    ledger: Ledger, criteria: Sequence[Criterion], *, edition: str | Edition = AUTO
) -> Ints:
    """Rank every player as `compute_standings`, without making a frame of it.

    Returns
    -------
    Array
        The rank of each row of the ledger's players.

    Raises
    ------
    EditionError
        If the edition asked for does not know a criterion.
    """
    check_editions(criteria, edition)
    rank = np.zeros(ledger.players.height, dtype=np.int64)

    def compute(t: Batch, rows: Ints) -> None:
        order = TieGroups.unordered(t)
        for number, criterion in enumerate(criteria):
            order.adopt(refine(t, criterion, order, criteria[number + 1 :])[1], number)
        rank[rows] = order.place - t.first[:-1][t.tournament] + 1

    for_each_batch(ledger, edition, compute)
    return rank


def column_names(criteria: Sequence[Criterion]) -> list[str]:
    """Name the columns; a criterion that stands in the order again is counted."""
    texts = [str(criterion) for criterion in criteria]
    return [
        text if text not in texts[:place] else f"{text} ({texts[: place + 1].count(text)})"
        for place, text in enumerate(texts)
    ]


def _evaluate(t: Batch, criterion: Criterion) -> tuple[Values | None, Batch]:
    """Compute the values of a criterion; ``None``: it has no values here."""
    known = definition(criterion.code)
    if known.formula is None or not _applies(t, criterion):
        return None, t
    t = _as_asked(t, criterion)
    return known.values(t, criterion), t


def _as_asked(t: Batch, criterion: Criterion) -> Batch:
    """Return the batch under the edition and the score that a criterion names."""
    if criterion.edition is not None:
        t = t.under(edition_of(criterion.edition))
    return t.on(criterion.score)


def _applies(t: Batch, criterion: Criterion) -> bool:
    known = definition(criterion.code)
    return known.applies(criterion, t.edition, teams=bool(t.score_name))


def refine(
    t: Batch, criterion: Criterion, order: TieGroups, behind: Sequence[Criterion] = ()
) -> tuple[NDArray[np.float64], Ints]:
    """Apply a criterion to the tie groups: what is shown of it, and the places it makes."""
    known = definition(criterion.code)
    if not _applies(t, criterion):
        return np.full(t.players, np.nan), order.place
    if known.refinement is not None:
        more = [_places_behind(t, order.place, behind)] if known.looks_ahead else []
        place = known.function(_as_asked(t, criterion), order.place, criterion, *more)
        return places_within(order.place, place), place
    values, t = _evaluate(t, criterion)
    assert values is not None  # noqa: S101  (it applies, and is no refinement)
    lower_is_better = (known.better == "lower") != criterion.reverse
    return known.shown(values, t), refined(order.place, values, lower_is_better=lower_is_better)


def _places_behind(t: Batch, place: Ints, behind: Sequence[Criterion]) -> Ints:
    """Return the places that the values of further criteria make of the tie groups."""
    order = TieGroups(place, np.full(t.players, -1, dtype=np.int16))
    for criterion in behind:
        if definition(criterion.code).refinement is None:
            order.place = refine(t, criterion, order)[1]
    return order.place


def places_within(before: Ints, after: Ints) -> NDArray[np.float64]:
    """Show a refinement: the place in the group; 0 where it split nothing; nothing where no tie."""
    split = np.zeros(len(before), dtype=np.bool_)
    split[before[after != before]] = True
    alone = np.bincount(before, minlength=len(before))[before] == 1
    within = np.where(split[before], after - before + 1, 0)
    return np.where(alone, np.nan, within)


def check_editions(criteria: Sequence[Criterion], edition: str | Edition) -> None:
    """Refuse a criterion that the edition asked for does not know."""
    for criterion in criteria:
        asked = criterion.edition or edition
        if asked == AUTO:
            continue
        known = definition(criterion.code)
        if not known.in_edition(criterion, edition_of(asked)):
            since = FORE_SINCE if criterion.fore else known.since
            raise EditionError(
                f"{criterion} ({known.name}) is not in edition {edition_of(asked)}: "
                f"it came with {since}"
            )


def for_each_batch(
    ledger: Ledger, edition: str | Edition, compute: Callable[[Batch, Ints], None]
) -> None:
    """Run `compute` on every batch and the players rows it covers."""
    asked = None if edition == AUTO else edition_of(edition)
    tasks = [(block, start, stop) for block in ledger.blocks for start, stop in block.spans(_BATCH)]

    def run(task: tuple[Block, int, int]) -> None:
        block, start, stop = task
        t = Batch.of(block, start, stop, asked or edition_of(block.edition))
        compute(t, t.player_rows())

    workers = min(len(tasks), os.cpu_count() or 1)
    if workers <= 1:
        for task in tasks:
            run(task)
        return
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(run, tasks))
