"""XML read into a tree that knows its lines, with nothing expanded and nothing fetched.

A document type, and with it every entity of one's own and every reference to another file, is
refused: no file of a tournament needs one, and they are how small files grow large.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final
from xml.parsers import expat

from tbframe.sources.unreadable import UnreadableError

__all__ = ["Element", "parse_xml", "root_name"]

#: A tournament has no more elements, and no deeper ones.
_MOST_ELEMENTS: Final = 1_000_000
_DEEPEST: Final = 100
_UTF16: Final = re.compile(rb"""\sencoding\s*=\s*["']utf-?16[^"']{0,5}["']""", re.IGNORECASE)


@dataclass(slots=True)
class Element:
    """An element.

    Attributes
    ----------
    tag, line
        Its name without a name space, and where it begins, from 1.
    attributes, children
        In their order.
    text
        What stands in it directly.
    """

    tag: str
    line: int
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def get(self, name: str) -> str | None:
        """Return an attribute without blanks around it; None where it is empty or missing."""
        return (self.attributes.get(name) or "").strip() or None

    def find(self, *tags: str) -> Element | None:
        """Return the first element on a way down by tags."""
        here: Element | None = self
        for tag in tags:
            here = next((one for one in here.children if one.tag == tag), None) if here else None
        return here

    def all(self, tag: str) -> Iterator[Element]:
        """Go through the elements of a name, at any depth."""
        waiting = [self]
        while waiting:
            one = waiting.pop()
            if one.tag == tag:
                yield one
            waiting.extend(reversed(one.children))

    def child_text(self, tag: str) -> str | None:
        """Return the text of a child; None where it is empty or missing."""
        child = self.find(tag)
        return (child.text.strip() or None) if child else None


def parse_xml(data: bytes) -> Element:
    """Read a document.

    Parameters
    ----------
    data
        The bytes of the file.

    Raises
    ------
    UnreadableError
        If it is no well-formed XML, has a document type, or is too large; with the line.
    """
    builder = _Builder(expat.ParserCreate())
    try:
        builder.parser.Parse(data, True)
    except expat.ExpatError as error:
        text = expat.ErrorString(error.code)
        raise UnreadableError(
            f"no well-formed XML: {text}", line=error.lineno, code="damaged-xml"
        ) from error
    except UnreadableError:
        raise
    except (LookupError, ValueError) as error:
        raise UnreadableError(f"no well-formed XML: {error}", code="damaged-xml") from error
    if builder.root is None:
        raise UnreadableError("no well-formed XML: no element", code="damaged-xml")
    return builder.root


def root_name(head: bytes) -> str | None:
    r"""Return the name of the first element of a document, by its beginning.

    Examples
    --------
    >>> root_name(b'<?xml version="1.0"?>\n<Tournament x="1">')
    'Tournament'
    """
    if not head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<"):
        return None
    # The head has been brought to UTF-8, whatever it says of itself.
    head = _UTF16.sub(b"", head, count=1)
    names: list[str] = []
    parser = expat.ParserCreate()

    def begin(tag: str, _: dict[str, str]) -> None:
        names.append(tag)
        parser.StartElementHandler = None

    parser.StartElementHandler = begin
    with suppress(expat.ExpatError, LookupError, ValueError):
        parser.Parse(head, False)  # what comes behind the first element does not matter here
    return names[0] if names else None


class _Builder:
    """What makes the tree, element by element."""

    def __init__(self, parser: expat.XMLParserType) -> None:
        self.parser = parser
        self.root: Element | None = None
        self._open: list[Element] = []
        self._count = 0
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        parser.EntityDeclHandler = self._refuse_doctype
        parser.ExternalEntityRefHandler = self._refuse_doctype
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._write

    def _refuse_doctype(self, *_: object) -> int:
        raise UnreadableError(
            "has a document type, with entities or other files: refused",
            line=self.parser.CurrentLineNumber,
            code="unsafe-xml",
        )

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        element = Element(tag.rpartition(":")[2], line, attributes)
        self._count += 1
        if self._count > _MOST_ELEMENTS or len(self._open) > _DEEPEST:
            raise UnreadableError(
                "has more elements, or deeper ones, than any tournament", line=line,
                code="file-too-large",
            )  # fmt: skip
        if self._open:
            self._open[-1].children.append(element)
        elif self.root is None:
            self.root = element
        self._open.append(element)

    def _end(self, _: str) -> None:
        self._open.pop()

    def _write(self, text: str) -> None:
        if self._open:
            self._open[-1].text += text
