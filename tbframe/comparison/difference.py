"""Who changes rank between two standings of the same tournaments, and what else changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import polars as pl

from tbframe.archive import Archive, Criteria
from tbframe.editions import AUTO, Edition, edition_of
from tbframe.errors import TbframeError

__all__ = ["Difference", "compare", "compare_editions", "insist_on_prizes", "join_differences"]

_KEY: Final = ["tournament", "player"]
_MOVED: Final = pl.col("rank_before") != pl.col("rank_after")
_NO_CODES: Final = ("tournament", "rank", "player", "name", "decided_by")


@dataclass(frozen=True)
class Difference:
    """What differs between two standings of the same tournaments.

    Values are equal only if they are equal exactly; undefined equals undefined.

    Attributes
    ----------
    before, after
        What the two are called.
    players
        One row for each player whose rank or any value differs: ``tournament``, ``player``,
        ``name``, ``rank_before``, ``rank_after``, and for each code ``CODE before`` and
        ``CODE after``; sorted by tournament, rank before and player.
    tournaments
        One row for each tournament that both have: ``tournament``, ``name``, ``start``,
        ``year``, ``federation``, ``players``; ``players_moved`` (whose rank differs),
        ``largest_move`` (in ranks), ``values_changed`` (players of whom any value differs) and
        ``CODE changed``, all of the players that both have; ``winners_before`` and
        ``winners_after``, the names of all of rank 1 (keys where there are none);
        ``winners_change`` and ``prizes_change``: whether others are among the first, or among
        the ranks up to `prizes`, players whom only one of the two has included. Sorted by
        tournament.
    prizes
        How many ranks have a prize. Who shares the last of them is among them.
    codes
        The codes that were compared.
    only_before, only_after
        ``tournament`` and ``player`` of those whom only one of the two has.
    codes_before, codes_after
        Codes that only one of the two has.
    """

    before: str
    after: str
    players: pl.DataFrame
    tournaments: pl.DataFrame
    prizes: int
    codes: tuple[str, ...]
    only_before: pl.DataFrame
    only_after: pl.DataFrame
    codes_before: tuple[str, ...] = ()
    codes_after: tuple[str, ...] = ()

    def winners(self) -> pl.DataFrame:
        """Return the tournaments that others win: the columns of `tournaments` about winners."""
        return self.tournaments.filter("winners_change").select(
            "tournament", "name", "start", "federation", "winners_before", "winners_after"
        )

    def summary(self, by: Literal["year", "federation"] | None = None) -> pl.DataFrame:
        """Count what changes, over all or for each year or federation.

        Returns
        -------
        DataFrame
            `by` (where given), ``tournaments``, ``players``, ``players_moved``, and how many
            tournaments have another winner (``winners_change``), other prizes
            (``prizes_change``), any other rank (``ranks_change``) or value
            (``values_change``), each with its share of the tournaments; sorted by `by`.
        """
        if by not in (None, "year", "federation"):
            raise TbframeError(f"by is 'year', 'federation' or None, not {by!r}")
        changes = {
            "winners_change": pl.col("winners_change"),
            "prizes_change": pl.col("prizes_change"),
            "ranks_change": pl.col("players_moved") > 0,
            "values_change": pl.col("values_changed") > 0,
        }
        counts = [
            pl.len().alias("tournaments"),
            pl.col("players", "players_moved").sum(),
            *(change.sum().alias(name) for name, change in changes.items()),
            *(change.mean().alias(f"{name}_share") for name, change in changes.items()),
        ]
        if by is None:
            return self.tournaments.select(counts)
        return self.tournaments.group_by(by).agg(counts).sort(by, nulls_last=True)

    def __repr__(self) -> str:
        """State what was found."""
        (total,) = self.summary().rows(named=True)
        lines = [
            f"{self.before} against {self.after}: {total['tournaments']:,} tournaments, "
            f"{total['players']:,} players",
            f"  winners change in {_share(total, 'winners_change')}, "
            f"the first {self.prizes} in {_share(total, 'prizes_change')}",
            f"  ranks change in {_share(total, 'ranks_change')}, "
            f"values change in {_share(total, 'values_change')}",
        ]
        for what, sides in (
            ("players", (self.only_before.height, self.only_after.height)),
            ("codes", (" ".join(self.codes_before), " ".join(self.codes_after))),
        ):
            for side, told in zip((self.before, self.after), sides, strict=True):
                if told:
                    lines.append(f"  {what} only of {side}: {told}")
        return "\n".join(lines)


def _share(total: dict[str, float], name: str) -> str:
    share = total[f"{name}_share"]
    return f"{total[name]:,}" + (f" ({100 * share:.1f} %)" if share is not None else "")


def compare_editions(
    archive: Archive,
    before: str | Edition,
    after: str | Edition,
    order: Criteria | None = None,
    *,
    prizes: int = 3,
) -> Difference:
    """Rank all tournaments under two texts, and compare; see `Archive.diff`."""
    insist_on_prizes(prizes)
    one, other = (archive.standings(order, edition=edition) for edition in (before, after))
    called = [
        str(edition if edition == AUTO else edition_of(edition)) for edition in (before, after)
    ]
    return compare(one, other, archive.tournaments, prizes=prizes, called=called)


def compare(
    before: pl.DataFrame,
    after: pl.DataFrame,
    about: pl.DataFrame,
    *,
    prizes: int,
    called: Sequence[str],
) -> Difference:
    """Compare two standings.

    Parameters
    ----------
    before, after
        As of `Archive.standings`.
    about
        ``tournament``, ``name``, ``start`` and ``federation`` of every tournament.
    prizes, called
        As of `Difference`.

    Raises
    ------
    TbframeError
        If keys are text in the one and numbers in the other.
    """
    for key in _KEY:
        if before.schema[key] != after.schema[key]:
            raise TbframeError(
                f"the keys '{key}' are {before.schema[key]} in {called[0]} and "
                f"{after.schema[key]} in {called[1]}: make them alike"
            )
    sides = [[name for name in frame.columns if name not in _NO_CODES] for frame in (before, after)]
    codes = [code for code in sides[0] if code in sides[1]]
    other = after.select(*_KEY, rank_after="rank", **{_after(code): code for code in codes})
    pairs = before.rename({"rank": "rank_before"} | {code: _before(code) for code in codes}).join(
        other, on=_KEY, maintain_order="left"
    )
    differs = {code: pl.col(_before(code)).ne_missing(pl.col(_after(code))) for code in codes}
    first, second = called
    shown = ["name", "rank_before", "rank_after"]
    return Difference(
        before=first,
        after=second,
        players=pairs.filter(_MOVED | _any(differs)).select(
            *_KEY, *shown, *(side(code) for code in codes for side in (_before, _after))
        ),
        tournaments=_by_tournament(pairs, (before, after), about, differs, prizes),
        prizes=prizes,
        codes=tuple(codes),
        only_before=before.join(after, on=_KEY, how="anti").select(_KEY).sort(_KEY),
        only_after=after.join(before, on=_KEY, how="anti").select(_KEY).sort(_KEY),
        codes_before=tuple(code for code in sides[0] if code not in codes),
        codes_after=tuple(code for code in sides[1] if code not in codes),
    )


def _by_tournament(
    pairs: pl.DataFrame,
    sides: tuple[pl.DataFrame, pl.DataFrame],
    about: pl.DataFrame,
    differs: dict[str, pl.Expr],
    prizes: int,
) -> pl.DataFrame:
    """Sum up each tournament; `differs` tells for each code whether it differs."""
    counts = pairs.group_by("tournament").agg(
        pl.len().alias("players"),
        _MOVED.sum().alias("players_moved"),
        (pl.col("rank_before") - pl.col("rank_after")).abs().max().alias("largest_move"),
        _any(differs).sum().alias("values_changed"),
        *(differ.sum().alias(f"{code} changed") for code, differ in differs.items()),
    )
    described = about.select(
        "tournament", "name", "start", pl.col("start").dt.year().alias("year"), "federation"
    )
    for side in sides:
        described = described.join(side, on="tournament", how="semi")
    # None may be left where a tournament's players have other keys now: it is told all the same.
    found = described.join(counts, on="tournament", how="left").with_columns(
        pl.col(counts.columns[1:]).fill_null(0)
    )
    for side, name in zip(sides, ("winners_before", "winners_after"), strict=True):
        found = found.join(_winners(side, name), on="tournament", how="left")
    return found.with_columns(
        pl.col("tournament").is_in(_others_up_to(last, sides).implode()).alias(name)
        for name, last in (("winners_change", 1), ("prizes_change", prizes))
    ).sort("tournament")


def _winners(side: pl.DataFrame, called: str) -> pl.DataFrame:
    """List all of rank 1 of each tournament."""
    name = pl.coalesce("name", pl.col("player").cast(pl.String)).sort()
    return side.filter(pl.col("rank") == 1).group_by("tournament").agg(name.alias(called))


def _others_up_to(last: int, sides: tuple[pl.DataFrame, pl.DataFrame]) -> pl.Series:
    """Return the tournaments where others are among the ranks up to `last`."""
    one, other = (side.filter(pl.col("rank") <= last).select(_KEY) for side in sides)
    only = [one.join(other, on=_KEY, how="anti"), other.join(one, on=_KEY, how="anti")]
    return pl.concat(only)["tournament"].unique()


def _any(differs: dict[str, pl.Expr]) -> pl.Expr:
    return pl.any_horizontal(*differs.values()) if differs else pl.lit(value=False)


def join_differences(parts: Sequence[Difference]) -> Difference:
    """Put the differences of several parts of the same standings together.

    Parts need not be in the order of keys (those of reports are in the order of paths), and how
    the standings were cut must not show.
    """
    orders = {
        "players": ["tournament", "rank_before", "player"],
        "tournaments": ["tournament"],
        "only_before": _KEY,
        "only_after": _KEY,
    }
    frames = {
        name: pl.concat([getattr(part, name) for part in parts]).sort(order)
        for name, order in orders.items()
    }
    return replace(parts[0], **frames)


def insist_on_prizes(prizes: int) -> None:
    """Refuse what is no number of ranks."""
    if not isinstance(prizes, int) or isinstance(prizes, bool) or prizes < 1:
        raise TbframeError(f"prizes is a number of ranks, 1 or more, not {prizes!r}")


def _before(code: str) -> str:
    return f"{code} before"


def _after(code: str) -> str:
    return f"{code} after"
