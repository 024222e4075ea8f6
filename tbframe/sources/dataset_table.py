"""One table of a dataset: the rows of all its files, in the same columns and types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import polars as pl
from polars.exceptions import PanicException, PolarsError

from tbframe.errors import SourceError
from tbframe.sources.column_types import typed
from tbframe.sources.csv_text import with_type
from tbframe.sources.escaping import unescaped_text
from tbframe.sources.table_files import TableFile, look_at, stamp_of

__all__ = ["DatasetTable", "SourceChangedError"]

#: Rows that are held at once while a table is read through.
_CHUNK: Final = 2_000_000
#: Rows and files that are read through in one go: a plan for thousands of files is slow to make.
_LOT: Final = (20_000_000, 1_000)
#: The column that says of which file a row is, while it is needed.
_PATH: Final = "__path__"


class SourceChangedError(SourceError):
    """A file is not, or not any more, what it was when it was first looked at."""

    def __init__(self, path: Path, how: str) -> None:
        super().__init__(
            f"{path}: {how} since the run began. Put it back as it was and go on with "
            "resume=True, or begin anew with overwrite=True"
        )


@dataclass(frozen=True)
class DatasetTable:
    """One table.

    Attributes
    ----------
    name
        ``results``, ``games``, ``boards``, ``byes``, ``players``, ``tournaments``, ``members``,
        ``findings`` or ``quarantine``.
    files
        Files of one shape follow each other.
    root
        The folder that they are in.
    types
        The columns and their types.
    """

    name: str
    files: tuple[TableFile, ...]
    root: Path
    types: Mapping[str, pl.DataType]

    @property
    def frame(self) -> pl.LazyFrame:
        """All rows."""
        return self._frame(self.files)

    @property
    def empty(self) -> pl.DataFrame:
        """The columns without rows."""
        return pl.DataFrame(schema=dict(self.types))

    @property
    def is_csv(self) -> bool:
        """Whether some of it is CSV, in the midst of which nothing can be found."""
        return any(file.separator is not None for file in self.files)

    def moved_to(self, folder: Path) -> DatasetTable:
        """Return the table as it was written anew, as Parquet files in another folder.

        Raises
        ------
        SourceError
            If a file cannot be read.
        """
        paths = sorted(folder.glob("*.parquet"))
        files = tuple(look_at(path, folder, self.name) for path in paths)
        return replace(self, files=files, root=folder)

    def chunks(self, *columns: str) -> Iterator[pl.DataFrame]:
        """Read the table through, in the order of its files."""
        for files in self._lots():
            frame = self._frame(files)
            wanted = frame.select(columns) if columns else frame
            there = 0
            with self.readable(files):
                for chunk in wanted.collect_batches(chunk_size=_CHUNK, maintain_order=True):
                    there += chunk.height
                    yield chunk
                if not self.is_csv:  # Polars ends without a word where it stumbles over damage
                    expected = frame.select(pl.len()).collect().item()
                    if there != expected:
                        raise PolarsError(f"{there:,} rows of {expected:,} can be read")
            self.insist_unchanged(files)

    def spread(self) -> pl.DataFrame:
        """List the tournaments with rows in several files: ``tournament``, ``first``, ``last``."""
        places = [
            files[0]
            .scan([file.path for file in files], _PATH)
            .select(pl.col(theirs).cast(pl.String).alias("tournament"), _PATH)
            .unique()
            for files in self._alike(self.files)
            for theirs, ours in zip(files[0].columns, files[0].names, strict=True)
            if ours == "tournament"
        ]
        if not places:
            return pl.DataFrame(schema=dict.fromkeys(("tournament", "first", "last"), pl.String))
        with self.readable():
            return (
                pl.concat(places)
                .group_by("tournament")
                .agg(pl.len(), first=pl.col(_PATH).min(), last=pl.col(_PATH).max())
                .filter(pl.col("len") > 1)
                .drop("len")
                .sort("tournament")
                .collect(engine="streaming")
            )

    def rows(self, start: int, number: int) -> pl.DataFrame:
        """Read a range of rows; of CSV their number must be known."""
        files, skipped, place = [], 0, 0
        for file in self.files:
            height = file.rows or 0
            if place + height <= start:
                skipped += height
            elif place < start + number:
                files.append(file)
            place += height
        if not files:
            return self.empty
        with self.readable(files):
            rows = self._frame(files).slice(start - skipped, number).collect()
        self.insist_unchanged(files)
        return rows

    def _lots(self) -> Iterator[list[TableFile]]:
        lot: list[TableFile] = []
        rows = 0
        for file in self.files:
            if lot and (rows + (file.rows or 0) > _LOT[0] or len(lot) >= _LOT[1]):
                yield lot
                lot, rows = [], 0
            lot.append(file)
            rows += file.rows or 0
        if lot:
            yield lot

    def _frame(self, files: Sequence[TableFile]) -> pl.LazyFrame:
        if not files:
            return self.empty.lazy()
        return pl.concat(self._scan(each) for each in self._alike(files))

    @staticmethod
    def _alike(files: Sequence[TableFile]) -> list[list[TableFile]]:
        """Put files together that can be read in one go: polars plans each scan for long."""
        alike: dict[object, list[TableFile]] = {}
        for file in files:
            alike.setdefault(file.shape, []).append(file)
        return list(alike.values())

    def _scan(self, files: Sequence[TableFile]) -> pl.LazyFrame:
        """Read files of one shape; what they lack is null."""
        first = files[0]
        paths = [file.path for file in files]
        frame = first.scan(paths, _PATH if first.values else None)
        theirs = dict(zip(first.names, first.columns, strict=True))
        return frame.select(
            self._column(name, dtype, theirs.get(name), files) for name, dtype in self.types.items()
        )

    def _column(
        self, name: str, dtype: pl.DataType, theirs: str | None, files: Sequence[TableFile]
    ) -> pl.Expr:
        first = files[0]
        if theirs is None:
            values = [file.values.get(name) for file in files]
            if len({*values}) == 1:
                return pl.lit(values[0], dtype).alias(name)
            texts = [None if value is None else str(value) for value in values]
            by_path = dict(zip([str(file.path) for file in files], texts, strict=True))
            said = pl.col(_PATH).replace_strict(by_path, return_dtype=pl.String)
            return said.cast(dtype).alias(name)
        column = pl.col(theirs)
        if theirs in first.described:
            noted = first.described[theirs]
            column = _cast(typed(unescaped_text(column), noted), noted, dtype)
        elif first.separator is not None:
            column = with_type(column, dtype)
        else:
            column = _cast(column, first.columns[theirs], dtype)
        return column.alias(name)

    @contextmanager
    def readable(self, files: Sequence[TableFile] | None = None) -> Iterator[None]:
        """Say of which file it is that cannot be read, or not any more.

        Raises
        ------
        SourceError
            In the place of what is raised within.
        """
        files = self.files if files is None else files
        try:
            yield
        except (OSError, PolarsError, PanicException) as error:
            self.insist_unchanged(files)
            where, why = self._unreadable(files) or (self.root, error)
            raise SourceError(f"{where}: the table {self.name} cannot be read ({why})") from error

    def _unreadable(self, files: Sequence[TableFile]) -> tuple[Path, BaseException] | None:
        """Find the file that is to blame, which takes its time but is asked for only once."""
        for file in files:
            try:
                self._frame([file]).collect()
            except (OSError, PolarsError, PanicException) as error:
                return file.path, error
        return None

    def insist_unchanged(self, files: Sequence[TableFile] | None = None) -> None:
        """Compare size and time of files with what they were.

        Raises
        ------
        SourceChangedError
            If one is gone, or another one.
        """
        for file in self.files if files is None else files:
            try:
                same = stamp_of(file.path) == file.stamp
            except OSError:
                raise SourceChangedError(file.path, "is gone") from None
            if not same:
                raise SourceChangedError(file.path, "has changed")

    def fingerprint(self) -> str:
        """Name every file, its size and its time: what changes where the table does."""
        return "\n".join(
            f"{file.path.relative_to(self.root)} {file.stamp[0]} {file.stamp[1]}"
            for file in self.files
        )


def _cast(column: pl.Expr, found: pl.DataType, dtype: pl.DataType) -> pl.Expr:
    """Bring a column to the type that all files share, where nothing can be lost by it."""
    if found == dtype:
        return column
    if found == pl.Float32() and dtype == pl.Float64():
        return column.cast(pl.String).cast(dtype)  # 0.1 stays 0.1
    if found.is_float() and dtype == pl.Int64():  # keys, made floats by a gap
        whole = column.cast(dtype, strict=False)
        return pl.when(whole.cast(found) == column).then(whole)
    return column.cast(dtype)
