"""What the tag Round says: a round, and perhaps a board or the number of a game.

``3`` is a round. ``3.4`` is board 4 of round 3 (``round.board``), game 4 of the matches of round
3 (``round.game``), or game 4 of the third pair (``pair.game``), depending on who wrote the file.
``"auto"`` looks at each tournament:

* nobody has two games with the same first number, and no two games the same two numbers:
  ``round.board``;
* every first number has one pair of players, who play several games: ``pair.game``;
* who has several games with the same first number has one opponent there: ``round.game``;
* else ``round.board``, with a warning.

``1.2.3`` is round 1, match or pair 2, board or game 3: a board, unless a player has several games
in a round.
"""

from __future__ import annotations

from typing import Final, Literal

import polars as pl

from tbframe.findings import concat_findings, findings_from, no_findings
from tbframe.schema import MOST_ROUNDS

__all__ = ["Rounds", "read_rounds"]

Rounds = Literal["auto", "round.board", "round.game", "pair.game"]

#: Also ``Round 3``, ``R3`` and ``3.``.
_DOTTED: Final = r"(?i)^(?:round|rd|r)?\.? ?(\d{1,9})(?:[.,:/](\d{1,9}))?(?:[.,:/](\d{1,9}))?\.?$"


def read_rounds(games: pl.DataFrame, scheme: Rounds) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Read the rounds.

    Parameters
    ----------
    games
        ``file``, ``line``, ``tournament``, ``Round`` (cleaned), ``white``, ``black``, ``day``,
        sorted as they were played.
    scheme
        What numbers with dots mean.

    Returns
    -------
    games, findings
        The frame with ``round``, null for all games of a tournament in which one has none,
        ``game`` and ``board`` (null: not said).
    """
    parts = pl.col("Round").str.extract_groups(_DOTTED)
    games = games.with_columns(
        parts.struct.field(str(number)).cast(pl.Int32, strict=False).alias(name)
        for number, name in ((1, "a"), (2, "b"), (3, "c"))
    ).with_columns(a=pl.when(pl.col("a").is_between(1, MOST_ROUNDS)).then("a"))
    unread = games.filter(pl.col("Round").is_not_null(), pl.col("a").is_null())
    found = [
        findings_from(
            unread.with_columns(shown=pl.col("Round").str.slice(0, 40)),
            code="round-unreadable",
            severity="warning",
            message=pl.format("round {} is no number from 1 to {}", "shown", pl.lit(MOST_ROUNDS)),
        )
    ]
    guesses = _guess(games, scheme)
    games = games.join(guesses, on="tournament", how="left", maintain_order="left")
    kind = pl.col("scheme")
    stage = pl.max_horizontal(
        pl.col("a").rank("dense").over("tournament", side) for side in ("white", "black")
    )
    games = games.with_columns(
        round=pl.when(kind == "pair.game").then(stage).otherwise("a").cast(pl.Int32),
        board=pl.when(kind == "round.board").then("b").when(kind == "round.match.board").then("c"),
        game=pl.when(kind.is_in(["round.game", "pair.game"])).then("b")
        .when(kind == "round.pair.game").then("c"),
    )  # fmt: skip
    told = guesses.filter(pl.col("dotted"))
    unsure = pl.col("unsure") & (scheme == "auto")
    said = "as asked" if scheme != "auto" else "guessed"
    message = pl.format("rounds with dots are read as {} ({})", "scheme", pl.lit(said))
    found.append(
        findings_from(told.filter(~unsure), code="rounds-read-as", severity="info", message=message)
    )
    found.append(
        findings_from(
            told.filter(unsure), code="rounds-read-as", severity="warning",
            message=pl.format("{}, though players have several games in a round", message),
        )
    )  # fmt: skip
    games, single = _from_the_day(games)
    games, more = _from_dates(games)
    found.append(single)
    return games.drop("a", "b", "c", "scheme", "dotted", "unsure"), concat_findings(*found, more)


def _guess(games: pl.DataFrame, scheme: Rounds) -> pl.DataFrame:
    """Say for each tournament what its rounds with dots mean."""
    sides = pl.concat(
        games.select("tournament", "a", "b", "c", player=one, other=two)
        for one, two in (("white", "black"), ("black", "white"))
    ).filter(pl.col("a").is_not_null(), pl.col("b").is_not_null(), pl.col("player").is_not_null())
    place = ["tournament", "a"]
    of_player = sides.group_by(*place, "player").agg(
        pl.len(), pl.col("other").n_unique().alias("others")
    )
    of_number = sides.group_by(place).agg(
        pl.concat_list(pl.min_horizontal("player", "other"), pl.max_horizontal("player", "other"))
        .n_unique()
        .alias("pairs")
    )
    shared = games.drop_nulls(["a", "b"]).group_by(*place, "b", "c").len()
    facts = (
        games.group_by("tournament")
        .agg(
            dotted=pl.col("b").is_not_null().any(),
            three=pl.col("c").is_not_null().any(),
            numbers=pl.col("a").n_unique(),
        )
        .join(
            of_player.group_by("tournament").agg(
                again=(pl.col("len") > 1).any(), one=(pl.col("others") == 1).all()
            ),
            on="tournament",
            how="left",
        )
        .join(
            of_number.group_by("tournament").agg(pl.col("pairs").max()), on="tournament", how="left"
        )
        .join(
            shared.group_by("tournament").agg(shared=(pl.col("len") > 1).any()),
            on="tournament",
            how="left",
        )
        .with_columns(pl.col("again", "one", "shared").fill_null(value=False))
    )
    again = pl.col("again")
    guess = (
        pl.when(pl.col("three") & again).then(pl.lit("round.pair.game"))
        .when("three").then(pl.lit("round.match.board"))
        .when(pl.lit(scheme != "auto")).then(pl.lit(scheme))
        .when(again & (pl.col("pairs") == 1) & (pl.col("numbers") > 1)).then(pl.lit("pair.game"))
        .when((again & pl.col("one")) | (pl.col("shared") & ~again)).then(pl.lit("round.game"))
        .otherwise(pl.lit("round.board"))
    )  # fmt: skip
    return facts.sort("tournament").select(
        "tournament", "dotted", scheme=guess,
        unsure=again & ~pl.col("one") & ~pl.col("three") & (guess == "round.board"),
    )  # fmt: skip


def _from_the_day(games: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Give a game without a round that of all others of its day, where its players are free."""
    loose = games.filter(pl.col("round").is_null(), pl.col("day").is_not_null())
    if loose.is_empty():
        return games, no_findings()
    known = games.filter(pl.col("round").is_not_null())
    days = known.group_by("tournament", "day").agg(
        pl.col("round").n_unique().alias("rounds"), pl.col("round").first().alias("there")
    )
    busy = pl.concat(known.select("tournament", "round", player=one) for one in ("white", "black"))
    loose = (
        loose.join(days.filter(rounds=1), on=["tournament", "day"])
        .with_columns(
            alone=(pl.len().over("tournament", "there", "white") == 1)
            & (pl.len().over("tournament", "there", "black") == 1)
        )
        .filter("alone")
    )
    for side in ("white", "black"):
        loose = loose.join(
            busy, left_on=["tournament", "there", side], right_on=["tournament", "round", "player"],
            how="anti",
        )  # fmt: skip
    games = games.join(
        loose.select("file", "line", "there"), on=["file", "line"], how="left",
        maintain_order="left",
    ).with_columns(pl.coalesce("round", "there"))  # fmt: skip
    return games.drop("there"), findings_from(
        loose.sort("file", "line").with_columns(round="there"),
        code="round-from-day",
        severity="warning",
        message=pl.format("no round: taken as {}, that of all other games of the day", "there"),
    )


def _from_dates(games: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Give rounds to tournaments in which a game has none, by their dates where these tell them."""
    lacking = games.filter(pl.col("round").is_null()).group_by("tournament").len("lacking")
    if lacking.is_empty():
        return games, no_findings()
    lacking = lacking.join(games.group_by("tournament").len("games"), on="tournament")
    theirs = games.join(lacking, on="tournament", how="semi")
    sides = pl.concat(
        theirs.select("tournament", "day", player=one) for one in ("white", "black")
    ).filter(pl.col("player").is_not_null())
    dated = sides.group_by("tournament").agg(
        clear=pl.col("day").is_not_null().all()
        & (pl.struct("day", "player").n_unique() == pl.len())
        & (pl.col("day").n_unique() <= MOST_ROUNDS)
    )
    lacking = lacking.join(dated, on="tournament", how="left").sort("tournament")
    games = games.join(
        lacking.select("tournament", "clear"), on="tournament", how="left", maintain_order="left"
    )
    by_date = pl.col("day").rank("dense").over("tournament").cast(pl.Int32)
    games = games.with_columns(
        round=pl.when("clear").then(by_date).when(pl.col("clear").is_null()).then("round")
    ).drop("clear")
    of = pl.format("{} of {} games have no round", "lacking", "games")
    return games, concat_findings(
        findings_from(
            lacking.filter("clear"),
            code="rounds-from-dates",
            severity="warning",
            message=pl.format("{}: the dates are taken as rounds, one for each", of),
        ),
        findings_from(
            lacking.filter(~pl.col("clear")),
            code="rounds-missing-in-file",
            severity="warning",
            message=pl.format("{}: each player's games are numbered by date and place", of),
        ),
    )
