"""Fields of format strings: a field and the keyword or key that fills it have the same name.

    "{name} of {total}".format(name=a, total=b)        "%(name)s of %(total)d" % {"name": a, "total": b}
     ^ one of the two was changed, the other one follows

The string must stand in the call itself, or be assigned to a name once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import tree_sitter

from fim_lsp.edits.renaming.literal_keys import key_of
from fim_lsp.edits.renaming.renames import LIKELY, pairs
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.names import BINDING, Occurrence, names_of
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.known_languages import PYTHON

Path = Sequence[tree_sitter.Node]
Place = tuple[int, int]
# Each file that fills format strings by names has one of these.
FILLING = (".format(", "%(")


def renamed_format_keys(change: FileChange) -> Iterator[Replacement]:
    """The fields of strings whose fillers were renamed, and the fillers of strings whose fields were."""
    for was, now, filled in field_renames(change):
        places = [*fields_of(change.old, filled, was), *fillers_of(change.old, filled, was)]
        for start, stop in places:
            at = change.to_new(start)
            if at is not None and change.new.text[at : at + stop - start] == was:
                reason = f"the text's field `{was}` is called `{now}` now"
                yield Replacement(at, at + stop - start, now, reason, LIKELY, f"field of a text {was} {now}")


@lru_cache(maxsize=4)
def field_renames(change: FileChange) -> tuple[tuple[str, str, NamedFieldText], ...]:
    """The fields that a change renamed in a string or in what fills it, with that string."""
    found = []
    is_filled = any(sign in change.old.text for sign in FILLING)
    for replaced in change.replaced if is_filled else ():
        for old, new in pairs(replaced):
            was, now = change.old.text[slice(*old)], change.new.text[slice(*new)]
            before, after = change.old_names.at(*old), change.new_names.at(*new)
            if before.role != after.role or before.role not in ("text", "keyword"):
                continue
            for filled in filled_texts(change.old, before):
                places = [*fields_of(change.old, filled, was), *fillers_of(change.old, filled, was)]
                # If the new name was already there, the user chose another field.
                if old in places and not is_there(change.old, filled, now):
                    found.append((was, now, filled))
    return tuple(found)


def is_field_of_another(change: FileChange, found: Replacement) -> bool:
    """Whether a field that was renamed in one string would be renamed in an unrelated one, or a key of a
    dictionary that fills no string."""
    if change.new.known_language is not PYTHON:
        return False
    pair = change.new.text[found.start : found.stop], found.new
    texts = {filled.text.start_byte for was, now, filled in field_renames(change) if (was, now) == pair}
    here = change.new_names.at(found.start, found.stop) if len(texts) == 1 else None
    place = found.start, found.stop
    if here is None:
        return False
    if here.role == "text" and key_of(change.new, here) and not [*filled_texts(change.new, here)]:
        return True
    return any(
        place in (*fields_of(change.new, one, pair[0]), *fillers_of(change.new, one, pair[0]))
        for one in filled_texts(change.new, here)
    )


class NamedFieldText:
    """A string with fields, and the node that fills them."""

    def __init__(self, text: tree_sitter.Node, filler: tree_sitter.Node) -> None:
        self.text, self.filler = text, filler


def filled_texts(source: SourceText, one: Occurrence) -> Iterator[NamedFieldText]:
    """The strings with fields in which a name stands, as a field or as what fills one."""
    for node in one.path:
        found = filled_text(source, node)
        if found is not None:
            yield found
    string = next((at for at, node in enumerate(one.path) if node.type == "string"), 0)
    around = one.path[string - 1] if string else None
    if around is None or around.type != "assignment" or around.child_by_field_name("left") is None:
        return
    name = source.text_of(around.child_by_field_name("left"))
    for start in source.places(name) if name.isidentifier() else ():
        path = source.path_to(start)
        for node in reversed(path[-4:-1]):
            found = filled_text(source, node)
            if found is not None and found.text == one.path[string]:
                yield found


def filled_text(source: SourceText, node: tree_sitter.Node) -> NamedFieldText | None:
    """A string that `.format(...)` or `% {...}` fills, if a node is one."""
    if node.type == "call":
        called, filler = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if called is None or source.text_of(called.child_by_field_name("attribute")) != "format":
            return None
        text = called.child_by_field_name("object")
    elif node.type == "binary_operator" and source.text_of(node.child_by_field_name("operator")) == "%":
        text, filler = node.child_by_field_name("left"), node.child_by_field_name("right")
        if filler is None or filler.type != "dictionary":
            return None
    else:
        return None
    text = text_given(source, text)
    return None if text is None or filler is None else NamedFieldText(text, filler)


def text_given(source: SourceText, node: tree_sitter.Node | None) -> tree_sitter.Node | None:
    """The string at a node, or the one that is assigned, once, to the name there."""
    while node is not None and node.type == "parenthesized_expression" and node.named_children:
        node = node.named_children[0]
    if node is None or node.type in ("string", "concatenated_string"):
        return node
    if node.type != "identifier":
        return None
    names = names_of(source)
    here = names.at(*source.span(node))
    said = source.text_of(node)
    found = names.variable(said, names.binding_scope(said, here.scopes))
    bound = [one for one in found if one.role in BINDING]
    around = bound[0].parent if len(bound) == 1 else None
    value = None if around is None or around.type != "assignment" else around.child_by_field_name("right")
    # A dictionary that fills several strings is not followed.
    is_one = len(found) == len(bound) + 1
    return value if is_one and value is not None and value.type == "string" else None


def is_there(source: SourceText, filled: NamedFieldText, name: str) -> bool:
    return any(True for find in (fields_of, fillers_of) for _ in find(source, filled, name))


def fields_of(source: SourceText, filled: NamedFieldText, name: str) -> Iterator[Place]:
    """The fields of a name in a string."""
    opened = r"\{" if filled.filler.type == "argument_list" else r"%\("
    pattern = (
        rf"(?<!\{{){opened}({re.escape(name)})\b" if opened == r"\{" else rf"{opened}({re.escape(name)})\)"
    )
    start, stop = source.span(filled.text)
    for found in re.finditer(pattern, source.text[start:stop]):
        yield start + found.start(1), start + found.end(1)


def fillers_of(source: SourceText, filled: NamedFieldText, name: str) -> Iterator[Place]:
    """The keywords or keys that fill a name."""
    for node in filled.filler.named_children:
        key = node.child_by_field_name("name" if node.type == "keyword_argument" else "key")
        said = source.text_of(key)
        if key is None or said.strip("'\"") != name:
            continue
        start, stop = source.span(key)
        shift = said.index(name)
        yield start + shift, stop - shift
