"""The heading row of a crosstable, known by the words in it, whatever their language."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tbframe.schema import MOST_ROUNDS
from tbframe.sources.crosstable.spelling import key_word

__all__ = ["Heading", "find_heading", "heading_of"]

#: Words for what is known of a player, in small letters, without a point at the end: English,
#: German, French, Spanish, Portuguese, Italian, Dutch, Polish, Czech, Hungarian, Nordic, Russian.
_WORDS: Final[Mapping[str, str]] = {
    "rank": "rk rank rg rang rng pl platz place placing pos position puesto posición posicion clas "
    "clasif classement posto posizione posição plaats miejsce m-ce poř pořadí por hely helyezés "
    "plass plac plats место м sija sıra",
    "number": "no nr snr sno s.no s-no st.nr stnr st-nr start-nr startnr startnummer start|nr № # "
    "n° nº n num núm seed rnr start|no start|no. starting|rank starting|no start|number "
    "no|startovní číslo st.№ st.no lp lp. ном номер ст.ном ст.№ pair pair|num pairing|no lot "
    "no.|ini n°|ini nº|ini no.inic nºini ini nini",
    "name": "name player players spieler teilnehmer spielername nom joueur joueurs nombre jugador "
    "jugadores nome giocatore jogador naam speler nazwisko imię nazwisko|i|imię jméno meno név "
    "namn navn nimi имя фио ф.и.о игрок игроки фамилия фамилия,|имя фамилия|имя участник участники "
    "participant participants first|name,|last|name player|name name|of|player team teams "
    "mannschaft mannschaften équipe equipe equipo equipos squadra ploeg drużyna команда "
    "nom|et|prénom nom|prénom apellidos|y|nombre apellido|y|nombre имя|игрока isim csapat",
    "title": "title titel tit ttl ti titre título titulo titolo tytuł titul звание зв",
    "rating": "rtg rtgi rating elo eloi twz elo-i рейт рейтинг rat elo|fide rating|fide fide-elo "
    "ratingi elo-rtg fide fide|rating fide|elo rtng rating|fide elo|int rtg|int р-г",
    "other rating": "rtgn elon dwz nwz rtgr elo|nat national rapide",
    "federation": "fed feder federation land verband fédération fédé fede federación federacion "
    "país pais nazione naz bond фед федерация страна country nation nat kraj fed|nat ország země",
    "id": "id fideid fide-id fide|id id|fide ident-number ident-nr fide-ид ид",
    "sex": "sex sexe sexo geschlecht пол",
    "birth": "birth born birthday geb geb.-jahr geburtsjahr jahrgang г.р год|рождения год yob",
    "points": "pts points score pkt punkte pu ptos puntos pontos очки очк о ptn punten pti punti "
    "pont pontszám body pkty punkty poäng poeng pisteet total total|pts totals puan puncte",
}
_KINDS: Final = {
    word.replace("|", " ").rstrip("."): kind
    for kind, words in _WORDS.items()
    for word in words.split()
}
_ROUND_WORDS: Final = (
    "rd|rde|rnd|rnde|rds|round|runde|ronde|ronda|rondas|rodada|rod|runda|rda|ron|turno|tour|tur|tr"
    "|kolo|forduló|ford|omg|omgång|krs|kierros|umf|тур|r"
)
_ROUND: Final = re.compile(
    rf"(\d{{1,3}})(?:st|nd|rd|th|ª|a|º|ème|e)?[\s.\-]*(?:{_ROUND_WORDS}|[tkfт])?"
    rf"|(?:{_ROUND_WORDS}|#)[\s.\-]*(\d{{1,3}})"
)
#: Columns of one opponent who is met twice: 1a, 1b.
_CYCLE: Final = re.compile(r"(\d{1,3})\s?([ab])")


@dataclass(frozen=True)
class Heading:
    """What the columns of a crosstable are.

    Attributes
    ----------
    names
        The headings as written.
    places
        The column of each kind (``name``, ``rank``, ``points`` ...): the first with such a word.
    rounds
        The columns of each round, from the left.
    bare
        Whether rounds are headed by nothing but numbers, as opponents are.
    """

    names: tuple[str, ...]
    places: Mapping[str, int]
    rounds: Mapping[int, tuple[int, ...]]
    bare: bool

    @property
    def recognised(self) -> int:
        """How many columns are known."""
        return len(self.places) + sum(map(len, self.rounds.values()))

    def called(self, column: int) -> str:
        """Return what messages call a column."""
        name = " ".join(self.names[column].split()) if column < len(self.names) else ""
        return f"column {name!r}" if name else f"column {column + 1}"


def heading_of(cells: Sequence[str]) -> Heading | None:
    """Read a row as the heading of a crosstable; None if it has no word for the name.

    Parameters
    ----------
    cells
        The row.

    Examples
    --------
    >>> heading = heading_of(["Rg.", "", "Name", "Elo", "Land", "1.Rd", "2.Rd", "Pkt.", "Wtg1"])
    >>> heading.places["points"], dict(heading.rounds)
    (7, {1: (5,), 2: (6,)})
    """
    places: dict[str, int] = {}
    rounds: dict[int, list[int]] = {}
    bare = True
    last: int | None = None
    for column, cell in enumerate(cells):
        word = key_word(cell)
        if not word:
            # Where a heading stands over several columns, the first of them has it.
            if last is not None:
                rounds[last].append(column)
            continue
        kind = _KINDS.get(word)
        number = None if kind else round_of(word)
        last = None
        if kind is not None:
            places.setdefault(kind, column)
        elif number is not None and (number not in rounds or rounds[number][-1] == column - 1):
            rounds.setdefault(number, []).append(column)
            bare &= word.lstrip("#").rstrip("ab ").isdigit()
            last = number
    if "name" not in places:
        return None
    if last is not None:  # blank columns behind the last round are none of it
        while len(rounds[last]) > 1 and not key_word(cells[rounds[last][-1]]):
            rounds[last].pop()
    return Heading(tuple(cells), places, {number: tuple(of) for number, of in rounds.items()}, bare)


def find_heading(rows: Sequence[Sequence[str]], start: int) -> tuple[Heading, int] | None:
    """Read the row `start` as a heading, with the one below it where it goes over two rows.

    Returns
    -------
    tuple or None
        The heading, and how many rows it has.
    """
    row = rows[start]
    if not any(_KINDS.get(key_word(cell)) == "name" for cell in row):
        return None
    heading = heading_of(row)
    if heading is not None and heading.rounds:
        return heading, 1
    below = rows[start + 1] if start + 1 < len(rows) else []
    width = max(len(row), len(below))
    upper, lower = ([*cells, *[""] * (width - len(cells))] for cells in (row, below))
    # Names of rounds stand in the second row, below a word that goes over all of them.
    numbered = sum(round_of(key_word(cell)) is not None for cell in lower)
    clash = any(
        key_word(above) in _KINDS and cell not in ("", above)
        for above, cell in zip(upper, lower, strict=True)
    )
    if numbered < 1 or clash:
        return None if heading is None else (heading, 1)
    both = heading_of([cell or above for above, cell in zip(upper, lower, strict=True)])
    return None if both is None else (both, 2)


def round_of(word: str) -> int | None:
    """Read the number of a round, or of an opponent, from a heading."""
    match = _CYCLE.fullmatch(word) or _ROUND.fullmatch(word)
    number = int(match[1] or match[2]) if match else 0
    return number if 1 <= number <= MOST_ROUNDS else None
