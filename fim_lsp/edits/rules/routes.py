"""Names that a path, an option or a list of parameters says in a string: they belong to one function.

app.get("/users/:id", (req) => find(req.params.id))       "/users/:userId", and `req.params.userId`
app.get("/carts/:id", (req) => show(req.params.id))       stays: this is another `id`
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import tree_sitter

from fim_lsp.edits.renaming.renames import LIKELY, pairs
from fim_lsp.edits.texts.change import FileChange, Replaced
from fim_lsp.edits.texts.edit import JOINT, Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.texts.symbols import WORD

# What asks for a part of the path by its name: `c.Param("id")`, `@PathVariable("id")`, `req.params.id`.
READING = re.compile(r"(?:Param|Params|param|URLParam|PathValue|PathVariable|PathParam)\Z")
HELD = re.compile(r"(?:\bparams|\bvars)\Z")
FUNCTIONS = ("function_declaration", "method_declaration", "variable_declarator")
CALLS = ("call", "call_expression", "method_invocation")
ARGUMENTS = ("arguments", "argument_list")
# The names that `parametrize` is given.
LISTING = "parametrize"
MOST_CHARACTERS = 300


def renamed_route_parts(change: FileChange) -> Iterator[Replacement]:
    """The places of a function that ask for a renamed part of its path, or that part in the path."""
    for replaced in change.replaced:
        for old, new in pairs(replaced):
            was, now = change.old.text[slice(*old)], change.new.text[slice(*new)]
            owner = owner_of(change.old, old[0], was)
            if owner is None:
                continue
            spots = dict(spots_in(change.old, owner, was))
            if old[0] not in spots or any(True for _ in spots_in(change.old, owner, now)):
                continue
            for start, shape in spots.items():
                at = change.to_new(start)
                if at is not None and change.new.text[at : at + len(was)] == was:
                    reason = f"the path's part `{was}` is called `{now}` now"
                    text, group = shape.format(name=was, new=now), f"{JOINT}route {was} {now} {owner[0]}"
                    yield Replacement(at, at + len(was), text, reason, LIKELY, group)


def spots_in(source: SourceText, owner: tuple[int, int], name: str) -> Iterator[tuple[int, str]]:
    """The places of a part of the path in the path, in its function and in the one that handles it, each with
    the shape of its new text."""
    spans = [owner, *handlers_of(source, owner, name)]
    for start in source.places(name):
        at = source.byte(start)
        if not any(first <= at < last for first, last in spans):
            continue
        shape = shape_of_part(source, source.path_to(start), name)
        if shape:
            yield start, shape


def shape_of_part(source: SourceText, path: Sequence[tree_sitter.Node], name: str) -> str:
    """The shape of a renamed part's new text at a place; empty if it is no such part."""
    node = path[-1]
    around = path[-2] if len(path) > 1 else node
    if "string" in node.type:
        while "string" in around.type and around.parent is not None:
            node, around = around, around.parent
        if source.text_of(node)[1:-1] == name:
            return "{new}" if is_asked(source, around) else ""
        return "{new}" if names(source, node, name) else ""
    if node.type == "property_identifier" and around.type == "member_expression":
        return "{new}" if HELD.search(source.text_of(around.child_by_field_name("object"))) else ""
    if node.type == "shorthand_property_identifier_pattern":
        declarator = next((one for one in reversed(path) if one.type == "variable_declarator"), None)
        value = None if declarator is None else declarator.child_by_field_name("value")
        return "{new}: {name}" if HELD.search(source.text_of(value)) else ""
    return ""


def is_asked(source: SourceText, around: tree_sitter.Node) -> bool:
    """Whether a string is the name by which a part of the path is asked for."""
    if around.type in ("subscript_expression", "index_expression"):
        return HELD.search(source.text_of(around.named_children[0])) is not None
    call = around if around.parent is None else around.parent
    if around.type == "element_value_pair":
        call = call if call.parent is None else call.parent
    called = call.child_by_field_name("function") or call.child_by_field_name("name")
    return called is not None and READING.search(source.text_of(called)) is not None


def handlers_of(source: SourceText, owner: tuple[int, int], name: str) -> Iterator[tuple[int, int]]:
    """The functions of the file that a call is given by their names, if no other route with that part has
    them."""
    call = source.root.descendant_for_byte_range(owner[0], owner[1])
    listed = next((one for one in call.named_children if one.type in ARGUMENTS), None) if call else None
    for given in [] if listed is None else listed.named_children:
        if given.type != "identifier":
            continue
        paths = [source.path_to(start) for start in source.places(source.text_of(given))]
        routes = {owner_of(source, source.offset(path[-1].start_byte), name) for path in paths}
        for path in paths if routes <= {owner, None} else []:
            if path[-2].type in FUNCTIONS and path[-2].child_by_field_name("name") == path[-1]:
                yield path[-2].start_byte, path[-2].end_byte


def is_name_of_another_route(change: FileChange, found: Replacement) -> bool:
    """Whether a substitution would rename what another function's path, option or list of parameters names,
    or a place that none of these has to do with."""
    pair = change.new.text[found.start : found.stop], found.new
    if not WORD.fullmatch(pair[0]):
        return False
    owner = owner_of_all(change, *pair)
    if owner is None:
        return False
    here = change.to_old(found.start)
    return here is None or owner_of(change.old, here, pair[0]) != owner


@lru_cache(maxsize=64)
def owner_of_all(change: FileChange, old: str, new: str) -> tuple[int, int] | None:
    """The one route in which a name was replaced, if it was not replaced elsewhere, too."""
    made = [one for one in change.replaced if (one.old, one.new) == (old, new)]
    owners = {owner_of(change.old, one.old_start, old) for one in made}
    known = [owner for owner in owners if owner is not None]
    if len(known) != 1 or (None in owners and not all_belong(change, made, known[0])):
        return None
    return known[0]


def all_belong(change: FileChange, made: Sequence[Replaced], owner: tuple[int, int]) -> bool:
    """Whether all examples outside of a route are where its handler asks for the part."""
    spots = dict(spots_in(change.old, owner, made[0].old))
    return all(
        one.old_start in spots or owner_of(change.old, one.old_start, one.old) is not None for one in made
    )


def owner_of(source: SourceText, offset: int, name: str) -> tuple[int, int] | None:
    """The function, or the call that is given one, that has a name in a string around a place; its bytes."""
    path = source.path_to(offset)
    for node in reversed(path):
        while node.type == "decorator" and node.next_named_sibling is not None:
            # In TypeScript, decorators stand in front of their method.
            node = node.next_named_sibling
        listed = namers(node)
        if any(names(source, one, name) for one in listed):
            return min(node.start_byte, listed[0].start_byte), node.end_byte
    return None


def namers(node: tree_sitter.Node) -> Sequence[tree_sitter.Node]:
    """The nodes whose strings may name what a function is given."""
    match node.type:
        case "decorated_definition":
            return [one for one in node.named_children if one.type == "decorator"]
        case "method_declaration":
            return [one for one in node.named_children if one.type == "modifiers"]
        case "method_definition":
            found, one = [], node.prev_named_sibling
            while one is not None and one.type == "decorator":
                found.append(one)
                one = one.prev_named_sibling
            return found[::-1]
        case kind if kind in CALLS:
            listed = next((one for one in node.named_children if one.type in ARGUMENTS), None)
            given = [] if listed is None else listed.named_children
            return given[:1] if len(given) > 1 else []
    return []


def names(source: SourceText, node: tree_sitter.Node, name: str) -> bool:
    """Whether a string in a node has a name in a path, as an option or in a list of parameters."""
    start, stop = source.span(node)
    said = source.text[start : min(stop, start + MOST_CHARACTERS)]
    word = re.escape(name)
    is_in_path = rf"""["'`](?:(?:[^"'`\n]*/)?:|[^"'`\n]*[{{<\[](?:\w+:)?){word}\b[^"'`\n]*["'`]"""
    if re.search(is_in_path, said) or re.search(rf"""["']--?{word}["'=/]""", said):
        return True
    return LISTING in said and re.search(rf"\b{word}\b", said) is not None
