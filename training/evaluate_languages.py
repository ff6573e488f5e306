"""The evaluation of the second bundled model on packages that it has not seen: in each language, bits per
byte, and the share of single lines that it fills exactly within the grammar."""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path

from fim_lsp.decoding.models.model import load_model
from fim_lsp.decoding.options import Options
from fim_lsp.document.syntax import COMMENTS, parser
from fim_lsp.known_languages import KnownLanguage, language_named, of_file
from quotient import Language
from training.collect_languages import HELD_OUT, files_of, is_worth_reading, listed
from training.evaluate import MAX_TOKENS, Figures, completion, first_line, left_to_right
from training.holes import MeasuredHole
from training.progress import Progress

# The number of files per language.
N_TEXTS = 60


def evaluate_languages(folder: Path, n_holes: int, kept: Path) -> Figures:
    """The figures of each language, under its name."""
    model, progress = load_model(str(folder)), Progress("evaluate")
    figures: Figures = {}
    for known_language, texts in held_out_texts(kept).items():
        grammar = Language.load(known_language.name)
        options = Options(max_tokens=MAX_TOKENS, multi_line=False)
        n_exact = 0
        holes = line_holes(texts, known_language, n_holes)
        for done, hole in enumerate(holes):
            found = completion(model, grammar, hole, options)
            n_exact += found is not None and first_line(found.text).strip() == hole.middle.strip()
            progress.show(done / len(holes), f"{known_language.title}: {n_exact} of {done + 1} exact")
        figures[known_language.name] = {
            "files": len(texts),
            "bits per byte": left_to_right(model, texts, progress),
            "holes": len(holes),
            "exact match": round(n_exact / len(holes), 4),
        }
    return figures


def held_out_texts(kept: Path) -> dict[KnownLanguage, list[str]]:
    """Files of medium size of the held-out packages, taken from each package in turn."""
    found: dict[KnownLanguage, list[list[str]]] = defaultdict(list)
    for one in listed(HELD_OUT):
        texts = [
            text
            for path, text in files_of(one, kept)
            if of_file(path) is one.language
            and 2_000 <= len(text) <= 60_000
            and is_worth_reading(text, one.language)
        ]
        found[one.language].append(texts)
    return {
        language: [texts[turn] for turn in range(N_TEXTS) for texts in packages if turn < len(texts)][
            :N_TEXTS
        ]
        for language, packages in found.items()
    }


def line_holes(texts: list[str], known_language: KnownLanguage, n_holes: int) -> list[MeasuredHole]:
    """Single lines of code to write, with the cursor behind the indentation."""
    rng = random.Random(0)
    holes = []
    for index in range(n_holes):
        text = texts[index % len(texts)]
        lines = code_lines(text, known_language)
        if lines:
            start, stop = rng.choice(lines)
            holes.append(MeasuredHole(text[:start], text[start:stop], text[stop:]))
    return holes


def code_lines(text: str, known_language: KnownLanguage) -> list[tuple[int, int]]:
    """The spans of lines with at least four characters of code."""
    tree = parser(known_language).parse(text.encode())
    found, start = [], 0
    for line in text.split("\n"):
        code = line.strip()
        first = start + len(line) - len(line.lstrip())
        n_bytes = len(text[:first].encode())
        node = tree.root_node.descendant_for_byte_range(n_bytes, n_bytes + 1)
        if len(code) >= 4 and node is not None and node.type not in COMMENTS:
            found.append((first, start + len(line.rstrip())))
        start += len(line) + 1
    return found


def languages_table(figures: Figures) -> str:
    """The table of the model card."""
    head = ["| Language | Files | Bits per byte | Single lines exact, grammar on |", "|---|---|---|---|"]
    rows = (
        f"| {language_named(name).title} | {row['files']} | {row['bits per byte']:.3f}"
        f" | {row['exact match']:.1%} of {row['holes']} |"
        for name, row in figures.items()
    )
    return "\n".join([*head, *rows])
