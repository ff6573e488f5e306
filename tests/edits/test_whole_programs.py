"""Command lines, stacks and lists: pairs of a user who works through a whole program."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

LIST = """\
import { useEffect, useState } from "react";
import type { Todo } from "./types";

interface ListProps {
  todos: Todo[];
  onToggle: (id: number) => void;
  filter?: string;
}

export const List = ({ todos, onToggle, filter = "" }: ListProps) => {
  const [query, setQuery] = useState(filter);
  useEffect(() => {
    document.title = `${todos.length} todos`;
  }, [todos]);
  const shown = todos.filter((todo) => todo.text.includes(query));
  return (
    <ul>
      <input value={query} onChange={(e) => setQuery(e.target.value)} />
      {shown.map((todo) => (
        <li key={todo.id} onClick={() => onToggle(todo.id)}>
          {todo.text}
        </li>
      ))}
    </ul>
  );
};

export function App({ all }: { all: Todo[] }) {
  return <List todos={all} onToggle={(id) => console.log(id)} filter="a" />;
}
"""
CTRL = """\
package shop;

import java.util.HashMap;
import java.util.Map;

public class Inventory {
    private final Map<String, Integer> stock = new HashMap<>();
    private static final String MISSING = "missing: ";

    public void put(String name, int count) {
        stock.put(name, count);
    }

    public int take(String name, int count) throws StockException {
        Integer left = stock.get(name);
        if (left == null) {
            throw new StockException(MISSING + name);
        }
        if (left < count) {
            throw new StockException("only " + left);
        }
        stock.put(name, left - count);
        return left - count;
    }

    public static class StockException extends Exception {
        private final String reason;

        public StockException(String reason) {
            super(reason);
            this.reason = reason;
        }

        public String getReason() {
            return reason;
        }
    }

    public static void main(String[] args) {
        Inventory inventory = new Inventory();
        inventory.put("apple", 3);
        try {
            System.out.println(inventory.take("apple", 2));
        } catch (StockException e) {
            System.out.println(e.getReason());
        }
    }
}
"""
QUEUE = """\
package queue

import (
	"errors"
	"sync"
)

type Job struct {
	ID      int
	Payload string
	done    bool
}

type Queue struct {
	mu   sync.Mutex
	jobs []*Job
	size int
}

func New(size int) *Queue { return &Queue{size: size} }

func (q *Queue) Push(payload string) (*Job, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.jobs) >= q.size {
		return nil, errors.New("full")
	}
	job := &Job{ID: len(q.jobs), Payload: payload}
	q.jobs = append(q.jobs, job)
	return job, nil
}

func (q *Queue) Pop() *Job {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.jobs) == 0 {
		return nil
	}
	job := q.jobs[0]
	q.jobs = q.jobs[1:]
	job.done = true
	return job
}

func drain(q *Queue) (n int) {
	for job := q.Pop(); job != nil; job = q.Pop() {
		if job.Payload != "" {
			n++
		}
	}
	return n
}
"""
CLI = """\
import click

from shop.store import Store


@click.group()
def cli():
    pass


@cli.command()
@click.argument("path")
@click.option("--limit", default=10, help="how many")
def show(path, limit):
    store = Store(path)
    for row in store.rows(limit=limit):
        click.echo(row)


@cli.command()
@click.argument("path")
@click.argument("text")
def add(path, text):
    store = Store(path)
    store.add(text)
    click.echo("added")


if __name__ == "__main__":
    cli()
"""
GENR = """\
from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Stack(Generic[T]):
    def __init__(self) -> None:
        self._items: list[T] = []

    def push(self, item: T) -> None:
        self._items.append(item)

    def pop(self) -> T:
        return self._items.pop()

    def __iter__(self) -> Iterator[T]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)


def drained(stack: Stack[T]) -> list[T]:
    found: list[T] = []
    while len(stack):
        found.append(stack.pop())
    return found


numbers: Stack[int] = Stack()
numbers.push(1)
print(drained(numbers))
"""

PROGRAMS = (
    case(
        "a property that is taken out with a default",
        LIST,
        ("filter?: string", "search?: string"),
        then=(('filter = "" }', 'search: filter = "" }'), ('filter="a"', 'search="a"')),
        language="typescriptreact",
    ),
    case(
        "a method of what is caught",
        CTRL,
        ("String getReason", "String reason"),
        then=(("e.getReason", "e.reason"),),
        language="java",
    ),
    case(
        "a field of what is received",
        QUEUE,
        ("\tjobs []*Job", "\tall  []*Job"),
        then=(
            ("q.jobs) >=", "q.all) >="),
            ("len(q.jobs), Payload", "len(q.all), Payload"),
            ("q.jobs = append(q.jobs", "q.all = append(q.all"),
            ("len(q.jobs) == 0", "len(q.all) == 0"),
            ("job := q.jobs[0]\n\tq.jobs = q.jobs[1:]", "job := q.all[0]\n\tq.all = q.all[1:]"),
        ),
        language="go",
    ),
    case(
        "a command's option",
        CLI,
        ('"--limit"', '"--count"'),
        then=(("show(path, limit)", "show(path, count)"), ("limit=limit", "limit=count")),
    ),
    case(
        "a command's argument",
        CLI,
        ('argument("text")', 'argument("line")'),
        then=(("add(path, text)", "add(path, line)"), ("store.add(text)", "store.add(line)")),
    ),
    case(
        "a command's parameter",
        CLI,
        ("def show(path, limit)", "def show(path, count)"),
        then=(('"--limit"', '"--count"'), ("limit=limit", "limit=count")),
    ),
    case(
        "a method of a class with a type parameter",
        GENR,
        ("def pop(self)", "def take(self)"),
        then=(("stack.pop()", "stack.take()"),),
    ),
    case(
        "an option with a dash, and one that says where it goes",
        CLI.replace("--limit", "--at-most").replace('"text"', '"text", "line"').replace("limit", "at_most"),
        ('"--at-most"', '"--no-more-than"'),
        then=(("path, at_most)", "path, no_more_than)"), ("at_most=at_most", "at_most=no_more_than")),
    ),
)


@pytest.mark.parametrize("one", PROGRAMS, ids=lambda one: f"{one.language}: {one.name}")
def test_what_follows_in_a_program(one: Case) -> None:
    check(one)
