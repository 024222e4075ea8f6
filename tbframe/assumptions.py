"""What an answer takes for granted where a tournament does not say it.

====================  ========  ==================================================================
code                  severity  meaning
====================  ========  ==================================================================
undated               warning   no start date, so the newest edition is applied
no-order-declared     info      no ranking order declared, so players are ranked by points alone
order-cut-short       warning   a declared criterion is not known: those from it on are left out
criterion-not-known   warning   the edition does not know a criterion, or it is for team events:
                                null for all, and it separates nobody
no-buchholz           warning   Buchholz in a round robin: art. 8 has ruled it out since 2026
unrated-players       warning   unrated players take part: rating tie-breaks are null for all
absent-assumed        warning   players have no row for some rounds, and count as absent in them
before-first-edition  info      played before the first text, which is applied
round-robin-assumed   info      everybody met everybody equally often, so the rules for
                                predetermined pairings are applied
====================  ========  ==================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import polars as pl

from tbframe.codes import Criterion
from tbframe.editions import AUTO, NEWEST, Edition, edition_of, editions_in_force
from tbframe.findings import concat_findings, findings_from, no_findings
from tbframe.tiebreaks import declared_order, definition

__all__ = ["assumptions"]


def assumptions(
    tournaments: pl.DataFrame, criteria: Sequence[Criterion] | None, edition: str | Edition = AUTO
) -> pl.DataFrame:
    """List what standings of these tournaments take for granted.

    Parameters
    ----------
    tournaments
        The canonical frame, with ``teams`` (whether it is an event of teams),
        ``predetermined`` (whether its pairings count as such), ``absences`` (how many rounds
        of players have no row) and ``unrated_players`` (how many have no rating).
    criteria
        The criteria asked for; ``None``: each tournament's own.
    edition
        The edition asked for.

    Returns
    -------
    DataFrame
        Findings, by code and then in the order of `tournaments`.
    """
    undated = pl.col("start").is_null() & pl.col("edition").is_null()
    early = pl.col("edition").is_null() & (pl.col("start") < pl.date(2009, 1, 1))
    return concat_findings(
        findings_from(
            tournaments.filter(undated) if edition == AUTO else tournaments.clear(),
            code="undated",
            severity="warning",
            message=f"no start date: edition {NEWEST} is applied",
        ),
        findings_from(
            tournaments.filter(early) if edition == AUTO else tournaments.clear(),
            code="before-first-edition",
            severity="info",
            message="played before there was a text on tie-breaks: edition 2009 is applied",
        ),
        findings_from(
            tournaments.filter(pl.col("pairing").is_null() & pl.col("predetermined")),
            code="round-robin-assumed",
            severity="info",
            message="everybody met everybody equally often: taken for a round robin",
        ),
        findings_from(
            tournaments.filter(pl.col("absences") > 0),
            code="absent-assumed",
            severity="warning",
            message=pl.format(
                "players have no row for {} of their rounds: taken as absent (zero-point byes)",
                "absences",
            ),
        ),
        _orders(tournaments) if criteria is None else no_findings(),
        _unknown(tournaments, criteria, edition),
    )


def _orders(tournaments: pl.DataFrame) -> pl.DataFrame:
    """List the tournaments that declare no order, or one that cannot be read to its end."""
    none = findings_from(
        tournaments.filter(pl.col("criteria").is_null()),
        code="no-order-declared",
        severity="info",
        message="no ranking order declared: ranked by points alone, unless an order is given",
    )
    orders = tournaments["criteria"].drop_nulls().unique(maintain_order=True).to_list()
    unread = {order: entry for order in orders if (entry := declared_order(order)[1]) is not None}
    short = tournaments.filter(pl.col("criteria").is_in(list(unread)))
    return concat_findings(
        none,
        findings_from(
            short.with_columns(
                entry=pl.col("criteria").replace_strict(unread, return_dtype=pl.String)
            ),
            code="order-cut-short",
            severity="warning",
            message=pl.format(
                "declared order {}: {} is not known, so it and what follows are left out",
                "criteria",
                "entry",
            ),
        ),
    )


def _unknown(
    tournaments: pl.DataFrame, criteria: Sequence[Criterion] | None, edition: str | Edition
) -> pl.DataFrame:
    """List the criteria that have no meaning for a tournament."""
    cases = tournaments.select(
        "tournament", "criteria", "teams", "predetermined",
        uncovered=(pl.col("unrated_players") > 0) & pl.col("unrated").is_null(),
        in_force=editions_in_force(tournaments, edition),
    )  # fmt: skip
    if criteria is not None:
        cases = cases.with_columns(criteria=pl.lit(" ".join(map(str, criteria))))
    kinds = cases.select(pl.exclude("tournament")).unique(maintain_order=True)
    own = edition if isinstance(edition, Edition) else None
    said = [
        (*row, code, message)
        for row in kinds.rows()  # few kinds, however many tournaments
        for code, message in _said(row, own or edition_of(row[-1]))
    ]
    found = pl.DataFrame(
        said, schema={**kinds.schema, "code": pl.String, "said": pl.String}, orient="row"
    )
    both = cases.join(found, on=kinds.columns, nulls_equal=True, maintain_order="left")
    return concat_findings(
        *(
            findings_from(
                both.filter(pl.col("code") == code),
                code=code,
                severity="warning",
                message=pl.col("said"),
            )
            for code in ("criterion-not-known", "no-buchholz", "unrated-players")
        )
    )


def _said(kind: tuple[Any, ...], in_force: Edition) -> list[tuple[str, str]]:
    """Say what is meaningless in an order for one kind of tournament under one edition."""
    order, teams, predetermined, uncovered, _ = kind
    said = []
    for criterion in declared_order(order or "PTS")[0]:
        known = definition(criterion.code)
        edition = edition_of(criterion.edition or in_force)
        if not known.in_edition(criterion, edition):
            why = f"edition {edition} has no {known.code} ({known.name}): null for all"
            said.append(("criterion-not-known", why))
        elif not known.applies(criterion, edition, teams=teams):
            said.append(("criterion-not-known", f"{criterion} is for team events: null for all"))
        elif (
            known.code in ("BH", "FB", "AOB")
            and predetermined
            and not edition.predetermined_buchholz
        ):
            said.append(("no-buchholz", f"{criterion} in a round robin: ruled out by art. 8"))
        elif known.needs == "ratings" and uncovered and criterion.unrated is None:
            why = f"{criterion} is null for all, as unrated players take part (art. 10)"
            said.append(("unrated-players", f"{why}: /U1400 gives them a rating"))
    return said
