"""Completeness and consistency, before any tie-break is computed.

`check` compares what the frames of an archive say with each other. An ``error`` is a
contradiction that leaves a value in doubt, a ``warning`` something that can change a value,
an ``info`` something to know.

======================  ========  =================================================================
code                    severity  meaning
======================  ========  =================================================================
asymmetric-result       info      of the two sides of a game one has a draw, the other a loss
board-mirror-missing    error     the other team of a match has no row for the board
board-of-another-team   warning   an individual at a board of a team that does not list him
boards-beyond-plan      warning   boards beyond the declared number of a match
boards-disagree         error     results or players of the two sides of a board do not agree
bye-with-opponent       error     the result is a bye, and an opponent is named
color-missing           info      games over the board without a color (number per tournament)
colors-disagree         error     both players of a game have the same color
game-points-differ      error     the game points of a match are not the sum of its boards
game-without-opponent   error     the result is one over the board, and no opponent is named
incomplete              warning   games are missing from a source that has no byes and absences, as
                                  PGN has none: see `completeness`
looks-like-round-robin  info      pairings not declared; everybody met everybody equally often
meets-himself           error     a player is his own opponent
mirror-missing          error     the opponent has no row for the game
mirror-unnamed          info      the opponent of a forfeited game has a row without an opponent
not-among-players       error     a player or opponent is not in the players frame
opponents-disagree      error     the opponent has another opponent in this round, or none
paired-twice            error     several opponents, or a bye and an opponent, in one round
player-without-results  info      a player of the players frame has no row in the results
points-declared         warning   the declared points are not the sum of the points
points-unusual          info      points that the scoring system does not give for the result
                                  (number per tournament)
rated-disagree          warning   one side of a game has a rated result, the other an unrated one
results-disagree        error     the results of the two sides do not go together
round-empty             warning   rounds without any result, before the last one
rounds-beyond-plan      warning   results in a round beyond the planned number
rounds-disagree         warning   games in different rounds for the two players (number per
                                  tournament)
rounds-missing          info      fewer rounds with results than planned
rounds-skipped          info      a player has no row for a round between his rounds: taken as
                                  absent (not told of round robins, where rounds can be free)
result-unknown          info      results not known yet (number per round)
several-games           info      a player has several games against one opponent in a round
tournament-empty        warning   a tournament of the tournaments frame has no result
======================  ========  =================================================================

What a reader of files found already has the same code there, with file and line; see
`findings.without_repeats`.
"""

from tbframe.checks.games_due import completeness, incomplete
from tbframe.checks.run import check

__all__ = ["check", "completeness", "incomplete"]
