"""Pairs that were written without a look at the rules: those that were missed or wrong at a third look."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.edits.everyday_edits import Case, check, drawn
from tests.edits.test_first_look_projects import DrawnProject, check_project

CASES = (
    drawn(
        "a key of results that are assigned together",
        """\
def describe(values):
    return {"count": len(values), <<"spread"|"range">>: max(values) - min(values)}


def compare(left, right):
    first, (second, third) = describe(left), (describe(right), {})
    one, two = third, describe(left)
    is_less = first.get([["spread"|"range"]]) < second.get([["spread"|"range"]])
    return is_less, third["spread"], one["spread"]
""",
    ),
    drawn(
        "a handler that raises what the others catch now",
        """\
class Unknown(Exception):
    pass


class Shelf:
    def find(self, code):
        try:
            return self.items[code]
        except KeyError:
            raise Unknown(code) from None


def label(shelf, code):
    try:
        item = shelf.find(code)
    except <<KeyError|Unknown>>:
        return "?"
    return item.name


def price(shelf, code):
    try:
        return shelf.find(code).price
    except <<KeyError|Unknown>>:
        return 0


def stock(shelf, code):
    try:
        return shelf.find(code).stock
    except [[KeyError|Unknown]]:
        return 0
""",
    ),
    drawn(
        "a handler of Java that throws what the others catch now",
        """\
class Shelf {
    Item find(String code) throws Unknown {
        try {
            return read(code);
        } catch (IOException error) {
            throw new Unknown(error);
        }
    }

    int price(String code) {
        try {
            return find(code).price;
        } catch (<<IOException|Unknown>> error) {
            return 0;
        }
    }

    int size(String code) {
        try {
            return find(code).size;
        } catch (<<IOException|Unknown>> error) {
            return 0;
        }
    }

    int stock(String code) {
        try {
            return find(code).stock;
        } catch ([[IOException|Unknown]] error) {
            return 0;
        }
    }
}
""",
        "java",
    ),
    drawn(
        "a parameter's type is that of parameters of its name",
        """\
from pathlib import Path


def remove(folder: <<str|Path>>, keep: int) -> int:
    files = sorted(folder.iterdir())
    return len(files) - keep


def newest(folder: <<str|Path>>) -> str:
    return max(folder.iterdir()).name


def size(folder: [[str|Path]]) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


def greet(name: str) -> str:
    return "hello " + name
""",
    ),
    drawn(
        "a value that is made of literals and got a name",
        """\
from decimal import Decimal
<<|
VAT = Decimal("0.19")
>>

def gross(net):
    return net * (1 + <<Decimal("0.19")|VAT>>)


def tax(net):
    return net * [[Decimal("0.19")|VAT]]


def other(net):
    return net * Decimal("0.07"), "0.19"
""",
    ),
    drawn(
        "a product of numbers that got a name",
        """\
<<|const DAY = 24 * 60 * 60 * 1000;

>>export function isOld(entry) {
  return Date.now() - entry.time > <<24 * 60 * 60 * 1000|DAY>>;
}

export function isVeryOld(entry) {
  return Date.now() - 7 * entry.time > [[24 * 60 * 60 * 1000|DAY]];
}

export function tomorrow(date) {
  return new Date(date.getTime() + [[24 * 60 * 60 * 1000|DAY]]);
}

export const HOUR = 60 * 60 * 1000;
""",
        "javascript",
    ),
    drawn(
        "a call whose results may differ",
        """\
import random


def one():
    first = random.randint(1, 6)
    return <<random.randint(1, 6)|first>>


def two():
    return random.randint(1, 6) + random.randint(1, 6)
""",
    ),
    drawn(
        "the elements that a sum is made of",
        """\
interface Order {
  id: string;
  <<amount|total>>: number;
}

interface Line {
  amount: number;
}

export function total(orders: Order[]): number {
  return orders.reduce((sum, order) => sum + order.[[amount|total]], 0);
}

export function all(lines: Line[]): number {
  return lines.reduce((sum, line) => sum + line.amount, 0);
}

export function least(orders: Order[], line: Line): number {
  return orders.reduceRight((line, order) => Math.min(line.amount, order.[[amount|total]]), line);
}
""",
        "typescript",
    ),
    drawn(
        "a method of a type that has arguments",
        """\
package stack

type Stack[T any] struct {
	items []T
}

func (s *Stack[T]) <<Size|Len>>() int {
	return len(s.items)
}

func (s *Stack[T]) Empty() bool {
	return s.[[Size|Len]]() == 0
}

func use(many map[string]Stack[int]) int {
	s := &Stack[int]{}
	return s.[[Size|Len]]() + many["a"].[[Size|Len]]()
}

func other(s *Stack[*int]) int {
	return s.[[Size|Len]]()
}
""",
        "go",
    ),
    drawn(
        "a field of an object in a static method",
        """\
class Mail {
    private final String to;
    private final boolean urgent;
    static boolean isLoud;

    Mail(String to<<|, boolean urgent>>) {
        this.to = to;
        this.urgent = <<false|urgent>>;
    }

    static Mail copy(Mail mail) {
        return new Mail(mail.to);
    }

    Mail answer() {
        return new Mail(to[[|, urgent]]);
    }
}
""",
        "java",
    ),
    drawn(
        "parameters that are taken out of an object now",
        """\
export function notify(<<title, text, isLarge = false|{ title, text, isLarge = false }>>) {
  const box = document.createElement(isLarge ? "h1" : "p");
  box.append(title, text);
}

export function failed(name, text) {
  notify([["Error"|{ title: "Error"]], text, [[!name|isLarge: !name }]]);
  notify([["Error"|{ title: "Error"]], [[name|text: name }]]);
  notify({ title: "Error", text });
}
""",
        "javascript",
    ),
    drawn(
        "a last parameter that is taken out of an object now",
        """\
interface Wishes { limit: number; order?: string }

function load(name: string, <<limit: number, order?: string|{limit, order}: Wishes>>): string[] {
  return read(name, limit, order);
}

export const first = load("a", [[1|{limit: 1}]]);
export const other = load("b", [[limitOf("b"), "size"|{limit: limitOf("b"), order: "size"}]]);
""",
        "typescript",
    ),
)


@pytest.mark.parametrize("one", CASES, ids=[one.name for one in CASES])
def test_what_comes_next(one: Case) -> None:
    check(one)


PROJECTS = (
    DrawnProject(
        "a function that moved, among other names of an import",
        {
            "tools.py": """\
import re


def shorten(text):
    return re.sub(" +", " ", text)
<<

def slug(title):
    return re.sub("[^a-z]+", "-", title)
|>>""",
            "slugs.py": """\
import re


def slug(title):
    return re.sub("[^a-z]+", "-", title)
""",
            "blog.py": """\
from tools import shorten[[, slug|
from slugs import slug]]

print(shorten(slug("a")))
""",
            "feed.py": """\
from tools import [[slug as called, |]]shorten[[|
from slugs import slug as called]]

print(shorten(called("a")))
""",
            "page.py": """\
from tools import (
    shorten,
[[    slug,
|]])[[|
from slugs import slug]]

print(shorten(slug("a")))
""",
        },
    ),
    DrawnProject(
        "arguments whose names tell that a call is for the old header",
        {
            "util.js": """\
export const clamp = (<<value, low|low, value>>, high) => Math.min(Math.max(value, low), high);
""",
            "slider.js": """\
import { clamp } from "./util.js";

export class Slider {
  set(value) {
    this.value = clamp([[value, this.low|this.low, value]], this.high);
    this.other = clamp(this.low, value, this.high);
    this.last = clamp(first, second, third);
  }
}
""",
        },
    ),
    DrawnProject(
        "an exported function that takes an object now",
        {
            "notify.js": """\
export function notify(<<title, text|{ title, text }>>) {
  console.log(title, text);
}
""",
            "page.js": """\
import { notify } from "./notify.js";

export function fail(text) {
  notify([["Error", text|{ title: "Error", text }]]);
}
""",
        },
    ),
    DrawnProject(
        "keys of results that another file assigns together",
        {
            "stats.py": """\
def describe(values):
    return {"count": len(values), <<"spread"|"range">>: max(values) - min(values)}
""",
            "report.py": """\
from stats import describe


def compare(left, right):
    first, second = describe(left), describe(right)
    return first.get([["spread"|"range"]]) < second.get([["spread"|"range"]])
""",
        },
    ),
)


@pytest.mark.parametrize("case", PROJECTS, ids=lambda case: case.name)
def test_what_follows_in_a_project(
    case: DrawnProject, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check_project(case, tmp_path, capsys)
