import assert from "node:assert/strict";
import { test } from "node:test";
import { addCounts, dayOf, page, type Statistics, sum } from "../src/statistics";

const TODAY = new Date(2026, 10, 22, 23, 59);

test("counts add up by day and file", () => {
  let known: Statistics = {};
  known = addCounts(known, "2026-11-21", "a.py", { shown: 1 });
  known = addCounts(known, "2026-11-22", "a.py", { shown: 1 });
  known = addCounts(known, "2026-11-22", "a.py", { accepted: 1, characters: 12 });
  known = addCounts(known, "2026-11-22", "b.py", { shown: 1, parts: 1, characters: 3 });
  assert.deepEqual(known["2026-11-22"], {
    "a.py": { shown: 1, accepted: 1, parts: 0, characters: 12 },
    "b.py": { shown: 1, accepted: 0, parts: 1, characters: 3 },
  });
  assert.equal(sum(Object.values(known).flatMap(Object.values)).shown, 3);
});

test("days long ago are forgotten", () => {
  let known: Statistics = {};
  for (let index = 0; index < 120; index++) {
    known = addCounts(known, dayOf(new Date(2026, 0, 1 + index)), "a.py", { shown: 1 });
  }
  assert.equal(Object.keys(known).length, 90);
  assert.equal(Object.keys(known).at(-1), "2026-04-30");
});

test("the page has a bar for each day that counts, and a row for each file", () => {
  let known: Statistics = addCounts({}, "2026-11-22", "a.py", { shown: 4, accepted: 2, characters: 80 });
  known = addCounts(known, "2026-11-20", "b.py", { shown: 2, parts: 1, characters: 20 });
  known = addCounts(known, "2026-01-01", "old.py", { shown: 1, characters: 1 });
  const { body } = page(known, TODAY, true);
  assert.match(body, /<title>2026-11-22: 80<\/title><rect [^>]*height="120"/);
  assert.match(body, /<title>2026-11-20: 20<\/title><rect [^>]*height="30"/);
  assert.match(body, /<title>2026-11-21: 0<\/title><rect [^>]*height="0"/);
  assert.match(body, /<title>2026-11-09: 0/);
  assert.doesNotMatch(body, /2026-11-08/);
  assert.match(body, /<td>a.py<\/td><td>4<\/td><td>2<\/td><td>0<\/td><td>80<\/td>/);
  assert.match(body, /<dt>Characters saved<\/dt><dd>101<\/dd>/);
});

test("a file may be called anything", () => {
  const { body } = page(addCounts({}, "2026-11-22", "<b>'&.py", { shown: 1 }), TODAY, true);
  assert.match(body, /<td>&#60;b&#62;&#39;&#38;.py<\/td>/);
});

test("a page without anything says why", () => {
  const off = page({}, TODAY, false).body;
  assert.match(off, /the setting fim-lsp.statistics is off/);
  assert.match(off, /Nothing has been counted/);
  assert.doesNotMatch(page({}, TODAY, true).body, /is off/);
});
