"""Definitions in words: what they are called, which are alike, what would tell them apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from tbframe.comparison.identification.candidates import Candidate
from tbframe.comparison.identification.heeding import SHOWN_BY, editions_apart, rules_heeded
from tbframe.comparison.identification.readings import Reading
from tbframe.comparison.identification.variations import edition_text
from tbframe.editions import AUTO, EDITIONS, edition_of

__all__ = ["alike_text", "code_text", "definition_text", "what_tells_apart"]

_BY_DATE: Final = "by date"


def definition_text(
    candidate: Candidate, reading: Reading, in_force: str, before: Sequence[str], decimals: int
) -> str:
    """Tell a definition in full.

    Parameters
    ----------
    candidate, reading
        What it is, and how its values are printed.
    in_force
        Edition of the tournaments' date; ``"auto"``: several.
    before
        The columns to the left, that a tie may also depend on.
    decimals
        Decimals of the column.
    """
    edition = f" ({_edition(candidate, in_force)})" if _heeded(candidate) else ""
    more = [*_particulars(candidate, before), reading.text(decimals)]
    return ", ".join([f"{candidate.criterion}{edition}", *filter(None, more)])


def code_text(candidate: Candidate, in_force: str) -> str:
    """Write the code with its edition, where that is a text of its own: ``BH@2012/C1``."""
    edition = edition_text(candidate.variation, in_force)
    named = edition in EDITIONS and _heeded(candidate)
    return str(replace(candidate.criterion, edition=edition if named else None))


def alike_text(
    best: Candidate, alike: Iterable[Candidate], in_force: str, before: Sequence[str]
) -> list[str]:
    """Tell which definitions give the same values, those of one code together.

    Returns
    -------
    list
        Such as ``["BH (2009, plain)", "BH/P (every edition)"]``; without those that are the same
        under another name, because they heed nothing in which their editions differ.
    """
    kinds: dict[tuple[str, ...], dict[object, str]] = {}
    named: dict[tuple[str, ...], Candidate] = {}
    own = _name(best, before)
    for each in alike:
        if not _same(best, each, in_force):
            name = _name(each, before)
            named.setdefault(name, each)
            kinds.setdefault(name, {}).setdefault(_kind(each, in_force), _edition(each, in_force))
    told = []
    for name, keys in kinds.items():
        code, *more = name
        if not _heeded(named[name]):
            told.append(", ".join(name))
            continue
        which = ", ".join(keys.values())
        if len(keys) > 1 and len(keys) + (name == own) >= _how_many(named[name]):
            which = "every other edition" if name == own else "every edition"
        told.append(", ".join([f"{code} ({which})", *more]))
    return told


def what_tells_apart(best: Candidate, alike: Iterable[Candidate], in_force: str) -> list[str]:
    """List what an event would have to have for definitions to differ.

    Returns
    -------
    list
        Such as ``["opponents with unplayed rounds"]``; empty where nothing can be said.
    """
    found: dict[str, None] = {}
    for other in alike:
        if not _same(best, other, in_force):
            found |= dict.fromkeys(_differences(best, other, in_force))
    return list(found)


def _name(candidate: Candidate, before: Sequence[str]) -> tuple[str, ...]:
    """Tell a definition without its edition."""
    return str(candidate.criterion), *_particulars(candidate, before)


def _particulars(candidate: Candidate, before: Sequence[str]) -> Iterator[str]:
    if candidate.variation.option is not None:
        yield candidate.variation.option.text
    if candidate.shown is not None:
        level = ["PTS", *before] if candidate.ties == "columns" else ["PTS"]
        what = "places" if candidate.shown == "place" else "scores"
        complete = " if all met" if candidate.shown == "points if all met" else ""
        yield f"{what} within ties on {' '.join(level)}{complete}"


def _edition(candidate: Candidate, in_force: str) -> str:
    text = edition_text(candidate.variation, in_force)
    return text.replace(AUTO, _BY_DATE, 1) if text.startswith(AUTO) else text


def _same(one: Candidate, other: Candidate, in_force: str) -> bool:
    """Tell whether two definitions are one, whatever the event."""
    alike = (one.criterion, one.ties, one.shown, one.variation.option) == (
        other.criterion, other.ties, other.shown, other.variation.option,
    )  # fmt: skip
    return alike and not list(_rules_between(one, other, in_force))


def _rules_between(one: Candidate, other: Candidate, in_force: str) -> Iterator[str]:
    """Give the rules that both heed and in which their editions differ."""
    if one.shown != other.shown:
        return
    kinds = _kind(one, in_force), _kind(other, in_force)
    for rule, before, after in zip(_heeded(one), *kinds, strict=True):
        if before != after:
            yield rule


def _heeded(candidate: Candidate) -> tuple[str, ...]:
    """Give the rules that the values may depend on; the scores of the tied depend on none."""
    if candidate.shown in ("points", "points if all met"):
        return ()
    return rules_heeded(candidate.criterion)


def _kind(candidate: Candidate, in_force: str) -> tuple[object, ...]:
    """Give what an edition says on the rules that the code heeds."""
    rules = _heeded(candidate)
    text = edition_text(candidate.variation, in_force)
    if text.startswith(AUTO):  # several editions, which are like no single one
        return (text,) * len(rules)
    edition = edition_of(text)
    return tuple(getattr(edition, rule) for rule in rules)


def _how_many(candidate: Candidate) -> int:
    """Count the kinds of editions that the code has."""
    return len(list(editions_apart(candidate.criterion)))


def _differences(one: Candidate, other: Candidate, in_force: str) -> Iterator[str]:
    a, b = one.criterion, other.criterion
    plain = {"forfeits": False, "fore": False, "unrated": None}
    if replace(a, **plain) != replace(b, **plain):  # type: ignore[arg-type]
        return  # other tie-breaks: nothing in particular tells them apart
    if a.forfeits != b.forfeits:
        yield "forfeits"
    if a.fore != b.fore:
        yield "games of the last round that were not drawn"
    if a.unrated != b.unrated:
        yield "unrated opponents"
    if one.ties != other.ties:
        yield "ties on points that the columns before break"
    if one.shown != other.shown:
        yield "more games within ties"
    options = [one.variation.option, other.variation.option]
    if options[0] != options[1]:
        yield from (option.about for option in options if option is not None)
    yield from (SHOWN_BY[rule] for rule in _rules_between(one, other, in_force))
