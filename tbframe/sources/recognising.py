"""What kind of thing a path leads to: the one place where files are told from each other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Final, Literal

from tbframe.errors import TbframeError
from tbframe.sources.database import is_mapping
from tbframe.sources.formats import Format, format_of
from tbframe.sources.table_kinds import TableKind, table_kind
from tbframe.sources.texts import plain_head
from tbframe.sources.trf import looks_like_trf
from tbframe.sources.unpacking import peek
from tbframe.sources.unreadable import OtherTableError

__all__ = ["Recognised", "holds_tournaments", "recognise", "recognised"]

Kind = Literal["report", "known", "table", "mapping", "folder", "special", "other"]

#: Endings that promise a tournament report file, whatever is inside.
_TRF: Final = re.compile(r"\.trf[a-z0-9]{0,3}", re.IGNORECASE)
_HEAD: Final = 65_536


@dataclass(frozen=True)
class Recognised:
    """What a path leads to.

    Attributes
    ----------
    kind
        A tournament report; a file of a format that is ``known`` by its content; a table; the
        mapping of a database; a folder; something ``special``, which is no file (a pipe, say);
        or a file of another kind.
    format, table
        Which format, or kind of table.
    """

    kind: Kind
    format: Format | None = None
    table: TableKind | None = None

    @property
    def is_tournament(self) -> bool:
        """Whether it is a file of one tournament, which is called by its name."""
        return self.kind == "report" or (self.format is not None and not self.format.is_spread)


def recognise(path: Path, columns: Mapping[str, str] | None = None) -> Recognised:
    """Tell what a path leads to by its name, else by the beginning of the file.

    Parameters
    ----------
    path
        Of a file or a folder.
    columns
        What tables call their columns; whoever names columns means a table.

    Raises
    ------
    OSError
        If there is nothing, or it cannot be read.
    """
    mode = path.stat().st_mode
    if not S_ISREG(mode):
        return Recognised("folder" if S_ISDIR(mode) else "special")
    suffix = path.suffix.lower()
    if _TRF.fullmatch(suffix):
        return Recognised("report")
    if suffix == ".toml" and is_mapping(path):
        return Recognised("mapping")
    head = plain_head(peek(path, _HEAD))
    table = table_kind(path, head, columns)
    if not (table and columns) and (known := format_of(head, path)):
        return Recognised("known", known)
    if table:
        return Recognised("table", table=table)
    return Recognised("report" if looks_like_trf(head) else "other")


def recognised(path: Path, columns: Mapping[str, str] | None = None) -> Recognised | None:
    """Tell what a path leads to, as `recognise`; ``None`` where it cannot be read."""
    try:
        return recognise(path, columns)
    except OSError:
        return None


def holds_tournaments(path: Path) -> bool:
    """Whether a file is a report, or of a known format; one that cannot be read is neither."""
    what = recognised(path)
    if what is None or what.format is None or what.format.is_spread:
        return what is not None and what.kind in ("report", "known")
    try:  # a page or a workbook may hold anything
        what.format.read(path)
    except OtherTableError:
        return False
    except (TbframeError, OSError):
        return True
    return True
