"""One table lists the languages; grammars, clients and pages follow it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fim_lsp.document.syntax import SyntaxTree
from fim_lsp.known_languages import KNOWN, KnownLanguage, UnknownLanguage, of_editor, of_file
from quotient import Language, available_languages

ROOT = Path(__file__).parents[2]
NAMES = [known_language.name for known_language in KNOWN]


def test_every_entry_has_a_grammar_of_its_own() -> None:
    # The calculator is for tests and pages.
    assert {*NAMES, "calculator"} == set(available_languages())
    ends = [end for known_language in KNOWN for end in known_language.extensions]
    assert len(ends) == len(set(ends))


# A minimal file of each language, and one with a fault that no text behind it can repair.
SMALLEST = {
    "python": "x = 1\n",
    "go": "package p\n",
    "java": "class A {}\n",
    "json": "{}\n",
    "toml": "a = 1\n",
    "javascript": "a\n",
    "javascriptreact": "<a/>\n",
    "typescript": "let a: b\n",
    "typescriptreact": "<a<b>/>\n",
}
FAULTY = {
    "python": "x = )",
    "go": "package )",
    "java": "class ) {}",
    "json": "{)}",
    "toml": "a = )",
    "javascript": "a = )",
    "javascriptreact": "<a>{)}</a>",
    "typescript": "let a: )",
    "typescriptreact": "<a>{)}</a>",
}


@pytest.mark.parametrize("known_language", KNOWN, ids=NAMES)
def test_grammar_and_tree_agree_on_what_is_broken(known_language: KnownLanguage) -> None:
    language = Language.load(known_language.name)
    assert language.recognizer(SMALLEST[known_language.name]).is_member()
    assert (
        SyntaxTree(SMALLEST[known_language.name], known_language).faults(SMALLEST[known_language.name]) == []
    )
    assert SyntaxTree(FAULTY[known_language.name], known_language).faults(FAULTY[known_language.name]) != []


@pytest.mark.parametrize("known_language", KNOWN, ids=NAMES)
def test_files_and_documents_find_their_language(known_language: KnownLanguage) -> None:
    assert of_editor(known_language.name) is known_language
    for end in known_language.extensions:
        assert of_file(f"some/Name{end.upper()}") is known_language


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("a.jav", "did you mean .java?"),
        ("a.pyy", "did you mean .py"),
        ("a.txt", "no language is known for .txt files"),
        ("settings.jsonc", "JSON with comments is not JSON"),
        ("rows.jsonl", "lines of JSON are no JSON file"),
        ("Makefile", "no language is known for files without an extension"),
    ],
)
def test_what_has_no_grammar_is_refused_with_a_sentence(name: str, says: str) -> None:
    with pytest.raises(UnknownLanguage, match=re.escape(says)):
        of_file(name)


@pytest.mark.parametrize("name", ["a.rs", "a.css"])
def test_an_extension_of_another_language_was_not_mistyped(name: str) -> None:
    with pytest.raises(UnknownLanguage, match=r"; --language names one$"):
        of_file(name)


def test_editors_start_the_server_for_all_of_them() -> None:
    manifest = json.loads((ROOT / "vscode-client/package.json").read_text(encoding="utf-8"))
    assert manifest["activationEvents"] == [f"onLanguage:{name}" for name in NAMES]
    languages = (ROOT / "vscode-client/src/languages.ts").read_text(encoding="utf-8")
    assert re.findall(r'"(\w+)"', languages.partition("=")[2]) == NAMES
    conditions = [line for line in json.dumps(manifest, indent=1).split("\n") if "editorLangId" in line]
    assert conditions
    assert all("editorLangId in fim-lsp.languages" in condition for condition in conditions)
    listed = "{ " + ", ".join(f'"{name}"' for name in NAMES) + " }"
    for file in ("lua/fim_lsp/init.lua", "README.md", "doc/fim-lsp.txt"):
        assert listed in (ROOT / "editors/neovim" / file).read_text(encoding="utf-8"), file
    assert f"filetypes = {listed}" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_pages_name_all_of_them() -> None:
    for page in ("server.md", "editors.md"):
        text = (ROOT / "docs" / page).read_text(encoding="utf-8")
        assert all(f"`{name}`" in text for name in NAMES), page


def test_pages_for_people_do_so_by_title() -> None:
    titles = {known_language.title.partition(" with")[0] for known_language in KNOWN}
    for page in ("README.md", "docs/comparison.md", "docs/languages.md", "vscode-client/README.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        assert [title for title in sorted(titles) if title not in text] == [], page
