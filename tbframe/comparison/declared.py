"""What a source declares, value by value, and how it is compared with what is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from tbframe.archive import Archive
from tbframe.codes import Criterion
from tbframe.errors import CodeError, TbframeError
from tbframe.schema import PLAYERS
from tbframe.tiebreaks import definition, parse_order

__all__ = ["POINTS", "RANK", "declared_codes", "declared_values", "declaring_points", "matched"]

#: What points and ranks are called beside codes.
POINTS, RANK = "points", "rank"
_KEY = ["tournament", "player"]


def declared_codes(archive: Archive, official: pl.DataFrame | None) -> dict[str, Criterion]:
    """Read the names of columns that are called after tie-breaks.

    Parameters
    ----------
    archive
        Its players may have such columns; those that are no numbers are left alone.
    official
        A frame from `take_official`.

    Returns
    -------
    dict
        The criterion of each column.

    Raises
    ------
    TbframeError
        If a column of `official` is called after nothing that is known, or if two columns of
        one frame are called after the same.
    """
    found: dict[str, Criterion] = {}
    for name, frame in _frames(archive, official):
        columns: dict[Criterion, str] = {}
        for column, dtype in frame.schema.items():
            if column in (*_KEY, POINTS, RANK):
                continue
            if frame is archive.players and (column in PLAYERS or not dtype.is_numeric()):
                continue
            try:
                (criterion,) = parse_order([column])
            except CodeError as error:
                if frame is archive.players:
                    continue
                raise TbframeError(f"{name}: column {column!r} is no code ({error})") from error
            if criterion in columns:
                raise TbframeError(
                    f"{name}: columns {columns[criterion]!r} and {column!r} are both {criterion}"
                )
            columns[criterion] = column
            found[column] = criterion
    return found


def declared_values(
    archive: Archive, official: pl.DataFrame | None, codes: Mapping[str, Criterion]
) -> pl.DataFrame:
    """Return what is declared as a long frame: ``tournament``, ``player``, ``code``, ``declared``.

    ``official`` comes first where both have a value. Points that are 0 throughout a tournament
    are none.
    """
    names = {POINTS: POINTS, RANK: RANK} | {column: str(code) for column, code in codes.items()}
    long = []
    for _, frame in _frames(archive, official):
        known = {column: names[column] for column in frame.columns if column in names}
        long.append(
            frame.select(*_KEY, *(pl.col(column).cast(pl.Float64) for column in known))
            .rename(known)
            .unpivot(list(known.values()), index=_KEY, variable_name="code", value_name="declared")
            .with_columns(pl.col("declared").cast(pl.Float64).fill_nan(None))
            .drop_nulls("declared")
        )
    values = pl.concat(long).unique([*_KEY, "code"], keep="first", maintain_order=True)
    return declaring_points(values, POINTS)


def declaring_points(declared: pl.DataFrame, code: str) -> pl.DataFrame:
    """Leave out the points (`code`) of tournaments where nobody has any: none are declared."""
    has_some = (pl.col("declared").max() > 0).over("tournament", "code")
    return declared.filter(pl.col("declared").is_not_null() & ((pl.col("code") != code) | has_some))


def _frames(archive: Archive, official: pl.DataFrame | None) -> list[tuple[str, pl.DataFrame]]:
    given = [] if official is None else [("official", official)]
    return [*given, ("players", archive.players)]


def matched(
    declared: pl.DataFrame, found: pl.DataFrame, criteria: Sequence[Criterion]
) -> pl.DataFrame:
    """Compare what is declared with what was computed.

    Parameters
    ----------
    declared
        From `declared_values`.
    found
        ``tournament``, ``player`` and columns called as the codes.
    criteria
        The tie-breaks among them.

    Returns
    -------
    DataFrame
        The rows of `declared` of which `found` has the code, with ``found`` and ``match``;
        without the ranks of tournaments that were not ranked.

    Notes
    -----
    Declared values are printed with as many decimals as the longest of the tournament's column
    has. A computed value matches if it is as near as that many decimals can say (half a unit of
    the last one, whichever way it was rounded). Without decimals only ratings and averages of
    ratings may have been rounded; all else has to be equal.
    """
    codes = [column for column in found.columns if column not in _KEY]
    long = found.unpivot(codes, index=_KEY, variable_name="code", value_name="found").with_columns(
        pl.col("found").cast(pl.Float64)
    )
    rated = [str(c) for c in criteria if "ratings" in definition(c.code).needs]
    exact = 1e-9
    step = pl.lit(None, pl.Float64)
    for decimals in (3, 2, 1, 0):
        fits = (
            (pl.col("declared") * 10**decimals).round() - pl.col("declared") * 10**decimals
        ).abs()
        step = (
            pl.when((fits < 1e-6).all().over("tournament", "code")).then(decimals).otherwise(step)
        )
    return (
        declared.join(long, on=[*_KEY, "code"], how="inner", maintain_order="left")
        # Everybody who was ranked has a rank; a tie-break may be undefined, which is a miss.
        .filter((pl.col("code") != RANK) | pl.col("found").is_not_null())
        .with_columns(decimals=step.fill_null(4))
        .with_columns(
            near=pl.when((pl.col("decimals") > 0) | pl.col("code").is_in(rated))
            .then(0.5 * pl.lit(10.0).pow(-pl.col("decimals")) + exact)
            .otherwise(exact)
        )
        .with_columns(
            match=((pl.col("declared") - pl.col("found")).abs() <= pl.col("near")).fill_null(
                value=False
            )
        )
        .drop("decimals", "near")
    )
