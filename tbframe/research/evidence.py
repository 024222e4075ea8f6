"""The orders that a comparison looks at, from an archive or from ranks made elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.archive import Archive
from tbframe.editions import Edition
from tbframe.errors import TbframeError
from tbframe.ledger import Ledger
from tbframe.ledger.block import Ints
from tbframe.ledger.values import Bools
from tbframe.research.groups import Groups
from tbframe.research.metrics import Orders
from tbframe.research.metrics.orders import places_by
from tbframe.research.ordering import Key, Ranking, groups_of, rank_by_keys
from tbframe.research.truth import PREDICTION, RETRODICTION, STABILITY, games_of, true_places

__all__ = ["Evidence", "archive_evidence", "last_rounds", "rank_evidence"]


@dataclass(frozen=True)
class Evidence:
    """The orders of some tournaments by several keys, as after one round.

    Attributes
    ----------
    after_round
        The round; ``None``: the last.
    base
        What all orders have in common; its own order is that by points, or by the first key.
    rankings
        By each key.
    counted
        ``(tournaments,)``: those that have this round, and a later one where that is the truth.
    final
        By each key after the last round, where that is the truth.
    """

    after_round: int | None
    base: Orders
    rankings: Sequence[Ranking]
    counted: Bools
    final: Sequence[Ranking] | None = None

    def against(self, reference: int) -> Self:
        """Return the same with the order by one of the keys as reference."""
        place = self._place(self.rankings, reference)
        return replace(self, base=replace(self.base, reference=place))

    def orders(self, number: int) -> Orders:
        """Return the orders by one key."""
        base = self.base
        if self.final is not None:
            base = replace(base, truth=self._place(self.final, number))
        return base.by(self._place(self.rankings, number), self.rankings[number].depth)

    def _place(self, rankings: Sequence[Ranking], number: int) -> Ints:
        return rankings[number].place.astype(np.int64)


def archive_evidence(
    archive: Archive,
    keys: Sequence[Key],
    *,
    truth: str | None,
    edition: str | Edition,
    rounds: Sequence[int | None],
    seed: int,
) -> Iterator[Evidence]:
    """Rank the players of an archive by each key, as after each of some rounds.

    Parameters
    ----------
    archive
        The tournaments.
    keys
        What to rank by.
    truth
        A column of the players, or one of the words of `tbframe.research.truth`.
    edition
        As in `Archive.standings`.
    rounds
        ``None`` stands for the last.
    seed
        For keys that draw lots.

    Raises
    ------
    TbframeError
        If the truth is not there.
    """
    whole = archive._ledger(None)
    groups, last = groups_of(whole), last_rounds(whole)
    later = truth in {PREDICTION, STABILITY}
    final = rank_by_keys(whole, keys, edition, seed)[1] if truth == STABILITY else None
    strength = None
    if truth is not None and not later and truth != RETRODICTION:
        strength = true_places(groups, whole.players, truth)
    for after in rounds:
        ledger = archive._ledger(after)
        points, rankings = rank_by_keys(ledger, keys, edition, seed)
        games = None
        if truth == PREDICTION:
            games = games_of(
                whole, groups, after=int(last.max(initial=0)) if after is None else after
            )
        elif truth == RETRODICTION:
            games = games_of(ledger, groups)
        base = Orders(
            whole.tournaments["tournament"], groups, points, points, strength, games=games
        )
        counted = np.ones(len(groups), dtype=np.bool_) if after is None else last >= after + later
        yield Evidence(after, base, rankings, counted, final)


def last_rounds(ledger: Ledger) -> NDArray[np.int64]:
    """Return the last round that each tournament has results of; 0 where it has none."""
    owner = np.repeat(np.arange(len(groups_of(ledger))), groups_of(ledger).size)
    last = np.zeros(ledger.tournaments.height, dtype=np.int64)
    for block in ledger.blocks:
        if block.rounds:
            last[owner[block.row]] = block.rounds[-1]
    return last


def rank_evidence(
    ranks: pl.DataFrame, names: Sequence[str] | None, truth: str | None
) -> tuple[list[str], Evidence]:
    """Take ranks that were made elsewhere.

    Parameters
    ----------
    ranks
        ``tournament``, ``player``, ``key``, ``rank``, and where there are such ``points`` and
        the column of the truth; a row for each player and key, in any order.
    names
        Which keys; by default all, in the order in which they come.
    truth
        A column of numbers.

    Returns
    -------
    names, evidence
        Those of the keys, and the orders by them.

    Raises
    ------
    TbframeError
        If a key ranks other players than the first, or a player twice, or is not there.
    """
    there = ranks["key"].unique(maintain_order=True).to_list()
    if not there:
        raise TbframeError("the table of ranks is empty")
    chosen = there if names is None else list(names)
    for name in chosen:
        if name not in there:
            raise TbframeError(f"no key {name!r} in the ranks; there are {', '.join(there)}")
    parts = [ranks.filter(key=name).sort("tournament", "player") for name in chosen]
    first = parts[0]
    who = first.select("tournament", "player")
    if who.is_duplicated().any():
        raise TbframeError(f"key {chosen[0]!r}: a player has several ranks in one tournament")
    for name, part in zip(chosen, parts, strict=True):
        if not part.select("tournament", "player").equals(who):
            raise TbframeError(f"key {name!r} does not rank the same players as {chosen[0]!r}")
        if part["rank"].null_count():
            raise TbframeError(f"key {name!r}: every player needs a rank")
    keys = first["tournament"].rle().struct.unnest()
    groups = Groups(np.concatenate([[0], np.cumsum(keys["len"].to_numpy(), dtype=np.int64)]))
    points = places_by(groups, first["points"], "high") if "points" in first.columns else None
    places = [places_by(groups, part["rank"], "low") for part in parts]
    base = Orders(
        keys["value"].alias("tournament"),
        groups,
        places[0],
        points,
        None if truth is None else true_places(groups, first, truth),
    )
    rankings = [Ranking(place.astype(np.int32), None) for place in places]
    return chosen, Evidence(None, base, rankings, np.ones(len(groups), dtype=np.bool_))
