"""Files that are there whole or not at all, and what a disk may answer."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from tbframe.errors import SourceError

__all__ = [
    "GO_ON",
    "DiskError",
    "as_json",
    "explained",
    "flush_folder",
    "load_json",
    "remove",
    "write_whole",
]

#: What the user is told after a failure that leaves a state to go on from.
GO_ON: Final = "what is finished is kept; run again with resume=True to go on"


class DiskError(SourceError):
    """A file cannot be written, or is gone: no tournament is to blame, and it can be mended."""


@contextmanager
def explained(folder: Path) -> Iterator[None]:
    """Turn what a disk may answer into an error that says what to do.

    Raises
    ------
    DiskError
        In the place of any `OSError`.
    """
    try:
        yield
    except OSError as error:
        reasons = {
            errno.ENOSPC: "the disk is full: make room",
            errno.EDQUOT: "the quota of the disk is used up: make room",
            errno.EROFS: "the disk is read-only",
            errno.EACCES: "it may not be written",
            errno.EPERM: "it may not be written",
        }
        reason = reasons.get(error.errno or 0, error.strerror or str(error))
        where = error.filename or folder
        raise DiskError(f"{where}: cannot be written ({reason})") from error


def remove(path: Path) -> None:
    """Remove a file or a folder with all that is in it, if it is there."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def load_json(path: Path) -> dict[str, Any] | None:
    """Read an object from a file; ``None`` where there is none that can be read."""
    try:
        read = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return read if isinstance(read, dict) else None


def as_json(value: Mapping[str, Any]) -> bytes:
    """Write an object so that the same one gives the same bytes."""
    return (json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True) + "\n").encode()


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that it is there, whole, once its name is."""
    beside = path.with_name(f".{path.name}.tmp")
    with beside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def flush_folder(folder: Path) -> None:
    """Make names last, where the system can."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
