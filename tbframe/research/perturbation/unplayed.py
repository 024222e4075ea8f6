"""What unplayed rounds do to tie-breaks: those of opponents who left, and one's own."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from tbframe.archive import Archive
from tbframe.editions import AUTO, Edition, edition_of
from tbframe.errors import TbframeError
from tbframe.research.perturbation.scenarios import Perturbation
from tbframe.tiebreaks import parse_order

__all__ = ["bye_bias", "withdrawal_sensitivity"]


def withdrawal_sensitivity(
    perturbation: Perturbation, code: str, *, editions: Sequence[str] = (AUTO,)
) -> pl.DataFrame:
    """Measure what a player who leaves does to a tie-break of those whom he had met.

    Parameters
    ----------
    perturbation
        Of kind ``"withdraw"``.
    code
        The tie-break.
    editions
        The texts to compare.

    Returns
    -------
    DataFrame
        One row per edition, as given: ``edition``; ``players``, how many opponents of earlier
        rounds over all scenarios have a value before and after; the mean ``change`` of the value
        and the mean ``absolute_change``; the share ``moved`` whose rank by points and `code` is
        another one. Null where there is nobody.

    Raises
    ------
    TbframeError
        If the scenarios are of another kind.

    Examples
    --------
    >>> import tbframe as tb
    >>> from tbframe.research import withdrawal_sensitivity
    >>> archive = tb.simulate(events=20, players=16, rounds=6, seed=3)
    >>> leaving = tb.perturb(archive, "withdraw", rounds=[4])
    >>> texts = ["plain", "2012", "2026-03"]
    >>> withdrawal_sensitivity(leaving, "BH", editions=texts)["edition"].to_list()
    ['plain', '2012', '2026-03']
    """
    if perturbation.kind != "withdraw":
        raise TbframeError(f"this needs scenarios of kind withdraw, not {perturbation.kind!r}")
    (criterion, *others) = parse_order(code)
    if others:
        raise TbframeError(f"one tie-break at a time, not {code!r}")
    name = str(criterion)
    met = _met_before(perturbation)
    archive = perturbation.archive
    rows = []
    for edition in editions:
        order = ["PTS", name]
        key = ["tournament", "player"]
        before = archive.standings(order, edition=edition).select(*key, "rank", name)
        after = perturbation.standings(order, edition=edition).select(
            *key, "scenario", rank_after="rank", after=name
        )
        seen = (
            met.join(after, on=["scenario", *key])
            .join(before, on=key)
            .filter(pl.col(name).is_not_null(), pl.col("after").is_not_null())
        )
        change = pl.col("after") - pl.col(name)
        rows.append(
            seen.select(
                edition=pl.lit(edition),
                players=pl.len(),
                change=change.mean(),
                absolute_change=change.abs().mean(),
                moved=(pl.col("rank_after") != pl.col("rank")).mean(),
            )
        )
    return pl.concat(rows)


def _met_before(perturbation: Perturbation) -> pl.DataFrame:
    """List for each scenario the opponents whom the player had met before he left."""
    games = perturbation.archive.results.filter(pl.col("opponent").is_not_null())
    return (
        perturbation.scenarios.select("scenario", "tournament", "player", since="round")
        .join(
            games.select("tournament", "player", "opponent", "round"), on=["tournament", "player"]
        )
        .filter(pl.col("round") < pl.col("since"))
        .select("scenario", "tournament", player="opponent")
        .unique()
    )


def bye_bias(archive: Archive, code: str, *, edition: str | Edition = AUTO) -> pl.DataFrame:
    """Compare the tie-break of players with an unplayed round to that of players without any.

    Parameters
    ----------
    archive
        The tournaments.
    code
        The tie-break.
    edition
        As in `Archive.standings`.

    Returns
    -------
    DataFrame
        One row per kind of unplayed round, sorted by its code: ``result`` (F, H, U, Z, +, -), how
        many ``players`` have one round of that kind and no other unplayed one, the mean ``bias``
        of their values and its standard error ``se``, clustered by tournament. The bias of a
        player is his value minus the mean of those in his tournament who have as many points and
        played all rounds; where there are none, he is left out.

    Examples
    --------
    >>> import tbframe as tb
    >>> from tbframe.research import bye_bias
    >>> archive = tb.simulate(events=200, players=21, rounds=7, half_point_byes=0.05, seed=3)
    >>> bye_bias(archive, "BH", edition="plain")["result"].to_list()
    ['H', 'U']
    """
    if isinstance(edition, str) and edition != AUTO:
        edition = edition_of(edition)
    (criterion, *others) = parse_order(code)
    if others:
        raise TbframeError(f"one tie-break at a time, not {code!r}")
    name = str(criterion)
    key = ["tournament", "player"]
    values = archive.tiebreaks(["PTS", name], edition=edition).filter(pl.col(name).is_not_null())
    unplayed = pl.col("result").is_in(["F", "H", "U", "Z", "+", "-"])
    kinds = archive.results.group_by(key).agg(
        missed=unplayed.sum(), result=pl.col("result").filter(unplayed).first()
    )
    told = values.join(kinds, on=key, how="left").with_columns(pl.col("missed").fill_null(0))
    level = ["tournament", "PTS"]
    usual = told.filter(missed=0).group_by(level).agg(usual=pl.col(name).mean())
    bias = (
        told.filter(missed=1)
        .join(usual, on=level)
        .with_columns(bias=pl.col(name) - pl.col("usual"))
    )
    clusters = (
        bias.with_columns(off=pl.col("bias") - pl.col("bias").mean().over("result"))
        .group_by("result", "tournament")
        .agg(pl.col("off").sum(), pl.col("bias").sum(), players=pl.len())
    )
    return (
        clusters.group_by("result")
        .agg(
            pl.col("players").sum(),
            bias=pl.col("bias").sum() / pl.col("players").sum(),
            se=(pl.col("off") ** 2).sum().sqrt() / pl.col("players").sum(),
        )
        .with_columns(pl.col("result").cast(pl.String))
        .sort("result")
    )
