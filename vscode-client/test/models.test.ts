import assert from "node:assert/strict";
import { test } from "node:test";
import { bytes, choices, type Listing, modelsCommand, progressOf } from "../src/models";

test("models are listed by the program that serves", () => {
  const origin = "PATH" as const;
  const cwd = "/extension";
  assert.deepEqual(
    modelsCommand({ program: "/bin/fim-lsp", args: ["serve", "--log-level", "info"], cwd, origin }),
    ["/bin/fim-lsp", ["models", "--json"]],
  );
  assert.deepEqual(
    modelsCommand({ program: "python", args: ["-m", "fim_lsp", "serve"], cwd, origin }, "--try", "x"),
    ["python", ["-m", "fim_lsp", "models", "--json", "--try", "x"]],
  );
});

test("a command of the user's own that does not say serve lists nothing", () => {
  assert.equal(
    modelsCommand({ program: "my-server", args: [], cwd: "/", origin: "setting command" }),
    undefined,
  );
});

const NEEDS = { n_bytes: 988e6, memory: 1788e6, runtime: "torch", licence: "Apache-2.0" } as const;
const LISTING: Listing = {
  models: [
    { name: "some/santacoder", path: "/models/santacoder", fim_format: "santacoder", needs: NEEDS },
    { name: "gpt2", path: "/models/gpt2", fim_format: null },
  ],
  published: [
    { name: "some/santacoder", is_here: true, needs: NEEDS },
    { name: "some/other", is_here: false, needs: NEEDS },
  ],
  has_torch: true,
};

function acts(listing: Listing, inUse = ""): unknown[] {
  return choices(listing, inUse).flatMap((group) => group.choices.map(({ act }) => act));
}

test("models that can fill in are offered, those on the hub to be fetched", () => {
  assert.deepEqual(acts(LISTING), [
    { use: "" },
    { use: "none" },
    { use: "/models/santacoder" },
    { ask: "address" },
    { download: "some/other" },
    { ask: "name" },
    { ask: "file" },
    { ask: "folder" },
  ]);
});

test("a server that lists nothing still leaves a choice", () => {
  assert.deepEqual(acts({}), [
    { use: "" },
    { use: "none" },
    { ask: "address" },
    { ask: "name" },
    { ask: "file" },
    { ask: "folder" },
  ]);
});

test("exactly one entry is in use", () => {
  const address = "http://127.0.0.1:8080";
  for (const inUse of [
    "",
    "bundled",
    "none",
    "/models/santacoder",
    "some/santacoder",
    "/elsewhere",
    address,
  ]) {
    const marked = choices(LISTING, inUse)
      .flatMap((group) => group.choices)
      .filter(({ description }) => description === "in use");
    assert.equal(marked.length, 1, inUse);
  }
  const served = choices(LISTING, address).flatMap((group) => group.choices);
  assert.equal(served[0]?.label, address);
});

test("each says what it needs", () => {
  const all = choices(LISTING, "").flatMap((group) => group.choices);
  const found = all.find(({ label }) => label === "some/santacoder");
  assert.equal(found?.detail, "988 MB on disk, about 1.8 GB of memory, PyTorch, Apache-2.0");
  const other = choices({ ...LISTING, has_torch: false }, "")
    .flatMap((group) => group.choices)
    .find(({ label }) => label === "some/other");
  assert.match(other?.detail ?? "", /needs PyTorch, which this server has not$/);
  assert.equal(bytes(11_252_392), "11 MB");
});

test("progress is read from the lines of a download", () => {
  assert.equal(progressOf('{"stage": "downloading x", "percent": 41}'), 41);
  assert.equal(progressOf('{"name": "x", "path": "/x"}'), undefined);
  assert.equal(progressOf("Warning: something"), undefined);
});
