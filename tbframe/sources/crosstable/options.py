"""What the user says of a source of crosstables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tbframe.errors import SourceError
from tbframe.schema import TOURNAMENTS
from tbframe.sources.crosstable.mirrors import Contradictions
from tbframe.sources.crosstable.numbering import Numbers

__all__ = ["Options", "checked"]


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


def checked(
    table: object, numbers: object, contradictions: object, about: object, encoding: str | None
) -> Options:
    """Insist on options that are some.

    Raises
    ------
    SourceError
        If one is not.
    """
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
    unknown = sorted(set(about or ()) - (TOURNAMENTS.keys() - {"tournament"}))
    if unknown:
        raise SourceError(f"about: {unknown[0]!r} is no column of the tournaments frame")
    if encoding is not None:
        try:
            "".encode(encoding)
        except (LookupError, TypeError):
            raise SourceError(f"encoding={encoding!r}: there is none of this name") from None
    return Options(tables, numbers, contradictions, dict(about or {}), encoding)  # type: ignore[arg-type]
