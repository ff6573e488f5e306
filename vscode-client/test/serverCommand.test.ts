import assert from "node:assert/strict";
import { test } from "node:test";
import { type Surroundings, serverCommand } from "../src/serverCommand";

const NOTHING: Surroundings = {
  command: [],
  python: "",
  serverArguments: [],
  selectedPython: "",
  workspaceFolders: [],
  ownFolder: "/extension",
  ownEnvironment: "/storage/environment",
  searchPath: [],
  platform: "linux",
  isFile: () => false,
};

const START =
  "import sys; sys.path[:] = filter(None, sys.path); from fim_lsp.cli import main; sys.exit(main())";

function check(given: Partial<Surroundings>, files: string[], expected: string | undefined): void {
  const found = serverCommand({ ...NOTHING, ...given, isFile: (file) => files.includes(file) });
  assert.equal(found && [found.program, ...found.args].join(" "), expected);
}

test("nothing installed: no command", () => {
  check({ workspaceFolders: ["/work"], searchPath: ["/usr/bin"] }, [], undefined);
});

test("the command setting wins over everything and gets the server's arguments", () => {
  const given = {
    command: ["uvx", "fim-lsp", "serve"],
    python: "/p",
    serverArguments: ["--log-level", "info"],
  };
  check(given, [], "uvx fim-lsp serve --log-level info");
});

test("the python setting runs the module, with the workspace folder filled in", () => {
  const given = { python: "${workspaceFolder}/env/bin/python", workspaceFolders: ["/work"] };
  check(given, [], `/work/env/bin/python -c ${START} serve`);
});

test("a folder with dollar signs in its name is filled in as it is", () => {
  const given = { python: "${workspaceFolder}/python", workspaceFolders: ["/cash$&"] };
  check(given, [], `/cash$&/python -c ${START} serve`);
});

test("the workspace's environment goes before PATH", () => {
  const given = { workspaceFolders: ["/a", "/b"], searchPath: ["/usr/bin"] };
  check(given, ["/usr/bin/fim-lsp", "/b/venv/bin/fim-lsp"], "/b/venv/bin/fim-lsp serve");
});

test("the interpreter that the Python extension has selected goes before the workspace's environment", () => {
  const given = { selectedPython: "/conda/bin/python3", workspaceFolders: ["/a"] };
  check(given, ["/conda/bin/fim-lsp", "/a/.venv/bin/fim-lsp"], "/conda/bin/fim-lsp serve");
});

test("a selected interpreter without fim-lsp does not count", () => {
  const given = { selectedPython: "/usr/bin/python3", workspaceFolders: ["/a"] };
  check(given, ["/a/.venv/bin/fim-lsp"], "/a/.venv/bin/fim-lsp serve");
});

test("the extension's own environment comes after the workspace's and before PATH", () => {
  const own = "/storage/environment/bin/fim-lsp";
  check({ searchPath: ["/usr/bin"] }, [own, "/usr/bin/fim-lsp"], `${own} serve`);
  check({ workspaceFolders: ["/a"] }, [own, "/a/venv/bin/fim-lsp"], "/a/venv/bin/fim-lsp serve");
});

test("PATH is searched in order", () => {
  check({ searchPath: ["/x", "/y", "/z"] }, ["/z/fim-lsp", "/y/fim-lsp"], "/y/fim-lsp serve");
});

test("Windows has Scripts, .exe and backslashes", () => {
  const given = { platform: "win32" as const, workspaceFolders: ["C:\\work"] };
  check(given, ["C:\\work\\.venv\\Scripts\\fim-lsp.exe"], "C:\\work\\.venv\\Scripts\\fim-lsp.exe serve");
});

test("no folder of the workspace is ever the one that the server runs in", () => {
  const isFile = (file: string) => file.endsWith("/fim-lsp");
  const ways: Partial<Surroundings>[] = [
    { command: ["fim-lsp"] },
    { python: "/python" },
    { selectedPython: "/conda/bin/python3" },
    { workspaceFolders: ["/work"] },
    { searchPath: ["/usr/bin"] },
  ];
  const folders = ways.map(
    (way) => serverCommand({ ...NOTHING, workspaceFolders: ["/work"], ...way, isFile })?.cwd,
  );
  assert.deepEqual(new Set(folders), new Set(["/extension"]));
});
