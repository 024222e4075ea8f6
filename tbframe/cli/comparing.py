"""The commands that compare standings: diff and audit."""

# ruff: noqa: PLC0415 - what needs Polars or Rich is imported inside: help must come at once

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from tbframe.cli.commands import app, examples
from tbframe.cli.options import EditionName, FormatOption, Map, Out, Paths, columns_of, one_of

__all__: list[str] = []


class Table(StrEnum):
    """Which table of a difference is written."""

    SUMMARY = "summary"
    YEAR = "year"
    FEDERATION = "federation"
    TOURNAMENTS = "tournaments"
    WINNERS = "winners"
    PLAYERS = "players"


@app.command(
    epilog=examples(
        "diff recalculated-2012 recalculated-2026 --show winners",
        'diff 2012 2026-03 --of archive/ --order "PTS BH/C1 BH SB" --show year',
    )
)
def diff(
    before: Annotated[
        str,
        typer.Argument(metavar="OLD", help="A folder that recalc filled; with --of, an edition."),
    ],
    after: Annotated[str, typer.Argument(metavar="NEW", help="Another one.")],
    *,
    of: Annotated[
        str | None,
        typer.Option(
            "--of",
            metavar="PATH",
            help="Compare two editions over these tournament files.",
            show_default=False,
        ),
    ] = None,
    order: Annotated[
        str | None,
        typer.Option(metavar="CODES", help="With --of: the ranking order.", show_default=False),
    ] = None,
    prizes: Annotated[
        int, typer.Option(metavar="K", min=1, help="How many ranks have a prize.")
    ] = 3,
    show: Annotated[
        Table,
        typer.Option(
            "--show",
            metavar="|".join(Table),
            parser=one_of(Table),
            help="All in one row, a row for each year or federation, or what changes one by one.",
        ),
    ] = Table.SUMMARY,
    form: FormatOption = None,
    out: Out = None,
) -> int:
    """Show who changes rank between two recalculations, or between two editions.

    What differs is summed up on standard error.
    """
    from tbframe.cli.comparing_work import difference
    from tbframe.cli.output import Destination

    return difference(before, after, of, order, prizes=prizes, show=show,
                      destination=Destination.of(form, out))  # fmt: skip


@app.command(
    epilog=examples(
        "audit 2018/",
        'audit open.trf --order "PTS BH/C1 BH" --edition 2012',
        "audit archive/ --misses --out misses.csv",
    )
)
def audit(
    paths: Paths,
    *,
    order: Annotated[
        str | None,
        typer.Option(
            metavar="CODES",
            help="The order by which ranks are compared; by default each tournament's own.",
            show_default=False,
        ),
    ] = None,
    edition: EditionName = "auto",
    misses: Annotated[
        bool, typer.Option("--misses", help="List every value that differs, one by one.")
    ] = False,
    form: FormatOption = None,
    out: Out = None,
    columns: Map = None,
) -> int:
    """Compare the declared ranks, points and tie-breaks with the recomputed ones.

    Writes the tournaments that disagree, with the likely reason; how many values agree is
    summed up on standard error. The exit status is 1 if any value differs.
    """
    from tbframe.cli.comparing_work import check_declared
    from tbframe.cli.output import Destination

    return check_declared(paths, order, edition, columns_of(columns), misses=misses,
                          destination=Destination.of(form, out))  # fmt: skip
