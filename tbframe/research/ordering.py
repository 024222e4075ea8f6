"""Every player's place by many tie-breaks, over all tournaments in one pass.

A key is what follows points: ``"BH"`` ranks by ``PTS BH``. All keys are computed batch by batch, so
that what they share (the points, adjusted scores, a common beginning) is computed once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tbframe.codes import Criterion, split_order
from tbframe.editions import Edition
from tbframe.errors import TbframeError
from tbframe.ledger import Batch, Ledger
from tbframe.ledger.block import Ints
from tbframe.research.groups import Groups
from tbframe.standings import check_editions, for_each_batch, refine
from tbframe.tiebreaks import definition, parse_order
from tbframe.tiegroups import TieGroups, split

__all__ = ["RANDOM", "Key", "Keys", "Ranking", "groups_of", "named_keys", "rank_by_keys"]

#: The key that draws lots among players with equal points.
RANDOM: Final = "random"

#: Tie-breaks to compare: as a list, or under names of one's own.
Keys: TypeAlias = Sequence[str] | Mapping[str, str]


@dataclass(frozen=True)
class Key:
    """What players are ranked by.

    Attributes
    ----------
    name
        What results call it.
    order
        The criteria in order, points included.
    by_lot
        Whether lots decide what the criteria leave open.
    """

    name: str
    order: tuple[Criterion, ...]
    by_lot: bool = False


@dataclass(frozen=True)
class Ranking:
    """The order of all players by one key.

    Attributes
    ----------
    place
        ``(players,)``: how many of the tournament rank before; equal for the tied.
    depth
        ``(players,)``: at the position of a place, which criterion separated it from the one
        above, counted from 1; 0 elsewhere. ``None`` where that is not known.
    """

    place: NDArray[np.int32]
    depth: NDArray[np.int16] | None


def named_keys(keys: Keys, *, points_first: bool = True) -> list[Key]:
    """Read the keys.

    Parameters
    ----------
    keys
        Such as ``["BH", "BH/C1 SB", "random"]``, or names and such texts.
    points_first
        Whether ``PTS`` is put before keys that do not name it.

    Raises
    ------
    CodeError
        If a criterion cannot be read or does not exist.
    TbframeError
        If there is no key, or a name stands twice.

    Examples
    --------
    >>> [" ".join(map(str, key.order)) for key in named_keys(["BH", "SB PTS", "random"])]
    ['PTS BH', 'SB PTS', 'PTS']
    """
    if isinstance(keys, str):
        raise TbframeError(f"name the keys one by one: [{keys!r}]")
    texts = keys if isinstance(keys, Mapping) else {key: key for key in keys}
    if not texts:
        raise TbframeError("name at least one key, such as ['BH']")
    if len(texts) < len(keys):
        raise TbframeError("a key stands twice: give them names of their own, {name: key}")
    return [_key(name, text, points_first=points_first) for name, text in texts.items()]


def _key(name: str, text: str, *, points_first: bool) -> Key:
    entries = split_order(text)
    by_lot = entries[-1:] == [RANDOM]
    if by_lot:
        entries = entries[:-1]
    named = {criterion.code for criterion in parse_order(entries)} if entries else set()
    if points_first and "PTS" not in named:
        entries = ["PTS", *entries]
    return Key(name, tuple(parse_order(entries)) if entries else (), by_lot)


def rank_by_keys(
    ledger: Ledger, keys: Sequence[Key], edition: str | Edition, seed: int
) -> tuple[Ints, list[Ranking]]:
    """Rank all players of a ledger by each key.

    Parameters
    ----------
    ledger
        The tournaments.
    keys
        What to rank by.
    edition
        As in `Archive.standings`.
    seed
        For the lots of keys that draw them.

    Returns
    -------
    points, rankings
        Places by points, and a ranking for each key; in the order of the ledger's players.

    Raises
    ------
    EditionError
        If the edition does not know a criterion.
    """
    height = ledger.players.height
    score, *_ = named_keys(["PTS"])
    every = [score, *keys]
    for key in keys:
        check_editions(key.order, edition)
    place = np.zeros((len(every), height), dtype=np.int32)
    depth = np.zeros((len(every), height), dtype=np.int16)
    lots = None
    if any(key.by_lot for key in keys):
        lots = np.random.Generator(np.random.Philox(key=seed)).permutation(height)

    def compute(t: Batch, rows: Ints) -> None:
        known: dict[tuple[Criterion, ...], TieGroups] = {}
        start = t.first[:-1][t.tournament]
        for number, key in enumerate(every):
            order = _order(t, key.order, known)
            if key.by_lot and lots is not None:
                order = _adopt(order, split(order.place, lots[rows]), len(key.order))
            place[number, rows] = order.place - start
            depth[number, rows] = order.decided + 1

    for_each_batch(ledger, edition, compute)
    rankings = [Ranking(*each) for each in zip(place, depth, strict=True)]
    return place[0].astype(np.int64), rankings[1:]


def _order(
    t: Batch, criteria: tuple[Criterion, ...], known: dict[tuple[Criterion, ...], TieGroups]
) -> TieGroups:
    """Return the tie groups by some criteria; orders that begin alike share the beginning."""
    order, shared = TieGroups.unordered(t), True
    for number, criterion in enumerate(criteria):
        shared &= not definition(criterion.code).looks_ahead
        begun = criteria[: number + 1]
        if shared and begun in known:
            order = known[begun]
            continue
        _, place = refine(t, criterion, order, criteria[number + 1 :])
        order = _adopt(order, place, number)
        if shared:
            known[begun] = order
    return order


def _adopt(order: TieGroups, place: Ints, number: int) -> TieGroups:
    """Return finer tie groups, and leave the others, which orders share, as they are."""
    finer = TieGroups(order.place, order.decided.copy())
    finer.adopt(place, number)
    return finer


def groups_of(ledger: Ledger) -> Groups:
    """Return where the players of each tournament begin in the ledger's players frame."""
    sizes = ledger.tournaments.select("tournament").join(
        ledger.players.group_by("tournament").len(), on="tournament", how="left",
        maintain_order="left",
    )  # fmt: skip
    return Groups(np.concatenate([[0], np.cumsum(sizes["len"].fill_null(0).to_numpy(), dtype=int)]))
