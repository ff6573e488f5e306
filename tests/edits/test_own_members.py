"""Members of what a place itself is in, in languages other than Python: accessors, `this` of object literals,
private names, bases, own constants of enumerations, labels."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, check, drawn

OWN = (
    drawn(
        "the setter beside a renamed getter",
        """\
class Box {
  get <<w|width>>(): number {
    return this._w;
  }

  set [[w|width]](value: number) {
    this._w = value;
  }

  grow(): void {
    this.[[w|width]] += 1;
  }
}
""",
        "typescript",
    ),
    drawn(
        "a static getter is not the other one's",
        """\
class Box {
  static get <<w|width>>() {
    return 1;
  }

  set w(value) {
    this._w = value;
  }
}
""",
        "javascript",
    ),
    drawn(
        "`this` in the methods of an object literal",
        """\
const cart = {
  <<items|rows>>: [],
  add(item) {
    this.[[items|rows]].push(item);
  },
  clear: function () {
    this.[[items|rows]] = [];
  },
  later() {
    setTimeout(() => this.[[items|rows]].pop(), 10);
    setTimeout(function () {
      this.items = 1;
    });
  },
  lost: () => this.items,
};

console.log(cart.[[items|rows]].length);
""",
        "javascript",
    ),
    drawn(
        "a method of an object literal",
        """\
export const store = {
  rows: [],
  <<put|add>>(row) {
    this.rows.push(row);
  },
  putAll(rows) {
    rows.forEach((row) => this.[[put|add]](row));
  },
};

store.[[put|add]](1);
other.put(2);
""",
        "javascript",
    ),
    drawn(
        "the object of a module",
        """\
module.exports = {
  <<name|title>>: "a",
  show() {
    return this.[[name|title]] + { name: 1, f() { return this.name; } }.f();
  },
};
""",
        "javascript",
    ),
    drawn(
        "a field became private",
        """\
class Counter {
  <<count|#count>> = 0;

  inc() {
    this.[[count|#count]] += 1;
    return this.[[count|#count]];
  }

  other(one) {
    return one.count;
  }
}
""",
        "javascript",
    ),
    drawn(
        "a private method became public under another name",
        """\
class Counter {
  <<#add|increase>>(n) {
    this.n += n;
  }

  inc() {
    this.[[#add|increase]](1);
  }
}
""",
        "typescript",
    ),
    drawn(
        "a private field has another name",
        """\
class Counter {
  #<<n|count>> = 0;

  inc() {
    this.#[[n|count]] += this.n;
  }
}
""",
        "javascript",
    ),
    drawn(
        "the base's method in an override",
        """\
class Base {
    void <<run|execute>>() {}
}

class Sub extends Base {
    @Override
    void [[run|execute]]() {
        super.[[run|execute]]();
    }
}

class Task extends Thread {
    public void run() {
        super.run();
    }
}
""",
        "java",
    ),
    drawn(
        "`super` in JavaScript",
        """\
class Base {
  <<load|read>>() {}
}

class Sub extends Base {
  [[load|read]]() {
    return super.[[load|read]]();
  }
}

class Other extends Thing {
  load() {
    return super.load();
  }
}
""",
        "javascript",
    ),
    drawn(
        "a constant in its own enumeration",
        """\
enum Level {
    LOW,
    <<HI|HIGH>>;

    static final Level TOP = [[HI|HIGH]];

    boolean urgent() {
        return this == [[HI|HIGH]];
    }

    boolean asked(boolean HI) {
        return HI;
    }
}

class Use {
    int HI = 1;

    int f() {
        return HI;
    }
}
""",
        "java",
    ),
    drawn(
        "a class inside of another one",
        """\
class Outer {
    static class <<Builder|Maker>> {}
}

class Use {
    Outer.[[Builder|Maker]] b = new Outer.[[Builder|Maker]]();
    Other.Builder c;
    Process.Builder d;
}
""",
        "java",
    ),
    drawn(
        "a label that is gone to",
        """\
package a

func f(n int) int {
<<again|retry>>:
	n--
	if n > 10 {
		goto [[again|retry]]
	}
	return n
}

func g(n int) int {
again:
	n--
	goto again
}
""",
        "go",
    ),
    drawn(
        "a constant behind one with a value",
        """\
package a

const (
	Idle State = iota
	<<Busy|Running>>
)

func (s State) String() string {
	switch s {
	case Idle:
		return "idle"
	case [[Busy|Running]]:
		return "busy"
	}
	return ""
}
""",
        "go",
    ),
    drawn(
        "a missing brace gets its own line",
        """\
package a

func f(n int) int {
	if n > 1 {
		return 2
<<	}
|>>[[|	}
]]	return 1
}
""",
        "go",
    ),
    drawn(
        "a type in one header, twice, and then in others",
        """\
package a

func f(a <<interface{}|any>>, b <<interface{}|any>>) {}

func g(c [[interface{}|any]]) map[string][[interface{}|any]] { return nil }
""",
        "go",
    ),
    drawn(
        "a closing tag",
        """\
export function A() {
  return (
    <div>
      <span>hi<<</span>|>>[[|</span>]]
    </div>
  );
}
""",
        "typescriptreact",
    ),
)


@pytest.mark.parametrize("one", OWN, ids=lambda one: f"{one.language}: {one.name}")
def test_what_comes_next(one: Case) -> None:
    check(one)
