import assert from "node:assert/strict";
import { test } from "node:test";
import { direction, drawn, hasTab, isThere, type NextEdit, onOneLine, shownOf } from "../src/nextEdit";

const EDIT: NextEdit = {
  textDocument: { uri: "file:///a.py", version: 3 },
  range: { start: { line: 4, character: 8 }, end: { line: 5, character: 2 } },
  text: "breadth",
};

/** What is drawn, with what stays in front of and behind it. */
function shown(old: string, text: string): string {
  const { from, to, text: added } = drawn(old, text);
  return `${old.slice(0, from)}[-${old.slice(from, to)}-][+${added}+]${old.slice(to)}`;
}

test("whole words are struck, and nothing of what stays around them", () => {
  assert.equal(
    shown("return width * height", "return breadth * height"),
    "return [-width-][+breadth+] * height",
  );
  assert.equal(shown("area(1, 2)", "area(1)"), "area(1[-, 2-][++])");
  assert.equal(shown("area(1)", "area(1, 2)"), "area(1[--][+, 2+])");
  assert.equal(shown("rows", "row"), "[-rows-][+row+]");
  assert.equal(shown("größe", "größer"), "[-größe-][+größer+]");
});

test("whatever is drawn is the whole change", () => {
  const letters = ["a", "b", " ", "\n", "é", "😀", ""];
  for (const old of texts(letters)) {
    for (const text of texts(letters)) {
      const { from, to, text: added } = drawn(old, text);
      assert.ok(0 <= from && from <= to && to <= old.length);
      assert.equal(old.slice(0, from) + added + old.slice(to), text);
    }
  }
});

function texts(letters: readonly string[]): string[] {
  return letters.flatMap((one) => letters.flatMap((two) => letters.map((three) => one + two + three)));
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

test("only an edit of the text as it is may be shown", () => {
  assert.equal(shownOf({ edits: [EDIT] }, "file:///a.py", 3), EDIT);
  assert.equal(shownOf({ edits: [EDIT] }, "file:///a.py", 4), undefined);
  assert.equal(shownOf({ edits: [EDIT] }, "file:///b.py", 3), undefined);
  for (const nothing of [undefined, null, {}, { edits: [] }]) {
    assert.equal(shownOf(nothing, "file:///a.py", 3), undefined);
  }
});
