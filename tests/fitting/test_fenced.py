"""`fim_lsp.fit` of texts in a Markdown fence, and of streams of them."""

from __future__ import annotations

import pytest

import fim_lsp
from fim_lsp.fitting.fit import fit_answer_at, place_of
from quotient import Language

FENCES = [
    ("python", "def f(a):\n$0\n\nf(1)\n", "    b = a\n    return b"),
    # The text stands at the margin, and is moved to the block's column.
    ("python", "def f(a):\n$0\n\nf(1)\n", "b = a\nreturn b"),
    ("python", "x = f($0)\n", "a, b"),
    ("javascript", "function f(a) {\n  $0\n}\n", "return a + 1;"),
    ("typescript", "function f(a: number) {\n$0\n}\n", "  return a + 1;"),
    ("go", "package p\nfunc f() {\n$0\n}\n", "\tx := 1\n\tg(x)"),
    ("java", "class A {\n  int f() {\n    $0\n  }\n}\n", "return 1;"),
    ("json", '{"a": $0}', "[1, 2]"),
    ("toml", "a = $0\n", "[1, 2]"),
]


def check(language: str, file: str, text: str, expected: str, *, is_unfenced: bool) -> None:
    left, right = file.split("$0")
    found = fim_lsp.fit(left, text, right, language=language)
    assert (found.text, found.is_unfenced) == (expected, is_unfenced), found
    fitting = fim_lsp.Fitting(left, right, language=language)
    alive = [fitting.feed(character) for character in text]
    assert fitting.fit() == found
    # The stream is not hopeless while more of it can be kept.
    assert all(alive[: text.rfind(expected.split()[-1])])


def check_answer(language: str, file: str, text: str, expected: str, *, is_unfenced: bool) -> None:
    """As `check`, for a text that may be a chat model's answer."""
    left, right = file.split("$0")
    loaded = Language.load(language)
    place = place_of(loaded, left, right, None)
    found = fit_answer_at(loaded.recognizer(left, right), text, place)
    assert (found.text, found.is_unfenced) == (expected, is_unfenced), found
    whole = fim_lsp.fit(left, text, right, language=loaded)
    assert whole == found or not whole.is_changed


@pytest.mark.parametrize(("language", "file", "text"), FENCES)
@pytest.mark.parametrize("fence", ["```", "~~~", "````"])
def test_a_fence_is_no_part_of_a_text(language: str, file: str, text: str, fence: str) -> None:
    left, right = file.split("$0")
    expected = fim_lsp.fit(left, text, right, language=language).text
    assert expected is not None
    for named in ("", language):
        fenced = f"{fence}{named}\n{text}\n"
        check(language, file, f"{fenced}{fence}\nThis adds one.", expected, is_unfenced=True)
        check_answer(language, file, f"{fenced}{fence}", expected, is_unfenced=True)
    check(language, file, f"{text}\n{fence}\n\nThis adds one.", expected, is_unfenced=True)


@pytest.mark.parametrize("language", ["javascript", "typescriptreact"])
@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        ("x = f($0);\n", "```js\na\n```", "a"),
        ("if (a) {\n  $0\n}\n", "```\nb();\nreturn a;\n```\n", "b();\nreturn a;"),
        ("if (a) {\n  $0\n  b();\n}\n", "~~~js\nc();\n~~~\n", "c();"),
        ("if (a) {\n  $0\n}\n", "Sure:\n```js\nb();\n```", "b();"),
        # In a fence there is nothing else that fits.
        ("x = f($0);\n", "```js\n)\n```", None),
        # In a template the file's author writes Markdown.
        ("x = `$0`;\n", "\\`\\`\\`js\na\n", None),
        # Code is no sentence.
        ("if (a) {\n  $0\n}\n", "b: f(`\n`)\n```js\na\n```", None),
    ],
)
def test_an_answer_in_a_fence_is_no_template(
    language: str, file: str, text: str, expected: str | None
) -> None:
    """Though the file parses with it, as two empty templates and one between them: so `fit` leaves it, and
    the endpoint takes the fence off."""
    check(language, file, text, text, is_unfenced=False)
    check_answer(language, file, text, expected or text, is_unfenced=expected is not None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```python\nb = a\nreturn b\n```", "b = a\n        return b"),
        ("Here is the code:\n\nb = a\nreturn b\n\nThis returns it.", "b = a\n        return b"),
        ("```\nfor b in a:\n    f(b)\nreturn b\n```", "for b in a:\n            f(b)\n        return b"),
        # A definition at the margin stands behind the block, and code of no chat model is where it is.
        ("```python\nreturn a\n\n\ndef g():\n    pass\n```", "return a\n\n\ndef g():\n    pass"),
        ("b = a\nreturn_(b)", "b = a\nreturn_(b)"),
    ],
)
def test_code_in_a_fence_belongs_to_the_block_of_the_cursor(text: str, expected: str) -> None:
    left, right = "class A:\n    def f(self, a):\n        ", "\n\ny = 1\n"
    assert fim_lsp.fit(left, text, right).text == expected


@pytest.mark.parametrize(
    ("language", "file", "text", "expected"),
    [
        # The fence belongs to the string or the comment.
        ("python", 'def f():\n    """A.\n    $0\n', "```\n    f()\n    ```", '```\n    f()\n    ```"""'),
        ("python", "x = f($0)\n", '"""\n```\na\n```\n""", (', '"""\n```\na\n```\n""", ()'),
        ("javascript", "f(/* $0\n);\n", "```\na\n```", "```\na\n```*/"),
    ],
)
def test_a_fence_in_a_string_or_a_comment_is_text(language: str, file: str, text: str, expected: str) -> None:
    left, right = file.split("$0")
    found = fim_lsp.fit(left, text, right, language=language)
    assert found.text == expected, found
    assert not found.is_unfenced


def test_a_stream_in_a_fence_is_hopeless_behind_its_end() -> None:
    fitting = fim_lsp.Fitting("def f():\n    ", "\n")
    pieces = ("``", "`py", "thon\n", "return ", "1", "\n```", "\nThis")
    assert [fitting.feed(piece) for piece in pieces] == [True, True, True, True, True, False, False]
    assert fitting.fit().text == "return 1"
    assert fitting.fit().reason == "a fence of Markdown is not part of it"
    # A text without a fence is hopeless as soon as that is certain.
    fitting = fim_lsp.Fitting("x = [", "]\n")
    assert [fitting.feed(piece) for piece in ("`", "`", "a")] == [True, True, False]


@pytest.mark.parametrize(
    "sentence",
    [
        "Here is the completed code:\n\n",
        "Sure! Here's the rest of `f`:\n",
        "The body, in short.\n",
        "Sure!\n\n",
    ],
)
def test_a_sentence_in_front_of_a_fence_is_no_part_of_a_text(sentence: str) -> None:
    text = f"{sentence}```python\nfor b in a:\n    f(b)\n```\nThis calls it."
    expected = "for b in a:\n        f(b)"
    fitting = fim_lsp.Fitting("def f(a):\n    ", "\n")
    pieces = text[: text.index("\n```\nThis")]
    assert [fitting.feed(character) for character in pieces] == [True] * len(pieces)
    assert fitting.fit().text == expected
    assert fim_lsp.fit("def f(a):\n    ", text, "\n").text == expected


def test_code_in_front_of_a_fence_is_no_sentence() -> None:
    assert fim_lsp.fit("def f(a):\n    ", "return A\n```\nThis returns it.\n", "\n").text == "return A"
    # A stream that can contain no fence is not kept open for one.
    fitting = fim_lsp.Fitting("x = f(", ")\n")
    assert [fitting.feed(piece) for piece in ("Box", ")", "\ny = 1)", "z")] == [True, True, False, False]


def test_many_fences_cost_little() -> None:
    language = Language.load("python")
    assert fim_lsp.fit("x = f(", "```\n" * 5000, ")\n", language=language).text == ""
    text = '"""' + "```\na\n" * 2000 + '""" ('
    assert fim_lsp.fit("x = f(", text, ")\n", language=language).text is not None


@pytest.mark.parametrize(
    ("language", "file", "text", "expected"),
    [
        ("javascript", "function f(a) {\n  $0\n}\n", "function f(a) {\n  return a;\n}", "return a;"),
        ("typescript", "class A {\n  $0\n}\n", "class A {\n  b = 1;\n}", "b = 1;"),
        ("java", "class A {\n  $0\n}\n", "class A {\n  int b = 1;\n}", "int b = 1;"),
        ("python", "def f(a):\n    $0\n", "def f(a):\n    return a", "return a"),
    ],
)
def test_a_whole_definition_in_a_fence_is_not_put_into_itself(
    language: str, file: str, text: str, expected: str
) -> None:
    check(language, file, f"~~~\n{text}\n~~~", expected, is_unfenced=True)


def test_a_definition_in_a_fence_is_no_template_with_an_explanation() -> None:
    left, right, text = (
        "function f(a) {\n  ",
        "\n}\n",
        "```js\nfunction f(a) {\n  return a;\n}\n```\nThis is it.",
    )
    assert fim_lsp.fit(left, text, right, language="javascript").text == "return a;"
    fitting = fim_lsp.Fitting(left, right, language="javascript")
    assert not all(fitting.feed(character) for character in text)
    assert fitting.fit().text == "return a;"


def test_a_whole_definition_that_fits_without_a_fence_is_not_touched() -> None:
    found = fim_lsp.fit("class A {\n  ", "class A {\n  int b = 1;\n}", "\n}\n", language="java")
    assert not found.is_changed


@pytest.mark.parametrize(
    ("language", "left", "right", "content", "end"),
    [
        ("python", "x = {'a', '", "\n}\n", "b'", ""),
        ("json", '{"a', "}\n", 'b": 1', ""),
        ("toml", 'a = "', "\n", 'b"', ""),
        ("go", 'package p\nvar a = "', "\n", 'b"', ""),
        ("java", 'class A { String a = "', " }\n", 'b";', ""),
        ("javascript", "f('", "\n", "b');", ""),
        ("typescript", "f('", "\n", "b'", ")"),
    ],
)
@pytest.mark.parametrize("before", ["", "Here is the code:\n\n"])
def test_in_a_string_of_one_line_a_fence_is_a_fence(
    language: str, left: str, right: str, content: str, end: str, before: str
) -> None:
    said = f"{before}```{language}\n{content}\n```\n"
    found = fim_lsp.fit(left, said, right, language=language)
    assert found.is_unfenced
    assert found.text is not None
    assert found.text.strip() == content + end
    fitting = fim_lsp.Fitting(left, right, language=language)
    assert all(fitting.feed(character) for character in said[: said.index(content) + len(content)])


@pytest.mark.parametrize(
    ("language", "left", "right"),
    [
        ("java", "class A {\n  void f() {\n    this.name = attribute", "\n  }\n}\n"),
        ("python", "x = (\n    ", "\n)\n"),
        ("javascript", "const x = ", "\n"),
    ],
)
def test_of_a_sentence_in_front_of_a_fence_nothing_is_kept(language: str, left: str, right: str) -> None:
    said = f"Here is the completed code:\n\n```{language}\n) ] }}\n```\n"
    found = fim_lsp.fit(left, said, right, language=language)
    assert found.is_changed
    assert not found.text
