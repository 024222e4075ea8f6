"""The records of the scoring, and of points that depart from it, to write."""

from __future__ import annotations

from enum import Enum
from typing import Final

import polars as pl

from tbframe.schema import ResultCode
from tbframe.scoring import STANDARD, parse_scoring, scoring_table
from tbframe.sources.trf.refusing import refuse

__all__ = ["Version", "abnormal_points", "scoring"]


class Version(Enum):
    """The versions that can be written."""

    TRF16 = "16"
    TRF26 = "26"


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


def scoring(
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


def abnormal_points(about: pl.DataFrame, results: pl.DataFrame) -> pl.DataFrame:
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
