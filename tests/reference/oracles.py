"""Other versions of CPython as judges, where the machine has them.

The environment variable FIM_PYTHONS says where: `3.13=/path/to/python,3.14=/other/path`. A command
of another version than it is asked for judges with `feature_version`. One process per version
answers many texts per call, because starting an interpreter costs more than a thousand verdicts.
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
        """Which texts this version parses; None where it ran out of stack."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(texts) + "\n")
        self.process.stdin.flush()
        verdicts: list[bool | None] = json.loads(self.process.stdout.readline())
        return verdicts

    def disagreements(self, judged: Iterable[tuple[str, bool]]) -> Iterator[str]:
        """The texts for which this version does not give the verdict that comes with them."""
        waiting = iter(judged)
        while batch := list(islice(waiting, BATCH)):
            verdicts = self.verdicts([text for text, _ in batch])
            for (text, is_accepted), verdict in zip(batch, verdicts, strict=True):
                if verdict is not None and verdict != is_accepted:
                    yield text


def commands() -> dict[str, str]:
    """The interpreters that may be asked, by version; this one is always among them."""
    given = os.environ.get(VARIABLE, "")
    found = dict(entry.split("=", 1) for entry in given.split(",") if entry)
    found.setdefault(".".join(map(str, sys.version_info[:2])), sys.executable)
    return found


@cache
def oracle(version: str) -> Oracle | None:
    """The judge for a version, or None: this machine has none."""
    command = commands().get(version)
    return Oracle(version, command) if command else None
