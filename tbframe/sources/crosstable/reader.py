"""Crosstables as archives, one tournament for each table that can be trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, Final

import polars as pl

from tbframe.archive import Archive
from tbframe.errors import SourceError
from tbframe.findings import concat_findings
from tbframe.intake import from_results
from tbframe.schema import QUARANTINE
from tbframe.sources.crosstable.about import about as said_about
from tbframe.sources.crosstable.about import legend, points_explained
from tbframe.sources.crosstable.dialect import read_own
from tbframe.sources.crosstable.games import games_of
from tbframe.sources.crosstable.mirrors import Contradictions
from tbframe.sources.crosstable.numbering import Numbers
from tbframe.sources.crosstable.opening import Opened, is_crosstable, open_file, open_source
from tbframe.sources.crosstable.options import Options, checked
from tbframe.sources.crosstable.players import players_of
from tbframe.sources.crosstable.tables import Table, fitted, tables_in
from tbframe.sources.making import Doubts, key_of, make_archive
from tbframe.sources.merging import merge
from tbframe.sources.names import as_text
from tbframe.sources.unreadable import OtherTableError, UnreadableError

__all__ = ["read_crosstable", "read_file"]

#: The reason of a refusal where nothing is wrong but that there is no crosstable.
_NOTHING: Final = "no-crosstable"


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
    options = checked(table, numbers, contradictions, about, encoding)
    if not isinstance(source, str | PathLike):
        raise SourceError(f"a source is a path or a text, no {type(source).__name__}")
    opened = open_source(source if isinstance(source, str) else Path(source), encoding)
    archive = _archive(opened, options)
    if not opened.in_memory:
        return archive
    nowhere = pl.lit(None, pl.String()).alias("file")
    return replace(
        archive,
        findings=archive.findings.with_columns(nowhere),
        quarantine=archive.quarantine.with_columns(nowhere),
    )


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
        return _archive(open_file(path), Options())
    except UnreadableError as error:
        if error.code == _NOTHING:  # a page or a workbook like any other
            raise OtherTableError(str(error), likely=False) from error
        raise


def _archive(opened: Opened, options: Options) -> Archive:
    """Make an archive of all crosstables."""
    path = opened.path
    tables = [table for sheet in opened.sheets for table in tables_in(sheet)]
    chosen = _chosen(tables, options)
    stem = key_of(path)
    told = Doubts()
    if opened.encoding:
        told.add("encoding-assumed", f"is no UTF-8: read as {opened.encoding}")
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
    chosen = [pair for pair in counted if is_crosstable(pair[1])]
    if not chosen:
        more = f"; {len(tables)} tables have names, and no rounds" if tables else ""
        raise UnreadableError(
            "there is no crosstable in it: no row has a word for the name of a player and "
            f"columns for rounds or for all players{more}",
            code=_NOTHING,
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
            results = read.results
            players = players_of(table, read.keys, read.points, read.columns)
            facts = {**said_about(table), **read.facts}
            facts["rounds"] = max(facts.get("rounds", 0), read.rounds)
    except UnreadableError as error:
        return _set_aside(path, key, error, _count(table))
    taken.add(key)
    return make_archive(path, results, players, {**facts, **options.about}, table.doubts, key=key)


def _count(table: Table) -> int:
    """Count the cells that would have been results."""
    columns = [column for of in table.heading.rounds.values() for column in of]
    if table.own:
        names = table.heading.names
        columns = [column for column, name in enumerate(names) if name.endswith(".Rd")]
    elif not columns:  # a column for each opponent, headed by his name
        return len(table.rows) * max(len(table.rows) - 1, 0)
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
