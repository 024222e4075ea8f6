"""The search: plain definitions first, far-fetched ones where none of them fits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.archive import Archive
from tbframe.comparison.identification.candidates import (
    Candidate,
    candidates,
    further_candidates,
)
from tbframe.comparison.identification.columns import OfficialColumns
from tbframe.comparison.identification.counting import Counts, count_matches
from tbframe.comparison.identification.found_values import found_values
from tbframe.comparison.identification.ranking import Ranked, best_few
from tbframe.comparison.identification.readings import FURTHER, PLAIN
from tbframe.comparison.identification.variations import LAST_ROUND, UNRATED_OUT
from tbframe.editions import AUTO, editions_in_force
from tbframe.ledger.block import Ints
from tbframe.scoring import team_events
from tbframe.tiebreaks.definition import TieBreak

__all__ = ["READINGS", "Search", "search"]

READINGS: Final = (*PLAIN, *FURTHER)
#: Tournaments that are searched together: enough to be fast, few enough for the memory.
_TOGETHER: Final = 128
#: So many codes are tried further on an open column, if they come so near to the best of them.
_NEAR: Final = 6
_AS_NEAR: Final = 0.8


@dataclass(frozen=True)
class Search:
    """What was found in some tournaments.

    Attributes
    ----------
    archive, official
        The tournaments, and the official columns in the rows of their players.
    group
        ``(tournaments,)``: the number of each tournament's group: itself, or one for all.
    in_force, likeliest
        The edition of each group's date, and the likeliest if there is none; ``"auto"`` where
        its tournaments have several.
    candidates
        What was tried, that `ranked` refers to; readings are those of `READINGS`.
    compared
        ``(groups, columns)``: how many values were compared.
    constant
        ``(groups, columns)``: whether all values of each tournament are the same.
    ranked
        The best few of each group and column.
    values
        From `found_values`.
    """

    archive: Archive
    official: OfficialColumns
    group: Ints
    in_force: list[str]
    likeliest: list[str]
    candidates: list[Candidate]
    compared: Ints
    constant: NDArray[np.bool_]
    ranked: list[Ranked]
    values: pl.DataFrame

    @property
    def pool(self) -> bool:
        """Whether all tournaments are one group."""
        return bool((self.group == 0).all()) and self.compared.shape[0] != len(self.group)

    @property
    def decimals(self) -> Ints:
        """``(groups, columns)``: the most decimals that a column has."""
        found = np.zeros_like(self.compared)
        np.maximum.at(found, self.group, self.official.decimals)
        return found

    @property
    def unreadable(self) -> Ints:
        """``(groups, columns)``: how many entries are no numbers."""
        found = np.zeros_like(self.compared)
        np.add.at(found, self.group, self.official.unreadable)
        return found


def search(
    archive: Archive,
    official: OfficialColumns,
    entries: Sequence[TieBreak],
    *,
    top: int,
    pool: bool,
) -> Iterator[Search]:
    """Look for the definitions of all columns.

    Parameters
    ----------
    archive, official
        What it is about.
    entries
        The tie-breaks to try.
    top
        How many definitions to give for each column.
    pool
        Whether a column is the same in all tournaments.

    Yields
    ------
    Search
        For some tournaments at a time; for all at once where they are pooled.
    """
    count = archive.tournaments.height
    step = max(count, 1) if pool else _TOGETHER
    for start in range(0, count, step):
        some = np.zeros(count, dtype=np.bool_)
        some[start : start + step] = True
        few = archive if some.all() else archive._of(pl.Series(some))
        yield _Searching(few, official.of(some), list(entries), top, pool).run()


@dataclass(frozen=True)
class _Searching:
    """One search, and what it is about."""

    archive: Archive
    official: OfficialColumns
    entries: list[TieBreak]
    top: int
    pool: bool

    def run(self) -> Search:
        plain = self._candidates(further=False)
        compared, constant = self._over_groups()
        counts = self._count(plain, len(PLAIN))
        near = self._likeliest(counts, compared, plain)
        ranked = best_few(counts, compared, plain, near, top=self.top)
        fits = np.zeros_like(constant)
        for each in ranked:
            if each.matches == compared[each.group, each.column]:
                fits[each.group, each.column] = True
        open_ = ~fits & ~constant & (compared > 0) & self.official.chosen
        tried = plain
        if open_.any():
            ranked = [each for each in ranked if not open_[each.group, each.column]]
            further, tried = self._search_further(plain, open_, compared, near)
            ranked = sorted([*ranked, *further], key=lambda x: (x.group, x.column, x.place))
        values = found_values(
            self.archive._ledger(None), self.official, ranked, tried, READINGS, group=self._group
        )
        return Search(
            self.archive, self.official, self._group, self._in_force, [key for _, key in near],
            tried, compared, constant, ranked, values,
        )  # fmt: skip

    def _search_further(
        self,
        plain: list[Candidate],
        open_: NDArray[np.bool_],
        compared: Ints,
        likeliest: Sequence[tuple[str, str]],
    ) -> tuple[list[Ranked], list[Candidate]]:
        """Try everything on the groups that have an open column; give what was tried too."""
        groups = np.flatnonzero(open_.any(axis=1))
        those = np.isin(self._group, groups)
        few = self.archive if those.all() else self.archive._of(pl.Series(those))
        inner = _Searching(few, self.official.of(those), self.entries, self.top, self.pool)
        every = inner._count(plain, len(READINGS))
        near = _nearest(every, open_[groups], plain)
        more = [
            each
            for each in inner._candidates(further=True)
            if _cut_code(each) in near or each.variation.option in (LAST_ROUND, UNRATED_OUT)
        ]
        counted = inner._count(more, len(PLAIN))
        padding = [(0, 0)] * 3 + [(0, len(FURTHER))]
        counts = Counts(
            np.concatenate([every.matches, np.pad(counted.matches, padding)], axis=2),
            np.concatenate([every.prints, counted.prints], axis=2),
        )
        tried = [*plain, *more]
        found = best_few(
            counts,
            np.where(open_, compared, 0)[groups],
            tried,
            [likeliest[group] for group in groups.tolist()],
            top=self.top,
        )
        return [replace(each, group=int(groups[each.group])) for each in found], tried

    def _likeliest(
        self, counts: Counts, compared: Ints, plain: list[Candidate]
    ) -> list[tuple[str, str]]:
        """Give each group's edition in force and the likeliest one.

        Where there is no date, the likeliest is the one that most of its columns need.
        """
        in_force = self._in_force
        about = self.archive.tournaments
        undated = (about["start"].is_null() & about["edition"].is_null()).to_numpy()
        unknown = [bool(undated[self._group == group].all()) for group in range(len(in_force))]
        found: dict[int, Counter[str]] = {}
        if any(unknown):
            first = best_few(counts, compared, plain, [(key, key) for key in in_force], top=1)
            for each in first:
                key = plain[each.candidate].variation.edition
                if key != AUTO and each.matches == compared[each.group, each.column]:
                    found.setdefault(each.group, Counter())[key] += 1
        return [
            (key, found[group].most_common(1)[0][0] if unknown[group] and group in found else key)
            for group, key in enumerate(in_force)
        ]

    def _count(self, tried: list[Candidate], readings: int) -> Counts:
        ledger = self.archive._ledger(None)
        return count_matches(ledger, self.official, tried, READINGS[:readings], group=self._group)

    def _candidates(self, *, further: bool) -> list[Candidate]:
        teams = team_events(self.archive.results, self.archive.tournaments)
        list_ = further_candidates if further else candidates
        rated = self.archive.players["rating"].fill_null(0).ne(0).any()
        return list_(self.entries, teams=bool(teams.any()), rated=rated)

    @property
    def _group(self) -> Ints:
        count = self.archive.tournaments.height
        return np.zeros(count, dtype=np.int64) if self.pool else np.arange(count)

    @property
    def _in_force(self) -> list[str]:
        keys = editions_in_force(self.archive.tournaments, AUTO).to_list()
        if not self.pool:
            return keys
        return [keys[0] if len(set(keys)) == 1 else AUTO]

    def _over_groups(self) -> tuple[Ints, NDArray[np.bool_]]:
        """Return how many values each group and column has, and whether they vary nowhere."""
        counts, constant = self.official.counts() * self.official.chosen, self.official.constant()
        if not self.pool:
            return counts, constant
        constant = constant | (counts == 0)
        return counts.sum(axis=0, keepdims=True), constant.all(axis=0, keepdims=True)


def _cut_code(candidate: Candidate) -> tuple[str, int, int, str | None]:
    """Return what makes a candidate near to another: its code with its cuts."""
    criterion = candidate.criterion
    return criterion.code, criterion.low, criterion.high, criterion.score


def _nearest(
    counts: Counts, open_: NDArray[np.bool_], tried: Sequence[Candidate]
) -> set[tuple[str, int, int, str | None]]:
    """Return the codes that come nearest to some open column.

    What is done otherwise with unplayed rounds leaves the values of other players as they are, so
    the code that is looked for is not far from the best already.
    """
    keys = [_cut_code(each) for each in tried]
    kinds = list(dict.fromkeys(keys))
    best = counts.matches.max(axis=3)[open_]
    of_kind = np.zeros((len(best), len(kinds)), dtype=np.int64)
    for number, key in enumerate(keys):
        place = kinds.index(key)
        np.maximum(of_kind[:, place], best[:, number], out=of_kind[:, place])
    nearest = np.argsort(-of_kind, axis=1, kind="stable")[:, :_NEAR]
    matches = np.take_along_axis(of_kind, nearest, axis=1)
    close = (matches >= _AS_NEAR * matches[:, :1]) & (matches > 0)
    return {kinds[number] for number in np.unique(nearest[close])}
