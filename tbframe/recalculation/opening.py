"""Finding out what kind of source a path is."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from tbframe.archive import Archive
from tbframe.errors import SourceError
from tbframe.findings import concat_findings
from tbframe.recalculation.dataset import Tables
from tbframe.recalculation.leaving_out import left_out
from tbframe.recalculation.ledger_parts import LedgerParts
from tbframe.recalculation.memory import InMemory
from tbframe.recalculation.parts import PartSource
from tbframe.recalculation.pgn_files import PgnFiles
from tbframe.recalculation.reports import Reports
from tbframe.recalculation.staging import staged_database, staged_tables
from tbframe.sources.dataset_files import find_dataset, paths_below
from tbframe.sources.datasets import open_dataset
from tbframe.sources.formats import PGN
from tbframe.sources.ledgers import is_ledger
from tbframe.sources.manifests import read_manifest
from tbframe.sources.reading import Source, list_files
from tbframe.sources.recognising import Recognised, recognise

__all__ = ["BulkSource", "open_source"]

BulkSource: TypeAlias = Archive | str | PathLike[str] | list[str | PathLike[str]]


def open_source(source: BulkSource, *, beside: Path, games_a_part: int) -> PartSource:
    """Open a source of any kind.

    Parameters
    ----------
    source
        An archive; a ledger; a dataset (the tables of a folder, or one table); a database by its
        mapping (``.toml``); or tournament files: a folder, a pattern or a list.
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
            return staged_database(path, beside=beside, games_a_part=games_a_part)
        tables = _open_tables(path, beside=beside, games_a_part=games_a_part)
        if tables is not None:
            return tables
    games = _open_pgn(source, beside=beside, games_a_part=games_a_part)
    return games or Reports(source, games_a_part=games_a_part)


def _open_pgn(source: Source, *, beside: Path, games_a_part: int) -> PgnFiles | None:
    """Open PGN files; ``None`` where there are other tournament files among them."""
    found = [path for path, _ in list_files(source)]
    known = {path: recognised for path in found if (recognised := _known(path)) is not None}
    games = [path for path, what in known.items() if what.format == PGN]
    if not games or any(what.format != PGN for what in known.values()):
        return None
    others = [path for path in found if path not in known]
    findings = left_out(others, "among PGN files")
    return PgnFiles(games, findings, beside=beside, games_a_part=games_a_part)


def _known(path: Path) -> Recognised | None:
    """Recognise a tournament file; one that cannot be looked at is for `Reports` to set aside."""
    try:
        what = recognise(path)
    except OSError:
        return Recognised("known")
    return what if what.kind in ("report", "known") else None


def _open_tables(source: Path, *, beside: Path, games_a_part: int) -> Tables | None:
    """Open the tables of a dataset; ``None`` where a source is none."""
    if not (source.is_dir() or recognise(source).kind == "table"):
        return None
    found = find_dataset(source)
    if found is None:
        return None
    dataset = open_dataset(found)
    others = [path for path in paths_below(source) if path not in found.paths]
    others = others if source.is_dir() else []
    told = [
        *(f"{name}\n{table.fingerprint()}" for name, table in dataset.tables.items()),
        *map(str, others),
    ]
    fingerprint = hashlib.sha256("\n".join(told).encode("utf-8", "surrogateescape")).hexdigest()
    findings = concat_findings(dataset.findings, left_out(others, "beside the tables of a dataset"))
    tables = staged_tables(dataset.tables, fingerprint, beside=beside)
    described = {"kind": "tables", "fingerprint": fingerprint}
    return Tables(
        replace(dataset, tables=tables, findings=findings), described,
        beside=beside, games_a_part=games_a_part,
    )  # fmt: skip
