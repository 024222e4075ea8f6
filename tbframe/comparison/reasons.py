"""Why declared values may differ from the computed ones: what is tried, and what fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, permutations
from typing import Final

import polars as pl

from tbframe.archive import Archive, Criteria
from tbframe.codes import Criterion
from tbframe.comparison.declared import POINTS, RANK, matched
from tbframe.comparison.missing import what_is_missing
from tbframe.comparison.recomputing import recomputed, recomputed_under
from tbframe.editions import EDITIONS, Edition
from tbframe.errors import EditionError
from tbframe.scoring import parse_scoring
from tbframe.tiebreaks import declared_order, parse_order

__all__ = ["reasons", "with_reasons"]

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
    where: Callable[[Archive], pl.Series] | None = None  # the tournaments; None: all
    with_points: bool = False  # whether it changes points too, so that these have to agree as well


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
    for guess in _guesses(archive, declared, criteria, order, edition):
        asked = left if guess.only is None else left.filter(code=guess.only)
        if guess.where is not None:
            asked = asked.filter(pl.col("tournament").is_in(guess.where(archive).implode()))
        if asked.is_empty():
            continue
        some = archive._of(archive.tournaments["tournament"].is_in(asked["tournament"].implode()))
        try:
            values = guess.values(some)
        except EditionError:  # the text does not know one of the tie-breaks
            continue
        tried = matched(declared.join(asked, on=_PLACE, how="semi"), values, criteria)
        fits = tried.group_by(_PLACE).agg(pl.col("match").all()).filter("match").select(_PLACE)
        if guess.with_points:
            points = matched(declared.filter(code=POINTS), values, criteria)
            others = points.filter(~pl.col("match"))
            fits = fits.join(others, on="tournament", how="anti", maintain_order="left")
        found.append(fits.with_columns(reason=pl.lit(guess.reason), message=pl.lit(guess.message)))
        left = left.join(fits, on=_PLACE, how="anti")
    found.append(what_is_missing(archive, left, order=order))
    return with_reasons(wrong, found)


def with_reasons(wrong: pl.DataFrame, found: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Add the reasons that were found to `wrong`; the others are unknown."""
    none = wrong.clear().select(*_PLACE, reason=pl.lit(""), message=pl.lit(""))
    told = pl.concat([none, *found])
    return wrong.join(told, on=_PLACE, how="left", maintain_order="left").with_columns(
        pl.col("reason").fill_null("unknown"),
        pl.col("message").fill_null("nothing that was tried gives these values"),
    )


def _guesses(
    archive: Archive,
    declared: pl.DataFrame,
    criteria: Sequence[Criterion],
    order: Criteria | None,
    edition: str | Edition,
) -> Iterator[_Guess]:
    """Give what is tried, the likelier first."""
    for key in EDITIONS:
        yield _Guess("edition", f"as under edition {key}", _under(key, criteria, order))
    yield _Guess("ties-broken", "as computed, but ties were broken by something else",
                 _breaking_ties(declared, order, edition), RANK)  # fmt: skip
    for text, own in _orders(archive, order):
        yield _Guess("order", f"as ranked by {text}", _by(text, edition), RANK, own)
    for code, name in _BYES.items():
        for worth in _worths(archive):
            yield _Guess(
                "bye-value",
                f"as if a {name} ({code}) were worth {worth:g}",
                _with_byes(code, worth, criteria, order, edition),
                where=partial(_having, code),
                with_points=True,
            )


def _under(
    key: str, criteria: Sequence[Criterion], order: Criteria | None
) -> Callable[[Archive], pl.DataFrame]:
    return lambda archive: recomputed_under(key, archive, criteria, order)


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


def _worths(archive: Archive) -> list[float]:
    """List what results are worth in any of the scoring systems, and the usual values."""
    scorings = archive.tournaments["scoring"].unique().to_list()
    values = (parse_scoring(text).values() for text in [None, *scorings])
    return sorted({worth for each in values for worth in each})


def _having(code: str, archive: Archive) -> pl.Series:
    return archive.results.filter(pl.col("result") == code)["tournament"].unique()


def _breaking_ties(
    declared: pl.DataFrame, order: Criteria | None, edition: str | Edition
) -> Callable[[Archive], pl.DataFrame]:
    """Give the declared rank itself where it splits a tie that was computed.

    Nobody else may have been moved, and the ranks have to be those of a competition: as many
    players are before each as his rank says. So 2, 2 or 1.5, 1.5 is no way to break 1, 1.
    """
    before = pl.col("declared").rank("min").over("tournament")
    ranks = declared.filter(code=RANK).select(
        "tournament", "player", own=pl.when(pl.col("declared") == before).then("declared")
    )

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


def _orders(
    archive: Archive, order: Criteria | None
) -> Iterator[tuple[str, Callable[[Archive], pl.Series] | None]]:
    """Give the criteria behind the first in every other order, and the tournaments they are of."""
    known: list[tuple[list[Criterion], Callable[[Archive], pl.Series] | None]]
    if order is None:
        texts = archive.tournaments["criteria"].drop_nulls().unique(maintain_order=True)
        known = [(declared_order(text)[0], partial(_declaring, text)) for text in texts]
    else:
        known = [(parse_order(order), None)]
    for criteria, where in known:
        for changed in islice(permutations(map(str, criteria[1:])), 1, _ORDERS):
            yield " ".join([str(criteria[0]), *changed]), where


def _declaring(order: str, archive: Archive) -> pl.Series:
    return archive.tournaments.filter(criteria=order)["tournament"]
