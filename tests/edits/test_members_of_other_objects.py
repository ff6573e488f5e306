"""Members and keys of objects, and those of other objects that only have the same name."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, check, drawn

CASES = (
    drawn(
        "rename method: unknown objects stay",
        """\
class Queue:
    def <<put|push>>(self, item):
        self.items.append(item)

    def fill(self, items):
        for item in items:
            self.[[put|push]](item)
        self.[[put|push]](None)


def feed(q: Queue, shelf):
    q.[[put|push]](1)
    shelf.put(2)
""",
    ),
    drawn(
        "a member that was replaced behind one object",
        """\
import logging

log = logging.getLogger()


def a(x):
    log.<<warn|warning>>("a %s", x)


def b(x):
    log.<<warn|warning>>("b %s", x)


def c(x):
    log.[[warn|warning]]("c %s", x)
    x.warn("not a log")
    warnings.warn("c")
""",
    ),
    drawn(
        "brackets of an unknown object",
        """\
class Cart:
<<|    @property
>>    def total(self):
        return 3

    def show(self):
        return self.total[[()|]]


def f():
    cart = Cart()
    return cart.total[[()|]], other.total()
""",
    ),
    drawn(
        "brackets of an unknown object in typescript",
        """\
class Box {
  <<size()|get size()>> {
    return 3;
  }

  show() {
    return this.size[[()|]];
  }
}

const box = new Box();
console.log(box.size[[()|]], other.size());
""",
        "typescript",
    ),
    drawn(
        "a short text among the arguments of another function",
        """\
package main

import "fmt"

func a() error {
	if err := x(); err != nil {
		return fmt.Errorf("a: <<%v|%w>>", err)
	}
	return nil
}

func b() error {
	if err := x(); err != nil {
		return fmt.Errorf("b: <<%v|%w>>", err)
	}
	return nil
}

func c(n int) error {
	fmt.Printf("n: %v", n)
	if err := x(); err != nil {
		return fmt.Errorf("c: [[%v|%w]]", err)
	}
	return nil
}
""",
        "go",
    ),
    drawn(
        "a method of another class, and a call of it",
        """\
class A {
    int add(int a, <<int b, |>>int c) {
        return a + c;
    }

    int f(B other) {
        return add(1, [[2, |]]3) + this.add(1, [[2, |]]4) + other.add(1, 2, 3);
    }
}

class B {
    int add(int a, int b, int c) {
        return a;
    }
}
""",
        "java",
    ),
    drawn(
        "a key of another dictionary",
        """\
CONFIG = {
    "<<hst|host>>": "localhost",
    "port": 80,
}


def url():
    return f"http://{CONFIG['[[hst|host]]']}:{CONFIG['port']}"


def other(row):
    return row["hst"], CONFIG.get("[[hst|host]]")
""",
    ),
    drawn(
        "an import that was just written is no left-over",
        """\
<<const fs = require("fs");|import fs from "fs";>>
<<const path = require("path");|import path from "path";>>
[[const os = require("os");|import os from "os";]]
const { join } = path;
""",
        "javascript",
    ),
    drawn(
        "a field by the name of an embedded type",
        """\
package main

type <<base|core>> struct{ id int }

type user struct {
	[[base|core]]
	name string
}

func f(u user) int { return u.[[base|core]].id }
""",
        "go",
    ),
    drawn(
        "a member of what a record holds",
        """\
interface Row {
  <<id|key>>: string;
}

const rows: Row[] = [{ [[id|key]]: "a" }];
const first = rows[0]?.[[id|key]];
const map: Record<string, Row> = {};
map["a"].[[id|key]] = "b";
const el = document.getElementById("id");
el.id = "x";
""",
        "typescript",
    ),
    drawn(
        "an embedded type, and a parameter of its name",
        """\
package main

type <<base|core>> struct{ id int }

type user struct {
	[[base|core]]
	name string
}

func f(u user) int { return u.[[base|core]].id }

func g(base int) int { return base }
""",
        "go",
    ),
    drawn(
        "a method of go in a row of calls",
        """\
package main

type Cart struct{ rows []int }

func (c *Cart) <<Add|Push>>(n int) *Cart {
	c.rows = append(c.rows, n)
	return c
}

func run(c *Cart, w WaitGroup) {
	c.[[Add|Push]](1).[[Add|Push]](2)
	w.Add(3)
}
""",
        "go",
    ),
)


@pytest.mark.parametrize("one", CASES, ids=[one.name for one in CASES])
def test_what_comes_next(one: Case) -> None:
    check(one)
