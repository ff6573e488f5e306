"""The names of programs and of an environment's folders, and where a library finds those it needs."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fim_lsp.system.kind import is_windows


def scripts_of(environment: Path) -> Path:
    """The folder of a virtual environment's programs."""
    return environment / ("Scripts" if is_windows() else "bin")


def executable(name: str) -> str:
    return f"{name}.exe" if is_windows() else name


def program_of_package(name: str) -> str | None:
    """A program that a package of this Python has brought: beside it, or where Windows has them."""
    folders = (Path(sys.executable).parent, Path(sysconfig.get_path("scripts")))
    return next((str(path) for folder in folders if (path := folder / executable(name)).is_file()), None)


@contextmanager
def libraries_in(folder: Path) -> Iterator[None]:
    """Lets what is loaded in here find other libraries in a folder; elsewhere they look beside themselves."""
    if not is_windows():
        yield
        return
    add: Any = getattr(os, "add_dll_directory")  # noqa: B009
    with add(str(folder)):
        yield
