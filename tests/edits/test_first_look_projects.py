"""Pairs of several files that were written without a look at the rules: those that were missed at first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.edits.everyday_edits import FOLLOWS, MADE
from tests.edits.taken_in_project import take_edits


@dataclass(frozen=True)
class DrawnProject:
    """The files of a project, drawn as in `drawn`; the user has changed the first one."""

    name: str
    files: Mapping[str, str]


CASES = (
    DrawnProject(
        "an imported class in a docstring",
        {
            "errors.py": """\
class <<ParseError|SyntaxFault>>(Exception):
    pass
""",
            "reader.py": """\
from errors import [[ParseError|SyntaxFault]]


def read(text):
    '''Raises `[[ParseError|SyntaxFault]]`, and ParseError means more.'''
    try:
        return int(text)
    except ValueError as error:
        raise [[ParseError|SyntaxFault]]("ParseError: bad") from error
""",
            "other.py": """\
def read(text):
    '''Raises `ParseError`.'''
""",
        },
    ),
    DrawnProject(
        "a method, of a derived class that a package hands on",
        {
            "pool/worker.py": """\
class Worker:
    async def <<attempt|try_job>>(self, job):
        return job

    def close(self):
        pass


class LoudWorker(Worker):
    async def [[attempt|try_job]](self, job):
        return await super().[[attempt|try_job]](job)
""",
            "pool/__init__.py": "from pool.worker import LoudWorker, Worker\n",
            "main.py": """\
from pool import LoudWorker


async def main(other):
    loud = LoudWorker()
    await loud.[[attempt|try_job]](1)
    await other.attempt(2)
""",
        },
    ),
    DrawnProject(
        "a method became asynchronous, of a derived class",
        {
            "pool/worker.py": """\
class Worker:
    <<|async >>def close(self):
        pass


class LoudWorker(Worker):
    pass


class Quiet:
    def close(self):
        return 1
""",
            "main.py": """\
from pool.worker import LoudWorker, Quiet


async def main():
    loud, quiet = LoudWorker(), Quiet()
    one = LoudWorker()
    [[|await ]]one.close()
    two = Quiet()
    two.close()
""",
        },
    ),
    DrawnProject(
        "a member of an enumeration, by its text",
        {
            "state.py": """\
import enum


class State(enum.Enum):
    <<IDLE|RESTING>> = "idle"
    BUSY = "busy"


class Door:
    IDLE = 0
""",
            "log.py": """\
from state import Door, State


def tell(state: State):
    return State["[[IDLE|RESTING]]"], State.[[IDLE|RESTING]], Door.IDLE, "IDLE"
""",
        },
    ),
    DrawnProject(
        "a field of a model, in queries and of what they give",
        {
            "models.py": """\
from django.db import models


class Book(models.Model):
    <<pages|n_pages>> = models.IntegerField(default=0)
    title = models.CharField(max_length=80)
""",
            "views.py": """\
from django.shortcuts import get_object_or_404

from models import Book


def book(request, isbn, pages):
    found = get_object_or_404(Book, isbn=isbn, [[pages|n_pages]]=pages)
    first = Book.objects.order_by("-[[pages|n_pages]]").first()
    return {"pages": found.[[pages|n_pages]], "first": first.[[pages|n_pages]]}


def books(request, least):
    rows = Book.objects.filter([[pages|n_pages]]__gte=least).exclude(title="")
    return [row.[[pages|n_pages]] for row in rows], [row.pages for row in request.rows]
""",
        },
    ),
    DrawnProject(
        "a method became a getter, and a member of a default export",
        {
            "lib/queue.js": """\
export default class Queue {
  <<|get >>isEmpty() {
    return this.size === 0;
  }

  *drain() {
    while (!this.isEmpty[[()|]]) yield this.take();
  }
}
""",
            "lib/app.js": """\
import Queue from "./queue.js";

const second = new Queue(3);
while (!second.isEmpty[[()|]]) second.take();
other.isEmpty();
""",
            "lib/alias.js": """\
import Fifo from "./queue.js";

const one = new Fifo(3);
console.log(one.isEmpty[[()|]]);
""",
        },
    ),
    DrawnProject(
        "a key that a component takes without a type",
        {
            "src/Panel.jsx": """\
export function Panel({ title, <<onClose|onLeave>> }) {
  return <button title={title} onClick={() => [[onClose|onLeave]]()} />;
}

Panel.propTypes = {
  title: PropTypes.string,
  [[onClose|onLeave]]: PropTypes.func,
};
""",
            "src/App.jsx": """\
import { Panel } from './Panel';
import { Dialog } from './Dialog';

export default function App() {
  return <main><Panel title="a" [[onClose|onLeave]]={() => {}} /><Dialog onClose={leave} /></main>;
}
""",
        },
    ),
    DrawnProject(
        "a key of what a constructor takes, through an index",
        {
            "src/store.ts": """\
export interface Options {
  path: string;
  <<limit|most>>?: number;
}

export class Store {
  readonly limit: number;

  constructor(private readonly options: Options) {
    this.limit = options.[[limit|most]] ?? 3;
  }
}
""",
            "src/index.ts": 'export { Store } from "./store";\n',
            "src/main.ts": """\
import { Store } from "./index";

const store = new Store({ path: "rows.json", [[limit|most]]: 10 });
console.log(store.limit);
""",
        },
    ),
    DrawnProject(
        "parameters that changed places, of a call whose arguments tell it",
        {
            "store/store.go": """\
package store

type Store struct{ path string }

func New(<<path string, limit int|limit int, path string>>) *Store {
	return &Store{path: path}
}
""",
            "go.mod": "module example.com/shop\n\ngo 1.21\n",
            "main.go": """\
package main

import "example.com/shop/store"

func main() {
	a, b := load()
	_ = store.New([["rows.json", 0|0, "rows.json"]])
	_ = store.New(a, b)
	_ = store.New(3, "other.json")
}
""",
        },
    ),
    DrawnProject(
        "parameters of java that changed places",
        {
            "src/shop/Cart.java": """\
package shop;

public class Cart {
    public void add(<<Item item, int count|int count, Item item>>) {
        items.add(item, count);
    }
}
""",
            "src/shop/Main.java": """\
package shop;

public class Main {
    void run(Cart cart, Item one) {
        cart.add([[new Item("tea"), 2|2, new Item("tea")]]);
        cart.add([[one, 3|3, one]]);
        cart.add(4, one);
    }
}
""",
        },
    ),
    DrawnProject(
        "a class that is reached by its package",
        {
            "events/bus.py": """\
class Bus:
    def __init__(self, <<name|title>>):
        self.name = [[name|title]]
""",
            "events/__init__.py": "from .bus import Bus\n",
            "main.py": """\
import events

bus = events.Bus([[name|title]]="b")
other = events.Door(name="c")
""",
        },
    ),
    DrawnProject(
        "a method of a class that is handed on by require",
        {
            "lib/cache.js": """\
class Cache {
  <<get|fetch>>(key) {
    return this.map.get(key);
  }
}

exports.Cache = Cache;
""",
            "lib/index.js": """\
const { Cache } = require('./cache');

module.exports = { Cache };
""",
            "bin/run.js": """\
const { Cache } = require('../lib');
const cache = new Cache();
const map = new Map();
map.get(cache.[[get|fetch]]('a'));
""",
        },
    ),
    DrawnProject(
        "a method of a nested record, and an inherited field",
        {
            "src/acme/Account.java": """\
package acme;

public abstract class Account {
    protected long balance;

    public record Entry(long amount) {
        boolean <<isLarge|isBig>>() {
            return amount > 3;
        }
    }
}
""",
            "src/acme/Bank.java": """\
package acme;

public class Bank {
    long large(Account one) {
        return one.entries(Account.Entry::[[isLarge|isBig]]).size();
    }
}
""",
        },
    ),
)


def check_project(case: DrawnProject, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = folder / "project"
    for name, text in case.files.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(MADE.sub(r"\2", FOLLOWS.sub(r"\1", text)))
    changed = next(iter(case.files))
    own, old = project / changed, folder / f"old{Path(changed).suffix}"
    old.write_text(MADE.sub(r"\1", FOLLOWS.sub(r"\1", case.files[changed])))
    take_edits(own, old, project, capsys)
    said = {name: (project / name).read_text() for name in case.files}
    assert said == {name: MADE.sub(r"\2", FOLLOWS.sub(r"\2", text)) for name, text in case.files.items()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_follows_in_the_files_of_a_project(
    case: DrawnProject, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check_project(case, tmp_path, capsys)
