"""`python -m tests.laws.npm_files`: compares grammars with judges on npm files, by the slow reference.

Each round reads one whole file of the pinned packages, and four damaged texts: the file, a run of its lines,
a tiny program and a phrase. A text is skipped if no grammar can know the judge's reason.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from fim_lsp.replay import judges
from tests.laws.corrupt import corrupted
from tests.laws.domains import DOMAINS, Domain
from tests.laws.oracle import Verdict
from tests.reference.branching import BranchingReference

GRAMMARS = Path(__file__).parents[2] / "quotient" / "grammars"
LANGUAGES = ("javascript", "javascriptreact", "typescript", "typescriptreact")
# The number of printed differences, which a person can read.
SHOWN = 12
# The number of lines that are cut out of a file, and the longest file that is damaged as a whole.
RUNS = (1, 2, 4, 8, 30)
LARGEST_SPOILT = 4000


def reference(language: str = "javascript") -> BranchingReference:
    """The compiled grammar of a language, with or without JSX."""
    return BranchingReference.load(GRAMMARS / f"{language}.json")


def spoilt(random: Random, text: str, donor: str, domain: Domain) -> Iterator[str]:
    """Four texts, many of which still parse."""
    lines = text.split("\n")
    start = random.randrange(len(lines))
    run = "\n".join(lines[start : start + random.choice(RUNS)])
    for one in (
        text[:LARGEST_SPOILT],
        run,
        random.choice(domain.programs),
        random.choice(domain.words.statements),
    ):
        yield corrupted(random, one, donor, domain.words)


def read(path: Path) -> str:
    """The decodable text of a file."""
    return path.read_text(encoding="utf-8", errors="ignore")


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="hold a grammar to its real parsers, slowly")
    parser.add_argument("--language", choices=LANGUAGES, default="javascript")
    parser.add_argument("--count", type=int, default=100, help="how many files to read (%(default)s)")
    parser.add_argument("--seed", default="1", help="names the run")
    parser.add_argument("--largest", type=int, default=8000, help="largest file to read, in bytes")
    return parser.parse_args()


def main() -> int:
    """Prints counts and the smallest disagreements. The exit status says whether there are any."""
    chosen = options()
    random = Random(chosen.seed)
    domain = DOMAINS[chosen.language]
    try:
        judges.check(chosen.language)
        files = [path for _, path, size in domain.files() if 0 < size <= chosen.largest]
    except judges.NoJudge as why:
        print(f"npm_files: {why}", file=sys.stderr)
        return 2
    slow = reference(chosen.language)
    counts: Counter[str] = Counter()
    wrong: list[tuple[str, str]] = []
    for path in random.sample(files, min(chosen.count, len(files))):
        text = read(path)
        kinds = {"whole": [text], "spoilt": [*spoilt(random, text, read(random.choice(files)), domain)]}
        for kind, texts in kinds.items():
            for one in texts:
                verdict = domain.judge(one)
                counts[f"{kind}, {verdict.value}"] += 1
                if verdict is not Verdict.BEYOND_LIMITS and slow.is_valid(one) is not (
                    verdict is Verdict.VALID
                ):
                    wrong.append((one, verdict.value))
        slow.charts.clear()
    for name, count in sorted(counts.items()):
        print(f"{count:>10,}  {name}")
    print(f"{len(wrong):>10,}  read otherwise")
    for one, said in sorted(wrong, key=lambda pair: len(pair[0]))[:SHOWN]:
        print(f"  {said}: {one[:300]!r}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
