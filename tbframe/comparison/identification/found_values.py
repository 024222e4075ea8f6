"""The values of the best few definitions, player by player."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from tbframe.comparison.identification.candidates import Candidate
from tbframe.comparison.identification.columns import OfficialColumns
from tbframe.comparison.identification.evaluating import evaluated
from tbframe.comparison.identification.printing import Printed
from tbframe.comparison.identification.ranking import Ranked
from tbframe.comparison.identification.readings import Reading
from tbframe.editions import AUTO
from tbframe.ledger import Batch, Ledger
from tbframe.ledger.block import Ints
from tbframe.standings import for_each_batch

__all__ = ["found_values"]


def found_values(
    ledger: Ledger,
    official: OfficialColumns,
    ranked: Sequence[Ranked],
    candidates: Sequence[Candidate],
    readings: Sequence[Reading],
    *,
    group: Ints,
) -> pl.DataFrame:
    """Compute the values of ranked definitions.

    Parameters
    ----------
    ledger, official, candidates, readings, group
        As of `count_matches`.
    ranked
        From `best_few`.

    Returns
    -------
    DataFrame
        ``group``, ``column``, ``place``, ``row`` (of the players), ``owner`` (the tournament),
        ``official``, ``found`` (as it would be printed) and ``match``, for all players of the
        groups; null where there is none.
    """
    slots = list(dict.fromkeys((each.candidate, each.reading, each.column) for each in ranked))
    wanted = list(dict.fromkeys(candidate for candidate, _, _ in slots))
    players = ledger.players.height
    values = np.full((len(slots), players), np.nan)
    match = np.zeros((len(slots), players), dtype=np.bool_)

    def compute(t: Batch, rows: Ints) -> None:
        printed = Printed.of(t, rows, official)
        for number, found in evaluated(t, [candidates[each] for each in wanted], official, rows):
            for slot, (candidate, reading, column) in enumerate(slots):
                if candidate == wanted[number]:
                    own, of = printed.only(column), found.of_column(column)
                    (agrees,) = own.agreeing([readings[reading]], of)
                    match[slot, rows] = agrees[:, 0]
                    values[slot, rows] = own.found(readings[reading], of)[:, 0]

    for_each_batch(ledger, AUTO, compute)
    number = {slot: place for place, slot in enumerate(slots)}
    entries = pl.DataFrame(
        [
            (each.group, each.column, each.place,
             number[each.candidate, each.reading, each.column])
            for each in ranked
        ],
        schema={"group": pl.Int64, "column": pl.Int64, "place": pl.Int64, "slot": pl.Int64},
        orient="row",
    )  # fmt: skip
    rows = pl.DataFrame({"owner": official.owner, "group": group[official.owner]}).with_row_index(
        "row"
    )
    long = entries.join(rows, on="group", how="inner", maintain_order="left_right")
    slot, row = long["slot"].to_numpy(), long["row"].to_numpy()
    column = long["column"].to_numpy()
    return long.drop("slot").with_columns(
        pl.Series("official", official.values[row, column], nan_to_null=True),
        pl.Series("found", values[slot, row], nan_to_null=True),
        pl.Series("match", match[slot, row]),
    )
