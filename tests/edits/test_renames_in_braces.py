"""A renamed name or a lost bracket in languages with braces: the edits that follow."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, check

OTHERS = (
    Case(
        "JavaScript: a parameter",
        "function area(width, height) {\n  return width * height;\n}\nlet width = area(1, 2);\n",
        (("area(width", "area(breadth"),),
        (("return width", "return breadth"),),
        "javascript",
    ),
    Case(
        "JavaScript: a function",
        "function load(a) {\n  return a;\n}\nconst x = load(1);\nconsole.log(x.load, load(2), 'load');\n",
        (("function load", "function read"),),
        (("x = load(1)", "x = read(1)"), (", load(2)", ", read(2)")),
        "javascript",
    ),
    Case(
        "TypeScript: a constant",
        "const limit: number = 3;\nexport function f(n: number): boolean {\n  return n < limit;\n}\n",
        (("const limit", "const most"),),
        (("n < limit", "n < most"),),
        "typescript",
    ),
    Case(
        "Go: a function",
        "package a\n\nfunc load(a int) int {\n\treturn a\n}\n\nfunc main() {\n\tload(1)\n\tload(2)\n}\n",
        (("func load", "func read"),),
        (("\tload(1)\n\tload(2)", "\tread(1)\n\tread(2)"),),
        "go",
    ),
    Case(
        "Go: a bracket is lost",
        "package a\n\nfunc main() {\n\tload(1)\n\tload(2)\n}\n",
        (("load(1)", "load(1"),),
        (("load(1", "load(1)"),),
        "go",
    ),
    Case(
        "Java: a variable",
        "class A {\n    int f(int[] rows) {\n        int s = 0;\n        for (int r : rows) s += r;\n"
        "        return s;\n    }\n}\n",
        (("int s = 0", "int sum = 0"),),
        ((") s += r;\n        return s", ") sum += r;\n        return sum"),),
        "java",
    ),
    Case(
        "JSON: a bracket is lost",
        '{"a": [1, 2], "b": 3}\n',
        (("2]", "2"),),
        (("[1, 2", "[1, 2]"),),
        "json",
    ),
)


@pytest.mark.parametrize("case", OTHERS, ids=lambda case: case.name)
def test_what_follows(case: Case) -> None:
    check(case)
