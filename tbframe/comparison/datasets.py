"""The difference of two recalculations, a part at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from os import PathLike
from pathlib import Path

import polars as pl
from polars.exceptions import PolarsError

from tbframe.comparison.difference import (
    Difference,
    compare,
    insist_on_prizes,
    join_differences,
)
from tbframe.errors import SourceError
from tbframe.recalculation import Recalculation

__all__ = ["diff"]


def diff(
    old: str | PathLike[str] | Recalculation,
    new: str | PathLike[str] | Recalculation,
    *,
    prizes: int = 3,
) -> Difference:
    """Compare two datasets that `tbframe.recalc` wrote.

    Parameters
    ----------
    old, new
        Their folders, or what `recalc` returned.
    prizes
        How many ranks have a prize.

    Returns
    -------
    Difference
        Of the tournaments and players that both have, by the codes that both have; the others
        are listed. Called by the names of the folders.

    Raises
    ------
    SourceError
        If a folder holds no finished dataset, or a file in it is not as it was written.
    TbframeError
        If keys are text in the one and numbers in the other, or `prizes` is no number of ranks.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import tbframe as tb
    >>> with TemporaryDirectory() as folder:
    ...     for edition in ("2012", "2026-03"):
    ...         _ = tb.recalc("data/trf", f"{folder}/{edition}", "PTS BH", edition=edition)
    ...     found = tb.diff(f"{folder}/2012", f"{folder}/2026-03")
    >>> found.summary().select("tournaments", "values_change").row(0)
    (7, 2)
    """
    before, after = (
        done if isinstance(done, Recalculation) else Recalculation(done) for done in (old, new)
    )
    insist_on_prizes(prizes)
    for each in (before, after):
        each.verify()  # a value that somebody altered would look like one that has changed
    called = _names(before.folder, after.folder)
    with _readable():
        return _compare(before, after, prizes, called)


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except (OSError, PolarsError) as error:
        raise SourceError(f"a dataset changed while it was compared ({error})") from error


def _compare(
    before: Recalculation, after: Recalculation, prizes: int, called: list[str]
) -> Difference:
    place = pl.concat(
        pl.read_parquet(path / "tournaments.parquet", columns=["tournament"]).with_columns(
            part=pl.lit(str(path))
        )
        for path in after._parts
    )
    pieces = [_only_after(before, after, prizes, called)]
    for path in before._parts:
        about = pl.read_parquet(path / "tournaments.parquet")
        same = about.select("tournament").join(place, on="tournament")
        among = pl.col("tournament").is_in(same["tournament"].implode())
        other = pl.concat(
            [
                _empty(after),
                *(
                    pl.read_parquet(Path(part) / "standings.parquet").filter(among)
                    for part in same["part"].unique().sort()
                ),
            ]
        )
        standings = pl.read_parquet(path / "standings.parquet")
        pieces.append(compare(standings, other, about, prizes=prizes, called=called))
    return join_differences(pieces)


def _only_after(
    before: Recalculation, after: Recalculation, prizes: int, called: list[str]
) -> Difference:
    """List the players of tournaments that only the new dataset has; refuse other types of keys."""
    nothing = compare(
        _empty(before), _empty(after), after.tournaments.head(0).collect(),
        prizes=prizes, called=called,
    )  # fmt: skip
    others = after.standings.join(before.tournaments, on="tournament", how="anti")
    keys = others.select("tournament", "player").collect().sort("tournament", "player")
    return replace(nothing, only_after=keys)


def _empty(done: Recalculation) -> pl.DataFrame:
    return done.standings.head(0).collect()


def _names(before: Path, after: Path) -> list[str]:
    """Call the folders by their names, or by their paths where these are the same."""
    if before.name != after.name:
        return [before.name, after.name]
    return [str(before), str(after)]
