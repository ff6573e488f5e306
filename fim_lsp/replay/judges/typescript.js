// The judge of TypeScript: does its own parser find a fault in a text? One line is answered for each text, empty or
// LINE, a tab, and what is wrong; answers.js has the protocol.
//
// The parser takes some texts in which something is missing, or which are no TypeScript to anybody: these are called
// `nobody means: KIND`. Where a grammar may read a text otherwise, it is `left open: KIND`, and nothing is asked about it.
// docs/languages.md lists the kinds.
//
//     node typescript.js FOLDER-OF-TYPESCRIPT FILE-NAME
"use strict";

const { answer } = require("./answers.js");
const ts = require(process.argv[2]);
const fileName = process.argv[3];

const Kind = ts.SyntaxKind;
const NO_NAMES = new Set(["await", "yield"]);
// What of a node is a word, whatever it says.
const WORDS = ["propertyName", "qualifier"];
const WITH_WORDS = new Set([
  Kind.PropertyAccessExpression,
  Kind.PropertyAssignment,
  Kind.PropertyDeclaration,
  Kind.PropertySignature,
  Kind.MethodDeclaration,
  Kind.MethodSignature,
  Kind.GetAccessor,
  Kind.SetAccessor,
  Kind.EnumMember,
  Kind.MetaProperty,
  Kind.NamedTupleMember,
  Kind.ExportSpecifier,
  Kind.NamespaceExport,
  Kind.ImportAttribute,
]);

function isWord(node) {
  const parent = node.parent;
  if (WORDS.some((part) => parent[part] === node)) return true;
  if (parent.kind === Kind.QualifiedName) return parent.right === node && !isAlias(parent);
  return (parent.name === node && WITH_WORDS.has(parent.kind)) || parent.kind === Kind.TypeQuery;
}

const DECLARING = new Set([
  Kind.VariableDeclaration,
  Kind.Parameter,
  Kind.BindingElement,
  Kind.FunctionDeclaration,
  Kind.FunctionExpression,
  Kind.ClassDeclaration,
  Kind.ClassExpression,
]);

// Where the parser reads nothing but a name: of what is declared, but for what may be the begin of an expression, and in types.
function isOnlyName(node) {
  const parent = node.parent;
  if (parent.kind === Kind.TypeReference) return true;
  if (parent.name !== node || !DECLARING.has(parent.kind)) return false;
  const isFirst = parent.kind === Kind.Parameter && parent.parent.parameters[0] === parent && !parent.dotDotDotToken;
  return !(isFirst && parent.parent.kind === Kind.ArrowFunction);
}

// `a.b` in `import c = a.b`
function isAlias(name) {
  while (name.kind === Kind.QualifiedName) name = name.parent;
  return name.kind === Kind.ImportEqualsDeclaration;
}

function kindOf(node) {
  if (node.isTypeOnly && ESCAPED_TYPE.test(node.getText())) return ESCAPES;
  if (node.propertyName?.text === "type" && ESCAPED_AS.test(node.getText())) return ESCAPES;
  switch (node.kind) {
    case Kind.Identifier:
      if (isReserved(node) && !isWord(node) && textOf(node).includes("\\")) return ESCAPES;
      if (NO_NAMES.has(node.text) && !isWord(node) && !isOnlyName(node) && !isPlainName(node)) return AS_NAMES;
      return node.text.startsWith("#") ? "private names as names" : null;
    case Kind.ExpressionStatement:
      return isDeclareAlone(node.expression) ? "declare alone" : null;
    case Kind.ExportKeyword:
    case Kind.DefaultKeyword:
      return isPart(node.parent) ? EXPORTED : null;
    case Kind.ImportKeyword:
      return node.parent.kind === Kind.CallExpression ? null : "import alone";
    case Kind.ThrowStatement:
      if (isDeclareAlone(node.expression)) return "declare alone";
      return node.expression.text === "" && node.expression.kind === Kind.Identifier ? "throw alone" : null;
    case Kind.ModuleDeclaration:
      return node.body === undefined && node.name.kind === Kind.Identifier ? "global without a block" : null;
    case Kind.TypeParameter:
      if (node.expression !== undefined) return "an expression behind extends";
      return isInTagOfArrow(node) ? ESCAPES : null;
    case Kind.PropertyDeclaration:
      return isDeclareAlone(node.name, node.end) ? "declare alone" : null;
    case Kind.TypeQuery:
      return hasDotBehind(node.exprName, node.typeArguments) ? "types of JSDoc" : null;
    case Kind.ImportType:
      return node.qualifier && hasDotBehind(node.qualifier, node.typeArguments) ? "types of JSDoc" : null;
    case Kind.ComputedPropertyName:
      if (ts.isBinaryExpression(node.expression) && node.expression.operatorToken.kind === Kind.CommaToken) return "commas in keys";
      return ts.isTypeElement(node.parent) && hasIn(node.expression) ? IN_KEYS : null;
    case Kind.VariableDeclarationList:
      return node.declarations.length === 0 || node.declarations.hasTrailingComma ? "a variable too few" : null;
    case Kind.TypeReference:
      if (hasDotBehind(node.typeName, node.typeArguments)) return "types of JSDoc";
      return isReserved(node.typeName) || isConstElsewhere(node) ? "reserved words as types" : null;
    case Kind.TypePredicate:
      return isReserved(node.parameterName) ? "reserved words as types" : null;
    case Kind.ImportDeclaration:
    case Kind.ExportDeclaration: {
      const name = node.moduleSpecifier;
      return name && name.kind !== Kind.StringLiteral ? "modules that are no strings" : null;
    }
    case Kind.ExternalModuleReference:
      return node.expression.kind !== Kind.StringLiteral ? "modules that are no strings" : null;
    case Kind.BinaryExpression:
      if (isDividedBehindTypes(node)) return DIVIDED;
      return isShiftedElement(node) ? SHIFTED : null;
    case Kind.HeritageClause:
      return node.types.length === 0 || node.types.hasTrailingComma ? "heritage too little" : null;
    default:
      return node.kind >= Kind.FirstJSDocNode && node.kind <= Kind.LastJSDocNode ? "types of JSDoc" : null;
  }
}

// `f<!a>(b)` may be two comparisons to a grammar.
function isInTypeArguments(node) {
  const { parent } = node;
  if (parent === undefined) return false;
  const isOfExpression = !ts.isTypeNode(parent) || ts.isExpressionWithTypeArguments(parent);
  return (isOfExpression && parent.typeArguments?.includes(node)) || isInTypeArguments(parent);
}

// Something that is no statement.
function isPart(node) {
  const isMember = ts.isClassElement(node) || ts.isTypeElement(node) || ts.isObjectLiteralElementLike(node);
  return isMember || ts.isParameter(node) || ts.isTypeParameterDeclaration(node);
}

// `declare a` is no declaration, and no fault.
function isDeclareAlone(name, end = name.end) {
  if (name.kind !== Kind.Identifier || name.text !== "declare") return false;
  const { text } = name.getSourceFile();
  const next = ts.skipTrivia(text, end);
  if (text.charAt(end - 1) === ";") return false;
  return !/[\r\n\u2028\u2029]/.test(text.slice(end, next)) && !["", ";", "}"].includes(text.charAt(next));
}

function hasIn(expression) {
  if (expression.kind === Kind.BinaryExpression && expression.operatorToken.kind === Kind.InKeyword) return true;
  return ts.forEachChild(expression, hasIn) === true;
}

// `const` is a type behind `as` and `satisfies`, and in front of what is asserted to be one.
function isConstElsewhere({ parent, typeName, typeArguments }) {
  const isQualified = typeName.kind === Kind.QualifiedName;
  while (typeName.kind === Kind.QualifiedName) typeName = typeName.left;
  if (typeName.text !== "const") return false;
  return isQualified || typeArguments !== undefined || !(ts.isAssertionExpression(parent) || ts.isSatisfiesExpression(parent));
}

// `a.<b>`
function hasDotBehind(typeName, typeArguments) {
  if (typeArguments === undefined) return false;
  const between = typeName.getSourceFile().text.slice(typeName.end, typeArguments.pos);
  return between.replace(/\/\*[^]*?\*\/|\/\/.*/g, "").includes(".");
}

// `a<b> / c` begins a regular expression to a grammar, as `a < b > /c/` does.
function isDividedBehindTypes({ left, operatorToken: { kind } }) {
  return kind === Kind.SlashToken && endsWithTypeArguments(left);
}

// `a<b> << c` and `<a/> << b` are refused by a grammar that would not know what the first `<` begins.
function isShiftedElement({ left, operatorToken: { kind } }) {
  return kind === Kind.LessThanLessThanToken && (endsWithTypeArguments(left) || ELEMENTS.has(lastOperand(left).kind));
}

function endsWithTypeArguments(expression) {
  const last = lastOperand(expression);
  return (ts.isExpressionWithTypeArguments(last) || ts.isNewExpression(last)) && last.typeArguments !== undefined && !last.arguments;
}

// A name in an expression, a label or a property, where nothing waits or yields. The grammar reads all functions that wait
// or yield alike, and has no such names in the expressions of types.
function isPlainName(node) {
  const { parent } = node;
  const isParameter = parent.kind === Kind.Parameter && parent.name === node;
  if (!isParameter && !NAMING.has(parent.kind) && !ts.isExpressionNode(node)) return false;
  return isParameter ? isInPlain(parent.parent) : isInPlain(node);
}

// Whether no function around waits or yields. What is told of a function's name, key and modifiers is told of what is around it.
function isInPlain(node) {
  for (let inner = node, outer = node.parent; outer; inner = outer, outer = outer.parent) {
    if (ts.isTypeNode(outer) && !ts.isExpressionWithTypeArguments(outer)) return false;
    if ((ts.isTypeElement(outer) && !ts.isAccessor(outer)) || ts.isInterfaceDeclaration(outer)) return false;
    if (ts.isClassStaticBlockDeclaration(outer) || ts.isExportAssignment(outer)) return false;
    if (ts.isPropertyDeclaration(outer) && outer.initializer === inner) return true;
    if (ts.isEnumDeclaration(outer)) return true;
    const isKey = outer.name === inner || outer.modifiers?.includes(inner);
    if (ts.isFunctionLike(outer) && !isKey) return !waitsOrYields(outer);
  }
  return true;
}

const NAMING = new Set([
  Kind.BreakStatement,
  Kind.ContinueStatement,
  Kind.LabeledStatement,
  Kind.ShorthandPropertyAssignment,
]);

function waitsOrYields(node) {
  return node.asteriskToken !== undefined || (node.modifiers ?? []).some(({ kind }) => kind === Kind.AsyncKeyword);
}

// `c` in `a + -b * !c`
function lastOperand(expression) {
  if (ts.isBinaryExpression(expression)) return lastOperand(expression.right);
  if (ts.isPrefixUnaryExpression(expression)) return lastOperand(expression.operand);
  if (ts.isNewExpression(expression) && !expression.arguments && !expression.typeArguments) return lastOperand(expression.expression);
  return LAST_OPERANDS.has(expression.kind) ? lastOperand(expression.expression) : expression;
}

const LAST_OPERANDS = new Set([
  Kind.AwaitExpression,
  Kind.DeleteExpression,
  Kind.TypeAssertionExpression,
  Kind.TypeOfExpression,
  Kind.VoidExpression,
]);
const ELEMENTS = new Set([Kind.JsxElement, Kind.JsxFragment, Kind.JsxSelfClosingElement]);
const DIVIDED = "a slash behind type arguments";
const SHIFTED = "a shift behind type arguments or an element";
const GUESSED_TYPES = "type arguments with a fault";
const EXPORTED = "export in front of members";
const IN_KEYS = "in as an operator in a type's key";
const CONDITIONS = "an arrow function's type between conditions";
const BRACKETS = "brackets that seem to be an arrow function's";

function isReserved(name) {
  while (name.kind === Kind.QualifiedName) name = name.left;
  const keyword = ts.stringToToken(name.text);
  return keyword >= Kind.FirstReservedWord && keyword <= Kind.LastReservedWord && keyword !== Kind.ConstKeyword;
}

// `<\u0061,>(b) => c` beside elements, whose names have no escapes.
function isInTagOfArrow({ parent, name }) {
  if (!fileName.endsWith("x") || !ts.isArrowFunction(parent) || parent.modifiers) return false;
  return parent.typeParameters[0].name === name && textOf(name).includes("\\");
}

// What the parser guesses at by looking ahead, and then finds faults in, where a grammar takes the other reading.
function guessedAt(node, fault) {
  switch (node.kind) {
    case Kind.BinaryExpression:
      return isDividedBehindTypes(node) ? DIVIDED : null;
    case Kind.AsExpression:
    case Kind.SatisfiesExpression:
      return endsWithTypeArguments(node.expression) ? "type arguments in front of a cast" : null;
    case Kind.ConditionalExpression:
      return isColonOfArrow(node) ? CONDITIONS : null;
    case Kind.PropertyAccessExpression:
      return ts.nodeIsMissing(node.name) && isBehindBreak(node.name) ? "a name in the line behind its dot" : null;
    case Kind.ArrowFunction: {
      const { equalsGreaterThanToken: arrow, type, modifiers, body } = node;
      const isGuess = ts.nodeIsMissing(arrow) && (type || modifiers || isBehindBreak(body));
      const isComparison = modifiers && isInside(node.typeParameters, fault);
      return isGuess || isComparison ? BRACKETS : null;
    }
    case Kind.CallExpression:
      if (node.expression.getText() === "async" && isInFrontOfType(node, fault)) return BRACKETS;
      break;
    case Kind.ParenthesizedExpression:
      return isInFrontOfType(node, fault) ? BRACKETS : null;
    case Kind.ExpressionWithTypeArguments:
    case Kind.NewExpression:
      if (endsWithTypes(node) && BREAK.test(textFrom(node, node.end))) return "type arguments in front of a line end";
  }
  const { typeArguments } = node;
  const isType = ts.isTypeNode(node) && !(ts.isExpressionWithTypeArguments(node) && endsWithTypes(node));
  if (!typeArguments || isType || ts.isJsxOpeningLikeElement(node)) return null;
  return isInside(typeArguments, fault) ? GUESSED_TYPES : null;
}

function isInside(list, { file, start }) {
  return list !== undefined && list.pos <= start && start <= ts.skipTrivia(file.text, list.end) + 1;
}

// In `a ? b ? (c) : d => e : f` the first `:` is taken for that of a function's type, and the last one is missed.
function isColonOfArrow({ whenTrue, colonToken, parent }) {
  if (!ts.isArrowFunction(whenTrue) || whenTrue.type === undefined) return false;
  if (ts.nodeIsMissing(colonToken)) return true;
  while (parent && !(ts.isConditionalExpression(parent) && ts.nodeIsMissing(parent.colonToken))) parent = parent.parent;
  return parent !== undefined;
}

// In `({ a }): (b) => c` the parser takes `(b) => c` for the type of a result, and without another `=>` there is no function.
function isInFrontOfType(node, { file, start }) {
  if (ts.skipTrivia(file.text, node.end) !== start || file.text.charAt(start) !== ":") return false;
  return file.text.charAt(ts.skipTrivia(file.text, start + 1)) === "(";
}

function endsWithTypes(node) {
  return ts.isNewExpression(node) ? node.typeArguments && !node.arguments : !ts.isHeritageClause(node.parent);
}

const BREAK = /^(?:[^\S\r\n\u2028\u2029]|\/\*.*?\*\/)*(?:\/\/.*)?[\r\n\u2028\u2029]/;

function isBehindBreak(node) {
  return BREAK.test(textFrom(node, node.pos));
}

function textOf(node) {
  return node.getSourceFile().text.slice(node.pos, node.end);
}

function textFrom(node, place) {
  return node.getSourceFile().text.slice(place);
}

// The first kind of a tree that is told by a function.
function firstKind(tree, kind) {
  const waiting = [tree];
  while (waiting.length > 0) {
    const node = waiting.pop();
    const found = kind(node);
    if (found !== null) return found;
    ts.forEachChild(node, (child) => void waiting.push(child));
  }
  return null;
}

// Where the parser takes `await` for a name, or for an operator, by the symbol behind it, the grammar takes both readings.
const AS_NAMES = "await and yield as names";
const WAITS_SURELY = /^(?!as\b|in\b|instanceof\b|of\b|satisfies\b)[\p{ID_Start}$_\d"'\\]/u;
const BEGINS_OPERAND = /^[\p{ID_Start}$_\d"'\\!+\-~([{/<`*#@]/u;

function isNameOrOperator(node) {
  const { text } = node.getSourceFile();
  const behind = (place) => text.slice(ts.skipTrivia(text, place));
  if (ts.isIdentifier(node)) return NO_NAMES.has(node.text) && !isWord(node) && BEGINS_OPERAND.test(behind(node.end));
  if (!ts.isAwaitExpression(node) && !ts.isYieldExpression(node)) return false;
  return node.expression !== undefined && isInPlain(node) && !WAITS_SURELY.test(behind(node.expression.pos));
}

// `\u0074ype` in front of what is imported or exported is the word, and to the grammar a name; `\u0074his` is a parameter's name.
const ESCAPES = "escapes in names";
const ESCAPED_TYPE = /^(?:export\s+)?[a-z]*\\u[^\s,]+\s+[^\s,]/;
const ESCAPED_AS = /^type\s+[a-z]*\\u/;

const MAYBE_READ_OTHERWISE = new Set([AS_NAMES, DIVIDED, SHIFTED, IN_KEYS, EXPORTED, ESCAPES, GUESSED_TYPES, "global without a block"]);

function taken(kind) {
  return `0\t${MAYBE_READ_OTHERWISE.has(kind) ? "left open" : "nobody means"}: ${kind}`;
}

// Directives are comments to a grammar: `/// <reference />` says nothing, a module is called twice, or a resolution mode is no mode.
// These are told behind all other faults, and no fault of what is behind them.
const OF_DIRECTIVES = new Set([1084, 1453, 2458]);

// An element has another end, or none.
const TAGS = new Set([17002, 17008]);

// `v\u0061r` is a word that is written with an escape. Of those that may be names, the grammar knows a name.
const ESCAPED_WORD = 1260;

function isEscapedName(text, { start, length }) {
  const word = text
    .slice(start, start + length)
    .replace(/\\u(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{4}))/g, (_, inBraces, plain) => String.fromCodePoint(Number.parseInt(inBraces ?? plain, 16)));
  return !(ts.stringToToken(word) <= Kind.LastReservedWord);
}

// An escape that is none of a letter that a name begins with, and may stand in a name.
function hasEscapedSign(text) {
  const found = [...text.matchAll(/\\u(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{4}))/g)];
  const codes = found.map(([, inBraces, plain]) => Number.parseInt(inBraces ?? plain, 16));
  return codes.some((code) => code <= 0x10ffff && !ts.isIdentifierStart(code, ts.ScriptTarget.ESNext));
}

// `type as T` declares something, or is a fault.
const WORD_AND_CAST = /\b(?:type|using|interface|module|namespace|accessor|public|private|protected|static|readonly|abstract|declare|override|out)[^\S\r\n]+(?:as|satisfies|in|instanceof)\b|\blet\s+(?:as|satisfies)\b/;

// A name to a grammar, and to the parser a declaration.
const DEFAULT_INTERFACE = /\bexport\s+default\s+interface\s*(?![\s\w$])/;

function verdict(text) {
  let tree;
  try {
    tree = ts.createSourceFile(fileName, text, { languageVersion: ts.ScriptTarget.ESNext, jsDocParsingMode: 1 }, true);
  } catch (error) {
    return `0\tbeyond the host's stack: ${error.message}`;
  }
  const [fault] = tree.parseDiagnostics.filter(({ code }) => !OF_DIRECTIVES.has(code));
  if (fault === undefined) {
    const kind = firstKind(tree, (node) => (kindOf(node) !== null && isInTypeArguments(node) ? GUESSED_TYPES : kindOf(node)));
    if (kind !== null) return taken(kind);
    // The parser reads a module's first `await` twice, and forgets what it found wrong there.
    return ts.containsParseError(tree) ? "0\tleft open: forgotten faults" : "";
  }
  const guess = firstKind(tree, (node) => (kindOf(node) === AS_NAMES || isNameOrOperator(node) ? AS_NAMES : guessedAt(node, fault)));
  if (guess !== null) return `0\tleft open: ${guess}`;
  // Behind another end the parser is lost.
  if (tree.parseDiagnostics.some(({ code, start }) => TAGS.has(code) && start <= fault.start)) return "0\tleft open: the names of an element's tags";
  if (DEFAULT_INTERFACE.test(text)) return "0\tleft open: export default interface";
  if (WORD_AND_CAST.test(text)) return "0\tleft open: a word that begins declarations, and a cast";
  if (fault.code === ESCAPED_WORD ? isEscapedName(text, fault) : hasEscapedSign(text)) return `0\tleft open: ${ESCAPES}`;
  const { line } = tree.getLineAndCharacterOfPosition(fault.start);
  return `${line + 1}\t${ts.flattenDiagnosticMessageText(fault.messageText, " ")}`;
}

answer(verdict);
