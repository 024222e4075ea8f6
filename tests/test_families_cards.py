"""Tie-breaks of card games: published values, hand arithmetic, and fractions one by one."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import tbframe as tb
from tbframe.tiebreaks.families.percentages import Shares, half_up
from tbframe.tiebreaks.registry import codes

THREE_ONE = pl.DataFrame({"scoring": ["W=3 D=1 L=0"], "pairing": ["swiss"]})
OTHER = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+"}


def _archive(rows: Iterable[tuple[Any, ...]], *more: str, **frames: pl.DataFrame) -> tb.Archive:
    """Make an archive of rows of round, player, opponent, result, and further columns."""
    columns = ["round", "player", "opponent", "result", *more]
    results = pl.DataFrame(list(rows), schema=columns, orient="row", infer_schema_length=None)
    return tb.from_results(results, frames.get("players"), frames.get("tournaments", THREE_ONE))


def _games(text: str) -> list[tuple[Any, ...]]:
    """Read ``"1 A-B 1, 1 C U"``: round, players and the result of the first; or a bye."""
    rows: list[tuple[Any, ...]] = []
    for game in text.split(","):
        number, players, result = game.split()
        first, _, second = players.partition("-")
        rows.append((int(number), first, second or None, result))
        if second:
            rows.append((int(number), second, first, OTHER[result]))
    return rows


def _record(player: str, results: str) -> list[tuple[Any, ...]]:
    """Play a record round by round against opponents of his own: ``"110=U"``, ``.`` for no row."""
    rows: list[tuple[Any, ...]] = []
    for number, result in enumerate(results, start=1):
        if result in "UFHZ":
            rows.append((number, player, None, result))
        elif result != ".":
            other = f"{player}{number}"
            rows += [(number, player, other, result), (number, other, player, OTHER[result])]
    return rows


def _value(archive: tb.Archive, code: str, player: str) -> float | None:
    values = archive.tiebreaks(code, edition="2026-03").filter(player=player)
    return values[code].item()


# -- Magic --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("results", "without", "with_byes"),
    [
        ("11111100=", 19 / 27, 19 / 27),  # 6-2-1: published, 70.3704 %
        ("UU111100=", 13 / 21, 19 / 27),  # two of the six wins are byes: published, 61.9048 %
        ("10000", 0.33, 0.33),  # 3 of 15 is 20 %: published, 33.0 %
        ("1000....", 0.33, 0.33),  # appendix C: 3 of 12, then withdraws
        ("U1100...", 6 / 12, 9 / 15),  # appendix C: 3-2 with a bye, then withdraws: 0.60
        ("1111100=", 16 / 24, 16 / 24),  # appendix C: 5-2-1: 0.667
        ("F1Z", 1.0, 1.0),  # absent: no round
        ("+-", 3 / 6, 3 / 6),  # decided by absence: matches
        ("U", None, 1.0),
    ],
)
def test_match_win_percentages(
    results: str, without: float | None, with_byes: float | None
) -> None:
    archive = _archive(_record("P", results))
    assert _value(archive, "mtg.MW", "P") == without
    assert _value(archive, "mtg.MWB", "P") == with_byes


def test_match_points_are_three_and_one_whatever_the_scoring() -> None:
    archive = _archive(_record("P", "1=0"), tournaments=pl.DataFrame({"pairing": ["swiss"]}))
    assert _value(archive, "PTS", "P") == 1.5
    assert _value(archive, "mtg.MW", "P") == 4 / 9


#: P meets X, who ends 0-3, Y, 1-2, and Z, 2-1.
TRIO = "1 P-X 1, 1 Y-F 1, 1 Z-G 1, 2 P-Y 1, 2 F-X 1, 2 G-Z 1, 3 Z-P 1, 3 G-X 1, 3 F-Y 1"


def test_the_least_percentage_is_033_or_a_third() -> None:
    archive = _archive(_games(TRIO))
    assert _value(archive, "mtg.OMW", "P") == pytest.approx(0.4433, abs=5e-5)  # published
    assert _value(archive, "mtg.OMW/K3", "P") == pytest.approx(0.4444, abs=5e-5)  # published
    assert _value(archive, "mtg.OMW", "P") == float(Fraction(133, 300))
    assert _value(archive, "mtg.OMW/K3", "P") == float(Fraction(4, 9))


def test_a_bye_has_no_opponent_in_the_average() -> None:
    # P has a bye and meets Q, who has two of three besides a bye: 6 of 9, with the bye 9 of 12.
    archive = _archive(_games("1 P U, 2 P-Q 0, 1 Q U, 3 Q-R 1, 4 Q-S 0, 4 P-T 1, 5 T-V 0"))
    assert _value(archive, "mtg.OMW", "P") == float((Fraction(6, 9) + Fraction(33, 100)) / 2)
    assert _value(archive, "mtg.OMWB", "P") == float((Fraction(9, 12) + Fraction(33, 100)) / 2)
    assert _value(_archive(_record("P", "UU")), "mtg.OMW", "P") is None


def test_averages_that_are_equal_are_level_however_they_came_about() -> None:
    # A met players of 1/3 and 2/3, B two of 1/2: (1/3 + 2/3) / 2 = (1/2 + 1/2) / 2.
    games = (
        "1 A-X 1, 2 X-M 1, 3 X-N 0, 2 A-Y 0, 1 Y-M 1, 3 Y-O 0,1 B-V 1, 2 V-O 1, 2 B-W 0, 1 W-S 0"
    )
    standings = _archive(_games(games)).standings("mtg.OMW/K3")
    level = standings.filter(pl.col("player").is_in(["A", "B"]))
    assert level["mtg.OMW/K3"].to_list() == [0.5, 0.5]
    assert level["rank"].n_unique() == 1


def test_game_win_percentages() -> None:
    # Published: 2-0, 2-1, 2-0 and 1-1-1 are 22 of 30 game points, 73.3333 %.
    won, lost, drawn = [2, 2, 2, 1], [0, 1, 0, 1], [0, 0, 0, 1]
    record = [row for row in _record("P", "111=") if row[1] == "P"]
    rows = [(*row, w, x, d) for row, w, x, d in zip(record, won, lost, drawn, strict=True)]
    others = [
        (number, f"P{number}", "P", OTHER[row[3]], x, w, d)
        for number, (row, w, x, d) in enumerate(zip(record, won, lost, drawn, strict=True), start=1)
    ]
    archive = _archive(rows + others, "games_won", "games_lost", "games_drawn")
    assert _value(archive, "mtg.GW", "P") == pytest.approx(0.733333, abs=5e-7)
    assert _value(archive, "mtg.GW", "P") == float(Fraction(22, 30))
    # His opponents: 0 of 6, 3 of 9, 0 of 6 and 4 of 9; two of them are raised to 0.33.
    expected = (2 * Fraction(33, 100) + Fraction(3, 9) + Fraction(4, 9)) / 4
    assert _value(archive, "mtg.OGW", "P") == float(expected)
    assert _value(archive, "mtg.OGW", "P4") == float(Fraction(22, 30))


def test_a_bye_is_two_games_won_and_a_match_without_games_leaves_it_open() -> None:
    rows = [
        (1, "P", None, "U", None, None),
        (2, "P", "Q", "0", 0, 2), (2, "Q", "P", "1", 2, 0),
        (1, "Q", "R", "1", None, None), (1, "R", "Q", "0", None, None),
    ]  # fmt: skip
    archive = _archive(rows, "games_won", "games_lost")
    assert _value(archive, "mtg.GW", "P") == 0.5  # 6 of 12
    assert _value(archive, "mtg.GW", "Q") is None
    assert _value(archive, "mtg.OGW", "P") is None
    assert _value(archive, "mtg.OGW", "Q") is None  # R's games are not known


def test_a_column_that_is_not_there_is_told_of() -> None:
    archive = _archive(_games("1 P-Q 1"))
    found = archive.assumptions("preset:mtg").filter(code="column-missing")
    assert found["severity"].unique().to_list() == ["warning"]
    assert found["message"].to_list() == [
        f"mtg.{code} needs the column results.games_{end}, and there is none"
        for code in ("GW", "OGW")
        for end in ("won", "lost")
    ]
    assert archive.assumptions("PTS mtg.OMW").filter(code="column-missing").is_empty()
    rows = [(1, "P", "Q", "1", 2, 1), (1, "Q", "P", "0", 1, 2)]
    complete = _archive(rows, "games_won", "games_lost")
    assert complete.assumptions("mtg.GW").filter(code="column-missing").is_empty()


def test_a_player_cut_from_the_event_keeps_his_average() -> None:
    games = "1 P-Q 0, 1 S-T 1, 2 P-S 0, 2 Q-T 1, 3 Q-S 0"
    players = pl.DataFrame({"player": list("PQST"), "cut_after": [2, None, None, 2]})
    # After round 2 Q and S had won all; then Q lost to S.
    after_two, after_three = 1.0, float((Fraction(2, 3) + 1) / 2)
    assert _value(_archive(_games(games)), "mtg.OMW", "P") == after_three
    archive = _archive(_games(games), players=players)
    assert _value(archive, "mtg.OMW", "P") == after_two
    # Those who go on are measured on the whole event: Q met P and T at the least, and S.
    assert _value(archive, "mtg.OMW", "Q") == float((2 * Fraction(33, 100) + 1) / 3)
    early = archive.tiebreaks("mtg.OMW", edition="2026-03", after_round=1)
    assert early.filter(player="P")["mtg.OMW"].item() == 1.0


# -- Pokemon ------------------------------------------------------------------------------------

#: A local event of 2026 with the places that the organisers' program gave (players by letters,
#: byes U). Five players left after round 1; four of them had not played.
LOCAL = (
    "1 J U, 1 Q-L 0, 1 E-G 1, 1 N-R 1, 1 A-P 1, 1 K-H 1, 1 S-D 0, 1 C-O 1, 1 T-F 0, 1 B-M 1,"
    "2 L-F 0, 2 E-K 1, 2 J-B 0, 2 N-A 0, 2 D-C =, 2 M-P 1, 2 Q-T 1, 2 O-H 0, 2 S-G 0,"
    "3 F-A 0, 3 B-E 1, 3 D-L 1, 3 C-K 1, 3 J-Q 0, 3 H-M 1, 3 G-N 1, 3 S-P 0, 3 T-O 0"
)
PLACES = [*"ABCDEFGH", "Q", *"JKLMNOPRST"]
#: Win percentages, those of the opponents and of theirs, a tie being a third: computed by hand.
THIRDS = {
    "A": (1.0, 0.4444, 0.5648), "B": (1.0, 0.4167, 0.7222), "C": (0.7778, 0.4815, 0.5741),
    "D": (0.7778, 0.4537, 0.5926), "E": (0.6667, 0.6667, 0.5123), "J": (0.25, 0.8333, 0.3472),
    "Q": (0.6667, 0.2778, 0.6975), "S": (0.25, 0.5926, 0.4660), "T": (0.25, 0.5556, 0.4568),
}  # fmt: skip


def _local(*, left: bool) -> tb.Archive:
    players = pl.DataFrame({"player": ["R"], "dropped_after": [1]})
    return _archive(_games(LOCAL), **({"players": players} if left else {}))


def test_the_places_of_a_real_event() -> None:
    # R, who left with 0 points, stands above S and T: he keeps the 100 % of N, whom he had met.
    # A is above B only because the bye of J is left out.
    archive = _local(left=True)
    standings = archive.standings("PTS pokemon.OWP pokemon.OOWP", edition="2026-03")
    assert standings["player"].to_list() == PLACES
    assert standings["rank"].to_list() == list(range(1, 20))
    assert _value(archive, "pokemon.OWP", "R") == 1.0
    assert _value(_local(left=False), "pokemon.OWP", "R") == float(Fraction(1, 3))


@pytest.mark.parametrize("player", THIRDS)
def test_a_tie_as_a_third_of_a_win(player: str) -> None:
    for code, value in zip(("WP", "OWP", "OOWP"), THIRDS[player], strict=True):
        got = _value(_local(left=False), f"pokemon.{code}/K3", player)
        assert got == pytest.approx(value, abs=5e-5)


def test_a_tie_is_half_a_win() -> None:
    assert _value(_archive(_record("P", "1=")), "pokemon.WP", "P") == 0.75
    assert _value(_archive(_record("P", "1=0")), "pokemon.WP", "P") == 0.5


def test_the_limits() -> None:
    assert _value(_archive(_record("P", "0000")), "pokemon.WP", "P") == 0.25
    assert _value(_archive(_record("P", "1100.")), "pokemon.WP", "P") == 0.5
    left = pl.DataFrame({"player": ["P"], "dropped_after": [3]})
    archive = _archive(_record("P", "111.."), players=left)
    assert _value(archive, "pokemon.WP", "P") == 0.75
    # P1 met P alone, who is worth 75 % since he left.
    assert _value(archive, "pokemon.OWP", "P1") == 0.75
    # Before he left he was worth all of it.
    before = archive.tiebreaks("pokemon.WP pokemon.OWP", edition="2026-03", after_round=2)
    assert before.filter(player="P")["pokemon.WP"].item() == 1.0
    assert before.filter(player="P1")["pokemon.OWP"].item() == 1.0
    assert _value(_archive(_record("P", "UU")), "pokemon.OWP", "P") is None


# -- Yu-Gi-Oh -----------------------------------------------------------------------------------


def test_the_number_of_a_player() -> None:
    # P (6 points: won, lost, won) met Q, 1 of 2, R, 2 of 2, and S, 1/2 of 2. So YYY is
    # (1/2 + 1 + 1/4) / 3 = 0.58333: 583. Q met P (2/3) and T (0): 1/3; R met P (2/3) and V (0):
    # 1/3; S met P (2/3) and W (1/2): 7/12. ZZZ is (1/3 + 1/3 + 7/12) / 3 = 0.41667: 417, half
    # up. He lost round 2: 004.
    games = "1 P-Q 1, 2 P-R 0, 3 P-S 1, 2 Q-T 1, 1 R-V 1, 2 S-W ="
    archive = _archive(_games(games))
    assert _value(archive, "ygo.OWP", "P") == float(Fraction(7, 12))
    assert _value(archive, "ygo.OOWP", "P") == float(Fraction(5, 12))
    assert _value(archive, "ygo.TB8", "P") == 6583417
    assert _value(archive, "ygo.SSL", "P") == 4
    assert _value(archive, "ygo.TB", "P") == 6583417004


def test_the_number_at_its_limits() -> None:
    assert _value(_archive(_games("1 P-Q 0")), "ygo.TB", "P") == 999000001  # 100 % and 0 %
    assert _value(_archive(_record("P", "UU")), "ygo.TB", "P") == 6000000000
    # Rounds 1 to 16 lost: 1,496 squares, of which 999 can be written.
    assert _value(_archive(_record("P", "0" * 16)), "ygo.SSL", "P") == 1496
    assert _value(_archive(_record("P", "0" * 16)), "ygo.TB", "P") % 1000 == 999
    assert _value(_archive(_record("P", "-=")), "ygo.SSL", "P") == 1  # absent is lost


def test_the_published_number() -> None:
    """Published: 33 points, 72.6 % and 67.7 % are 33726677; who then lost round 7 has 049 behind.

    The event is not published, so the percentages are given as they are.
    """
    first, second = half_up(Shares(np.array([726, 677]), 1000, np.full(2, True)), 1000).tolist()
    assert (33 * 1000 + first) * 1000 + second == 33726677
    # Lost in round 7: 7 x 7.
    archive = _archive(_record("P", "1111110"))
    assert _value(archive, "ygo.TB", "P") % 1000 == 49  # type: ignore[operator]


def test_half_points_do_not_fit_into_the_digits() -> None:
    # P 1.5 and Q 1 would be level in the first digits.
    rows = _games("1 P-R 1, 1 Q-S 1, 2 P-Q =, 2 R-S 1")
    rows = [row for row in rows if row[:2] != (2, "Q")] + [(2, "Q", "P", "=")]
    halves = _archive(rows, tournaments=pl.DataFrame({"pairing": ["swiss"]}))
    found = halves.assumptions("ygo.TB8").filter(code="points-not-whole")
    assert found["severity"].to_list() == ["warning"]
    assert halves.assumptions("PTS").filter(code="points-not-whole").is_empty()
    assert _archive(rows).assumptions("ygo.TB8").filter(code="points-not-whole").is_empty()
    ranked = halves.standings("preset:ygo", edition="2026-03")
    assert ranked["PTS"].is_sorted(descending=True)


# -- Netrunner ----------------------------------------------------------------------------------


def _scored(text: str, weight: dict[int, float] | None = None) -> tb.Archive:
    """Read ``"1 A-B 6-0, 1 C 6"``: round, players and points; or a bye and its points."""
    rows: list[tuple[Any, ...]] = []
    for game in text.split(","):
        number, players, points = game.split()
        of_round = (weight or {}).get(int(number))
        first, _, second = players.partition("-")
        mine, _, his = points.partition("-")
        if not second:
            rows.append((int(number), first, None, "U", float(mine), of_round))
            continue
        result = "1" if int(mine) > int(his) else "0" if int(mine) < int(his) else "="
        rows.append((int(number), first, second, result, float(mine), of_round))
        rows.append((int(number), second, first, OTHER[result], float(his), of_round))
    return _archive(rows, "points", "weight", tournaments=pl.DataFrame({"pairing": ["swiss"]}))


@pytest.mark.parametrize(
    ("games", "weight", "schedule"),
    [
        # Published with the program: four games of two rounds.
        ("1 snap-crackle 6-0, 1 pop-other 6-0, 2 snap-pop 6-0, 2 crackle-other 3-3", None,
         {"snap": (2.25, 3.75)}),
        # Published: three players with byes, which count among points and games.
        ("1 dan-johno 3-3, 1 laurie 6, 2 laurie-johno 6-0, 2 dan 6", None,
         {"laurie": (1.5, 5.25), "dan": (1.5, 5.25), "johno": (5.25, 1.5)}),
        # Published: the second round counts half.
        ("1 alpha-beta 6-0, 1 gamma-delta 3-3, 2 alpha-gamma 3-0, 2 beta-delta 0-3",
         {1: 1.0, 2: 0.5},
         {"alpha": (0.6667, 5.1111), "delta": (1.3333, 4.8889), "gamma": (4.6667, 1.1111),
          "beta": (5.3333, 0.8889)}),
    ],
)  # fmt: skip
def test_strength_of_schedule(
    games: str, weight: dict[int, float] | None, schedule: dict[str, tuple[float, float]]
) -> None:
    archive = _scored(games, weight)
    for player, (plain, extended) in schedule.items():
        assert _value(archive, "netrunner.SOS", player) == pytest.approx(plain, abs=5e-5)
        assert _value(archive, "netrunner.ESOS", player) == pytest.approx(extended, abs=5e-5)


def test_without_opponents_there_is_no_schedule() -> None:
    archive = _scored("1 A 6, 1 B-C 6-0")
    assert _value(archive, "netrunner.SOS", "A") is None
    assert _value(archive, "netrunner.ESOS", "A") is None


def test_a_weight_finer_than_a_hundredth_is_refused() -> None:
    with pytest.raises(tb.TbframeError, match=r"results\.weight holds 0\.333, .* 1/100"):
        _scored("1 A-B 6-0", {1: 0.333}).tiebreaks("netrunner.SOS")


# -- exactness ----------------------------------------------------------------------------------


def _random_event(draw: random.Random, players: int, rounds: int) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = []
    names = [f"p{number:02}" for number in range(players)]
    for number in range(1, rounds + 1):
        seats = draw.sample(names, players)
        paired = 2 * draw.randint(players // 4, players // 2)
        for one, two in zip(seats[:paired:2], seats[1:paired:2], strict=True):
            result = draw.choice("110=+0")
            rows += [(number, one, two, result), (number, two, one, OTHER[result])]
        rows += [(number, alone, None, draw.choice("UUZ")) for alone in seats[paired:]]
    return rows


Share = Callable[[list[tuple[Any, ...]]], Fraction]


def _rate(win: int, draw: int, least: Fraction) -> Share:
    def share(met: list[tuple[Any, ...]]) -> Fraction:
        worth = {"1": win, "+": win, "=": draw}
        return max(Fraction(sum(worth.get(row[3], 0) for row in met), win * len(met)), least)

    return share


def _levels(rows: list[tuple[Any, ...]], share: Share, deep: int) -> dict[str, Fraction | None]:
    """Average a percentage over the opponents, and that again, as fractions."""
    met = {
        player: [row for row in rows if row[1] == player and row[2] is not None]
        for player in {row[1] for row in rows}
    }
    values: dict[str, Fraction | None] = {
        player: share(own) if own else None for player, own in met.items()
    }
    for _ in range(deep):
        values = {
            player: sum((values[row[2]] or Fraction(0)) for row in own) / Fraction(len(own))
            if own
            else None
            for player, own in met.items()
        }
    return values


@pytest.mark.parametrize("rounds", [3, 9, 16, 19, 24])
def test_averages_are_exact_in_events_of_any_length(rounds: int) -> None:
    # With 17 rounds and more the common denominator outgrows 64 bits.
    rows = _random_event(random.Random(rounds), 14, rounds)
    archive = _archive(rows)
    for code, share, deep in (
        ("mtg.OMW", _rate(3, 1, Fraction(33, 100)), 1),
        ("mtg.OMW/K3", _rate(3, 1, Fraction(1, 3)), 1),
        ("pokemon.OWP", _rate(2, 1, Fraction(1, 4)), 1),
        ("pokemon.OOWP", _rate(2, 1, Fraction(1, 4)), 2),
        ("ygo.OOWP", _rate(2, 1, Fraction(0)), 2),
    ):
        expected = _levels(rows, share, deep)
        standings = archive.standings(code, edition="2026-03")
        for player, value in standings.select("player", code).rows():
            exact = expected[player]
            assert value == (None if exact is None else pytest.approx(float(exact), abs=1e-15))
        ranks = dict(standings.select("player", "rank").rows())
        for player, exact in expected.items():
            key = Fraction(-1) if exact is None else exact
            above = sum((other if other is not None else Fraction(-1)) > key
                        for other in expected.values())  # fmt: skip
            assert ranks[player] == above + 1


@pytest.mark.parametrize("column", ["dropped_after", "cut_after"])
@pytest.mark.parametrize("seed", range(3))
def test_frozen_averages_are_exact_in_long_events(column: str, seed: int) -> None:
    # Eight rounds have a small denominator, eighteen one that outgrows 64 bits.
    draw = random.Random(seed)
    gone = {f"p{player:02}" for player in range(14, 20)}
    rows = [
        row for row in _random_event(draw, 20, 18)
        if row[0] <= 8 or not gone & {row[1], row[2]}
    ]  # fmt: skip
    early = [row for row in rows if row[0] <= 8]
    left = pl.DataFrame({"player": sorted(gone), column: [8] * len(gone)})
    archive = _archive(rows, players=left)
    if column == "dropped_after":
        # No more than 75 % for those who left.
        code, deep, base = "pokemon.OOWP", 2, _rate(2, 1, Fraction(1, 4))

        def share(met: list[tuple[Any, ...]]) -> Fraction:
            return min(base(met), Fraction(3, 4) if met[0][1] in gone else Fraction(1))
    else:
        code, deep, share = "mtg.OMW", 1, _rate(3, 1, Fraction(33, 100))
    at_the_end, then = _levels(rows, share, deep), _levels(early, share, deep)
    for player, value in archive.tiebreaks(code, edition="2026-03").select("player", code).rows():
        exact = (then if player in gone else at_the_end)[player]
        assert value == pytest.approx(float(exact or 0), abs=1e-15), player


@pytest.mark.parametrize("rounds", [3, 30, 60])
def test_any_number_of_rounds_and_games(rounds: int) -> None:
    rows = _random_event(random.Random(rounds), 12, rounds)
    # Rounds of up to 90 games, and one with 99,991 of them.
    games = {(row[0], *sorted(row[1:3])): (row[0] % 3, 7 * row[0] % 30) for row in rows if row[2]}
    games[next(iter(games))] = (99_990, 1)
    told = [
        games[row[0], *sorted(row[1:3])][:: 1 if row[1] < row[2] else -1]
        if row[2]
        else (None, None)
        for row in rows
    ]
    told_rows = [(*row[:4], *both) for row, both in zip(rows, told, strict=True)]
    archive = _archive(told_rows, "games_won", "games_lost")

    def share(player: str) -> Fraction | None:
        mine = [
            (2, 0) if row[2] is None else both
            for row, both in zip(rows, told, strict=True)
            if row[1] == player and (row[2] is not None or row[3] in "UF")
        ]
        won, lost = (sum(side) for side in zip(*mine, strict=True))
        return max(Fraction(won, won + lost), Fraction(33, 100))

    found = archive.tiebreaks("mtg.GW mtg.OGW netrunner.ESOS ygo.TB", edition="2026-03")
    for row in found.iter_rows(named=True):
        player = row["player"]
        met = [share(each[2]) for each in rows if each[1] == player and each[2] is not None]
        assert row["mtg.GW"] == pytest.approx(float(share(player)), abs=1e-15)
        assert row["mtg.OGW"] == pytest.approx(float(sum(met) / len(met)), abs=1e-14)


def test_values_that_hardly_differ_are_not_level() -> None:
    # Of 19 opponents each, one differs: 0.33 against 1/3, 1/6000 in the average, and as fractions
    # whose common denominator has twenty digits.
    rows: list[tuple[Any, ...]] = []
    for player, last in (("A", "000"), ("B", "100")):
        for number in range(1, 20):
            other = f"{player}{number:02}"
            result = "1" if number < 19 else last[0].translate({48: "1", 49: "0"})
            rows += [(number, player, other, result), (number, other, player, OTHER[result])]
        for number, result in ((20, last[1]), (21, last[2])):
            other = f"{player}19"
            rows += [(number, other, f"{player}x{number}", result),
                     (number, f"{player}x{number}", other, OTHER[result])]  # fmt: skip
    archive = _archive(rows)
    a, b = (_value(archive, "mtg.OMW", player) for player in "AB")
    assert a == pytest.approx(0.33, abs=1e-15)
    assert b == pytest.approx((18 * 0.33 + 1 / 3) / 19, abs=1e-15)
    ranks = dict(archive.standings("mtg.OMW").select("player", "rank").rows())
    assert ranks["B"] < ranks["A"]


# -- all of them --------------------------------------------------------------------------------

FAMILIES = ("go", "keizer", "mtg", "netrunner", "pokemon", "ygo")
CODES = [code for code in codes() if code.partition(".")[0] in FAMILIES]


def test_the_families_are_there() -> None:
    assert {code.partition(".")[0] for code in CODES} == set(FAMILIES)
    assert all(codes()[code].source for code in CODES)


@pytest.mark.parametrize("code", [code for code in CODES if codes()[code].formula is not None])
def test_a_formula_mixes_neither_units_nor_tournaments(code: str) -> None:
    codes()[code].tried()


@pytest.mark.parametrize("seed", range(4))
def test_neither_names_nor_company_nor_the_order_of_rows_matter(seed: int) -> None:
    draw = random.Random(seed)
    rows = _random_event(draw, 9, 5)
    values = _archive(rows).tiebreaks(CODES, edition="2026-03")
    names = sorted({row[1] for row in rows})
    new = dict(zip(names, draw.sample([f"q{n}" for n in range(40)], len(names)), strict=True))
    renamed = [(r, new[p], new.get(o), result) for r, p, o, result in draw.sample(rows, len(rows))]
    other = [("other", *row) for row in _random_event(draw, 7, 5)]
    results = pl.DataFrame(
        [("tournament", *row) for row in renamed] + other,
        schema=["tournament", "round", "player", "opponent", "result"],
        orient="row",
        infer_schema_length=None,
    )
    about = pl.DataFrame({"tournament": ["tournament", "other"]}).with_columns(
        scoring=pl.lit("W=3 D=1 L=0"), pairing=pl.lit("swiss")
    )
    together = tb.from_results(results, tournaments=about).tiebreaks(CODES, edition="2026-03")
    back = {value: key for key, value in new.items()}
    again = together.filter(tournament="tournament").with_columns(
        pl.col("player").replace_strict(back)
    )
    assert_frame_equal(again.sort("player"), values, rel_tol=1e-15, abs_tol=0)
