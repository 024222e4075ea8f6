"""Which games are of one tournament: by Event, Site, Section and EventDate, or the dates played.

Games are of one tournament if the tags Event, Site, Section and EventDate are the same, blanks
aside. A Site that is an address in the web names a game or a page, and does not count. Where
there is no EventDate, the dates tell apart what has the same name every year: behind more than
`gap` days without a game another tournament begins. Games whose date is not known in full join
the only tournament of their year; without a year, the only one of the name.
"""

from __future__ import annotations

import polars as pl

from tbframe.findings import concat_findings, findings_from

__all__ = ["clean", "first_day", "name_tournaments", "whole_date"]

_NAMES = ["Event", "Site", "Section", "EventDate"]


def clean(tag: str) -> pl.Expr:
    """Read a tag without blanks around and double ones within; null where it says nothing."""
    plain = pl.col(tag).str.replace_all(r"\s+", " ").str.strip_chars()
    return pl.when(~plain.str.contains(r"^[?\-. ]*$")).then(plain).alias(tag)


def whole_date(tag: str) -> pl.Expr:
    """Read a date that is known to the day."""
    return pl.col(tag).str.replace_all(r"[-/]", ".").str.to_date("%Y.%m.%d", strict=False)


def first_day(tag: str) -> pl.Expr:
    """Read a date, and the first day of what is known of one that is not known to the day."""
    parts = pl.col(tag).str.extract_groups(r"^\s*(\d{4})(?:\D+(\d\d?))?(?:\D+(\d\d?))?")
    year, month, day = (parts.struct.field(str(number)) for number in (1, 2, 3))
    text = pl.format(
        "{}-{}-{}", year, month.fill_null("1").str.zfill(2), day.fill_null("1").str.zfill(2)
    )
    return text.str.to_date("%Y-%m-%d", strict=False)


def name_tournaments(games: pl.DataFrame, gap: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Give each game the key of its tournament.

    Parameters
    ----------
    games
        With the tags Event, Site, Section, EventDate and Date, cleaned, and ``file``.
    gap
        Days without a game behind which another tournament of the same name begins.

    Returns
    -------
    games, findings
        The frame with ``tournament``: the name, section, site and year, and a number behind them
        where that is not unique. A warning for each name that stands for several tournaments.
    """
    place = pl.when(~pl.col("Site").str.contains(r"(?i)^https?://|^www\.")).then("Site")
    rows = games.select(
        "Event", "Section", "EventDate", Site=place,
        day=whole_date("Date"), year=pl.col("Date").str.extract(r"^(\d{4})").cast(pl.Int32),
    ).with_row_index("row")  # fmt: skip
    groups = rows.select(_NAMES).unique(maintain_order=True).with_row_index("group")
    rows = rows.join(groups, on=_NAMES, how="left", nulls_equal=True, maintain_order="left")
    rows = _parts(rows, gap)
    first = rows.group_by("group", "part").agg(pl.col("day").min(), pl.col("year").min())
    named = groups.join(first, on="group").with_columns(
        when=pl.coalesce(
            pl.col("EventDate").str.extract(r"^(\d{4})"), pl.col("year").cast(pl.String)
        )
    )
    words = pl.concat_str("Event", "Section", "Site", "when", separator=", ", ignore_nulls=True)
    named = named.with_columns(
        key=pl.when(words == "").then(pl.lit("unnamed")).otherwise(words)
    ).sort("key", "EventDate", "day", "group", "part")
    again = pl.int_range(1, pl.len() + 1).over("key")
    named = named.with_columns(again=again).with_columns(
        tournament=pl.when(pl.col("again") > 1)
        .then(pl.format("{}-{}", "key", "again"))
        .otherwise("key")
    )
    several = named.filter(pl.col("EventDate").is_null(), pl.len().over("group") > 1)
    told = findings_from(
        several.filter(pl.int_range(pl.len()).over("group") > 0),
        code="tournament-by-dates",
        severity="warning",
        message=pl.format(
            "games of this name lie more than {} days apart, or their dates are not known: taken "
            "as several tournaments", pl.lit(gap),
        ),
    )  # fmt: skip
    unnamed = findings_from(
        named.filter(pl.col("Event").is_null()),
        code="event-missing",
        severity="warning",
        message="no tag Event: all such games of one site and time are taken as one tournament",
    )
    keys = rows.join(named, on=["group", "part"], how="left", maintain_order="left")
    return games.with_columns(keys["tournament"]), concat_findings(told, unnamed)


def _parts(rows: pl.DataFrame, gap: int) -> pl.DataFrame:
    """Cut games of one name where nobody played for long: ``part``, a number within the group."""
    dated = rows.filter(pl.col("day").is_not_null()).sort("group", "day")
    before = pl.col("day").shift().over("group")
    loose = pl.col("EventDate").is_null()
    later = (loose & ((pl.col("day") - before).dt.total_days() > gap)).fill_null(value=False)
    dated = dated.with_columns(part=later.cast(pl.Int32).cum_sum().over("group"))
    rest = rows.filter(pl.col("day").is_null())
    own = pl.when(loose).then(-1 - pl.col("year").fill_null(0)).otherwise(0)
    years = dated.group_by("group", pl.col("day").dt.year().alias("year")).agg(
        pl.col("part").n_unique().alias("n"), pl.col("part").first().alias("of_year")
    )
    all_parts = dated.group_by("group").agg(
        pl.col("part").n_unique().alias("m"), pl.col("part").first().alias("only")
    )
    rest = rest.join(years, on=["group", "year"], how="left").join(
        all_parts, on="group", how="left"
    )
    rest = rest.with_columns(
        part=pl.when(pl.col("n") == 1)
        .then("of_year")
        .when(pl.col("year").is_null() & (pl.col("m") == 1))
        .then("only")
        .otherwise(own)
        .cast(pl.Int32)
    )
    return pl.concat([dated, rest.select(dated.columns)]).sort("row")
