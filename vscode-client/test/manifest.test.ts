import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { SERVER_SETTINGS } from "../src/serverSettings";
import { menuEntries } from "../src/status";

/** npm runs scripts in the folder of package.json. */
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const source = readFileSync("src/extension.ts", "utf8");

/** Commands of the server, which vscode-languageclient registers under the same names. */
const SERVERS = ["fim-lsp.clearCache", "fim-lsp.forgetAcceptance"];

test("every command in the manifest is registered", () => {
  for (const { command } of manifest.contributes.commands) {
    assert.ok(SERVERS.includes(command) || source.includes(`registerCommand("${command}"`), command);
  }
});

test("every command in the menu is registered", () => {
  for (const kind of [
    "running",
    "starting",
    "installing",
    "disabled",
    "not installed",
    "not found",
    "stopped",
  ] as const) {
    for (const { command } of menuEntries({ kind, origin: "PATH", reason: "" }, false)) {
      assert.ok(source.includes(`registerCommand("${command}"`), command);
    }
  }
});

/** The settings of all pages of the settings editor. */
const settings: Record<string, Record<string, unknown>> = Object.assign(
  {},
  ...manifest.contributes.configuration.map(({ properties }: { properties: object }) => properties),
);

test("every setting has a description and a default", () => {
  for (const [name, setting] of Object.entries(settings)) {
    assert.ok(setting.description ?? setting.markdownDescription, name);
    assert.ok("default" in setting, name);
  }
});

test("what decides about a completion can be set for a language", () => {
  const [completions, model] = manifest.contributes.configuration;
  for (const [name, { scope }] of Object.entries<{ scope: string }>({
    ...completions.properties,
    ...model.properties,
  })) {
    assert.equal(scope, "language-overridable", name);
  }
});

test("what the README says about settings is so", () => {
  const rows = readFileSync("README.md", "utf8").matchAll(/^\| `(fim-lsp\.[\w.]+)` \| (\S+) \|/gm);
  const told = Array.from(rows, ([, name, value]) => [name, value] as const);
  assert.ok(told.length > 5);
  for (const [name, value] of told) {
    const setting = settings[String(name)];
    assert.ok(setting, name);
    const shown =
      setting.default === "" ? "empty" : `\`${Array.isArray(setting.default) ? "[]" : setting.default}\``;
    assert.equal(value, shown, name);
  }
});

const restricted: string[] = manifest.capabilities.untrustedWorkspaces.restrictedConfigurations;

test("a workspace that is not trusted chooses no program and no model", () => {
  for (const name of ["python", "command", "serverArguments", "installFrom", "installWith", "model"]) {
    assert.ok(restricted.includes(`fim-lsp.${name}`), name);
  }
});

test("a workspace that is not trusted widens nothing that is read or sent, and no limit", () => {
  // Two of the extension's own settings are harmless; the server's settings declare it themselves.
  const harmless = ["closePartialAccepts", "trace.server"];
  const servers = [...SERVER_SETTINGS, "debounce"].map((name) => `fim-lsp.${name}`);
  const own = Object.keys(settings).filter((name) => !servers.includes(name));
  assert.deepEqual(
    own.map((name) => name.replace("fim-lsp.", "")).sort(),
    [...harmless, "command", "installFrom", "installWith", "modelHub", "python", "serverArguments"].sort(),
  );
  for (const name of own) {
    assert.equal(restricted.includes(name), !harmless.includes(name.replace("fim-lsp.", "")), name);
  }
  for (const name of ["types", "memory", "context", "diskCache", "exclude", "inComments", "readAhead"]) {
    assert.ok(restricted.includes(`fim-lsp.${name}`), name);
  }
  for (const name of Object.keys(settings).filter((name) => /\.max[A-Z]/.test(name))) {
    assert.ok(restricted.includes(name), name);
  }
});

test("every key is bound to a command of ours or to one of the editor's own", () => {
  const own = manifest.contributes.commands.map(({ command }: { command: string }) => command);
  for (const { command } of manifest.contributes.keybindings) {
    assert.ok(own.includes(command) || command.startsWith("editor.action.inlineSuggest."), command);
  }
});

test("every step of the walkthrough has its page, and its links are commands of ours", () => {
  const own = manifest.contributes.commands.map(({ command }: { command: string }) => command);
  for (const { description, media } of manifest.contributes.walkthroughs[0].steps) {
    assert.ok(readFileSync(media.markdown, "utf8").length > 0);
    for (const [, command] of description.matchAll(/\(command:([^)]+)\)/g)) {
      assert.ok(own.includes(command), command);
    }
  }
});

test("it runs where the workspace is, on this machine or a remote one", () => {
  assert.deepEqual(manifest.extensionKind, ["workspace"]);
});

test("no proposed interface of VS Code is used: a published extension may not", () => {
  assert.equal(manifest.enabledApiProposals, undefined);
});

test("settings have an order of their own, and what bounds the server stands apart", () => {
  for (const { properties } of manifest.contributes.configuration) {
    const orders = Object.values<{ order: number }>(properties).map(({ order }) => order);
    assert.deepEqual(
      orders,
      orders.map((_, index) => index + 1),
    );
  }
  const limits = manifest.contributes.configuration.at(-1).properties;
  for (const name of Object.keys(settings)) {
    const isBound = /\.(readAhead|max(?!Lines|Tokens))/.test(name);
    assert.equal(name in limits, isBound, name);
  }
});
