"""Pairs that were written without a look at the rules: those that were missed or wrong at first."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, check, drawn

CASES = (
    drawn(
        "a name that is only the end of a file's name",
        """\
[[import json
|]]from pathlib import Path


def save(folder: Path) -> None:
    (folder / "cart.json").write_text(<<json.dumps({"owner": 1})|'{"owner": 1}'>>)
""",
    ),
    drawn(
        "a name that a test patches in the module itself",
        """\
import json


def load(text):
    return <<json.loads|parse>>(text)


def check(patch):
    patch(f"{__name__}.json.loads")
""",
    ),
    drawn(
        "what require brought",
        """\
const express = require('express')
[[const path = require('path')
|]]
const app = express()
app.get('/files', (req, res) => {
  res.sendFile(<<path.join(__dirname, 'files', 'a')|'a', { root: 'files' }>>)
})
""",
        "javascript",
    ),
    drawn(
        "one of the names that require brought",
        """\
const { [[join, |]]resolve } = require('node:path');

exports.file = (name) => <<join(__dirname, name)|name>>;
exports.root = resolve('.');
""",
        "javascript",
    ),
    drawn(
        "a field of a text is no key of another call",
        """\
def create(session, body, user_id):
    mail.send(body.email, text="Hello %(<<nick|name>>)s" % {"[[nick|name]]": body.nick})
    session.update("user", user_id, {"nick": body.nick})
""",
    ),
    drawn(
        "a method became a property: what a lambda orders",
        """\
import datetime as dt
from dataclasses import dataclass


@dataclass
class Invoice:
    issued: dt.date

<<|    @property
>>    def due(self) -> dt.date:
        return self.issued

    def is_late(self, today: dt.date) -> bool:
        return today > self.due[[()|]]


def late_invoices(invoices: list[Invoice], today: dt.date) -> list[Invoice]:
    late = [invoice for invoice in invoices if invoice.is_late(today)]
    return sorted(late, key=lambda invoice: invoice.due[[()|]])


def first(invoices: list[Invoice]) -> list[dt.date]:
    rows = sorted(invoices, key=lambda one: one.due[[()|]])[:3]
    return [row.due[[()|]] for row in rows]
""",
    ),
    drawn(
        "an attribute of what a comprehension has asked for its class",
        """\
class Square:
    def __init__(self, side):
        self.<<side|length>> = side

    def area(self):
        return self.[[side|length]] ** 2


class Box:
    def __init__(self, side):
        self.side = side


def sides(shapes):
    for shape in shapes:
        if isinstance(shape, Square):
            print(shape.[[side|length]])
    return [one.[[side|length]] for one in shapes if isinstance(one, Square)]
""",
    ),
    drawn(
        "the same call in full, once changed",
        """\
def show(session, user_id):
    user = session.find("user", user_id)
    if user is None:
        raise HTTPException(404<<|, detail="no such user">>)
    return user


def remove(session, user_id):
    user = session.find("user", user_id)
    if user is None:
        raise HTTPException(404[[|, detail="no such user"]])
    session.delete("user", user_id)
""",
    ),
    drawn(
        "errors of go that are wrapped",
        """\
package store

import (
	"encoding/json"
	"fmt"
	"os"
)

func save(path string, rows []int) error {
	data, err := json.Marshal(rows)
	if err != nil {
		return fmt.Errorf("save: %<<v|w>>", err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return fmt.Errorf("save %s: %[[v|w]]", path, err)
	}
	if len(rows) == 0 {
		return fmt.Errorf("no rows: %v", path)
	}
	return nil
}
""",
        "go",
    ),
    drawn(
        "a parameter that the user has given to a name of its old name",
        """\
import numpy as np


def normalize(<<matrix|values>>):
    matrix = np.asarray(<<matrix|values>>)
    m = matrix.mean(axis=0)
    return matrix - m
""",
    ),
    drawn(
        "a field of what a dictionary has as values",
        """\
from typing import Dict, NamedTuple


class Item(NamedTuple):
    sku: str
    <<count|amount>>: int = 0


def merge(first: Dict[str, Item], second: Dict[str, Item]):
    for sku, item in second.items():
        item = item._replace([[count|amount]]=item.[[count|amount]] + 1)
    return [one.[[count|amount]] for one in first.values()], sku.count("a")
""",
    ),
    drawn(
        "a type that is typed anew",
        """\
export interface Config {
  token: string;
  base?: <<string|>>;
}
""",
        "typescript",
    ),
    drawn(
        "a key of what an inherited constructor takes",
        """\
export interface Config {
  <<token|key>>: string;
}

class Client {
  constructor(protected config: Config) {}
}

class UserClient extends Client {}

export const create = (token: string) => new UserClient({ [[token|key: token]] });
""",
        "typescript",
    ),
    drawn(
        "a key of a component that is typed as one",
        """\
import React from "react";

interface FormProps {
  fields: string[];
  <<title|heading>>?: string;
}

export const Form: React.FC<FormProps> = ({ fields, [[title|heading: title]] = "Form" }) => {
  return <form><h2>{title}</h2>{fields.join()}</form>;
};

export const page = <Form fields={[]} [[title|heading]]="Who" />;
""",
        "typescriptreact",
    ),
    drawn(
        "a key of the state that a reducer makes",
        """\
import { useReducer } from "react";

type State = { values: string[]; <<touched|visited>>: string[] };

const initial: State = { values: [], [[touched|visited]]: [] };

export function Form() {
  const [state, dispatch] = useReducer((one: State) => one, initial);
  return <em onClick={() => dispatch()}>{state.[[touched|visited]].join()}</em>;
}
""",
        "typescriptreact",
    ),
    drawn(
        "an option that a constructor takes without a type",
        """\
class Cache {
  constructor({ <<ttl|lifetime>> = 3, max = 100 } = {}) {
    this.ttl = [[ttl|lifetime]];
    this.max = max;
  }
}

const cache = new Cache({ [[ttl|lifetime]]: 5 });
const other = new Store({ ttl: 5 });
""",
        "javascript",
    ),
    drawn(
        "an inherited field without an object in front",
        """\
abstract class Account {
    protected long <<balance|funds>>;

    long get() {
        return [[balance|funds]];
    }
}

class Savings extends Account {
    boolean allows(long amount) {
        return [[balance|funds]] >= amount;
    }

    boolean asks(long balance) {
        return balance >= 0;
    }
}

class Other {
    long balance;

    long get() {
        return balance;
    }
}
""",
        "java",
    ),
)


@pytest.mark.parametrize("one", CASES, ids=[one.name for one in CASES])
def test_what_comes_next(one: Case) -> None:
    check(one)
