"""What runs on the machines of a cluster: rows of a manifest in, rows of summaries out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pyarrow as pa

from tbframe.cluster.places import Place
from tbframe.recalculation.integrity import SUMMARY
from tbframe.recalculation.ledger_parts import as_loaded
from tbframe.recalculation.part_files import part_files, part_name
from tbframe.recalculation.work import Job
from tbframe.sources.ledgers import load_part
from tbframe.sources.manifests import PARTS, Manifest
from tbframe.tiebreaks import parse_order

__all__ = ["SUMMARIES", "Kernel"]

#: The columns that come back: number and summary of a part, or the error that stopped it.
SUMMARIES = "number long, summary string, error string"


@dataclass(frozen=True)
class Kernel:
    """Recalculates the parts that the rows of a table name.

    Attributes
    ----------
    ledger, out
        Where the parts are, and where the results go.
    order, edition
        As for `tbframe.recalc`.
    """

    ledger: Place
    out: Place
    order: str
    edition: str

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Take parts of the ledger; give the columns of `SUMMARIES`.

        Of each part there are its ``number``, its ``name`` and ``summary`` in the ledger, and
        the summary of what is ``done`` of it: null, if nothing is.
        """
        for batch in batches:
            table = self.recalculate(pa.Table.from_batches([batch]))
            yield from table.to_batches()

    def recalculate(self, parts: pa.Table) -> pa.Table:
        """Recalculate parts one after the other and write what comes of each."""
        rows = [self._part(**row) for row in parts.to_pylist()]
        schema = pa.schema(
            [("number", pa.int64()), ("summary", pa.string()), ("error", pa.string())]
        )
        return pa.Table.from_pylist(rows, schema)

    def _part(self, number: int, name: str, summary: str, done: str | None) -> dict[str, object]:
        if done is not None and self._is_sound(number, json.loads(done)):
            return {"number": number, "summary": done, "error": None}
        folder = f"{PARTS}/{name}"

        def fetch(file: str) -> bytes:
            data = self.ledger.read(f"{folder}/{file}")
            if data is None:
                raise FileNotFoundError(f"{folder}/{file} is gone")
            return data

        try:
            part = load_part(f"{self.ledger.uri}/{folder}", json.loads(summary), fetch)
            made = Job(parse_order(self.order), self.edition)(as_loaded(part))
            files = part_files(made.frames, made.counts)
            # The summary comes last: where it is, the part is whole.
            target = f"{PARTS}/{part_name(number)}"
            self.out.write({f"{target}/{file}": data for file, data in files.items()})
        except (ValueError, OSError) as error:  # TbframeError is a ValueError
            return {"number": number, "summary": None, "error": str(error)}
        return {"number": number, "summary": files[SUMMARY].decode(), "error": None}

    def _is_sound(self, number: int, summary: Manifest) -> bool:
        """Tell whether the files of a part are as they were written."""
        return all(
            (data := self.out.read(f"{PARTS}/{part_name(number)}/{file}")) is not None
            and hashlib.sha256(data).hexdigest() == about["sha256"]
            for file, about in summary["files"].items()
        )
