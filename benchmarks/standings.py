"""How fast standings are, against other ways to the same values, as ratios in one run.

Prints Markdown tables for benchmarks/README.md. Everything starts from canonical rows: what an
archive holds once it is read. What each contender needs besides is prepared outside the clock:
here the ledger (its time stands in a row of its own), for the two programs their own records,
for the compiled loop the row numbers. Of several runs the fastest counts.

    python benchmarks/standings.py            20,000 tournaments: a few minutes, 8 GB of memory
    python benchmarks/standings.py --quick    400 tournaments: a look whether it works
"""

from __future__ import annotations

import argparse
import os
import platform
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final, NamedTuple

import compiled
import numpy as np
import peers
import polars as pl
import synthetic

import tbframe as tb
from tbframe.ledger import Ledger, build_ledger
from tbframe.standings import compute_standings, compute_tiebreaks
from tbframe.tiebreaks import parse_order

EDITION: Final = "2026-03"
ORDER: Final = ("PTS", "DE", "BH/C1", "BH", "SB")
WITHOUT_DE: Final = ("PTS", "BH/C1", "BH", "SB")
LOOP: Final = ("PTS", "BH", "BH/C1", "SB")
PLAIN: Final = ("BH", "BH/C1", "SB")
PLAYERS, ROUNDS, UNPLAYED = 100, 9, 0.04


class Row(NamedTuple):
    """A line of the table: what, how long both take in seconds, and the ratio to be reached."""

    what: str
    ours: float
    theirs: float
    ratio: float
    target: str


def best(run: Callable[[], object], repeats: int) -> float:
    """Return the fewest seconds of several runs."""
    return min(seconds(run) for _ in range(repeats))


def seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def archive_of(tournaments: int) -> tb.Archive:
    results = synthetic.swiss_results(tournaments, PLAYERS, ROUNDS, UNPLAYED)
    about = pl.DataFrame({"tournament": range(1, tournaments + 1)}).with_columns(
        pairing=pl.lit("swiss")
    )
    return tb.from_results(results, None, about)


def ledger_of(archive: tb.Archive) -> Ledger:
    return build_ledger(archive.results, archive.players, archive.tournaments)


def rank(ledger: Ledger, order: tuple[str, ...] = ORDER) -> pl.DataFrame:
    return compute_standings(ledger, parse_order(order), edition=EDITION)


def value(ledger: Ledger, codes: tuple[str, ...]) -> pl.DataFrame:
    return compute_tiebreaks(ledger, parse_order(codes), edition=EDITION)


def join_and_group(results: pl.DataFrame) -> pl.DataFrame:
    """Three sums over the opponents as one would write them in Polars, without article 16."""
    rows = results.lazy()
    scores = rows.group_by("tournament", "player").agg(score=pl.col("points").sum())
    theirs = pl.col("score")
    return (
        rows.join(
            scores,
            left_on=["tournament", "opponent"],
            right_on=["tournament", "player"],
            how="left",
        )
        .group_by("tournament", "player")
        .agg(
            BH=theirs.sum(),
            cut_1=theirs.sum() - theirs.min(),
            SB=(theirs * pl.col("points")).sum(),
        )
        .collect(engine="streaming")
    )


def rank_each(programs: list[Any], order: tuple[str, ...]) -> None:
    for program in programs:
        program.compute(order)


def against_peers(
    archive: tb.Archive, ledger: Ledger, building: float, sample: int, repeats: int
) -> list[Row]:
    """Compare the time per tournament; the programs compute one after the other."""
    events = archive.tournaments.height
    ours = best(lambda: rank(ledger), repeats) / events
    ours_without = best(lambda: rank(ledger, WITHOUT_DE), repeats) / events
    chosen = np.linspace(1, events, min(sample, events)).astype(int).tolist()
    rows = archive.results.filter(pl.col("tournament").is_in(chosen)).partition_by("tournament")
    table = []
    for peer, order, mine, target in (
        (peers.TiebreakCore, ORDER, ours, 250),
        (peers.TiebreakCore, WITHOUT_DE, ours_without, 250),
        (peers.Gacrux, ORDER, ours, 400),
    ):
        programs: list[Any] = [peer(each, EDITION) for each in rows]
        theirs = best(partial(rank_each, programs, order), repeats) / len(programs)
        what = f"one of {events:,} tournaments, {' '.join(order)}, against {peer.name}"
        table.append(Row(what, mine, theirs, theirs / mine, f"at least {target}"))
        if order == ORDER:
            in_all = mine + building / events
            table.append(Row("the same, ledger included", in_all, theirs, theirs / in_all, ""))
    return table


def against_loop(archive: tb.Archive, ledger: Ledger, repeats: int) -> list[Row]:
    """Compare with the compiled loop, whose values have to be the same."""
    rows = compiled.rows_of(archive.results)
    frame = value(ledger, LOOP)
    made = compiled.compute(rows)
    for code, units, in_point in zip(
        LOOP,
        (made.points, made.buchholz, made.buchholz_cut_1, made.sonneborn_berger),
        (2, 2, 2, 4),
        strict=True,
    ):
        assert (frame[code].to_numpy() == units / in_point).all(), f"{code}: values differ"
    compiled.compute(rows, all_cores=False)
    ours = best(lambda: value(ledger, LOOP), 2 * repeats)
    table = []
    for all_cores in (True, False):
        theirs = best(partial(compiled.compute, rows, all_cores=all_cores), 4 * repeats)
        where = "all cores" if all_cores else "one core"
        what = f"{' '.join(LOOP)}, against a compiled loop on {where}"
        table.append(Row(what, ours, theirs, ours / theirs, "at most 5 times as long"))
    return table


def measure(tournaments: int, repeats: int, sample: int) -> tuple[list[Row], list[Row]]:
    """Return the comparisons, and where the time goes."""
    archive = archive_of(tournaments)
    building = best(lambda: ledger_of(archive), 2)
    ledger = ledger_of(archive)
    table = against_peers(archive, ledger, building, sample, repeats)

    ours = best(lambda: value(ledger, PLAIN), repeats)
    theirs = best(lambda: join_and_group(archive.results), repeats)
    what = f"{' '.join(PLAIN)}, against join and group_by in Polars"
    table.append(Row(what, ours, theirs, theirs / ours, "at least 5"))
    table += against_loop(archive, ledger, repeats)

    whole = best(lambda: rank(ledger), repeats)
    few = archive.select(*range(1, tournaments // 10 + 1))
    ledger_of_few = ledger_of(few)
    part = best(lambda: rank(ledger_of_few), 3 * repeats)
    what = f"standings of {tournaments:,} tournaments, against {few.tournaments.height:,}"
    table.append(Row(what, whole, part, whole / part, "at most 11 times as long"))

    single = archive.select(1)
    alone = best(lambda: rank(ledger_of(single)), 10 * repeats)
    what = f"one tournament of {PLAYERS} players alone, ledger included, in milliseconds"
    table.append(Row(what, alone, float("nan"), 1000 * alone, "at most 20"))

    shares = [Row("building the ledger, once", building, float("nan"), building / whole, "")]
    before = 0.0
    for count in range(1, len(ORDER) + 1):
        upto = best(partial(rank, ledger, ORDER[:count]), repeats)
        what = f"{ORDER[count - 1]}, after {' '.join(ORDER[: count - 1]) or 'nothing'}"
        shares.append(Row(what, upto - before, float("nan"), (upto - before) / whole, ""))
        before = upto
    return table, shares


def shown(time_taken: float) -> str:
    """Write seconds in a unit that suits them."""
    if np.isnan(time_taken):
        return ""
    for unit, name in ((1.0, "s"), (1e-3, "ms")):
        if abs(time_taken) >= unit:
            return f"{time_taken / unit:.3g} {name}"
    return f"{time_taken * 1e6:.3g} µs"


def markdown(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tournaments", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--sample", type=int, default=40, help="tournaments the programs compute")
    parser.add_argument("--quick", action="store_true", help="400 tournaments, a sample of 4")
    given = parser.parse_args()
    tournaments, sample = (400, 4) if given.quick else (given.tournaments, given.sample)
    if tournaments < 10:
        parser.error("--tournaments: at least 10")
    table, shares = measure(tournaments, given.repeats, sample)
    print(
        f"{tournaments:,} tournaments of {PLAYERS} players and {ROUNDS} rounds, "
        f"{UNPLAYED:.0%} unplayed, edition {EDITION}; {os.cpu_count()} cores, "
        f"Python {platform.python_version()}, Polars {pl.__version__}, NumPy {np.__version__}\n"
    )
    print(
        markdown(
            ("what", "tbframe", "the other", "ratio", "target"),
            [(r.what, shown(r.ours), shown(r.theirs), f"{r.ratio:.3g}", r.target) for r in table],
        )
    )
    print(f"\nWhere the time of {' '.join(ORDER)} goes, ranks and frame included:\n")
    print(
        markdown(
            ("what", "time", "share of the standings"),
            [(r.what, shown(r.ours), f"{r.ratio:.0%}") for r in shares],
        )
    )


if __name__ == "__main__":
    main()
