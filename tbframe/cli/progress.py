"""A sign of life for work that takes its time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

__all__ = ["progress"]

_PATIENCE: Final = 1.0  # seconds


@contextmanager
def progress(what: str) -> Iterator[None]:
    """Show a moving bar on standard error once the work takes longer than a second.

    Files are read and computed all together, so there are no parts to count. Nothing is
    shown where standard error is no terminal.
    """
    if not sys.stderr.isatty():
        yield
        return
    display = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    display.add_task(what, total=None)
    start = Timer(_PATIENCE, display.start)
    start.daemon = True
    start.start()
    try:
        yield
    finally:
        start.cancel()
        start.join()
        if display.live.is_started:
            display.stop()
