"""Rounds without an opponent, as users' tables write them."""

from __future__ import annotations

from typing import Final

import polars as pl

from tbframe.findings import concat_findings, findings_from, no_findings
from tbframe.schema import BYES, FORFEITS, ResultCode

__all__ = ["read_byes", "unname_nobody"]

#: The bye that a result against nobody stands for.
_BYE_OF: Final = {
    **dict.fromkeys(("1", "W", "+", "*"), "U"),
    **dict.fromkeys(("=", "D"), "H"),
    **dict.fromkeys(("0", "L", "-"), "Z"),
    **{code: code for code in BYES},
}


def unname_nobody(
    results: pl.DataFrame, players: pl.DataFrame
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Read an opponent ``"bye"``, and the opponent ``0`` of a bye or forfeit, as none.

    Parameters
    ----------
    results
        With keys, round, color and result.
    players
        With keys. Who is among them, or has results, is a player whatever he is called.

    Returns
    -------
    results, findings
        As from `read_byes`; an info for each opponent ``0``.
    """
    opponent, zero, bye = pl.col("opponent"), pl.col("opponent") == 0, pl.lit(value=False)
    if results.schema["opponent"] == pl.String():
        zero, bye = opponent.str.contains("^0+$"), opponent.str.to_lowercase() == "bye"
    zero &= pl.col("result").cast(pl.String).is_in([*BYES, *FORFEITS])
    suspects = results.filter(zero | bye).select("tournament", player="opponent").unique()
    if suspects.is_empty():
        return results, no_findings()
    key = ["tournament", "player"]
    known = pl.concat([players.select(key), results.select(key)])
    nobody = suspects.join(known, on=key, how="anti").with_columns(nobody=pl.lit(value=True))
    named = results.select("tournament", player="opponent").join(
        nobody, on=key, how="left", maintain_order="left"
    )["nobody"]
    named = named.fill_null(value=False)
    zeros, byes = (named & results.select(rows).to_series() for rows in (zero, bye))
    findings = findings_from(
        results.filter(zeros),
        code="opponent-zero",
        severity="info",
        message="opponent 0 is no player: read as no opponent",
    )
    results = results.with_columns(pl.when(~zeros.fill_null(value=False)).then(opponent))
    results, more = read_byes(results, byes.fill_null(value=False))
    return results, concat_findings(findings, more)


def read_byes(results: pl.DataFrame, where: pl.Series) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Read results against nobody as byes.

    A win is a pairing-allocated bye, as is no result at all; a draw is a half-point bye, a
    loss a zero-point bye.

    Parameters
    ----------
    results
        With keys, round, color and result.
    where
        Which rows to read so.

    Returns
    -------
    results, findings
        The frame, without opponent and color in these rows; an info for each pairing-allocated
        bye, a warning for each other bye.
    """
    codes = pl.Series(list(_BYE_OF), dtype=ResultCode)
    meant = (
        pl.col("result")
        .replace_strict(codes, list(_BYE_OF.values()), return_dtype=ResultCode)
        .fill_null(pl.lit("U", ResultCode))
    )
    place = [c for c in ("tournament", "round", "player", "result") if c in results.columns]
    rows = results.filter(where).sort(place).with_columns(bye=meant)
    allocated = pl.col("bye") == "U"
    findings = concat_findings(
        findings_from(
            rows.filter(allocated),
            code="bye-read",
            severity="info",
            message="no opponent: read as a pairing-allocated bye (U)",
        ),
        findings_from(
            rows.filter(~allocated),
            code="bye-assumed",
            severity="warning",
            message=pl.format("no opponent, with result {}: read as {}", "result", "bye"),
        ),
    )
    kept = pl.lit(~where)
    return results.with_columns(
        pl.when(kept).then(pl.col("opponent")),
        pl.when(kept).then(pl.col("color")),
        pl.when(kept).then(pl.col("result")).otherwise(meant),
    ), findings
