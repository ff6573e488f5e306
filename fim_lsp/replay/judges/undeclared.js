// Which names of some modules are declared nowhere, by TypeScript's own checker: for a list of texts in JSON one line
// with a list for each, in the order of the text: a name, and where it begins in UTF-16. answers.js has the protocol.
// What they import is not looked up.
//
//     node undeclared.js FOLDER-OF-TYPESCRIPT EXTENSION
"use strict";

const ts = require(process.argv[2]);
const { answer } = require("./answers.js");
const extension = process.argv[3];
// "Cannot find name" and "namespace", with hints of several kinds, "No value exists in scope", and a type where a value is
// wanted.
const CODES = new Set([2304, 2503, 2833, 2552, 2580, 2581, 2582, 2583, 2584, 2591, 2592, 2593, 2662, 2663, 18004, 2693]);
const options = {
  allowJs: true,
  checkJs: true,
  noResolve: true,
  noEmit: true,
  jsx: ts.JsxEmit.Preserve,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  types: [],
};
const host = ts.createCompilerHost(options);
const kept = new Map();
const own = host.getSourceFile.bind(host);
let texts = new Map();

host.getSourceFile = (name, version) => {
  if (texts.has(name)) return ts.createSourceFile(name, texts.get(name), version, true);
  if (!kept.has(name)) kept.set(name, own(name, version));
  return kept.get(name);
};

answer((given) => {
  texts = new Map(JSON.parse(given).map((text, index) => [`text${index}${extension}`, text]));
  const program = ts.createProgram([...texts.keys()], options, host);
  const names = [...texts].map(([name, text]) => {
    const faults = program.getSemanticDiagnostics(program.getSourceFile(name));
    // The same is said of a module of Node.js without types, `require('path')`, which is a text.
    const found = faults.filter((fault) => CODES.has(fault.code) && !/["'`]/.test(text[fault.start]));
    found.sort((one, other) => one.start - other.start);
    return found.map((fault) => [text.slice(fault.start, fault.start + fault.length), fault.start]);
  });
  return JSON.stringify(names);
});
