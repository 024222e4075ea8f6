"""Compare the scores that h9 files state with those that follow from their games.

    python benchmarks/h9_columns.py FOLDER

For each file: its column of the sum of opponents' scores (SOS), the McMahon score or the wins, for
how many players they are what `go.SOS` and `go.MMS` give, and what explains the others. An
explanation is one that gives the stated value exactly, tried in the order in which they stand in
`explained`; what none gives is listed line by line.
"""

from __future__ import annotations

import argparse
import warnings
from collections import Counter
from dataclasses import replace
from typing import Any

import polars as pl

import tbframe as tb


def main() -> None:
    """Print a line for each file, the sums, and what is left unexplained."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    warnings.simplefilter("ignore", tb.FindingWarning)
    archive = tb.read(parser.parse_args().folder)
    print(archive)
    for file, reason in archive.quarantine.select("file", "message").rows():
        print(f"set aside: {file}: {reason}")
    print("file                 score: equal   SOS: column  equal of players  explained")
    sums: Counter[str] = Counter()
    left: list[str] = []
    for key in archive.tournaments["tournament"]:
        event = Event(archive.select(key))
        column, told = event.sos_column()
        if column is None:
            sums["files without SOS"] += 1
            print(f"{key:20} {event.scores_equal()}  no column of SOS")
            continue
        sums["files"] += 1
        sums["files equal"] += told["equal"] == told.total()
        sums.update(told)
        print(
            f"{key:20} {event.scores_equal()}  {column:10} {told['equal']:4} of {told.total():3}  "
            + ", ".join(f"{name}: {count}" for name, count in told.items() if name != "equal")
        )
        left += event.unexplained(column)
    print(dict(sums))
    print("\n".join(left))


class Event:
    """A tournament of a file."""

    def __init__(self, archive: tb.Archive) -> None:
        codes = ["go.MMS", "go.NBW", "go.SOS", "go.SODOS"]
        values = archive.tiebreaks(codes)
        self.key = archive.tournaments["tournament"][0]
        self.players = {row["player"]: row for row in archive.players.join(
            values, on=["tournament", "player"]).iter_rows(named=True)}  # fmt: skip
        self.rows: dict[Any, list[dict[str, Any]]] = {}
        for row in archive.results.sort("round").iter_rows(named=True):
            self.rows.setdefault(row["player"], []).append(row)
        rounds = archive.results["round"].max()
        self.before_playoff = [
            archive.tiebreaks("go.SOS", after_round=last)
            for last in range(3, rounds)  # type: ignore[arg-type]
        ]  # fmt: skip
        as_half = archive.tournaments.with_columns(unplayed_as_half=1)
        self.halves = dict(replace(archive, tournaments=as_half).tiebreaks("go.SOS")
                           .select("player", "go.SOS").rows())  # fmt: skip
        there = archive.players.select(pl.selectors.float()).columns
        own = {"start_score", "points"}
        self.columns = [name for name in there if name not in own
                        and archive.players[name].count()]  # fmt: skip

    def scores_equal(self) -> str:
        """Tell for how many players some column is the McMahon score."""
        most = max((sum(one[name] == one["go.MMS"] for one in self.players.values())
                    for name in self.columns), default=0)  # fmt: skip
        return f"{most:4} of {len(self.players):3}"

    def sos_column(self) -> tuple[str | None, Counter[str]]:
        """Find the column of SOS: by its name, else the one that is explained best."""
        told = {name: self.counts(name) for name in self.columns}
        named = [name for name in told if name.upper() in {"SOS", "SOSM", "SOSW"}]
        by_fit = sorted(told, key=lambda name: told[name]["equal"], reverse=True)
        for name in (*by_fit, *named):
            if told[name]["equal"] * 2 >= told[name].total() or name in named:
                return name, told[name]
        return None, Counter()

    def counts(self, column: str) -> Counter[str]:
        """Count players by what gives the value of a column."""
        return Counter(self.explained(player, column) for player in self.players)

    def explained(self, player: Any, column: str) -> str:
        """Name the first reading that gives the stated value."""
        stated, mine = self.players[player][column], self.players[player]["go.SOS"]
        if stated is None:
            return "not stated"
        if stated == mine:
            return "equal"
        own = self.players[player].get("start_score") or 0.0
        alone = [row for row in self.rows[player] if row["opponent"] is None]
        byes = [row for row in alone if row["result"] in {"U", "F"}]
        score = self.players[player]["go.MMS"]
        if stated == 2 * mine:
            return "a win counts two points"
        if byes and stated == mine + len(byes) * (score - 1 - own):
            return "a bye brings the own score without its point"
        if alone and stated == mine - len(alone) * own:
            return "a round without a game brings nothing"
        if stated - mine + len(alone) * own in self.sums_of_absent(alone):
            return "paired with one who did not come"
        if stated == self.halves[player]:
            return "rounds that an opponent did not play count half"
        if any(stated == dict(frame.select("player", "go.SOS").rows())[player]
               for frame in self.before_playoff):  # fmt: skip
            return "rounds of a playoff do not count"
        if stated == mine + sum(map(self.stated_otherwise, self.rows[player])):
            return "an opponent's stated wins are not those of his games"
        return "unexplained"

    def sums_of_absent(self, alone: list[dict[str, Any]]) -> set[float]:
        """Sum the scores of others without a game in the same rounds, in all ways; few at most."""
        sums = {0.0}
        for row in alone:
            others = {player for player, rows in self.rows.items() for one in rows
                      if one["round"] == row["round"] and one["opponent"] is None}  # fmt: skip
            others -= {row["player"]}
            if not 0 < len(others) <= 4:
                return set()
            sums = {sum_ + self.score(other) for sum_ in sums for other in others}
        return sums if alone else set()

    def score(self, player: Any) -> float:
        """Return the score of a player: the stated wins, else what the games give."""
        one = self.players[player]
        stated = one.get("NBW")
        return float(one["go.MMS"] if stated is None else stated)

    def stated_otherwise(self, row: dict[str, Any]) -> float:
        """Return how much more the file gives an opponent than his games do."""
        other = self.players.get(row["opponent"])
        if other is None or "NBW" not in other or other["NBW"] is None:
            return 0.0
        return float(other["NBW"] - other["go.NBW"])

    def unexplained(self, column: str) -> list[str]:
        """List players whose value nothing gives."""
        return [
            f"unexplained: {self.key}, place {player}: {self.players[player][column]:g} stated, "
            f"{self.players[player]['go.SOS']:g} from the games"
            for player in self.players
            if self.explained(player, column) == "unexplained"
        ]


if __name__ == "__main__":
    main()
