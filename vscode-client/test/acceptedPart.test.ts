import assert from "node:assert/strict";
import { test } from "node:test";
import { acceptedOf, type Followed, followEdits, isNew, NOTHING, offeredNow } from "../src/acceptedPart";

const REST = "sorted(rows, key=len)";
const OFFERED: Followed = { offers: [{ offset: 8, rest: REST }], part: undefined };

/** The state after inserting these texts one behind the other, from offset 8 on. */
function after(...texts: string[]): Followed {
  let [known, offset] = [OFFERED, 8];
  for (const text of texts) {
    known = followEdits(known, [{ offset, length: 0, text }]);
    offset += text.length;
  }
  return known;
}

test("a word that is accepted leaves the rest of the offer", () => {
  assert.deepEqual(after("sorted").part, { offset: 14, rest: "(rows, key=len)" });
  assert.deepEqual(after("sorted", "(rows").part, { offset: 19, rest: ", key=len)" });
});

test("a character may have been typed: it is a part only behind one", () => {
  assert.equal(after("s").part, undefined);
  assert.equal(after("s", "o", "r").part, undefined);
  assert.deepEqual(after("sorted", "(").part, { offset: 15, rest: "rows, key=len)" });
});

test("an offer that is accepted whole leaves nothing", () => {
  assert.deepEqual(after(REST), NOTHING);
  assert.deepEqual(after("sorted", "(rows, key=len)"), NOTHING);
});

test("other text behind a part and a deletion of its end make it the person's own", () => {
  assert.deepEqual(after("sorted", "[x"), NOTHING);
  assert.deepEqual(followEdits(after("sorted"), [{ offset: 13, length: 1, text: "" }]), NOTHING);
  assert.deepEqual(followEdits(after("sorted"), [{ offset: 0, length: 30, text: "other" }]), NOTHING);
});

test("an edit somewhere else leaves a part open, and moves it", () => {
  const [front, behind] = [
    { offset: 3, length: 2, text: "(rows" },
    { offset: 15, length: 1, text: "" },
  ];
  const part = { offset: 17, rest: "(rows, key=len)" };
  assert.deepEqual(followEdits(after("sorted"), [front]), { offers: [], part });
  assert.deepEqual(followEdits(after("sorted"), [behind, front]), { offers: [], part });
  assert.deepEqual(followEdits(OFFERED, [front]), NOTHING);
});

test("the next offer at the same place goes on with the part", () => {
  const again = offeredNow(after("sorted"), [{ offset: 14, rest: "(names)" }], 14);
  assert.deepEqual(again.part, { offset: 14, rest: "(names)" });
  assert.deepEqual(offeredNow(after("sorted"), [], 14).part, { offset: 14, rest: "(rows, key=len)" });
  assert.equal(offeredNow(after("sorted"), [{ offset: 30, rest: "x" }], 30).part, undefined);
});

test("what an edit takes of an offer is told, and typing takes nothing", () => {
  const taken = (text: string, offset = 8) => acceptedOf(OFFERED, { offset, length: 0, text });
  assert.deepEqual(taken(REST), { characters: REST.length, isWhole: true });
  assert.deepEqual(taken("sorted"), { characters: 6, isWhole: false });
  assert.equal(taken("s"), undefined);
  assert.equal(taken("other"), undefined);
  assert.equal(taken("sorted", 9), undefined);
});

test("the rest of an offer that is on screen is no new one", () => {
  assert.equal(isNew(OFFERED, [{ offset: 8, rest: REST }]), false);
  assert.equal(isNew(after("s"), [{ offset: 9, rest: REST.slice(1) }]), false);
  assert.equal(isNew(after("s"), [{ offset: 9, rest: "um(rows)" }]), true);
  assert.equal(isNew(OFFERED, []), false);
});
