"""Pairing programs that keep to the text of FIDE's systems, asked one event and round at a time.

They get a tournament report of what was played so far, as such programs read it, and return the
pairs of the next round. That takes milliseconds to tenths of a second for each round of each
event: enough to check what a faster pairing distorts.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from tbframe.errors import SourceError, TbframeError
from tbframe.schema import RESULT_CODES

if TYPE_CHECKING:
    from tbframe.research.simulation.codes import Flags, Ints
    from tbframe.research.simulation.playing import Engine, Played

__all__ = ["bbp_pairings", "dutch"]

_LETTER = {1: "w", -1: "b", 0: "-"}


def dutch() -> Engine:
    """Return FIDE's Dutch system by the package py4swiss (Handbook C.04.3, up to January 2026).

    Raises
    ------
    TbframeError
        If py4swiss is not installed.

    Examples
    --------
    >>> import tbframe as tb
    >>> from tbframe.research import models
    >>> archive = tb.simulate(events=2, players=9, rounds=4, pairing=models.dutch())
    >>> archive.results.filter(result="U").height
    8
    """
    try:
        engine: Any = import_module("py4swiss.engines").DutchEngine
        parser: Any = import_module("py4swiss.trf").TrfParser
    except ImportError:
        raise TbframeError("FIDE's Dutch system needs the package py4swiss") from None

    def pairs(report: str) -> list[tuple[int, int]]:
        with TemporaryDirectory() as folder:
            path = Path(folder, "event.trf")
            path.write_text(report, encoding="utf-8")
            made = engine.generate_pairings(parser.parse(path))
        return [(pair.white, pair.black) for pair in made]

    return _engine(pairs)


def bbp_pairings(executable: str | Path, system: str = "--dutch") -> Engine:
    """Return the pairings of the program bbpPairings.

    Parameters
    ----------
    executable
        Where the program is.
    system
        ``"--dutch"`` or ``"--burstein"``.

    Raises
    ------
    SourceError
        If there is no such program; when asked to pair, if it fails.
    """
    program = Path(executable)
    if not program.is_file():
        raise SourceError(f"{program}: no such program")

    def pairs(report: str) -> list[tuple[int, int]]:
        with TemporaryDirectory() as folder:
            path, out = Path(folder, "event.trf"), Path(folder, "pairs.txt")
            path.write_text(report, encoding="utf-8")
            done = subprocess.run(  # noqa: S603 - the program that the user names
                [program, system, path, "-p", out], capture_output=True, text=True, check=False
            )
            if done.returncode or not out.exists():
                raise SourceError(f"{program}: {done.stderr.strip() or done.stdout.strip()}")
            lines = out.read_text(encoding="utf-8").split("\n")[1:]
        return [(int(white), int(black)) for white, black in map(str.split, filter(None, lines))]

    return _engine(pairs)


def _engine(pairs: Callable[[str], list[tuple[int, int]]]) -> Engine:
    """Make an engine of a function from a report to pairs of starting numbers, 0: the bye."""

    def pair(played: Played, event: int, number: int, present: Flags) -> tuple[Ints, Ints]:
        opponent = np.full(len(present), -1)
        colour = np.zeros(len(present), np.int64)
        if present.any():
            for white, black in pairs("\n".join(_report(played, event, number, present)) + "\n"):
                if white and black:
                    opponent[white - 1], opponent[black - 1] = black - 1, white - 1
                    colour[white - 1], colour[black - 1] = 1, -1
        return opponent, colour

    return pair


def _report(played: Played, event: int, number: int, present: Flags) -> Iterator[str]:
    """Write what was played; who is not there in this round has a zero-point bye in it."""
    yield "012 simulated"
    yield f"XXR {played.code.shape[1]}"
    yield f"XXC {'white1' if played.first[event] > 0 else 'black1'}"
    for player, here in enumerate(present):
        rating = np.nan_to_num(played.rating[event, player])
        points = played.points[event, player] / 2
        line = (
            f"001 {player + 1:4} {'':4}{f'Player {player + 1}':<33} {rating:4.0f} {'':27} "
            f"{points:4.1f} {player + 1:4}"
        )
        for at in range(number):
            opponent = played.opponent[event, at, player] + 1
            code = RESULT_CODES[played.code[event, at, player]]
            side = _LETTER[int(played.colour[event, at, player])]
            line += f"  {opponent or '0000':>4} {side} {code}"
        yield line if here else line + "  0000 - Z"
