"""Languages with braces: a text does not close what stands around the cursor in order to open it again.

`$0` marks the cursor in the sources.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import fim_lsp
from fim_lsp.decoding.choices.enclosure import Enclosure, staying
from fim_lsp.decoding.choices.fence import Fence, is_block_of_one_line
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.known_languages import language_named
from fim_lsp.memory.family import FamilyMemory
from fim_lsp.runtimes.contexts import HoleContexts
from quotient import Language
from tests.models import Wavering, tiny_model, writing_model

JAVA_METHOD = "class A {\n    int f() {\n        %s\n    }\n}\n"


def written(language: str, source: str, wants: str, options: Options = Options()) -> str:  # noqa: B008
    left, right = source.split("$0")
    recognizer = Language.load(language).recognizer(left, right)
    contexts = HoleContexts(left, right, language)
    request = CompletionRequest(left, right, recognizer, options, contexts=contexts)
    [completion] = DecodingSession(writing_model(left, wants)).complete(request)
    return completion.text


@pytest.mark.parametrize(
    ("language", "source", "text", "kept"),
    [
        ("java", JAVA_METHOD % "return items.$0;", "size();", "size()"),
        ("java", JAVA_METHOD % "g($0, 1);", "a, 2);\n        g(a", "a, 2"),
        (
            "java",
            JAVA_METHOD % "$0",
            "return 1;\n    }\n\n    int g() {\n        return 2;",
            "return 1;\n    ",
        ),
        ("javascript", "f($0);\n", "a); g(b", "a"),
        ("javascript", "f($0);\n", "'a)', b); g(b", "'a)', b"),
        ("javascript", "const a = `x${$0}`;\n", "b} and ${c", "b"),
        ("javascriptreact", "const a = <p>{$0}</p>;\n", "b}</p>; const c = <p>{d", "b"),
        ("typescript", "import { $0 } from 'fs';\n", "read } from 'fs';\nimport { write", "read "),
        ("go", "package a\n\nfunc f() {\n\t$0\n}\n", "g()\n}\n\nfunc h() {\n\tg()", "g()\n"),
        ("javascript", "total = price * qua$0ntity;\n", "ntity;\n\n", "ntity"),
        ("java", JAVA_METHOD % "return a$0 + 1;", " < 0 ? 1 : 2;\n return", " < 0 ? 1 : 2"),
        ("javascript", "a = {\n  port: $0,\n};\n", "'b',\n  c", "'b',"),
    ],
)
def test_a_text_goes_as_far_as_it_stays_inside(language: str, source: str, text: str, kept: str) -> None:
    left, right = source.split("$0")
    enclosure = Enclosure.around(Language.load(language).recognizer(left, right), left, right.encode())
    behind = (
        n for n in range(len(text)) if not enclosure.allows(text[:n].encode(), text[n : n + 1].encode())
    )
    assert text[: next(behind)] == kept


def test_a_model_does_not_open_again_what_it_would_close() -> None:
    """The model once wrote `items.size(), items.size());` and a second call here."""
    left = (
        "import java.util.List;\n\npublic class Cart {\n    private List<Item> items;\n\n"
        '    public void show() {\n        System.out.printf("%s %d%n", '
    )
    right = ", items.size());\n    }\n}\n"
    [found] = fim_lsp.complete(left + right, len(left), language="java")
    assert "\n" not in found.text
    assert ";" not in found.text


@pytest.mark.parametrize(
    ("language", "source", "wants"),
    [
        ("java", "class A {\n    int f() {\n        return g($0\n    }\n}\n", "a);"),
        ("java", JAVA_METHOD % "for ($0) { g(); }", "int i = 0; i < 3; i++"),
        ("javascript", "const f = $0;\n", "() => { g(); h(); }"),
        ("javascript", "const f = $0;\n", "a\n  .b()\n  .c()"),
        ("javascript", "f({$0});\n", "\n  a: 1,\n  b: 2,\n"),
        ("javascript", "f($0, c);\n", "() => {\n  g();\n  h();\n}"),
        ("javascript", "$0f();\n", "g();\n"),
        ("javascript", "f($0);\n", "'a)', /[)]/, `b)${c}`, (d)"),
        ("go", "package a\n\nfunc f() {\n\tif a {\n\t\t$0\n}\n", "g()\n\t}\n\th()"),
    ],
)
def test_what_has_to_be_closed_and_what_it_opened_itself_is_closed(
    language: str, source: str, wants: str
) -> None:
    assert written(language, source, wants, Options(max_tokens=128)) == wants


def test_blocks_may_end_where_only_brackets_are_kept() -> None:
    left, right = "package a\n\nfunc f() {\n\tg(", ")\n}\n"
    recognizer = Language.load("go").recognizer(left, right)
    fence = Fence.around(recognizer, "bracket", multi_line=True)
    fence = fence.around_braces(recognizer, "bracket", left, right.encode())
    assert fence.enclosure is not None
    assert fence.enclosure.allows(b"func() {", b"}")
    assert not fence.enclosure.allows(b"func() {}", b")")
    assert fence.around_braces(recognizer, "free", left, right.encode()) is fence


def test_brackets_in_strings_and_comments_are_none() -> None:
    left, right = "f(", ");\n"
    enclosure = Enclosure.around(Language.load("javascript").recognizer(left, right), left, right.encode())
    assert enclosure.allows(b"", b"')' + /* ) */ a")
    assert not enclosure.allows(b"'('", b")")


def test_what_is_remembered_keeps_to_it_too() -> None:
    """Memory once offered `size();` in front of a semicolon."""
    seen = (
        "class A {\n    int n() {\n        return items.size();\n    }\n    int f() {\n        return items."
    )
    left, right = seen, ";\n    }\n}\n"
    recognizer = Language.load("java").recognizer(left, right)
    stays = staying(recognizer, left, right, language_named("java"))
    found = FamilyMemory().remembered_texts("", left, right, recognizer, lambda _: None, stays=stays)
    assert [one.text for one in found][:1] == ["size()"]
    assert not any(";" in one.text for one in found)


@pytest.mark.parametrize("wants", ["\n  h();\n  ", "\n  h();\n"])
def test_a_line_that_lacks_its_line_break_stays_a_line_of_its_own(wants: str) -> None:
    source = "const a = () => {$0  g();\n};\n"
    assert written("javascript", source, wants) == "\n  h();\n"


@pytest.mark.parametrize("source", ["const a = () => {$0 g(); };\n", "const a = $0  + b;\n"])
def test_the_rest_of_a_line_is_not_torn_off(source: str) -> None:
    assert "\n" not in written("javascript", source, "\n  h();\n")


def test_a_word_behind_which_nothing_fits_that_is_meant_is_taken_back() -> None:
    left, right = "class A {\n  f() {\n    return 1;\n  }\n", "}\n"
    wants = "module.exports = A;\n", "  g() {\n    return 2;\n  }\n"
    model = replace(tiny_model(), runtime=Wavering(tiny_model(), left, wants))
    recognizer = Language.load("javascript").recognizer(left, right)
    request = CompletionRequest(left, right, recognizer, contexts=HoleContexts(left, right, "javascript"))
    [found] = DecodingSession(model).complete(request)
    assert found.text.strip() == wants[1].strip()


@pytest.mark.parametrize("language", ["go", "java", "javascript", "typescript"])
def test_nothing_is_written_into_an_empty_file(language: str) -> None:
    """Models guess the language of an empty file: one of JavaScript once got lines of Go."""
    for left, right in (("", ""), ("\n\n", "\n")):
        recognizer = Language.load(language).recognizer(left, right)
        contexts = HoleContexts(left, right, language)
        request = CompletionRequest(left, right, recognizer, contexts=contexts)
        assert DecodingSession(writing_model(left, "class A {}")).complete(request) == []
        wants = "package a" if language == "go" else "class A {}"
        source = "// shop\n$0" if language == "go" else "class B {}\n$0"
        assert written(language, source, wants)


def test_a_comment_that_is_not_ended_is_left_off() -> None:
    """A comment that reached the limit of tokens was once closed by `*/` in the middle."""
    found = written(
        "typescript", "interface A {\n  $0\n}\n", "a: 1;\n  /** and so on", Options(max_tokens=24)
    )
    assert found == "a: 1;"


def test_no_comment_takes_in_the_rest_of_the_line() -> None:
    """`a // b` in front of `);` fits if the next line closes the bracket."""
    source = "f($0, c\n);\n"
    assert written("javascript", source, "a // b").startswith("a")
    assert "//" not in written("javascript", source, "a // b")
    assert written("javascript", "$0\nf();\n", "g(); // b\nh();").startswith("g(); // b")


@pytest.mark.parametrize(
    ("language", "source", "text", "kept"),
    [
        (
            "go",
            "package a\n\nfunc f(e error) error {\n\t$0\n\treturn e\n}\n",
            "if e != nil {\n\t\treturn e\n\t}\n\tg()",
            "if e != nil {\n\t\treturn e\n\t}",
        ),
        ("java", "class A {\n  int a() $0\n}\n", "{\n    g();\n    return", "{\n    g();\n    "),
        ("javascript", "class A {\n  $0\n}\n", "f() {\r\n    g();\r\n  }\r\n", "f() {\r\n    g();\r\n  }"),
        ("javascript", "$0\n", "on(() => {\n  go();\n});\nb()", "on(() => {\n  go();\n});"),
        ("javascript", "$0\n", "if (a) { b(); }\nc", "if (a) { b(); }"),
        # A value is not a block, and neither is text in a string.
        ("javascript", "$0\n", "a = {\n  b", "a = {"),
        ("javascript", "$0\n", "a = `b) {\n", "a = `b) {"),
        ("javascript", "$0\n", "a\nb", "a"),
    ],
)  # fmt: skip
def test_a_text_of_one_line_may_be_a_block_with_one(language: str, source: str, text: str, kept: str) -> None:
    """Without that, only `if (limit) {}` would fit into one line."""
    left, right = source.split("$0")
    reading, allowed = Language.load(language).recognizer(left, right), b""
    for sign in re.findall(rb"\r\n|.", text.encode(), re.DOTALL):
        if not is_block_of_one_line(reading, allowed, sign, left.rpartition("\n")[2].encode()):
            break
        assert reading.advance(sign)
        allowed += sign
    assert allowed.decode() == kept


def test_the_block_is_written_with_its_line() -> None:
    source = "package a\n\nfunc f(e error) error {\n\t$0\n\treturn e\n}\n"
    block = "if e != nil {\n\t\treturn e\n\t}"
    assert written("go", source, block + "\n\tg()", Options(multi_line=False)).rstrip() == block
