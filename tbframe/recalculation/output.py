"""A folder that fills part by part, each part whole or not at all.

The folder holds ``manifest.json`` and ``parts/00000``, ``parts/00001``, ...; each part is a
folder of Parquet files and ``part.json``, its counts and checksums. A part is written beside,
under a name with a dot, and comes into sight by one rename. So whatever stops a run, what is
in sight is whole, and a later run goes on with the parts that are missing. A run that replaces
a finished dataset fills ``parts.next`` and changes places with it at the very end.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import polars as pl
from filelock import FileLock, Timeout

from tbframe.errors import SourceError
from tbframe.recalculation.disk import (
    as_json,
    explained,
    flush_folder,
    load_json,
    remove,
    write_whole,
)
from tbframe.sources.manifests import MANIFEST, PARTS, Manifest

__all__ = ["Output", "part_files", "part_name", "summary_of", "write_part"]

SUMMARY: Final = "part.json"
_NEXT: Final = ".next"
_OLD: Final = ".old"
_LOCK: Final = ".lock"
BESIDE: Final = ".beside"
_ROW_GROUP: Final = 262_144


def part_name(number: int) -> str:
    """Name the folder of a part."""
    return f"{number:05d}"


def part_files(frames: Mapping[str, pl.DataFrame], counts: Mapping[str, Any]) -> dict[str, bytes]:
    """Write the frames of a part, and its summary, as the bytes of files.

    The same frames give the same bytes: one row group after the other, none by threads.
    """
    files = {}
    for name, frame in frames.items():
        buffer = BytesIO()
        frame.rechunk().write_parquet(buffer, row_group_size=_ROW_GROUP)
        files[f"{name}.parquet"] = buffer.getvalue()
    summary = dict(counts) | {
        "files": {
            name: {
                "rows": frames[name.removesuffix(".parquet")].height,
                "bytes": len(data),
                "sha256": hashlib.sha256(data).hexdigest(),
            }
            for name, data in files.items()
        }
    }
    return files | {SUMMARY: as_json(summary)}


def summary_of(files: Mapping[str, bytes]) -> Manifest:
    """Return the summary that `part_files` wrote."""
    read: Manifest = json.loads(files[SUMMARY])
    return read


class Output:
    """The folder while a run fills it; made by `Output.open`.

    Attributes
    ----------
    folder
        The folder.
    beside
        Where a source may write what it needs on the way; removed at the end.
    done
        The summaries of the parts that are finished.
    """

    def __init__(self, folder: Path, *, replacing: bool) -> None:
        self.folder = folder
        self.beside = folder / BESIDE
        self.done: dict[int, Manifest] = {}
        self._ending = _NEXT if replacing else ""
        self._parts = folder / f"{PARTS}{self._ending}"
        self._manifest = folder / f"{MANIFEST}{self._ending}"

    @classmethod
    @contextmanager
    def open(
        cls, folder: Path, *, resume: bool, overwrite: bool, replace: bool
    ) -> Iterator[Output]:
        """Take the folder for this process alone.

        Parameters
        ----------
        folder
            Made where it is not there.
        resume
            Whether to go on where an earlier run stopped.
        overwrite
            Whether what an earlier run wrote may be removed.
        replace
            Whether a finished dataset that is there stays until a new one is complete.

        Raises
        ------
        SourceError
            If the folder cannot be written, another process writes there, or what is there
            is neither to be resumed nor to be overwritten.
        """
        with explained(folder):
            folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(folder / _LOCK)
            try:
                lock.acquire(timeout=0)
            except Timeout:
                raise SourceError(f"{folder}: another process is writing there") from None
        try:
            with explained(folder):
                _swap_if_ready(folder)
                output = cls(folder, replacing=_is_replacing(folder, replace, resume))
                output._refuse(resume=resume, overwrite=overwrite)
            yield output
        finally:
            lock.release()

    def _refuse(self, *, resume: bool, overwrite: bool) -> None:
        """Refuse what is there before any work is done; remove what may be overwritten."""
        found = load_json(self._manifest)
        if found is None and not self._ending:
            others = {entry.name for entry in self.folder.iterdir()} - {_LOCK, BESIDE}
            if others:
                raise SourceError(
                    f"{self.folder} holds other files ({min(others)}): name a new folder, or an "
                    "empty one"
                )
        elif found is not None and not resume:
            if not overwrite and not self._ending:
                state = "a finished dataset" if found.get("complete") else "an unfinished run"
                on = "" if found.get("complete") else "resume=True to go on with it, or "
                raise SourceError(
                    f"{self.folder} holds {state}: give {on}overwrite=True to replace it"
                )
            self._remove_all()
        if not resume:
            remove(self.beside)

    def begin(self, settings: Manifest) -> None:
        """Note what the dataset depends on, and find the parts that are finished.

        Raises
        ------
        SourceError
            If an earlier run is to be resumed that was begun under other settings.
        """
        with explained(self.folder):
            found = load_json(self._manifest)
            if found is not None:
                _insist_on_same(self.folder, found["settings"], settings)
            self._parts.mkdir(exist_ok=True)
            for left in self._parts.glob(".*"):
                remove(left)
            self.done = dict(_finished(self._parts))
            if found is None:
                write_whole(self._manifest, as_json({"complete": False, "settings": settings}))
            elif found.get("complete"):
                remove(self.beside)  # a run that was stopped at its very end left it

    def _remove_all(self) -> None:
        """Remove a dataset; should this be stopped, what is left says that it is not complete."""
        found = load_json(self._manifest) or {}
        write_whole(self._manifest, as_json(found | {"complete": False}))
        remove(self._parts)
        remove(self._manifest)

    @property
    def replacing(self) -> bool:
        """Whether a finished dataset stays in sight meanwhile."""
        return bool(self._ending)

    @property
    def complete(self) -> bool:
        """Whether there is nothing left to do."""
        found = load_json(self._manifest)
        return bool(found and found.get("complete"))

    def commit(self, number: int, files: Mapping[str, bytes]) -> None:
        """Bring a part into sight, whole.

        Raises
        ------
        SourceError
            If it cannot be written (the disk is full, say); nothing of it is in sight then.
        """
        write_part(self._parts, number, files)
        self.done[number] = summary_of(files)

    def finish(self, manifest: Manifest) -> None:
        """Write the manifest of the complete dataset, and let it take its place."""
        with explained(self.folder):
            write_whole(self._manifest, as_json(manifest))
            _swap_if_ready(self.folder)
            remove(self.beside)


def write_part(parts: Path, number: int, files: Mapping[str, bytes]) -> None:
    """Write the files of a part beside, and bring it into sight by one rename."""
    beside = parts / f".{part_name(number)}"
    with explained(parts):
        remove(beside)
        beside.mkdir()
        for name, data in files.items():
            write_whole(beside / name, data)
        beside.rename(parts / part_name(number))
        flush_folder(parts)


def _finished(parts: Path) -> Iterator[tuple[int, Manifest]]:
    """Give the parts in sight; one whose files are not as long as they were is begun anew."""
    for path in sorted(parts.glob("[0-9]*")):
        summary = load_json(path / SUMMARY)
        files = summary["files"] if summary else {}
        whole = bool(files) and all(
            (path / name).is_file() and (path / name).stat().st_size == about["bytes"]
            for name, about in files.items()
        )
        if whole and summary:
            yield int(path.name), summary
        else:
            remove(path)


def _insist_on_same(folder: Path, before: Manifest, now: Manifest) -> None:
    changed = [key for key in sorted({*before, *now}) if before.get(key) != now.get(key)]
    if changed:
        what = "; ".join(f"{key} was {before.get(key)!r}, is {now.get(key)!r}" for key in changed)
        raise SourceError(
            f"{folder}: cannot be resumed, because it was begun otherwise ({what}); "
            "give overwrite=True to begin anew"
        )


def _swap_if_ready(folder: Path) -> None:
    """Let a complete ``parts.next`` take its place; a run that was stopped meanwhile goes on."""
    manifest, parts = folder / MANIFEST, folder / PARTS
    ready = load_json(folder / f"{MANIFEST}{_NEXT}")
    if ready and ready.get("complete"):
        waiting, old = folder / f"{PARTS}{_NEXT}", folder / f"{PARTS}{_OLD}"
        if waiting.exists():
            if parts.exists():
                remove(old)
                parts.rename(old)
            waiting.rename(parts)
        (folder / f"{MANIFEST}{_NEXT}").replace(manifest)
        flush_folder(folder)
    remove(folder / f"{PARTS}{_OLD}")


def _is_replacing(folder: Path, replace: bool, resume: bool) -> bool:
    """Tell whether the run is one beside a finished dataset, or goes on with such a run."""
    if resume and (folder / f"{MANIFEST}{_NEXT}").exists():
        return True
    finished = load_json(folder / MANIFEST)
    return replace and not resume and bool(finished and finished.get("complete"))
