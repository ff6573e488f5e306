"""STACK-BOUNDARY and STACK-RANDSPAN: ten cuts in each file, from any source of files.

The cuts of a file depend only on the seed, the rule and the file's text, not on the machine, the other files
or the number of cases. The files are shuffled, so that the first N cases are a sample of all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from random import Random

from fim_lsp.known_languages import KnownLanguage, language_named
from fim_lsp.replay.case import Case, Excluded
from fim_lsp.replay.corpus import UNPARSABLE, File
from fim_lsp.replay.cuts import Cut, boundary_cuts, span_cuts
from fim_lsp.replay.judge import ParserJudge

RULES: dict[str, Callable[[str, int, Random, KnownLanguage], list[Cut]]] = {
    "stack-boundary": boundary_cuts,
    "stack-randspan": span_cuts,
}
TOO_LONG = "too long"
UNCUTTABLE = "has no two symbols of one indentation level"


def cases(
    rule: str,
    files: Iterable[File | Excluded],
    judge: ParserJudge,
    *,
    seed: int,
    n_cuts: int = 10,
    longest: int | None = None,
) -> Iterator[Case | Excluded]:
    shuffled = list(files)
    Random(f"{seed} files").shuffle(shuffled)
    for file in shuffled:
        match file:
            case Excluded():
                yield file
            case File():
                yield from file_cases(rule, file, judge, seed, n_cuts, longest)


def file_cases(
    rule: str, file: File, judge: ParserJudge, seed: int, n_cuts: int, longest: int | None
) -> Iterator[Case | Excluded]:
    if longest is not None and len(file.text) > longest:
        yield Excluded(file.name, TOO_LONG, f"{len(file.text)} characters")
        return
    if fault := judge.fault(file.text):
        yield Excluded(file.name, UNPARSABLE, f"{fault.kind}: {fault.message}")
        return
    digest = hashlib.sha256(file.text.encode("utf-8", "surrogatepass")).hexdigest()
    cuts = RULES[rule](file.text, n_cuts, Random(f"{seed} {rule} {digest}"), language_named(judge.language))
    if not cuts:
        yield Excluded(file.name, UNCUTTABLE)
    for number, cut in enumerate(cuts):
        yield Case(f"{file.name}#{number}", file.text, cut.start, cut.stop, language=judge.language)
