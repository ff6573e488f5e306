"""A `try` that has no clause yet: who types its block is offered what fits the file with one."""

from __future__ import annotations

import pytest

from fim_lsp.document.hole import Hole
from fim_lsp.document.sent import SentEdit, SentText
from fim_lsp.document.texts import WorkerText
from fim_lsp.recognizers import fits
from fim_lsp.server.worker.ladder import Footing, footing
from fim_lsp.server.worker.site import Site
from tests.server_editor import VERSION

IN_FUNCTION = "import json\n\n\ndef load(path):\n    try:\n        text = $0"
IN_BLOCK = "export function load(name) {\n  try {\n    keep($0);\n  }\n}\n\nload(1);\n"


def footing_at(marked: str, language: str = "python", *, is_asked: bool = False) -> Footing:
    left, right = marked.split("$0")
    text = WorkerText(SentText("file:///a", 0, VERSION, left + right, language=language), left + right)
    found = footing(Site.of(text, Hole(len(left), len(left))), is_asked=is_asked)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("marked", "one_line"),
    [
        # At the end of the file, with a line break behind the cursor and without one.
        (IN_FUNCTION, "path.read()"),
        (IN_FUNCTION + "\n", "path.read()"),
        (IN_FUNCTION + "\n\n\nprint(load(1))\n", "path.read()"),
        (IN_FUNCTION.replace("\n", "\r\n") + "\r\n", "path.read()"),
        (IN_FUNCTION.replace("    ", "\t") + "\n", "path.read()"),
        # More of the block follows.
        ("try:\n    a = $0\n\n    b = 2\n# the end\nprint(3)\n", "1"),
        # In blocks of the block, and in another `try`.
        ("try:\n    for row in [1]:\n        if row:\n            print($0\n", "row)"),
        ("try:\n    a = 1\n    try:\n        b = $0\n", "a"),
        ("try:\n    a = 1\n    try:\n        b = $0", "a"),
        ("try:\n    a = 1\n    try:\n        b = $0\n    c = 2\nd = 3\n", "a"),
        # The outer one has its clause.
        ("try:\n    try:\n        a = $0\nexcept OSError:\n    pass\n", "1"),
        # A clause below belongs to another one.
        ("try:\n    a = $0\ntry:\n    b = 1\nfinally:\n    pass\n", "1"),
    ],
)
def test_a_line_fits_in_a_suite_without_a_clause(marked: str, one_line: str) -> None:
    found = footing_at(marked)
    assert found.rung == "unfinished"
    assert fits(found.recognizer, one_line)


def test_for_a_user_who_asks_the_text_brings_the_clause() -> None:
    found = footing_at(IN_FUNCTION + "\n", is_asked=True)
    assert found.rung == "file"
    assert not fits(found.recognizer, "path.read()")
    assert fits(found.recognizer, "path.read()\n    except OSError:\n        text = None")


def test_who_writes_the_clause_as_well_may_do_so() -> None:
    found = footing_at(IN_FUNCTION + "\n")
    assert fits(found.recognizer, "path.read()\n    except OSError:\n        text = None")
    assert not fits(found.recognizer, "path.read()\n    except OSError:")


@pytest.mark.parametrize(
    ("language", "marked", "texts"),
    [
        ("javascript", IN_BLOCK, ["name", ""]),
        ("typescriptreact", IN_BLOCK, ["name", ""]),
        ("javascript", "try {\n  try {\n    $0\n  }\n}\n", ["keep(1);"]),
        (
            "java",
            "class A {\n    void f() {\n        try {\n            g($0);\n        }\n    }\n}\n",
            ["1"],
        ),
    ],
)
def test_a_line_fits_in_a_block_without_a_clause(language: str, marked: str, texts: list[str]) -> None:
    found = footing_at(marked, language)
    assert found.rung == "unfinished"
    assert all(fits(found.recognizer, text) for text in texts)


@pytest.mark.parametrize(
    ("language", "marked"),
    [
        ("python", "try:\n    a = $0\nexcept OSError:\n    pass\n"),
        ("python", "try:\n    a = $0\n\n# why\nfinally:\n    pass\n"),
        # Here the clause itself is written.
        ("python", "try:\n    a = 1\n$0\n"),
        ("python", "def f():\n    try:\n        a = 1\n    exc$0\n"),
        # In the header there is no block yet.
        ("python", "try:\n    pass\nexcept $0:\n    pass\n"),
        ("javascript", "try {\n  f($0);\n} catch (error) {\n}\n"),
        ("javascript", "try {\n  f($0);\n}\ncatch (error) {\n}\n"),
        ("javascript", "try {\n  f();\n} $0\n"),
        ("java", "class A { void f() {\n    try (var a = g()) {\n        a.h($0);\n    }\n} }\n"),
        ("go", "package p\n\nfunc f() {\n\ttry := g($0)\n}\n"),
    ],
)
def test_elsewhere_the_file_counts_as_it_is(language: str, marked: str) -> None:
    assert footing_at(marked, language).rung == "file"


def test_keys_typed_into_an_unfinished_suite_keep_its_clause_below() -> None:
    left, right = IN_FUNCTION.split("$0")[0], "\n\n\nprint(load(1))\n"
    text = WorkerText(SentText("file:///a", 0, VERSION, left + right), left + right)
    for key in ["p", "ath", ".", "read()", "\n        ", "print(", "text", ")", "\n        "]:
        place = len(left)
        found = footing(Site.of(text, Hole(place, place)))
        assert found is not None
        assert found.rung == "unfinished"
        assert found.part.document.text.count("finally: pass") == 1
        text.edit(SentEdit(place, place, key))
        left += key
