"""What decided the places of many lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from tbframe.errors import TbframeError

__all__ = ["Resolution"]


@dataclass(frozen=True, eq=False, repr=False)
class Resolution:
    """Which criterion of the ranking order separated whom.

    Attributes
    ----------
    pairs
        One row for every two neighbours of a list: ``tournament``, ``order`` (the criteria),
        ``position`` of the lower one in the list, from 2, his ``rank``, ``player`` and who is
        ``above``; ``decided_by``, the criterion that separated them, its ``depth`` (place in the
        order, from 1) and ``margin`` (how far their values of it are apart); these are null where
        the two are tied, and ``margin`` also where a value is undefined. Sorted by tournament and
        position.
    tournaments
        One row for each tournament: ``tournament``, ``order``, ``players``, the other columns
        that are known of it (``year``, ``federation``, ...), and for each line ``winner``,
        ``podium`` and ``prizes`` the criterion that decided (``winner_by``; null: nobody is behind
        the line, or a tie stands across it) and its ``winner_depth``: 0 for a tie, null where
        nobody is behind it.
    lines
        The lines and how many are before each: ``{"winner": 1, "podium": 3}``.
    """

    pairs: pl.DataFrame
    tournaments: pl.DataFrame
    lines: Mapping[str, int]

    def summary(self, by: str | None = None) -> pl.DataFrame:
        """Count what decided, over all or split by a column of the tournaments.

        Parameters
        ----------
        by
            Such as ``"order"``, ``"year"`` or ``"federation"``.

        Returns
        -------
        DataFrame
            `by` (where given), ``what`` (``neighbours``, and each line), ``decided_by`` (null: a
            tie stays), ``depth`` (0 for a tie), ``number`` of pairs or tournaments and their
            ``share`` of those of the same `by` and ``what``; sorted so, the neighbours first.

        Raises
        ------
        TbframeError
            If there is no such column.
        """
        columns = [] if by is None else [by]
        if by is not None and (by not in self.tournaments.columns or by == "tournament"):
            there = ", ".join(name for name in self.tournaments.columns if name != "tournament")
            raise TbframeError(f"no column {by!r} of the tournaments; there are {there}")
        about = self.tournaments.select("tournament", *columns)
        neighbours = self.pairs.select("tournament", "decided_by", "depth")
        neighbours = neighbours.with_columns(pl.col("depth").fill_null(0))
        counted = [neighbours.with_columns(what=pl.lit("neighbours"))]
        for line in self.lines:
            decided = self.tournaments.select(
                "tournament",
                decided_by=f"{line}_by",
                depth=f"{line}_depth",
                what=pl.lit(line),
            )
            counted.append(decided.filter(pl.col("depth").is_not_null()))
        kinds = pl.Enum(["neighbours", *self.lines])
        group = [*columns, "what"]
        return (
            pl.concat(counted)
            .with_columns(pl.col("what").cast(kinds))
            .join(about, on="tournament", how="left")
            .group_by(*group, "decided_by", "depth")
            .agg(pl.len().cast(pl.Int64).alias("number"))
            .with_columns(share=pl.col("number") / pl.col("number").sum().over(group))
            .sort(*group, "depth", "decided_by", nulls_last=[*[True] * len(group), False, False])
            .with_columns(pl.col("what").cast(pl.String))
            .select(*group, "decided_by", "depth", "number", "share")
        )

    def __repr__(self) -> str:
        """Write what decided the neighbours and each line."""
        lines = [
            f"{self.tournaments.height:,} tournaments, {self.pairs.height:,} pairs of neighbours"
        ]
        shares = self.summary().group_by("what", "decided_by", maintain_order=True)
        total = shares.agg(pl.col("number", "share").sum())
        for what in ("neighbours", *self.lines):
            told = [
                f"{row['decided_by'] or 'tied'} {100 * row['share']:.1f} %"
                for row in total.filter(what=what).iter_rows(named=True)
            ]
            if told:
                lines.append(f"  {what}: {', '.join(told)}")
        return "\n".join(lines)
