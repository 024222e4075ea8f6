"""What defines a tie-break, and how its values are asked for."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tbframe.codes import Criterion
from tbframe.editions import EDITIONS, Edition, edition_of
from tbframe.errors import CodeError, TbframeError
from tbframe.ledger import Approximate, Batch, Ratio, Values
from tbframe.ledger.block import Ints
from tbframe.tiebreaks.sample import sample
from tbframe.tiebreaks.units import COUNT, Unit, unit_of

__all__ = ["FORE_SINCE", "Formula", "Refinement", "Teams", "TieBreak"]

#: A function of a batch, and of the criterion if it takes modifiers.
Formula: TypeAlias = Callable[[Batch], Values] | Callable[[Batch, Criterion], Values]
#: A function of a batch, the places of tie groups and the criterion, and, if it takes it, of the
#: places to which the criteria behind it in the order would come.
Refinement: TypeAlias = (
    Callable[[Batch, Ints, Criterion], Ints] | Callable[[Batch, Ints, Criterion, Ints], Ints]
)
#: Whether a tie-break is for teams ``"only"``, takes ``:MP`` and ``:GP`` (``"too"``), or neither.
Teams = Literal["no", "too", "only"]
#: The edition that brought the modifier ``/F``, with Fore Buchholz.
FORE_SINCE: Final = "2022d"
#: The tournaments of the sample that a formula is tried on, one by one and together.
_ALONE: Final = (0, 1, 2)


@dataclass(frozen=True)
class TieBreak:
    """One tie-break.

    Attributes
    ----------
    code, name
        As in the source.
    source
        Article of the regulations, book, page or rules of an event.
    formula
        Gives a batch's values, one for each player; ``None`` for a refinement.
    refinement
        Splits tie groups instead of giving values (direct encounter).
    better
        Which values rank first: the ``"higher"`` or the ``"lower"``.
    modifiers
        Letters of the modifiers it takes.
    since
        Key of the first edition that knows it; ``None``: all do.
    teams
        Whether it is for team events: ``"only"``, ``"too"`` (with ``:MP`` or ``:GP``) or ``"no"``.
    needs
        What it needs besides results: ``"ratings"``, ``"boards"``, columns of one's own such as
        ``"results.games_won"``, or ``""``.
    decimals
        How many decimals the source prints; ``None``: as many as there are.
    given_unit
        What the whole numbers of the formula count, where that is not found by trying it.
    is_built_in
        Whether it came with the package.
    """

    code: str
    name: str
    source: str
    formula: Formula | None = None
    refinement: Refinement | None = None
    better: Literal["higher", "lower"] = "higher"
    modifiers: str = ""
    since: str | None = None
    teams: Teams = "no"
    needs: str = ""
    decimals: int | None = None
    given_unit: Unit | None = None
    is_built_in: bool = False

    @property
    def function(self) -> Callable[..., Any]:
        """The decorated function."""
        function = self.formula or self.refinement
        assert function is not None  # noqa: S101  (it is one of the two)
        return function

    @property
    def family(self) -> str:
        """Where it comes from: its prefix, ``"fide"``, or ``"own"``."""
        prefix, dot, _ = self.code.partition(".")
        return prefix if dot else "fide" if self.is_built_in else "own"

    # -- values --------------------------------------------------------------------------

    def values(self, t: Batch, criterion: Criterion) -> Values:
        """Compute the values of all players of a batch.

        Raises
        ------
        TbframeError
            If the formula fails, or does not give one value for each player.
        """
        try:
            values = self._call(t, criterion)
        except TbframeError as error:
            raise type(error)(f"{self.code}: {error}") from error
        except MemoryError:
            raise
        except Exception as error:
            raise TbframeError(
                f"{self.code}: its formula failed: {type(error).__name__}: {error}"
            ) from error
        return self._checked(values, t)

    @cached_property
    def _takes_criterion(self) -> bool:
        parameters = inspect.signature(self.function).parameters.values()
        return len([each for each in parameters if each.default is each.empty]) > 1

    def _call(self, t: Batch, criterion: Criterion) -> Any:
        return self.function(t, criterion) if self._takes_criterion else self.function(t)

    def _checked(self, values: Any, t: Batch) -> Values:
        """Refuse what is not one value for each player."""
        if isinstance(values, Ratio):
            numerator = self._whole(values.numerator, t, "the numerator")
            denominator = self._whole(values.denominator, t, "the denominator")
            if denominator.min(initial=0) < 0:
                raise TbframeError(f"{self.code}: the denominator is below 0 for a player")
            if numerator is values.numerator and denominator is values.denominator:
                return values
            return replace(values, numerator=numerator, denominator=denominator)
        if isinstance(values, Approximate):
            self._one_each(values.values, t, "Approximate")
            if not values.tolerance >= 0:
                raise TbframeError(f"{self.code}: a tolerance is 0 or more")
            return values
        return self._whole(values, t, "the formula")

    def _whole(self, values: Any, t: Batch, what: str) -> Ints:
        self._one_each(values, t, what)
        if values.dtype.kind not in "iu":
            kind = "True and False" if values.dtype.kind == "b" else str(values.dtype)
            raise TbframeError(
                f"{self.code}: {what} gives {kind} where whole numbers are expected; return "
                "t.count(...) for a number, tb.Ratio for a quotient, tb.Approximate for what "
                "cannot be exact"
            )
        if values.dtype == np.uint64 and values.max(initial=0) > np.iinfo(np.int64).max:
            raise TbframeError(f"{self.code}: {what} gives numbers beyond 64 bits")
        whole: Ints = values if values.dtype == np.int64 else values.astype(np.int64)
        return whole

    def _one_each(self, values: Any, t: Batch, what: str) -> None:
        expected = f"one value for each player, an array of shape {(t.players,)}"
        if not isinstance(values, np.ndarray):
            raise TbframeError(f"{self.code}: {what} gives {type(values).__name__}, not {expected}")
        if values.shape != (t.players,):
            hint = "; t.total brings rounds to players" if values.shape == t.kind.shape else ""
            raise TbframeError(
                f"{self.code}: {what} gives the shape {values.shape}, not {expected}{hint}"
            )

    def shown(self, values: Values, t: Batch) -> NDArray[np.float64]:
        """Turn exact whole numbers into what people read: one division, never rounded further.

        Returns
        -------
        ndarray
            ``(players,)``: not-a-number where undefined.
        """
        unit = self.unit
        if unit.whole and not (isinstance(values, np.ndarray) or getattr(values, "is_whole", None)):
            raise TbframeError(f"{self.code} is said to count, and gives no whole numbers")
        if isinstance(values, Approximate):
            return values.values
        scale = unit.in_one(t)
        if isinstance(values, Ratio):
            bottom: NDArray[Any] = values.denominator
            if int(bottom.max(initial=0)) * int(np.max(scale)) >= 2**62:
                bottom = bottom.astype(object)
            quotient = values.numerator / np.maximum(bottom * scale, 1)
            return np.where(values.denominator > 0, quotient, np.nan).astype(np.float64)
        return np.asarray(values / scale)

    @cached_property
    def looks_ahead(self) -> bool:
        """Whether a refinement takes the places that the criteria behind it make."""
        return self.refinement is not None and len(inspect.signature(self.function).parameters) > 3

    @cached_property
    def unit(self) -> Unit:
        """What the whole numbers of the formula count, found by trying it on a sample."""
        if self.refinement is not None:
            return COUNT
        if self.given_unit is not None:
            return self.given_unit
        try:
            return unit_of(self._plain_values, self._sample(), only_teams=self.teams == "only")
        except CodeError as error:
            raise CodeError(f"{self.code}: what it gives {error}") from None

    def tried(self) -> None:
        """Try the formula on a sample, and check what can be told from that.

        Raises
        ------
        TbframeError, CodeError
            If it takes other arguments than it should, fails, mixes tournaments, or gives what
            is no tie-break.
        """
        own = self.modifiers.strip("R")
        if own and not self._takes_criterion:
            raise CodeError(
                f"{self.code} takes the modifiers {own}: write its formula as "
                f"def {self.function.__name__}(t, c), with c.low and the like"
            )
        together = self._plain_values(self._sample(*_ALONE))
        alone = [self._plain_values(self._sample(number)) for number in _ALONE]
        for side in ("numerator", "denominator", "values"):
            if isinstance(together, np.ndarray) or not hasattr(together, side):
                continue
            apart = np.concatenate([getattr(values, side) for values in alone])
            self._compare(getattr(together, side), apart)
        if isinstance(together, np.ndarray):
            self._compare(together, np.concatenate(alone))  # type: ignore[arg-type]
        _ = self.unit

    def _compare(self, together: Any, apart: Any) -> None:
        exact = np.asarray(together).dtype.kind == "i"
        near = np.array_equal if exact else partial(np.allclose, rtol=1e-6, equal_nan=True)
        if not near(together, apart):
            raise CodeError(
                f"{self.code}: a player's value depends on the other tournaments of the batch; "
                "t.over_tournament reduces over the players of each tournament"
            )

    def _plain_values(self, t: Batch) -> Values:
        return self.values(t, Criterion(self.code))

    def _sample(self, *which: int) -> Batch:
        return replace(sample(*which, teams=self.teams == "only"))  # remembers nothing shared

    # -- where it applies ----------------------------------------------------------------

    def known_to(self, edition: Edition) -> bool:
        """Tell whether an edition has this tie-break."""
        return _known(self.since, edition)

    def in_edition(self, criterion: Criterion, edition: Edition) -> bool:
        """Tell whether an edition has this tie-break with the modifiers of a criterion."""
        return self.known_to(edition) and (not criterion.fore or _known(FORE_SINCE, edition))

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


def _known(since: str | None, edition: Edition) -> bool:
    order = list(EDITIONS)
    if since is None or edition.base == "plain" or edition.base not in order:
        return True
    return order.index(edition.base) >= order.index(since)
