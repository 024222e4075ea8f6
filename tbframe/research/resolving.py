"""Which criterion decided: every place of every list, and the lines that matter."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Final

import polars as pl

from tbframe.archive import Archive, Criteria
from tbframe.editions import AUTO, Edition
from tbframe.errors import FindingWarning, TbframeError
from tbframe.intake.tables import Table, read_table
from tbframe.research.cells import described
from tbframe.research.decisions import Resolution
from tbframe.research.metrics.catalogue import whole
from tbframe.schema import ROW
from tbframe.standings import column_names
from tbframe.tiebreaks import declared_order, parse_order

__all__ = ["resolution"]

#: Columns of standings that are no criteria.
_OTHERS: Final = ("tournament", "rank", "player", "name", "decided_by")
#: Orders, as text, with the names of their columns.
Orders = Mapping[str, list[str]]


def resolution(
    source: Archive | Table,
    order: Criteria | None = None,
    *,
    prizes: int | None = None,
    tournaments: Table | None = None,
    edition: str | Edition = AUTO,
) -> Resolution:
    """Tell which criterion decided between neighbours, and for winner, podium and prizes.

    Parameters
    ----------
    source
        An archive, or a table of standings, as of `Archive.standings` or `recalc`:
        ``tournament``, ``rank``, ``player``, the criteria and ``decided_by``.
    order
        The criteria; by default each tournament's own order of an archive, and of standings their
        columns between ``name`` and ``decided_by``.
    prizes
        One more line: how many have a prize.
    tournaments
        What is known of the tournaments of a table of standings (``start``, ``federation``, ...),
        to split by; an archive has it.
    edition
        As in `Archive.standings`.

    Returns
    -------
    Resolution
        Frames of pairs and of tournaments, and `summary` by order, year or federation.

    Raises
    ------
    CodeError, EditionError
        As in `Archive.standings`.
    TbframeError
        If a column is missing, `prizes` is no number, or something decided that is not in the
        order.

    Warns
    -----
    FindingWarning
        As in `Archive.standings`.

    Examples
    --------
    >>> import tbframe as tb
    >>> archive = tb.read("data/trf")
    >>> found = tb.resolution(archive.standings("PTS DE SB"))
    >>> found.summary().filter(what="winner").select("decided_by", "depth", "number").rows()
    [('PTS', 1, 4), ('DE', 2, 2), ('SB', 3, 1)]
    """
    lines = {"winner": 1, "podium": 3}
    if prizes is not None:
        lines["prizes"] = whole(prizes, "prizes")
    if isinstance(source, Archive):
        source._warn(order, edition)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FindingWarning)  # just said
            standings = source.standings(order, edition=edition)
        about, orders = _of_archive(source, order)
    else:
        standings = read_table(source, "standings").drop(ROW)
        about, orders = _of_standings(standings, order, tournaments)
    pairs = _pairs(standings, about.select("tournament", "order"), orders)
    return Resolution(pairs, _with_lines(about, pairs, lines), lines)


def _of_archive(archive: Archive, order: Criteria | None) -> tuple[pl.DataFrame, Orders]:
    """Return the tournaments with their orders, and these."""
    about = described(archive.tournaments, archive.players)
    if order is not None:
        names = column_names(parse_order(order))
        return about.with_columns(order=pl.lit(" ".join(names))), {" ".join(names): names}
    declared = about["criteria"].fill_null("PTS")
    read = {
        text: column_names(declared_order(text)[0] or parse_order("PTS"))
        for text in declared.unique().to_list()
    }
    texts = {text: " ".join(names) for text, names in read.items()}
    own = declared.replace_strict(texts, return_dtype=pl.String)
    return about.with_columns(order=own), {texts[text]: names for text, names in read.items()}


def _of_standings(
    standings: pl.DataFrame, order: Criteria | None, tournaments: Table | None
) -> tuple[pl.DataFrame, Orders]:
    """Return the tournaments of a table of standings with their order, and this."""
    for column in ("tournament", "rank", "player", "decided_by"):
        if column not in standings.columns:
            raise TbframeError(f"standings need a column {column!r}")
    if order is None:
        before = standings.columns[: standings.columns.index("decided_by")]
        names = [name for name in before if name not in _OTHERS]
    else:
        names = column_names(parse_order(order))
    for name in names:
        if name not in standings.columns:
            raise TbframeError(f"the order has {name!r}, and the standings have no such column")
    about = standings.select("tournament").unique().sort("tournament")
    if tournaments is not None:
        known = read_table(tournaments, "tournaments").drop(ROW)
        if known.schema.get("tournament") != about.schema["tournament"]:
            raise TbframeError("tournaments need a column 'tournament' of the type in standings")
        about = about.join(known, on="tournament", how="left", maintain_order="left")
    about = described(about, standings).with_columns(order=pl.lit(" ".join(names)))
    return about, {" ".join(names): names}


def _pairs(standings: pl.DataFrame, order: pl.DataFrame, orders: Orders) -> pl.DataFrame:
    """Return every two neighbours, and what separated them."""
    depths = pl.DataFrame(
        [(text, name, at) for text, names in orders.items() for at, name in enumerate(names, 1)],
        schema={"order": pl.String, "decided_by": pl.String, "depth": pl.Int32},
        orient="row",
    )
    names = dict.fromkeys(name for names in orders.values() for name in names)
    rows = (
        standings.sort("tournament", "rank", "player")
        .join(order, on="tournament", how="left", maintain_order="left")
        .join(depths, on=["order", "decided_by"], how="left", maintain_order="left")
        .with_columns(
            position=pl.int_range(1, pl.len() + 1, dtype=pl.Int32).over("tournament"),
            above=pl.col("player").shift().over("tournament"),
            margin=pl.coalesce(
                pl.lit(None, dtype=pl.Float64),
                *(
                    pl.when(pl.col("decided_by") == name).then(
                        (pl.col(name).shift().over("tournament") - pl.col(name)).abs()
                    )
                    for name in names
                ),
            ),
        )
    )
    strange = rows.filter(pl.col("decided_by").is_not_null() & pl.col("depth").is_null())
    if strange.height:
        raise TbframeError(
            f"{strange['decided_by'][0]!r} decided a place, and is not in the order "
            f"{strange['order'][0]!r}: name the order"
        )
    return rows.filter(pl.col("position") > 1).select(
        "tournament", "order", "position", "rank", "player", "above", "decided_by", "depth",
        "margin",
    )  # fmt: skip


def _with_lines(about: pl.DataFrame, pairs: pl.DataFrame, lines: Mapping[str, int]) -> pl.DataFrame:
    """Add what decided each line: the pair of the last before it and the first behind."""
    first = ["tournament", "order", "players"]
    about = about.select(*first, pl.exclude(first))
    for name, before in lines.items():
        decided = pairs.filter(position=before + 1).select(
            "tournament",
            pl.col("decided_by").alias(f"{name}_by"),
            pl.col("depth").fill_null(0).alias(f"{name}_depth"),
        )
        about = about.join(decided, on="tournament", how="left", maintain_order="left")
    return about
