"""Keeping what is read apart from what is written: no run may write into its own source."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from glob import glob, has_magic
from os import PathLike
from pathlib import Path

from tbframe.archive import Archive
from tbframe.errors import SourceError
from tbframe.sources.database.address import is_address
from tbframe.sources.database.mapping import is_mapping, read_mapping

__all__ = ["insist_apart"]


def insist_apart(
    source: Archive | str | PathLike[str] | list[str | PathLike[str]], out: Path
) -> None:
    """Refuse a folder that is the source, lies in it, or has it or a piece of it inside.

    Parameters
    ----------
    source
        As of `recalc`: each path of a list, what a pattern matches, the database of a mapping,
        and what links in a folder lead to.
    out
        The folder that is to be filled; it need not be there.

    Raises
    ------
    SourceError
        If they are not apart.
    """
    if isinstance(source, Archive):
        return
    target = _Target(out)
    for each in source if isinstance(source, list) else [source]:
        if str(each).strip():  # opening refuses the others
            for path in _places(str(each), target.folder):
                target.compare(path)


class _Target:
    """The folder that is to be filled, compared with what is read."""

    def __init__(self, out: Path) -> None:
        self.folder = Path(os.path.realpath(out))
        self._out = out
        # Disks may spell one thing in several ways, so it is also known by its number.
        self._number = _number(self.folder)
        self._above = {number for path in self.folder.parents if (number := _number(path))}

    def compare(self, path: Path) -> None:
        source = Path(os.path.realpath(path))
        number = _number(source)
        if source == self.folder or (number and number == self._number):
            wrong = "is the source itself"
        elif source in self.folder.parents or number in self._above:
            wrong = f"lies in the source {path}"
        elif self.folder in source.parents:
            wrong = f"holds the source {path}"
        else:
            return
        raise SourceError(f"{self._out} {wrong}: name a folder apart from it")


def _number(path: Path) -> tuple[int, int] | None:
    try:
        stat = path.stat()
    except (OSError, ValueError):  # not there
        return None
    return stat.st_dev, stat.st_ino


def _places(source: str, folder: Path) -> Iterator[Path]:
    """Give the files and folders that a source consists of."""
    path = Path(source)
    if os.path.lexists(path) or not has_magic(source):
        found = [path]
    else:
        # The folder may not be there yet: the next time it would be among what is read.
        pattern = _resolved(path).parts
        yield from (each for each in (folder, *folder.parents) if _matches(each.parts, pattern))
        found = [Path(match) for match in glob(source, recursive=True)]  # noqa: PTH207
    for each in found:
        yield each
        if os.path.isdir(each):  # noqa: PTH112 - any text may have been given
            yield from _links(each, {os.path.realpath(each)})
        elif each.suffix.lower() == ".toml" and is_mapping(each):
            address = read_mapping(each).address
            if not is_address(address):
                yield Path(address)


def _links(folder: Path, above: set[str]) -> Iterator[Path]:
    """Give where the links in a folder lead; `above` keeps them from going round in a circle."""
    try:
        entries = [each for each in os.scandir(folder) if not each.name.startswith(".")]
        folders = [each for each in entries if each.is_dir()]
    except OSError:  # reading will tell
        return
    yield from (Path(each.path) for each in entries if each.is_symlink())
    for entry in folders:
        real = os.path.realpath(entry.path) if entry.is_symlink() else entry.path
        if real not in above:
            yield from _links(Path(entry.path), above | {real})


def _resolved(pattern: Path) -> Path:
    """Resolve the links in what comes before the first sign with a meaning."""
    parts = pattern.parts
    fixed = next(place for place, part in enumerate(parts) if has_magic(part))
    return Path(os.path.realpath(Path(*parts[:fixed])), *parts[fixed:])


def _matches(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Tell whether a path matches a pattern, whose ``**`` stands for any number of folders."""
    if not pattern:
        return not parts
    if pattern[0] == "**":
        return any(_matches(parts[start:], pattern[1:]) for start in range(len(parts) + 1))
    return bool(parts) and fnmatchcase(parts[0], pattern[0]) and _matches(parts[1:], pattern[1:])
