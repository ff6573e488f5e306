import assert from "node:assert/strict";
import { test } from "node:test";
import { SERVER_SETTINGS } from "../src/serverSettings";
import { completionSettings, serverSettings, showsNextEdits } from "../src/settings";

function configuration(values: Record<string, unknown>) {
  return { get: <T>(name: string, fallback: T): T => (name in values ? (values[name] as T) : fallback) };
}

test("without any settings completions are offered while typing", () => {
  const { enable, manualOnly } = completionSettings(configuration({}));
  assert.ok(enable && !manualOnly);
});

test("the server gets every setting of its own under its name", () => {
  const told = serverSettings(configuration({ model: "none", exclude: ["secrets/"] }));
  assert.equal(told.model, "none");
  assert.deepEqual(told.exclude, ["secrets/"]);
  assert.deepEqual(Object.keys(told).sort(), [...SERVER_SETTINGS, "debounce"].sort());
});

test("the wait for another keystroke happens once, in the editor", () => {
  assert.equal(serverSettings(configuration({ debounce: 300 })).debounce, 0);
});

test("next edits are shown by themselves unless one of three settings is against it", () => {
  assert.ok(showsNextEdits(configuration({})));
  for (const against of [{ nextEdits: false }, { enable: false }, { manualOnly: true }]) {
    assert.ok(!showsNextEdits(configuration(against)));
  }
});
