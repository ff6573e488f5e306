import assert from "node:assert/strict";
import { test } from "node:test";
import { headline, page } from "../src/explanation";

const TRACE = {
  offered: "width, width)",
  wanted: "width, width\n    return `x`\n",
  refused: ["behind `width, width`, it wanted ```: refused, the file would not parse; `)` came instead"],
};

test("the headline says what the model wanted and what became of it", () => {
  const message = "The completion fits the whole file.";
  assert.equal(
    headline({ message, trace: TRACE }),
    "The completion fits the whole file. The model wanted “width, width ...”; with what was refused, it is “width, width)”.",
  );
  assert.match(headline({ trace: { ...TRACE, refused: [] } }), /nothing was refused/);
  assert.match(headline({ trace: { ...TRACE, offered: "" } }), /which nothing could be made of/);
  assert.match(headline({ trace: { offered: "", wanted: "", refused: [] } }), /nothing to write here/);
});

test("without anything to say it says that", () => {
  assert.equal(headline({}), "The server has no explanation for this place.");
  assert.equal(headline({ message: "Excluded.", trace: null }), "Excluded.");
});

test("the page lists what was refused, and its code is no Markdown", () => {
  const text = page({ message: "M.", next: "A name.", reasons: ["shown: 50% sure"], trace: TRACE });
  assert.ok(text.includes("```python\nwidth, width\n    return `x`\n\n```"));
  assert.ok(text.includes("- behind `width, width`"));
  assert.ok(text.includes("- shown: 50% sure"));
  assert.ok(text.includes("A name."));
  assert.ok(page({ trace: { ...TRACE, offered: "x = ```a```" } }).includes("````python\nx = ```a```\n````"));
});
