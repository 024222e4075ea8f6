"""The 001 records to write."""

from __future__ import annotations

import warnings
from typing import Final

import polars as pl

from tbframe.archive import Archive
from tbframe.schema import BYES, MOST_ROUNDS, OVER_THE_BOARD
from tbframe.sources.trf.refusing import refuse

__all__ = ["number_players", "player_lines"]

_KEY: Final = ["tournament", "player"]


def number_players(archive: Archive) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Give every player his start number.

    Returns
    -------
    tuple
        The results with ``number`` and ``other`` (the opponent's, null for none), and the
        players with ``number``; players of whom nothing is known but that somebody met them
        have no record, and no row here.
    """
    results, players = archive.results, archive.players
    if "game" in results.columns:
        several = results.filter(pl.col("game") > 1)
        refuse(several, "game", "a file has one game for each player and round")
    keys = players.select(_KEY)
    if players.schema["player"].is_integer():
        odd = keys.filter(~pl.col("player").is_between(1, 9999))
        refuse(odd, "player", "a start number has four columns; number the players from 1")
        numbers = keys.with_columns(number=pl.col("player").cast(pl.Int64))
    else:
        given = pl.col("player").str.contains(r"^[1-9][0-9]{0,3}$").all().over("tournament")
        place = pl.col("player").rank("ordinal").over("tournament").cast(pl.Int64)
        numbers = keys.with_columns(given=given).with_columns(
            number=pl.when("given")
            .then(pl.col("player").cast(pl.Int64, strict=False))
            .otherwise(place)
        )
        new = numbers.filter(~pl.col("given"))["tournament"].unique(maintain_order=True)
        if len(new):
            warnings.warn(
                f"player keys are no start numbers, and replaced by some, in {len(new)} "
                f"tournaments, the first: {new[0]}",
                stacklevel=4,
            )
        refuse(
            numbers.filter(pl.col("number") > 9999), "player", "more than 9999 players in a file"
        )
        players = players.with_columns(
            name=pl.when(numbers["given"]).then("name").otherwise(pl.coalesce("name", "player"))
        )
        numbers = numbers.drop("given")
    results = results.join(numbers, on=_KEY, how="left", maintain_order="left").join(
        numbers.rename({"player": "opponent", "number": "other"}),
        on=["tournament", "opponent"],
        how="left",
        maintain_order="left",
    )
    met = results.select("tournament", player="opponent").unique()
    stranger = pl.all_horizontal(pl.exclude("tournament", "player").is_null())
    strangers = (
        archive.players.filter(stranger)
        .join(results, on=_KEY, how="anti")
        .join(met, on=_KEY, how="semi")
    )
    players = players.with_columns(numbers["number"])
    return results, players.join(strangers, on=_KEY, how="anti", maintain_order="left")


def player_lines(results: pl.DataFrame, players: pl.DataFrame) -> pl.DataFrame:
    """Lay out the players' records.

    Parameters
    ----------
    results, players
        From `number_players`.

    Returns
    -------
    DataFrame
        ``tournament``, ``line``: sorted by tournament and start number.
    """
    _refuse_players(players)
    birth = pl.col("birth").str.replace_all("-", "/")
    birth = pl.when(birth.str.len_chars() == 7).then(birth + "/00").otherwise(birth)
    identity = pl.col("id").fill_null("")
    # Numbers longer than their eleven columns run over both blanks beside them.
    identity = pl.when(identity.str.len_chars() < 13).then(identity + " ").otherwise(identity)

    def number(name: str) -> pl.Expr:
        return pl.col(name).cast(pl.String).fill_null("").str.pad_start(4)

    fixed = pl.concat_str(
        pl.lit("001 "), number("number"), pl.lit(" "),
        pl.col("sex").fill_null(" "), pl.col("title").fill_null("").str.pad_start(3), pl.lit(" "),
        pl.col("name").fill_null("").str.pad_end(33), pl.lit(" "), number("rating"), pl.lit(" "),
        pl.col("federation").fill_null("").str.pad_end(3), identity.str.pad_start(13),
        birth.fill_null("").str.pad_end(10),
        pl.col("points").cast(pl.String).fill_null("").str.pad_start(5), pl.lit(" "),
        number("rank"),
    )  # fmt: skip
    blocks = (
        _blocks(results, players)
        .group_by("tournament", "number", maintain_order=True)
        .agg(pl.col("block").str.join(""))
    )
    return (
        players.with_columns(fixed=fixed)
        .join(blocks, on=["tournament", "number"], how="left")
        .sort("tournament", "number")
        .select(
            "tournament",
            line=pl.concat_str("fixed", pl.col("block").fill_null("")).str.strip_chars_end(" "),
        )
    )


def _blocks(results: pl.DataFrame, players: pl.DataFrame) -> pl.DataFrame:
    """Return ``tournament``, ``number``, ``block``: every round of every player, in order."""
    bye = pl.col("result").is_in(BYES)
    played = pl.col("result").is_in(OVER_THE_BOARD)
    for wrong, field, reason in (
        (bye & pl.col("opponent").is_not_null(), "opponent", "a bye has no opponent"),
        (bye & pl.col("color").is_not_null(), "color", "a bye has no colour"),
        (played & pl.col("opponent").is_null(), "result", "a game has an opponent"),
        (pl.col("opponent") == pl.col("player"), "opponent", "nobody meets himself"),
        (pl.col("round") > MOST_ROUNDS, "result", f"more than {MOST_ROUNDS} rounds"),
    ):
        refuse(results.filter(wrong), field, reason)
    result = pl.col("result").cast(pl.String).replace({"*": "?"})
    written = results.select(
        "tournament",
        "number",
        "round",
        paired=pl.col("other").is_not_null() | pl.col("result").is_in(["U", "+"]),
        block=pl.concat_str(
            pl.lit("  "),
            pl.col("other").cast(pl.String).str.pad_start(4).fill_null("0000"),
            pl.lit(" "),
            pl.col("color").fill_null("-"),
            pl.lit(" "),
            result,
        ),
    )
    rounds = (
        written.group_by("tournament")
        .agg(last=pl.col("round").max(), paired=pl.col("round").filter("paired").max())
        .with_columns(pl.col("paired").fill_null(pl.col("last")))
    )
    if written.height == (
        players.join(rounds, on="tournament").select(pl.col("last").sum()).item() or 0
    ):
        return written
    # Rounds without a row: absent among the paired rounds, open behind them.
    every = (
        players.select("tournament", "number")
        .join(rounds, on="tournament")
        .with_columns(round=pl.int_ranges(1, pl.col("last") + 1))
        .explode("round", empty_as_null=False)
        .with_columns(pl.col("round").cast(pl.Int32))
    )
    absent = pl.when(pl.col("round") <= pl.col("paired")).then(pl.lit("  0000 - Z"))
    return (
        every.join(written.drop("paired"), on=["tournament", "number", "round"], how="left")
        .sort("tournament", "number", "round")
        .with_columns(pl.coalesce("block", absent, pl.lit(" " * 10)).alias("block"))
    )


def _refuse_players(players: pl.DataFrame) -> None:
    """Refuse what does not fit the fixed columns of a player."""
    for field, width in (("title", 3), ("name", 33), ("federation", 3), ("id", 13)):
        wide = pl.col(field).str.len_chars() > width
        refuse(players.filter(wide), field, f"longer than its {width} columns")
        broken = pl.col(field).str.contains(r"[\r\n\t]")
        refuse(players.filter(broken), field, "a line break or tab in it")
    for field in ("rating", "rank"):
        wide = ~pl.col(field).is_between(0, 9999)
        refuse(players.filter(wide), field, "does not fit its 4 columns")
    points = pl.col("points")
    wide = (points.cast(pl.String).str.len_chars() > 5) | (points < 0) | ~points.is_finite()
    refuse(players.filter(wide), "points", "does not fit its 4 columns, such as 10.5")
    refuse(players.filter(~pl.col("sex").is_in(["m", "w"])), "sex", "is m or w")
    dated = pl.col("birth").str.contains(r"^[0-9]{4}(-[0-9][0-9](-[0-9][0-9])?)?$")
    refuse(players.filter(~dated), "birth", "is a date as 1990-01-31, 1990-01 or 1990")
