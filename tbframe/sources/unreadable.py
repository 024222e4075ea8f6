"""The errors of files that cannot be read: of those that are none, and of damaged ones."""

from __future__ import annotations

from tbframe.errors import SourceError

__all__ = ["OtherTableError", "UnreadableError"]


class OtherTableError(SourceError):
    """A table is neither one of results nor one of games.

    Attributes
    ----------
    likely
        Whether it has some of their columns, so that it may have been meant as one.
    """

    def __init__(self, message: str, *, likely: bool) -> None:
        super().__init__(message)
        self.likely = likely


class UnreadableError(SourceError):
    """A file says what its format cannot mean: it is set aside whole.

    Attributes
    ----------
    line
        The line of the file, from 1; None where no line is at fault.
    code
        What the quarantine calls the reason.
    """

    def __init__(
        self, message: str, *, line: int | None = None, code: str = "unreadable-content"
    ) -> None:
        super().__init__(message)
        self.line = line
        self.code = code
