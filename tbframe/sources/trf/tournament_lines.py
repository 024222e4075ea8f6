"""The records about a tournament as a whole, to write."""

from __future__ import annotations

from typing import Final

import polars as pl

from tbframe.sources.trf.dates import FIRST_ROUND
from tbframe.sources.trf.header import COMMENTS
from tbframe.sources.trf.refusing import refuse
from tbframe.sources.trf.scoring_lines import Version, abnormal_points, scoring
from tbframe.sources.trf.wording import pairing_of, says_team

__all__ = ["tournament_lines"]

_TEXTS: Final = {
    "012": "name", "022": "city", "032": "federation", "042": "start", "052": "end",
    "062": "players", "072": "rated", "092": "type", "102": "arbiter", "112": "deputies",
    "122": "time_control",
}  # fmt: skip
_BARE_CODE: Final = {"swiss": "CUSTOM_SWISS", "predetermined": "CUSTOM_ROUNDROBIN"}


def tournament_lines(
    tournaments: pl.DataFrame, results: pl.DataFrame, players: pl.DataFrame, version: Version
) -> pl.DataFrame:
    """Lay out the records of the tournaments.

    Parameters
    ----------
    tournaments
        The frame of the archive.
    results, players
        From `number_players`.
    version
        Which records to use.

    Returns
    -------
    DataFrame
        ``tournament``, ``line``: sorted by tournament, the records in their usual order.
    """
    if "records" not in tournaments.columns:
        tournaments = tournaments.with_columns(records=pl.lit(None, pl.String))
    _refuse_texts(tournaments)
    counts = players.group_by("tournament").agg(
        players=pl.len().cast(pl.String), rated=pl.col("rating").count().cast(pl.String)
    )
    about = tournaments.join(counts, on="tournament", how="left").with_columns(
        pl.col("start", "end").dt.to_string("%Y/%m/%d"),
        begin="start",
        code=pl.col("records").str.extract(r"(?m)^192 +(\S+)").str.to_uppercase(),
    )
    rounds = "142" if version is Version.TRF26 else "XXR"
    order = pl.col("criteria").str.replace_all(r"\s+", ",")
    parts = [
        *(_records(about, id_, pl.col(column).str.split("; ")) for id_, column in _TEXTS.items()),
        _round_dates(about),
        _records(about, rounds, pl.col("rounds").cast(pl.String)),
        scoring(about, results, players, version),
        _records(about, "192", _bare_code(about)),
        _records(about, "212", order),
        abnormal_points(about, results),
        *(
            _records(about, "###", pl.lit(f"tbframe {name} ") + pl.col(name).cast(pl.String))
            for name in COMMENTS
        ),
        about.filter(pl.col("records").is_not_null())
        .select("tournament", line=pl.col("records").str.split("\n"))
        .explode("line", empty_as_null=False),
    ]
    return (
        pl.concat(
            part.select("tournament", "line").with_columns(order=pl.lit(index))
            for index, part in enumerate(parts)
        )
        .sort("tournament", "order", maintain_order=True)
        .drop("order")
    )


def _records(about: pl.DataFrame, id_: str, value: pl.Expr) -> pl.DataFrame:
    """Return one record for each tournament with a value, or for each element of its value."""
    table = about.select("tournament", value=value).filter(pl.col("value").is_not_null())
    if table.schema["value"] == pl.List:
        table = table.explode("value", empty_as_null=False)
    return table.select("tournament", line=pl.lit(f"{id_} ") + pl.col("value"))


def _bare_code(about: pl.DataFrame) -> pl.Expr:
    """Return the code of record 192 where words and records do not say how pairings are made."""
    said = pl.coalesce(pairing_of(pl.col("code")), pairing_of(pl.col("type")))
    code = pl.col("pairing").replace_strict(_BARE_CODE, default=None, return_dtype=pl.String)
    wrong = about.filter(
        pl.col("kind")
        != pl.when(says_team(pl.col("type"), pl.col("code"), pl.col("records")))
        .then(pl.lit("team"))
        .otherwise(pl.lit("individual"))
    )
    refuse(wrong, "kind", "is not what its type and records say; teams cannot be written yet")
    return pl.when(said.ne_missing(pl.col("pairing"))).then(code)


def _round_dates(about: pl.DataFrame) -> pl.DataFrame:
    """Return record 132: aligned with the round blocks, or with full years one a round."""
    dates = (
        about.filter(pl.col("round_dates").is_not_null())
        .select("tournament", "round_dates", "begin", date=pl.col("round_dates").str.split(" "))
        .explode("date", empty_as_null=False)
    )
    # Checks that every date is one.
    read = pl.col("date").str.to_date("%Y-%m-%d", strict=False)
    refuse(
        dates.filter(read.is_null() & (pl.col("date") != "-")),
        "round_dates",
        "are dates such as 2026-03-01 with blanks between, or - for a round without one",
    )
    # Two digits of the year are enough where the reader will find the others.
    known = read.dt.year().is_between(1970, 2069).all() & pl.col("begin").is_null().all()
    distance = read.min() - pl.col("begin").first()
    length = read.max() - read.min()
    near = distance.dt.total_days().is_between(*FIRST_ROUND) & (length.dt.total_days() < 10_000)
    short = (known | near).fill_null(value=False).over("tournament")
    written = pl.col("date").str.replace_all("-", "/").replace({"/": "-"})
    dates = dates.with_columns(short=short, written=written)
    aligned = (
        dates.filter("short")
        .group_by("tournament", maintain_order=True)
        .agg(
            written=pl.when(pl.col("written") == "-")
            .then(pl.lit("-"))
            .otherwise(pl.col("written").str.slice(2))
            .str.pad_start(10)
            .str.join("")
        )
        .select("tournament", line=pl.lit("132".ljust(89)) + pl.col("written"))
    )
    free = dates.filter(~pl.col("short")).select(
        "tournament", line=pl.lit("132 ") + pl.col("written")
    )
    return pl.concat([aligned, free])


def _refuse_texts(tournaments: pl.DataFrame) -> None:
    for column, dtype in tournaments.schema.items():
        if dtype == pl.String and column not in ("tournament", "records"):
            broken = pl.col(column).str.contains(r"[\r\n\t]")
            refuse(tournaments.filter(broken), column, "a line break or tab in it")
