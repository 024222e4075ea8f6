"""A table that prints as a worked exercise."""

from __future__ import annotations

import polars as pl

__all__ = ["Explanation", "plain"]


class Explanation(pl.DataFrame):
    """A frame with one row for each round, which prints as a worked exercise."""

    title: str = ""
    result: str = ""

    @classmethod
    def of(cls, frame: pl.DataFrame, *, title: str, result: str) -> Explanation:
        """Give a frame its heading and its last line."""
        explanation = cls(frame)
        explanation.title, explanation.result = title, result
        return explanation

    def __str__(self) -> str:
        """Write the heading, the rounds in columns, and the sum."""
        if not self.title:
            return super().__str__()
        shown = [name for name in self.columns if self[name].null_count() < self.height]
        cells = [[name.replace("_", " ") for name in shown]]
        cells += [["" if v is None else plain(v) for v in row] for row in self.select(shown).rows()]
        widths = [max(len(row[i]) for row in cells) for i in range(len(shown))]
        right = [self.schema[name].is_numeric() for name in shown]
        lines = [
            "  ".join(
                cell.rjust(width) if to_right else cell.ljust(width)
                for cell, width, to_right in zip(row, widths, right, strict=True)
            ).rstrip()
            for row in cells
        ]
        return "\n".join([self.title, "", *lines, "", self.result])


def plain(value: object) -> str:
    """Write a number with the digits it needs."""
    return f"{value:.10g}" if isinstance(value, float) else str(value)
