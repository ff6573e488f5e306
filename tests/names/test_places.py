"""Refusals, masks and ends at places in a hole, with names."""

import doctest
from pathlib import Path

import numpy as np
import pytest

from quotient import Language, Recognizer, Vocabulary
from tests.names.holes import named


def test_a_refusal_says_where_the_wrong_name_begins() -> None:
    recognizer = Language.load("python").recognizer("print(", "\n", names=())
    assert recognizer.advance("nobody")
    assert recognizer.refusal(" + 1)") == ("nobody", 6, "`nobody` is not defined here")
    assert recognizer.refusal(" + 1 for nobody in []") is None
    assert recognizer.refusal("=1)") is None
    assert recognizer.refusal(")(") == ("nobody", 6, "`nobody` is not defined here")
    assert recognizer.refusal("]") is None, "the grammar is against it"


def test_the_examples_of_the_page_are_true() -> None:
    page = Path(__file__).parents[2] / "docs" / "names.md"
    assert doctest.testfile(str(page), module_relative=False).failed == 0


def test_names_of_elsewhere_exist() -> None:
    language = Language.load("python")
    assert not language.recognizer(names=()).advance("+somebody")
    assert language.recognizer(names=["somebody"]).advance("+somebody")


def test_other_languages_have_no_names() -> None:
    recognizer = Language.load("calculator").recognizer("(", ")", names=())
    assert not recognizer.has_law
    assert recognizer.advance("1")
    assert recognizer.is_member()


def test_tokens_are_taken_back_with_their_names() -> None:
    recognizer = Language.load("python").recognizer("", "\n", names=())
    assert recognizer.advance("x = 1\n")
    assert recognizer.advance("+x")
    recognizer.rollback(2)
    assert not recognizer.advance("+x")
    assert recognizer.without_names().advance("+x")


def test_a_document_follows_edits_of_its_names() -> None:
    document = Language.load("python").document("x = 1\n\n")
    assert document.recognizer(6, names=[]).advance("+x")
    document.edit(0, 1, "y")
    assert not document.recognizer(6, names=[]).advance("+x")
    assert document.recognizer(6, names=[]).advance("+y")


WORDS = (
    "print", " print", "(x", "x)", " = ", "self", ".self", "for x in", "\n    ", "\n", "lambda",
    " lambda x: x", "x", "xy", "y(", "True", 'f"{', 'x}"', "return", " return x",
    "import x\nx", "def f(x): x", "x]", ",\n 'HA", " 'HA", "\"HA", "#x", "</s>",
)  # fmt: skip
TOKENS = [*(bytes([byte]) for byte in range(256)), *(word.encode() for word in WORDS)]


@pytest.mark.parametrize(
    ("hole", "text"),
    [
        ("$0\n", ""),
        ("x = 1\n$0\n", "pri"),
        ("xyz = 1\nprint($0)\n", "x"),
        ("def f(self):\n    $0\n", "return "),
        ("[$0 for x in []]\n", ""),
        ("$0\n", 'f"{'),
        ("$0\n", 'f"'),
        ("$0\n", 'f"a'),
        ("$0\n", "rb"),
        ("$0\n", "# x"),
        ("def f(a: $0): pass\n", "'"),
        ("$0\n", "x = [i"),
        ("$0\n", "match pri"),
        ("future = 1\nx = [futur$0\n]\n", ""),
        ("future = 1\nx = [futur, $0\n]\n", ""),
        ("$0\n", "x = [y, "),
        ("def f():\n    $0\n", "retu"),
        ("x = 1\n$0\n", "x"),
        ("$0\n", "nobody"),
        ("x = '$0'\n", "a"),
        ("def f(selfish):\n    return sel$0\n", ""),
    ],
)
def test_a_mask_is_what_could_be_read(hole: str, text: str) -> None:
    recognizer = named(hole)
    vocabulary = Vocabulary(TOKENS, eos=len(TOKENS) - 1)
    assert recognizer.advance(text)
    expected = readable(recognizer, vocabulary)
    assert masked(recognizer, vocabulary) == expected
    assert all(recognizer.first_allowed(vocabulary, [token]) == token for token in expected)


# Masks of places that differ only in the visible names share most of their parts.
@pytest.mark.parametrize(
    ("hole", "text"),
    [
        ("$0\n", "xy = 1\nself = xy\nf = xy\nprint(xy, self, f)\n"),
        ("def f(x, self):\n    $0\n", "HA = x\n    y = self.x(HA, y=HA)\n    return [y for y in HA]"),
        ("$0\n", "for x in []:\n    print(x)\nfor xy in [x]:\n    print(xy)\n"),
        ("$0\n", "print(x=1, xy=2)\nprint(xy=1, x=2)\n"),
        ("from __future__ import annotation$0\n", "s"),
        ("from __future__ import $0\n", "division, annotations"),
        ("$0\n", "lambda x, xy: x + xy\nx = xy = 1\nlambda y: y + xy\n"),
        ("$0\n", "__ = 1\n_ = __\nprint(_, __)\n"),
        ("$0\n", "match 1:\n    case x: x\nmatch x:\n    case [y, xy]: y\n"),
        ("def f():\n    $0\n", "global x\n    x = 1\n    x * 2 * x"),
    ],
)
def test_masks_on_the_way_are_what_could_be_read(hole: str, text: str) -> None:
    recognizer = named(hole)
    vocabulary = Vocabulary(
        [*TOKENS, b"_(", b" (_,", b"__", b" :=", b" *", b"),", b"12"], eos=len(TOKENS) - 1
    )
    for character in text:
        assert masked(recognizer, vocabulary) == readable(recognizer, vocabulary)
        assert recognizer.advance(character)


def masked(recognizer: Recognizer, vocabulary: Vocabulary) -> list[int]:
    """The tokens that the mask allows."""
    bits = np.unpackbits(recognizer.mask(vocabulary).view(np.uint8), bitorder="little")
    return [int(token) for token in bits[: len(vocabulary)].nonzero()[0]]


def readable(recognizer: Recognizer, vocabulary: Vocabulary) -> list[int]:
    """The tokens that can be read one by one."""
    tokens = range(len(vocabulary))
    return [token for token in tokens if recognizer.fork().advance_token(vocabulary, token)]


# The hole's text ends in a statement, header, comment or string that the right context continues.
@pytest.mark.parametrize(
    ("hole", "text", "fits"),
    [
        ("class A:\n    def f(self):\n        pass\n$0      return self\n", "    def g(self):\n  ", True),
        ("class A:\n    def f(self):\n        pass\n$0      return 1\n", "    class B:\n  ", False),
        ("x = []\nfor i in x:\n    $0      if i:\n            break\n", "for j in x:\n  ", True),
        ("x = []\nif x:\n    $0      if x:\n            break\n", "if x:\n  ", False),
        ("$0f(x):\n    return x\n", "def ", True),
        ("$0print(1):\n    return 1\n", "if ", False),
        ("x = 1\n$0x:\n    break\n", "while ", True),
        ("x = 1\n$0x:\n    break\n", "if ", False),
        ("$0print(1) as x:\n    await x\n", "with ", False),
        ("x = 1\n$0x\n    def f(self):\n        return 1\n", "class A:#", True),
        ("x = 1\n$0(self):\n        return 1\n", "class A:#", False),
        ("x = y = 1\n$0*(x + y)\n", "x", True),
        ("x = y = 1\n$0*(x + y)\n", "x = 1\n", False),
        ("try:\n    pass\n$0\nexcept ValueError:\n    pass\n", "except TypeError: pass", True),
        ("try:\n    pass\n$0\nexcept ValueError:\n    pass\n", "except: pass", False),
        ("match 1:\n    case 2: pass\n    $0\n    case 3: pass\n", "case 4: pass", True),
        ("match 1:\n    case 2: pass\n    $0\n    case 3: pass\n", "case _: pass", False),
        ("x = 1\n$0\n    return 1\n", "def f(): # x", True),
        ("x = 1\n$0    return 1\n", "'''", False),
        ("$0\ndef f():\n    return 1\n'''\n", "x = '''a", True),
    ],
)
def test_an_end_is_judged_with_what_follows(hole: str, text: str, fits: bool) -> None:
    recognizer = named(hole, "3.12")
    assert recognizer.advance(text)
    if not fits or recognizer.without_names().is_member():
        assert recognizer.is_member() == fits
    else:
        pytest.fail("the grammar is against it")


def test_a_beginning_of_what_is_let_through_is_let_through() -> None:
    for hole in (
        "$0\n",
        "print($0)\n",
        "f'{$0}'\n",
        "x = [$0]\n",
        "match $0\n",
        "@$0\ndef f(): pass\n",
        "del $0\n",
    ):
        recognizer = named(hole, "3.12")
        for text in (
            "to ",
            "to\n",
            "to ,",
            "to :",
            "to#",
            "t",
            "x = to ",
            "print(to ",
            "f'{to ",
            "with open(to ",
        ):
            if recognizer.fork().advance(text):
                stepwise = recognizer.fork()
                assert all(stepwise.advance(character) for character in text), (hole, text)


@pytest.mark.parametrize(
    ("hole", "text", "names"),
    [
        ("$0\nprint(x, y.z, len)\n", "", ["x", "y"]),
        ("$0\nprint(x, y.z, len)\n", "x = 1", ["y"]),
        ("$0\nprint(x, y.z, len)\n", "for x, y in []: pass", []),
        ("def f(a):\n    $0\n    return a + b\n", "", ["b"]),
        ("def f(a):\n    $0\n    return a + b\n", "with a as b: pass", []),
        ("class A:\n    def f(self):\n        return x\n    $0\n    y = x\n", "", ["x"]),
        ("def f():\n    return x, _('text'), __x__\n$0\nprint(x, _('text'), __x__)\n", "", ["x"]),
        ("print(x)\n$0\nprint(x)\n", "", []),
        # Methods do not see the names that their class binds.
        ("class A:\n    x = 1\n    def f(self):\n        $0\n        return x\n    y = 2\n", "", ["x"]),
        ("class A:\n    def f(self):\n        $0\n        return y\n    y = 2\n", "", ["y"]),
        ("class A:\n    x = 1\n    $0\n    z = x, y\n    y = 2\n", "", []),
        ("class A:\n    x = 1\n    if x:\n        $0\n        y = x\n", "", []),
        ("$0\n\ndef f():\n    x = 1\n    return x, g()\n", "", ["g"]),
        ("$0\n\ndef f():\n    x = 1\n    return x, g()\n", "def g(): pass", []),
        ("$0\n    return x, y\n", "def f(x):", ["y"]),
        ("$0\nfrom a import x\ndef f(): return x\n", "", []),
        # The bound names are unknown here.
        ("from a import *\n$0\nprint(x)\n", "", []),
        ("$0\nprint(x)\nexec('x = 1')\n", "", []),
    ],
)
def test_what_is_used_behind_a_hole_is_wanted(hole: str, text: str, names: list[str]) -> None:
    recognizer = named(hole, "3.12")
    if not text and not recognizer.is_member():
        text = "pass"
    assert recognizer.advance(text)
    assert sorted(recognizer.wanted_names()) == names
    assert recognizer.without_names().wanted_names() == []
