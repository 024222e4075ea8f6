"""US Chess rule 34E: expected values from a reported case and by hand."""

from __future__ import annotations

import polars as pl
import pytest

import tbframe as tb

#: A league of four after each round; in round 3 nobody played. By player: points, Modified
#: Median, Solkoff, cumulative, cumulative of opposition (heltour, after its repair).
GAMES = [(1, "p0", "p1", "1-0"), (1, "p2", "p3", "1/2-1/2"),
         (2, "p2", "p0", "0-1"), (2, "p3", "p1", "1/2-1/2")]  # fmt: skip
EXPECTED = {
    1: {"p0": (1, 0, 0, 1, 0), "p1": (0, 0, 1, 0, 1),
        "p2": (0.5, 0, 0.5, 0.5, 0.5), "p3": (0.5, 0, 0.5, 0.5, 0.5)},
    2: {"p0": (2, 0.5, 1, 3, 1.5), "p1": (0.5, 1, 3, 0.5, 4.5),
        "p2": (0.5, 1, 3, 1, 4.5), "p3": (1, 0, 1, 1.5, 1.5)},
    3: {"p0": (2, 2, 2, 5, 2.5), "p1": (0.5, 1.5, 4, 1, 7.5),
        "p2": (0.5, 1.5, 4, 1.5, 7.5), "p3": (1, 1, 2, 2.5, 2.5)},
}  # fmt: skip
CODES = ["PTS", "uscf.MMED", "uscf.SOLK", "uscf.CUM", "uscf.CUMO"]


def archive_of(rows: list[tuple[object, ...]], ratings: dict[str, int] | None = None) -> tb.Archive:
    """Return one Swiss of rows: round, player, opponent, result, color."""
    results = pl.DataFrame(
        rows, schema=["round", "player", "opponent", "result", "color"], orient="row"
    ).with_columns(tournament=pl.lit("t"))
    players = None
    if ratings is not None:
        players = pl.DataFrame({"player": list(ratings), "rating": list(ratings.values())})
        players = players.with_columns(tournament=pl.lit("t"))
    about = pl.DataFrame({"tournament": ["t"], "pairing": ["swiss"]})
    return tb.from_results(results, players, about)


def both(number: int, white: str, black: str, result: str) -> list[tuple[object, ...]]:
    other = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+"}[result]
    return [(number, white, black, result, "w"), (number, black, white, other, "b")]


def by_player(archive: tb.Archive, codes: str | list[str]) -> dict[str, tuple[float, ...]]:
    frame = archive.tiebreaks(codes, edition="plain")
    return {row[1]: row[2:] for row in frame.rows()}


@pytest.mark.parametrize("last", EXPECTED)
def test_23_unplayed_rounds_of_opponents_count_half(last):
    rows = [
        row
        for number, white, black, result in GAMES
        if number <= last
        for row in both(number, white, black, {"1-0": "1", "0-1": "0"}.get(result, "="))
    ]
    if last == 3:
        rows += [(3, player, None, "Z", None) for player in ("p0", "p1", "p2", "p3")]
    assert by_player(archive_of(rows), CODES) == EXPECTED[last]


def test_byes_and_forfeits():
    """Four rounds. A: full-point bye, beat B, half-point bye, won from C by forfeit: 3.5 points.

    B lost to A, else beat C and had two zero-point byes: 1 point, 0 + 1 + 2 x 0.5 = 2 for others.
    Running scores of A: 1, 2, 2.5, 3.5 = 9, less 1 + 0.5 + 1 = 6.5; B's are 1, 1, 1, 1 = 4.
    """
    rows = [
        (1, "A", None, "F", None), (2, "A", "B", "1", "w"), (3, "A", None, "H", None),
        (4, "A", "C", "+", "b"), (4, "C", "A", "-", "w"),
        *both(1, "C", "B", "0"), (2, "B", "A", "0", "b"), (3, "B", None, "Z", None),
        (4, "B", None, "Z", None), (2, "C", None, "U", None), (3, "C", None, "Z", None),
    ]  # fmt: skip
    codes = "PTS uscf.SOLK uscf.SB uscf.CUM uscf.CUMO uscf.KASH uscf.BLACK uscf.SOME"
    ours = by_player(archive_of(rows), codes)
    assert ours["A"] == (3.5, 2.0, 2.0, 6.5, 4.0, 4, 0, 1)
    # C: a loss to B (worth 2), a bye, two unplayed: all his points are from the bye
    assert ours["C"] == (1.0, 2.0, 0.0, 2.0, 4.0, 1, 0, 0)
    # B met A (1 + 0.5 + 0.5 + 0.5 = 2.5) and C (0 + 3 x 0.5 = 1.5, cumulative 0 + 1 + 1 + 1 - 1)
    assert ours["B"] == (1.0, 4.0, 1.5, 4.0, 6.5 + 2.0, 5, 2, 1)


def rounds_against(scores: list[float], made: str) -> list[tuple[object, ...]]:
    """Return the rows of P, whose opponents make these final scores against fillers."""
    rows: list[tuple[object, ...]] = []
    last = len(scores)
    for number, (score, result) in enumerate(zip(scores, made, strict=True), start=1):
        rows += both(number, "P", f"o{number}", result)
        left = score - {"1": 0, "=": 0.5, "0": 1}[result]
        for other in (n for n in range(1, last + 1) if n != number):
            what = "1" if left >= 1 else "=" if left == 0.5 else "0"
            left -= {"1": 1, "=": 0.5, "0": 0}[what]
            rows += both(other, f"o{number}", f"f{number}-{other}", what)
    return rows


@pytest.mark.parametrize(
    ("scores", "made", "kept"),
    [
        ([0, 3, 3, 4, 5], "11110", 3 + 3 + 4 + 5),  # plus score: an example of the WinTD help
        ([3, 3, 5, 4, 0], "00001", 0 + 3 + 3 + 4),  # minus score: without the 5
        ([0.5, 3, 3, 4, 4.5], "1=00=", 0.5 + 3 + 3 + 4),
    ],
)
def test_modified_median_drops_by_the_own_score(scores, made, kept):
    ours = by_player(
        archive_of(rounds_against(scores, made)), "uscf.MMED uscf.MED uscf.MMEDL uscf.SOLK"
    )["P"]
    total, low, high = sum(scores), min(scores), max(scores)
    assert ours == (kept, total - low - high, total - low, total)


def test_an_even_score_drops_both_ends():
    scores = [0, 2, 3, 4]
    ours = by_player(archive_of(rounds_against(scores, "1=0=")), "uscf.MMED uscf.MED uscf.MMEDL")
    assert ours["P"] == (5, 5, 5)


def test_rounds_of_two_games():
    """Each round is one running score, and a plus score is more than half of the games.

    P won and drew with Q, had a bye and lost twice to R: 1.5 + 2.5 + 2.5, less 1 for the bye.
    Of five games 2.5 is even: of the opponents 1.5, 1.5, 0 (the bye), 3 and 3 less 0 and 3.
    """
    games = pl.DataFrame(
        [(1, 1, "P", "Q", "1-0"), (1, 2, "Q", "P", "1/2-1/2"), (3, 1, "P", "R", "0-1"),
         (3, 2, "R", "P", "1-0")],
        ["round", "game", "white", "black", "result"], orient="row",
    )  # fmt: skip
    byes = pl.DataFrame(
        [(2, "P", "U"), (1, "R", "Z"), (2, "R", "Z"), (2, "Q", "Z"), (3, "Q", "Z")],
        ["round", "player", "type"], orient="row",
    )  # fmt: skip
    about = pl.DataFrame({"pairing": ["swiss"]})
    ours = by_player(tb.from_games(games, None, about, byes=byes), "uscf.CUM uscf.MMED uscf.SOLK")
    # Unplayed rounds count half: Q 0 + 0.5 + 0.5 + 0.5, R 2 + 0.5 + 0.5.
    q, r = 0.5 + 0.5 + 0.5, 2 + 0.5 + 0.5
    assert ours["P"] == (1.5 + 2.5 + 2.5 - 1, q + q + r, 2 * q + 2 * r)


def test_nine_rounds_drop_two():
    """Plus score: without 0 and 1; the median without 8 and 7 as well."""
    scores = [0, 1, 2, 3, 4, 5, 6, 7, 8]
    ours = by_player(archive_of(rounds_against(scores, "111110000")), "uscf.MMED uscf.MED")["P"]
    assert ours == (2 + 3 + 4 + 5 + 6 + 7 + 8, 2 + 3 + 4 + 5 + 6)


def test_result_between_tied_players_is_plus_or_minus():
    """A, B, C level on 1.5: A beat B, B drew with C: +1, -1, 0, where percentages say 1, 1/4, 1/2.

    D has 1.5 too and met none of them: level with C.
    """
    rows = [
        *both(1, "A", "B", "1"), *both(2, "B", "C", "="), *both(2, "A", "x", "="),
        *both(3, "A", "y", "0"), *both(3, "B", "z", "1"), *both(1, "C", "u", "1"),
        *both(3, "C", "v", "0"), *both(1, "D", "w", "1"), *both(2, "D", "s", "="),
        *both(3, "D", "r", "0"),
    ]  # fmt: skip
    table = archive_of(rows).standings("PTS uscf.RBT", edition="plain")
    tied = table.filter(PTS=1.5)
    ranks = dict(zip(tied["player"], tied["rank"] - tied["rank"].min() + 1, strict=True))
    assert {player: ranks[player] for player in "ABCD"} == {"A": 1, "C": 2, "D": 2, "B": 4}


def test_ratings():
    """P (1800) beat 1600, drew with 2000, lost to 1900; one without a rating is left out.

    Opposition (1600 + 2000 + 1900) / 3; performance (2000 + 2000 + 1500) / 3.
    Opponents' performances: 1800 - 400, 1800, 1800 + 400: 1800 on average.
    """
    rows = [
        *both(1, "P", "a", "1"), *both(2, "P", "b", "="), *both(3, "P", "c", "0"),
        *both(4, "P", "u", "1"),
    ]  # fmt: skip
    archive = archive_of(rows, {"P": 1800, "a": 1600, "b": 2000, "c": 1900})
    codes = "uscf.OAVG uscf.PERF uscf.OPERF"
    ours = by_player(archive, codes)
    assert ours["P"] == pytest.approx((5500 / 3, 5500 / 3, (1400 + 1800 + 2200 + 1400) / 4))
    assert ours["a"] == pytest.approx((1800, 1400, 5500 / 3))
    assert "unrated-players" not in archive.assumptions(codes, edition="plain")["code"]


def test_the_order_of_the_book():
    rows = [row for game in GAMES for row in both(*game[:3], "1" if game[3] == "1-0" else "=")]
    table = archive_of(rows).standings("preset:uscf", edition="plain")
    assert table.columns[4:] == ["PTS", "uscf.MMED", "uscf.SOLK", "uscf.CUM", "uscf.CUMO",
                                 "decided_by"]  # fmt: skip


def test_team_points_are_products():
    """Reds 2-1 Blues, Reds 1.5-1.5 Greens: Greens end on 3 match points, Blues on 0, Reds on 3.

    Match points 2-1-0: Reds 2 x 0 + 1.5 x 3, Blues 1 x 3 + 0.5 x 3, Greens 2.5 x 0 + 1.5 x 3.
    """
    results = pl.DataFrame(
        [
            (1, "Reds", "Blues", "1", 2.0), (1, "Blues", "Reds", "0", 1.0),
            (2, "Reds", "Greens", "=", 1.5), (2, "Greens", "Reds", "=", 1.5),
            (3, "Greens", "Blues", "1", 2.5), (3, "Blues", "Greens", "0", 0.5),
        ],
        schema=["round", "player", "opponent", "result", "game_points"], orient="row",
    ).with_columns(tournament=pl.lit("t"))  # fmt: skip
    about = pl.DataFrame({"tournament": ["t"], "pairing": ["swiss"], "kind": ["team"]})
    archive = tb.from_results(results, None, about)
    values = by_player(archive, "MPTS GPTS MPVGP uscf.USAT")
    assert values["Reds"] == (3.0, 3.5, 3.5, 4.5)
    assert values["Blues"] == (0.0, 1.5, 1.5, 4.5)
    assert values["Greens"] == (3.0, 4.0, 4.0, 4.5)
