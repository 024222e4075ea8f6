"""The ledger on disk: tournaments in canonical order and numbered, so that this is paid once.

Each part of the folder holds the frames of some thousand tournaments, sorted by their keys.
``results`` has row numbers of the part's ``players`` in the place of keys (``player_row``,
``opponent_row``), which makes it small and spares the search for opponents.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import polars as pl
from polars.exceptions import PolarsError

from tbframe.archive import Archive
from tbframe.errors import ContractError, SourceError
from tbframe.ledger.numbering import named, verify
from tbframe.sources.manifests import LEDGER, PARTS, Manifest, fingerprint_of, read_manifest

__all__ = ["Ledgers", "is_ledger", "load_part", "read_ledger"]

_FRAMES: Final = ("results", "players", "tournaments", "findings", "quarantine")
_TEAMS: Final = ("boards", "members")


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
        If it is not complete.
    """

    def __init__(self, folder: Path) -> None:
        manifest = read_manifest(folder) or {}
        if not manifest.get("complete"):
            raise SourceError(f"{folder}: the ledger is not complete; write it with resume=True")
        self._folder = folder
        self._names = list(manifest["parts"])
        self.summaries: list[Manifest] = list(manifest["parts"].values())
        self.fingerprint = fingerprint_of(manifest)

    def load(self, number: int) -> tuple[Archive, pl.DataFrame]:
        """Read one part, and look whether it is in order.

        Returns
        -------
        archive, numbered
            Its tournaments, and their results with row numbers in the place of keys.

        Raises
        ------
        SourceError
            If a file is gone, or the part is not what was written.
        """
        folder = self._folder / PARTS / self._names[number]
        return load_part(str(folder), self.summaries[number], lambda name: folder / name)


def load_part(
    called: str, summary: Manifest, fetch: Callable[[str], Path | bytes]
) -> tuple[Archive, pl.DataFrame]:
    """Read one part of a ledger, and look whether it is in order.

    Parameters
    ----------
    called
        What messages call the part.
    summary
        What the manifest says of it.
    fetch
        Gives the path of a file of the part, or what is in it.

    Returns
    -------
    archive, numbered
        As of `Ledgers.load`.

    Raises
    ------
    SourceError
        As `Ledgers.load`.
    """
    written = summary["files"]
    try:
        frames = {
            name: pl.read_parquet(fetch(f"{name}.parquet"))
            for name in (*_FRAMES, *_TEAMS)
            if f"{name}.parquet" in written
        }
        for name, frame in frames.items():
            _insist_on_rows(name, frame, written[f"{name}.parquet"]["rows"])
        verify(frames["results"], frames["players"], frames["tournaments"])
    except (OSError, PolarsError, ContractError) as error:
        raise SourceError(
            f"{called}: is not as it was written ({error}); write the ledger anew"
        ) from error
    numbered = frames["results"]
    return Archive(**frames | {"results": named(numbered, frames["players"])}), numbered


def _insist_on_rows(name: str, frame: pl.DataFrame, rows: int) -> None:
    if frame.height != rows:
        raise ContractError(f"{name} has {frame.height:,} rows, and {rows:,} were written")


def read_ledger(folder: Path) -> Archive:
    """Read a whole ledger as an archive."""
    ledgers = Ledgers(folder)
    archives = [ledgers.load(part)[0] for part in range(len(ledgers.summaries))]
    frames = {
        name: pl.concat(there, how="diagonal_relaxed")
        for name in (*_FRAMES, *_TEAMS)
        if (there := [frame for each in archives if (frame := getattr(each, name)) is not None])
    }
    return Archive(**frames)
