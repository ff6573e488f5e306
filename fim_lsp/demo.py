"""`make demo`: holes in real-looking files, what the bundled model writes there, and what the engine knows.

    python -m fim_lsp.demo FOLDER

In the files of the folder `$0` marks the hole. The first part (`demo_completions.py`) shows completions
by the model, for the places that completions/completions.json lists. The second part is the engine alone:
holes.json has texts to try and the verdicts that a reader should expect; a test compares them with the
engine's and CPython's.
"""

from __future__ import annotations

import json
import sys
import textwrap
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from fim_lsp.demo_completions import CURSOR, demonstration_lines
from fim_lsp.terminal import Palette, duration
from quotient import Language, Recognizer

# fits: the file parses with it. begins: it does when more follows. never: whatever follows, it does not.
Judgement = Literal["fits", "begins", "never"]


@dataclass(frozen=True, slots=True)
class Try:
    text: str
    verdict: Judgement


@dataclass(frozen=True, slots=True)
class DemoHole:
    title: str
    file: str
    left: str
    right: str
    tries: tuple[Try, ...]


def holes(folder: Path) -> Iterator[DemoHole]:
    for described in json.loads((folder / "holes.json").read_text(encoding="utf-8")):
        left, right = (folder / described["file"]).read_text(encoding="utf-8").split(CURSOR)
        tries = tuple(Try(tried["text"], tried["verdict"]) for tried in described["tries"])
        yield DemoHole(described["title"], described["file"], left, right, tries)


def judged_text(recognizer: Recognizer, text: str) -> tuple[Judgement, str]:
    """The engine's verdict on a text, and a text with which it would go on."""
    fork = recognizer.fork()
    if not fork.advance(text):
        return "never", ""
    return ("fits", "") if fork.is_member() else ("begins", fork.witness())


def main() -> int:
    palette = Palette.of(sys.stdout)
    folder = Path(sys.argv[1])
    start = time.perf_counter()
    language = Language.load("python", version="3.11")
    print(palette.dim(f"the grammar of Python 3.11 was loaded in {duration(time.perf_counter() - start)}"))
    for line in demonstration_lines(folder / "completions", palette):
        print(line, flush=True)
    print()
    print(palette.dim("From here on no model is asked: this is what the grammar alone knows."))
    for hole in holes(folder):
        print()
        print("\n".join(shown_hole(hole, language, palette)))
    print()
    print(palette.dim("`fim-lsp --help` has the rest."))
    return 0


def shown_hole(hole: DemoHole, language: Language, palette: Palette) -> Iterator[str]:
    start = time.perf_counter()
    recognizer = language.recognizer(hole.left, hole.right)
    seconds = time.perf_counter() - start
    yield palette.heading(f"{hole.file}: {hole.title}")
    marker = palette.hole(" ? ") if palette.has_colours else "[?]"
    for line in f"{hole.left}{marker}{hole.right}".rstrip("\n").split("\n"):
        yield f"  {palette.dim('|')} {line}"
    yield textwrap.fill(recognizer.explain(), 100, initial_indent="  ", subsequent_indent="  ")
    for tried in hole.tries:
        yield f"  {judgement_line(recognizer, tried.text, palette)}"
    start = time.perf_counter()
    witness = recognizer.witness()
    seconds_of_witness = time.perf_counter() - start
    shortest = palette.bold(repr(witness)) if witness else "nothing: the file parses as it stands"
    yield f"  shortest  {shortest}"
    yield palette.dim(
        f"  the hole took {duration(seconds)}, the shortest text {duration(seconds_of_witness)}"
    )


def judgement_line(recognizer: Recognizer, text: str, palette: Palette) -> str:
    start = time.perf_counter()
    judgement, rest = judged_text(recognizer, text)
    seconds = palette.dim(f"  ({duration(time.perf_counter() - start)})")
    match judgement:
        case "fits":
            return f"{palette.good('fits')}      {text!r}{seconds}"
        case "begins":
            return f"begins    {text!r}, then for example {rest!r}{seconds}"
        case "never":
            return f"{palette.bad('never')}     {text!r}{seconds}"


if __name__ == "__main__":
    raise SystemExit(main())
