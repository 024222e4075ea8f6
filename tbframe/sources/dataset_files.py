"""Which files of a folder are the tables of one dataset, and which are left over.

A folder is a dataset if its tables are called so: ``results``, ``games`` or ``boards``, and beside
them ``players``, ``tournaments`` and so on, each a Parquet or CSV file or a folder of such files,
in upper or lower case. Or if all that it has are files of one and the same table, under any names.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from stat import S_ISREG
from typing import Final

from tbframe.errors import SourceError
from tbframe.sources.column_types import SCHEMA
from tbframe.sources.frame_columns import KNOWN, MAIN, NEEDED, main_table
from tbframe.sources.names import as_text
from tbframe.sources.recognising import holds_tournaments
from tbframe.sources.table_files import TABLE_ENDINGS, columns_of

__all__ = [
    "DatasetFiles",
    "dataset_to_read",
    "find_dataset",
    "find_one_table",
    "find_tables",
    "paths_below",
]

#: The tables that are used beside each main table.
_BESIDE: Final[dict[str, tuple[str, ...]]] = {
    "results": ("players", "tournaments", "boards", "members", "findings", "quarantine"),
    "games": ("players", "tournaments", "byes"),
    "boards": ("players", "tournaments", "members", "byes"),
}


@dataclass(frozen=True)
class DatasetFiles:
    """The files of a dataset.

    Attributes
    ----------
    root
        The folder that they are in.
    called
        The key of the tournament, where the tables have only one and no column for it.
    files
        Of each table; ``results``, ``games`` or ``boards`` comes first.
    named
        Whether the tables are known by what they are called, and not by their columns.
    left_over
        Files that might have been tables of it, and why they are not.
    keyed
        Whether all files of the main table have a column ``tournament``, as far as this is known.
    """

    root: Path
    called: str
    files: Mapping[str, tuple[Path, ...]]
    named: bool
    left_over: Sequence[tuple[Path, str]] = ()
    keyed: bool = True

    @property
    def main(self) -> str:
        """Which table has the rows that are counted."""
        return next(iter(self.files))

    @cached_property
    def paths(self) -> frozenset[Path]:
        """All files that belong to it, and those that are left over."""
        every = [path for paths in self.files.values() for path in paths]
        left_over = [path for path, _ in self.left_over]
        types = [self.root / SCHEMA] if any(_is_csv(path) for path in every) else []
        return frozenset([*every, *left_over, *types])


@dataclass(frozen=True)
class _Candidate:
    """A file that is called like a table, or the files of a format in a folder called so."""

    path: Path
    files: tuple[Path, ...]


def find_dataset(source: Path, columns: Mapping[str, str] | None = None) -> DatasetFiles | None:
    """Find the tables of a file or a folder that is one dataset.

    Parameters
    ----------
    source
        A table, or a folder.
    columns
        What columns of the main table are called there, by their names here.

    Returns
    -------
    DatasetFiles or None
        ``None`` where there are no tables, or tournament files of other kinds among them.

    Raises
    ------
    SourceError
        If a file cannot be read, or the tables are not those of one dataset.
    """
    if not source.is_dir():
        return find_one_table([source], source.parent, as_text(source.stem), columns)
    named = find_tables(source)
    if named is not None and _is_dataset(named):
        return named
    tables, left_over = _tables_below(source)
    others = [path for path in paths_below(source) if not _is_table(path)]
    # Matches of a card game are CSV too.
    if not tables or any(map(holds_tournaments, [*others, *filter(_is_csv, tables)])):
        return None
    found = find_one_table(tables, source, _name_of(source), columns)
    return replace(found, left_over=[*found.left_over, *left_over])


def dataset_to_read(folder: Path, columns: Mapping[str, str] | None = None) -> DatasetFiles | None:
    """Find the dataset that a folder is for reading, which takes other files one by one.

    A single table, and tables without a column ``tournament``, are files of their own there.

    Raises
    ------
    SourceError
        If it is one, and a file cannot be read.
    """
    try:
        found = find_dataset(folder, columns)
    except SourceError:
        if any("=" in part for path in paths_below(folder) if _is_table(path)
               for part in path.relative_to(folder).parts[:-1]):  # fmt: skip
            raise
        return None
    if found is None or found.named:
        return found
    files = found.files[found.main]
    hive = any("=" in part for part in files[0].relative_to(folder).parts[:-1])
    return found if hive or (found.keyed and len(files) > 1) else None


def find_tables(folder: Path) -> DatasetFiles | None:
    """Find the tables of a folder that are called so; ``None`` where no main table is."""
    found = _candidates(folder)
    main = next((name for name in MAIN if name in found), None)
    if main is None:
        return None
    used = (main, *(name for name in _BESIDE[main] if name in found))
    read_from = f"the tournaments are read from {_shown(found[main][0].path, folder)}"
    left_over = _tables_below(folder)[1]
    for name, (first, *others) in found.items():
        unused = others if name in used else [first, *others]
        reason = f"the table {name} is read from {_shown(first.path, folder)}"
        if name not in used:
            reason = read_from if name in MAIN else f"{read_from}, beside which it has no place"
        left_over += [(path, f"not used: {reason}") for each in unused for path in each.files]
    files = {name: found[name][0].files for name in used}
    return DatasetFiles(folder, _name_of(folder), files, True, left_over)


def find_one_table(
    paths: Sequence[Path], root: Path, called: str, columns: Mapping[str, str] | None = None
) -> DatasetFiles:
    """Take files for those of one table, which their columns tell.

    Parameters
    ----------
    paths
        At least one. Where some are Parquet, CSV files are left over.
    root, called, columns
        As of `DatasetFiles` and `find_dataset`.

    Raises
    ------
    SourceError
        If a file cannot be read, none is a main table, or they are not of one kind.
    """
    parquet = [path for path in paths if path.suffix.lower() == ".parquet"]
    chosen = parquet or list(paths)
    left_over = [
        (path, f"not used: a CSV file among Parquet files ({parquet[0].name}, ...)")
        for path in paths
        if path not in set(chosen)
    ]
    files: dict[str, list[Path]] = {}
    keyed = True
    for path in chosen:
        there = columns_of(path, root, columns)
        kind = main_table(there)
        if kind is not None:
            files.setdefault(kind, []).append(path)
            keyed &= "tournament" in there
            continue
        listed = ", ".join(there)
        reason = (
            f"a table with the columns {listed}: one of results needs "
            f"{', '.join(NEEDED['results'])}, and one of games {', '.join(NEEDED['games'])}"
        )
        if len(paths) == 1:
            raise SourceError(f"{path}: {reason}")
        if path.stem.lower() in KNOWN:
            raise SourceError(
                f"{path}: a table called {path.stem}, and nobody can say to which of the other "
                "files it belongs: put the files of each table into a folder that is called after "
                "it (results, players, ...)"
            )
        left_over.append((path, f"not used: {reason}"))
    if not files:
        raise SourceError(f"{left_over[0][0]}: {left_over[0][1].removeprefix('not used: ')}")
    if len(files) > 1:
        (one, first), (other, second), *_ = files.items()
        raise SourceError(
            f"{first[0]} is a table of {one} and {second[0]} one of {other}: give the files of "
            "each kind a folder of their own"
        )
    every = {kind: tuple(each) for kind, each in files.items()}
    return DatasetFiles(root, called, every, False, left_over, keyed)


def paths_below(folder: Path) -> Iterator[Path]:
    """Walk a folder with all its folders, in order; what is hidden is passed over.

    Links are followed, but nothing is given twice, and none leads back up. A folder that cannot be
    listed is given itself.
    """
    real = Path(os.path.realpath(folder))
    return _walk(folder, str(real), {str(real), *map(str, real.parents)})


def _walk(folder: Path, real_folder: str, seen: set[str]) -> Iterator[Path]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: (entry.is_symlink(), entry.name))
    except OSError:
        yield folder
        return
    for entry in entries:  # links last: what they lead to may lie beside them
        path = Path(entry.path)
        if entry.name.startswith("."):
            continue
        real = os.path.join(real_folder, entry.name)  # noqa: PTH118 - texts, of thousands
        if entry.is_symlink():
            real = os.path.realpath(path)
        if real in seen:
            continue
        seen.add(real)
        if _is_folder(entry):
            yield from _walk(path, real, seen)
        else:
            yield path


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself, or where nobody may look
        return False


def _is_table(path: Path) -> bool:
    """Whether a file is one of a table by its name."""
    if path.suffix.lower() not in TABLE_ENDINGS:
        return False
    try:
        return S_ISREG(path.stat().st_mode)
    except OSError:
        return True  # a link that leads nowhere: reading it will tell


def _tables_below(folder: Path) -> tuple[list[Path], list[tuple[Path, str]]]:
    """List the files of tables in a folder, and those that are left over.

    A name with a line before, of a file or a folder, is that of a program's own files.
    """
    tables = [path for path in paths_below(folder) if _is_table(path)]
    lined = {
        path for path in tables if any(p.startswith("_") for p in path.relative_to(folder).parts)
    }
    return (
        [path for path in tables if path not in lined],
        [(path, "not used: a name that begins with a line") for path in tables if path in lined],
    )


def _is_csv(path: Path) -> bool:
    return TABLE_ENDINGS.get(path.suffix.lower()) == "csv"


def _is_dataset(found: DatasetFiles) -> bool:
    """Whether there is more than one file that happens to be called like a table."""
    (first, *others) = found.files[found.main]
    return (
        bool(others) or len(found.files) > 1 or first.parent != found.root or bool(found.left_over)
    )


def _candidates(folder: Path) -> dict[str, list[_Candidate]]:
    """Find what is called like each table.

    The one to be used comes first: Parquet before CSV, a file before a folder, and a name in
    small letters before others.
    """
    found: dict[str, list[_Candidate]] = {}
    try:
        # Small letters come behind others.
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name, reverse=True)
    except OSError:  # nobody may look into it
        return {}
    for format_ in ("parquet", "csv"):
        for is_folder in (False, True):
            for entry in entries:
                path = Path(entry.path)
                name = (path.name if is_folder else path.stem).lower()
                if name not in KNOWN or _is_folder(entry) != is_folder:
                    continue
                every = _tables_below(path)[0] if is_folder else [path]
                files = tuple(
                    each
                    for each in every
                    if _is_table(each) and TABLE_ENDINGS[each.suffix.lower()] == format_
                )
                if files and not (is_folder and _holds_others(files, name)):
                    found.setdefault(name, []).append(_Candidate(path, files))
    return {name: found[name] for name in KNOWN if name in found}


def _holds_others(files: Sequence[Path], name: str) -> bool:
    """Whether a folder has tables of other names in it, so that it is none itself."""
    return any(path.stem.lower() in KNOWN and path.stem.lower() != name for path in files)


def _name_of(folder: Path) -> str:
    return as_text(folder.name or folder.resolve().name)


def _shown(path: Path, folder: Path) -> str:
    return str(path.relative_to(folder))
