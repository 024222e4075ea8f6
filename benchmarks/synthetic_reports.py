"""Synthetic tournament report files, good ones and damaged ones, the same for the same seed."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import polars as pl

import tbframe as tb
from benchmarks.accidents import ACCIDENTS
from benchmarks.synthetic import mixed_sizes, swiss_results

__all__ = ["Reports", "write_reports"]

BOARDS: Final = 4
_SIZES: Final = (8, 9, 10, 12, 15, 17, 24, 31)
_TEAM_EVENTS: Final = 0.2
Rng = np.random.Generator


class Reports(NamedTuple):
    """What was written.

    Attributes
    ----------
    folder
        Where: in the folders ``good`` and ``mutated``.
    files
        ``tournament`` (the file is named so), ``kinds`` (accidents in their order, separated by
        blanks; null for a good file), ``base`` (the good file).
    archives
        The tournaments of the good files, as they were before they were written.
    """

    folder: Path
    files: pl.DataFrame
    archives: list[tb.Archive]


def write_reports(folder: Path, good: int, mutated: int, seed: int = 1) -> Reports:
    """Write good report files and mutated ones.

    Parameters
    ----------
    folder
        Where; its files must not be there yet.
    good, mutated
        How many of each. A fifth of the good ones are team events.
    seed
        The same seed gives the same files.
    """
    rng = np.random.default_rng((seed, 0))
    teams = round(good * _TEAM_EVENTS)
    archives, paths = [], []
    for kind, count, make in (("i", good - teams, _individual), ("t", teams, _team)):
        for version, size in (("16", count // 2), ("26", count - count // 2)):
            archive = make(f"good-{kind}{version}-", size, rng)
            archives.append(archive)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # TRF16 has no place for all
                paths += tb.write_trf(archive, folder / "good", version=version)
    originals = [path.read_bytes() for path in paths]
    rows: list[tuple[str, str | None, str]] = [(path.stem, None, path.stem) for path in paths]
    (folder / "mutated").mkdir()
    for number in range(mutated):
        dice = np.random.default_rng((seed, 1, number))
        base = int(dice.integers(len(paths)))
        data, kinds = originals[base], []
        # One file in four has several accidents.
        for _ in range(int(dice.choice([1, 1, 1, 1, 1, 1, 2, 3]))):
            kind = str(dice.choice(list(ACCIDENTS)))
            data = ACCIDENTS[kind](data, dice)
            kinds.append(kind)
        key = f"mutated-{number:05}"
        (folder / "mutated" / f"{key}.trf").write_bytes(data)
        rows.append((key, " ".join(kinds), paths[base].stem))
    schema = {"tournament": pl.String, "kinds": pl.String, "base": pl.String}
    return Reports(folder, pl.DataFrame(rows, schema=schema, orient="row"), archives)


def _about(prefix: str, count: int, rng: Rng) -> pl.DataFrame:
    """Describe tournaments 1, 2, ..., some with a scoring and an order of their own."""
    number = pl.int_range(1, count + 1, eager=True)
    return pl.DataFrame({"number": number}).with_columns(
        tournament=prefix + number.cast(pl.String).str.zfill(5),
        name=pl.format("Coupe d'été n° {}", "number"),
        city=pl.lit("Łódź"),
        federation=pl.lit("POL"),
        start=pl.date(2000, 1, 1) + pl.duration(days=pl.Series(rng.integers(0, 9_700, count))),
        pairing=pl.lit("swiss"),
        type=pl.lit("Swiss-System"),
        arbiter=pl.lit("Invented, Ümit"),
        criteria=pl.when(pl.col("number") % 3 == 0).then(pl.lit("PTS DE BH/C1")),
        scoring=pl.when(pl.col("number") % 5 == 0).then(pl.lit("W=3 D=1 L=0")),
    )


def _individual(prefix: str, count: int, rng: Rng) -> tb.Archive:
    seed = (int(rng.integers(2**31)),)
    results = mixed_sizes(count, 0.06, seed, _SIZES).rename({"tournament": "number"})
    about = _about(prefix, count, rng)
    players = results.select("number", "player").unique(maintain_order=True)
    rated = pl.Series(rng.random(players.height) < 0.9)
    players = players.with_columns(
        name=pl.format("Surname{}, Żofia", "player"),
        rating=pl.when(rated).then(1400 + pl.Series(rng.integers(0, 1200, players.height))),
        federation=pl.lit("NOR"),
        birth=pl.lit("1990-01-31"),
    )
    key = about.select("number", "tournament")
    scored = tb.from_results(
        results.join(key, on="number").drop("number", "points"),
        players.join(key, on="number").drop("number"),
        about.drop("number"),
    )
    # Declared points tell when results were changed.
    declared = scored.results.group_by("tournament", "player").agg(pl.col("points").sum())
    return tb.from_results(
        scored.results,
        scored.players.drop("points").join(declared, on=["tournament", "player"]),
        scored.tournaments,
    )


def _team(prefix: str, count: int, rng: Rng) -> tb.Archive:
    """Play the pairings of Swiss tournaments as matches of `BOARDS` boards."""
    seed = (int(rng.integers(2**31)),)
    teams, rounds = 10, 5
    pairings = swiss_results(count, teams, rounds, 0.04, seed).rename({"tournament": "number"})
    about = _about(prefix, count, rng)
    pairings = pairings.join(about.select("number", "tournament"), on="number").drop("number")
    code = pl.col("result").cast(pl.String)
    upper = (
        pairings.filter(pl.col("player") < pl.col("opponent"), code.is_in(["1", "=", "0"]))
        .select("tournament", "round", team="player", opponent="opponent")
        .join(pl.DataFrame({"board": range(1, BOARDS + 1)}), how="cross")
    )
    played = np.array(["1", "=", "0", "+", "-"])
    drawn = rng.choice(len(played), upper.height, p=[0.35, 0.28, 0.35, 0.01, 0.01])
    upper = upper.with_columns(
        result=pl.Series(played[drawn]),
        mirror=pl.Series(played[[2, 1, 0, 4, 3]][drawn]),
        color=pl.when(pl.col("board") % 2 == 1).then(pl.lit("w")).otherwise(pl.lit("b")),
    )
    lower = upper.select(
        "tournament", "round", "board", team="opponent", opponent="team", result="mirror",
        color=pl.when(pl.col("color") == "w").then(pl.lit("b")).otherwise(pl.lit("w")),
    )  # fmt: skip
    boards = pl.concat([upper.drop("mirror"), lower], how="diagonal").with_columns(
        player=(pl.col("team") - 1) * BOARDS + pl.col("board"),
        opponent_player=(pl.col("opponent") - 1) * BOARDS + pl.col("board"),
    )
    byes = pairings.join(boards, left_on=["tournament", "round", "player"],
                         right_on=["tournament", "round", "team"], how="anti")  # fmt: skip
    members = boards.select("tournament", "player", "team", order="board").unique()
    return tb.from_boards(
        boards,
        byes.select("tournament", "round", team="player", type=_bye_type()),
        boards.select("tournament", "team")
        .unique()
        .with_columns(name=pl.format("Team {}", "team")),
        members.with_columns(name=pl.format("Member{}, Ødegård", "player"), rating=2000),
        about.drop("number", "criteria", "scoring").with_columns(kind=pl.lit("team")),
    )


def _bye_type() -> pl.Expr:
    """Return the kind of a round without a match; whose opponent stayed away has a full one."""
    code = pl.col("result").cast(pl.String)
    return code.replace({"+": "F", "-": "Z"})
