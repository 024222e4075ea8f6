"""PGN archives: tags read at the speed of an archive, and tournaments made of them.

What is taken for granted on the way is a finding:

=======================  ========  ================================================================
code                     severity  meaning
=======================  ========  ================================================================
boards-numbered          warning   boards of a team match are numbered in the order of the file
comment-unclosed         warning   the file ends inside of a comment: what is in it is no game
duplicate-counted-once   warning   a game stands there again, with the same moves
duplicate-games          warning   the same, and all are kept, or the tournament is set aside
encoding-cp1252          info      values that are no UTF-8 are read as Windows-1252
event-missing            warning   games without the tag Event
file-damaged             error     a packed file ends early, or grows too large
date-unreadable          warning   a date that there is not: not known
forfeit-by-termination   info      Termination says that nobody played
forfeit-drawn            warning   Termination says that nobody played, and it is a draw: played
game-again               warning   the same players, round and date with other moves, or moves with
                                   another round or date: kept
game-in-comment          warning   what looks like a game stands in a comment: no game
game-without-players     warning   no player is named: left out
games-without-moves      warning   decided games without moves are taken as played; info where
                                   most games of the tournament have none
ids-of-one-name          warning   several FIDE ids have one name: as many players
member-passed-over       info      a zip archive has other files in it
names-alike              warning   two names may be one player's: two players
names-of-one-id          info      one FIDE id has several names: one player; a warning where the
                                   surnames are not alike
player-unknown           warning   one side of a game is not named: a player for this game only
rating-varies            info      several ratings of a player: the most frequent
result-behind-moves      info      no tag Result, but a result behind the moves
result-missing           warning   no result at all: not known (*)
result-unreadable        warning   a result that says nothing: not known (*)
round-from-day           warning   a game without a round: that of all others of its day
round-unreadable         warning   a round that is no number
rounds-from-dates        warning   games without rounds: the dates are the rounds
rounds-missing-in-file   warning   games without rounds: each player's are numbered by date
rounds-read-as           info      what 3.4 is taken for; a warning where that does not fit
tag-over-lines           info      a value goes on on the next line
tag-truncated            warning   another tag begins in a value: read up to there
tag-twice                warning   a tag comes again in a game: the last one counts
tag-unreadable           warning   a line begins like a tag and is none: left out
team-event-assumed       info      tags of teams that make matches: an event of teams
team-tags-individual     info      tags of teams that make no matches: an individual event
tournament-by-dates      warning   a name stands for several tournaments, by their dates
tournaments-alike        warning   two names may be one tournament's: two tournaments
=======================  ========  ================================================================
"""

from tbframe.sources.pgn.headers import TAGS, pgn_headers
from tbframe.sources.pgn.reader import read_pgn, read_pgn_files
from tbframe.sources.pgn.recognising import looks_like_pgn

__all__ = ["TAGS", "looks_like_pgn", "pgn_headers", "read_pgn", "read_pgn_files"]
