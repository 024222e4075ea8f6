"""From what users have to the evidence that a comparison looks at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from tbframe.archive import Archive
from tbframe.editions import Edition
from tbframe.errors import TbframeError
from tbframe.intake import from_results
from tbframe.intake.tables import Table, read_table
from tbframe.research.cells import described
from tbframe.research.evidence import Evidence, archive_evidence, last_rounds, rank_evidence
from tbframe.research.ordering import Keys, named_keys
from tbframe.research.truth import PREDICTION, RETRODICTION, STABILITY
from tbframe.schema import ROW

__all__ = ["Gathered", "gather", "gather_ranks", "taken"]


@dataclass(frozen=True)
class Gathered:
    """Evidence, and what it is about.

    Attributes
    ----------
    about
        One row for each tournament, in the order of the evidence.
    names
        Of the keys.
    rounds
        After which players are ranked; ``None``: the last.
    evidence
        For each of the rounds.
    """

    about: pl.DataFrame
    names: tuple[str, ...]
    rounds: tuple[int | None, ...]
    evidence: Iterator[Evidence]


def taken(source: Archive | Table) -> Archive | pl.DataFrame:
    """Take an archive, or a table of results as one, or a table of ranks as it is."""
    if isinstance(source, Archive):
        return source
    table = read_table(source, "source").drop(ROW)
    if {"key", "rank"} <= set(table.columns):
        return table
    return from_results(table)


def gather(
    archive: Archive,
    keys: Keys | None,
    *,
    truth: str | None,
    after_round: int | Sequence[int] | None,
    edition: str | Edition,
    points_first: bool,
    seed: int,
) -> Gathered:
    """Rank the players of an archive by each key; parameters as of `compare`."""
    if keys is None:
        raise TbframeError("name the keys to compare, such as ['BH', 'SB']")
    chosen = named_keys(keys, points_first=points_first)
    ledger = archive._ledger(None)
    rounds: tuple[int | None, ...]
    if after_round is None and truth in {PREDICTION, STABILITY}:
        rounds = tuple(range(1, int(last_rounds(ledger).max(initial=1))))
        if not rounds:
            raise TbframeError(f"truth={truth!r} needs tournaments of two rounds or more")
    elif after_round is None or isinstance(after_round, int):
        rounds = (after_round,)
    else:
        rounds = tuple(after_round)
        if not rounds:
            raise TbframeError("after_round names no round")
    evidence = archive_evidence(
        archive, chosen, truth=truth, edition=edition, rounds=rounds, seed=seed
    )
    about = described(ledger.tournaments, ledger.players)
    return Gathered(about, tuple(key.name for key in chosen), rounds, evidence)


def gather_ranks(
    ranks: pl.DataFrame,
    keys: Keys | None,
    *,
    truth: str | None,
    after_round: int | Sequence[int] | None,
) -> Gathered:
    """Take ranks made elsewhere; parameters as of `compare`."""
    for column in ("tournament", "player"):
        if column not in ranks.columns:
            raise TbframeError(f"a table of ranks needs a column {column!r}")
    if truth in {PREDICTION, RETRODICTION, STABILITY} or after_round is not None:
        raise TbframeError("a table of ranks has no rounds and no games: give an archive")
    names, evidence = rank_evidence(ranks, None if keys is None else list(keys), truth)
    about = _about(ranks)
    about = described(about, ranks.filter(key=names[0]))
    return Gathered(about, tuple(names), (None,), iter([evidence]))


def _about(ranks: pl.DataFrame) -> pl.DataFrame:
    """Return the columns of a table of ranks that have one value for each tournament."""
    others = [name for name in ranks.columns if name != "tournament"]
    values = ranks.group_by("tournament").agg(pl.col(others).n_unique()).drop("tournament")
    same = [name for name in others if values[name].max() == 1]
    rows = ranks.group_by("tournament").agg(pl.col(same).first())
    return rows.sort("tournament")
