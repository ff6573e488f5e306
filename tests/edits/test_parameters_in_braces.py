"""Changed parameters of functions in JavaScript, TypeScript, Go and Java: the calls follow."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

JAVASCRIPT = """\
function area(width, height) {
  return width * height;
}
const first = area(1, 2);
const second = area(
  3,
  4,
);
"""
TYPESCRIPT = """\
class Shop {
  constructor(private name: string, readonly size: number) {}
  price(item: string, count: number): number {
    return item.length * count;
  }
  all(): number {
    return this.price("a", 1) + this.price("b", 2);
  }
}
const shop = new Shop("corner", 3);
shop.price("c", 4);
"""
GO = """\
package shop

type Shop struct{ name string }

func (s *Shop) Price(item string, count, tax int) int {
	return len(item) * count * tax
}

func twice(value int) int { return 2 * value }

func All(s *Shop) int {
	return s.Price("a", 1, 2) + twice(3) + twice(4)
}
"""
JAVA = """\
class Shop {
    private final String name;

    Shop(String name, int size) {
        this.name = name;
    }

    int price(String item, int count) {
        return item.length() * count;
    }

    int all(Shop other, int tax) {
        return price("a", 1) + this.price("b", 2) + other.price("c", 3);
    }

    static Shop made() {
        return new Shop("corner", 3);
    }
}
"""
CASES = (
    case(
        "a function's first parameter is gone",
        JAVASCRIPT,
        ("(width, height) {\n  return width * height", "(height) {\n  return height * height"),
        then=(("area(1, 2)", "area(2)"), ("  3,\n  4,\n", "  4,\n")),
        language="javascript",
    ),
    case(
        "a function's parameters change places",
        JAVASCRIPT,
        ("(width, height)", "(height, width)"),
        then=(("area(1, 2)", "area(2, 1)"), ("  3,\n  4,\n", "  4,\n  3,\n")),
        language="javascript",
    ),
    case(
        "a parameter is new, and one call was given it",
        JAVASCRIPT,
        ("(width, height)", "(width, height, scale)"),
        ("area(1, 2)", "area(1, 2, 10)"),
        then=(("  3,\n  4,\n", "  3,\n  4,\n  10,\n"),),
        language="javascript",
    ),
    case(
        "a parameter is new in front, and one call was given it",
        JAVASCRIPT,
        ("(width, height)", "(scale, width, height)"),
        ("area(1, 2)", "area(10, 1, 2)"),
        then=(("  3,\n  4,\n", "  10,\n  3,\n  4,\n"),),
        language="javascript",
    ),
    case(
        "a parameter is new, and what it is given is not known",
        JAVASCRIPT,
        ("(width, height)", "(width, height, scale)"),
        language="javascript",
    ),
    case(
        "a parameter is new, and may be left out",
        JAVASCRIPT,
        ("(width, height)", "(width, height, scale = 1)"),
        language="javascript",
    ),
    case(
        "an arrow function's parameter is gone",
        "const f = (a, b) => a;\nf(1, 2);\n[1].map((x) => f(x, 3));\n",
        ("(a, b)", "(a)"),
        then=(("f(1, 2)", "f(1)"), ("f(x, 3)", "f(x)")),
        language="javascript",
    ),
    case(
        "a call with a spread is left alone",
        "function f(a, b) {\n  return b;\n}\nf(...rest);\nf(1, 2);\n",
        ("(a, b)", "(b)"),
        then=(("f(1, 2)", "f(2)"),),
        language="javascript",
    ),
    case(
        "another function of that name is left alone",
        "function f(a, b) {\n  return b;\n}\nf(1, 2);\nfunction g(f) {\n  return f(3, 4);\n}\n",
        ("(a, b)", "(b)"),
        then=(("f(1, 2)", "f(2)"),),
        language="javascript",
    ),
    case(
        "a parameter is given on by a caller that has it",
        "function f(a) {\n  return a;\n}\nfunction g(a, key) {\n  return f(a);\n}\n",
        ("f(a) {\n  return a", "f(a, key) {\n  return a[key]"),
        then=(("return f(a)", "return f(a, key)"),),
        language="javascript",
    ),
    case(
        "a default is gone",
        "function f(a, b = 2) {\n  return a * b;\n}\nf(1);\nf(3, 4);\n",
        ("b = 2", "b"),
        then=(("f(1)", "f(1, 2)"),),
        language="javascript",
    ),
    case(
        "a function is called otherwise and takes less",
        JAVASCRIPT,
        ("area(width, height) {\n  return width * height", "square(height) {\n  return height * height"),
        then=(("area(1, 2)", "square(2)"), ("area(\n  3,\n  4,\n", "square(\n  4,\n")),
        language="javascript",
    ),
    case(
        "a method's parameter is gone",
        TYPESCRIPT,
        ("item: string, count: number", "item: string"),
        ("item.length * count", "item.length"),
        then=(
            ('this.price("a", 1) + this.price("b", 2)', 'this.price("a") + this.price("b")'),
            ('shop.price("c", 4)', 'shop.price("c")'),
        ),
        language="typescript",
    ),
    case(
        "a method of what is not known is left alone",
        "class A {\n  twice(a: number, b: number) {\n    return a;\n  }\n}\n"
        "function other(stranger: any) {\n  return stranger.twice(5, 6);\n}\n",
        ("a: number, b: number", "a: number"),
        language="typescript",
    ),
    case(
        "a constructor's parameters change places",
        TYPESCRIPT,
        ("private name: string, readonly size: number", "readonly size: number, private name: string"),
        then=(('new Shop("corner", 3)', 'new Shop(3, "corner")'),),
        language="typescript",
    ),
    case(
        "an overloaded function is left alone",
        "function f(a: string): void;\nfunction f(a: string, b: number): void;\n"
        'function f(a: string, b?: number): void {}\nf("a", 1);\n',
        ("f(a: string, b?: number): void {}", "f(a: string): void {}"),
        language="typescript",
    ),
    case(
        "a method's parameter of Go is gone",
        GO,
        ("count, tax int", "count int"),
        ("* count * tax", "* count"),
        then=(('s.Price("a", 1, 2)', 's.Price("a", 1)'),),
        language="go",
    ),
    case(
        "a context comes first, and one call was given it",
        GO,
        ("twice(value int)", "twice(ctx Context, value int)"),
        ("All(s *Shop)", "All(ctx Context, s *Shop)"),
        then=(("twice(3) + twice(4)", "twice(ctx, 3) + twice(ctx, 4)"),),
        language="go",
    ),
    case(
        "the last parameter of Go takes the rest",
        "package a\n\nfunc f(a int, rest ...int) int { return a }\n\nvar x = f(1, 2, 3)\n",
        ("a int, rest", "rest"),
        ("return a", "return rest[0]"),
        then=(("f(1, 2, 3)", "f(2, 3)"),),
        language="go",
    ),
    case(
        "a method's parameter of Java is gone",
        JAVA,
        ("String item, int count", "String item"),
        ("item.length() * count", "item.length()"),
        then=(
            (
                'price("a", 1) + this.price("b", 2) + other.price("c", 3)',
                'price("a") + this.price("b") + other.price("c")',
            ),
        ),
        language="java",
    ),
    case(
        "a parameter of Java is new, and the caller has it",
        JAVA,
        ("String item, int count", "String item, int count, int tax"),
        ("item.length() * count", "item.length() * count * tax"),
        then=(
            (
                'price("a", 1) + this.price("b", 2) + other.price("c", 3)',
                'price("a", 1, tax) + this.price("b", 2, tax) + other.price("c", 3, tax)',
            ),
        ),
        language="java",
    ),
    case(
        "a constructor's parameter of Java is gone",
        JAVA,
        ("Shop(String name, int size)", "Shop(String name)"),
        then=(('new Shop("corner", 3)', 'new Shop("corner")'),),
        language="java",
    ),
    case(
        "an overloaded method is left alone",
        "class A {\n    int f(int a, int b) { return b; }\n    int f(int a) { return a; }\n"
        "    int g() { return f(1, 2) + f(3); }\n}\n",
        ("f(int a, int b) { return b", "f(long a, int b, int c) { return b"),
        language="java",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_follows(case: Case) -> None:
    check(case)
