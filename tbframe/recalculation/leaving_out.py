"""What lies beside a source and is not recalculated: told, so that nobody misses it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import polars as pl

from tbframe.findings import Severity, concat_findings, findings_from
from tbframe.sources.names import as_text
from tbframe.sources.reading import NO_FILE, OTHER_FILE
from tbframe.sources.recognising import recognise

__all__ = ["left_out"]

_KINDS = {
    "report": "a tournament report",
    "known": "a tournament file",
    "table": "a table",
    "mapping": "the mapping of a database",
    "folder": "a dataset of its own",
}


def left_out(paths: Iterable[Path], where: str) -> pl.DataFrame:
    """Tell of files that are not read: a warning where `tbframe.read` would read them.

    Parameters
    ----------
    paths
        The files.
    where
        Beside what they lie.
    """
    rows: dict[Severity, list[tuple[str, str]]] = {"warning": [], "info": []}
    for path in paths:
        severity, reason = _reason(path, where)
        rows[severity].append((as_text(path), reason))
    return concat_findings(
        *(
            findings_from(
                pl.DataFrame(each, schema=["file", "reason"], orient="row").cast(pl.String),
                code="file-passed-over",
                severity=severity,
                message=pl.col("reason"),
            )
            for severity, each in rows.items()
        )
    )


def _reason(path: Path, where: str) -> tuple[Severity, str]:
    try:
        kind = recognise(path).kind
    except OSError as error:
        return "warning", f"not used: {error.strerror or error}"
    if kind == "special":
        return "warning", NO_FILE
    if kind not in _KINDS:
        return "info", OTHER_FILE
    return "warning", f"not used: {_KINDS[kind]} {where}; recalculate it by itself"
