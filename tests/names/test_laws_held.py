"""The places that apply a language's law: the library, the commands, and the server, by its settings."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

import fim_lsp
from fim_lsp.cli import main
from fim_lsp.decoding.options import Options
from fim_lsp.known_languages import KNOWN, language_named
from fim_lsp.server.settings import Settings
from quotient import Language
from tests.membership import is_member
from tests.models import tiny_model

tomllib = pytest.importorskip("tomllib")

TOML = "[project]\nname = 'a'\nversion = '1'\n[tool.a]\nname = 'b'\nversion = '1'\n[tool.b]\nname = 'c'\n"
# Holes whose shortest text by the grammar would declare a name again.
TAKEN = [
    ("const a = 1;\nconst ", " = 2;\n"),
    ("import a from 'b';\nimport ", " from 'c';\n"),
    ("class a {}\nclass ", " {}\n"),
    ("let a, b, c, d;\nlet ", " = 2;\nconst aa = 1;\n"),
]


def test_which_setting_asks_for_a_language_s_law() -> None:
    assert all(one.has_law(True, False) for one in KNOWN if one.name != "json")
    assert not any(one.has_law(False, False) for one in KNOWN)
    assert [one.name for one in KNOWN if one.has_law(False, True)] == ["json"]
    assert not language_named("json").has_law(True, False)
    assert Settings().unique_keys is False
    assert Settings().updated_settings({"uniqueKeys": True})[0].unique_keys


def test_what_is_remembered_defines_no_key_of_toml_twice() -> None:
    """Memory would continue `vers` with `version`, which the table has already."""
    left, right = TOML + "vers", "\nversion = '2'\n"
    found = {
        names: fim_lsp.complete(left + right, len(left), language="toml", names=names)[0].text
        for names in (False, True)
    }
    assert found[False].startswith("ion =")
    assert not found[True].startswith("ion =")
    assert tomllib.loads(left + found[True] + right)


def test_json_s_keys_are_held_to_it_where_that_is_asked() -> None:
    left, right = '{"a": 1, "', 'a": 2}\n'
    found = {
        unique: fim_lsp.complete(left + right, len(left), language="json", unique_keys=unique)[0].text
        for unique in (False, True)
    }
    assert found[False] == ""
    assert len(json.loads(left + found[True] + right)) == 2


@pytest.mark.parametrize(("left", "right"), TAKEN)
@pytest.mark.parametrize("max_tokens", [1, 6])
def test_whatever_a_model_writes_something_fits(left: str, right: str, max_tokens: int) -> None:
    """A model with random weights writes up to the limit; the closing text must not use `a`, which exists
    already."""
    recognizer = Language.load("javascript").recognizer(left, right, ())
    witness = recognizer.witness()
    assert recognizer.advance(witness)
    assert recognizer.is_member()
    for seed in range(2):
        [found] = fim_lsp.complete(
            left + right,
            len(left),
            language="javascript",
            model=tiny_model(seed),
            options=Options(max_tokens=max_tokens),
        )
        assert is_member("javascript", left + found.text + right)
        recognizer = Language.load("javascript").recognizer(left, right, ())
        assert recognizer.advance(found.text)
        assert recognizer.is_member()


@pytest.mark.parametrize(
    ("name", "file", "said", "option", "is_always"),
    [
        ("a.json", '{"a": 1, }\n', '"a": 2', "--unique-keys", False),
        # A parser of TOML refuses a key twice.
        ("a.toml", "a = 1\n\n", "a = 2", "--names", True),
        ("a.js", "let a;\n\n", "let a = 2;", "--names", False),
    ],
)
def test_fit_has_an_option_for_each(
    name: str,
    file: str,
    said: str,
    option: str,
    is_always: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / name
    path.write_text(file)
    line, column = (1, 10) if name == "a.json" else (2, 1)
    shown = []
    for more in ([], [option]):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(said.encode())))
        main(["fit", *more, "--json", f"{path}:{line}:{column}"])
        shown.append(json.loads(capsys.readouterr().out)["text"])
    assert (shown[0] == said) is not is_always
    assert shown[1] != said
