"""What the words and codes of a tournament's type say: how it is paired, and for whom."""

from __future__ import annotations

from typing import Final

import polars as pl

__all__ = ["TEAM_RECORDS", "pairing_of", "says_team"]

TEAM_RECORDS: Final = ("013", "310", "300", "320", "330", "352", "362", "801", "802")

_PREDETERMINED: Final = (
    r"(?i)round.?robin|berger|all.?play.?all|rundenturnier|jeder gegen jede|toutes.rondes|"
    r"todos contra todos|all.italiana|scheveningen|schiller|круг"
)
_SWISS: Final = (
    r"(?i)swiss|schweizer|suisse|suizo|svizzer|suí[cç]o|zwitser|szwajcar|швейцар|monrad|"
    r"fide_dutch|dutch system|dubov|burstein|doubleswiss"
)
_TEAM: Final = r"(?i)\bteams?\b|mannschaft|équipe|equipe|equipo|squadr|drużyn|команд"


def says_team(words: pl.Expr, code: pl.Expr, records: pl.Expr) -> pl.Expr:
    """Whether the words of the type, its code or records that were kept are those of teams."""
    ids = "|".join(TEAM_RECORDS)
    return pl.any_horizontal(
        words.str.contains(_TEAM),
        code.str.contains("TEAM|SCHEVENINGEN|SCHILLER"),
        records.str.contains(f"(?m)^({ids})|^082 +0*[1-9]"),
    ).fill_null(value=False)


def pairing_of(words: pl.Expr) -> pl.Expr:
    """Return what words or codes say of the pairing; null for nothing, or for both."""
    predetermined = words.str.contains(_PREDETERMINED + "|(?i)roundrobin")
    swiss = words.str.contains(_SWISS + "|(?i)^fide_team|custom_team_swiss")
    return (
        pl.when(predetermined & ~swiss).then(pl.lit("predetermined"))
        .when(swiss & ~predetermined).then(pl.lit("swiss"))
    )  # fmt: skip
