"""The job that a cluster is given."""

from __future__ import annotations

import json
import os
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tbframe.cluster.kernel import SUMMARIES, Kernel
from tbframe.cluster.places import Place
from tbframe.editions import AUTO, edition_of
from tbframe.errors import SourceError
from tbframe.recalculation.differing import what_differs
from tbframe.recalculation.disk import as_json
from tbframe.recalculation.integrity import SUMMARY
from tbframe.recalculation.part_files import part_name
from tbframe.recalculation.run import manifest_of, versions
from tbframe.sources.manifests import (
    LEDGER,
    MANIFEST,
    PARTS,
    RECALCULATION,
    Manifest,
    fingerprint_of,
    wrong_with_manifest,
    wrong_with_part,
)
from tbframe.standings import check_editions
from tbframe.tiebreaks import parse_order

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["recalc"]


def recalc(
    spark: SparkSession,
    ledger: str | PathLike[str],
    out: str | PathLike[str],
    order: str | list[str],
    *,
    edition: str = AUTO,
    resume: bool = False,
    overwrite: bool = False,
) -> Manifest:
    """Rank every tournament of a ledger on a Spark cluster.

    The manifest of the ledger lists its parts; they are spread over the machines, each part is
    computed by the same code as on one machine, and written by the machine that computed it.

    Parameters
    ----------
    spark
        A session of any kind: ``local[*]``, a standalone master, YARN, Kubernetes, or Spark
        Connect. tbframe has to be installed on its machines.
    ledger
        What `tbframe.write_ledger` wrote: a folder that all machines reach under the same
        path, or the URI of one in an object store (``s3://bucket/ledger``).
    out
        Where the dataset goes, likewise.
    order, edition
        As for `tbframe.recalc`.
    resume
        Go on with a run that was stopped: parts that are there, as they were written, are not
        computed again.
    overwrite
        Replace a dataset that is there.

    Returns
    -------
    dict
        The manifest of the complete dataset, also in ``manifest.json`` of `out`. The files are
        the same, byte for byte, as those of `tbframe.recalc` of the same ledger.

    Raises
    ------
    SourceError
        If the ledger or `out` cannot be used, or a part failed on a machine; what is finished
        is kept, to be resumed.
    CodeError, EditionError
        If the order or the edition cannot be used.

    Notes
    -----
    Two jobs on one `out` are not kept apart, because object stores have no locks.
    """
    criteria = parse_order(order)
    check_editions(criteria, edition)
    source, target = _place(ledger), _place(out)
    written = _manifest(source)
    if not written or written["settings"].get("kind") != LEDGER or not written.get("complete"):
        raise SourceError(f"{source.uri}: no complete ledger; write one with tbframe.write_ledger")
    if source.overlaps(target):
        raise SourceError(
            f"{target.uri} is, holds or lies in the ledger {source.uri}: name a place apart from it"
        )
    settings: dict[str, Any] = {
        "kind": RECALCULATION,
        "order": " ".join(map(str, criteria)),
        "edition": edition if edition == AUTO else edition_of(edition).key,
        "definitions": {},
        "source": {"kind": LEDGER, "fingerprint": fingerprint_of(written)},
        "versions": versions(),
    }
    there = _begin(target, settings, len(written["parts"]), resume=resume, overwrite=overwrite)
    parts = [
        (number, name, json.dumps(summary), there.get(number))
        for number, (name, summary) in enumerate(written["parts"].items())
    ]
    done = _run(spark, Kernel(source, target, settings["order"], settings["edition"]), parts)
    complete = manifest_of(done, settings)
    target.write({MANIFEST: as_json(complete)})
    return complete


def _place(path: str | PathLike[str]) -> Place:
    text = os.fspath(path)
    return Place(text if "://" in text else str(Path(text).resolve()))


def _manifest(place: Place) -> Manifest | None:
    data = place.read(MANIFEST)
    if data is None:
        return None
    try:
        read: Manifest = json.loads(data)
        wrong = wrong_with_manifest(read)
    except ValueError as error:
        wrong = str(error)
    if wrong:
        raise SourceError(
            f"{place.uri}/{MANIFEST}: cannot be read as the manifest of a dataset ({wrong})"
        )
    return read


def _begin(
    out: Place, settings: Manifest, parts: int, *, resume: bool, overwrite: bool
) -> dict[int, str]:
    """Refuse what must not be replaced; return the summaries of the parts that are there."""
    if resume and overwrite:
        raise SourceError("resume=True and overwrite=True contradict each other: give one of them")
    try:
        found = _manifest(out)
    except SourceError:
        known = (out.names(f"{PARTS}/{name}") for name in out.names(PARTS))
        if not overwrite or not any("standings.parquet" in files for files in known):
            raise
        found = None
    if found is not None and found["settings"]["kind"] != RECALCULATION:
        raise SourceError(f"{out.uri} holds a {found['settings']['kind']}: name another place")
    if found is not None and not (resume or overwrite):
        raise SourceError(f"{out.uri} holds a dataset: give resume=True or overwrite=True")
    there = {}
    if found is not None and resume:
        if different := what_differs(found["settings"], settings):
            raise SourceError(
                f"{out.uri}: cannot be resumed, because it was begun otherwise "
                f"({'; '.join(different)}); give overwrite=True to begin anew"
            )
        there = {number: data for number in range(parts) if (data := _summary(out, number))}
        for name in set(out.names(PARTS)) - {part_name(number) for number in range(parts)}:
            out.remove(f"{PARTS}/{name}")
    else:
        out.remove(PARTS)
    out.write({MANIFEST: as_json({"complete": False, "settings": settings})})
    return there


def _summary(out: Place, number: int) -> str | None:
    """Return the summary of a part that is there, if it can be read."""
    data = out.read(f"{PARTS}/{part_name(number)}/{SUMMARY}")
    try:
        return None if data is None or wrong_with_part(json.loads(data)) else data.decode()
    except ValueError:
        return None


def _run(
    spark: SparkSession, kernel: Kernel, parts: list[tuple[int, str, str, str | None]]
) -> dict[int, Manifest]:
    """Compute the parts on the cluster, one task each."""
    rows = spark.createDataFrame(parts, "number long, name string, summary string, done string")
    spread: Any = rows.repartitionByRange(len(parts), "number")
    made = spread.mapInArrow(kernel, SUMMARIES).collect()
    failed = [row for row in made if row["error"] is not None]
    if failed:
        more = f" and {len(failed) - 1:,} other parts" if len(failed) > 1 else ""
        raise SourceError(
            f"part {part_name(failed[0]['number'])}{more} failed: {failed[0]['error']}; what is "
            "finished is kept, run again with resume=True to go on"
        )
    return {row["number"]: json.loads(row["summary"]) for row in made}
