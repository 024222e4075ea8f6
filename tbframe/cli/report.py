"""What was found and set aside, told on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

import polars as pl

from tbframe.archive import Archive
from tbframe.schema import FINDINGS

__all__ = ["FINE", "QUARANTINED", "describe", "report", "some"]

FINE: Final = 0
QUARANTINED: Final = 1
_SEVERITIES: Final = ("error", "warning", "info")
_SHOWN: Final = 10

Row: TypeAlias = dict[str, Any]


def report(archive: Archive, *, every: bool = False) -> int:
    """Sum up on standard error what was read, found and set aside.

    Parameters
    ----------
    archive
        What was read.
    every
        One line for each finding, instead of one for each kind.

    Returns
    -------
    int
        The exit status.
    """
    sys.stderr.writelines(f"{line}\n" for line in _lines(archive, every=every))
    return QUARANTINED if archive.quarantine.height else FINE


def some(keys: Sequence[object], limit: int = 5) -> str:
    """Write a list that may be long: ``a, b, c, d, e and 12 more``."""
    more = f" and {len(keys) - limit:,} more" if len(keys) > limit else ""
    return ", ".join(map(str, keys[:limit])) + more


def describe(finding: Row) -> str:
    """Write a finding or a quarantined tournament as one line, the place first."""
    about = [
        f"{word} {finding[word]}"
        for word in ("tournament", "round", "player")
        if finding.get(word) is not None
    ]
    kind = " ".join([finding.get("severity") or "quarantined", finding["code"]])
    place = f"{_place(finding)}: " if finding["file"] else ""
    return f"{place}{kind}: {finding['message']}" + (f" ({', '.join(about)})" if about else "")


def _place(row: Row) -> str:
    return str(row["file"]) + (f":{row['line']}" if row["line"] is not None else "")


def _lines(archive: Archive, *, every: bool) -> Iterator[str]:
    counts = [
        f"{frame.height:,} {name[: -1 if frame.height == 1 else None]}"
        for name, frame in (
            ("tournaments", archive.tournaments),
            ("players", archive.players),
            ("results", archive.results),
        )
    ]
    yield f"read {', '.join(counts)}"
    yield from _findings(archive.findings, every=every)
    set_aside = archive.quarantine.height
    if set_aside:
        yield f"quarantined: {set_aside:,}"
        shown = archive.quarantine if every else archive.quarantine.head(_SHOWN)
        yield from (f"  {describe(row)}" for row in shown.iter_rows(named=True))
        if shown.height < set_aside:
            yield f"  and {set_aside - shown.height:,} more: --findings lists them"


def _findings(findings: pl.DataFrame, *, every: bool) -> Iterator[str]:
    if findings.is_empty():
        yield "findings: none"
        return
    kinds = (
        findings.group_by("severity", "code", maintain_order=True)
        .agg(pl.len().alias("count"), pl.exclude("severity", "code").first())
        .sort(pl.col("severity").cast(pl.Enum(_SEVERITIES)), maintain_order=True)
    )
    counts = kinds.group_by("severity", maintain_order=True).agg(pl.col("count").sum())
    sums = ", ".join(f"{count:,} {severity}" for severity, count in counts.rows())
    yield f"findings: {sums}" + ("" if every else " (--findings lists them)")
    if every:
        yield from (f"  {describe(row)}" for row in findings.iter_rows(named=True))
        return
    for kind in kinds.head(_SHOWN).iter_rows(named=True):
        yield f"  {kind['count']:,} x {describe({name: kind[name] for name in FINDINGS})}"
    if kinds.height > _SHOWN:
        yield f"  and {kinds.height - _SHOWN:,} other kinds"
