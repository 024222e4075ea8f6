"""Tournament files as a source, so many in a part as have about as many games."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import polars as pl

from tbframe.errors import SourceError
from tbframe.findings import concat_findings
from tbframe.recalculation.leaving_out import left_out
from tbframe.recalculation.parts import Loaded
from tbframe.sources.dataset_table import SourceChangedError
from tbframe.sources.formats import Format
from tbframe.sources.merging import free_keys, told_of_text, with_keys, with_text_keys
from tbframe.sources.names import as_text
from tbframe.sources.reading import Source, list_files, read_files, unique_keys
from tbframe.sources.recognising import Recognised, recognised
from tbframe.sources.table_files import Stamp, stamp_of

__all__ = ["Reports"]

#: Of a report file, for each game.
_BYTES_A_GAME: Final = 45


class Reports:
    """The tournament files of a folder as a source of parts, in the order of their paths.

    Files that may have several tournaments, or only some of the games of one (PGN), are one part
    together, the last.

    They are told from others as `tbframe.read` does it: reports, and files of formats that are
    known by their content. What cannot be looked at is among them, to be set aside with its reason.

    Parameters
    ----------
    source
        What `tbframe.read` takes. Tables, databases and datasets among the files are passed over,
        with a warning.
    games_a_part
        About how many games a part has at most.

    Raises
    ------
    SourceError
        If the source does not exist, or leads to no tournament file.
    """

    def __init__(self, source: Source, *, games_a_part: int) -> None:
        files = list_files(source)
        self._asked_for = frozenset(path for path, named in files if named)
        listed = {path: recognised(path) for path, _ in files}
        mine = {
            path: what
            for path, what in listed.items()
            if what is None or what.kind in ("report", "known") or _is_closed(path, what)
        }
        others = [path for path in listed if path not in mine]
        if not mine:
            hint = ""
            if any(what and what.kind in ("table", "folder") for what in listed.values()):
                hint = "; tables are recalculated by themselves: name one file, or one folder"
            raise SourceError(
                f"nothing to recalculate in {source}: no tournament files (.trf, .trfx, .tab, "
                f".txt and others that are read), and not the tables of one dataset{hint}"
            )
        self._names, renamed = unique_keys(mine)
        self._stamps = {path: _stamp(path) for path in mine}
        self._parts = list(
            _cut(
                [path for path in mine if path in self._names],
                self._stamps,
                games_a_part * _BYTES_A_GAME,
            )
        )
        self._spread = [path for path in mine if path not in self._names]
        if self._spread:
            self._parts.append(self._spread)
        self._as_text = _differ_in_keys(mine, self._names)
        told = "\n".join(f"{path} {stamp}" for path, stamp in self._stamps.items())
        self.described = {
            "kind": "reports",
            "fingerprint": hashlib.sha256(told.encode("utf-8", "surrogateescape")).hexdigest(),
            "games_a_part": games_a_part,
        }
        text = [told_of_text("player")] if self._as_text else []
        beside = left_out(others, "among tournament files")
        self._apart = concat_findings(renamed, *text, beside)

    @property
    def parts(self) -> int:
        """How many parts there are."""
        return len(self._parts)

    @property
    def tournaments(self) -> list[int]:
        """How many files each part has."""
        return [len(paths) for paths in self._parts]

    def load(self, number: int) -> Loaded:
        """Read the files of one part; those that cannot be trusted are in the quarantine.

        Raises
        ------
        SourceChangedError
            If a file is no longer there, or another one: then the source is not what it was.
        """
        paths = self._parts[number]
        archive = read_files(paths, self._names, self._asked_for)
        if paths is self._spread:
            keys = [list(self._names.values()), archive.tournaments["tournament"].to_list()]
            archive = with_keys(archive, free_keys(keys)[1])
        for path in paths:  # behind the reading, during which a file may change too
            now = _stamp(path)
            if now != self._stamps[path]:
                raise SourceChangedError(path, "has changed" if now else "is gone")
        if self._as_text:
            archive = with_text_keys(archive)
        mine = pl.col("file").is_in([as_text(path) for path in paths]).fill_null(value=False)
        # What concerns no part's files is told in the first.
        every = [as_text(path) for path in self._stamps]
        others = ~pl.col("file").is_in(every).fill_null(value=False)
        told = self._apart.filter(mine | (others & pl.lit(number == 0)))
        return Loaded(replace(archive, findings=concat_findings(archive.findings, told)))


def _cut(
    paths: Sequence[Path], stamps: Mapping[Path, Stamp | None], most: int
) -> Iterator[list[Path]]:
    """Cut files into parts of about so many bytes."""
    if not paths:
        return
    sizes = pl.Series([stamp[0] if (stamp := stamps[path]) else 0 for path in paths])
    lengths = ((sizes.cum_sum() - sizes) // most).rle().struct.field("len").to_list()
    start = 0
    for length in lengths:
        yield list(paths[start : start + length])
        start += length


def _differ_in_keys(files: Mapping[Path, Recognised | None], names: Mapping[Path, str]) -> bool:
    """Whether players are called by numbers in some formats, and by text in others.

    All files of a format have the same, so that one of each is enough to tell.
    """
    first: dict[Format | None, Path] = {}
    for path, what in files.items():
        if what is not None and what.kind != "folder":
            first.setdefault(what.format, path)
    if len(first) < 2:
        return False
    read = [read_files([path], names, ()) for path in first.values()]
    types = {one.players.schema["player"] for one in read if one.players.height}
    return len(types) > 1


def _stamp(path: Path) -> Stamp | None:
    try:
        return stamp_of(path)
    except OSError:
        return None


def _is_closed(path: Path, what: Recognised) -> bool:
    """Whether it is a folder that nobody may look into."""
    if what.kind != "folder":
        return False
    try:
        next(path.iterdir(), None)
    except OSError:
        return True
    return False
