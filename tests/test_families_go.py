"""Tie-breaks of Go, against values worked out by hand from OpenGotha's definitions."""

from __future__ import annotations

import random
from collections.abc import Iterator

import polars as pl
import pytest

import tbframe as tb

#: Round, player, opponent, color, result, stones of handicap. The start scores are below.
#: Round 1: A beats B; D takes one stone and beats C; E has the bye. Round 2: D takes two stones and
#: loses to A; B, who gives one, and E make jigo; C is absent with half a point. Round 3: C beats A;
#: D takes a stone and loses to B; E is absent with half a point.
ROWS = [
    (1, "A", "B", "w", "1", None), (1, "B", "A", "b", "0", None),
    (1, "C", "D", "w", "0", 1), (1, "D", "C", "b", "1", 1),
    (1, "E", None, None, "U", None),
    (2, "A", "D", "w", "1", 2), (2, "D", "A", "b", "0", 2),
    (2, "B", "E", "w", "=", 1), (2, "E", "B", "b", "=", 1),
    (2, "C", None, None, "H", None),
    (3, "A", "C", "w", "0", None), (3, "C", "A", "b", "1", None),
    (3, "B", "D", "w", "1", 1), (3, "D", "B", "b", "0", 1),
    (3, "E", None, None, "H", None),
]  # fmt: skip
COLUMNS = ["round", "player", "opponent", "color", "result", "handicap"]
START = {"A": 30, "B": 30, "C": 29, "D": 28, "E": 28}


def _archive(
    rows: list[tuple[object, ...]] = ROWS, start: dict[str, float] | None = None, **rules: int
) -> tb.Archive:
    scores = START if start is None else start
    players = pl.DataFrame(
        {"player": list(scores), "start_score": list(scores.values())}, strict=False
    )
    tournament = pl.DataFrame({"pairing": ["swiss"], **{k: [v] for k, v in rules.items()}})
    return tb.from_results(pl.DataFrame(rows, schema=COLUMNS, orient="row"), players, tournament)


def _values(archive: tb.Archive, code: str) -> list[float]:
    return archive.tiebreaks(code, edition="2026-03")[code].to_list()


@pytest.mark.parametrize(
    ("code", "values"),
    [
        # E has a point for the bye and half a one for the absence: 1.5, rounded down to 1.
        ("go.NBW", [2, 1.5, 1, 1, 1.5]),
        ("go.MMS", [32, 31.5, 30, 29, 29.5]),
        # A: B 31.5, D 29 + 2, C 30.  B: A 32, E 29.5 + 1, D 29 + 1.  C: D 29 + 1, own 29, A 32.
        # D: C 30 - 1, A 32 - 2, B 31.5 - 1.  E: own 28, B 31.5 - 1, own 28.
        ("go.SOS", [92.5, 92.5, 91, 89.5, 86.5]),
        ("go.SOS/C1", [62.5, 62.5, 62, 60.5, 58.5]),
        ("go.SOS/C2", [31.5, 32, 32, 30.5, 30.5]),
        ("go.SOS/C3", [0, 0, 0, 0, 0]),
        # A: 31.5 + 31.  B: 30.5 / 2 + 30.  C: 32.  D: 29.  E: 30.5 / 2.
        ("go.SODOS", [62.5, 45.25, 32, 29, 15.25]),
        # A: 92.5 + 89.5 + 91.  C: 89.5 + 3 x 29 + 92.5.  E: 3 x 28 + 92.5 + 3 x 28.
        ("go.SOSOS", [273, 268.5, 269, 276, 260.5]),
        # A: 31 + 32 + 32.  C: 29 + 29 + 30.  E: 29 + 29.5 + 29.5.
        ("go.CUSS", [95, 92, 88, 87, 88]),
        # On wins alone: A: 1.5 + 1 + 1.  B: 2 + 1.5 + 1.  C: 1 + 0 + 2.  D: 1 + 2 + 1.5.  E: 1.5.
        ("go.SOSW", [3.5, 4.5, 3, 4.5, 1.5]),
        ("go.SOSW/C1", [2.5, 3.5, 3, 3.5, 1.5]),
        ("go.SODOSW", [2.5, 1.75, 2, 1, 0.75]),
        ("go.SOSOSW", [12, 9.5, 8, 11, 4.5]),
        ("go.CUSSW", [5, 2, 1, 3, 4]),
    ],
)
def test_by_hand(code: str, values: list[float]) -> None:
    assert _values(_archive(), code) == values


def test_halves_of_byes_are_kept_where_the_event_says_so() -> None:
    archive = _archive(keep_halves=1)
    assert _values(archive, "go.NBW") == [2, 1.5, 1.5, 1, 2]
    assert _values(archive, "go.CUSSW") == [5, 2, 2, 3, 4.5]  # C: 0 + 0.5 + 1.5; E: 1 + 1.5 + 2


def test_rounds_not_played_count_half_for_the_opponents_where_the_event_says_so() -> None:
    # C is worth 29 + 1 + 1/2 to his opponents, E 28 + 1/2 + 1/2 + 1/2.
    archive = _archive(unplayed_as_half=1)
    assert _values(archive, "go.MMS") == [32, 31.5, 30, 29, 29.5]
    # A: 31.5 + 31 + 30.5.  D: 30.5 - 1 + 30 + 30.5.
    assert _values(archive, "go.SOS") == [93, 92.5, 91, 90, 86.5]


def test_without_start_scores_and_handicap_both_ways_of_counting_agree() -> None:
    archive = tb.from_results(pl.DataFrame(ROWS, schema=COLUMNS, orient="row").drop("handicap"))
    for code in ("SOS", "SOS/C1", "SODOS", "SOSOS", "CUSS"):
        name, _, cut = code.partition("/")
        on_wins = f"go.{name}W" + (f"/{cut}" if cut else "")
        assert _values(archive, f"go.{code}") == _values(archive, on_wins)
    assert _values(archive, "go.SOS") == [3.5, 4.5, 3, 4.5, 1.5]


def test_a_game_decided_by_absence_counts_with_its_opponent() -> None:
    # C does not come: A has the point and C, with 29 of his own, in both sums.
    rows = [(1, "A", "C", "w", "+", None), (1, "C", "A", "b", "-", None)]
    archive = _archive(rows, {"A": 30, "C": 29})
    assert _values(archive, "go.SOS") == [29, 31]
    assert _values(archive, "go.SODOS") == [29, 0]
    # As a round that was not played it counts half for either of them.
    archive = _archive(rows, {"A": 30, "C": 29}, unplayed_as_half=1)
    assert _values(archive, "go.SOS") == [29.5, 30.5]


def test_a_handicap_without_a_color_corrects_nothing() -> None:
    rows = [(1, "A", "C", None, "1", 3), (1, "C", "A", None, "0", 3)]
    assert _values(_archive(rows, {"A": 30, "C": 29}), "go.SOS") == [29, 31]


# -- the origin of the scale --------------------------------------------------------------------


def _random_rows(draw: random.Random) -> list[tuple[object, ...]]:
    """Play some rounds among six players, with forfeits, byes and absences."""
    rows: list[tuple[object, ...]] = []
    for number in range(1, draw.randint(2, 6)):
        seats = draw.sample("PQRSTU", 6)
        paired = 2 * draw.randint(0, 3)
        for white, black in zip(seats[:paired:2], seats[1:paired:2], strict=True):
            mine, his = draw.choice([("1", "0"), ("0", "1"), ("=", "="), ("+", "-"), ("-", "-")])
            rows += [
                (number, white, black, "w", mine, None),
                (number, black, white, "b", his, None),
            ]
        rows += [(number, alone, None, None, draw.choice("UHZ"), None) for alone in seats[paired:]]
    return rows


@pytest.mark.parametrize("seed", range(12))
def test_sos_moves_with_the_scale_and_sodos_with_the_wins(seed: int) -> None:
    # UK and European scales differ by 20: SOS by 20 a round for everybody, so that its order
    # stays; SODOS by 20 for each opponent defeated, and half of that for jigo.
    draw = random.Random(seed)
    rows = _random_rows(draw)
    start = {player: draw.randint(-5, 5) for player in "PQRSTU"}
    here = _archive(rows, start)
    there = _archive(rows, {player: score + 20 for player, score in start.items()})
    rounds = max(row[0] for row in rows)
    wins = {
        player: sum({"1": 1, "+": 1, "=": 0.5}.get(row[4], 0) for row in rows
                    if row[1] == player and row[2] is not None)
        for player in start
    }  # fmt: skip
    for code, moved in (
        ("go.SOS", [20 * rounds] * 6),
        ("go.SODOS", [20 * wins[player] for player in sorted(start)]),
    ):
        before, after = _values(here, code), _values(there, code)
        assert [new - old for old, new in zip(before, after, strict=True)] == moved


def test_another_origin_turns_sodos_round() -> None:
    # X and Y end on the same score. X started lower and beat two weak players, Y one strong one:
    # 2 x 1 against 4 at the origin 0, 2 x 21 against 24 at the origin 20.
    rows = [
        (1, "X", "P", "w", "1", None), (1, "P", "X", "b", "0", None),
        (1, "Y", "S", "w", "1", None), (1, "S", "Y", "b", "0", None),
        (2, "X", "Q", "w", "1", None), (2, "Q", "X", "b", "0", None),
        (2, "Y", "T", "w", "0", None), (2, "T", "Y", "b", "1", None),
    ]  # fmt: skip
    start = {"X": 3, "P": 1, "Q": 1, "Y": 4, "S": 4, "T": 0}
    uk = _archive(rows, start).standings("go.MMS go.SODOS", edition="2026-03")
    eu = _archive(rows, {k: v + 20 for k, v in start.items()}).standings(
        "go.MMS go.SODOS", edition="2026-03"
    )
    assert uk.head(2).select("player", "go.MMS", "go.SODOS").rows() == [("Y", 5, 4), ("X", 5, 2)]
    assert eu.head(2).select("player", "go.MMS", "go.SODOS").rows() == [
        ("X", 25, 42),
        ("Y", 25, 24),
    ]


# -- direct confrontation -----------------------------------------------------------------------


def _confrontation(
    games: list[tuple[str, str]], behind: dict[str, int], code: str
) -> list[list[str]]:
    """Rank players who are level by their games, then by a rating."""
    rows = [
        row
        for number, (winner, loser) in enumerate(games, start=1)
        for row in ((number, winner, loser, "w", "1"), (number, loser, winner, "b", "0"))
    ]
    players = pl.DataFrame({"player": list(behind), "rating": list(behind.values())})
    archive = tb.from_results(pl.DataFrame(rows, schema=COLUMNS[:-1], orient="row"), players)
    standings = archive.standings(f"{code} RTNG", edition="2026-03")
    return [sorted(level) for _, (level,) in _groups(standings)]


def _groups(standings: pl.DataFrame) -> Iterator[tuple[int, tuple[list[str]]]]:
    for (rank,), group in standings.group_by("rank", maintain_order=True):
        yield rank, (group["player"].to_list(),)


def test_simplified_confrontation_asks_for_every_pair() -> None:
    level = dict.fromkeys("ABC", 1000)
    everybody = [("A", "B"), ("B", "C"), ("A", "C")]
    assert _confrontation(everybody, level, "go.SDC") == [["A"], ["B"], ["C"]]
    assert _confrontation(everybody[:2], level, "go.SDC") == [["A", "B", "C"]]
    cycle = [("A", "B"), ("B", "C"), ("C", "A")]
    assert _confrontation(cycle, level, "go.SDC") == [["A", "B", "C"]]
    # B and C beat each other once: as if they had not met.
    assert _confrontation([*everybody, ("C", "B")], level, "go.SDC") == [["A", "B", "C"]]


@pytest.mark.parametrize(
    ("games", "behind", "order"),
    [
        # A chain, against what stands behind.
        ([("A", "B"), ("B", "C")], {"A": 1, "B": 2, "C": 3}, "A B C"),
        # X has no game. Of B and X, who beat nobody, the lower of the criterion behind is last.
        ([("A", "B")], {"A": 1, "B": 3, "X": 2}, "A B X"),
        ([("A", "B")], {"A": 1, "B": 2, "X": 3}, "X A B"),
        ([("A", "B")], {"A": 3, "B": 1, "X": 2}, "A X B"),
        # A, B and C beat each other in a cycle: one node, ordered by what stands behind. Each of
        # them counts as having beaten D, whom only A beat, and as having lost to E.
        (
            [("A", "B"), ("B", "C"), ("C", "A"), ("A", "D"), ("E", "C")],
            {"A": 3, "B": 1, "C": 2, "D": 9, "E": 0},
            "E A C B D",
        ),
        # Two cycles, one above the other.
        (
            [("A", "B"), ("B", "C"), ("C", "A"), ("P", "Q"), ("Q", "R"), ("R", "P"), ("P", "A")],
            {"A": 9, "B": 8, "C": 7, "P": 1, "Q": 2, "R": 3},
            "R Q P A B C",
        ),
        # Two who beat the same player and did not meet.
        ([("A", "O"), ("B", "O")], {"A": 1, "B": 2, "O": 0}, "B A O"),
    ],
)
def test_direct_confrontation(
    games: list[tuple[str, str]], behind: dict[str, int], order: str
) -> None:
    rated = {player: 1000 + value for player, value in behind.items()}
    assert _confrontation(games, rated, "go.DC") == [[player] for player in order.split()]


def test_direct_confrontation_against_the_rule_taken_word_by_word() -> None:
    draw = random.Random(20)
    for _ in range(150):
        players = "ABCDEFG"[: draw.randint(2, 7)]
        games: list[tuple[str, str]] = []
        for _ in range(draw.randint(1, 9)):
            pair = tuple(draw.sample(players, 2))
            if pair not in games and pair[::-1] not in games:
                games.append((pair[0], pair[1]))
        behind = {player: 1000 + draw.randint(1, 3) for player in players}
        assert _confrontation(games, behind, "go.DC") == _by_the_rule(games, behind)


def _by_the_rule(games: list[tuple[str, str]], behind: dict[str, int]) -> list[list[str]]:
    def ahead_of(player: str) -> set[str]:
        found: set[str] = set()
        fresh = {player}
        while fresh:
            fresh = {loser for winner, loser in games if winner in fresh} - found
            found |= fresh
        return found

    reach = {player: ahead_of(player) for player in behind}
    node = {p: {q for q in behind if q in reach[p] and p in reach[q]} | {p} for p in behind}
    beaten = {
        p: {x for winner, loser in games if winner in node[p] for x in node[loser]} - node[p]
        for p in behind
    }
    left, from_below = set(behind), []
    while left:
        free = {p for p in left if not beaten[p] & left}
        lowest = min(behind[p] for p in free)
        last = sorted(p for p in free if behind[p] == lowest)
        from_below.append(last)
        left -= set(last)
    return from_below[::-1]
