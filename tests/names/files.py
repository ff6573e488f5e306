"""Real files of a version of Python: its standard library and what is installed beside it.

Where the machine has no interpreter of the version, the files are those of the newest one. What the judge of
that version does not compile is left out.
"""

import sysconfig
from functools import cache
from pathlib import Path
from random import Random

from tests.laws.sources import decoded
from tests.names.compilers import compiler, library
from tests.reference.oracles import commands


@cache
def paths(version: str) -> tuple[Path, ...]:
    """Every file, in a fixed order."""
    roots = {library(version) or library(max(commands(), key=numbers))}
    roots.add(Path(sysconfig.get_path("purelib")))
    return tuple(sorted(path for root in roots if root is not None for path in root.rglob("*.py")))


def numbers(version: str) -> tuple[int, ...]:
    """A version that can be compared."""
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
