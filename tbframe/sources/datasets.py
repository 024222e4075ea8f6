"""A dataset: the tables of an archive, opened in one way for reading and for recalculation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from tbframe.archive import Archive
from tbframe.errors import ContractError, SourceError
from tbframe.findings import concat_findings, findings_from
from tbframe.sources.assembling import archive_by_tournament
from tbframe.sources.column_types import SCHEMA, read_types
from tbframe.sources.counting import result_rows
from tbframe.sources.dataset_files import DatasetFiles
from tbframe.sources.dataset_table import DatasetTable
from tbframe.sources.frame_columns import NEEDED, TOLD
from tbframe.sources.making import unique_keys_of
from tbframe.sources.names import as_text
from tbframe.sources.shared_types import insist_on_columns, shared_types, with_shared_keys
from tbframe.sources.table_files import TableFile, look_at

__all__ = ["Dataset", "archive_of", "insist_on_keys", "open_dataset", "read_dataset"]


@dataclass(frozen=True)
class Dataset:
    """The tables of a dataset, and what was found in opening them.

    Attributes
    ----------
    tables
        By their names, the main one first. Each has a column ``tournament``, all of one type.
    findings
        Of files that are not used, of names of columns that were changed, and the like.
    """

    tables: Mapping[str, DatasetTable]
    findings: pl.DataFrame


def open_dataset(found: DatasetFiles, columns: Mapping[str, str] | None = None) -> Dataset:
    """Look what is in the files of a dataset, and bring them to the same columns and types.

    Parameters
    ----------
    found
        Where they are.
    columns
        What the main table calls columns, by their names here; side tables may lack them.

    Raises
    ------
    SourceError
        If a file cannot be read, or lacks a column that it needs, or has it in another type than
        the other files of the table: with the name of the file.
    """
    described = read_types(found.root / SCHEMA) if found.named else {}
    files: dict[str, Sequence[TableFile]] = {}
    left_over = list(found.left_over)
    for name, paths in found.files.items():
        lone = paths[0] if len(paths) == 1 and paths[0].parent == found.root else None
        types = described.get(name) if lone and lone.suffix.lower() == ".csv" else None
        every = [
            look_at(path, found.root, name, columns=columns, described=types) for path in paths
        ]
        files[name] = [file for file in every if lone or not _is_stranger(name, file)] or every
        mine = {file.path for file in files[name]}
        left_over += [
            (file.path, f"not used: a table with the columns {', '.join(file.columns)} among "
             f"the files of {name}") for file in every if file.path not in mine
        ]  # fmt: skip
    said = [insist_on_columns(name, each) for name, each in files.items()]
    files, filled = _with_tournaments(found, files)
    types_of = with_shared_keys(
        {name: shared_types(name, each) for name, each in files.items()}, files
    )
    tables = {
        name: DatasetTable(name, _by_shape(each), found.root, types_of[name])
        for name, each in files.items()
    }
    main = tables[found.main]
    if not found.named and len(main.files) > 1 and not any(file.values for file in main.files):
        said.append(_spread(main))
    renamed = _renamed([file for each in files.values() for file in each])
    return Dataset(tables, concat_findings(_told(left_over), renamed, *said, filled))


def read_dataset(found: DatasetFiles, columns: Mapping[str, str] | None = None) -> Archive:
    """Read a dataset whole; tournaments that break the contract are set aside.

    Parameters
    ----------
    found, columns
        As of `open_dataset`.

    Raises
    ------
    SourceError, ContractError
        As `open_dataset`, and if rows have no tournament, or something is wrong with a column.
    """
    dataset = open_dataset(found, columns)
    frames = {}
    for name, table in dataset.tables.items():
        with table.readable():
            frames[name] = table.frame.collect()
    return archive_of(frames, found.main, as_text(found.root), dataset.findings)


def archive_of(
    frames: Mapping[str, pl.DataFrame], main: str, source: str, findings: pl.DataFrame
) -> Archive:
    """Put the frames of a dataset together; `findings` come first among those of the archive."""
    tables = {name: frame for name, frame in frames.items() if name not in TOLD}
    for name, frame in tables.items():
        if "tournament" in frame.columns:
            insist_on_keys(name, frame.group_by("tournament").len("rows"))
    each = [frame.select("tournament") for frame in tables.values() if "tournament" in frame]
    keys = pl.concat(each).unique().sort("tournament").to_series()
    rows = result_rows(frames, main, keys)
    archive = archive_by_tournament(frames, source, keys, rows)
    return replace(archive, findings=concat_findings(findings, archive.findings))


def insist_on_keys(table: str, rows: pl.DataFrame) -> None:
    """Refuse rows without a tournament.

    Parameters
    ----------
    table
        What messages call the table.
    rows
        ``tournament``, and how many ``rows`` it has.

    Raises
    ------
    ContractError
        If there are such rows.
    """
    nowhere = rows.filter(pl.col("tournament").is_null())["rows"].sum()
    if nowhere:
        raise ContractError(
            f"{table}: {nowhere:,} rows without a tournament, of which nobody can say where "
            "they belong"
        )


def _is_stranger(table: str, file: TableFile) -> bool:
    """Whether a file has next to nothing of what the table needs: it lies there by chance."""
    return table in NEEDED and len({*NEEDED[table]} & {*file.types}) < 2


def _with_tournaments(
    found: DatasetFiles, files: Mapping[str, Sequence[TableFile]]
) -> tuple[dict[str, Sequence[TableFile]], pl.DataFrame]:
    """Fill the key of the tournament where tables have no column for it.

    A table without such a column is of one tournament, called like the folder, or as the other
    tables call it; several files of nothing but one table are of one each, called like the files.
    """
    main = found.main
    having = {name: "tournament" in each[0].types for name, each in files.items()}
    without = [name for name in files if not having[name]]
    if not without:
        return dict(files), _told([])
    if without == [main] and len(files[main]) > 1:
        names = unique_keys_of(file.path for file in files[main])
        named = [file.of(tournament=names[file.path]) for file in files[main]]
        return {**files, main: named}, _told([])
    known = {key for name in files if having[name] and name not in TOLD
             for key in _keys(found, name, files[name])}  # fmt: skip
    if having[main]:
        known = _keys(found, main, files[main])
    if len(known) > 1:
        if having[main]:
            return dict(files), _told([])  # the contract of the side table will tell
        raise SourceError(
            f"{files[main][0].path}: there is no column 'tournament', and the tables beside are "
            f"of {len(known):,} tournaments"
        )
    key = next(iter(known), found.called)
    filled = pl.DataFrame(
        [(as_text(files[name][0].path), str(key)) for name in without if name != main],
        schema=["file", "tournament"], orient="row",
    )  # fmt: skip
    return {
        name: each if having[name] else [file.of(tournament=key) for file in each]
        for name, each in files.items()
    }, findings_from(
        filled.cast(pl.String), code="tournament-filled", severity="info",
        message=pl.format("no column 'tournament': read as about '{}'", "tournament"),
    )  # fmt: skip


def _keys(found: DatasetFiles, name: str, files: Sequence[TableFile]) -> set[object]:
    """Return the tournaments of a table."""
    types = with_shared_keys({name: shared_types(name, files)}, {name: files})[name]
    table = DatasetTable(name, _by_shape(files), found.root, types)
    with table.readable():
        keys = table.frame.select(pl.col("tournament").unique()).collect(engine="streaming")
    return {*keys["tournament"].drop_nulls()}


def _by_shape(files: Sequence[TableFile]) -> tuple[TableFile, ...]:
    """Let files of one shape follow each other, so that they can be read in one go."""
    places: dict[object, int] = {}
    for file in files:
        places.setdefault(file.shape, len(places))
    return tuple(sorted(files, key=lambda file: places[file.shape]))


def _told(left_over: Sequence[tuple[Path, str]]) -> pl.DataFrame:
    rows = [(as_text(path), reason) for path, reason in left_over]
    return findings_from(
        pl.DataFrame(rows, schema=["file", "reason"], orient="row").cast(pl.String),
        code="file-passed-over", severity="warning", message=pl.col("reason"),
    )  # fmt: skip


def _renamed(files: Sequence[TableFile]) -> pl.DataFrame:
    rows = [
        (as_text(file.path), ", ".join(f"{old!r} as {new!r}" for old, new in renamed.items()))
        for file in files
        if (renamed := file.renamed)
    ]
    return findings_from(
        pl.DataFrame(rows, schema=["file", "pairs"], orient="row").cast(pl.String),
        code="columns-renamed", severity="info", message=pl.format("columns read: {}", "pairs"),
    )  # fmt: skip


def _spread(main: DatasetTable) -> pl.DataFrame:
    """Warn of tournaments in several files that nobody put together under one name."""
    return findings_from(
        main.spread(),
        code="tournament-in-several-files",
        severity="warning",
        message=pl.format("rows of several files, the first {} and the last {}, are taken as one "
                          "tournament", "first", "last"),
    )  # fmt: skip
