import assert from "node:assert/strict";
import { test } from "node:test";
import {
  direction,
  hasTab,
  isThere,
  type NextEdit,
  nameOf,
  onOneLine,
  pieces,
  shownOf,
} from "../src/nextEdit";

const EDIT: NextEdit = {
  textDocument: { uri: "file:///a.py", version: 3 },
  range: { start: { line: 4, character: 8 }, end: { line: 5, character: 2 } },
  text: "breadth",
};

/** The drawn text, with the unchanged text around it. */
function shown(old: string, text: string): string {
  let [drawn, at] = ["", 0];
  for (const piece of pieces(old, text)) {
    drawn += `${old.slice(at, piece.from)}[${old.slice(piece.from, piece.to)}|${piece.text}]`;
    at = piece.to;
  }
  return drawn + old.slice(at);
}

test("whole words are struck, and nothing of what stays around them", () => {
  assert.equal(shown("return width * height", "return breadth * height"), "return [width|breadth] * height");
  assert.equal(shown("area(1, 2)", "area(1)"), "area(1[, 2|])");
  assert.equal(shown("area(1)", "area(1, 2)"), "area(1[|, 2])");
  assert.equal(shown("rows", "row"), "[rows|row]");
  assert.equal(shown("größe", "größer"), "[größe|größer]");
});

test("lines that change together are drawn word by word, and words side by side as one", () => {
  assert.equal(shown("f(width)\ng(width)", "f(depth)\ng(depth)"), "f([width|depth])\ng([width|depth])");
  assert.equal(shown("one two", "three four"), "[one two|three four]");
});

test("whatever is drawn is the whole change, also where it is too long to be compared", () => {
  const letters = ["a", "b", " ", "\n", "é", "😀", "😁", ""];
  const long = "a b ".repeat(400);
  const all: [string, string][] = texts(letters).flatMap((old) =>
    texts(letters).map((text): [string, string] => [old, text]),
  );
  for (const [old, text] of [...all, [long, `b ${"c a ".repeat(400)}`] as [string, string]]) {
    let [made, at] = ["", 0];
    for (const piece of pieces(old, text)) {
      assert.ok(at <= piece.from && piece.from <= piece.to);
      made += old.slice(at, piece.from) + piece.text;
      at = piece.to;
    }
    assert.equal(made + old.slice(at), text);
  }
});

function texts(letters: readonly string[]): string[] {
  return letters.flatMap((one) => letters.map((two) => one + two));
}

test("a decoration is one line, keeps its blanks and has an end", () => {
  assert.equal(onOneLine("a  b\r\n\tc"), "a\u00a0\u00a0b⏎→c");
  assert.equal(onOneLine("x".repeat(500)).length, 121);
});

test("Tab takes where the cursor is, and goes there from elsewhere", () => {
  assert.ok(isThere({ line: 4, character: 0 }, EDIT) && isThere({ line: 5, character: 9 }, EDIT));
  assert.ok(!isThere({ line: 3, character: 8 }, EDIT) && !isThere({ line: 6, character: 0 }, EDIT));
});

test("Tab indents in front of a line's text, unless the edit is in that line", () => {
  assert.ok(!hasTab({ line: 1, character: 4 }, "    x = 1", EDIT));
  assert.ok(!hasTab({ line: 1, character: 0 }, "", EDIT));
  assert.ok(hasTab({ line: 1, character: 5 }, "    x = 1", EDIT));
  assert.ok(hasTab({ line: 4, character: 0 }, "    width", EDIT));
});

test("an edit is above, below, or on the screen", () => {
  assert.deepEqual(
    [9, 10, 20, 21].map((line) => direction(line, 10, 20)),
    ["above", "", "", "below"],
  );
});

test("only an edit of a text as it is may be shown, of this document or another open one", () => {
  const versions = new Map([
    ["file:///a.py", 3],
    ["file:///b.py", 4],
  ]);
  const versionOf = (uri: string) => versions.get(uri);
  assert.equal(shownOf({ edits: [EDIT] }, versionOf), EDIT);
  for (const [uri, version] of [
    ["file:///a.py", 4],
    ["file:///b.py", 3],
    ["file:///closed.py", 3],
    ["file:///closed.py", null],
  ] as const) {
    assert.equal(shownOf({ edits: [{ ...EDIT, textDocument: { uri, version } }] }, versionOf), undefined);
  }
  for (const nothing of [undefined, null, {}, { edits: [] }]) {
    assert.equal(shownOf(nothing, versionOf), undefined);
  }
});

test("a document is called by the last part of its path", () => {
  assert.equal(nameOf("file:///shop/my%20till.py"), "my till.py");
  assert.equal(nameOf("untitled:%"), "untitled:%");
});
