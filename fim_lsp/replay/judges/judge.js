// The judge of JavaScript: does a text parse, as a module or as what Node wraps into a function, by acorn and by V8's
// own parser? The answer is an empty line, or the first fault as LINE, a tab, and what is wrong; answers.js has the
// protocol. Where the two parsers differ, it is said which one finds a fault alone.
// What the specification calls an early error, and what is in no grammar of its symbols, is said as `early error:`;
// acorn is made to read on behind such an error, so that a fault of syntax behind it is found as well.
//
// With JSX, acorn judges alone: V8 does not know it, but where there is none and V8 takes a text, acorn differs. Where it stops at a `<`, nothing is said: it guesses from the
// symbols in front whether an element may begin, and sometimes wrongly, as behind `await`. Nor does it know `{...a}`
// between tags, which the specification has, nor that `let` is a name in front of a keyword in the next line, nor that
// `of` is one at the begin of a line: a slash behind it divides.
//
//     node --experimental-vm-modules judge.js FOLDER-OF-ACORN [FOLDER-OF-ACORN-JSX]
"use strict";

const vm = require("node:vm");
const { answer } = require("./answers.js");
const acorn = require(process.argv[2]);
const hasJsx = process.argv.length > 3;
const Parser = hasJsx ? acorn.Parser.extend(require(process.argv[3])()) : acorn.Parser;

// Errors that neither a grammar nor its symbols can know.
const EARLY_TO_V8 = /strict mode|^Private field '.*' must be declared/;
const EARLY = new RegExp(
  "^(" +
    [
      // What names and labels there are.
      "Identifier '.*' has already been declared",
      "Argument name clash",
      "Private fields can not be deleted",
      "Export '.*' is not defined",
      "Duplicate export",
      "Duplicate attribute key",
      "Duplicate constructor",
      "Label '.*' is already declared",
      "Redefinition of __proto__",
      "An export name cannot include a lone surrogate",
      // How some names may be used.
      "Constructor can't (be|have)",
      "Classes (may not|can't) have",
      "'super' keyword outside",
      "super\\(\\) call outside",
      "Invalid use of 'super'",
      "'new\\.target' can only be used",
      "Cannot use 'import\\.meta' outside",
      "Cannot use 'arguments' in class field",
      "Cannot use arguments in class static",
      // Strict code.
      "(Assigning to|Binding) .* in strict mode",
      "Deleting local variable in strict mode",
      "'with' in strict mode",
      "The keyword '(implements|interface|let|package|private|protected|public|static|yield|await)' is reserved",
      "Octal literal in strict mode",
      "Invalid escape sequence",
      "Illegal 'use strict' directive",
      // What is inside of symbols.
      "Invalid regular expression",
      "Duplicate regular expression flag",
      "Invalid Unicode escape",
      // What an element begins and ends with.
      "Expected corresponding JSX closing tag",
    ].join("|") +
    ")",
);
const LEAVING = /^(break|continue)(?:(?:[^\S\r\n\u2028\u2029]|\/\*[^\r\n\u2028\u2029]*?\*\/)*([\p{ID_Start}$_\\]))?/u;
// Modules have none, but are read here as if they had.
const OLD_COMMENTS = "comments as in HTML";
const GUESSED = "what acorn does not read";
const DISPUTED = "a comment of HTML directly behind the first sign of a tag";

const NO_PATTERN = new Error("a regular expression that is none");

class Reader extends Parser {
  constructor(options, input, start) {
    super(options, input, start);
    this.early = "";
    this.isInPattern = false;
  }

  raise(position, message) {
    const isOctal = message === "Invalid number" && this.strict && /^0[0-9]/.test(this.input.slice(position));
    const isLabelled = message.startsWith("Unsyntactic") && this.mayHaveLabel(position);
    if (!isOctal && !isLabelled && !EARLY.test(message)) super.raise(position, message);
    this.note(message);
    if (this.isInPattern) throw NO_PATTERN;
  }

  // Behind an error that is not thrown, acorn's look at `/[\p{a]/u` would never end.
  validateRegExpPattern(state) {
    this.isInPattern = true;
    try {
      super.validateRegExpPattern(state);
    } catch (error) {
      if (error !== NO_PATTERN) throw error;
    }
    this.isInPattern = false;
  }

  // What a `break` with a label leaves, and a `continue` in a loop or a switch, only labels and other kinds around say.
  mayHaveLabel(position) {
    const [, word, label] = LEAVING.exec(this.input.slice(position));
    return word === "break" ? label !== undefined : this.labels.some(({ kind }) => kind !== null);
  }

  raiseRecoverable(position, message) {
    this.raise(position, message);
  }

  // The plugin hands on less than it is given: whether a head of `for` or the operand of `new` is read.
  parseExprAtom(...given) {
    const isJsx = this.type.label.startsWith("jsx");
    return isJsx ? super.parseExprAtom(...given) : acorn.Parser.prototype.parseExprAtom.apply(this, given);
  }

  // Two things that strict code has not, and other code has.
  parseStatement(context, ...others) {
    const isPart = (context === "if" || context === "label") && this.type.keyword === "function";
    if (!isPart || !this.strict) return super.parseStatement(context, ...others);
    this.note("a function as a part in strict mode");
    this.strict = false;
    const found = super.parseStatement(context, ...others);
    this.strict = true;
    return found;
  }

  parseForIn(loop, head) {
    const [first] = head.type === "VariableDeclaration" && head.kind === "var" ? head.declarations : [];
    if (!first?.init || !this.strict) return super.parseForIn(loop, head);
    this.note("a value in the head of for-in in strict mode");
    this.strict = false;
    const found = super.parseForIn(loop, head);
    this.strict = true;
    return found;
  }

  // Babel reads one there, too; esbuild and TypeScript take the longest symbol, which is `<<`.
  skipLineComment(length) {
    if (length === 4 && this.type.label === "jsxTagStart" && this.end === this.pos) this.note(DISPUTED);
    super.skipLineComment(length);
  }

  // Acorn looks for these in scripts alone.
  readToken_lt_gt(code) {
    if (!this.inModule || !this.input.startsWith("<!--", this.pos)) return super.readToken_lt_gt(code);
    return this.readBehindOldComment(4);
  }

  readToken_plus_min(code) {
    const isAtBegin = this.lastTokEnd === 0 || acorn.lineBreak.test(this.input.slice(this.lastTokEnd, this.pos));
    if (!this.inModule || !isAtBegin || !this.input.startsWith("-->", this.pos)) return super.readToken_plus_min(code);
    return this.readBehindOldComment(3);
  }

  readBehindOldComment(length) {
    this.note(OLD_COMMENTS);
    this.skipLineComment(length);
    this.skipSpace();
    return this.nextToken();
  }

  note(message) {
    if (this.early === "") this.early = message;
  }
}

// `message` is null for a text that the parser takes, and `isEarly` says that it only finds an early error.
function acornFault(text, sourceType) {
  const options = { ecmaVersion: 2025, sourceType, allowHashBang: true, checkPrivateFields: false };
  const reader = new Reader(options, text);
  try {
    reader.parse();
  } catch (error) {
    const isOurs = error instanceof SyntaxError && error.loc !== undefined;
    if (hasJsx && isOurs && isGuessed(text, error.pos)) return { line: 0, message: GUESSED, isEarly: true };
    if (!isOurs) return { line: 0, message: `beyond the host's stack: ${error.message}`, isEarly: true };
    return { line: error.loc.line, message: error.message, isEarly: false };
  }
  return { line: 0, message: reader.early || null, isEarly: true };
}

// White space and comments between two symbols.
const COMMENT = String.raw`\/\*(?:[^*]|\*(?!\/))*\*\/`;
const GAP = String.raw`(?:\s|${COMMENT}|\/\/.*\n)*`;
// A keyword in the line behind `let`, which declares nothing there.
const BEHIND_LET = new RegExp(String.raw`\blet${GAP}[\r\n\u2028\u2029](?:\s|${COMMENT})*$`);
const BEHIND_OF = new RegExp(String.raw`\bof${GAP}$`);
const BEHIND_BRACE = new RegExp(String.raw`\{${GAP}$`);
// Where a statement begins with `import`, acorn looks for a bracket or a dot behind comments, but not behind those as in HTML.
const BEHIND_IMPORT = new RegExp(String.raw`\bimport${GAP}<!--.*${GAP}`, "g");

function isGuessed(text, position) {
  if (text[position] === "<") return true;
  const imports = [...text.matchAll(BEHIND_IMPORT)];
  if (imports.some(({ 0: found, index }) => position === index || position === index + found.length)) return true;
  const slash = text[position] === "/" ? position : position - 1;
  if (text[slash] === "/" && BEHIND_OF.test(text.slice(0, slash))) return true;
  if (/[a-z]/.test(text[position] ?? "") && BEHIND_LET.test(text.slice(0, position))) return true;
  return text.startsWith("...", position) && BEHIND_BRACE.test(text.slice(0, position));
}

function v8Fault(text, sourceType) {
  try {
    if (sourceType === "module") new vm.SourceTextModule(text);
    else vm.compileFunction(text, ["exports", "require", "module", "__filename", "__dirname"]);
  } catch (error) {
    return error.message;
  }
  return null;
}

// What has no JSX after all.
function isTakenByV8({ message }, text, sourceType) {
  return message !== null && v8Fault(text, sourceType) === null;
}

function verdict(text) {
  const found = ["commonjs", "module"].map((sourceType) => {
    const acorn = acornFault(text, sourceType);
    return { acorn, v8: hasJsx && !isTakenByV8(acorn, text, sourceType) ? acorn.message : v8Fault(text, sourceType) };
  });
  if (found.some(({ acorn, v8 }) => acorn.message === null && v8 === null)) return "";
  const open = found.find(({ acorn, v8 }) => acorn.isEarly || v8 === null || EARLY_TO_V8.test(v8));
  if (open === undefined) {
    // The goal that comes farther says more.
    const { line, message } = found.map(({ acorn }) => acorn).sort((one, other) => other.line - one.line)[0];
    return `${line}\t${message}`;
  }
  if (open.v8 !== null && EARLY_TO_V8.test(open.v8)) return `0\tearly error: ${open.v8}`;
  if (open.acorn.message === null) return `0\tV8 alone: ${open.v8}`;
  if (open.acorn.isEarly) return `0\tearly error: ${open.acorn.message}`;
  return `0\tacorn alone: ${open.acorn.message}`;
}

answer(verdict);
