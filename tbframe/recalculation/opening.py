"""Finding out what kind of source a path is."""

from __future__ import annotations

import hashlib
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from tbframe.archive import Archive
from tbframe.errors import SourceError
from tbframe.recalculation.dataset import Dataset
from tbframe.recalculation.ledger_parts import LedgerParts
from tbframe.recalculation.memory import InMemory
from tbframe.recalculation.parts import PartSource
from tbframe.recalculation.reports import Reports
from tbframe.recalculation.staging import staged
from tbframe.recalculation.tables import parquet_tables
from tbframe.sources.ledgers import is_ledger
from tbframe.sources.manifests import read_manifest

__all__ = ["BulkSource", "open_source"]

BulkSource: TypeAlias = Archive | str | PathLike[str] | list[str | PathLike[str]]


def open_source(source: BulkSource, *, beside: Path, games_a_part: int) -> PartSource:
    """Open a source of any kind.

    Parameters
    ----------
    source
        An archive; a ledger; a Parquet dataset; a database by its mapping (``.toml``); or
        report files: a folder, a pattern or a list.
    beside
        A folder for what has to be written on the way.
    games_a_part
        About how many games a part has.

    Raises
    ------
    SourceError
        If it does not exist, or is nothing of these.
    """
    if isinstance(source, Archive):
        return InMemory(source, games_a_part=games_a_part)
    path = None if isinstance(source, list) else Path(source)
    if path is not None and path.exists():
        if is_ledger(path):
            return LedgerParts(path)
        if path.is_dir() and read_manifest(path) is not None:
            raise SourceError(f"{path}: the output of a recalculation, not what to recalculate")
        if path.suffix.lower() == ".toml":
            return staged(path, beside=beside, games_a_part=games_a_part)
        tables = parquet_tables(path)
        if tables is not None:
            told = "\n".join(f"{name}\n{table.fingerprint()}" for name, table in tables.items())
            described = {
                "kind": "parquet",
                "fingerprint": hashlib.sha256(told.encode()).hexdigest(),
            }
            return Dataset(tables, described, beside=beside, games_a_part=games_a_part)
    return Reports(source, games_a_part=games_a_part)
