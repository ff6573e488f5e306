"""Real files of a version of Python: its standard library, and packages at pinned versions.

Other installed packages do not count, so a sample depends on the interpreters alone. The packages are those
that `fim-lsp replay typing` is measured on and those that its judge is tuned on. If the machine has no
interpreter of the version, the library of the newest one is used. Files that the version's judge refuses are
left out.
"""

from functools import cache
from pathlib import Path
from random import Random

from fim_lsp.replay.corpus import INSTALLED
from fim_lsp.replay.typing.projects import LISTS, fetch_packages, requirements
from tests.laws.sources import decoded
from tests.names.compilers import compiler, library
from tests.reference.oracles import commands


def packages() -> list[Path]:
    """The folders of all pinned packages, fetched if they are missing."""
    return [folder for name in LISTS.values() for folder in fetch_packages(requirements(name))]


@cache
def paths(version: str) -> tuple[Path, ...]:
    """Every file, in an order that does not depend on the location of the folders."""
    root = library(version) or library(max(commands(), key=numbers))
    assert root is not None
    own = sorted(path.relative_to(root) for path in root.rglob("*.py"))
    found = [root / path for path in own if not INSTALLED.intersection(path.parts)]
    return (*found, *(path for folder in packages() for path in sorted(folder.rglob("*.py"))))


def numbers(version: str) -> tuple[int, ...]:
    """A version in comparable form."""
    return tuple(map(int, version.split(".")))


def draw(random: Random, version: str, largest: int) -> tuple[Path, str]:
    """A file that the version compiles, and its text."""
    judge = compiler(version) or compiler(max(commands(), key=numbers))
    assert judge is not None
    while True:
        path = random.choice(paths(version))
        if not 0 < path.stat().st_size < largest:
            continue
        text = decoded(path.read_bytes())
        if text is not None and judge.refusals([text]) == [""]:
            return path, text
