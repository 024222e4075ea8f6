"""The error of a file that cannot be read, with the line at which that came out."""

from __future__ import annotations

from tbframe.errors import SourceError

__all__ = ["UnreadableError"]


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
