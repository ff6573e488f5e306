"""Other versions of CPython as judges, if the machine has them.

The environment variable FIM_PYTHONS lists them: `3.13=/path/to/python,3.14=/other/path`. A command whose
version differs from the listed one judges with `feature_version`. One process per version answers many texts
per call, because starting an interpreter costs more than a thousand verdicts.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path

VARIABLE = "FIM_PYTHONS"
SCRIPT = Path(__file__).with_name("oracle_process.py")
BATCH = 2_000


class Oracle:
    """A process of one CPython."""

    def __init__(self, version: str, command: str) -> None:
        self.version = version
        self.process = subprocess.Popen(
            [command, "-u", str(SCRIPT), version],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def verdicts(self, texts: list[str]) -> list[bool | None]:
        """Whether this version parses each text; None if it ran out of stack."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(texts) + "\n")
        self.process.stdin.flush()
        verdicts: list[bool | None] = json.loads(self.process.stdout.readline())
        return verdicts

    def disagreements(self, judged: Iterable[tuple[str, bool]]) -> Iterator[str]:
        """The texts on which this version differs from the given verdict."""
        waiting = iter(judged)
        while batch := list(islice(waiting, BATCH)):
            verdicts = self.verdicts([text for text, _ in batch])
            for (text, is_accepted), verdict in zip(batch, verdicts, strict=True):
                if verdict is not None and verdict != is_accepted:
                    yield text


def commands() -> dict[str, str]:
    """The available interpreters, by version; this one is always among them."""
    given = os.environ.get(VARIABLE, "")
    found = dict(entry.split("=", 1) for entry in given.split(",") if entry)
    found.setdefault(".".join(map(str, sys.version_info[:2])), sys.executable)
    return found


@cache
def oracle(version: str) -> Oracle | None:
    """The judge for a version, or None if this machine has none."""
    command = commands().get(version)
    return Oracle(version, command) if command else None
