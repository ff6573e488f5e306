"""Holes in the checkout's own files and in HumanEval's programs, from a seed, so they are the same on every
system."""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.masks import samples

ROOT = Path(__file__).parents[2]
# Of ten places, the number in Python, which the bundled model knows; the other languages take turns.
OF_PYTHON = 7


@dataclass(frozen=True, slots=True)
class Question:
    """A file from which a piece was cut out."""

    language: str
    name: str
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class File:
    language: str
    name: str
    text: str


def read(language: str, *patterns: str) -> list[File]:
    # Paths are sorted as text, because Windows ignores case in paths.
    names = sorted(path.relative_to(ROOT).as_posix() for pattern in patterns for path in ROOT.glob(pattern))
    return [File(language, name, (ROOT / name).read_text(encoding="utf-8")) for name in names]


@cache
def files() -> dict[str, list[File]]:
    """The files that are cut, by language."""
    rows = gzip.decompress((ROOT / "datasets/human-eval/HumanEval.jsonl.gz").read_bytes()).splitlines()
    tasks = [json.loads(row) for row in rows]
    programs = [File("python", one["task_id"], one["prompt"] + one["canonical_solution"]) for one in tasks]
    return {
        "python": [*programs, *read("python", "datasets/demo/*.py")],
        "typescript": read("typescript", "vscode-client/src/*.ts"),
        "toml": read("toml", "*.toml", "*/Cargo.toml"),
        "go": [File("go", f"sample {number}", text) for number, text in enumerate(samples.GO)],
        "java": [File("java", f"sample {number}", text) for number, text in enumerate(samples.JAVA)],
        "json": [File("json", f"sample {number}", text) for number, text in enumerate(samples.JSON)],
    }


def questions(count: int, seed: int = 44) -> list[Question]:
    """`count` holes: from a place in a line on, a part of the line is missing, or all of its rest."""
    chance = random.Random(seed)
    others = [language for language in files() if language != "python"]
    asked = []
    for number in range(count):
        is_python = number % 10 < OF_PYTHON
        language = "python" if is_python else others[(number + number // 10) % len(others)]
        file = chance.choice(files()[language])
        start = chance.randrange(len(file.text))
        end = file.text.find("\n", start)
        end = len(file.text) if end < 0 else end
        stop = start if start == end else chance.choice([end, chance.randrange(start, end)])
        asked.append(Question(language, file.name, file.text[:start], file.text[stop:]))
    return asked
