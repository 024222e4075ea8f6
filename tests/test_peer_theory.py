"""Recursive performance, recursive Buchholz and their averages against the program PyRP.

PyRP is the reference of the group that proposed them. It reads crosstables, one line a player:
each round has the opponent's line, the colour (``-`` where no game was played) and the result.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import polars as pl
import pytest

import tbframe as tb

pyrp = pytest.importorskip("PyRP")

SYNTHETIC = Path(__file__).resolve().parents[1] / "benchmarks" / "synthetic.py"
METHODS = {
    "theory.RP": {"method": "RP"},
    "theory.RB": {"method": "RB"},
    "theory.ARPO": {"method": "ARPO"},
    "theory.ARPO/C1": {"method": "ARPO", "worst": 1},
    "theory.ARPO/C2": {"method": "ARPO", "worst": 2},
    "theory.ARPO/M1": {"method": "ARPO", "worst": 1, "best": 1},
}
#: ARBO is broken in PyRP 0.2 (it calls what does not exist); RB itself is compared.


def synthetic() -> ModuleType:
    spec = importlib.util.spec_from_file_location("synthetic", SYNTHETIC)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["synthetic"] = module
    spec.loader.exec_module(module)
    return module


def crosstable(rows: pl.DataFrame, ratings: dict[int, int | None], path: Path) -> list[int]:
    """Write one tournament; return the players in the order of the lines.

    Who played no game stands last: PyRP leaves him out and counts on.
    """
    played = rows.filter(pl.col("result").is_in(["1", "=", "0"]))
    games = {(p, r): (o, c, x) for p, r, o, c, x in played.select(
        "player", "round", "opponent", "color", "result").rows()}  # fmt: skip
    active = set(played["player"])
    players = sorted(rows["player"].unique(), key=lambda player: (player not in active, player))
    line = {player: number for number, player in enumerate(players, 1)}
    rounds = range(1, rows["round"].max() + 1)
    points = dict(rows.group_by("player").agg(pl.col("points").sum()).rows())
    text = {"1": "1", "=": "x", "0": "0"}
    lines = ["Name;Rtg;Pts;" + ";".join(f"{number}.Rd.;;" for number in rounds)]
    for player in players:
        cells = [str(player), str(ratings[player] or 0), str(points[player])]
        for number in rounds:
            if (player, number) in games:
                opponent, color, result = games[player, number]
                cells += [str(line[opponent]), color, text[result]]
            else:
                cells += ["", "-", ""]
        lines.append(";".join(cells))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [player for player in players if player in active]


@pytest.fixture(scope="module")
def event_results() -> pl.DataFrame:
    sizes = [(6, 8, 5, 0.05), (6, 17, 7, 0.1), (6, 40, 9, 0.04), (4, 64, 9, 0.0), (4, 15, 5, 0.3)]
    make = synthetic().swiss_results
    parts = [make(*size, seed=seed) for seed, size in enumerate(sizes)]
    return pl.concat(
        part.with_columns(tournament=pl.lit(100 * number) + pl.col("tournament"))
        for number, part in enumerate(parts, 1)
    )


def test_values_of_generated_events(event_results, tmp_path):
    rng = np.random.default_rng(5)
    players = event_results.select("tournament", "player").unique(maintain_order=True)
    ratings = rng.integers(1300, 2600, players.height).tolist()
    players = players.with_columns(
        rating=pl.Series([None if rng.random() < 0.1 else rating for rating in ratings])
    )
    tournaments = players.select("tournament").unique().with_columns(pairing=pl.lit("swiss"))
    archive = tb.from_results(event_results, players, tournaments)
    ours = archive.tiebreaks(list(METHODS))
    compared = 0
    for (key,), rows in event_results.group_by("tournament", maintain_order=True):
        rated = dict(players.filter(tournament=key).select("player", "rating").rows())
        path = tmp_path / f"{key}.txt"
        lines = crosstable(rows, rated, path)
        event = pyrp.Tournament.load(str(path))
        mine = {row[0]: row[1:] for row in ours.filter(tournament=key).drop("tournament").rows()}
        for column, method in enumerate(METHODS.values()):
            try:
                theirs = [row[0] for row in event.results_list([method])][: len(lines)]
            except pyrp.TournamentError:  # it did not converge
                assert all(values[column] is None for values in mine.values())
                continue
            for player, value in zip(lines, theirs, strict=True):
                if np.isnan(value):
                    assert mine[player][column] is None
                else:
                    assert mine[player][column] == pytest.approx(value, abs=1e-7)
                    compared += 1
        for idle in set(mine) - set(lines):
            assert set(mine[idle]) == {None}
    assert compared > 3_000
