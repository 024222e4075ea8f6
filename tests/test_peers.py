"""Values and places against two independent programs, on generated tournaments.

Every kind of unplayed round, forfeits of one side and both, withdrawals, odd numbers, repeated
meetings, other values of win and draw, single and double round robins with forfeits, ratings of
all bands of the tables and unrated players, team events with forfeited boards and matches.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import tbframe as tb
from tbframe.codes import split_order
from tbframe.scoring import parse_scoring

ROOT = Path(__file__).resolve().parents[1]

CODES = split_order(
    "PTS WIN WON BPG BWG REP PS PS/C1 BH BH/C1 BH/C2 BH/M1 BH/P FB FB/C1 AOB AOB/F "
    "SB SB/C1 SB/C2 SB/P KS KS/L+1 STD"
)
RATING_CODES = split_order("ARO ARO/C1 ARO/C2 ARO/M1 TPR PTP APRO APPO RTNG")
WITH_UNRATED = [f"{code}/U1400" for code in RATING_CODES]
TEAM_CODES = split_order(
    "MPTS GPTS MPVGP WIN:MP BH:MP BH:GP BH:MP/C1 BH:GP/C1 FB:MP FB:GP PS:MP PS:GP KS:MP KS:GP "
    "SB:MP SB:GP SB:MP/C1 EMMSB EMGSB EGMSB EGGSB EMMSB/C1 EMGSB/C1 EGMSB/C1 EGGSB/C1 "
    "SSSC SSSC/K3 BC"
)
#: Steps of an order without values of their own: compared by the ranks after points and them.
STEPS = ["DE", "DE/P", "RTNG/U1400"]
TEAM_STEPS = split_order("EDE TBR BBE EDEBT EDEBB EDET EDEB")
#: What the edition of August 2024 does not have.
NEW_CODES = ("STD", "RTNG", "RTNG/U1400")
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


class Events(NamedTuple):
    """Tournaments of one sort, what to compute for them, and what the programs are told."""

    archive: tb.Archive
    codes: list[str]
    steps: list[str]
    options: dict[str, Any]

    @property
    def pairing(self) -> str:
        return "predetermined" if self.options.get("predetermined") else "swiss"

    def asked(self, edition: str) -> tuple[list[str], list[str]]:
        """Return the codes and the steps that the edition has."""
        new = NEW_CODES if edition == "2024-08" else ()
        codes, steps = (
            [code for code in each if code not in new] for each in (self.codes, self.steps)
        )
        return codes, steps


#: Players and cycles of the round robins.
SIZES = ((5, 1), (6, 1), (7, 1), (8, 1), (9, 1), (5, 2), (6, 2))

# -- tournaments -----------------------------------------------------------------------------


def swiss() -> pl.DataFrame:
    made: pl.DataFrame = synthetic.mixed_sizes(24, 0.4, seed=6, sizes=(6, 7, 8, 9, 10, 13))
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


def matches(of_each: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Play the pairings of Swiss tournaments on four boards; return the boards and the byes."""
    rng = np.random.default_rng(6)
    sizes = ((8, 5), (9, 6), (11, 7), (14, 7), (12, 5))
    rows = pl.concat(
        synthetic.swiss_results(of_each, teams, rounds, 0.25, seed=teams).with_columns(
            tournament=of_each * number + pl.col("tournament")
        )
        for number, (teams, rounds) in enumerate(sizes)
    ).rename({"player": "team", "result": "type"})
    paired = rows.drop_nulls("opponent").select("tournament", "round", "team", "opponent", "type")
    forfeits = {("+", "-"): "+-", ("-", "+"): "-+", ("-", "-"): "--"}
    outcome = {row[:3]: row[4] for row in paired.iter_rows()}
    games = []
    for event, number, team, opponent, code in paired.filter(
        pl.col("team") < pl.col("opponent")
    ).iter_rows():
        absent = forfeits.get((code, outcome[event, number, opponent]))
        for board in range(1, 5):
            forfeit = str(rng.choice(["+-", "-+", "--"]))
            game = forfeit if rng.random() < 1 / 10 else str(rng.choice(["10", "==", "01"]))
            score, color = absent or game, "wb"[board % 2]
            games.append((event, number, team, opponent, board, color, score[0]))
            games.append((event, number, opponent, team, board, "bw"[board % 2], score[1]))
    columns = ["tournament", "round", "team", "opponent", "board", "color", "result"]
    byes = rows.filter(pl.col("opponent").is_null())
    return (
        pl.DataFrame(games, schema=columns, orient="row"),
        byes.select("tournament", "round", "team", pl.col("type").cast(pl.String)),
    )


def drawn_matches() -> pl.DataFrame:
    """Return the boards of every drawn match on five boards, each an event of its own.

    On four, board count never contradicts the top or the bottom boards.
    """
    ways = [way for way in product("1=0", repeat=5) if way.count("1") == way.count("0")]
    other = {"1": "0", "=": "=", "0": "1"}
    games = [
        (number, 1, *teams, board, "wb"[(board + teams[0]) % 2], code)
        for number, way in enumerate(ways, 1)
        for board, first in enumerate(way, 1)
        for teams, code in (((1, 2), first), ((2, 1), other[first]))
    ]
    columns = ["tournament", "round", "team", "opponent", "board", "color", "result"]
    return pl.DataFrame(games, schema=columns, orient="row")


def with_points(results: pl.DataFrame, scoring: str | None) -> pl.DataFrame:
    worth = parse_scoring(scoring)
    points = pl.col("result").cast(pl.String).replace_strict(worth, return_dtype=pl.Float64)
    return results.with_columns(points=points)


def individual(results: pl.DataFrame, **options: Any) -> Events:
    """Rate the players, but some of every third tournament, and make an archive."""
    about = results.select(pl.col("tournament").unique(maintain_order=True)).with_columns(
        pairing=pl.lit("predetermined" if options.get("predetermined") else "swiss"),
        scoring=pl.lit(options.get("scoring"), dtype=pl.String),
    )
    rng = np.random.default_rng(2)
    players = results.select("tournament", "player").unique(maintain_order=True)
    unrated = (pl.col("tournament") % 3 == 0) & (pl.lit(rng.random(players.height)) < 0.3)
    rating = pl.lit(rng.integers(1400, 2701, players.height))
    players = players.with_columns(rating=pl.when(~unrated).then(rating))
    archive = tb.from_results(results, players, about)
    assert archive.findings.is_empty()
    return Events(archive, CODES + RATING_CODES + WITH_UNRATED, STEPS, options)


def teams(
    boards: pl.DataFrame,
    byes: pl.DataFrame | None = None,
    *,
    primary: str = "MP",
    codes: list[str] = TEAM_CODES,
) -> Events:
    about = boards.select(pl.col("tournament").unique(maintain_order=True)).with_columns(
        kind=pl.lit("team"),
        pairing=pl.lit("swiss"),
        boards=pl.lit(boards["board"].max()),
        primary=pl.lit(primary),
    )
    archive = tb.from_boards(boards, byes, tournaments=about)
    assert archive.findings.is_empty()
    return Events(archive, codes, TEAM_STEPS, {"primary": primary})


EVENTS = {
    "swiss": individual(swiss()),
    "swiss 3-1-0": individual(swiss_three_points(), scoring="W=3 D=1 L=0"),
    "round robin": individual(round_robins(), predetermined=True),
    "teams": teams(*matches(3)),
    "teams by game points": teams(*matches(2), primary="GP"),
    "drawn matches": teams(drawn_matches(), codes=["MPTS", "GPTS", "BC"]),
}


# -- comparison ------------------------------------------------------------------------------


def our_cells(events: Events, edition: str) -> pl.DataFrame:
    codes, steps = events.asked(edition)
    values = events.archive.tiebreaks(codes, edition=edition)
    cells = [
        values.unpivot(index=["tournament", "player"], variable_name="code", value_name="ours")
    ]
    for code in steps:
        ranked = events.archive.standings(["PTS", code], edition=edition)
        ours = pl.col("rank").cast(pl.Float64)
        step = pl.lit(f"PTS {code}")
        cells.append(ranked.select("tournament", "player", code=step, ours=ours))
    return pl.concat(cells)


def their_cells(peer: type, events: Events, edition: str) -> pl.DataFrame:
    codes, steps = events.asked(edition)
    cells: list[tuple[int, int, str, float | None]] = []
    for key in events.archive.tournaments["tournament"]:
        event = events.archive.select(key)
        program = peer(event.results, edition, **events.options, **extras(event))
        found = program.values([code for code in codes if program.offers(code)])
        for code in steps:
            if program.offers(code):
                found[f"PTS {code}"] = program.ranks(["PTS", code])
        cells += [
            (key, player, code, None if value is None else float(value))
            for code, values in found.items()
            for player, value in values.items()
        ]
    schema = {"tournament": pl.Int64, "player": pl.Int64, "code": pl.String, "theirs": pl.Float64}
    return pl.DataFrame(cells, schema=schema, orient="row")


def extras(event: tb.Archive) -> dict[str, Any]:
    """Return what the programs take besides results: boards of teams, ratings of players."""
    if event.boards is not None:
        return {"boards": event.boards}
    return {"ratings": dict(event.players.select("player", "rating").iter_rows())}


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
        their_forfeits=pl.col("forfeit").sum().over(player),
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
            games=pl.col("code").is_in(["1", "=", "0"]).sum(),
            forfeits=pl.col("forfeit").sum(),
            forfeits_near=(pl.col("forfeit") | (pl.col("their_forfeits") > 0)).sum(),
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
    for name, events in EVENTS.items():
        about = facts(events.archive.results)
        newest = our_cells(events, peers.EDITIONS[-1]).rename({"ours": "ours_newest"})
        for edition in peers.EDITIONS:
            ours = our_cells(events, edition)
            for peer in (peers.Gacrux, peers.TiebreakCore):
                if peer is peers.TiebreakCore and {"scoring", "primary"} & {*events.options}:
                    continue
                labels = {
                    "events": name,
                    "pairing": events.pairing,
                    "peer": peer.name,
                    "edition": edition,
                }
                parts.append(
                    their_cells(peer, events, edition)
                    .join(ours, on=KEY, how="left")
                    .join(newest, on=KEY, how="left")
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
    results = EVENTS["swiss"].archive.results
    seen = set(results["result"].cast(pl.String))
    assert seen == {*"1=0+-FHUZ"}
    assert facts(results)["double_forfeits"].sum() > 0
    met_again = results.drop_nulls("opponent").select("tournament", "player", "opponent")
    assert met_again.is_duplicated().any()
    sizes = results.group_by("tournament").agg(pl.col("player").n_unique())["player"]
    assert {size % 2 for size in sizes} == {0, 1}


def test_the_team_events_have_everything_that_is_hard() -> None:
    archive = EVENTS["teams"].archive
    assert set(archive.results["result"].cast(pl.String)) == {*"1=0+-FHUZ"}
    assert facts(archive.results)["double_forfeits"].sum() > 0
    assert archive.boards is not None
    games = archive.boards.group_by("tournament", "round", "team").agg(
        pl.col("result").cast(pl.String).is_in(["+", "-"]).mean()
    )
    assert set(games["result"]) >= {0, 0.25, 0.5, 0.75, 1}


def test_every_team_step_breaks_ties_in_its_own_way(comparison: pl.DataFrame) -> None:
    steps = [f"PTS {step}" for step in ("EDE", "TBR", "BBE", "EDEBT", "EDEBB", "EDET", "EDEB")]
    here = comparison.filter(pl.col("events").is_in(["teams", "drawn matches"]), peer="gacrux")
    ranks = here.pivot("code", index=["events", "edition", *KEY[:2]], values="ours").select(steps)
    assert len({tuple(ranks[step]) for step in steps}) == len(steps)


@pytest.mark.parametrize("name", ["teams", "teams by game points"])
def test_results_with_game_points_give_what_their_boards_give(name: str) -> None:
    archive = EVENTS[name].archive
    matches = tb.from_results(archive.results, archive.players, archive.tournaments)
    codes = [code for code in TEAM_CODES if code != "BC"]
    assert_frame_equal(
        matches.tiebreaks(codes, edition="2026-03"), archive.tiebreaks(codes, edition="2026-03")
    )


def test_the_ratings_reach_every_band_of_the_tables() -> None:
    archive = EVENTS["swiss"].archive
    rating = archive.players.select("tournament", "player", "rating")
    pairs = (
        archive.results.filter(pl.col("result").cast(pl.String).is_in([*"1=0"]))
        .join(rating, on=["tournament", "player"])
        .join(rating, left_on=["tournament", "opponent"], right_on=["tournament", "player"])
    )
    apart = (pairs["rating"] - pairs["rating_right"]).drop_nulls().abs()
    assert apart.min() <= 3  # type: ignore[operator]
    assert apart.max() > 735  # type: ignore[operator]
    assert 0 < rating["rating"].null_count() < rating.height


def test_every_value_is_compared_with_gacrux(comparison: pl.DataFrame) -> None:
    cells = comparison.filter(peer="gacrux").select("events", "edition", *KEY)
    assert not cells.is_duplicated().any()
    for name, events in EVENTS.items():
        for edition in peers.EDITIONS:
            asked = sum(len(each) for each in events.asked(edition))
            here = cells.filter(events=name, edition=edition)
            assert here.height == events.archive.players.height * asked


def test_tiebreak_core_offers_most(comparison: pl.DataFrame) -> None:
    codes, steps = EVENTS["swiss"].asked("2026-03")
    everything = {*codes, *(f"PTS {step}" for step in steps)} - {"RTNG", "RTNG/U1400"}
    lacking = {"BH/P", "FB/C1", "AOB/F", "SB/C2", "SB/P", "PTS DE/P", "STD", "PTS RTNG/U1400"}
    lacking |= {f"ARO/{cut}{unrated}" for cut in ("C2", "M1") for unrated in ("", "/U1400")}
    for edition, missing in (("2024-08", lacking), ("2026-03", set())):
        offered = comparison.filter(peer="tiebreak-core", edition=edition)["code"].unique()
        assert set(offered) == everything - missing


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
