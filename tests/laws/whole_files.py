"""`python -m tests.laws.whole_files --language javascript`: real files, whole, against the real parser.

Each file is read forward, backward, and cut in two at a place of its own: the engine is to take it, all
three times, exactly where the parser does. Where the parser says more than a grammar can know, nothing is
asked, and the text is counted by what is said. Which files are read, and in which order, follows from the
seed, so a run that was stopped goes on with `--begin`. `--folder` names folders whose files are read instead,
as those of a suite, and `--spoil` also asks about a spoilt middle of each file.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from fim_lsp.replay import judges
from quotient import Language, NoCompletion
from tests.laws.cases import Case
from tests.laws.corrupt import corrupted
from tests.laws.domains import DOMAINS, Domain, below, counts_taken
from tests.laws.oracle import Verdict
from tests.laws.sources import File
from tests.laws.verdicts import membership

# The files from one line of progress to the next.
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


def spoilt(domain: Domain, text: str, random: Random) -> str | None:
    """The engine's other verdict on a spoilt middle, and the place; None where the two agree."""
    begin = random.randrange(len(text) + 1)
    end = begin + random.choice((0, 1, 3, 8, 20, 60))
    middle = corrupted(random, text[begin:end], text[: end - begin + 20], domain.words)
    wrong = membership(domain.language, Case(text[:begin], middle, text[end:]))
    return wrong and f"{wrong}: {middle!r} at {begin} to {end}"


def chosen_files(domain: Domain, folders: list[Path]) -> tuple[File, ...]:
    """The laws' own files of a language, or those in folders."""
    if not folders:
        return domain.files()
    endings = domain.known_language.extensions
    return tuple(
        (f"{root.name}/{name}", path, size)
        for root in folders
        for name, path, size in below(root, root.rglob("*"))
        if path.suffix in endings
    )


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="hold a grammar to its real parser on whole files")
    parser.add_argument("--language", choices=sorted(DOMAINS), default="javascript")
    parser.add_argument("--count", type=int, default=5000, help="how many files to read (%(default)s)")
    parser.add_argument("--begin", type=int, default=0, help="how many of them were read before")
    parser.add_argument("--seed", default="1", help="names the run")
    parser.add_argument("--largest", type=int, default=200_000, help="largest file to read, in bytes")
    parser.add_argument("--folder", type=Path, action="append", default=[], help="read its files instead")
    parser.add_argument("--spoil", action="store_true", help="ask about a spoilt middle of each file, too")
    return parser.parse_args()


def main() -> int:
    """Print counts and the files that are read otherwise; the exit status says whether any are."""
    chosen = options()
    domain = DOMAINS[chosen.language]
    try:
        found = chosen_files(domain, chosen.folder)
        files = [(name, path) for name, path, size in found if 0 < size <= chosen.largest]
    except judges.NoJudge as why:
        print(f"whole_files: {why}", file=sys.stderr)
        return 2
    Random(chosen.seed).shuffle(files)
    language = domain.language
    # Texts that were asked of before are none of this folder.
    counts_taken()
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
            elif chosen.spoil and (said := spoilt(domain, text, Random(f"{chosen.seed} {name} spoilt"))):
                wrong.append(f"{name}: {said}")
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
