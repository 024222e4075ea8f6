"""What is installed, and so stays as it is while its version does."""

from __future__ import annotations

import platform
import site
import sys
import sysconfig
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from typing import Any, Final

import numpy as np

from tbframe import __version__

__all__ = ["PYTHON", "name_of", "version_of"]

PYTHON: Final = platform.python_version()


def version_of(module: str) -> str | None:
    """Return the version of what a module belongs to; ``None`` if its files may change without."""
    top = module.partition(".")[0]
    if top == "tbframe":
        return __version__
    file = getattr(sys.modules.get(top), "__file__", None)
    if top in sys.stdlib_module_names and (file is None or _is_below(file, _standard())):
        return PYTHON
    if file is None or not _is_below(file, _packages()):
        return None  # such as what is installed to be edited
    try:
        return " ".join(version(name) for name in _distributions()[top])
    except (KeyError, PackageNotFoundError):
        return None


def name_of(it: Any) -> tuple[str, str, str] | None:
    """Return module, name and version of what an installed module has under this name.

    Returns
    -------
    tuple or None
        ``None`` for all that is not found there, as for a function that another one made.
    """
    owner = getattr(it, "__self__", None)
    module = getattr(it, "__module__", None) or getattr(owner, "__name__", "builtins")
    if isinstance(it, np.ufunc):
        module = "numpy"
    name = getattr(it, "__qualname__", None) or getattr(it, "__name__", None)
    if not isinstance(module, str) or not isinstance(name, str):
        return None
    known = version_of(module)
    if known is None:
        return None
    found: Any = sys.modules.get(module)
    for each in name.split("."):
        found = getattr(found, each, None)
    return (module, name, known) if found is it else None


def _is_below(file: str, folders: Iterable[str]) -> bool:
    path = Path(file).resolve()
    return any(path.is_relative_to(Path(folder).resolve()) for folder in folders)


def _standard() -> list[str]:
    return [sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")]


def _packages() -> list[str]:
    return [
        sysconfig.get_path("purelib"), sysconfig.get_path("platlib"),
        *site.getsitepackages(), site.getusersitepackages(),
    ]  # fmt: skip


@cache
def _distributions() -> Mapping[str, list[str]]:
    return packages_distributions()
