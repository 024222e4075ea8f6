"""What a crosstable says of its players: names, ratings, ranks, and columns of its own."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

import polars as pl

from tbframe.schema import PLAYERS
from tbframe.sources.crosstable.spelling import as_number
from tbframe.sources.crosstable.tables import Table

__all__ = ["declared_points", "players_of"]

_TEXTS: Final = ("name", "title", "federation", "id", "birth")
_TITLES: Final = frozenset(
    [
        "gm",
        "im",
        "fm",
        "cm",
        "wgm",
        "wim",
        "wfm",
        "wcm",
        "g",
        "m",
        "f",
        "c",
        "wg",
        "wm",
        "wf",
        "wc",
        "nm",
        "hgm",
        "dgm",
        "aim",
        "agm",
        "afm",
        "acm",
    ]
)
_SEXES: Final = {"m": "m", "w": "w", "f": "w", "male": "m", "female": "w", "м": "m", "ж": "w"}
#: A rating may be marked as national, of FIDE, estimated or provisional: 1200N, 1850P12, 1500/7.
_RATING: Final = re.compile(r"(\d{1,4})(?:[.,]0+)?\s?(?:[A-Za-zФф]{1,3}\d{0,3}|/\d{1,3}|\*)?")
_RANK: Final = re.compile(r"=?(\d{1,6})(?:[.)=]|\s?-\s?\d{1,6}\.?)?")
#: Names of columns that results have, or that formulas would read.
_TAKEN: Final = frozenset(
    {*PLAYERS, "tournament", "score", "pts", "opponent", "round", "team", "start_score", "order"}
)


def declared_points(table: Table) -> list[float | None]:
    """Read the points that a table declares for each row."""
    column = table.heading.places.get("points")
    if column is None:
        return [None] * len(table.rows)
    values = []
    for row, text in zip(table.rows, table.column(column), strict=True):
        # Some tables have 6/9, or 6 (9): of nine rounds.
        value = as_number(re.split(r"[/(]", text)[0].replace("1/2", "½"))
        if text.strip().endswith("1/2") and "/" in text:
            value = as_number(text.replace("1/2", "½").replace(" ", ""))
        values.append(value)
        if text and value is None:
            said = f"{table.at(row, column)}: no points: {text[:40]!r}"
            table.doubts.add("points-unread", said, "warning", line=row.line)
    return values


def players_of(
    table: Table, keys: Sequence[int], points: Sequence[float | None], games: Collection[int]
) -> pl.DataFrame:
    """Make the players frame of a table.

    Parameters
    ----------
    table
        Where to tell what could not be read.
    keys
        The key of each player.
    points
        From `declared_points`.
    games
        The columns that have games.

    Returns
    -------
    DataFrame
        ``player`` and what `schema.PLAYERS` has; all other columns, tie-breaks among them, under
        the names that the table has for them: numbers where all their values are some.
    """
    places = table.heading.places
    columns: dict[str, pl.Series] = {"player": pl.Series(keys, dtype=pl.Int64)}
    for kind in _TEXTS:
        if kind in places:
            columns[kind] = pl.Series(_texts(table, places[kind]), dtype=pl.String)
    if "sex" in places:
        given = [None if text is None else text.casefold() for text in _texts(table, places["sex"])]
        sexes = [None if text is None else _SEXES.get(text) for text in given]
        columns["sex"] = pl.Series(sexes, dtype=pl.String)
    if "rating" in places:
        ratings = _numbers(table, places["rating"], "rating", _RATING)
        columns["rating"] = pl.Series(ratings, dtype=pl.Int64)
    if "rank" in places:
        ranks = _numbers(table, places["rank"], "rank", _RANK)
        columns["rank"] = pl.Series(_shared(table, ranks), dtype=pl.Int64)
    if "points" in places:
        columns["points"] = pl.Series(points, dtype=pl.Float64)
    used = {places[kind] for kind in (*columns, "number") if kind in places}
    used = used.union(games, *table.heading.rounds.values())
    others = [column for column in range(len(table.heading.names)) if column not in used]
    return pl.DataFrame(columns).with_columns(_others(table, others, set(columns)))


def _texts(table: Table, column: int) -> list[str | None]:
    return [text or None for text in table.column(column)]


def _numbers(table: Table, column: int, kind: str, form: re.Pattern[str]) -> list[int | None]:
    values: list[int | None] = []
    for row, text in zip(table.rows, table.column(column), strict=True):
        match = form.fullmatch(text)
        values.append(int(match[1]) if match else None)
        if match is None and text.strip("-– .?"):
            said = f"{table.at(row, column)}: no {kind}: {text[:40]!r}"
            table.doubts.add(f"{kind}-unread", said, "warning", line=row.line)
    return values


def _shared(table: Table, ranks: list[int | None]) -> list[int | None]:
    """Fill ranks that are left open below others: these places are shared."""
    filled: list[int | None] = []
    for rank in ranks:
        filled.append(rank if rank is not None or not filled else filled[-1])
    number = sum(rank is None for rank in ranks)
    if number and ranks[0] is not None:
        text = f"ranks left open are those of the rows above: {number}"
        table.doubts.add("rank-shared", text)
    return filled


def _are_titles(given: Sequence[str]) -> bool:
    """Whether a column without a heading has titles: those of FIDE, and national ones."""
    known = sum(text.casefold() in _TITLES for text in given)
    return known > 0 and all(len(text) <= 4 and text.isalpha() for text in given)


def _others(table: Table, columns: Sequence[int], taken: set[str]) -> list[pl.Series]:
    """Take the columns whose meaning is the table's own."""
    series: list[pl.Series] = []
    names: set[str] = {name.casefold() for name in taken}
    for column in columns:
        texts = _texts(table, column)
        given = [text for text in texts if text is not None]
        if not given:
            continue
        written = " ".join(table.heading.names[column].split())
        if not written and "title" not in names and _are_titles(given):
            written = name = "title"
        else:
            name = written or f"column_{column + 1}"
            if name.casefold() in _TAKEN:
                name = f"{name} (file)"
            if name.casefold() in names:
                name = f"{name} ({column + 1})"
        names.add(name.casefold())
        numbers = [None if text is None else as_number(text) for text in texts]
        if sum(number is not None for number in numbers) == len(given):
            series.append(pl.Series(name, numbers, dtype=pl.Float64))
        else:
            series.append(pl.Series(name, texts, dtype=pl.String))
    return series
