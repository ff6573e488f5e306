"""Our compiled grammars in the dialect of Lark that llguidance reads, to measure both on the same rules.

Its lexer knows no layout, so Python is flattened: lines and indentation are white space and mean nothing, an
f-string is one terminal. That is less to check than our engine checks. Names, numbers and strings
keep our regular expressions unless `plain` replaces them.
"""

from collections.abc import Mapping
from typing import Any

_WHITE_SPACE = {"python": r"(?:[ \t\f]|\\\r?\n|#[^\r\n]*)+"}
_FSTRING = (
    r"[fF][rR]?(?:'(?:[^'\\\r\n]|\\[^\r])*'|\"(?:[^\"\\\r\n]|\\[^\r])*\""
    r"|'''(?:[^'\\]|\\.|'[^']|''[^'])*'''|\"\"\"(?:[^\"\\]|\\.|\"[^\"]|\"\"[^\"])*\"\"\")"
)
_NEWLINE = r"(?:[ \t]*(?:#[^\r\n]*)?\r?\n)+[ \t]*"
_DROPPED = {"INDENT", "DEDENT"}


def flat_lark(description: Mapping[str, Any], plain: Mapping[str, str] | None = None) -> str:
    """The Lark text of a compiled grammar."""
    plain = plain or {}
    emitting = {terminal["name"] for terminal in description["terminals"] if terminal.get("emits")}
    names: dict[str, str] = {}
    lines: list[str] = []
    for index, terminal in enumerate(description["terminals"]):
        name = terminal["name"]
        if name in emitting or name in description["ignore"]:
            continue
        if terminal["kind"] == "literal":
            names[name] = '"' + terminal["pattern"].replace("\\", "\\\\").replace('"', '\\"') + '"'
        else:
            names[name] = f"T{index}"
            pattern = plain.get(name, terminal["pattern"]).replace("/", r"\/")
            lines.append(f"T{index}: /{pattern}/")
    if description["layout"] == "python":
        names |= {"FSTRING": "FSTRING", "NEWLINE": "NEWLINE"}
        lines.append("NEWLINE: /" + _NEWLINE + "/")
        lines.append("FSTRING: /" + _FSTRING.replace("/", r"\/") + "/")
    ignored = [t["pattern"] for t in description["terminals"] if t["name"] in description["ignore"]]
    for index, pattern in enumerate(ignored or [_WHITE_SPACE[description["name"]]]):
        lines.append(f"%ignore /{pattern.replace('/', chr(92) + '/')}/" if index == 0 else "")
    names |= {rule["name"]: f"r_{rule['name']}" for rule in description["rules"]}
    bodies = {rule["name"]: rule["body"] for rule in description["rules"]}
    rules = [f"{names[name]}: {_body(bodies[name], names)}" for name in _used(description["start"], bodies)]
    return "\n".join([f"start: {names[description['start']]}", *rules, *lines]) + "\n"


def _used(start: str, bodies: Mapping[str, Any]) -> list[str]:
    """The rules that are left when f-strings are terminals, the first one first."""
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
    match body:
        case str():
            return "" if body in _DROPPED else names[body]
        case {"seq": ["FSTRING_START" | "TSTRING_START", *_]}:
            return names["FSTRING"]
        case {"seq": parts}:
            return " ".join(filter(None, (_body(part, names) for part in parts))) or '""'
        case {"alt": parts}:
            return "(" + " | ".join(_body(part, names) or '""' for part in parts) + ")"
        case {"opt": part}:
            return f"({_body(part, names)})?"
        case {"star": part}:
            return f"({_body(part, names)})*"
        case {"plus": part}:
            return f"({_body(part, names)})+"
    raise ValueError(body)
