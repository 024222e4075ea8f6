"""One batch of files while its rounds are being settled."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.findings import Severity
from tbframe.schema import RESULT_CODES
from tbframe.sources.trf.characters import Characters
from tbframe.sources.trf.grid import Grid
from tbframe.sources.trf.notes import Notes
from tbframe.sources.trf.roster import Roster

__all__ = ["Sheet"]

_NAMES = pl.Series([*RESULT_CODES, "(blank)"])


@dataclass(frozen=True)
class Sheet:
    """Text, players and rounds of a batch, and a place for what is found on the way."""

    text: Characters
    roster: Roster
    grid: Grid
    notes: Notes

    @cached_property
    def player_line(self) -> NDArray[np.int64]:
        """Line number of each player's record."""
        return self.text.number[self.roster.line]

    def file(self) -> NDArray[np.int64]:
        """Return the file of each row."""
        return self.roster.file[self.grid.player]

    def report(self, rows: NDArray[np.int64], code: str, severity: Severity, message: str) -> None:
        """Report a finding for each of `rows`.

        The message may have the words ``{opponent}`` and ``{result}`` of the row in it.
        """
        if not rows.size:
            return
        grid, player = self.grid, self.grid.player[rows]
        words = [word for word in ("opponent", "result") if f"{{{word}}}" in message]
        self.notes.find(
            code,
            severity,
            pl.format(message.replace("{opponent}", "{}").replace("{result}", "{}"), *words)
            if words
            else message,
            file=self.roster.file[player],
            line=self.player_line[player],
            round=grid.round[rows],
            player=self.roster.number[player],
            opponent=grid.opponent[rows],
            result=_NAMES.gather(grid.result[rows]),
        )
