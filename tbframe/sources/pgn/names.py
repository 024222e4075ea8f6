"""Who a player is: the FIDE id where a game has it, else the name; nobody is merged by likeness."""

from __future__ import annotations

import polars as pl

from tbframe.findings import concat_findings, findings_from

__all__ = ["name_players", "tidy_name"]

_KEY = ["tournament", "player"]


def tidy_name(tag: str) -> pl.Expr:
    """Write a name with one blank behind its comma, none before, around or double.

    Null for nobody known: ``?``, ``-``, nothing.
    """
    name = pl.col(tag).str.normalize("NFC").str.replace_all(r"\s+", " ")
    name = name.str.replace_all(r" *, *", ", ").str.strip_chars(" ,")
    return pl.when(~name.str.contains(r"^[?\-. ]*$")).then(name).alias(tag)


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
    return keys.select("tournament", "name", "id", "player", "known_id"), concat_findings(
        findings_from(
            usual.filter(pl.col("names").list.len() > 1).sort("tournament", "player"),
            code="names-of-one-id",
            severity="info",
            message=pl.format("FIDE id {} has the names {}", "id", pl.col("names").list.join("; ")),
        ),
        findings_from(
            shared.filter(pl.col("n") > 1).sort("tournament", "name").rename({"name": "player"}),
            code="ids-of-one-name",
            severity="warning",
            message=pl.format("{} FIDE ids have this name: taken as as many players", "n"),
        ),
        _alike(keys.group_by(_KEY).agg(has_id=pl.col("known_id").is_not_null().any())),
    )


def _alike(players: pl.DataFrame) -> pl.DataFrame:
    """Report names of one tournament that may be one player's, each with the one before it.

    Two players who both have an id are two.
    """
    plain = (
        pl.col("player")
        .str.normalize("NFKD")
        .str.replace_all(r"\p{M}", "")
        .str.to_lowercase()
        .str.replace_all(r"\(\d+\)", "")
    )
    words = plain.str.replace_all(r"[^\p{L}\d]+", " ").str.strip_chars()
    surname = plain.str.extract(r"^([^,]+)").str.replace_all(r"[^\p{L}\d]+", "")
    given = plain.str.extract(r",(.*)$").fill_null("").str.replace_all(r"[^\p{L}\d]+", "")
    rows = players.with_columns(
        letters=words.str.split(" ").list.sort().list.join(""), surname=surname, given=given
    )
    same = rows.sort("tournament", "letters", "player")
    same = same.with_columns(
        other=pl.when(
            (pl.col("letters") == pl.col("letters").shift()) & (pl.col("letters") != "")
        ).then(_before())
    )
    short = rows.sort("tournament", "surname", "given", "player")
    begins = pl.col("given").str.starts_with(pl.col("given").shift())
    short = short.with_columns(
        other=pl.when((pl.col("surname") == pl.col("surname").shift()) & begins).then(_before())
    )
    both = pl.concat([same, short]).filter(pl.col("other").is_not_null())
    return findings_from(
        both.unique([*_KEY, "other"]).sort(*_KEY, "other"),
        code="names-alike",
        severity="warning",
        message=pl.format("may be {}: taken as another player", "other"),
    )


def _before() -> pl.Expr:
    """Name the player before in the tournament, unless both have ids."""
    both = pl.col("has_id") & pl.col("has_id").shift()
    same = pl.col("tournament") == pl.col("tournament").shift()
    return pl.when(same & ~both).then(pl.col("player").shift())
