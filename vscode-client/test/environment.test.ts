import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Carried,
  installationSteps,
  interpreters,
  noPython,
  remedy,
  type Step,
  serverWheel,
  suitabilityCheck,
  supportedVersions,
  unsuitability,
} from "../src/environment";

const CARRIED: Carried = {
  archive: "/ext/wheels/wheels.tar.xz",
  names: [
    "fim_lsp-0.1.0-cp310-abi3-manylinux_2_34_x86_64.whl",
    "lark-1.3.1-py3-none-any.whl",
    "pip-26.3-py3-none-any.whl",
    "tree_sitter-0.26.1-cp312-cp312-manylinux2014_x86_64.whl",
    "tree_sitter-0.26.1-cp39-cp39-manylinux2014_x86_64.whl",
  ],
};

function steps(platform: NodeJS.Platform = "linux", folder = "/storage/env", wheel = ""): readonly Step[] {
  return installationSteps(["python3"], folder, CARRIED, wheel, platform);
}

test("an environment is made without pip, which runs from its wheel and asks no index", () => {
  const [creation, unpacking, installation] = steps().map(({ program, args }) =>
    [program, ...args].join(" "),
  );
  assert.equal(creation, "python3 -I -m venv --clear --without-pip /storage/env");
  assert.match(unpacking ?? "", /^\/storage\/env\/bin\/python -I -c import os,/);
  assert.ok(unpacking?.endsWith(" /ext/wheels/wheels.tar.xz /storage/env/wheels"));
  assert.equal(
    installation,
    "/storage/env/bin/python -I /storage/env/wheels/pip-26.3-py3-none-any.whl/pip --isolated install --no-index " +
      "--find-links /storage/env/wheels --no-cache-dir --disable-pip-version-check --no-warn-script-location " +
      "fim-lsp",
  );
  assert.equal(steps("linux", "/storage/env", "/mine.whl")[2]?.args.at(-1), "/mine.whl");
});

test("names are looked for among the carried wheels alone, and no index answers", () => {
  const args = steps()[2]?.args ?? [];
  assert.ok(args.includes("--no-index"));
  assert.ok(args.includes("--isolated"));
  assert.equal(args[args.indexOf("--find-links") + 1], "/storage/env/wheels");
  // By its name: pip takes the wheel for this system's age, which a path would prevent.
  assert.equal(args.at(-1), "fim-lsp");
});

test("on Windows the interpreter is in Scripts", () => {
  const [, , installation] = steps("win32", "C:\\storage\\env");
  assert.equal(installation?.program, "C:\\storage\\env\\Scripts\\python.exe");
});

test("what is carried says which Pythons it is for", () => {
  assert.deepEqual(supportedVersions(CARRIED), ["3.9", "3.12"]);
  assert.equal(serverWheel(CARRIED), CARRIED.names[0]);
  assert.equal(serverWheel({ archive: "/ext", names: [] }), undefined);
});

test("an interpreter that the wheels are not for is passed over with a reason", () => {
  assert.equal(unsuitability("cpython 3.12 True False\n", ["3.12"]), "");
  assert.equal(unsuitability("cpython 3.9 True False\n", ["3.12"]), "it is Python 3.9");
  for (const other of ["pypy 3.12 True False", "cpython 3.12 False False", "cpython 3.12 True True", ""]) {
    assert.notEqual(unsuitability(other, ["3.12"]), "");
  }
});

test("the interpreter that the user named is tried first", () => {
  assert.deepEqual(interpreters("/opt/python", ["3.12"], "linux"), [
    ["/opt/python"],
    ["python3"],
    ["python"],
    ["python3.12"],
  ]);
  assert.deepEqual(interpreters("", [], "win32")[0], ["py", "-3"]);
});

test("the launcher's arguments stay in front of ours", () => {
  assert.deepEqual(suitabilityCheck(["py", "-3"]).args.slice(0, 2), ["-3", "-I"]);
});

test("what went wrong is said as what to do, not as what pip said", () => {
  const [step] = steps();
  assert.ok(step);
  const told = (printed: string) => remedy(step, printed, "/storage/env");
  assert.match(told("OSError: [Errno 28] No space left on device"), /disk is full/);
  assert.match(told("ERROR: No matching distribution found for numpy"), /another kind of machine/);
  assert.match(told("[Errno 13] Permission denied: '/storage'"), /writable/);
  assert.match(told("Traceback (most recent call last):"), /Install again/);
  for (const printed of ["ERROR: No matching distribution found for numpy", "Traceback"]) {
    assert.ok(!told(printed).includes(printed));
  }
  assert.match(noPython(["3.12"]), /^No Python 3\.12 was found/);
  assert.match(noPython(["3.10", "3.14"]), /from 3\.10 to 3\.14 .* apt install python3/);
});
