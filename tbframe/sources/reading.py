"""Reading whatever a path, a folder or a pattern leads to."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from errno import EACCES
from glob import glob, has_magic
from os import PathLike
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Final, TypeAlias

import polars as pl

from tbframe.archive import Archive
from tbframe.errors import SourceError, TbframeError
from tbframe.findings import Severity, concat_findings, findings_from, no_findings
from tbframe.intake.casting import insist
from tbframe.intake.tables import Table
from tbframe.intake.team_byes import take_team_byes
from tbframe.schema import QUARANTINE
from tbframe.sources.database import is_mapping, read_database
from tbframe.sources.formats import Format, format_of
from tbframe.sources.gathering import Gathered, archive_of
from tbframe.sources.ledgers import is_ledger, read_ledger
from tbframe.sources.making import key_of
from tbframe.sources.manifests import is_made_of_parts, read_manifest
from tbframe.sources.merging import merge
from tbframe.sources.names import as_text
from tbframe.sources.table_kinds import check_mapping, table_kind
from tbframe.sources.tables import (
    OtherTableError,
    frame_files,
    holds_frames,
    read_frames,
    read_table_file,
)
from tbframe.sources.trf import TrfFile, looks_like_trf, read_trf_files
from tbframe.sources.unpacking import peek, unpack
from tbframe.sources.unreadable import UnreadableError

__all__ = ["Source", "is_report", "list_files", "read", "read_reports", "unique_keys"]

Source: TypeAlias = str | PathLike[str] | Iterable[str | PathLike[str]]

#: Endings that promise a tournament report file, whatever is inside.
_TRF: Final = re.compile(r"\.trf[a-z0-9]{0,3}", re.IGNORECASE)
_TABLES: Final = (".parquet", ".csv")
_HEAD: Final = 65_536
#: Tournaments of which one archive is made in one go; more bring nothing, and take memory.
_TOGETHER: Final = 500


@dataclass
class _Found:
    """What the sources lead to: files to read, frames, and what cannot be used."""

    columns: Mapping[str, str] = field(default_factory=dict)
    trf: list[tuple[Path, bytes]] = field(default_factory=list)
    archives: list[Archive] = field(default_factory=list)
    gathered: dict[str, list[Gathered]] = field(default_factory=dict)
    together: dict[Format, list[Path]] = field(default_factory=dict)
    taken_for: list[tuple[str, str]] = field(default_factory=list)
    quarantine: list[tuple[str, int | None, str, str]] = field(default_factory=list)
    passed_over: list[tuple[str, str, Severity]] = field(default_factory=list)


def read(
    source: Source,
    *,
    teams: bool = True,
    team_byes: Table | None = None,
    columns: Mapping[str, str] | None = None,
) -> Archive:
    r"""Read tournaments from files of any mix of formats.

    Tournament report files (TRF16, TRFx, TRF26, ``.tab``) are known by their ending or their
    content; Parquet, Arrow and CSV files of results or games, and folders that `write_frames` and
    `write_ledger` wrote, by theirs; databases by their mapping file (``.toml``, see
    `sources.database.mapping`). What else is known by its content, `sources.formats` lists; the
    finding ``read-as`` tells what a file was taken for.

    Parameters
    ----------
    source
        A file, a folder (read with all its folders), a pattern such as ``"2024/*.trf"``, or
        several of these. Hidden files are passed over; a file that is reached twice is read once.
    teams
        Report files with rosters of teams are team events: their players are the teams, and
        the individuals are in `Archive.boards` and `Archive.members`. False reads the lists
        of the individuals instead.
    team_byes
        Byes of teams that report files do not tell of (TRF16 cannot say which team had the
        pairing-allocated bye): ``tournament``, ``round``, ``team``, ``type`` and perhaps
        ``match_points`` and ``game_points``, as for `tbframe.from_boards`.
    columns
        What tables call the columns of results or games, by their names here:
        ``{"tournament": "event_id", "white": "white_player"}``. Columns that are not named have
        their own names.

    Returns
    -------
    Archive
        The tournament key of a report file is its name without the ending, with a number
        behind it where that is not unique; the player keys are the start numbers, those of
        teams their numbers, or their places where they have none. A file
        that cannot be trusted is in the quarantine, with its reason, and the others are read.
        Files of other kinds in a folder are reported, with a warning where it is a table
        with some of the columns that results or games have.

    Raises
    ------
    SourceError
        If a source does not exist, or leads to no file that could be read; or `columns` is no
        mapping of names to names.
    ContractError
        If `team_byes` breaks its contract.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "cup.trf").write_text(
    ...         "012 Cup\n"
    ...         + "001    1      Ada".ljust(80) + " 1.0    1     2 w 1\n"
    ...         + "001    2      Bo".ljust(80) + " 0.0    2     1 b 0\n"
    ...     )
    ...     archive = read(folder)
    >>> archive.results.select("tournament", "player", "opponent", "result", "points").rows()
    [('cup', 1, 2, '1', 1.0), ('cup', 2, 1, '0', 0.0)]
    """
    found = _Found(columns={} if columns is None else check_mapping(columns))
    for path, named in list_files(source):
        _take(path, named, found)
    _take_together(found)
    if not (found.trf or found.archives or found.gathered or found.quarantine):
        others = "; ".join(f"{path} ({reason})" for path, reason, _ in found.passed_over[:3])
        raise SourceError(
            f"nothing to read in {_in_words(source)}: no tournament report file "
            "(.trf, .trfx, .tab, .txt), no table (.parquet, .csv), and nothing else that is known"
            + (f"; passed over: {others}" if others else "")
        )
    byes = None if team_byes is None else _take_team_byes(team_byes)
    names, renamed = unique_keys([path for path, _ in found.trf])
    return _assemble(found, names, renamed, teams, byes)


def list_files(source: Source) -> list[tuple[Path, bool]]:
    """List the files, and folders of frames, that a source leads to.

    Returns
    -------
    list
        Paths in order, each once, and whether the user named it.

    Raises
    ------
    SourceError
        If a source does not exist.
    """
    sources = [source] if isinstance(source, str | PathLike) else _several(source)
    if not sources:
        raise SourceError("nothing to read: the list of sources is empty")
    steps: dict[Path, bool] = {}
    for one in sources:
        for path, named in _steps(os.fspath(one)):
            steps[path] = named or steps.get(path, False)
    first = {os.path.realpath(path): path for path in sorted(steps, reverse=True)}
    return sorted((path, steps[path]) for path in first.values())


def is_report(path: Path) -> bool:
    """Tell by the name, else by the beginning, whether a file is a tournament report."""
    if _TRF.fullmatch(path.suffix.lower()):
        return True
    if path.suffix.lower() in _TABLES or not path.is_file():
        return False
    return looks_like_trf(peek(path, _HEAD))


def read_reports(paths: Iterable[Path], names: Mapping[Path, str]) -> Archive:
    """Read tournament report files.

    Parameters
    ----------
    paths
        The files. One that cannot be read is in the quarantine.
    names
        Their tournament keys, from `unique_keys`.
    """
    found = _Found()
    for path in paths:
        _take(path, named=True, found=found)
    _take_together(found)
    return _assemble(found, names, no_findings(), teams=True, byes=None)


def _in_words(source: Source) -> str:
    return str(source) if isinstance(source, str | PathLike) else ", ".join(map(str, source))


def _several(sources: object) -> list[str | PathLike[str]]:
    """List the sources, which are paths."""
    if not isinstance(sources, Iterable):
        raise SourceError(
            f"a source is a file, a folder, a pattern, or a list of these, no "
            f"{type(sources).__name__}"
        )
    several = list(sources)
    for one in several:
        if not isinstance(one, str | PathLike):
            raise SourceError(f"a source is a path, no {type(one).__name__}: {one!r}")
    return several


def _steps(source: str) -> Iterator[tuple[Path, bool]]:
    """Paths of files, and of folders of frames, and whether the user named them."""
    if not source.strip():
        raise SourceError("a source is a path, a folder or a pattern, not an empty text")
    path = Path(source)
    if os.path.lexists(path):
        matches = [path]
    elif has_magic(source):
        # Unlike Path.glob, this one takes absolute patterns and passes over hidden files.
        matches = [Path(match) for match in glob(source, recursive=True)]  # noqa: PTH207
        if not matches:
            raise SourceError(f"{source}: nothing matches the pattern")
    else:
        raise SourceError(f"{source}: no such file or folder{_suggestion(path)}")
    for match in matches:
        made_of_parts = match.is_dir() and is_made_of_parts(match)
        if not match.is_dir() or holds_frames(match) or made_of_parts:
            yield match, True
        if match.is_dir() and not made_of_parts:
            yield from _inside(match, {os.path.realpath(match)})


def _suggestion(path: Path) -> str:
    try:
        beside = os.listdir(path.parent)  # noqa: PTH208 - names, not paths
    except OSError:
        return ""
    near = get_close_matches(path.name, beside, n=1)
    return f"; did you mean {path.parent / near[0]}?" if near else ""


def _inside(folder: Path, above: set[str]) -> Iterator[tuple[Path, bool]]:
    """Walk a folder; `above` keeps links from leading round in a circle."""
    try:
        entries = [entry for entry in os.scandir(folder) if not entry.name.startswith(".")]
    except OSError:
        # To be reported as unreadable, like a file.
        yield folder, True
        return
    frames = frame_files() if holds_frames(folder) else frozenset()
    for entry in entries:
        path = Path(entry.path)
        if not _is_folder(entry):
            if entry.name not in frames:
                yield path, False
            continue
        if is_made_of_parts(path):
            yield path, True
            continue
        if holds_frames(path):
            yield path, True
        if (real := os.path.realpath(path)) not in above:
            yield from _inside(path, above | {real})


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself, or where nobody may look
        return False


def _take(path: Path, named: bool, found: _Found) -> None:
    """Read one file, or a folder of frames, into `found`."""
    reason = ""
    severity: Severity = "info"
    try:
        reason = _read_path(path, found)
    except OtherTableError as error:
        reason, severity = str(error), "warning" if error.likely else "info"
    except OSError as error:
        reading = error.strerror or str(error)
        found.quarantine.append((as_text(path), None, "unreadable-file", reading))
    except UnreadableError as error:
        found.quarantine.append((as_text(path), error.line, error.code, str(error)))
    except TbframeError as error:
        found.quarantine.append((as_text(path), None, "unreadable-table", str(error)))
    if reason and named:
        found.quarantine.append((as_text(path), None, "unknown-format", reason))
    elif reason:
        found.passed_over.append((as_text(path), reason, severity))


def _read_path(path: Path, found: _Found) -> str:
    """Read what is at `path`, or return why it is nothing to read."""
    mode = path.stat().st_mode
    if S_ISDIR(mode):
        return _read_folder(path, found)
    if not S_ISREG(mode):
        return "not a regular file"
    suffix = path.suffix.lower()
    if suffix == ".toml" and is_mapping(path):
        found.archives.append(read_database(path))
        return ""
    if not _TRF.fullmatch(suffix) and _read_known(path, found):
        return ""
    if not (_TRF.fullmatch(suffix) or looks_like_trf(peek(path, _HEAD))):
        return "not a kind of file that could be read"
    found.trf.append((path, unpack(path)))
    return ""


def _read_known(path: Path, found: _Found) -> bool:
    """Read a table, or a file of a format that is known by its content; False for others."""
    head = peek(path, _HEAD)
    kind = table_kind(path, head, found.columns)
    # Whoever names columns means a table.
    known = None if kind and found.columns else format_of(head, path)
    if known is not None and known.together is not None:
        found.together.setdefault(known, []).append(path)
    elif known is not None:
        _take_known(known, path, found)
    elif kind is not None:
        found.archives.append(read_table_file(path, found.columns, kind))
    return bool(known or kind)


def _take_known(known: Format, path: Path, found: _Found) -> None:
    """Read a file, and put what is in it to what other files of its format have."""
    read = known.read(path)
    found.taken_for.append((as_text(path), f"read as {known.name}"))
    if isinstance(read, Archive):
        found.archives.append(read)
        return
    waiting = found.gathered.setdefault(known.name, [])
    waiting.extend(read)
    if len(waiting) >= _TOGETHER:
        found.archives.append(archive_of(waiting))
        waiting.clear()


def _take_together(found: _Found) -> None:
    """Read the files that have to be read together."""
    for known, paths in found.together.items():
        assert known.together is not None  # noqa: S101 - or they would not be here
        found.taken_for += [(as_text(path), f"read as {known.name}") for path in paths]
        found.archives.append(known.together(paths))


def _read_folder(path: Path, found: _Found) -> str:
    """Read a folder of frames or a ledger, or return why it is nothing to read."""
    if is_ledger(path):
        found.archives.append(read_ledger(path))
    elif read_manifest(path) is not None:
        return "the output of a recalculation, which tbframe.Recalculation reads"
    elif holds_frames(path):
        found.archives.append(read_frames(path))
    else:  # then it could not be listed, and cannot now
        return os.strerror(EACCES)
    return ""


def _take_team_byes(byes: Table) -> pl.DataFrame:
    """Bring the byes to the keys that report files have: text, and numbers of teams."""
    table = take_team_byes(byes, {}, "team_byes")
    number = pl.col("team").cast(pl.String).str.extract(r"^0*([1-9]\d*)$").cast(pl.Int64)
    insist(
        table, "team_byes", ["team"], "a team of a report file is a number", number.is_not_null()
    )
    return table.select(
        pl.col("tournament").cast(pl.String),
        pl.col("round").cast(pl.Int64),
        number.alias("team"),
        pl.col("result").cast(pl.String),
        "match_points",
        "game_points",
    )


def _assemble(
    found: _Found,
    names: Mapping[Path, str],
    renamed: pl.DataFrame,
    teams: bool,
    byes: pl.DataFrame | None,
) -> Archive:
    files = [TrfFile(as_text(path), names[path], data) for path, data in found.trf]
    archives = [*found.archives, *(archive_of(one) for one in found.gathered.values() if one)]
    if files or not archives:
        archives = [read_trf_files(files, teams=teams, team_byes=byes), *archives]
    merged = merge(archives)
    others = pl.DataFrame(
        found.passed_over, schema=["file", "reason", "severity"], orient="row"
    ).cast(pl.String)
    severities: tuple[Severity, ...] = ("warning", "info")
    passed_over = concat_findings(
        *(
            findings_from(
                others.filter(severity=severity),
                code="file-passed-over",
                severity=severity,
                message=pl.col("reason"),
            )
            for severity in severities
        )
    )
    taken_for = findings_from(
        pl.DataFrame(found.taken_for, schema=["file", "kind"], orient="row").cast(pl.String),
        code="read-as",
        severity="info",
        message=pl.col("kind"),
    )
    refused = pl.DataFrame(
        [(path, line, None, code, message, 0) for path, line, code, message in found.quarantine],
        schema=QUARANTINE,
        orient="row",
    )
    return replace(
        merged,
        findings=concat_findings(taken_for, renamed, merged.findings, passed_over),
        quarantine=pl.concat([merged.quarantine, refused]).sort("file", maintain_order=True),
    )


def unique_keys(paths: Iterable[Path]) -> tuple[dict[Path, str], pl.DataFrame]:
    """Name each file's tournament by its stem, made unique.

    Returns
    -------
    names, findings
        The key for each path, and where it is not the stem.
    """
    stems = {path: key_of(path) for path in paths}
    taken = set(stems.values())
    count: dict[str, int] = {}
    names = {}
    renamed = []
    for path, stem in stems.items():
        key = stem
        number = count[stem] = count.get(stem, 0) + 1
        if number > 1:
            while f"{stem}-{number}" in taken:
                number += 1
            key = f"{stem}-{number}"
            taken.add(key)
            renamed.append((as_text(path), key, stem))
        names[path] = key
    findings = findings_from(
        pl.DataFrame(renamed, schema=["file", "tournament", "stem"], orient="row"),
        code="tournament-renamed",
        severity="info",
        message=pl.format("another file is called {} too", "stem"),
    )
    return names, findings
