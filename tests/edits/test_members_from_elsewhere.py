"""Members that a place has from elsewhere, in languages other than Python: fields that a constructor sets,
spread literals, props of components, embedded types, packages under another name; and tags of elements."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, check, drawn

GIVEN = (
    drawn(
        "a field that the constructor sets",
        """\
class Queue {
  constructor() {
    this.<<items|jobs>> = [];
  }

  push(x) {
    this.[[items|jobs]].push(x);
    return this.[[items|jobs]].length;
  }

  static from(other) {
    return other.items;
  }
}

const queue = new Queue();
console.log(queue.[[items|jobs]]);
""",
        "javascript",
    ),
    drawn(
        "another field in the constructor",
        """\
class Queue {
  constructor() {
    this.<<items|rows>> = [];
    this.rows = [];
  }

  size() {
    return this.items.length;
  }
}
""",
        "javascript",
    ),
    drawn(
        "a key of a literal that another one spreads",
        """\
const defaults = { <<retries|attempts>>: 3, delay: 10 };

function run(options) {
  const all = { ...defaults, ...options };
  const own = { ...defaults, retries: 1 };
  return all.[[retries|attempts]] + own.retries;
}
""",
        "javascript",
    ),
    drawn(
        "a prop of a component without types",
        """\
function Button({ <<kind|variant>> = "primary", onClick }) {
  return <button className={[[kind|variant]]} kind="x" onClick={onClick} />;
}

const Input = memo(({ kind }) => <input className={kind} />);

export const A = () => <Button [[kind|variant]]="x" onClick={f} />;
export const B = () => <Input kind="x" />;
""",
        "javascriptreact",
    ),
    drawn(
        "an argument that is taken apart",
        """\
const area = (unit, { <<w|width>>, h }) => unit * [[w|width]] * h;

console.log(area(1, { [[w|width]]: 2, h: 3 }), other(1, { w: 2 }));
""",
        "javascript",
    ),
    drawn(
        "the closing tag",
        """\
export const A = () => (
  <Menu.<<Item|Row>> className="Item">
    <Item>x</Item>
  </Menu.[[Item|Row]]>
);
""",
        "typescriptreact",
    ),
    drawn(
        "the opening tag",
        """\
export const A = () => (
  <[[Menu.Item|Menu.Row]] a="b">
    <p>x</p>
  </Menu.<<Item|Row>>>
);
""",
        "javascriptreact",
    ),
    drawn(
        "a method of an embedded type",
        """\
package a

type Base struct{}

func (b *Base) <<Log|Write>>(s string) {}

type Svc struct {
	*Base
	name string
}

type Own struct {
	Base
}

func (o *Own) Log(s string) { o.Base.[[Log|Write]](s) }

func (s *Svc) Run(o *Own) {
	s.[[Log|Write]]("a")
	s.Base.[[Log|Write]]("b")
	o.Log("c")
}
""",
        "go",
    ),
    drawn(
        "a package under another name",
        """\
package a

import <<l|log>> "example.com/x/logging"

func f(to [[l|log]].Target) {
	[[l|log]].Info("l")
}

func g(l Own) {
	l.Warn("x")
}
""",
        "go",
    ),
    drawn(
        "what was taken out together with another change",
        """\
function f() {
  return <<fetch("a").then((r) => r.json())|get("a")>>;
}

function g() {
  return fetch("b").then((r) => r.json());
}
""",
        "javascript",
    ),
    drawn(
        "another package",
        """\
package a

import "<<example.com/old/log|example.com/new/logging>>"

func f() {
	[[log|logging]].Info("log")
}
""",
        "go",
    ),
)


@pytest.mark.parametrize("one", GIVEN, ids=lambda one: f"{one.language}: {one.name}")
def test_what_comes_next(one: Case) -> None:
    check(one)
