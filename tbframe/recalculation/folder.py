"""What is in an output folder before a run, and whether the run may have it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tbframe.errors import SourceError
from tbframe.recalculation.disk import flush_folder, load_json, remove
from tbframe.sources.manifests import (
    LEDGER,
    MANIFEST,
    PARTS,
    RECALCULATION,
    holds_parts,
    read_manifest,
)

__all__ = ["BESIDE", "LOCK", "NEXT", "OLD", "Way", "is_unfinished", "look", "settle"]

#: The endings of what is to replace a dataset, and of what has been replaced.
NEXT: Final = ".next"
OLD: Final = ".old"
LOCK: Final = ".lock"
#: What a source writes on the way.
BESIDE: Final = ".beside"
#: What a run that was stopped at its very beginning may leave.
_LEFT: Final = {LOCK, BESIDE, f"{BESIDE}{OLD}", f".{MANIFEST}.tmp", f"{PARTS}{OLD}"}
_IN_WORDS: Final = {LEDGER: "a ledger", RECALCULATION: "a recalculation"}
#: The file by which a part is known to be of one kind or the other.
_KNOWN_BY: Final = {LEDGER: "results.parquet", RECALCULATION: "standings.parquet"}


@dataclass(frozen=True)
class Way:
    """What a run is to do with what is in its folder.

    Attributes
    ----------
    kind
        What it makes: a ledger or a recalculation.
    resume
        Whether to go on where an earlier run stopped.
    overwrite
        Whether what an earlier run wrote may be removed.
    replace
        Whether a finished dataset stays until the new one is complete.
    """

    kind: str
    resume: bool = False
    overwrite: bool = False
    replace: bool = False


def look(folder: Path, way: Way) -> None:
    """Look into a folder, and touch nothing.

    Raises
    ------
    SourceError
        If what is there is neither to be resumed nor to be replaced.
    """
    if way.resume and way.overwrite:
        raise SourceError("resume=True and overwrite=True contradict each other: give one of them")
    if not folder.is_dir():
        return
    wrong = ""
    try:
        found = read_manifest(folder)
    except SourceError as error:
        found, wrong = None, str(error)
    if found is None and not wrong:
        others = {entry.name for entry in folder.iterdir()} - _LEFT
        if others == {PARTS}:  # and nothing says what these are
            others = others if any((folder / PARTS).iterdir()) else set()
            wrong = f"{folder}: there is no {MANIFEST}" if holds_parts(folder) else ""
        if others and not wrong:
            raise SourceError(
                f"{folder} holds other files ({min(others)}): name a new folder, or an empty one"
            )
    kind = found["settings"]["kind"] if found else _kind_of_parts(folder)
    if kind not in (way.kind, None):
        raise SourceError(
            f"{folder} holds {_IN_WORDS[kind]}, which {_IN_WORDS[way.kind]} does not replace: "
            "name another folder, or remove it"
        )
    if wrong and not way.overwrite:
        raise SourceError(f"{wrong}; give overwrite=True to replace what is there")
    if found and not (way.resume or way.overwrite or (way.replace and found["complete"])):
        raise SourceError(f"{folder} holds {_state(folder, complete=found['complete'])}")


def _state(folder: Path, *, complete: bool) -> str:
    go_on = "give resume=True to go on with it, or overwrite=True to replace"
    if not complete:
        return f"an unfinished run: {go_on} it"
    if is_unfinished(folder):
        return f"a finished dataset, and an unfinished run with changed_only=True: {go_on} both"
    return "a finished dataset: give overwrite=True to replace it"


def is_unfinished(folder: Path) -> bool:
    """Whether there is a run that could be gone on with."""
    names = (MANIFEST, f"{MANIFEST}{NEXT}")
    found = [load_json(folder / name) for name in names]
    return any(each is not None and each.get("complete") is False for each in found)


def _kind_of_parts(folder: Path) -> str | None:
    """Tell by the files of its parts what a dataset without a manifest is."""
    for kind, name in _KNOWN_BY.items():
        if next(folder.glob(f"{PARTS}/*/{name}"), None):
            return kind
    return None


def settle(folder: Path) -> None:
    """Complete what a run left that was stopped between two steps.

    A complete ``parts.next`` takes its place; one of which nothing says what it is goes.
    """
    manifest, parts = folder / MANIFEST, folder / PARTS
    next_manifest, next_parts = folder / f"{MANIFEST}{NEXT}", folder / f"{PARTS}{NEXT}"
    ready = load_json(next_manifest)
    if ready is None or not isinstance(ready.get("settings"), dict):
        remove(next_manifest)
        remove(next_parts)
    elif ready.get("complete"):
        if next_parts.exists():
            if parts.exists():
                remove(folder / f"{PARTS}{OLD}")
                parts.rename(folder / f"{PARTS}{OLD}")
            next_parts.rename(parts)
        next_manifest.replace(manifest)
        flush_folder(folder)
    remove(folder / f"{PARTS}{OLD}")
