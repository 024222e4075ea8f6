"""Reading whatever a path, a folder or a pattern leads to."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from errno import EACCES
from glob import glob, has_magic
from os import PathLike
from pathlib import Path
from typing import Final, TypeAlias

import polars as pl

from tbframe.archive import Archive
from tbframe.errors import SourceError, TbframeError
from tbframe.findings import Severity, concat_findings, findings_from, no_findings
from tbframe.intake.casting import insist
from tbframe.intake.tables import Table
from tbframe.intake.team_byes import take_team_byes
from tbframe.schema import QUARANTINE
from tbframe.sources.database import read_database
from tbframe.sources.dataset_files import dataset_to_read, paths_below
from tbframe.sources.datasets import read_dataset
from tbframe.sources.formats import Format
from tbframe.sources.gathering import Gathered, Refused, archive_of
from tbframe.sources.ledgers import is_ledger, read_ledger
from tbframe.sources.making import key_of, unique_keys_of
from tbframe.sources.manifests import is_made_of_parts, read_manifest
from tbframe.sources.merging import merge, with_keys
from tbframe.sources.names import as_text
from tbframe.sources.recognising import Recognised, recognise, recognised
from tbframe.sources.table_kinds import check_mapping
from tbframe.sources.tables import read_table_file
from tbframe.sources.texts import report_bytes
from tbframe.sources.trf import TrfFile, read_trf_files
from tbframe.sources.unpacking import several_files
from tbframe.sources.unreadable import OtherTableError, UnreadableError

__all__ = [
    "NO_FILE",
    "OTHER_FILE",
    "Source",
    "list_files",
    "read",
    "read_files",
    "unique_keys",
]

Source: TypeAlias = str | PathLike[str] | Iterable[str | PathLike[str]]

#: Why files are passed over.
OTHER_FILE: Final = "not a kind of file that could be read"
NO_FILE: Final = "not a regular file"
#: Tournaments of which one archive is made in one go; more bring nothing, and take memory.
_TOGETHER: Final = 500


@dataclass
class _Found:
    """What the sources lead to: files to read, frames, and what cannot be used."""

    columns: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[Path, str] = field(default_factory=dict)
    seen: Mapping[Path, Recognised | None] = field(default_factory=dict)
    trf: list[tuple[Path, bytes]] = field(default_factory=list)
    archives: list[Archive] = field(default_factory=list)
    gathered: dict[Format, list[Gathered | Refused]] = field(default_factory=dict)
    last: list[Archive] = field(default_factory=list)
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
    content; Parquet, Arrow and CSV files of results or games, and folders that `write_ledger`
    wrote, by theirs; the tables of a dataset, in one folder, by what they are called (see
    `sources.dataset_files`); databases by their mapping file (``.toml``, see
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
    mapping = {} if columns is None else check_mapping(columns)
    files = list_files(source, mapping)
    seen = {path: recognised(path, mapping) for path, _ in files}
    names, renamed = unique_keys(seen)
    found = _Found(columns=mapping, names=names, seen=seen)
    for path, named in files:
        _take(path, named, found)
    _take_together(found)
    read = found.trf or found.archives or found.gathered or found.last
    if not (read or found.quarantine):
        others = "; ".join(f"{path} ({reason})" for path, reason, _ in found.passed_over[:3])
        raise SourceError(
            f"nothing to read in {_in_words(source)}: no tournament report file "
            "(.trf, .trfx, .tab, .txt), no table (.parquet, .csv), and nothing else that is known"
            + (f"; passed over: {others}" if others else "")
        )
    byes = None if team_byes is None else _take_team_byes(team_byes)
    return _assemble(found, renamed, teams, byes)


def list_files(source: Source, columns: Mapping[str, str] | None = None) -> list[tuple[Path, bool]]:
    """List the files, and the folders that are datasets, that a source leads to.

    Parameters
    ----------
    source, columns
        As of `read`.

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
        for path, named in _steps(os.fspath(one), columns):
            steps[path] = named or steps.get(path, False)
    first = {os.path.realpath(path): path for path in sorted(steps, reverse=True)}
    return sorted((path, steps[path]) for path in first.values())


def read_files(
    paths: Iterable[Path], names: Mapping[Path, str], asked_for: Collection[Path]
) -> Archive:
    """Read tournament reports, and files of formats that are known by their content.

    Parameters
    ----------
    paths
        The files. One that cannot be read is in the quarantine.
    names
        The keys of their tournaments, from `unique_keys`.
    asked_for
        Files that the user named: in them, there should be tournaments.
    """
    found = _Found(names=names)
    for path in paths:
        _take(path, path in asked_for, found)
    _take_together(found)
    return _assemble(found, no_findings(), teams=True, byes=None)


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


def _steps(source: str, columns: Mapping[str, str] | None) -> Iterator[tuple[Path, bool]]:
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
        if not match.is_dir() or made_of_parts:
            yield match, True
        else:
            real = Path(os.path.realpath(match))
            yield from _inside(match, {str(real), *map(str, real.parents)}, columns)


def _suggestion(path: Path) -> str:
    try:
        beside = os.listdir(path.parent)  # noqa: PTH208 - names, not paths
    except OSError:
        return ""
    near = get_close_matches(path.name, beside, n=1)
    return f"; did you mean {path.parent / near[0]}?" if near else ""


def _inside(
    folder: Path,
    above: set[str],
    columns: Mapping[str, str] | None,
    skipped: frozenset[Path] = frozenset(),
) -> Iterator[tuple[Path, bool]]:
    """Walk a folder; `above` keeps links from leading round in a circle.

    What is `skipped` belongs to a dataset that a folder above is.
    """
    try:
        entries = [entry for entry in os.scandir(folder) if not entry.name.startswith(".")]
    except OSError:
        # To be reported as unreadable, like a file.
        yield folder, True
        return
    if skipped and skipped.issuperset(paths_below(folder)):
        return
    try:
        dataset = dataset_to_read(folder, columns)
    except SourceError:  # a file of it is damaged: reading it will tell
        yield folder, True
        return
    if dataset is not None and not skipped.issuperset(dataset.paths):
        yield folder, True
        skipped |= dataset.paths
    for entry in entries:
        path = Path(entry.path)
        if not _is_folder(entry):
            if path not in skipped:
                yield path, False
        elif is_made_of_parts(path):
            yield path, True
        elif (real := os.path.realpath(path)) not in above:
            yield from _inside(path, above | {real}, columns, skipped)


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
    what = found.seen.get(path) or recognise(path, found.columns)
    if what.kind == "folder":
        return _read_folder(path, found)
    if what.kind == "mapping":
        found.archives.append(read_database(path))
    elif what.kind == "table":
        found.archives.append(read_table_file(path, found.columns, what.table))
    elif what.format is not None and what.format.together is not None:
        found.together.setdefault(what.format, []).append(path)
    elif what.format is not None:
        _take_known(what.format, path, found)
    elif what.kind == "report":
        found.trf.append((path, report_bytes(path)))
    else:
        return NO_FILE if what.kind == "special" else several_files(path) or OTHER_FILE
    return ""


def _take_known(known: Format, path: Path, found: _Found) -> None:
    """Read a file, and put what is in it to what other files of its format have."""
    read = known.read(path)
    found.taken_for.append((as_text(path), f"read as {known.name}"))
    own, key = key_of(path), found.names.get(path, key_of(path))
    if isinstance(read, Archive):
        into = found.last if known.is_spread else found.archives
        into.append(read if own == key else with_keys(read, {own: key}, tell=False))
        return
    waiting = found.gathered.setdefault(known, [])
    waiting.extend(replace(one, key=key) if one.key == own else one for one in read)
    if len(waiting) >= _TOGETHER:
        _make(known, found)


def _make(known: Format, found: _Found) -> None:
    """Make an archive of what was gathered; what has names of its own comes last."""
    if found.gathered[known]:
        into = found.last if known.is_spread else found.archives
        into.append(archive_of(found.gathered[known]))
        found.gathered[known].clear()


def _take_together(found: _Found) -> None:
    """Read the files that have to be read together, and finish what was gathered."""
    for known, paths in found.together.items():
        assert known.together is not None  # noqa: S101 - or they would not be here
        found.taken_for += [(as_text(path), f"read as {known.name}") for path in paths]
        found.last.append(known.together(paths))
    for known in found.gathered:
        _make(known, found)


def _read_folder(path: Path, found: _Found) -> str:
    """Read a folder of frames or a ledger, or return why it is nothing to read."""
    if is_ledger(path):
        found.archives.append(read_ledger(path))
    elif read_manifest(path) is not None:
        return "the output of a recalculation, which tbframe.Recalculation reads"
    elif (dataset := dataset_to_read(path, found.columns)) is not None:
        found.archives.append(read_dataset(dataset, found.columns))
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
    renamed: pl.DataFrame,
    teams: bool,
    byes: pl.DataFrame | None,
) -> Archive:
    files = [TrfFile(as_text(path), found.names[path], data) for path, data in found.trf]
    archives = [*found.archives, *found.last]
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


def unique_keys(
    files: Mapping[Path, Recognised | None],
) -> tuple[dict[Path, str], pl.DataFrame]:
    """Call the tournament of each file that has one by its name, made unique.

    Parameters
    ----------
    files
        What they are; None where that cannot be told. Reports come before others.

    Returns
    -------
    names, findings
        The key for each path, and where it is not the name of the file.
    """
    alone = {path: what for path, what in files.items() if what is None or what.is_tournament}
    known = [path for path, what in alone.items() if what is not None and what.format is not None]
    others = {*known}
    names = unique_keys_of([*(path for path in alone if path not in others), *known])
    renamed = [
        (as_text(path), key, key_of(path)) for path, key in names.items() if key != key_of(path)
    ]
    findings = findings_from(
        pl.DataFrame(renamed, schema=["file", "tournament", "stem"], orient="row"),
        code="tournament-renamed",
        severity="info",
        message=pl.format("another file is called {} too", "stem"),
    )
    return names, findings
