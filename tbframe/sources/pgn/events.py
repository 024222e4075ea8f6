"""Which games are of one tournament: by Event, Site, Section and EventDate, or the dates played.

Games are of one tournament if the tags Event, Site, Section and EventDate are the same, blanks
aside. A Site that is an address in the web names a game or a page, and does not count. Where
there is no EventDate, the dates tell apart what has the same name every year: behind more than
`gap` days without a game another tournament begins. Games whose date is not known in full join
the only tournament of their year; without a year, the only one of the name. Nothing is joined by
likeness: names that differ in letters, site or EventDate only are reported.
"""

from __future__ import annotations

from typing import Final

import polars as pl

from tbframe.findings import concat_findings, findings_from
from tbframe.sources.pgn.likeness import fold

__all__ = ["clean", "first_day", "name_tournaments", "parts_of", "whole_date", "words_of"]

#: Days without a game within which nobody would look for another tournament of the name.
_SOON: Final = 14
#: Letters of the words of two tournaments that are so alike that they belong to one part.
_BEGINNING: Final = 6
_NAMES: Final = ["Event", "Site", "Section", "EventDate"]


def clean(tag: str) -> pl.Expr:
    """Read a tag without blanks around and double ones within; null where it says nothing."""
    plain = pl.col(tag).str.replace_all(r"\s+", " ").str.strip_chars()
    return pl.when(~plain.str.contains(r"^[?\-. ]*$")).then(plain).alias(tag)


def _site() -> pl.Expr:
    site = clean("Site")
    return pl.when(~site.str.contains(r"(?i)^https?://|^www\.")).then(site)


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


def words_of() -> pl.Expr:
    """Give the words that the key of a game's tournament begins with, from tags as they are."""
    names = clean("Event"), clean("Section"), _site()
    return pl.concat_str(*names, separator=", ", ignore_nulls=True)


def parts_of(games: pl.DataFrame, parts: int) -> pl.DataFrame:
    """Give each game the number of the part of so many that it belongs to.

    Keys of tournaments that begin alike are in one part, so that keys of two parts are never the
    same, and names that are reported as alike are mostly together.

    Returns
    -------
    DataFrame
        ``words``, as of `words_of`, and ``part``, from 0, for each game.
    """
    words = games.select(words=words_of())
    letters = fold(pl.col("words")).str.replace_all(r"[^\p{L}]", "").str.slice(0, _BEGINNING)
    letters = letters.replace("", "unnamed"[:_BEGINNING])
    part = (letters.hash() % parts).cast(pl.UInt32)
    return words.join(
        words.unique().with_columns(part=part), on="words", how="left", maintain_order="left"
    )


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
    rows = games.select(
        "Event", "Section", "EventDate", Site=_site(),
        day=whole_date("Date"), year=pl.col("Date").str.extract(r"^(\d{4})").cast(pl.Int32),
    ).with_row_index("row")  # fmt: skip
    groups = rows.select(_NAMES).unique(maintain_order=True).with_row_index("group")
    rows = rows.join(groups, on=_NAMES, how="left", nulls_equal=True, maintain_order="left")
    rows = _parts(rows, gap)
    first = rows.group_by("group", "part").agg(
        pl.col("day").min(), pl.col("year").min(), last=pl.col("day").max()
    )
    named = groups.join(first, on="group").with_columns(
        when=pl.coalesce(
            pl.col("EventDate").str.extract(r"^(\d{4})"), pl.col("year").cast(pl.String)
        )
    )
    words = pl.concat_str("Event", "Section", "Site", "when", separator=", ", ignore_nulls=True)
    named = named.with_columns(
        key=pl.when(words == "").then(pl.lit("unnamed")).otherwise(words)
    ).sort("key", "EventDate", "day", "group", "part")
    named = named.with_columns(tournament=pl.Series(_unique(named["key"].to_list())))
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
    games = games.with_columns(keys["tournament"])
    return games, concat_findings(_undated(games), told, unnamed, _alike(named))


def _unique(keys: list[str]) -> list[str]:
    """Put a number behind a key that an earlier one has."""
    taken = set(keys)
    count: dict[str, int] = {}
    unique = []
    for key in keys:
        number = count[key] = count.get(key, 0) + 1
        name = key
        while number > 1 and (name := f"{key}-{number}") in taken:
            number += 1
        count[key] = number
        taken.add(name)
        unique.append(name)
    return unique


def _undated(games: pl.DataFrame) -> pl.DataFrame:
    """Report dates that there are not."""
    partly = r"^\d{4}(?:\.(?:\d\d|\?\?)(?:\.\?\?)?)?$"
    wrong = pl.col("day").is_null() & ~pl.col("Date").str.contains(partly)
    return findings_from(
        games.filter(wrong & ~pl.col("Date").str.contains("?", literal=True)).with_columns(
            shown=pl.col("Date").str.slice(0, 40)
        ),
        code="date-unreadable",
        severity="warning",
        message=pl.format("{} is no date: not known", "shown"),
    )


def _alike(named: pl.DataFrame) -> pl.DataFrame:
    """Report names of tournaments that may be of one: all but the site alike, at one time."""
    same = fold(pl.concat_str("Event", "Section", separator=",", ignore_nulls=True))
    rows = named.with_columns(same=same).filter(pl.col("same") != "")
    rows = rows.sort("same", "day", "tournament", nulls_last=True)
    before = pl.col("last").cum_max().shift().over("same")
    # Where a date is not known, time cannot tell them apart; dates of events do, where both are.
    soon = ((pl.col("day") - before).dt.total_days() <= _SOON).fill_null(value=True)
    dates = pl.col("EventDate") == pl.col("EventDate").shift().over("same")
    other = pl.col("tournament").shift().over("same")
    return findings_from(
        rows.with_columns(other=other)
        .filter(soon & dates.fill_null(value=True), pl.col("other").is_not_null())
        .sort("tournament"),
        code="tournaments-alike",
        severity="warning",
        message=pl.format("may be {}: taken as another tournament", "other"),
    )


def _parts(rows: pl.DataFrame, gap: int) -> pl.DataFrame:
    """Cut games of one name where nobody played for long: ``part``, a number within the group."""
    dated = rows.filter(pl.col("day").is_not_null()).sort("group", "day")
    before = pl.col("day").shift().over("group")
    loose = pl.col("EventDate").is_null()
    later = (loose & ((pl.col("day") - before).dt.total_days() > gap)).fill_null(value=False)
    dated = dated.with_columns(part=later.cast(pl.Int32).cum_sum().over("group"))
    rest = rows.filter(pl.col("day").is_null())
    years = pl.col("year").drop_nulls()
    lone = pl.when(pl.col("m").is_null() & (years.n_unique().over("group") == 1))
    year = pl.coalesce("year", lone.then(years.first().over("group"))).fill_null(0)
    own = pl.when(loose).then(-1 - year).otherwise(0)
    of_years = dated.group_by("group", pl.col("day").dt.year().alias("year")).agg(
        pl.col("part").n_unique().alias("n"), pl.col("part").first().alias("of_year")
    )
    all_parts = dated.group_by("group").agg(
        pl.col("part").n_unique().alias("m"), pl.col("part").first().alias("only")
    )
    rest = rest.join(of_years, on=["group", "year"], how="left").join(
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
