import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { menuCommands } from "../src/status";

/** npm runs scripts in the folder of package.json. */
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const source = readFileSync("src/extension.ts", "utf8");

test("every command in the manifest is registered", () => {
  for (const { command } of manifest.contributes.commands) {
    assert.ok(source.includes(`registerCommand("${command}"`), command);
  }
});

test("every command in the menu is registered", () => {
  for (const kind of ["running", "disabled", "stopped"] as const) {
    for (const { command } of menuCommands({ kind, origin: "PATH" })) {
      assert.ok(source.includes(`registerCommand("${command}"`), command);
    }
  }
});

test("every setting has a description and a default", () => {
  for (const [name, setting] of Object.entries<Record<string, unknown>>(
    manifest.contributes.configuration.properties,
  )) {
    assert.ok(setting.description ?? setting.markdownDescription, name);
    assert.ok("default" in setting, name);
  }
});

test("no proposed interface of VS Code is used: a published extension may not", () => {
  assert.equal(manifest.enabledApiProposals, undefined);
});
