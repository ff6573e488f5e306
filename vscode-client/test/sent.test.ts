import assert from "node:assert/strict";
import test from "node:test";
import { asText } from "../src/sent";

test("what was sent is shown with the reason of each piece", () => {
  const told = [
    { path: "shop/prices.py", reason: "Prices is imported", text: "class Prices:\n    net: int\n" },
    { path: "shop/table.py", reason: "it was edited last", text: "x = 1\n" },
  ];
  assert.equal(
    asText({ prompt: "<P>x = <S><M>", told }),
    `Text of other files:
- shop/prices.py, 2 lines: Prices is imported
- shop/table.py, 1 line: it was edited last

Text sent, with the model's special tokens:

<P>x = <S><M>
`,
  );
});

test("a prompt without other files says so, and without a prompt there is nothing to show", () => {
  assert.match(asText({ prompt: "x" }) ?? "", /^No text of other files\./);
  assert.equal(asText({ prompt: "" }), undefined);
  assert.equal(asText({}), undefined);
});
