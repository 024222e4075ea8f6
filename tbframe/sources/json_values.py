"""JSON read with its faults named, and values taken from it by type."""

from __future__ import annotations

import json
import re
from typing import Any

from tbframe.sources.unreadable import UnreadableError

__all__ = ["as_dict", "as_list", "number_of", "parse_json", "text_of", "whole_of"]


def parse_json(text: str, *, line: int | None = None) -> Any:
    """Read a JSON text.

    Parameters
    ----------
    text
        The text.
    line
        The line of the file at which it stands, where that has one text on each line.

    Raises
    ------
    UnreadableError
        If it is none, with the line; also where it is nested too deep.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = line or error.lineno
        raise UnreadableError(
            f"no sound JSON: {error.msg}, column {error.colno}", line=where, code="damaged-json"
        ) from error
    except (RecursionError, ValueError) as error:
        reason = "nested too deep" if isinstance(error, RecursionError) else str(error)
        raise UnreadableError(f"no sound JSON: {reason}", line=line, code="damaged-json") from error


def as_dict(value: Any, place: str) -> dict[str, Any]:
    """Insist on an object; `place` names it in the message."""
    if not isinstance(value, dict):
        raise UnreadableError(f"{place}: an object is due, not {_short(value)}", code="wrong-type")
    return value


def as_list(value: Any, place: str) -> list[Any]:
    """Insist on an array; none at all is an empty one."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise UnreadableError(f"{place}: an array is due, not {_short(value)}", code="wrong-type")
    return value


def text_of(value: Any, place: str) -> str | None:
    """Take a text, or a number as one; None where it is empty or missing."""
    if value is None:
        return None
    if isinstance(value, bool | list | dict):
        raise UnreadableError(f"{place}: a text is due, not {_short(value)}", code="wrong-type")
    return str(value).strip() or None


def number_of(value: Any) -> float | None:
    """Take a number, also as text and as a percentage; None for anything else.

    Examples
    --------
    >>> number_of("66.67%"), number_of("0,5"), number_of(3), number_of("-")
    (0.6667, 0.5, 3.0, None)
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value) if abs(value) < 1e15 else None
    match = re.fullmatch(r"\s*(-?\d{1,15}(?:[.,]\d{1,20})?)\s*(%?)\s*", str(value))
    if match is None:
        return None
    number = float(match[1].replace(",", "."))
    return round(number / 100, 12) if match[2] else number


def whole_of(value: Any) -> int | None:
    """Take a whole number of moderate size, also as text; None for anything else."""
    number = number_of(value)
    return int(number) if number is not None and number.is_integer() and abs(number) < 1e9 else None


def _short(value: Any) -> str:
    return repr(value)[:40]
