"""Every command in README.md is run, and the output shown there is the one that it prints.

Commands are the lines after `$ ` in ```console blocks, run from the top of the checkout. Times differ from
run to run, so numbers with a unit of time are compared as `TIME`.
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")

# The commands that write files into the current folder, where the user may have files of these names.
LEAVES_FILES = ("fim-lsp replay ",)
# Commands that are not run here, because another test runs them.
ELSEWHERE = {
    "make test": "it is what runs this test; .ci/run calls it",
    "fim-lsp models --download qwen2.5-coder-0.5b": "tests/commands/test_fetching.py has a hub of its own",
    "make wheel": "tests/packages/test_wheel.py builds the wheel with it",
    "pip install dist/fim_lsp-*.whl": "tests/packages/test_wheel.py installs it into a fresh environment",
}


@dataclass(frozen=True, slots=True)
class Command:
    line: str
    output: str


def commands() -> list[Command]:
    blocks = re.findall(r"^```console\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    shown = [part for block in blocks for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    return [Command(*part.split("\n", 1)) for part in shown]


def timeless(text: str) -> str:
    return re.sub(r"\b[\d.]+ (ns|us|ms|s)\b", "TIME", text)


def run(line: str, folder: Path) -> str:
    """Runs a line as a user's shell would, with the checkout's environment active."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    environment["NO_COLOR"] = "1"
    answer = subprocess.run(
        line,
        shell=True,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    # 1 is an answer ("no, it does not parse"); 2 and more are failures.
    assert answer.returncode in (0, 1), answer.stdout
    return answer.stdout


@pytest.mark.parametrize("command", commands(), ids=lambda command: command.line)
def test_every_command_runs_and_prints_what_is_shown(command: Command, tmp_path: Path) -> None:
    if command.line in ELSEWHERE:
        return
    printed = run(command.line, tmp_path if command.line.startswith(LEAVES_FILES) else ROOT)
    assert not command.output or timeless(printed) == timeless(command.output)


def test_the_commands_run_elsewhere_are_still_shown() -> None:
    assert set(ELSEWHERE) <= {command.line for command in commands()}


def test_the_library_examples() -> None:
    page = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    example = doctest.DocTestParser().get_doctest(page, {}, "library.md", "library.md", 0)
    assert len(example.examples) > 3
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example)
    assert results.failed == 0


def test_the_editor_configuration_starts_the_server_that_we_have() -> None:
    [command] = re.findall(r"cmd = \{ ([^}]+) \}", README)
    assert re.findall(r'"([^"]+)"', command) == ["fim-lsp", "serve"]


def test_the_first_screen_says_what_it_is_and_how_to_get_it() -> None:
    first_screen = "\n".join(README.splitlines()[:50])
    for wanted in (
        "docs/images/",
        "make vsix",
        "pip install",
        "fim-lsp models --download",
        "fim-lsp complete",
    ):
        assert wanted in first_screen
    # Gigabytes for tests alone come last.
    assert README.index("pip install") < README.index("make test")


def test_it_fits_two_screens_and_says_nothing_twice() -> None:
    assert len(README.splitlines()) <= 110
    sentences = [one.strip() for one in re.split(r"[.:]\s", re.sub(r"\s+", " ", README)) if len(one) > 40]
    assert len(sentences) == len(set(sentences))


def test_links_to_files_lead_somewhere() -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", README):
        assert (ROOT / target).exists(), target
