"""What all tests share."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import tbframe as tb

#: Official values and real files that are kept beside the repository, not in it.
CASES = Path(__file__).resolve().parents[2] / "shared" / "cases"


@pytest.fixture(scope="session")
def cases() -> Path:
    """Return the folder of official cases, or skip where it is not at hand."""
    if not CASES.is_dir():
        pytest.skip("the folder of official cases is not beside this checkout")
    return CASES


FACTS = Path(__file__).resolve().parent / "facts"


@pytest.fixture(scope="session")
def fact_event() -> Callable[[str], tb.Archive]:
    """Return a function that gives the archive of one event of tests/facts/games.csv."""
    games = pl.read_csv(
        FACTS / "games.csv",
        schema_overrides={"result": pl.String, "color": pl.String, "opponent": pl.Int64},
    ).rename({"event": "tournament"})
    events = pl.read_csv(FACTS / "events.csv", try_parse_dates=True).rename({"event": "tournament"})

    def archive(event: str) -> tb.Archive:
        rows = games.filter(tournament=event)
        players = rows.select("tournament", "player", "name", "rating").unique()
        about = events.filter(tournament=event).select("tournament", "rounds", "pairing", "start")
        return tb.from_results(rows.drop("name", "rating"), players, about)

    return archive


@pytest.fixture(scope="session")
def report() -> Callable[[str], tuple[dict[str, Any], tb.Archive]]:
    """Return a function that gives one case of tests/facts/reports, and its games as an archive."""

    def load(number: str) -> tuple[dict[str, Any], tb.Archive]:
        (path,) = (FACTS / "reports").glob(f"{number}_*.json")
        case = json.loads(path.read_text(encoding="utf-8"))
        games = pl.DataFrame(case["games"]).with_columns(tournament=pl.lit(number))
        players = pl.DataFrame(case["players"]).select(
            tournament=pl.lit(number), player=pl.col("id")
        )
        pairing = "predetermined" if "round_robin" in case.get("system", "") else "swiss"
        scoring = case.get("scoring")
        about = pl.DataFrame(
            {
                "tournament": [number],
                "pairing": [pairing],
                "scoring": [
                    f"W={scoring['win']} D={scoring['draw']} L={scoring['loss']}"
                    if scoring
                    else None
                ],
            },
            schema_overrides={"scoring": pl.String},
        )
        byes = None
        if case.get("byes"):
            byes = pl.DataFrame(case["byes"]).with_columns(tournament=pl.lit(number))
        return case, tb.from_games(games, players, about, byes=byes)

    return load


@pytest.fixture(
    params=[(lazy, shuffled) for lazy in (False, True) for shuffled in (False, True)],
    ids=["eager-ordered", "eager-shuffled", "lazy-ordered", "lazy-shuffled"],
)
def layout(request: pytest.FixtureRequest) -> Callable[[pl.DataFrame], pl.DataFrame | pl.LazyFrame]:
    """Return a function that gives a frame eagerly or lazily, its rows ordered or shuffled."""
    lazy, shuffled = request.param

    def convert(frame: pl.DataFrame) -> pl.DataFrame | pl.LazyFrame:
        if shuffled:
            frame = frame.sample(fraction=1, shuffle=True, seed=11)
        return frame.lazy() if lazy else frame

    return convert
