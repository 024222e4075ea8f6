"""How fast the tie-breaks of team events are, and extended against plain direct encounter.

Synthetic Swiss events of teams: the pairings and results of `synthetic`, with match points and
game points. Everything starts from canonical rows; the ledger is built outside the clock. What
direct encounter takes is the time of an order with it less that of points alone. Of several
runs the fastest counts.

    python benchmarks/teams.py            20,000 events: a minute
    python benchmarks/teams.py --quick    400 events: a look whether it works
"""

from __future__ import annotations

import argparse
import os
from functools import partial
from typing import Final

import numpy as np
import polars as pl
import synthetic
from standings import EDITION, best, ledger_of, markdown, rank, shown, value

import tbframe as tb
from tbframe.codes import split_order

TEAMS, ROUNDS, BOARDS, UNPLAYED = 24, 7, 4, 0.04
#: All that results without boards give.
CODES: Final = tuple(
    split_order(
        "MPTS GPTS MPVGP WIN:MP WON:MP PS:MP PS:GP BH:MP BH:GP BH:MP/C1 BH:GP/C1 FB:MP FB:GP "
        "AOB:MP AOB:GP SB:MP SB:GP KS:MP KS:GP EMMSB EMGSB EGMSB EGGSB "
        "EMMSB/C1 EMGSB/C1 EGMSB/C1 EGGSB/C1 SSSC"
    )
)
RATIO: Final = 4
#: Match points; where no margin is drawn, the game points are as many times half of the boards.
_MATCH: Final = {"1": 2, "+": 2, "F": 2, "=": 1, "H": 1, "U": 1, "0": 0, "-": 0, "Z": 0}


def archive_of(tournaments: int) -> tb.Archive:
    results = synthetic.swiss_results(tournaments, TEAMS, ROUNDS, UNPLAYED)
    half = BOARDS / 2
    code = pl.col("result").cast(pl.String)
    results = results.with_columns(
        points=code.replace_strict(_MATCH, return_dtype=pl.Float64), margin=_margins(results)
    ).with_columns(
        game_points=pl.when(code == "1").then(half + pl.col("margin"))
        .when(code == "0").then(half - pl.col("margin"))
        .otherwise(half * pl.col("points"))
    )  # fmt: skip
    about = pl.DataFrame({"tournament": range(1, tournaments + 1)}).with_columns(
        kind=pl.lit("team"), pairing=pl.lit("swiss"), boards=BOARDS
    )
    return tb.from_results(results.drop("margin"), None, about)


def _margins(results: pl.DataFrame) -> pl.Series:
    """Draw by how much the winner of each match is above half of the boards, for both sides."""
    shape = (results["tournament"].n_unique(), TEAMS, ROUNDS)
    drawn = np.random.default_rng(1).integers(1, BOARDS + 1, shape) / 2
    event, team, number = np.indices(shape)
    opponent = results["opponent"].fill_null(TEAMS).to_numpy().reshape(shape) - 1
    return pl.Series(drawn[event, np.minimum(team, opponent), number].ravel())


def measure(tournaments: int, repeats: int) -> list[tuple[str, ...]]:
    """Return the lines of the table."""
    ledger = ledger_of(archive_of(tournaments))
    table: list[tuple[str, ...]] = []
    values = best(lambda: value(ledger, CODES), repeats)
    table.append((f"all {len(CODES)} values in one pass", shown(values), "", ""))
    points = best(partial(rank, ledger, ("PTS",)), 2 * repeats)
    steps = {
        code: best(partial(rank, ledger, ("PTS", code)), 2 * repeats) - points
        for code in ("DE", "EDE")
    }
    table.append(("PTS alone, ranks and frame included", shown(points), "", ""))
    table.append(("DE, after PTS", shown(steps["DE"]), "", ""))
    ratio = steps["EDE"] / steps["DE"]
    target = f"at most {RATIO} times DE"
    table.append(("EDE, after PTS", shown(steps["EDE"]), f"{ratio:.3g} times DE", target))
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tournaments", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="400 events")
    given = parser.parse_args()
    tournaments = 400 if given.quick else given.tournaments
    print(
        f"{tournaments:,} events of {TEAMS} teams, {ROUNDS} rounds and {BOARDS} boards, "
        f"{UNPLAYED:.0%} unplayed, edition {EDITION}; {os.cpu_count()} cores\n"
    )
    print(markdown(("what", "time", "ratio", "target"), measure(tournaments, given.repeats)))
    print(f"\nThe values: {' '.join(CODES)}")


if __name__ == "__main__":
    main()
