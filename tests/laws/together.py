"""A law: with several holes of a file filled together, the language's own parser takes the file.

python -m tests.laws.together 100000        so many pairs and triples, in four languages
"""

from __future__ import annotations

import ast
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from fim_lsp.decoding.together import shortest_together
from fim_lsp.replay import judges
from quotient import Language, NoCompletion
from tests.laws.javascript import BEYOND_GRAMMARS

ROOT = Path(__file__).parents[2]
FILES = {
    "python": [*sorted((ROOT / "fim_lsp").glob("*.py")), *sorted((ROOT / "fim_lsp/edits").glob("*.py"))],
    "javascript": [ROOT / "fim_lsp/replay/judges/answers.js", ROOT / "fim_lsp/replay/judges/judge.js"],
    "go": [ROOT / "fim_lsp/replay/judges/judge.go"],
    "json": [ROOT / "vscode-client/package.json", ROOT / "vscode-client/tsconfig.json"],
}
# The Python that judges.
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
# What is cut out of a file at each place, at most; how large the files are; how long is looked for texts.
LONGEST_CUT, LARGEST_FILE, SECONDS = 12, 12_000, 2.0


def cut(language: str, random: Random) -> tuple[str, list[int]]:
    """A file with two or three pieces cut out near each other, and where they were."""
    texts = [path.read_text(encoding="utf-8") for path in FILES[language]]
    text = random.choice([one for one in texts if 40 < len(one) < LARGEST_FILE])
    middle = random.randrange(len(text))
    near = range(max(middle - 300, 0), min(middle + 300, len(text)))
    places: list[int] = []
    at = 0
    for start in sorted(random.sample(near, min(random.choice((2, 3)), len(near)))):
        start = max(start, at)
        stop = min(start + random.randrange(LONGEST_CUT + 1), len(text))
        text = text[:start] + text[stop:]
        places.append(start)
        at = start
    return text, places


def filled(text: str, places: list[int], texts: list[str]) -> str:
    for place, written in reversed([*zip(places, texts, strict=True)]):
        text = text[:place] + written + text[place:]
    return text


def outcomes(language: str, n: int, seed: int = 0) -> Iterator[tuple[str, str]]:
    """Of so many cuts: "parses", "wrong" or "not found", and the file as it was filled."""
    random = Random(f"{language} {seed}")
    engine = Language.load(language, version=VERSION if language == "python" else None)
    for _ in range(n):
        text, places = cut(language, random)
        try:
            whole = filled(text, places, shortest_together(engine, text, places, seconds=SECONDS))
        except NoCompletion:
            yield "not found", text
            continue
        yield ("parses" if is_taken(language, whole) else "wrong"), whole


def is_taken(language: str, text: str) -> bool:
    """Whether the language's own parser takes a file."""
    try:
        match language:
            case "python":
                ast.parse(text)
            case "json":
                json.loads(text)
            case _:
                found = judges.process(language).fault(text)
                # What no grammar can decide, `super()` outside of a class for one, is left open.
                return found is None or found[1].startswith(BEYOND_GRAMMARS)
    except (ValueError, SyntaxError):
        return False
    return True


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for language in FILES:
        counts = Counter(outcome for outcome, _ in outcomes(language, n // len(FILES)))
        print(language, dict(counts), flush=True)


if __name__ == "__main__":
    main()
