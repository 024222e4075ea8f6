"""Where other programs differ from the regulations, and from tbframe, with the reason.

Each entry says which cells may differ and by how much, so that nothing hides behind it: a cell
that differs otherwise is a failure of `test_peers`, and so is an entry that no cell needs any
more. An entry leaves the table when the program changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import polars as pl

__all__ = ["DIFFERENCES", "Difference"]

BOTH: Final = ("2024-08", "2026-03")
NEW: Final = ("2026-03",)

ours, theirs = pl.col("ours"), pl.col("theirs")


@dataclass(frozen=True)
class Difference:
    """One way in which a program departs from the text.

    Attributes
    ----------
    peer, codes, editions, pairing
        Where it shows: every code under every edition of these; ``"PTS DE"`` are the ranks.
    article
        What it departs from.
    reason
        What the program does instead.
    holds
        Over a row of the comparison (`test_peers`): the cell may differ, and differs so.
    """

    peer: Literal["gacrux", "tiebreak-core"]
    codes: tuple[str, ...]
    editions: tuple[str, ...]
    pairing: Literal["swiss", "predetermined"]
    article: str
    reason: str
    holds: pl.Expr

    def __str__(self) -> str:
        return f"{self.peer} {' '.join(self.codes)} ({self.pairing}): art. {self.article}"

    def explains(self) -> pl.Expr:
        """Tell for each row of a comparison whether this entry accounts for it."""
        here = (pl.col("peer") == self.peer) & (pl.col("pairing") == self.pairing)
        here &= pl.col("code").is_in(self.codes) & pl.col("edition").is_in(self.editions)
        return (here & self.holds).fill_null(value=False)


_HALF_OF_LAST_DECIMAL: Final = pl.when(pl.col("rounds") < 9).then(0.005).otherwise(0.0005) + 1e-9

#: Two decimals, whatever the number of rounds.
_HALF_OF_A_HUNDREDTH: Final = 0.005 + 1e-9

#: Ratings that expect the same score against one opponent are no further apart.
_WIDEST_BAND: Final = 735 - 619

_RATED: Final = ("", "/U1400")  # everybody is rated, or the unrated are given a rating


def _both(*codes: str) -> tuple[str, ...]:
    return tuple(f"{code}{unrated}" for code in codes for unrated in _RATED)


_AS_ZERO: Final = "gives 0 where no game was played and there is no average"
_NOT_ENOUGH: Final = "leaves an opponent uncut where the cuts take all, and there is no average"
_FLOATS: Final = (
    "adds the expected scores as floating point numbers: a sum that equals the score comes out "
    "below it, and a higher rating is found"
)

_PLAYED_ONLY: Final = (
    "counts as draws only the games played in the last round; the text counts every pairing"
)

DIFFERENCES: Final = (
    Difference(
        "gacrux",
        ("AOB", "AOB/F"),
        BOTH,
        "swiss",
        "8.2",
        "ranks on the average rounded to 2 decimals (3 from 9 rounds on); the text does not round",
        (ours - theirs).abs() <= _HALF_OF_LAST_DECIMAL,
    ),
    Difference(
        "gacrux",
        ("AOB", "AOB/F"),
        BOTH,
        "predetermined",
        "8.2",
        "as in Swiss events, and leaves out the opponents of forfeits, which are games here (15.2)",
        ((ours - theirs).abs() <= _HALF_OF_LAST_DECIMAL) | (pl.col("forfeits") > 0),
    ),
    Difference(
        "gacrux",
        ("STD",),
        NEW,
        "swiss",
        "7.7",
        "holds the points against those of a draw, not against the scheduled opponent's: a double "
        "forfeit, where both have as many, brings nothing instead of 1/2",
        theirs == ours - pl.col("double_forfeits") / 2,
    ),
    Difference(
        "gacrux",
        ("STD",),
        NEW,
        "predetermined",
        "7.7",
        "as in Swiss events",
        theirs == ours - pl.col("double_forfeits") / 2,
    ),
    Difference(
        "gacrux",
        ("WON",),
        BOTH,
        "predetermined",
        "15.2",
        "leaves forfeits out of the own record; a forfeit win counts as a game won",
        theirs == ours - pl.col("forfeit_wins"),
    ),
    Difference(
        "gacrux",
        ("BWG",),
        BOTH,
        "predetermined",
        "15.2",
        "leaves forfeits out of the own record; a forfeit win with Black counts as won with Black",
        theirs == ours - pl.col("black_forfeit_wins"),
    ),
    Difference(
        "gacrux",
        ("BPG",),
        ("2024-08",),
        "predetermined",
        "15.2",
        "leaves forfeits out of the own record; with Black they count as games with Black",
        theirs == ours - pl.col("black_forfeit_wins") - pl.col("black_forfeit_losses"),
    ),
    Difference(
        "gacrux",
        ("BPG",),
        NEW,
        "predetermined",
        "15.2",
        "leaves forfeits out of the own record; since 2026 only forfeit losses stay out",
        theirs == ours - pl.col("black_forfeit_wins"),
    ),
    Difference(
        "gacrux",
        ("REP",),
        ("2024-08",),
        "predetermined",
        "15.2",
        "does not credit a forfeit loss; until 2026 all forfeits count as ordinary games",
        theirs == ours - pl.col("forfeit_losses"),
    ),
    Difference(
        "tiebreak-core",
        ("AOB",),
        BOTH,
        "swiss",
        "8.2",
        "gives 0 to a player without opponents, where there is no average",
        ours.is_null() & (theirs == 0),
    ),
    Difference(
        "tiebreak-core",
        ("AOB/F",),
        NEW,
        "swiss",
        "8.2",
        "gives 0 to a player without opponents, where there is no average",
        ours.is_null() & (theirs == 0),
    ),
    Difference(
        "tiebreak-core",
        ("FB",),
        BOTH,
        "swiss",
        "8.3",
        _PLAYED_ONLY,
        pl.col("last_round_forfeits_near") > 0,
    ),
    Difference(
        "tiebreak-core",
        ("FB/C1",),
        NEW,
        "swiss",
        "8.3",
        _PLAYED_ONLY,
        pl.col("last_round_forfeits_near") > 0,
    ),
    Difference(
        "tiebreak-core",
        ("AOB/F",),
        NEW,
        "swiss",
        "8.3",
        _PLAYED_ONLY,
        pl.col("last_round_forfeits") > 0,
    ),
    Difference(
        "tiebreak-core",
        ("FB", "FB/C1"),
        NEW,
        "predetermined",
        "8.3",
        _PLAYED_ONLY,
        pl.col("last_round_forfeits_near") > 0,
    ),
    Difference(
        "tiebreak-core",
        ("AOB/F",),
        NEW,
        "predetermined",
        "8.3",
        _PLAYED_ONLY,
        pl.col("last_round_forfeits") > 0,
    ),
    Difference(
        "tiebreak-core",
        ("AOB", "AOB/F"),
        NEW,
        "predetermined",
        "15.2",
        "leaves out the opponents of forfeits, which are games here",
        pl.col("forfeits") > 0,
    ),
    Difference(
        "tiebreak-core",
        ("STD",),
        NEW,
        "swiss",
        "7.7",
        "holds the points of every forfeit against those of a draw: a double forfeit, where both "
        "have as many, brings nothing instead of 1/2",
        theirs == ours - pl.col("double_forfeits") / 2,
    ),
    Difference(
        "tiebreak-core",
        ("KS", "KS/L+1"),
        BOTH,
        "swiss",
        "9.2",
        "leaves out the points of forfeit wins; the text takes the points as awarded",
        (ours - theirs).is_between(1, pl.col("forfeit_wins")),
    ),
    Difference(
        "tiebreak-core",
        ("KS", "KS/L+1"),
        NEW,
        "predetermined",
        "9.2",
        "takes half of the rounds for the limit; with an odd number of players everybody has "
        "fewer games than there are rounds",
        pl.col("players") % 2 == 1,
    ),
    Difference(
        "tiebreak-core",
        ("REP",),
        NEW,
        "predetermined",
        "15.2",
        "credits forfeit losses, which since 2026 stay unplayed in the own record",
        theirs == ours + pl.col("forfeit_losses"),
    ),
    Difference(
        "tiebreak-core",
        ("SB/C2",),
        NEW,
        "swiss",
        "16.5",
        "of several voluntarily unplayed rounds that contribute the same cuts the first, not the "
        "one with the weakest dummy, and so has another product left for the second cut",
        (pl.col("vurs") >= 2) & (theirs > ours),
    ),
    Difference(
        "tiebreak-core",
        ("PTS DE",),
        BOTH,
        "swiss",
        "6.1.1",
        "takes players for having met if their only pairing was a forfeit",
        pl.col("forfeits_in_group") > 0,
    ),
    Difference(
        "gacrux",
        _both("ARO", "ARO/C1", "ARO/C2", "ARO/M1", "TPR", "PTP", "APRO", "APPO"),
        ("2024-08",),
        "predetermined",
        "15.2",
        "leaves forfeits out, as article 10 asks for since 2026; until then they count as ordinary "
        "games everywhere",
        (theirs == pl.col("ours_newest")) & (pl.col("forfeits_near") > 0),
    ),
    Difference(
        "gacrux",
        ("SSSC", "SSSC/K3"),
        BOTH,
        "swiss",
        "13.4",
        "ranks on the value rounded to 2 decimals; the text does not round",
        (ours - theirs).abs() <= _HALF_OF_A_HUNDREDTH,
    ),
    Difference(
        "tiebreak-core",
        _both("ARO", "TPR", "PTP", "APRO", "APPO"),
        BOTH,
        "swiss",
        "10",
        _AS_ZERO,
        ours.is_null() & (theirs == 0) & (pl.col("games") == 0),
    ),
    Difference(
        "tiebreak-core",
        _both("ARO/C1"),
        BOTH,
        "swiss",
        "14.1",
        f"{_NOT_ENOUGH}; {_AS_ZERO}",
        ours.is_null() & (pl.col("games") <= 1),
    ),
    Difference(
        "tiebreak-core",
        _both("ARO/C2", "ARO/M1"),
        NEW,
        "swiss",
        "14.2, 14.3",
        f"{_NOT_ENOUGH}; {_AS_ZERO}",
        ours.is_null() & (pl.col("games") <= 2),
    ),
    Difference(
        "tiebreak-core",
        _both("PTP", "APPO"),
        BOTH,
        "swiss",
        "10.3",
        _FLOATS,
        (theirs - ours).is_between(1, _WIDEST_BAND),
    ),
    Difference(
        "tiebreak-core",
        _both("PTP", "APPO"),
        NEW,
        "predetermined",
        "10.3",
        _FLOATS,
        (theirs - ours).is_between(1, _WIDEST_BAND),
    ),
)
