"""A run: part after part from a source to an output folder, several at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from os import cpu_count
from threading import Lock
from typing import Any

from tbframe import __version__
from tbframe.recalculation.disk import GO_ON, DiskError
from tbframe.recalculation.output import Output
from tbframe.recalculation.part_files import part_files, part_name
from tbframe.recalculation.parts import Loaded, PartSource
from tbframe.recalculation.work import Made
from tbframe.sources.manifests import Manifest

__all__ = ["Progress", "State", "fill", "manifest_of", "versions"]


@dataclass(frozen=True)
class State:
    """How far a run is.

    Attributes
    ----------
    parts, all_parts
        How many parts are finished, and of how many.
    tournaments, all_tournaments
        Likewise; of reports, files.
    resumed
        How many of the finished tournaments an earlier run had computed.
    quarantined
        How many were set aside so far.
    notes
        What the run has to say of what it found in its folder.
    """

    parts: int
    all_parts: int
    tournaments: int
    all_tournaments: int
    resumed: int
    quarantined: int
    notes: Sequence[str] = ()


#: Called after each part, and once at the start.
Progress = Callable[[State], None]


def versions() -> dict[str, str]:
    """Return the versions that the bytes of a dataset may depend on."""
    return {"polars": version("polars"), "tbframe": __version__}


def fill(
    output: Output,
    source: PartSource,
    work: Callable[[Loaded], Made],
    settings: dict[str, Any],
    *,
    notes: Sequence[str] = (),
    progress: Progress | None,
    workers: int | None,
) -> None:
    """Do what is not done yet, and complete the folder.

    Parameters
    ----------
    output
        The open folder.
    source
        Where tournaments come from.
    work
        What is done with a part.
    settings
        For the manifest.
    notes
        What `progress` is told besides of what was found in the folder.
    progress
        Told of every finished part.
    workers
        How many parts are in work at once; by default as many as there are processors.

    Raises
    ------
    DiskError
        If something on a disk is to blame; the message says how to go on.
    """
    sizes = source.tournaments
    open_parts = [number for number in range(source.parts) if number not in output.done]
    tell = _Teller(output, sizes, notes, progress)
    tell()

    def run(number: int) -> None:
        made = work(source.load(number))
        output.commit(number, part_files(made.frames, made.counts))
        tell()

    try:
        with ThreadPoolExecutor(workers or cpu_count() or 1) as pool:
            futures = [pool.submit(run, number) for number in open_parts]
            try:
                for future in futures:
                    future.result()
            finally:
                # What cannot be written now could not be later: parts not begun are left.
                pool.shutdown(cancel_futures=True)
        output.finish(manifest_of(output.done, settings, output.notes))
    except DiskError as error:
        raise DiskError(f"{error}; {GO_ON}") from error


class _Teller:
    """Tells of progress, one thread at a time."""

    def __init__(
        self, output: Output, sizes: list[int], notes: Sequence[str], progress: Progress | None
    ) -> None:
        self._output, self._sizes, self._notes, self._progress = output, sizes, notes, progress
        self._resumed = sum(sizes[number] for number in output.done)
        self._lock = Lock()

    def __call__(self) -> None:
        if self._progress is None:
            return
        with self._lock:
            done = dict(self._output.done)
            self._progress(
                State(
                    parts=len(done),
                    all_parts=len(self._sizes),
                    tournaments=sum(self._sizes[number] for number in done),
                    all_tournaments=sum(self._sizes),
                    resumed=self._resumed,
                    quarantined=sum(counts["quarantined"] for counts in done.values()),
                    notes=self._notes,
                )
            )


def manifest_of(
    done: Mapping[int, Manifest], settings: dict[str, Any], notes: Sequence[str] = ()
) -> Manifest:
    """Return the manifest of a complete dataset from the summaries of its parts."""
    parts = {part_name(number): counts for number, counts in sorted(done.items())}
    return {
        "complete": True,
        "settings": settings,
        "totals": _sum(list(parts.values())),
        "notes": list(notes),
        "parts": parts,
    }


def _sum(counts: list[dict[str, Any]]) -> dict[str, Any]:
    """Add up what was counted in each part."""
    totals: dict[str, Any] = {}
    for name in counts[0] if counts else ():
        values = [each[name] for each in counts]
        if name == "files":
            continue
        if isinstance(values[0], dict):
            added: Counter[str] = Counter()
            for each in values:
                added.update(each)
            totals[name] = dict(sorted(added.items()))
        else:
            totals[name] = sum(values)
    return totals
