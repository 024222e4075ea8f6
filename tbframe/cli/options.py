"""The options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias, TypeVar

import typer

__all__ = [
    "AfterRound",
    "AllFindings",
    "EditionName",
    "Format",
    "FormatOption",
    "Map",
    "Out",
    "Paths",
    "Target",
    "TargetOption",
    "columns_of",
    "one_of",
]

_Choice = TypeVar("_Choice", bound=StrEnum)


def one_of(choices: type[_Choice]) -> Callable[[str], _Choice]:
    """Read a choice in words of our own: those of the library speak of types of Python."""

    def read(text: str) -> _Choice:
        try:
            return choices(text.lower())
        except ValueError:
            raise typer.BadParameter(f"{text!r} is none of {', '.join(choices)}") from None

    return read


def _round(text: str) -> int:
    """Read the number of a round."""
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise typer.BadParameter(f"{text!r} is no round: give a whole number, 1 or more")
    return int(text)


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
    CROSSTABLE = "crosstable"
    XLSX = "xlsx"
    HTML = "html"
    LATEX = "latex"


def columns_of(pairs: list[str] | None) -> dict[str, str] | None:
    """Read what tables call their columns, for `tbframe.read`."""
    if not pairs:
        return None
    columns = dict(map(_pair, pairs))
    if len(columns) < len(pairs):
        raise typer.BadParameter("--map names a column twice")
    return columns


def _pair(text: str) -> tuple[str, str]:
    """Read what a table calls a column: ``round=rd``."""
    name, sign, theirs = text.partition("=")
    if not (name.strip() and sign and theirs.strip()):
        raise typer.BadParameter(
            f"{text!r} is no pair such as round=rd: the column here, and what the table calls it"
        )
    return name.strip(), theirs.strip()


Paths: TypeAlias = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH",
        help="Tournament files, folders of them, or patterns such as 'open/*.trf'.",
        show_default=False,
    ),
]
#: Pairs of names: see `columns_of`.
Map: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        metavar="NAME=COLUMN",
        help="What tables call a column, such as round=rd or white=white_player; once for each.",
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
        "--after-round",
        metavar="N",
        parser=_round,
        help="As it stood after round N.",
        show_default=False,
    ),
]
FormatOption: TypeAlias = Annotated[
    Format | None,
    typer.Option(
        "--format",
        metavar="|".join(Format),
        parser=one_of(Format),
        help="How to print; by default what the name behind --out ends in (.csv, .json, "
        ".parquet, .txt), else a table.",
        show_default=False,
    ),
]
Out: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="FILE", help="Write to FILE instead of printing.", show_default=False
    ),
]
TargetOption: TypeAlias = Annotated[
    Target,
    typer.Option(
        "--to",
        metavar="|".join(Target),
        parser=one_of(Target),
        help="What to write: a report for each tournament (trf16, trf26), the frames (parquet, "
        "csv), or a crosstable for each tournament (crosstable: as CSV, xlsx, html, latex).",
    ),
]
AllFindings: TypeAlias = Annotated[
    bool,
    typer.Option("--findings", help="List every finding, not only how many there are."),
]
