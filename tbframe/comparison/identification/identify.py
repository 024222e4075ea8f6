"""Which definition made a column of official values: the question and its answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from tbframe.archive import Archive
from tbframe.comparison.identification.candidates import chosen_codes
from tbframe.comparison.identification.columns import official_columns
from tbframe.comparison.identification.frames import Frames, frames_of
from tbframe.comparison.identification.searching import search
from tbframe.comparison.identification.telling import told
from tbframe.errors import TbframeError
from tbframe.intake.tables import Table

__all__ = ["Identification", "identify"]


@dataclass(frozen=True)
class Identification:
    """Which definitions reproduce official columns.

    Attributes
    ----------
    summary
        One row for each tournament and column: ``tournament`` (null where tournaments are
        pooled), ``column``, ``status``, ``best`` (the definition in words), ``code``,
        ``edition``, ``matches``, ``players`` (official values compared), ``match_rate``,
        ``alike`` (definitions that give equal values for all players), ``next`` and
        ``next_rate`` (the best of the others), ``told_by`` (how many official values tell it from
        the best), ``tournaments`` and ``tournaments_reproduced``,
        ``note``; sorted by tournament, and the columns in their order.
    candidates
        The best few of each: ``tournament``, ``column``, ``place`` (from 1), ``definition``,
        ``code``, ``edition``, ``reading`` (null: printed as computed), ``matches``, ``players``,
        ``match_rate``, ``alike``.
    telling
        The players for whom the first and another of the best few differ: ``tournament``,
        ``column``, ``place`` (of the other), ``player``, ``name``, ``official`` (null where
        nothing was printed), ``best`` and ``other``.
    misses
        The players whose official value is not what the first gives: ``tournament``,
        ``column``, ``event``, ``player``, ``name``, ``official``, ``found`` and ``difference``.
    traits
        What the misses have in common: ``tournament``, ``column``, ``trait``, ``misses_with``,
        ``misses``, ``others_with`` and ``others``; what sets the misses apart best comes first.
    strangers
        ``tournament`` and ``player`` of values about players whom the archive does not have.

    Notes
    -----
    ==============  ==========================================================================
    status          meaning
    ==============  ==========================================================================
    reproduced      the definition gives every official value
    not reproduced  the best one misses some: `misses` and `traits` say which
    constant        all values are the same, which many definitions give: nothing is told
    unknown         no definition gives any of the values
    empty           there are no values
    no numbers      what stands there are no numbers
    ==============  ==========================================================================
    """

    summary: pl.DataFrame
    candidates: pl.DataFrame
    telling: pl.DataFrame
    misses: pl.DataFrame
    traits: pl.DataFrame
    strangers: pl.DataFrame

    def __repr__(self) -> str:
        """Tell it in words, a line or two for each column."""
        return told(self.summary, self.strangers.height)


def identify(
    archive: Archive,
    official: Table | None = None,
    *,
    columns: str | Sequence[str] | None = None,
    among: str | Sequence[str] = "fide",
    top: int = 3,
    pool: bool = False,
) -> Identification:
    """Find the definition that made each column of official values.

    Parameters
    ----------
    archive
        The tournaments.
    official
        A table of any kind: ``player``, ``tournament`` (unless there is only one), and columns
        of values under any names, such as ``TB1``, in the order of the tie-breaks. By default
        the columns of numbers that the archive's players carry along.
    columns
        Which of them to identify; by default all.
    among
        Families whose tie-breaks are tried: ``"fide"`` (also what stood in the regulations
        before), ``"uscf"``, ``"go"`` or another, ``"all"``; or a list of families and codes.
    top
        How many definitions to give for each column.
    pool
        Take a column for the same tie-break in all tournaments, and look for one definition.

    Returns
    -------
    Identification
        The best few definitions of each column, the players who tell them apart, and the
        misses of the best with what they have in common.

    Raises
    ------
    TbframeError
        If there is no such column or family, `top` is less than 1, keys are of another type,
        or a player stands twice in `official`.

    Notes
    -----
    Every tie-break is tried with its modifiers under every edition, exactly, and is compared to
    the decimals that the column has. Where nothing reproduces a column, the search goes on with
    every combination of the rules about unplayed rounds, other values of byes, games against the
    unrated left out, the standing before the last round, and values that were cut off, doubled
    or moved by a constant. Direct encounter is applied among those level on points, or on
    points and the columns to the left.

    Definitions are ranked by how many values they reproduce; then by how simple they are (no
    altered rules, few modifiers); then comes the edition in force on the tournament's date.
    Those that give equal values for all players are one entry: the first is named, the others
    are in ``alike``.

    Examples
    --------
    >>> import polars as pl
    >>> import tbframe as tb
    >>> archive = tb.read("data/trf/tec2023_swiss5.trf")
    >>> values = archive.tiebreaks("BH/C1 SB", edition="2012")
    >>> printed = values.select("player", TB1="BH/C1", TB2="SB")
    >>> identify(archive, printed)
    tec2023_swiss5
      TB1 = BH/C1 (2012), 16 of 16; next best BH/C1/P (2012), 87.5 %
      TB2 = SB (2012), 16 of 16; next best SB/P (2012), 87.5 %
    """
    if top < 1:
        raise TbframeError(f"top is 1 or more, not {top}")
    asked = [columns] if isinstance(columns, str) else columns
    entries = chosen_codes(among)
    given = official_columns(archive, official, asked)
    parts = search(archive, given, entries, top=top, pool=pool)
    made = Frames.together(frames_of(part) for part in parts)
    return Identification(
        made.summary, made.candidates, made.telling, made.misses, made.traits, given.strangers
    )
