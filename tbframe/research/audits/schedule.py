"""Schedules: floats, how strong opponents were, and whether starting numbers tell tie-breaks."""

from __future__ import annotations

import polars as pl

from tbframe.archive import Archive
from tbframe.editions import AUTO, Edition
from tbframe.errors import TbframeError
from tbframe.research.audits.games import sides
from tbframe.tiebreaks import parse_order

__all__ = ["floats", "pairing_number_correlation", "schedule_strength"]


def floats(archive: Archive) -> pl.DataFrame:
    """Count the games between players of different scores.

    Parameters
    ----------
    archive
        The tournaments.

    Returns
    -------
    DataFrame
        One row per tournament and round, sorted: ``tournament``, ``round``; ``games`` over the
        board; ``floats``, those between players who had different points before the round; the
        mean ``gap`` in points over all games; the mean ``rating_gap`` between two rated players.

    Examples
    --------
    >>> import tbframe as tb
    >>> from tbframe.research import floats
    >>> floats(tb.read("data/trf/tec2023_swiss9_de.trf")).row(0)[1:4]
    (1, 8, 0)
    """
    key = ["tournament", "round"]
    mine = sides(archive)
    theirs = mine.select(*key, player="opponent", opponent="player", their="before")
    games = mine.join(theirs, on=[*key, "player", "opponent"])
    gap = (pl.col("before") - pl.col("their")).abs()
    return (
        games.group_by(key)
        .agg(
            games=pl.len() // 2,
            floats=(gap > 0).sum() // 2,
            gap=gap.mean(),
            rating_gap=(pl.col("rating") - pl.col("opponent_rating")).abs().mean(),
        )
        .sort(key)
    )


def schedule_strength(archive: Archive, by: str = "rating") -> pl.DataFrame:
    """Measure how much opponents differed among players who ended level on points.

    Parameters
    ----------
    archive
        The tournaments.
    by
        A numeric column of `Archive.players`: ``"rating"``, or ``"strength"`` of a simulation.

    Returns
    -------
    DataFrame
        One row per tournament, sorted: ``tournament``; ``players`` with a known opponent; the
        ``mean`` of what their opponents have on average; its standard deviation over all of them,
        ``overall``, and ``within`` groups of the same points: what is left to luck in the draw
        among those whom a tie-break has to tell apart. Null where fewer than two are level.

    Raises
    ------
    TbframeError
        If there is no such numeric column.

    Examples
    --------
    Everybody meets everybody: who is level differs only by not meeting himself.

    >>> import tbframe as tb
    >>> from tbframe.research import schedule_strength
    >>> archive = tb.simulate(events=1, players=8, pairing="berger", seed=1)
    >>> row = schedule_strength(archive, "strength").row(0, named=True)
    >>> row["within"] < row["overall"]
    True
    """
    players = archive.players
    if by not in players.columns or not players.schema[by].is_numeric():
        raise TbframeError(f"players have no numeric column {by!r}")
    strengths = players.select("tournament", opponent="player", theirs=by)
    opponents = (
        sides(archive)
        .join(strengths, on=["tournament", "opponent"])
        .group_by("tournament", "player")
        .agg(theirs=pl.col("theirs").mean())
        .drop_nulls()
    )
    points = archive.tiebreaks("PTS").select("tournament", "player", "PTS")
    level = opponents.join(points, on=["tournament", "player"]).with_columns(
        off=pl.col("theirs") - pl.col("theirs").mean().over("tournament", "PTS"),
        free=1 - 1 / pl.len().over("tournament", "PTS"),
    )
    free = pl.col("free").sum()
    return (
        level.group_by("tournament")
        .agg(
            players=pl.len(),
            mean=pl.col("theirs").mean(),
            overall=pl.col("theirs").std(),
            within=pl.when(free > 0.5).then((pl.col("off") ** 2).sum() / free).sqrt(),
        )
        .sort("tournament")
    )


def pairing_number_correlation(
    archive: Archive, code: str, *, edition: str | Edition = AUTO
) -> pl.DataFrame:
    """Correlate a tie-break with the pairing number among players level on points.

    Parameters
    ----------
    archive
        Tournaments whose player keys are pairing numbers (starting ranks).
    code
        The tie-break.
    edition
        As in `Archive.standings`.

    Returns
    -------
    DataFrame
        One row per tournament, sorted: ``tournament``; ``players`` in groups of the same points
        with two or more different values; ``correlation`` of the ranks within those groups: +1 if
        the tie-break always prefers low numbers, -1 if high ones, null where nothing varies.

    Raises
    ------
    TbframeError
        If player keys are no numbers, or more than one code is given.

    Examples
    --------
    >>> import tbframe as tb
    >>> from tbframe.research import pairing_number_correlation
    >>> archive = tb.simulate(events=3, players=16, rounds=5, seed=1)
    >>> pairing_number_correlation(archive, "ARO").columns
    ['tournament', 'players', 'correlation']
    """
    (criterion, *others) = parse_order(code)
    if others:
        raise TbframeError(f"one tie-break at a time, not {code!r}")
    if not archive.players.schema["player"].is_integer():
        raise TbframeError("player keys are texts here, and no pairing numbers")
    name = str(criterion)
    values = archive.tiebreaks(["PTS", name], edition=edition).drop_nulls(name)
    level = ["tournament", "PTS"]

    def place(column: pl.Expr, *, descending: bool) -> pl.Expr:
        rank = column.rank("average", descending=descending)
        return (rank - rank.mean()).over(level)

    ranked = values.filter(pl.col(name).n_unique().over(level) > 1).select(
        "tournament",
        number=place(pl.col("player"), descending=False),
        value=place(pl.col(name), descending=True),
    )
    product = (pl.col("number") * pl.col("value")).sum()
    size = ((pl.col("number") ** 2).sum() * (pl.col("value") ** 2).sum()).sqrt()
    found = ranked.group_by("tournament").agg(players=pl.len(), correlation=product / size)
    keys = archive.tournaments.select("tournament")
    return keys.join(found, on="tournament", how="left", maintain_order="left").with_columns(
        pl.col("players").fill_null(0)
    )
