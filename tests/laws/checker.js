// The judge of TypeScript's early errors: the errors of its checker in a single file that need no types. It
// answers one line for each text, empty or LINE, a tab, the error's number and its words; answers.js has the
// protocol.
//
// Texts without an error are checked again by acorn, without their types.
//
//     node checker.js FOLDER-OF-TYPESCRIPT FILE-NAME FOLDER-OF-ANSWERS FOLDER-OF-ACORN
"use strict";

const { answer } = require(`${process.argv[4]}/answers.js`);
const ts = require(process.argv[2]);
const fileName = process.argv[3];
const acorn = require(process.argv[5]);

// Names that are declared twice; labels and jumps; private names; `super`, `new.target`; strict code;
// parameters; members of classes; exports; regular expressions.
const EARLY = new Set([
  2300, 2451, 2393, 2392, 2395, 2652, 2480, 2481, 2492, 2528, 2484, 2567, 1114, 1107, 1115, 1116, 1104, 1105, 18016, 18012, 18011, 2813, 2814, 2336,
  2337, 2338, 2660, 1100, 1101, 1102, 1121, 1487, 1488, 1489, 1210, 1211, 1212, 1213, 1214, 1215, 1262, 1344, 1346, 1347, 1341,
  1368, 1089, 18006, 2699, 2523, 2524, 2815, 2552, 2304, 2661, 1108, 18037, 18010, 18009, 1359,
  1231, 1232, 1233, 1234, 1235, 1258,
]);
const isEarly = (code) => EARLY.has(code) || (code >= 1499 && code <= 1538);
// Unknown members count if they are private, and duplicate members if they are `__proto__`.
const isMember = (one) =>
  (one.code === 2339 && String(one.messageText.messageText ?? one.messageText).includes("'#")) ||
  (one.code === 1117 && one.file.text.slice(one.start, one.start + one.length).includes("__proto__"));
// Two errors are TypeScript's own: `new.target` in a method, and `super` without a call in a class that
// inherits nothing.
const rest = (one) => one.file.text.slice(one.start, one.start + 40);
function isOutOfPlace(one) {
  // An `export` in a block.
  if (one.code === 1184) return /^export\b/.test(rest(one));
  if (one.code === 2335) return /^super\s*\(/.test(rest(one));
  if (one.code !== 17013) return false;
  for (let node = tokenAt(one.file, one.start); node; node = node.parent) {
    if (ts.isMethodDeclaration(node) || ts.isAccessor(node) || ts.isPropertyDeclaration(node)) return false;
    if (ts.isClassStaticBlockDeclaration(node)) return false;
  }
  return true;
}
// An undeclared name counts only in an export.
const MISSING = new Set([2304, 2552]);

const options = {
  noLib: true, noResolve: true, types: [], target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext,
  jsx: ts.JsxEmit.Preserve, strict: false, alwaysStrict: false, experimentalDecorators: true, ignoreDeprecations: "6.0",
};

function tokenAt(source, start) {
  let node = source;
  for (;;) {
    let inner;
    ts.forEachChild(node, (child) => {
      if (child.getStart(source) <= start && start < child.end) inner = child;
    });
    if (!inner) return node;
    node = inner;
  }
}

function isExported(source, start) {
  const node = tokenAt(source, start);
  const isOwn = node.parent !== undefined && ts.isExportSpecifier(node.parent);
  return isOwn && node.parent.parent.parent.parent === source;
}

const DECLARED = /^(?:Unexpected token|Export '.*' is not defined)/;

// The verdict of acorn on the text without its types, as a module and as a script.
function withoutTypes(text) {
  const compilerOptions = { ...options, noLib: false, noResolve: false, target: ts.ScriptTarget.ES2022, jsx: ts.JsxEmit.React };
  const { outputText } = ts.transpileModule(text, { fileName, compilerOptions });
  const said = ["module", "script"].map((sourceType) => {
    try {
      acorn.parse(outputText, { ecmaVersion: "latest", sourceType });
      return "";
    } catch (error) {
      return error.message;
    }
  });
  // A constant may lack a value in declarations, and an export may be declared only; TypeScript has checked
  // both.
  return said.includes("") || DECLARED.test(said[0]) ? "" : `1\tacorn: ${said[0]}`;
}

answer((text) => {
  const source = ts.createSourceFile(fileName, text, ts.ScriptTarget.ESNext, true);
  if (source.parseDiagnostics.length > 0) return "1\tno parse";
  const host = ts.createCompilerHost(options);
  host.getSourceFile = (name) => (name === fileName ? source : undefined);
  host.fileExists = (name) => name === fileName;
  const program = ts.createProgram([fileName], options, host);
  const said = [...program.getSemanticDiagnostics(source)].filter(
    (one) =>
      (isEarly(one.code) || isMember(one) || isOutOfPlace(one)) && (!MISSING.has(one.code) || isExported(source, one.start)) &&
      !ts.flattenDiagnosticMessageText(one.messageText, "; ").includes("'Promise'"),
  );
  const words = (one) => `TS${one.code} ${ts.flattenDiagnosticMessageText(one.messageText, "; ")}`;
  if (said.length === 0) return withoutTypes(text);
  const line = source.getLineAndCharacterOfPosition(said[0].start).line + 1;
  return `${line}\t${said.map(words).join(" | ")}`;
});
