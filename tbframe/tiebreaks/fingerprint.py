"""What the definition of a tie-break rests on, as one short text that changes with it.

A formula is more than its own lines: constants, other functions, what a closure or a default holds
change its values just as well. All that is followed, down to what is installed: modules, functions
and classes of those are known by their names and versions. What cannot be followed (an object of
one's own class, a file that is opened) is named, so that nobody relies on it.
"""

from __future__ import annotations

import builtins
import dis
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import partial
from hashlib import blake2b
from importlib import import_module
from io import BytesIO
from types import CodeType, FunctionType, MappingProxyType, MethodType, ModuleType
from typing import Any, Final

import numpy as np
import polars as pl

from tbframe.tiebreaks.definition import TieBreak
from tbframe.tiebreaks.installed import PYTHON, name_of, version_of

__all__ = ["Basis", "basis_of"]

#: Types of which the text says all.
_PLAIN: Final = (
    type(None), bool, int, float, complex, str, bytes, type(Ellipsis), range, slice,
    date, datetime, time, timedelta, Decimal, Fraction,
)  # fmt: skip
#: Functions, of whatever module, that bring in what nobody can know beforehand.
_OPAQUE: Final = {"__import__", "eval", "exec", "globals", "input", "locals", "open", "vars"}


@dataclass(frozen=True)
class Basis:
    """What a definition rests on.

    Attributes
    ----------
    digest
        32 hexadecimal digits that change with it.
    doubts
        What may change without changing the digest.
    """

    digest: str
    doubts: tuple[str, ...]


def basis_of(entry: TieBreak) -> Basis:
    """Find out what the definition of a tie-break rests on.

    Parameters
    ----------
    entry
        One that did not come with the package: of those the package's version says all.
    """
    reader = _Reader()
    unit = entry.given_unit and entry.given_unit.name
    about = (entry.better, entry.modifiers, entry.since, entry.teams, entry.needs, unit)
    reader.value((*about, entry.refinement is not None), entry.code)
    if isinstance(entry.function, FunctionType):
        reader.function(entry.function)
    else:
        reader.value(entry.function, "the formula")
    return Basis(reader.digest.hexdigest(), tuple(dict.fromkeys(reader.doubts)))


class _Reader:
    """Follows values and writes them into one digest."""

    def __init__(self) -> None:
        self.digest = blake2b(digest_size=16)
        self.doubts: list[str] = []
        self._functions: list[FunctionType] = []
        self._modules: list[ModuleType] = []
        self._open: list[int] = []  # what is being read: it may hold itself

    def value(self, it: Any, called: str) -> None:
        """Write a value; `called` is what a doubt about it would call it."""
        if type(it) in _PLAIN:
            self._write(type(it).__name__, repr(it))
        elif isinstance(it, ModuleType):
            self._module(it, called)
        elif known := name_of(it):
            self._write("named", *known)
            self._doubt_opaque(known[1])
        elif isinstance(it, FunctionType):
            self.function(it)
        elif isinstance(it, np.ndarray | np.generic) and not it.dtype.hasobject:
            self._write(type(it).__name__, it.dtype.str, it.shape, it.tobytes())
        elif isinstance(it, pl.Series | pl.DataFrame) and "Object" not in str(it.head(0)):
            self._frame(it)
        elif id(it) in self._open:
            self._write("again", self._open.index(id(it)))
        else:
            self._open.append(id(it))
            self._composed(it, called)
            self._open.pop()

    def function(self, it: FunctionType) -> None:
        """Write what a function does: its code, and all that the code reaches."""
        if it in self._functions:
            self._write("function", self._functions.index(it))
            return
        self._functions.append(it)
        self._write("function")
        self._code(it.__code__)
        held = (it.__defaults__, it.__kwdefaults__, vars(it))
        self.value(held, f"a default of {it.__name__}")
        for name, cell in zip(it.__code__.co_freevars, it.__closure__ or (), strict=True):
            self._write("closure", name)
            try:
                self.value(cell.cell_contents, name)
            except ValueError:
                self._write("empty")
        names, modules = _reached(it.__code__)
        for name in names:
            self._write("global", name)
            if name in it.__globals__:
                self.value(it.__globals__[name], name)
            elif hasattr(builtins, name):
                self._write("built in", PYTHON)
                self._doubt_opaque(name)
        for name in modules:
            try:
                self._module(import_module(name), name)
            except Exception:  # what an import may raise has no limits
                self.doubts.append(f"the module {name}, which cannot be imported from here")

    def _write(self, *texts: object) -> None:
        """Write texts so that no two lists of them look the same."""
        for text in texts:
            data = text if isinstance(text, bytes) else str(text).encode("utf-8", "surrogatepass")
            self.digest.update(b"%d:" % len(data))
            self.digest.update(data)

    def _doubt_opaque(self, name: str) -> None:
        if name in _OPAQUE:
            self.doubts.append(f"{name}(), which may bring in anything")

    def _code(self, code: CodeType) -> None:
        self._write(
            "code", code.co_code, code.co_exceptiontable, code.co_flags, code.co_argcount,
            code.co_posonlyargcount, code.co_kwonlyargcount, *code.co_names, *code.co_freevars,
        )  # fmt: skip
        self._write("constants", len(code.co_consts))
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self._code(constant)
            else:
                self.value(constant, "a constant")

    def _module(self, module: ModuleType, called: str) -> None:
        """Write an installed module by its version, one's own by all that is in it."""
        known = version_of(module.__name__)
        self._write("module", module.__name__, known)
        if known is None and module not in self._modules:
            self._modules.append(module)
            for name, value in sorted(vars(module).items()):
                if not (name.startswith("__") and name.endswith("__")):
                    self._write(name)
                    self.value(value, f"{called}.{name}")

    def _frame(self, it: pl.DataFrame | pl.Series) -> None:
        frame = it.to_frame() if isinstance(it, pl.Series) else it
        buffer = BytesIO()
        frame.rechunk().write_ipc(buffer, compression="uncompressed")
        self._write(type(it).__name__, buffer.getvalue())

    def _composed(self, it: Any, called: str) -> None:
        """Write what consists of other values."""
        kind = type(it)
        self._write(kind.__module__, kind.__qualname__)
        if kind in (tuple, list):
            self._items(it, called)
        elif kind in (dict, MappingProxyType):
            self._items((each for pair in it.items() for each in pair), called)
        elif kind in (set, frozenset):
            self._unordered(it, called)
        elif kind is re.Pattern:
            self._items((it.pattern, it.flags), called)
        elif kind is MethodType:
            self._items((it.__func__, it.__self__), called)
        elif kind is partial:
            self._items((it.func, it.args, it.keywords), called)
        elif hasattr(it, "cache_parameters"):  # of functools.cache: what it gives changes nothing
            self.value(it.__wrapped__, called)
        else:
            self._object(it, called)

    def _object(self, it: Any, called: str) -> None:
        """Write an object of an installed class that says what it consists of; doubt any other."""
        kind = type(it)
        known = name_of(kind)
        if known and isinstance(it, Enum):
            self._write(*known, it.name)
        elif known and is_dataclass(it):
            self._write(*known)
            self._items((getattr(it, each.name) for each in fields(it)), called)
        elif kind.__module__ != "__future__":
            what = "a class of one's own" if isinstance(it, type) else f"of {kind.__qualname__}"
            self.doubts.append(f"{called} ({what})")

    def _items(self, items: Iterable[Any], called: str) -> None:
        every = list(items)
        self._write(len(every))
        for item in every:
            self.value(item, called)

    def _unordered(self, items: Iterable[Any], called: str) -> None:
        digests = []
        for item in items:
            reader = _Reader()
            reader.value(item, called)
            digests.append(reader.digest.digest())
            self.doubts += reader.doubts
        self._write(*sorted(digests))


def _reached(code: CodeType) -> tuple[list[str], list[str]]:
    """Return the global names and the modules that code, or code in it, asks for."""
    names: set[str] = set()
    modules: set[str] = set()
    for each in _with_inner(code):
        for instruction in dis.get_instructions(each):
            if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                names.add(instruction.argval)
            elif instruction.opname == "IMPORT_NAME":
                modules.add(instruction.argval)
    return sorted(names), sorted(modules)


def _with_inner(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _with_inner(constant)
