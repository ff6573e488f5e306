"""Holes that must end in code: the texts that fit without a comment that continues behind the hole."""

from __future__ import annotations

import random

import pytest

from quotient import Language, NoCompletion, Recognizer

# In each case, a comment that begins in the hole might continue to the `*/` below.
TEXTS = {
    "javascript": "on('a', (b) => {\n  c(b);\n});\n\n/** of d */\nfunction d() {}\n// */\nvar e = 1;\n",
    "typescript": "const a: A = b('c', (d) => {\n  e(d);\n});\n/* f */\nexport const g = 1;\n",
    "java": "class A {\n  /** b */\n  void b() { c(); }\n  /** d */\n  int d = 1; // */\n}\n",
    "go": "package a\n\nfunc b() {\n\tc()\n}\n\n/* d */\nvar e = 1 // */\n",
    "python": "def a(b):\n    return b  # c\n\n\nd = a(1)\n",
}
# An empty comment in front of code changes nothing, and ends a comment that has begun.
EMPTY = "/**/"
PIECES = (
    "",
    "/*",
    "a",
    "a ",
    "(",
    ")",
    "{",
    "}",
    ");",
    "){",
    "/* x */",
    "// x",
    "/",
    "'",
    '"',
    "=>{",
    "=1;",
    "*/",
)


def is_code(text: str) -> bool:
    """Whether an empty comment behind a text is a comment, and changes nothing else."""
    return "//" not in text and text.rfind("/*") <= text.rfind("*/") and not text.endswith(("/", "*"))


def read(recognizer: Recognizer | None, text: str) -> tuple[bool, bool]:
    """Whether a text can be continued, and whether it fits as it is."""
    if recognizer is None:
        return False, False
    fork = recognizer.fork()
    return fork.advance(text), fork.is_member()


@pytest.mark.parametrize("name", [name for name in TEXTS if name != "python"])
def test_it_is_as_if_an_empty_comment_stood_behind(name: str) -> None:
    language, text = Language.load(name), TEXTS[name]
    document = language.document(text)
    chance = random.Random(name)
    for _ in range(300):
        start = chance.randrange(len(text) - 1)
        # A line comment ends there, with the empty comment and without it.
        ends = [one for one in range(start, len(text)) if text[one] == "\n"]
        stop = chance.choice(ends)
        try:
            in_code = document.recognizer(start, stop, comment_end="*/")
        except NoCompletion:
            in_code = None
        try:
            beside = language.recognizer(text[:start], EMPTY + text[stop:])
        except NoCompletion:
            beside = None
        try:
            anything = document.recognizer(start, stop)
        except NoCompletion:
            anything = None
        piece = chance.choice(PIECES) + chance.choice(PIECES)
        if is_code(text[:start] + piece) and is_code(text[:start]):
            assert read(in_code, piece) == read(beside, piece), (text[:start], piece, text[stop:])
        assert not read(in_code, piece)[1] or read(anything, piece)[1]
        if in_code is not None:
            witness = in_code.fork().witness()
            assert read(in_code, witness)[1]
            assert read(anything, witness)[1]


@pytest.mark.parametrize("name", [name for name in TEXTS if name != "python"])
def test_no_comment_goes_on_behind_it(name: str) -> None:
    text = TEXTS[name]
    document = Language.load(name).document(text)
    place = text.rindex("\n", 0, text.rindex("/*"))
    assert read(document.recognizer(place, place), "/* c") == (True, True)
    in_code = document.recognizer(place, place, comment_end="*/")
    assert read(in_code, "/* c") == (True, False)
    assert read(in_code, "/* c */") == (True, True)


def test_what_parses_only_by_a_comment_does_not_fit() -> None:
    document = Language.load("javascript").document("a(\n\nfunction c() { = }\n// */\n")
    place = len("a(")
    with pytest.raises(NoCompletion):
        document.recognizer(place, place, comment_end="*/")
    assert "/*" in document.recognizer(place, place).witness()


def test_python_s_comments_end_with_their_line() -> None:
    text = TEXTS["python"]
    document = Language.load("python").document(text)
    place = text.index("  # c")
    assert read(document.recognizer(place, place, comment_end="*/"), " + 1  # d") == (True, False)
    assert read(document.recognizer(place, place), " + 1  # d") == (True, True)
    behind = text.index("\n\n\n")
    assert read(document.recognizer(behind, behind, comment_end="*/"), "d") == (True, True)
