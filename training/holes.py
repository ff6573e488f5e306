"""The holes by which the model is judged: of the standard library, of the packages in `held-out.txt`, and of
HumanEval. The model has seen none of them.

The choice depends on the files alone, so the same Python gives the same holes.
"""

from __future__ import annotations

import gzip
import io
import json
import random
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path

from fim_lsp.replay.judge import ParserJudge
from training.collect import UNWANTED_PARTS, held_out_files, held_out_packages, readable
from training.duplicates import stable_hash


@dataclass(frozen=True, slots=True)
class MeasuredHole:
    left: str
    middle: str
    right: str


def held_out_texts(n_texts: int) -> list[str]:
    """Files of medium size of the standard library, in an order that mixes its packages."""
    return middling(sorted(held_out_files(), key=lambda path: stable_hash(path.name)), n_texts)


def held_out_package_texts(folder: Path, n_texts: int) -> dict[str, list[str]]:
    """The texts of each held-out package in the folder, without tests."""
    found: dict[str, list[str]] = {}
    names = set(held_out_packages())
    for distribution in distributions(path=[str(folder)]):
        if (name := distribution.metadata["Name"].lower()) in names:
            listed = [str(path) for path in distribution.files or () if path.suffix == ".py"]
            wanted = sorted((path for path in listed if not UNWANTED_PARTS.search(path)), key=stable_hash)
            paths = (Path(str(distribution.locate_file(path))) for path in wanted)
            found[f"{name} {distribution.version}"] = middling(paths, n_texts)
    return dict(sorted(found.items()))


def middling(paths: Iterable[Path], n_texts: int) -> list[str]:
    """The first texts of medium size that parse."""
    found: list[str] = []
    for path in paths:
        if len(found) == n_texts:
            break
        text = readable(path)
        if text is not None and 2_000 <= len(text) <= 60_000 and ParserJudge().accepts(text):
            found.append(text)
    return found


def library_holes(n_holes: int) -> list[MeasuredHole]:
    return line_holes(held_out_texts(200), n_holes)


def line_holes(texts: Sequence[str], n_holes: int, seed: int = 0) -> list[MeasuredHole]:
    """Single lines of code to write, with the cursor behind the indentation."""
    rng = random.Random(seed)
    holes: list[MeasuredHole] = []
    for index in range(n_holes):
        text = texts[index % len(texts)]
        start, stop = rng.choice(code_lines(text))
        holes.append(MeasuredHole(text[:start], text[start:stop], text[stop:]))
    return holes


def code_lines(text: str) -> list[tuple[int, int]]:
    """The spans of lines with code: no blank lines, comments, or lines inside strings."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    found: dict[int, tuple[int, int]] = {}
    prose: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.STRING and token.end[0] > token.start[0]:
            prose.update(range(token.start[0], token.end[0] + 1))
        elif token.type in (tokenize.NAME, tokenize.OP, tokenize.NUMBER):
            row = token.start[0]
            line = text[starts[row - 1] : starts[row] - 1]
            indentation = len(line) - len(line.lstrip())
            found.setdefault(row, (starts[row - 1] + indentation, starts[row - 1] + len(line.rstrip())))
    spans = [span for row, span in sorted(found.items()) if row not in prose and span[1] - span[0] >= 4]
    return spans or [(0, text.index("\n"))]


def human_eval_holes(path: Path) -> Iterator[MeasuredHole]:
    """The single lines of HumanEval's solutions (Bavarian et al. 2022), without their line breaks."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            task = json.loads(line)
            solution = task["canonical_solution"]
            middle = solution.rstrip("\n")
            yield MeasuredHole(task["prompt"], middle, solution[len(middle) :] + task["suffix"])
