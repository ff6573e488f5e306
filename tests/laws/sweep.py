"""`python -m tests.laws.sweep`: every Python file on this machine is cut and damaged once.

    python -m tests.laws.sweep --jobs 2

Other runs draw files; this one visits all. CPython's own tests come first, including the code inside their
strings (`test_syntax` keeps its cases in docstrings), then the rest of the standard library, then the
installed packages. In each file and snippet the true middle of one hole is typed (law a), a damaged one (law
b), and half of the true one, behind which the witness is asked for (law c). A text that CPython refuses must
also be refused with a hole in it. The seed is the file's name, so a run does not depend on the number of
jobs. The same command continues an interrupted run.
"""

import argparse
import ast
import sys
import warnings
from collections.abc import Iterator
from doctest import DocTestParser
from pathlib import Path
from random import Random
from textwrap import dedent

from fim_lsp.replay.cuts import levels
from quotient import Language, NoCompletion
from tests.laws import verdicts
from tests.laws.__main__ import save, show_failures
from tests.laws.cases import Case, Failure, Outcome
from tests.laws.chunks import smaller
from tests.laws.corrupt import corrupted
from tests.laws.cuts import anywhere_cut, cut
from tests.laws.oracle import Verdict, verdict
from tests.laws.runs import Runs, exit_status
from tests.laws.sources import File, decoded, python_files

# The files without which a run does not count as one of CPython's tests.
NAMED = ("test_grammar.py", "test_fstring.py", "test_patma.py", "test_syntax.py", "test_tokenize.py")
CHUNK = 40
LONGEST = 600
SECONDS_TO_SHRINK = 10.0


def snippets(text: str) -> Iterator[str]:
    """The code in a module's strings: the examples of its doctests, and each whole string."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and not has_surrogates(node.value):
            try:
                examples = DocTestParser().get_examples(node.value)
            except ValueError:
                examples = []
            yield from (example.source for example in examples)
            yield dedent(node.value)


def has_surrogates(text: str) -> bool:
    """Whether a string contains half a character, which text never does."""
    return any("\ud800" <= character <= "\udfff" for character in text)


def visit(language: Language, text: str, name: str, outcome: Outcome) -> None:
    """Asks the laws about one text."""
    random = Random(name)
    judgement = verdict(text)
    if judgement is Verdict.BEYOND_LIMITS:
        outcome.tally["texts beyond the limits of the host"] += 1
        return
    if judgement is Verdict.INVALID:
        outcome.tally["texts that CPython refuses"] += 1
        case = anywhere_cut(random, text)
        add(language, outcome, "b", verdicts.membership(language, case), case, name)
        return
    outcome.tally["texts"] += 1
    rule, case = cut(random, text, levels(text), LONGEST)
    origin = f"{name}[{len(case.left)}:{len(case.left) + len(case.middle)}] ({rule})"
    try:
        recognizer = language.recognizer(case.left, case.right)
    except NoCompletion:
        add(language, outcome, "a", verdicts.NO_COMPLETION, case, origin)
        return
    outcome.tally["cuts"] += 1
    outcome.tally["prefixes"] += len(case.middle)
    add(language, outcome, "a", verdicts.prefixes_advance(recognizer.fork(), case.middle), case, origin)
    spoilt = Case(case.left, corrupted(random, case.middle, text), case.right)
    outcome.tally["corrupted middles"] += 1
    add(language, outcome, "b", verdicts.membership_of(recognizer.fork(), spoilt), spoilt, origin)
    half = Case(case.left, case.middle[: len(case.middle) // 2], case.right)
    outcome.tally["witnesses"] += 1
    add(language, outcome, "c", verdicts.witnessed(language, half), half, origin)


def add(language: Language, outcome: Outcome, law: str, problem: str | None, case: Case, origin: str) -> None:
    """Keeps the failures, the first few of them made small."""
    if problem is None:
        return
    outcome.tally["failures"] += 1
    failure = Failure(law, problem, case, origin=origin)
    is_one_of_few = len(outcome.failures) < 3
    outcome.failures.append(smaller(language, failure, SECONDS_TO_SHRINK) if is_one_of_few else failure)


def visit_files(files: list[File]) -> Outcome:
    """Visit some files, in a worker process."""
    language = Language.load("python", version="3.11")
    outcome = Outcome()
    for file in files:
        name, path, _ = file
        outcome.tally["files"] += 1
        text = decoded(path.read_bytes())
        if text is None:
            outcome.tally["files that do not decode"] += 1
            continue
        visit(language, text, name, outcome)
        if is_test(file):
            for number, snippet in enumerate(dict.fromkeys(snippets(text))):
                outcome.tally["snippets"] += 1
                visit(language, snippet, f"{name}, string {number}", outcome)
    return outcome


def is_test(file: File) -> bool:
    """Return whether a file is one of CPython's own tests."""
    name, path, _ = file
    return Path(name).parts[0] == "test" and "site-packages" not in path.parts


def groups() -> dict[str, list[File]]:
    """All files, by their origin."""
    found: dict[str, list[File]] = {
        "CPython's tests": [],
        "the standard library": [],
        "installed packages": [],
    }
    for file in python_files():
        is_installed = "site-packages" in file[1].parts
        rest = "installed packages" if is_installed else "the standard library"
        found["CPython's tests" if is_test(file) else rest].append(file)
    return found


def sweep(runs: Runs, group: str, files: list[File]) -> Outcome:
    """Visit all files of a group."""
    chunks = {str(first): files[first : first + CHUNK] for first in range(0, len(files), CHUNK)}
    return runs.run(group, visit_files, chunks, "files", repr(files))


def missing(files: list[File]) -> list[str]:
    """The named tests that are missing among the files."""
    found = {path.name for _, path, _ in files}
    return [name for name in NAMED if name not in found]


def main() -> int:
    """Visits everything. The exit status says whether all laws held everywhere."""
    parser = argparse.ArgumentParser(prog="python -m tests.laws.sweep", description=__doc__.split("\n")[0])
    parser.add_argument("--jobs", type=int, default=1, help="worker processes")
    parser.add_argument("--save", type=Path, help="append failures to this file as JSON lines")
    options = parser.parse_args()
    found = groups()
    absent = missing(found["CPython's tests"])
    if absent:
        print(f"\nnot on this machine, and not visited: {', '.join(absent)} of CPython's tests")
        print("  (tests/laws/testsuite says how to get them)")
    n_failures = 0
    runs = Runs(options.jobs)
    for group, files in found.items():
        outcome = sweep(runs, group, files)
        n_failures += outcome.n_failures
        print(f"\n{group}:")
        show_failures(outcome)
        if options.save is not None:
            save(options.save, outcome.failures)
    runs.end()
    return 1 if n_failures else 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
