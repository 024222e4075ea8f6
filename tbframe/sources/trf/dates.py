"""Dates in the forms that real files have."""

from __future__ import annotations

import polars as pl

__all__ = ["FIRST_ROUND", "read_dates", "read_round_dates"]

#: Days from the start of a tournament within which its first round is expected.
FIRST_ROUND = (-31, 366)

_MONTHS = {
    name: f"{number:02}"
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1
    )
}


def read_dates(said: pl.Series) -> pl.DataFrame:
    """Read dates such as ``2026/03/01``, ``01.03.2026``, ``28. 07. 2005`` or ``Mar 3, 2026``.

    The year stands first if it has four digits there. Otherwise the day stands first,
    or the month where the day cannot. Of three two-digit numbers the first is the year, as
    in the round dates, unless the numbers cannot be read so.

    Parameters
    ----------
    said
        The text; null where there is none.

    Returns
    -------
    DataFrame
        ``date``; ``assumed``: how an ambiguous form was read, or null; ``day_first``: true
        where only the day can stand in front. The row order is that of `said`.

    Examples
    --------
    >>> import polars as pl
    >>> read_dates(pl.Series(["2026-03-01", "24/09/2010", "03/04/2010", "Mar 3, 2026", "soon"]))
    shape: (5, 3)
    ┌────────────┬────────────────┬───────────┐
    │ date       ┆ assumed        ┆ day_first │
    │ ---        ┆ ---            ┆ ---       │
    │ date       ┆ str            ┆ bool      │
    ╞════════════╪════════════════╪═══════════╡
    │ 2026-03-01 ┆ null           ┆ false     │
    │ 2010-09-24 ┆ null           ┆ true      │
    │ 2010-04-03 ┆ day/month/year ┆ false     │
    │ 2026-03-03 ┆ null           ┆ false     │
    │ null       ┆ null           ┆ false     │
    └────────────┴────────────────┴───────────┘
    """
    text = (
        pl.col("said")
        .str.to_lowercase()
        .str.replace(r"([0-9])(t|\s+)[0-9]{1,2}:[0-9]{2}.*$", "$1")
        .str.replace_all(r"\s*([./-])\s*", "$1")
        .str.strip_chars(" .")
    )
    numbers = r"^([0-9]{1,2})[./-]([0-9]{1,2})[./-]"
    parts = pl.DataFrame({"said": said.cast(pl.String)}).select(
        year_first=text.str.extract_groups(r"^([0-9]{4})[./-]?([0-9]{1,2})[./-]?([0-9]{1,2})$"),
        year_last=text.str.extract_groups(numbers + r"([0-9]{4})$"),
        slashed=text.str.contains(r"/|-"),
        short=text.str.extract_groups(numbers + r"([0-9]{2})$"),
        month_day=text.str.extract_groups(
            r"^([a-z]{3})[a-z]*[. ]+([0-9]{1,2})(?:st|nd|rd|th)?[, ]+([0-9]{4})$"
        ),
        day_month=text.str.extract_groups(
            r"^([0-9]{1,2})(?:st|nd|rd|th)?[. -]+([a-z]{3})[a-z]*[., -]+([0-9]{4})$"
        ),
    )

    def part(form: str, group: int) -> pl.Expr:
        return pl.col(form).struct[f"{group}"]

    def date(year: pl.Expr, month: pl.Expr, day: pl.Expr) -> pl.Expr:
        parts = (year, month.str.zfill(2), day.str.zfill(2))
        return pl.concat_str(*parts, separator="-").str.to_date("%Y-%m-%d", strict=False)

    def month(form: str, group: int) -> pl.Expr:
        return part(form, group).replace_strict(_MONTHS, default=None, return_dtype=pl.String)

    year = part("short", 1)
    short_year = pl.when(year >= "70").then("19" + year).otherwise("20" + year)
    last = part("short", 3)
    last_year = pl.when(last >= "70").then("19" + last).otherwise("20" + last)
    read = parts.select(
        plain=pl.coalesce(
            date(part("year_first", 1), part("year_first", 2), part("year_first", 3)),
            date(part("month_day", 3), month("month_day", 1), part("month_day", 2)),
            date(part("day_month", 3), month("day_month", 2), part("day_month", 1)),
        ),
        day_first=date(part("year_last", 3), part("year_last", 2), part("year_last", 1)),
        month_first=date(part("year_last", 3), part("year_last", 1), part("year_last", 2)),
        slashed="slashed",
        short_year_first=date(short_year, part("short", 2), part("short", 3)),
        short_year_last=date(last_year, part("short", 2), part("short", 1)),
    )
    either = (pl.col("day_first") != pl.col("month_first")) & pl.col("slashed")
    forms = ("plain", "day_first", "month_first", "short_year_first", "short_year_last")
    assumed = (
        pl.when(pl.col("plain").is_not_null()).then(None)
        .when(pl.col("day_first").is_not_null())
        .then(pl.when(either).then(pl.lit("day/month/year")))
        .when(pl.col("month_first").is_not_null()).then(pl.lit("month/day/year"))
        .when(pl.col("short_year_first").is_not_null()).then(pl.lit("year/month/day"))
        .when(pl.col("short_year_last").is_not_null()).then(pl.lit("day/month/year"))
    )  # fmt: skip
    return read.select(
        date=pl.coalesce(*forms),
        assumed=assumed.cast(pl.String),
        day_first=pl.col("day_first").is_not_null() & pl.col("month_first").is_null(),
    )


def read_round_dates(dates: pl.DataFrame) -> pl.DataFrame:
    """Read the round dates of many files; those of one file are all read in the same order.

    Parameters
    ----------
    dates
        ``file``, ``round``, ``said`` (null where a round has no date) and ``start``, the
        start date of the tournament or null.

    Returns
    -------
    DataFrame
        ``file``, ``text`` (ISO dates separated by blanks, ``-`` for a round without one),
        ``assumed`` (another order than year/month/day, or null) and ``unreadable`` (how many),
        one row a file, sorted.
    """
    two = pl.col("said").str.extract_groups(r"^([0-9]{2})[./-]([0-9]{2})[./-]([0-9]{2})$")
    first, second, third = (two.struct[f"{group}"] for group in (1, 2, 3))

    def date(year: pl.Expr, month: pl.Expr, day: pl.Expr) -> pl.Expr:
        # Of the years that end so, the one next to the start, or else of 1970 to 2069.
        about = pl.col("start").dt.year().cast(pl.Int32).fill_null(2019)
        number = year.cast(pl.Int32)
        near = number + (about + 50 - number) // 100 * 100
        text = pl.concat_str(near.cast(pl.String), month, day, separator="-")
        return text.str.to_date("%Y-%m-%d", strict=False)

    orders = {
        "year/month/day": date(first, second, third),
        "day/month/year": date(third, second, first),
        "year/day/month": date(first, third, second),
    }
    read = dates.sort("file", "round").with_columns(
        pl.when(first.is_not_null()).then(value).alias(order) for order, value in orders.items()
    )
    long = read["said"].set(read.select(first.is_not_null()).to_series(), None)
    full = read_dates(long)["date"] if long.null_count() < len(long) else None
    read = read.with_columns(full=pl.lit(None, pl.Date) if full is None else full)

    def fits(order: str) -> pl.Expr:
        complete = (pl.col(order).is_not_null() | first.is_null()).all().over("file")
        # The first round is played about when the tournament starts.
        distance = (pl.col(order).min().over("file") - pl.col("start")).dt.total_days()
        return complete & distance.is_between(*FIRST_ROUND).fill_null(value=True)

    chosen = pl.coalesce(
        *(pl.when(fits(order)).then(pl.lit(order)) for order in orders),
        pl.lit("year/month/day"),
    )
    read = read.with_columns(order=chosen)
    value = pl.coalesce(
        *(pl.when(pl.col("order") == order).then(pl.col(order)) for order in orders),
        pl.when(first.is_null()).then("full"),
    )
    return (
        read.with_columns(value=value)
        .group_by("file", maintain_order=True)
        .agg(
            text=pl.col("value").cast(pl.String).fill_null("-").str.join(" "),
            assumed=pl.col("order").first(),
            unreadable=((pl.col("said") != "-") & pl.col("value").is_null()).sum(),
            dated=pl.col("value").is_not_null().any(),
        )
        .select(
            "file",
            text=pl.when("dated").then("text"),
            assumed=pl.when(pl.col("assumed") != "year/month/day").then("assumed"),
            unreadable="unreadable",
        )
    )
