"""Take in a user's table: any kind of frame, the names of its columns, their types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Final, Protocol, TypeAlias

import polars as pl

from tbframe.contracts import breach
from tbframe.errors import ContractError
from tbframe.findings import concat_findings, findings_from, no_findings
from tbframe.intake.casting import cast_columns
from tbframe.schema import PLAYERS, ROW, TOURNAMENTS

__all__ = [
    "Table",
    "lone_tournament",
    "only_tournament",
    "read_table",
    "take",
    "take_sides",
]

#: The key of the tournament where a table has no column for it.
LONE: Final = "tournament"


class ArrowStream(Protocol):
    """Anything that speaks the Arrow C stream interface: pandas, PyArrow, DuckDB, ..."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


Table: TypeAlias = pl.DataFrame | pl.LazyFrame | ArrowStream

#: Another spelling that is taken for the column without a word.
_ALIASES: Final = {"colour": "color"}
#: What columns are called elsewhere; suggested, never assumed.
_ELSEWHERE: Final = {
    "elo": "rating",
    "rtg": "rating",
    "fed": "federation",
    "country": "federation",
    "fide_id": "id",
    "fideid": "id",
    "born": "birth",
    "gender": "sex",
    "pts": "points",
    "score": "points",
    "event": "tournament",
    "event_id": "tournament",
    "opp": "opponent",
    "rd": "round",
    "rnd": "round",
    "res": "result",
    "player_id": "player",
    "opponent_id": "opponent",
    "tournament_id": "tournament",
}


def read_table(table: Table, name: str) -> pl.DataFrame:
    """Bring a table of any kind into a data frame, its rows numbered in `ROW`.

    Parameters
    ----------
    table
        An eager or lazy Polars frame, or anything that speaks the Arrow C stream interface.
    name
        What messages call it.

    Raises
    ------
    ContractError
        If it is none of these.
    """
    if isinstance(table, pl.LazyFrame):
        table = table.collect()
    if not isinstance(table, pl.DataFrame):
        if not hasattr(table, "__arrow_c_stream__"):
            raise ContractError(
                f"{name}: {type(table).__name__!r} is no table; give a Polars frame, or what "
                "speaks the Arrow C stream interface (a pandas, PyArrow or DuckDB table)"
            )
        table = pl.DataFrame(table)
    if ROW in table.columns:
        raise ContractError(f"{name}, column {ROW!r}: the name is taken for the row numbers")
    return table.with_row_index(ROW)


def lone_tournament(table: pl.DataFrame, name: str) -> tuple[dict[str, str], pl.DataFrame]:
    """Give the key for the tournament of a table without such a column, and tell of it."""
    if "tournament" in table.columns:
        return {}, no_findings()
    rows = pl.DataFrame({"tournament": [LONE]})
    message = f"{name}: no column 'tournament', so all rows are one tournament, {LONE!r}"
    finding = findings_from(rows, code="single-tournament", severity="info", message=message)
    return {"tournament": LONE}, finding


def only_tournament(rows: pl.DataFrame) -> dict[str, object]:
    """Give the key for side tables without a column ``tournament``; empty if it is not clear."""
    keys = rows["tournament"].unique()
    return {"tournament": keys.item()} if len(keys) == 1 else {}


def take(
    frame: pl.DataFrame,
    name: str,
    columns: Mapping[str, pl.DataType | None],
    required: Iterable[str],
    lone: Mapping[str, object],
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Bring a table to the names and types of its contract.

    Parameters
    ----------
    frame
        The table, from `read_table`.
    name
        What messages call it.
    columns
        Columns and types; ``color`` and ``result`` are left to be spelled.
    required
        Columns that must be there besides ``tournament``.
    lone
        The key that a missing column ``tournament`` is filled with; empty: it must be there.

    Returns
    -------
    frame, findings
    """
    required = required if lone else ("tournament", *required)
    frame, findings = _name_columns(frame, name, columns, required, lone)
    typed = {c: dtype for c, dtype in columns.items() if c not in {"color", "result"}}
    cast = cast_columns(frame, name, typed)
    return cast, concat_findings(findings, _told_of_text(frame, cast, name))


def _told_of_text(frame: pl.DataFrame, cast: pl.DataFrame, name: str) -> pl.DataFrame:
    """Tell of columns of text that were read as whole numbers."""
    columns = [
        column
        for column, dtype in cast.schema.items()
        if dtype.is_integer() and frame.schema[column] == pl.String()
    ]
    return findings_from(
        pl.DataFrame({"column": columns}, schema={"column": pl.String}),
        code="text-as-number",
        severity="info",
        message=pl.format("{}: the text in '{}' is read as whole numbers", pl.lit(name), "column"),
    )


def take_sides(
    players: Table | None, tournaments: Table | None, lone: Mapping[str, object]
) -> tuple[dict[str, pl.DataFrame], pl.DataFrame]:
    """Bring the side tables that are given to the names and types of their contracts."""
    given = [
        ("players", players, PLAYERS, ("player",)),
        ("tournaments", tournaments, TOURNAMENTS, ()),
    ]
    frames, findings = {}, []
    for name, table, columns, required in given:
        if table is not None:
            read = read_table(table, name)
            frames[name], found = take(read, name, columns, required, lone)
            findings.append(found)
            if "tournament" not in read.columns and lone["tournament"] != LONE:
                message = f"{name}: no column 'tournament': read as about {lone['tournament']!r}"
                told = pl.DataFrame({"tournament": [lone["tournament"]]})
                findings.append(
                    findings_from(told, code="tournament-filled", severity="info", message=message)
                )
    return frames, concat_findings(*findings)


def _name_columns(
    frame: pl.DataFrame,
    name: str,
    columns: Iterable[str],
    required: Iterable[str],
    defaults: Mapping[str, object],
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Find the columns of the contract among those of a table.

    Parameters
    ----------
    frame
        The table, from `read_table`.
    name
        What messages call it.
    columns
        The columns of the contract.
    required
        Those that must be there.
    defaults
        Values for columns that may be missing, so long as no other looks like them.

    Returns
    -------
    frame, findings
        The frame with spelling variants renamed, and a warning for each column that looks
        like one of the contract under another name (it is carried along, not used).

    Raises
    ------
    ContractError
        If a column that is needed is missing; the message suggests which one may be it.
    """
    renamed = {
        alias: column
        for alias, column in _ALIASES.items()
        if alias in frame.columns and column in columns and column not in frame.columns
    }
    frame = frame.rename(renamed)
    extra = [column for column in frame.columns if column not in columns and column != ROW]
    lookalikes = {
        column: found
        for column in columns
        if column not in frame.columns and (found := _lookalike(column, extra)) is not None
    }
    for column in (*required, *defaults):
        if column not in frame.columns and (column not in defaults or column in lookalikes):
            there = ", ".join(repr(other) for other in frame.columns if other != ROW)
            hint = f"; did you mean {lookalikes[column]!r}?" if column in lookalikes else "."
            rule = f"the column is missing{hint} The columns are {there or 'none'}"
            raise breach(name, [column], rule)
    frame = frame.with_columns(
        pl.lit(value).alias(column)
        for column, value in defaults.items()
        if column not in frame.columns
    )
    suspects = pl.DataFrame(
        {"found": lookalikes.values(), "column": lookalikes.keys()},
        schema={"found": pl.String, "column": pl.String},
    )
    return frame, findings_from(
        suspects,
        code="column-not-used",
        severity="warning",
        message=pl.format(
            "{}: column '{}' is carried along and not used; rename it if it is '{}'",
            pl.lit(name),
            "found",
            "column",
        ),
    )


def _lookalike(column: str, among: list[str]) -> str | None:
    """Find the column of a table that may be meant, if any."""
    plain = {other.strip().lower().replace(" ", "_"): other for other in among}
    if column in plain:
        return plain[column]
    for word, meant in _ELSEWHERE.items():
        if meant == column and word in plain:
            return plain[word]
    close = get_close_matches(column, plain, n=1, cutoff=0.81)
    return plain[close[0]] if close else None
