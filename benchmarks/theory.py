"""How fast ranking theory is, against a loop over tournaments in NumPy and SciPy.

Prints a Markdown table for benchmarks/README.md. Everything starts from the ledger; the loop gets
each tournament's results matrix ready-made, outside the clock. It computes a sample, tbframe all
tournaments. The values have to agree. Of several runs the fastest counts.

    python benchmarks/theory.py            20,000 tournaments: some minutes, 8 GB of memory
    python benchmarks/theory.py --quick    400 tournaments: a look whether it works
"""

from __future__ import annotations

import argparse
import os
import platform
import time
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import polars as pl
import scipy
import synthetic
from scipy.linalg import eig
from scipy.special import expit

import tbframe as tb
from tbframe.ledger import Ledger, build_ledger
from tbframe.standings import compute_tiebreaks
from tbframe.tiebreaks import parse_order

Matrix = np.ndarray[Any, np.dtype[np.float64]]

PLAYERS, ROUNDS, UNPLAYED = 100, 9, 0.04
#: Seconds for all tournaments of the full run on two cores, where there is a limit.
TARGETS: Final = {"theory.LS": 60, "theory.COLLEY": 60, "theory.BT": 180}
FULL: Final = 20_000


def least_squares(a: Matrix) -> Matrix:
    games = a + a.T
    played = games.sum(axis=1) > 0
    laplacian = np.diag(games.sum(axis=1) + ~played) - games
    laplacian[played.argmax(), played.argmax()] += 1  # one solution of many: this player has 0
    values = np.linalg.solve(laplacian, (a - a.T).sum(axis=1))
    return np.where(played, values - values[played].mean(), np.nan)


def colley(a: Matrix) -> Matrix:
    games = a + a.T
    number = games.sum(axis=1)
    values = np.linalg.solve(np.diag(number + 2) - games, 1 + (a - a.T).sum(axis=1) / 2)
    return np.where(number > 0, values, np.nan)


def bradley_terry(a: Matrix) -> Matrix:
    """Newton's method with the dense Hessian; a dummy where a player won or lost everything."""
    games = a + a.T
    number, score = games.sum(axis=1), a.sum(axis=1)
    played = number > 0
    reached = np.linalg.matrix_power((np.eye(len(a)) + (a > 0) > 0).astype(float) / len(a), 128)
    here = np.ix_(played, played)
    dummy = 0.0 if (reached[here] > 0).all() else 1.0
    values = np.zeros(len(a))
    for _ in range(100):
        expected = expit(values[:, None] - values)
        slope = games * expected * (1 - expected)
        own = expit(values)
        missing = score - (games * expected).sum(axis=1) + dummy * played * (0.5 - own)
        hessian = np.diag(slope.sum(axis=1) + dummy * own * (1 - own) + ~played) - slope
        if not dummy:
            hessian[played.argmax(), played.argmax()] += 1
        step = np.linalg.solve(hessian, missing)
        values += step / max(1.0, np.abs(step).max() / 2)
        if np.abs(step).max() < 1e-10:
            break
    return np.where(played, values - values[played].mean(), np.nan)


def keener(a: Matrix) -> Matrix:
    games = a + a.T
    number = games.sum(axis=1)
    smooth = np.where(games > 0, (a + 1) / (games + 2), 0) / np.maximum(number, 1)[:, None]
    roots, vectors = eig(smooth)
    values = np.abs(vectors[:, roots.real.argmax()].real)
    return np.where(number > 0, values / values.sum(), np.nan)


LOOPS: Final[dict[str, Callable[[Matrix], Matrix]]] = {
    "theory.LS": least_squares,
    "theory.COLLEY": colley,
    "theory.BT": bradley_terry,
    "theory.KEENER": keener,
}


def best(run: Callable[[], object], repeats: int) -> float:
    """Return the fewest seconds of several runs."""
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        taken.append(time.perf_counter() - start)
    return min(taken)


def results_matrices(results: pl.DataFrame) -> list[Matrix]:
    """Return the results matrix of each tournament, games over the board only."""
    worth = pl.col("result").cast(pl.String).replace_strict({"1": 1.0, "=": 0.5, "0": 0.0})
    played = results.filter(pl.col("result").is_in(["1", "=", "0"])).with_columns(worth=worth)
    matrices = []
    for _, rows in played.group_by("tournament", maintain_order=True):
        matrix = np.zeros((PLAYERS, PLAYERS))
        player, opponent, points = rows.select("player", "opponent", "worth").to_numpy().T
        np.add.at(matrix, (player.astype(int) - 1, opponent.astype(int) - 1), points)
        matrices.append(matrix)
    return matrices


def value(ledger: Ledger, code: str) -> pl.DataFrame:
    return compute_tiebreaks(ledger, parse_order(code))


def measure(tournaments: int, sample: int, repeats: int) -> None:
    results = synthetic.swiss_results(tournaments, PLAYERS, ROUNDS, UNPLAYED)
    about = pl.DataFrame({"tournament": range(1, tournaments + 1)}).with_columns(
        pairing=pl.lit("swiss"), edition=pl.lit("2026-03")
    )
    archive = tb.from_results(results, None, about)
    matrices = results_matrices(results.filter(pl.col("tournament") <= sample))
    ledger = build_ledger(archive.results, archive.players, archive.tournaments)
    value(ledger, "theory.LS")  # loads SciPy
    print(
        f"{tournaments:,} tournaments of {PLAYERS} players and {ROUNDS} rounds, "
        f"{UNPLAYED:.0%} unplayed; {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"NumPy {np.__version__}, SciPy {scipy.__version__}\n"
    )
    print(f"| code | tbframe | a loop | ratio | {FULL:,} tournaments | at most |")
    print("| --- | --- | --- | --- | --- | --- |")
    codes = [*LOOPS, "theory.GRS", "theory.ELO", "theory.DAVIDSON", "theory.FB", "theory.PERRON",
             "theory.PAGERANK", "theory.RP", "theory.OWA"]  # fmt: skip
    for code in codes:
        ours = best(lambda code=code: value(ledger, code), repeats) / tournaments
        theirs, ratio = "", ""
        if code in LOOPS:
            loop = LOOPS[code]
            each = best(lambda loop=loop: [loop(matrix) for matrix in matrices], 2) / len(matrices)
            theirs, ratio = f"{each * 1e3:.3g} ms", f"{each / ours:.3g}"
            check(ledger, code, [loop(matrix) for matrix in matrices])
        limit = f"{TARGETS[code]} s" if code in TARGETS else ""
        print(
            f"| {code} | {ours * 1e3:.3g} ms | {theirs} | {ratio} | {ours * FULL:.3g} s | {limit} |"
        )


def check(ledger: Ledger, code: str, loop: list[Matrix]) -> None:
    """Refuse to report a speed of wrong values."""
    ours = value(ledger, code)[code].fill_null(np.nan).to_numpy()[: PLAYERS * len(loop)]
    theirs = np.concatenate(loop)
    if not np.allclose(ours, theirs, atol=1e-7, equal_nan=True):
        worst = np.nanmax(np.abs(ours - theirs))
        raise SystemExit(f"{code}: the values differ by up to {worst:.3g}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tournaments", type=int, default=FULL)
    parser.add_argument("--sample", type=int, default=200, help="tournaments in the loop")
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="400 tournaments, a sample of 40")
    given = parser.parse_args()
    tournaments, sample = (400, 40) if given.quick else (given.tournaments, given.sample)
    measure(tournaments, min(sample, tournaments), given.repeats)


if __name__ == "__main__":
    main()
