import assert from "node:assert/strict";
import { test } from "node:test";
import { listingCommand, modelEntries } from "../src/models";

test("models are listed by the program that serves", () => {
  const origin = "PATH" as const;
  const cwd = "/extension";
  assert.deepEqual(
    listingCommand({ program: "/bin/fim-lsp", args: ["serve", "--log-level", "info"], cwd, origin }),
    ["/bin/fim-lsp", ["models", "--json"]],
  );
  assert.deepEqual(listingCommand({ program: "python", args: ["-m", "fim_lsp", "serve"], cwd, origin }), [
    "python",
    ["-m", "fim_lsp", "models", "--json"],
  ]);
});

test("a command of the user's own that does not say serve lists nothing", () => {
  assert.equal(
    listingCommand({ program: "my-server", args: [], cwd: "/", origin: "setting command" }),
    undefined,
  );
});

test("only models that can fill in are offered, after the bundled one and none", () => {
  const listing = JSON.stringify({
    models: [
      { name: "santacoder", path: "/models/santacoder", fim_format: "santacoder" },
      { name: "gpt2", path: "/models/gpt2", fim_format: null },
    ],
  });
  const models = modelEntries(listing).map(({ model }) => model);
  assert.deepEqual(models, ["", "none", "/models/santacoder"]);
});
