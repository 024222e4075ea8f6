"""A folder that fills part by part, each part whole or not at all.

The folder holds ``manifest.json`` and ``parts/00000``, ``parts/00001``, ...; each part is a
folder of Parquet files and ``part.json``, its counts and checksums. A part is written beside,
under a name with a dot, and comes into sight by one rename. So whatever stops a run, what is
in sight is whole, and a later run goes on with the parts that are missing. A run that replaces
a finished dataset fills ``parts.next`` and changes places with it at the very end.

Nothing that was there is removed before the source is open and the run can begin.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from tbframe.errors import SourceError
from tbframe.recalculation.differing import what_differs
from tbframe.recalculation.disk import (
    DiskError,
    as_json,
    explained,
    load_json,
    remove,
    write_whole,
)
from tbframe.recalculation.folder import BESIDE, LOCK, NEXT, OLD, Way, is_unfinished, look, settle
from tbframe.recalculation.integrity import Fault, faults, summaries, told
from tbframe.recalculation.part_files import part_name, summary_of, write_part
from tbframe.sources.manifests import MANIFEST, PARTS, Manifest

__all__ = ["Output"]


class Output:
    """The folder while a run fills it; made by `Output.open`.

    Attributes
    ----------
    folder
        The folder.
    beside
        Where a source may write what it needs on the way; removed at the end.
    replacing
        Whether a finished dataset stays in sight meanwhile.
    done
        The summaries of the parts that are finished.
    complete
        Whether there is nothing left to do.
    repaired
        What an earlier run wrote and is not as it was written: these parts are not finished.
    notes
        What the manifest has to say of how the dataset came about.
    """

    def __init__(self, folder: Path, way: Way) -> None:
        self.folder = folder
        self.beside = folder / BESIDE
        self.done: dict[int, Manifest] = {}
        self.complete = False
        self.repaired: list[Fault] = []
        self.notes: list[str] = []
        finished = bool((load_json(folder / MANIFEST) or {}).get("complete"))
        there = (folder / f"{MANIFEST}{NEXT}").exists()
        self.replacing = there if way.resume else way.replace and finished
        ending = NEXT if self.replacing else ""
        self._parts = folder / f"{PARTS}{ending}"
        self._manifest = folder / f"{MANIFEST}{ending}"
        self._goes_on = way.resume and self._manifest.exists()

    @classmethod
    @contextmanager
    def open(cls, folder: Path, way: Way) -> Iterator[Output]:
        """Take the folder for this process alone; it is made where it is not there.

        Raises
        ------
        SourceError
            If the folder cannot be written, another process writes there, or what is there
            is neither to be resumed nor to be replaced.
        """
        with explained(folder):
            look(folder, way)
            made = [path for path in (folder, *folder.parents) if not path.exists()]
            folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(folder / LOCK)
            try:
                lock.acquire(timeout=0)
            except Timeout:
                raise SourceError(f"{folder}: another process is writing there") from None
        try:
            with explained(folder):
                settle(folder)
                look(folder, way)
                output = cls(folder, way)
                output._set_aside()
            yield output
        finally:
            with suppress(OSError):
                _tidy(folder, made)
            lock.release()

    def _set_aside(self) -> None:
        """Give the source an empty place, unless it is to find what it wrote there.

        What an unfinished run has there is kept until the new one begins.
        """
        _bring_back(self.folder)
        if not self._goes_on and self.beside.exists():
            self.beside.rename(self.folder / f"{BESIDE}{OLD}")

    def begin(self, settings: Manifest, parts: int) -> None:
        """Begin, or find what is finished.

        Parameters
        ----------
        settings
            What the dataset depends on.
        parts
            How many parts it has.

        Raises
        ------
        SourceError
            If an earlier run is to be resumed that was begun otherwise.
        """
        with explained(self.folder):
            if self._goes_on:
                self._find(settings, parts)
            else:
                self._clear()
                write_whole(self._manifest, as_json({"complete": False, "settings": settings}))
                remove(self.folder / f"{PARTS}{OLD}")
            self._parts.mkdir(exist_ok=True)

    def _find(self, settings: Manifest, parts: int) -> None:
        """Find the parts that are finished; remove those that are not as they were written."""
        found = load_json(self._manifest) or {}
        if different := what_differs(found["settings"], settings):
            raise SourceError(
                f"{self.folder}: cannot be resumed, because it was begun otherwise "
                f"({'; '.join(different)}); give overwrite=True to begin anew"
            )
        for left in self._parts.glob(".*"):
            remove(left)
        names = [part_name(number) for number in range(parts)]
        whole = bool(found.get("complete"))
        there = found["parts"] if whole else summaries(self._parts)
        sound = {name: there[name] for name in names if name in there}
        self.repaired = faults(self._parts, sound, checksums=True)
        damaged = {fault.part for fault in self.repaired}
        if whole:
            self.notes = found.get("notes", [])
            if damaged:
                write_whole(self._manifest, as_json({"complete": False, "settings": settings}))
        for name in damaged:
            remove(self._parts / name)
        self.done = {int(name): sound[name] for name in sound if name not in damaged}
        self.complete = whole and not damaged

    def _clear(self) -> None:
        """Remove what is to be replaced, so that whatever is left at any moment is known."""
        if self.replacing:
            remove(self._manifest)
            remove(self._parts)
        else:
            if load_json(self._manifest) is None:
                remove(self._manifest)
            if self._parts.exists():
                self._parts.rename(self.folder / f"{PARTS}{OLD}")
            remove(self.folder / f"{MANIFEST}{NEXT}")
            remove(self.folder / f"{PARTS}{NEXT}")
        remove(self.folder / f"{BESIDE}{OLD}")

    def commit(self, number: int, files: Mapping[str, bytes]) -> None:
        """Bring a part into sight, whole.

        Raises
        ------
        DiskError
            If it cannot be written (the disk is full, say); nothing of it is in sight then.
        """
        write_part(self._parts, number, files)
        self.done[number] = summary_of(files)

    def finish(self, manifest: Manifest) -> None:
        """Write the manifest of the complete dataset, and let it take its place.

        Raises
        ------
        DiskError
            If parts have been removed or changed meanwhile.
        """
        wrong = faults(self._parts, manifest["parts"], checksums=False)
        if wrong:
            raise DiskError(f"{self._parts}: changed while the run was going on ({told(wrong)})")
        with explained(self.folder):
            write_whole(self._manifest, as_json(manifest))
            settle(self.folder)


def _bring_back(folder: Path) -> None:
    """Let an unfinished run have what its source wrote, if another one has not begun after all."""
    beside, old = folder / BESIDE, folder / f"{BESIDE}{OLD}"
    if not is_unfinished(folder):
        remove(beside)
        remove(old)
    elif old.exists():
        remove(beside)
        old.rename(beside)


def _tidy(folder: Path, made: list[Path]) -> None:
    """Leave nothing of a run that could not begin, or of one that is complete."""
    _bring_back(folder)
    if {entry.name for entry in folder.iterdir()} == {LOCK}:
        (folder / LOCK).unlink()
        for path in made:
            path.rmdir()
