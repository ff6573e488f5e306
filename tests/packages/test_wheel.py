"""The wheel, built and installed into a new environment as in the README, without PyTorch."""

from __future__ import annotations

import ast
import asyncio
import json
import os
import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from fim_lsp.bundled_models import BUNDLED
from tests.sessions.client import Client
from tests.sessions.editor import Editor, Item, opened
from training.gguf_file import write_gguf

ROOT = Path(__file__).parents[2]
WHEELHOUSE = ROOT / ".venv" / "wheelhouse"
# The packages of an empty new environment.
BROUGHT_ALONG = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "distutils")


@pytest.fixture(scope="module")
def wheel() -> Path:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    subprocess.run(["make", "wheel"], cwd=ROOT, env=environment, check=True)
    [built] = (ROOT / "dist").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def fresh(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of an environment with the wheel and its dependencies, installed without a network."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder)
    programs = folder / "bin"
    offline = ["--no-index", "--find-links", str(WHEELHOUSE), "--quiet"]
    # This environment's pip installs them, because unpacking another pip takes as long as all the rest.
    pip = [sys.executable, "-m", "pip", "--python", str(programs / "python")]
    subprocess.run([*pip, "install", *offline, str(wheel)], check=True)
    return programs


def run(program: Path, *arguments: str, folder: Path) -> str:
    """Runs a command outside the checkout, so that nothing is imported from its sources."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [str(program), *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=True
    ).stdout


def test_one_wheel_serves_every_python_from_3_10_up(wheel: Path) -> None:
    assert "-cp310-abi3-" in wheel.name


def test_it_holds_the_packages_and_grammars_and_no_sources_of_the_engine(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in (
        r"fim_lsp/cli\.py",
        r"quotient/_native\.\S*(so|pyd)",
        r"fim_lsp/bundled/model/model\.safetensors",
        r"fim_lsp/bundled/model/model\.onnx",
        r"fim_lsp/bundled/model/LICENSE",
        r"fim_lsp/bundled/braces/model\.safetensors",
        r"fim_lsp/bundled/braces/model\.onnx",
        r"fim_lsp/bundled/braces/LICENSE",
        r"fim_lsp/llama_libraries/LICENSE",
        r"fim_lsp/llama_libraries/(lib)?llama\..*(so|dll|dylib)",
        r"quotient/__init__\.py",
        r"quotient/grammars/\S+",
        r"quotient/py\.typed",
        r"\S+/licenses/LICENSE",
    ):
        assert any(re.fullmatch(wanted, name) for name in names), wanted
    sources = re.compile(r"\.rs$|Cargo\.toml|__pycache__|^tests/|^datasets/|^training/")
    unwanted = [name for name in names if sources.search(name)]
    assert unwanted == []
    # Other names may belong to other packages.
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not re.search(r"\.(?:dist-info|data|libs)$", top)} == {
        "fim_lsp",
        "quotient",
    }


def test_it_is_not_much_larger_than_the_model_and_llama_cpp(wheel: Path) -> None:
    carried = re.compile("/bundled/|/llama_libraries/")
    others = [info for info in zipfile.ZipFile(wheel).infolist() if not carried.search(info.filename)]
    assert sum(info.compress_size for info in others) < 8 * 2**20
    assert wheel.stat().st_size < 40 * 2**20


def test_everything_imports_and_works_without_a_model_library(fresh: Path, tmp_path: Path) -> None:
    script = """
import sys
import quotient, fim_lsp
import fim_lsp.server
assert not {"torch", "transformers"} & set(sys.modules)
hole = quotient.Language.load("python", version="3.11").recognizer("print((1 + ", "\\n")
print(hole.advance("2)"), hole.witness())
"""
    assert run(fresh / "python", "-c", script, folder=tmp_path) == "True )\n"


def test_the_command_is_installed_and_healthy(fresh: Path, tmp_path: Path) -> None:
    assert "serves completions by the bundled model\n" in run(fresh / "fim-lsp", "doctor", folder=tmp_path)


def test_the_bundled_model_completes(fresh: Path, tmp_path: Path) -> None:
    (tmp_path / "area.py").write_text("def area(width, height):\n    return \n")
    answer = json.loads(run(fresh / "fim-lsp", "complete", "--json", "area.py:2:12", folder=tmp_path))
    assert (answer["model"], bool(answer["completions"])) == ("bundled", True)
    ast.parse("def area(width, height):\n    return " + answer["completions"][0]["text"] + "\n")


def test_a_gguf_file_runs_without_another_package(fresh: Path, tmp_path: Path) -> None:
    write_gguf(BUNDLED, tmp_path / "model.gguf")
    (tmp_path / "area.py").write_text("def area(width, height):\n    return \n")
    asked = ["complete", "--json", "--model", "model.gguf", "area.py:2:12"]
    answer = json.loads(run(fresh / "fim-lsp", *asked, folder=tmp_path))
    ast.parse("def area(width, height):\n    return " + answer["completions"][0]["text"] + "\n")


def test_it_takes_no_more_than_230_megabytes_with_all_that_it_needs(fresh: Path) -> None:
    [packages] = fresh.parent.glob("lib/python*/site-packages")
    sizes = {
        path: path.stat().st_size
        for path in packages.rglob("*")
        if path.is_file() and path.relative_to(packages).parts[0].split("-")[0] not in BROUGHT_ALONG
    }
    assert sum(sizes.values()) <= 230e6
    names = {path.relative_to(packages).parts[0] for path in sizes}
    assert {"onnxruntime", "numpy"} <= names
    assert not {"torch", "transformers", "tokenizers", "sympy"} & names


def test_the_server_offers_what_the_model_writes(fresh: Path, tmp_path: Path) -> None:
    async def offered() -> list[Item]:
        client = await Client.start(command=(str(fresh / "fim-lsp"), "serve"), cwd=tmp_path)
        await client.initialize({}, {"textDocument": {"inlineCompletion": {}}})
        editor = Editor(client)
        buffer = opened(editor, "file:///area.py", "def area(width, height):\n    return $0\n")
        await client.until(lambda: any(status["model"] == "bundled" for status in client.statuses()))
        # The offer is requested by hand, because automatic offers have to pass the judge.
        items = await editor.complete(buffer, invoked=True)
        assert await client.stop() == 0
        return items

    items = asyncio.run(offered())
    assert items
    for item in items:
        ast.parse("def area(width, height):\n    return " + item.text + "\n")


def test_the_installed_files_are_those_of_the_fresh_environment(fresh: Path, tmp_path: Path) -> None:
    where = run(fresh / "python", "-c", "import quotient; print(quotient.__file__)", folder=tmp_path)
    assert where.startswith(str(fresh.parent))
