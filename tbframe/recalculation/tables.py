"""The tables of a Parquet dataset: which frames there are, and where their files lie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import polars as pl
from polars.exceptions import PanicException, PolarsError

from tbframe.errors import SourceError
from tbframe.recalculation.disk import DiskError

__all__ = ["MAIN", "ParquetTable", "parquet_tables", "with_lone_tournament"]

#: The tables that rows are counted in; a dataset has one of them.
MAIN: Final = ("results", "games", "boards")
#: All tables that a dataset may have.
TABLES: Final = (*MAIN, "byes", "players", "tournaments", "members")
#: Rows that are held at once while a table is read through.
_CHUNK: Final = 2_000_000


@dataclass(frozen=True)
class ParquetTable:
    """One table: a Parquet file, or several below one folder."""

    name: str
    files: tuple[Path, ...]
    root: Path
    lone: str | None = None  # the key of the only tournament, where there is no column for it

    @property
    def frame(self) -> pl.LazyFrame:
        """All rows, with what the names of Hive folders say (``year=2024``) as columns."""
        frame = pl.scan_parquet(
            list(self.files),
            hive_partitioning=any("=" in path.name for file in self.files for path in
                                  file.relative_to(self.root).parents),
            missing_columns="insert",
            extra_columns="ignore",
        )  # fmt: skip
        return frame if self.lone is None else frame.with_columns(tournament=pl.lit(self.lone))

    def chunks(self, *columns: str) -> Iterator[pl.DataFrame]:
        """Read the table through, in the order of its files."""
        frame = self.frame.select(columns) if columns else self.frame
        there = 0
        with self.readable():
            for chunk in frame.collect_batches(chunk_size=_CHUNK, maintain_order=True):
                there += chunk.height
                yield chunk
            # Polars ends without a word where it stumbles over damage.
            expected = self.frame.select(pl.len()).collect().item()
            if there != expected:
                raise PolarsError(f"{there:,} rows of {expected:,} can be read")

    def rows(self, start: int, number: int) -> pl.DataFrame:
        """Read a range of rows."""
        with self.readable():
            return self.frame.slice(start, number).collect()

    @contextmanager
    def readable(self) -> Iterator[None]:
        """Say of which source it is that cannot be read, or not any more.

        Raises
        ------
        DiskError
            If a file is gone, in the place of what is raised within.
        SourceError
            If there is something else in a file than there should be.
        """
        try:
            yield
        except (OSError, PolarsError, PanicException) as error:
            where = self._unreadable() or self.root
            kind = DiskError if isinstance(error, OSError) else SourceError
            raise kind(f"{where}: the table {self.name} cannot be read ({error})") from error

    def _unreadable(self) -> Path | None:
        """Find the file that is to blame, which takes its time but is asked for only once."""
        for file in self.files:
            try:
                pl.scan_parquet(file).collect()
            except (OSError, PolarsError, PanicException):
                return file
        return None

    def fingerprint(self) -> str:
        """Name every file, its size and its time: what changes where the table does."""
        about = ((file.relative_to(self.root), file.stat()) for file in self.files)
        return "\n".join(f"{path} {stat.st_size} {stat.st_mtime_ns}" for path, stat in about)


def parquet_tables(source: Path) -> Mapping[str, ParquetTable] | None:
    """Find the tables of a dataset.

    Parameters
    ----------
    source
        A Parquet file of results or games; a folder with ``results.parquet`` or a folder
        ``results`` of Parquet files (or ``games``, ``boards``), and so ``players``,
        ``tournaments``, ``byes`` and ``members``; or a folder with nothing but Parquet files,
        which are all of one table of results or games.

    Returns
    -------
    mapping
        By the names of the tables; ``None`` if it is no such dataset.

    Raises
    ------
    SourceError
        If a file cannot be read.
    """
    found = _find(source)
    return with_lone_tournament(found, source.stem) if found else None


def with_lone_tournament(tables: Mapping[str, ParquetTable], key: str) -> dict[str, ParquetTable]:
    """Give the tables of a single tournament, which have no column for it, its key."""
    main = next(name for name in MAIN if name in tables)
    if "tournament" in _columns(tables[main]):
        return dict(tables)
    return {
        name: table if "tournament" in _columns(table) else replace(table, lone=key)
        for name, table in tables.items()
    }


def _find(source: Path) -> Mapping[str, ParquetTable]:
    if source.is_file():
        return _only(source, (source,)) if source.suffix.lower() == ".parquet" else {}
    found = {
        name: ParquetTable(name, files, source)
        for name in TABLES
        if (files := tuple(_files(source, name)))
    }
    if any(name in found for name in MAIN):
        return found
    every = sorted(path for path in source.rglob("*") if path.is_file() and not _hidden(path))
    if every and all(path.suffix.lower() == ".parquet" for path in every):
        return _only(source, tuple(every))
    return {}


def _files(folder: Path, name: str) -> Iterator[Path]:
    single = folder / f"{name}.parquet"
    if single.is_file():
        yield single
    inside = folder / name
    if inside.is_dir():
        yield from sorted(path for path in inside.rglob("*.parquet") if not _hidden(path))


def _hidden(path: Path) -> bool:
    return path.name.startswith((".", "_"))


def _only(source: Path, files: tuple[Path, ...]) -> Mapping[str, ParquetTable]:
    """Tell by the columns what the only table is."""
    root = source if source.is_dir() else source.parent
    table = ParquetTable("results", files, root)
    columns = _columns(table)
    if {"white", "black"} <= columns:
        table = ParquetTable("games", files, root)
    elif not {"player", "result"} <= columns:
        raise SourceError(
            f"{source}: a table with the columns {', '.join(sorted(columns))}: one of results "
            "needs round, player, opponent, result, and one of games white, black, result"
        )
    return {table.name: table}


def _columns(table: ParquetTable) -> set[str]:
    with table.readable():
        return set(table.frame.collect_schema())
