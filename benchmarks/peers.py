"""Two independent programs, each on one tournament given as canonical rows.

gacrux grew out of the reference checker of FIDE's Technical Commission; tiebreak-core was
written from the text of the regulations. Neither shares a line with the other or with this
project, so the tests compare values with both, and the benchmarks compare times. Each adapter
takes the results of one tournament, prepares the program's own input once (`Gacrux`,
`TiebreakCore`), and then computes in memory as often as it is asked.

Both programs number players with whole numbers, so player keys must be integers from 1.
Results that are not known yet have no place in either. gacrux takes other values of win and
draw than 1 and 1/2; tiebreak-core does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

import polars as pl
from gacrux.scoresystem import scoresystem
from gacrux.tiebreak import tiebreak
from tiebreak_core.models import GameRecord, PlayerTiebreakData
from tiebreak_core.strict import rank_standings_strict

from tbframe.scoring import parse_scoring

__all__ = ["EDITIONS", "Gacrux", "TiebreakCore", "Values"]

#: Values by code and player; ``None`` where the program says that there is none.
Values = dict[str, dict[int, float | None]]

#: The editions that both programs know.
EDITIONS: Final = ("2024-08", "2026-03")


class Gacrux:
    """One tournament as gacrux takes it.

    Parameters
    ----------
    results
        Canonical rows of one tournament.
    edition
        One of `EDITIONS`; gacrux chooses its rules by the start date.
    predetermined
        Whether the pairings were fixed before the start.
    scoring
        As in `tbframe.scoring`; ``None``: 1, 1/2, 0.
    """

    name: Final = "gacrux"

    #: A day on which each edition was in force.
    _STARTS: Final = {"2024-08": "2025-01-01", "2026-03": "2026-04-01"}
    #: gacrux's letter for a result code, and whether it takes the round for played.
    _RESULTS: Final = {
        "1": ("W", True),
        "=": ("D", True),
        "0": ("L", True),
        "W": ("W", True),
        "D": ("D", True),
        "L": ("L", True),
        "U": ("P", True),
        "+": ("W", False),
        "F": ("W", False),
        "H": ("D", False),
        "-": ("Z", False),
        "Z": ("Z", False),
    }

    def __init__(
        self,
        results: pl.DataFrame,
        edition: str,
        *,
        predetermined: bool = False,
        scoring: str | None = None,
    ) -> None:
        worth = parse_scoring(scoring)
        points = {letter: Decimal(str(worth[letter])) for letter in "WDL"}
        rounds = int(results["round"].max())  # type: ignore[arg-type]
        players = results["player"].unique(maintain_order=True).to_list()
        self._way = {"pre_determined": predetermined, "swiss": not predetermined}
        self._tournament: dict[str, Any] = {
            "tournamentNo": 1,
            "tournamentType": "",
            "tournamentInfo": {"startDate": self._STARTS[edition]},
            "teamTournament": False,
            "teamSize": 1,
            "numRounds": rounds,
            "currentRound": rounds,
            "scoreSystem": {"game": scoresystem().default_score["game"] | points},
            # Lots are drawn only for players without a number: these keep `random` untouched.
            "competitors": [{"cid": player, "random": player} for player in players],
            "gameList": self._games(results),
        }

    def _games(self, results: pl.DataFrame) -> list[dict[str, Any]]:
        columns = ["round", "player", "opponent", "color", "result"]
        games: dict[tuple[int, int], dict[str, Any]] = {}
        for number, player, opponent, color, code in results.select(columns).iter_rows():
            letter, played = self._RESULTS[code]
            side = {"cid": player, "result": letter}
            white = color != "b" if color or opponent is None else player < opponent
            game = games.setdefault(
                (number, player if white else opponent),
                {"id": len(games) + 1, "round": number, "played": played, "black": None},
            )
            game["white" if white else "black"] = side
        return list(games.values())

    def offers(self, code: str) -> bool:
        """Tell whether the program knows a code."""
        return code.partition("/")[0] in tiebreak(None, -1, None).tiebreaklist

    def compute(self, order: Sequence[str]) -> dict[str, Any]:
        """Rank by an order; gacrux's own answer."""
        asked = {"tiebreak": list(order), "check": False, **self._way}
        machine = tiebreak(self._tournament, -1, asked)
        answer: dict[str, Any] = machine.compute_tiebreaks(self._tournament, asked)
        return answer

    def values(self, codes: Sequence[str]) -> Values:
        """Compute values, each code on its own.

        One run would do, but what gacrux keeps between criteria is not neutral: after Fore
        Buchholz its Buchholz takes another round for the last one that a player was there.
        """
        return {
            code: {
                each["cid"]: None if (value := each["tiebreakScore"][0]) is None else float(value)
                for each in self.compute([code])["competitors"]
            }
            for code in codes
        }

    def ranks(self, order: Sequence[str]) -> dict[int, int]:
        """Rank the players; ties share the rank (1, 1, 3)."""
        return {each["cid"]: each["rank"] for each in self.compute(order)["competitors"]}


class TiebreakCore:
    """One tournament as tiebreak-core takes it.

    Parameters
    ----------
    results, edition, predetermined
        As for `Gacrux`.
    """

    name: Final = "tiebreak-core"

    _RULESETS: Final = {"2024-08": "fide-2024", "2026-03": "fide-2026"}
    #: The criterion behind a code, and what has to be asked for besides.
    _CRITERIA: Final[dict[str, tuple[str, dict[str, Any]]]] = {
        "WIN": ("wins", {}),
        "WON": ("won", {}),
        "BPG": ("games_black", {}),
        "BWG": ("wins_black", {}),
        "REP": ("rounds_elected", {}),
        "PS": ("progressive", {}),
        "PS/C1": ("progressive_cut1", {}),
        "BH": ("buchholz", {}),
        "BH/C1": ("buchholz_cut1", {}),
        "BH/C2": ("buchholz_cut2", {}),
        "BH/M1": ("median_buchholz", {}),
        "FB": ("fore_buchholz", {}),
        "AOB": ("aob", {}),
        "SB": ("sonneborn_berger", {}),
        "SB/C1": ("sonneborn_berger_cut1", {}),
        "KS": ("koya", {}),
        "KS/L+1": ("koya", {"koya_limit": 0.5}),
        "DE": ("direct_encounter", {}),
    }
    _SINCE_2026: Final[dict[str, tuple[str, dict[str, Any]]]] = {
        "STD": ("std", {}),
        "DE/P": ("direct_encounter", {"forfeits_as_played": True}),
        "BH/P": ("buchholz", {"forfeits_as_played": True}),
        "FB/C1": ("fore_buchholz_cut1", {}),
        "AOB/F": ("aob_fb", {}),
        "SB/C2": ("sonneborn_berger_cut2", {}),
        "SB/P": ("sonneborn_berger", {"forfeits_as_played": True}),
    }
    _KINDS: Final = {
        "+": "forfeit_win",
        "-": "forfeit_loss",
        "F": "pairing_bye",
        "U": "pairing_bye",
        "H": "requested_bye",
        "Z": "requested_bye",
    }

    def __init__(self, results: pl.DataFrame, edition: str, *, predetermined: bool = False) -> None:
        self._rounds = int(results["round"].max())  # type: ignore[arg-type]
        self._ruleset = self._RULESETS[edition]
        self._mode: dict[str, Any] = {"mode": "round_robin"} if predetermined else {}
        self._criteria = dict(self._CRITERIA)
        if edition == "2026-03":
            self._criteria |= self._SINCE_2026
        elif predetermined:
            self._criteria = {}  # its 2024 rules are for Swiss events only
        self._players = self._records(results)

    def _records(self, results: pl.DataFrame) -> dict[int, PlayerTiebreakData]:
        columns = ["round", "player", "opponent", "color", "result", "points"]
        rows = results.select(columns).rows()
        points = {(number, player): made for number, player, *_, made in rows}
        players: dict[int, PlayerTiebreakData] = {}
        for number, player, opponent, color, code, made in rows:
            record = players.setdefault(
                player, PlayerTiebreakData(player_id=player, rating=0, points=0.0)
            )
            record.points += made
            record.games.append(
                GameRecord(
                    opponent_id=-1 if opponent is None else opponent,
                    opponent_rating=0,
                    score=made,
                    color="black" if color == "b" else "white",
                    round_number=number,
                    kind=self._KINDS.get(code, "played"),
                    opponent_score=points.get((number, opponent)),
                )
            )
        return players

    def offers(self, code: str) -> bool:
        """Tell whether the program knows a code under the edition and kind of pairing."""
        return code in self._criteria or (code == "PTS" and bool(self._criteria))

    def compute(self, order: Sequence[str], keys: Mapping[int, int] | None = None) -> Any:
        """Rank by an order, ties by `keys`; tiebreak-core's own answer."""
        criteria, options = [], dict(self._mode)
        for code in order:
            if code != "PTS":  # always comes first
                criterion, besides = self._criteria[code]
                criteria.append(criterion)
                options |= besides
        return rank_standings_strict(
            self._players,
            criteria,
            total_rounds=self._rounds,
            deterministic_keys=keys,
            ruleset=self._ruleset,
            **options,
        )

    def values(self, codes: Sequence[str]) -> Values:
        """Compute the values of the codes that the program offers; of DE it shows none."""
        found: Values = {}
        for code in codes:
            if not self.offers(code) or code.startswith("DE"):
                continue
            answer = self.compute([code])
            if code == "PTS":
                found[code] = {each.player_id: each.points for each in answer.players}
            else:
                criterion = self._criteria[code][0]
                found[code] = {each.player_id: each.values[criterion] for each in answer.players}
        return found

    def ranks(self, order: Sequence[str]) -> dict[int, int]:
        """Rank the players; ties share the rank (1, 1, 3).

        The program leaves no tie: its last criterion is a number of the caller's. Ranked once by
        it upwards and once downwards, the tied change places around the middle of their group.
        """
        first = {each.player_id: each.rank for each in self.compute(order).players}
        keys = {player: -player for player in first}
        second = {each.player_id: each.rank for each in self.compute(order, keys).players}
        middle = {player: first[player] + second[player] for player in first}
        start: dict[int, int] = {}
        for player, rank in first.items():
            start[middle[player]] = min(rank, start.get(middle[player], rank))
        return {player: start[middle[player]] for player in first}
