"""Pairs of the kind that users try in their first hour, in the other languages."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

WRAPPED = """\
package shop

func load(path string) (*Store, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	store := NewStore()
	if err := store.Add(Item{Name: string(data), Price: 1}); err != nil {
		return nil, err
	}
	if _, err := store.Get("a"); err != nil {
		return nil, err
	}
	return store, nil
}
"""
WRAP = 'return nil, fmt.Errorf("load: %w", err)'

THEN = """\
async function a(url) {
  return fetch(url).then((res) => res.json());
}

async function b(url) {
  return fetch(url).then((res) => res.text());
}

async function c(url) {
  return fetch(url).then((res) => res.blob());
}
"""
TSX = """\
import { useState } from "react";
import { createStyles } from "./styles";

type Props = { label: string; onSave: (value: string) => void };

const useStyles = createStyles({
  wrapper: { padding: 4 },
  button: { color: "red" },
});

export function Editor({ label, onSave }: Props) {
  const [value, setValue] = useState("");
  const [isOpen, setIsOpen] = useState(false);
  const classes = useStyles();
  if (!isOpen) {
    return <button className={classes.button} onClick={() => setIsOpen(true)}>{label}</button>;
  }
  return (
    <div className={classes.wrapper}>
      <input value={value} onChange={(event) => setValue(event.target.value)} />
      <button className={classes.button} onClick={() => onSave(value)}>save</button>
    </div>
  );
}

export function Page() {
  return (
    <main>
      <Editor label="name" onSave={(value) => console.log(value)} />
      <Editor label="mail" onSave={console.log} />
    </main>
  );
}
"""
JS = """\
var fs = require("fs");
var path = require("path");
var config = require("./config");

function load(name, done) {
  var file = path.join(config.root, name);
  return fs.promises.readFile(file).then((text) => {
    var rows = JSON.parse(text);
    return rows;
  });
}

function save(name, rows) {
  var file = path.join(config.root, name);
  return fs.promises.writeFile(file, JSON.stringify(rows));
}

module.exports = { load, save };
"""
IMP = """\
import { total } from "../lib/money";
import { slug } from "../lib/text";
import { today } from "../lib/time";

export const label = (rows) => slug(today()) + total(rows);
"""
JSON = """\
{
  "services": [
    { "name": "web", "host_name": "a", "port": 80 },
    { "name": "db", "host_name": "b", "port": 81 },
    { "name": "cache", "host_name": "c", "port": 82 },
    { "name": "queue", "host_name": "d", "port": 83 }
  ]
}
"""

UNIONS = """\
type Action = { type: "add"; item: string } | { type: "remove"; id: number };
type Mode = "dark" | "light";

const mode: Mode = "dark";
const title = "add";

export function reducer(items: string[], action: Action, current: Mode): string[] {
  if (current === "dark" || title === "add") {
    return items;
  }
  switch (action.type) {
    case "add":
      return [...items, action.item];
  }
  return reducer(items, { type: "add", item: "dark" }, "dark");
}
"""
VARS = """\
var fs = require("fs");
var path = require("path");
var first = 1, second;

function load(name, done) {
  var file = path.join("a", name);
  var count = 0;
  count += 1;
  if (done) {
    var late = 1;
  }
  for (var i = 0; i < 3; i++) {
    log(i);
  }
  return read(file).then((text) => {
    var rows = JSON.parse(text);
    return [rows, count, late];
  });
}
"""
HOUR = (
    case(
        "what declares variables: by whether they are assigned to, and where they are used",
        VARS,
        ("var fs", "const fs"),
        ("var path", "const path"),
        then=(
            ("var first", "let first"),
            ("var file", "const file"),
            ("var count", "let count"),
            ("(var i", "(let i"),
            ("var rows", "const rows"),
        ),
        language="javascript",
    ),
    case(
        "a text that a property of a type may be",
        UNIONS,
        ('type: "add"', 'type: "insert"'),
        then=(('case "add"', 'case "insert"'), ('{ type: "add"', '{ type: "insert"')),
        language="typescript",
    ),
    case(
        "a text that a type lists",
        UNIONS,
        ('Mode = "dark"', 'Mode = "black"'),
        then=(
            ('mode: Mode = "dark"', 'mode: Mode = "black"'),
            ('current === "dark"', 'current === "black"'),
            ('}, "dark")', '}, "black")'),
        ),
        language="typescript",
    ),
    case(
        "what is put around something is not made by half",
        WRAPPED,
        ("return nil, err", WRAP),
        ("return nil, err", WRAP),
        then=(("return nil, err", WRAP), ("package shop\n", 'package shop\n\nimport "fmt"\n')),
        language="go",
    ),
    case(
        "a promise that is waited for",
        THEN,
        (
            "return fetch(url).then((res) => res.json());",
            "const res = await fetch(url);\n  return res.json();",
        ),
        (
            "return fetch(url).then((res) => res.text());",
            "const res = await fetch(url);\n  return res.text();",
        ),
        then=(
            (
                "return fetch(url).then((res) => res.blob());",
                "const res = await fetch(url);\n  return res.blob();",
            ),
        ),
        language="javascript",
    ),
    case(
        "a state, and what sets it",
        TSX,
        ("[isOpen, setIsOpen]", "[isEditing, setIsOpen]"),
        then=(
            ("!isOpen", "!isEditing"),
            ("setIsOpen] =", "setIsEditing] ="),
            ("setIsOpen(true)", "setIsEditing(true)"),
        ),
        language="typescriptreact",
    ),
    case(
        "an import in the place of what is required",
        JS,
        ('var fs = require("fs");', 'import fs from "fs";'),
        ('var path = require("path");', 'import path from "path";'),
        then=(('var config = require("./config");', 'import config from "./config";'),),
        language="javascript",
    ),
    case(
        "the beginning of imported paths",
        IMP,
        ('"../lib/money"', '"@/lib/money"'),
        ('"../lib/text"', '"@/lib/text"'),
        then=(('"../lib/time"', '"@/lib/time"'),),
        language="javascript",
    ),
    case(
        "a key that came into rows",
        JSON,
        ('"port": 80', '"port": 80, "tls": true'),
        ('"port": 81', '"port": 81, "tls": true'),
        then=(('"port": 82', '"port": 82, "tls": true'), ('"port": 83', '"port": 83, "tls": true')),
        language="json",
    ),
    case(
        "functions are made asynchronous for it",
        THEN.replace("async ", ""),
        ("function a(", "async function a("),
        (
            "return fetch(url).then((res) => res.json());",
            "const res = await fetch(url);\n  return res.json();",
        ),
        then=(
            ("function b(", "async function b("),
            (
                "return fetch(url).then((res) => res.text());",
                "const res = await fetch(url);\n  return res.text();",
            ),
            ("function c(", "async function c("),
            (
                "return fetch(url).then((res) => res.blob());",
                "const res = await fetch(url);\n  return res.blob();",
            ),
        ),
        language="javascript",
    ),
)


@pytest.mark.parametrize("one", HOUR, ids=lambda one: f"{one.language}: {one.name}")
def test_what_comes_next(one: Case) -> None:
    check(one)
