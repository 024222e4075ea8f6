"""The two jobs over a whole database: its standings, and its ledger."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any

from tbframe.editions import AUTO, edition_of
from tbframe.errors import SourceError
from tbframe.recalculation.earlier import Earlier
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
        ``manifest.json`` with the counts and checksums of all.
    order
        The criteria, as for `Archive.standings`.
    edition
        The text to apply; ``"auto"``: the one in force on each tournament's start date.
    resume
        Go on with a run that was stopped, in whatever way. The dataset comes out the same,
        byte for byte, as that of a run that was not.
    overwrite
        Replace what an earlier run wrote.
    changed_only
        Take the values of tournaments whose rows, rules and order have not changed since from
        the dataset that is in `out`; it stays in sight until the new one is complete. Where
        there is none, all is computed.
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

    Notes
    -----
    A tournament with which something is wrong is in the quarantine, with its reason, and the
    others go on. Every row that comes in belongs to a tournament that comes out or to one in
    the quarantine; the manifest has the counts, and a run in which they do not add up fails.

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
        "changed_only": changed_only,
    }
    with Output.open(folder, resume=resume, overwrite=overwrite, replace=changed_only) as output:
        earlier = Earlier(folder) if output.replacing else None
        job = Job(criteria, settings["edition"], earlier)
        settings["definitions"] = job.definitions
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
    with Output.open(folder, resume=resume, overwrite=overwrite, replace=False) as output:
        settings = {"kind": LEDGER}
        _run(output, source, as_ledger, settings, games_a_part, workers=workers, progress=progress)
    return folder


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
    output.begin(settings)
    if not output.complete:
        fill(output, opened, work, settings, progress=progress, workers=workers)
