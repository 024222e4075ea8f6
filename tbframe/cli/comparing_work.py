"""What the commands that compare do: ask, write one table, sum up."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import polars as pl

import tbframe as tb
from tbframe.cli.output import Destination
from tbframe.cli.progress import progress
from tbframe.cli.report import FINE, WRONG, report
from tbframe.errors import TbframeError

__all__ = ["check_declared", "difference"]


def difference(
    before: str,
    after: str,
    of: str | None,
    order: str | None,
    *,
    prizes: int,
    show: str,
    destination: Destination,
) -> int:
    """Write what differs; return the exit status."""
    if of is None and order is not None:
        raise TbframeError("--order goes with --of: recalculated folders have their own order")
    if of is None:
        with progress("comparing"):
            found = tb.diff(before, after, prizes=prizes)
    else:
        if order is None:
            raise TbframeError("--of needs --order, such as --order 'PTS BH/C1 BH'")
        with progress("comparing"):
            archive = tb.read(of)
            found = archive.diff(before, after, order, prizes=prizes)
    destination.write(_flat(_table(found, show)))
    sys.stderr.write(f"{found}\n")
    return FINE if of is None else report(archive)


def _table(found: tb.Difference, show: str) -> pl.DataFrame:
    if show in ("year", "federation"):
        return found.summary(by=show)  # type: ignore[arg-type]
    if show == "summary":
        return found.summary()
    return found.winners() if show == "winners" else getattr(found, show)


def _flat(frame: pl.DataFrame) -> pl.DataFrame:
    """Write lists as text, which every form can hold."""
    lists = [name for name, dtype in frame.schema.items() if isinstance(dtype, pl.List)]
    return frame.with_columns(pl.col(name).list.join("; ") for name in lists)


def check_declared(
    paths: Sequence[str],
    order: str | None,
    edition: str,
    *,
    misses: bool,
    destination: Destination,
) -> int:
    """Write which declared values differ; return the exit status."""
    with progress("reading"):
        archive = tb.read(list(paths))
    with progress("computing"):
        found = archive.audit(order, edition=edition)
    destination.write(_every_miss(found) if misses else found.tournaments)
    status = report(archive)
    sys.stderr.write(f"{found}\n")
    return WRONG if found.tournaments.height else status


def _every_miss(found: tb.Audit) -> pl.DataFrame:
    """Put the misses of players and of individuals of teams, whose keys may be of another type."""
    members = found.members.drop("team")
    return pl.concat([found.players, members], how="vertical_relaxed")
