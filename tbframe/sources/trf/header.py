"""The records about the tournament as a whole, all but the players and their points."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.editions import edition_of
from tbframe.errors import ContractError, EditionError
from tbframe.schema import MOST_ROUNDS
from tbframe.scoring import parse_scoring
from tbframe.sources.trf.characters import Characters, identifier
from tbframe.sources.trf.notes import Notes
from tbframe.sources.trf.tournament_dates import round_dates, with_dates
from tbframe.sources.trf.wording import TEAM_RECORDS, pairing_of, says_team

__all__ = ["COMMENTS", "read_records", "read_tournaments"]

_SCORING: Final = ("162", "XXS", "BBW", "BBD", "BBL", "BBZ", "BBF", "BBU", "299")
#: Records with one value, the first of which counts.
_ONCE: Final = {
    "012": "name", "022": "city", "032": "federation", "042": "start", "052": "end",
    "062": "players", "082": "teams", "092": "words", "102": "arbiter", "122": "time_control",
    "142": "rounds", "XXR": "xxr", "192": "code", "202": "ties", "212": "order",
    "222": "time_code", "172": "support",
}  # fmt: skip
#: Records that are known, not interpreted, and kept as they are.
_KEPT: Final = (
    *TEAM_RECORDS, "152", "172", "182", "192", "222", "240", "250", "260",
    "XXA", "XXC", "XXP", "XXZ",
)  # fmt: skip
#: Records whose content goes into columns, or follows from the players.
_READ: Final = (*_ONCE, "001", "072", "112", "132", *_SCORING)
#: Pairing codes that say nothing beyond Swiss or round robin: written where there are no words.
_BARE_CODES: Final = ("CUSTOM_SWISS", "CUSTOM_ROUNDROBIN")

#: Nobody ranks by more; what has more entries is not an order.
_MOST_CRITERIA: Final = 100

#: Columns that no record is made for: written as comments, which other readers pass over.
COMMENTS: Final = ("edition", "unrated", "fide_event", "game_scoring", "boards", "primary")
_MARKED: Final = rf"^### tbframe ({'|'.join(COMMENTS)}) "


def read_records(text: Characters) -> pl.DataFrame:
    """Return all records but the players': ``file``, ``line``, ``id``, ``value``, ``text``.

    Comments, rulers and blank lines are left out; ``value`` is what stands from column 5 on,
    null if nothing does. ``position`` is the line among all lines.
    """
    lines = np.flatnonzero((text.identifier != identifier("001")) & (text.end > text.start))
    value = pl.col("text").str.slice(4).str.strip_chars()
    return (
        pl.DataFrame(
            {
                "position": lines,
                "file": text.file[lines],
                "line": text.number[lines],
                "text": text.whole(lines),
            }
        )
        .filter(
            # Rulers count the columns or name them.
            ~pl.col("text").str.contains(r"^###|^[0-9 ]+$|^...\s+SSSS?\s")
            | pl.col("text").str.contains(_MARKED + r"|^[0-9]{3}( |$)")
        )
        .with_columns(
            id=pl.when(pl.col("text").str.contains(r"^([0-9A-Z]{3}(\s|$)|### )")).then(
                pl.col("text").str.slice(0, 3)
            ),
            value=pl.when(value != "").then(value),
        )
    )


def read_tournaments(
    text: Characters, records: pl.DataFrame, played: NDArray[np.int64], notes: Notes
) -> pl.DataFrame:
    """Read the tournament records of every file.

    Parameters
    ----------
    records
        From `read_records`.
    played
        Played rounds of each file.

    Returns
    -------
    DataFrame
        One row a file: the columns of `schema.TOURNAMENTS` but ``tournament`` and ``scoring``,
        ``records`` (lines that are kept as they are) and ``declared_players``.
    """
    table = pl.DataFrame({"file": np.arange(len(played)), "played": played})
    table = table.join(_first_values(records, notes), on="file", how="left")
    table = table.join(_several_values(records), on="file", how="left").sort("file")
    table = _without_unknown_rules(table, notes)

    code = pl.col("code").str.to_uppercase()
    words = pl.coalesce("words", pl.when(~code.is_in(_BARE_CODES)).then("code"))
    individual = words.str.contains("(?i)^individual").fill_null(value=False)
    team = (
        says_team(words, code, pl.lit(None, pl.String))
        | pl.col("team_line").is_not_null()
        | ((_count("teams") > 0).fill_null(value=False) & ~individual)
    )
    table = _with_criteria(table, notes)
    table = table.with_columns(
        rounds=pl.coalesce(_rounds("rounds"), _rounds("xxr")),
        declared_players=_count("players"),
        kind=pl.when(team).then(pl.lit("team")).otherwise(pl.lit("individual")),
        pairing=pl.coalesce(pairing_of(code), pairing_of(pl.col("words"))),
        type=words,
        time_control=pl.coalesce("time_control", "time_code"),
    )
    teams = table.filter(pl.col("team_line").is_not_null())
    notes.find(
        "team-records-not-read",
        "warning",
        "the players are read as a list of individuals; the records of the teams are kept as "
        "they are",
        file=teams["file"].to_numpy(),
        line=teams["team_line"].to_numpy(),
    )
    table = table.join(_kept_records(records, table, notes), on="file", how="left").sort("file")
    table = with_dates(table, notes)
    return table.join(round_dates(text, records, table, notes), on="file", how="left").sort("file")


def _count(name: str) -> pl.Expr:
    """Return the number that a value such as ``088 (85)`` starts with."""
    return pl.col(name).str.extract(r"^0*([0-9]{1,9})").cast(pl.Int32)


def _rounds(name: str) -> pl.Expr:
    """Return a number of rounds; null if it cannot be one."""
    return pl.when(_count(name).is_between(1, MOST_ROUNDS)).then(_count(name))


def _first_values(records: pl.DataFrame, notes: Notes) -> pl.DataFrame:
    """Return the first value of each record that should come once, one row a file."""
    given = records.filter(pl.col("id").is_in(_ONCE), pl.col("value").is_not_null())
    again = (
        given.with_columns(first=pl.col("value").first().over("file", "id"))
        .filter(pl.col("value") != pl.col("first"))
    )  # fmt: skip
    notes.find(
        "repeated-record",
        "warning",
        pl.format("record {} comes again with {}; the first one counts", "id", "value"),
        file=again["file"].to_numpy(),
        line=again["line"].to_numpy(),
        id=again["id"],
        value=again["value"],
    )
    rounds = given.filter(pl.col("id").is_in(["142", "XXR"])).with_columns(number=_rounds("value"))
    both = rounds.filter(pl.col("number").drop_nulls().n_unique().over("file") > 1)
    for rows, code, message in (
        (
            rounds.filter(pl.col("number").is_null()),
            "unreadable-rounds",
            "{} is no number of rounds",
        ),
        (
            both.filter(pl.col("id") == "XXR"),
            "rounds-contradicted",
            "XXR gives {} rounds, but 142 another number, which counts",
        ),
    ):
        notes.find(
            code,
            "warning",
            pl.format(message, "value"),
            file=rows["file"].to_numpy(),
            line=rows["line"].to_numpy(),
            value=rows["value"],
        )
    return given.group_by("file").agg(
        pl.col(column).filter(pl.col("id") == id_).first().alias(name + suffix)
        for id_, name in _ONCE.items()
        for column, suffix in (("value", ""), ("line", "_line"))
    )


def _several_values(records: pl.DataFrame) -> pl.DataFrame:
    """Return what comes in several records or in comments, one row a file."""
    name, said = (pl.col("text").str.extract(_MARKED + "(.+)$", group) for group in (1, 2))
    return (
        records.group_by("file")
        .agg(
            *(said.filter(name == column).first().alias(column) for column in COMMENTS),
            team_line=pl.col("line").filter(pl.col("id").is_in(TEAM_RECORDS)).first(),
            deputies=pl.col("value").filter(pl.col("id") == "112").drop_nulls().str.join("; "),
        )
        .with_columns(
            deputies=pl.when(pl.col("deputies") != "").then("deputies"),
            fide_event=pl.col("fide_event") == "true",
        )
    )


def _without_unknown_rules(table: pl.DataFrame, notes: Notes) -> pl.DataFrame:
    """Take out rules in comments that do not exist, before they fail once all is read."""
    known: dict[str, Callable[[str], object]] = {
        "edition": _is_edition,
        "primary": ("MP", "GP").__contains__,
        "unrated": re.compile(r"exclude|[1-9][0-9]{0,3}").fullmatch,
        "game_scoring": _is_scoring,
        "boards": re.compile(r"[1-9][0-9]?|100").fullmatch,
    }
    for column, fits in known.items():
        texts = table[column].drop_nulls().unique().to_list()
        unknown = pl.col(column).is_in([text for text in texts if not fits(text)])
        notes.find(
            f"{column}-not-known",
            "error",
            f"the comment names a rule for {column!r} that does not exist: it is left out",
            file=table.filter(unknown)["file"].to_numpy(),
        )
        table = table.with_columns(pl.when(~unknown).then(column).alias(column))
    return table.with_columns(pl.col("boards").cast(pl.Int32))


def _with_criteria(table: pl.DataFrame, notes: Notes) -> pl.DataFrame:
    """Add the declared ranking order, its entries separated by blanks."""
    order = pl.coalesce("order", pl.lit("PTS ") + pl.col("ties"))
    criteria = order.str.replace_all(r"[\s,;]+", " ").str.strip_chars()
    table = table.with_columns(criteria=pl.when(criteria != "").then(criteria))
    long = pl.col("criteria").str.count_matches(" ", literal=True) >= _MOST_CRITERIA
    rows = table.filter(long)
    notes.find(
        "unreadable-order",
        "warning",
        f"more than {_MOST_CRITERIA} criteria are no ranking order: it is left out",
        file=rows["file"].to_numpy(),
        line=rows.select(pl.coalesce("order_line", "ties_line")).to_series().to_numpy(),
    )
    return table.with_columns(criteria=pl.when(~long).then("criteria"))


def _is_edition(text: str) -> bool:
    try:
        edition_of(text)
    except EditionError:
        return False
    return True


def _is_scoring(text: str) -> bool:
    try:
        parse_scoring(text)
    except ContractError:
        return False
    return True


def _kept_records(records: pl.DataFrame, table: pl.DataFrame, notes: Notes) -> pl.DataFrame:
    """Return the records that go on as text, one row a file."""
    columns = table.select("file", "kind", "played", support=pl.col("support").str.slice(0, 3))
    records = records.join(columns, on="file", how="left", maintain_order="left")
    national = (pl.col("id") == "FID") | (pl.col("id") == pl.col("support")).fill_null(value=False)
    known = pl.col("id").is_in([*_KEPT, *_READ, "###"]) | national
    for rows, code, message in (
        (
            pl.col("id").is_null(),
            "ignored-lines",
            "{} lines are no records and are left out, the first: {}",
        ),
        (~known, "unknown-records", "{} records are not known and kept as they are, the first: {}"),
    ):
        per_file = (
            records.filter(rows)
            .group_by("file", maintain_order=True)
            .agg(pl.col("line", "text").first(), count=pl.len())
        )
        notes.find(
            code,
            "info",
            pl.format(message, "count", pl.col("text").str.slice(0, 60)),
            file=per_file["file"].to_numpy(),
            line=per_file["line"].to_numpy(),
            count=per_file["count"],
            text=per_file["text"],
        )
    team = pl.col("kind") == "team"
    bare = (pl.col("id") == "192") & pl.col("value").str.to_uppercase().is_in(_BARE_CODES)
    ahead = pl.col("text").str.slice(6, 3).str.strip_chars().cast(pl.Int64, strict=False)
    # Byes and abnormal points of a team file may be those of teams.
    taken = (
        pl.when(pl.col("id") == "240").then(~team & (ahead <= pl.col("played")))
        .when(pl.col("id").is_in(["082", "299"])).then(~team)
        .when(pl.col("id").is_in(["172", "192", "222"])).then(pl.col("value").is_null() | bare)
        .otherwise(pl.col("id").is_in([*_READ, "###"]))
    )  # fmt: skip
    return (
        records.filter(pl.col("id").is_not_null(), ~taken.fill_null(value=False))
        .group_by("file")
        .agg(records=pl.col("text").str.join("\n"))
    )
