"""The catalogue: every tie-break with its definition, its source and what it takes."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias, TypeVar

import numpy as np
import polars as pl

from tbframe.codes import Criterion, parse_criterion, split_order
from tbframe.editions import EDITIONS, Edition, edition_of
from tbframe.errors import CodeError, TbframeError
from tbframe.ledger import Batch, Ratio
from tbframe.ledger.block import Ints

__all__ = [
    "TieBreak",
    "catalogue",
    "declared_order",
    "definition",
    "in_one",
    "parse_order",
    "refinement",
    "tiebreak",
]

Formula: TypeAlias = Callable[[Batch, Criterion], Ints | Ratio]
_F = TypeVar("_F", bound=Formula)
Refinement: TypeAlias = Callable[[Batch, Ints, Criterion], Ints]
Unit = Literal["points", "points squared", "game points", "products", "count", "halves", "place"]
#: Whether a tie-break is for teams ``"only"``, takes ``:MP`` and ``:GP`` (``"too"``), or neither.
Teams = Literal["no", "too", "only"]


@dataclass(frozen=True)
class TieBreak:
    """One tie-break.

    Attributes
    ----------
    code, name
        As in the regulations.
    family
        Where it comes from: ``"fide"``.
    article
        Article of the regulations or other source.
    formula
        Gives a batch's values, one for each player; ``None`` for a refinement.
    refinement
        Splits tie groups instead of giving values (direct encounter).
    unit
        What the whole numbers of the formula count.
    lower_is_better
        Direction of the ranking.
    modifiers
        Letters of the modifiers it takes.
    since
        Key of the first edition that knows it; ``None``: all do.
    teams
        Whether it is for team events: ``"only"``, ``"too"`` (with ``:MP`` or ``:GP``) or ``"no"``.
    needs
        What it needs besides results: ``"ratings"``, ``"boards"`` or ``""``.
    """

    code: str
    name: str
    family: str
    article: str
    formula: Formula | None
    refinement: Refinement | None
    unit: Unit
    lower_is_better: bool
    modifiers: str
    since: str | None
    teams: Teams
    needs: str

    def known_to(self, edition: Edition) -> bool:
        """Tell whether an edition has this tie-break."""
        order = list(EDITIONS)
        if self.since is None or edition.base == "plain" or edition.base not in order:
            return True
        return order.index(edition.base) >= order.index(self.since)

    def applies(self, criterion: Criterion, edition: Edition, *, teams: bool) -> bool:
        """Tell whether a criterion of this tie-break has a meaning for a tournament.

        Parameters
        ----------
        criterion
            With its modifiers.
        edition
            The edition in force, where the criterion names none.
        teams
            Whether it is an event of teams, with match points and game points.
        """
        named = edition_of(criterion.edition) if criterion.edition else edition
        for_teams = self.teams == "only" or criterion.score is not None
        return self.in_edition(criterion, named) and (teams or not for_teams)

    def in_edition(self, criterion: Criterion, edition: Edition) -> bool:
        """Tell whether an edition has this tie-break with the modifiers of a criterion."""
        fore = not criterion.fore or definition("FB").known_to(edition)
        return fore and self.known_to(edition)


def in_one(unit: str, t: Batch) -> Ints:
    """Return how many of a formula's whole numbers make one of what is shown."""
    if unit == "points":
        return t.unit
    if unit == "points squared":
        return t.unit * t.unit
    if unit == "game points":
        return t.on("GP").unit
    return np.asarray(2 if unit == "halves" else 1)


_CATALOGUE: Final[dict[str, TieBreak]] = {}
#: Former acronyms and spellings.
_SYNONYMS: Final = {"GE": "REP"}


def _register(entry: TieBreak) -> None:
    if str(parse_criterion(entry.code)) != entry.code:
        raise CodeError(f"{entry.code!r} cannot be a code: write capital letters and digits")
    if entry.code in _CATALOGUE:
        raise CodeError(f"the code {entry.code!r} is taken: {_CATALOGUE[entry.code].name}")
    _CATALOGUE[entry.code] = entry


def tiebreak(
    code: str,
    *,
    name: str,
    article: str,
    family: str = "fide",
    unit: Unit = "points",
    lower_is_better: bool = False,
    modifiers: str = "",
    since: str | None = None,
    teams: Teams = "no",
    needs: Literal["", "ratings", "boards"] = "",
) -> Callable[[_F], _F]:
    """Register the decorated function as the formula of a tie-break."""

    def register(formula: _F) -> _F:
        _register(
            TieBreak(
                code=code,
                name=name,
                family=family,
                article=article,
                formula=formula,
                refinement=None,
                unit=unit,
                lower_is_better=lower_is_better,
                modifiers=modifiers + "R",
                since=since,
                teams=teams,
                needs=needs,
            )
        )
        return formula

    return register


def refinement(
    code: str,
    *,
    name: str,
    article: str,
    family: str = "fide",
    modifiers: str = "",
    teams: Teams = "no",
    needs: Literal["", "ratings", "boards"] = "",
) -> Callable[[Refinement], Refinement]:
    """Register the decorated function as a refinement of tie groups."""

    def register(function: Refinement) -> Refinement:
        _register(
            TieBreak(
                code=code,
                name=name,
                family=family,
                article=article,
                formula=None,
                refinement=function,
                unit="place",
                lower_is_better=True,
                modifiers=modifiers,
                since=None,
                teams=teams,
                needs=needs,
            )
        )
        return function

    return register


def definition(code: str) -> TieBreak:
    """Return the definition of a tie-break.

    Raises
    ------
    CodeError
        If there is none; the message names the nearest code.
    """
    found = _CATALOGUE.get(_SYNONYMS.get(code, code))
    if found is None:
        raise CodeError(f"unknown code {code!r}{_suggestion(code)}")
    return found


def _parse(entry: str) -> Criterion:
    """Read a criterion; an error in its modifiers says which the tie-break takes."""
    try:
        return parse_criterion(entry)
    except CodeError as error:
        code = _SYNONYMS.get(entry.upper().split("/")[0], entry.upper().split("/")[0])
        if code not in _CATALOGUE or "/" not in entry:
            raise
        raise CodeError(f"{entry!r}: {_takes(_CATALOGUE[code])}") from error


def _takes(known: TieBreak) -> str:
    """Say which modifiers a tie-break takes, as they are written."""
    written = {"C": "/C1", "M": "/M1", "L": "/L+1", "K": "/K3", "U": "/U1400"}
    takes = [written.get(letter, f"/{letter}") for letter in known.modifiers]
    return f"{known.code} takes {', '.join(takes)}" if takes else f"{known.code} takes no modifier"


def _suggestion(code: str) -> str:
    """Say what may have been meant: ``BHC1`` is ``BH/C1``, ``BG`` is near ``BH``."""
    for known in sorted(_CATALOGUE, key=len, reverse=True):
        if code.startswith(known) and len(code) > len(known):
            try:
                meant = parse_criterion(f"{known}/{code[len(known) :]}")
            except CodeError:
                continue
            return f": did you mean {meant}?"
    names = {entry.name.upper(): entry.code for entry in reversed(_CATALOGUE.values())}
    by_name = [names[name] for name in sorted(names, key=len) if len(code) > 3 and code in name][:1]
    near = by_name or difflib.get_close_matches(code, _CATALOGUE, n=3, cutoff=0.6)
    return f": did you mean {' or '.join(near)}?" if near else "; tbframe catalogue lists all"


def parse_order(order: str | list[str] | tuple[str, ...]) -> list[Criterion]:
    """Read a ranking order and check every entry against the catalogue.

    Parameters
    ----------
    order
        ``"PTS DE BH/C1"`` or a list of codes.

    Raises
    ------
    CodeError
        If a code is unknown, takes no such modifier, or stands there twice; or if there is none.
    EditionError
        If the edition behind ``@`` does not exist.

    Examples
    --------
    >>> from tbframe.tiebreaks import parse_order
    >>> [str(criterion) for criterion in parse_order("pts de bh-c1")]
    ['PTS', 'DE', 'BH/C1']
    >>> parse_order("BHC1")
    Traceback (most recent call last):
    ...
    tbframe.errors.CodeError: unknown code 'BHC1': did you mean BH/C1?
    """
    criteria = []
    for entry in split_order(order):
        criterion = _parse(entry)
        known = definition(criterion.code)
        for letter in criterion.modifiers:
            if letter not in known.modifiers:
                raise CodeError(f"{entry!r}: {_takes(known)}, and no /{letter}")
        if criterion.score is not None and known.teams != "too":
            raise CodeError(f"{entry!r}: {known.code} does not take :{criterion.score}")
        if criterion.edition is not None:
            edition_of(criterion.edition)
        criterion = replace(criterion, code=known.code)
        if criterion in criteria and known.formula is not None:
            raise CodeError(f"{entry!r} stands twice in the order")
        criteria.append(criterion)
    if not criteria:
        raise CodeError("the order is empty: name at least one criterion, such as PTS")
    return criteria


def declared_order(order: str) -> tuple[list[Criterion], str | None]:
    """Read an order as far as it is known.

    Parameters
    ----------
    order
        As a file declares it.

    Returns
    -------
    criteria, unread
        The criteria before the first that is not known, and that one; ``None`` if all are.

    Examples
    --------
    >>> from tbframe.tiebreaks import declared_order
    >>> criteria, unread = declared_order("PTS DE OTHER_1 BH")
    >>> [str(criterion) for criterion in criteria], unread
    (['PTS', 'DE'], 'OTHER_1')
    """
    entries = split_order(order)
    for known in range(len(entries), 0, -1):
        try:
            criteria = parse_order(entries[:known])
        except TbframeError:
            continue
        return criteria, entries[known] if known < len(entries) else None
    return [], entries[0] if entries else None


def catalogue() -> pl.DataFrame:
    """Return every tie-break as a frame, one row each, in the order of the regulations.

    Returns
    -------
    DataFrame
        ``code``, ``name``, ``family``, ``article``, ``unit``, ``better`` (``"higher"`` or
        ``"lower"``), ``modifiers``, ``since`` (first edition; null: all) and ``teams``
        (``"no"``, ``"too"`` with ``:MP`` or ``:GP``, ``"only"``) and ``needs`` (``"ratings"``,
        ``"boards"`` or null).

    Examples
    --------
    >>> import tbframe as tb
    >>> tb.catalogue().filter(code="BH").select("name", "article", "modifiers").row(0)
    ('Buchholz', 'C.07 art. 8.1', '/C /M /P /F /R')
    """
    return pl.DataFrame(
        [
            {
                "code": entry.code,
                "name": entry.name,
                "family": entry.family,
                "article": entry.article,
                "unit": entry.unit,
                "better": "lower" if entry.lower_is_better else "higher",
                "modifiers": " ".join(f"/{letter}" for letter in entry.modifiers),
                "since": entry.since,
                "teams": entry.teams,
                "needs": entry.needs or None,
            }
            for entry in _CATALOGUE.values()
        ],
        schema_overrides={"since": pl.String, "needs": pl.String},
    )
