"""Values that constructors keep, comments that begin with a name, imports under another name, rows of types
without a name, strict comparisons, keys at other depths: the edits that follow."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

CASES = (
    case(
        "== to === in javascript",
        """\
function f(a, b) {
  if (a == 1) return 1;
  if (b == 2) return 2;
  if (a == b) return 3;
  return a != b;
}
""",
        ("a == 1", "a === 1"),
        ("b == 2", "b === 2"),
        then=(
            ("a == b", "a === b"),
            ("a != b", "a !== b"),
        ),
        language="javascript",
    ),
    case(
        "table rows in go",
        """\
package a

import "testing"

func TestAdd(t *testing.T) {
	tests := []struct {
		name string
		in   int
		want int
	}{
		{name: "one", in: 1, want: 2},
		{name: "two", in: 2, want: 3},
	}
	for _, tt := range tests {
		if got := add(tt.in); got != tt.want {
			t.Errorf("%s: got %d, want %d", tt.name, got, tt.want)
		}
	}
}
""",
        ("\t\tin   int", "\t\tinput int"),
        then=(
            ("in: 1", "input: 1"),
            ("in: 2", "input: 2"),
            ("tt.in", "tt.input"),
        ),
        language="go",
    ),
    case(
        "constructor keeps in typescript",
        """\
class Store {
  private name: string;

  constructor(name: string) {
    this.name = name;
  }
}
""",
        ("constructor(name: string)", "constructor(name: string, size: number)"),
        (
            "private name: string;",
            """\
private name: string;
  private size: number;""",
        ),
        then=(
            (
                "this.name = name;",
                """\
this.name = name;
    this.size = size;""",
            ),
        ),
        language="typescript",
    ),
    case(
        "constructor keeps in java",
        """\
class Store {
    private final String name;

    Store(String name) {
        this.name = name;
    }
}
""",
        ("Store(String name)", "Store(String name, int size)"),
        (
            "private final String name;",
            """\
private final String name;
    private final int size;""",
        ),
        then=(
            (
                "this.name = name;",
                """\
this.name = name;
        this.size = size;""",
            ),
        ),
        language="java",
    ),
    case(
        "nested keys in json",
        """\
{
  "dev": {"db_host": "a", "port": 1},
  "prod": {"db_host": "b", "port": 2},
  "db_host": "x"
}
""",
        ('"db_host": "a"', '"host": "a"'),
        then=(('"db_host": "b"', '"host": "b"'),),
        language="json",
    ),
    case(
        "import renamed export in javascript",
        """\
import { load } from "./io";

load("a");
export const read = () => load("b");
""",
        ("{ load }", "{ load as fetch }"),
        then=(
            ('load("a")', 'fetch("a")'),
            ('load("b")', 'fetch("b")'),
        ),
        language="javascript",
    ),
    case(
        "go doc comment in go",
        """\
package a

// Load reads a file.
func Load(path string) string {
	return path
}
""",
        ("func Load", "func Read"),
        then=(("// Load reads", "// Read reads"),),
        language="go",
    ),
    case(
        "control: null stays in javascript",
        """\
function f(a, b) {
  if (a == 1) return 1;
  if (b == 2) return 2;
  if (a == null) return 3;
  return b != undefined;
}
""",
        ("a == 1", "a === 1"),
        ("b == 2", "b === 2"),
        language="javascript",
    ),
    case(
        "control: one strict in javascript",
        """\
function f(a, b) {
  if (a == 1) return 1;
  return b == 2;
}
""",
        ("a == 1", "a === 1"),
        language="javascript",
    ),
    case(
        "control: comment of another in go",
        """\
package a

// Load is faster than this.

func Load(path string) string {
	return path
}

// Reads with Load.
func Other() {}
""",
        ("func Load", "func Read"),
        language="go",
    ),
    case(
        "type and method comments in go",
        """\
package a

// Store keeps rows.
// A Store is small.
type Store struct {
	// Rows are kept.
	Rows []string
}

// Add puts a row in.
func (s *Store) Add(row string) {
	s.Rows = append(s.Rows, row)
}
""",
        ("(s *Store) Add", "(s *Store) Put"),
        then=(("// Add puts", "// Put puts"),),
        language="go",
    ),
    case(
        "field comment in go",
        """\
package a

type Store struct {
	// Rows are kept.
	Rows []string
}

func (s *Store) Len() int { return len(s.Rows) }
""",
        ("\tRows []", "\tLines []"),
        then=(
            ("// Rows are", "// Lines are"),
            ("s.Rows", "s.Lines"),
        ),
        language="go",
    ),
    case(
        "alias lost in typescript",
        """\
import { load as read, save } from "./io";

read("a");
save("b");
""",
        ("{ load as read,", "{ load,"),
        then=(('read("a")', 'load("a")'),),
        language="typescript",
    ),
    case(
        "control: alias shadowed in javascript",
        """\
import { load } from "./io";

const a = load("a");
function f(load) {
  return load;
}
""",
        ("{ load }", "{ load as read }"),
        then=(("a = load", "a = read"),),
        language="javascript",
    ),
    case(
        "ctor keeps with underscore in javascript",
        """\
class A {
  constructor(name, size) {
    this._name = name;
    this._size = size;
  }
}
""",
        ("name, size)", "name, size, rows)"),
        then=(
            (
                "this._size = size;",
                """\
this._size = size;
    this._rows = rows;""",
            ),
        ),
        language="javascript",
    ),
    case(
        "control: ctor field not declared in java",
        """\
class A {
    private String name;

    A(String name) {
        this.name = name;
    }
}
""",
        ("A(String name)", "A(String name, int size)"),
        language="java",
    ),
    case(
        "control: ctor uses it in typescript",
        """\
class A {
  name: string;
  size: number;

  constructor(name: string, n: number) {
    this.name = name;
    this.size = n;
  }
}
""",
        ("name: string, n: number)", "name: string, n: number, size: number)"),
        language="typescript",
    ),
    case(
        "toml depth in toml",
        """\
name = "x"

[servers.a]
name = "a"

[servers.b]
name = "b"

[package]
name = "p"
""",
        ('name = "a"', 'title = "a"'),
        then=(('name = "b"', 'title = "b"'),),
        language="toml",
    ),
    case(
        "table tests in go",
        """\
package a

import "testing"

func TestAdd(t *testing.T) {
	for _, tc := range []struct {
		name string
		in   int
	}{
		{name: "one", in: 1},
		{name: "two", in: 2},
	} {
		use(tc.in, tc.name)
	}
}
""",
        ("\t\tin   int", "\t\tinput int"),
        then=(
            ("in: 1", "input: 1"),
            ("in: 2", "input: 2"),
            ("tc.in", "tc.input"),
        ),
        language="go",
    ),
    case(
        "table tests map in go",
        """\
package a

func f() {
	tests := map[string]struct {
		in   int
	}{
		"one": {in: 1},
		"two": {in: 2},
	}
	for name, tt := range tests {
		use(name, tt.in)
	}
	other.in = 1
}
""",
        ("\t\tin   int", "\t\tinput int"),
        then=(
            ("in: 1", "input: 1"),
            ("in: 2", "input: 2"),
            ("tt.in", "tt.input"),
        ),
        language="go",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_follows(case: Case) -> None:
    check(case)
