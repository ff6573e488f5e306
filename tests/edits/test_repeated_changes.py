"""Changes that users make twice, and the third place; half-finished changes and their rest."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

AGAIN = (
    case(
        "print becomes a logger's call",
        "def f(logger, x):\n    print('a')\n    x += 1\n    print(x)\n    x += 2\n    print('c')\n",
        ("print('a')", "logger.info('a')"),
        ("print(x)", "logger.info(x)"),
        then=(("print('c')", "logger.info('c')"),),
    ),
    case(
        "an annotation is written anew",
        "from typing import Optional\n\n\ndef f(a: Optional[int]) -> None: ...\n"
        "def g(a: Optional[str]) -> None: ...\n"
        "def h(a: int) -> None: ...\ndef i(a: Optional[bytes]) -> Optional[int]: ...\n",
        ("a: Optional[int]", "a: int | None"),
        ("a: Optional[str]", "a: str | None"),
        then=(
            ("Optional[bytes]) -> Optional[int]", "bytes | None) -> int | None"),
            ("from typing import Optional\n\n\n", ""),
        ),
    ),
    case(
        "a key at several places",
        "def f(row):\n    a = row['name']\n    b = 1\n    c = row['name'] + 'x'\n    d = 2\n"
        "    return row['name'], row['other']\n",
        ("a = row['name']", "a = row['title']"),
        ("c = row['name']", "c = row['title']"),
        then=(("return row['name']", "return row['title']"),),
    ),
    case(
        "an argument is added",
        "a = open('a')\nb = 1\nc = open('c')\nd = 2\ne = open('e')\n",
        ("open('a')", "open('a', encoding='utf-8')"),
        ("open('c')", "open('c', encoding='utf-8')"),
        then=(("open('e')", "open('e', encoding='utf-8')"),),
    ),
    case(
        "a keyword is taken out",
        "f(1, check=True)\nx = 1\nf(2, check=True)\ny = 2\nf(3, check=True)\n",
        ("f(1, check=True)", "f(1)"),
        ("f(2, check=True)", "f(2)"),
        then=(("f(3, check=True)", "f(3)"),),
    ),
    case(
        "a comparison",
        "if a == None:\n    x = 1\nif b.c == None:\n    x = 2\nif d == None and e:\n    x = 3\n",
        ("a == None", "a is None"),
        ("b.c == None", "b.c is None"),
        then=(("d == None", "d is None"),),
    ),
    case(
        "an exception is told its cause",
        "try:\n    a()\nexcept KeyError as error:\n    raise Wrong('a')\ntry:\n    b()\n"
        "except KeyError as error:\n"
        "    raise Wrong('b')\ntry:\n    c()\nexcept KeyError as error:\n    raise Wrong('c')\n",
        ("raise Wrong('a')", "raise Wrong('a') from error"),
        ("raise Wrong('b')", "raise Wrong('b') from error"),
        then=(("raise Wrong('c')", "raise Wrong('c') from error"),),
    ),
    case(
        "a call becomes a method's",
        "a = len(rows.all())\nx = 1\nb = len(users.all())\ny = 2\nc = len(items.all())\n",
        ("len(rows.all())", "rows.count()"),
        ("len(users.all())", "users.count()"),
        then=(("len(items.all())", "items.count()"),),
    ),
    case(
        "a module is written in front",
        "import time\n\nx = sleep(1)\ny = 1\nz = sleep(2)\na = 2\nb = sleep(3)\n",
        ("x = sleep(1)", "x = time.sleep(1)"),
        ("z = sleep(2)", "z = time.sleep(2)"),
        then=(("b = sleep(3)", "b = time.sleep(3)"),),
    ),
    case(
        "a comment's word",
        "# colour of a\na = 1\n# colour of b\nb = 2\n# colour of c\nc = 3\n",
        ("# colour of a", "# color of a"),
        ("# colour of b", "# color of b"),
        then=(("# colour of c", "# color of c"),),
    ),
    case(
        "a text's beginning",
        "a = '/v1/users'\nx = 1\nb = '/v1/items'\ny = 2\nc = '/v1/carts'\n",
        ("'/v1/users'", "'/v2/users'"),
        ("'/v1/items'", "'/v2/items'"),
        then=(("'/v1/carts'", "'/v2/carts'"),),
    ),
    case(
        "an annotation whose name nothing binds is written nowhere else: nobody knows its import",
        "def f(lib, a): ...\ndef g(lib, b): ...\ndef h(lib, c): ...\n",
        ("f(lib, a)", "f(lib: Library, a)"),
        ("g(lib, b)", "g(lib: Library, b)"),
    ),
    case(
        "an annotation whose name is bound, as in the places that were changed",
        "class Library: ...\ndef f(lib, a): ...\ndef g(lib, b): ...\ndef h(lib, c): ...\n",
        ("f(lib, a)", "f(lib: Library, a)"),
        ("g(lib, b)", "g(lib: Library, b)"),
        then=(("h(lib, c)", "h(lib: Library, c)"),),
    ),
    case(
        "what was done once is not done everywhere",
        "def f(a):\n    print(a)\n\n\ndef g(b):\n    print(b)\n",
        ("print(a)", "log(a)"),
    ),
    case(
        "a number that was changed once is not changed everywhere",
        "a = f(10)\nb = g(10)\nc = h(10)\n",
        ("f(10)", "f(20)"),
    ),
)

HALF_DONE = (
    case(
        "the last use of an import",
        "import os\nimport sys\n\n\ndef f(a):\n    return os.path.join(a, sys.argv[0])\n",
        ("os.path.join(a, sys.argv[0])", "sys.argv[0]"),
        then=(("import os\n", ""),),
    ),
    case(
        "one of several imports",
        "from os import path, sep\n\n\ndef f(a):\n    return path.join(a, sep)\n",
        ("path.join(a, sep)", "a + sep"),
        then=(("import path, sep", "import sep"),),
    ),
    case(
        "an import that is used still",
        "import os\n\n\ndef f(a):\n    return os.path.join(a, os.sep)\n",
        ("os.path.join(a, os.sep)", "a + os.sep"),
    ),
    case(
        "a module that was just written",
        "def f(a):\n    return a\n",
        ("return a", "return json.dumps(a)"),
        then=(("def f", "import json\n\n\ndef f"),),
    ),
    case("a bracket", "x = f(a, [1, 2])\ny = 1\n", ("2])", "2)"), then=(("2)", "2])"),)),
    case("a brace", "x = {\n    'a': 1,\n}\ny = 1\n", ("}\n", "\n"), then=(("1,\n\n", "1,\n}\n"),)),
    case(
        "a bracket of a call that was just written",
        "x = total(rows)\ny = 1\n",
        ("total(rows)", "round(total(rows)"),
        then=(("round(total(rows)", "round(total(rows))"),),
    ),
    case(
        "a header is gone: its block moves to the left",
        "def f(x):\n    if x:\n        a = 1\n        b = 2\n    return a\n",
        ("    if x:\n", ""),
        then=(("        a = 1\n        b = 2", "    a = 1\n    b = 2"),),
    ),
    case(
        "a header has come: what follows moves to the right",
        "def f(x):\n    a = 1\n    return a\n",
        ("    a = 1\n", "    if x:\n    a = 1\n"),
        then=(("    a = 1\n", "        a = 1\n"),),
    ),
    case(
        "a header has come that names something: what uses it moves to the right",
        "def f(path):\n    rows = file.read()\n    more = file.read()\n    return rows\n",
        ("    rows", "    with open(path) as file:\n    rows"),
        then=(("    rows = file.read()\n    more", "        rows = file.read()\n        more"),),
    ),
    case(
        "a colon of a class",
        "class A(B):\n    x = 1\n",
        ("class A(B):", "class A(B)"),
        then=(("A(B)", "A(B):"),),
    ),
    case("a comma", "x = [\n    1,\n    2,\n]\n", ("    1,", "    1"), then=(("    1\n", "    1,\n"),)),
)

LOST = (
    case("a bracket is lost", "x = f(1, 2)\ny = 3\n", ("2)", "2"), then=(("f(1, 2", "f(1, 2)"),)),
    case("a colon is lost", "def f(a):\n    return a\n", ("(a):", "(a)"), then=(("(a)", "(a):"),)),
    case("a quote is lost", "x = 'a'\ny = 'b'\n", ("'a'", "'a"), then=(("'a", "'a'"),)),
    case(
        "a square bracket is lost",
        "rows = [\n    1,\n    2,\n]\nprint(rows)\n",
        ("]\n", "\n"),
        then=(("    2,\n\n", "    2,\n]\n"),),
    ),
)

TWICE = (
    case(
        "the third place of a substitution",
        'a = get("x").strip()\nb = 2\nc = get("y").strip()\nd = 3\ne = get("z").strip()\n',
        ('get("x")', 'fetch("x")'),
        ('get("y")', 'fetch("y")'),
        then=(('get("z")', 'fetch("z")'),),
    ),
    case(
        "the third place of an attribute",
        "def f(log):\n    log.warn('a')\n    x = 1\n    log.warn('b')\n    y = 2\n    log.warn('c')\n",
        ("log.warn('a')", "log.warning('a')"),
        ("log.warn('b')", "log.warning('b')"),
        then=(("log.warn('c')", "log.warning('c')"),),
    ),
    case(
        "the third place of a wrapped argument",
        "print(x)\na = 1\nprint(y)\nb = 1\nprint(z)\n",
        ("print(x)", "print(repr(x))"),
        ("print(y)", "print(repr(y))"),
        then=(("print(z)", "print(repr(z))"),),
    ),
    case(
        "the third place of a method that became a function",
        "a = x.get('a')\nq = 1\nb = x.get('b')\nq = 2\nc = x.get('c')\n",
        ("x.get('a')", "x['a']"),
        ("x.get('b')", "x['b']"),
        then=(("x.get('c')", "x['c']"),),
    ),
    case(
        "the third place of an added argument",
        "open(a)\nq = 1\nopen(b)\nq = 2\nopen(c)\n",
        ("open(a)", 'open(a, encoding="utf-8")'),
        ("open(b)", 'open(b, encoding="utf-8")'),
        then=(("open(c)", 'open(c, encoding="utf-8")'),),
    ),
    case(
        "the third place of a constant",
        "x = retry(3)\na = 1\ny = retry(3)\nb = 1\nz = retry(3)\n",
        ("x = retry(3)", "x = retry(5)"),
        ("y = retry(3)", "y = retry(5)"),
        then=(("z = retry(3)", "z = retry(5)"),),
    ),
)


@pytest.mark.parametrize("case", [*AGAIN, *HALF_DONE, *LOST, *TWICE], ids=lambda case: case.name)
def test_what_follows(case: Case) -> None:
    check(case)
