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
from tbframe.recalculation.disk import as_json
from tbframe.recalculation.output import SUMMARY, part_name
from tbframe.recalculation.run import manifest_of, versions
from tbframe.sources.manifests import (
    LEDGER,
    MANIFEST,
    PARTS,
    RECALCULATION,
    Manifest,
    fingerprint_of,
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
        Go on with a run that was stopped: parts that are there are not computed again.
    overwrite
        Replace what is there.

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
    settings: dict[str, Any] = {
        "kind": RECALCULATION,
        "order": " ".join(map(str, criteria)),
        "edition": edition if edition == AUTO else edition_of(edition).key,
        "changed_only": False,
        "definitions": {},
        "source": {"kind": LEDGER, "fingerprint": fingerprint_of(written)},
        "versions": versions(),
    }
    done = _begin(target, settings, len(written["parts"]), resume=resume, overwrite=overwrite)
    open_parts = [
        (number, name, json.dumps(summary))
        for number, (name, summary) in enumerate(written["parts"].items())
        if number not in done
    ]
    if open_parts:
        kernel = Kernel(source, target, settings["order"], settings["edition"])
        done |= _run(spark, kernel, open_parts)
    complete = manifest_of(done, settings)
    target.write({MANIFEST: as_json(complete)})
    return complete


def _place(path: str | PathLike[str]) -> Place:
    text = os.fspath(path)
    return Place(text if "://" in text else str(Path(text).resolve()))


def _manifest(place: Place) -> Manifest | None:
    data = place.read(MANIFEST)
    read = None if data is None else json.loads(data)
    return read if isinstance(read, dict) and isinstance(read.get("settings"), dict) else None


def _begin(
    out: Place, settings: Manifest, parts: int, *, resume: bool, overwrite: bool
) -> dict[int, Manifest]:
    """Refuse what must not be replaced; return the summaries of the parts that are there."""
    found = _manifest(out)
    if found is not None and not (resume or overwrite):
        raise SourceError(f"{out.uri} holds a dataset: give resume=True or overwrite=True")
    if found is not None and not overwrite and found["settings"] != settings:
        raise SourceError(
            f"{out.uri}: cannot be resumed, because it was begun with other settings or from "
            "another ledger; give overwrite=True to begin anew"
        )
    out.write({MANIFEST: as_json({"complete": False, "settings": settings})})
    done = {}
    for number in range(parts if found is not None and not overwrite else 0):
        data = out.read(f"{PARTS}/{part_name(number)}/{SUMMARY}")
        if data is not None:
            done[number] = json.loads(data)
    return done


def _run(
    spark: SparkSession, kernel: Kernel, parts: list[tuple[int, str, str]]
) -> dict[int, Manifest]:
    """Compute the parts on the cluster, one task each."""
    rows = spark.createDataFrame(parts, "number long, name string, summary string")
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
