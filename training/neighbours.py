"""Pieces of other files of a document's package, which stand in front of a document as a project's files do.

Files that the document imports come before files that are only in its folder, as in an editor.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import PurePosixPath

from training.collect import TrainingDocument

IMPORTS = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+([^\n]*)|import[ \t]+([^\n]*))", re.MULTILINE
)
WORD = re.compile(r"\w+")
# The places where a piece of a file may begin: in front of text at the margin.
DEFINITION = re.compile(
    r"^(?:@|class |def |async def |func |type |export |public |function |interface )", re.MULTILINE
)
MOST_FILES = 3
PYTHON_FILES = (".py", ".pyi", ".pyw")


class Neighbours:
    def __init__(self, documents: Sequence[TrainingDocument]) -> None:
        self._documents = documents
        self._of_folder: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._of_name: dict[tuple[str, str], list[int]] = defaultdict(list)
        for index, document in enumerate(documents):
            path = PurePosixPath(document.path)
            self._of_folder[document.package, str(path.parent)].append(index)
            self._of_name[document.package, module_name(path)].append(index)

    def pieces(self, index: int, rng: random.Random, n_characters: int) -> list[str]:
        """Pieces of one to three files, each under its path; none for a document without other files."""
        document = self._documents[index]
        imported = self._imported(document)
        beside = self._of_folder[document.package, str(PurePosixPath(document.path).parent)]
        rng.shuffle(imported)
        order = [*imported, *rng.sample(beside, min(len(beside), MOST_FILES + 1))]
        chosen = [other for other in dict.fromkeys(order) if other != index][: rng.randint(1, MOST_FILES)]
        # The most relevant piece is next to the document.
        return [piece(self._documents[other], rng, n_characters // len(chosen)) for other in reversed(chosen)]

    def _imported(self, document: TrainingDocument) -> list[int]:
        names = {
            name for found in IMPORTS.findall(document.text) for part in found for name in WORD.findall(part)
        }
        return [index for name in sorted(names) for index in self._of_name.get((document.package, name), ())]


def module_name(path: PurePosixPath) -> str:
    return path.parent.name if path.stem == "__init__" else path.stem


def piece(document: TrainingDocument, rng: random.Random, n_characters: int) -> str:
    """Whole lines of a file from its beginning, or from one of its definitions, under its path."""
    starts = [0, *(match.start() for match in DEFINITION.finditer(document.text))]
    text = document.text[rng.choice(starts) :]
    text = text[:n_characters]
    return f"{path_line(document.path)}{text[: text.rfind(chr(10)) + 1]}"


def path_line(path: str) -> str:
    """A path as a comment of its language."""
    return f"{'#' if path.endswith(PYTHON_FILES) else '//'} {path}\n"
