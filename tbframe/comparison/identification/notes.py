"""What there is to say about a column beside its best definition."""

from __future__ import annotations

from typing import Final

import polars as pl

from tbframe.comparison.identification.searching import Search
from tbframe.comparison.missing import what_is_missing
from tbframe.findings import counted

__all__ = ["noted"]

_GROUP: Final = ["group", "column"]
#: So many definitions that are alike are named.
_NAMED: Final = 4
#: So many misses are told one by one.
_TOLD: Final = 3


def noted(
    every: pl.DataFrame, misses: pl.DataFrame, traits: pl.DataFrame, found: Search
) -> pl.DataFrame:
    """Add the notes.

    Parameters
    ----------
    every
        ``group``, ``column``, ``status``, ``unreadable``, ``alike`` and ``apart``.
    misses, traits
        Of the best definitions.
    found
        The search.

    Returns
    -------
    DataFrame
        `every` with ``note``: null where there is nothing to say.
    """
    more = [_constants(found), _unalike(misses), _in_common(traits), _missing(every, found),
            _one_by_one(misses)]  # fmt: skip
    for frame in more:
        every = every.join(frame, on=_GROUP, how="left", maintain_order="left")
    alike = pl.col("alike").list.len() > 0
    some, left = pl.col("alike").list.head(_NAMED), pl.col("alike").list.len() - _NAMED
    more_alike = (
        pl.when(pl.col("alike").list.len() > _NAMED)
        .then(pl.format(" and {} more", left))
        .otherwise(pl.lit(""))
    )
    takes = (
        pl.when(pl.col("apart").list.len() > 0)
        .then(pl.format(": it would take {}", pl.col("apart").list.join(" or ")))
        .otherwise(pl.lit(""))
    )
    reproduced = pl.col("status") == "reproduced"
    missed = pl.col("status") == "not reproduced"
    parts = [
        pl.when(pl.col("status") == "constant").then(pl.format("all values are {}", "constant_at")),
        pl.when(reproduced & alike).then(
            pl.format("not told apart here from {}{}{}", some.list.join("; "), more_alike, takes)
        ),
        pl.when(missed).then("few"),
        pl.when(missed).then("in_common"),
        pl.when(missed).then("unalike"),
        pl.when(missed | (pl.col("status") == "unknown")).then("missing"),
        pl.when(pl.col("unreadable") > 0).then(
            pl.format("no numbers: {}", counted("unreadable", "value"))
        ),
    ]
    note = pl.concat_str(parts, separator="; ", ignore_nulls=True)
    return every.with_columns(note=pl.when(note != "").then(note))


def _constants(found: Search) -> pl.DataFrame:
    """Give the value of columns that have only one."""
    values = pl.DataFrame(
        found.official.values, schema=[*map(str, range(len(found.official.names)))]
    )
    return (
        values.with_columns(group=pl.Series(found.group[found.official.owner]))
        .unpivot(index="group", variable_name="column", value_name="constant_at")
        .with_columns(pl.col("column").cast(pl.Int64), pl.col("constant_at").fill_nan(None))
        .drop_nulls()
        .group_by(_GROUP)
        .agg(pl.col("constant_at").first())
    )


def _unalike(misses: pl.DataFrame) -> pl.DataFrame:
    """Tell of differences that are the same throughout."""
    rounded = pl.col("difference").round(6)
    return (
        misses.group_by(_GROUP)
        .agg(same=(rounded.n_unique() == 1) & rounded.is_not_null().all(),
             by=rounded.first(), number=pl.len())
        .filter("same", pl.col("number") > _TOLD)
        .select(*_GROUP, unalike=pl.format("all by {}", "by"))
    )  # fmt: skip


def _one_by_one(misses: pl.DataFrame) -> pl.DataFrame:
    """Tell the misses themselves, where they are few."""
    told = pl.format(
        "player {} has {} where {} is computed",
        "player", "official", pl.col("found").round(4).cast(pl.String).fill_null("nothing"),
    )  # fmt: skip
    return misses.group_by(_GROUP).agg(
        few=pl.when(pl.len() <= _TOLD).then(told.str.join(", "))
    )  # fmt: skip


def _in_common(traits: pl.DataFrame) -> pl.DataFrame:
    """Tell the trait that sets the misses apart best, if most have it and most others do not."""
    share = pl.col("misses_with") / pl.col("misses")
    others = (pl.col("others_with") / pl.col("others")).fill_nan(0)
    told = traits.group_by(_GROUP, maintain_order=True).first().filter(
        (pl.col("misses") > 1) & (share >= 0.5) & (share - others >= 0.5)
    )  # fmt: skip
    return told.select(
        *_GROUP,
        in_common=pl.format(
            "{} of {} misses {}, and {} of {} others",
            "misses_with", "misses", "trait", "others_with", "others",
        ),
    )  # fmt: skip


def _missing(every: pl.DataFrame, found: Search) -> pl.DataFrame:
    """Tell what the archive lacks, where columns are not reproduced."""
    left = every.filter(pl.col("status").is_in(["not reproduced", "unknown"])).select(_GROUP)
    keys = found.archive.tournaments["tournament"]
    groups = pl.DataFrame({"tournament": keys, "group": found.group})
    asked = left.join(groups, on="group").with_columns(code=pl.col("column").cast(pl.String))
    told = what_is_missing(found.archive, asked.select("tournament", "code"), order=None)
    return (
        told.join(asked, on=["tournament", "code"])
        .group_by(_GROUP)
        .agg(missing=pl.col("message").first())
    )
