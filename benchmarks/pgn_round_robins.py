"""Complete round robins of a folder of PGN files: our standings against a naive calculation.

The naive side shares nothing with tbframe: it reads the tags with python-chess, groups the games
by file, Event, Site and EventDate, adds up points, wins and Sonneborn-Berger in loops, and ranks.
Only groups count in which each pair met equally often and no game is missing, forfeited or open.

    python benchmarks/pgn_round_robins.py FOLDER
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import chess.pgn
import polars as pl

from tbframe.checks.games_due import completeness
from tbframe.sources.pgn import read_pgn

POINTS = {
    "1-0": (Fraction(1), Fraction(0)),
    "0-1": (Fraction(0), Fraction(1)),
    "1/2-1/2": (Fraction(1, 2), Fraction(1, 2)),
}

Game = tuple[str, str, str]


def tidy(name: str) -> str:
    return ", ".join(" ".join(part.split()) for part in name.split(",")).strip(" ,")


def naive_groups(paths: list[Path]) -> dict[tuple[str, ...], list[Game]]:
    groups: dict[tuple[str, ...], list[Game]] = defaultdict(list)
    for path in paths:
        with path.open(encoding="utf-8", errors="replace") as file:
            while (tags := chess.pgn.read_headers(file)) is not None:
                if "White" not in tags:  # text behind an empty line, which is no game
                    continue
                names = (tags.get(tag, "") for tag in ("Event", "Site", "EventDate"))
                key = (*names, path.name)
                groups[key].append(
                    (
                        tidy(tags.get("White", "")),
                        tidy(tags.get("Black", "")),
                        tags.get("Result", "*"),
                    )
                )
    return groups


def naive_standings(games: list[Game]) -> dict[str, tuple[int, float, int, float]] | None:
    """Rank, points, wins and Sonneborn-Berger of each player; None where it is no round robin."""
    players = sorted({name for white, black, _ in games for name in (white, black)})
    met = Counter(frozenset(game[:2]) for game in games)
    pairs = len(players) * (len(players) - 1) // 2
    if len(players) < 3 or len(met) != pairs or len(set(met.values())) != 1:
        return None
    if any(result not in POINTS for _, _, result in games):
        return None
    score: dict[str, Fraction] = defaultdict(Fraction)
    wins: Counter[str] = Counter()
    for white, black, result in games:
        for name, points in zip((white, black), POINTS[result], strict=True):
            score[name] += points
            wins[name] += points == 1
    berger: dict[str, Fraction] = defaultdict(Fraction)
    for white, black, result in games:
        berger[white] += POINTS[result][0] * score[black]
        berger[black] += POINTS[result][1] * score[white]
    order = {name: (score[name], berger[name], wins[name]) for name in players}
    return {
        name: (
            1 + sum(other > order[name] for other in order.values()),
            float(score[name]),
            wins[name],
            float(berger[name]),
        )
        for name in players
    }


def compare(folder: Path) -> dict[str, Any]:
    """Compare all that both sides take for complete round robins."""
    paths = sorted(folder.rglob("*.pgn"))
    start = time.perf_counter()
    archive = read_pgn(paths)
    seconds = time.perf_counter() - start
    report = completeness(archive)
    table = archive.standings("PTS SB WIN", edition="2024-08")
    ours: dict[tuple[str, str, frozenset[str]], list[str]] = defaultdict(list)
    members = archive.players.group_by("tournament").agg("player")
    about = archive.tournaments.join(members, on="tournament").join(
        report.select("tournament", "complete", "system"), on="tournament"
    )
    for row in about.iter_rows(named=True):
        ours[(row["name"], row["city"], frozenset(row["player"]))].append(row["tournament"])
    complete = dict(about.select("tournament", "complete").rows())
    standings = {
        key[0]: {
            row[0]: row[1:] for row in rows.select("player", "rank", "PTS", "WIN", "SB").rows()
        }
        for key, rows in table.group_by("tournament")
    }
    equal, different, unmatched = 0, [], []
    players = games = 0
    for (event, site, *_), rows in naive_groups(paths).items():
        theirs = naive_standings(rows)
        if theirs is None:
            continue
        found = ours.get((" ".join(event.split()), " ".join(site.split()), frozenset(theirs)), [])
        if len(found) != 1 or not complete[found[0]]:
            unmatched.append(f"{event}, {site}")
        elif standings[found[0]] == theirs:
            equal += 1
            players += len(theirs)
            games += len(rows)
        else:
            different.append(found[0])
    return {
        "files": len(paths), "seconds": seconds, "tournaments": archive.tournaments.height,
        "equal": equal, "players": players, "games": games, "different": different,
        "unmatched": unmatched,
        "systems": dict(report.filter("complete")["system"].value_counts().rows()),
    }  # fmt: skip


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folder", type=Path)
    found = compare(options.parse_args().folder)
    pl.Config.set_tbl_rows(-1)
    print(f"{found['files']} files, {found['tournaments']} tournaments, {found['seconds']:.1f} s")
    print(f"taken as complete: {found['systems']}")
    print(f"round robins with equal standings: {found['equal']} ", end="")
    print(f"({found['players']} players, {found['games']} games)")
    print(f"different: {len(found['different'])} {found['different'][:10]}")
    print(f"naively complete, and not so with us: {len(found['unmatched'])}")
    for name in found["unmatched"][:20]:
        print(f"  {name}")
    if found["different"]:
        raise SystemExit("standings differ")


if __name__ == "__main__":
    main()
