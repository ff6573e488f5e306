import assert from "node:assert/strict";
import { test } from "node:test";
import { asKept, keyEnvironment, ofKept, placeOf } from "../src/serverKey";

const KNOWN = { key: "hunter2", place: "https://models.example" };

test("a key is for a server, whatever model and path are asked for there", () => {
  assert.equal(placeOf("https://models.example/v1#coder:7b"), "https://models.example");
  assert.equal(placeOf("HTTP://127.0.0.1:8080"), "http://127.0.0.1:8080");
  for (const model of [
    "",
    "bundled",
    "none",
    "bigcode/starcoder2-3b",
    "/models/a.gguf",
    "http://",
    "ftp://a",
  ]) {
    assert.equal(placeOf(model), undefined, model);
  }
});

test("what was kept comes back, and what another program has kept is nothing", () => {
  assert.deepEqual(ofKept(asKept(KNOWN)), KNOWN);
  for (const kept of [undefined, "", "hunter2", "{}", "null", '{"key": 1, "place": "https://a"}']) {
    assert.equal(ofKept(kept), undefined, kept);
  }
});

test("the program that serves is told the key with the server that it is for, or neither", () => {
  assert.deepEqual(keyEnvironment(KNOWN), {
    FIM_LSP_API_KEY: "hunter2",
    FIM_LSP_API_KEY_FOR: "https://models.example",
  });
  assert.deepEqual(keyEnvironment(undefined), {});
});
