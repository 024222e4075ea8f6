"""How the values of ranking theory came about, tournament by tournament."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from tbframe.codes import Criterion
from tbframe.editions import AUTO, Edition, edition_of
from tbframe.errors import CodeError, TbframeError
from tbframe.ledger import Batch, Ledger
from tbframe.theory import Solution, comparisons, generalised_row_sum, reasonable_epsilon
from tbframe.tiebreaks import definition, parse_order
from tbframe.tiegroups import TieGroups, refined

if TYPE_CHECKING:
    from tbframe.archive import Archive

__all__ = ["row_sum_path", "theory_diagnostics"]

_BATCH = 49_152


def theory_diagnostics(
    archive: Archive, code: str, *, edition: str | Edition = AUTO, after_round: int | None = None
) -> pl.DataFrame:
    """Tell for each tournament what the values of a theory rest on.

    Parameters
    ----------
    archive
        The tournaments.
    code
        A tie-break that returns a `tbframe.theory.Solution`: ``"theory.BT"``, or one of your own.
    edition, after_round
        As in `Archive.standings`.

    Returns
    -------
    DataFrame
        One row per tournament, sorted: ``tournament``; ``players`` with a game over the board and
        ``defined``, how many of them have a value; ``components`` of players connected by games
        and ``strongly_connected``: everybody reaches everybody from losers to winners; the
        ``iterations`` taken, the ``residual`` of the theory's equations and whether it
        ``converged``; ``prior``: it stood in where the theory alone has no answer. Columns of
        further estimates follow, such as ``draw`` of Davidson's model.

    Raises
    ------
    CodeError
        If the code does not exist, or is no theory.

    Examples
    --------
    >>> import tbframe as tb
    >>> from tbframe.diagnosis import theory_diagnostics
    >>> archive = tb.read("data/trf/candidates_london_2013.trf")
    >>> theory_diagnostics(archive, "theory.LS").select("players", "components", "converged").row(0)
    (8, 1, True)
    """
    (criterion, *others) = parse_order(code)
    if others:
        raise CodeError(f"diagnose one tie-break at a time, not {code!r}")
    ledger = archive._ledger(after_round)
    parts = [
        _of_batch(t, criterion, ledger)
        for t in _batches(ledger, edition)
        if definition(criterion.code).applies(criterion, t.edition, teams=bool(t.score_name))
    ]
    keys = ledger.tournaments.select("tournament")
    found = pl.concat(parts, how="diagonal") if parts else _nothing(keys)
    return keys.join(found, on="tournament", how="left", maintain_order="left")


def _of_batch(t: Batch, criterion: Criterion, ledger: Ledger) -> pl.DataFrame:
    if criterion.edition is not None:
        t = t.under(edition_of(criterion.edition))
    t = t.on(criterion.score)
    solution = definition(criterion.code).values(t, criterion)
    if not isinstance(solution, Solution):
        raise CodeError(f"{criterion} has no diagnostics: it is no ranking theory")
    c = comparisons(t)
    return pl.DataFrame(
        {
            "tournament": ledger.players["tournament"].gather(t.row),
            "players": c.compared_in.astype(np.int64),
            "defined": c.sum((~np.isnan(solution.values)).astype(np.float64)).astype(np.int64),
            "components": c.count_components(c.component),
            "strongly_connected": c.strongly_connected,
            "iterations": solution.iterations,
            "residual": solution.residual,
            "converged": solution.converged,
            "prior": solution.prior,
            **{
                name: pl.Series(values, nan_to_null=True)
                for name, values in solution.estimates.items()
            },
        }
    )


def _nothing(keys: pl.DataFrame) -> pl.DataFrame:
    whole, real, truth = pl.Int64, pl.Float64, pl.Boolean
    schema = {
        "players": whole, "defined": whole, "components": whole, "strongly_connected": truth,
        "iterations": whole, "residual": real, "converged": truth, "prior": truth,
    }  # fmt: skip
    return pl.DataFrame(schema={"tournament": keys.schema["tournament"], **schema})


def row_sum_path(
    archive: Archive,
    epsilons: Sequence[float | None],
    *,
    edition: str | Edition = AUTO,
    after_round: int | None = None,
) -> pl.DataFrame:
    """Follow the generalised row sum from the score (small epsilon) to least squares (large).

    Parameters
    ----------
    archive
        The tournaments.
    epsilons
        How much opponents count; ``None`` for the largest reasonable one of each tournament.
    edition, after_round
        As in `Archive.standings`.

    Returns
    -------
    DataFrame
        ``tournament``, ``player``, ``epsilon``, ``value`` and ``rank`` by the value alone (ties
        share it: 1, 1, 3; null without a game), sorted by tournament, player and then in the
        order of `epsilons`.

    Examples
    --------
    >>> import tbframe as tb
    >>> from tbframe.diagnosis import row_sum_path
    >>> archive = tb.read("data/trf/tec2023_swiss9_de.trf")
    >>> path = row_sum_path(archive, [0.001, 0.1, 100])
    >>> path.filter(player=4).select("epsilon", "rank").rows()
    [(0.001, 3), (0.1, 3), (100.0, 4)]
    """
    if not epsilons or not all(e is None or e > 0 for e in epsilons):
        raise TbframeError(f"epsilons are numbers above 0, or None, not {epsilons!r}")
    ledger = archive._ledger(after_round)
    height = ledger.players.height
    shape = (height, len(epsilons))
    epsilon, value = np.zeros(shape), np.full(shape, np.nan)
    rank = np.zeros(shape, dtype=np.int32)
    for t in _batches(ledger, edition):
        rows, start = t.player_rows(), TieGroups.unordered(t).place
        reasonable = comparisons(t).each(reasonable_epsilon(t))
        for number, asked in enumerate(epsilons):
            solution = generalised_row_sum(t, epsilon=asked)
            epsilon[rows, number] = reasonable if asked is None else asked
            value[rows, number] = solution.values
            rank[rows, number] = refined(start, solution, lower_is_better=False) - start + 1
    keys = ledger.players.select("tournament", "player")
    return keys[np.repeat(np.arange(height), len(epsilons))].with_columns(
        pl.Series("epsilon", epsilon.ravel()),
        pl.Series("value", value.ravel(), nan_to_null=True),
        pl.Series("rank", rank.ravel()).set(pl.Series(np.isnan(value.ravel())), None),
    )


def _batches(ledger: Ledger, edition: str | Edition) -> Iterator[Batch]:
    asked = None if edition == AUTO else edition_of(edition)
    for block in ledger.blocks:
        for start, stop in block.spans(_BATCH):
            yield Batch.of(block, start, stop, asked or edition_of(block.edition))
