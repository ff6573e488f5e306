"""`python -m tests.names`: how many true middles are refused, and whether planted wrong names are caught.

    python -m tests.names --count 5000 --seed 1
    python -m tests.names --count 5000 --version 3.8 --root /usr/lib/python3.8

Each middle is read character by character, so that each prefix of it is asked for, too. What is refused is
printed with its reason.
"""

import argparse
import sys
import sysconfig
import time
from collections import Counter
from pathlib import Path
from random import Random

from quotient import Language, NoCompletion
from tests.laws.sources import decoded
from tests.names.middles import Middle, has_star_import, middles, planted

PER_FILE = 6
SHOWN = 40


def main() -> int:
    options = parsed()
    language = Language.load("python", version=options.version)
    random = Random(options.seed)
    paths = [path for root in options.root for path in sorted(Path(root).rglob("*.py"))]
    tally: Counter[str] = Counter()
    seconds = [0.0, 0.0]
    shown = 0
    while tally["middles"] < options.count:
        path = random.choice(paths)
        text = decoded(path.read_bytes()) if path.stat().st_size < options.largest else None
        if text is None or is_bad(text):
            continue
        for middle in middles(random, text, PER_FILE):
            try:
                plain = language.recognizer(middle.left, middle.right)
            except NoCompletion:
                tally["not read"] += 1
                continue
            if not plain.advance(middle.text) or not plain.is_member():
                tally["not read"] += 1
                continue
            tally["middles"] += 1
            tally[f"middles: {middle.kind}"] += 1
            start = time.perf_counter()
            reason = refusal(language, middle)
            seconds[0] += time.perf_counter() - start
            if reason is not None:
                tally["refused"] += 1
                tally[f"refused: {middle.kind}"] += 1
                if shown < SHOWN:
                    shown += 1
                    number = middle.left.count("\n") + 1
                    print(f"REFUSED {path}:{number} {middle.kind}: {reason}\n    {middle.text[:120]!r}")
            wrong = None if has_star_import(text) else planted(random, middle)
            if wrong is not None and reason is None:
                tally["planted"] += 1
                if refusal(language, wrong) is None:
                    tally["planted, not caught"] += 1
                    number = middle.left.count("\n") + 1
                    print(f"NOT CAUGHT {path}:{number} {middle.kind}\n    {wrong.text[:160]!r}")
        if sys.stderr.isatty():
            print(f"\r{tally['middles']:,}", end="", file=sys.stderr)
    for name, count in sorted(tally.items()):
        print(f"{count:>10,}  {name}")
    print(f"{tally['refused'] / max(1, tally['middles']):.3%} of true middles are refused")
    return 0


def is_bad(text: str) -> bool:
    """Whether the running interpreter does not compile a text."""
    try:
        compile(text, "text", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    return False


def refusal(language: Language, middle: Middle) -> str | None:
    """Why a middle is refused, at the first character that is; None for one that is let through."""
    recognizer = language.recognizer(middle.left, middle.right, names=())
    for index, character in enumerate(middle.text):
        if not recognizer.advance(character):
            found = recognizer.refusal(character)
            words = "the grammar" if found is None else found[2]
            return f"{words}, behind {middle.text[max(0, index - 30) : index]!r}"
    return None if recognizer.is_member() else "the text may not end there"


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.names", description="names on real files")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--version", default=".".join(map(str, sys.version_info[:2])))
    parser.add_argument("--largest", type=int, default=40_000, metavar="BYTES")
    roots = [sysconfig.get_path("stdlib"), sysconfig.get_path("purelib")]
    parser.add_argument("--root", action="append", metavar="FOLDER")
    found = parser.parse_args()
    found.root = found.root or roots
    return found


if __name__ == "__main__":
    sys.exit(main())
