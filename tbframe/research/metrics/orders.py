"""What every metric looks at: orders of the players of many tournaments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self, TypeVar, cast

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.errors import TbframeError
from tbframe.ledger.block import Ints
from tbframe.ledger.values import Bools
from tbframe.research.groups import Groups
from tbframe.research.metrics.pairs import PairCounts, count_pairs

__all__ = ["UNKNOWN", "Games", "Orders", "places_by"]

_Value = TypeVar("_Value")

#: The place of a player of whom no truth is known.
UNKNOWN = -1


@dataclass(frozen=True)
class Games:
    """Games that an order is held against.

    Attributes
    ----------
    tournament
        ``(games,)``: the number of each game's tournament.
    one, other
        ``(games,)``: the players, as positions in the arrays of all players.
    points
        ``(games,)``: what `one` scored: 1, 0.5 or 0.
    """

    tournament: Ints
    one: Ints
    other: Ints
    points: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Orders:
    """The order of the players of each tournament by a tie-break, and what it is compared with.

    Places count the players who rank before: 0 for the first, equal for the tied (0, 0, 2). All
    arrays have one number for each player, the players of a tournament side by side.

    Attributes
    ----------
    tournaments
        Their keys.
    groups
        Where the players of each begin.
    place
        By the order.
    points
        By points alone, the order before the tie-break.
    truth
        By what the order should find: a strength, or a later result; -1 where that is not known.
        Metrics about the truth leave such players out, as if they had not played.
    reference
        By another order.
    depth
        Which criterion of the order, counted from 1, separated the players at a place from those
        above, at the position of that place; 0 at all others.
    games
        Games that the order is held against.

    Examples
    --------
    >>> import polars as pl
    >>> from tbframe.research import metrics
    >>> frame = pl.DataFrame(
    ...     {"tournament": "t", "rank": [1, 2, 2, 4], "rating": [2400, 2500, 2300, None]}
    ... )
    >>> orders = metrics.Orders.of(frame, truth="rating")
    >>> metrics.tau_a(orders).to_list()
    [0.0]
    """

    tournaments: pl.Series
    groups: Groups
    place: Ints
    points: Ints | None = None
    truth: Ints | None = None
    reference: Ints | None = None
    depth: NDArray[np.integer[Any]] | None = None
    games: Games | None = None
    _shared: dict[object, Any] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def of(
        cls,
        frame: pl.DataFrame | pl.LazyFrame,
        *,
        rank: str = "rank",
        truth: str | None = None,
        points: str | None = None,
        reference: str | None = None,
    ) -> Self:
        """Take orders from a frame with one row for each player, in any order of rows.

        Parameters
        ----------
        frame
            With ``tournament`` and the columns named below.
        rank
            Column of the order: the lowest is first, equal ones are tied.
        truth
            Column of what should be found, the highest first (a rating or a strength); null
            where it is not known.
        points
            Column of the points, the highest first.
        reference
            Column of another order, as `rank`.

        Raises
        ------
        TbframeError
            If a rank or points are null.
        """
        named = {"rank": rank, "truth": truth, "points": points, "reference": reference}
        columns = {name: pl.col(column) for name, column in named.items() if column is not None}
        rows = frame.lazy().select("tournament", **columns).sort("tournament").collect()
        for name in columns:
            if not rows.schema[name].is_numeric():
                raise TbframeError(f"column {named[name]!r} has to hold numbers")
            if name != "truth" and rows[name].null_count():
                raise TbframeError(f"column {named[name]!r}: every player needs a value")
        keys = rows["tournament"].rle().struct.unnest()
        groups = Groups(np.concatenate([[0], np.cumsum(keys["len"].to_numpy(), dtype=np.int64)]))
        places = {
            name: places_by(groups, rows[name], "low" if name in ("rank", "reference") else "high")
            for name in columns
        }
        return cls(
            keys["value"].alias("tournament"),
            groups,
            places["rank"],
            places.get("points"),
            places.get("truth"),
            places.get("reference"),
        )

    def once(self, key: object, compute: Callable[[], _Value]) -> _Value:
        """Compute what several orders of the same tournaments share once."""
        if key not in self._shared:
            self._shared[key] = compute()
        return cast("_Value", self._shared[key])

    def by(self, place: Ints, depth: NDArray[np.integer[Any]] | None = None) -> Self:
        """Return another order of the same tournaments, compared with the same."""
        return replace(self, place=place, depth=depth)._sharing(self._shared)

    def _sharing(self, shared: dict[object, Any]) -> Self:
        object.__setattr__(self, "_shared", shared)
        return self

    @cached_property
    def judged(self) -> Orders:
        """The same without the players of whom the truth is not known."""
        truth = self.given("truth")
        known = self.once("truth known", lambda: truth != UNKNOWN)
        if self.once("truth known of all", known.all):
            return self

        def among(place: Ints) -> Ints:
            return self.groups.places_among(place, known)

        points = self.points
        return Orders(
            self.tournaments,
            self.once("judged groups", lambda: self.groups.without(known)),
            among(self.place),
            None if points is None else self.once("judged points", lambda: among(points)),
            self.once("judged truth", lambda: truth[known]),
        )._sharing(self.once("judged", dict[object, Any]))

    @cached_property
    def pair_counts(self) -> PairCounts:
        """The pairs of players, by what the order and the truth say of them."""
        return count_pairs(self.groups, self.place, self.given("truth"))

    @cached_property
    def tied(self) -> Ints:
        """``(players,)``: how many share the player's place in the order, himself included."""
        return self.groups.tied(self.place)

    @cached_property
    def truth_tied(self) -> Ints:
        """``(players,)``: the same in the truth."""
        return self.once("truth tied", lambda: self.groups.tied(self.given("truth")))

    @cached_property
    def within_points(self) -> Ints:
        """``(players,)``: places by points and then by the order; `place` itself if that is so."""
        points = self.given("points")
        tied = self.once("points tied", lambda: self.groups.tied(points))
        if ((points <= self.place) & (self.place < points + tied)).all():
            return self.place
        both = points * (int(self.groups.size.max(initial=0)) + 1) + self.place
        return self.groups.places(both, best="low")

    def given(self, name: str) -> Ints:
        """Return places that a metric needs, or say that they are missing."""
        found = getattr(self, name)
        if found is None:
            raise TbframeError(f"this metric needs {name}, which is not given")
        return cast("Ints", found)

    def series(self, values: NDArray[Any], defined: Bools) -> pl.Series:
        """Return the values of a metric, one for each tournament, null where undefined."""
        told = np.where(defined, values, np.nan)
        return pl.Series("value", told, dtype=pl.Float64, nan_to_null=True)

    def quotient(self, above: NDArray[Any], below: NDArray[Any]) -> pl.Series:
        """Return quotients, null where the denominator is 0."""
        defined = below > 0
        return self.series(above / np.where(defined, below, 1), defined)


def places_by(groups: Groups, values: pl.Series, best: str) -> Ints:
    """Return the places by a column of numbers; unknown where it is null or not-a-number."""
    values = values.cast(pl.Float64).fill_nan(None)
    known = values.is_not_null().to_numpy()
    numbers = values.to_numpy()
    if known.all():
        return groups.places(numbers, best=best)
    place = np.full(groups.players, UNKNOWN, dtype=np.int64)
    place[known] = groups.without(known).places(numbers[known], best=best)
    return place
