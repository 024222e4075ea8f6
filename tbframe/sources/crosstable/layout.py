"""An archive laid out as crosstables: lines over the table, headings, and typed columns."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from tbframe.archive import Archive, Criteria
from tbframe.editions import Edition, editions_in_force
from tbframe.errors import FindingWarning, SourceError
from tbframe.schema import PLAYERS, RESULTS, TOURNAMENTS
from tbframe.scoring import points_due
from tbframe.sources.crosstable.dialect import (
    BYES,
    COLUMN,
    COLUMNS,
    DECLARED,
    FACTS,
    SIGNS,
)
from tbframe.sources.crosstable.tables import CELLS
from tbframe.standings import column_names
from tbframe.tiebreaks import declared_order, parse_order

__all__ = ["Layout", "lay_out", "warn_of_columns"]

_KEY: Final = ["tournament", "player"]
#: What results have besides the columns of the contract, and where a cell has a place for it.
_TOLD: Final = {*RESULTS, "game", "game_points"}


@dataclass(frozen=True)
class Layout:
    """One crosstable.

    Attributes
    ----------
    key
        The tournament's.
    title
        Its name, or its key.
    lines
        What stands over the table.
    headings
        Of the columns; they need not be unique.
    rows
        The columns, as text and as numbers, in the order of the headings.
    """

    key: str
    title: str
    lines: tuple[str, ...]
    headings: tuple[str, ...]
    rows: pl.DataFrame

    def texts(self) -> pl.DataFrame:
        """Return all columns as text, exact; empty where there is no value."""
        return self.rows.select(pl.all().cast(pl.String).fill_null(""))


def lay_out(archive: Archive, order: Criteria | None, edition: str | Edition) -> list[Layout]:
    """Lay out each tournament of an archive.

    Parameters
    ----------
    archive
        What to lay out.
    order, edition
        As of `Archive.standings`: players stand in this order, and its criteria are columns.

    Returns
    -------
    list of Layout
        In the order of the tournaments.

    Raises
    ------
    SourceError
        If keys of players are the same but for blanks.
    """
    with warnings.catch_warnings():
        # A standing that rests on assumptions is told of where standings are asked for.
        warnings.simplefilter("ignore", FindingWarning)
        standings = archive.standings(order, edition=edition).drop("name", "decided_by")
    players, keyed = _numbered(archive.players)
    cells = _cells(archive, players)
    ranked = players.join(standings, on=_KEY, how="left", maintain_order="left").sort(
        "tournament", pl.col("rank_right").fill_null(2**31 - 1), "number", maintain_order=True
    )
    rows = ranked.partition_by("tournament", as_dict=True)
    games = cells.partition_by("tournament", as_dict=True)
    used = editions_in_force(archive.tournaments, edition)
    own = _own_columns(archive.players)
    layouts = []
    for about, text in zip(archive.tournaments.iter_rows(named=True), used, strict=True):
        here = (about["tournament"],)
        table = rows.get(here, ranked.clear())
        wide, rounds = _wide(games.get(here, cells.clear()))
        table = table.join(wide, on="player", how="left", maintain_order="left")
        criteria = column_names(_criteria(order, about["criteria"]))
        layouts.append(
            _layout(
                about, table, rounds=rounds, criteria=criteria, edition=text, own=own, keyed=keyed
            )
        )
    return layouts


def _criteria(order: Criteria | None, declared: str | None) -> Any:
    if order is not None:
        return parse_order(order)
    return declared_order(declared or "PTS")[0] or parse_order("PTS")


def _numbered(players: pl.DataFrame) -> tuple[pl.DataFrame, str | None]:
    """Give each player a number; his key if it is one, else his place among the keys.

    Returns
    -------
    players, heading
        With ``number``, and the heading of the column that has the keys beside it.
    """
    key = pl.col("player")
    tidy = _tidy(players)
    if players.schema["player"] == pl.String:
        if tidy.select(pl.struct(_KEY).is_duplicated().any()).item():
            raise SourceError("keys of players are the same but for blanks in them")
        return tidy.with_columns(_place(), key=pl.col("player"), player=players["player"]), "Key"
    if players.filter(key < 1).height:
        return tidy.with_columns(_place(), key=key), "Key (number)"
    return tidy.with_columns(number=key), None


def _place() -> pl.Expr:
    return pl.int_range(1, pl.len() + 1, dtype=pl.Int64).over("tournament").alias("number")


def _tidy(frame: pl.DataFrame) -> pl.DataFrame:
    """Leave in texts one blank between words: a cell has no more."""
    texts = [name for name, dtype in frame.schema.items() if dtype == pl.String]
    return frame.with_columns(
        pl.col(name)
        .str.replace_all(r"[\s\x00-\x1f\x7f\u{200b}-\u{200f}\u{feff}]+", " ")
        .str.strip_chars()
        for name in texts
    )


def _cells(archive: Archive, players: pl.DataFrame) -> pl.DataFrame:
    """Write the cells: ``tournament``, ``player``, ``round``, ``cell``."""
    results = archive.results
    numbers = players.select(*_KEY, "number")
    opponents = results.select("tournament", player="opponent").join(
        numbers, on=_KEY, how="left", maintain_order="left"
    )["number"]
    due = results.select(points_due(results, archive.tournaments)).to_series()
    code = pl.col("result").cast(pl.String)
    alone = pl.col("opponent").is_null() & pl.col("color").is_null() & code.is_in(list(BYES))
    game = pl.format(
        "{}{}{}",
        pl.lit(opponents).fill_null(0),
        pl.col("color").fill_null(":"),
        code.replace_strict(SIGNS, return_dtype=pl.String),
    )
    cell = pl.when(alone).then(code.replace(BYES)).otherwise(game)
    other = pl.col("points").ne_missing(pl.lit(due))
    cell = cell + pl.when(other).then(pl.format("({})", "points")).otherwise(pl.lit(""))
    if "game_points" in results.columns:
        known = pl.col("game_points").is_not_null()
        cell += pl.when(known).then(pl.format("[{}]", "game_points")).otherwise(pl.lit(""))
    return (
        results.with_columns(cell=cell)
        .group_by("tournament", "player", "round", maintain_order=True)
        .agg(pl.col("cell").str.join(" "))
    )


def _wide(cells: pl.DataFrame) -> tuple[pl.DataFrame, list[str]]:
    """Put the rounds of one tournament side by side."""
    last = cells["round"].max() or 0
    rounds = [f"{number}.Rd" for number in range(1, int(last) + 1)]  # type: ignore[arg-type]
    names = pl.format("{}.Rd", "round")
    wide = cells.with_columns(round=names).pivot(
        "round", index="player", values="cell", aggregate_function="first"
    )
    blank = pl.lit(None, pl.String)
    return wide.select(
        "player", *(pl.col(name) if name in wide.columns else blank.alias(name) for name in rounds)
    ), rounds


def _own_columns(players: pl.DataFrame) -> dict[str, str]:
    """Return the kinds of the user's own columns; those that no cell can hold are told of."""
    kinds: dict[str, str] = {}
    lost = []
    for name, dtype in players.schema.items():
        if name in PLAYERS:
            continue
        kind = (
            "text" if dtype in (pl.String, pl.Categorical, pl.Enum)
            else "whole" if dtype.is_integer()
            else "number" if dtype.is_numeric() and not dtype.is_decimal()
            else "yes or no" if dtype == pl.Boolean()
            else "date" if dtype == pl.Date()
            else None
        )  # fmt: skip
        if kind is None:
            lost.append(f"players.{name}")
        else:
            kinds[name] = kind
    if lost:
        _warn(lost)
    return kinds


def warn_of_columns(archive: Archive) -> None:
    """Say what has no place in a crosstable."""
    known = (("results", archive.results, _TOLD), ("tournaments", archive.tournaments, TOURNAMENTS))
    lost = [
        f"{frame}.{name}"
        for frame, rows, told in known
        for name in rows.columns
        if name not in told and rows[name].count()
    ]
    lost += [name for name in ("boards", "members") if getattr(archive, name) is not None]
    if lost:
        _warn(lost)


def _warn(lost: list[str]) -> None:
    warnings.warn(
        f"what a crosstable has no place for: {', '.join(lost)}", UserWarning, stacklevel=5
    )


def _layout(
    about: dict[str, Any],
    table: pl.DataFrame,
    *,
    rounds: list[str],
    criteria: list[str],
    edition: str,
    own: dict[str, str],
    keyed: str | None,
) -> Layout:
    some = [name for name in COLUMNS if name == "name" or table[name].count()]
    declared = [name for name in DECLARED if table[name].count()]
    own = {name: kind for name, kind in own.items() if table[name].count()}
    computed = ["Rk.", *criteria]
    chosen: list[tuple[str, str]] = [("rank_right", "Rk."), ("number", "No.")]
    chosen += [("key", keyed)] if keyed else []
    chosen += [(name, COLUMNS[name]) for name in some]
    chosen += [(name, name) for name in rounds]
    chosen += [(_beside(name, table), name) for name in criteria]
    chosen += [(name, DECLARED[name]) for name in declared]
    chosen += [(name, " ".join(name.split()) or "-") for name in own]
    yes = pl.col(pl.Boolean).replace_strict({True: "yes", False: "no"}, return_dtype=pl.String)
    rows = table.select(
        pl.col(name).alias(str(place)) for place, (name, _) in enumerate(chosen)
    ).with_columns(yes, pl.col(pl.Date, pl.Categorical, pl.Enum).cast(pl.String))
    facts = [
        f"{FACTS[name]}: {text}"
        for name in TOURNAMENTS
        if (text := _in_words(about[name])) is not None
    ]
    told = f"Computed: {'; '.join(computed)} (edition {edition})"
    columns = [f"{COLUMN}{' '.join(name.split())} = {kind}" for name, kind in own.items()]
    return Layout(
        str(about["tournament"]),
        _in_words(about["name"]) or str(about["tournament"]),
        (*facts, told, *columns, CELLS),
        tuple(heading for _, heading in chosen),
        rows,
    )


def _beside(name: str, table: pl.DataFrame) -> str:
    """Return what a criterion is called where the players have a column of its name."""
    return f"{name}_right" if f"{name}_right" in table.columns else name


def _in_words(value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(str(value).split()) or None
