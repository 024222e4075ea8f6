"""Declared ranks, points and tie-breaks against the recomputed ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import polars as pl

from tbframe.archive import Archive, Criteria
from tbframe.comparison.declared import POINTS, RANK, declared_codes, declared_values, matched
from tbframe.comparison.individuals import MEMBER_POINTS, compare_members, member_reasons
from tbframe.comparison.official import take_official
from tbframe.comparison.reasons import reasons
from tbframe.comparison.recomputing import recomputed
from tbframe.editions import AUTO, Edition
from tbframe.findings import counted
from tbframe.intake.tables import Table
from tbframe.tiebreaks import parse_order

__all__ = ["Audit", "audit"]

_KEY: Final = ["tournament", "player"]


@dataclass(frozen=True)
class Audit:
    """How what a source declares agrees with what is computed from its results.

    Attributes
    ----------
    codes
        One row for ``points``, ``rank``, ``member points`` (of the individuals of team events)
        and each tie-break declared: ``code``, ``players`` compared, ``matches``,
        ``match_rate``, ``tournaments`` compared and ``tournaments_matching`` in every value.
    tournaments
        One row for each tournament and code that disagree: ``tournament``, ``code``,
        ``players`` compared, ``misses``, ``reason`` and ``message``; sorted so.
    players
        Every miss: ``tournament``, ``player``, ``name``, ``code``, ``declared``, ``found`` (null:
        undefined) and ``difference``. Players of team events are its teams.
    members
        The same for the individuals of team events, with their ``team``.
    strangers
        ``tournament`` and ``player`` of the rows of `official` about players whom the archive
        does not have: nothing of them is compared.

    Notes
    -----
    A reason is named only if applying it gives every value that the tournament declares under
    the code (and its points, where it changes them); ``data-missing`` alone is a guess, and its
    message says "may".

    Points that are 0 for everybody are not declared, and nothing is compared with them.

    ================  ========================================================================
    reason            meaning
    ================  ========================================================================
    edition           another text gives the values
    bye-value         a kind of bye was worth something else
    order             the same criteria in another order give the ranks
    ties-broken       the ranks agree but for ties, which were broken by something else
    data-missing      rounds, results, boards, players or a criterion are missing, or the
                      results contradict each other, which may be why
    unknown           nothing of these
    ================  ========================================================================
    """

    codes: pl.DataFrame
    tournaments: pl.DataFrame
    players: pl.DataFrame
    members: pl.DataFrame
    strangers: pl.DataFrame

    def __repr__(self) -> str:
        """State what was found, a line for each code and for each reason."""
        lines = [
            f"{row['code']}: {row['matches']:,} of {row['players']:,} values "
            f"({100 * row['match_rate']:.1f} %), {row['tournaments_matching']:,} of "
            f"{row['tournaments']:,} tournaments in full"
            for row in self.codes.iter_rows(named=True)
        ]
        kinds = (
            self.tournaments.group_by("code", "reason", "message", maintain_order=True)
            .len("number")
            .sort("number", descending=True, maintain_order=True)
        )
        said = kinds.select(
            pl.format("  {} in {}: {}", "code", counted("number", "tournament"), "message")
        ).to_series()
        more = [f"  and {len(said) - 10:,} more"] if len(said) > 10 else []
        if self.strangers.height:
            more.append(f"not compared, since the archive lacks the players: "
                        f"{self.strangers.height:,}")  # fmt: skip
        return "\n".join([*(lines or ["nothing is compared"]), *said.head(10), *more])


def audit(
    archive: Archive,
    order: Criteria | None = None,
    *,
    edition: str | Edition = AUTO,
    official: Table | None = None,
) -> Audit:
    """Compare what the source declares with what its results give.

    Parameters
    ----------
    archive
        Its players declare ``points`` and ``rank``, and tie-breaks in columns that are called
        by their codes (``BH/C1``); its members declare ``points``.
    order
        The order by which ranks are compared; by default each tournament's own. Ranks of
        tournaments that declare no order are not compared then.
    edition
        The text that is applied first.
    official
        More declared values, a table of any kind: ``tournament`` (unless there is only one),
        ``player``, and columns of numbers, ``points``, ``rank`` or called by codes. They come
        before those of the archive.

    Returns
    -------
    Audit
        What agrees, what does not, and why not, as far as that can be told.

    Raises
    ------
    TbframeError
        If a column of `official` is called after nothing that is known or holds no numbers,
        keys are of another type, or a player stands there twice.

    Examples
    --------
    >>> import tbframe as tb
    >>> found = audit(tb.read("data/trf/candidates_london_2013.trf"))
    >>> found
    points: 8 of 8 values (100.0 %), 1 of 1 tournaments in full
    rank: 8 of 8 values (100.0 %), 1 of 1 tournaments in full
    """
    if order is not None:
        parse_order(order)
    given = None if official is None else take_official(archive, official)
    codes = declared_codes(archive, given)
    criteria = list(dict.fromkeys(codes.values()))
    declared = declared_values(archive, given, codes)
    compared = matched(declared, recomputed(archive, criteria, order, edition), criteria)
    named = compared.join(
        archive.players.select(*_KEY, "name"), on=_KEY, how="left", maintain_order="left"
    )
    members = compare_members(archive)
    outcomes = pl.concat(frame.select("tournament", "code", "match") for frame in (named, members))
    by_tournament = outcomes.group_by("tournament", "code").agg(
        pl.len().alias("players"), (~pl.col("match")).sum().alias("misses")
    )
    wrong = by_tournament.filter(pl.col("misses") > 0)
    of_members = pl.col("code") == MEMBER_POINTS
    told = [
        reasons(archive, declared, wrong.filter(~of_members),
                criteria=criteria, order=order, edition=edition),
        member_reasons(archive, members, wrong.filter(of_members)),
    ]  # fmt: skip
    return Audit(
        codes=by_tournament.group_by("code")
        .agg(
            pl.col("players").sum(),
            (pl.col("players") - pl.col("misses")).sum().alias("matches"),
            tournaments=pl.len(),
            tournaments_matching=(pl.col("misses") == 0).sum(),
        )
        .with_columns(match_rate=pl.col("matches") / pl.col("players"))
        .select("code", "players", "matches", "match_rate", "tournaments", "tournaments_matching")
        .sort(~pl.col("code").is_in([POINTS, RANK]), "code"),
        tournaments=pl.concat(told).sort("tournament", "code"),
        players=_misses(named, []),
        members=_misses(members, ["team"]),
        strangers=(archive.players.clear() if given is None else given)
        .join(archive.players, on=_KEY, how="anti")
        .select(_KEY)
        .sort(_KEY),
    )


def _misses(compared: pl.DataFrame, more: list[str]) -> pl.DataFrame:
    """List the values that disagree, with `more` columns behind the name."""
    return (
        compared.filter(~pl.col("match"))
        .select(
            *_KEY, "name", *more, "code", "declared", "found",
            (pl.col("declared") - pl.col("found")).alias("difference"),
        )
        .sort("tournament", "code", "player")
    )  # fmt: skip
