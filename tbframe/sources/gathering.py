"""Many small tournaments made into one archive in one go.

A reader takes one file at a time apart. What it finds is put into frames for all files together:
making and checking frames costs about as much for one tournament as for hundreds.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import polars as pl

from tbframe.archive import Archive
from tbframe.errors import FindingWarning, TbframeError
from tbframe.findings import concat_findings
from tbframe.intake import from_results
from tbframe.schema import FINDINGS, PLAYERS, QUARANTINE, RESULTS, TOURNAMENTS
from tbframe.sources.making import Doubts
from tbframe.sources.merging import merge
from tbframe.sources.names import as_text
from tbframe.sources.unreadable import UnreadableError

__all__ = ["Gathered", "Refused", "archive_of"]

_Rows = Sequence[Mapping[str, Any]]
#: Columns that are there even where no row has them.
_RESULTS: Final = ("round", "player", "opponent", "color", "result")


@dataclass(frozen=True)
class Gathered:
    """A tournament as a reader found it.

    Attributes
    ----------
    path, key
        The file, and what the tournament is called.
    results, players
        Rows as for `from_results`, without ``tournament``. The keys of the players are all text or
        all whole numbers, the same for all tournaments of a format.
    about
        What is known of the tournament, by the columns of its frame; others are carried along.
    doubts
        What is to be told of it.
    """

    path: Path
    key: str
    results: _Rows
    players: _Rows
    about: Mapping[str, Any]
    doubts: Doubts = field(default_factory=Doubts)


@dataclass(frozen=True)
class Refused:
    """A tournament that cannot be read, of a file with others that can.

    Attributes
    ----------
    path, key
        The file, and what the tournament is called.
    error
        Why.
    rows
        How many result rows it would have had, as far as that is known.
    """

    path: Path
    key: str
    error: UnreadableError
    rows: int = 0


def archive_of(read: Sequence[Gathered | Refused]) -> Archive:
    """Make an archive of tournaments of one format.

    Parameters
    ----------
    read
        At least one. A key that is taken by an earlier one gets a number behind it.

    Returns
    -------
    Archive
        All findings and reasons name the file. A tournament whose rows break a contract is in the
        quarantine, and the others are not.

    Examples
    --------
    >>> rows = [{"round": 1, "player": "a", "result": "U"}]
    >>> cup = Gathered(Path("cup.json"), "cup", rows, [{"player": "a"}], {"name": "Cup"})
    >>> archive_of([cup]).results.select("tournament", "player", "result").rows()
    [('cup', 'a', 'U')]
    """
    gathered = [one for one in read if isinstance(one, Gathered)]
    refused = [one for one in read if isinstance(one, Refused)]
    return merge([*map(_refusal, refused), *(_sound_parts(_renamed(gathered)) if gathered else [])])


def _renamed(gathered: Sequence[Gathered]) -> list[Gathered]:
    """Give every tournament a key of its own."""
    taken: set[str] = set()
    given = {one.key for one in gathered}
    unique = []
    for one in gathered:
        key, number = one.key, 1
        while key in taken or (number > 1 and key in given):
            number += 1
            key = f"{one.key}-{number}"
        taken.add(key)
        if key != one.key:
            one.doubts.add("tournament-renamed", f"another tournament is called {one.key} too")
        unique.append(replace(one, key=key))
    return unique


def _sound_parts(gathered: Sequence[Gathered]) -> list[Archive]:
    """Make archives of halves, and halves of these, until those that break a rule are alone."""
    try:
        return [_made(gathered)]
    except TbframeError as error:
        if len(gathered) == 1:
            return [_set_aside(gathered[0], str(error))]
    middle = len(gathered) // 2
    return _sound_parts(gathered[:middle]) + _sound_parts(gathered[middle:])


def _made(gathered: Sequence[Gathered]) -> Archive:
    results = _frame(((one.key, one.results) for one in gathered), RESULTS, _RESULTS)
    players = _frame(((one.key, one.players) for one in gathered), PLAYERS, ("player",))
    about = _frame(((one.key, [one.about]) for one in gathered), TOURNAMENTS, ())
    with warnings.catch_warnings():
        # What is set aside is told by the archive's quarantine.
        warnings.simplefilter("ignore", FindingWarning)
        made = from_results(results, players, about)
    files = {one.key: as_text(one.path) for one in gathered}
    file = pl.col("tournament").replace_strict(files, default=None, return_dtype=pl.String)
    found = pl.DataFrame(
        [{"file": files[one.key], "tournament": one.key, **doubt}
         for one in gathered for doubt in one.doubts.found],
        schema=FINDINGS,
    )  # fmt: skip
    return replace(
        made,
        findings=concat_findings(found, made.findings.with_columns(file=file)),
        quarantine=made.quarantine.with_columns(file=file),
    )


def _set_aside(one: Gathered, reason: str) -> Archive:
    error = UnreadableError(reason, code="unreadable-table")
    return _refusal(Refused(one.path, one.key, error, len(one.results)))


def _refusal(one: Refused) -> Archive:
    """Make an archive of nothing but the reason why a tournament is none."""
    nothing = _made([Gathered(one.path, one.key, [], [], {})])
    error = one.error
    row = (as_text(one.path), error.line, one.key, error.code, str(error), one.rows)
    return replace(
        nothing,
        tournaments=nothing.tournaments.clear(),
        quarantine=pl.DataFrame([row], schema=QUARANTINE, orient="row"),
    )


def _frame(
    parts: Iterable[tuple[str, _Rows]],
    types: Mapping[str, pl.DataType | None],
    always: Iterable[str],
) -> pl.DataFrame:
    """Put rows of several tournaments into one frame."""
    keys: list[str] = []
    rows: list[Mapping[str, Any]] = []
    for key, part in parts:
        keys.extend([key] * len(part))
        rows.extend(part)
    names = dict.fromkeys([*always, *(name for row in rows for name in row)])
    columns = [_column(name, [row.get(name) for row in rows], types) for name in names]
    return pl.DataFrame([pl.Series("tournament", keys, pl.String), *columns])


def _column(name: str, values: list[Any], types: Mapping[str, pl.DataType | None]) -> pl.Series:
    """Make a column of the type that its values have, or should have where there are none."""
    kinds = {type(value) for value in values} - {type(None)}
    if not kinds:
        return pl.Series(name, values, types.get(name) or pl.Null)
    if kinds == {int, float}:
        return pl.Series(name, values, pl.Float64)
    return pl.Series(name, values)
