"""Crosstables as archives: from CSV, workbooks and web pages, known by their content."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any, Final

import polars as pl

from tbframe.archive import Archive
from tbframe.errors import SourceError
from tbframe.findings import concat_findings
from tbframe.intake import from_results
from tbframe.schema import QUARANTINE, TOURNAMENTS
from tbframe.sources.crosstable.about import about, legend, points_explained
from tbframe.sources.crosstable.dialect import read_own
from tbframe.sources.crosstable.encodings import decode, decode_page
from tbframe.sources.crosstable.games import Read, games_of
from tbframe.sources.crosstable.latex import looks_like_latex, tabulars_of
from tbframe.sources.crosstable.matrix import matrix_of
from tbframe.sources.crosstable.mirrors import Contradictions
from tbframe.sources.crosstable.numbering import Numbers
from tbframe.sources.crosstable.pages import tables_of
from tbframe.sources.crosstable.players import players_of
from tbframe.sources.crosstable.sheets import Sheet, delimited, separator_of
from tbframe.sources.crosstable.tables import Table, fitted, tables_in
from tbframe.sources.crosstable.wallcharts import joined_lines
from tbframe.sources.crosstable.workbooks import looks_like_workbook, sheets_of
from tbframe.sources.making import Doubts, key_of, make_archive
from tbframe.sources.merging import merge
from tbframe.sources.names import as_text
from tbframe.sources.unpacking import unpack
from tbframe.sources.unreadable import OtherTableError, UnreadableError

__all__ = ["looks_like_crosstable", "read_crosstable", "read_file"]

_PAGE: Final = re.compile(r"<\s*(?:!doctype\s+html|html|head|body|table|tbody|tr|td|div)\b", re.I)
_TAG: Final = re.compile(rb"<\s*(?:!doctype\s+html|html|head|body|table)\b", re.IGNORECASE)
_ENDINGS: Final = (".htm", ".html", ".xhtml", ".mht")
#: Known columns by which a text is taken for a crosstable; another may have a word for a name.
_KNOWN: Final = 3
_IN_MEMORY: Final = "table"
#: The reason of a refusal where nothing is wrong but that there is no crosstable.
NOTHING: Final = "no-crosstable"


@dataclass(frozen=True)
class Options:
    """What the user says of a source.

    Attributes
    ----------
    tables
        Which of its tables, counted from 1; None for all crosstables.
    numbers
        What opponents are numbered by.
    contradictions
        What becomes of tables whose rows contradict each other.
    about
        What is known of the tournaments, by the columns of their frame.
    encoding
        Of the file.
    """

    tables: tuple[int, ...] | None = None
    numbers: Numbers | None = None
    contradictions: Contradictions = "quarantine"
    about: Mapping[str, Any] = field(default_factory=dict)
    encoding: str | None = None


def read_crosstable(
    source: str | PathLike[str],
    *,
    table: int | Sequence[int] | None = None,
    numbers: Numbers | None = None,
    contradictions: Contradictions = "quarantine",
    about: Mapping[str, Any] | None = None,
    encoding: str | None = None,
) -> Archive:
    r"""Read crosstables: a row for each player, and a column for each round or each opponent.

    The heading is found by its words, in a dozen languages, below whatever stands above it. The
    order of the parts of a cell (``12w1``, ``+12B``, ``w½ 5``, ``12/1``, ``W12``) and the letters
    of the colors are found from all cells of the table; what was found is told.

    Parameters
    ----------
    source
        A CSV file (``;``, ``,``, tab or ``|``; UTF-8, UTF-16 or an older encoding), a workbook
        (XLSX, XLS, ODS) or a web page, or the text of one, as it was pasted.
    table
        Which tables of the source to read, counted from 1 in the order in which they stand there;
        by default all that are crosstables. Those of a workbook are counted over all its sheets.
    numbers
        What the opponents are numbered by: ``"rank"``, ``"start"`` (starting numbers) or
        ``"row"`` (rows counted through). By default that under which most games stand in the
        rows of both players.
    contradictions
        Whether a table in which two rows cannot both be true is set aside (``"quarantine"``), or
        taken as it stands, with an error among the findings for each (``"keep"``).
    about
        What is known of the tournaments, by the columns of their frame: ``{"start": date(1998,
        5, 2), "pairing": "swiss"}``. It prevails over what the source says.
    encoding
        Of the file; by default UTF-8 and UTF-16 are known, and of the older ones that is taken in
        which the heading can be read best.

    Returns
    -------
    Archive
        One tournament for each crosstable, called by the file, with a number behind where there
        are several. The players' keys are their starting numbers; where the table has none, those
        that opponents are numbered by. Columns of tie-breaks are kept in ``players`` under their
        own names, as `Archive.audit` wants them, declared points and ranks as ``points`` and
        ``rank``. A table that cannot be trusted is in the quarantine.

    Raises
    ------
    SourceError
        If there is no such file, no crosstable in it, or an option is none.

    Examples
    --------
    >>> text = "Rk;Name;1.Rd;2.Rd;Pts;TB1\n1;Ada;2w1;3b½;1,5;1,5\n2;Bo;1b0;-1;1;1\n3;Cy;;1w½;0,5;1"
    >>> archive = read_crosstable(text)
    >>> archive.results.filter(player=1).select("opponent", "color", "result").rows()
    [(2, 'w', '1'), (3, 'b', '=')]
    >>> archive.players.select("name", "points", "rank", "TB1").row(0)
    ('Ada', 1.5, 1, 1.5)
    """
    options = _checked(table, numbers, contradictions, about, encoding)
    text = _as_text(source)
    if text is None:
        path = Path(source)
        if not path.is_file():
            raise SourceError(f"{path}: no such file")
        found = _sheets(path, unpack(path), options.encoding)
    else:
        path = Path(_IN_MEMORY)
        found = _Found(tables_of(text) if _PAGE.search(text) else [_delimited(text)])
    archive = _archive(path, found, options)
    if text is not None:
        nowhere = pl.lit(None, pl.String()).alias("file")
        archive = replace(
            archive,
            findings=archive.findings.with_columns(nowhere),
            quarantine=archive.quarantine.with_columns(nowhere),
        )
    return archive


def looks_like_crosstable(head: bytes, path: Path) -> bool:
    r"""Tell by its beginning whether a file is a page, a workbook, or a text with such a heading.

    Examples
    --------
    >>> looks_like_crosstable(b"No;Name;1.Rd;2.Rd;Pts\n1;Ada;2w1;-1;2\n", Path("cup.csv"))
    True
    """
    if looks_like_workbook(head):
        return path.suffix.lower() not in (".zip", ".docx", ".pptx")
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if path.suffix.lower() in _ENDINGS or (start == b"<" and _TAG.search(head)):
        return True
    if looks_like_latex(head):
        return True
    if b"\0" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return False
    text = decode(head, cut=True)[0]
    found = separator_of(text)
    return found is not None and found[1] >= _KNOWN and _has_rounds(text, found[0])


def read_file(path: Path) -> Archive:
    """Read the crosstables of a file.

    Raises
    ------
    OtherTableError
        If there is none in it.
    UnreadableError
        If it cannot be read.
    """
    try:
        return _archive(path, _sheets(path, unpack(path), None), Options())
    except UnreadableError as error:
        if error.code == NOTHING:  # a page or a workbook like any other
            raise OtherTableError(str(error), likely=False) from error
        raise


@dataclass(frozen=True)
class _Found:
    """The sheets of a source, and what is to be told of how they were read."""

    sheets: list[Sheet]
    encoding: str | None = None


def _checked(
    table: object, numbers: object, contradictions: object, about: object, encoding: str | None
) -> Options:
    """Insist on options that are some."""
    tables = None if table is None else tuple(table if isinstance(table, Sequence) else [table])
    if tables is not None and not all(
        isinstance(each, int) and not isinstance(each, bool) and each > 0 for each in tables
    ):
        raise SourceError(f"table={table!r}: tables are counted from 1")
    for name, given, allowed in (
        ("numbers", numbers, (None, "rank", "start", "row")),
        ("contradictions", contradictions, ("quarantine", "keep")),
    ):
        if given not in allowed:
            wanted = ", ".join(repr(each) for each in allowed if each)
            raise SourceError(f"{name}={given!r}: give one of {wanted}")
    if about is not None and not isinstance(about, Mapping):
        raise SourceError(f"about is a {type(about).__name__}, no mapping of columns to values")
    unknown = sorted(set(about or ()) - TOURNAMENTS.keys() | {"tournament"} & set(about or ()))
    if unknown:
        raise SourceError(f"about: {unknown[0]!r} is no column of the tournaments frame")
    if encoding is not None:
        try:
            "".encode(encoding)
        except LookupError:
            raise SourceError(f"encoding={encoding!r}: there is none of this name") from None
    return Options(tables, numbers, contradictions, dict(about or {}), encoding)  # type: ignore[arg-type]


def _as_text(source: object) -> str | None:
    """Return a source that is the text of tables itself; None for a path."""
    if not isinstance(source, str | PathLike):
        raise SourceError(f"a source is a path or a text, no {type(source).__name__}")
    if isinstance(source, str) and ("\n" in source or _PAGE.search(source)):
        return source
    return None


def _has_rounds(text: str, separator: str) -> bool:
    """Whether there is a crosstable, and not just any table with names."""
    sheet = joined_lines(delimited(text, separator))
    return any(_is_crosstable(table) for table in tables_in(sheet))


def _is_crosstable(table: Table) -> bool:
    return table.own or bool(table.heading.rounds) or matrix_of(table) is not None


def _sheets(path: Path, data: bytes, encoding: str | None) -> _Found:
    if looks_like_workbook(data[:65_536]):
        return _Found(sheets_of(path))
    page = path.suffix.lower() in _ENDINGS or _TAG.search(data[:65_536]) is not None
    text, how = (decode_page if page else decode)(data, encoding=encoding)
    if page:
        return _Found(tables_of(text), how)
    return _Found(tabulars_of(text) if looks_like_latex(data) else [_delimited(text)], how)


def _delimited(text: str) -> Sheet:
    found = separator_of(text)
    return Sheet(()) if found is None else joined_lines(delimited(text, found[0]))


def _archive(path: Path, found: _Found, options: Options) -> Archive:
    """Make an archive of all crosstables."""
    tables = [table for sheet in found.sheets for table in tables_in(sheet)]
    chosen = _chosen(tables, options)
    stem = key_of(path)
    told = Doubts()
    if found.encoding:
        told.add("encoding-assumed", f"is no UTF-8: read as {found.encoding}")
    if len(tables) > 1:
        places = ", ".join(str(place) for place, _ in chosen)
        told.add("tables-chosen", f"of {len(tables)} tables with names, crosstables are: {places}")
    taken: set[str] = set()
    archives = []
    for place, table in chosen:
        key = stem if len(chosen) == 1 else f"{stem}-{place}"
        archives.append(_tournament(path, table, key, options, taken))
    archive = merge(archives)
    here = told.frame(path, stem).with_columns(tournament=pl.lit(None, pl.String()))
    return replace(archive, findings=concat_findings(here, archive.findings))


def _chosen(tables: Sequence[Table], options: Options) -> list[tuple[int, Table]]:
    """Take the crosstables, or those asked for, each with its place."""
    counted = list(enumerate(tables, start=1))
    if options.tables is not None:
        missing = [place for place in options.tables if place > len(tables)]
        if missing:
            raise SourceError(f"table={missing[0]}: there are {len(tables)} tables with names")
        return [pair for pair in counted if pair[0] in options.tables]
    chosen = [pair for pair in counted if _is_crosstable(pair[1])]
    if not chosen:
        more = f"; {len(tables)} tables have names, and no rounds" if tables else ""
        raise UnreadableError(
            "there is no crosstable in it: no row has a word for the name of a player and "
            f"columns for rounds or for all players{more}",
            code=NOTHING,
        )
    return chosen


def _tournament(path: Path, table: Table, key: str, options: Options, taken: set[str]) -> Archive:
    """Make an archive of one table, or of the reason why that cannot be."""
    try:
        if table.own:
            own, results, players, facts = read_own(table)
            key = own if own and own not in taken else key
        else:
            fitted(table)
            points_explained(table, legend(table))
            read = games_of(table, options.numbers, options.contradictions)
            results, players, facts = _frames(table, read)
    except UnreadableError as error:
        return _set_aside(path, key, error, _count(table))
    taken.add(key)
    return make_archive(path, results, players, {**facts, **options.about}, table.doubts, key=key)


def _frames(table: Table, read: Read) -> tuple[pl.DataFrame, pl.DataFrame, dict[str, Any]]:
    facts = {**about(table), **read.facts}
    facts["rounds"] = max(facts.get("rounds", 0), read.rounds)
    return read.results, players_of(table, read.keys, read.points, read.columns), facts


def _count(table: Table) -> int:
    """Count the cells that would have been results."""
    if table.own or not table.heading.rounds:
        return len(table.rows) * max(len(table.rows) - 1, 0)
    columns = [column for of in table.heading.rounds.values() for column in of]
    return sum(bool(table.cell(row, column)) for row in table.rows for column in columns)


def _set_aside(path: Path, key: str, error: UnreadableError, rows: int) -> Archive:
    nothing = pl.DataFrame(
        schema={"tournament": pl.String, "round": pl.Int32, "player": pl.Int64,
                "opponent": pl.Int64, "result": pl.String}
    )  # fmt: skip
    reason = pl.DataFrame(
        [(as_text(path), error.line, key, error.code, str(error), rows)],
        schema=QUARANTINE,
        orient="row",
    )
    return replace(from_results(nothing), quarantine=reason)
