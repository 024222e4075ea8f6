"""Reading whatever a path, a folder or a pattern leads to."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from glob import glob, has_magic
from os import PathLike
from pathlib import Path
from stat import S_ISREG
from typing import Final, TypeAlias

import polars as pl

from tbframe.archive import Archive
from tbframe.errors import SourceError, TbframeError
from tbframe.findings import concat_findings, findings_from
from tbframe.schema import QUARANTINE
from tbframe.sources.merging import merge
from tbframe.sources.tables import holds_frames, read_frames, read_table_file
from tbframe.sources.trf import TrfFile, looks_like_trf, read_trf_files

__all__ = ["Source", "read"]

Source: TypeAlias = str | PathLike[str] | Iterable[str | PathLike[str]]

#: Endings that promise a tournament report file, whatever is inside.
_TRF: Final = re.compile(r"\.trf[a-z0-9]{0,3}", re.IGNORECASE)
_TABLES: Final = (".parquet", ".csv")
_HEAD: Final = 65_536


@dataclass
class _Found:
    """What the sources lead to: files to read, frames, and what cannot be used."""

    trf: list[tuple[str, bytes]] = field(default_factory=list)
    archives: list[Archive] = field(default_factory=list)
    quarantine: list[tuple[str, str, str]] = field(default_factory=list)
    passed_over: list[tuple[str, str]] = field(default_factory=list)


def read(source: Source) -> Archive:
    """Read tournaments from files of any mix of formats.

    Tournament report files (TRF16, TRFx, TRF26, ``.tab``) are known by their ending or their
    content; Parquet and CSV files of results or games, and folders that `write_frames` wrote,
    by theirs.

    Parameters
    ----------
    source
        A file, a folder (read with all its folders), a pattern such as ``"2024/*.trf"``, or
        several of these. Hidden files are passed over; a file that is reached twice is read once.

    Returns
    -------
    Archive
        The tournament key of a report file is its name without the ending, with a number
        behind it where that is not unique; the player keys are the start numbers. A file
        that cannot be trusted is in the quarantine, with its reason, and the others are read.
        Files of other kinds in a folder are reported.

    Raises
    ------
    SourceError
        If a source does not exist, or leads to no file that could be read.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "cup.trf").write_text(
    ...         "012 Cup\\n"
    ...         "001    1      Ada" + " " * 62 + " 1.0    1     2 w 1\\n"
    ...         "001    2      Bo " + " " * 62 + " 0.0    2     1 b 0\\n"
    ...     )
    ...     archive = read(folder)
    >>> archive.results.select("tournament", "player", "opponent", "result", "points").rows()
    [('cup', 1, 2, '1', 1.0), ('cup', 2, 1, '0', 0.0)]
    """
    sources = [source] if isinstance(source, str | PathLike) else list(source)
    if not sources:
        raise SourceError("nothing to read: the list of sources is empty")
    found = _Found()
    seen: set[str] = set()
    steps: dict[str, bool] = {}
    for one in sources:
        for path, named in _steps(os.fspath(one)):
            steps[path] = named or steps.get(path, False)
    for path, named in sorted(steps.items()):
        real = os.path.realpath(path)
        if real not in seen:
            seen.add(real)
            _take(path, named, found)
    if not (found.trf or found.archives or found.quarantine):
        others = ", ".join(path for path, _ in found.passed_over[:3])
        raise SourceError(
            f"nothing to read in {', '.join(map(str, sources))}: no tournament report file "
            "(.trf, .trfx, .tab, .txt) and no table (.parquet, .csv)"
            + (f"; passed over: {others}" if others else "")
        )
    return _assemble(found)


def _steps(source: str) -> Iterator[tuple[str, bool]]:
    """Paths of files, and of folders of frames, and whether the user named them."""
    if os.path.lexists(source):
        matches = [source]
    elif has_magic(source):
        matches = glob(source, recursive=True)
        if not matches:
            raise SourceError(f"{source}: nothing matches the pattern")
    else:
        beside = (
            os.listdir(folder) if os.path.isdir(folder := os.path.dirname(source) or ".") else []
        )
        near = get_close_matches(os.path.basename(source), beside, n=1)
        hint = f"; did you mean {os.path.join(os.path.dirname(source), near[0])}?" if near else ""
        raise SourceError(f"{source}: no such file or folder{hint}")
    for match in matches:
        if not os.path.isdir(match):
            yield match, True
        elif holds_frames(Path(match)):
            yield match, True
        else:
            yield from _inside(match, {os.path.realpath(match)})


def _inside(folder: str, above: set[str]) -> Iterator[tuple[str, bool]]:
    """Walk a folder; `above` keeps links from leading round in a circle."""
    try:
        entries = [entry for entry in os.scandir(folder) if not entry.name.startswith(".")]
    except OSError:
        # To be reported as unreadable, like a file.
        yield folder, True
        return
    for entry in entries:
        if not entry.is_dir():
            yield entry.path, False
        elif holds_frames(Path(entry.path)):
            yield entry.path, True
        elif (real := os.path.realpath(entry.path)) not in above:
            yield from _inside(entry.path, above | {real})


def _take(path: str, named: bool, found: _Found) -> None:
    """Read one file, or a folder of frames, into `found`."""
    suffix = os.path.splitext(path)[1].lower()
    try:
        if os.path.isdir(path):
            if holds_frames(Path(path)):
                found.archives.append(read_frames(path))
            else:
                os.listdir(path)
            return
        if not S_ISREG(os.stat(path).st_mode):
            found.quarantine.append((path, "unreadable-file", "not a regular file"))
            return
        if suffix in _TABLES:
            archive = read_table_file(Path(path))
            if archive is not None:
                found.archives.append(archive)
                return
            reason = "a table, but neither of results nor of games"
        else:
            with open(path, "rb") as file:
                data = file.read(_HEAD)
                if _TRF.fullmatch(suffix) or looks_like_trf(data):
                    found.trf.append((path, data + file.read()))
                    return
            reason = "not a kind of file that could be read"
    except OSError as error:
        found.quarantine.append((path, "unreadable-file", error.strerror or str(error)))
        return
    except TbframeError as error:
        found.quarantine.append((path, "unreadable-table", str(error)))
        return
    if named:
        found.quarantine.append((path, "unknown-format", reason))
    else:
        found.passed_over.append((path, reason))


def _assemble(found: _Found) -> Archive:
    files, renamed = _with_keys(found.trf)
    archives = found.archives
    if files or not archives:
        archives = [read_trf_files(files), *archives]
    merged = merge(archives)
    passed_over = findings_from(
        pl.DataFrame(found.passed_over, schema=["file", "reason"], orient="row"),
        code="file-passed-over",
        severity="info",
        message=pl.col("reason"),
    )
    refused = pl.DataFrame(
        [(path, None, None, code, message, 0) for path, code, message in found.quarantine],
        schema=QUARANTINE,
        orient="row",
    )
    return Archive(
        merged.results,
        merged.players,
        merged.tournaments,
        concat_findings(renamed, merged.findings, passed_over),
        pl.concat([merged.quarantine, refused]).sort("file", maintain_order=True),
    )


def _with_keys(found: list[tuple[str, bytes]]) -> tuple[list[TrfFile], pl.DataFrame]:
    """Name each file's tournament by its stem, made unique."""
    taken: dict[str, int] = {}
    stems = {os.path.splitext(os.path.basename(path))[0] for path, _ in found}
    files = []
    renamed = []
    for path, data in found:
        key = stem = os.path.splitext(os.path.basename(path))[0]
        if stem in taken:
            number = taken[stem] + 1
            while f"{stem}-{number}" in stems:
                number += 1
            key = f"{stem}-{number}"
            stems.add(key)
            taken[stem] = number
            renamed.append((path, key, stem))
        else:
            taken[stem] = 1
        files.append(TrfFile(path, key, data))
    findings = findings_from(
        pl.DataFrame(renamed, schema=["file", "tournament", "stem"], orient="row"),
        code="tournament-renamed",
        severity="info",
        message=pl.format("another file is called {} too", "stem"),
    )
    return files, findings
