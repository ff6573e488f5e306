"""TOML in its two versions: what 1.1 accepts and 1.0 refuses, at every cut, and how the version is chosen.

Tests of both versions are in `tests/languages/test_judged.py`; toml-test judges both (`tests/suites`).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fim_lsp.cli import main
from fim_lsp.document.sent import SentText
from fim_lsp.server.settings import Settings
from fim_lsp.server.worker.kept_texts import KeptTexts
from fim_lsp.server.worker.messages import Limits
from quotient import Language
from tests.membership import is_member

NEW = (
    "a = {\n}",
    "a = {b = 1,}",
    "a = { # c\n  b = 1 # d\n  , c.d = {e = [\n1]},\r\n\n}\n",
    "a = [{\nb = 1}, {},]",
    "a = [[1, {b = [2],\n}]]",
    "a = 07:32",
    "a = 1979-05-27 07:32",
    "a = 1979-05-27T07:32Z # b",
    "a = 1979-05-27t07:32-08:00",
    'a = "\\e\\x00\\xFf"',
    'a = """\\x41\\e\\\n  b"""',
    '"\\x41" = 1',
)
NEITHER = (
    "a = {,}",
    "a = {b = 1,,}",
    "a = {b = 1\nc = 2}",
    "a = {b =\n1}",
    "a = {b\n= 1}",
    "a = {b = 1 # }",
    "a = 07",
    "a = 07:",
    "a = 07:32.5",
    "a = 24:00",
    "a = 07:32Z",
    'a = "\\x4"',
    'a = "\\xg0"',
    "a = '\\e'x",
    'a = "\\E"',
)


@pytest.mark.parametrize("text", NEW)
def test_what_is_new_is_read_wherever_it_is_cut(text: str) -> None:
    for cut in range(len(text) + 1):
        assert is_member("toml", text[:cut], text[cut:], "1.1"), cut
        assert not is_member("toml", text[:cut], text[cut:], "1.0"), cut


@pytest.mark.parametrize("text", NEITHER)
def test_what_neither_reads(text: str) -> None:
    for version in ("1.0", "1.1"):
        for cut in range(len(text) + 1):
            assert not is_member("toml", text[:cut], text[cut:], version), (version, cut)


def test_what_is_missing_is_written_as_the_version_has_it() -> None:
    assert Language.load("toml", "1.1").recognizer("a = {b = 1,\n", "").witness() == "}"
    assert Language.load("toml", "1.1").recognizer("a = 1979-05-27T", "").witness().count(":") == 1
    assert Language.load("toml", "1.0").recognizer("a = 1979-05-27T", "").witness().count(":") == 2


def test_the_usual_one_is_1_0() -> None:
    assert Language.load("toml").version == "1.0"
    with pytest.raises(ValueError, match=r"no version '1\.2' of toml; there are 1\.0, 1\.1"):
        Language.load("toml", "1.2")


def test_the_command_line_chooses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.toml"
    file.write_text("a = {\n}\n", encoding="utf-8")
    codes = [main(["check", *words, str(file)]) for words in ([], ["--toml-version", "1.1"])]
    assert codes == [1, 0], capsys.readouterr()


def test_the_setting_chooses() -> None:
    settings, complaints = Settings().updated_settings({"tomlVersion": "1.1"})
    assert (settings.toml_version, complaints) == ("1.1", [])
    assert Settings().updated_settings({"tomlVersion": "1.2"})[1] == [
        "tomlVersion: expected one of '1.0', '1.1', found '1.2'"
    ]


def test_an_open_document_is_read_anew_in_another_version() -> None:
    text = SentText("file:///a.toml", 1, "3.11", "a = {\n}\n", language="toml", toml_version="1.0")
    kept, limits = KeptTexts(), Limits()
    found = kept.following(text, limits)
    assert found is not None
    assert found.language.version == "1.0"
    found = kept.following(replace(text, whole=None, toml_version="1.1"), limits)
    assert found is not None
    assert found.language.version == "1.1"
    assert found.text == text.whole
