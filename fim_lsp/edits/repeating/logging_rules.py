"""Rules of conversions for calls of Python's loggers: their texts get the values as arguments
(`conversions.py`).

log.info(f"read {name}")       -> log.info("read %s", name)
log.info("read %s" % name)     -> log.info("read %s", name)
"""

from __future__ import annotations

import re

import tree_sitter

from fim_lsp.edits.repeating.call_rules import Conversion
from fim_lsp.edits.texts.source import SourceText

CALLED = re.compile(
    r"(?i)(?:\w+\.)*\w*log(?:ger|ging)?\.(?:debug|info|warn(?:ing)?|error|exception|critical)"
)
PREFIXED = re.compile(r"[fF](?P<quote>\"{3}|'{3}|\"|')")
SIGNS_OF = {"": "%s", "!s": "%s", "!r": "%r"}
# The nodes that stand in an argument as they do in a field.
PLAIN = ("identifier", "attribute", "call", "subscript", "integer", "binary_operator")


def logged_values(source: SourceText, node: tree_sitter.Node) -> Conversion | None:
    """The call of a logger whose only text is one with fields, or is filled by `%`."""
    called, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    given = [] if listed is None else [one for one in listed.named_children if one.type != "comment"]
    others = given[1:]
    is_alone = bool(given) and all(one.type == "keyword_argument" for one in others)
    if not is_alone or not CALLED.fullmatch(source.text_of(called)):
        return None
    text = given[0]
    found = fields_as_arguments(source, text) if text.type == "string" else filled_arguments(source, text)
    if not found:
        return None
    kind, what = ("fields", "a text with fields") if text.type == "string" else ("percent", "`%`")
    new = ", ".join([*found, *(source.text_of(one) for one in others)])
    said = f"{what} in a logger's call became a text and its values"
    return Conversion(f"logged {kind}", said, f"{source.text_of(called)}({new})")


def fields_as_arguments(source: SourceText, text: tree_sitter.Node) -> list[str]:
    """The plain text, and the values of its fields; empty if they cannot be told apart."""
    prefix = PREFIXED.match(source.text_of(text))
    if prefix is None:
        return []
    pieces, values = [], []
    for part in text.named_children:
        said = source.text_of(part)
        if part.type == "string_content":
            if "%" in said or "{" in said.replace("{{", "") or "}" in said.replace("}}", ""):
                return []
            pieces.append(said.replace("{{", "{").replace("}}", "}"))
        elif part.type == "interpolation":
            value, *how = part.named_children
            sign = SIGNS_OF.get("".join(source.text_of(one) for one in how))
            if sign is None or value.type not in PLAIN or any(child.type == "=" for child in part.children):
                return []
            pieces.append(sign)
            values.append(source.text_of(value))
    quote = prefix["quote"]
    return [f"{quote}{''.join(pieces)}{quote}", *values] if values else []


def filled_arguments(source: SourceText, filled: tree_sitter.Node) -> list[str]:
    """The text in front of `%`, and the values behind it."""
    left, right = filled.child_by_field_name("left"), filled.child_by_field_name("right")
    sign = filled.child_by_field_name("operator")
    if filled.type != "binary_operator" or sign is None or sign.type != "%" or left is None or right is None:
        return []
    values = right.named_children if right.type == "tuple" else [right]
    is_plain = left.type == "string" and all(one.type in (*PLAIN, "string") for one in values)
    return [source.text_of(one) for one in (left, *values)] if is_plain else []
