"""Promises of the repository about itself: targets have help, datasets checksums, dependencies reasons."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import pydoc
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from posixpath import dirname, normpath

import pytest

from tests.house.own_files import ROOT, path_of, text_of, tracked


def make(*arguments: str) -> str:
    """The output of make as started from a shell: under `make test`, make would report that it is nested."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    command = ["make", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    ).stdout


def test_make_help_lists_every_target() -> None:
    rules = text_of("Makefile") + text_of("authors.mk")
    targets = re.findall(r"^\.PHONY: ([a-z0-9-]+)$", rules, re.MULTILINE)
    assert [line.split()[1] for line in make("help").splitlines()] == targets
    assert {"demo", "test", "check", "bench", "verify", "vsix", "help"} <= set(targets)


def test_make_alone_is_make_help() -> None:
    assert make() == make("help")


def test_prerequisites_name_the_interpreter_on_stdout_alone() -> None:
    command = [str(ROOT / ".ci" / "prerequisites"), "python"]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    assert Path(answer.stdout.strip()).is_file()


def test_an_unknown_prerequisite_is_refused() -> None:
    command = [str(ROOT / ".ci" / "prerequisites"), "cobol"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert answer.returncode == 1
    assert "no such tool: cobol" in answer.stderr


def test_missing_tools_without_rights_and_network_give_a_clear_message(tmp_path: Path) -> None:
    """PATH holds only what the script itself needs."""
    for tool in ("bash", "dirname", "head", "sort", "printf", "cut", "env"):
        where = subprocess.run(["bash", "-c", f"type -P {tool}"], capture_output=True, text=True, check=True)
        (tmp_path / tool).symlink_to(where.stdout.strip())
    command = [str(tmp_path / "bash"), str(ROOT / ".ci" / "prerequisites"), "python"]
    answer = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": str(tmp_path), "HOME": str(tmp_path)},
    )
    assert answer.returncode == 1
    assert "Python 3.10 or later with the venv module is needed" in answer.stderr
    assert "apt-get install python3 python3-venv" in answer.stderr


def test_every_dataset_file_has_its_origin_licence_and_checksum() -> None:
    readme = text_of("datasets/README.md")
    rows = dict(re.findall(r"^\| `([^`]+)` \|.*\| `([0-9a-f]{64})` \|$", readme, re.MULTILINE))
    files = [name.removeprefix("datasets/") for name in tracked("datasets") if not name.endswith("README.md")]
    assert sorted(rows) == sorted(files)
    for name, checksum in rows.items():
        assert hashlib.sha256((ROOT / "datasets" / name).read_bytes()).hexdigest() == checksum, name


def test_datasets_are_not_a_package() -> None:
    assert not list((ROOT / "datasets").rglob("__init__.py"))


def test_engine_and_client_have_one_version() -> None:
    workspace = re.search(r'^version = "([^"]+)"', text_of("Cargo.toml"), re.MULTILINE)
    client = json.loads(text_of("vscode-client/package.json"))
    assert workspace is not None
    assert client["version"] == workspace[1]
    assert f"## {client['version']}" in text_of("CHANGELOG.md")


PAGES = tracked("*.md")
# These names occur often: each replay has a report, and each project a setup.py.
NOT_OURS = {"report.md", "setup.py"}
# A file of ours in a page or a comment: by its path, or by its name if that is unique.
OUR_FILE = re.compile(r"`([\w./-]+\.(?:py|rs|ts|lua|lark|md))`")


def missing(content: str) -> list[str]:
    """The files of ours that a text names and that do not exist."""
    named = set(OUR_FILE.findall(content)) - NOT_OURS
    known = [f"/{name}" for name in tracked(".")]
    return sorted(name for name in named if not any(one.endswith(f"/{name}") for one in known))


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_links_to_and_names_is_there(page: str) -> None:
    content = text_of(page)
    for target in re.findall(r"\]\((?!\w+:)([^)#\s]+)", content):
        assert path_of(normpath(f"{dirname(page)}/{target}").lstrip("/")).exists(), target
    assert missing(content) == []


def test_names_of_ours_that_pages_give_are_where_they_say() -> None:
    named = {name for page in PAGES for name in re.findall(r"`(fim_lsp(?:\.\w+)+)[`(]", text_of(page))}
    # A key of GGUF files.
    named.discard("fim_lsp.fim")
    assert "fim_lsp.decoding.models.model.load_model" in named
    for name in sorted(named):
        assert pydoc.locate(name) is not None, name


def test_what_comments_name_is_there() -> None:
    sources = [path_of(name) for ending in ("py", "rs", "ts", "lua") for name in tracked(f"*.{ending}")]
    comment = re.compile(r"^ *(?:#|//[/!]?|--) .*$", re.MULTILINE)
    comments = [found for path in sources for found in comment.findall(path.read_text(encoding="utf-8"))]
    assert len(comments) > 1_000
    assert missing("\n".join(comments)) == []


def test_the_code_map_names_every_folder() -> None:
    page = text_of("ARCHITECTURE.md")
    rows = re.findall(r"^\| (`.*?) \|", page.split("## Code map")[1].split("\n## ")[0], re.MULTILINE)
    mapped = [name for row in rows for name in re.findall(r"`([^`]+)/`", row)]
    assert [name for name in mapped if not path_of(name).is_dir()] == []
    ours = {name.split("/")[0] for name in tracked(".") if "/" in name}
    assert ours == {name.split("/")[0] for name in mapped}


def test_the_architecture_stays_short_enough_to_be_read() -> None:
    """Its glossary and the table of the paper's terms do not count, because they are for look-ups."""
    parts = re.split(r"(?m)^(?=## )", text_of("ARCHITECTURE.md"))
    read = [part for part in parts if not part.startswith(("## Words", "## The paper's terms"))]
    assert len(parts) - len(read) == 2
    assert len("".join(read).split()) < 2_800


def test_the_client_carries_the_licence() -> None:
    assert (ROOT / "vscode-client" / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def declared_dependencies(*, of_windows: bool = True) -> list[str]:
    pyproject = text_of("pyproject.toml")
    lists = re.findall(
        r"^(?:dependencies|dev|model|release|requires|site) = \[(.*?)\]$", pyproject, re.MULTILINE | re.DOTALL
    )
    items = [item for text in lists for item in re.findall(r'"([^"]+)"', text)]
    names = [re.match(r"[\w-]+", item) for item in items if of_windows or "== 'win32'" not in item]
    return sorted({name[0] for name in names if name is not None})


@pytest.mark.parametrize("name", declared_dependencies())
def test_every_python_dependency_says_why(name: str) -> None:
    assert re.search(rf"^- `{re.escape(name)}`", text_of("CONTRIBUTING.md"), re.MULTILINE)


def rust_dependencies() -> list[str]:
    """Every crate under a heading that ends in `dependencies]`, in any of our manifests."""
    manifests = [ROOT / "Cargo.toml", *ROOT.glob("*/Cargo.toml")]
    sections = [part for path in manifests for part in re.split(r"^\[", path.read_text(), flags=re.MULTILINE)]
    lines = [
        line
        for section in sections
        if "dependencies]" in section.split("\n")[0]
        for line in section.split("\n")[1:]
    ]
    names = {found[1] for line in lines if (found := re.match(r"([a-z][\w-]*)(?:\.workspace)? =", line))}
    return sorted(names - {"fim-lexer", "fim-quotient"})


def node_dependencies() -> list[str]:
    client = json.loads(text_of("vscode-client/package.json"))
    return sorted({*client["dependencies"], *client["devDependencies"]})


@pytest.mark.parametrize("name", [*rust_dependencies(), *node_dependencies()])
def test_every_rust_and_node_dependency_says_why(name: str) -> None:
    assert re.search(rf"^- `{re.escape(name)}`", text_of("CONTRIBUTING.md"), re.MULTILINE)


@pytest.mark.parametrize(
    # The lock file is written on Linux.
    "name",
    [name for name in declared_dependencies(of_windows=False) if name not in ("torch", "transformers")],
)
def test_every_python_dependency_is_locked(name: str) -> None:
    assert re.search(rf"^{re.escape(name)}==", text_of("constraints.txt"), re.MULTILINE)


def test_locks_are_tracked_and_name_no_machine_of_ours() -> None:
    for lock in ("constraints.txt", "Cargo.lock", "vscode-client/package-lock.json"):
        assert tracked(lock) == [lock]
    assert "://" not in text_of("constraints.txt")
    assert '"resolved"' not in text_of("vscode-client/package-lock.json")
    sources = re.findall(r'^source = "([^"]+)"', text_of("Cargo.lock"), re.MULTILINE)
    assert set(sources) == {"registry+https://github.com/rust-lang/crates.io-index"}


CORPUS_FIELDS: dict[str, type | tuple[type, ...]] = {
    "name": str,
    "left": str,
    "middle": str,
    "right": str,
    "member": bool,
    "completable": bool,
    "completion": (str, type(None)),
    "why": str,
}


# This program starts itself again, for a request to the server of models.
OWN_CHILDREN = {"fim_lsp/server/worker_client.py", "fim_lsp/replay/typing/clock/conversation.py"}


def test_who_starts_other_programs_says_what_they_are_told() -> None:
    """Otherwise those programs get the whole environment of this one, keys included."""
    names = [name for name in tracked("fim_lsp") if name.endswith(".py")]
    assert len(names) > 500
    untold = [(name, line) for name in names if name not in OWN_CHILDREN for line in untold_starts(name)]
    assert untold == []


def untold_starts(name: str) -> Iterator[int]:
    """The lines of a file that start a program without an explicit environment."""
    starts = {"Popen", "run", "check_output", "check_call", "call", "create_subprocess_exec"}
    for node in ast.walk(ast.parse(text_of(name))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in starts:
            of = node.func.value
            if isinstance(of, ast.Name) and of.id in ("subprocess", "asyncio"):
                is_coroutine_s = node.func.attr == "run" and of.id == "asyncio"
                if not is_coroutine_s and "env" not in {argument.arg for argument in node.keywords}:
                    yield node.lineno


def test_every_case_of_the_corpus_has_its_fields_and_a_name_of_its_own() -> None:
    names: set[tuple[str, str]] = set()
    for path in sorted((ROOT / "tests" / "corpus").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            where = (path.name, case["name"])
            assert where not in names, where
            names.add(where)
            for field, kind in CORPUS_FIELDS.items():
                assert isinstance(case[field], kind), (*where, field)
            assert not case["member"] or case["completable"], where
    assert len(names) > 100
