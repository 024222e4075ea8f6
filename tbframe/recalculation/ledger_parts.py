"""A ledger as a source and as an output."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from tbframe.findings import no_findings
from tbframe.ledger.numbering import number
from tbframe.recalculation.digest import contents
from tbframe.recalculation.parts import Loaded
from tbframe.recalculation.work import Made, account, sorted_findings
from tbframe.sources.ledgers import CONTENTS, LedgerPart, Ledgers
from tbframe.sources.manifests import LEDGER

__all__ = ["LedgerParts", "as_ledger", "as_loaded"]

_TEAMS: Final = ("boards", "members")


def as_ledger(loaded: Loaded) -> Made:
    """Bring a part into the form of the ledger; what `Archive.check` says is kept with it."""
    archive = loaded.archive
    numbered = loaded.numbered
    if numbered is None:
        numbered = number(archive.results, archive.players, archive.tournaments)
    found = no_findings() if loaded.checked else archive.check(numbered)
    archive = replace(archive, findings=sorted_findings(archive.findings, found))
    keys = archive.tournaments.select("tournament")
    frames = {
        "results": numbered,
        "players": archive.players,
        "tournaments": archive.tournaments,
        "findings": archive.findings,
        "quarantine": archive.quarantine,
        # Hashed once here, so that recalculations need not: a quarter of their time.
        CONTENTS: keys.with_columns(contents(archive, numbered)),
    }
    frames |= {name: frame for name in _TEAMS if (frame := getattr(archive, name)) is not None}
    return Made(frames, account(frames, loaded))


class LedgerParts:
    """A ledger as a source, part by part as it was written.

    Parameters
    ----------
    folder
        What `write_ledger` wrote.
    """

    def __init__(self, folder: Path) -> None:
        self._ledgers = Ledgers(folder)
        self.described = {"kind": LEDGER, "fingerprint": self._ledgers.fingerprint}

    @property
    def parts(self) -> int:
        """How many parts there are."""
        return len(self.tournaments)

    @property
    def tournaments(self) -> list[int]:
        """How many tournaments each part has."""
        return [summary["tournaments"] for summary in self._ledgers.summaries]

    def load(self, number: int) -> Loaded:
        """Read one part, in order as it is."""
        return as_loaded(self._ledgers.load(number))


def as_loaded(part: LedgerPart) -> Loaded:
    """Hand a part of a ledger on to what is done with it."""
    return Loaded(part.archive, numbered=part.numbered, checked=True, contents=part.contents)
