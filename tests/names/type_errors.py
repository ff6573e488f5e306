"""`python -m tests.names.type_errors FOLDER`: the errors of type checkers inside the offers of a run.

    python -m tests.names.offers --count 500 --modes names types --out replays/advised
    python -m tests.names.type_errors replays/advised --checker basedpyright

Each offer is put into a copy of its file, beside the file, in a copy of its project, so that imports have
their usual meaning. Only errors that begin inside the offer count, separately for each rule. The original
texts of the regions are judged in the same way. A mode without an offer in a hole has no error there; the
last row compares the modes in the holes that all of them have filled. `pip install ty basedpyright` brings
the checkers.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fim_lsp.positions import Position, Units
from fim_lsp.replay.journal import read_plan, read_rows
from fim_lsp.replay.typing.drawing import TypedProject, Typing, draw_regions
from fim_lsp.replay.typing.projects import of_folders, of_set
from fim_lsp.replay.typing.undefined import FilledText, is_within

Row = dict[str, Any]
TRUTH = "what was there"
# The unit of each checker's columns (mypy's are wrong in lines with letters beyond ASCII).
CHECKERS: dict[str, Units] = {"basedpyright": "utf-16", "ty": "utf-32", "mypy": "utf-32"}
# The rules that only report that a project's dependencies are not installed here.
UNINSTALLED = {"reportMissingImports", "reportMissingModuleSource", "unresolved-import", "import-not-found"}
UNINSTALLED |= {"import-untyped", "reportUndefinedVariable", "unresolved-reference", "name-defined"}


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer in its file."""

    mode: str
    case: Typing
    file: FilledText


@dataclass(frozen=True, slots=True)
class Error:
    """An error of a checker, and its place in a file."""

    path: Path
    place: Position
    rule: str
    message: str


def main() -> int:
    options = parsed()
    plan, rows = read_plan(options.folder), read_rows(options.folder)
    projects = of_folders(options.on)[0] if options.on else of_set("packages")[0]
    selection = plan["selection"]
    cases = {
        one.id: one
        for one in draw_regions(projects, selection["seed"], selection["limit"])
        if isinstance(one, Typing)
    }
    offers = list(offers_of(rows, cases, {project.name: project for project in projects}))
    found: Counter[tuple[str, str]] = Counter()
    n_bad: Counter[str] = Counter()
    by_case: dict[str, dict[str, int]] = {}
    for project in projects:
        own = [offer for offer in offers if offer.case.project == project.name]
        for offer, errors in zip(own, errors_in(project, own, options.checker), strict=True):
            n_bad[offer.mode] += bool(errors)
            found.update((offer.mode, error.rule) for error in errors)
            by_case.setdefault(offer.case.id, {})[offer.mode] = len(errors)
            if options.shown and errors and offer.mode == options.shown:
                text = offer.file.text[offer.file.start : offer.file.stop]
                print(f"{offer.case.id}: {errors[0].rule}: {errors[0].message.splitlines()[0]}: {text!r}")
    n_offers = Counter(offer.mode for offer in offers)
    print("\n".join(table(options.checker, n_offers, n_bad, found)))
    shared = [counts for counts in by_case.values() if len(counts) == len(n_offers)]
    rates = (100 * sum(counts[mode] for counts in shared) / max(1, len(shared)) for mode in n_offers)
    print(row_of(f"errors per 100, the {len(shared)} that all modes fill", (f"{rate:.1f}" for rate in rates)))
    return 0


def table(
    checker: str, n_offers: Counter[str], n_bad: Counter[str], found: Counter[tuple[str, str]]
) -> Iterator[str]:
    yield row_of(checker, n_offers)
    yield "|---|" + "---:|" * len(n_offers)
    yield row_of("offers", n_offers.values())
    yield row_of("with errors", (f"{n_bad[mode]} ({n_bad[mode] / n:.1%})" for mode, n in n_offers.items()))
    sums = {mode: sum(n for (other, _), n in found.items() if other == mode) for mode in n_offers}
    yield row_of("errors per 100 offers", (f"{100 * sums[mode] / n:.1f}" for mode, n in n_offers.items()))
    rules: Counter[str] = Counter()
    for (_, rule), n in found.items():
        rules[rule] += n
    for rule, _ in rules.most_common():
        yield row_of(rule, (found[mode, rule] for mode in n_offers))


def row_of(name: str, cells: Iterable[object]) -> str:
    return f"| {name} | {' | '.join(map(str, cells))} |"


def offers_of(
    rows: Sequence[Row], cases: dict[str, Typing], projects: dict[str, TypedProject]
) -> Iterator[Offer]:
    """The first offer of each mode, and the original text."""
    for row in rows:
        if not any(row["offers"].values()):
            continue
        case = cases[row["case"]]
        [file] = [file for file in projects[case.project].files if file.name == case.file]
        start, stop = case.region.place, case.region.place + len(case.region.typed)
        texts = {mode: offers[0]["text"] for mode, offers in row["offers"].items() if offers}
        for mode, text in (texts | {TRUTH: case.region.typed}).items():
            whole = file.text[:start] + text + file.text[stop:]
            yield Offer(mode, case, FilledText(whole, start, start + len(text)))


def errors_in(project: TypedProject, offers: Sequence[Offer], checker: str) -> list[list[Error]]:
    """The errors that begin in each offer."""
    found: list[list[Error]] = [[] for _ in offers]
    if not offers:
        return found
    assert project.folder is not None
    with TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve() / "project"
        shutil.copytree(project.folder, folder)
        # An offer of several modes is judged once.
        alike: dict[tuple[str, str], list[int]] = {}
        for number, offer in enumerate(offers):
            alike.setdefault((offer.case.file, offer.file.text), []).append(number)
        paths = {}
        for (name, text), numbers in alike.items():
            original = folder / name
            path = original.with_name(f"{original.stem}_offer_{numbers[0]}.py")
            path.write_text(text, encoding="utf-8", errors="replace", newline="")
            paths[path] = numbers
        for error in said(checker, folder, sorted(paths)):
            if error.path not in paths or error.rule in UNINSTALLED:
                continue
            for number in paths[error.path]:
                if is_within(offers[number].file, error.place, CHECKERS[checker]):
                    found[number].append(error)
    return found


def said(checker: str, folder: Path, paths: Sequence[Path]) -> Iterator[Error]:
    tool = str(Path(sys.executable).with_name(checker))
    names = [str(path.relative_to(folder)) for path in paths]
    match checker:
        case "basedpyright":
            (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "standard"}')
            for one in json.loads(ran([tool, "--outputjson", *names], folder))["generalDiagnostics"]:
                place = one["range"]["start"]
                if one["severity"] == "error":
                    rule = one.get("rule", "syntax")
                    at = Position(place["line"], place["character"])
                    yield Error(Path(one["file"]), at, rule, one["message"])
        case "ty":
            for one in json.loads(ran([tool, "check", "--output-format", "gitlab", *names], folder)):
                place = one["location"]["positions"]["begin"]
                path = folder / one["location"]["path"]
                if one["severity"] in ("major", "critical", "blocker"):
                    rule = one["check_name"]
                    at = Position(place["line"] - 1, place["column"] - 1)
                    yield Error(path, at, rule, one["description"])
        case _:
            arguments = ["--output=json", "--check-untyped-defs", "--ignore-missing-imports"]
            arguments += ["--no-error-summary", "--cache-dir=/dev/null"]
            for line in ran([tool, *arguments, *names], folder).splitlines():
                one = json.loads(line)
                if one["severity"] == "error":
                    at = Position(one["line"] - 1, max(one["column"], 0))
                    yield Error(folder / one["file"], at, str(one["code"]), one["message"])


def ran(command: list[str], folder: Path) -> str:
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, encoding="utf-8")
    assert found.stdout or not found.returncode, found.stderr
    return found.stdout


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.names.type_errors", description="errors of types")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--checker", choices=CHECKERS, default=next(iter(CHECKERS)))
    parser.add_argument("--on", nargs="+", metavar="DIR", help="where the run's projects are")
    parser.add_argument("--shown", metavar="MODE", help="print this mode's errors")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
