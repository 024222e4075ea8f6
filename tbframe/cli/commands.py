"""The commands: what each takes and how it explains itself."""

# ruff: noqa: PLC0415 - what needs Polars or Rich is imported inside: help must come at once

from __future__ import annotations

from typing import Annotated

import typer

import tbframe as tb
from tbframe.cli.options import (
    AfterRound,
    AllFindings,
    EditionName,
    FormatOption,
    Map,
    Out,
    Paths,
    TargetOption,
    columns_of,
)

__all__ = ["app", "examples"]

app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,  # plain help, and half as long to wait for it
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def examples(*lines: str) -> str:
    """Give the end of a help text; the first character keeps the lines apart."""
    return "\n".join(["\b", "Examples:", *(f"  tbframe {line}" for line in lines)])


@app.callback(invoke_without_command=True)
def tbframe(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Compute tournament tie-breaks under the rules of each tournament's date.

    Data goes to standard output, findings to standard error. The exit status is 0 when
    all is fine, 1 when something was quarantined (or check finds an error), and 2 for
    wrong use.
    """
    if version:
        typer.echo(f"tbframe {tb.__version__}")
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command(
    epilog=examples(
        "standings open.trf",
        'standings 2024/ --order "PTS DE BH/C1 BH SB" --format csv > standings.csv',
        "standings 'archive/*.trf' --edition 2012 --after-round 5 --out after5.parquet",
        "standings games.csv --map round=rd --map white=white_player --map black=black_player",
    )
)
def standings(
    paths: Paths,
    *,
    order: Annotated[
        str | None,
        typer.Option(
            metavar="CODES",
            help="Ranking order, such as 'PTS DE BH/C1'; by default the one that each "
            "tournament declares, and points alone where it declares none.",
            show_default=False,
        ),
    ] = None,
    edition: EditionName = "auto",
    after_round: AfterRound = None,
    form: FormatOption = None,
    out: Out = None,
    columns: Map = None,
    findings: AllFindings = False,
) -> int:
    """Rank the players of every tournament."""
    from tbframe.cli.output import Destination
    from tbframe.cli.work import Question

    destination = Destination.of(form, out)
    names = columns_of(columns)
    return Question(paths, order, edition, after_round, destination, findings, names).standings()


@app.command(
    epilog=examples(
        'tiebreaks open.trf --codes "BH SB/C1"',
        'tiebreaks 2024/ --codes "BH BH@2012" --out buchholz.parquet',
    )
)
def tiebreaks(
    paths: Paths,
    *,
    codes: Annotated[
        str,
        typer.Option(metavar="CODES", help="Tie-breaks, such as 'BH SB/C1'.", show_default=False),
    ],
    edition: EditionName = "auto",
    after_round: AfterRound = None,
    form: FormatOption = None,
    out: Out = None,
    columns: Map = None,
    findings: AllFindings = False,
) -> int:
    """Compute tie-breaks of every player, without ranking."""
    from tbframe.cli.output import Destination
    from tbframe.cli.work import Question

    destination = Destination.of(form, out)
    names = columns_of(columns)
    return Question(paths, codes, edition, after_round, destination, findings, names).tiebreaks()


@app.command(
    epilog=examples(
        "explain open.trf 41 BH/C1",
        "explain 2024/ 41 SB --tournament open-2024 --edition 2012",
    )
)
def explain(
    path: Annotated[
        str, typer.Argument(metavar="PATH", help="A tournament file or a folder of them.")
    ],
    player: Annotated[
        str, typer.Argument(metavar="PLAYER", help="The player's starting number or key.")
    ],
    code: Annotated[str, typer.Argument(metavar="CODE", help="A tie-break, such as BH/C1.")],
    *,
    tournament: Annotated[
        str | None,
        typer.Option(metavar="KEY", help="Which tournament, if there are several."),
    ] = None,
    edition: EditionName = "auto",
    after_round: AfterRound = None,
    columns: Map = None,
    findings: AllFindings = False,
) -> int:
    """Show round by round how a value came about."""
    from tbframe.cli import work

    return work.explain(
        path,
        player,
        code,
        tournament=tournament,
        edition=edition,
        after_round=after_round,
        findings=findings,
        columns=columns_of(columns),
    )


@app.command(epilog=examples("check open.trf", "check 2024/ --out findings.csv"))
def check(paths: Paths, form: FormatOption = None, out: Out = None, columns: Map = None) -> int:
    """List what was found in the files that may make a value wrong.

    Files and tournaments that were set aside are rows with the severity "quarantined". The
    exit status is 1 if there is one, or a finding of severity "error".
    """
    from tbframe.cli import work
    from tbframe.cli.output import Destination

    return work.check(paths, columns_of(columns), Destination.of(form, out))


@app.command(epilog=examples("completeness games.pgn", "completeness archive/ --out due.csv"))
def completeness(
    paths: Paths,
    *,
    form: FormatOption = None,
    out: Out = None,
    columns: Map = None,
    findings: AllFindings = False,
) -> int:
    """Compare the games of each tournament with those that its players and rounds make due.

    PGN files tell of no byes and often have only some of the games: look here before any
    tie-break.
    """
    from tbframe.cli import work
    from tbframe.cli.output import Destination

    names = columns_of(columns)
    return work.completeness(paths, names, Destination.of(form, out), findings=findings)


@app.command(
    epilog=examples(
        "convert open.trf --to trf26 --out converted",
        "convert archive/ --to parquet --out frames --overwrite",
        "convert saved-page.html --to xlsx --out tables --order 'PTS BH/C1 BH'",
    )
)
def convert(
    paths: Paths,
    to: TargetOption,
    out: Annotated[str, typer.Option("--out", metavar="FOLDER", help="Where to write it.")],
    *,
    order: Annotated[
        str | None,
        typer.Option(
            metavar="CODES",
            help="For crosstables: the ranking order, such as 'PTS DE BH/C1'; by default the one "
            "that each tournament declares, else points alone.",
            show_default=False,
        ),
    ] = None,
    edition: EditionName = "auto",
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace files that are there already.")
    ] = False,
    columns: Map = None,
    findings: AllFindings = False,
) -> int:
    """Write tournaments as report files, frames or crosstables."""
    from tbframe.cli.converting import convert as write

    names = columns_of(columns)
    return write(
        paths, to, out, order, edition, columns=names, overwrite=overwrite, findings=findings
    )


@app.command(epilog=examples("catalogue", "catalogue --format csv"))
def catalogue(form: FormatOption = None, out: Out = None) -> int:
    """List the tie-breaks, their articles and their modifiers."""
    from tbframe.cli.output import Destination

    Destination.of(form, out).write(tb.catalogue())
    return 0


@app.command(epilog=examples("editions", "editions --format json"))
def editions(form: FormatOption = None, out: Out = None) -> int:
    """List the texts of the regulations and what sets them apart."""
    from tbframe.cli.output import Destination

    Destination.of(form, out).write(tb.editions())
    return 0
