"""The records about a tournament as a whole, to write."""

from __future__ import annotations

from enum import Enum
from typing import Final

import polars as pl

from tbframe.schema import ResultCode
from tbframe.scoring import STANDARD, parse_scoring, scoring_table
from tbframe.sources.trf.header import COMMENTS, pairing_of, says_team
from tbframe.sources.trf.refusing import refuse

__all__ = ["Version", "tournament_lines"]


class Version(Enum):
    """The versions that can be written."""

    TRF16 = "16"
    TRF26 = "26"


_TEXTS: Final = {
    "012": "name", "022": "city", "032": "federation", "042": "start", "052": "end",
    "062": "players", "072": "rated", "092": "type", "102": "arbiter", "112": "deputies",
    "122": "time_control",
}  # fmt: skip
#: The symbol of a record 299 for each code, and what a record 162 or XXS sets besides.
_SYMBOLS: Final = {
    **dict.fromkeys("1W", "W"), **dict.fromkeys("=D", "D"), **dict.fromkeys("0L", "L"),
    "U": "P", **{code: code for code in "+-FHZ"},
}  # fmt: skip
_FOLLOWS: Final = {"+": "W", "F": "W", "H": "D", "-": "Z"}
_EXTENSION: Final = (
    ("W", "1"), ("D", "="), ("L", "0"), ("FW", "+"), ("FL", "-"), ("FPB", "F"), ("HPB", "H"),
    ("ZPB", "Z"), ("PAB", "U"),
)  # fmt: skip
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
        code=pl.col("records").str.extract(r"(?m)^192 +(\S+)").str.to_uppercase(),
    )
    rounds = "142" if version is Version.TRF26 else "XXR"
    order = pl.col("criteria").str.replace_all(r"\s+", ",")
    parts = [
        *(_records(about, id_, pl.col(column).str.split("; ")) for id_, column in _TEXTS.items()),
        _round_dates(about),
        _records(about, rounds, pl.col("rounds").cast(pl.String)),
        _scoring(about, results, players, version),
        _records(about, "192", _bare_code(about)),
        _records(about, "212", order),
        _abnormal_points(about, results),
        *(
            _records(about, "###", pl.lit(f"{name} ") + pl.col(name).cast(pl.String))
            for name in COMMENTS
        ),
        *(
            _records(
                about, "###", pl.lit(f"{name} ") + pl.col(name.replace("-", "_")).cast(pl.String)
            )
            for name in ("unrated", "game-scoring", "boards", "primary")
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
        .select("tournament", "round_dates", date=pl.col("round_dates").str.split(" "))
        .explode("date", empty_as_null=False)
    )
    # Checks that every date is one.
    read = pl.col("date").str.to_date("%Y-%m-%d", strict=False)
    refuse(
        dates.filter(read.is_null() & (pl.col("date") != "-")),
        "round_dates",
        "are dates such as 2026-03-01 with blanks between, or - for a round without one",
    )
    short = read.dt.year().is_between(1970, 2069).fill_null(value=True).all().over("tournament")
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


def _scoring(
    about: pl.DataFrame, results: pl.DataFrame, players: pl.DataFrame, version: Version
) -> pl.DataFrame:
    """Return the scoring, unless it is the usual one and the declared points bear it out."""
    total = results.group_by("tournament", "number").agg(pl.col("points").sum().alias("sum"))
    gap = pl.col("points") - pl.col("sum").fill_null(0)
    doubted = (
        players.join(total, on=["tournament", "number"], how="left")
        .filter(gap.abs() > 0.01)
        .select("tournament")
        .unique()
    )
    # A reader that doubts the points might take another scoring for the real one.
    needed = about.filter(pl.col("scoring").is_not_null()).select("tournament")
    needed = pl.concat([needed, doubted]).unique()
    written = about.join(needed, on="tournament", how="semi", maintain_order="left")
    lines = [
        (system, line)
        for system in written["scoring"].unique(maintain_order=True)
        for line in _system_lines(system, version, written)
    ]
    systems = pl.DataFrame(lines, schema={"scoring": pl.String, "line": pl.String}, orient="row")
    return written.join(systems, on="scoring", nulls_equal=True, maintain_order="left_right")


def _system_lines(system: str | None, version: Version, about: pl.DataFrame) -> list[str]:
    points = parse_scoring(system)
    if version is Version.TRF16:
        return ["XXS " + " ".join(f"{name}={points[code]}" for name, code in _EXTENSION)]
    rest = [c for c, follows in _FOLLOWS.items() if points[c] != points[follows]]
    for value in points.values():
        if len(str(value)) > 4:
            rows = about.filter(pl.col("scoring") == system)
            refuse(rows, "scoring", f"the points {value} do not fit their 4 columns")
    groups = (("W", "1"), ("D", "="), ("L", "0"), ("A", "Z"), ("P", "U"))
    return [
        "162 " + "   ".join(f" {symbol}{points[code]!s:>4}" for symbol, code in groups),
        *(f"299 {code}{points[code]!s:>12}" for code in rest),
    ]


def _abnormal_points(about: pl.DataFrame, results: pl.DataFrame) -> pl.DataFrame:
    """Return records 299: points that are not what the scoring gives for the result."""
    if about["scoring"].null_count() == about.height:
        codes = pl.Series(list(STANDARD), dtype=ResultCode)
        value = pl.col("result").replace_strict(
            codes, list(STANDARD.values()), default=None, return_dtype=pl.Float64
        )
        rows = results.with_columns(value=value)
    else:
        rows = results.join(about.select("tournament", "scoring"), on="tournament").join(
            scoring_table(about["scoring"]),
            on=["scoring", "result"],
            how="left",
            nulls_equal=True,
        )
    unknown = rows.filter(pl.col("value").is_null(), pl.col("points").is_not_null())
    refuse(unknown, "points", "a result that is not known has no points")
    rows = rows.filter(pl.col("points") != pl.col("value"))
    said = pl.col("points").cast(pl.String)
    refuse(
        rows.filter(said.str.len_chars() > 4), "points", "do not fit the 4 columns of record 299"
    )
    team = about.filter(pl.col("kind") == "team")
    refuse(
        rows.join(team, on="tournament", how="semi"),
        "points",
        "points of players that differ from the scoring cannot be written for a team event",
    )
    symbol = pl.col("result").cast(pl.String).replace_strict(_SYMBOLS, return_dtype=pl.String)
    return (
        rows.group_by("tournament", "round", symbol=symbol, said=said)
        .agg(numbers=pl.col("number").sort().cast(pl.String).str.pad_start(4).str.join(" "))
        .sort("tournament", "round", "symbol", "said")
        .select(
            "tournament",
            line=pl.concat_str(
                pl.lit("299 "),
                "symbol",
                pl.col("said").str.pad_start(12),
                pl.lit("  "),
                pl.col("round").cast(pl.String).str.pad_start(3),
                pl.lit(" "),
                "numbers",
            ),
        )
    )


def _refuse_texts(tournaments: pl.DataFrame) -> None:
    for column, dtype in tournaments.schema.items():
        if dtype == pl.String and column not in ("tournament", "records"):
            broken = pl.col(column).str.contains(r"[\r\n\t]")
            refuse(tournaments.filter(broken), column, "a line break or tab in it")
