from datetime import date

import polars as pl
import pytest

from tbframe.sources.trf.dates import read_dates, read_round_dates


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("2026/03/01", date(2026, 3, 1)),
        ("2026-03-01", date(2026, 3, 1)),
        ("2026.3.1", date(2026, 3, 1)),
        ("20260301", date(2026, 3, 1)),
        ("2026-03-01T10:00:00Z", date(2026, 3, 1)),
        ("24/09/2010", date(2010, 9, 24)),
        ("25.02.2011", date(2011, 2, 25)),
        ("28. 07. 2005", date(2005, 7, 28)),
        ("Mar 3, 2026", date(2026, 3, 3)),
        ("March 3 2026", date(2026, 3, 3)),
        ("3 March 2026", date(2026, 3, 3)),
        ("3rd Mar. 2026", date(2026, 3, 3)),
    ],
)
def test_forms_that_say_one_thing(said: str, expected: date) -> None:
    assert read_dates(pl.Series([said])).row(0)[:2] == (expected, None)


@pytest.mark.parametrize(
    ("said", "expected", "assumed"),
    [
        ("02/10/2010", date(2010, 10, 2), "day/month/year"),
        ("07/25/2021", date(2021, 7, 25), "month/day/year"),
        ("10.09.13", date(2010, 9, 13), "year/month/day"),
        ("25.02.98", date(1998, 2, 25), "day/month/year"),
    ],
)
def test_ambiguous_forms_say_how_they_are_read(said: str, expected: date, assumed: str) -> None:
    assert read_dates(pl.Series([said])).row(0)[:2] == (expected, assumed)


@pytest.mark.parametrize("said", ["", "soon", "2026/02/30", "0000/00/00", "31/31/2020", "5/2020"])
def test_no_dates(said: str) -> None:
    assert read_dates(pl.Series([said]))["date"].to_list() == [None]


def dates(*said: str | None, start: date | None = None) -> tuple[object, ...]:
    frame = pl.DataFrame(
        {
            "file": [0] * len(said),
            "round": range(len(said)),
            "said": said,
            "start": [start] * len(said),
        },
        schema_overrides={"start": pl.Date, "said": pl.String},
    )
    return read_round_dates(frame).row(0)


def test_round_dates_are_year_month_day() -> None:
    assert dates("11/07/02", "11/07/03") == (0, "2011-07-02 2011-07-03", None, 0)
    assert dates("2011/07/02", "2011/07/03") == (0, "2011-07-02 2011-07-03", None, 0)


def test_round_dates_of_a_file_have_one_order() -> None:
    # 25 is no month, so the 5th of the second date is a day as well.
    expected = (0, "2011-02-25 2011-02-05", "year/day/month", 0)
    assert dates("11.25.02", "11.05.02") == expected


def test_the_start_date_tells_the_order() -> None:
    said = ("25.02.11", "26.02.11")
    assert dates(*said, start=date(2025, 2, 11))[1] == "2025-02-11 2026-02-11"
    assert dates(*said, start=date(2011, 2, 25))[1:3] == (
        "2011-02-25 2011-02-26",
        "day/month/year",
    )


def test_the_start_date_tells_the_century() -> None:
    assert dates("25/11/10", "25/12/08", start=date(1925, 11, 10))[1] == "1925-11-10 1925-12-08"
    assert dates("99/12/31", "00/01/01", start=date(1999, 12, 31))[1] == "1999-12-31 2000-01-01"
    assert dates("70/01/01", "69/01/01")[1] == "1970-01-01 2069-01-01"


def test_rounds_without_a_date() -> None:
    assert dates("11/07/02", None, "11/07/03") == (0, "2011-07-02 - 2011-07-03", None, 0)
    assert dates("11/07/02", "?") == (0, "2011-07-02 -", None, 1)
    assert dates(None, None) == (0, None, None, 0)
