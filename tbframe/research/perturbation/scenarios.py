"""What if: a tournament with one result, one bye, one round or one player otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from os import cpu_count
from typing import Final

import numpy as np
import polars as pl

from tbframe.archive import Archive, Criteria
from tbframe.editions import AUTO, Edition
from tbframe.errors import TbframeError
from tbframe.ledger.block import Ints
from tbframe.ledger.numbers import positions
from tbframe.research.perturbation.edits import edits_of
from tbframe.research.perturbation.worlds import Worlds
from tbframe.scoring import team_events
from tbframe.standings import compute_ranks, compute_standings, compute_tiebreaks
from tbframe.tiebreaks import parse_order

__all__ = ["Perturbation", "Ranked", "perturb"]

#: Result rows held at once by each thread.
_ROWS: Final = 1_500_000


@dataclass(frozen=True)
class Ranked:
    """The ranks in some scenarios, one entry for each player of each.

    Attributes
    ----------
    scenario
        Its number.
    player_row
        The row of the archive's players.
    before, after
        The rank as it was, and as it is in the scenario.
    """

    scenario: Ints
    player_row: Ints
    before: Ints
    after: Ints


@dataclass(frozen=True)
class Perturbation:
    """Scenarios of an archive; made by `perturb`.

    Attributes
    ----------
    archive
        The tournaments as they were.
    kind
        What is otherwise.
    scenarios
        One row each: ``scenario`` (from 0), ``tournament``, ``round``, ``player`` (of a game
        White, or the first by key), ``opponent``, and what the result ``was`` and ``becomes``.
    edits
        What they change: ``scenario``, ``row`` of `Archive.results`, the new ``result`` (null: the
        row is struck out), and whether the player is ``alone`` then. Sorted by scenario and row.
    """

    archive: Archive
    kind: str
    scenarios: pl.DataFrame
    edits: pl.DataFrame

    def __repr__(self) -> str:
        """Say in one line what is there."""
        tournaments = self.scenarios["tournament"].n_unique()
        return (
            f"Perturbation({self.kind!r}, {self.scenarios.height:,} scenarios "
            f"of {tournaments:,} tournaments)"
        )

    def standings(self, order: Criteria, *, edition: str | Edition = AUTO) -> pl.DataFrame:
        """Rank the players of every scenario.

        Parameters
        ----------
        order, edition
            As in `Archive.standings`.

        Returns
        -------
        DataFrame
            As of `Archive.standings`, with ``scenario`` after ``tournament``; sorted by scenario,
            rank and player.
        """
        criteria = parse_order(order)
        parts = [
            compute_standings(self._worlds.ledger(*span), criteria, edition=edition)
            for span in self._spans()
        ]
        return self._named(parts)

    def tiebreaks(self, codes: Criteria, *, edition: str | Edition = AUTO) -> pl.DataFrame:
        """Compute tie-breaks of every scenario.

        Parameters
        ----------
        codes, edition
            As in `Archive.tiebreaks`.

        Returns
        -------
        DataFrame
            As of `Archive.tiebreaks`, with ``scenario`` after ``tournament``.
        """
        criteria = parse_order(codes)
        parts = [
            compute_tiebreaks(self._worlds.ledger(*span), criteria, edition=edition)
            for span in self._spans()
        ]
        return self._named(parts)

    def ranks(self, order: Criteria, *, edition: str | Edition = AUTO) -> Iterator[Ranked]:
        """Give the ranks before and after, some scenarios at a time.

        Parameters
        ----------
        order, edition
            As in `Archive.standings`.
        """
        criteria = parse_order(order)
        before = compute_ranks(self.archive._ledger(None), criteria, edition=edition)

        def rank(span: tuple[int, int]) -> Ranked:
            first, last = span
            row = self._worlds.player_rows(first, last)
            after = compute_ranks(self._worlds.ledger(first, last), criteria, edition=edition)
            scenario = np.repeat(np.arange(first, last), self._worlds.players[first:last])
            return Ranked(scenario, row, before[row], after)

        with ThreadPoolExecutor(cpu_count() or 1) as pool:
            yield from pool.map(rank, self._spans())

    @cached_property
    def tournament_rows(self) -> Ints:
        """By scenario, the row of its tournament in the archive."""
        keys = self.archive.tournaments.select("tournament")
        return positions(self.scenarios.select("tournament"), keys)

    @cached_property
    def _worlds(self) -> Worlds:
        return Worlds(self.archive, self.tournament_rows, self.edits)

    def _spans(self) -> list[tuple[int, int]]:
        """Cut the scenarios into spans of about as many rows."""
        count = self.scenarios.height
        part = np.cumsum(self._worlds.rows) // _ROWS
        edges = [0, *(np.flatnonzero(np.diff(part)) + 1).tolist(), count]
        return list(pairwise(edges))

    def _named(self, parts: Sequence[pl.DataFrame]) -> pl.DataFrame:
        together = pl.concat(parts).rename({"tournament": "scenario"})
        keys = self.scenarios["tournament"].gather(together["scenario"])
        return together.select(keys, pl.col("scenario").cast(pl.UInt32), pl.exclude("scenario"))


def perturb(
    archive: Archive, kind: str = "flip", *, rounds: str | Sequence[int] = "last"
) -> Perturbation:
    """Make scenarios: every tournament again, with one thing otherwise in each.

    Parameters
    ----------
    archive
        Individual tournaments.
    kind
        ``"flip"``: a game over the board has another result, each of the other two;
        ``"forfeit"``: a game is forfeited, by either side;
        ``"withdraw"``: a player leaves before a round in which he had a game; from then on he has
        zero-point byes, and those who met him pairing-allocated byes (in a round robin: their
        games are forfeited);
        ``"drop_round"``: a round was never played;
        ``"bye"``: a bye is one of another kind (full, half, pairing-allocated, zero).
    rounds
        Where: ``"last"``, the last round of each tournament; ``"all"``; or round numbers.

    Returns
    -------
    Perturbation
        Its ``scenarios`` as a frame, and standings and tie-breaks of them all. They are computed
        when they are asked for, by the same code as those of an archive.

    Raises
    ------
    TbframeError
        If the kind or the rounds are unknown, or there are team events.

    Notes
    -----
    Only what is said changes: nobody is paired anew. New results are worth what the scoring of
    the tournament says.

    Examples
    --------
    >>> import tbframe as tb
    >>> archive = tb.read("data/trf/candidates_london_2013.trf")
    >>> flips = tb.perturb(archive, "flip")
    >>> flips.scenarios.select("round", "player", "opponent", "was", "becomes").row(0)
    (14, 1, 7, '0', '1')
    >>> winners = flips.standings("PTS DE WIN SB").filter(rank=1)
    >>> winners["name"].value_counts(sort=True).rows()
    [('Carlsen, Magnus', 6), ('Kramnik, Vladimir', 2)]
    """
    if team_events(archive.results, archive.tournaments).any():
        raise TbframeError("perturb takes individual tournaments, and here are team events")
    results = archive.results.with_row_index("row").with_columns(
        pl.col("row").cast(pl.Int64), chosen=_in_scope(rounds)
    )
    if "game" not in results.columns:
        results = results.with_columns(game=pl.lit(1))
    fixed = archive.tournaments.select("tournament", fixed=archive._ledger(None).predetermined())
    results = results.join(fixed, on="tournament", how="left", maintain_order="left")
    scenarios, edits = edits_of(kind, results)
    return Perturbation(archive, kind, scenarios, edits)


def _in_scope(rounds: str | Sequence[int]) -> pl.Expr:
    """Tell which rows are in the rounds asked for."""
    if rounds == "all":
        return pl.lit(value=True)
    if rounds == "last":
        return pl.col("round") == pl.col("round").max().over("tournament")
    if isinstance(rounds, str) or not all(isinstance(number, int) for number in rounds):
        raise TbframeError(f"rounds are 'last', 'all' or numbers, not {rounds!r}")
    return pl.col("round").is_in(list(rounds))
