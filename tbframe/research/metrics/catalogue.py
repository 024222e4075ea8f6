"""The metrics by name: what each needs, its range, and which end is the better one."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from typing import Final, Literal, TypeVar

import polars as pl

from tbframe.errors import TbframeError

__all__ = ["METRICS", "Metric", "metric", "metric_named", "whole"]

#: Gives one value for each tournament of some `Orders`.
Function = Callable[..., pl.Series]
_Decorated = TypeVar("_Decorated", bound=Function)


@dataclass(frozen=True)
class Metric:
    """A metric and what there is to know about it.

    Attributes
    ----------
    name
        As `compare` takes it, parameters included: ``"top_k(3)"``.
    function
        From `Orders` to a series.
    needs
        What the orders must be compared with: ``"truth"``, ``"points"``, ``"reference"``,
        ``"depth"`` or ``"games"``; several are separated by a blank.
    low, high
        The range; ``None``: the number of players sets it.
    best
        Which end is the better one; ``None``: neither.
    """

    name: str
    function: Function
    needs: str = ""
    low: float | None = None
    high: float | None = None
    best: Literal["low", "high"] | None = None


#: All metrics, under their names without parameters.
METRICS: Final[dict[str, Metric]] = {}

_CALL: Final = re.compile(r"\s*(?P<name>[a-z_]+)\s*(?:\((?P<values>[^()]*)\))?\s*")


def metric(
    *,
    needs: str,
    low: float | None = None,
    high: float | None = None,
    best: Literal["low", "high"] | None = None,
) -> Callable[[_Decorated], _Decorated]:
    """Enter a function in the catalogue; parameters as of `Metric`."""

    def enter(function: _Decorated) -> _Decorated:
        name = function.__name__
        METRICS[name] = Metric(name, function, needs, low, high, best)
        return function

    return enter


def metric_named(text: str) -> Metric:
    """Return a metric with its parameters.

    Parameters
    ----------
    text
        ``"tau_b"``, ``"top_k(3)"``, ``"rbo(0.9)"``: numbers in the order of the function's
        parameters, usual values where none are given.

    Raises
    ------
    TbframeError
        If there is no such metric, or it does not take these parameters.

    Examples
    --------
    >>> from tbframe.research.metrics import metric_named
    >>> metric_named("top_k").name, metric_named("top_k(5)").name
    ('top_k(3)', 'top_k(5)')
    """
    call = _CALL.fullmatch(text)
    known = METRICS.get(call["name"]) if call else None
    if call is None or known is None:
        near = get_close_matches(text.partition("(")[0].strip(), METRICS, n=2)
        told = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(METRICS)}"
        raise TbframeError(f"no metric {text!r}: {told}")
    _, *parameters = (
        parameter
        for parameter in inspect.signature(known.function).parameters.values()
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    )
    written = [value for value in (call["values"] or "").split(",") if value.strip()]
    if len(written) > len(parameters):
        raise TbframeError(f"{text!r}: {known.name} takes at most {len(parameters)} parameters")
    try:
        values = [_number(value) for value in written]
    except ValueError:
        raise TbframeError(f"{text!r}: parameters are numbers, such as top_k(3)") from None
    usual = [each.default for each in parameters[len(values) :] if each.default is not None]
    shown = ", ".join(f"{value:g}" for value in (*values, *usual))
    name = f"{known.name}({shown})" if shown else known.name
    named = {each.name: value for each, value in zip(parameters, values, strict=False)}
    function = partial(known.function, **named) if named else known.function
    return Metric(name, function, known.needs, known.low, known.high, known.best)


def _number(text: str) -> int | float:
    return int(text) if text.strip().isdigit() else float(text)


def whole(value: float, name: str) -> int:
    """Return a number of ranks, or refuse it."""
    if isinstance(value, bool) or value != int(value) or value < 1:
        raise TbframeError(f"{name} is a number of ranks, 1 or more, not {value!r}")
    return int(value)
