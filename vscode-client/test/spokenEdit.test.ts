import assert from "node:assert/strict";
import { test } from "node:test";
import type { NextEdit } from "../src/nextEdit";
import { spokenEdit } from "../src/spokenEdit";

const EDIT: NextEdit = {
  textDocument: { uri: "file:///shop/a.py", version: 3 },
  range: { start: { line: 1, character: 11 }, end: { line: 1, character: 16 } },
  text: "breadth",
  reason: "`width` is called `breadth`",
};

test("an edit in words: its line, what that becomes, and why", () => {
  assert.equal(
    spokenEdit(EDIT, "    return ", " * height", false),
    "Next edit, line 2: becomes “return breadth * height”. Why: width is called breadth.",
  );
});

test("of several lines, of another file, with an import", () => {
  const edit = {
    ...EDIT,
    range: { start: { line: 1, character: 0 }, end: { line: 3, character: 0 } },
    text: "    one()\r\n    two()\n",
    reason: "",
    additionalTextEdits: [{ range: EDIT.range, newText: "import x\n" }],
  };
  assert.equal(
    spokenEdit(edit, "", "", true),
    "Next edit, a.py, lines 2 to 4: becomes “one(); two()”. It also inserts “import x”.",
  );
});

test("what goes without anything in its place, and what is long", () => {
  assert.equal(spokenEdit({ ...EDIT, text: "", reason: "" }, "  ", "", false), "Next edit, line 2: empty.");
  assert.ok(spokenEdit({ ...EDIT, text: "x".repeat(5000) }, "", "", false).length < 400);
});
