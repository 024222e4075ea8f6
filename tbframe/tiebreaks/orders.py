"""Ranking orders, read and checked against the catalogue."""

from __future__ import annotations

import difflib
from dataclasses import replace

from tbframe.codes import Criterion, parse_criterion, split_order
from tbframe.editions import edition_of
from tbframe.errors import CodeError, TbframeError
from tbframe.tiebreaks.definition import TieBreak
from tbframe.tiebreaks.recommended import preset_order
from tbframe.tiebreaks.registry import codes, find

__all__ = ["declared_order", "parse_order"]


def parse_order(order: str | list[str] | tuple[str, ...]) -> list[Criterion]:
    """Read a ranking order and check every entry against the catalogue.

    Parameters
    ----------
    order
        ``"PTS DE BH/C1"`` or a list of codes; ``"preset:uscf"`` stands for the order of a
        preset (`presets`).

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
    for entry in _entries(order):
        criterion = _parse(entry)
        known = find(criterion.code)
        if known is None:
            raise CodeError(f"unknown code {criterion.code!r}{_suggestion(criterion.code)}")
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


def _entries(order: str | list[str] | tuple[str, ...]) -> list[str]:
    """Split an order, with the criteria of a preset in its place."""
    return [
        code
        for entry in split_order(order)
        for code in (split_order(preset_order(entry[7:])) if _is_preset(entry) else [entry])
    ]


def _is_preset(entry: str) -> bool:
    return entry.lower().startswith("preset:")


def _parse(entry: str) -> Criterion:
    """Read a criterion; an error in its modifiers says which the tie-break takes."""
    try:
        return parse_criterion(entry)
    except CodeError as error:
        head, slash, _ = entry.partition("/")
        try:
            known = find(parse_criterion(head).code) if slash else None
        except CodeError:
            known = None
        if known is None:
            raise
        raise CodeError(f"{entry!r}: {_takes(known)}") from error


def _takes(known: TieBreak) -> str:
    """Say which modifiers a tie-break takes, as they are written."""
    written = {"C": "/C1", "M": "/M1", "L": "/L+1", "K": "/K3", "U": "/U1400"}
    takes = [written.get(letter, f"/{letter}") for letter in known.modifiers]
    return f"{known.code} takes {', '.join(takes)}" if takes else f"{known.code} takes no modifier"


def _suggestion(code: str) -> str:
    """Say what may have been meant: ``BHC1`` is ``BH/C1``, ``BG`` is near ``BH``."""
    entries = codes()
    for known in sorted(entries, key=len, reverse=True):
        if code.startswith(known) and len(code) > len(known):
            try:
                meant = parse_criterion(f"{known}/{code[len(known) :]}")
            except CodeError:
                continue
            return f": did you mean {meant}?"
    names = {entry.name.upper(): entry.code for entry in reversed(entries.values())}
    by_name = [names[name] for name in sorted(names, key=len) if len(code) > 3 and code in name][:1]
    in_family = [
        known for known in entries if known.partition(".")[2] == code.rsplit(".", maxsplit=1)[-1]
    ][:3]
    prefix = code.partition(".")[0] + "." if "." in code else ""
    alike = [
        known for known in entries if known.startswith(prefix) and ("." in known) == bool(prefix)
    ]
    near = (
        in_family or by_name or difflib.get_close_matches(code, alike or entries, n=3, cutoff=0.6)
    )
    return f": did you mean {' or '.join(near)}?" if near else "; tbframe catalogue lists all"


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
