"""PGN archives with every oddity that real ones have, and what python-chess makes of each.

Each game of `write_archive` has one oddity, and a number in its tag White, by which the games of
two readers are put side by side.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

#: The oddities on whose tags python-chess and tbframe agree.
AGREED: Final = (
    "plain", "crlf", "comment over lines", "game in a comment", "brace behind a semicolon",
    "semicolon in a comment", "escape line", "brace in a tag", "no empty line behind the tags",
    "quotes in quotes", "name with a blank", "forfeit without moves", "one empty line in the tags",
    "tag not closed", "tab behind the name", "empty values", "tags in another order",
    "variations", "no tag Event",
)  # fmt: skip
#: Those on which they do not, and why.
DIFFERENT: Final = {
    "glued": "skips the moves up to an empty line, and this game with them",
    "no text": "takes the tags of the next game for more tags of this one",
    "escapes": r"leaves \" and \\ as they are written",
    "two empty lines in the tags": "ends the tags there, and reads the rest as another game",
    "blanks before a tag": "takes no line for a tag that does not begin with [",
    "two tags on a line": "reads one tag, with the second one in its value",
    "tag over two lines": "takes the second line for moves: the other tags are lost",
    "blank before the bracket": "takes it for no tag",
    "second tag within": "reads the rest of the line as the value",
    "Windows-1252": "reads a file in one encoding: the letter is lost",
}

_MOVES: Final = (
    "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3 e5 7. Nb3 Be6 8. f3 Be7\n"
    "9. Qd2 O-O 10. O-O-O Nbd7 11. g4 b5 12. g5 b4 13. Ne2 Ne8 14. f4 a5 15. f5 a4 16. fxe6\n"
    "axb3 17. cxb3 fxe6 18. Bh3 Rxa2 19. Bxe6+ Kh8 20. Ng3 Nc7 21. Bc4 Qa8 22. Kb1 Ra1+"
)


def game(kind: str, number: int, chance: random.Random) -> str:
    """Write one game with an oddity, ending in an empty line."""
    result = chance.choice(["1-0", "0-1", "1/2-1/2"])
    tags = {
        "Event": f"Open {number // 200}",
        "Site": "Town NED",
        "Date": f"2019.01.{number % 9 + 1:02d}",
        "Round": f"{number % 9 + 1}.{chance.randrange(1, 40)}",
        "White": f"Player, W{number}",
        "Black": f"Other, B{chance.randrange(300)}",
        "Result": result,
        "WhiteElo": "2400",
        "BlackElo": "2300",
        "EventDate": "2019.01.01",
    }
    moves = _MOVES
    if kind == "escapes":
        tags["Black"] = r"O\"Neil, \\Back"
    if kind == "quotes in quotes":
        tags["Site"] = 'The "Hall" of [Town]'
    if kind == "brace in a tag":
        tags["Site"] = "Town {NED"
    if kind == "empty values":
        tags["Round"] = tags["BlackElo"] = ""
    if kind == "no tag Event":
        del tags["Event"]
    if kind == "Windows-1252":
        tags["Black"] = "M\udcfcller, B"  # the byte of an u umlaut
    if kind == "tags in another order":
        tags = dict(reversed(tags.items()))
    lines = [f'[{name} "{value}"]' for name, value in tags.items()]
    changed = {
        "name with a blank": [*lines, '[White ACPL "252"]'],
        "one empty line in the tags": [*lines[:3], "", *lines[3:]],
        "two empty lines in the tags": [*lines[:3], "", "", *lines[3:]],
        "tag not closed": [*lines, '[TimeControl "40/7200'],
        "tab behind the name": [line.replace(' "', '\t"', 1) for line in lines],
        "blanks before a tag": [*lines[:5], "  " + lines[5], *lines[6:]],
        "two tags on a line": [*lines[:5], f"{lines[5]} {lines[6]}", *lines[7:]],
        "tag over two lines": [*lines[:5], '[Black "Other,', 'Two"]', *lines[6:]],
        "blank before the bracket": [*lines[:5], lines[5].replace('"]', '" ]'), *lines[6:]],
        "second tag within": [*lines[:8], '[EventDate "2019[Event "Open 7: a vs b"]'],
    }
    lines = changed.get(kind, lines)
    texts = {
        "comment over lines": f"{{ about\n\nthe game }}\n{moves} {result}",
        "game in a comment": f'{{ as in\n\n[Event "No"]\n[White "Nobody"]\n\n }}\n{moves} {result}',
        "brace behind a semicolon": f"; a {{ that opens nothing\n{moves} {result}",
        "semicolon in a comment": f"{{ one; two }} {moves} {result}",
        "escape line": f"{moves}\n% {{ for another program\n{result}",
        "forfeit without moves": f"{{ lost by forfeit }}\n{result}",
        "variations": f"1. e4 (1. d4 {{ [%clk 1:30:00] }} d5 (1... Nf6)) e5 $1 {result}",
        "no text": "",
    }
    text = texts.get(kind, f"{moves} {result}")
    between = "\n" if kind == "no empty line behind the tags" else "\n\n"
    written = "\n".join(lines) + between + (text + "\n\n" if text else "")
    if kind == "no text":
        written += game("plain", number + 1, chance)
    return written.replace("\n", "\r\n") if kind == "crlf" else written


def write_archive(path: Path, games: int, seed: int = 1, odd: float = 0.2) -> dict[int, str]:
    """Write so many games in UTF-8 with a byte order mark; return the oddity of each number.

    `odd` is the share of the games that may have an oddity.
    """
    chance = random.Random(seed)
    kinds = [*AGREED, *DIFFERENT]
    written: dict[int, str] = {}
    with path.open("w", encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        number, before = 0, ""
        while number < games:
            kind = chance.choice(kinds) if number and chance.random() < odd else "plain"
            if kind == "no text" and number + 1 == games:
                kind = "plain"
            # Games with other line ends than the rest have no empty line to leave out.
            if kind == "glued" and not before.endswith("\n\n"):
                kind = "plain"
            file.write(before[:-1] if kind == "glued" else before)
            before = game(kind, number, chance)
            written[number] = kind
            if kind == "no text":
                number += 1
                written[number] = "plain"
            number += 1
        file.write(before)
    return written
