"""Scoring systems: what each result code is worth.

A scoring system is written ``"W=3 D=1 L=0 U=3"``: the values of win, draw and loss, and
of any other code that departs from its default. The codes ``1 + F U`` default to the win,
``= H`` to the draw, ``0`` to the loss, and ``- Z`` to nothing; ``1 = 0`` and ``W D L`` always
count the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import numpy as np
import polars as pl

from tbframe.errors import ContractError
from tbframe.schema import RESULT_CODES, ResultCode

__all__ = [
    "MATCHES",
    "STANDARD",
    "format_scoring",
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
_KEYS: Final = ("W", "D", "L", "+", "-", "F", "H", "U", "Z")
#: Points of a result beyond this are no points of a tournament.
_MOST: Final = 1000
_ITEM: Final = re.compile(r"([WDLFHUZ+\-])=([0-9]+(?:\.[0-9]+)?)")


def parse_scoring(text: str | None) -> dict[str, float]:
    """Read a scoring system into the points of every result code.

    Parameters
    ----------
    text
        Such as ``"W=3 D=1 L=0"``; ``None`` is 1, 1/2, 0.

    Returns
    -------
    dict
        A value for each result code but ``*`` (whose points are not known).

    Raises
    ------
    ContractError
        For a text that is not of this form.

    Examples
    --------
    >>> points = parse_scoring("W=3 D=1 L=0 U=1")
    >>> points["1"], points["="], points["+"], points["U"], points["H"], points["Z"]
    (3.0, 1.0, 3.0, 1.0, 1.0, 0.0)
    """
    named: dict[str, float] = {}
    for item in (text or "").replace(",", " ").split():
        match = _ITEM.fullmatch(item.upper())
        if match is None:
            raise ContractError(
                f"scoring {text!r}: cannot read {item!r}; write code=value for the codes "
                f"{' '.join(_KEYS)}, such as 'W=3 D=1 L=0'"
            )
        if match[1] in named:
            raise ContractError(f"scoring {text!r}: {match[1]} has two values")
        named[match[1]] = float(match[2])
        if named[match[1]] > _MOST or round(named[match[1]], 3) != named[match[1]]:
            raise ContractError(
                f"scoring {text!r}: {item!r} has more than three decimals, or is above {_MOST:,}"
            )
    given = {"W": 1.0, "D": 0.5, "L": 0.0, **named}
    return {
        code: given.get(code, given.get(_DEFAULTS.get(code, ""), 0.0))
        for code in RESULT_CODES
        if code != "*"
    }


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
        ``tournament`` and ``result``, among others.
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
    return (
        results.select("tournament", "result")
        .join(systems, on="tournament", how="left", maintain_order="left")
        .join(
            scoring_table(scoring),
            on=["scoring", "result"],
            how="left",
            nulls_equal=True,
            maintain_order="left",
        )["value"]
    )


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
    draw = text.str.extract(r"(?i)\bD=([\d.]+)").fill_null("0.5")
    named = text.str.contains(r"(?i)\bU=")
    of_teams = pl.when(named).then(text).otherwise(text + " U=" + draw)
    return tournaments.select(pl.when(teams).then(of_teams).otherwise("scoring")).to_series()
