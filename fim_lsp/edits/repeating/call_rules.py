"""Rules of conversions for calls and strings of Python: their equivalent forms (`conversions.py`).

self.assertEqual(a, b)     -> assert a == b
os.path.exists(name)       -> Path(name).exists()
'name'                     -> "name"
"""

from __future__ import annotations

import re
from typing import NamedTuple

import tree_sitter

from fim_lsp.edits.texts.source import SourceText


class Conversion(NamedTuple):
    """The conversion of a node, with its rule. Conversions of different `kind` are independent: a user may
    make one and not the other."""

    kind: str
    said: str
    new: str


# Operands that bind less tightly than a comparison need brackets.
LOOSE = (
    "boolean_operator", "not_operator", "comparison_operator", "conditional_expression", "lambda",
    "named_expression", "generator_expression", "await",
)  # fmt: skip
LOOSEST = ("boolean_operator", "conditional_expression", "lambda", "named_expression")
COMPARED = {
    "Equal": "==", "Equals": "==", "NotEqual": "!=", "Is": "is", "IsNot": "is not", "In": "in",
    "NotIn": "not in", "Greater": ">", "GreaterEqual": ">=", "Less": "<", "LessEqual": "<=",
    "ListEqual": "==", "DictEqual": "==", "TupleEqual": "==", "SetEqual": "==",
}  # fmt: skip
# The texts in front of and behind the value in an assertion about one value.
ABOUT_ONE = {
    "True": ("", ""), "False": ("not ", ""), "IsNone": ("", " is None"), "IsNotNone": ("", " is not None"),
}  # fmt: skip
PATHS = {
    "exists": "exists()", "isfile": "is_file()", "isdir": "is_dir()", "islink": "is_symlink()",
    "getsize": "stat().st_size", "basename": "name", "expanduser": "expanduser()",
}  # fmt: skip


def plain_assert(source: SourceText, node: tree_sitter.Node) -> Conversion | None:
    """`self.assertEqual(a, b)` of unittest to `assert a == b`"""
    called, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    said = source.text_of(called)
    is_statement = node.parent is not None and node.parent.type == "expression_statement"
    if not said.startswith("self.assert") or listed is None or not is_statement:
        return None
    name = said.removeprefix("self.assert")
    given = [one for one in listed.named_children if one.type != "comment"]
    message = given.pop() if given and given[-1].type == "keyword_argument" else None
    n_values = 1 if name in ABOUT_ONE else 2
    if len(given) == n_values + 1 and message is None:
        message = given.pop()
    if len(given) != n_values or any(one.type in ("keyword_argument", "list_splat") for one in given):
        return None
    new = assertion(source, name, given)
    if new is None or "\n" in source.text_of(node):
        return None
    told = "" if message is None else f", {told_text(source, message)}"
    return Conversion(f"assert {name}", f"`self.assert{name}` became `assert`", f"assert {new}{told}")


def told_text(source: SourceText, message: tree_sitter.Node) -> str:
    return source.text_of(message.child_by_field_name("value") or message)


def assertion(source: SourceText, name: str, given: list[tree_sitter.Node]) -> str | None:
    """The asserted condition, as an expression."""
    if name in ABOUT_ONE:
        front, behind = ABOUT_ONE[name]
        value = source.text_of(given[0])
        is_loose = given[0].type in (
            "boolean_operator",
            "conditional_expression",
            "lambda",
            "named_expression",
        )
        is_loose = is_loose or (bool(behind) and given[0].type in LOOSE)
        return f"{front}({value}){behind}" if is_loose and (front or behind) else f"{front}{value}{behind}"
    if name in ("IsInstance", "NotIsInstance"):
        said = ", ".join(source.text_of(one) for one in given)
        return f"{'not ' if name.startswith('Not') else ''}isinstance({said})"
    if name not in COMPARED:
        return None
    left, right = (f"({source.text_of(one)})" if one.type in LOOSE else source.text_of(one) for one in given)
    return f"{left} {COMPARED[name]} {right}"


# What a part of a path may be as it is, and what binds more closely than `/`, or as closely.
PARTS = ("identifier", "attribute", "string", "call", "subscript")
CLOSE = ("binary_operator", "attribute", "subscript", "unary_operator", "await", "concatenated_string")
# What takes texts and no paths.
TEXT_GIVEN = re.compile(r"sys\.path\b|(?:os\.)?environ\b|os\.putenv\b|json\.dumps?\b|(?:re|fnmatch)\.\w+$")


def path_method(source: SourceText, node: tree_sitter.Node) -> Conversion | None:
    """`os.path.exists(name)` to `Path(name).exists()`"""
    said = source.text_of(node.child_by_field_name("function"))
    listed = node.child_by_field_name("arguments")
    name = said.removeprefix("os.path.")
    if said == "os.path.join":
        return joined_path(source, node)
    if said == name or name not in PATHS or listed is None or len(listed.named_children) != 1:
        return None
    given = listed.named_children[0]
    if given.type in ("keyword_argument", "list_splat", "generator_expression"):
        return None
    value = source.text_of(given)
    new = f"{value}.{PATHS[name]}" if value.startswith("Path(") else f"Path({value}).{PATHS[name]}"
    return Conversion(f"path {name}", f"`os.path.{name}(...)` became `Path(...).{PATHS[name]}`", new)


def joined_path(source: SourceText, node: tree_sitter.Node) -> Conversion | None:
    """`os.path.join(folder, "a")` to `Path(folder) / "a"`, where nothing binds more closely"""
    listed = node.child_by_field_name("arguments")
    given = [] if listed is None else listed.named_children
    is_close = node.parent is not None and node.parent.type in CLOSE
    if (
        len(given) < 2
        or is_close
        or is_text_alone(source, node)
        or not all(one.type in PARTS for one in given)
    ):
        return None
    first, *others = (source.text_of(one) for one in given)
    front = first if first.startswith("Path(") else f"Path({first})"
    what = "`os.path.join(...)` became `Path(...) / ...`"
    return Conversion("path join", what, " / ".join([front, *others]))


def is_text_alone(source: SourceText, node: tree_sitter.Node) -> bool:
    """Whether a path must be a text: where it is compared, in JSON, in the environment, in `sys.path`."""
    around = node.parent
    while around is not None and not around.type.endswith(("_statement", "block", "module")):
        if around.type == "comparison_operator":
            return True
        if around.type == "call" and TEXT_GIVEN.match(source.text_of(around.child_by_field_name("function"))):
            return True
        if around.type == "call":
            return False
        left = around.child_by_field_name("left") if around.type == "assignment" else None
        if TEXT_GIVEN.match(source.text_of(left)):
            return True
        around = around.parent
    return False


def other_quotes(source: SourceText, node: tree_sitter.Node) -> Conversion | None:
    """`'name'` to `"name"`, or the other way round"""
    said = source.text_of(node)
    if len(said) < 2 or said[0] not in "'\"" or said[:3] in ("'''", '"""') or "\\" in said:
        return None
    quote, other = said[0], "'\""[said[0] == "'"]
    inside = node.parent is not None and node.parent.type == "interpolation"
    if other in said or inside:
        return None
    return Conversion(f"quotes {quote}", f"{quote} became {other}", f"{other}{said[1:-1]}{other}")
