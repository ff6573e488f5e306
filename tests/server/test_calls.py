"""Faults of calls of the file's definitions, if they are certain, and their effects."""

from __future__ import annotations

import sys
import time
from dataclasses import replace

import pytest

from fim_lsp.decoding.options import Options
from fim_lsp.decoding.texts.hypothesis import Hypothesis
from fim_lsp.decoding.texts.marks import Mark
from fim_lsp.decoding.texts.written import Written
from fim_lsp.decoding.writing.advised import Adviser, least_sure
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.document.sent import SentText
from fim_lsp.document.texts import WorkerText
from fim_lsp.server.worker.calls import Calls
from quotient import Language
from tests.models import Wavering, tiny_model

# Processor seconds, because machines are busy.
SOON = 15.0
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"


def calls(marked: str) -> tuple[Calls, str]:
    """The known calls around a hole, and the marked text as its filling."""
    left, _, rest = marked.partition("<")
    offer, _, right = rest.partition(">")
    text = WorkerText(SentText("file:///a.py", 0, VERSION, left + right), left + right)
    return Calls(text, len(left), len(left), ""), offer


def check(marked: str, *wrong: str) -> None:
    """Checks which parts of the text in `<>` are wrong."""
    known, offer = calls(marked)
    assert tuple(offer[one.start : one.stop] for one in known.diagnostics(offer) or ()) == wrong


AREA = "def area(width, height=1, *, unit='m'):\n    return width\n\n"


@pytest.mark.parametrize(
    ("marked", "wrong"),
    [
        (AREA + "<area(1, 2, unit='cm')>\n", ()),
        (AREA + "<area(1, 2, 3)>\n", (", 3",)),
        (AREA + "<area(1, depth=2)>\n", ("depth=2",)),
        (AREA + "<area(1, width=2)>\n", ("width=2",)),
        # Only the text in the hole counts, but the rest of the call is known.
        (AREA + "area(1, <2, 3>)\n", (", 3",)),
        (AREA + "area(<1>, 2, 3)\n", ()),
        (AREA + "x = 'ä𝒳'; area('ä', <'ö', d=1>)\n", ("d=1",)),
        (AREA + "<x = [area(n, n, n) for n in area(2)]>\n", (", n",)),
        ("<area(1, depth=2)>\n" + AREA, ("depth=2",)),
        ("async def f(a, /, b: int, c: str = ''): ...\n<f(a=1, b=2)>\n", ("a=1",)),
        ("class A:\n    def __init__(self, x): ...\n\n<A(1, 2)\nA(y=1)>\n", (", 2", "y=1")),
        ("class A:\n    def m(self, x): ...\n    def n(self):\n        <self.m(1, 2)>\n", (", 2",)),
        # An uncertain fault is not reported.
        (AREA + "<area(*x, 3, 4, 5)>\n", ()),
        (AREA + "<area(1, **x)>\n", ()),
        ("def f(*a, **k): ...\n<f(1, 2, b=3)>\n", ()),
        ("def f(a, *b): ...\n<f(1, 2, 3)>\n", ()),
        ("@wraps\n" + AREA + "<area(1, 2, 3)>\n", ()),
        (AREA + "area = other\n<area(1, 2, 3)>\n", ()),
        (AREA + "from shapes import area\n<area(1, 2, 3)>\n", ()),
        (AREA + "from shapes import *\n<area(1, 2, 3)>\n", ()),
        (AREA + "def g(area):\n    <area(1, 2, 3)>\n", ()),
        (AREA + "for area in x:\n    <area(1, 2, 3)>\n", ()),
        (AREA + "with x as area:\n    <area(1, 2, 3)>\n", ()),
        (AREA + "[area := 1]\n<area(1, 2, 3)>\n", ()),
        (AREA + "match x:\n    case area:\n        <area(1, 2, 3)>\n", ()),
        ("if x:\n    def f(a): ...\n<f(1, 2)>\n", ()),
        ("def f(a): ...\ndef f(a, b): ...\n<f(1, 2)>\n", ()),
        ("class A(B):\n    def __init__(self, x): ...\n<A(1, 2)>\n", ()),
        ("class A(metaclass=M):\n    def __init__(self, x): ...\n<A(1, 2)>\n", ()),
        ("class A:\n    x: int\n<A(1, 2)>\n", ()),
        ("class A:\n    @d\n    def m(self, x): ...\n    def n(self):\n        <self.m(1, 2)>\n", ()),
        (
            "class A:\n    def m(self): ...\n    def n(self):\n        self.m = 1\n        <self.m(1, 2)>\n",
            (),
        ),
        ("class A:\n    def m(self, x): ...\n    m = d(m)\n    def n(self):\n        <self.m(1, 2)>\n", ()),
        ("class A:\n    def m(self, x): ...\n    def n(a, self):\n        <self.m(1, 2)>\n", ()),
        (
            "class A:\n    def m(self): ...\n    @staticmethod\n    def n(self):\n        <self.m(1, 2)>\n",
            (),
        ),
        ("def f(a): ...\n<x.f(1, 2)>\n", ()),
        ("class A:\n    def f(self): ...\n<f(1, 2)>\n", ()),
    ],
)
def test_an_argument_is_wrong_where_that_is_certain(marked: str, wrong: tuple[str, ...]) -> None:
    check(marked, *wrong)


@pytest.mark.parametrize(
    ("marked", "wrong"),
    [
        (AREA + "<def area(): ...>\n", ("area",)),
        ("<def area(): ...\n>" + AREA, ("area",)),
        ("def ar<ea(): ...\n>" + AREA, ("ea",)),
        ("class A:\n    <def f(self): ...>\n    x = 1\n    async def f(self): ...\n", ("f",)),
        (
            "class A:\n    def f(self):\n        <pass\n\n    def g(self): ...>\n    def g(self): ...\n",
            ("g",),
        ),
        ("<class A: ...>\nclass A(B): ...\n", ("A",)),
        ("<def f(): ...\ndef f(): ...>\n", ("f", "f")),
        # A call of another object's member of that name is not a use.
        (AREA + "other.area()\n<def area(): ...>\n", ("area",)),
        ("<def area(self): ...\n>@property\ndef area(self): ...\n", ("area",)),
        (AREA + "<@cache\ndef area(): ...>\n", ("area",)),
        # The second definition may be intended, or another statement uses the first one.
        (AREA + "area()\n<def area(): ...>\n", ()),
        (AREA + "del area\n<def area(): ...>\n", ()),
        ("@overload\n" + AREA + "<def area(): ...>\n", ()),
        ("@property\ndef f(self): ...\n<@f.setter\ndef f(self, x): ...>\n", ()),
        ("def f(): ...\n<@f.register\ndef f(x): ...>\n", ()),
        ("<@app.route('/')\ndef f(): ...>\n@app.route('/b')\ndef f(): ...\n", ()),
        ("if a:\n    def f(): ...\nelse:\n    <def f(): ...>\n", ()),
        ("def f(): ...\nif a:\n    <def f(): ...>\n", ()),
        ("class A:\n    def f(self): ...\nclass B:\n    <def f(self): ...>\n", ()),
        ("def _(): ...\n<def _(): ...>\n", ()),
        (AREA + "def area<(): ...>\n", ()),
        (AREA + "# def area\n<x = 1>\n", ()),
    ],
)
def test_what_is_defined_already_is_not_defined_again(marked: str, wrong: tuple[str, ...]) -> None:
    check(marked, *wrong)


@pytest.mark.parametrize(
    ("marked", "wrong"),
    [
        ("<class A(b=int): ...>\n", ("b",)),
        ("class A(<b=int, c=1>): ...\n", ("b", "c")),
        ("class A(<b=int>):\n    x = 1\n", ("b",)),
        ("<class A(B, c=int): ...>\n", ()),
        ("<class A(metaclass=M, c=int): ...>\n", ()),
        ("<class A(**b): ...>\n", ()),
        ("class A(<>b=int): ...\n", ()),
        ("<class A(): ...\nf(b=1)>\n", ()),
    ],
)
def test_a_class_without_bases_takes_no_keywords(marked: str, wrong: tuple[str, ...]) -> None:
    check(marked, *wrong)
    if wrong:
        with pytest.raises(TypeError):
            exec(marked.replace("<", "").replace(">", ""), {})


def test_python_agrees() -> None:
    """Calling the functions raises an error exactly in the faulty cases above."""
    for call in ("area(1, 2, 3)", "area(1, depth=2)", "area(1, width=2)"):
        with pytest.raises(TypeError):
            exec(AREA + call, {})
    exec(AREA + "area(1, 2, unit='cm')", {})


@pytest.mark.parametrize(("first", "second"), [("1,q=2)", "1,unit=2)"), ("1,2,3)", "1,2)"), ("1,2)", "1,2)")])
def test_a_wrong_argument_is_written_another_way(first: str, second: str) -> None:
    known, _ = calls(f"{AREA}area(<>\n")
    left, right = f"{AREA}area(", "\n"
    model = replace(tiny_model(), runtime=Wavering(tiny_model(), left, [first, second]))
    recognizer = Language.load("python").recognizer(left, right, ())
    adviser: Adviser = known
    session = DecodingSession(model)
    [found] = session.complete(CompletionRequest(left, right, recognizer, Options(), adviser=adviser))
    assert found.text == second
    assert bool(session.refused) == (first != second)


@pytest.mark.parametrize(
    ("logprobs", "again"),
    [
        ((-0.1, -2.0, -0.5, -0.1, -3.0), 4),
        ((-3.0, -0.5, -1.0, -0.1, -9.0), 6),
        ((-3.0, -0.5, -0.5, -1.0, -9.0), 8),
        # A token that the engine chose alone says nothing about the model's doubt.
        ((-3.0, None, -0.5, -0.1, -9.0), 6),
    ],
)
def test_another_name_begins_where_the_model_was_least_sure(
    logprobs: tuple[float | None, ...], again: int
) -> None:
    """Neither the token in front of the name nor those behind the name's last one count."""
    hypothesis = Hypothesis(None)
    for token, logprob in zip((b"def ", b"ar", b"ea", b"(", b"x"), logprobs, strict=True):
        hypothesis.append(token, logprob)
        hypothesis.marks.append(Mark(len(hypothesis.text), logprob, logprob, logprob))
    written = Written(hypothesis, hypothesis.ending(), "eos")
    assert least_sure(written, 4, 8) == again


def test_a_name_that_is_there_already_is_written_another_way() -> None:
    known, _ = calls(f"def <>\n{AREA}")
    left, right = "def ", f"\n{AREA}"
    model = replace(tiny_model(), runtime=Wavering(tiny_model(), left, ["area(x): ...", "size(x): ..."]))
    recognizer = Language.load("python").recognizer(left, right, ())
    session = DecodingSession(model)
    [found] = session.complete(CompletionRequest(left, right, recognizer, Options(), adviser=known))
    assert found.text == "size(x): ..."
    assert session.refused == ["this file: `area` is defined twice"]


def test_a_line_of_many_deletions_is_read_soon() -> None:
    """The end of the line was once searched for each deletion: 200,000 in a line took minutes."""
    method = "class A:\n    def m(self, x): ...\n    def n(self):\n"
    begun = time.process_time()
    check(f"{method}        <self.m(1, 2)>\n        {'del a; ' * 200_000}\n", ", 2")
    check(f"{method}        <self.m(1, 2)>\n        {'del a; ' * 200_000}del self.m\n")
    assert time.process_time() - begun < SOON
