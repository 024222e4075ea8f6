"""Where a frame goes, and in which form."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import polars as pl

from tbframe.cli.options import Format
from tbframe.cli.tables import Titled, write_tables
from tbframe.errors import TbframeError
from tbframe.sources.escaping import escaped

__all__ = ["Destination", "standard_output"]

_ENDINGS: Final = {
    ".csv": Format.CSV,
    ".json": Format.JSON,
    ".parquet": Format.PARQUET,
    ".txt": Format.TABLE,
    "": Format.TABLE,
}


@dataclass(frozen=True)
class Destination:
    """Where a frame goes, and in which form.

    Attributes
    ----------
    format
        Table, CSV, JSON or Parquet.
    path
        A file, or ``None`` for standard output.
    """

    format: Format
    path: Path | None

    @classmethod
    def of(cls, form: Format | None, path: Path | None) -> Destination:
        """Take the two options, before anything is read, so that no work is lost over them.

        Raises
        ------
        TbframeError
            If they do not fit together or the file cannot be written.
        """
        if form is None:
            ending = path.suffix.lower() if path else ""
            if ending not in _ENDINGS:
                known = " ".join(filter(None, _ENDINGS))
                raise TbframeError(
                    f"--out {path}: {ending} is none of the endings {known}; "
                    "name one of these, or say the form with --format"
                )
            form = _ENDINGS[ending]
        if form is Format.PARQUET and path is None:
            raise TbframeError("--format parquet writes a file: name it with --out FILE")
        if path is not None and not path.parent.is_dir():
            raise TbframeError(f"--out {path}: there is no folder {path.parent}")
        if path is not None and path.is_dir():
            raise TbframeError(f"--out {path} is a folder; name a file")
        return cls(form, path)

    def write(self, frame: pl.DataFrame, tables: Iterable[Titled] | None = None) -> None:
        """Write a frame: in full as data, rounded as tables.

        Parameters
        ----------
        frame
            What CSV, JSON and Parquet get.
        tables
            What tables get; by default the frame under no title.
        """
        if self.format is Format.PARQUET:
            frame.write_parquet(self.path or "")
            return
        with self._open() as file:
            if self.format is Format.TABLE:
                write_tables([("", frame)] if tables is None else tables, file)
            elif self.format is Format.CSV:
                file.write(escaped(frame).write_csv())
            else:
                file.write(f"{frame.write_json()}\n")

    @contextmanager
    def _open(self) -> Iterator[IO[str]]:
        if self.path is None:
            with standard_output() as file:
                yield file
        else:
            with self.path.open("w", encoding="utf-8", newline="\n") as file:
                yield file


@contextmanager
def standard_output() -> Iterator[IO[str]]:
    """Write to standard output; a reader who has seen enough (``| head``) is no error."""
    try:
        yield sys.stdout
        sys.stdout.flush()
    except BrokenPipeError:
        # the rest goes nowhere, also what Python flushes at its very end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
