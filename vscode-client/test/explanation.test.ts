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
    "The completion fits the whole file. The model wanted “width, width ...”; after the refusals it became “width, width)”.",
  );
  assert.match(headline({ trace: { ...TRACE, refused: [] } }), /nothing was refused/);
  assert.match(
    headline({ trace: { ...TRACE, offered: "" } }),
    /^The model wanted “width, width ...”, which was refused\.$/,
  );
  const silent = { ...TRACE, offered: "", refused: [] };
  assert.match(headline({ trace: silent }), /no text that fits could be made of it/);
  assert.match(headline({ trace: { offered: "", wanted: "", refused: [] } }), /nothing to write here/);
});

test("without anything to say it says that", () => {
  assert.equal(headline({}), "The server has no explanation for this place.");
  assert.equal(headline({ message: "Excluded.", trace: null }), "Excluded.");
});

test("the page lists what was refused, and marks what became of the wish", () => {
  const { body } = page({ message: "M.", next: "A `name`.", reasons: ["shown: 50% sure"], trace: TRACE });
  assert.ok(body.includes("<pre>width, width<del>\n    return `x`\n</del></pre>"));
  assert.ok(body.includes("<pre>width, width<ins>)</ins></pre>"));
  assert.ok(body.includes("<li>behind <code>width, width</code>, it wanted"));
  assert.ok(body.includes("<li>shown: 50% sure</li>"));
  assert.ok(body.includes("<p>A <code>name</code>.</p>"));
});

test("code on the page is no HTML, and a wish that fits has no marks", () => {
  const { body } = page({ trace: { offered: "<b>", wanted: "<b>", refused: [] } });
  assert.ok(body.includes("<pre>&#60;b&#62;</pre>"));
  assert.doesNotMatch(body, /<ins>|<del>/);
  assert.match(page({ trace: { ...TRACE, offered: "" } }).body, /nothing/);
});
