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
incomplete            warning   games are missing from a source that has no byes and absences
                                (`checks.games_due`)
before-first-edition  info      played before the first text, which is applied
round-robin-assumed   info      everybody met everybody equally often, so the rules for
                                predetermined pairings are applied
constant-in-a-tie     info      a sum over the opponents' scores in a round robin: who met everybody
                                has a constant less his own score
punishes-a-win        info      an average over the opponents in a Swiss: a game against a weak one
                                lowers it, even if it is won
depends-on-origin     info      points times scores counted from start scores: another origin of
                                the scale can give another order
column-missing        warning   a criterion needs a column that is not there, or empty
scoring-varies        warning   a win is not worth the same in all rounds, colors or games: a
                                criterion that asks what it is worth takes the general value
scoring-upside-down   warning   a draw is worth more than a win, or a loss more than a draw, or a
                                win nothing
points-not-whole      warning   the tie-break number of Yu-Gi-Oh! has no place for half points
order-in-a-circle     warning   no order of Keizer's system stays: null for all
====================  ========  ==================================================================

`tbframe.connections` has those of ranking theory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import polars as pl

from tbframe.codes import Criterion
from tbframe.editions import AUTO, NEWEST, Edition, edition_of, editions_in_force
from tbframe.findings import Severity, concat_findings, findings_from, no_findings
from tbframe.scoring import parse_scoring
from tbframe.tiebreaks import declared_order, definition
from tbframe.tiebreaks.definition import TieBreak

__all__ = ["assumptions", "circles", "columns_lacking", "halves"]

#: What is said of a criterion and a kind of tournament, and how grave it is.
_SAID: Final[dict[str, Severity]] = {
    "criterion-not-known": "warning",
    "no-buchholz": "warning",
    "unrated-players": "warning",
    "constant-in-a-tie": "info",
    "punishes-a-win": "info",
    "depends-on-origin": "info",
    "column-missing": "warning",
    "scoring-varies": "warning",
}
#: Sums and averages over all opponents of what follows from their scores.
_OF_ALL_OPPONENTS: Final = {
    "BH", "AOB", "uscf.SOLK", "draughts.SOLK", "debate.DS", "bridge.SP", "go.SOS", "go.SOSW",
}  # fmt: skip
#: What asks for the value of a win or a draw: to count wins, or for rounds without a game.
_OF_A_WIN: Final = {
    "WIN", "STD", "KS", "DE", "BH", "FB", "AOB", "SB", "SSSC", "EMMSB", "EMGSB", "EGMSB", "EGGSB",
    "uscf.MMED", "uscf.MMEDL", "uscf.SOLK", "uscf.MED", "uscf.SB", "old.SUMBH",
}  # fmt: skip
#: Numbers in whose digits the points are written.
_IN_DIGITS: Final = {"ygo.TB", "ygo.TB8"}
_AVERAGES: Final = {"ARO", "AOB", "APRO", "APPO", "uscf.OAVG", "uscf.OPERF"}


def assumptions(
    tournaments: pl.DataFrame, criteria: Sequence[Criterion] | None, edition: str | Edition = AUTO
) -> pl.DataFrame:
    """List what standings of these tournaments take for granted.

    Parameters
    ----------
    tournaments
        The canonical frame, with ``teams`` (whether it is an event of teams),
        ``predetermined`` (whether its pairings count as such), ``absences`` (how many rounds
        of players have no row), ``unrated_players`` (how many have no rating), ``lacking`` (the
        columns that criteria need and it does not have, as `columns_lacking` gives them).
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
        _upside_down(tournaments),
        _unknown(tournaments, criteria, edition),
    )


def _upside_down(tournaments: pl.DataFrame) -> pl.DataFrame:
    """List the tournaments in which it does not pay to win."""
    systems = tournaments["scoring"].drop_nulls().unique(maintain_order=True).to_list()
    odd = [
        text
        for text in systems
        for worth in [parse_scoring(text)]
        if not worth["1"] >= worth["="] >= worth["0"] or worth["1"] == 0
    ]
    return findings_from(
        tournaments.filter(pl.col("scoring").is_in(odd)),
        code="scoring-upside-down",
        severity="warning",
        message=pl.format("scoring {}: winning does not pay", "scoring"),
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
        "tournament", "criteria", "teams", "predetermined", "lacking",
        varies=pl.col("scoring").str.contains(";", literal=True).fill_null(value=False),
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
                severity=severity,
                message=pl.col("said"),
            )
            for code, severity in _SAID.items()
        )
    )


def _said(kind: tuple[Any, ...], in_force: Edition) -> list[tuple[str, str]]:
    """Say what is meaningless in an order for one kind of tournament under one edition."""
    order, teams, predetermined, lacking, varies, uncovered, _ = kind
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
        elif "U" in known.modifiers and uncovered and criterion.unrated is None:
            why = f"{criterion} is null for all, as unrated players take part (art. 10)"
            said.append(("unrated-players", f"{why}: /U1400 gives them a rating"))
        said += [
            ("column-missing", f"{criterion} needs the column {path}, and there is none")
            for path in lacking.split()
            if path in _paths(known)
        ]
        if varies and criterion.code in _OF_A_WIN:
            why = f"{criterion} takes the general value of a win and a draw"
            said.append(("scoring-varies", f"{why}, though some rows have others"))
        said += _of_little_use(criterion, predetermined=predetermined)
    return said


def columns_lacking(
    tournaments: pl.DataFrame,
    frames: Mapping[str, pl.DataFrame],
    criteria: Sequence[Criterion] | None,
) -> pl.Series:
    """Tell for each tournament which columns its criteria need and it does not have.

    Parameters
    ----------
    tournaments
        The canonical frame.
    frames
        ``results``, ``players`` and ``tournaments``.
    criteria
        The criteria asked for; ``None``: each tournament's own.

    Returns
    -------
    Series
        Frames and columns, such as ``"results.games_won"``, separated by blanks.
    """
    asked = criteria or [
        criterion
        for order in tournaments["criteria"].drop_nulls().unique(maintain_order=True)
        for criterion in declared_order(order)[0]
    ]
    needed = {path: None for c in asked for path in _paths(definition(c.code))}
    lacking = [pl.lit("")]
    for path in needed:
        frame, _, column = path.partition(".")
        if column in frames[frame].columns:
            has = frames[frame].filter(pl.col(column).is_not_null())["tournament"].unique()
            lacking.append(
                pl.when(pl.col("tournament").is_in(has.implode()))
                .then(pl.lit(""))
                .otherwise(pl.lit(path))
            )
        else:
            lacking.append(pl.lit(path))
    text = pl.concat_str(lacking, separator=" ").str.strip_chars()
    return tournaments.with_columns(lacking=text)["lacking"]


def _paths(known: TieBreak) -> list[str]:
    """Name the columns without which a tie-break says nothing.

    What takes ``/U`` asks for the ratings of all players, which is told otherwise.
    """
    ratings = [] if "U" in known.modifiers else ["players.rating"]
    needs = known.needs.split()
    return [path for path in needs if "." in path] + (ratings if "ratings" in needs else [])


def _of_little_use(criterion: Criterion, *, predetermined: bool) -> list[tuple[str, str]]:
    """Say where a criterion has a value that says little."""
    said = []
    if predetermined and criterion.code in _OF_ALL_OPPONENTS and not criterion.low:
        why = f"{criterion} of players who met everybody is a constant less their own score"
        said.append(("constant-in-a-tie", f"{why}: it separates none of them in a tie"))
    if not predetermined and criterion.code in _AVERAGES:
        why = f"{criterion} is an average: a game against a weak opponent lowers it"
        said.append(("punishes-a-win", f"{why}, even if it is won"))
    if criterion.code == "go.SODOS":
        why = f"{criterion} multiplies scores: another origin of the McMahon scale"
        said.append(("depends-on-origin", f"{why} can give another order"))
    return said


def halves(
    results: pl.DataFrame, tournaments: pl.DataFrame, criteria: Sequence[Criterion]
) -> pl.DataFrame:
    """List the tournaments whose points do not fit into the digits of a number asked for.

    Parameters
    ----------
    results, tournaments
        The canonical frames.
    criteria
        The criteria asked for.
    """
    asked = [criterion for criterion in criteria if criterion.code in _IN_DIGITS]
    if not asked:
        return no_findings()
    part = results.filter(pl.col("points").fill_null(0) % 1 != 0)["tournament"].unique()
    return findings_from(
        tournaments.filter(pl.col("tournament").is_in(part.implode())),
        code="points-not-whole",
        severity="warning",
        message=f"{asked[0]} has digits for whole points only: put PTS before it",
    )


def circles(periods: pl.DataFrame) -> pl.DataFrame:
    """List the tournaments in which no order of Keizer's system stays.

    Parameters
    ----------
    periods
        ``tournament`` and ``keizer.PTS_PERIOD``: one row for each player.
    """
    length = pl.col("keizer.PTS_PERIOD")
    moving = periods.group_by("tournament", maintain_order=True).agg(length.first())
    many = pl.when(length.is_null()).then(pl.lit("many")).otherwise(length.cast(pl.String))
    return findings_from(
        moving.filter(length.ne_missing(1)),
        code="order-in-a-circle",
        severity="warning",
        message=pl.format("keizer.PTS is null for all: {} orders follow each other", many),
    )
