"""The definitions that are tried: codes with their modifiers, and what they are computed under."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Final, Literal

from tbframe.codes import Criterion
from tbframe.comparison.identification.heeding import (
    editions_alike,
    editions_apart,
    rules_heeded,
)
from tbframe.comparison.identification.variations import (
    IN_FORCE,
    LAST_ROUND,
    UNRATED_OUT,
    Variation,
    altered_rules,
    bye_values,
    changed,
)
from tbframe.editions import AUTO, EDITIONS, edition_of
from tbframe.errors import TbframeError
from tbframe.tiebreaks import catalogue, definition
from tbframe.tiebreaks.definition import TieBreak
from tbframe.tiebreaks.registry import codes

__all__ = [
    "Candidate",
    "Ties",
    "candidates",
    "chosen_codes",
    "costs",
    "further_candidates",
    "nearest",
]

#: How a refinement is shown: the points made among the tied, nothing where not all met, or the
#: place among them.
Shown = Literal["points", "points if all met", "place"]
#: Among whom a refinement is applied: those level on points, or on all columns before too.
Ties = Literal["points", "columns"]
_SHOWN: Final = ("points", "points if all met", "place", None)
_TIES: Final = ("columns", "points", None)

#: What "fide" stands for: the catalogue of the regulations with what stood there before.
_FIDE: Final = ("fide", "old")
_CUTS: Final = ((0, 0), (1, 0), (2, 0), (3, 0), (1, 1), (2, 2))
#: Koya's limit as the regulation has it, moved by half a point, and other percentages.
_LIMITS: Final = ((50, 0), (50, 1), (50, -1), (60, 0), (40, 0))
#: Ratings that rules give to the unrated.
_UNRATED: Final = (None, 1, 1000, 1400)
_FACTORS: Final = (None, 2, 3, 4)
#: The tie-breaks on which the rules about unplayed rounds have an effect.
_OVER_OPPONENTS: Final = (
    "BH", "AOB", "FB", "SB", "old.SUMBH", "EMMSB", "EMGSB", "EGMSB", "EGGSB", "SSSC",
)  # fmt: skip


@dataclass(frozen=True)
class Candidate:
    """One definition that may have made a column.

    Attributes
    ----------
    criterion
        Code and modifiers; never an edition, which the variation has.
    variation
        What it is computed under.
    ties, shown
        Of a refinement: among whom it is applied, and how it is shown.
    """

    criterion: Criterion
    variation: Variation = IN_FORCE
    ties: Ties | None = None
    shown: Shown | None = None

    @property
    def known(self) -> TieBreak:
        """The definition of its code."""
        return definition(self.criterion.code)


def chosen_codes(among: str | Sequence[str]) -> list[TieBreak]:
    """Return the tie-breaks of some families.

    Parameters
    ----------
    among
        ``"fide"`` (with what stood in the regulations before), another family, ``"all"``, or
        a list of families and codes.

    Raises
    ------
    TbframeError
        If there is no such family or code.
    """
    asked = [among] if isinstance(among, str) else list(among)
    families = catalogue()["family"].unique(maintain_order=True).to_list()
    wanted: set[str] = set()
    for each in asked:
        if each not in (*families, "all") and each not in codes():
            raise TbframeError(
                f"among={each!r}: families are {', '.join(families)}, all; codes stand in the "
                "catalogue"
            )
        wanted |= set(_FIDE) if each == "fide" else {each}
    return [
        entry
        for code, entry in codes().items()
        if "all" in wanted or entry.family in wanted or code in wanted
    ]


def candidates(entries: Sequence[TieBreak], *, teams: bool, rated: bool) -> list[Candidate]:
    """List the definitions that are tried on every column.

    Parameters
    ----------
    entries
        The tie-breaks.
    teams
        Whether there are team events.
    rated
        Whether anybody has a rating.
    """
    found: list[Candidate] = []
    for entry in _usable(entries, teams=teams, rated=rated):
        if entry.refinement is not None:
            found += _refinements(entry)
            continue
        for criterion in _criteria(entry, teams=teams):
            found += [Candidate(criterion, variation) for variation in _editions(criterion)]
    return found


def further_candidates(entries: Sequence[TieBreak], *, teams: bool, rated: bool) -> list[Candidate]:
    """List what is tried on columns that no definition of `candidates` reproduces."""
    found: list[Candidate] = []
    for entry in _usable(entries, teams=teams, rated=rated):
        if entry.refinement is not None:
            continue
        for criterion in _criteria(entry, teams=teams):
            if not (criterion.forfeits or criterion.fore or criterion.unrated):
                found += [Candidate(criterion, variation) for variation in _further(criterion)]
    return found


def _editions(criterion: Criterion) -> Iterator[Variation]:
    """Give the editions that have values of their own, the one in force first."""
    yield IN_FORCE
    yield from map(Variation, editions_apart(criterion))


def _further(criterion: Criterion) -> Iterator[Variation]:
    """Give what may have been done otherwise than any edition has it."""
    if definition(criterion.code).needs == "ratings":
        yield Variation(option=UNRATED_OUT)
        return
    for option in (*bye_values(), LAST_ROUND):
        for variation in _editions(criterion):
            yield replace(variation, option=option)
    if criterion.code in _OVER_OPPONENTS:
        yield from altered_rules(rules_heeded(criterion))


def _usable(entries: Sequence[TieBreak], *, teams: bool, rated: bool) -> Iterator[TieBreak]:
    for entry in entries:
        if (entry.teams != "only" or teams) and (entry.needs != "ratings" or rated):
            yield entry


def _refinements(entry: TieBreak) -> Iterator[Candidate]:
    every = ("columns", "points")
    for forfeits in (False, True) if "P" in entry.modifiers else (False,):
        criterion = Criterion(entry.code, forfeits=forfeits)
        if entry.code == "DE":
            for shown, ties in product(("points", "points if all met"), every):
                yield Candidate(criterion, IN_FORCE, ties, shown)  # type: ignore[arg-type]
        for variation, ties in product(_editions(criterion), every):
            yield Candidate(criterion, variation, ties, "place")  # type: ignore[arg-type]


def _criteria(entry: TieBreak, *, teams: bool) -> Iterator[Criterion]:
    """Give a tie-break with every combination of the modifiers that it takes."""
    has = entry.modifiers
    cuts = [cut for cut in _CUTS if "C" in has and (cut[1] == 0 or "M" in has)] or [(0, 0)]
    scores = (None, "MP", "GP") if teams and entry.teams == "too" else (None,)
    for score, (low, high), (percent, shift), p, f, unrated, factor in product(
        scores,
        cuts,
        _LIMITS if "L" in has else _LIMITS[:1],
        (False, True) if "P" in has else (False,),
        (False, True) if "F" in has else (False,),
        _UNRATED if "U" in has else (None,),
        _FACTORS if "K" in has else (None,),
    ):
        yield Criterion(
            entry.code, None, score, low, high, percent, shift, p, f,
            factor=factor, unrated=unrated,
        )  # fmt: skip


def costs(found: Sequence[Candidate], in_force: str, near: str) -> list[tuple[int, ...]]:
    """Tell how far-fetched definitions are, for tournaments of one edition.

    Parameters
    ----------
    found
        The definitions.
    in_force
        Key of the edition in force on the tournaments' date; ``"auto"``: of several.
    near
        Key of the edition that is the likeliest: that one, where the date is known.

    Returns
    -------
    list
        Of each what is compared from left to right: altered rules and options, modifiers,
        distance from the likeliest edition, place in the catalogue, and how a refinement is
        applied and shown.
    """
    places = {code: number for number, code in enumerate(codes())}
    return [
        (
            _altered(candidate.variation, in_force),
            _modifiers(candidate.criterion),
            _distance(candidate, in_force, near),
            places[candidate.criterion.code],
            _SHOWN.index(candidate.shown),
            _TIES.index(candidate.ties),
        )
        for candidate in found
    ]


def _altered(variation: Variation, in_force: str) -> int:
    if in_force == AUTO:
        rules = len(variation.rules)
    else:
        rules = len(changed(edition_of(in_force), variation.rules))
    return rules + 2 * (variation.option is not None)


def _modifiers(c: Criterion) -> int:
    cuts = c.low + 2 * c.high
    limit = (c.limit_percent != 50) + abs(c.limit_shift)
    given = [c.unrated, c.factor, c.score]
    return cuts + limit + c.forfeits + c.fore + sum(each is not None for each in given)


def nearest(candidate: Candidate, near: str) -> Candidate:
    """Name the edition that is nearest to the likeliest of all that come to the same.

    Parameters
    ----------
    candidate
        A definition.
    near
        Key of the likeliest edition.
    """
    key = candidate.variation.edition
    if key == AUTO:
        return candidate
    same = editions_alike(key, rules_heeded(candidate.criterion))
    known = [each for each in same if candidate.known.in_edition(candidate.criterion, each)]
    best = min(known, key=lambda each: _between(each.key, near), default=EDITIONS[key])
    return replace(candidate, variation=replace(candidate.variation, edition=best.key))


def _distance(candidate: Candidate, in_force: str, near: str) -> int:
    """Tell how far an edition is from the likeliest, if it makes a difference at all."""
    if candidate.shown in ("points", "points if all met") or not rules_heeded(candidate.criterion):
        return 0
    key = candidate.variation.edition
    if key == AUTO:
        return 0 if in_force == near else _between(in_force, near)
    return 1 + _between(nearest(candidate, near).variation.edition, near)


@cache
def _between(key: str, near: str) -> int:
    """Tell how far one edition is from another; what is no dated text is far."""
    if key == near:
        return 0
    if AUTO in (key, near):
        return 1
    order, base = list(EDITIONS), edition_of(key).base
    if base in ("plain", "olympiad"):
        return 3 * len(order)
    undated = EDITIONS[base].since is None
    apart = abs(order.index(base) - order.index(edition_of(near).base))
    return 1 + apart + (len(order) if undated else 0)
