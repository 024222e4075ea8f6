"""A database as a source: read once, in one go, into Parquet files beside the output.

A database is read in one transaction, so that all tables are of one moment. What was read is
kept until the run is complete: a run that goes on after a failure works on the same rows,
whatever has been written to the database meanwhile.
"""

from __future__ import annotations

import hashlib
import warnings
from pathlib import Path
from typing import Any, Final

from tbframe.errors import FindingWarning
from tbframe.recalculation.dataset import Dataset
from tbframe.recalculation.disk import as_json, explained, load_json, remove, write_whole
from tbframe.recalculation.tables import ParquetTable, with_lone_tournament
from tbframe.sources.database import Database

__all__ = ["staged"]

_DONE: Final = "read.json"


def staged(mapping: Path, *, beside: Path, games_a_part: int) -> Dataset:
    """Read a database into `beside`, unless that was done, and open what was read.

    Parameters
    ----------
    mapping
        The file that maps its tables and columns to the frames.
    beside, games_a_part
        As of `Dataset`.

    Raises
    ------
    SourceError
        If the database cannot be read.

    Warns
    -----
    FindingWarning
        If something was assumed of the values of a table.
    """
    folder = beside / "database"
    done = load_json(folder / _DONE)
    if done is None:
        done = _read(mapping, folder)
    tables = {
        name: ParquetTable(name, tuple(sorted((folder / name).glob("*.parquet"))), folder)
        for name in done["tables"]
    }
    tables = with_lone_tournament(tables, mapping.stem)
    # What was read by another mapping is another source.
    told = done["fingerprint"].encode() + mapping.read_bytes()
    described = {"kind": "database", "fingerprint": hashlib.sha256(told).hexdigest()}
    return Dataset(tables, described, beside=beside, games_a_part=games_a_part)


def _read(mapping: Path, folder: Path) -> dict[str, Any]:
    digest = hashlib.sha256()
    names = []
    with explained(folder.parent), Database.open(mapping) as database:
        remove(folder)
        for name in database.tables:
            (folder / name).mkdir(parents=True)
            for number, rows in enumerate(database.batches(name)):
                path = folder / name / f"{number:05d}.parquet"
                rows.write_parquet(path)
                digest.update(hashlib.sha256(path.read_bytes()).digest())
            names.append(name)
        for message in database.findings["message"]:
            warnings.warn(f"{mapping}: {message}", FindingWarning, stacklevel=2)
        done: dict[str, Any] = {"tables": names, "fingerprint": digest.hexdigest()}
        write_whole(folder / _DONE, as_json(done))
    return done
