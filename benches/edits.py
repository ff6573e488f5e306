"""`python -m benches.edits`: the cost of finding next edits in files of 5,000 lines.

The user renames what stands in a file in several places, at one place after another, as an editor's next
stretch of work: after each change the server's own object (`working_out.py`) is asked, as it is in its
process, and what is known of the document follows the change. One time is one question. Times are of the
processor, so they are the same on a busy machine. `--against FOLDER` asks the same of another checkout, in
turns, and prints the shares; `--profile` says where the time goes.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import os
import pstats
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean, median
from sysconfig import get_path

from benches.targets import Target, row
from benches.timing import percentile, seconds
from fim_lsp.edits.texts.symbols import SYMBOL
from fim_lsp.server.next_edits.messages import Changed, FindNextEdits
from fim_lsp.server.next_edits.working_out import WorkingOut

TARGETS = (Target("a question at 5,000 lines, p95", "ms", 50),)
FILES = ("_pydecimal.py", "tkinter/__init__.py", "turtle.py")
N_LINES = 5_000
# The number of names that are changed in each file, and of the places of each.
N_NAMES, N_PLACES = 12, 4
# The most places of a name: a user with more of them uses a tool for that.
FEWEST, MOST = 4, 40
BAR, MOST_EDITS = 0.65, 50
N_TURNS = 3
VERSION = "3.11"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser("python -m benches.edits", description=__doc__.splitlines()[0])
    parser.add_argument("--against", type=Path, help="another checkout, measured in turns with this one")
    parser.add_argument("--profile", action="store_true", help="say where the time goes")
    parser.add_argument("--json", action="store_true", help="milliseconds as a list, for programs")
    options = parser.parse_args(arguments)
    if options.against is not None:
        return compare(options.against)
    if options.profile:
        profile = cProfile.Profile()
        profile.runcall(lambda: [*measured()])
        pstats.Stats(profile).sort_stats("tottime").print_stats(30).sort_stats("cumtime").print_stats(60)
        return 0
    times = [*measured()]
    if options.json:
        print(json.dumps(times))
        return 0
    figures = figures_of(times)
    bounds = {target.name: target for target in TARGETS}
    print("\n".join(row(name, value, "ms", bounds.get(name)) for name, value in figures.items()))
    return 0 if all(target.is_met_by(figures[target.name]) for target in TARGETS) else 1


def figures_of(times: list[float]) -> dict[str, float]:
    of = "a question at 5,000 lines"
    return {
        f"{of}, p50": median(times),
        f"{of}, p95": percentile(times, 0.95),
        f"{of}, worst": max(times),
        f"{of}, mean": fmean(times),
    }


def compare(other: Path) -> int:
    """Both checkouts in turns, each in a process of its own."""
    runs: dict[Path, list[list[float]]] = {other: [], Path.cwd(): []}
    for _ in range(N_TURNS):
        for folder, found in runs.items():
            environment = os.environ | {"PYTHONPATH": str(folder)}
            # The bench runs not as a file among these: what stands beside it is no module of theirs.
            run_here = f"runpy.run_path({__file__!r}, None, '__main__')"
            command = [sys.executable, "-c", f"import runpy, sys; sys.argv[1:] = ['--json']; {run_here}"]
            run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True)
            found.append(json.loads(run.stdout))
    before, after = (
        # The quickest of the turns counts for each question: other work of the machine only adds to it.
        figures_of([min(times) for times in zip(*turns, strict=True)])
        for turns in runs.values()
    )
    for name, value in after.items():
        print(f"  {name:<40} {before[name]:8.1f} ms {value:8.1f} ms   {value / before[name]:5.2f}x")
    return 0


def measured() -> Iterator[float]:
    """The milliseconds of each question."""
    for name in FILES:
        text = text_of(name)
        random = Random(name)
        working_out = WorkingOut()
        # The first question of a document also reads it.
        asked(working_out, name, text, text)
        for word in random.sample(words_of(text), N_NAMES):
            now, at = text, 0
            for _ in range(N_PLACES):
                start = place_of(now, word, at)
                if start < 0:
                    break
                now = f"{now[:start]}{word}_of{now[start + len(word) :]}"
                at = start + len(word) + 3
                yield seconds(partial(asked, working_out, name, text, now)) * 1e3
            text = now


def asked(working_out: WorkingOut, name: str, old: str, new: str) -> None:
    changed = Changed(f"file:///{name}", "python", VERSION, old, new)
    working_out.find_edits(FindNextEdits(1, changed, BAR, MOST_EDITS))


def text_of(name: str) -> str:
    """About 5,000 lines of a file of the standard library, whole statements."""
    text = (Path(get_path("stdlib")) / name).read_text("utf-8")
    lines = text.splitlines(keepends=True)
    while len(lines) < N_LINES:
        lines += lines
    cut = "".join(lines[:N_LINES])
    # Behind the last statement at the margin that is whole.
    last = max(cut.rindex(f"\n{begin}") for begin in ("def ", "class "))
    return cut[: last + 1]


def words_of(text: str) -> list[str]:
    """The names that stand in a text in several places, in a fixed order."""
    counts: dict[str, int] = {}
    for one in SYMBOL.finditer(text):
        counts[one[0]] = counts.get(one[0], 0) + 1
    return sorted(
        word
        for word, count in counts.items()
        if FEWEST <= count <= MOST and len(word) > 3 and word.isidentifier() and word.islower()
    )


def place_of(text: str, word: str, begin: int) -> int:
    """The place where a word stands as one, from an offset on."""
    found = (one.start() for one in SYMBOL.finditer(text, begin) if one[0] == word)
    return next(found, -1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
