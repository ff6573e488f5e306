"""`python -m tests.names.java_names`: the names that Java predefines, from the installed JDK.

They are the types of each exported package, and of the types that programs extend most, their supertypes and
members. `--write` puts them into `fim_lsp/declared/java_names.json`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import fim_lsp.declared
from fim_lsp.other_programs import environment_without_keys
from fim_lsp.replay.judges import QUICK_START, java
from tests.names.data import keep_or_tell

DATA = Path(fim_lsp.declared.__file__).with_name("java_names.json")
PROGRAM = Path(__file__).with_name("JavaNames.java")
WITH_MEMBERS = (
    "java.io",
    "java.lang",
    "java.lang.annotation",
    "java.lang.constant",
    "java.lang.invoke",
    "java.lang.reflect",
    "java.math",
    "java.net",
    "java.nio",
    "java.nio.channels",
    "java.nio.channels.spi",
    "java.nio.charset",
    "java.nio.file",
    "java.nio.file.attribute",
    "java.security",
    "java.sql",
    "java.text",
    "java.time",
    "java.time.chrono",
    "java.time.temporal",
    "java.util",
    "java.util.concurrent",
    "java.util.concurrent.atomic",
    "java.util.concurrent.locks",
    "java.util.function",
    "java.util.random",
    "java.util.regex",
    "java.util.stream",
)


def java_names() -> dict[str, dict[str, str]]:
    """The types of each package, and the supertypes and members of a type, separated by `|`. Raises `NoJudge`
    without a JDK."""
    command = [java(), QUICK_START, "--add-modules", "ALL-SYSTEM", str(PROGRAM), *WITH_MEMBERS]
    done = subprocess.run(command, env=environment_without_keys(), capture_output=True, text=True, check=True)
    found: dict[str, dict[str, str]] = {}
    for line in done.stdout.splitlines():
        named, has_members, said = line.partition(" |")
        package, _, name = named.partition(" ")
        found.setdefault(package, {})[name] = said.strip() if has_members else ""
    return found


def main(arguments: list[str]) -> int:
    """Writes or prints the names."""
    names = java_names()
    return keep_or_tell(
        arguments, names, DATA, f"{len(names)} packages, {sum(map(len, names.values())):,} types"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
