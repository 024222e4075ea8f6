"""The options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

__all__ = [
    "AfterRound",
    "AllFindings",
    "EditionName",
    "Format",
    "FormatOption",
    "Out",
    "Paths",
    "Target",
]


class Format(StrEnum):
    """How a frame is written."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    PARQUET = "parquet"


class Target(StrEnum):
    """What tournaments are converted to."""

    TRF16 = "trf16"
    TRF26 = "trf26"
    PARQUET = "parquet"
    CSV = "csv"


Paths: TypeAlias = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH",
        help="Tournament files, folders of them, or patterns such as 'open/*.trf'.",
        show_default=False,
    ),
]
EditionName: TypeAlias = Annotated[
    str,
    typer.Option(
        "--edition",
        metavar="EDITION",
        help="Text of the rules: auto (the one in force on each tournament's date), or a key "
        "that 'tbframe editions' lists.",
    ),
]
AfterRound: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--after-round", metavar="N", min=1, help="As it stood after round N.", show_default=False
    ),
]
FormatOption: TypeAlias = Annotated[
    Format | None,
    typer.Option(
        "--format",
        help="How to print; by default what the name behind --out ends in, else a table.",
        show_default=False,
    ),
]
Out: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="FILE", help="Write to FILE instead of printing.", show_default=False
    ),
]
AllFindings: TypeAlias = Annotated[
    bool,
    typer.Option("--findings", help="List every finding, not only how many there are."),
]
