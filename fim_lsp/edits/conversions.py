"""What has an equal that people write instead: an example says that the user does so, and the other places
are written as their equals.

    "hello %s" % name    -> f"hello {name}"        "%s: %d" % (key, n)   here as well, if `%d` was done, too
    a: Optional[int]     -> a: int | None          b: Optional[str]
    super(A, self)       -> super()

An example counts only if what was written is what the rule writes, so a change is not followed that meant
something else.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import count
from typing import NamedTuple

import tree_sitter

from fim_lsp.edits.change import FileChange, Replaced
from fim_lsp.edits.edit import Replacement
from fim_lsp.edits.rows import balanced_rows
from fim_lsp.edits.source import SourceText
from fim_lsp.edits.symbols import symbols
from fim_lsp.known_languages import PYTHON

# How sure it is that who has done it once, or more often, does it in the rest of the file; and where places
# in front were left alone.
ONCE, AGAIN, LEFT_ALONE = 0.7, 0.9, 0.4
MOST_LEVELS = 5
PERCENT = re.compile(r"%(?:%|(?P<flags>[-+ #0]*)(?P<width>\d*)(?P<digits>\.\d+)?(?P<kind>[sdrifxXeEgGoc]))|%")
FIELD = re.compile(
    r"\{\{|\}\}|\{(?P<name>\w*)(?P<rest>(?:\.\w+|\[\w+\])*)(?P<how>![rsa])?(?P<spec>:[^{}]*)?\}|[{}]"
)
# What may stand in a field as it is.
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
GENERICS = {
    "List": "list", "Dict": "dict", "Set": "set", "FrozenSet": "frozenset", "Tuple": "tuple", "Type": "type",
}  # fmt: skip


class Conversion(NamedTuple):
    """What a node becomes, by which rule: `kind` tells apart what the user may do the one of and not the
    other."""

    kind: str
    said: str
    new: str


Rule = Callable[[SourceText, tree_sitter.Node], Conversion | None]


def repeated_conversions(change: FileChange) -> Iterator[Replacement]:
    """Where else what has been converted can be."""
    made: dict[str, list[int]] = defaultdict(list)
    types: set[str] = set()
    for one, node, found in {
        node.start_byte: (one, node, said) for one, node, said in examples(change)
    }.values():
        made[found.kind].append(one.new_start)
        types.add(node.type)
    if not made:
        return
    last = {kind: max(places) for kind, places in made.items()}
    found_here: dict[str, list[tuple[int, int, Conversion]]] = defaultdict(list)
    for node in below(change.new.root, types):
        start, stop = change.new.span(node)
        one_more = conversion_of(change.new, node)
        if one_more is not None and one_more.kind in made and not change.is_typed(start, stop):
            found_here[one_more.kind].append((start, stop, one_more))
    for kind, places in found_here.items():
        n_passed = sum(start < last[kind] for start, _, _ in places)
        sure = ONCE if len(made[kind]) == 1 else AGAIN
        if n_passed >= len(made[kind]):
            sure = LEFT_ALONE
        times = "once" if len(made[kind]) == 1 else f"{len(made[kind])} times"
        for start, stop, one_more in places:
            reason = f"{one_more.said} {times}"
            yield Replacement(start, stop, one_more.new, reason, sure, f"conversion {kind}")


def explained_parts(change: FileChange) -> list[tuple[int, int]]:
    """What of the new text an example has written: an edit that follows that says nothing more."""
    return [(one.new_start, one.new_stop) for one, _, _ in examples(change)]


@lru_cache(maxsize=8)
def examples(change: FileChange) -> tuple[tuple[Replaced, tree_sitter.Node, Conversion], ...]:
    """What the user has converted: what was replaced, the node that was, and by which rule; of one node there
    may be several parts."""
    if change.new.known_language is not PYTHON:
        return ()
    found: list[tuple[Replaced, tree_sitter.Node, Conversion]] = []
    for one in balanced_rows(change):
        for node in nodes_around(change.old, one.old_start, one.old_stop):
            conversion = conversion_of(change.old, node)
            if conversion is not None and is_written(change, node, conversion.new):
                found.append((one, node, conversion))
                break
    return tuple(found)


def nodes_around(source: SourceText, start: int, stop: int) -> Iterator[tree_sitter.Node]:
    node = source.root.named_descendant_for_byte_range(
        source.byte(start), max(source.byte(stop), source.byte(start))
    )
    for _ in range(MOST_LEVELS):
        if node is None:
            return
        yield node
        node = node.parent


def is_written(change: FileChange, node: tree_sitter.Node, new: str) -> bool:
    """Whether a node became what its rule writes, blanks aside."""
    start, stop = change.old.span(node)
    lines = change.old.lines
    begin = lines.starts[lines.line_at(start)]
    # What stands in front of it in its line, and behind it, may have changed as well.
    at = change.difference.to_new(begin)
    text = change.new.text
    if at is None:
        hunk = next((one for one in change.hunks if one.old_start <= start < one.old_stop), None)
        if hunk is None:
            return False
        window = text[hunk.new_start : hunk.new_stop]
    else:
        window = text[at : at + stop - begin + len(new)]
    wanted = [new[i:j] for i, j in symbols(new)]
    there = [window[i:j] for i, j in symbols(window)]
    size = len(wanted)
    return any(there[i : i + size] == wanted for i in range(len(there) - size + 1))


def below(node: tree_sitter.Node, types: set[str]) -> Iterator[tree_sitter.Node]:
    """The nodes of some kinds, the outermost of those in one another."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one.type in types:
            yield one
        waiting += reversed(one.named_children)


def conversion_of(source: SourceText, node: tree_sitter.Node) -> Conversion | None:
    for rule in RULES.get(node.type, ()):
        found = rule(source, node)
        if found is not None:
            return found
    return None


# --- texts with fields -------------------------------------------------------------------------------------


def plain_text(source: SourceText, node: tree_sitter.Node | None) -> tuple[str, str] | None:
    """The quote of a string without a prefix, and what stands in it."""
    said = source.text_of(node)
    if node is None or node.type != "string" or not said or said[0] not in "'\"":
        return None
    quote = said[:3] if said[:3] in ("'''", '"""') else said[0]
    return quote, said[len(quote) : -len(quote)]


def field_text(source: SourceText, node: tree_sitter.Node, quote: str) -> str | None:
    """What a value is in a field; None for what cannot stand there as it is in every version."""
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
    """What stands in front of a bracket, and the parts of what stands in it."""
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


# --- what has become shorter -------------------------------------------------------------------------------


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
    word = "is" if parts[1].type == "==" else "is not"
    start, stop = source.span(parts[0])
    said = f"`{parts[1].type} None` became `{word} None`"
    return Conversion(f"none {word}", said, f"{source.text[start:stop]} {word} None")


RULES: dict[str, tuple[Rule, ...]] = {
    "binary_operator": (percent,),
    "call": (format_conversion, shorter_super),
    "generic_type": (optional, generic),
    "subscript": (optional, generic),
    "comparison_operator": (compared_to_none,),
}
