"""Names with rarer declarations: in `try`, in a pattern, in a type switch, in a receive."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

READING = """\
class Io {
    String read(Path path) throws IOException {
        try (BufferedReader r = Files.newBufferedReader(path)) {
            return r.readLine();
        }
    }
    void write(Path path, Writer r) throws IOException {
        r.write("a");
    }
}
"""
ASKING = """\
class Show {
    String text(Object o) {
        if (o instanceof String s && !s.isEmpty()) {
            return s.trim();
        }
        return o.toString();
    }
    int size(String s) { return s.length(); }
}
"""
CHOOSING = """\
class Area {
    int of(Shape shape) {
        return switch (shape) {
            case Circle c -> c.r() * c.r();
            case Box(int w, int h) when w > 1 -> w * h;
            case Square c -> c.side();
            default -> 0;
        };
    }
}
record Circle(int r) implements Shape {}
"""
SWITCHING = """\
package shop

func text(x any) string {
\tswitch v := x.(type) {
\tcase string:
\t\treturn v
\tcase fmt.Stringer:
\t\treturn v.String()
\t}
\treturn ""
}
"""
RECEIVING = """\
package shop

func drain(in chan int, done chan bool) {
\tselect {
\tcase n := <-in:
\t\tuse(n)
\tcase n := <-done:
\t\tuse(n)
\t}
}
"""

CASES = [
    case(
        "what a try opens",
        READING,
        ("BufferedReader r =", "BufferedReader reader ="),
        then=(("return r.readLine", "return reader.readLine"),),
        language="java",
    ),
    case(
        "what a pattern takes",
        ASKING,
        ("instanceof String s ", "instanceof String text "),
        then=(("!s.isEmpty", "!text.isEmpty"), ("return s.trim", "return text.trim")),
        language="java",
    ),
    case(
        "what one case of a switch takes",
        CHOOSING,
        ("case Circle c ->", "case Circle round ->"),
        then=(("c.r() * c.r()", "round.r() * round.r()"),),
        language="java",
    ),
    case(
        "a part of what it takes",
        CHOOSING,
        ("Box(int w,", "Box(int width,"),
        then=(("when w > 1 -> w *", "when width > 1 -> width *"),),
        language="java",
    ),
    case(
        "the type that it takes",
        CHOOSING,
        ("record Circle(", "record Disc("),
        then=(("case Circle c", "case Disc c"),),
        language="java",
    ),
    case(
        "a value of several types",
        SWITCHING,
        ("switch v :=", "switch value :="),
        then=(("return v\n", "return value\n"), ("return v.String", "return value.String")),
        language="go",
    ),
    case(
        "what one case receives",
        RECEIVING,
        ("case n := <-in", "case row := <-in"),
        then=(("use(n)", "use(row)"),),
        language="go",
    ),
]


@pytest.mark.parametrize("one", CASES, ids=lambda one: one.name)
def test_its_uses_follow(one: Case) -> None:
    check(one)
