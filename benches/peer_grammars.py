"""Our compiled grammars in the dialects of other engines, to measure all of them on the same rules.

llguidance reads a dialect of Lark, and its lexer knows no layout; xgrammar reads EBNF and has no lexer. So
Python is flattened: lines and indentation are plain white space, and an f-string is one terminal. In Go, a
line end becomes a symbol of its own. So our engine has more to check. Numbers and strings keep our regular
expressions, except Python's strings for xgrammar; names are simplified.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping
from importlib.resources import files
from re import _constants as code
from re import _parser
from typing import Any

from quotient.compiler.description import from_json
from quotient.compiler.rules import symbols
from quotient.expressions.regexes import rust_character

PLAIN_NAME = r"[A-Za-z_\u0080-\U0010FFFF][A-Za-z0-9_\u0080-\U0010FFFF]*"
_WHITE_SPACE = {"python": r"(?:[ \t\f]|\\\r?\n|#[^\r\n]*)+"}
_FSTRING = (
    r"[fF][rR]?(?:'(?:[^'\\\r\n]|\\[^\r])*'|\"(?:[^\"\\\r\n]|\\[^\r])*\""
    r"|'''(?:[^'\\]|\\.|'[^']|''[^'])*'''|\"\"\"(?:[^\"\\]|\\.|\"[^\"]|\"\"[^\"])*\"\"\")"
)
# F-strings as plain strings, whose fields are not parsed either.
_PLAIN_STRINGS = {
    "STRING": _FSTRING.replace("[fF][rR]?", "[rRuU]?"),
    "BYTES": _FSTRING.replace("[fF][rR]?", "[bB][rR]?"),
}
_NEWLINE = r"(?:[ \t]*(?:#[^\r\n]*)?\r?\n)+[ \t]*"
_DROPPED = {"INDENT", "DEDENT"}
# The least length, as JSON, of a part of a rule that becomes a rule of its own.
LONG = 60

# The end of a statement in Go, and a blank within a line.
_GO_END = r"[;\n]"
_GO_BLANK = r"(?:[ \t\r]|//[^\n]*|/\*(?:[^*\n]|\*+[^*/\n])*\*+/)+"


def without_line_ends(description: Mapping[str, Any]) -> Mapping[str, Any]:
    """Our grammar of Go without symbols that have two readings, which these lexers do not know.

    A line break becomes a symbol of its own. Line breaks behind symbols that cannot end a statement belong to
    those symbols.
    """
    named = {terminal["name"]: terminal["pattern"] for terminal in description["terminals"]}
    blanks, space = named["RPAR"].removeprefix(r"\)"), named["CASE"].removeprefix("case")
    terminals = [{"name": "BLANK", "kind": "regex", "pattern": _GO_BLANK}]
    for terminal in description["terminals"]:
        name, pattern = terminal["name"], terminal["pattern"]
        if terminal.get("emits") or name in ("KEYWORD_SLASH", "WHITE_SPACE", "COMMENT"):
            continue
        if name == ";":
            pattern = _GO_END + space
        elif terminal["kind"] == "literal":
            pattern = rust_text(pattern) + space
        else:
            pattern = pattern.removesuffix(blanks)
        terminals.append({"name": name, "kind": "regex", "pattern": pattern})
    return {**description, "terminals": terminals, "ignore": ["BLANK"]}


def flat(language: str) -> Mapping[str, Any]:
    """One of our grammars, reduced to what other engines can express: terminals, rules, skipped terminals."""
    file_name = "python-3.11.json" if language == "python" else f"{language}.json"
    description: Mapping[str, Any] = from_json(
        (files("quotient") / "grammars" / file_name).read_text("utf-8")
    )
    if language == "go":
        description = without_line_ends(description)
    bodies = {rule["name"]: rule["body"] for rule in description["rules"]}
    if same := description.get("same"):
        # Other engines cannot require the same name twice, so any name may stand there.
        said = dict.fromkeys((same["first"], same["again"]), "name_said_again")
        bodies = {name: renamed(body, said) for name, body in bodies.items()}
        bodies["name_said_again"] = {"alt": same["written"]}
    start = description["start"]
    rules = {name: bodies[name] for name in _used(start, bodies)}
    used = {symbol for body in rules.values() for symbol in symbols(body)}
    rules = shared(rules)
    terminals = {
        terminal["name"]: rust_text(terminal["pattern"])
        if terminal["kind"] == "literal"
        else terminal["pattern"]
        for terminal in description["terminals"]
        if terminal["name"] in used
    }
    if "NAME" in terminals:
        terminals["NAME"] = PLAIN_NAME
    ignored = [each["pattern"] for each in description["terminals"] if each["name"] in description["ignore"]]
    if description["layout"] == "python":
        terminals |= {"FSTRING": _FSTRING, "NEWLINE": _NEWLINE}
        ignored = [_WHITE_SPACE["python"]]
    return {"start": start, "terminals": terminals, "rules": rules, "ignored": f"(?:{'|'.join(ignored)})+"}


def renamed(body: Any, names: Mapping[str, str]) -> Any:
    """A body with its symbols renamed."""
    if isinstance(body, str):
        return names.get(body, body)
    if isinstance(body, list):
        return [renamed(part, names) for part in body]
    return {kind: renamed(part, names) for kind, part in body.items()}


def shared(rules: Mapping[str, Any]) -> dict[str, Any]:
    """The rules, in which each part that occurs several times is a rule of its own: llguidance limits the
    number of symbols, and ours are many once unnamed parts are written out."""
    places: Counter[str] = Counter()

    def count(body: Any) -> None:
        if isinstance(body, dict):
            places[json.dumps(body)] += 1
            for inside in body.values():
                count(inside)
        elif isinstance(body, list):
            for inside in body:
                count(inside)

    for body in rules.values():
        count(body)
    repeated = [text for text, n in places.items() if n > 1 and len(text) > LONG]
    names = {text: f"part{index}" for index, text in enumerate(repeated)}

    def named(body: Any, is_top: bool = False) -> Any:
        if isinstance(body, dict):
            name = None if is_top else names.get(json.dumps(body))
            return name or {key: named(inside) for key, inside in body.items()}
        return [named(inside) for inside in body] if isinstance(body, list) else body

    parts = {name: named(json.loads(text), is_top=True) for text, name in names.items()}
    return {name: named(body, is_top=True) for name, body in rules.items()} | parts


def rust_text(text: str) -> str:
    """A regular expression for a text."""
    return "".join(map(rust_character, text))


def lark(language: str) -> str:
    """The dialect of llguidance."""
    grammar = flat(language)
    names = {name: f"T{index}" for index, name in enumerate(grammar["terminals"])}
    names |= {name: f"r{index}" for index, name in enumerate(grammar["rules"])}

    def pattern(regex: str) -> str:
        escaped = re.sub(r"\\.|/", lambda found: r"\/" if found[0] == "/" else found[0], regex)
        return f"/{escaped}/"

    return "\n".join(
        [
            f"start: {names[grammar['start']]}",
            *(f"{names[name]}: {_body(body, names)}" for name, body in grammar["rules"].items()),
            *(f"{names[name]}: {pattern(regex)}" for name, regex in grammar["terminals"].items()),
            f"%ignore {pattern(grammar['ignored'])}",
            "",
        ]
    )


def ebnf(language: str) -> str:
    """The dialect of xgrammar: skipped terminals may follow each terminal, and two words may stand without a
    blank."""
    grammar = flat(language)
    regexes = grammar["terminals"] | {
        name: regex
        for name, regex in _PLAIN_STRINGS.items()
        if name in grammar["terminals"] and language == "python"
    }
    names = {name: f"t{index}" for index, name in enumerate(regexes)}
    names |= {name: f"r{index}" for index, name in enumerate(grammar["rules"])}
    rules = [f"{names[name]} ::= {_body(body, names)}" for name, body in grammar["rules"].items()]
    terminals = [f"{names[name]} ::= {_regex_as_ebnf(regex)} skipped" for name, regex in regexes.items()]
    skipped = f"skipped ::= ({_regex_as_ebnf(grammar['ignored'])})?"
    return "\n".join([f"root ::= skipped {names[grammar['start']]}", *rules, *terminals, skipped, ""])


def _regex_as_ebnf(regex: str) -> str:
    # Rust and Python write these two differently.
    regex = re.sub(r"\\x\{([0-9A-Fa-f]+)\}", lambda found: re.escape(chr(int(found[1], 16))), regex)
    return _items_as_ebnf(_parser.parse(regex))


def _items_as_ebnf(items: Any) -> str:
    return " ".join(_item_as_ebnf(*item) for item in items) or '""'


def _item_as_ebnf(kind: Any, value: Any) -> str:
    if kind == code.LITERAL:
        return f"[{_ebnf_character(value)}]"
    if kind == code.NOT_LITERAL:
        return f"[^{_ebnf_character(value)}]"
    if kind == code.ANY:
        return "[^\\n]"
    if kind == code.IN:
        return "[" + "".join(_range_as_ebnf(*each) for each in value) + "]"
    if kind == code.BRANCH:
        return "(" + " | ".join(map(_items_as_ebnf, value[1])) + ")"
    if kind == code.SUBPATTERN:
        return f"({_items_as_ebnf(value[3])})"
    if kind == code.MAX_REPEAT:
        least, most, part = value
        ends = {(0, code.MAXREPEAT): "*", (1, code.MAXREPEAT): "+", (0, 1): "?"}
        return f"({_items_as_ebnf(part)})" + ends.get((least, most), f"{{{least},{most}}}")
    raise ValueError(kind)


def _range_as_ebnf(kind: Any, value: Any) -> str:
    if kind == code.NEGATE:
        return "^"
    if kind == code.RANGE:
        return "-".join(map(_ebnf_character, value))
    return _ebnf_character(value)


def _ebnf_character(character: int) -> str:
    if 0x20 < character < 0x7F and chr(character).isalnum():
        return chr(character)
    return f"\\U{character:08X}"


def _used(start: str, bodies: Mapping[str, Any]) -> list[str]:
    """The rules that are still reachable once f-strings are terminals, the start rule first."""
    found = [start]
    for name in found:
        todo = [bodies[name]]
        while todo:
            body = todo.pop()
            match body:
                case str():
                    if body in bodies and body not in found:
                        found.append(body)
                case {"seq": ["FSTRING_START" | "TSTRING_START", *_]}:
                    pass
                case {"seq": parts} | {"alt": parts}:
                    todo.extend(reversed(parts))
                case {"opt": part} | {"star": part} | {"plus": part}:
                    todo.append(part)
    return found


def _body(body: Any, names: Mapping[str, str]) -> str:
    """A body in the notation that both dialects share."""

    def inner(body: Any) -> str:
        match body:
            case str():
                return "" if body in _DROPPED else names[body]
            case {"seq": ["FSTRING_START" | "TSTRING_START", *_]}:
                return names["FSTRING"]
            case {"seq": parts}:
                return " ".join(filter(None, map(inner, parts))) or '""'
            case {"alt": parts}:
                return "(" + " | ".join(inner(part) or '""' for part in parts) + ")"
            case {"opt": part}:
                return f"({inner(part)})?"
            case {"star": part}:
                return f"({inner(part)})*"
            case {"plus": part}:
                return f"({inner(part)})+"
        raise ValueError(body)

    return inner(body)
