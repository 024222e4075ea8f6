"""The command line: reads files, asks the archive, prints; it computes nothing itself."""

from __future__ import annotations

import io
import re
import sys
import warnings
from typing import Final

import typer

from tbframe.cli import bulk, commands, comparing, identifying
from tbframe.errors import FindingWarning, TbframeError

__all__ = ["main"]

#: Importing a module of commands puts them into the one application.
_COMMANDS: Final = (commands, bulk, comparing, identifying)
#: Arguments as messages name them, which are options here.
_ARGUMENT: Final = re.compile(
    r"\b(resume|overwrite|changed_only|games_a_part)(?:=True\b|(?= was )|(?= first\b))"
)
#: Typer's name for wrong use; only its subclass is public.
_WRONG_USE: Final = typer.BadParameter.__mro__[1]


def main(arguments: list[str] | None = None) -> int:
    """Run one command.

    Parameters
    ----------
    arguments
        What stands behind ``tbframe`` on the command line; by default the process's own.

    Returns
    -------
    int
        The exit status: 0 fine, 1 something was quarantined (or, of ``check``, there is a
        finding of severity error), 2 wrong use.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a name must not stop a table
    try:
        with warnings.catch_warnings():
            # Every command reports on standard error what such a warning says.
            warnings.simplefilter("ignore", FindingWarning)
            return commands.app(arguments, prog_name="tbframe", standalone_mode=False) or 0
    except (TbframeError, OSError) as error:
        return _refuse(_ARGUMENT.sub(lambda found: f"--{found[1].replace('_', '-')}", str(error)))
    except Exception as error:
        if not isinstance(error, _WRONG_USE):
            raise
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "tbframe"
        message = error.format_message().rstrip(".")  # type: ignore[attr-defined]
        return _refuse(f"{message} (see {command} --help)")


def _refuse(message: str) -> int:
    """Say what was wrong in one line."""
    sys.stderr.write(f"tbframe: {' '.join(message.split())}\n")
    return 2
