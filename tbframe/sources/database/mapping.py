"""The mapping of a database: a small TOML file that says which table is which frame.

    database = "federation.sqlite"          # a path from here, or postgresql://user@host/name

    [games]                                 # results, games or boards; and any of the others
    table = "pairings"                      # or: query = "SELECT ..."

    [games.columns]                         # column of the frame = column of the database
    tournament = "event_id"

    [games.values.result]                   # spelling in the database = spelling here
    W = "1-0"

A column that is not named is taken under its own name where the frame knows it; one that is named
and that no frame knows is carried along. ``"schema.pairings"`` is a table of a schema. ``${NAME}``
in the address stands for a variable of the environment; a password is better left to
``PGPASSWORD`` or ``~/.pgpass``, as PostgreSQL's own programs have it.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from tbframe.errors import SourceError
from tbframe.sources.database.address import check_address, is_address
from tbframe.sources.frame_columns import KNOWN, MAIN, TABLES

__all__ = ["FrameSource", "MappingFile", "is_mapping", "read_mapping"]

#: Frames that belong to some of the main ones, and what to do about it beside others.
_BESIDE: Final = {
    "byes": (("games", "boards"), "in results a bye is a row with U, H, F or Z"),
    "members": (("boards",), "the individuals of results and games are in players"),
}
_LIKE_A_MAPPING: Final = re.compile(r"^\s*database\s*=", re.MULTILINE)
_VARIABLE: Final = re.compile(r"\$\{(\w+)\}")


@dataclass(frozen=True)
class FrameSource:
    """Where one frame comes from.

    Attributes
    ----------
    name
        The frame.
    table, query
        One of the two: a table (``"schema.table"`` too), or a query that gives the rows.
    columns
        Columns of the database by those of the frame.
    values
        For some columns of the frame, what stands here for a spelling in the database.
    """

    name: str
    table: str | None
    query: str | None
    columns: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class MappingFile:
    """A mapping, read.

    Attributes
    ----------
    path
        The file.
    address
        The database: an absolute path, or an address that begins with ``postgresql://``.
    frames
        What it gives.
    """

    path: Path
    address: str
    frames: Mapping[str, FrameSource]


def is_mapping(path: Path) -> bool:
    """Whether a TOML file is meant as the mapping of a database."""
    try:
        text = path.read_bytes().decode("utf-8", "replace")
    except OSError:
        return False
    try:
        read = tomllib.loads(text)
    except tomllib.TOMLDecodeError:  # which `read_mapping` tells of
        return _LIKE_A_MAPPING.search(text) is not None
    tables = [read[name] for name in MAIN if isinstance(read.get(name), dict)]
    return "database" in read or any({"table", "query"} & set(table) for table in tables)


def read_mapping(path: Path) -> MappingFile:
    """Read a mapping.

    Raises
    ------
    SourceError
        If the file cannot be read, or says something that has no meaning; with the key.
    """
    try:
        read = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise SourceError(f"{path}: cannot be read as TOML ({error})") from error
    _insist_on_keys(path, "", set(read), {"database", *TABLES})
    frames = {name: _frame(path, name, about) for name, about in read.items() if name != "database"}
    mains = [name for name in MAIN if name in frames]
    if not mains:
        raise SourceError(f"{path}: there is none of [results], [games] and [boards]")
    if len(mains) > 1:
        both = " and ".join(f"[{name}]" for name in mains)
        raise SourceError(f"{path}: there are {both}; give one of them")
    for name, (where, instead) in _BESIDE.items():
        if name in frames and mains[0] not in where:
            raise SourceError(f"{path}: [{name}] has no place beside [{mains[0]}]: {instead}")
    return MappingFile(path, _address(path, read.get("database")), frames)


def _address(path: Path, given: object) -> str:
    if not isinstance(given, str) or not given:
        raise SourceError(f'{path}: database is a path or an address, such as "federation.sqlite"')

    def variable(match: re.Match[str]) -> str:
        if match[1] not in os.environ:
            raise SourceError(f"{path}: database: the environment has no variable {match[1]}")
        return os.environ[match[1]]

    address = _VARIABLE.sub(variable, given)
    if is_address(address):
        check_address(address, f"{path}: database")
        return address
    if "://" in address:
        scheme = address.partition("://")[0]
        raise SourceError(
            f"{path}: database: {scheme}:// is not known; there are SQLite (by the path of the "
            "file) and postgresql://"
        )
    return str((path.parent / address).resolve())


def _frame(path: Path, name: str, about: object) -> FrameSource:
    where = f"[{name}]"
    if not isinstance(about, dict):
        raise SourceError(f"{path}: {where} is a table: [{name}] and its keys below")
    _insist_on_keys(path, where, set(about), {"table", "query", "columns", "values"})
    if ("table" in about) == ("query" in about):
        raise SourceError(f"{path}: {where} needs either table or query")
    columns = about.get("columns", {})
    values = about.get("values", {})
    for key in ("table", "query"):
        if not isinstance(about.get(key, ""), str):
            raise SourceError(f"{path}: {where} {key} is a text")
    if not isinstance(columns, dict) or not all(isinstance(of, str) for of in columns.values()):
        raise SourceError(f"{path}: [{name}.columns] has a column of the database for each key")
    for column in sorted(set(columns) - set(KNOWN[name])):
        near = get_close_matches(column, set(KNOWN[name]) - set(columns), n=1, cutoff=0.8)
        if near:  # another name is a column of one's own
            raise SourceError(
                f"{path}: [{name}.columns] {column!r} is not known; did you mean {near[0]}?"
            )
    if not isinstance(values, dict) or not all(isinstance(of, dict) for of in values.values()):
        raise SourceError(f"{path}: [{name}.values] has a table for each column")
    return FrameSource(name, about.get("table"), about.get("query"), columns, values)


def _insist_on_keys(path: Path, where: str, keys: Set[str], known: Set[str]) -> None:
    for key in sorted(keys - known):
        near = get_close_matches(key, known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(sorted(known))}"
        raise SourceError(f"{path}: {where + ' ' if where else ''}{key!r} is not known; {hint}")
