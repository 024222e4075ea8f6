"""Folders that tbframe fills part by part: how they are known, and what they say of themselves."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Final, TypeAlias

from tbframe.errors import SourceError

__all__ = [
    "LEDGER",
    "MANIFEST",
    "PARTS",
    "RECALCULATION",
    "Manifest",
    "fingerprint_of",
    "read_manifest",
]

MANIFEST: Final = "manifest.json"
PARTS: Final = "parts"
#: What such a folder may be: ``settings.kind`` of the manifest.
LEDGER: Final = "ledger"
RECALCULATION: Final = "recalculation"

Manifest: TypeAlias = dict[str, Any]


def fingerprint_of(manifest: Manifest) -> str:
    """Return a text that changes with any file of any part."""
    sums = [
        about["sha256"]
        for part in manifest["parts"].values()
        for _, about in sorted(part["files"].items())
    ]
    return hashlib.sha256("\n".join(sums).encode()).hexdigest()


def read_manifest(folder: Path) -> Manifest | None:
    """Return the manifest of a folder, ``None`` where it has none of tbframe's.

    Raises
    ------
    SourceError
        If there is one that cannot be read.
    """
    path = folder / MANIFEST
    try:
        read = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return None
    except (OSError, ValueError) as error:
        if not (folder / PARTS).is_dir():
            return None  # somebody else's file of that name
        raise SourceError(f"{path}: cannot be read ({error})") from error
    kinds = (LEDGER, RECALCULATION)
    known = isinstance(read, dict) and isinstance(read.get("settings"), dict)
    return read if known and read["settings"].get("kind") in kinds else None
