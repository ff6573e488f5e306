"""Changes function by function and line by line: annotations, decorators, added and removed lines, values
that a constructor keeps or a function returns."""

from __future__ import annotations

import pytest

from fim_lsp.edits.next_edits import EditContext, next_edits
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import NextEdit
from fim_lsp.edits.texts.refusals import Refusals, lines_told
from fim_lsp.positions import Lines
from tests.edits.everyday_edits import Case, case, check, loaded

SWITCH = """\
class Switch:
    def start(self):
        self.is_on = True

    def stop(self):
        self.is_on = False

    def reset(self):
        self.stop()
        self.start()

    def state(self):
        return self.is_on
"""
ANNOTATED = (
    case(
        "what gives back nothing, and not what gives back something",
        SWITCH,
        ("start(self):", "start(self) -> None:"),
        ("stop(self):", "stop(self) -> None:"),
        then=(("reset(self):", "reset(self) -> None:"),),
    ),
    case(
        "nothing else is annotated so where the others give back something",
        "def f(a):\n    x = 1\n    return x\n\n\ndef g(a):\n    print(a)\n\n\ndef h(a):\n    print(a)\n\n\n"
        "def i(a):\n    return a\n",
        ("def g(a):", "def g(a) -> None:"),
        ("def h(a):", "def h(a) -> None:"),
    ),
    case(
        "what gives back texts and truth alone",
        "def f(a):\n    print(a)\n\n\ndef g(a):\n    return 'a'\n\n\ndef h(a):\n    if a:\n"
        "        return True\n"
        "    return False\n\n\ndef i(a):\n    if a:\n        return 1\n\n\ndef j(a):\n    return b'a'\n",
        ("def f(a):", "def f(a) -> None:"),
        then=(("def g(a):", "def g(a) -> str:"), ("def h(a):", "def h(a) -> bool:")),
    ),
    case(
        "a parameter of the same name, wherever it stands in a header",
        "from pathlib import Path\n\n\ndef a(path):\n    return path.name\n\n\ndef b(path, x):\n"
        "    return path.stem\n\n\ndef c(y, path):\n    return path.stem\n\n\ndef d(path=Path(), z=1):\n"
        "    return path.suffix\n\n\ndef e(path=None):\n    return path\n",
        ("a(path)", "a(path: Path)"),
        ("b(path, x)", "b(path: Path, x)"),
        then=(("c(y, path)", "c(y, path: Path)"), ("d(path=Path()", "d(path: Path = Path()")),
    ),
    case(
        "what others stand for is not annotated by its body",
        "def f(a):\n    print(a)\n\n\ndef g(a):\n    raise NotImplementedError\n\n\ndef h(a): ...\n",
        ("def f(a):", "def f(a) -> None:"),
    ),
    case(
        "of a header that is annotated as a whole not half is annotated",
        "class A:\n    def f(self, a):\n        print(a)\n\n    def g(self, b):\n        print(b)\n\n"
        "    def h(self):\n        print()\n\n    def i(self, a, c):\n        print(a, c)\n",
        ("f(self, a):", "f(self, a: int) -> None:"),
        ("g(self, b):", "g(self, b: int) -> None:"),
        then=(("h(self):", "h(self) -> None:"),),
    ),
    case(
        "a new function says nothing of those that were there",
        "def f(a):\n    print(a)\n",
        ("def f", "def g(b) -> None:\n    print(b)\n\n\ndef f"),
    ),
)
LINES = (
    case(
        "a decorator of what is called alike",
        "import pytest\n\n\ndef test_a():\n    pass\n\n\ndef made():\n    pass\n\n\n"
        "def test_b():\n    pass\n\n\n"
        "def other():\n    pass\n\n\ndef test_c():\n    pass\n",
        ("def test_a", "@pytest.mark.slow\ndef test_a"),
        ("def test_b", "@pytest.mark.slow\ndef test_b"),
        then=(("def test_c", "@pytest.mark.slow\ndef test_c"),),
    ),
    case(
        "a line that goes",
        "def a(x):\n    x = int(x)\n    check(x)\n    return x\n\n\ndef b(x):\n    x = str(x)\n    check(x)\n"
        "    return x\n\n\ndef c(x):\n    x = set(x)\n    check(x)\n    return x\n",
        ("int(x)\n    check(x)\n", "int(x)\n"),
        ("str(x)\n    check(x)\n", "str(x)\n"),
        then=(("set(x)\n    check(x)\n", "set(x)\n"),),
    ),
    case(
        "a line that went once stays elsewhere",
        "def a(x):\n    x = int(x)\n    check(x)\n    return x\n\n\ndef b(x):\n    x = str(x)\n    check(x)\n"
        "    return x\n",
        ("int(x)\n    check(x)\n", "int(x)\n"),
    ),
    case(
        "a line that comes behind the same line, in its own depth",
        "def log(x): ...\n\n\ndef a(x):\n    lock.acquire()\n    return x\n\n\ndef b(x):\n"
        "    lock.acquire()\n"
        "    return x + 1\n\n\ndef c(x):\n    if x:\n        lock.acquire()\n        return x + 2\n",
        ("lock.acquire()\n    return x\n", "lock.acquire()\n    log('got')\n    return x\n"),
        ("lock.acquire()\n    return x + 1", "lock.acquire()\n    log('got')\n    return x + 1"),
        then=(
            (
                "        lock.acquire()\n        return x + 2",
                "        lock.acquire()\n        log('got')\n        return x + 2",
            ),
        ),
    ),
    case(
        "a line that comes in front of the same line",
        "def log(x): ...\n\n\ndef a(x):\n    x += 1\n    lock.release()\n\n\ndef b(x):\n    x += 2\n"
        "    lock.release()\n\n\ndef c(x):\n    x += 3\n    lock.release()\n",
        ("    x += 1\n", "    x += 1\n    log('free')\n"),
        ("    x += 2\n", "    x += 2\n    log('free')\n"),
        then=(("    x += 3\n", "    x += 3\n    log('free')\n"),),
    ),
)
CALLS = (
    case(
        "a value that is named now",
        "a = fetch(url1, 10)\nx = 1\nb = fetch(url2, 10)\ny = 1\nc = fetch(url3, 10)\n",
        ("fetch(url1, 10)", "fetch(url1, timeout=10)"),
        ("fetch(url2, 10)", "fetch(url2, timeout=10)"),
        then=(("fetch(url3, 10)", "fetch(url3, timeout=10)"),),
    ),
    case(
        "an argument is added to calls that are given something else",
        "with open(p) as f:\n    f.read()\nwith open(p) as f:\n    f.readline()\n"
        "with open(q) as f:\n    f.tell()\n",
        ("open(p) as f:\n    f.read()", "open(p, encoding='utf-8') as f:\n    f.read()"),
        ("open(p) as f:\n    f.readline()", "open(p, encoding='utf-8') as f:\n    f.readline()"),
        then=(("open(q)", "open(q, encoding='utf-8')"),),
    ),
    case(
        "what is imported in the place of something else",
        "import simplejson\n\n\ndef a(x):\n    return simplejson.loads(x)\n",
        ("import simplejson", "import json"),
        then=(("simplejson.loads", "json.loads"),),
    ),
    case(
        "what is imported in the place of what has nothing to do with it",
        "import copy\n\n\ndef a(x):\n    return copy.copy(x)\n",
        ("import copy", "import enum"),
    ),
    case(
        "what is imported in the place of something else, and was followed by hand",
        "from collections import OrderedDict\n\n\ndef a():\n    return OrderedDict()\n\n\ndef b(x):\n"
        "    return OrderedDict(x)\n",
        ("import OrderedDict", "import ChainMap"),
        ("return OrderedDict()", "return ChainMap()"),
        then=(("return OrderedDict(x)", "return ChainMap(x)"),),
    ),
)
BLANKS = (
    case(
        "an argument that goes takes its blank along",
        "x = go(alpha, beta)\ny = 1\nx = go(alpha, gamma)\nz = 2\nx = go(alpha, delta)\n",
        ("go(alpha, beta)", "go(beta)"),
        ("go(alpha, gamma)", "go(gamma)"),
        then=(("go(alpha, delta)", "go(delta)"),),
    ),
    case(
        "a word in front that goes",
        "def f():\n    x = yield go(1)\n    y = 1\n    x = yield go(2)\n    z = 2\n    x = yield go(3)\n",
        ("x = yield go(1)", "x = go(1)"),
        ("x = yield go(2)", "x = go(2)"),
        then=(("x = yield go(3)", "x = go(3)"),),
    ),
    case(
        "what goes at the end of a line",
        "x = go(1) + bar  # type: ignore\ny = 1\nx = go(2)  # type: ignore\nz = 2\n"
        "x = go(3)  # type: ignore\n",
        ("go(1) + bar  # type: ignore", "go(1) + bar"),
        ("go(2)  # type: ignore", "go(2)"),
        then=(("go(3)  # type: ignore", "go(3)"),),
    ),
    case(
        "brackets that go leave words apart",
        "for (key, value) in a:\n    x = 1\nfor (key, value) in b.items():\n    x = 2\n"
        "for (key, value) in c:\n    x = 3\nfor (key, value) in d.items():\n    x = 4\n",
        ("for (key, value) in a", "for key, value in a"),
        ("for (key, value) in b", "for key, value in b"),
        then=(
            ("for (key, value) in c", "for key, value in c"),
            ("for (key, value) in d", "for key, value in d"),
        ),
    ),
)
PARSE = (
    "def parse(text):\n    size = len(text)\n    return text[0], text[1:]\n\n\ndef use(t):\n"
    "    head, tail = parse(t)\n    return head, tail\n\n\ndef more(t):\n    (first, rest) = parse(t)\n"
    "    return rest\n\n\ndef other(t):\n    return parse(t)[0]\n"
)
KEPT = (
    case(
        "a constructor keeps what it takes",
        "class A:\n    def __init__(self, a, b):\n        self.a = a\n        self.b = b\n"
        "        self.run()\n",
        ("self, a, b", "self, a, b, c=None"),
        then=(("self.b = b\n", "self.b = b\n        self.c = c\n"),),
    ),
    case(
        "a constructor keeps what it takes under a name of its own, in its order",
        "class A:\n    def __init__(self, a, b):\n        self._a = a\n        self._b = b\n",
        ("self, a, b", "self, a, c, b"),
        then=(("self._a = a\n", "self._a = a\n        self._c = c\n"),),
    ),
    case(
        "a constructor that does not keep all does not keep what is new",
        "class A:\n    def __init__(self, a, b):\n        self.a = a\n        print(b)\n",
        ("self, a, b", "self, a, b, c"),
    ),
    case(
        "a value more that is given back",
        PARSE,
        ("text[0], text[1:]", "text[0], text[1:], size"),
        then=(("head, tail = ", "head, tail, size = "), ("(first, rest)", "(first, rest, size)")),
    ),
    case(
        "a value more that is given back, as it was taken before",
        PARSE,
        ("text[0], text[1:]", "text[0], text[1:], len(text)"),
        ("head, tail = ", "head, tail, _ = "),
        then=(("(first, rest)", "(first, rest, _)"),),
    ),
    case(
        "a value more without a name is taken nowhere",
        PARSE,
        ("text[0], text[1:]", "text[0], text[1:], len(text)"),
    ),
    case(
        "a value less that is given back, where nothing uses it",
        "def parse(t):\n    return t[0], t[1:], len(t)\n\n\ndef use(t):\n    head, tail, _ = parse(t)\n"
        "    return head, tail\n\n\ndef more(t):\n    head, tail, size = parse(t)\n"
        "    return head, tail, size\n",
        ("t[0], t[1:], len(t)", "t[0], t[1:]"),
        then=(("head, tail, _ = ", "head, tail = "),),
    ),
)


@pytest.mark.parametrize("case", [*ANNOTATED, *LINES, *CALLS, *BLANKS, *KEPT], ids=lambda case: case.name)
def test_what_follows(case: Case) -> None:
    check(case)


def test_what_was_refused_at_a_place_stays_refused_there() -> None:
    """Repeated changes by hand bring the edit back, but not in the line where it was refused."""
    old = "a = go(1)\nx = 1\nb = go(2)\nx = 2\nc = go(3)\nx = 3\nd = go(4)\n"
    now = old.replace("a = go", "a = run")
    edit = NextEdit("a.py", now.index("go(3)"), now.index("go(3)") + 2, "go", "run", "", 0.9)
    refusals = Refusals()
    refusals.add("a.py", "go", "run", "go go go go")
    refusals.add(*lines_told(Lines(now), edit), now)
    text = now.replace("b = go", "b = run")
    standing = refusals.standing({"a.py": text})
    assert len(standing) == 1
    found = next_edits(FileChange.of("a.py", old, text), loaded("python"), EditContext(refused=standing))
    assert [one.start for one in found] == [text.index("go(4)")]
