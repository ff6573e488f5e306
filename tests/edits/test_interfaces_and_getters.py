"""Other languages than Python: functions that become asynchronous or getters, implementations of interfaces,
records and switches, and arguments."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

LOADER = """\
class Loader {
  load(path) {
    return path;
  }

  async all(paths) {
    const first = this.load(paths[0]);
    const rest = await Promise.all(paths.map((path) => this.load(path)));
    this.load("x").then(print);
    if (this.load("y").length) {
      return this.load("z");
    }
    return [first, rest];
  }

  plain() {
    return this.load("a") + 1;
  }
}
"""
STORE_OF_JAVA = """\
interface Store {
  String get(String key);
}

class Memory implements Store {
  public String get(String key) {
    return key;
  }

  String twice(String key) {
    return this.get(key);
  }
}

class Other {
  String get(String key) {
    return key;
  }

  String use(Store store, Other other) {
    return store.get("a") + other.get("b");
  }
}
"""
STORE_OF_TYPESCRIPT = """\
interface Store {
  get(key: string): string;
}

class Memory implements Store {
  get(key: string) {
    return key;
  }
}

class Other {
  get(key: string) {
    return key;
  }
}

function use(store: Store, other: Other) {
  return store.get("a") + other.get("b");
}
"""
STORE_OF_GO = """\
package shop

type Store interface {
	Get(key string) string
	Put(key string)
}

type memory struct{}

func (m memory) Get(key string) string { return key }

func (m memory) Put(key string) {}

type other struct{}

func (o other) Get(key string) string { return key }

func use(store Store, o other) string {
	return store.Get("a") + o.Get("b")
}
"""

TURNED = (
    case(
        "calls wait for what is asynchronous now, where they may and do not hand it on",
        LOADER,
        ("  load(path) {", "  async load(path) {"),
        then=(
            ("first = this.load", "first = await this.load"),
            ('this.load("y").length', '(await this.load("y")).length'),
        ),
        language="javascript",
    ),
    case(
        "calls do not wait for what is not asynchronous any more",
        "async function load(path: string) {\n  return path;\n}\n\nasync function main() {\n"
        '  return [await load("a"), load("b")];\n}\n',
        ("async function load", "function load"),
        then=(("await load", "load"),),
        language="typescript",
    ),
    case(
        "a method that is a getter now",
        "class Cart {\n  total() {\n    return 1;\n  }\n\n  show() {\n    return this.total() + 1;\n  }\n}\n",
        ("  total() {", "  get total() {"),
        then=(("this.total()", "this.total"),),
        language="javascript",
    ),
    case(
        "a getter that is a method now",
        "class Cart {\n  get total() {\n    return 1;\n  }\n\n  show() {\n"
        "    return this.total + 1;\n  }\n}\n",
        ("  get total() {", "  total() {"),
        then=(("this.total +", "this.total() +"),),
        language="typescript",
    ),
)
STANDING = (
    case(
        "an interface's method",
        STORE_OF_JAVA,
        ("String get(String key);", "String find(String key);"),
        then=(
            ("public String get", "public String find"),
            ("this.get(key)", "this.find(key)"),
            ('store.get("a")', 'store.find("a")'),
        ),
        language="java",
    ),
    case(
        "an interface's method takes more",
        STORE_OF_JAVA,
        ("String get(String key);", "String get(String key, int size);"),
        then=(("public String get(String key)", "public String get(String key, int size)"),),
        language="java",
    ),
    case(
        "an interface's method",
        STORE_OF_TYPESCRIPT,
        ("  get(key: string): string;", "  find(key: string): string;"),
        then=(
            ("Store {\n  get(key: string) {", "Store {\n  find(key: string) {"),
            ('store.get("a")', 'store.find("a")'),
        ),
        language="typescript",
    ),
    case(
        "an interface's method, in types that have all of them",
        STORE_OF_GO,
        ("	Get(key string) string\n	Put", "	Find(key string) string\n	Put"),
        then=(("(m memory) Get", "(m memory) Find"), ('store.Get("a")', 'store.Find("a")')),
        language="go",
    ),
    case(
        "a part of a record",
        "record Point(int x, int y) {\n  int norm() {\n    return x + y;\n  }\n}\n\nclass Use {\n"
        "  int f(Point p, Other o) {\n    return p.y() + o.y();\n  }\n}\n",
        ("Point(int x, int y)", "Point(int x, int height)"),
        then=(("x + y;", "x + height;"), ("p.y()", "p.height()")),
        language="java",
    ),
    case(
        "a label of a switch",
        "enum Colour { RED, GREY }\n\nclass Use {\n  int f(Colour colour, Other other) {\n"
        "    switch (colour) {\n      case GREY: return 1;\n      default:\n    }\n"
        "    switch (other) {\n      case GREY: return 2;\n      default: return 0;\n    }\n  }\n}\n",
        ("RED, GREY", "RED, GRAY"),
        then=(("case GREY: return 1", "case GRAY: return 1"),),
        language="java",
    ),
)
DIALOG = """\
interface Props {
  title: string;
  onClose: () => void;
}

function Dialog({ title, onClose }: Props) {
  return [title, onClose];
}

const Other = ({ onClose: close }: Props, more: number) => close;

function plain({ onClose }: { onClose: number }) {
  return onClose;
}

const onClose = () => {};
Dialog({ title: "a", onClose: () => {} });
Dialog({ title: "a", onClose });
Other({ title: "a", onClose }, 1);
plain({ onClose: 1 });
"""
PROPS = (
    case(
        "a member, where objects of the type are taken apart and given to functions",
        DIALOG,
        ("  onClose: () => void;", "  onDismiss: () => void;"),
        then=(
            ("Dialog({ title, onClose }", "Dialog({ title, onDismiss: onClose }"),
            ("{ onClose: close }", "{ onDismiss: close }"),
            ('"a", onClose: () =>', '"a", onDismiss: () =>'),
            ('Dialog({ title: "a", onClose });', 'Dialog({ title: "a", onDismiss: onClose });'),
            ('Other({ title: "a", onClose }', 'Other({ title: "a", onDismiss: onClose }'),
        ),
        language="typescript",
    ),
    case(
        "a member, where an element has it",
        "type Props = { onClose: () => void };\n\nfunction Dialog(props: Props) {\n  return null;\n}\n\n"
        "const a = <Dialog onClose={leave} />;\nconst b = <Other onClose={leave} />;\n",
        ("{ onClose: ()", "{ onDismiss: ()"),
        then=(("<Dialog onClose", "<Dialog onDismiss"),),
        language="typescriptreact",
    ),
)
GIVEN = (
    case(
        "what one call was given no other one is given that does not see it",
        "function send(to) {\n  return to;\n}\n\nfunction one(size) {\n  return send('a');\n}\n\n"
        "function other() {\n  return send('b');\n}\n",
        ("send(to) {", "send(to, much) {"),
        ("send('a')", "send('a', size)"),
        language="javascript",
    ),
)
OVERLOADED = """\
interface Store {
  int get(int key);
}

class Memory implements Store {
  public int get(int key) {
    return key;
  }

  public int get(String key) {
    return 1 + this.get(2) + get("a");
  }
}
"""
SEVERAL = (
    case(
        "one of several methods of a name",
        OVERLOADED,
        ("  public int get(int key) {", "  public int find(int key) {"),
        language="java",
    ),
    case(
        "several methods that could stand for one",
        OVERLOADED,
        ("  int get(int key);", "  int find(int key);"),
        language="java",
    ),
)


@pytest.mark.parametrize(
    "case",
    [*TURNED, *STANDING, *GIVEN, *PROPS, *SEVERAL],
    ids=lambda case: f"{case.language}: {case.name}",
)
def test_what_follows(case: Case) -> None:
    check(case)
