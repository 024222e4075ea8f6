"""Unplayed rounds under each edition, against printed figures and hand arithmetic."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import tbframe as tb

FACTS = Path(__file__).parent / "facts"
POINTS = {"1": 1.0, "=": 0.5, "0": 0.0, "+": 1.0, "-": 0.0, "H": 0.5, "U": 1.0, "F": 1.0, "Z": 0.0}
MIRROR = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+"}


def _scoring(total: float, rounds: int) -> list[str]:
    """Results of `rounds` games that make `total` points."""
    wins, half = int(total), total % 1
    return (["1"] * wins + ["="] * (half > 0) + ["0"] * rounds)[:rounds]


class Event:
    """A Swiss event put together player by player: whoever is not the subject meets fillers."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, str, str | None, str]] = []
        self.filled = 0

    def pair(self, number: int, player: str, opponent: str, result: str) -> None:
        self.rows.append((number, player, opponent, result))
        self.rows.append((number, opponent, player, MIRROR[result]))

    def alone(self, number: int, player: str, result: str) -> None:
        self.rows.append((number, player, None, result))

    def play(self, player: str, rounds: list[int], total: float) -> None:
        """Let a player make `total` points against a filler in the rounds named."""
        self.filled += 1
        for number, result in zip(rounds, _scoring(total, len(rounds)), strict=True):
            self.pair(number, player, f"filler {self.filled}", result)

    def archive(self) -> tb.Archive:
        columns = ["round", "player", "opponent", "result"]
        rows = pl.DataFrame(self.rows, schema=columns, orient="row")
        about = pl.DataFrame({"tournament": ["t"], "pairing": ["swiss"]})
        return tb.from_results(rows.with_columns(tournament=pl.lit("t")), None, about)


def _manual(case: str) -> tb.Archive:
    """Give every opponent of the manual's player the adjusted score that it prints."""
    rows = pl.read_csv(FACTS / "manual2026_rounds.csv", schema_overrides={"result": pl.String})
    rows = rows.filter(event=case).with_columns(pl.col("opponent_adjusted_score").cast(pl.Float64))
    event, rounds = Event(), rows["rounds"][0]
    for number, adjusted, result in rows.select(
        "round", "opponent_adjusted_score", "result"
    ).iter_rows():
        opponent = f"opponent {number}"
        if adjusted is None:
            event.alone(number, "P", result)
            continue
        event.pair(number, "P", opponent, result)
        others = [r for r in range(1, rounds + 1) if r != number]
        left = adjusted - POINTS[MIRROR[result]]
        if (case, number) == ("Ex01", 7):  # raw 4.5, then two rounds withdrawn
            event.play(opponent, others[:-2], 4.5)
            for late in others[-2:]:
                event.alone(late, opponent, "Z")
        elif (case, number) == ("Ex04", 1):  # excluded after round 1
            for late in others:
                event.alone(late, opponent, "Z")
        else:
            event.play(opponent, others, left)
    return event.archive()


@pytest.mark.parametrize("case", ["Ex00", "Ex01", "Ex03", "Ex04"])
def test_the_arbiters_manual_2026(case):
    archive = _manual(case)
    values = pl.read_csv(FACTS / "values_manual2026.csv").filter(event=case)
    assert values.height > 0
    for code, edition, value in values.select("code", "edition", "value").iter_rows():
        ours = archive.tiebreaks(code, edition=edition).filter(player="P")[code][0]
        assert ours == value, (code, edition)


VIRTUAL = pl.read_csv(FACTS / "virtual_opponent_2012.csv")


@pytest.mark.parametrize("row", VIRTUAL.rows(named=True), ids=lambda row: str(row["value"]))
def test_the_virtual_opponent_of_2012(row):
    event, number = Event(), row["round"]
    event.play("P", list(range(1, number)), row["score_before"])
    event.alone(number, "P", "+" if row["points"] == 1 else "-")
    after = list(range(number + 1, row["rounds_completed"] + 1))
    event.play("P", after, 0.0)
    rounds = event.archive().explain("t", "P", "BH", edition="2012")
    assert rounds.filter(round=number)["taken_score"].to_list() == [row["value"]]


@pytest.mark.parametrize("row", pl.read_csv(FACTS / "opponent_side_2012.csv").rows(named=True))
def test_an_unplayed_round_of_the_opponent_is_a_draw_in_2012(row):
    event, number = Event(), row["round"]
    event.alone(number, "P", row["result"])
    others = [r for r in range(1, row["rounds"] + 1) if r != number]
    event.play("P", others, row["score"] - POINTS[row["result"]])
    assert event.archive().tiebreaks("PTS").filter(player="P")["PTS"].to_list() == [row["score"]]
    met = event.archive().explain("t", "filler 1", "BH", edition="2012")
    assert set(met.filter(opponent="P")["taken_score"]) == {row["value"]}


def _withdrawn() -> Event:
    """P: bye 1, forfeit win 1, then withdrawn twice (TEC exercise 4); met by O in round 1.

    In round 1 O beats P's friend; he meets P nowhere, so O plays P in an extra first round.
    """
    event = Event()
    event.pair(1, "O", "P", "1")
    event.alone(2, "P", "U")
    event.pair(3, "P", "Q", "+")
    event.alone(4, "P", "Z")
    event.alone(5, "P", "Z")
    event.play("O", [2, 3, 4, 5], 2.0)
    event.play("Q", [1, 2, 4, 5], 1.0)
    return event


@pytest.mark.parametrize(
    ("edition", "worth"),
    [
        ("plain", 2.0),  # as awarded: 0 + 1 + 1 + 0 + 0
        ("2009", 2.0),  # four unplayed rounds as draws: 0 + 4 x 0.5
        ("2012", 2.0),
        ("2023", 3.0),  # 0 + 1 + 1 + 0.5 + 0.5 (16.3)
        ("2024-08", 3.0),
        ("2026-03", 3.0),
        ("2022d", 3.0),
    ],
)
def test_what_a_withdrawn_player_is_worth(edition, worth):
    rounds = _withdrawn().archive().explain("t", "O", "BH", edition=edition)
    assert rounds.filter(opponent="P")["taken_score"].to_list() == [worth]


@pytest.mark.parametrize(
    ("edition", "worth"),
    [("2022d", 1.5), ("2023", 0.5 + 0.0 + 0.5), ("2026-03", 0.5 + 0.0 + 0.5), ("2012", 1.5)],
)
def test_a_trailing_forfeit_loss_of_the_opponent(edition, worth):
    """H, forfeit loss, Z: a draw each in 2022; since 2023 the forfeit loss stays at nothing."""
    event = Event()
    event.pair(1, "O", "P", "1")
    event.alone(2, "P", "H")
    event.pair(3, "P", "Q", "-")
    event.alone(4, "P", "Z")
    event.play("O", [2, 3, 4], 1.0)
    event.play("Q", [1, 2, 4], 1.0)
    rounds = event.archive().explain("t", "O", "BH", edition=edition)
    assert rounds.filter(opponent="P")["taken_score"].to_list() == [worth]


@pytest.mark.parametrize(
    ("edition", "dummies"),
    [
        ("plain", [None, None, None]),
        ("2009", [2.5, 2.5, 2.5]),  # the own final score
        # Round 2: 1 before + 0 left + 3 draws; round 3: 2 + 1 + 2 draws; round 4: 2 + 0.5 + 1 draw
        ("2012", [1 + 0 + 1.5, 2 + 1 + 1.0, 2 + 0.5 + 0.5]),
        ("2023", [2.5, 2.5, 2.5]),
        # The bye at most 5 draws, the forfeit at most the opponent's score 1.0 + 1 = 2.0
        ("2026-03", [2.5, 2.0, 2.5]),
    ],
)
def test_what_an_own_unplayed_round_is_played_against(edition, dummies):
    event = Event()
    event.play("P", [1], 1.0)
    event.alone(2, "P", "U")
    event.pair(3, "P", "Q", "-")
    event.alone(4, "P", "H")
    event.play("P", [5], 0.0)
    event.play("Q", [1, 2, 4, 5], 1.0)
    rounds = event.archive().explain("t", "P", "BH", edition=edition)
    assert rounds.filter(pl.col("round").is_between(2, 4))["taken_score"].to_list() == dummies


def test_sonneborn_berger_of_2012_in_both_readings():
    """The regulation multiplies by what was awarded, software of the time by a draw."""
    event = Event()
    event.play("P", [1], 1.0)  # beats a filler who ends on 0
    event.alone(2, "P", "Z")
    event.alone(3, "P", "U")
    archive = event.archive()
    # Virtual opponents: round 2: 1 + 1 + 0.5 = 2.5, round 3: 1 + 0 + 0 = 1. The filler was
    # absent in rounds 2 and 3, which count as draws: 0 + 0.5 + 0.5 = 1.
    assert _sb(archive, "2012") == 1 * 1 + 0 * 2.5 + 1 * 1
    assert _sb(archive, "2012-software") == 1 * 1 + 0.5 * 2.5 + 0.5 * 1


def _sb(archive: tb.Archive, edition: str) -> float:
    return archive.tiebreaks("SB", edition=edition).filter(player="P")["SB"][0]


def test_results_not_known_yet_are_neither_draws_nor_losses():
    event = Event()
    event.play("P", [1], 1.0)
    event.rows += [(2, "P", "Q", "*"), (2, "Q", "P", "*")]
    event.play("Q", [1], 0.0)
    archive = event.archive()
    for edition in ("plain", "2012", "2024-08", "2026-03"):
        values = archive.tiebreaks("PTS BH SB WIN REP BH/C1", edition=edition).filter(player="P")
        # The filler of round 1 was absent in round 2: a draw for P's Buchholz, but for "plain".
        filler = 0.0 if edition == "plain" else 0.5
        assert values.select("PTS", "BH", "SB", "WIN", "BH/C1").row(0) == (
            1.0,
            filler,
            filler,
            1,
            0,
        )


def test_the_dummy_of_a_bye_is_capped_by_draws_in_all_rounds_so_far():
    """16.4.2 takes the rounds of the tournament; for standings after a round, that round."""
    event = Event()
    event.alone(1, "P", "U")
    event.play("P", [2, 3, 4], 3.0)
    archive = event.archive()
    for after, cap in ((1, 0.5), (2, 1.0), (3, 1.5), (4, 2.0)):
        rounds = archive.explain("t", "P", "BH", edition="2026-03", after_round=after)
        assert rounds.filter(round=1)["taken_score"].to_list() == [cap]
