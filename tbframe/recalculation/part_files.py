"""One part of a dataset as files, which come into sight all together."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import polars as pl

from tbframe.recalculation.disk import as_json, explained, flush_folder, remove, write_whole
from tbframe.recalculation.integrity import SUMMARY
from tbframe.sources.manifests import Manifest

__all__ = ["part_files", "part_name", "summary_of", "write_part"]

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


def write_part(parts: Path, number: int, files: Mapping[str, bytes]) -> None:
    """Write the files of a part beside, and bring it into sight by one rename.

    Raises
    ------
    DiskError
        If they cannot be written (the disk is full, say); nothing of the part is in sight then.
    """
    beside = parts / f".{part_name(number)}"
    with explained(parts):
        remove(beside)
        beside.mkdir()
        for name, data in files.items():
            write_whole(beside / name, data)
        beside.rename(parts / part_name(number))
        flush_folder(parts)
