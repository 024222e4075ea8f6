"""Matches of card games: a table of matches, or the JSON of the platforms that run events."""

from tbframe.sources.matches.reader import looks_like_matches, read_matches

__all__ = ["looks_like_matches", "read_matches"]
