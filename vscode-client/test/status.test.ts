import assert from "node:assert/strict";
import { test } from "node:test";
import { INSTALL_HINT, menuCommands, type ServerState, statusAppearance } from "../src/status";

const STATES: ServerState[] = [
  { kind: "disabled" },
  { kind: "not found" },
  { kind: "starting", origin: "PATH" },
  { kind: "running", origin: "PATH" },
  { kind: "stopped" },
  { kind: "failed", reason: "no such file" },
];

test("every state looks different and says why", () => {
  const texts = STATES.map((state) => statusAppearance(state).text);
  const tooltips = STATES.map((state) => statusAppearance(state).tooltip);
  assert.equal(new Set(texts).size, STATES.length);
  assert.equal(new Set(tooltips).size, STATES.length);
});

test("only what needs the user's attention is coloured", () => {
  const coloured = STATES.filter((state) => statusAppearance(state).severity !== "normal");
  assert.deepEqual(
    coloured.map((state) => state.kind),
    ["not found", "failed"],
  );
});

test("a missing server says how to get it", () => {
  assert.ok(statusAppearance({ kind: "not found" }).tooltip.includes(INSTALL_HINT));
});

test("a failure shows its reason", () => {
  assert.ok(statusAppearance({ kind: "failed", reason: "no such file" }).tooltip.includes("no such file"));
});

test("a running server can be stopped and a stopped one started, not the other way round", () => {
  const offered = (state: ServerState) => menuCommands(state).map(({ command }) => command);
  assert.ok(offered({ kind: "running", origin: "PATH" }).includes("fim-lsp.stop"));
  assert.ok(!offered({ kind: "running", origin: "PATH" }).includes("fim-lsp.start"));
  assert.ok(offered({ kind: "stopped" }).includes("fim-lsp.start"));
  assert.ok(!offered({ kind: "stopped" }).includes("fim-lsp.stop"));
});
