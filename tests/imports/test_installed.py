"""Names that a declared dependency exports: which names they are, and what is read of an environment."""

from __future__ import annotations

import os
import sys
from pathlib import Path, PurePosixPath

import pytest

from fim_lsp.context.dependencies import (
    MOST_BYTES,
    declared_dependencies,
    exported_names,
    face_of,
    installed_packages,
    sources_of,
)
from fim_lsp.memory.workspace import Scan
from tests.imports.test_missing import importable_of

SITE = Path(".venv", "lib", "python3.12", "site-packages")
SOAP = {
    "soap/__init__.py": "from ._client import Client, get\nfrom .errors import *\nfrom . import forms\n"
    "from json import JSONDecoder\n__version__ = '1'\nVERSION = '1'\n",
    "soap/_client.py": "class Client: ...\nclass Hidden: ...\ndef get(url): ...\n",
    "soap/errors.py": "class SoapError(Exception): ...\ndef _own(): ...\n",
    "soap/forms.py": "class Form: ...\nclass Field: ...\ndef to_text(form): ...\ndef clean(form): ...\n",
    "soap/tests/test_forms.py": "class FormCase: ...\n",
}
FIELDS = {"fields.py": "class Field: ...\n", "other_fields.pyi": "class Acre: ...\n", "other_fields.py": ""}
PYPROJECT = """
[project]
name = "shop"
dependencies = [
    "Soap[fast] >= 2; python_version > '3.8'",  # a comment
    'other-fields~=1.0',
]
[project.optional-dependencies]
more = ["fields==1"]
[dependency-groups]
dev = ["pytest"]
[tool.poetry.dependencies]
python = "^3.9"
"poet.ry" = "^1.0"
"""


def put(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def install(folder: Path, name: str, files: dict[str, str]) -> None:
    put(folder / SITE, files)
    record = "".join(f"{file},sha256=x,1\n" for file in (*files, "../../../bin/soap.py", "soap/data.txt"))
    put(folder / SITE, {f"{name}-1.0.dist-info/RECORD": record})
    put(folder, {".venv/pyvenv.cfg": "version = 3.12.1\n"})


@pytest.fixture
def project(tmp_path: Path) -> Path:
    install(tmp_path, "soap", SOAP)
    install(tmp_path, "Other_Fields", FIELDS)
    install(tmp_path, "unasked", {"unasked.py": "class Unasked: ...\n"})
    put(tmp_path, {"pyproject.toml": PYPROJECT, "shop.py": "class Cart: ...\n"})
    return tmp_path


def scanned(project: Path) -> Scan:
    scan = Scan(lambda _: [], 1, lambda _: True, has_tokens=False, has_outlines=True)
    assert scan.workspace([str(project)]) is not None
    return scan


def test_what_is_declared_is_found_in_both_files(project: Path) -> None:
    put(project, {"requirements.txt": "# all\nDjango>=4\n-r more.txt\nmy.pkg @ https://example.org/x\n\n"})
    assert declared_dependencies(project) == {"soap", "other-fields", "fields", "poet-ry", "django", "my-pkg"}
    # A file with an error elsewhere, and a file without dependencies.
    put(project, {"pyproject.toml": "[project]\ndependencies = ['a', 'b']\n[broken\n x = ]\n"})
    assert {"a", "b"} <= declared_dependencies(project)
    put(
        project,
        {"pyproject.toml": "dependencies = 3\n[project]\ndependencies = 'a'\n", "requirements.txt": ""},
    )
    assert declared_dependencies(project) == frozenset()


@pytest.mark.parametrize(
    ("name", "module"),
    [
        # The module that re-exports the name, although another one defines it.
        ("Client", "soap"),
        ("SoapError", "soap"),
        ("VERSION", "soap"),
        ("Form", "soap.forms"),
        ("to_text", "soap.forms"),
        ("Acre", "other_fields"),
        # A top-level module.
        ("soap", "soap"),
        # Two modules export it; no module re-exports it; a common word; another package's name; names for
        # tests.
        ("Field", None),
        ("Hidden", None),
        ("get", None),
        ("clean", None),
        ("JSONDecoder", None),
        ("_own", None),
        ("FormCase", None),
        ("Unasked", None),
    ],
)
def test_a_dependency_s_names_are_importable(project: Path, name: str, module: str | None) -> None:
    scan = Scan(lambda _: [], 1, lambda _: True, has_tokens=False, has_outlines=True)
    workspace = scan.workspace([str(project)])
    assert workspace is not None
    found = workspace.importable.source(name, (project / "shop.py").as_uri())
    assert (found and found.module) == module
    if found is not None and name == "soap":
        assert found.is_import


def test_what_the_project_means_goes_first() -> None:
    sources = exported_names({path: face_of(text) for path, text in _paths(SOAP).items()})
    files = {
        "a.py": "from other import Client\nfrom b import SoapError\n",
        "b.py": "class SoapError: ...\n",
        "c.py": "from d import to_text\n",
        "d.py": "def to_text(): ...\n",
        "soap.py": "",
        "e.py": "class Form: ...\n",
        "z.py": "",
    }
    known = importable_of(files, sources)
    expected = {"Client": "other", "SoapError": "b", "to_text": "d", "VERSION": "soap"}
    for name, module in expected.items():
        found = known.source(name, "file:///z.py")
        assert found is not None
        assert found.module == module
    # A module of the project that defines the name, or has it, may be meant instead.
    assert known.source("Form", "file:///z.py") is None
    assert known.source("soap", "file:///z.py") is None


def _paths(files: dict[str, str]) -> dict[PurePosixPath, str]:
    return {PurePosixPath(name): text for name, text in files.items()}


def test_what_is_installed_later_is_seen(project: Path) -> None:
    scan = scanned(project)
    assert scan.workspace([str(project)]) is None
    install(project, "soap", SOAP | {"soap/forms.py": "class Blank: ...\n", "soap/more.py": ""})
    workspace = scan.workspace([str(project)])
    assert workspace is not None
    assert "Blank" in workspace.importable.sources
    assert "Form" not in workspace.importable.sources


def test_only_regular_files_of_the_environment_are_read(project: Path) -> None:
    site = project / SITE
    (site / "soap" / "forms.py").write_text("class Form: ...\n" + "#" * MOST_BYTES)
    if sys.platform != "win32":
        (site / "soap" / "_client.py").unlink()
        os.mkfifo(site / "soap" / "_client.py")
    record = site / "soap-1.0.dist-info" / "RECORD"
    record.write_text(
        record.read_text() + '/etc/passwd.py,,\n../../x.py,,\n"soap/errors.py\n', encoding="utf-8"
    )
    sources = scanned(project).dependencies.sources
    assert "Form" not in sources
    assert "SoapError" in sources
    paths = [path for _, path in sources_of(installed_packages(project))]
    assert all(not path.is_absolute() and ".." not in path.parts for path in paths)


def test_without_an_environment_nothing_is_known(project: Path) -> None:
    (project / ".venv" / "pyvenv.cfg").unlink()
    assert not scanned(project).dependencies.sources
