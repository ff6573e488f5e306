"""Several holes of one file: their texts fit together, by the languages' own parsers."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable
from pathlib import Path

import pytest

import fim_lsp
from fim_lsp.cli import main
from fim_lsp.decoding.shortest_together import shortest_together
from fim_lsp.known_languages import UnknownLanguage
from fim_lsp.replay.judges import NoJudge
from quotient import Language, NoCompletion, Recognizer
from tests.laws import together
from tests.laws.together import FILES, VERSION, filled, holes, outcomes
from tests.membership import is_member

N_CUTS = 20

# `|` marks a hole.
CASES = (
    "x = |\ny = |\n",
    "print(|, [1, |)\nz = |",
    "def f(|:\n    return |\n\nf(1|\n",
    "if |\n    pass\nfor |\n    pass\n",
    "x = [|\ny = |]\n",
    "print(1)|\n|",
    "|",
    "try:\n    x = |\n|:\n    pass\n",
)


@pytest.mark.parametrize("marked", CASES)
def test_the_file_parses_with_all_of_them(marked: str) -> None:
    text, places = holes(marked)
    found = fim_lsp.complete_together(text, places, model="none", python_version=VERSION)
    assert found
    for texts in found:
        ast.parse(filled(text, places, [*texts]))


def test_texts_come_in_the_order_of_the_offsets() -> None:
    text, places = holes("x = [|\ny = |]\n")
    [there] = fim_lsp.complete_together(text, places, model="none")
    [back] = fim_lsp.complete_together(text, places[::-1], model="none")
    assert there == back[::-1]
    assert there == ("]", "[")


@pytest.mark.parametrize(
    ("language", "marked"),
    [
        ("go", "package p\nvar a = |\nvar b = [|\n"),
        ("java", "class A { int a = |; int[] b = {|; }"),
        ("javascript", "const a = |;\nconst b = [|;\n"),
        ("javascriptreact", "const a = <b>{|}</b>;\nconst c = <d|;\n"),
        ("json", '{"a": [|, "b": |}'),
        ("python", "x = [|\ny = |]\n"),
        ("toml", "a = |\nb = [|\n"),
        ("typescript", "const a: | = 1;\nlet b: string[] = [|;\n"),
        ("typescriptreact", "const a = <b>{|}</b>;\nlet c: | = 1;\n"),
    ],
)
def test_every_language_has_it(language: str, marked: str) -> None:
    text, places = holes(marked)
    # The bundled model does not know JSON and TOML; the shortest texts are found without it.
    for model in ("none", None) if language != "python" else ("none",):
        found = fim_lsp.complete_together(text, places, language=language, model=model)
        assert found
        for texts in found:
            assert is_member(language, filled(text, places, [*texts]))


def test_keys_and_languages_are_held_to() -> None:
    text, places = holes('{"a": 1, "|": 2, "|": 3}')
    [with_law] = fim_lsp.complete_together(text, places, language="json", model="none", unique_keys=True)
    assert len({"a", *with_law}) == 3
    with pytest.raises(UnknownLanguage):
        fim_lsp.complete_together("", [0], language="cobol", model="none")


def test_the_bundled_model_writes_what_fits_together() -> None:
    text, places = holes("def area(width, height):\n    inner = |\n    return |\n")
    found = fim_lsp.complete_together(text, places, python_version=VERSION)
    assert len({*found}) == len(found) >= 2
    for texts in found:
        ast.parse(filled(text, places, [*texts]))


def test_nowhere_and_no_place() -> None:
    assert fim_lsp.complete_together("x = 1", [], model="none") == []
    with pytest.raises(ValueError, match="no place"):
        fim_lsp.complete_together("x", [2], model="none")
    with pytest.raises(NoCompletion):
        fim_lsp.complete_together("x = = 1\ny = \n", [12, 13], model="none")


@pytest.mark.parametrize("language", FILES)
def test_cuts_of_real_files(language: str) -> None:
    try:
        found = [*outcomes(language, N_CUTS)]
    except NoJudge as why:
        pytest.skip(str(why))
    assert [text for outcome, text in found if outcome == "wrong"] == []
    assert sum(outcome == "parses" for outcome, _ in found) >= N_CUTS // 2


@pytest.mark.parametrize(
    ("whole", "outcome"),
    [
        ("package p\n\nfunc f() {}\n", "parses"),
        ("package p\n\nfunc (a int, b string) f() {}\n", "left open"),
        ("package p\n\nfunc (\n", "wrong"),
    ],
)
def test_what_only_one_of_two_parsers_refuses_is_left_open(
    monkeypatch: pytest.MonkeyPatch, whole: str, outcome: str
) -> None:
    monkeypatch.setattr(together, "cut", lambda *_: (whole, [0, 0]))
    monkeypatch.setattr(together, "shortest_together", lambda *_, **__: ["", ""])
    try:
        assert [*outcomes("go", 1)] == [(outcome, whole)]
    except NoJudge as why:
        pytest.skip(str(why))


def test_the_command_fills_several_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.js"
    file.write_text("let x = ;\nlet y = ;\n", encoding="utf-8")
    places = [f"{file}:1:9", f"{file}:2:9"]
    assert main(["complete", "--together", *places, "--model", "none", "--json"]) == 0
    [texts, *_] = json.loads(capsys.readouterr().out)
    assert len(texts) == 2
    assert all(texts)
    assert main(["complete", *places]) == 2
    assert "--together" in capsys.readouterr().err


# There is a fault between the holes, which a string or a comment across several holes would hide.
BROKEN = (
    ("python", "x = |\n\ndef f(:\n    return 1\n\ny = |\n"),
    ("python", "x = |\nfor in range(3)\n    print(1)\ny = |\nz = |\n"),
    ("javascript", "const a = |;\nfunction (b { return }\nconst c = |;\n"),
    ("typescript", "const a = |;\nfunction (b { return }\nconst c = |;\n"),
    ("go", "package p\nvar a = |\nfunc f( {\n}\nvar b = |\n"),
    ("java", "class A { int a = |;\n void f( { }\n int b = |; }"),
    ("toml", "a = |\nb = = 1\nc = |\n"),
)


@pytest.mark.parametrize(("language", "marked"), BROKEN)
def test_what_is_broken_is_not_hidden_in_a_string(language: str, marked: str) -> None:
    text, places = holes(marked)
    with pytest.raises(NoCompletion):
        shortest_together(Language.load(language), text, places, seconds=3)


@pytest.mark.parametrize(
    ("language", "marked"),
    [
        ("python", "print(|hello world|)\n"),
        ("python", 'x = """a|\nb c d|\n"""\n'),
        ("python", 'def f():\n    |a b c\n    d\n    """\n    return |\n'),
        ("javascript", "f(|a b|);\n"),
        ("java", "class A { /* a|\n b c\n|d */ }"),
    ],
)
def test_strings_that_the_file_begins_or_ends_are_kept(language: str, marked: str) -> None:
    text, places = holes(marked)
    found = shortest_together(Language.load(language), text, places)
    assert is_member(language, filled(text, places, found))


def test_who_cancels_it_ends_the_search_at_its_next_step() -> None:
    """Nothing fits, and thousands of texts would have to be tried."""
    language, asked = Language.load("python"), []

    def is_cancelled() -> bool:
        asked.append(True)
        return len(asked) > 5

    with pytest.raises(NoCompletion):
        shortest_together(language, "))(x(", [1, 2, 3], seconds=600, is_cancelled=is_cancelled)
    # Each hole in progress asks once more before it returns.
    assert len(asked) <= 12


HALVES = (
    ("json", '{"a": t|ue, "b": fal|e}'),
    ("json", '{"a": true, "b|rue, "c": [t|e]}'),
    ("python", "import os\nretur_ = 1\n\n\ndef f():\n    retu|etur_\n\n\nx|ody looks further.\n"),
    ("go", "package p\n\nfun| f() { ret|n }\n"),
)


@pytest.mark.parametrize(("language", "marked"), HALVES)
def test_halves_of_words_are_made_whole(language: str, marked: str) -> None:
    text, places = holes(marked)
    grammar = Language.load(language)
    whole = filled(text, places, shortest_together(grammar, text, places))
    assert is_member(language, whole)


def test_holes_that_may_stay_empty_take_one_recognizer(monkeypatch: pytest.MonkeyPatch) -> None:
    language, asked = Language.load("json"), []
    recognizer = Language.recognizer

    def counted(
        self: Language, left: str = "", right: str = "", names: Iterable[str] | None = None
    ) -> Recognizer:
        asked.append((left, right))
        return recognizer(self, left, right, names)

    monkeypatch.setattr(Language, "recognizer", counted)
    text, places = holes('{"a": [|], "b": |}')
    assert shortest_together(language, text, places) == ["", "0"]
    assert asked == [('{"a": [], "b": ', "}")]
