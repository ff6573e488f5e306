import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { t } from "../src/l10n";

/** npm runs scripts in the folder of package.json. */
const json = (file: string): Record<string, string> => JSON.parse(readFileSync(file, "utf8"));
const manifest = readFileSync("package.json", "utf8");
const english = json("package.nls.json");
const languages = readdirSync("l10n").map((name) => /^bundle\.l10n\.(.+)\.json$/.exec(name)?.[1] ?? name);

/** The texts in the sources, which are literals. */
const said = new Set(
  readdirSync("src").flatMap((name) =>
    Array.from(
      readFileSync(`src/${name}`, "utf8").matchAll(/\bt\(\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/g),
      ([, literal = ""]) => literal.slice(1, -1).replace(/\\(.)/g, "$1"),
    ),
  ),
);
const values = (text: string) =>
  Array.from(text.matchAll(/\{\d\}|`[^`]*`|\(command:[^)]+\)/g), String).sort();

test("German is one of the languages", () => {
  assert.deepEqual(languages, ["de"]);
});

test("every text of the manifest is a key, and every key is used", () => {
  const used = new Set(Array.from(manifest.matchAll(/"%([^%"]+)%"/g), ([, key]) => key));
  assert.deepEqual([...used].sort(), Object.keys(english).sort());
  for (const [, text] of manifest.matchAll(/"(?:title|description|markdownDescription)": "([^"]*)"/g)) {
    assert.match(text ?? "", /^%.+%$/);
  }
});

for (const language of languages) {
  test(`${language}: the manifest is whole, with the same commands and code`, () => {
    const translated = json(`package.nls.${language}.json`);
    assert.deepEqual(Object.keys(translated), Object.keys(english));
    for (const [key, text] of Object.entries(english)) {
      const own = String(translated[key]);
      const home = (found: string[]) => found.map((one) => one.replace(/\/home\/\w+/, "/home"));
      assert.deepEqual(home(values(own)), home(values(text)), key);
      const isShared = ["Server", "Model"].includes(text);
      assert.ok(isShared || own !== text, key);
    }
  });

  test(`${language}: every text that is said is there, none that is not said, with the same values`, () => {
    const bundle = json(`l10n/bundle.l10n.${language}.json`);
    assert.deepEqual(Object.keys(bundle).sort(), [...said].sort());
    for (const [text, translated] of Object.entries(bundle)) {
      assert.deepEqual(values(translated), values(text), text);
    }
  });
}

test("without a translation it is English, with its values", () => {
  assert.equal(t("{1} before {0}", "a", 2), "2 before a");
});
