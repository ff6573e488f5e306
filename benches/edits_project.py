"""`python -m benches.edits_project`: the cost of finding next edits in a project of 5,000 files.

The project is a copy of Python's standard library and of what is installed beside it, in their own folders,
so that its files import each other. A simulated user renames functions and classes, one in each question, of
files that others import. The server's own object (`working_out.py`) is asked for the edits of the file, with
imports looked up in the project, and for those in the other files. The files are in memory, as after the
first question. Times are those of the processor, so they do not depend on other programs.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from sysconfig import get_path
from tempfile import TemporaryDirectory

from benches.targets import Target, row
from benches.timing import percentile, seconds
from fim_lsp.edits.projects.kept_files import MOST_BYTES
from fim_lsp.server.next_edits.messages import Changed, FindEditsElsewhere, FindNextEdits, ProjectFolder
from fim_lsp.server.next_edits.working_out import WorkingOut

N_FILES, N_QUESTIONS = 5_000, 60
HERE, ELSEWHERE = "a question about the file", "a question about the others"
TARGETS = tuple(Target(f"{name}, p95", "ms", 200) for name in (HERE, ELSEWHERE))
DEFINED = re.compile(r"^(?:def|class) ([^\W\d_]\w{4,})", re.MULTILINE)
VERSION = "3.11"
BAR, MOST_EDITS = 0.65, 50
LARGEST = 60_000


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser("python -m benches.edits_project", description=__doc__.split("\n")[0])
    parser.add_argument("--files", type=int, default=N_FILES, help="the size of the project")
    options = parser.parse_args(arguments)
    with TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        n_files = copy_files(root, options.files)
        times = measured(root)
    print(f"  {n_files} files, {len(times[HERE])} questions of each kind")
    figures = {
        f"{name}, {key}": value
        for name, each in times.items()
        for key, value in (("p50", median(each)), ("p95", percentile(each, 0.95)), ("worst", max(each)))
    }
    bounds = {target.name: target for target in TARGETS}
    print("\n".join(row(name, value, "ms", bounds.get(name)) for name, value in figures.items()))
    return 0 if all(target.is_met_by(figures[target.name]) for target in TARGETS) else 1


def copy_files(root: Path, n_files: int) -> int:
    """Copies so many files into a folder, the smaller ones of each library."""
    count = 0
    for number, library in enumerate((get_path("stdlib"), get_path("purelib"), *sys.path)):
        for path in sorted(Path(library).rglob("*.py")) if library else ():
            to = root / path.relative_to(library)
            if count == n_files:
                return count
            if (
                path.stat().st_size > MOST_BYTES
                or to.exists()
                or (number > 1 and "site-packages" not in str(to))
            ):
                continue
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, to)
            count += 1
    return count


def measured(root: Path) -> dict[str, list[float]]:
    """The milliseconds of each question of both kinds."""
    found: dict[str, list[float]] = {HERE: [], ELSEWHERE: []}
    working_out = WorkingOut()
    for number, (path, old, new) in enumerate(renamed_files(root)):
        changed = Changed(path.as_uri(), "python", VERSION, old, new)
        project = ProjectFolder(str(root), str(path), (), (str(root),))
        here = FindNextEdits(number, changed, BAR, MOST_EDITS, project=project)
        elsewhere = FindEditsElsewhere(number, changed, BAR, MOST_EDITS, project, frozenset())
        if not number:
            # The first question reads the project.
            working_out.find_elsewhere(elsewhere)
        # The text as it was, as a server knows it before the change.
        working_out.find_edits(
            FindNextEdits(number, Changed(path.as_uri(), "python", VERSION, old, old), BAR, 1)
        )
        found[HERE].append(seconds(partial(working_out.find_edits, here)) * 1e3)
        found[ELSEWHERE].append(seconds(partial(working_out.find_elsewhere, elsewhere)) * 1e3)
    return found


def renamed_files(root: Path) -> Iterator[tuple[Path, str, str]]:
    """Files with a definition that was renamed: the path, the text before, and the text now."""
    random = Random(0)
    paths = sorted(path for path in root.rglob("*.py") if path.stat().st_size < LARGEST)
    count = 0
    while count < N_QUESTIONS:
        path = random.choice(paths)
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        names = DEFINED.findall(text)
        if names:
            name = random.choice(names)
            yield (
                path,
                text,
                re.sub(rf"^(def|class) {name}\b", rf"\1 {name}_of", text, count=1, flags=re.MULTILINE),
            )
            count += 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
