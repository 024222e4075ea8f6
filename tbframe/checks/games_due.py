"""How many games of each tournament are there, of those that its players and rounds make due.

Broadcasts and collections have the games of the top boards, or of some rounds, and no byes: a
Buchholz over them looks right and is wrong. This is looked at before any tie-break.

==================  ==============================================================================
system              games due
==================  ==============================================================================
round-robin         one for each pair and cycle: declared as predetermined, or everybody met
                    everybody, or there are rounds enough for it and most pairs met
swiss               half of the players in each round, less those who have a bye: declared, or
                    nothing else fits. Players who left early are counted as missing games, unless
                    they have a row for the round
knock-out           not told: a match ends when it is decided. As many pairs as players less one,
                    in as many rounds as halving them takes, two players in the last, and nobody
                    who lost plays on
match               not told: two players
==================  ==============================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from tbframe.findings import concat_findings, counted, findings_from, no_findings

if TYPE_CHECKING:
    from tbframe.archive import Archive

__all__ = ["completeness", "incomplete"]

_COLUMNS: Final = (
    "tournament", "name", "system", "players", "rounds", "cycles", "expected", "games", "missing",
    "surplus", "unknown", "boards_missing", "share", "complete",
)  # fmt: skip


def completeness(archive: Archive) -> pl.DataFrame:
    """Compare the games found with those that are due, for each tournament.

    Parameters
    ----------
    archive
        Any; of team events the matches are counted.

    Returns
    -------
    DataFrame
        One row for each tournament, in their order: ``tournament``, ``name``, ``system`` (as
        above; declared or guessed), ``players``, ``rounds`` (planned, or the last with a
        result), ``cycles`` (how often a pair meets, in round robins), ``expected`` games,
        ``games`` found, ``missing`` of those expected, ``surplus`` (found and not expected:
        play-offs, or games of others under the same name), ``unknown`` (games whose result is not
        known), ``boards_missing`` (of the matches found, as many as the largest match has; null
        for individuals), ``share`` (found of expected, 0 to 1), and ``complete``: whether no
        game or board is missing or unknown; null where what is due cannot be told.

    Examples
    --------
    >>> import tbframe as tb
    >>> games = pl.DataFrame({
    ...     "round": [1, 2, 2], "white": ["A", "C", "B"], "black": ["B", "A", "D"],
    ...     "result": ["1-0", "1/2", "0-1"],
    ... })
    >>> completeness(tb.from_games(games)).select("system", "expected", "games", "complete").row(0)
    ('swiss', 4, 3, False)
    """
    return _games_due(archive.results, archive.tournaments, archive.boards)


def incomplete(
    results: pl.DataFrame, tournaments: pl.DataFrame, boards: pl.DataFrame | None
) -> pl.DataFrame:
    """List the tournaments of which games are missing, where the source may lack some.

    Parameters
    ----------
    results, tournaments, boards
        Canonical frames. Looked at are the tournaments whose ``source`` is ``"pgn"``: reports and
        crosstables have a row for every player.

    Returns
    -------
    DataFrame
        Findings.
    """
    if "source" not in tournaments.columns:
        return no_findings()
    doubtful = tournaments.filter(pl.col("source").cast(pl.String) == "pgn")
    if doubtful.is_empty():
        return no_findings()
    theirs = results.join(doubtful, on="tournament", how="semi")
    due = _games_due(theirs, doubtful, boards)
    what = pl.when(pl.col("boards_missing").is_null()).then(counted("missing", "game"))
    return concat_findings(
        findings_from(
            due.filter(pl.col("missing") > 0),
            code="incomplete",
            severity="warning",
            message=pl.format(
                "{} of {} due not found: whatever rests on opponents may be wrong (see "
                "tbframe.completeness)",
                what.otherwise(counted("missing", "match", "matches")), "expected",
            ),
        ),
        findings_from(
            due.filter(pl.col("boards_missing") > 0),
            code="incomplete",
            severity="warning",
            message=pl.format(
                "{} of matches not found: their results may be wrong (see tbframe.completeness)",
                counted("boards_missing", "board"),
            ),
        ),
    )  # fmt: skip


def _games_due(
    results: pl.DataFrame, tournaments: pl.DataFrame, boards: pl.DataFrame | None
) -> pl.DataFrame:
    """Do what `completeness` does, with the canonical frames."""
    met = results.filter(pl.col("opponent").is_not_null())
    pair = [
        pl.min_horizontal("player", "opponent").alias("one"),
        pl.max_horizontal("player", "opponent").alias("two"),
    ]
    pairs = met.group_by("tournament", *pair).agg(meetings=(pl.len() + 1) // 2)
    cycles = pairs.group_by("tournament").agg(
        pairs=pl.len(), cycles=pl.col("meetings").median().round().cast(pl.Int64)
    )
    found = met.group_by("tournament").agg(
        games=(pl.len() + 1) // 2, unknown=((pl.col("result") == "*").sum() + 1) // 2
    )
    own = results.group_by("tournament").agg(
        players=pl.col("player").n_unique().cast(pl.Int64),
        last=pl.col("round").max().cast(pl.Int64),
    )
    facts = (
        tournaments.select("tournament", "name", "pairing", planned=pl.col("rounds").cast(pl.Int64))
        .join(own, on="tournament", how="left", maintain_order="left")
        .join(cycles, on="tournament", how="left", maintain_order="left")
        .join(found, on="tournament", how="left", maintain_order="left")
        .join(_sizes(met), on="tournament", how="left", maintain_order="left")
        .join(_losers(met), on="tournament", how="left", maintain_order="left")
        .with_columns(
            pl.col("games", "unknown", "players", "pairs").fill_null(0).cast(pl.Int64),
            pl.col("cycles").fill_null(1),
            rounds=pl.max_horizontal(pl.col("planned").fill_null(0), pl.col("last").fill_null(0)),
        )
    )
    facts = facts.with_columns(all_pairs=pl.col("players") * (pl.col("players") - 1) // 2)
    facts = facts.with_columns(system=_system())
    capped = pairs.join(facts.select("tournament", "cycles"), on="tournament", how="left")
    there = capped.group_by("tournament").agg(
        due_and_there=pl.min_horizontal("meetings", "cycles").sum().cast(pl.Int64)
    )
    swiss = _swiss(results, facts)
    facts = facts.join(there, on="tournament", how="left", maintain_order="left")
    facts = facts.join(swiss, on="tournament", how="left", maintain_order="left")
    robin, by_round = pl.col("system") == "round-robin", pl.col("system") == "swiss"
    facts = facts.with_columns(
        expected=pl.when(robin).then(pl.col("cycles") * pl.col("all_pairs"))
        .when(by_round).then(pl.col("places")),
        cycles=pl.when(robin).then("cycles"),
        there=pl.when(robin).then(pl.col("due_and_there").fill_null(0))
        .when(by_round).then(pl.col("filled").fill_null(0)),
    ).with_columns(
        missing=pl.col("expected") - pl.col("there"), surplus=pl.col("games") - pl.col("there")
    )  # fmt: skip
    facts = _with_boards(facts, boards)
    nothing = pl.col("expected") == 0
    facts = facts.with_columns(
        share=pl.when(~nothing).then(pl.col("there") / pl.col("expected")),
        complete=(pl.col("missing") == 0)
        & (pl.col("unknown") == 0)
        & (pl.col("boards_missing").fill_null(0) == 0),
    )
    return facts.select(_COLUMNS)


def _system() -> pl.Expr:
    """Say how the players of a tournament were paired."""
    players, rounds, pairs = pl.col("players"), pl.col("rounds"), pl.col("pairs")
    needed = pl.col("cycles") * (players - 1 + players % 2)
    most = (2 * pairs > pl.col("all_pairs")) & (rounds >= needed)
    halvings = (players - 1).cast(pl.Float64).log(2).floor().cast(pl.Int64, strict=False) + 1
    shrinks = (pl.col("in_last") == 2) & (pl.col("in_first") > 2) & ~pl.col("losers_play_on")
    return (
        pl.when(players == 2).then(pl.lit("match"))
        .when(pl.col("pairing") == "predetermined").then(pl.lit("round-robin"))
        .when(pl.col("pairing") == "swiss").then(pl.lit("swiss"))
        .when((pairs == pl.col("all_pairs")) & (players > 2)).then(pl.lit("round-robin"))
        .when(most & (players > 2)).then(pl.lit("round-robin"))
        .when((pairs == players - 1) & (rounds == halvings) & (players > 3) & shrinks)
        .then(pl.lit("knock-out"))
        .otherwise(pl.lit("swiss"))
    )  # fmt: skip


def _sizes(met: pl.DataFrame) -> pl.DataFrame:
    """Count who plays in the first and in the last round."""
    busy = met.group_by("tournament", "round").agg(pl.col("player").n_unique().alias("n"))
    return (
        busy.sort("round")
        .group_by("tournament")
        .agg(in_first=pl.col("n").first(), in_last=pl.col("n").last())
    )


def _losers(met: pl.DataFrame) -> pl.DataFrame:
    """Tell whether somebody who lost to his opponent of a round plays in a later one."""
    pair = ["tournament", "round", "player", "opponent"]
    own = met.group_by(pair).agg(pl.col("points").sum())
    other = own.select(
        "tournament", "round", player="opponent", opponent="player", against="points"
    )
    last = met.group_by("tournament", "player").agg(last=pl.col("round").max())
    both = own.join(other, on=pair).join(last, on=["tournament", "player"])
    on = (pl.col("points") < pl.col("against")) & (pl.col("last") > pl.col("round"))
    return both.group_by("tournament").agg(losers_play_on=on.any())


def _with_boards(facts: pl.DataFrame, boards: pl.DataFrame | None) -> pl.DataFrame:
    """Count the boards that matches have less than the largest one of the tournament."""
    if boards is None:
        return facts.with_columns(boards_missing=pl.lit(None, pl.Int64))
    sides = boards.filter(pl.col("opponent").is_not_null())
    matches = sides.group_by("tournament", "round", "team", "opponent").agg(
        boards=pl.col("board").n_unique().cast(pl.Int64)
    )
    missing = (pl.col("boards").max() - pl.col("boards")).sum() // 2  # both sides have rows
    return facts.join(
        matches.group_by("tournament").agg(boards_missing=missing), on="tournament", how="left",
        maintain_order="left",
    )  # fmt: skip


def _swiss(results: pl.DataFrame, facts: pl.DataFrame) -> pl.DataFrame:
    """Count the games that each round has place for, and those that are there."""
    rows = results.group_by("tournament", "round").agg(
        idle=pl.col("player").filter(pl.col("opponent").is_null()).n_unique().cast(pl.Int64),
        busy=pl.col("player").filter(pl.col("opponent").is_not_null()).n_unique().cast(pl.Int64),
    )
    size = facts.select("tournament", "players", "rounds")
    rows = rows.join(size, on="tournament", how="left")
    per_round = rows.group_by("tournament").agg(
        places=((pl.col("players") - pl.col("idle")) // 2).sum(),
        filled=pl.min_horizontal(
            (pl.col("busy") + 1) // 2, (pl.col("players") - pl.col("idle")) // 2
        ).sum(),
        seen=pl.len().cast(pl.Int64),
    )
    whole = per_round.join(size, on="tournament", how="left")
    unseen = (pl.col("rounds") - pl.col("seen")).clip(0) * (pl.col("players") // 2)
    return whole.select("tournament", "filled", places=pl.col("places") + unseen)
