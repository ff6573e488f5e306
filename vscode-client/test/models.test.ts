import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bytes,
  choices,
  fetchedAs,
  type Listing,
  modelsCommand,
  offeredModel,
  progressOf,
} from "../src/models";

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
const FILE = { ...NEEDS, n_bytes: 531e6, runtime: "llama" } as const;
const QUICK = { seconds_an_offer: 0.46, has_room: true };
const LISTING: Listing = {
  models: [
    { name: "some/santacoder", path: "/models/santacoder", fim_format: "santacoder", needs: NEEDS },
    { name: "gpt2", path: "/models/gpt2", fim_format: null },
  ],
  files: [
    { name: "Mine", path: "/f/mine.gguf", owner: "Ollama", fim_format: "qwen", needs: FILE, estimate: QUICK },
    { name: "Chat", path: "/f/chat.gguf", owner: "hub", fim_format: null, needs: FILE, estimate: QUICK },
  ],
  published: [
    { name: "coder", title: "Coder 0.5B", path: null, needs: FILE, estimate: QUICK },
    { name: "mine", title: "Mine", path: "/f/mine.gguf", needs: FILE, estimate: QUICK },
  ],
  offered: { path: null, name: "coder" },
  has_torch: true,
  has_llama: true,
};

function acts(listing: Listing, inUse = ""): unknown[] {
  return choices(listing, inUse).flatMap((group) => group.choices.map(({ act }) => act));
}

test("models that can fill in are offered, those on the hub to be fetched", () => {
  assert.deepEqual(acts(LISTING), [
    { use: "" },
    { use: "none" },
    { use: "/f/mine.gguf" },
    { use: "/models/santacoder" },
    { download: "coder", title: "Coder 0.5B" },
    { ask: "address" },
    { ask: "file" },
    { ask: "folder" },
    { ask: "name" },
  ]);
});

test("a server that lists nothing still leaves a choice", () => {
  assert.deepEqual(acts({}), [
    { use: "" },
    { use: "none" },
    { ask: "address" },
    { ask: "file" },
    { ask: "folder" },
    { ask: "name" },
  ]);
});

test("a better model is offered in one sentence, one that is here before one that has to be fetched", () => {
  const there = offeredModel(LISTING);
  assert.equal(
    there?.sentence,
    "fim-lsp completes with its small bundled model; Coder 0.5B is better: 531 MB to fetch, Apache-2.0, about 0.5 s per offer here.",
  );
  assert.deepEqual(there?.act, { download: "coder" });
  const here = offeredModel({ ...LISTING, offered: { path: "/f/mine.gguf", name: null } });
  assert.match(here?.sentence ?? "", /Mine, already on this machine, is better: about 0\.5 s/);
  assert.deepEqual(here?.act, { use: "/f/mine.gguf" });
});

test("nothing is offered that could not be computed here", () => {
  assert.equal(offeredModel({ ...LISTING, has_llama: false }), undefined);
  assert.equal(offeredModel({ ...LISTING, offered: { path: null, name: null } }), undefined);
  assert.equal(offeredModel({}), undefined);
});

test("what was fetched is chosen by its path, a folder by its name", () => {
  const progress = '{"stage": "downloading x", "percent": 100}';
  assert.equal(fetchedAs("coder", `${progress}\n{"name": "coder", "path": "/hub/a.gguf"}\n`), "/hub/a.gguf");
  assert.equal(fetchedAs("some/other", '{"name": "some/other", "path": "/hub/folder"}\n'), "some/other");
  assert.equal(fetchedAs("coder", "nothing that is understood"), "coder");
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
  const other = choices({ ...LISTING, has_llama: false }, "")
    .flatMap((group) => group.choices)
    .find(({ label }) => label === "Coder 0.5B");
  assert.equal(other?.description, "531 MB to fetch, about 0.5 s per offer here");
  assert.match(other?.detail ?? "", /needs llama\.cpp, which is not installed with the server$/);
  assert.equal(bytes(11_252_392), "11 MB");
});

test("progress is read from the lines of a download", () => {
  assert.equal(progressOf('{"stage": "downloading x", "percent": 41}'), 41);
  assert.equal(progressOf('{"name": "x", "path": "/x"}'), undefined);
  assert.equal(progressOf("Warning: something"), undefined);
});
