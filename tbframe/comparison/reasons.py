"""Why declared values may differ from the computed ones: what is tried, and what fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, permutations
from typing import Final

import polars as pl

from tbframe.archive import Archive, Criteria
from tbframe.codes import Criterion
from tbframe.comparison.declared import RANK, matched
from tbframe.comparison.recomputing import recomputed
from tbframe.editions import EDITIONS, Edition
from tbframe.errors import EditionError
from tbframe.tiebreaks import declared_order, parse_order

__all__ = ["reasons"]

_PLACE: Final = ["tournament", "code"]
_BYES: Final = {
    "U": "pairing-allocated bye",
    "H": "half-point bye",
    "F": "full-point bye",
    "Z": "zero-point bye",
    "-": "forfeit loss",
    "+": "forfeit win",
}
#: So many orders of the same criteria are tried.
_ORDERS: Final = 120


@dataclass(frozen=True)
class _Guess:
    """One possible reason: what it is, and what the values would be if it were true."""

    reason: str
    message: str
    values: Callable[[Archive], pl.DataFrame]
    only: str | None = None  # the code that it may explain; None: all


def reasons(
    archive: Archive,
    declared: pl.DataFrame,
    wrong: pl.DataFrame,
    *,
    criteria: Sequence[Criterion],
    order: Criteria | None,
    edition: str | Edition,
) -> pl.DataFrame:
    """Add the likely reason to the tournaments and codes that disagree.

    Every guess is tried on all tournaments that are not explained yet at once.

    Parameters
    ----------
    archive, order, edition
        As of `audit`.
    declared, criteria
        Declared values, and the tie-breaks among them.
    wrong
        ``tournament``, ``code`` and others of each disagreement.

    Returns
    -------
    DataFrame
        `wrong` with ``reason`` and ``message``.
    """
    found: list[pl.DataFrame] = []
    left = wrong.select(_PLACE)
    for guess in _guesses(archive, criteria, order, edition):
        asked = left if guess.only is None else left.filter(code=guess.only)
        if asked.is_empty():
            continue
        some = archive._of(archive.tournaments["tournament"].is_in(asked["tournament"].implode()))
        try:
            values = guess.values(some)
        except EditionError:  # the text does not know one of the tie-breaks
            continue
        tried = matched(declared.join(asked, on=_PLACE, how="semi"), values, criteria)
        fits = tried.group_by(_PLACE).agg(pl.col("match").all()).filter("match").select(_PLACE)
        found.append(fits.with_columns(reason=pl.lit(guess.reason), message=pl.lit(guess.message)))
        left = left.join(fits, on=_PLACE, how="anti")
    found.append(_missing(archive, left))
    told = pl.concat(found)
    return wrong.join(told, on=_PLACE, how="left", maintain_order="left").with_columns(
        pl.col("reason").fill_null("unknown"),
        pl.col("message").fill_null("nothing that was tried gives these values"),
    )


def _guesses(
    archive: Archive,
    criteria: Sequence[Criterion],
    order: Criteria | None,
    edition: str | Edition,
) -> Iterator[_Guess]:
    """Give what is tried, the likelier first."""
    for key in EDITIONS:
        yield _Guess("edition", f"as under edition {key}", _under(key, criteria, order))
    yield _Guess("ties-broken", "as computed, but ties were broken by something else",
                 _breaking_ties(archive, order, edition), RANK)  # fmt: skip
    for text in _orders(archive, order):
        yield _Guess("order", f"as ranked by {text}", _by(text, edition), RANK)
    for code, name in _BYES.items():
        for worth in (0.0, 0.5, 1.0):
            yield _Guess(
                "bye-value",
                f"as if a {name} ({code}) were worth {worth:g}",
                _with_byes(code, worth, criteria, order, edition),
            )


def _under(
    key: str, criteria: Sequence[Criterion], order: Criteria | None
) -> Callable[[Archive], pl.DataFrame]:
    return lambda archive: recomputed(archive, criteria, order, key)


def _by(text: str, edition: str | Edition) -> Callable[[Archive], pl.DataFrame]:
    return lambda archive: recomputed(archive, [], text, edition)


def _with_byes(
    code: str,
    worth: float,
    criteria: Sequence[Criterion],
    order: Criteria | None,
    edition: str | Edition,
) -> Callable[[Archive], pl.DataFrame]:
    def values(archive: Archive) -> pl.DataFrame:
        points = pl.when(pl.col("result") == code).then(worth).otherwise("points")
        changed = replace(archive, results=archive.results.with_columns(points.alias("points")))
        return recomputed(changed, criteria, order, edition)

    return values


def _breaking_ties(
    archive: Archive, order: Criteria | None, edition: str | Edition
) -> Callable[[Archive], pl.DataFrame]:
    """Give the declared rank itself wherever it lies within the tie that was computed."""
    ranks = archive.players.select("tournament", "player", own="rank")

    def values(some: Archive) -> pl.DataFrame:
        found = recomputed(some, [], order, edition).select("tournament", "player", RANK)
        last = pl.col(RANK) + pl.len().over("tournament", RANK) - 1
        within = pl.col("own").is_between(pl.col(RANK), last)
        return (
            found.join(ranks, on=["tournament", "player"], how="left", maintain_order="left")
            .with_columns(pl.when(within).then("own").otherwise(RANK).alias(RANK))
            .drop("own")
        )

    return values


def _orders(archive: Archive, order: Criteria | None) -> Iterator[str]:
    """Give the criteria behind the first in every other order."""
    if order is None:
        texts = archive.tournaments["criteria"].drop_nulls().unique(maintain_order=True)
        known = [declared_order(text)[0] for text in texts]
    else:
        known = [parse_order(order)]
    for first, *others in filter(None, known):
        for changed in islice(permutations(map(str, others)), 1, _ORDERS):
            yield " ".join([str(first), *changed])


def _missing(archive: Archive, left: pl.DataFrame) -> pl.DataFrame:
    """Say what is missing in the tournaments that nothing else explains."""
    last = archive.results.group_by("tournament").agg(
        last=pl.col("round").max(), open=(pl.col("result") == "*").sum()
    )
    rows = archive.players.join(archive.results, on=["tournament", "player"], how="anti")
    idle = rows.group_by("tournament").agg(idle=pl.len())
    about = (
        archive.tournaments.select("tournament", "rounds")
        .join(last, on="tournament", how="left")
        .join(idle, on="tournament", how="left")
    )
    short = pl.col("rounds") > pl.col("last").fill_null(0)
    return (
        left.join(about, on="tournament", how="left")
        .with_columns(
            message=pl.when(short)
            .then(pl.format("results of {} rounds planned may be missing: there are {}",
                            "rounds", pl.col("last").fill_null(0)))
            .when(pl.col("open") > 0)
            .then(pl.format("{} results that are not known may be why", "open"))
            .when(pl.col("idle") > 0)
            .then(pl.format("{} players without any result may be why", "idle"))
        )
        .drop_nulls("message")
        .select(*_PLACE, pl.lit("data-missing").alias("reason"), "message")
    )  # fmt: skip
