import assert from "node:assert/strict";
import { test } from "node:test";
import { installationSteps, interpreters, suitabilityCheck } from "../src/environment";

function commands(isThere: boolean, platform: NodeJS.Platform, environment: string): string[] {
  const steps = installationSteps(["python3"], environment, isThere, "fim-lsp[model]", platform);
  return steps.map(({ program, args }) => [program, ...args].join(" "));
}

test("a new environment is made and then installed into, with its own interpreter", () => {
  assert.deepEqual(commands(false, "linux", "/work/.venv"), [
    "python3 -m venv /work/.venv",
    "/work/.venv/bin/python -m pip install --disable-pip-version-check --upgrade fim-lsp[model]",
  ]);
});

test("an environment that is there already is not made again", () => {
  const [only, ...more] = commands(true, "linux", "/work/.venv");
  assert.ok(only?.includes("pip install"));
  assert.deepEqual(more, []);
});

test("on Windows the interpreter is in Scripts", () => {
  assert.ok(
    commands(true, "win32", "C:\\work\\.venv")[0]?.startsWith("C:\\work\\.venv\\Scripts\\python.exe "),
  );
});

test("the interpreter that the user named is tried first", () => {
  assert.deepEqual(interpreters("/opt/python", "linux")[0], ["/opt/python"]);
  assert.deepEqual(interpreters("", "linux")[0], ["python3"]);
  assert.deepEqual(interpreters("", "win32")[0], ["py", "-3"]);
});

test("the launcher's arguments stay in front of ours", () => {
  assert.deepEqual(suitabilityCheck(["py", "-3"]).args.slice(0, 2), ["-3", "-c"]);
});
