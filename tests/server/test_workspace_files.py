"""Files of the workspace that the server reads, made by a hostile stranger: documents are served meanwhile. A
file that cannot be read completely counts as excluding everything."""

from __future__ import annotations

import os
import random
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest
import pytest_asyncio

from fim_lsp.python_version import lowest_admitted, python_version, requires_python
from fim_lsp.server.exclusion import exclusion
from fim_lsp.server.ignoring import MAX_LINES, compile_patterns, verdict
from tests.server_editor import VERSION
from tests.sessions.client import PATIENT, SCRIPTED, Client
from tests.sessions.editor import Editor

SETTINGS: dict[str, Any] = {"model": "none", **PATIENT}
STARS = "*a" * 30 + "b"
# Processor seconds, because machines are busy. The measured work once took from four seconds to forever.
SOON = 15.0

needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")


def linked_to_zero(path: Path) -> None:
    path.symlink_to("/dev/zero")


def pipe(path: Path) -> None:
    os.mkfifo(path)


def huge(path: Path) -> None:
    path.write_text("x\n" * 5_000_000)


def many_lines(path: Path) -> None:
    path.write_text("".join(f"*{number}a*b*c\n" for number in range(200_000)))


def hard_patterns(path: Path) -> None:
    path.write_text(f"{STARS}\n" * 1000)


def many_spaces(path: Path) -> None:
    path.write_text("[" + " " * 60_000 + "\n" + " " * 60_000 + "x\nrequires-python = '" + "1." * 50_000 + "'")


HOSTILE: list[Any] = [
    pytest.param(linked_to_zero, marks=needs_pipes),
    pytest.param(pipe, marks=needs_pipes),
    huge,
    many_lines,
    hard_patterns,
    many_spaces,
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client() -> AsyncIterator[Client]:
    client = await Client.start(command=SCRIPTED)
    await client.initialize(SETTINGS | {"pythonVersion": VERSION})
    # The worker has started by then.
    await client.command("fim-lsp.switchModel", "none")
    yield client
    assert await client.stop() == 0


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    "name", [".gitignore", ".fimignore", "pyproject.toml", ".git/info/exclude", "venv/pyvenv.cfg"]
)
@pytest.mark.parametrize("make", HOSTILE)
async def test_no_file_of_the_workspace_keeps_documents_waiting(
    client: Client, tmp_path: Path, name: str, make: Callable[[Path], None]
) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    make(tmp_path / name)
    editor = Editor(client)
    other = editor.open("untitled:other.py", "f(")
    other.cursor = 2
    hostile = editor.open((tmp_path / ("a" * 200 + ".py")).as_uri(), "f(")
    hostile.cursor = 2
    begun = time.process_time()
    assert [item.text for item in await editor.complete(other)] == [")"]
    # The document is completed or excluded, but in any case answered.
    await editor.complete(hostile)
    assert time.process_time() - begun < SOON
    assert psutil.Process(client.process.pid).memory_info().rss < 500 << 20


@pytest.mark.parametrize("name", [".gitignore", ".fimignore"])
@pytest.mark.parametrize("make", [huge, many_lines])
def test_what_is_too_large_to_be_read_may_name_the_file(
    tmp_path: Path, name: str, make: Callable[[Path], None]
) -> None:
    make(tmp_path / name)
    found = exclusion((tmp_path / "a.py").as_uri(), (), ())
    assert found is not None
    assert name in found.message


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_names_nothing_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".gitignore")
    os.mkfifo(tmp_path / "pyproject.toml")
    assert exclusion((tmp_path / "a.py").as_uri(), (), ()) is None
    assert python_version(tmp_path / "a.py", None)


def test_matching_costs_what_the_path_is_long() -> None:
    patterns = compile_patterns(f"{STARS}\n")
    begun = time.process_time()
    assert verdict(patterns, Path("a" * 250)) is None
    assert verdict(patterns, Path("a" * 250 + "b")) is True
    assert time.process_time() - begun < SOON


def test_as_many_lines_as_are_read_are_read_soon() -> None:
    """The lines are of the slowest kind: none of them is a name, a suffix or a path."""
    source = random.Random(1)
    lines = ("".join(source.choices("ab*?c", k=12)) for _ in range(MAX_LINES))
    begun = time.process_time()
    exclusion("file:///nowhere/a.py", tuple(lines), ())
    assert time.process_time() - begun < SOON


# --- versions --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "specifier",
    [">=" + "3" * 5000, ">=3." + "1" * 5000, "==3.1" + ".1" * 5000, ">=3.8," * 5000, "~=" * 5000],
)
def test_a_specifier_that_no_programmer_would_write_is_none(specifier: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(f'[project]\nrequires-python = "{specifier}"\n')
    begun = time.process_time()
    assert lowest_admitted(specifier) is None
    assert python_version(tmp_path / "a.py", None)
    assert time.process_time() - begun < SOON


def test_a_version_of_5000_digits_in_an_environment_is_none(tmp_path: Path) -> None:
    (tmp_path / "pyvenv.cfg").write_text("version = 3." + "1" * 5000)
    assert python_version(tmp_path / "a.py", None)


@pytest.mark.parametrize("line", ["[" + " " * 60_000, " " * 60_000 + "x", "a" * 60_000, "[" * 60_000])
def test_a_line_that_could_be_read_in_many_ways_is_read_at_once(line: str) -> None:
    begun = time.process_time()
    assert requires_python(line) is None
    assert time.process_time() - begun < SOON


@pytest.mark.asyncio
@pytest.mark.skipif(os.name != "posix", reason="elsewhere a folder in use cannot be deleted")
async def test_a_working_directory_that_was_deleted_is_no_reason_for_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    client = await Client.start(cwd=folder)
    folder.rmdir()
    await client.initialize(SETTINGS)
    editor = Editor(client)
    for uri in ("untitled:a.py", (folder / "b.py").as_uri()):
        buffer = editor.open(uri, "f(")
        buffer.cursor = 2
        assert [item.text for item in await editor.complete(buffer)] == [")"]
    assert await client.command("fim-lsp.switchModel", "none") == {"model": "none", "message": ""}
    assert await client.stop() == 0
