"""``frame.tb``: standings straight from a long table of results, eager or lazy."""

from __future__ import annotations

from typing import Any

import polars as pl

from tbframe.archive import Archive, Criteria
from tbframe.editions import AUTO, Edition
from tbframe.intake import from_results

__all__ = ["ResultsNamespace"]


class ResultsNamespace:
    """The methods of an `Archive` on a bare ``results`` frame.

    Examples
    --------
    >>> import polars as pl
    >>> import tbframe as tb
    >>> results = pl.LazyFrame(
    ...     {
    ...         "tournament": ["t", "t"],
    ...         "round": [1, 1],
    ...         "player": ["Ada", "Bo"],
    ...         "opponent": ["Bo", "Ada"],
    ...         "result": ["1", "0"],
    ...     }
    ... )
    >>> results.tb.standings("PTS BH").select("rank", "player", "PTS", "BH").rows()
    [(1, 'Ada', 1.0, 0.0), (2, 'Bo', 0.0, 1.0)]
    """

    def __init__(self, frame: pl.DataFrame | pl.LazyFrame) -> None:
        self._frame = frame

    def archive(self, players: Any = None, tournaments: Any = None) -> Archive:
        """Return the frame as an `Archive`: see `tbframe.from_results`."""
        return from_results(self._frame, players, tournaments)

    def standings(
        self,
        order: Criteria | None = None,
        *,
        edition: str | Edition = AUTO,
        after_round: int | None = None,
    ) -> pl.DataFrame:
        """Rank the players of every tournament: see `Archive.standings`."""
        return self.archive().standings(order, edition=edition, after_round=after_round)

    def tiebreaks(
        self, codes: Criteria, *, edition: str | Edition = AUTO, after_round: int | None = None
    ) -> pl.DataFrame:
        """Compute tie-breaks for every player: see `Archive.tiebreaks`."""
        return self.archive().tiebreaks(codes, edition=edition, after_round=after_round)


pl.api.register_dataframe_namespace("tb")(ResultsNamespace)
pl.api.register_lazyframe_namespace("tb")(ResultsNamespace)
