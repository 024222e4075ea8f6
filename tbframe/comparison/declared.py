"""What a source declares, value by value, and how it is compared with what is computed."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from tbframe.archive import Archive
from tbframe.codes import Criterion
from tbframe.errors import CodeError, TbframeError
from tbframe.schema import PLAYERS
from tbframe.tiebreaks import definition, parse_order

__all__ = ["POINTS", "RANK", "declared_codes", "declared_values", "matched"]

#: What points and ranks are called beside codes.
POINTS, RANK = "points", "rank"
_KEY = ["tournament", "player"]


def declared_codes(archive: Archive, official: pl.DataFrame | None) -> list[Criterion]:
    """List the tie-breaks that columns of the source are called after.

    Parameters
    ----------
    archive
        Its players may have such columns.
    official
        A frame of ``tournament``, ``player`` and such columns.

    Raises
    ------
    TbframeError
        If a column of `official` is called after nothing that is known.
    """
    found: dict[str, Criterion] = {}
    for column in archive.players.columns:
        if column not in PLAYERS and archive.players.schema[column].is_numeric():
            try:
                (criterion,) = parse_order([column])
            except CodeError:
                continue
            found[column] = criterion
    for column in [] if official is None else official.columns:
        if column not in (*_KEY, POINTS, RANK):
            try:
                (criterion,) = parse_order([column])
            except CodeError as error:
                raise TbframeError(f"official: column {column!r} is no code ({error})") from error
            found[column] = criterion
    return list(found.values())


def declared_values(archive: Archive, official: pl.DataFrame | None) -> pl.DataFrame:
    """Return what is declared as a long frame: ``tournament``, ``player``, ``code``, ``declared``.

    ``official`` comes first where both have a value.
    """
    frames = [] if official is None else [official]
    names: dict[str, str] = {POINTS: POINTS, RANK: RANK}
    names |= {str(criterion): str(criterion) for criterion in declared_codes(archive, official)}
    long = []
    for frame in [*frames, archive.players]:
        known = {
            column: code
            for column in frame.columns
            if (code := _code_of(column, names)) and frame.schema[column].is_numeric()
        }
        long.append(
            frame.select(*_KEY, *(pl.col(column).cast(pl.Float64) for column in known))
            .rename(known)
            .unpivot(index=_KEY, variable_name="code", value_name="declared")
            .drop_nulls("declared")
        )
    return pl.concat(long).unique([*_KEY, "code"], keep="first", maintain_order=True)


def _code_of(column: str, names: dict[str, str]) -> str | None:
    if column in names:
        return column
    if column in (*_KEY, *PLAYERS):
        return None
    try:
        (criterion,) = parse_order([column])
    except CodeError:
        return None
    return names.get(str(criterion))


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
        The rows of `declared` of which `found` has the code, with ``found`` and ``match``.

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
