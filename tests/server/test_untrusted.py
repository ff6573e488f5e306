"""A folder with a stranger's files is opened: none of its code runs, however the server is started."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fim_lsp.own_process import python_command
from fim_lsp.server.model_setting import model_name
from tests.server_editor import VERSION
from tests.sessions.client import PATIENT, SERVE, Client
from tests.sessions.editor import Editor

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "vscode-client"
# Names of modules that Python and our code import, and that the workspace's folder has, too.
NAMES = {
    *sys.stdlib_module_names,
    *("fim_lsp", "quotient", "pygls", "lsprotocol", "cattrs", "attrs", "pathspec", "lark"),
    *("numpy", "torch", "transformers", "tokenizers", "tree_sitter", "tree_sitter_python"),
    *("sitecustomize", "usercustomize"),
}
TRAP = "import sys; open({mark!r}, 'a').write(__name__ + ' '); sys.exit('run from the workspace')\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A folder with many modules. A module that is imported from there writes its name to `tmp_path/mark`."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    trap = TRAP.format(mark=str(tmp_path / "mark"))
    for name in NAMES:
        (folder / f"{name}.py").write_text(trap)
    for package in ("fim_lsp", "quotient", "encodings", "importlib", "collections"):
        (folder / package).mkdir()
        (folder / package / "__init__.py").write_text(trap)
        (folder / package / "__main__.py").write_text(trap)
    return folder


def ran(workspace: Path) -> str:
    mark = workspace.parent / "mark"
    return mark.read_text() if mark.exists() else ""


def client_s_command(tmp_path: Path, **surroundings: object) -> tuple[list[str], str]:
    """The command line and the directory with which the VS Code extension starts the server."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no Node on this machine")
    bundle = tmp_path / "serverCommand.js"
    esbuild = [node, "node_modules/esbuild/bin/esbuild", "src/serverCommand.ts", "--bundle", "--format=cjs"]
    subprocess.run(
        [*esbuild, "--platform=node", "--log-level=error", f"--outfile={bundle}"], cwd=CLIENT, check=True
    )
    given = {
        "command": [],
        "python": "",
        "serverArguments": [],
        "selectedPython": "",
        "workspaceFolders": [],
        "ownFolder": str(CLIENT / "src"),
        "ownEnvironment": str(tmp_path / "environment"),
        "searchPath": [],
        "platform": "linux",
    }
    asked = (
        f"const {{ serverCommand }} = require({json.dumps(str(bundle))});"
        f"const given = {json.dumps({**given, **surroundings})};"
        "const isFile = (file) => require('fs').existsSync(file);"
        "console.log(JSON.stringify(serverCommand({ ...given, isFile })));"
    )
    answer = subprocess.run([node, "-e", asked], check=True, capture_output=True, text=True)
    found = json.loads(answer.stdout)
    return [found["program"], *found["args"]], found["cwd"]


async def completes(
    command: list[str], cwd: Path, env: dict[str, str] | None = None, **options: object
) -> None:
    client = await Client.start(command=command, cwd=cwd, env=env)
    folder = cwd.as_uri()
    settings = {"model": "none", "pythonVersion": VERSION, **PATIENT, **options}
    await client.initialize(settings, rootUri=folder)
    editor = Editor(client)
    buffer = editor.open(f"{folder}/types.py", "f(")
    buffer.cursor = 2
    assert [item.text for item in await editor.complete(buffer)] == [")"]
    assert await client.stop() == 0


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "surroundings",
    [{"python": sys.executable}, {"searchPath": [str(Path(sys.executable).parent)]}],
    ids=["python", "PATH"],
)
async def test_the_extension_s_server_runs_nothing_of_the_folder(
    workspace: Path, tmp_path: Path, surroundings: dict[str, object]
) -> None:
    command, cwd = client_s_command(tmp_path, workspaceFolders=[str(workspace)], **surroundings)
    assert Path(cwd) != workspace
    # Even there it would run no code of the folder.
    await completes(command, workspace)
    assert ran(workspace) == ""


@pytest.mark.asyncio
async def test_a_relative_entry_of_pythonpath_means_nothing_in_the_extension_s_folder(
    workspace: Path, tmp_path: Path
) -> None:
    command, cwd = client_s_command(tmp_path, workspaceFolders=[str(workspace)], python=sys.executable)
    await completes(command, Path(cwd), {**os.environ, "PYTHONPATH": f".{os.pathsep}"})
    assert ran(workspace) == ""


@pytest.mark.asyncio
async def test_the_command_on_path_runs_nothing_of_the_folder(workspace: Path) -> None:
    """Neovim and others start it like this, in their current folder."""
    await completes(list(SERVE), workspace)
    assert ran(workspace) == ""


@pytest.mark.asyncio
@pytest.mark.skipif(sys.platform == "win32", reason="the type checker of this test is a script of the shell")
@pytest.mark.parametrize(
    ("options", "is_run"),
    [
        ({}, False),
        ({"workspaceTrusted": False}, False),
        ({"workspaceTrusted": "yes"}, False),
        ({"workspaceTrusted": True, "types": "off"}, False),
        ({"workspaceTrusted": True}, True),
        ({"types": "on"}, True),
    ],
)
async def test_a_folder_s_type_checker_is_run_where_it_is_trusted(
    workspace: Path, options: dict[str, object], is_run: bool
) -> None:
    checker = workspace / ".venv" / "bin" / "ty"
    checker.parent.mkdir(parents=True)
    checker.write_text(f"#!/bin/sh\necho checker >>{workspace.parent / 'mark'}\n")
    checker.chmod(0o755)
    await completes(list(SERVE), workspace, None, **options)
    assert ("checker" in ran(workspace)) == is_run


def test_our_own_processes_run_nothing_of_the_folder(workspace: Path) -> None:
    command = [*python_command("fim_lsp.cli"), "--version"]
    shown = subprocess.run(command, cwd=workspace, capture_output=True, text=True, check=True).stdout
    assert shown.startswith("fim-lsp ")
    assert ran(workspace) == ""


@pytest.mark.skipif(sys.version_info < (3, 11), reason="`-P` is new in Python 3.11")
def test_the_documented_way_by_hand_runs_nothing_of_the_folder(workspace: Path) -> None:
    command = [sys.executable, "-P", "-m", "fim_lsp", "--version"]
    subprocess.run(command, cwd=workspace, capture_output=True, check=True)
    assert ran(workspace) == ""


def test_run_as_a_module_we_import_nothing_of_the_folder_ourselves(tmp_path: Path) -> None:
    """Only our own imports count. Those of `-m` itself, before any of our lines, depend on the version."""
    code = "import runpy, importlib.util, sys; print(*sys.modules)"
    known = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    for name in NAMES.difference(known.split(), ("fim_lsp", "sitecustomize", "usercustomize")):
        (tmp_path / f"{name}.py").write_text(TRAP.format(mark=str(tmp_path / "mark")))
    command = [sys.executable, "-m", "fim_lsp", "complete", "--help"]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    assert not (tmp_path / "mark").exists()


def test_a_folder_called_like_a_model_is_not_taken_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("bundled", "none", "Qwen/Qwen2.5-Coder-0.5B"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    for name in ("bundled", "none", "Qwen/Qwen2.5-Coder-0.5B"):
        assert model_name(name) == name
        assert model_name(f"./{name}") == model_name(str(tmp_path / name)) == str(tmp_path / name)
    assert model_name("") is None
