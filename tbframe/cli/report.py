"""What was found and set aside, told on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

import polars as pl

from tbframe.archive import Archive
from tbframe.schema import FINDINGS

__all__ = [
    "FINE",
    "LISTS",
    "WRONG",
    "describe",
    "number_of",
    "quarantined_kinds",
    "report",
    "some",
]

FINE: Final = 0
WRONG: Final = 1
#: What commands with the option ``--findings`` say of it.
LISTS: Final = "--findings lists them"
_SEVERITIES: Final = ("error", "warning", "info")
_SHOWN: Final = 10

Row: TypeAlias = dict[str, Any]


def report(archive: Archive, *, every: bool = False, hint: str = LISTS) -> int:
    """Sum up on standard error what was read, found and set aside.

    Parameters
    ----------
    archive
        What was read.
    every
        One line for each finding, instead of one for each kind.
    hint
        How to see more than what is shown here.

    Returns
    -------
    int
        The exit status.
    """
    lines = _lines(archive, every=every, hint="" if every else hint)
    sys.stderr.writelines(f"{line}\n" for line in lines)
    return WRONG if archive.quarantine.height else FINE


def number_of(count: int, noun: str) -> str:
    """Say a number and what it counts: ``1 tournament``, ``2 tournaments``."""
    return f"{count:,} {noun}{'' if count == 1 or noun == 'info' else 's'}"


def some(keys: Sequence[object], limit: int = 5) -> str:
    """Write a list that may be long: ``a, b, c, d, e and 12 more``."""
    more = f" and {len(keys) - limit:,} more" if len(keys) > limit else ""
    return ", ".join(map(str, keys[:limit])) + more


def describe(finding: Row) -> str:
    """Write a finding or a quarantined tournament as one line, the place first."""
    about = _about(finding)
    place = f"{_place(finding)}: " if finding["file"] else ""
    return f"{place}{_kind(finding)}: {finding['message']}" + (f" ({about})" if about else "")


def quarantined_kinds(quarantine: pl.LazyFrame) -> Iterator[str]:
    """Sum up by kind what was set aside: how many of each, and the first of them."""
    kinds = (
        quarantine.group_by("code", maintain_order=True)
        .agg(pl.len().alias("count"), pl.exclude("code").first())
        .sort("count", descending=True, maintain_order=True)
        .collect()
    )
    for kind in kinds.head(_SHOWN).iter_rows(named=True):
        yield _describe_kind(kind, kind["count"])
    if kinds.height > _SHOWN:
        yield f"and {number_of(kinds.height - _SHOWN, 'other kind')}"


def _describe_kind(first: Row, count: int) -> str:
    """Write a kind of finding as one line: how many there are, and the first of them."""
    if count == 1:
        return f"1 x {describe(first)}"
    where = ", ".join(filter(None, [_place(first) if first["file"] else "", _about(first)]))
    where = f" (first: {where})" if where else ""
    return f"{count:,} x {_kind(first)}: {first['message']}{where}"


def _kind(row: Row) -> str:
    return f"{row.get('severity') or 'quarantined'} {row['code']}"


def _place(row: Row) -> str:
    return str(row["file"]) + (f":{row['line']}" if row["line"] is not None else "")


def _about(row: Row) -> str:
    words = ("tournament", "round", "player")
    return ", ".join(f"{word} {row[word]}" for word in words if row.get(word) is not None)


def _lines(archive: Archive, *, every: bool, hint: str) -> Iterator[str]:
    counts = [
        number_of(frame.height, noun)
        for noun, frame in (
            ("tournament", archive.tournaments),
            ("player", archive.players),
            ("result", archive.results),
        )
    ]
    yield f"read {', '.join(counts)}"
    yield from _findings(archive.findings, every=every, hint=hint)
    set_aside = archive.quarantine.height
    if set_aside:
        yield f"quarantined: {set_aside:,}"
        shown = archive.quarantine if every else archive.quarantine.head(_SHOWN)
        yield from (f"  {describe(row)}" for row in shown.iter_rows(named=True))
        if shown.height < set_aside:
            yield f"  and {set_aside - shown.height:,} more"


def _findings(findings: pl.DataFrame, *, every: bool, hint: str) -> Iterator[str]:
    if findings.is_empty():
        yield "findings: none"
        return
    kinds = (
        findings.group_by("severity", "code", maintain_order=True)
        .agg(pl.len().alias("count"), pl.exclude("severity", "code").first())
        .sort(pl.col("severity").cast(pl.Enum(_SEVERITIES)), maintain_order=True)
    )
    counts = kinds.group_by("severity", maintain_order=True).agg(pl.col("count").sum())
    sums = ", ".join(number_of(count, severity) for severity, count in counts.rows())
    yield f"findings: {sums}" + (f" ({hint})" if hint else "")
    if every:
        yield from (f"  {describe(row)}" for row in findings.iter_rows(named=True))
        return
    for kind in kinds.head(_SHOWN).iter_rows(named=True):
        yield f"  {_describe_kind({name: kind[name] for name in FINDINGS}, kind['count'])}"
    if kinds.height > _SHOWN:
        yield f"  and {number_of(kinds.height - _SHOWN, 'other kind')}"
