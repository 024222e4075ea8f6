"""What the commands that compare do: ask, write one table, sum up."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import polars as pl

import tbframe as tb
from tbframe.cli.options import Format
from tbframe.cli.output import Destination
from tbframe.cli.progress import progress
from tbframe.cli.report import FINE, WRONG, report
from tbframe.cli.work import read_paths
from tbframe.editions import AUTO, edition_of
from tbframe.errors import EditionError, TbframeError
from tbframe.sources.tables import read_values

__all__ = ["check_declared", "difference", "identified"]

#: What a table shows of a summary; the rest is told in words, and stands in the other forms.
_IN_SHORT: Final = ["tournament", "column", "status", "best", "matches", "players", "match_rate"]

#: So many rows are no longer read but searched.
_MANY: Final = 50


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
        _insist_on_folders(before, after)
        with progress("comparing"):
            found = tb.diff(before, after, prizes=prizes)
    else:
        if order is None:
            raise TbframeError("--of needs --order, such as --order 'PTS BH/C1 BH'")
        with progress("comparing"):
            archive = tb.read(of)
            found = archive.diff(before, after, order, prizes=prizes)
    _write(_flat(_table(found, show)), destination)
    sys.stderr.write(f"{found}\n")
    return FINE if of is None else report(archive)


def _insist_on_folders(*names: str) -> None:
    """Say what to do about editions that stand where folders should."""
    for name in names:
        if not Path(name).exists() and _is_edition(name):
            raise TbframeError(
                f"{name} is an edition, and no folder of that name is here: to compare editions, "
                "name tournament files with --of PATH, and --order"
            )


def _is_edition(name: str) -> bool:
    try:
        edition_of(name)
    except EditionError:
        return name == AUTO
    return True


def _write(frame: pl.DataFrame, destination: Destination) -> None:
    """Write a table; of a long one that goes to the screen only the beginning."""
    if destination.format is not Format.TABLE or destination.path is not None:
        destination.write(frame)
        return
    destination.write(frame.head(_MANY))
    if frame.height > _MANY:
        sys.stderr.write(
            f"the first {_MANY} of {frame.height:,} rows: --format csv or --out FILE writes all\n"
        )


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
    renamed: Mapping[str, str] | None,
    *,
    misses: bool,
    destination: Destination,
) -> int:
    """Write which declared values differ; return the exit status."""
    archive = read_paths(paths, renamed)
    with progress("computing"):
        found = archive.audit(order, edition=edition)
    if misses:
        destination.write(_every_miss(found))
    else:
        _write(found.tournaments, destination)
    status = report(archive)
    sys.stderr.write(f"{found}\n")
    return WRONG if found.tournaments.height else status


def identified(
    paths: Sequence[str],
    official: str | None,
    columns: Sequence[str] | None,
    among: Sequence[str],
    renamed: Mapping[str, str] | None,
    *,
    top: int,
    pool: bool,
    show: str,
    destination: Destination,
) -> int:
    """Write which definitions made official columns; return the exit status."""
    values = None if official is None else read_values(official)
    archive = read_paths(paths, renamed)
    with progress("searching"):
        found = tb.identify(archive, values, columns=columns, among=among, top=top, pool=pool)
    frame = _flat(getattr(found, show))
    tables = [("", frame.select(_IN_SHORT))] if show == "summary" else None
    destination.write(frame, tables)
    status = report(archive)
    sys.stderr.write(f"{found}\n")
    open_ = found.summary["status"].is_in(["not reproduced", "unknown", "no numbers"])
    return WRONG if open_.any() else status


def _every_miss(found: tb.Audit) -> pl.DataFrame:
    """Put the misses of players and of individuals of teams, whose keys may be of another type."""
    members = found.members.drop("team")
    return pl.concat([found.players, members], how="vertical_relaxed")
