"""The ledger on disk: tournaments in canonical order and numbered, so that this is paid once.

Each part of the folder holds the frames of some thousand tournaments, sorted by their keys.
``results`` has row numbers of the part's ``players`` in the place of keys (``player_row``,
``opponent_row``), which makes it small and spares the search for opponents.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Final

import polars as pl
from polars.exceptions import PanicException, PolarsError

from tbframe.archive import Archive
from tbframe.errors import ContractError, SourceError
from tbframe.ledger.numbering import named, verify
from tbframe.sources.manifests import LEDGER, PARTS, Manifest, fingerprint_of, read_manifest

__all__ = ["CONTENTS", "LedgerPart", "Ledgers", "is_ledger", "load_part", "read_ledger"]

_FRAMES: Final = ("results", "players", "tournaments", "findings", "quarantine")
_TEAMS: Final = ("boards", "members")
#: What else a part has: its counts and checksums.
SUMMARY: Final = "part.json"
_ANEW: Final = "write the ledger anew"
#: The file with the hash of what each tournament holds.
CONTENTS: Final = "contents"


@dataclass(frozen=True)
class LedgerPart:
    """One part of a ledger.

    Attributes
    ----------
    archive
        Its tournaments.
    numbered
        Their results with rows of the players in the place of keys.
    contents
        The hash of what each tournament holds.
    """

    archive: Archive
    numbered: pl.DataFrame
    contents: pl.Series


def is_ledger(folder: Path) -> bool:
    """Whether a folder is a ledger."""
    manifest = read_manifest(folder) if folder.is_dir() else None
    return manifest is not None and manifest["settings"]["kind"] == LEDGER


class Ledgers:
    """The parts of a ledger.

    Parameters
    ----------
    folder
        What `write_ledger` wrote.

    Attributes
    ----------
    summaries
        The counts and checksums of each part.
    fingerprint
        A text that changes with any of them.

    Raises
    ------
    SourceError
        If it is not complete, a file is gone, or there are others than were written.
    """

    def __init__(self, folder: Path) -> None:
        manifest = read_manifest(folder) or {}
        if not manifest.get("complete"):
            raise SourceError(f"{folder}: the ledger is not complete; write it with resume=True")
        self._folder = folder
        self._names = list(manifest["parts"])
        self.summaries: list[Manifest] = list(manifest["parts"].values())
        self.fingerprint = fingerprint_of(manifest)
        _insist_on_names(folder / PARTS, self._names)
        for name, summary in zip(self._names, self.summaries, strict=True):
            _insist_on_names(folder / PARTS / name, [*summary["files"], SUMMARY])

    def load(self, number: int) -> LedgerPart:
        """Read one part, and look whether it is in order.

        Raises
        ------
        SourceError
            If a file is gone, or the part is not what was written.
        """
        folder = self._folder / PARTS / self._names[number]
        return load_part(str(folder), self.summaries[number], lambda name: folder / name)


def load_part(called: str, summary: Manifest, fetch: Callable[[str], Path | bytes]) -> LedgerPart:
    """Read one part of a ledger, and look whether it is in order.

    Parameters
    ----------
    called
        What messages call the part.
    summary
        What the manifest says of it.
    fetch
        Gives the path of a file of the part, or what is in it.

    Raises
    ------
    SourceError
        As `Ledgers.load`.
    """
    written = summary["files"]
    try:
        frames = {
            name: _read(fetch(f"{name}.parquet"), name, written[f"{name}.parquet"]["sha256"])
            for name in (*_FRAMES, *_TEAMS, CONTENTS)
            if f"{name}.parquet" in written or name not in _TEAMS
        }
        verify(frames["results"], frames["players"], frames["tournaments"])
    except (OSError, KeyError, PolarsError, PanicException, ContractError) as error:
        raise SourceError(f"{called}: is not as it was written ({error}); {_ANEW}") from error
    numbered, contents = frames["results"], frames.pop(CONTENTS)["content"]
    archive = Archive(**frames | {"results": named(numbered, frames["players"])})
    return LedgerPart(archive, numbered, contents)


def _read(source: Path | bytes, name: str, checksum: str) -> pl.DataFrame:
    """Read a file, and look whether it has the bytes that were written."""
    data = source if isinstance(source, bytes) else source.read_bytes()
    if hashlib.sha256(data).hexdigest() != checksum:
        raise ContractError(f"{name}.parquet has other bytes than its checksum says")
    return pl.read_parquet(BytesIO(data))


def _insist_on_names(folder: Path, names: Sequence[str]) -> None:
    """Compare what is in a folder with what was written."""
    try:
        there = {entry.name for entry in folder.iterdir() if not entry.name.startswith(".")}
    except OSError as error:
        reason = error.strerror or str(error)
        raise SourceError(f"{folder}: cannot be read ({reason}); {_ANEW}") from error
    for name in sorted(there ^ {*names}):
        wrong = "is no file of the ledger: remove it, or" if name in there else "is gone;"
        raise SourceError(f"{folder / name}: {wrong} {_ANEW}")


def read_ledger(folder: Path) -> Archive:
    """Read a whole ledger as an archive."""
    ledgers = Ledgers(folder)
    archives = [ledgers.load(part).archive for part in range(len(ledgers.summaries))]
    frames = {
        name: pl.concat(there, how="diagonal_relaxed")
        for name in (*_FRAMES, *_TEAMS)
        if (there := [frame for each in archives if (frame := getattr(each, name)) is not None])
    }
    if "game" in frames["results"].columns:  # some parts have no second games
        frames["results"] = frames["results"].with_columns(pl.col("game").fill_null(1))
    return Archive(**frames)
