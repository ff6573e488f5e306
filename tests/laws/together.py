"""A law: if several holes of a file are filled together, the language's own parser accepts the file.

python -m tests.laws.together 100000                100,000 pairs and triples, in four languages
python -m tests.laws.together 100000 --out FILE     the same; cuts in FILE are skipped
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import fim_lsp
from fim_lsp.decoding.shortest_together import shortest_together
from quotient import Language, NoCompletion
from tests.laws.domains import DOMAINS
from tests.laws.oracle import Verdict

ROOT = Path(__file__).parents[2]
OURS = Path(fim_lsp.__file__).parent
FILES = {
    "python": [*sorted(OURS.glob("*.py")), *sorted((OURS / "edits").glob("*.py"))],
    "javascript": [OURS / "replay/judges/answers.js", OURS / "replay/judges/judge.js"],
    "go": [OURS / "replay/judges/judge.go"],
    "json": [ROOT / "vscode-client/package.json", ROOT / "vscode-client/tsconfig.json"],
}
# The version of Python that judges.
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
# The longest cut at a place, the largest file, and the seconds to search for texts.
LONGEST_CUT, LARGEST_FILE, SECONDS = 12, 12_000, 2.0
OUTCOMES = {Verdict.VALID: "parses", Verdict.INVALID: "wrong", Verdict.BEYOND_LIMITS: "left open"}
# The number of cuts in one part of a run.
PART = 100


def cut(language: str, random: Random) -> tuple[str, list[int]]:
    """A file without two or three pieces near each other, and their places."""
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


def holes(marked: str) -> tuple[str, list[int]]:
    """A text and the places in it that `|` marks."""
    parts = marked.split("|")
    return "".join(parts), [sum(map(len, parts[: number + 1])) for number in range(len(parts) - 1)]


def filled(text: str, places: list[int], texts: list[str]) -> str:
    for place, written in reversed([*zip(places, texts, strict=True)]):
        text = text[:place] + written + text[place:]
    return text


def marked(text: str, places: list[int]) -> str:
    """A text with a mark at each of its holes."""
    return filled(text, places, ["\N{WHITE SQUARE}"] * len(places))


def outcomes(language: str, n: int, seed: int = 0) -> Iterator[tuple[str, str]]:
    """The outcome of each of `n` cuts, and the filled file: "parses", "wrong", "not found", or "left open" if
    no grammar decides, as where the two parsers of Go differ."""
    random = Random(f"{language} {seed}")
    engine = Language.load(language, version=VERSION if language == "python" else None)
    for _ in range(n):
        text, places = cut(language, random)
        try:
            whole = filled(text, places, shortest_together(engine, text, places, seconds=SECONDS))
        except NoCompletion:
            yield "not found", marked(text, places)
            continue
        yield OUTCOMES[DOMAINS[language].judge(whole)], whole


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("n", nargs="?", type=int, default=1000)
    parser.add_argument("--out", type=Path, help="a file of rows, one for each part that is done")
    arguments = parser.parse_args()
    done = rows_in(arguments.out)
    for language in FILES:
        counts = Counter[str]()
        for part in range(-(-arguments.n // len(FILES) // PART)):
            row = done.get((language, part)) or judged_part(language, part)
            counts.update(row["counts"])
            if arguments.out is not None and (language, part) not in done:
                with arguments.out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row) + "\n")
        print(language, dict(counts), flush=True)


def rows_in(path: Path | None) -> dict[tuple[str, int], dict[str, Any]]:
    """The finished parts of an earlier run."""
    if path is None or not path.exists():
        return {}
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {(row["language"], row["part"]): row for row in rows}


def judged_part(language: str, part: int) -> dict[str, Any]:
    """A part of a run: its outcomes, counted, and the files with wrong or missing texts."""
    counts = Counter[str]()
    others = []
    for outcome, text in outcomes(language, PART, part):
        counts[outcome] += 1
        if outcome != "parses":
            others.append([outcome, text])
    return {"language": language, "part": part, "counts": dict(counts), "others": others}


if __name__ == "__main__":
    main()
