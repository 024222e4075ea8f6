"""The dated texts of the tie-break regulations, as data.

An edition is a record of how unplayed rounds, cuts and predetermined pairings are treated.
Everything that computes asks the record; nothing tests a year. To try another reading,
``dataclasses.replace`` one field of a record and pass the result wherever an edition is taken.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, get_args, get_origin, get_type_hints

from tbframe.errors import EditionError

if TYPE_CHECKING:
    import polars as pl

__all__ = [
    "AUTO",
    "EDITIONS",
    "NEWEST",
    "Edition",
    "edition_of",
    "editions",
    "editions_in_force",
    "resolve_editions",
]

AUTO: Final = "auto"


@dataclass(frozen=True)
class Edition:
    """One text of the regulations.

    Attributes
    ----------
    key, name
        What it is called in calls and in print.
    source
        Where the text stands.
    since
        First day in force for ordinary rated events; ``None`` where it never was.
    opponent_unplayed
        What an opponent's unplayed round counts in his score: ``"awarded"`` (its points),
        ``"draw"`` (always a draw), ``"trailing-requested"`` (requested byes that nothing but
        voluntarily unplayed rounds follows count as draws: art. 16.3) or ``"trailing-vur"``
        (these, and forfeit losses there too).
    own_unplayed
        What the own unplayed round is played against: ``"nothing"`` (the round brings nothing),
        ``"own-score"`` (a dummy with the own final score), ``"virtual-opponent"`` (the score
        before the round, plus what is left of a win, plus a draw for every later round) or
        ``"capped"`` (the own score, no more than art. 16.4.1 and 16.4.2 allow).
    own_unplayed_result
        What the own unplayed round counts in a product: ``"awarded"`` or ``"draw"``.
    low_cut
        Which element a low cut takes first: ``"plain"`` (the least significant),
        ``"vur-first"`` (a voluntarily unplayed round), ``"vur-unless-lower"`` (that round,
        unless it contributes less than the least significant element: art. 16.5) or
        ``"bye-first"`` (a pairing-allocated bye).
    predetermined_forfeits
        With predetermined pairings forfeits count as games (art. 15.2).
    predetermined_losses_own
        With predetermined pairings a forfeit loss counts as a game in the own record (art. 7).
    predetermined_forfeits_rated
        With predetermined pairings forfeits count in rating tie-breaks too (art. 10).
    predetermined_buchholz
        Whether Buchholz is allowed with predetermined pairings (note to art. 8).
    team_cut
        By which score of the opponents a cut of the extended Sonneborn-Berger goes: the
        ``"named-first"`` (EGM: game points) or the ``"primary"``.
    restart_encounters
        Extended direct encounter goes back to the primary score as soon as the secondary one
        has split a group (the other reading of art. 13.3.3).
    few_games
        Who ranks last by the average rating of opponents: ``"played-two-or-fewer"`` (games),
        ``"skipped-more-than-two"``, the other reading of the 2012 text, or ``"no-rule"``.
    partial_encounters
        Direct encounter separates a player whom the missing games cannot dislodge (art. 6.3);
        without it, it decides only where all tied players met.
    """

    key: str
    name: str
    source: str
    since: date | None
    opponent_unplayed: Literal["awarded", "draw", "trailing-requested", "trailing-vur"]
    own_unplayed: Literal["nothing", "own-score", "virtual-opponent", "capped"]
    own_unplayed_result: Literal["awarded", "draw"] = "awarded"
    low_cut: Literal["plain", "vur-first", "vur-unless-lower", "bye-first"] = "vur-unless-lower"
    predetermined_forfeits: bool = True
    predetermined_losses_own: bool = True
    predetermined_forfeits_rated: bool = True
    predetermined_buchholz: bool = True
    few_games: Literal["no-rule", "played-two-or-fewer", "skipped-more-than-two"] = "no-rule"
    team_cut: Literal["named-first", "primary"] = "named-first"
    restart_encounters: bool = False
    partial_encounters: bool = True

    def __post_init__(self) -> None:
        """Refuse a value that no rule has."""
        for field, choices in _choices().items():
            if getattr(self, field) not in choices:
                raise EditionError(
                    f"edition {self.key!r}: {field} is {' or '.join(map(repr, choices))}, "
                    f"not {getattr(self, field)!r}"
                )

    def __str__(self) -> str:
        official = EDITIONS.get(self.key, self)
        return self.key if official == self else f"{self.key} (altered)"

    @property
    def base(self) -> str:
        """Key of the text that this is, or departs from."""
        return self.key.split(" ", maxsplit=1)[0]


@cache
def _choices() -> dict[str, tuple[object, ...]]:
    """Return the fields that are rules, with the values that each may have."""
    types = get_type_hints(Edition)
    return {
        name: (False, True) if of is bool else get_args(of)
        for name, of in types.items()
        if of is bool or get_origin(of) is Literal
    }


_C07: Final = "FIDE Handbook C.07"
EDITIONS: Final[dict[str, Edition]] = {
    edition.key: edition
    for edition in (
        Edition(
            "plain",
            "points as they are",
            "no regulation: unplayed rounds bring nothing",
            None,
            "awarded",
            "nothing",
            low_cut="plain",
            predetermined_forfeits=False,
            predetermined_losses_own=False,
            predetermined_forfeits_rated=False,
        ),
        Edition(
            "2009",
            "2009 Congress: a draw against oneself",
            "FIDE Handbook C.06 annex, section F(a)",
            date.min,
            "draw",
            "own-score",
            own_unplayed_result="draw",
            low_cut="plain",
            partial_encounters=False,
        ),
        Edition(
            "2012",
            "virtual opponent",
            "FIDE Handbook C.06 annex, section F(b); C.02 art. 12-13",
            date(2012, 7, 1),
            "draw",
            "virtual-opponent",
            low_cut="plain",
            few_games="played-two-or-fewer",
            partial_encounters=False,
        ),
        Edition(
            "2012-software",
            "virtual opponent, as pairing software read it",
            "as 2012; in Sonneborn-Berger the own unplayed round counts as a draw against "
            "the virtual opponent, whatever it brought",
            None,
            "draw",
            "virtual-opponent",
            own_unplayed_result="draw",
            low_cut="plain",
            few_games="played-two-or-fewer",
            partial_encounters=False,
        ),
        Edition(
            "2022d",
            "draft of 2022: a game against oneself",
            f"{_C07} (Council 2022-08-04), events of FIDE only",
            None,
            "trailing-vur",
            "own-score",
            low_cut="vur-first",
            team_cut="primary",
        ),
        Edition(
            "2023",
            "dummy opponent",
            f"{_C07} (2023-08-01)",
            None,
            "trailing-requested",
            "own-score",
            team_cut="primary",
        ),
        Edition(
            "2024-04",
            "dummy opponent",
            f"{_C07} (2024-04-01)",
            date(2024, 4, 1),
            "trailing-requested",
            "own-score",
            team_cut="primary",
        ),
        Edition(
            "2024-08",
            "dummy opponent",
            f"{_C07} (2024-08-01)",
            date(2024, 8, 1),
            "trailing-requested",
            "own-score",
        ),
        Edition(
            "2026-03",
            "capped dummy opponent",
            f"{_C07} (2026-03-01)",
            date(2026, 3, 1),
            "trailing-requested",
            "capped",
            predetermined_losses_own=False,
            predetermined_forfeits_rated=False,
            predetermined_buchholz=False,
        ),
        Edition(
            "olympiad",
            "Chess Olympiad: virtual opponent, the bye is cut first",
            "regulations of the Olympiads since 2010, which replace arts 16.3 to 16.5",
            None,
            "awarded",
            "virtual-opponent",
            low_cut="bye-first",
        ),
    )
}
NEWEST: Final = "2026-03"

#: Events of FIDE itself (EVE, GSC) switched on other days.
_FIDE_EVENTS: Final = {"2022d": date(2023, 7, 1), "2023": date(2023, 9, 1)}
#: Years as they are written behind a code: ``BH@23``.
_ALIASES: Final = {
    "09": "2009",
    "12": "2012",
    "14": "2012",
    "17": "2012",
    "19": "2012",
    "2014": "2012",
    "2017": "2012",
    "2019": "2012",
    "23": "2023",
    "24": "2024-08",
    "2024": "2024-08",
    "26": "2026-03",
    "2026": "2026-03",
}


def edition_of(key: str | Edition) -> Edition:
    """Return the edition called `key`.

    Parameters
    ----------
    key
        A key of `EDITIONS`, a year (``"2024"`` or ``"24"``), either with rules of an event that
        replace its own (art. 16.6): ``"2024-08 low_cut=plain"``; or an `Edition`, which is
        returned.

    Raises
    ------
    EditionError
        If there is no such edition, field or value.

    Examples
    --------
    >>> edition_of("24").key
    '2024-08'
    >>> edition_of("2026-03 own_unplayed=own-score").own_unplayed
    'own-score'
    """
    if isinstance(key, Edition):
        return key
    name, *rules = str(key).lower().split() or [""]
    found = EDITIONS.get(_ALIASES.get(name, name))
    if found is None:
        raise EditionError(f"unknown edition {key!r}; there are {', '.join(EDITIONS)}")
    return _with_rules(found, rules) if rules else found


def _with_rules(edition: Edition, rules: list[str]) -> Edition:
    """Replace some rules of an edition by those of an event (art. 16.6)."""
    changes: dict[str, object] = {}
    for rule in rules:
        field, _, value = rule.partition("=")
        choices = {str(choice).lower(): choice for choice in _choices().get(field, ())}
        if value not in choices:
            which = f"{field} is {' or '.join(choices)}" if choices else f"there is no {field!r}"
            raise EditionError(f"edition {edition.key!r} with the rule {rule!r}: {which}")
        changes[field] = choices[value]
    return replace(edition, key=" ".join([edition.key, *rules]), **changes)  # type: ignore[arg-type]


def resolve_editions(tournaments: pl.DataFrame) -> pl.Series:
    """Return the edition in force on each tournament's date.

    Parameters
    ----------
    tournaments
        With the columns ``start``, ``fide_event`` and ``edition`` of the canonical frame.

    Returns
    -------
    Series
        Keys of `EDITIONS` in the row order of `tournaments`. A tournament's own ``edition``
        comes first; an undated one gets the newest.

    Raises
    ------
    EditionError
        If a tournament names an edition that does not exist.

    Notes
    -----
    Ordinary events follow the 2012 text up to 2024-03-31; events of FIDE itself
    (``fide_event``) followed the 2022 draft from 2023-07-01 and the 2023 text from 2023-09-01.
    """
    import polars as pl  # noqa: PLC0415  the package itself loads without Polars

    start = pl.col("start")
    in_force = pl.lit(None, dtype=pl.String)
    for edition in EDITIONS.values():
        if edition.since is not None:
            in_force = pl.when(start >= edition.since).then(pl.lit(edition.key)).otherwise(in_force)
    ordinary_2024 = start >= EDITIONS["2024-04"].since
    for key, since in _FIDE_EVENTS.items():
        applies = pl.col("fide_event") & (start >= since) & ~ordinary_2024
        in_force = pl.when(applies).then(pl.lit(key)).otherwise(in_force)
    named = tournaments["edition"].drop_nulls().unique().to_list()
    override = pl.col("edition").replace_strict(
        named, [edition_of(name).key for name in named], default=None, return_dtype=pl.String
    )
    return tournaments.select(
        pl.coalesce(override, in_force, pl.lit(NEWEST)).alias("edition")
    ).to_series()


def editions_in_force(tournaments: pl.DataFrame, asked: str | Edition) -> pl.Series:
    """Return the edition that applies to each tournament.

    Parameters
    ----------
    tournaments
        As in `resolve_editions`.
    asked
        One edition for all, or ``"auto"``.

    Returns
    -------
    Series
        Keys, in the row order of `tournaments`.
    """
    import polars as pl  # noqa: PLC0415  the package itself loads without Polars

    if asked == AUTO:
        return resolve_editions(tournaments)
    return pl.repeat(edition_of(asked).key, tournaments.height, eager=True).alias("edition")


def editions() -> pl.DataFrame:
    """Return the editions as a frame, one row each: plain, the dated texts by age, the Olympiad's.

    Returns
    -------
    DataFrame
        The fields of `Edition` as columns.

    Examples
    --------
    >>> editions().filter(key="2026-03").select("since", "own_unplayed").row(0)
    (datetime.date(2026, 3, 1), 'capped')
    """
    import polars as pl  # noqa: PLC0415  the package itself loads without Polars

    rows = [
        {field.name: getattr(edition, field.name) for field in fields(edition)}
        for edition in EDITIONS.values()
    ]
    oldest = pl.when(pl.col("since") == date.min).then(None).otherwise(pl.col("since"))
    return pl.DataFrame(rows, schema_overrides={"since": pl.Date}).with_columns(
        oldest.alias("since")
    )
