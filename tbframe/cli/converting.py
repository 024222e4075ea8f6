"""The command convert: tournaments in another form."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal

import tbframe as tb
from tbframe.cli.options import Target
from tbframe.cli.progress import progress
from tbframe.cli.report import number_of, report
from tbframe.cli.work import check_rules, read_paths
from tbframe.errors import SourceError, TbframeError

if TYPE_CHECKING:
    from tbframe.sources.crosstable import CrosstableFormat

__all__ = ["convert"]

_REPORTS: Final[Mapping[Target, Literal["16", "26"]]] = {Target.TRF16: "16", Target.TRF26: "26"}
_FRAMES: Final[Mapping[Target, Literal["parquet", "csv"]]] = {
    Target.PARQUET: "parquet", Target.CSV: "csv",
}  # fmt: skip
_CROSSTABLES: Final[Mapping[Target, CrosstableFormat]] = {
    Target.CROSSTABLE: "csv", Target.XLSX: "xlsx", Target.HTML: "html", Target.LATEX: "latex",
}  # fmt: skip


def convert(
    paths: Sequence[str],
    target: Target,
    folder: str,
    order: str | None,
    edition: str,
    *,
    columns: Mapping[str, str] | None,
    overwrite: bool,
    findings: bool,
) -> int:
    """Write the tournaments in another form; return the exit status."""
    if target not in _CROSSTABLES and (order is not None or edition != "auto"):
        raise TbframeError(f"--to {target}: --order and --edition are for crosstables")
    check_rules(order, edition)
    archive = read_paths(paths, columns)
    with progress("writing"), warnings.catch_warnings(record=True) as left_out:
        warnings.simplefilter("always")
        try:
            if target in _REPORTS:
                tb.write_trf(archive, folder, version=_REPORTS[target], overwrite=overwrite)
            elif target in _FRAMES:
                tb.write_frames(archive, folder, format=_FRAMES[target], overwrite=overwrite)
            else:
                tb.write_crosstable(
                    archive,
                    folder,
                    order=order,
                    edition=edition,
                    format=_CROSSTABLES[target],
                    overwrite=overwrite,
                )
        except SourceError as error:  # speaks of what it is called in Python
            raise SourceError(str(error).replace("overwrite=True", "--overwrite")) from error
    sys.stderr.writelines(f"warning: {warning.message}\n" for warning in left_out)
    sys.stderr.write(f"wrote {number_of(archive.tournaments.height, 'tournament')} to {folder}\n")
    return report(archive, every=findings)
