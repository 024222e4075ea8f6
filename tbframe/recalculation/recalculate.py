"""The two jobs over a whole database: its standings, and its ledger."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from tbframe.editions import AUTO, edition_of
from tbframe.errors import FindingWarning, SourceError
from tbframe.recalculation.apart import insist_apart
from tbframe.recalculation.earlier import Earlier
from tbframe.recalculation.folder import Way
from tbframe.recalculation.ledger_parts import as_ledger
from tbframe.recalculation.opening import BulkSource, open_source
from tbframe.recalculation.output import Output
from tbframe.recalculation.parts import GAMES_A_PART, Loaded
from tbframe.recalculation.result import Recalculation
from tbframe.recalculation.run import Progress, fill, versions
from tbframe.recalculation.work import Job, Made
from tbframe.sources.manifests import LEDGER, RECALCULATION
from tbframe.standings import check_editions
from tbframe.tiebreaks import parse_order

__all__ = ["recalc", "write_ledger"]


def recalc(
    source: BulkSource,
    out: str | PathLike[str],
    order: str | list[str],
    *,
    edition: str = AUTO,
    resume: bool = False,
    overwrite: bool = False,
    changed_only: bool = False,
    games_a_part: int = GAMES_A_PART,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Recalculation:
    """Rank every tournament of a database, part by part, into a folder of Parquet files.

    Parameters
    ----------
    source
        A folder (or pattern, or list) of tournament report files; a Parquet dataset: one file
        of results or games, a folder with ``results.parquet`` or ``results/`` (and ``players``,
        ``tournaments``, ...), or a folder of Parquet files, Hive partitions among them; a
        database by its mapping file (``.toml``); a ledger (`write_ledger`); or an `Archive`.
    out
        The folder to fill: ``parts/00000/`` and so on, each with ``standings.parquet``,
        ``tournaments.parquet``, ``findings.parquet`` and ``quarantine.parquet``, and
        ``manifest.json`` with the counts and checksums of all. It has to be apart from the
        source: neither in it nor around it.
    order
        The criteria, as for `Archive.standings`.
    edition
        The text to apply; ``"auto"``: the one in force on each tournament's start date.
    resume
        Go on with a run that was stopped, in whatever way, one with `changed_only` too. The
        dataset comes out the same, byte for byte, as that of a run that was not. What is
        finished is read through, and a part that is not as it was written is computed again.
    overwrite
        Replace what an earlier run wrote; a dataset of the same kind only. Nothing is removed
        before the source is open.
    changed_only
        Take the values of tournaments whose rows, rules and order have not changed since from
        the dataset that is in `out`; it stays in sight until the new one is complete. Where
        there is none, all is computed. Nothing is taken from a part that is not as it was
        written, or where it cannot be told whether a tie-break of one's own has changed; the
        manifest's ``notes`` say so, and its totals how many tournaments were ``taken_over``.
    games_a_part
        About how many games are in a part: what is held in memory at once.
    workers
        How many parts are in work at once; by default as many as there are processors.
    progress
        Called with a `State` at the start and after each part.

    Returns
    -------
    Recalculation
        The dataset, to be read.

    Raises
    ------
    SourceError
        If the source or the folder cannot be used, or fails on the way; what is finished is
        kept, to be resumed.
    CodeError, EditionError
        If the order or the edition cannot be used.
    ContractError
        If a table of the source lacks columns or has them in a wrong type.

    Warns
    -----
    FindingWarning
        If something is computed again that an earlier run had written.

    Notes
    -----
    A tournament with which something is wrong is in the quarantine, with its reason, and the
    others go on. Every row that comes in belongs to a tournament that comes out or to one in
    the quarantine; the manifest has the counts, and a run in which they do not add up fails.
    Rows are result rows in all of them: two for a game, one for a bye, one for each team of a
    match.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import tbframe as tb
    >>> with TemporaryDirectory() as folder:
    ...     done = tb.recalc("data/trf", f"{folder}/out", "PTS DE BH/C1")
    ...     totals = done.manifest["totals"]
    ...     best = done.standings.filter(tournament="avro_1938").head(2).collect()
    >>> totals["tournaments"], totals["rows"]
    (7, {'in': 988, 'out': 988, 'quarantined': 0})
    >>> best.select("rank", "name", "PTS", "decided_by").rows()
    [(1, 'Keres, Paul', 8.5, None), (2, 'Fine, Reuben', 8.5, 'DE')]
    """
    criteria = parse_order(order)
    if not isinstance(edition, str):
        raise SourceError("edition is a text here, so that the manifest can name it")
    check_editions(criteria, edition)
    folder = Path(out)
    settings: dict[str, Any] = {
        "kind": RECALCULATION,
        "order": " ".join(map(str, criteria)),
        "edition": edition if edition == AUTO else edition_of(edition).key,
    }
    job = Job(criteria, settings["edition"])
    settings["definitions"] = job.definitions
    insist_apart(source, folder)
    way = Way(RECALCULATION, resume=resume, overwrite=overwrite, replace=changed_only)
    with Output.open(folder, way) as output:
        if output.replacing:
            job = _taking_over(job, folder, output)
        _run(output, source, job, settings, games_a_part, workers=workers, progress=progress)
    return Recalculation(folder)


def write_ledger(
    source: BulkSource,
    out: str | PathLike[str],
    *,
    resume: bool = False,
    overwrite: bool = False,
    games_a_part: int = GAMES_A_PART,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Path:
    """Write tournaments in canonical order, so that sorting and checking are paid once.

    `recalc` takes the folder as its source and needs a fraction of the time; `tbframe.read`
    gives it back as an archive.

    Parameters
    ----------
    source, out, resume, overwrite, games_a_part, workers, progress
        As of `recalc`.

    Returns
    -------
    Path
        The folder. Each of its ``parts`` holds the frames of an archive; ``results`` has row
        numbers of ``players`` in the place of keys, and ``findings`` those of `Archive.check`
        too.

    Raises
    ------
    SourceError, ContractError
        As `recalc`.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import tbframe as tb
    >>> with TemporaryDirectory() as folder:
    ...     ledger = tb.write_ledger("data/trf", f"{folder}/ledger")
    ...     same = tb.read(ledger).results.equals(tb.read("data/trf").results)
    >>> same
    True
    """
    folder = Path(out)
    insist_apart(source, folder)
    settings = {"kind": LEDGER}
    with Output.open(folder, Way(LEDGER, resume=resume, overwrite=overwrite)) as output:
        _run(output, source, as_ledger, settings, games_a_part, workers=workers, progress=progress)
    return folder


def _taking_over(job: Job, folder: Path, output: Output) -> Job:
    """Let a job take over what it can from the dataset that is there; note what it cannot."""
    earlier = Earlier(folder)
    output.notes = [f"{fault}: its tournaments are computed again" for fault in earlier.faults]
    for code, doubt in job.doubts.items():
        output.notes.append(
            f"whether the definition of {code} has changed cannot be told, because it rests on "
            f"{doubt}: all tournaments are computed again"
        )
    return job if job.doubts else replace(job, earlier=earlier)


def _run(
    output: Output,
    source: BulkSource,
    work: Callable[[Loaded], Made],
    settings: dict[str, Any],
    games_a_part: int,
    *,
    workers: int | None,
    progress: Progress | None,
) -> None:
    """Open the source and do what is open; say in the settings what the dataset rests on."""
    if games_a_part < 1:
        raise SourceError(f"games_a_part is 1 or more, not {games_a_part}")
    opened = open_source(source, beside=output.beside, games_a_part=games_a_part)
    settings |= {"source": dict(opened.described), "versions": versions()}
    output.begin(settings, opened.parts)
    if output.complete:
        return
    notes = [f"{fault}: computed again" for fault in output.repaired]
    if output.replacing:  # else they tell of an earlier run
        notes += output.notes
    for note in notes:
        warnings.warn(note, FindingWarning, stacklevel=3)
    fill(output, opened, work, settings, notes=notes, progress=progress, workers=workers)
