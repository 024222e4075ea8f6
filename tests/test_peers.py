"""Values and places against two independent programs, on generated tournaments.

Every kind of unplayed round, forfeits of one side and both, withdrawals, odd numbers, repeated
meetings, other values of win and draw, single and double round robins with forfeits.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import polars as pl
import pytest

import tbframe as tb
from tbframe.codes import split_order
from tbframe.scoring import parse_scoring

ROOT = Path(__file__).resolve().parents[1]

CODES = split_order(
    "PTS WIN WON BPG BWG REP PS PS/C1 BH BH/C1 BH/C2 BH/M1 BH/P FB FB/C1 AOB AOB/F "
    "SB SB/C1 SB/C2 SB/P KS KS/L+1 STD"
)
#: Steps of an order without values of their own: compared by the ranks after points and them.
ENCOUNTERS = ("DE", "DE/P")
KEY = ["tournament", "player", "code"]


def load(path: str) -> ModuleType:
    """Load a module that no package holds."""
    name = Path(path).stem
    spec = importlib.util.spec_from_file_location(name, ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # where a dataclass looks up its own annotations
    spec.loader.exec_module(module)
    return module


peers = load("benchmarks/peers.py")
synthetic = load("benchmarks/synthetic.py")
DIFFERENCES = load("tests/peer_differences.py").DIFFERENCES


#: Players and cycles of the round robins.
SIZES = ((5, 1), (6, 1), (7, 1), (8, 1), (9, 1), (5, 2), (6, 2))

# -- tournaments -----------------------------------------------------------------------------


def swiss() -> pl.DataFrame:
    made: pl.DataFrame = synthetic.mixed_sizes(30, 0.4, seed=4, sizes=(6, 7, 8, 9, 10, 13))
    return made


def swiss_three_points() -> pl.DataFrame:
    made = synthetic.mixed_sizes(8, 0.3, seed=8, sizes=(8, 9, 12))
    return with_points(made, "W=3 D=1 L=0")


def round_robins() -> pl.DataFrame:
    """Single and double round robins, every eighth game a forfeit."""
    rng = np.random.default_rng(1)
    rows = [
        (number, *row)
        for number, (size, cycles) in enumerate(SIZES, 1)
        for row in _circle(size, cycles, rng)
    ]
    columns = ["tournament", "round", "player", "opponent", "color", "result"]
    made = pl.DataFrame(rows, schema=columns, orient="row")
    return with_points(made, None).sort("tournament", "player", "round")


def _circle(
    size: int, cycles: int, rng: np.random.Generator
) -> Iterator[tuple[int, int, int, str, str]]:
    """Pair everybody with everybody: all but the first move on around a table."""
    seats = [*range(1, size + 1), *([0] if size % 2 else [])]  # 0: whoever meets it is free
    half, number = len(seats) // 2, 0
    for cycle in range(cycles):
        for _ in range(len(seats) - 1):
            number += 1
            for table, pair in enumerate(zip(seats[:half], reversed(seats[half:]), strict=True)):
                if 0 not in pair:
                    white, black = pair if (number + table + cycle) % 2 else pair[::-1]
                    forfeit = rng.random() < 1 / 8
                    score = str(rng.choice(["+-", "-+", "--"] if forfeit else ["10", "==", "01"]))
                    yield number, white, black, "w", score[0]
                    yield number, black, white, "b", score[1]
            seats = [seats[0], seats[-1], *seats[1:-1]]


def with_points(results: pl.DataFrame, scoring: str | None) -> pl.DataFrame:
    worth = parse_scoring(scoring)
    points = pl.col("result").cast(pl.String).replace_strict(worth, return_dtype=pl.Float64)
    return results.with_columns(points=points)


EVENTS: dict[str, tuple[pl.DataFrame, dict[str, Any]]] = {
    "swiss": (swiss(), {}),
    "swiss 3-1-0": (swiss_three_points(), {"scoring": "W=3 D=1 L=0"}),
    "round robin": (round_robins(), {"predetermined": True}),
}


# -- comparison ------------------------------------------------------------------------------


def our_cells(results: pl.DataFrame, options: dict[str, Any], edition: str) -> pl.DataFrame:
    about = results.select(pl.col("tournament").unique(maintain_order=True)).with_columns(
        pairing=pl.lit("predetermined" if options.get("predetermined") else "swiss"),
        scoring=pl.lit(options.get("scoring"), dtype=pl.String),
    )
    archive = tb.from_results(results, None, about)
    assert archive.findings.is_empty()
    values = archive.tiebreaks(codes_of(edition), edition=edition)
    cells = [
        values.unpivot(index=["tournament", "player"], variable_name="code", value_name="ours")
    ]
    for code in ENCOUNTERS:
        ranked = archive.standings(["PTS", code], edition=edition)
        ours = pl.col("rank").cast(pl.Float64)
        cells.append(ranked.select("tournament", "player", code=pl.lit(code), ours=ours))
    return pl.concat(cells)


def their_cells(
    peer: type, results: pl.DataFrame, options: dict[str, Any], edition: str
) -> pl.DataFrame:
    cells: list[tuple[int, int, str, float | None]] = []
    for (key,), rows in results.partition_by("tournament", as_dict=True).items():
        program = peer(rows, edition, **options)
        found = program.values([code for code in codes_of(edition) if program.offers(code)])
        for code in ENCOUNTERS:
            if program.offers(code):
                found[code] = program.ranks(["PTS", code])
        cells += [
            (key, player, code, None if value is None else float(value))
            for code, values in found.items()
            for player, value in values.items()
        ]
    schema = {"tournament": pl.Int64, "player": pl.Int64, "code": pl.String, "theirs": pl.Float64}
    return pl.DataFrame(cells, schema=schema, orient="row")


def codes_of(edition: str) -> list[str]:
    return [code for code in CODES if code != "STD" or edition == "2026-03"]


def facts(results: pl.DataFrame) -> pl.DataFrame:
    """Say of each player what the table of differences asks about."""
    event, player = "tournament", ["tournament", "player"]
    code = pl.col("result").cast(pl.String)
    own = results.with_columns(
        code=code,
        forfeit=code.is_in(["+", "-"]),
        score=pl.col("points").sum().over(player),
        rounds=pl.col("round").max().over(event),
        players=pl.col("player").n_unique().over(event),
    ).with_columns(ends_in_forfeit=(pl.col("forfeit") & (pl.col("round") == pl.col("rounds"))))
    of_opponent = own.select(
        "tournament",
        "round",
        opponent="player",
        their_code="code",
        their_score="score",
        theirs_ends_in_forfeit=pl.col("ends_in_forfeit").any().over(player),
    )
    rows = own.join(of_opponent, on=["tournament", "round", "opponent"], how="left")
    level = pl.col("score") == pl.col("their_score")
    near = pl.col("ends_in_forfeit") | pl.col("theirs_ends_in_forfeit")
    win, loss, black = pl.col("code") == "+", pl.col("code") == "-", pl.col("color") == "b"
    return (
        rows.with_columns(
            last_round_forfeits=pl.col("ends_in_forfeit").sum().over(event),
            forfeits_in_group=(pl.col("forfeit") & level).sum().over("tournament", "score"),
        )
        .group_by(player)
        .agg(
            pl.col("rounds", "players", "last_round_forfeits", "forfeits_in_group").first(),
            last_round_forfeits_near=near.sum(),
            forfeits=pl.col("forfeit").sum(),
            forfeit_wins=win.sum(),
            forfeit_losses=loss.sum(),
            black_forfeit_wins=(win & black).sum(),
            black_forfeit_losses=(loss & black).sum(),
            double_forfeits=(loss & (pl.col("their_code") == "-")).sum(),
            vurs=pl.col("code").is_in(["H", "Z", "-"]).sum(),
        )
        .with_columns(pl.selectors.integer().cast(pl.Int64))
    )


@pytest.fixture(scope="module")
def comparison() -> pl.DataFrame:
    """Return a row for each value of each program: theirs, ours and the facts behind it."""
    parts = []
    for events, (results, options) in EVENTS.items():
        pairing = "predetermined" if options.get("predetermined") else "swiss"
        about = facts(results)
        for edition in peers.EDITIONS:
            ours = our_cells(results, options, edition)
            for peer in (peers.Gacrux, peers.TiebreakCore):
                if "scoring" in options and peer is peers.TiebreakCore:
                    continue
                theirs = their_cells(peer, results, options, edition)
                labels = {
                    "events": events,
                    "pairing": pairing,
                    "peer": peer.name,
                    "edition": edition,
                }
                parts.append(
                    theirs.join(ours, on=KEY, how="left")
                    .join(about, on=["tournament", "player"])
                    .with_columns(pl.lit(value).alias(name) for name, value in labels.items())
                )
    return pl.concat(parts)


@pytest.fixture(scope="module")
def differing(comparison: pl.DataFrame) -> pl.DataFrame:
    """Return the rows whose values are not the same."""
    rounding = 1e-9  # of averages, which are the only fractions beyond quarters
    same = (pl.col("ours") - pl.col("theirs")).abs() < rounding
    neither = pl.col("ours").is_null() & pl.col("theirs").is_null()
    return comparison.filter(~(same.fill_null(value=False) | neither))


# -- tests -----------------------------------------------------------------------------------


def test_the_tournaments_have_everything_that_is_hard() -> None:
    results = EVENTS["swiss"][0]
    seen = set(results["result"].cast(pl.String))
    assert seen == {*"1=0+-FHUZ"}
    assert facts(results)["double_forfeits"].sum() > 0
    met_again = results.drop_nulls("opponent").select("tournament", "player", "opponent")
    assert met_again.is_duplicated().any()
    sizes = results.group_by("tournament").agg(pl.col("player").n_unique())["player"]
    assert {size % 2 for size in sizes} == {0, 1}


def test_every_value_is_compared_with_gacrux(comparison: pl.DataFrame) -> None:
    cells = comparison.filter(peer="gacrux").select("events", "edition", *KEY)
    assert not cells.is_duplicated().any()
    players = sum(
        results.select("tournament", "player").n_unique() for results, _ in EVENTS.values()
    )
    codes = sum(len(codes_of(edition)) + len(ENCOUNTERS) for edition in peers.EDITIONS)
    assert cells.height == players * codes


def test_tiebreak_core_offers_most(comparison: pl.DataFrame) -> None:
    for edition, lacking in (
        ("2024-08", {"BH/P", "FB/C1", "AOB/F", "SB/C2", "SB/P", "DE/P"}),
        ("2026-03", set()),
    ):
        offered = comparison.filter(peer="tiebreak-core", edition=edition)["code"].unique()
        assert set(offered) == {*codes_of(edition), *ENCOUNTERS} - lacking


def test_no_difference_is_unexplained(differing: pl.DataFrame) -> None:
    explained = pl.any_horizontal(each.explains() for each in DIFFERENCES)
    unexplained = differing.filter(~explained)
    first = unexplained.select("events", "peer", "edition", *KEY, "ours", "theirs").head(10)
    assert unexplained.is_empty(), f"{unexplained.height} unexplained differences:\n{first}"


@pytest.mark.parametrize("entry", DIFFERENCES, ids=str)
def test_every_explanation_is_still_needed(differing: pl.DataFrame, entry: Any) -> None:
    found = differing.filter(entry.explains()).select("code", "edition").unique().rows()
    named = {(code, edition) for code in entry.codes for edition in entry.editions}
    assert set(found) == named
