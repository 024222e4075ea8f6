"""Addresses of PostgreSQL: what may be said of them, and what is a secret."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote

from tbframe.errors import SourceError

__all__ = ["check_address", "is_address", "shown", "without_secrets"]

_SCHEMES: Final = ("postgresql://", "postgres://")
_USER_AND_PASSWORD: Final = re.compile(r"([^\s@/?%]|%[0-9A-Fa-f]{2})*")
_HOST: Final = re.compile(r"(\[[^\]]*\]|[^:]*)(:\d*)?")


def is_address(database: str) -> bool:
    """Whether it is an address of PostgreSQL, and not the path of a file."""
    return database.startswith(_SCHEMES)


def check_address(address: str, where: str) -> None:
    """Refuse an address whose password could be taken for something else.

    PostgreSQL's library takes such a password apart and quotes the pieces in its messages.

    Raises
    ------
    SourceError
        With `where`, and nothing of the address.
    """
    before, _, after = address.partition("://")[2].rpartition("@")
    hosts = re.split("[/?]", after)[0].split(",")
    if not _USER_AND_PASSWORD.fullmatch(before) or not all(map(_HOST.fullmatch, hosts)):
        raise SourceError(
            f"{where}: the address cannot be told apart (a port is a number); write signs of "
            'the user or password as %40 for "@", %2F for "/", %3F for "?", %25 for "%", %20 for a '
            "blank, or leave the password to PGPASSWORD"
        )


def shown(database: str) -> str:
    """Return what messages call a database: an address without password and parameters.

    Examples
    --------
    >>> shown("postgresql://ann:secret@localhost:5432/chess?sslmode=require")
    'postgresql://ann@localhost:5432/chess'
    >>> shown("/data/chess.sqlite")
    '/data/chess.sqlite'
    """
    if not is_address(database):
        return database
    scheme, _, rest = database.partition("://")
    before, at, host = rest.rpartition("@")
    return f"{scheme}://{before.partition(':')[0]}{at}{host.partition('?')[0]}"


def without_secrets(said: object, database: str) -> str:
    """Leave the password of an address out of what a driver says, and put it on one line.

    Examples
    --------
    >>> without_secrets('no  "s@x" here', "postgresql://ann:s%40x@localhost/chess")
    'no "..." here'
    """
    text = " ".join(str(said).split())
    if not is_address(database):
        return text
    before, _, after = database.partition("://")[2].rpartition("@")
    parameters = re.findall(r"=([^&]*)", after.partition("?")[2])
    for secret in (before.partition(":")[2], *parameters):
        for spelling in {secret, unquote(secret), " ".join(unquote(secret).split())} - {""}:
            text = text.replace(spelling, "...")
    return text
