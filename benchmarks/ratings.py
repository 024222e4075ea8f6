"""How fast tie-breaks on ratings are: in seconds, and against tiebreak-core per tournament.

Everything starts from canonical rows with a rating for every player. What each program needs
besides is prepared outside the clock: here the ledger, there the records. Of several runs the
fastest counts.

    python benchmarks/ratings.py            20,000 tournaments: two minutes, 6 GB of memory
    python benchmarks/ratings.py --quick    400 tournaments: a look whether it works
"""

from __future__ import annotations

import argparse
import os
from functools import partial
from typing import Any, Final

import numpy as np
import peers
import polars as pl
import synthetic
from standings import (
    EDITION,
    PLAYERS,
    ROUNDS,
    UNPLAYED,
    best,
    ledger_of,
    markdown,
    rank_each,
    shown,
    value,
)

import tbframe as tb

CODES: Final = ("PTP", "APRO", "APPO")
SECONDS, RATIO = 6, 500
LOWEST, HIGHEST = 1400, 2700


def archive_of(tournaments: int) -> tb.Archive:
    results = synthetic.swiss_results(tournaments, PLAYERS, ROUNDS, UNPLAYED)
    rng = np.random.default_rng(1)
    players = pl.DataFrame(
        {
            "tournament": np.repeat(np.arange(1, tournaments + 1), PLAYERS),
            "player": np.tile(np.arange(1, PLAYERS + 1), tournaments),
            "rating": rng.integers(LOWEST, HIGHEST + 1, tournaments * PLAYERS),
        }
    )
    about = pl.DataFrame({"tournament": range(1, tournaments + 1)}).with_columns(
        pairing=pl.lit("swiss")
    )
    return tb.from_results(results, players, about)


def programs_of(archive: tb.Archive, sample: int) -> list[Any]:
    """Prepare some of the tournaments for tiebreak-core."""
    events = archive.tournaments.height
    chosen = np.linspace(1, events, min(sample, events)).astype(int).tolist()
    some = archive.select(*chosen)
    return [
        peers.TiebreakCore(
            event.results,
            EDITION,
            ratings=dict(event.players.select("player", "rating").iter_rows()),
        )
        for event in (some.select(number) for number in chosen)
    ]


def measure(tournaments: int, repeats: int, sample: int) -> list[tuple[str, ...]]:
    """Return a line for the three codes in one pass, and one for each alone."""
    archive = archive_of(tournaments)
    ledger = ledger_of(archive)
    programs = programs_of(archive, sample)
    table: list[tuple[str, ...]] = []
    for codes in (CODES, *((code,) for code in CODES)):
        ours = best(partial(value, ledger, codes), repeats)
        theirs = best(partial(rank_each, programs, codes), repeats) / len(programs)
        targets = (f"at most {SECONDS} s", f"at least {RATIO}") if codes == CODES else ("", "")
        each = ours / tournaments
        table.append(
            (
                " ".join(codes),
                shown(ours),
                targets[0],
                shown(each),
                shown(theirs),
                f"{theirs / each:.3g}",
                targets[1],
            )
        )
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tournaments", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--sample", type=int, default=10, help="tournaments tiebreak-core computes")
    parser.add_argument("--quick", action="store_true", help="400 tournaments, a sample of 2")
    given = parser.parse_args()
    tournaments, sample = (400, 2) if given.quick else (given.tournaments, given.sample)
    print(
        f"{tournaments:,} tournaments of {PLAYERS} players and {ROUNDS} rounds, ratings from "
        f"{LOWEST} to {HIGHEST}, {UNPLAYED:.0%} unplayed, edition {EDITION}; {os.cpu_count()} "
        "cores; times per tournament and their ratio on the right\n"
    )
    heads = ("what", "tbframe", "target", "one tournament", "tiebreak-core", "ratio", "target")
    print(markdown(heads, measure(tournaments, given.repeats, sample)))


if __name__ == "__main__":
    main()
