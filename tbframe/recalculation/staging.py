"""Sources that are read once, in one go, into Parquet files beside the output.

A database is read in one transaction, so that all tables are of one moment; and rows in the midst
of a CSV file are found only by reading all before them. What was read is kept until the run is
complete: a run that goes on after a failure works on the same rows, whatever has been written to
the database meanwhile.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import polars as pl

from tbframe.errors import FindingWarning
from tbframe.recalculation.dataset import Tables
from tbframe.recalculation.disk import as_json, explained, load_json, remove, write_whole
from tbframe.sources.database import Database
from tbframe.sources.dataset_files import DatasetFiles
from tbframe.sources.dataset_table import DatasetTable
from tbframe.sources.datasets import open_dataset
from tbframe.sources.frame_columns import MAIN
from tbframe.sources.names import as_text

__all__ = ["staged_database", "staged_tables"]

_DONE: Final = "read.json"


def staged_database(mapping: Path, *, beside: Path, games_a_part: int) -> Tables:
    """Read a database into `beside`, unless that was done, and open what was read.

    Parameters
    ----------
    mapping
        The file that maps its tables and columns to the frames.
    beside, games_a_part
        As of `Tables`.

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
    names = sorted(done["tables"], key=lambda name: name not in MAIN)
    files = {name: tuple(sorted((folder / name).glob("*.parquet"))) for name in names}
    dataset = open_dataset(DatasetFiles(folder, as_text(mapping.stem), files, named=True))
    # What was read by another mapping is another source.
    told = done["fingerprint"].encode() + mapping.read_bytes()
    described = {"kind": "database", "fingerprint": hashlib.sha256(told).hexdigest()}
    return Tables(dataset, described, beside=beside, games_a_part=games_a_part)


def _read(mapping: Path, folder: Path) -> dict[str, Any]:
    digest = hashlib.sha256()
    names = []
    with explained(folder.parent), Database.open(mapping) as database:
        remove(folder)
        for name in database.tables:
            for path in _write(folder / name, database.batches(name)):
                digest.update(hashlib.sha256(path.read_bytes()).digest())
            names.append(name)
        for message in database.findings["message"]:
            warnings.warn(f"{mapping}: {message}", FindingWarning, stacklevel=2)
        done: dict[str, Any] = {"tables": names, "fingerprint": digest.hexdigest()}
        write_whole(folder / _DONE, as_json(done))
    return done


def staged_tables(
    tables: Mapping[str, DatasetTable], fingerprint: str, *, beside: Path
) -> dict[str, DatasetTable]:
    """Read the CSV tables of a dataset into `beside`, unless that was done.

    Parameters
    ----------
    tables
        By their names; those of Parquet files are left as they are.
    fingerprint
        Of all their files.
    beside
        Where to.

    Raises
    ------
    SourceError
        If a file cannot be read, or changes meanwhile.
    """
    folder = beside / f"tables-{fingerprint[:16]}"
    csv = {name: table for name, table in tables.items() if table.is_csv}
    if csv and load_json(folder / _DONE) is None:
        with explained(folder.parent):
            remove(folder)
            for name, table in csv.items():
                list(_write(folder / name, table.chunks()))
            write_whole(folder / _DONE, as_json({"tables": list(csv)}))
    return {
        name: table.moved_to(folder / name) if table.is_csv else table
        for name, table in tables.items()
    }


def _write(folder: Path, batches: Iterable[pl.DataFrame]) -> Iterable[Path]:
    folder.mkdir(parents=True)
    for number, rows in enumerate(batches):
        path = folder / f"{number:05d}.parquet"
        rows.write_parquet(path)
        yield path
