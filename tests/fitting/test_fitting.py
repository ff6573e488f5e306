"""`fim_lsp.fit`: other programs' texts are made to fit, with as few changes as possible."""

from __future__ import annotations

import dataclasses
import time

import pytest

import fim_lsp
from fim_lsp.fitting.documents import DocumentCache
from fim_lsp.replay import judges
from fim_lsp.shared import n_shared, n_shared_behind
from quotient import Language
from tests.fitting.held import check_fit


@pytest.mark.parametrize(
    ("language", "file", "text"),
    [
        ("python", "print($0)\n", "a, b"),
        # The text is odd, but it fits, so it stays.
        ("python", "print($0)\n", "a) # and so on"),
        ("python", "if a:\n    $0\n", "x =   1  \n    y=2"),
        ("javascript", "f($0);\n", "a, b"),
        ("json", "[$0]", "1, 2"),
    ],
)
def test_what_fits_is_not_touched(language: str, file: str, text: str) -> None:
    found = check_fit(file, text, text, "it fits", language=language)
    assert not found.is_changed
    assert not found.dropped
    assert not found.added


def test_no_key_of_toml_is_renamed() -> None:
    """Although `ab = 1` behind `b = 2` would parse."""
    check_fit("a = 1\n$0b = 1\n", "b = 2\n", "", "'b =' is right of the cursor already", language="toml")


@pytest.mark.parametrize(
    ("language", "file", "text", "expected", "reason"),
    [
        # In Java only a `;` ends a statement, so it is meant in front of a chain of calls that goes on below.
        ("java", "\n    $0\n        .c();", "b();", "b();\n    a", "begins the next statement"),
        ("java", "\n$0        .c();", "    b();", "    b();\n    a\n", "begins the next statement"),
        # The chain's own end is there already.
        ("java", "\n    $0\n        .c();", "b().c();", "b()", "'.c();' is right of the cursor already"),
        # In a line it is one too many, and so it is in languages where a line end may end a statement.
        ("java", "\n    $0.c();", "b();", "b()", "';' is not allowed there"),
        ("java", "\n    x = $0\n        .c();", "b();", "b()", "';' is not allowed there"),
        ("typescript", "\n    $0\n        .c();", "b();", "b()", "';' is not allowed there"),
    ],
)
def test_a_statement_that_has_ended_in_front_of_a_chain_of_calls(
    language: str, file: str, text: str, expected: str, reason: str
) -> None:
    before, behind = ("class A { void f() {", "}}\n") if language == "java" else ("{", "}\n")
    check_fit(before + file + behind, text, expected, reason, language=language)


@pytest.mark.parametrize(
    ("language", "file", "text", "expected", "reason"),
    [
        ("python", "print($0)\n", "total)", "total", "')' is right of the cursor already"),
        ("python", "print(sum($0)\n", "a, b", "a, b)", "')' closes what was open"),
        ("python", "x = [$0\ny = 1\n", "1, 2", "1, 2]", "']' closes what was open"),
        (
            "python",
            "x = {$0}\n",
            "1: 2}\nf(x)",
            "1: 2}\nf(x)\n{",
            "'{' opens what is closed right of the cursor",
        ),
        ("python", "x = [\n    $0\n]\n", "1,\n]\nf(x)", "1,\n]\nf(x)\n[", "'[' opens what is closed"),
        ("python", "def f():\n    x = {$0}\n    y\n", "}\n    f(x)", "}\n    f(x)\n    {", "'{' opens"),
        # In a line of its own it would close nothing.
        ("python", "x = g(\n    [$0]\n)\n", "1] + bbbb", "1] + bbbb>[", "'>[' opens what is closed"),
        ("javascript", "const x = {$0};\n", "a: 1};\nf(x);", "a: 1};\nf(x);\n{", "'{' opens what is closed"),
        (
            "go",
            "package p\n\nfunc f() {\n\tif a {\n\t\t$0\n\t}\n}\n",
            "b()\n\t}\n\tdefer c()",
            "b()\n\t}\n\tdefer c()\n\t{",
            "'{' opens what is closed",
        ),
        ("python", "class f():$0}", "#", "#\n {", "'{' opens what is closed"),
        # It opens the block of what is kept.
        ("javascript", "const x = {$0};\n", "a: 1};\nif (x)", "a: 1};\nif (x){", "'{' opens what is closed"),
        ("python", "x = f($0)\ny = 1\n", "a)\ny = 1", "a", "is right of the cursor already"),
        # A closer is repeated as a whole, although its first characters alone would be a string.
        ("python", 's = """$0"""\n', 'a.\n"""\nreturn b', "a.", '\'"""\' is right of'),
        ("javascript", "a($0);\n", "b);\nc d", "b", "');' is right of the cursor already; 'c d' is not"),
        # A text that runs over is cut off where it repeats the right side, and otherwise continues.
        ("python", "x = f($0)\ny = 1\n", "a)\ny = 1\n]\nz = 1", "a", "']' ... is not allowed there"),
        ("python", "x = $0\n", "a b c", "a", "'b c' is not allowed there"),
        ("python", "try:\n    a()\n$0\n", "finally:\n    b(", "finally:\n    b()", "')' closes"),
        (
            "javascript",
            "function f() {\n  $0\n}\n",
            "return 1;\n}\n",
            "return 1;",
            "'}' is right of the cursor already",
        ),
        # An opener in front of the last brace would be as short, but is not what the writer meant.
        (
            "javascript",
            "function f() {\n  $0\n}\n",
            "return 1;\n}\nfunction g() {\n  return 2;\n}",
            "return 1;\n}\nfunction g() {\n  return 2;",
            "'}' is right of the cursor already",
        ),
        ("javascript", "f($0\ng();\n", "a, () => {", "a, () => {\n})", "'})' closes what was open"),
        # The closer has the column of the line that opened it, whatever the file's indentation step.
        (
            "javascript",
            "function f(a) {\n  $0\n}\n",
            "if (a) {\n    return g(1,\n             2);",
            "if (a) {\n    return g(1,\n             2);\n  }",
            "'}' closes what was open",
        ),
        (
            "go",
            "package p\n\nfunc f() error {\n\t$0\n}\n",
            "if a {\n\t\treturn b",
            "if a {\n\t\treturn b\n\t}",
            "'}' closes what was open",
        ),
        ("go", "package p\nfunc f() {\n\tg($0)\n}\n", "a)", "a", "is right of the cursor already"),
        # The text has lines of its own, also if the next line begins behind it.
        (
            "java",
            "class A {\n$0  int f() {}\n}\n",
            "  int g() {",
            "  int g() {\n  }\n",
            "'}' closes what was open",
        ),
        ("java", "class A {\n  int f() {\n    $0\n  }\n}\n", "return g(1", "return g(1);", "');' closes"),
        ("typescript", "const a: number[] = [$0];\n", "1, 2];", "1, 2", "'];' is right"),
        ("typescriptreact", "const a = <b>$0</b>;\n", "c</b>;", "c", "is right of the cursor"),
        ("javascriptreact", "const a = <b>$0</b>;\n", "{c", "{c}", "'}' closes what was open"),
        ("json", '{"a": [$0]}', '1, {"b": 2', '1, {"b": 2}', "'}' closes what was open"),
        ("json", '{"a": [$0]}', "1, 2]}", "1, 2", "is right of the cursor already"),
        ("toml", "a = [$0\nb = 1\n", "1, 2", "1, 2]", "']' closes what was open"),
        # Parsers of TOML refuse a key twice.
        ("toml", "a = $0\nb = 1\n", "2\nb = 1\n", "2", "'b = 1' is right of the cursor already"),
        ("toml", "a = 1\n$0\n", "a = 2", "", "`a` is defined already"),
        # A comment would swallow the rest of the line.
        (
            "typescriptreact",
            'const a = <b c="$0">d</b>;\n',
            'e" f={g}>',
            "e",
            "'\"' is right of the cursor already",
        ),
    ],
)
def test_the_nearest_text_that_fits(language: str, file: str, text: str, expected: str, reason: str) -> None:
    check_fit(file, text, expected, reason, language=language)


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        # The text stands at the margin instead of the block's column.
        ("try:\n    a = 1\n$0\nfinally:\n    b()\n", "if a:\n    b()", "    if a:\n        b()"),
        ("for a in b:\n$0\n", "print(a)", "    print(a)"),
        # The text repeats the indentation of a line that is indented already.
        ("def f():\n    a = 1\n    $0\n", "    return 1", "return 1"),
        # The text repeats the block's header at the margin.
        ("async def f():\n    async with a() as b:\n$0\n", "async with a() as b:\n    c(b)", "        c(b)"),
        # The text uses the file's own indentation.
        ("def f():\n\ttry:\n\t\ta()\n$0\n\tfinally:\n\t\tb()\n", "if a:\n  c()", "\t\tif a:\n\t\t\tc()"),
        # The writer ignored the white space in front of the cursor, or repeated it.
        ("def f(a):\n    $0\n", "for b in a:\n    g(b)\nh()", "for b in a:\n        g(b)\n    h()"),
        ("def f(a):\n    $0\n", "    for b in a:\n        g(b)", "for b in a:\n        g(b)"),
        ("def f(a):\n\tb = 1\n\t$0\n", "for b in a:\n    g(b)", "for b in a:\n\t\tg(b)"),
        (
            "def f(a):\n    $0\n    return a\n",
            "\r\nfor b in a:\r\n        g(b)\r\n",
            "\n    for b in a:\n        g(b)",
        ),
        # Its lines behind the first one are a step too far inside.
        (
            "def f(a):\n    $0\n\ny = 1\n",
            "b = a\n        c = b\n        return c",
            "b = a\n    c = b\n    return c",
        ),
        (
            "def f(a):\n    $0\n\ny = 1\n",
            "if a:\n            b()\n        g()",
            "if a:\n        b()\n    g()",
        ),
        (
            "def f(a):\n\t$0\n\ny = 1\n",
            "b = (\n\t\t\ta\n\t\t)\n\t\treturn b",
            "b = (\n\t\ta\n\t)\n\treturn b",
        ),
        # A string's lines stay unchanged.
        ("def f():\n$0\n", 'a = """\nb\n"""\nreturn a', '    a = """\nb\n"""\n    return a'),
    ],
)
def test_lines_are_moved_to_the_columns_of_the_file(file: str, text: str, expected: str) -> None:
    assert check_fit(file, text, expected, "not in the columns").is_moved


@pytest.mark.parametrize("language", ["javascriptreact", "typescriptreact"])
@pytest.mark.parametrize(
    ("file", "text", "expected", "reason"),
    [
        ("x = <div>\n$0\n</div>\n", "<p>Good morning", "<p>Good morning</p>", "'</p>' closes what was open"),
        ("x = <div>{a}$0{b}</div>\n", "<pre>Good</p", "<pre>Good</pre>", "'re>' closes what was open"),
        ("x = <div>$0</div>\n", "<A.B><c>Good", "<A.B><c>Good</c></A.B>", "'</c></A.B>' closes"),
        ("x = <div>$0</div>\n", "<>Good", "<>Good</>", "'</>' closes"),
        # The grammar would end the paragraph with it.
        ("x = <div>$0\n</div>\n", "<p>é</div>\n", "<p>é</p>", "'</div>' is right of the cursor already"),
        ("x = <ul><li>$0</li></ul>\n", "a</b><b>c", "a", "'b><b>c' is not allowed there"),
        ("x = <pre>a</$0\n", "p>", None, "it may not begin with 'p>'"),
        ("x = <a>{b$0>\n", "}</c", "}</a", "'c' is not allowed there; 'a' closes what was open"),
    ],
)
def test_tags_are_called_as_their_others(
    language: str, file: str, text: str, expected: str | None, reason: str
) -> None:
    check_fit(file, text, expected, reason, language=language)


def test_elements_whose_tags_differ_elsewhere_are_no_matter() -> None:
    check_fit("x = <a>$0</b>\n", "<c>d</c>", "<c>d</c>", "it fits", language="javascriptreact")
    check_fit(
        "x = <a>$0</b>\n",
        "<c /* e */ .d></c.d>",
        "<c /* e */ .d></c.d>",
        "it fits",
        language="typescriptreact",
    )


def test_a_moved_text_begins_where_the_cursor_is() -> None:
    check_fit(
        "def f(r):\n    $0\n\nf(1)\n", "def f(r):\n    return r\n\nf(1)", "return r", "left of the cursor"
    )
    check_fit("def f(r):\n    $0\n", "\nreturn r\n", "\n    return r", "not in the columns")
    file, text = "def f(r):\n    $0\n", "def f(r):\na = r\nreturn a"
    check_fit(file, text, "a = r\n    return a", "not in the columns")
    check_fit("if a:\n    if b:\n    $0\n", "\nreturn_(b)\n", "\n        return_(b)", "not in the columns")


def test_no_key_of_toml_is_made_longer() -> None:
    file = '[project]\nname = "a"\n$0\n'
    text = 'version = "1"\nname = "b"\n'
    check_fit(file, text, 'version = "1"', "`name` is defined already", language="toml")


@pytest.mark.parametrize("left", ["[a]\nb = 1\n", "[a]\nb = 'c'\n\n[d]\n", "a = { b = 1 }\n"])
@pytest.mark.parametrize("text", ["[a]", "[a ]", "[ a]\nd = 1", '["a"]', "[[a]]", "c = 1\n[a]", "[a.b]"])
def test_no_end_defines_a_table_of_toml_twice(left: str, text: str) -> None:
    found = fim_lsp.fit(left, text, "\n", language="toml")
    whole = f"{left}{found.text or ''}\n"
    assert judges.toml_fault(whole) is None, whole


def test_no_line_end_is_cut_in_two() -> None:
    left, right = "def f(a):\r\n    if a:\r\n", "\n    b()\r\n"
    for text in ("        c(\r\n", "        c()\r\n    )\r\n", "x\r\ny\r\n"):
        found = fim_lsp.fit(left, text, right)
        assert found.text is not None
        assert not found.text.replace("\r\n", "").count("\r"), found


@pytest.mark.parametrize(
    ("file", "text", "reason"),
    [
        ("x = )$0\n", "1", "no text fits here: "),
        ("x = $0)\n$", "1", "no text fits here: "),
        ("x = $0\n", ") + 1", "nothing of it fits: it may not begin with ') + 1'"),
        ("x = $0\n", "", "nothing of it fits: it is empty, and a text is needed here"),
    ],
)
def test_where_nothing_fits_it_says_why(file: str, text: str, reason: str) -> None:
    left, right = file.split("$0")
    found = fim_lsp.fit(left, text, right)
    assert found.text is None
    assert found.reason.startswith(reason)
    assert found.dropped == text


@pytest.mark.parametrize(
    ("language", "file", "text", "expected"),
    [
        ("python", "x = [1$0, 1]\n", ", 2, 1]", ", 2"),
        ("python", "x = [1$0, 1]\n", ", 1, 1]", ", 1"),
        # Other text follows the equal text, so both are meant.
        ("python", "x = [1$0, 1]\n", ", 1, 2]", ", 1, 2"),
        ("javascript", "f(a$0, a);\n", ", a, b);", ", a, b"),
        ("typescript", "const x: $0 = 1;\n", "number = 1;", "number"),
        ("json", "[1$0, 1]\n", ", 1]", ""),
    ],
)
def test_items_that_begin_alike_are_told_apart_by_what_follows(
    language: str, file: str, text: str, expected: str
) -> None:
    check_fit(file, text, expected, "", language=language)


def test_no_end_takes_in_what_stands_right_of_the_cursor() -> None:
    # `#` would be the shortest end, and a backslash in front of a line with deeper indentation.
    check_fit("total = sum($0, b)\n", "a)", "a", "')' is not allowed there")
    found = fim_lsp.fit("x = f(", "a) b", "c, d)\n")
    assert found.text is not None
    assert "#" not in found.text
    found = fim_lsp.fit("if a:\n    b()\n", "    c()", "\n        d()\n")
    assert found.text is not None
    assert not found.text.endswith("\\")


def test_an_end_that_is_a_comment_gives_way_to_one_as_long() -> None:
    # `)}#` is the shortest end, but swallows the right side.
    found = fim_lsp.fit("", "{a(#\n", "c")
    assert found.text in ("{a(#\n)}\n", "{a(#\n)}<", "{a(#\n)}>", "{a(#\n)};")


def test_no_end_of_toml_takes_keys_that_stand_there_elsewhere() -> None:
    file = "[a]\n$0key = 1\n"
    check_fit(file, 'key = "a long string, longer than any table"\n', "", "'key =' is right", language="toml")
    # The right side has the other half of a key, and no text is found that keeps the keys distinct.
    assert fim_lsp.fit("", "v = 1\nb", "a = 2\nv = 2", language="toml").text == "v"
    assert fim_lsp.fit("", "a = 1\nb", "a = 2\na = 2", language="toml").text == "a = 1\nb"


def test_no_word_is_cut_or_made_longer() -> None:
    check_fit("x = $0\n", "value return", "value", "'return' is not allowed there")
    check_fit("const a = $0\n", "b const c = 1;", "b", "is not allowed there", language="javascript")


def test_names_are_held_as_the_recognizer_holds_them() -> None:
    left = "def total(prices):\n    return sum("
    assert fim_lsp.fit(left, "price)", "\n").text == "price)"
    found = fim_lsp.fit(left, "prices) + tax", "\n", names=())
    assert found.text == "prices)"
    assert "tax" in found.reason
    assert fim_lsp.fit(left, "prices) + tax", "\n", names=["tax"]).text == "prices) + tax"


def test_a_language_may_be_a_loaded_one_and_one_of_others() -> None:
    assert fim_lsp.fit("match a:\n", "    case 1: b", "\n", language=Language.load("python", "3.8")).text != (
        "    case 1: b"
    )
    sums = Language.from_lark('start: "(" NUMBER ("+" NUMBER)* ")"\nNUMBER: /[0-9]+/\n')
    assert fim_lsp.fit("(1", "+2+", ")", language=sums).text == "+2"
    with pytest.raises(ValueError, match="no language is called 'cobol'"):
        fim_lsp.fit("", "", "", language="cobol")


@pytest.mark.parametrize("text", ["a\ud800", "\ud800", "a(\udfff)"])
def test_half_characters_are_cut_off(text: str) -> None:
    found = fim_lsp.fit("x = f(", text, ")\n")
    assert found.text is None or "\ud800" not in found.text
    assert fim_lsp.fit("x = '\ud800", "a", "'\n").text is None


def test_a_fit_is_frozen() -> None:
    found = fim_lsp.fit("print(", "a", ")\n")
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.text = ""  # type: ignore[misc]


def test_long_texts_of_one_character_cost_little() -> None:
    start = time.process_time()
    fim_lsp.fit("x = [", "]" * 20_000, "]" * 20_000, language="python")
    fim_lsp.fit("x = ", "(" * 2_000, ")" * 1_000 + "\n", language="python")
    assert time.process_time() - start < 20


def test_documents_give_what_a_fresh_start_gives() -> None:
    documents = DocumentCache(n_documents=2)
    python, go = Language.load("python"), Language.load("go")
    for language, left, right in (
        (python, "x = f(", ")\n"),
        (python, "x = f(a, ", ")\n"),
        (go, "package p\nvar x = f(", ")\n"),
        (python, "y = 1\nx = f(a, ", ")\n"),
        (python, "class A: pass\n", ""),
        (go, "package p\nvar x = f(", ", 1)\n"),
    ):
        kept = documents.recognizer(language, left, right, None)
        fresh = language.recognizer(left, right)
        assert kept.witness() == fresh.witness()
        assert kept.is_member() == fresh.is_member()


def test_common_beginnings_are_found_by_halves() -> None:
    for one, other, length in (("", "", 0), ("a", "", 0), ("abc", "abd", 2), ("abc", "abc", 3)):
        assert n_shared(one, other) == length
        assert n_shared_behind(one[::-1], other[::-1], min(len(one), len(other))) == length
    assert n_shared_behind("abcd", "abcd", 2) == 2


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        ("function f(a) {\n  if (a) {\n    $0\n  }\n}\n", "if (a) {\n    return null\n", "return null\n"),
        ("class A {\n  int f()\n  {\n    $0\n  }\n}\n", "{\n    return 1;\n", "return 1;\n"),
        ("x = g(\n  $0\n)\n", "x = g(\n  a,\n  b\n", "a,\n  b\n"),
        # All of it may be meant.
        (
            "function f(a) {\n  if (a) {\n    $0\n  }\n}\n",
            "if (a) {\n    b()\n  }\n",
            "if (a) {\n    b()\n  }\n",
        ),
    ],
)
def test_the_head_above_is_not_put_into_itself(file: str, text: str, expected: str) -> None:
    left, right = file.split("$0")
    language = "java" if file.startswith("class") else "javascript"
    found = fim_lsp.fit(left, text, right, language=language).text
    assert found is not None
    assert found.rstrip() == expected.rstrip()
