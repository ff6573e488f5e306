"""The builds for other systems and the counts of results: their parts, without those systems."""

from __future__ import annotations

import ast
import contextlib
import json
import os
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.systems.compared import compared
from tests.systems.compared import table as table_of_answers
from tests.systems.questions import questions
from tests.systems.results import Outcome, entries, read, slowest, table
from tests.systems.running import Runner
from tests.windows.chosen import files, name_of, needs
from tests.windows.share import reason, shared, table_of_shares

ROOT = Path(__file__).parents[2]

JOURNAL = """{"test": "a.py::test_one", "state": "begun"}
{"test": "a.py::test_one", "state": "passed"}
{"test": "a.py::test_two", "state": "begun"}
{"test": "a.py::test_two", "state": "passed"}
{"test": "a.py::test_three", "state": "skipped", "why": "Windows has no such files"}
{"test": "a.py::test_four", "state": "failed", "why": "assert 1 == 2\\nand more"}
{"test": "a.py::test_five", "state": "passed"}
{"test": "a.py::test_five", "state": "failed", "why": "fixture"}
"""


def test_outcomes_are_counted_with_their_reasons(tmp_path: Path) -> None:
    (tmp_path / "journal").write_text(JOURNAL + '{"state": "done"}\n')
    outcome = read("server/test_life.py", tmp_path / "journal")
    assert (outcome.passed, outcome.count) == (2, 5)
    assert outcome.failed == {"test_four": "assert 1 == 2", "test_five": "fixture"}
    said = table([outcome, outcome]).splitlines()
    assert said[2] == "| server | 4 | 2 | 4 |"
    assert said[-1] == "| Windows has no such files | 2 |"


def test_the_files_that_took_longest_are_told(tmp_path: Path) -> None:
    lines = '{"of": "a.py::test_one", "took": 2.25}\n{"of": "a.py::test_one", "took": 1.5}\n'
    (tmp_path / "journal").write_text(JOURNAL + lines)
    slow, quick = read("a.py", tmp_path / "journal"), Outcome("b.py", passed=1, seconds=0.5)
    assert slowest([quick, slow]).splitlines()[2:] == ["| a.py | 6 | 4 |", "| b.py | 1 | 0 |"]


def test_how_long_each_test_takes_is_written_down(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    path = tmp_path / "tests" / "test_one.py"
    path.write_text("def test_one(): sum(range(10**6))\n")
    runner = a_runner(tmp_path, [])
    [outcome] = runner.run([path], 1, {})
    took = [entry for entry in entries(runner.journal(path)) if "took" in entry]
    assert len(took) == 3, "it is set up, called and cleared up"
    assert outcome.seconds > 0.001


def test_a_file_that_is_skipped_as_a_whole_counts_with_all_its_tests(tmp_path: Path) -> None:
    line = '{"file": "tests/memory/test_memory.py", "state": "skipped", "why": "no such package"}\n'
    (tmp_path / "journal").write_text(line + '{"state": "done"}\n')
    outcome = read("memory/test_memory.py", tmp_path / "journal", 7)
    assert (outcome.skipped["no such package"], outcome.count) == (7, 7)


@pytest.mark.parametrize("journal", ["", JOURNAL, '{"state": "do', None])
def test_a_process_that_fell_counts_as_a_failure(tmp_path: Path, journal: str | None) -> None:
    if journal is not None:
        (tmp_path / "journal").write_text(journal)
    assert "memory/test_memory.py" in read("memory/test_memory.py", tmp_path / "journal").failed


FALLING_ONCE = """import os
from pathlib import Path

MARK = Path(__file__).with_suffix(".mark")

def test_one():
    if not MARK.exists():
        MARK.touch()
        os._exit(3)

def test_two(): pass
"""
FALLING = "import os\n\ndef test_one(): pass\ndef test_two(): os._exit(3)\ndef test_three(): pass\n"


def a_runner(folder: Path, begun: list[list[str]]) -> Runner:
    """A runner that starts pytest here, and records the files."""
    zipfile.ZipFile(folder / "wheel", "w").close()

    def begin(
        paths: Sequence[Path], arguments: list[str], variables: dict[str, str], limit: float
    ) -> subprocess.CompletedProcess[bytes]:
        begun.append([path.name for path in paths])
        rooted = ["--rootdir", str(folder), "-c", os.devnull, *map(str, paths)]
        command = [sys.executable, "-m", "pytest", *arguments, *rooted]
        return subprocess.run(
            command, cwd=ROOT, env=os.environ | variables, capture_output=True, timeout=limit
        )

    return Runner("test", begin, str, folder / "tests", folder / "reports", folder / "wheel", 60)


def test_a_test_in_which_a_process_fell_is_begun_once_more_and_told(tmp_path: Path) -> None:
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "test_falls.py").write_text(FALLING_ONCE)
    runner = a_runner(tmp_path, [])
    for _ in range(2):
        [found] = runner.run([tests / "test_falls.py"], 1, {})
        assert (found.passed, found.failed, found.fallen) == (2, {}, ["test_one"])
    assert "\n- In test_falls.py a process fell once, in test_one.\n" in table([found])


def test_a_process_that_falls_loses_one_test_and_what_held_is_not_run_again(tmp_path: Path) -> None:
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "test_falls.py").write_text(FALLING)
    (tests / "test_holds.py").write_text("def test_one(): pass\n")
    begun: list[list[str]] = []
    runner = a_runner(tmp_path, begun)
    paths = sorted(tests.glob("test_*.py"))
    for _ in range(2):
        falls, holds = runner.run(paths, 1, {})
        assert (falls.passed, list(falls.failed), holds.passed) == (2, ["test_two"], 1)
    both = ["test_falls.py", "test_holds.py"]
    assert begun == [both] * 3 + [["test_falls.py"]] * 3


def test_a_file_that_cannot_be_read_fails_alone(tmp_path: Path) -> None:
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "test_broken.py").write_text("import no_such_module\n")
    (tests / "test_holds.py").write_text("def test_one(): pass\n")
    begun: list[list[str]] = []
    broken, holds = a_runner(tmp_path, begun).run(sorted(tests.glob("test_*.py")), 1, {})
    assert broken.failed["test_broken.py"].startswith("E   ModuleNotFoundError")
    assert (holds.passed, holds.failed) == (1, {})


def test_files_that_ask_for_a_package_are_known(tmp_path: Path) -> None:
    path = tmp_path / "engine" / "test_x.py"
    path.parent.mkdir()
    path.write_text("import os\n\nimport torch\n")
    assert needs(path, tmp_path) == "torch"
    path.write_text("import os\n# import torch\n")
    assert needs(path, tmp_path) is None
    path.write_text("from tests.models import model\n")
    (tmp_path / "models.py").write_text("from transformers import AutoModel\n")
    assert needs(path, tmp_path) == "transformers"
    (tmp_path / "editors").mkdir()
    (tmp_path / "editors" / "test_x.py").touch()
    assert files(tmp_path) == [path]


def test_a_library_for_windows_exports_what_python_looks_for(tmp_path: Path) -> None:
    listed = tmp_path / "fim_lsp.def"
    listed.write_text("LIBRARY\nEXPORTS\n    PyInit_quotient._native\n")
    wrapper = ROOT / ".ci" / "name-the-export"
    said = subprocess.run(
        [wrapper, "echo", "compiled", "-C", f"link-arg={listed}"], check=True, capture_output=True, text=True
    )
    assert said.stdout.split()[0] == "compiled"
    assert listed.read_text() == "LIBRARY\nEXPORTS\n    PyInit__native\n"


def names_bound_by(node: ast.stmt) -> list[str]:
    match node:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


def read_python(folder: Path) -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted(folder.iterdir()):
        if path.is_file() and (path.suffix == ".py" or not path.suffix):
            with contextlib.suppress(SyntaxError):
                yield path, ast.parse(path.read_bytes())


def test_programs_that_build_find_what_they_take_of_each_other() -> None:
    """Their environment is another one, so neither mypy nor a test of their own reads them together."""
    programs = dict(read_python(ROOT / ".ci"))
    defined = {
        path.stem: {name for node in tree.body for name in names_bound_by(node)}
        for path, tree in programs.items()
    }
    taken = [
        (path.name, node.module, alias.name)
        for path, tree in programs.items()
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module in defined
        for alias in node.names
    ]
    assert ("wheels", "inspection", "looked_into") in taken
    assert [one for one in taken if one[2] not in defined[str(one[1])]] == []


def test_the_share_that_runs_is_of_those_that_need_no_pytorch() -> None:
    collected = Counter({"memory/test_memory.py": 18, "house/test_site.py": 2, "decoding/test_loop.py": 50})
    ran = Outcome("memory/test_memory.py", passed=17)
    ran.skipped["Windows lacks it"] = 1
    found = shared(collected, [ran])
    assert (found.count, found.ran, found.is_enough) == (20, 17, False)
    assert table_of_shares(found).startswith(
        "Of 20 tests that run on Linux without PyTorch, 17 run on Windows (85.0%)"
    )
    assert found.without == {"Windows lacks it": 1, reason("house/test_site.py"): 2}
    assert shared(Counter({"memory/test_memory.py": 18}), [ran]).is_enough


def test_each_file_that_is_not_chosen_has_a_reason() -> None:
    tests = ROOT / "tests"
    chosen = set(files(tests))
    others = [name_of(path, tests) for path in tests.rglob("test_*.py") if path not in chosen]
    assert [name for name in others if reason(name) == "nobody has said why"] == []


def test_questions_are_the_same_every_time_and_of_several_languages() -> None:
    first = questions(200)
    questions(3)
    assert questions(200) == first
    assert Counter(one.language for one in first)["python"] == 140
    assert {one.language for one in first} == {"python", "typescript", "toml", "go", "java", "json"}
    assert len({(one.left, one.right) for one in first}) > 190


def write_answers(folder: Path, name: str, *answers: dict[str, object]) -> Path:
    path = folder / name
    path.write_text(json.dumps({"runtime": name, "answers": answers}))
    return path


def test_an_answer_of_the_engine_may_not_differ_and_an_offer_may(tmp_path: Path) -> None:
    place = {"language": "go", "name": "a.go", "at": 3, "member": False, "witness": ")", "masks": "1f"}
    here = write_answers(tmp_path, "here", place | {"offers": ["x"]}, place | {"offers": ["y"]})
    other = write_answers(tmp_path, "other", place | {"offers": ["x"]}, place | {"offers": ["z"]})
    found = compared(here, other)
    assert (found.is_same, found.n_offers, len(found.offers)) == (True, 2, 1)
    said = table_of_answers(found, "Windows")
    assert "| offers (here and other) | 2 | 1 |" in said
    assert "- a.go at 3: ['y'] here, ['z'] there" in said
    for changed in ({"masks": "2f"}, {"witness": "]"}, {"refused": "3: no"}):
        wrong = write_answers(
            tmp_path, "wrong", place | {"offers": ["x"]}, place | changed | {"offers": ["y"]}
        )
        assert not compared(here, wrong).is_same
    assert not compared(here, write_answers(tmp_path, "fewer", place | {"offers": ["x"]})).is_same
    assert not compared(*(write_answers(tmp_path, name) for name in ("none", "nothing"))).is_same
