"""Ranking orders that a rule book or a program prints, under a name."""

from __future__ import annotations

import difflib
from dataclasses import asdict, dataclass
from typing import Final

import polars as pl

from tbframe.errors import CodeError

__all__ = ["PRESETS", "Preset", "preset_order", "presets"]


@dataclass(frozen=True)
class Preset:
    """A ranking order with a name.

    Attributes
    ----------
    name
        What stands behind ``preset:``.
    order
        The criteria, from the first to the last.
    source
        Where the order is printed.
    """

    name: str
    order: str
    source: str


PRESETS: Final[dict[str, Preset]] = {
    preset.name: preset
    for preset in (
        Preset(
            "fide-2017-swiss",
            "PTS DE WIN BPG BH/C1 BH SB",
            "C.02 art. 13 (2017): Swiss, inconsistent ratings",
        ),
        Preset(
            "fide-2017-swiss-rated",
            "PTS DE WIN BPG ARO/C1 BH/C1 BH SB",
            "C.02 art. 13 (2017): Swiss, consistent ratings",
        ),
        Preset("fide-2017-round-robin", "PTS DE WIN SB KS", "C.02 art. 13 (2017): round robin"),
        Preset(
            "fide-2017-teams",
            "PTS MPVGP DE BH/C1 BH SB",
            "C.02 art. 13 (2017): Swiss of teams",
        ),
        Preset(
            "fide-2021-swiss",
            "PTS BH/C1 BH SB PS DE WIN BWG",
            "C.02 art. 13.16.4 (2021): inconsistent ratings",
        ),
        Preset(
            "fide-2021-swiss-rated",
            "PTS BH/C1 BH DE ARO/C1 WIN BWG BPG SB",
            "C.02 art. 13.16.5 (2021): consistent ratings",
        ),
        Preset(
            "fide-cycle-2019",
            "PTS ARO/C1 BH/C1 BH DE",
            "Swiss events of the World Championship cycle 2019",
        ),
        Preset(
            "olympiad",
            "PTS EMGSB@olympiad/C1 GPTS BH@olympiad:MP/C1",
            "Olympiad regulations since 2010",
        ),
        Preset("sweden-2022-swiss", "PTS BH@2012/C1 DE@2012 WIN BPG", "Sweden 2022: Swiss"),
        Preset("sweden-2022-round-robin", "PTS DE SB WIN BPG", "Sweden 2022: round robin"),
        Preset("swissperfect-swiss", "PTS BH/M1 BH PS", "SwissPerfect, Australia: Swiss"),
        Preset("swissperfect-round-robin", "PTS SB WIN", "SwissPerfect, Australia: round robin"),
        Preset("uscf", "PTS uscf.MMED uscf.SOLK uscf.CUM uscf.CUMO", "US Chess 34E"),
        Preset(
            "uscf-wintd",
            "PTS uscf.MMED uscf.SOLK uscf.SB uscf.CUM",
            "WinTD, help for prize lists",
        ),
        Preset(
            "valve-major",
            "PTS esports.DIFF TPN@plain",
            "Valve, supplemental rulebook of the Majors",
        ),
        Preset("draughts", "PTS draughts.SOLK draughts.SOLK/C1 draughts.SOLK/M1", "FMJD"),
        Preset("mtg", "PTS mtg.OMW mtg.GW mtg.OGW", "Magic Tournament Rules 3.1"),
        Preset(
            "pokemon",
            "PTS pokemon.OWP pokemon.OOWP",
            "Play! Pokémon Tournament Rules Handbook, section 5, up to head-to-head",
        ),
        Preset("ygo", "PTS ygo.TB8", "Konami, Yu-Gi-Oh! tournament policy"),
        Preset("netrunner", "PTS netrunner.SOS netrunner.ESOS", "Cobra (Null Signal Games)"),
        Preset("go-mcmahon", "go.MMS go.SOS go.SOSOS", "OpenGotha: McMahon, by default"),
        Preset("go-swiss", "go.NBW go.SOSW go.SOSOSW", "OpenGotha: Swiss, by default"),
    )
}


def preset_order(name: str) -> str:
    """Return the order of a preset.

    Raises
    ------
    CodeError
        If there is no preset of that name.

    Examples
    --------
    >>> preset_order("fide-2017-swiss")
    'PTS DE WIN BPG BH/C1 BH SB'
    """
    found = PRESETS.get(name.lower())
    if found is None:
        near = difflib.get_close_matches(name.lower(), PRESETS, n=3, cutoff=0.4)
        hint = f": did you mean {' or '.join(near)}?" if near else "; tb.presets() lists all"
        raise CodeError(f"unknown preset {name!r}{hint}")
    return found.order


def presets() -> pl.DataFrame:
    """Return the ranking orders that have a name, one row each.

    A preset is used as an order, or as part of one: ``order="preset:fide-2017-swiss"``.

    Returns
    -------
    DataFrame
        ``name``, ``order`` and ``source``.

    Examples
    --------
    >>> import tbframe as tb
    >>> tb.presets().columns
    ['name', 'order', 'source']
    """
    return pl.DataFrame([asdict(preset) for preset in PRESETS.values()])
