"""Scoring systems: what each result code is worth.

A scoring system is written ``"W=3 D=1 L=0 U=3"``: the values of win, draw and loss, and
of any other code that departs from its default. The codes ``1 + F U`` default to the win,
``= H`` to the draw, ``0`` to the loss, and ``- Z`` to nothing; ``1 = 0`` and ``W D L`` always
count the same.

Behind a semicolon stand values for some rows only, each with what they are for first: rounds
(``R5``, ``R5-9``), the color (``w``, ``b``), the game of a round (``G2``). What is named several
times counts for any of them, and different things for rows that are all of it. There may be other
values, or a factor::

    W=1 D=0.5 L=0; R8-9 x2                  the last two rounds count double
    W=1 D=0.5 L=0; b D=0.6                  a draw with Black is worth more
    W=3 D=1 L=0; G2 W=0.5 D=0; G2 b D=0.5   draws are decided by a second game, armageddon

Of several that are for a row the later ones prevail, and factors multiply.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from tbframe.errors import ContractError
from tbframe.schema import RESULT_CODES, ResultCode

__all__ = [
    "MATCHES",
    "STANDARD",
    "Clause",
    "are_whole",
    "format_scoring",
    "is_countable",
    "parse_clauses",
    "parse_scoring",
    "points_due",
    "scoring_of",
    "scoring_table",
    "team_events",
]

#: The usual match points; a bye counts as a drawn match (C.04.6).
MATCHES: Final = "W=2 D=1 L=0 U=1"

#: The value each code takes its default from.
_DEFAULTS: Final = {"1": "W", "=": "D", "0": "L", "+": "W", "F": "W", "U": "W", "H": "D"}
#: The values of win, draw and loss where nothing else is said.
_BASE: Final = {"W": 1.0, "D": 0.5, "L": 0.0}
#: The columns of the results that points depend on.
_LOOKED_AT: Final = ("tournament", "result", "round", "color", "game")
_KEYS: Final = ("W", "D", "L", "+", "-", "F", "H", "U", "Z")
#: How far from a whole number is still one, of itself and for each unit.
_LAST_DIGITS: Final = (1e-12, 1e-14)
#: Points of a result beyond this are no points of a tournament.
_MOST: Final = 1000
_ITEM: Final = re.compile(r"([WDLFHUZ+\-])=([0-9]+(?:\.[0-9]+)?)")
_FACTOR: Final = re.compile(r"X([0-9]+(?:\.[0-9]+)?)")
_ROUNDS: Final = re.compile(r"R([0-9]{1,3})(?:-([0-9]{1,3}))?")
_GAME: Final = re.compile(r"G([0-9]{1,2})")


def are_whole(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell which numbers are whole, but for what the sums of their maker lost in the last digits.

    Examples
    --------
    >>> are_whole(np.array([1.0, (0.1 + 0.2) * 10, 1e-6, 1.000001])).tolist()
    [True, True, False, False]
    """
    most = _LAST_DIGITS[0] + _LAST_DIGITS[1] * np.abs(values)
    return np.asarray(np.abs(values - np.rint(values)) <= most)


def is_countable(points: pl.Expr) -> pl.Expr:
    """Tell which points are whole thousandths, as `are_whole` does; null ones are.

    Examples
    --------
    >>> frame = pl.DataFrame({"points": [0.5, 0.1 + 0.2, 0.125, 1e-9, 0.3333, None]})
    >>> frame.select(is_countable(pl.col("points")))["points"].to_list()
    [True, True, True, False, False, True]
    """
    units = points * 1000
    most = _LAST_DIGITS[0] + _LAST_DIGITS[1] * units.abs()
    return ((units - units.round()).abs() <= most).fill_null(value=True)


@dataclass(frozen=True)
class Clause:
    """What a scoring system says of some rows only.

    Attributes
    ----------
    rounds, colors, games
        Which rows: first and last rounds, ``"w"`` or ``"b"``, numbers of games; empty for all.
    values
        The values that differ there, by the codes that they are written with.
    factor
        What all values are multiplied with.
    """

    rounds: tuple[tuple[int, int], ...]
    colors: tuple[str, ...]
    games: tuple[int, ...]
    values: Mapping[str, float]
    factor: float

    def holds(self, columns: Sequence[str]) -> pl.Expr:
        """Tell which rows it is for.

        Parameters
        ----------
        columns
            Those that the rows have: ``round``, ``color`` and ``game`` are looked at, and every
            game is the first where there is no column for it.
        """
        here = pl.lit(value=True)
        if self.rounds:
            here &= pl.any_horizontal(pl.col("round").is_between(*span) for span in self.rounds)
        if self.colors:
            here &= pl.col("color").is_in(self.colors)
        if self.games:
            game = pl.col("game").fill_null(1) if "game" in columns else pl.lit(1)
            here &= game.is_in(self.games)
        return here.fill_null(value=False)


def parse_scoring(text: str | None) -> dict[str, float]:
    """Read a scoring system into the points of every result code.

    Parameters
    ----------
    text
        Such as ``"W=3 D=1 L=0"``; ``None`` is 1, 1/2, 0.

    Returns
    -------
    dict
        A value for each result code but ``*`` (whose points are not known), for the rows of
        which no clause speaks.

    Raises
    ------
    ContractError
        For a text that is not of this form.

    Examples
    --------
    >>> points = parse_scoring("W=3 D=1 L=0 U=1; R9 x2")
    >>> points["1"], points["="], points["+"], points["U"], points["H"], points["Z"]
    (3.0, 1.0, 3.0, 1.0, 1.0, 0.0)
    """
    given = {**_BASE, **_read(text)[0]}
    return {
        code: given.get(code, given.get(_DEFAULTS.get(code, ""), 0.0))
        for code in RESULT_CODES
        if code != "*"
    }


def parse_clauses(text: str | None) -> list[Clause]:
    """Read what a scoring system says of some rows only.

    Parameters
    ----------
    text
        As for `parse_scoring`.

    Raises
    ------
    ContractError
        For a text that is not of this form.

    Examples
    --------
    >>> (clause,) = parse_clauses("W=1 D=0.5; R8-9 b D=0.6 x2")
    >>> clause.rounds, clause.colors, clause.values, clause.factor
    (((8, 9),), ('b',), {'D': 0.6}, 2.0)
    """
    return _read(text)[1]


def _read(text: str | None) -> tuple[dict[str, float], list[Clause]]:
    """Return the values that a scoring system names, and its clauses."""
    base, *parts = (text or "").split(";")
    named: dict[str, float] = {}
    for item in _items(base):
        _read_value(item, named, text)
    return named, [_clause(part, text) for part in parts]


def _items(part: str) -> list[str]:
    return part.replace(",", " ").upper().split()


def _read_value(item: str, named: dict[str, float], text: str | None) -> None:
    match = _ITEM.fullmatch(item)
    if match is None:
        raise ContractError(
            f"scoring {text!r}: cannot read {item!r}; write code=value for the codes "
            f"{' '.join(_KEYS)}, such as 'W=3 D=1 L=0', and behind a semicolon what is for some "
            "rows only, such as '; R8-9 x2', '; b D=0.6' or '; G2 W=0.5 D=0'"
        )
    if match[1] in named:
        raise ContractError(f"scoring {text!r}: {match[1]} has two values")
    named[match[1]] = _number(match[2], item, text)


def _number(written: str, item: str, text: str | None) -> float:
    number = float(written)
    if number > _MOST or round(number, 3) != number:
        raise ContractError(
            f"scoring {text!r}: {item!r} has more than three decimals, or is above {_MOST:,}"
        )
    return number


def _clause(part: str, text: str | None) -> Clause:
    rounds, colors, games, factors = [], [], [], []
    values: dict[str, float] = {}
    for item in _items(part):
        if span := _ROUNDS.fullmatch(item):
            rounds.append((int(span[1]), int(span[2] or span[1])))
        elif item in ("W", "B"):
            colors.append(item.lower())
        elif game := _GAME.fullmatch(item):
            games.append(int(game[1]))
        elif factor := _FACTOR.fullmatch(item):
            factors.append(_number(factor[1], item, text))
        else:
            _read_value(item, values, text)
    if not (rounds or colors or games):
        raise ContractError(f"scoring {text!r}: {part.strip()!r} does not say which rows it is for")
    if not (values or factors) or len(factors) > 1:
        raise ContractError(
            f"scoring {text!r}: {part.strip()!r} has to name other values, or one factor"
        )
    if any(first > last or first < 1 for first, last in rounds):
        raise ContractError(f"scoring {text!r}: {part.strip()!r} has rounds that there are not")
    return Clause(tuple(rounds), tuple(colors), tuple(games), values, *(factors or [1.0]))


STANDARD: Final[Mapping[str, float]] = parse_scoring(None)


def format_scoring(points: Mapping[str, float]) -> str | None:
    """Write a scoring system, leaving out what follows from the defaults.

    Examples
    --------
    >>> format_scoring(parse_scoring("W=3 D=1 L=0 U=3"))
    'W=3 D=1 L=0'
    >>> format_scoring(STANDARD) is None
    True
    """
    if all(points[code] == value for code, value in STANDARD.items()):
        return None
    base = {"W": points["1"], "D": points["="], "L": points["0"]}
    rest = {
        code: points[code]
        for code in ("+", "-", "F", "H", "U", "Z")
        if points[code] != base.get(_DEFAULTS.get(code, ""), 0.0)
    }
    return " ".join(f"{code}={_decimal(value)}" for code, value in {**base, **rest}.items())


def _decimal(value: float) -> str:
    """Write a number with as many decimals as bring it back, never with an exponent."""
    return np.format_float_positional(value, trim="-")


def points_due(results: pl.DataFrame, tournaments: pl.DataFrame) -> pl.Series:
    """Give the points that each result has under the scoring system of its tournament.

    Parameters
    ----------
    results
        ``tournament`` and ``result``, among others; ``round``, ``color`` and ``game`` where a
        scoring system speaks of them.
    tournaments
        ``tournament``, ``scoring`` and ``kind``, among others; one row for each tournament.

    Returns
    -------
    Series
        One value per row of `results`, in their order; null for ``*``.

    Raises
    ------
    ContractError
        For a scoring system that cannot be read.
    """
    scoring = scoring_of(tournaments, team_events(results, tournaments))
    if scoring.null_count() == tournaments.height:
        # The usual case, several times faster without the joins.
        codes = pl.Series(list(STANDARD), dtype=ResultCode)
        values = list(STANDARD.values())
        return results["result"].replace_strict(
            codes, values, default=None, return_dtype=pl.Float64
        )
    systems = tournaments.select("tournament", scoring.alias("scoring"))
    columns = [name for name in _LOOKED_AT if name in results.columns]
    due = (
        results.select(columns)
        .join(systems, on="tournament", how="left", maintain_order="left")
        .join(
            scoring_table(scoring),
            on=["scoring", "result"],
            how="left",
            nulls_equal=True,
            maintain_order="left",
        )
    )
    for text in scoring.drop_nulls().unique(maintain_order=True).to_list():
        if parse_clauses(text):
            own = pl.col("scoring") == text
            due = due.with_columns(
                value=pl.when(own).then(_by_clauses(text, columns)).otherwise("value")
            )
    return due["value"]


def _by_clauses(text: str, columns: Sequence[str]) -> pl.Expr:
    """Return what the results of a tournament are worth under a scoring system with clauses."""
    named, clauses = _read(text)
    values = {key: pl.lit({**_BASE, **named}.get(key), pl.Float64) for key in _KEYS}
    factor = pl.lit(1.0)
    for clause in clauses:
        here = clause.holds(columns)
        for key, value in clause.values.items():
            values[key] = pl.when(here).then(value).otherwise(values[key])
        factor = pl.when(here).then(factor * clause.factor).otherwise(factor)
    worth = pl.lit(None, pl.Float64)
    for code in STANDARD:
        # 1 = 0 are written W D L, and other codes follow these where they have no value.
        default = _DEFAULTS.get(code)
        chain = [values[key] for key in (code, default) if key in values]
        worth = pl.when(pl.col("result") == code).then(pl.coalesce(*chain, 0.0)).otherwise(worth)
    return (worth * factor).round(6)


def scoring_table(systems: pl.Series) -> pl.DataFrame:
    """Points of every result code under every system named.

    Parameters
    ----------
    systems
        Scoring systems as text; null is the standard one.

    Returns
    -------
    DataFrame
        ``scoring``, ``result``, ``value``: one row per distinct system and code; ``*`` is null.
    """
    rows = [
        (text, code, points.get(code))
        for text in systems.unique(maintain_order=True).to_list()
        for points in [parse_scoring(text)]
        for code in RESULT_CODES
    ]
    schema = {"scoring": pl.String(), "result": ResultCode, "value": pl.Float64()}
    return pl.DataFrame(rows, schema=schema, orient="row")


def team_events(results: pl.DataFrame, tournaments: pl.DataFrame) -> pl.Series:
    """Tell which tournaments are matches of teams, with match points and game points.

    Parameters
    ----------
    results
        With a column ``game_points`` if there are such tournaments.
    tournaments
        With the columns ``tournament`` and ``kind``.

    Returns
    -------
    Series
        A boolean per row of `tournaments`.
    """
    if "game_points" not in results.columns:
        return pl.repeat(value=False, n=tournaments.height, eager=True)
    matches = results.filter(pl.col("game_points").is_not_null())["tournament"].unique()
    return tournaments.select(
        (pl.col("kind") == "team").fill_null(value=False)
        & pl.col("tournament").is_in(matches.implode())
    ).to_series()


def scoring_of(tournaments: pl.DataFrame, teams: pl.Series) -> pl.Series:
    """Return each tournament's scoring system, with the usual match points for teams.

    A pairing-allocated bye of a team counts as a drawn match unless the system names it
    (C.04.6); that of a player counts as a win.

    Parameters
    ----------
    tournaments
        With the column ``scoring``.
    teams
        Which of them are matches of teams.
    """
    text = pl.coalesce("scoring", pl.lit(MATCHES))
    base, clauses = text.str.extract("^([^;]*)"), text.str.extract("^[^;]*(.*)$")
    draw = base.str.extract(r"(?i)\bD=([\d.]+)").fill_null("0.5")
    named = base.str.contains(r"(?i)\bU=")
    of_teams = pl.when(named).then(text).otherwise(base + " U=" + draw + clauses)
    return tournaments.select(pl.when(teams).then(of_teams).otherwise("scoring")).to_series()
