"""What the commands for whole databases do: run, show how far it is, sum up."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, Final

import polars as pl
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

import tbframe as tb
from tbframe.cli.report import FINE, WRONG, number_of, quarantined_kinds
from tbframe.errors import TbframeError
from tbframe.recalculation.folder import is_unfinished
from tbframe.recalculation.run import Progress as Teller
from tbframe.recalculation.run import State
from tbframe.sources.manifests import PARTS, Manifest, read_manifest

__all__ = ["recalculate", "write_ledger"]

#: So many notes are told one by one.
_NOTES: Final = 10


def recalculate(source: str, out: str, order: str, *, quiet: bool, **options: Any) -> int:
    """Run `tbframe.recalc`; return the exit status."""
    with _stoppable(out), _progress(quiet=quiet) as progress:
        done = tb.recalc(source, out, order, progress=progress, **options)
    if options["changed_only"] or done.manifest["totals"]["taken_over"]:
        totals = done.manifest["totals"]
        sys.stderr.write(
            f"taken over: {number_of(totals['taken_over'], 'tournament')}, "
            f"computed: {totals['tournaments'] - totals['taken_over']:,}\n"
        )
    return _sum_up(done.manifest, done.folder)


def write_ledger(source: str, out: str, *, quiet: bool, **options: Any) -> int:
    """Run `tbframe.write_ledger`; return the exit status."""
    with _stoppable(out), _progress(quiet=quiet) as progress:
        folder = tb.write_ledger(source, out, progress=progress, **options)
    manifest = read_manifest(folder)
    assert manifest is not None  # noqa: S101  (it has just been written)
    return _sum_up(manifest, folder)


def _sum_up(manifest: Manifest, folder: Path) -> int:
    """Say on standard error what came of it."""
    totals = manifest["totals"]
    rows = totals["rows"]
    lines = [
        f"{number_of(totals['tournaments'], 'tournament')}, "
        f"{number_of(totals['players'], 'player')} in {folder}",
        f"rows: {rows['in']:,} in = {rows['out']:,} out + {rows['quarantined']:,} quarantined",
        "findings: "
        + (", ".join(number_of(count, name) for name, count in totals["findings"].items())
           or "none"),
        f"quarantined: {number_of(totals['quarantined'], 'tournament')}"
        + (" or files" if totals["quarantined"] else ""),
    ]  # fmt: skip
    if totals["quarantined"]:
        paths = [folder / PARTS / name / "quarantine.parquet" for name in manifest["parts"]]
        lines += (f"  {kind}" for kind in quarantined_kinds(pl.scan_parquet(paths, glob=False)))
        lines.append(f"  all of them: {folder / PARTS}/*/quarantine.parquet")
    sys.stderr.writelines(f"{line}\n" for line in lines)
    return WRONG if totals["quarantined"] else FINE


@contextmanager
def _stoppable(out: str) -> Iterator[None]:
    """Say of a run that was stopped by hand whether one can go on with it."""
    try:
        yield
    except KeyboardInterrupt:
        kept = "what is finished is kept: --resume goes on" if is_unfinished(Path(out)) else ""
        raise TbframeError("; ".join(filter(None, ["stopped", kept]))) from None


@contextmanager
def _progress(*, quiet: bool) -> Iterator[Teller]:
    """Show a bar on a terminal, and elsewhere one line for each part."""
    if quiet or not sys.stderr.isatty():
        yield _Lines()
        return
    bar = Progress(
        TextColumn("{task.completed:,} of {task.total:,} tournaments"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[speed]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[aside]}"),
        console=Console(stderr=True),
        transient=True,
    )
    start = monotonic()

    def tell(state: State) -> None:
        if not bar.tasks:  # before, nobody knows how many there are
            _tell_notes(state)
            bar.add_task("", total=state.all_tournaments, speed="", aside="")
            bar.start()
        aside = f"{state.quarantined:,} quarantined" if state.quarantined else ""
        bar.update(
            bar.task_ids[0],
            completed=state.tournaments,
            speed=f"{_speed(state, start):,.0f}/s",
            aside=aside,
        )

    try:
        yield tell
    finally:
        bar.stop()


class _Lines:
    """Writes one line for each part that is finished."""

    def __init__(self) -> None:
        self._start = monotonic()
        self._told = -1

    def __call__(self, state: State) -> None:
        if self._told < 0:  # the beginning: nothing is finished but what an earlier run did
            self._told = state.parts
            _tell_notes(state)
            if state.resumed:
                sys.stderr.write(f"{state.parts:,} of {state.all_parts:,} parts are there\n")
            return
        speed = _speed(state, self._start)
        left = (state.all_tournaments - state.tournaments) / speed if speed else 0
        sys.stderr.write(
            f"part {state.parts:,} of {state.all_parts:,}: {state.tournaments:,} tournaments, "
            f"{speed:,.0f}/s, {left:,.0f} s left\n"
        )


def _tell_notes(state: State) -> None:
    """Say what the run found in its folder."""
    sys.stderr.writelines(f"{note}\n" for note in state.notes[:_NOTES])
    if len(state.notes) > _NOTES:
        sys.stderr.write(f"and {len(state.notes) - _NOTES:,} more of the kind\n")


def _speed(state: State, start: float) -> float:
    """Return tournaments per second, of this run alone."""
    return (state.tournaments - state.resumed) / max(monotonic() - start, 1e-3)
