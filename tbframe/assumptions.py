"""What an answer takes for granted where a tournament does not say it.

====================  ========  ==================================================================
code                  severity  meaning
====================  ========  ==================================================================
undated               warning   no start date, so the newest edition is applied
no-order-declared     warning   no ranking order declared, so players are ranked by points alone
order-cut-short       warning   a declared criterion is not known: those from it on are left out
criterion-not-known   warning   the edition does not know a criterion, or it is for team events:
                                null for all, and it separates nobody
no-buchholz           warning   Buchholz in a round robin: art. 8 has ruled it out since 2026
====================  ========  ==================================================================
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from tbframe.codes import Criterion
from tbframe.editions import AUTO, NEWEST, Edition, edition_of, resolve_editions
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
        The canonical frame.
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
    return concat_findings(
        findings_from(
            tournaments.filter(undated) if edition == AUTO else tournaments.clear(),
            code="undated",
            severity="warning",
            message=f"no start date: edition {NEWEST} is applied",
        ),
        _orders(tournaments) if criteria is None else no_findings(),
        _unknown(tournaments, criteria, edition),
    )


def _orders(tournaments: pl.DataFrame) -> pl.DataFrame:
    """List the tournaments that declare no order, or one that cannot be read to its end."""
    none = findings_from(
        tournaments.filter(pl.col("criteria").is_null()),
        code="no-order-declared",
        severity="warning",
        message="no ranking order declared: ranked by points alone",
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
    in_force = (
        resolve_editions(tournaments)
        if edition == AUTO
        else pl.repeat(edition_of(edition).key, tournaments.height, eager=True)
    )
    cases = tournaments.select("tournament", "criteria", "kind", "pairing", in_force=in_force)
    if criteria is not None:
        cases = cases.with_columns(criteria=pl.lit(" ".join(map(str, criteria))))
    kinds = cases.select(pl.exclude("tournament")).unique(maintain_order=True)
    said = [
        (*row, code, message)
        for row in kinds.rows()
        for code, message in _said(*row)  # few kinds, however many tournaments
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
            for code in ("criterion-not-known", "no-buchholz")
        )
    )


def _said(
    order: str | None, kind: str | None, pairing: str | None, in_force: str
) -> list[tuple[str, str]]:
    """Say what is meaningless in an order for one kind of tournament under one edition."""
    said = []
    for criterion in declared_order(order or "PTS")[0]:
        known = definition(criterion.code)
        edition = edition_of(criterion.edition or in_force)
        for_teams = known.teams == "only" or criterion.score is not None
        if not known.known_to(edition):
            why = f"edition {edition} has no {known.code} ({known.name}): null for all"
            said.append(("criterion-not-known", why))
        elif for_teams and kind != "team":
            said.append(("criterion-not-known", f"{criterion} is for team events: null for all"))
        elif (
            known.code in ("BH", "FB", "AOB")
            and pairing == "predetermined"
            and edition.base == NEWEST
        ):
            said.append(("no-buchholz", f"{criterion} in a round robin: ruled out by art. 8"))
    return said
