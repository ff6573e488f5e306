"""`fim_lsp.complete` in every language: with each returned text, the file parses."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

import fim_lsp
from fim_lsp.known_languages import KNOWN, UnknownLanguage
from quotient import NoCompletion
from tests.membership import is_member
from tests.thoroughness import n_tries

FILES = {
    "go": "package p\n\nfunc f(values []int) int {\n\tcounted := count(values)\n\treturn counted\n}\n\n"
    "func g(values []int) int {\n\tcounted := count(values)\n\treturn counted\n}\n",
    "java": "class A {\n    int f() {\n        this.counter = counter;\n"
    "        return this.counter;\n    }\n}\n",
    "javascript": "function f(values) {\n  const total = values.length;\n  return total;\n}\n"
    "module.exports = f;\n",
    "javascriptreact": "const A = () => <b className='c'>{total}</b>;\nconst B = () => <b className='c'/>;\n",
    "typescript": "interface Shop {\n  name: string;\n}\n"
    "export const f = (shop: Shop): string => shop.name;\n",
    "typescriptreact": "const A = (total: number) => <b title={`${total}`}>{total}</b>;\n",
    "json": '{"name": "shop", "scripts": {"test": "a", "lint": ["b", 1, true]}}\n',
    "toml": '[project]\nname = "shop"\nversion = "1"\n[tool.shop]\nname = "shop"\n',
    "python": "def f(values):\n    total = sum(values)\n    return total\n",
}


@pytest.mark.parametrize("language", FILES)
def test_what_completes_a_file_leaves_it_parsing(language: str) -> None:
    text = FILES[language]
    model = "none" if language == "python" else None
    n_places = n_found = 0
    places = range(0, len(text) + 1, 3)
    for offset in Random(language).sample(places, min(len(places), n_tries(30, 1_000))):
        for stop in (offset, min(offset + 9, len(text))):
            try:
                found = fim_lsp.complete(text, offset, stop, language=language, model=model)
            except NoCompletion:
                # Nothing fits a file that was cut in the middle of a symbol.
                continue
            assert len(found) <= 1
            n_places, n_found = n_places + 1, n_found + len(found)
            for one in found:
                assert is_member(language, text[:offset] + one.text + text[stop:]), (offset, stop)
    # At other places only texts that no user wants would fit.
    assert n_found > 0.6 * n_places


def test_what_the_file_says_twice_is_remembered() -> None:
    text = FILES["go"]
    offset = text.rindex("count(")
    [found] = fim_lsp.complete(text[:offset] + "\n\treturn counted\n}\n", offset, language="go")
    assert found.text == "count(values)"


def test_a_path_says_which_names_a_package_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path selects the package, so a text from memory may use only names of the folder's files."""
    (tmp_path / "b.go").write_text("package p\nvar total = 1\n")
    said = iter(["absent", "total"])
    offers = [SimpleNamespace(text=text, useful=1.0) for text in said]
    monkeypatch.setattr("fim_lsp.memory.family.FamilyMemory.remembered_texts", lambda *_, **__: offers)
    text = "package p\nvar a = \n"
    offset = text.index(" \n") + 1
    found = {
        path: fim_lsp.complete(text, offset, language="go", path=path)[0].text
        for path in ("", str(tmp_path / "a.go"))
    }
    assert [*found.values()] == ["absent", "total"]


@pytest.mark.parametrize("language", FILES)
def test_what_others_wrote_is_fitted_in_every_language(language: str) -> None:
    text = FILES[language]
    middle = len(text) // 2
    left, right = text[:middle], text[middle + 6 :]
    found = fim_lsp.fit(left, text[middle : middle + 6] + right[:3], right, language=language)
    assert found.text is not None
    assert is_member(language, left + found.text + right)


def test_all_languages_are_known_and_others_are_refused() -> None:
    assert {language.name for language in KNOWN} == set(FILES)
    with pytest.raises(UnknownLanguage, match="there is no language 'cobol'"):
        fim_lsp.complete("", 0, language="cobol")


def test_what_is_remembered_says_no_key_of_json_again() -> None:
    text = '{\n  "name": "shop",\n  "version": "1.0.0",\n  \n  "license": "MIT"\n}\n'
    [found] = fim_lsp.complete(text, text.index("  \n") + 2, language="json")
    assert '"name"' not in found.text
    assert '"version"' not in found.text


def test_blanks_and_joined_lines_are_no_completion() -> None:
    """An empty file of Python once got blanks and a backslash."""
    assert [one.text for one in fim_lsp.complete("", 0)] in ([], [""])


@pytest.mark.parametrize("language", FILES)
@pytest.mark.parametrize("model", ["none", None])
@pytest.mark.parametrize("marked", ["$0x = ", "// a$0", "/* a$0 */", "$0]"])
def test_nothing_is_made_a_comment_to_make_it_parse(language: str, model: str | None, marked: str) -> None:
    """`package a//` once came in front of text that is not Go, and `*/package a/*` in a comment."""
    left, _, right = marked.partition("$0")
    try:
        found = fim_lsp.complete(left + right, len(left), language=language, model=model)
    except NoCompletion:
        return
    for text in (one.text for one in found):
        assert is_member(language, left + text + right)
        # A model may go on with comments of its own, on lines of their own.
        lines = [line for line in text.split("\n") if not line.startswith("//")]
        assert not any(sign in line for line in lines for sign in ("//", "/*", "#", "<!--")), text


@pytest.mark.parametrize("language", ["python", "go"])
def test_a_completion_has_the_line_ends_of_its_file(language: str) -> None:
    text = FILES[language].replace("\n", "\r\n")
    n_found = 0
    for place, character in enumerate(text):
        # The rest of a function of several lines is to be written anew.
        if character == "\n" and (stop := text.find("return", place)) > 0:
            for one in fim_lsp.complete(text, place + 1, stop, language=language):
                n_found += "\n" in one.text
                assert "\n" not in one.text.replace("\r\n", ""), (place, one.text)
    assert n_found
