"""Small examples that rule books and programs print, with their figures."""

from __future__ import annotations

import polars as pl

import tbframe as tb

Row = tuple[int, str, str | None, str]
_OTHER = {"1": "0", "0": "1", "=": "="}


def both(number: int, one: str, other: str, result: str) -> list[Row]:
    return [(number, one, other, result), (number, other, one, _OTHER[result])]


def values(rows: list[Row], code: str) -> dict[str, float]:
    frame = pl.DataFrame(rows, ["round", "player", "opponent", "result"], orient="row")
    about = pl.DataFrame({"pairing": ["swiss"]})
    found = tb.from_results(frame, tournaments=about)
    return dict(found.tiebreaks(code, edition="plain").select("player", code).iter_rows())


def test_valve_difficulty() -> None:
    """Opponents with 2-0 and 1-1 give 2; opponents with 1-1 and 1-1 give 0."""
    rows = [*both(1, "A", "B", "0"), *both(1, "C", "D", "1"),
            *both(2, "B", "D", "1"), *both(2, "A", "C", "1")]  # fmt: skip
    # B 2-0, A 1-1, C 1-1, D 0-2: A met B and C.
    assert values(rows, "esports.DIFF")["A"] == 2
    circle = [*both(1, "A", "B", "1"), *both(1, "C", "D", "1"),
              *both(2, "B", "C", "1"), *both(2, "D", "A", "1")]  # fmt: skip
    assert set(values(circle, "esports.DIFF").values()) == {0}


def test_us_chess_adjusted_score() -> None:
    """W W L, then withdrawn from five rounds: 1 + 1 + 0 + 1/2 + 1/2 = 3 for his opponents."""
    rows: list[Row] = [
        *both(1, "A", "X", "1"), *both(2, "A", "Y", "1"), *both(3, "A", "Z", "0"),
        *both(2, "X", "Z", "1"), *both(3, "X", "Y", "1"),
        (4, "A", None, "Z"), (5, "A", None, "Z"),
        *both(4, "X", "Y", "1"), *both(5, "X", "Y", "1"),
    ]  # fmt: skip
    # Z met X (0 1 1 1 1 = 4) and A (3); what he did not play brings nothing.
    assert values(rows, "uscf.SOLK")["Z"] == 4 + 3


def test_us_chess_cumulative() -> None:
    """Bye, win, loss, draw, win: 1 + 2 + 2 + 2.5 + 3.5 = 11, less 1 for the bye."""
    rows: list[Row] = [
        (1, "A", None, "U"), *both(2, "A", "B", "1"), *both(3, "A", "C", "0"),
        *both(4, "A", "D", "="), *both(5, "A", "E", "1"),
    ]  # fmt: skip
    assert values(rows, "uscf.CUM")["A"] == 10


def test_solkoff_of_the_wintd_help() -> None:
    """Opponents' scores 3, 2, 5, 3, 3 give 16; 0, 3, 3, 4, 5 give 15."""
    for scores, expected in (([3, 2, 5, 3, 3], 16), ([0, 3, 3, 4, 5], 15)):
        rows: list[Row] = []
        for number, score in enumerate(scores, start=1):
            name = f"o{number}"
            rows += both(number, "P", name, "1" if score == 0 else "0")
            wins = score - (score > 0)
            for other in (n for n in range(1, 6) if n != number):
                rows += both(other, name, f"f{number}-{other}", "1" if wins > 0 else "0")
                wins -= 1
        assert values(rows, "uscf.SOLK")["P"] == expected
