"""Findings: what was adjusted, assumed or contradicted, one row each.

A finding names its place (file, line, tournament, round, player), how grave it is
and what was assumed. ``info`` is a reading that no one would dispute, ``warning`` an
assumption that can change a value, ``error`` a contradiction that leaves a value in doubt.
"""

from __future__ import annotations

from typing import Literal

import polars as pl

from tbframe.schema import FINDINGS, QUARANTINE

__all__ = [
    "Severity",
    "concat_findings",
    "counted",
    "findings_from",
    "no_findings",
    "no_quarantine",
    "without_repeats",
]

Severity = Literal["info", "warning", "error"]


def no_findings() -> pl.DataFrame:
    """Return an empty findings frame."""
    return pl.DataFrame(schema=FINDINGS)


def no_quarantine() -> pl.DataFrame:
    """Return an empty quarantine frame."""
    return pl.DataFrame(schema=QUARANTINE)


def findings_from(
    rows: pl.DataFrame, *, code: str, severity: Severity, message: pl.Expr | str
) -> pl.DataFrame:
    """Turn every row of `rows` into a finding.

    Parameters
    ----------
    rows
        Any frame; its columns ``file``, ``line``, ``tournament``, ``round`` and ``player``
        are taken where present and null elsewhere.
    code
        The kind of finding, in kebab case.
    severity
        ``"info"``, ``"warning"`` or ``"error"``.
    message
        A sentence, or an expression over `rows` that gives one.

    Returns
    -------
    DataFrame
        With the columns of `FINDINGS`, in the row order of `rows`.
    """
    said = pl.lit(message) if isinstance(message, str) else message
    given = {"severity": pl.lit(severity), "code": pl.lit(code), "message": said}
    columns = [
        given.get(name, pl.col(name) if name in rows.columns else pl.lit(None))
        .cast(dtype)
        .alias(name)
        for name, dtype in FINDINGS.items()
    ]
    # with_columns, because a select of literals alone would give one row, not rows.height
    return rows.with_columns(columns).select(FINDINGS.keys())


def concat_findings(*parts: pl.DataFrame) -> pl.DataFrame:
    """Put findings frames one below the other, in the order given."""
    return pl.concat([no_findings(), *parts])


def counted(number: str, noun: str, plural: str | None = None) -> pl.Expr:
    """Say the number in a column and what it counts: ``1 result``, ``2 results``."""
    several = pl.lit(plural or f"{noun}s")
    return pl.format(
        "{} {}", number, pl.when(pl.col(number) == 1).then(pl.lit(noun)).otherwise(several)
    )


def without_repeats(found: pl.DataFrame, more: pl.DataFrame) -> pl.DataFrame:
    """Leave out of `more` what `found` tells already.

    Parameters
    ----------
    found
        Findings that know the place better, such as the line of a file.
    more
        Findings of the same tournaments.

    Returns
    -------
    DataFrame
        The rows of `more`, in their order, without those of which `found` has the tournament,
        code, round and player. What concerns a whole round is told by a finding about a player
        in it too, and what concerns a round by one about the whole tournament.
    """
    place = ["tournament", "code", "round", "player"]
    player_less = pl.col("player").is_null()
    rounds = found.filter(pl.col("round").is_not_null()).select(place[:3]).unique()
    wholes = found.filter(pl.col("round").is_null() & player_less).select(place[:2]).unique()
    rows = more.with_row_index("place in more")
    told = pl.concat(
        rows.filter(where).join(there, on=there.columns, how="semi", nulls_equal=True)
        for where, there in (
            (pl.lit(value=True), found.select(place).unique()),
            (player_less, rounds),
            (player_less, wholes),
        )
    )
    new = ~pl.col("place in more").is_in(told["place in more"].implode())
    return rows.filter(new).drop("place in more")
