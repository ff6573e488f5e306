"""Rules of conversions: how a node of Python is written in an equivalent form (`conversions.py`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import count
from keyword import iskeyword

import tree_sitter

from fim_lsp.edits.repeating.call_rules import Conversion, other_quotes, path_method, plain_assert
from fim_lsp.edits.repeating.logging_rules import logged_values
from fim_lsp.edits.texts.source import SourceText

PERCENT = re.compile(r"%(?:%|(?P<flags>[-+ #0]*)(?P<width>\d*)(?P<digits>\.\d+)?(?P<kind>[sdrifxXeEgGoc]))|%")
FIELD = re.compile(
    r"\{\{|\}\}|\{(?P<name>\w*)(?P<rest>(?:\.\w+|\[\w+\])*)(?P<how>![rsa])?(?P<spec>:[^{}]*)?\}|[{}]"
)
# The kinds of nodes that a field of an f-string takes as they are.
PLAIN = (
    "identifier",
    "attribute",
    "call",
    "subscript",
    "integer",
    "float",
    "binary_operator",
    "true",
    "false",
)
# `User.name` and `users.c.name`, of whose comparisons a database makes a query.
COLUMN = re.compile(r"(?:\w+\.)*(?:[A-Z]\w*|c)\.\w+$")
DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
GENERICS = {
    "List": "list", "Dict": "dict", "Set": "set", "FrozenSet": "frozenset", "Tuple": "tuple", "Type": "type",
}  # fmt: skip


Rule = Callable[[SourceText, tree_sitter.Node], Conversion | None]


def conversion_of(source: SourceText, node: tree_sitter.Node) -> Conversion | None:
    for rule in RULES.get(node.type, ()):
        found = rule(source, node)
        if found is not None:
            return found
    return None


# --- texts with fields -------------------------------------------------------------------------------------


def plain_text(source: SourceText, node: tree_sitter.Node | None) -> tuple[str, str] | None:
    """The quote of a string without a prefix, and the text in it."""
    said = source.text_of(node)
    if node is None or node.type != "string" or not said or said[0] not in "'\"":
        return None
    quote = said[:3] if said[:3] in ("'''", '"""') else said[0]
    return quote, said[len(quote) : -len(quote)]


def field_text(source: SourceText, node: tree_sitter.Node, quote: str) -> str | None:
    """The text of a value in a field; None if it cannot stand there as it is in every version."""
    said = source.text_of(node)
    is_plain = node.type in PLAIN and not any(sign in said for sign in (quote[0], "\\", "\n", "#", "{", "}"))
    return said if is_plain and "lambda" not in said and "!" not in said and ":" not in said else None


def percent(source: SourceText, node: tree_sitter.Node) -> Conversion | None:
    """`"%s and %r" % (a, b)`"""
    sign = node.child_by_field_name("operator")
    text = plain_text(source, node.child_by_field_name("left"))
    right = node.child_by_field_name("right")
    if sign is None or sign.type != "%" or text is None or right is None:
        return None
    values = [*right.named_children] if right.type == "tuple" else [right]
    quote, content = text
    said = [field_text(source, value, quote) for value in values]
    found = [*PERCENT.finditer(content)]
    fields = [one for one in found if one["kind"]]
    if any(one[0] == "%" for one in found) or len(fields) != len(values) or not fields or None in said:
        return None
    waiting = iter([one for one in said if one is not None])
    pieces, at = [], 0
    for one in found:
        pieces += [
            doubled_braces(content[at : one.start()]),
            "%" if one[0] == "%%" else in_field(one, next(waiting)),
        ]
        at = one.end()
    kinds = sorted({one["kind"] for one in fields if one["kind"] not in "sr"})
    new = f"f{quote}{''.join(pieces)}{doubled_braces(content[at:])}{quote}"
    if any(one["flags"] or one["width"] or (one["digits"] and one["kind"] == "s") for one in fields):
        return None
    return Conversion(f"percent {' '.join(kinds)}", "`%` became a text with fields", new)


def in_field(one: re.Match[str], value: str) -> str:
    match one["kind"]:
        case "s" | "d" | "i":
            return f"{{{value}}}"
        case "r":
            return f"{{{value}!r}}"
        case kind:
            return f"{{{value}:{one['digits'] or ''}{kind}}}"


def doubled_braces(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def format_conversion(source: SourceText, node: tree_sitter.Node) -> Conversion | None:
    """`"{} and {name}".format(a, name=b)`"""
    called = node.child_by_field_name("function")
    listed = node.child_by_field_name("arguments")
    if called is None or called.type != "attribute" or listed is None or listed.type != "argument_list":
        return None
    text = plain_text(source, called.child_by_field_name("object"))
    if text is None or source.text_of(called.child_by_field_name("attribute")) != "format":
        return None
    quote, content = text
    values: dict[str, str | None] = {}
    for number, argument in enumerate(listed.named_children):
        if argument.type == "keyword_argument":
            value = argument.child_by_field_name("value")
            name = source.text_of(argument.child_by_field_name("name"))
            values[name] = None if value is None else field_text(source, value, quote)
        else:
            values[str(number)] = field_text(source, argument, quote)
    numbers, used = count(), set()
    pieces, at = [], 0
    for one in FIELD.finditer(content):
        if one[0] in ("{", "}"):
            return None
        if one[0] in ("{{", "}}"):
            continue
        name = one["name"] or str(next(numbers))
        given = values.get(name)
        if given is None or name in used:
            return None
        used.add(name)
        needs = one["rest"] and re.fullmatch(r"[\w.]+", given) is None
        given = f"({given})" if needs else given
        rest = re.sub(r"\[([^\W\d]\w*)\]", "[]", one["rest"])
        if "[]" in rest:
            # `{0[key]}` has a key without quotes.
            return None
        pieces += [content[at : one.start()], f"{{{given}{rest}{one['how'] or ''}{one['spec'] or ''}}}"]
        at = one.end()
    if len(used) != len(values) or not used:
        return None
    new = f"f{quote}{''.join(pieces)}{content[at:]}{quote}"
    return Conversion("format", "`.format` became a text with fields", new)


# --- types -------------------------------------------------------------------------------------------------


def optional(source: SourceText, node: tree_sitter.Node) -> Conversion | None:
    """`Optional[int]` and `Union[int, str]`"""
    name, inner = parameterised_type(source, node)
    if (
        name in ("Optional", "typing.Optional")
        and len(inner) == 1
        and "'" not in inner[0]
        and '"' not in inner[0]
    ):
        return Conversion("Optional", "`Optional[...]` became `... | None`", f"{inner[0]} | None")
    if (
        name in ("Union", "typing.Union")
        and len(inner) > 1
        and not any(sign in "".join(inner) for sign in "'\"")
    ):
        return Conversion("Union", "`Union[...]` became `... | ...`", " | ".join(inner))
    return None


def generic(source: SourceText, node: tree_sitter.Node) -> Conversion | None:
    """`List[int]`"""
    name, inner = parameterised_type(source, node)
    short = name.removeprefix("typing.")
    if short not in GENERICS or not inner:
        return None
    start = source.text_of(node).index("[")
    said = f"`{name}[...]` became `{GENERICS[short]}[...]`"
    return Conversion(f"generic {short}", said, GENERICS[short] + source.text_of(node)[start:])


def parameterised_type(source: SourceText, node: tree_sitter.Node) -> tuple[str, list[str]]:
    """The text in front of a bracket, and the parts of the text in it."""
    said = source.text_of(node)
    if node.type == "generic_type":
        name, listed = (
            node.named_children[0],
            node.named_children[1] if len(node.named_children) > 1 else None,
        )
        inner = [] if listed is None else [source.text_of(one) for one in listed.named_children]
        return source.text_of(name), inner
    value = node.child_by_field_name("value")
    if value is None or not said.endswith("]"):
        return "", []
    return source.text_of(value), [source.text_of(one) for one in node.children_by_field_name("subscript")]


# --- shorter forms -----------------------------------------------------------------------------------------


def shorter_super(source: SourceText, node: tree_sitter.Node) -> Conversion | None:
    """`super(Cart, self)` in a method of `Cart`"""
    listed = node.child_by_field_name("arguments")
    if source.text_of(node.child_by_field_name("function")) != "super" or listed is None:
        return None
    said = [source.text_of(one) for one in listed.named_children]
    method = around(node, "function_definition")
    owner = None if method is None else around(method, "class_definition")
    if method is None or owner is None or len(said) != 2:
        return None
    parameters = method.child_by_field_name("parameters")
    first = parameters.named_children[0] if parameters is not None and parameters.named_children else None
    if said != [source.text_of(owner.child_by_field_name("name")), source.text_of(first)]:
        return None
    return Conversion("super", "`super(...)` became `super()`", "super()")


def around(node: tree_sitter.Node, kind: str) -> tree_sitter.Node | None:
    one = node.parent
    while one is not None and one.type != kind:
        if one.type in ("lambda", "class_definition", "function_definition"):
            return None
        one = one.parent
    return one


def compared_to_none(source: SourceText, node: tree_sitter.Node) -> Conversion | None:
    """`a == None`"""
    parts = node.children
    if len(parts) != 3 or parts[2].type != "none" or parts[1].type not in ("==", "!="):
        return None
    if parts[0].type == "attribute" and COLUMN.match(source.text_of(parts[0])):
        return None
    word = "is" if parts[1].type == "==" else "is not"
    start, stop = source.span(parts[0])
    said = f"`{parts[1].type} None` became `{word} None`"
    return Conversion("none", said, f"{source.text[start:stop]} {word} None")


# --- keys and attributes -----------------------------------------------------------------------------------


def key_as_attribute(source: SourceText, node: tree_sitter.Node) -> Conversion | None:
    """`row["name"]` to `row.name`: a user who does it to one key does it to all keys in the function."""
    value, keys = node.child_by_field_name("value"), node.children_by_field_name("subscript")
    text = plain_text(source, keys[0]) if len(keys) == 1 else None
    said = source.text_of(value)
    if text is None or not DOTTED.fullmatch(said) or not is_attribute_name(text[1]):
        return None
    what = f"`{said}[...]` became `{said}.`"
    return Conversion(f"key {said} in {function_around(source, node)}", what, f"{said}.{text[1]}")


def attribute_as_key(source: SourceText, node: tree_sitter.Node) -> Conversion | None:
    """`row.name` to `row["name"]`."""
    said = source.text_of(node.child_by_field_name("object"))
    name = source.text_of(node.child_by_field_name("attribute"))
    is_called = node.parent is not None and node.parent.type == "call" and node.next_sibling is not None
    if not DOTTED.fullmatch(said) or said in ("self", "cls") or is_called:
        return None
    quote = usual_quote(source.text)
    what = f"`{said}.` became `{said}[...]`"
    kind = f"attribute {said} in {function_around(source, node)}"
    return Conversion(kind, what, f"{said}[{quote}{name}{quote}]")


def is_attribute_name(said: str) -> bool:
    return said.isidentifier() and not iskeyword(said)


@lru_cache(maxsize=4)
def usual_quote(text: str) -> str:
    return "'" if text.count("'") > text.count('"') else '"'


def function_around(source: SourceText, node: tree_sitter.Node) -> str:
    """The names of the definitions around a node."""
    names, one = [], node.parent
    while one is not None:
        if one.type in ("function_definition", "class_definition"):
            names.append(source.text_of(one.child_by_field_name("name")))
        one = one.parent
    return ".".join(reversed(names))


RULES: dict[str, tuple[Rule, ...]] = {
    "binary_operator": (percent,),
    "call": (logged_values, format_conversion, shorter_super, plain_assert, path_method),
    "string": (other_quotes,),
    "generic_type": (optional, generic),
    "subscript": (optional, generic, key_as_attribute),
    "attribute": (attribute_as_key,),
    "comparison_operator": (compared_to_none,),
}
# The nodes of each kind, and a text that a file with such nodes holds. A conversion of one variable does not
# carry over to other files.
NODES = {
    "percent": ("binary_operator",),
    "format": ("call",),
    "logged": ("call",),
    "super": ("call",),
    "Optional": ("generic_type", "subscript"),
    "Union": ("generic_type", "subscript"),
    "generic": ("generic_type", "subscript"),
    "none": ("comparison_operator",),
    "key": ("subscript",),
    "attribute": ("attribute",),
    "assert": ("call",),
    "path": ("call",),
    "quotes": ("string",),
}
SIGNS = {
    "percent": "%",
    "format": ".format(",
    "logged": "log",
    "super": "super(",
    "Optional": "Optional[",
    "Union": "Union[",
    "generic": "[",
    "none": "None",
    "assert": "self.assert",
    "path": "os.path.",
}
