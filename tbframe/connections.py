"""Whether the games of a tournament tie its players together as a theory needs it.

====================  ========  ==================================================================
code                  severity  meaning
====================  ========  ==================================================================
not-comparable        warning   groups of players never met one another: a theory rates each group
                                by itself, and its values say nothing across them
theory-undefined      warning   a theory defines nothing here: null for all
prior-used            info      a theory alone has no answer here: a prior stood in for all
====================  ========  ==================================================================
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import polars as pl

from tbframe.codes import Criterion
from tbframe.editions import edition_of
from tbframe.findings import Severity, concat_findings, findings_from
from tbframe.ledger import Batch, Ledger
from tbframe.theory import comparisons

__all__ = ["FAMILY", "connections", "loose_ends"]

FAMILY: Final = "theory."
#: Players in a batch.
_BATCH: Final = 49_152
#: Each component by itself; nothing without a strong one, or without a single one; with a prior.
_BY_COMPONENT: Final = {"LS", "RB", "RP", "ARBO", "ARPO"}
_STRONG: Final = {"FB", "PERRON"}
_CONNECTED: Final = {"KEENER"}
_WITH_PRIOR: Final = {"BT", "DAVIDSON", "ELO"}


def connections(ledger: Ledger) -> pl.DataFrame:
    """Tell how the players of each tournament are connected by games over the board.

    Parameters
    ----------
    ledger
        The tournaments.

    Returns
    -------
    DataFrame
        One row for each tournament, sorted: ``tournament``, ``components`` of players with a
        game, and whether they are ``strongly_connected``: everybody reaches everybody from losers
        to winners.
    """
    keys = ledger.players["tournament"]
    types = {"components": pl.Int64, "strongly_connected": pl.Boolean}
    parts = [pl.DataFrame(schema={"tournament": keys.dtype, **types})]
    for block in ledger.blocks:
        for start, stop in block.spans(_BATCH):
            t = Batch.of(block, start, stop, edition_of(block.edition))
            c = comparisons(t)
            found = {
                "components": c.count_components(c.component),
                "strongly_connected": c.strongly_connected,
            }
            parts.append(pl.DataFrame({"tournament": keys.gather(t.row), **found}))
    return pl.concat(parts).sort("tournament")


def loose_ends(found: pl.DataFrame, criteria: Sequence[Criterion]) -> pl.DataFrame:
    """List where theories asked for have no answer, or one with a reservation.

    Parameters
    ----------
    found
        As `connections` tells.
    criteria
        The criteria asked for.

    Returns
    -------
    DataFrame
        Findings, in the order of the criteria and then of `found`.
    """
    several = found.filter(pl.col("components") > 1)
    weak = found.filter((pl.col("components") > 0) & ~pl.col("strongly_connected"))
    cases: Iterator[tuple[pl.DataFrame, str, Severity, pl.Expr]] = (
        case
        for criterion in criteria
        if criterion.code.startswith(FAMILY)
        for case in _cases(criterion, several, weak)
    )
    return concat_findings(
        *(
            findings_from(rows, code=code, severity=severity, message=message)
            for rows, code, severity, message in cases
        )
    )


def _cases(
    criterion: Criterion, several: pl.DataFrame, weak: pl.DataFrame
) -> Iterator[tuple[pl.DataFrame, str, Severity, pl.Expr]]:
    name = criterion.code.removeprefix(FAMILY)
    apart = pl.format(
        f"{criterion}: {{}} groups of players never met one another", pl.col("components")
    )
    loose = pl.lit(f"{criterion}: not everybody is linked to everybody from losers to winners")
    if name in _BY_COMPONENT:
        message = apart + ", and values cannot be compared between them"
        yield several, "not-comparable", "warning", message
    if name in _CONNECTED:
        yield several, "theory-undefined", "warning", apart + ": null for all"
    if name in _STRONG:
        yield weak, "theory-undefined", "warning", loose + ": null for all"
    if name in _WITH_PRIOR:
        yield weak, "prior-used", "info", loose + ": everybody has a game against a dummy more"
