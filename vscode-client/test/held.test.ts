import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { Held } from "../src/held";

test("an offer is shown once while a key is held, and goes when it is not held any more", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const seen: string[] = [];
  const held = new Held(
    () => seen.push("show"),
    () => seen.push("hide"),
    800,
    250,
  );
  held.press();
  mock.timers.tick(700);
  for (let presses = 0; presses < 20; presses++) {
    held.press();
    mock.timers.tick(40);
  }
  assert.deepEqual(seen, ["show"]);
  mock.timers.tick(250);
  assert.deepEqual(seen, ["show", "hide"]);
  held.press();
  mock.timers.tick(800);
  assert.deepEqual(seen, ["show", "hide", "show", "hide"]);
  held.press();
  held.dispose();
  mock.timers.tick(1000);
  assert.equal(seen.length, 5);
  mock.timers.reset();
});
