"""What builds for other systems and counts what ran there: what its parts say, without those systems."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.windows.chosen import files, needs
from tests.windows.results import read, table

ROOT = Path(__file__).parent.parent

REPORT = """<testsuites><testsuite>
<testcase name="test_one"/><testcase name="test_two"/>
<testcase name="test_three"><skipped message="Windows has no
  such files"/></testcase>
<testcase name="test_four"><failure message="assert 1 == 2&#10;and more">long</failure></testcase>
<testcase name="test_five"><error message="fixture"/></testcase>
</testsuite></testsuites>"""


def test_outcomes_are_counted_with_their_reasons(tmp_path: Path) -> None:
    (tmp_path / "report.xml").write_text(REPORT)
    outcome = read("test_server_life.py", tmp_path / "report.xml")
    assert (outcome.passed, outcome.count) == (2, 5)
    assert outcome.failed == {"test_four": "assert 1 == 2", "test_five": "fixture"}
    said = table([outcome, outcome]).splitlines()
    assert said[2] == "| server | 4 | 2 | 4 |"
    assert said[-1] == "| Windows has no such files | 2 |"


@pytest.mark.parametrize("report", ["", "<testsuites>", None])
def test_a_process_that_fell_counts_as_a_failure(tmp_path: Path, report: str | None) -> None:
    if report is not None:
        (tmp_path / "report.xml").write_text(report)
    assert list(read("test_memory.py", tmp_path / "report.xml").failed) == ["test_memory.py"]


def test_files_that_ask_for_a_package_are_known(tmp_path: Path) -> None:
    path = tmp_path / "test_engine_x.py"
    path.write_text("import os\n\nimport torch\n")
    assert needs(path) == "torch"
    path.write_text("import os\n# import torch\n")
    assert needs(path) is None
    path.write_text("from tests.models import model\n")
    (tmp_path / "models.py").write_text("from transformers import AutoModel\n")
    assert needs(path) == "transformers"
    (tmp_path / "test_editors_x.py").touch()
    assert files(tmp_path) == [path]


def test_a_library_for_windows_exports_what_python_looks_for(tmp_path: Path) -> None:
    listed = tmp_path / "fim_lsp.def"
    listed.write_text("LIBRARY\nEXPORTS\n    PyInit_fim_lsp._native\n")
    wrapper = ROOT / ".ci" / "name-the-export"
    said = subprocess.run(
        [wrapper, "echo", "compiled", "-C", f"link-arg={listed}"], check=True, capture_output=True, text=True
    )
    assert said.stdout.split()[0] == "compiled"
    assert listed.read_text() == "LIBRARY\nEXPORTS\n    PyInit__native\n"
