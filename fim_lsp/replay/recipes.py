"""The data sets by name: how each is built, and how much of it is replayed by default."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from fim_lsp.known_languages import language_named
from fim_lsp.replay import benchmarks, devbench, stack
from fim_lsp.replay.case import Case, Excluded
from fim_lsp.replay.corpus import NoData, files
from fim_lsp.replay.judge import ParserJudge, Task

INFILLINGS = {"single-line": "SingleLine", "multi-line": "MultiLine", "random-span": "RandomSpan"}


@dataclass(frozen=True, slots=True)
class Recipe:
    """A data set. `n_tokens` is its paper's limit; `has_tests` says whether the written programs are run."""

    name: str
    summary: str
    task: Task
    n_tokens: int
    limit: int | None = None
    has_tests: bool = False


RECIPES = {
    recipe.name: recipe
    for recipe in (
        Recipe(
            "stack-boundary",
            "text between two symbols of one indentation level is cut out",
            "hole",
            500,
            1000,
        ),
        Recipe("stack-randspan", "up to 100 characters are cut out anywhere", "hole", 500, 1000),
        Recipe(
            "human-eval-infilling",
            "HumanEval: lines and random spans are cut out",
            "hole",
            500,
            has_tests=True,
        ),
        Recipe(
            "human-eval", "HumanEval: the body of a function is written", "left to right", 400, has_tests=True
        ),
        Recipe(
            "mbxp", "MBXP for Python: the body of a function is written", "left to right", 400, has_tests=True
        ),
        Recipe("devbench", "DevBench: what its authors cut out of a file of each kind of work", "hole", 256),
    )
}


@dataclass(frozen=True, slots=True)
class Selection:
    """A selection of a data set's cases. An equal selection gives equal cases; a limit takes the first."""

    dataset: str
    data: str | None = None
    seed: int = 0
    n_cuts: int = 10
    # Files with more characters are left out: a case would take minutes, as each token parses the file again.
    longest: int | None = None
    # The part of HumanEval-Infilling: the key in INFILLINGS, or None for all three.
    infilling: str | None = None
    python_version: str | None = None
    language: str = "python"

    @property
    def recipe(self) -> Recipe:
        return RECIPES[self.dataset]


@dataclass(slots=True)
class Gathered:
    """The cases of a selection, the files that were left out, and the origin of both."""

    origin: str
    cases: list[Case] = field(default_factory=list)
    excluded: list[Excluded] = field(default_factory=list)


def gather_cases(selection: Selection, limit: int | None) -> Gathered:
    """Builds the first `limit` cases. Raises `NoData` where there is nothing to build them from."""
    result = Gathered(origin(selection))
    for item in candidates(selection):
        if limit is not None and len(result.cases) >= limit:
            break
        match item:
            case Case():
                result.cases.append(item)
            case Excluded():
                result.excluded.append(item)
    if not result.cases:
        raise NoData(nothing_usable(result, selection.language))
    return result


def nothing_usable(found: Gathered, language: str) -> str:
    """The sentence that says why there are no cases, with the first file's fault."""
    if not found.excluded:
        return f"no cases: there are no {language_named(language).title} files in {found.origin}"
    first = found.excluded[0]
    why = f"{first.reason}: {first.detail}" if first.detail else first.reason
    return f"no cases: none of {len(found.excluded)} files of {found.origin} can be used ({first.name} {why})"


def candidates(selection: Selection) -> Iterable[Case | Excluded]:
    judge = ParserJudge.of(selection.python_version, selection.language)
    if selection.dataset in stack.RULES:
        return stack.cases(
            selection.dataset,
            files(selection.data, language_named(selection.language)),
            judge,
            seed=selection.seed,
            n_cuts=selection.n_cuts,
            longest=selection.longest,
        )
    if selection.dataset == "devbench":
        return devbench.cases(selection.data, selection.language, judge, selection.seed)
    problems = benchmarks.cases(benchmarks.data_files(selection.dataset, selection.data), judge)
    return problems if selection.dataset != "human-eval-infilling" else infillings(problems, selection)


def infillings(problems: Iterable[Case | Excluded], selection: Selection) -> Iterator[Case | Excluded]:
    """The cases of one kind, or of all three mixed, so that the first N cases are a sample of all."""
    wanted = "" if selection.infilling is None else INFILLINGS[selection.infilling]
    chosen = [case for case in problems if isinstance(case, Excluded) or case.id.startswith(wanted)]
    Random(f"{selection.seed} problems").shuffle(chosen)
    return iter(chosen)


def origin(selection: Selection) -> str:
    """The origin of the cases, exactly enough for them to be found again."""
    if selection.dataset == "devbench":
        paths = devbench.data_files(selection.data, selection.language)
        return (
            f"DevBench in {language_named(selection.language).title}: {', '.join(map(checked_name, paths))}"
        )
    if selection.dataset not in stack.RULES:
        return ", ".join(
            checked_name(path) for path in benchmarks.data_files(selection.dataset, selection.data)
        )
    if selection.data is None:
        return f"the standard library of Python {platform.python_version()}"
    path = Path(selection.data)
    return checked_name(path) if path.is_file() else selection.data


def checked_name(path: Path) -> str:
    """A file by its name and the beginning of its checksum: where it lies differs from machine to machine."""
    return f"{path.name} ({hashlib.sha256(path.read_bytes()).hexdigest()[:12]})"
