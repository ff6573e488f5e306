"""Pairs that were written without a look at the rules, a second set: those that were missed at first."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, check, drawn

CASES = (
    drawn(
        "texts that equal that of a constant stay",
        """\
const COLOR = "<<red|blue>>";

function isRed(value) {
  return value.color === "red";
}

function isWarm(value) {
  return ["red", "orange"].includes(value);
}
""",
        "javascript",
    ),
    drawn(
        "types of what has another name stay",
        """\
class Item {
    private final <<int|long>> price;

    Item(<<int|long>> price) {
        this.price = price;
    }

    [[int|long]] getPrice() {
        return price;
    }

    int count() {
        return 1;
    }
}
""",
        "java",
    ),
    drawn(
        "a type of what has the same word in its name, in an interface",
        """\
interface Row {
  id: <<number|string>>;
}

class Page {
  rowId: <<number|string>> = make();

  find(id: [[number|string]], size: number): number {
    return size;
  }
}
""",
        "typescript",
    ),
    drawn(
        "an error that says which call it comes from",
        """\
package main

import "fmt"

func run(a, b func() error, s store) (int, error) {
	if err := a(); err != nil {
		return 0, <<err|fmt.Errorf("a: %w", err)>>
	}
	err := b()
	if err != nil {
		return 0, <<err|fmt.Errorf("b: %w", err)>>
	}
	n, err := s.load(1)
	if err != nil {
		return 0, [[err|fmt.Errorf("load: %w", err)]]
	}
	return n, err
}
""",
        "go",
    ),
    drawn(
        "errors that say something else",
        """\
package main

import "fmt"

func run(a, b, c func() error) error {
	if err := a(); err != nil {
		return <<err|fmt.Errorf("cannot open: %w", err)>>
	}
	if err := b(); err != nil {
		return <<err|fmt.Errorf("cannot read: %w", err)>>
	}
	if err := c(); err != nil {
		return err
	}
	return nil
}
""",
        "go",
    ),
    drawn(
        "an annotation, before methods of like names",
        """\
class CalcTest {
    <<|@Test
    >>void testAdd() {
        check(1);
    }

    <<|@Test
    >>void testSub() {
        check(2);
    }

    [[|@Test
    ]]void testMul() {
        if (check(3)) {
            check(4);
        }
    }

    void setUp() {
        check(0);
    }
}
""",
        "java",
    ),
    drawn(
        "a decorator, before methods of like names",
        """\
class Calc {
  <<|@Get()
  >>getAll(): number {
    return 1;
  }

  <<|@Get()
  >>async getOne(id: number): Promise<number> {
    return id;
  }

  [[|@Get()
  ]]getFirst(): number {
    return 3;
  }

  getter(): number {
    return 4;
  }
}
""",
        "typescript",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.language}: {case.name}")
def test_what_follows(case: Case) -> None:
    check(case)
