"""The place of the hole in a plugin's request, and its language."""

from __future__ import annotations

from typing import Any

import pytest

from fim_lsp.endpoint import part as parts
from fim_lsp.endpoint.hole import AskedHole, SentFile, hole_between, hole_of_prompt, language_said
from fim_lsp.endpoint.part import FillablePart, part_of
from fim_lsp.fim_formats import FIM_FORMATS
from fim_lsp.known_languages import KnownLanguage, language_named
from quotient import Language
from tests.endpoint.served_gate import LEFT, RIGHT


@pytest.mark.parametrize("fim_format", FIM_FORMATS, ids=lambda fim_format: fim_format.name)
def test_the_hole_of_each_family_is_found(fim_format: Any) -> None:
    middle = fim_format.middle or ""
    prompts = {
        "prefix-suffix-middle": f"{fim_format.prefix}{LEFT}{fim_format.suffix}{RIGHT}{middle}",
        "suffix-prefix-middle": f"{fim_format.suffix}{RIGHT}{fim_format.prefix}{LEFT}{middle}",
        "suffix-middle-prefix": f"{fim_format.prefix}{fim_format.suffix}{RIGHT}{middle}{LEFT}",
    }
    assert hole_of_prompt(prompts[fim_format.order]) == AskedHole(LEFT, RIGHT)


def test_other_files_in_a_prompt_are_no_part_of_the_hole() -> None:
    prompt = (
        "<|repo_name|>r\n<|file_sep|>other.go\npackage p\n<|file_sep|>area.py\n"
        f"<|fim_prefix|>{LEFT}<|fim_suffix|>{RIGHT}<|fim_middle|>"
    )
    others = (SentFile("other.go", "package p\n"),)
    assert hole_of_prompt(prompt) == AskedHole(LEFT, RIGHT, "area.py", others)
    unnamed = f"<|file_sep|>other.go\npackage p\n<|fim_prefix|>{LEFT}<|fim_suffix|>{RIGHT}<|fim_middle|>"
    assert hole_of_prompt(unnamed) == AskedHole(LEFT, RIGHT, "", others)
    inside = (
        f"<fim_prefix><filename>other.go\npackage p\n<filename>area.py\n{LEFT}<fim_suffix>{RIGHT}<fim_middle>"
    )
    assert hole_of_prompt(inside) == AskedHole(LEFT, RIGHT, "area.py", others)
    starcoder2 = f"<file_sep><fim_prefix><file_sep>area.py\n{LEFT}<fim_suffix>{RIGHT}<fim_middle>"
    assert hole_of_prompt(starcoder2) == AskedHole(LEFT, RIGHT, "area.py")
    spelled = f"<PRE> {LEFT} <SUF>{RIGHT} <MID>"
    assert hole_of_prompt(spelled) == AskedHole(LEFT, RIGHT)
    assert hole_of_prompt("x = ") == AskedHole("x = ", "")


@pytest.mark.parametrize(
    "prompt",
    [
        f"<|fim_begin|>{LEFT}<|fim_hole|>{RIGHT}<|fim_end|>",
        f"<|fim\u2581begin|>{LEFT}<|fim\u2581hole|>{RIGHT}<|fim\u2581end|>",
        f"<|fim_prefix|>{LEFT}<|fim_suffix|>{RIGHT}",
        f"<s>[SUFFIX]{RIGHT}[PREFIX]{LEFT}",
    ],
)
def test_the_hole_is_found_as_people_spell_it(prompt: str) -> None:
    assert hole_of_prompt(prompt) == AskedHole(LEFT, RIGHT)


@pytest.mark.parametrize(
    ("body", "left", "language"),
    [
        ({"language": "go"}, "", "go"),
        ({"language": "ts"}, "", "typescript"),
        ({"filename": "src/a.tsx"}, "", "typescriptreact"),
        ({}, "# Path: src/a.py\nx = ", "python"),
        ({}, "// a.java\nclass A {", "java"),
        ({"language": "Go"}, "", "go"),
        ({}, "# language: python\n\nx = ", "python"),
        ({}, "# language: json\n{", "json"),
        ({}, "# language: cobol\nx = ", None),
        ({"language": "cobol"}, "", None),
        ({}, "", None),
    ],
)
def test_the_language_is_said_by_a_field_or_a_name(
    body: dict[str, object], left: str, language: str | None
) -> None:
    found = language_said(body, hole_of_prompt(left))
    assert (None if found is None else found.name) == language


@pytest.mark.parametrize(
    ("line", "is_left_off"),
    [
        ("# Path: a.go\n", True),
        ("// Path: a.go\n", False),
        ("# a.json\n", True),
        ("// a.toml\r\n", True),
        ("# a.py\n", False),
        ("# a.txt\n", False),
        ("# language: json\n", True),
        ("# language: python\n", False),
        ("-- language: go\n", True),
        ("# language: cobol\n", False),
    ],
)
def test_a_line_that_names_the_file_is_left_off_where_it_is_no_comment(line: str, is_left_off: bool) -> None:
    for hole in (hole_between(line + LEFT, RIGHT), hole_of_prompt(line + LEFT)):
        assert hole.left == (LEFT if is_left_off else line + LEFT)


@pytest.mark.parametrize(
    ("left", "right", "language"),
    [
        ("def f(a):\n    return ", "\n", "python"),
        ("package p\n\nfunc f() {\n\tx := ", "\n}\n", "go"),
        ("class A {\n  int f() {\n    return ", ";\n  }\n}\n", "java"),
        ("const f = (a: number) => ", ";\n", "typescript"),
        ('{"a": ', "}", "json"),
        # A comment would make these TypeScript, and Go in a frame.
        ("function f(): void {\n  return <p>", "</p>;\n}\n", "typescriptreact"),
        ("const a = ", ";\n", "typescript"),
        # Python would take these headers for lists.
        ('[theme]\nname = "a"\nsizes = [', "]\n", "toml"),
        ("a = 1\nb = ", "\n\n[c.d]  # more\r\ne = [1]\r\n", "toml"),
        ("x = [\n[a]\n]\nf(", ")\n", "python"),
        ('["a", ', "]", "json"),
        ("\tif err != nil {\n\t\treturn ", "\n\t}\n", "go"),
    ],
)
def test_what_parses_says_the_language(left: str, right: str, language: str) -> None:
    found = part_of(left, right, None)
    assert found is not None
    assert found.known_language.name == language


def test_jsx_in_a_file_that_is_called_javascript_is_read_as_such() -> None:
    found = part_of("function f() {\n  return <p>", "</p>;\n}\n", language_named("javascript"))
    assert found is not None
    assert found.known_language.name == "javascriptreact"


def test_no_key_of_toml_is_taken_twice() -> None:
    found = part_of("a = 1\n", "\n", language_named("toml"))
    assert found is not None
    assert not found.recognizer().advance("a = ")


def test_of_a_window_that_parses_in_no_way_a_part_is_held() -> None:
    # Both sides are cut in the middle of blocks.
    left = "    }\n  }\n  void g() {\n    int x = 1;\n    f("
    found = part_of(left, ");\n    if (x) {\n", language_named("java"))
    assert found is not None
    assert found.left.endswith("int x = 1;\n    f(")
    assert found.recognizer().advance("x")
    assert part_of("x = \ud800", "", None) is None


# A line break in a field is allowed since Python 3.12.
BROKEN_FIELD = "{a\n}'\n"


@pytest.mark.parametrize("said", [language_named("python"), None])
def test_a_text_is_held_to_the_version_that_is_asked_for(said: KnownLanguage | None) -> None:
    for version, is_taken in (("3.11", False), ("3.12", True)):
        found = part_of("x = f'", "\n", said, (version,))
        assert found is not None
        assert found.language.version == version
        assert found.recognizer().advance(BROKEN_FIELD.rstrip()) is is_taken


def test_a_file_that_only_a_newer_python_reads_is_held_to_that() -> None:
    left = "def f[T](a: T) -> T:\n    return "
    found = part_of(left, "\n", None, ("3.11", None))
    assert found is not None
    assert (found.known_language.name, found.left) == ("python", left)
    assert found.language is Language.load("python")
    older = part_of("def f(a):\n    return ", "\n", None, ("3.11", None))
    assert older is not None
    assert older.language.version == "3.11"


def test_no_window_is_tried_twice_and_trying_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[tuple[str, str]] = []

    def no_parts(left: str, right: str, *_: object) -> list[FillablePart]:
        tried.append((left, right))
        return []

    monkeypatch.setattr(parts, "framed_parts", no_parts)
    assert part_of("(" * 100, ")", None) is None
    assert tried == [("(" * 100, ")")]
    tried.clear()
    assert part_of("(\n" * 20, ")", None) is None
    assert [left.count("\n") for left, _ in tried] == [20, 7, 0]
    monkeypatch.undo()
    assert part_of("x = (", "]\n", None, (None,), 0.0) is None
