"""How fast the metrics of orders are, against a loop over tournaments with SciPy.

Prints two Markdown tables for benchmarks/README.md: each metric over many tournaments, with
Kendall's and Spearman's correlations against `scipy.stats` on a sample, one tournament after the
other, whose values have to agree; and a whole comparison. Seconds are those of the processor, over
all cores, so that other work on the machine plays little part. Of several runs the fastest counts.

    python benchmarks/metrics.py            100,000 tournaments: a few minutes, 4 GB of memory
    python benchmarks/metrics.py --quick    2,000 tournaments: a look whether it works
"""

from __future__ import annotations

import argparse
import os
import platform
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np
import polars as pl
import scipy
import synthetic
from scipy import stats

import tbframe as tb
from tbframe.research.groups import Groups
from tbframe.research.metrics import METRICS, Games, Orders

PLAYERS, LEVELS = 64, 20
#: Of the comparison: 12 keys and 8 metrics.
KEYS: Final = ["PTS", "BH", "BH/C1", "BH/C2", "BH/M1", "SB", "SB/C1", "PS", "WIN", "KS", "DE BH",
               "BH/C1 SB"]  # fmt: skip
MEASURED: Final = ["tau_a", "tau_b", "within_tie_accuracy", "top_k(3)", "best_wins", "rbo",
                   "discriminating_power", "agreement"]  # fmt: skip
BY_SCIPY: Final = {"tau_b": stats.kendalltau, "rho": stats.spearmanr}


def best(run: Callable[[], object], repeats: int) -> float:
    """Return the fewest seconds of the processor of several runs."""
    taken = []
    for _ in range(repeats):
        start = time.process_time()
        run()
        taken.append(time.process_time() - start)
    return min(taken)


def some_orders(tournaments: int) -> tuple[Orders, np.ndarray]:
    """Return orders with ties that are a little right, and the strengths of the players."""
    rng = np.random.default_rng(4)
    count = tournaments * PLAYERS
    strength = rng.normal(size=count)
    points = np.round(strength + rng.normal(size=count), 0)
    tie_break = rng.integers(LEVELS, size=count)
    games = rng.integers(PLAYERS, size=(2, 9 * count // 2))
    tournament = np.repeat(np.arange(tournaments), 9 * PLAYERS // 2)
    groups = Groups(np.arange(tournaments + 1) * PLAYERS)
    place = groups.places(points * LEVELS + tie_break)
    orders = Orders(
        pl.Series("tournament", range(tournaments)),
        groups,
        place,
        points=groups.places(points),
        truth=groups.places(strength),
        reference=groups.places(points * LEVELS + rng.integers(LEVELS, size=count)),
        depth=rng.integers(3, size=count),
        games=Games(
            tournament,
            *(tournament * PLAYERS + games),
            rng.integers(3, size=len(tournament)) / 2,
        ),
    )
    return orders, strength


def measure_metrics(tournaments: int, sample: int, repeats: int) -> None:
    orders, strength = some_orders(tournaments)
    print("| metric | seconds | SciPy in a loop | ratio |\n| --- | --- | --- | --- |")
    for name, metric in METRICS.items():
        # a fresh copy each time, so that nothing is known from before
        ours = best(lambda m=metric: m.function(replace(orders)), repeats)
        loop, ratio = "", ""
        if name in BY_SCIPY:
            theirs = scipy_loop(name, orders, strength, sample)
            values = metric.function(orders).head(sample)
            if not np.allclose(values.to_numpy(), theirs[1], atol=1e-12):
                raise SystemExit(f"{name}: the values differ")
            seconds = theirs[0] * tournaments / sample
            loop, ratio = f"{seconds:.3g}", f"{seconds / ours:.3g}"
        print(f"| {name} | {ours:.3g} | {loop} | {ratio} |", flush=True)


def scipy_loop(
    name: str, orders: Orders, strength: np.ndarray, sample: int
) -> tuple[float, list[float]]:
    """Return seconds and values for a sample, one tournament after the other."""
    pairs = [
        (-orders.place[begin : begin + PLAYERS], strength[begin : begin + PLAYERS])
        for begin in range(0, sample * PLAYERS, PLAYERS)
    ]
    function = BY_SCIPY[name]
    values = [function(*pair).statistic for pair in pairs]
    return best(lambda: [function(*pair) for pair in pairs], 2), values


def measure_comparison(tournaments: int) -> None:
    results = synthetic.swiss_results(tournaments, 32, 7, 0.02)
    players = results.select("tournament", "player").unique().sort("tournament", "player")
    strength = np.random.default_rng(1).normal(size=players.height)
    about = results.select("tournament").unique().sort("tournament")
    about = about.with_columns(pairing=pl.lit("swiss"), edition=pl.lit("2026-03"))
    archive = tb.from_results(results, players.with_columns(strength=strength), about)
    ledger = best(lambda: archive.standings("PTS"), 1)
    print(f"\n| {len(KEYS)} keys, {len(MEASURED)} metrics, 32 players, 7 rounds | seconds |")
    print(f"| --- | --- |\n| building the ledger, once | {ledger:.3g} |")
    for boot in (0, 1000):
        taken = best(
            lambda boot=boot: tb.compare(
                archive, KEYS, truth="strength", metrics=MEASURED, boot=boot
            ),
            1,
        )
        print(f"| compare, {boot:,} bootstrap samples | {taken:.3g} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tournaments", type=int, default=100_000)
    parser.add_argument("--sample", type=int, default=1000, help="tournaments in the loop")
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="2,000 tournaments, a sample of 100")
    given = parser.parse_args()
    tournaments, sample = (2000, 100) if given.quick else (given.tournaments, given.sample)
    print(
        f"{tournaments:,} tournaments of {PLAYERS} players; {os.cpu_count()} cores, "
        f"Python {platform.python_version()}, NumPy {np.__version__}, SciPy {scipy.__version__}\n"
    )
    measure_metrics(tournaments, min(sample, tournaments), given.repeats)
    measure_comparison(tournaments)


if __name__ == "__main__":
    main()
