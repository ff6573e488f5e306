import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CALM,
  type Circumstances,
  menuEntries,
  type Report,
  relevantReport,
  type ServerState,
  spoken,
  statusAppearance,
} from "../src/status";

const RUNNING: ServerState = { kind: "running", origin: "PATH" };
const STATES: ServerState[] = [
  { kind: "disabled" },
  { kind: "not found" },
  { kind: "installing" },
  { kind: "not installed", reason: "no Python was found" },
  { kind: "starting", origin: "PATH" },
  RUNNING,
  { kind: "stopped" },
  { kind: "failed", reason: "no such file" },
];

function running(circumstances: Partial<Circumstances>) {
  return statusAppearance(RUNNING, { ...CALM, ...circumstances });
}

test("every state looks different and says why", () => {
  const texts = STATES.map((state) => statusAppearance(state).text);
  const tooltips = STATES.map((state) => statusAppearance(state).tooltip);
  assert.equal(new Set(texts).size, STATES.length);
  assert.equal(new Set(tooltips).size, STATES.length);
});

test("what is read aloud of it is the reason, and names no icon", () => {
  for (const state of STATES) {
    const appearance = statusAppearance(state);
    assert.equal(spoken(appearance), `fim-lsp: ${appearance.tooltip}`);
    for (const { label, icon } of menuEntries(state, false)) {
      assert.doesNotMatch(label, /\$\(/);
      assert.match(icon, /^[a-z-]+$/);
    }
  }
});

test("only what needs the user's attention is coloured", () => {
  const coloured = STATES.filter((state) => statusAppearance(state).severity !== "normal");
  assert.deepEqual(
    coloured.map((state) => state.kind),
    ["not found", "not installed", "failed"],
  );
});

test("a missing server says how to get it", () => {
  assert.ok(statusAppearance({ kind: "not found" }).tooltip.includes("Click for a menu that installs it"));
});

test("a failure shows its reason", () => {
  assert.ok(statusAppearance({ kind: "failed", reason: "no such file" }).tooltip.includes("no such file"));
});

test("what the server reports is shown with its reason", () => {
  const report = { kind: "Warning", busy: false, message: "line 3 does not parse" } as const;
  assert.deepEqual(running({ report }), {
    text: "$(info) fim-lsp",
    tooltip: "line 3 does not parse",
    severity: "normal",
  });
  const fault = { kind: "Error", busy: false, message: "the model has crashed" } as const;
  assert.equal(running({ report: fault }).severity, "error");
});

test("a report of work turns the circle, and so does a request that takes long", () => {
  const report = { kind: "Normal", busy: true, message: "Loading the model" } as const;
  assert.equal(running({ report }).text, running({ isWaiting: true }).text);
  assert.equal(running({ report }).tooltip, "Loading the model");
});

test("a server that loads its model or has failed says so in every document", () => {
  const document = { kind: "Normal", busy: false, message: "" } as const;
  const loading = { kind: "Normal", busy: true, message: "loading the weights" } as const;
  const failed = { kind: "Error", busy: false, message: "the model has crashed" } as const;
  assert.equal(relevantReport(loading, document), loading);
  assert.equal(relevantReport(failed, document), failed);
  assert.equal(relevantReport({ ...loading, busy: false }, document), document);
  assert.equal(relevantReport(document, undefined), document);
});

test("paused wins over the file's obstacle, and that over what the server says", () => {
  const report = { kind: "Error", busy: true, message: "the model has crashed" } as const;
  assert.ok(running({ isPaused: true, obstacle: "no grammar", report }).tooltip.includes("paused"));
  assert.equal(running({ obstacle: "no grammar", report }).tooltip, "no grammar");
});

function offered(state: ServerState, isPaused = false): string[] {
  return menuEntries(state, isPaused).map(({ command }) => command);
}

test("a running server can be stopped and a stopped one started, not the other way round", () => {
  assert.ok(offered(RUNNING).includes("fim-lsp.stop"));
  assert.ok(!offered(RUNNING).includes("fim-lsp.start"));
  assert.ok(offered({ kind: "stopped" }).includes("fim-lsp.start"));
  assert.ok(!offered({ kind: "stopped" }).includes("fim-lsp.stop"));
});

test("a missing server can be installed from the menu", () => {
  assert.equal(offered({ kind: "not found" })[0], "fim-lsp.createEnvironment");
});

test("paused completions can only be resumed, not asked for", () => {
  assert.ok(offered(RUNNING).includes("fim-lsp.trigger"));
  assert.ok(!offered(RUNNING, true).includes("fim-lsp.trigger"));
});

test("a pause that ends by itself says when", () => {
  const pausedUntil = new Date(2026, 0, 1, 14, 5);
  assert.match(running({ isPaused: true, pausedUntil }).tooltip, /paused in this window until .*05/);
  assert.doesNotMatch(running({ isPaused: true }).tooltip, /until/);
  assert.ok(offered(RUNNING).includes("fim-lsp.snooze"));
});

test("what was said with another model is not so any more, and what completes is told", () => {
  const said = (message: string, model: string | null): Report => ({
    kind: "Normal",
    busy: false,
    message,
    model,
  });
  const stale = said("No completion was ready.", "bundled");
  assert.equal(relevantReport(said("", "/m/coder.gguf"), stale)?.message, "");
  assert.equal(relevantReport(said("", "bundled"), stale), stale);
  assert.equal(relevantReport(said("", null), stale), stale);
  const tooltip = (model: string) =>
    statusAppearance({ kind: "running", origin: "PATH" }, { ...CALM, report: said("", model) }).tooltip;
  assert.match(tooltip("/m/coder.gguf"), /Model: coder\.gguf\.$/);
  assert.match(tooltip("C:\\m\\coder.gguf"), /Model: coder\.gguf\.$/);
  assert.match(tooltip("http://127.0.0.1:8080"), /Model: http:\/\/127\.0\.0\.1:8080\.$/);
  assert.match(tooltip("bundled"), /Model: the bundled model\.$/);
});
