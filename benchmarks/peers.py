"""Two independent programs, each on one tournament given as canonical rows.

gacrux grew out of the reference checker of FIDE's Technical Commission; tiebreak-core was
written from the text of the regulations. Neither shares a line with the other or with this
project, so the tests compare values with both, and the benchmarks compare times. Each adapter
takes the results of one tournament, prepares the program's own input once (`Gacrux`,
`TiebreakCore`), and then computes in memory as often as it is asked.

Both programs number players with whole numbers, so player keys must be integers from 1.
Results that are not known yet have no place in either. gacrux takes other values of win and
draw than 1 and 1/2, and team events with their boards; tiebreak-core takes neither.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

import polars as pl
from gacrux.scoresystem import scoresystem
from gacrux.tiebreak import tiebreak
from tiebreak_core.models import GameRecord, PlayerTiebreakData
from tiebreak_core.strict import rank_standings_strict

from tbframe.scoring import parse_scoring

__all__ = ["EDITIONS", "Gacrux", "Ratings", "TiebreakCore", "Values"]

#: Values by code and player; ``None`` where the program says that there is none.
Values = dict[str, dict[int, float | None]]
#: Ratings by player; ``None`` for the unrated.
Ratings = Mapping[int, int | None]

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
        As in `tbframe.scoring`; ``None``: 1, 1/2, 0. Of individuals only.
    ratings
        Ratings of the players; without them everybody is unrated.
    boards
        The canonical rows of its boards if it is a team event, forfeited matches included.
        A match won counts 2, a drawn one 1; a pairing-allocated bye as a drawn match.
    primary
        The score that decides a team event, ``"MP"`` or ``"GP"``.
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

    #: How a team's boards are numbered as players, for there are fewer than 100.
    _BOARDS: Final = 100

    def __init__(
        self,
        results: pl.DataFrame,
        edition: str,
        *,
        predetermined: bool = False,
        scoring: str | None = None,
        ratings: Ratings | None = None,
        boards: pl.DataFrame | None = None,
        primary: str = "MP",
    ) -> None:
        worth = parse_scoring(scoring)
        points = {letter: Decimal(str(worth[letter])) for letter in "WDL"}
        rounds = int(results["round"].max())  # type: ignore[arg-type]
        players = results["player"].unique(maintain_order=True).to_list()
        known = {player: {"rating": rating} for player, rating in (ratings or {}).items() if rating}
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
            "competitors": [
                {"cid": player, "random": player, "rating": known.get(player)} for player in players
            ],
            "gameList": self._games(results),
        }
        if boards is not None:
            self._add_boards(boards, primary)

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

    def _add_boards(self, boards: pl.DataFrame, primary: str) -> None:
        """Turn the games so far into matches, and the rows of the boards into their games."""
        size = int(boards["board"].max())  # type: ignore[arg-type]
        sitting = (pl.col(side) * self._BOARDS + pl.col("board") for side in ("team", "opponent"))
        seats = dict(zip(("player", "opponent"), sitting, strict=True))
        games = self._games(boards.select("round", "color", "result", **seats))
        of_match: dict[tuple[int, int], list[int]] = {}
        for game in games:
            team, game["board"] = divmod(game["white"]["cid"], self._BOARDS)
            for side in (team, game["black"]["cid"] // self._BOARDS):
                of_match.setdefault((game["round"], side), []).append(game["id"])
        matches = self._tournament["gameList"]
        for match in matches:
            match["games"] = of_match.get((match["round"], match["white"]["cid"]), [])
        for team in self._tournament["competitors"]:
            numbers = range(team["cid"] * self._BOARDS + 1, team["cid"] * self._BOARDS + size + 1)
            team["teamId"] = team["cid"]
            team["cplayers"] = [{"cid": number, "teamId": team["cid"]} for number in numbers]
        system = self._tournament["scoreSystem"]
        system["match"] = scoresystem().default_score["match"] | {"PG": "D*"}
        system["primary"] = {"MP": "match", "GP": "game"}[primary]
        self._tournament |= {
            "teamTournament": True,
            "teamSize": size,
            "matchList": matches,
            "gameList": games,
        }

    def offers(self, code: str) -> bool:
        """Tell whether the program knows a code."""
        known = code.partition("/")[0].partition(":")[0]
        return known in tiebreak(None, -1, None).tiebreaklist

    def compute(self, order: Sequence[str]) -> dict[str, Any]:
        """Rank by an order; gacrux's own answer."""
        asked = {"tiebreak": list(order), "check": False, **self._way}
        machine = tiebreak(self._tournament, -1, asked)
        answer: dict[str, Any] = machine.compute_tiebreaks(self._tournament, asked)
        return answer

    def values(self, codes: Sequence[str]) -> Values:
        """Compute values, all in one run.

        What gacrux keeps between criteria is not neutral: after Fore Buchholz its Buchholz takes
        another round for the last one that a player was there. So whatever is fore comes last.
        """
        order = sorted(codes, key=lambda code: code.startswith("FB") or "/F" in code)
        answer = self.compute(order)["competitors"]
        return {
            code: {
                each["cid"]: None if (value := each["tiebreakScore"][at]) is None else float(value)
                for each in answer
            }
            for at, code in enumerate(order)
        }

    def ranks(self, order: Sequence[str]) -> dict[int, int]:
        """Rank the players; ties share the rank (1, 1, 3)."""
        return {each["cid"]: each["rank"] for each in self.compute(order)["competitors"]}


class TiebreakCore:
    """One tournament as tiebreak-core takes it.

    Parameters
    ----------
    results, edition, predetermined, ratings
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
        "ARO": ("aro", {}),
        "ARO/C1": ("aro_cut1", {}),
        "TPR": ("tpr", {}),
        "PTP": ("ptp", {}),
        "APRO": ("apro", {}),
        "APPO": ("appo", {}),
    }
    _SINCE_2026: Final[dict[str, tuple[str, dict[str, Any]]]] = {
        "STD": ("std", {}),
        "DE/P": ("direct_encounter", {"forfeits_as_played": True}),
        "BH/P": ("buchholz", {"forfeits_as_played": True}),
        "FB/C1": ("fore_buchholz_cut1", {}),
        "AOB/F": ("aob_fb", {}),
        "SB/C2": ("sonneborn_berger_cut2", {}),
        "SB/P": ("sonneborn_berger", {"forfeits_as_played": True}),
        "ARO/C2": ("aro_cut2", {}),
        "ARO/M1": ("aro_median1", {}),
        "RTNG": ("rtng", {}),
    }
    #: The codes of article 10: it leaves to the caller not to use them where somebody is unrated.
    _ON_RATINGS: Final = ("ARO", "TPR", "PTP", "APRO", "APPO", "RTNG")
    #: The codes that it ranks by without showing a value.
    _WITHOUT_VALUES: Final = ("DE", "RTNG")
    _KINDS: Final = {
        "+": "forfeit_win",
        "-": "forfeit_loss",
        "F": "pairing_bye",
        "U": "pairing_bye",
        "H": "requested_bye",
        "Z": "requested_bye",
    }

    def __init__(
        self,
        results: pl.DataFrame,
        edition: str,
        *,
        predetermined: bool = False,
        ratings: Ratings | None = None,
    ) -> None:
        self._rounds = int(results["round"].max())  # type: ignore[arg-type]
        self._ruleset = self._RULESETS[edition]
        self._mode: dict[str, Any] = {"mode": "round_robin"} if predetermined else {}
        self._criteria = dict(self._CRITERIA)
        if edition == "2026-03":
            self._criteria |= self._SINCE_2026
        elif predetermined:
            self._criteria = {}  # its 2024 rules are for Swiss events only
        self._players = self._records(results, ratings or {})
        self._all_rated = all(record.rating for record in self._players.values())

    def _records(self, results: pl.DataFrame, ratings: Ratings) -> dict[int, PlayerTiebreakData]:
        columns = ["round", "player", "opponent", "color", "result", "points"]
        rows = results.select(columns).rows()
        points = {(number, player): made for number, player, *_, made in rows}
        players: dict[int, PlayerTiebreakData] = {}
        for number, player, opponent, color, code, made in rows:
            record = players.setdefault(
                player,
                PlayerTiebreakData(player_id=player, rating=ratings.get(player) or 0, points=0.0),
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
        known, unrated = self._split(code)
        if known.partition("/")[0] in self._ON_RATINGS and not (self._all_rated or unrated):
            return False
        return known in self._criteria or (code == "PTS" and bool(self._criteria))

    @staticmethod
    def _split(code: str) -> tuple[str, int | None]:
        """Take ``/U1400``, which the program leaves to the caller, off a code."""
        known, _, unrated = code.partition("/U")
        return known, int(unrated) if unrated else None

    def compute(self, order: Sequence[str], keys: Mapping[int, int] | None = None) -> Any:
        """Rank by an order, ties by `keys`; tiebreak-core's own answer."""
        criteria, options, players = [], dict(self._mode), self._players
        for code in order:
            if code != "PTS":  # always comes first
                known, unrated = self._split(code)
                criterion, besides = self._criteria[known]
                criteria.append(criterion)
                options |= besides
                if unrated is not None:
                    players = self._rated(unrated)
        return rank_standings_strict(
            players,
            criteria,
            total_rounds=self._rounds,
            deterministic_keys=keys,
            ruleset=self._ruleset,
            **options,
        )

    def _rated(self, unrated: int) -> dict[int, PlayerTiebreakData]:
        """Return the records with a rating for the unrated."""
        players = {player: copy.copy(record) for player, record in self._players.items()}
        for record in players.values():
            record.rating = record.rating or unrated
        return players

    def values(self, codes: Sequence[str]) -> Values:
        """Compute the values of the codes that the program offers; of some it shows none."""
        found: Values = {}
        for code in codes:
            known, _ = self._split(code)
            if not self.offers(code) or known.partition("/")[0] in self._WITHOUT_VALUES:
                continue
            answer = self.compute([code])
            if code == "PTS":
                found[code] = {each.player_id: each.points for each in answer.players}
            else:
                criterion = self._criteria[known][0]
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
