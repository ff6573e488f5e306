"""`python -m tests.laws.whole_files --language javascript`: real files, whole, against the real parser.

Each file is read forward, backward, and cut in two at a place of its own: the engine is to take it, all
three times, exactly where the parser does. Where the parser says more than a grammar can know, nothing is
asked, and the text is counted by what is said. Which files are read, and in which order, follows from the
seed, so a run that was stopped goes on with `--begin`.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from random import Random

from fim_lsp.replay import judges
from quotient import Language, NoCompletion
from tests.laws.domains import DOMAINS, counts_taken
from tests.laws.oracle import Verdict

# After so many files a line says how far the run is.
STRIDE = 250
# Texts that differ, as many as a person reads.
SHOWN = 12


def readings(language: Language, text: str, cut: int) -> Iterator[tuple[str, bool]]:
    """Return whether the engine takes a text, by how it is read."""
    for name, at in (("forward", len(text)), ("backward", 0), (f"cut at {cut}", cut)):
        yield name, is_member(language, text[:at], text[at:])


def is_member(language: Language, left: str, right: str) -> bool:
    """Whether nothing is missing between two texts."""
    try:
        return language.recognizer(left, right).is_member()
    except NoCompletion:
        return False


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="hold a grammar to its real parser on whole files")
    parser.add_argument("--language", choices=sorted(DOMAINS), default="javascript")
    parser.add_argument("--count", type=int, default=5000, help="how many files to read (%(default)s)")
    parser.add_argument("--begin", type=int, default=0, help="how many of them were read before")
    parser.add_argument("--seed", default="1", help="names the run")
    parser.add_argument("--largest", type=int, default=200_000, help="largest file to read, in bytes")
    return parser.parse_args()


def main() -> int:
    """Print counts and the files that are read otherwise; the exit status says whether any are."""
    chosen = options()
    domain = DOMAINS[chosen.language]
    try:
        files = [(name, path) for name, path, size in domain.files() if 0 < size <= chosen.largest]
    except judges.NoJudge as why:
        print(f"whole_files: {why}", file=sys.stderr)
        return 2
    Random(chosen.seed).shuffle(files)
    language = domain.language
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for number, (name, path) in enumerate(files[: chosen.count]):
        if number < chosen.begin:
            continue
        text = domain.decoded(path.read_bytes())
        if text is None:
            counts["not decoded"] += 1
            continue
        verdict = domain.judge(text)
        if verdict is not Verdict.BEYOND_LIMITS:
            counts[verdict.name.lower()] += 1
            cut = Random(f"{chosen.seed} {name}").randrange(len(text) + 1)
            told = [
                how for how, taken in readings(language, text, cut) if taken is not (verdict is Verdict.VALID)
            ]
            if told:
                wrong.append(f"{name}: {verdict.name.lower()}, but not {', '.join(told)}")
        if (number + 1) % STRIDE == 0:
            print(f"{number + 1:,} files, {len(wrong)} read otherwise", file=sys.stderr, flush=True)
    for kind, count in sorted((counts + counts_taken()).items()):
        print(f"{count:>10,}  {kind}")
    print(f"{len(wrong):>10,}  read otherwise")
    for line in wrong[:SHOWN]:
        print(f"  {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
