"""The catalogue: every tie-break with its definition, its source and what it takes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final, Literal, TypeVar, get_args

import polars as pl

from tbframe.codes import parse_criterion
from tbframe.editions import EDITIONS
from tbframe.errors import CodeError
from tbframe.tiebreaks.definition import Formula, Refinement, Teams, TieBreak
from tbframe.tiebreaks.units import UNITS

__all__ = [
    "catalogue",
    "close",
    "codes",
    "definition",
    "find",
    "forget",
    "printed_decimals",
    "refinement",
    "tiebreak",
]

_F = TypeVar("_F", bound=Formula)
_R = TypeVar("_R", bound=Refinement)

_CATALOGUE: Final[dict[str, TieBreak]] = {}
#: Whether the package itself is still registering.
_OPEN: Final = {"to the package"}
#: Former acronyms and spellings.
_SYNONYMS: Final = {"GE": "REP"}
_MODIFIERS: Final = "CMLKPFU"
#: More than this a 64-bit float does not hold.
_DECIMALS: Final = 15
#: What a tie-break can need besides results.
_NEED: Final = re.compile(r"ratings|boards|(?:results|players|tournaments)\.\S+")


def tiebreak(
    code: str,
    *,
    name: str,
    source: str,
    better: Literal["higher", "lower"] = "higher",
    modifiers: str = "",
    since: str | None = None,
    teams: Teams = "no",
    needs: str = "",
    decimals: int | None = None,
    unit: str | None = None,
) -> Callable[[_F], _F]:
    """Define a tie-break: register the decorated function as its formula.

    The formula is called with a `Batch` of tournaments, and with the criterion asked for if it
    takes a second argument, and returns one value for each player of the batch: an array of
    whole numbers, a `Ratio` for a quotient, or an `Approximate` for what cannot be exact. It is
    tried on a small sample first. From then on the code works wherever a code does: in ranking
    orders, explanations and the catalogue, for all tournaments together.

    Parameters
    ----------
    code
        Capital letters, digits and underscores, behind a prefix in small letters if you like:
        ``"SBX"``, ``"lab.SBX"``.
    name, source
        What it is called, and where it is defined.
    better
        Which values rank first.
    modifiers
        Letters of the modifiers that the formula heeds: ``"CM"`` for cuts (``c.low``,
        ``c.high``), ``"P"`` (``c.forfeits``), ``"F"`` (``c.fore``), ``"L"``
        (``c.limit_percent``, ``c.limit_shift``), ``"K"`` (``c.factor``), ``"U"``
        (``c.unrated``). Every tie-break can be turned round with ``/R``.
    since
        The first edition that knows it; by default all do.
    teams
        ``"only"`` for team events, ``"too"`` if it can be computed on match points (``:MP``) and
        game points (``:GP``).
    needs
        ``"ratings"``, ``"boards"``, or columns that the frames carry along, such as
        ``"results.games_won results.games_lost"``; `Archive.assumptions` tells of tournaments
        that do not have them.
    decimals
        How many decimals tables print; values are never rounded.
    unit
        What the whole numbers count: ``"count"``, ``"points"``, ``"points squared"``,
        ``"points cubed"``, ``"ratio"`` or ``"approximate"``. By default the formula is tried
        with points counted in units of different size, which tells.

    Returns
    -------
    callable
        The decorator; it returns the function as it is.

    Raises
    ------
    CodeError
        If the code is taken by another function (the same one is replaced, as when a cell of a
        notebook runs again); or if the formula adds points to their squares, compares a score
        with a bare number, or lets one tournament have an effect on another.
    TbframeError
        If the formula fails on the sample, or gives something else than one value for each player.

    Examples
    --------
    >>> import tbframe as tb
    >>> @tb.tiebreak("SBX", name="Sonneborn-Berger plus own square", source="Sonneborn 1886")
    ... def sbx(t):
    ...     return t.total(t.opponent(t.adjusted_score) * t.points) + t.score**2
    >>> london = tb.read("data/trf/candidates_london_2013.trf")
    >>> london.standings("PTS SBX").select("rank", "name", "PTS", "SBX").row(0)
    (1, 'Kramnik, Vladimir', 8.5, 130.0)
    >>> tb.forget("SBX")
    """
    if unit is not None and unit not in UNITS:
        raise CodeError(f"{code}: the unit is {', '.join(UNITS)}, not {unit!r}")
    if better not in ("higher", "lower"):
        raise CodeError(f"{code}: better is 'higher' or 'lower', not {better!r}")
    if since is not None and since not in EDITIONS:
        raise CodeError(f"{code}: since is an edition, {', '.join(EDITIONS)}, not {since!r}")
    if set(modifiers) - set(_MODIFIERS):
        raise CodeError(f"{code}: modifiers are letters of {_MODIFIERS}, not {modifiers!r}")
    if teams not in get_args(Teams):
        raise CodeError(f"{code}: teams is one of {', '.join(get_args(Teams))}, not {teams!r}")
    if decimals is not None and not (isinstance(decimals, int) and 0 <= decimals <= _DECIMALS):
        raise CodeError(f"{code}: decimals is a number from 0 to {_DECIMALS}, not {decimals!r}")

    def register(formula: _F) -> _F:
        _register(
            TieBreak(
                code=code,
                name=name,
                source=source,
                formula=formula,
                better=better,
                modifiers=modifiers + "R",
                since=since,
                teams=teams,
                needs=needs,
                decimals=decimals,
                given_unit=None if unit is None else UNITS[unit],
            )
        )
        return formula

    return register


def refinement(
    code: str,
    *,
    name: str,
    source: str,
    modifiers: str = "",
    teams: Teams = "no",
    needs: str = "",
) -> Callable[[_R], _R]:
    """Register the decorated function as a refinement of tie groups.

    It is called with a batch, the place of each player's tie group (`tiegroups`) and the
    criterion, and returns finer places. One that takes a fourth argument gets the places that the
    criteria behind it in the order would make of these groups.
    """

    def register(function: _R) -> _R:
        _register(
            TieBreak(
                code=code,
                name=name,
                source=source,
                refinement=function,
                better="lower",
                modifiers=modifiers,
                teams=teams,
                needs=needs,
            )
        )
        return function

    return register


def _register(entry: TieBreak) -> None:
    if parse_criterion(entry.code).code != entry.code:
        raise CodeError(
            f"{entry.code!r} cannot be a code: write capital letters and digits, behind a prefix "
            "in small letters if there is one, and no modifier"
        )
    if not (entry.name.strip() and entry.source.strip()):
        raise CodeError(
            f"{entry.code}: say what it is called (name), and where it is from (source)"
        )
    for need in entry.needs.split():
        if not _NEED.fullmatch(need):
            raise CodeError(
                f"{entry.code}: needs are ratings, boards or columns such as results.games_won, "
                f"not {need!r}"
            )
    known = find(entry.code)
    if known is not None and (known.is_built_in or _place(known) != _place(entry)):
        raise CodeError(f"the code {entry.code!r} is taken: {known.name}")
    if _OPEN:  # those of the package are tried by its tests
        entry = replace(entry, is_built_in=True)
    else:
        entry.tried()
    _CATALOGUE[entry.code] = entry


def close() -> None:
    """Tell that the package has registered all it has; what comes now is somebody's own."""
    _OPEN.clear()


def _place(entry: TieBreak) -> tuple[str, str]:
    return entry.function.__module__, entry.function.__qualname__


def find(code: str) -> TieBreak | None:
    """Return the definition of a tie-break, if there is one."""
    return _CATALOGUE.get(_SYNONYMS.get(code, code))


def definition(code: str) -> TieBreak:
    """Return the definition of a tie-break that has one."""
    found = find(code)
    if found is None:
        raise CodeError(f"unknown code {code!r}")
    return found


def codes() -> dict[str, TieBreak]:
    """Return all definitions by their codes, in the order of the catalogue."""
    return dict(_CATALOGUE)


def forget(code: str) -> None:
    """Take a tie-break of one's own out of the catalogue.

    Parameters
    ----------
    code
        As it was given to `tiebreak`.

    Raises
    ------
    CodeError
        If there is none, or it came with the package.

    Examples
    --------
    >>> import tbframe as tb
    >>> @tb.tiebreak("LOSSES", name="Games lost", source="an example", better="lower")
    ... def losses(t):
    ...     return t.count(t.games & (t.points == 0))
    >>> tb.forget("LOSSES")
    """
    if definition(code).is_built_in:
        raise CodeError(f"{code} came with the package and stays")
    del _CATALOGUE[code]


def printed_decimals(column: str) -> int | None:
    """Return how many decimals the source of a column's tie-break prints.

    Parameters
    ----------
    column
        As standings name it: ``"mtg.OMW"``, ``"BH/C1"``; any other is of no tie-break.
    """
    known = find(re.split("[/@:]", column)[0])
    return None if known is None else known.decimals


def catalogue() -> pl.DataFrame:
    """Return every tie-break as a frame, one row each.

    Returns
    -------
    DataFrame
        ``code``, ``name``, ``family`` (``"fide"``, the prefix, or ``"own"``), ``source``, ``unit``
        (what the values count), ``better`` (``"higher"`` or ``"lower"``), ``modifiers``,
        ``since`` (first edition; null: all), ``teams`` (``"no"``, ``"too"`` with ``:MP`` or
        ``:GP``, ``"only"``), ``needs`` (``"ratings"``, ``"boards"``, columns carried along, or
        null) and ``decimals`` (that the source prints; null: all). FIDE's come first, in the
        order of the regulations.

    Examples
    --------
    >>> import tbframe as tb
    >>> tb.catalogue().filter(code="BH").select("name", "source", "modifiers").row(0)
    ('Buchholz', 'C.07 art. 8.1', '/C /M /P /F /R')
    """
    return pl.DataFrame(
        [
            {
                "code": entry.code,
                "name": entry.name,
                "family": entry.family,
                "source": entry.source,
                "unit": entry.unit.name if entry.formula is not None else "place",
                "better": entry.better,
                "modifiers": " ".join(f"/{letter}" for letter in entry.modifiers),
                "since": entry.since,
                "teams": entry.teams,
                "needs": entry.needs or None,
                "decimals": entry.decimals,
            }
            for entry in _CATALOGUE.values()
        ],
        schema_overrides={"since": pl.String, "needs": pl.String, "decimals": pl.Int64},
    )
