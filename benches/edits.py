"""`python -m benches.edits`: the cost of finding next edits in files of 5,000 lines.

A simulated user renames things that occur in several places, one place after the other. After each change,
the server's own object (`working_out.py`) is asked, as in its own process, and keeps what it knows of the
document between changes. In other languages than Python, whose files come from the client's packages, Go and
the JDK, the user then loses a bracket somewhere, so that the file does not parse. Each time is one
question's. Times are processor times, so they do not depend on other programs. `--against FOLDER` measures
another checkout, too, in turns, and prints the ratios; `--profile` shows where the time goes.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import os
import pstats
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean, median
from sysconfig import get_path

from benches.targets import Target, row
from benches.timing import percentile, seconds
from fim_lsp.edits.texts.symbols import SYMBOL
from fim_lsp.known_languages import language_named
from fim_lsp.replay import judges
from fim_lsp.server.next_edits.messages import Changed, FindNextEdits
from fim_lsp.server.next_edits.working_out import WorkingOut
from tests.laws.real_files import go_folder, java_folder

PYTHON = "a question at 5,000 lines"
FILES = ("_pydecimal.py", "tkinter/__init__.py", "turtle.py")
# Files of 2,900 to 8,100 lines. A language is left out if none of its files is here.
OTHERS = {
    "typescript": (
        "@azure/msal-browser/src/controllers/StandardController.ts",
        "typescript-6/lib/lib.es5.d.ts",
        "vscode-languageserver-types/lib/esm/main.d.ts",
    ),
    "javascript": (
        "acorn/dist/acorn.js",
        "azure-devops-node-api/TaskAgentApiBase.js",
        "markdown-it/dist/index.cjs.js",
    ),
    "go": ("net/http/server.go", "database/sql/sql.go", "runtime/proc.go"),
    "java": (
        "java.base/java/util/Collections.java",
        "java.base/java/math/BigDecimal.java",
        "java.desktop/java/awt/Container.java",
    ),
}
TARGETS = (
    Target(f"{PYTHON}, p95", "ms", 50),
    *(Target(f"{language_named(name).title}, p95", "ms", 200) for name in OTHERS),
)
N_LINES = 5_000
# The number of names that are renamed in each file, and of the places of each.
N_NAMES, N_PLACES = 12, 4
# The most places of a name: for more of them, users take a tool.
FEWEST, MOST = 4, 40
BAR, MOST_EDITS = 0.65, 50
# The number of brackets that are lost, one at a time, after a name was changed.
N_LOST = 3
BRACKET = re.compile(r"[()\[\]{}]")
N_TURNS = 3
VERSION = "3.11"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser("python -m benches.edits", description=__doc__.splitlines()[0])
    parser.add_argument("--against", type=Path, help="another checkout, measured in turns with this one")
    parser.add_argument("--profile", action="store_true", help="say where the time goes")
    parser.add_argument("--json", action="store_true", help="milliseconds by language, for programs")
    options = parser.parse_args(arguments)
    if options.against is not None:
        return compare(options.against)
    if options.profile:
        profile = cProfile.Profile()
        profile.runcall(measured_by_language)
        pstats.Stats(profile).sort_stats("tottime").print_stats(30).sort_stats("cumtime").print_stats(60)
        return 0
    times = measured_by_language()
    if options.json:
        print(json.dumps(times))
        return 0
    figures = figures_of(times)
    bounds = {target.name: target for target in TARGETS}
    print("\n".join(row(name, value, "ms", bounds.get(name)) for name, value in figures.items()))
    return 0 if all(target.is_met_by(figures.get(target.name, 0)) for target in TARGETS) else 1


def figures_of(times: dict[str, list[float]]) -> dict[str, float]:
    found = {}
    for of, each in times.items():
        found[f"{of}, p50"] = median(each)
        found[f"{of}, p95"] = percentile(each, 0.95)
        found[f"{of}, worst"] = max(each)
        found[f"{of}, mean"] = fmean(each)
    return found


def compare(other: Path) -> int:
    """Measures both checkouts in turns, each in a process of its own."""
    runs: dict[Path, list[dict[str, list[float]]]] = {other: [], Path.cwd(): []}
    for _ in range(N_TURNS):
        for folder, found in runs.items():
            environment = os.environ | {"PYTHONPATH": str(folder)}
            # The bench is not run as a script, because its folder would then hide modules of that checkout.
            run_here = f"runpy.run_path({__file__!r}, None, '__main__')"
            command = [sys.executable, "-c", f"import runpy, sys; sys.argv[1:] = ['--json']; {run_here}"]
            run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True)
            found.append(json.loads(run.stdout))
    before, after = (
        # The quickest turn counts for each question, because other programs can only add time.
        figures_of(
            {of: [min(times) for times in zip(*(turn[of] for turn in turns), strict=True)] for of in turns[0]}
        )
        for turns in runs.values()
    )
    for name, value in after.items():
        print(f"  {name:<40} {before[name]:8.1f} ms {value:8.1f} ms   {value / before[name]:5.2f}x")
    return 0


def measured_by_language() -> dict[str, list[float]]:
    """The milliseconds of each question, for each language that has files here."""
    found = {PYTHON: [*measured()]}
    for name, listed in OTHERS.items():
        if times := [one for path in paths_of(name, listed) for one in measured_elsewhere(name, path)]:
            found[language_named(name).title] = times
    return found


def measured() -> Iterator[float]:
    """The milliseconds of each question in Python."""
    for name in FILES:
        text = text_of(name)
        random = Random(name)
        working_out = WorkingOut()
        # The first question of a document also reads it.
        asked(working_out, name, text, text)
        for word in random.sample(words_of(text), N_NAMES):
            now = text
            for now in changed_one_by_one(text, word):
                yield seconds(partial(asked, working_out, name, text, now)) * 1e3
            text = now


def measured_elsewhere(language: str, path: Path) -> Iterator[float]:
    """The milliseconds of each question in a file of another language, in which names are changed and
    brackets lost."""
    text = path.read_text("utf-8")
    random = Random(path.name)
    working_out = WorkingOut()
    ask = partial(asked, working_out, path.name, text, language=language, version=None)
    ask(text)
    for word in random.sample(words_of(text, is_lower=False), N_NAMES):
        now = text
        for now in changed_one_by_one(text, word):
            yield seconds(partial(ask, now)) * 1e3
        for one in random.sample([*BRACKET.finditer(now)], N_LOST):
            yield seconds(partial(ask, now[: one.start()] + now[one.end() :])) * 1e3


def changed_one_by_one(text: str, word: str) -> Iterator[str]:
    """The text after each change, while a name is renamed at one place after another."""
    at = 0
    for _ in range(N_PLACES):
        start = place_of(text, word, at)
        if start < 0:
            break
        text = f"{text[:start]}{word}_of{text[start + len(word) :]}"
        at = start + len(word) + 3
        yield text


def asked(
    working_out: WorkingOut,
    name: str,
    old: str,
    new: str,
    language: str = "python",
    version: str | None = VERSION,
) -> None:
    changed = Changed(f"file:///{name}", language, version, old, new)
    working_out.find_edits(FindNextEdits(1, changed, BAR, MOST_EDITS))


def paths_of(language: str, listed: Sequence[str]) -> list[Path]:
    """The files of a language that exist here."""
    try:
        if language == "go":
            root = go_folder()
        elif language == "java":
            root = java_folder()
        else:
            root = judges.CLIENT
    except judges.NoJudge:
        return []
    return [root / one for one in listed if (root / one).exists()]


def text_of(name: str) -> str:
    """About 5,000 lines of a file of the standard library, in whole statements."""
    text = (Path(get_path("stdlib")) / name).read_text("utf-8")
    lines = text.splitlines(keepends=True)
    while len(lines) < N_LINES:
        lines += lines
    cut = "".join(lines[:N_LINES])
    # The text ends behind the last whole statement at the margin.
    last = max(cut.rindex(f"\n{begin}") for begin in ("def ", "class "))
    return cut[: last + 1]


def words_of(text: str, is_lower: bool = True) -> list[str]:
    """The words that occur several times in a text, in a fixed order."""
    counts: dict[str, int] = {}
    for one in SYMBOL.finditer(text):
        counts[one[0]] = counts.get(one[0], 0) + 1
    return sorted(
        word
        for word, count in counts.items()
        if FEWEST <= count <= MOST
        and len(word) > 3
        and word.isidentifier()
        and (word.islower() or not is_lower)
    )


def place_of(text: str, word: str, begin: int) -> int:
    """The next place of a whole word, from an offset on."""
    found = (one.start() for one in SYMBOL.finditer(text, begin) if one[0] == word)
    return next(found, -1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
