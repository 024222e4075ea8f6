"""Who a player is: the FIDE id where a game has it, else the name; nobody is merged by likeness."""

from __future__ import annotations

from typing import Final

import polars as pl

from tbframe.findings import concat_findings, findings_from
from tbframe.sources.pgn.likeness import fold, names_alike

__all__ = ["BYE", "name_players", "tidy_name"]

#: What stands in the place of a player where there is none.
BYE: Final = r"(?i)^bye$"
_NOBODY: Final = r"(?i)^(?:[?\-. ]*|n\.? ?n\.?|unknown)$"
_KEY: Final = ["tournament", "player"]


def tidy_name(tag: str) -> pl.Expr:
    """Write a name with one blank behind its comma, none before, around or double.

    Null for nobody known: ``?``, ``-``, ``NN``, nothing.
    """
    name = pl.col(tag).str.normalize("NFC").str.replace_all(r"\s+", " ")
    name = name.str.replace_all(r" *, *", ", ").str.strip_chars(" ,")
    return pl.when(~name.str.contains(_NOBODY)).then(name).alias(tag)


def name_players(sides: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Give everybody a key that is unique in his tournament.

    Parameters
    ----------
    sides
        One row for each game and side: ``tournament``, ``name``, ``id`` (null: none).

    Returns
    -------
    keys, findings
        Distinct ``tournament``, ``name``, ``id`` with ``player``: the name, and the id behind it
        where several have the name; and ``known_id``. Who has no id in one game has that of the
        only player of his name. What is reported: several names for one id, several ids for
        one name, and names that are nearly the same.
    """
    seen = sides.group_by("tournament", "name", "id").len()
    ids = seen.filter(pl.col("id").is_not_null())
    usual = (
        ids.with_columns(letters=pl.col("name").str.len_chars())
        .sort("len", "letters", "name", descending=[True, True, False])
        .group_by("tournament", "id", maintain_order=True)
        .agg(pl.col("name").first().alias("usual"), pl.col("name").unique().sort().alias("names"))
    )
    shared = ids.group_by("tournament", "name").agg(
        pl.col("id").n_unique().alias("n"), pl.col("id").first().alias("only")
    )
    clash = pl.len().over("tournament", "usual") > 1
    several = usual.join(
        shared.filter(pl.col("n") > 1).select("tournament", usual="name"),
        on=["tournament", "usual"], how="semi",
    ).select("tournament", "id", several=pl.lit(value=True))  # fmt: skip
    usual = usual.join(several, on=["tournament", "id"], how="left").with_columns(
        player=pl.when(clash | pl.col("several").fill_null(value=False))
        .then(pl.format("{} ({})", "usual", "id"))
        .otherwise("usual")
    )
    keys = seen.join(shared, on=["tournament", "name"], how="left").with_columns(
        known_id=pl.coalesce("id", pl.when(pl.col("n") == 1).then("only"))
    )
    keys = keys.join(
        usual.select("tournament", "player", known_id="id"),
        on=["tournament", "known_id"], how="left",
    ).with_columns(pl.coalesce("player", "name"))  # fmt: skip
    drift = _drift(usual)
    surely = pl.col("surnames") == 1
    names = pl.format("FIDE id {} has the names {}", "id", pl.col("names").list.join("; "))
    return keys.select("tournament", "name", "id", "player", "known_id"), concat_findings(
        findings_from(drift.filter(surely), code="names-of-one-id", severity="info", message=names),
        findings_from(
            drift.filter(~surely),
            code="names-of-one-id",
            severity="warning",
            message=pl.format("{}, which are not alike: taken as one player", names),
        ),
        findings_from(
            shared.filter(pl.col("n") > 1).sort("tournament", "name").rename({"name": "player"}),
            code="ids-of-one-name",
            severity="warning",
            message=pl.format("{} FIDE ids have this name: taken as as many players", "n"),
        ),
        names_alike(keys.group_by(_KEY).agg(has_id=pl.col("known_id").is_not_null().any())),
    )


def _drift(usual: pl.DataFrame) -> pl.DataFrame:
    """List the players whose id has several names, and how many surnames these have."""
    several = usual.filter(pl.col("names").list.len() > 1).select(
        "tournament", "id", "names", "player"
    )
    each = several.select("tournament", "id", surname="names").explode("surname")
    each = each.with_columns(fold(pl.col("surname")).str.extract(r"^([^,]*)"))
    counts = each.group_by("tournament", "id").agg(surnames=pl.col("surname").n_unique())
    return several.join(counts, on=["tournament", "id"]).sort(_KEY)
