"""The command that finds out which rule made a column: identify."""

# ruff: noqa: PLC0415 - what needs Polars or Rich is imported inside: help must come at once

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from tbframe.cli.commands import app, examples
from tbframe.cli.options import FormatOption, Map, Out, Paths, columns_of, one_of

__all__: list[str] = []


class Answer(StrEnum):
    """Which table of an identification is written."""

    SUMMARY = "summary"
    CANDIDATES = "candidates"
    TELLING = "telling"
    MISSES = "misses"
    TRAITS = "traits"


@app.command(
    epilog=examples(
        "identify open-2018.trf --official table.csv",
        'identify archive/ --official tables.parquet --columns "TB1 TB2" --pool',
        "identify open.h9 --among go --show misses",
    )
)
def identify(
    paths: Paths,
    *,
    official: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="A CSV or Parquet file with player, tournament (unless there is only one) and "
            "the columns; by default those that the tournament files have.",
            show_default=False,
        ),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="The columns to identify, such as 'TB1 TB2'; by default all.",
            show_default=False,
        ),
    ] = None,
    among: Annotated[
        str,
        typer.Option(
            metavar="FAMILIES",
            help="Families or codes that are tried: fide, uscf, go, ..., or all.",
        ),
    ] = "fide",
    top: Annotated[
        int, typer.Option(metavar="K", min=1, help="How many definitions to give for each.")
    ] = 3,
    pool: Annotated[
        bool,
        typer.Option("--pool", help="Look for one definition of a column in all tournaments."),
    ] = False,
    show: Annotated[
        Answer,
        typer.Option(
            "--show",
            metavar="|".join(Answer),
            parser=one_of(Answer),
            help="The best definition of each column, the best few, the players who tell them "
            "apart, those whose values the best misses, or what the misses have in common.",
        ),
    ] = Answer.SUMMARY,
    form: FormatOption = None,
    out: Out = None,
    renamed: Map = None,
) -> int:
    """Find the definition that made each column of official tie-break values.

    What was found is told in words on standard error. The exit status is 1 if nothing
    reproduces a column.
    """
    from tbframe.cli.comparing_work import identified
    from tbframe.cli.output import Destination

    return identified(
        paths,
        official,
        None if columns is None else columns.replace(",", " ").split(),
        among.replace(",", " ").split(),
        columns_of(renamed),
        top=top,
        pool=pool,
        show=show,
        destination=Destination.of(form, out),
    )
