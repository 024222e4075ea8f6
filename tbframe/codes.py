"""The grammar of criteria: ``[family.]CODE[@edition][:MP|:GP][/modifier ...]``.

A code is written as in the regulations and in TRF26: ``BH/C1`` (the Handbook's ``BH-C1``
is read too), ``SB@2012``, ``KS/L+1``, ``DE/P``. Those of other families carry a prefix:
``uscf.MMED``. Case does not matter. Which modifiers a tie-break takes is the catalogue's
business; this module only reads them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from tbframe.errors import CodeError

__all__ = ["Criterion", "parse_criterion", "split_order"]


@dataclass(frozen=True)
class Criterion:
    """One entry of a ranking order.

    Attributes
    ----------
    code
        The tie-break, without modifiers: ``"BH"``, ``"uscf.MMED"``.
    edition
        The edition asked for behind ``@``, or ``None`` for that of the call.
    score
        ``"MP"`` or ``"GP"`` for a team event's match or game points.
    low, high
        How many least and most significant elements are cut (``/C2``: 2, 0; ``/M1``: 1, 1).
    limit_percent
        Koya's limit (``/L60``), 50 unless given.
    limit_shift
        Half points by which the limit is moved (``/L+1``, ``/L-1``).
    forfeits
        ``/P``: forfeits count as games with the scheduled opponent.
    fore
        ``/F``: the last round's games count as draws.
    reverse
        ``/R``: the other direction.
    factor
        ``/K3``: the divisor of SSSC.
    unrated
        ``/U1400``: the rating of unrated players.
    """

    code: str
    edition: str | None = None
    score: Literal["MP", "GP"] | None = None
    low: int = 0
    high: int = 0
    limit_percent: int = 50
    limit_shift: int = 0
    forfeits: bool = False
    fore: bool = False
    reverse: bool = False
    factor: int | None = None
    unrated: int | None = None

    @property
    def modifiers(self) -> tuple[str, ...]:
        """The modifiers that are set, as letters of the catalogue: ``("C", "P")``."""
        is_set = {
            "M": self.high > 0,
            "C": self.low > 0 and self.high == 0,
            "L": self.limit_percent != 50 or self.limit_shift != 0,
            "K": self.factor is not None,
            "P": self.forfeits,
            "F": self.fore,
            "U": self.unrated is not None,
            "R": self.reverse,
        }
        return tuple(letter for letter, given in is_set.items() if given)

    def __str__(self) -> str:
        text = self.code
        text += f"@{self.edition}" if self.edition else ""
        text += f":{self.score}" if self.score else ""
        text += f"/M{self.high}" if self.high else f"/C{self.low}" if self.low else ""
        text += f"/L{self.limit_percent}" if self.limit_percent != 50 else ""
        text += f"/L{self.limit_shift:+d}" if self.limit_shift else ""
        text += f"/K{self.factor}" if self.factor is not None else ""
        text += "/P" * self.forfeits + "/F" * self.fore
        text += f"/U{self.unrated}" if self.unrated is not None else ""
        return text + "/R" * self.reverse


_HEAD: Final = re.compile(
    r"(?:(?P<family>[A-Z][A-Z0-9_]*)\.)?(?P<code>[A-Z][A-Z0-9_]*)(?:@(?P<edition>[A-Z0-9]+(?:-[A-Z0-9]+)?))?(?::(?P<score>[A-Z]+))?"
)
#: Four digits are more than any modifier needs, and few enough to be counted with.
_MODIFIER: Final = re.compile(r"(?P<letter>[CMLKPFRU])(?P<value>[+-]?[0-9]{1,4})?")
#: The Handbook prints BH-C1 where TRF26 writes BH/C1.
_HANDBOOK_CUT: Final = re.compile(r"-(?=[CM][0-9]+(?:/|$))")


def parse_criterion(text: str) -> Criterion:
    """Read one criterion.

    Parameters
    ----------
    text
        Such as ``"BH/C1"``, ``"sb@2012"`` or ``"KS/L+1"``.

    Raises
    ------
    CodeError
        If the text is not of the form ``[family.]CODE[@edition][:MP|:GP][/modifier ...]``.

    Examples
    --------
    >>> parse_criterion("bh-c1").low
    1
    >>> str(parse_criterion("SB@2012/c2/p"))
    'SB@2012/C2/P'
    >>> str(parse_criterion("USCF.mmed/r"))
    'uscf.MMED/R'
    """
    head, *modifiers = _HANDBOOK_CUT.sub("/", text.strip().upper()).split("/")
    match = _HEAD.fullmatch(head)
    if match is None:
        raise CodeError(f"cannot read the criterion {text!r}: write CODE[@edition][/modifier ...]")
    if match["score"] not in (None, "MP", "GP"):
        raise CodeError(f"{text!r}: the score behind ':' is MP or GP, not {match['score']}")
    edition = match["edition"].lower() if match["edition"] else None
    given: dict[str, object] = {}
    for modifier in modifiers:
        for key, value in _read_modifier(modifier, text).items():
            if key in given:
                raise CodeError(f"{text!r}: /{modifier} repeats or contradicts another modifier")
            given[key] = value
    prefix = f"{match['family'].lower()}." if match["family"] else ""
    code = prefix + match["code"]
    return Criterion(code, edition, match["score"], **given)  # type: ignore[arg-type]


def _read_modifier(modifier: str, text: str) -> dict[str, object]:
    match = _MODIFIER.fullmatch(modifier)
    letter, value = (match["letter"], match["value"]) if match else ("", None)
    number = int(value) if value else 0
    signed = value is not None and value[0] in "+-"
    if letter in ("P", "F", "R") and value is None:
        return {{"P": "forfeits", "F": "fore", "R": "reverse"}[letter]: True}
    if letter == "L" and value is not None and (signed or number <= 100):
        return {"limit_shift" if signed else "limit_percent": number}
    if letter and number > 0 and not signed:
        fields: dict[str, dict[str, object]] = {
            "C": {"low": number},
            "M": {"low": number, "high": number},
            "K": {"factor": number},
            "U": {"unrated": number},
        }
        if letter in fields:
            return fields[letter]
    raise CodeError(
        f"{text!r}: unknown modifier /{modifier}; there are /C1 /M1 (cuts), /L+1 /L-1 /L60 "
        "(limit), /K3, /P (forfeits count), /F (fore), /U1400 (unrated) and /R (reverse)"
    )


def split_order(order: str | Iterable[str]) -> list[str]:
    """Split a ranking order into its entries.

    Parameters
    ----------
    order
        ``"PTS DE BH/C1"``, separated by blanks, commas or semicolons; or the entries themselves.

    Examples
    --------
    >>> split_order("PTS, DE BH/C1")
    ['PTS', 'DE', 'BH/C1']
    """
    if not isinstance(order, str | list | tuple) or not all(isinstance(e, str) for e in order):
        raise CodeError(
            f"an order is a text such as 'PTS BH/C1', or a list of codes, not {order!r}"
        )
    parts = [order] if isinstance(order, str) else list(order)
    return [entry for part in parts for entry in re.split(r"[\s,;]+", part) if entry]
