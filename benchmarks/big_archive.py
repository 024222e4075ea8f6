"""A huge seeded archive of Swiss tournaments on disk, in parts of about 500,000 games.

    python -m benchmarks.big_archive FOLDER                 100 million games: a few minutes
    python -m benchmarks.big_archive FOLDER --tournaments 5000 --games 1000000
    python -m benchmarks.big_archive FOLDER --shuffled      rows of results in random order

The folder gets ``results``, ``players`` and ``tournaments``, each with files ``part-00000.parquet``
and so on. Tournaments are made in batches of a fixed size, each from a seed of its own: with as
many games a tournament, a smaller archive of whole batches is the start of a larger one. Names and
ratings are invented and have nothing to do with the results.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import Final

import numpy as np
import polars as pl
import pyarrow as pa

from benchmarks.synthetic import mixed_sizes, shares_for
from tbframe.schema import RESULTS, ResultCode

__all__ = ["write_archive"]

BATCH, PART, UNPLAYED = 5_000, 2_500, 0.04  # tournaments, tournaments, share of the rounds
_PART_ROWS: Final = 1_000_000
_START, _END = date(1990, 1, 1), date(2026, 12, 31)
_FEDERATIONS: Final = pl.Series(
    ["ARG", "ARM", "AUS", "AUT", "AZE", "BRA", "CZE", "ENG", "ESP", "FRA", "GEO", "GER", "HUN",
     "IND", "ITA", "KAZ", "NED", "NOR", "POL", "SRB", "SUI", "SWE", "TUR", "UKR", "USA", "UZB"]
)  # fmt: skip
_SYLLABLES: Final = (
    "bar", "den", "fol", "gri", "hal", "jen", "kor", "lum", "mar", "nov", "ost", "pel", "ran",
    "sil", "tor", "ulm", "ver", "wes",
)  # fmt: skip
_SURNAMES: Final = [(a + b + c).title() for a in _SYLLABLES for b in _SYLLABLES for c in _SYLLABLES]
_GIVEN: Final = [(a + b).title() for a in _SYLLABLES for b in _SYLLABLES]

#: The smallest types that hold the rows while they wait to be shuffled.
_SMALL: Final = {
    "tournament": pl.UInt32,
    "round": pl.UInt8,
    "player": pl.UInt16,
    "opponent": pl.UInt16,
    "color": pl.Enum(["w", "b"]),
    "result": ResultCode,
    "points": pl.Float32,
}
_CANONICAL: Final = {name: RESULTS[name] or pl.Int64() for name in _SMALL}


def write_archive(
    folder: Path, tournaments: int, games: int, *, seed: int = 1, shuffled: bool = False
) -> dict[str, int]:
    """Write an archive of about so many games.

    Parameters
    ----------
    folder
        Where; nothing of the archive may be there yet.
    tournaments, games
        How many in all. Tournaments have 8 to 300 players and 5 to 13 rounds; small ones are
        the more frequent, the fewer games there are for each. Two rows of results are a game.
    seed
        The same seed gives the same archive.
    shuffled
        Whether rows of results are in random order over the whole archive. Otherwise they are
        sorted by tournament, player and round, and a part has whole tournaments.

    Returns
    -------
    dict
        How many rows each frame has.
    """
    targets = {name: folder / name for name in ("results", "players", "tournaments")}
    for target in targets.values():
        target.mkdir(parents=True)
    keys = _keys(tournaments)
    counts = dict.fromkeys(targets, 0)

    def counted() -> Iterator[pl.DataFrame]:
        for number, results in enumerate(_batches(tournaments, games, seed)):
            about = _tournaments(results, np.random.default_rng((seed, number, 1)))
            frames = {
                "results": results,
                "players": _players(about, np.random.default_rng((seed, number, 2))),
                "tournaments": about.drop("players"),
            }
            for name, frame in frames.items():
                counts[name] += frame.height
                if name != "results":
                    _write_parts(frame, keys, targets[name])
            yield results

    if shuffled:
        _write_shuffled(counted(), keys, targets["results"], -(-2 * games // _PART_ROWS), seed)
    else:
        for results in counted():
            _write_parts(results, keys, targets["results"])
    return counts


def _keys(tournaments: int) -> pl.Series:
    """Name the tournaments, so that their order is that of their numbers."""
    width = max(6, len(str(tournaments)))
    number = pl.int_range(1, tournaments + 1, eager=True).cast(pl.String)
    return "t" + number.str.zfill(width)


def _batches(tournaments: int, games: int, seed: int) -> Iterator[pl.DataFrame]:
    """Make the results of `BATCH` tournaments at a time; their numbers go on from 0."""
    shares = shares_for(2 * games / tournaments)
    for number, first in enumerate(range(0, tournaments, BATCH)):
        count = min(BATCH, tournaments - first)
        made = mixed_sizes(count, UNPLAYED, seed=(seed, number), shares=shares)
        yield made.with_columns(pl.col("tournament") + (first - 1))


def _tournaments(results: pl.DataFrame, rng: np.random.Generator) -> pl.DataFrame:
    about = results.group_by("tournament", maintain_order=True).agg(
        pl.col("player").max().alias("players"), pl.col("round").max().alias("rounds")
    )
    days = (_END - _START).days
    return about.with_columns(
        name=pl.format("Open {}", pl.col("tournament") + 1),
        federation=_drawn(_FEDERATIONS, about.height, rng),
        start=_START + pl.duration(days=pl.Series(rng.integers(0, days + 1, about.height))),
        pairing=pl.lit("swiss"),
    )


def _players(about: pl.DataFrame, rng: np.random.Generator) -> pl.DataFrame:
    """Invent the players: most are of the tournament's federation, a tenth is unrated."""
    number = pl.int_ranges(1, pl.col("players") + 1)
    frame = about.select("tournament", "federation", player=number).explode(
        "player", empty_as_null=False
    )
    count = frame.height
    guest, rated = rng.random(count) < 0.25, rng.random(count) < 0.9
    rating = rng.normal(1800, 300, count).clip(1000, 2850).astype(np.int32)
    surname = _drawn(pl.Series(_SURNAMES), count, rng)
    given = _drawn(pl.Series(_GIVEN), count, rng)
    return frame.select(
        "tournament",
        "player",
        name=surname + ", " + given,
        rating=pl.when(pl.lit(rated)).then(pl.lit(pl.Series(rating))),
        federation=pl.when(pl.lit(guest))
        .then(pl.lit(_drawn(_FEDERATIONS, count, rng)))
        .otherwise("federation"),
    )


def _drawn(values: pl.Series, count: int, rng: np.random.Generator) -> pl.Series:
    return values.gather(rng.integers(0, len(values), count))


def _write_parts(frame: pl.DataFrame, keys: pl.Series, folder: Path) -> None:
    """Write rows that are sorted by tournament, `PART` tournaments a file."""
    for (part,), rows in frame.group_by(pl.col("tournament") // PART, maintain_order=True):
        _write(rows, keys, folder, part)


def _write(frame: pl.DataFrame, keys: pl.Series, folder: Path, part: int) -> None:
    named = frame.with_columns(tournament=keys.gather(frame["tournament"]))
    named.write_parquet(folder / f"part-{part:05}.parquet", compression="zstd")


def _write_shuffled(
    batches: Iterator[pl.DataFrame], keys: pl.Series, folder: Path, parts: int, seed: int
) -> None:
    """Deal the rows out to the parts at random, then shuffle each part.

    The order is as random as that of one shuffle of everything, which memory could not hold.
    """
    schema = pl.DataFrame(schema=_SMALL).to_arrow().schema
    with tempfile.TemporaryDirectory(dir=folder.parent) as waiting:
        paths = [Path(waiting, str(part)) for part in range(parts)]
        with ExitStack() as opened:
            streams = [opened.enter_context(pa.ipc.new_stream(path, schema)) for path in paths]
            for number, results in enumerate(batches):
                dealt = np.random.default_rng((seed, number, 3)).integers(0, parts, results.height)
                small = results.cast(_SMALL)
                for (part,), rows in small.group_by(pl.Series("part", dealt), maintain_order=True):
                    streams[part].write_table(rows.to_arrow())
        for part, path in enumerate(paths):
            with pa.ipc.open_stream(path) as stream:
                rows = pl.DataFrame(stream.read_all(), schema=_SMALL)
            path.unlink()
            order = np.random.default_rng((seed, part, 4)).permutation(rows.height)
            _write(rows[order].cast(_CANONICAL), keys, folder, part)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tournaments", type=int, default=500_000)
    parser.add_argument("--games", type=int, default=100_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shuffled", action="store_true", help="rows in random order")
    given = parser.parse_args()
    start = time.perf_counter()
    counts = write_archive(
        given.folder, given.tournaments, given.games, seed=given.seed, shuffled=given.shuffled
    )
    seconds = time.perf_counter() - start
    size = sum(path.stat().st_size for path in given.folder.rglob("*.parquet"))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(
        f"{counts['tournaments']:,} tournaments, {counts['players']:,} players, "
        f"{counts['results']:,} results ({counts['results'] // 2:,} games)\n"
        f"{size / 1e9:.2f} GB, {seconds:.0f} s, at most {peak:.2f} GB of memory"
    )


if __name__ == "__main__":
    main()
