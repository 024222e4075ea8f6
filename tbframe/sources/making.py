"""One tournament of a file made into an archive, with the doubts that came up on the way."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl

from tbframe.archive import Archive
from tbframe.errors import FindingWarning
from tbframe.findings import Severity, concat_findings
from tbframe.intake import from_results
from tbframe.schema import FINDINGS, TOURNAMENTS
from tbframe.sources.names import as_text
from tbframe.sources.texts import read_text
from tbframe.sources.unpacking import PACKED

__all__ = ["Doubts", "absences", "key_of", "make_archive", "unique_keys_of"]


@dataclass
class Doubts:
    """Findings about one tournament, gathered while its file is read."""

    found: list[dict[str, Any]] = field(default_factory=list)

    def add(
        self,
        code: str,
        message: str,
        severity: Severity = "info",
        *,
        line: int | None = None,
        round: int | None = None,  # noqa: A002 - the name of the column
        player: object = None,
    ) -> None:
        """Add a finding.

        Parameters
        ----------
        code, message, severity
            As of `findings.findings_from`.
        line, round, player
            The place, as far as it is known.
        """
        name = None if player is None else str(player)
        self.found.append(
            {"line": line, "round": round, "player": name,
             "severity": severity, "code": code, "message": message}
        )  # fmt: skip

    def text(self, path: Path) -> str:
        """Read a file as text; a finding where that is not UTF-8.

        Raises
        ------
        UnreadableError, OSError
            As `unpacking.unpack`.
        """
        text, encoding = read_text(path)
        if encoding is not None:
            self.add("encoding-assumed", f"is no UTF-8: read as {encoding}")
        return text

    def date(self, text: str | None, where: str) -> date | None:
        """Read an ISO date, with a time behind it or without; a finding where it is none."""
        if not text or not text.strip():
            return None
        try:
            return date.fromisoformat(text.strip()[:10])
        except ValueError:
            self.add("date-unread", f"{where}: no date: {text.strip()[:40]!r}", "warning")
            return None

    def frame(self, path: Path, tournament: str | None) -> pl.DataFrame:
        """Return them as a findings frame; without a tournament they are about the file."""
        place = {"file": as_text(path), "tournament": tournament}
        return pl.DataFrame([{**place, **one} for one in self.found], schema=FINDINGS)


def absences(
    rows: Iterable[Mapping[str, Any]], players: Iterable[object], result: str = "Z"
) -> list[dict[str, Any]]:
    """Return a row for each round that took place and in which a player did nothing.

    Parameters
    ----------
    rows
        Rows of results, with ``round`` and ``player``.
    players
        Keys of all players.
    result
        What such a round is worth, as a result code.

    Examples
    --------
    >>> absences([{"round": 1, "player": "a"}, {"round": 2, "player": "b"}], ["a", "b"])
    [{'round': 2, 'player': 'a', 'result': 'Z'}, {'round': 1, 'player': 'b', 'result': 'Z'}]
    """
    there = {(row["round"], row["player"]) for row in rows}
    rounds = sorted({number for number, _ in there})
    return [
        {"round": number, "player": player, "result": result}
        for player in players
        for number in rounds
        if (number, player) not in there
    ]


def key_of(path: Path) -> str:
    """Call a tournament by its file: the name without the ending, and without that of a packer.

    Examples
    --------
    >>> key_of(Path("cups/open.h9.gz"))
    'open'
    """
    plain = path.with_suffix("") if path.suffix.lower() in PACKED else path
    return as_text(plain.stem)


def unique_keys_of(paths: Iterable[Path]) -> dict[Path, str]:
    """Call the tournament of each file by it, with a number behind names that come again.

    Examples
    --------
    >>> list(unique_keys_of([Path("x/cup.trf"), Path("y/cup.trf"), Path("z/cup-2.trf")]).values())
    ['cup', 'cup-3', 'cup-2']
    """
    stems = {path: key_of(path) for path in paths}
    taken = set(stems.values())
    count: dict[str, int] = {}
    names = {}
    for path, stem in stems.items():
        key = stem
        number = count[stem] = count.get(stem, 0) + 1
        if number > 1:
            while f"{stem}-{number}" in taken:
                number += 1
            key = f"{stem}-{number}"
            taken.add(key)
        names[path] = key
    return names


def make_archive(
    path: Path,
    results: pl.DataFrame,
    players: pl.DataFrame,
    about: Mapping[str, Any],
    doubts: Doubts,
    *,
    key: str | None = None,
) -> Archive:
    """Make the archive of one tournament.

    Parameters
    ----------
    path
        The file: the tournament is called by its name.
    results, players
        As for `from_results`, without the column ``tournament``.
    about
        What is known of the tournament, by the columns of its frame; others are carried along.
    doubts
        What is to be told of it.
    key
        The tournament's key, where the file has several tournaments.

    Returns
    -------
    Archive
        All its findings name the file.
    """
    key = key or key_of(path)
    here = pl.lit(key).alias("tournament")
    known = {name: kind for name, kind in TOURNAMENTS.items() if kind and name in about}
    row = pl.DataFrame([{"tournament": key, **about}], schema_overrides=known)
    with warnings.catch_warnings():
        # What is set aside is told by the archive's quarantine.
        warnings.simplefilter("ignore", FindingWarning)
        made = from_results(results.with_columns(here), players.with_columns(here), row)
    file = pl.lit(as_text(path)).alias("file")
    return replace(
        made,
        findings=concat_findings(doubts.frame(path, key), made.findings.with_columns(file)),
        quarantine=made.quarantine.with_columns(file),
    )
