"""Folders that tbframe fills part by part: how they are known, and what they say of themselves."""

from __future__ import annotations

import hashlib
import json
import re
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
    "holds_parts",
    "is_made_of_parts",
    "read_manifest",
    "wrong_with_manifest",
    "wrong_with_part",
]

MANIFEST: Final = "manifest.json"
PARTS: Final = "parts"
#: What such a folder may be: ``settings.kind`` of the manifest.
LEDGER: Final = "ledger"
RECALCULATION: Final = "recalculation"

Manifest: TypeAlias = dict[str, Any]

#: What the summary of a part has, and the totals of all of them.
_COUNTS: Final = {
    "tournaments": int, "players": int, "quarantined": int, "rows": dict, "findings": dict,
}  # fmt: skip
_FILE: Final = {"rows": int, "bytes": int, "sha256": str}
#: A folder of a part, or one that is being written.
_A_PART: Final = re.compile(r"\.?\d{5,}")


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
        If there is one that cannot be read, or that lacks what each has.
    """
    path = folder / MANIFEST
    try:
        read = json.loads(path.read_text("utf-8"))
        wrong = wrong_with_manifest(read)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return None
    except (OSError, ValueError) as error:
        wrong = str(error)
    if not wrong:
        manifest: Manifest = read
        return manifest
    if not holds_parts(folder):
        return None  # somebody else's file of that name
    raise SourceError(f"{path}: cannot be read as the manifest of a dataset ({wrong})")


def is_made_of_parts(folder: Path) -> bool:
    """Whether a folder is one of these, though its manifest may be broken."""
    try:
        return read_manifest(folder) is not None
    except SourceError:
        return True


def holds_parts(folder: Path) -> bool:
    """Whether a folder has parts in it, as tbframe names them, and nothing else beside them."""
    try:
        entries = list((folder / PARTS).iterdir())
    except OSError:
        return False
    return bool(entries) and all(_A_PART.fullmatch(each.name) and each.is_dir() for each in entries)


def wrong_with_manifest(read: object) -> str:
    """Say what a manifest lacks; nothing, if it lacks nothing."""
    lacking = _lacking(read, {"settings": dict, "complete": bool})
    if lacking or not isinstance(read, dict):
        return lacking
    if read["settings"].get("kind") not in (LEDGER, RECALCULATION):
        return f"its settings name the kind {read['settings'].get('kind')!r}"
    if not read["complete"]:
        return ""
    lacking = _lacking(read, {"totals": dict, "parts": dict})
    lacking = lacking or _lacking(read["totals"], _COUNTS)
    for name, part in () if lacking else read["parts"].items():
        wrong = wrong_with_part(part) if name.isdecimal() else "it has no number for a name"
        lacking = lacking or (wrong and f"part {name}: {wrong}")
    return lacking


def wrong_with_part(summary: object) -> str:
    """Say what the summary of a part lacks; nothing, if it lacks nothing."""
    lacking = _lacking(summary, _COUNTS | {"files": dict})
    if lacking or not isinstance(summary, dict):
        return lacking
    return next(filter(None, (_lacking(about, _FILE) for about in summary["files"].values())), "")


def _lacking(value: object, keys: dict[str, type]) -> str:
    if not isinstance(value, dict):
        return "it is no object"
    lacking = [key for key, kind in keys.items() if not isinstance(value.get(key), kind)]
    return f"{lacking[0]!r} is missing or of another kind" if lacking else ""
