"""Files of other languages: open brackets are closed. If the bundled model does not know the language, the
status gives that reason."""

from __future__ import annotations

import pytest

from fim_lsp.known_languages import of_editor
from tests.e2e.workbench import Workbench
from tests.membership import is_member

# The first one also waits for VS Code to start and for the model to be loaded.
pytestmark = [pytest.mark.editors, pytest.mark.timeout(900)]


@pytest.mark.parametrize(
    ("name", "language", "marked", "closing"),
    [
        ("open.json", "json", '{"a": [1, [2$0}\n', "]]"),
        # VS Code has no such language by default.
        ("open.toml", "toml", "a = [1, [2$0\n", "]]"),
        ("pyproject.toml", "toml", '[project]\nname = "shop"\ndependencies = ["requests"$0\n', "]"),
    ],
)
def test_what_is_open_is_closed_in_data(
    vscode: Workbench, name: str, language: str, marked: str, closing: str
) -> None:
    editor = vscode.open(name, marked)
    editor.ask()
    assert editor.wait_for_ghost() == closing
    known_language = of_editor(language)
    assert known_language is not None
    vscode.wait_for_status(f"does not know {known_language.title}:")
    vscode.photograph(f"language-{language}")
    vscode.keys("Tab")
    vscode.wait(lambda: editor.ghost() == "", "the offer to be taken")
    assert editor.saved() == marked.replace("$0", closing)


@pytest.mark.parametrize(
    ("name", "language", "marked"),
    [
        ("open.go", "go", "package p\n\nfunc f() { g(a[1$0 }\n"),
        ("Open.java", "java", "class Open {\n    void f() {\n        g(a[1$0;\n    }\n}\n"),
        ("open.js", "javascript", "f({a: [1$0\nlet b = `${c}`;\n"),
        ("open.ts", "typescript", "const f = (a: Array<Set<number$0) => a;\n"),
        ("open.tsx", "typescriptreact", "const b = <p>{[1$0</p>;\n"),
    ],
)
def test_the_bundled_model_closes_what_is_open(
    vscode: Workbench, name: str, language: str, marked: str
) -> None:
    editor = vscode.open(name, marked)
    editor.ask()
    offered = editor.wait_for_ghost()
    vscode.photograph(f"language-{language}")
    vscode.keys("Tab")
    vscode.wait(lambda: editor.ghost() == "", "the offer to be taken")
    saved = editor.saved()
    assert saved == marked.replace("$0", offered)
    assert is_member(language, saved)
