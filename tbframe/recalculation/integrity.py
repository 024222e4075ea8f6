"""Whether the parts of a dataset are as they were written."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count
from pathlib import Path
from typing import Final

from tbframe.recalculation.disk import load_json
from tbframe.sources.manifests import Manifest, wrong_with_part

__all__ = ["SUMMARY", "Fault", "faults", "summaries", "told"]

#: The file of a part that has its counts and checksums.
SUMMARY: Final = "part.json"


@dataclass(frozen=True)
class Fault:
    """What is not as it was written.

    Attributes
    ----------
    part
        The name of the part.
    what
        What is wrong with it, or with a file of it.
    """

    part: str
    what: str

    def __str__(self) -> str:
        """Name the place and say what is wrong there."""
        return f"part {self.part}: {self.what}"


def summaries(folder: Path) -> dict[str, Manifest]:
    """Read the summaries of the parts that are in sight, where they can be read."""
    found = {name: load_json(folder / name / SUMMARY) for name in _in_sight(folder)}
    return {name: read for name, read in found.items() if read and not wrong_with_part(read)}


def _in_sight(folder: Path) -> list[str]:
    return [path.name for path in folder.glob("[0-9]*") if path.name.isdecimal()]


def faults(folder: Path, parts: Mapping[str, Manifest], *, checksums: bool) -> list[Fault]:
    """Compare parts with what was written.

    Parameters
    ----------
    folder
        Where the parts are.
    parts
        The summary of each, by its name.
    checksums
        Whether to read the files through, and not only look whether they are there and as long
        as they were.

    Returns
    -------
    list of Fault
        One for each file that is not as it was written, and for each part that is missing, or
        there without being among `parts`; in the order of the parts.
    """
    found = [
        Fault(name, "is none of the dataset's, or has no part.json that can be read")
        for name in set(_in_sight(folder)) - set(parts)
    ]

    def look(name: str) -> list[Fault]:
        wrong = _wrong_with(folder / name, parts[name], checksums=checksums)
        return [Fault(name, what) for what in wrong]

    with ThreadPoolExecutor(cpu_count() or 1) as pool:
        found += [fault for each in pool.map(look, parts) for fault in each]
    return sorted(found, key=lambda fault: int(fault.part))


def _wrong_with(part: Path, summary: Manifest, *, checksums: bool) -> Iterator[str]:
    if not part.is_dir():
        yield "is missing"
        return
    if checksums and load_json(part / SUMMARY) != summary:
        yield f"{SUMMARY} is not as it was written"
    for name, about in summary["files"].items():
        path = part / name
        try:
            size = path.stat().st_size
            if size != about["bytes"]:
                yield f"{name} has {size:,} bytes, and {about['bytes']:,} were written"
            elif checksums and _checksum(path) != about["sha256"]:
                yield f"{name} is not as it was written"
        except FileNotFoundError:
            yield f"{name} is missing"
        except OSError as error:
            yield f"{name} cannot be read ({error.strerror or error})"


def _checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def told(found: Iterable[Fault], limit: int = 3) -> str:
    """List some of them."""
    every = list(found)
    more = f"; and {len(every) - limit:,} more" if len(every) > limit else ""
    return "; ".join(map(str, every[:limit])) + more
