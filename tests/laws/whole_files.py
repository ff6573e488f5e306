"""`python -m tests.laws.whole_files --language javascript`: real files, whole, against the real parser.

Each file is read forward, backward, and cut in two at a place of its own. All three times, the engine has to
accept it exactly if the parser does. If no grammar can know the parser's reason, the text is skipped, and
counted by that reason. The seed determines the files and their order, so `--begin` continues a stopped run.
`--folder` reads the files of folders instead, such as a suite's, and `--spoil` also asks about a damaged
middle of each file.
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
from tests.laws.domains import DOMAINS, Domain, counts_taken
from tests.laws.oracle import Verdict
from tests.laws.real_files import below
from tests.laws.sources import File
from tests.laws.verdicts import membership

# The number of files per line of progress.
STRIDE = 250
# The number of printed disagreements, which a person can read.
SHOWN = 12


def readings(language: Language, text: str, cut: int) -> Iterator[tuple[str, bool]]:
    """Whether the engine accepts a text, for each way of reading it."""
    for name, at in (("forward", len(text)), ("backward", 0), (f"cut at {cut}", cut)):
        yield name, is_member(language, text[:at], text[at:])


def is_member(language: Language, left: str, right: str) -> bool:
    """Whether two texts fit together without anything between them."""
    try:
        return language.recognizer(left, right).is_member()
    except NoCompletion:
        return False


def spoilt(domain: Domain, text: str, random: Random) -> str | None:
    """The engine's wrong verdict on a damaged middle, and the place; None if engine and parser agree."""
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
    """Prints counts and the files with disagreements. The exit status says whether there are any."""
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
    # Earlier texts are not this folder's, and are forgotten.
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
