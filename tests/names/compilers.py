"""CPython's compilers as judges: why a version refuses a text that its parser accepts.

They are the interpreters that `tests.reference.oracles` finds: this one, and those in FIM_PYTHONS.
"""

import json
import subprocess
from functools import cache
from pathlib import Path

from tests.reference.oracles import commands

SCRIPT = Path(__file__).with_name("compile_process.py")
# The prefix of the parser's own refusals, which concern the grammar.
PARSER = "parser: "


class Compiler:
    """A process of one CPython."""

    def __init__(self, command: str) -> None:
        self.process = subprocess.Popen(
            [command, "-u", str(SCRIPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )

    def refusals(self, texts: list[str]) -> list[str | None]:
        """The reason to refuse each text; empty if it compiles, None if the compiler gave up."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(texts) + "\n")
        self.process.stdin.flush()
        found: list[str | None] = json.loads(self.process.stdout.readline())
        return found


@cache
def compiler(version: str) -> Compiler | None:
    """The judge for a version, or None if this machine has none."""
    command = commands().get(version)
    return Compiler(command) if command else None


@cache
def library(version: str) -> Path | None:
    """The folders of a version's standard library and of its installed packages."""
    command = commands().get(version)
    if command is None:
        return None
    words = [command, "-c", "import sysconfig; print(sysconfig.get_path('stdlib'))"]
    return Path(subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip())
