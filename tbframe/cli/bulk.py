"""The commands for whole databases: recalc and ledger."""

# ruff: noqa: PLC0415 - what needs Polars or Rich is imported inside: help must come at once

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from tbframe.cli.commands import app, examples
from tbframe.cli.options import EditionName

__all__: list[str] = []

Source: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="SOURCE",
        help="A folder or pattern of tournament report files, a Parquet dataset (a file or a "
        "folder), a ledger, or the mapping of a database (.toml).",
        show_default=False,
    ),
]
Folder: TypeAlias = Annotated[
    str, typer.Option("--out", metavar="FOLDER", help="The folder to fill.", show_default=False)
]
Resume: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--resume",
        help="Go on with a run that was stopped, and mend what is not as it was written.",
    ),
]
Overwrite: TypeAlias = Annotated[
    bool, typer.Option("--overwrite", help="Replace what an earlier run wrote.")
]
Quiet: TypeAlias = Annotated[
    bool, typer.Option("--quiet", "-q", help="No progress bar, but one line for each part.")
]
GamesAPart: TypeAlias = Annotated[
    int,
    typer.Option(
        "--games-a-part",
        metavar="N",
        min=1,
        help="About how many games are held in memory at once.",
    ),
]
Workers: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="N",
        min=1,
        help="How many parts are in work at once; by default one for each processor.",
        show_default=False,
    ),
]
_GAMES = 500_000  # recalculation.parts.GAMES_A_PART, which needs Polars; a test compares them


@app.command(
    epilog=examples(
        'recalc archive/ --out recalculated --order "PTS DE BH/C1 BH SB"',
        'recalc federation.toml --out recalculated --order "PTS BH SB" --resume',
        'recalc ledger/ --out recalculated --order "PTS BH" --edition 2012 --quiet',
    )
)
def recalc(
    source: Source,
    *,
    out: Folder,
    order: Annotated[
        str,
        typer.Option(
            metavar="CODES", help="Ranking order, such as 'PTS DE BH/C1'.", show_default=False
        ),
    ],
    edition: EditionName = "auto",
    resume: Resume = False,
    overwrite: Overwrite = False,
    changed_only: Annotated[
        bool,
        typer.Option(
            "--changed-only",
            help="Compute only tournaments whose rows, rules or order have changed since the "
            "run that filled the folder, which stays until the new one is complete.",
        ),
    ] = False,
    games_a_part: GamesAPart = _GAMES,
    workers: Workers = None,
    quiet: Quiet = False,
) -> int:
    """Rank every tournament of a database, part by part, into Parquet files.

    The folder gets parts/NNNNN/ with standings, tournaments, findings and quarantine, and
    manifest.json with counts and checksums. What a stopped run has finished is kept.
    """
    from tbframe.cli.bulk_work import recalculate

    return recalculate(
        source,
        out,
        order,
        quiet=quiet,
        edition=edition,
        resume=resume,
        overwrite=overwrite,
        changed_only=changed_only,
        games_a_part=games_a_part,
        workers=workers,
    )


@app.command(
    epilog=examples(
        "ledger archive/ --out ledger",
        "ledger federation.toml --out ledger --overwrite",
    )
)
def ledger(
    source: Source,
    *,
    out: Folder,
    resume: Resume = False,
    overwrite: Overwrite = False,
    games_a_part: GamesAPart = _GAMES,
    workers: Workers = None,
    quiet: Quiet = False,
) -> int:
    """Write tournaments sorted, checked and numbered, so that recalc need not do it again."""
    from tbframe.cli.bulk_work import write_ledger

    return write_ledger(
        source,
        out,
        quiet=quiet,
        resume=resume,
        overwrite=overwrite,
        games_a_part=games_a_part,
        workers=workers,
    )
