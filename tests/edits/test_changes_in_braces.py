"""Everyday changes in JavaScript, TypeScript, Go and Java, and all that follows."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

SCRIPT = """\
import { load as read } from "./load.js";

const LIMIT = 3;

class Cart {
  constructor(owner) {
    this.owner = owner;
    this.rows = [];
  }

  add(item, count = 1) {
    this.rows.push({ item, count });
    return this.total();
  }

  total() {
    return this.rows.reduce((sum, row) => sum + row.count, 0);
  }

  twice(item) {
    this.add(item);
    return this.add(item) + this.total();
  }
}

function shown(items, limit = LIMIT) {
  const found = items.slice(0, limit);
  for (const item of found) {
    console.log(`${item.name} of ${found.length}`, { found });
  }
  return found;
}

export { shown, Cart };
"""

JAVASCRIPT = (
    case(
        "a constant",
        SCRIPT,
        ("const LIMIT", "const MOST"),
        then=(("limit = LIMIT", "limit = MOST"),),
        language="javascript",
    ),
    case(
        "a variable: in texts, and where it is a key as well",
        SCRIPT,
        ("const found", "const first"),
        then=(
            ("of found)", "of first)"),
            ("${found.length}`, { found }", "${first.length}`, { found: first }"),
            ("return found", "return first"),
        ),
        language="javascript",
    ),
    case(
        "a parameter that is a key as well",
        SCRIPT,
        ("add(item, count", "add(item, number"),
        then=(("{ item, count }", "{ item, count: number }"),),
        language="javascript",
    ),
    case(
        "a method that is called by this",
        SCRIPT,
        ("  add(item", "  put(item"),
        then=(("this.add(item);\n    return this.add(item)", "this.put(item);\n    return this.put(item)"),),
        language="javascript",
    ),
    case(
        "what an import is called",
        'import { load as read } from "./load.js";\nread(1);\nconst x = read(2);\n',
        ("load as read", "load as get"),
        then=(("read(1);\nconst x = read(2)", "get(1);\nconst x = get(2)"),),
        language="javascript",
    ),
    case(
        "a name that is caught",
        "try {\n  f();\n} catch (e) {\n  console.log(e, e.message);\n}\n",
        ("catch (e)", "catch (error)"),
        then=(("e, e.message", "error, error.message"),),
        language="javascript",
    ),
    case(
        "what an arrow takes, and not what another one takes",
        "const a = (x) => x + 1;\nconst b = (x) => x + 2;\n",
        ("a = (x)", "a = (row)"),
        then=(("=> x + 1", "=> row + 1"),),
        language="javascript",
    ),
    case(
        "a class",
        "class Cart {}\nconst a = new Cart();\nclass Big extends Cart {}\nlog(a instanceof Cart, 'Cart');\n",
        ("class Cart", "class Basket"),
        then=(("new Cart()", "new Basket()"), ("extends Cart", "extends Basket"), ("of Cart", "of Basket")),
        language="javascript",
    ),
    case(
        "a name in a pattern",
        "function f({ a, b }) {\n  const [c, d] = b;\n  return a + c + d;\n}\n",
        ("[c, d]", "[first, d]"),
        then=(("a + c", "a + first"),),
        language="javascript",
    ),
    case(
        "the third call",
        "var_a = get('a').then(x);\nlog(1);\nb = get('b').then(x);\nlog(2);\nc = get('c').then(x);\n",
        ("get('a')", "fetch('a')"),
        ("get('b')", "fetch('b')"),
        then=(("get('c')", "fetch('c')"),),
        language="javascript",
    ),
    case(
        "a bracket",
        "function f(a) {\n  return g(a);\n}\n",
        ("g(a)", "g(h(a)"),
        then=(("g(h(a)", "g(h(a))"),),
        language="javascript",
    ),
)

TYPESCRIPT = (
    case(
        "an interface",
        "interface Row { id: number }\nfunction f(row: Row): Row[] {\n  return [row];\n}\n",
        ("interface Row", "interface Line"),
        then=(("row: Row): Row[]", "row: Line): Line[]"),),
        language="typescript",
    ),
    case(
        "a type",
        "type Id = string;\nconst a: Id = 'a';\nfunction f(id: Id) {\n  return id as Id;\n}\n",
        ("type Id", "type Key"),
        then=(("a: Id", "a: Key"), ("id: Id", "id: Key"), ("as Id", "as Key")),
        language="typescript",
    ),
    case(
        "an enumeration",
        "enum Color { Red }\nconst a: Color = Color.Red;\n",
        ("enum Color", "enum Colour"),
        then=(("a: Color = Color.Red", "a: Colour = Colour.Red"),),
        language="typescript",
    ),
    case(
        "a parameter with a type",
        "function area(width: number, height?: number): number {\n  return width * (height ?? width);\n}\n",
        ("area(width", "area(breadth"),
        then=(("width * (height ?? width)", "breadth * (height ?? breadth)"),),
        language="typescript",
    ),
    case(
        "a field that this has",
        "class A {\n  private rows: number[] = [];\n\n  add(n: number): void {\n"
        "    this.rows.push(n);\n  }\n\n"
        "  get size() {\n    return this.rows.length;\n  }\n}\n",
        ("private rows", "private lines"),
        then=(("this.rows.push", "this.lines.push"), ("this.rows.length", "this.lines.length")),
        language="typescript",
    ),
    case(
        "a method that this has",
        "class A {\n  load(): number {\n    return 1;\n  }\n\n  twice(): number {\n"
        "    return this.load() + o.load();\n  }\n}\n",
        ("load(): number", "read(): number"),
        then=(("this.load()", "this.read()"),),
        language="typescript",
    ),
)

GOING = """\
package shop

type Row struct {
	Name string
}

type Cart struct {
	rows []Row
}

func (c *Cart) Add(name string) *Row {
	row := Row{Name: name}
	c.rows = append(c.rows, row)
	return &row
}

func (c *Cart) Twice(name string) {
	c.Add(name)
	c.Add(name)
}
"""

GO = (
    case(
        "a type",
        GOING,
        ("type Row", "type Line"),
        then=(("[]Row", "[]Line"), ("*Row", "*Line"), ("Row{", "Line{")),
        language="go",
    ),
    case(
        "a receiver",
        GOING,
        ("(c *Cart) Add", "(cart *Cart) Add"),
        then=(("c.rows = append(c.rows", "cart.rows = append(cart.rows"),),
        language="go",
    ),
    case(
        "a parameter",
        GOING,
        ("Add(name string)", "Add(title string)"),
        then=(("Name: name", "Name: title"),),
        language="go",
    ),
    case(
        "a method of the receiver",
        GOING,
        ("Cart) Add", "Cart) Put"),
        then=(("c.Add(name)\n\tc.Add(name)", "c.Put(name)\n\tc.Put(name)"),),
        language="go",
    ),
    case(
        "a field of the receiver",
        GOING,
        ("\trows []Row", "\tlines []Row"),
        then=(("c.rows = append(c.rows", "c.lines = append(c.lines"),),
        language="go",
    ),
    case(
        "two results",
        "package p\n\nfunc f() error {\n\tv, err := g()\n\tif err != nil {\n\t\treturn err\n\t}\n"
        "\tuse(v)\n\treturn nil\n}\n",
        ("v, err :=", "value, err :="),
        then=(("use(v)", "use(value)"),),
        language="go",
    ),
    case(
        "a constant at the margin",
        "package p\n\nconst limit = 3\n\nfunc f(n int) bool {\n\treturn n < limit\n}\n",
        ("const limit", "const most"),
        then=(("n < limit", "n < most"),),
        language="go",
    ),
    case(
        "a brace",
        "package p\n\nfunc f(n int) {\n\tfor i := range n {\n\t\tg(i)\n\t}\n}\n",
        ("\t\tg(i)\n\t}\n", "\t\tg(i)\n"),
        then=(("\t\tg(i)\n", "\t\tg(i)\n\t}\n"),),
        language="go",
    ),
)

JAVA = (
    case(
        "a field that this has",
        "class A {\n    private int rows = 0;\n\n    void add(int n) {\n        this.rows += n;\n"
        "        rows++;\n    }\n}\n",
        ("int rows", "int lines"),
        then=(("this.rows += n;\n        rows++", "this.lines += n;\n        lines++"),),
        language="java",
    ),
    case(
        "a field, where a parameter is called like it",
        "class A {\n    private int n;\n\n    A(int n) {\n        this.n = n;\n    }\n\n"
        "    int get() {\n        return n;\n    }\n}\n",
        ("private int n", "private int size"),
        then=(("this.n = n", "this.size = n"), ("return n", "return size")),
        language="java",
    ),
    case(
        "a method",
        "class A {\n    int one() { return 1; }\n    int two() { return one() + this.one() + b.one(); }\n}\n",
        ("int one()", "int first()"),
        then=(("one() + this.one()", "first() + this.first()"),),
        language="java",
    ),
    case(
        "a class and what it is made by",
        "class Cart {\n    Cart() {}\n    static Cart of() { return new Cart(); }\n}\n",
        ("class Cart", "class Basket"),
        then=(
            (
                "    Cart() {}\n    static Cart of() { return new Cart()",
                "    Basket() {}\n    static Basket of() { return new Basket()",
            ),
        ),
        language="java",
    ),
    case(
        "a parameter",
        "class A {\n    int f(int w, int h) {\n        return w * h + g(w);\n    }\n}\n",
        ("f(int w", "f(int width"),
        then=(("w * h + g(w)", "width * h + g(width)"),),
        language="java",
    ),
    case(
        "the variable of a loop",
        "class A {\n    void f(int[] xs) {\n        for (int x : xs) {\n            g(x);\n"
        "        }\n        int x = 1;\n    }\n}\n",
        ("(int x :", "(int row :"),
        then=(("g(x)", "g(row)"),),
        language="java",
    ),
    case(
        "a bracket",
        "class A {\n    void f() {\n        g(h(1));\n    }\n}\n",
        ("g(h(1));", "g(h(1);"),
        then=(("g(h(1);", "g(h(1));"),),
        language="java",
    ),
    case(
        "a semicolon",
        "class A {\n    void f() {\n        int x = 1;\n        g(x);\n    }\n}\n",
        ("x = 1;", "x = 1"),
        then=(("x = 1", "x = 1;"),),
        language="java",
    ),
)

USER = "interface User {\n  mail: string;\n}\n\n"
TYPED = (
    case(
        "a field of what is said to be of the type, and of nothing else",
        USER + "function f(user: User, other: Other) {\n  return user.mail + other.mail;\n}\n"
        "const me: User = { mail: 'a' };\nconst you = { mail: 'b' };\n",
        ("  mail: string", "  email: string"),
        then=(("user.mail", "user.email"), ("me: User = { mail", "me: User = { email")),
        language="typescript",
    ),
    case(
        "a name that is of two types in two functions",
        USER + "function f(x: User) {\n  return x.mail;\n}\nfunction g(x: Other) {\n  return x.mail;\n}\n",
        ("  mail: string", "  email: string"),
        then=(("x.mail", "x.email"),),
        language="typescript",
    ),
    case(
        "a member that the type has already",
        "interface User {\n  mail: string;\n  post: string;\n}\nfunction f(u: User) {\n  return u.mail;\n}\n",
        ("  mail: string", "  post: string"),
        language="typescript",
    ),
    case(
        "a member of an enumeration",
        "enum Color {\n  Red,\n  Green = 2,\n}\nconst a = Color.Red;\nconst b = Other.Red;\n",
        ("  Red,", "  Crimson,"),
        then=(("Color.Red", "Color.Crimson"),),
        language="typescript",
    ),
    case(
        "a field, behind pointers and in literals",
        "package p\n\ntype User struct {\n\tMail string\n}\n\nfunc f(u *User, o Other) string {\n"
        "\tv := &User{Mail: u.Mail}\n\treturn v.Mail + o.Mail\n}\n\nvar o = Other{Mail: 1}\n",
        ("\tMail string", "\tEmail string"),
        then=(("{Mail: u.Mail}\n\treturn v.Mail", "{Email: u.Email}\n\treturn v.Email"),),
        language="go",
    ),
    case(
        "a method and a field of another object of the class",
        "class A {\n    int size;\n"
        "    boolean same(A other, B b) { return size == other.size && b.size == 1; }\n}\n",
        ("int size", "int length"),
        then=(("return size == other.size", "return length == other.length"),),
        language="java",
    ),
)


@pytest.mark.parametrize(
    "case", [*JAVASCRIPT, *TYPESCRIPT, *GO, *JAVA, *TYPED], ids=lambda case: f"{case.language}: {case.name}"
)
def test_what_follows(case: Case) -> None:
    check(case)
