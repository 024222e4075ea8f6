"""The points that individuals of team events declare, against those of their boards."""

from __future__ import annotations

from typing import Final

import polars as pl

from tbframe.archive import Archive
from tbframe.comparison.declared import declaring_points, matched
from tbframe.comparison.missing import what_is_missing
from tbframe.comparison.reasons import with_reasons
from tbframe.schema import BYES

__all__ = ["MEMBER_POINTS", "compare_members", "member_reasons"]

#: What the points of individuals are called beside codes.
MEMBER_POINTS: Final = "member points"
_KEY: Final = ["tournament", "player"]
_TEAM: Final = ["tournament", "team"]


def compare_members(archive: Archive) -> pl.DataFrame:
    """Compare the points that individuals declare with the sums of their boards.

    Parameters
    ----------
    archive
        Its `members` declare ``points``.

    Returns
    -------
    DataFrame
        As of `matched`, with ``name`` and ``team``; no rows where there are no team events.
    """
    members, boards = archive.members, archive.boards
    if members is None or boards is None:
        members = boards = archive.players.clear().with_columns(team="player")
    sums = boards.group_by(_KEY).agg(pl.col("points").sum().alias(MEMBER_POINTS))
    # Who never sat at a board has no points.
    found = members.select(_KEY).join(sums, on=_KEY, how="left", maintain_order="left")
    found = found.with_columns(pl.col(MEMBER_POINTS).fill_null(0.0))
    declared = members.select(*_KEY, code=pl.lit(MEMBER_POINTS), declared="points")
    return matched(declaring_points(declared, MEMBER_POINTS), found, []).join(
        members.select(*_KEY, "name", "team"), on=_KEY, maintain_order="left"
    )


def member_reasons(archive: Archive, compared: pl.DataFrame, wrong: pl.DataFrame) -> pl.DataFrame:
    """Add what may be the reason to the tournaments whose members disagree.

    Parameters
    ----------
    archive
        As of `compare_members`.
    compared
        From there.
    wrong
        ``tournament``, ``code`` and others of each disagreement.

    Returns
    -------
    DataFrame
        `wrong` with ``reason`` and ``message``.
    """
    if wrong.is_empty():
        return with_reasons(wrong, [])
    off = _of_byes(archive, compared).join(wrong, on=["tournament", "code"], how="semi")
    left = wrong.select("tournament", "code").join(off, on=["tournament", "code"], how="anti")
    return with_reasons(wrong, [off, what_is_missing(archive, left, order=None)])


def _of_byes(archive: Archive, compared: pl.DataFrame) -> pl.DataFrame:
    """Tell where byes of teams, which have no boards, may have brought what is declared more."""
    assert archive.boards is not None  # noqa: S101  (or nobody would disagree)
    byes = archive.results.filter(pl.col("result").is_in(BYES))
    rounds = byes.group_by("tournament", team="player").agg(byes=pl.len())
    most = archive.boards.group_by("tournament").agg(most=pl.col("points").max())
    more = pl.col("declared") - pl.col("found")
    within = more.is_between(0.0, pl.col("byes") * pl.col("most")).fill_null(value=False)
    return (
        compared.filter(~pl.col("match"))
        .join(rounds, on=_TEAM, how="left")
        .join(most, on="tournament", how="left")
        .group_by("tournament", "code")
        .agg(fits=within.all())
        .filter("fits")
        .select(
            "tournament",
            "code",
            reason=pl.lit("data-missing"),
            message=pl.lit("byes of their teams may be why: there are no boards of them"),
        )
    )
