"""One file has one address, however an editor or Python writes it."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

from fim_lsp.memory.project import ProjectMemory
from fim_lsp.memory.weights import Weights
from fim_lsp.memory.workspace import Scan
from fim_lsp.replay.typing.page import close, open_page, service_with, settle_page
from fim_lsp.server.worker.completers import GrammarAlone
from fim_lsp.system.addresses import address_of, own_address
from tests.memory.test_memory import VOCABULARY, encode, likeliest


@pytest.mark.parametrize(
    ("system", "uri", "own"),
    [
        ("linux", "file:///a/my(1).py", "file:///a/my%281%29.py"),
        ("linux", "file:///a/%40b/%C3%A9+.py", "file:///a/%40b/%C3%A9%2B.py"),
        ("linux", "file:///a/é b.py", "file:///a/%C3%A9%20b.py"),
        ("linux", "file:///a/100%2525.py", "file:///a/100%2525.py"),
        ("linux", "file:///c%3A/a.py", "file:///c%3A/a.py"),
        ("win32", "file:///c%3A/a%20b.py", "file:///C:/a%20b.py"),
        ("win32", "file:///C:/a b.py", "file:///C:/a%20b.py"),
        ("win32", "file:///d:", "file:///D:"),
        ("win32", "file://server/share/a(1).py", "file://server/share/a%281%29.py"),
        ("linux", "untitled:Untitled-1", "untitled:Untitled-1"),
        ("linux", "vscode-notebook-cell:/a/b.ipynb#W1", "vscode-notebook-cell:/a/b.ipynb#W1"),
        ("linux", "file://[", "file://["),
        ("linux", "", ""),
    ],
)
def test_every_way_to_write_it_comes_to_one(
    system: str, uri: str, own: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    assert own_address(uri) == own
    assert own_address(own) == own


def test_a_file_s_own_address_is_python_s(tmp_path: Path) -> None:
    for name in ("a.py", "my(1) +é@#?%.py"):
        assert address_of(tmp_path / name).lower() == (tmp_path / name).as_uri().lower()


def test_a_document_s_lines_on_disk_are_hidden_however_an_editor_writes_its_address(tmp_path: Path) -> None:
    """Neovim does not encode brackets, and once got offers from its own file's saved version."""
    path = tmp_path / "my(1).py"
    path.write_text("value_of_nothing = 1\n")
    workspace = Scan(encode, VOCABULARY, lambda _uri: True).workspace([str(tmp_path)])
    assert workspace is not None
    offered = []
    for uri in (unquote(path.as_uri()), "file:///other.py"):
        project = ProjectMemory(encode, VOCABULARY, Weights())
        project.workspace = workspace
        offered.append(likeliest(project, "value_of_", "\n", uri=own_address(uri)))
    assert offered == ["", "nothing = 1"]


def test_the_worker_is_told_a_file_s_own_address() -> None:
    async def told() -> list[str]:
        service = service_with(GrammarAlone(), {})
        page = open_page(service, "file:///a/my(1).py", "x = 1\n", 3)
        await settle_page(page)
        assert page.session.uri == "file:///a/my(1).py"
        whole = page.session.text_for(1)
        page.write("y")
        found = [whole.uri, page.session.text_for(1).uri]
        close(service, page)
        return found

    assert asyncio.run(told()) == ["file:///a/my%281%29.py"] * 2
