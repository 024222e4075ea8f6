"""What a search found, as frames."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Final, Self

import numpy as np
import polars as pl

from tbframe.comparison.identification.candidates import nearest
from tbframe.comparison.identification.notes import noted
from tbframe.comparison.identification.ranking import Ranked
from tbframe.comparison.identification.searching import READINGS, Search
from tbframe.comparison.identification.traits import player_traits, shared_traits
from tbframe.comparison.identification.variations import edition_text
from tbframe.comparison.identification.wording import (
    alike_text,
    code_text,
    definition_text,
    what_tells_apart,
)

__all__ = ["Frames", "frames_of"]

_GROUP: Final = ["group", "column"]
_CANDIDATES: Final[dict[str, pl.DataType]] = {
    "place": pl.Int64(),
    "definition": pl.String(),
    "code": pl.String(),
    "edition": pl.String(),
    "reading": pl.String(),
    "matches": pl.Int64(),
    "players": pl.Int64(),
    "match_rate": pl.Float64(),
    "alike": pl.List(pl.String()),
    "apart": pl.List(pl.String()),
}


@dataclass(frozen=True)
class Frames:
    """The frames of an `Identification`, of some tournaments; those of several go together."""

    summary: pl.DataFrame
    candidates: pl.DataFrame
    telling: pl.DataFrame
    misses: pl.DataFrame
    traits: pl.DataFrame

    @classmethod
    def together(cls, parts: Iterable[Self]) -> Self:
        """Put the frames of parts one below the other."""
        every = list(parts)
        return cls(
            *(pl.concat([getattr(part, each.name) for part in every]) for each in fields(cls))
        )


def frames_of(found: Search) -> Frames:
    """Bring what was found into frames.

    Parameters
    ----------
    found
        A search.

    Returns
    -------
    Frames
        As `Identification` describes them.
    """
    making = _Making(found)
    return Frames(
        making.named(making.summary),
        making.named(making.candidates.drop("apart")),
        making.named(making.telling),
        making.named(making.misses),
        making.named(making.traits),
    )


@dataclass(frozen=True)
class _Making:
    """What the frames of a search are made of; all have ``group`` and ``column`` as numbers."""

    found: Search
    #: What was told of definitions already: it is the same in many tournaments.
    told: dict[object, tuple[list[str], list[str]]] = field(default_factory=dict)

    def named(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Put the key of the tournament and the name of the column in the place of numbers."""
        key = self.found.archive.tournaments["tournament"]
        if self.found.pool:
            tournament = pl.repeat(None, frame.height, dtype=key.dtype, eager=True)
        else:
            tournament = key.gather(frame["group"])
        names = pl.Series(self.found.official.names, dtype=pl.String)
        return frame.select(
            tournament.alias("tournament"),
            names.gather(frame["column"]).alias("column"),
            pl.exclude(_GROUP),
        )

    # -- the best few --------------------------------------------------------------------------

    @cached_property
    def candidates(self) -> pl.DataFrame:
        """One row for each of the best few."""
        rows = [
            {"group": each.group, "column": each.column, **self._described(each)}
            for each in self.found.ranked
        ]
        return pl.DataFrame(rows, schema={"group": pl.Int64(), "column": pl.Int64(), **_CANDIDATES})

    def _described(self, each: Ranked) -> dict[str, Any]:
        found = self.found
        near = found.likeliest[each.group]
        candidate, reading = nearest(found.candidates[each.candidate], near), READINGS[each.reading]
        in_force = found.in_force[each.group]
        before = found.official.names[: each.column]
        decimals = int(found.decimals[each.group, each.column])
        key = (each.candidate, each.alike, in_force, near, each.column)
        if key not in self.told:
            alike = [nearest(found.candidates[number], near) for number in each.alike]
            self.told[key] = (
                alike_text(candidate, alike, in_force, before),
                what_tells_apart(candidate, alike, in_force),
            )
        alike_told, apart = self.told[key]
        compared = int(found.compared[each.group, each.column])
        return {
            "place": each.place,
            "definition": definition_text(candidate, reading, in_force, before, decimals),
            "code": code_text(candidate, in_force),
            "edition": edition_text(candidate.variation, in_force),
            "reading": reading.text(decimals) or None,
            "matches": each.matches,
            "players": compared,
            "match_rate": each.matches / compared,
            "alike": alike_told,
            "apart": apart,
        }

    # -- players -------------------------------------------------------------------------------

    @cached_property
    def values(self) -> pl.DataFrame:
        """The values of the best few, player by player, with ``event``, his tournament."""
        players = self.found.archive.players.select(
            "player", "name", pl.col("tournament").alias("event")
        )
        return pl.concat([self.found.values, players[self.found.values["row"]]], how="horizontal")

    @cached_property
    def _compared(self) -> pl.DataFrame:
        """The values of the first definition where there is an official one."""
        return self.values.filter((pl.col("place") == 1) & pl.col("official").is_not_null())

    @cached_property
    def misses(self) -> pl.DataFrame:
        """The players whose official value is another."""
        return self._compared.filter(~pl.col("match")).select(
            *_GROUP, "event", "player", "name", "official", "found",
            difference=pl.col("official") - pl.col("found"),
        )  # fmt: skip

    @cached_property
    def telling(self) -> pl.DataFrame:
        """The players for whom the first and another of the best few differ."""
        first = self.values.filter(place=1).select(*_GROUP, "row", best="found")
        others = self.values.filter(pl.col("place") > 1).join(
            first, on=[*_GROUP, "row"], maintain_order="left"
        )
        return others.filter(pl.col("found").ne_missing(pl.col("best"))).select(
            *_GROUP, "place", "event", "player", "name", "official", "best", other="found"
        )

    @cached_property
    def traits(self) -> pl.DataFrame:
        """What misses have in common."""
        archive = self.found.archive
        of = self._compared.join(self.misses.select(_GROUP).unique(), on=_GROUP, how="semi")
        some = archive._of(archive.tournaments["tournament"].is_in(of["event"].implode()))
        compared = of.select(*_GROUP, "match", "player", tournament="event")
        return shared_traits(compared, player_traits(some), _GROUP)

    # -- one row for each column -----------------------------------------------------------------

    @cached_property
    def summary(self) -> pl.DataFrame:
        """One row for each group and column that was asked for."""
        every = self._units()
        best = self.candidates.filter(place=1)
        second = self.candidates.filter(place=2).select(
            *_GROUP, next="definition", next_rate="match_rate"
        )
        events = (
            self._compared.group_by(*_GROUP, "event")
            .agg(pl.col("match").all())
            .group_by(_GROUP)
            .agg(tournaments=pl.len().cast(pl.Int64), tournaments_reproduced=pl.col("match").sum())
        )
        told_by = self.telling.filter(
            (pl.col("place") == 2) & pl.col("official").is_not_null()
        ).group_by(_GROUP).agg(told_by=pl.len().cast(pl.Int64))  # fmt: skip
        for more in (best, second, events, told_by):
            every = every.join(more, on=_GROUP, how="left", maintain_order="left")
        return noted(
            every.with_columns(
                status=self._status(),
                players=pl.col("compared"),
                tournaments=pl.col("tournaments").fill_null(0),
                tournaments_reproduced=pl.col("tournaments_reproduced").fill_null(0).cast(pl.Int64),
                matches=pl.col("matches").fill_null(0),
                told_by=pl.when(pl.col("next").is_not_null()).then(
                    pl.col("told_by").fill_null(0)
                ),
            ),
            self.misses,
            self.traits,
            self.found,
        ).select(
            *_GROUP, "status", pl.col("definition").alias("best"), "code", "edition", "matches",
            "players", "match_rate", "alike", "next", "next_rate", "told_by", "tournaments",
            "tournaments_reproduced", "note",
        )  # fmt: skip

    def _units(self) -> pl.DataFrame:
        """Every group with every column that was asked for."""
        found = self.found
        groups, columns = found.compared.shape
        group, column = (axis.ravel() for axis in np.indices((groups, columns)))
        every = pl.DataFrame(
            {
                "group": group,
                "column": column,
                "compared": found.compared.ravel(),
                "constant": found.constant.ravel(),
                "unreadable": found.unreadable.ravel(),
            }
        )
        return every.filter(pl.Series(found.official.chosen[column]))

    def _status(self) -> pl.Expr:
        return (
            pl.when(pl.col("compared") == 0)
            .then(pl.when(pl.col("unreadable") > 0).then(pl.lit("no numbers"))
                  .otherwise(pl.lit("empty")))
            .when("constant")
            .then(pl.lit("constant"))
            .when(pl.col("matches").is_null())
            .then(pl.lit("unknown"))
            .when(pl.col("matches") == pl.col("compared"))
            .then(pl.lit("reproduced"))
            .otherwise(pl.lit("not reproduced"))
        )  # fmt: skip
