"""Keywords for a Python function that is handed to another one with its arguments: they follow a renamed
parameter.

def area(width): ...                 def area(breadth): ...
partial(area, width=2)               partial(area, breadth=2)
Thread(target=area, kwargs={"width": 2})
area(**{"width": 2})
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from fim_lsp.edits.functions.calls import of_method, owner_of
from fim_lsp.edits.functions.signatures import Altered
from fim_lsp.edits.renaming.renames import SURE
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.names import Occurrence
from fim_lsp.edits.texts.source import SourceText

# Functions that pass their keywords on to their first argument.
HANDING = ("partial", "partialmethod", "submit", "to_thread", "run_sync", "enterContext")
TARGET = "target"


def renamed_keywords_handed(change: FileChange, function: Altered) -> Iterator[Replacement]:
    """The keywords of renamed parameters, where the function is an argument."""
    before = function.before
    for one in change.old_names.of(before.name) if function.renamed else ():
        if before.owner is None:
            is_it = one.role == "use" and change.old_names.owner(one) == owner_of(change, function)
        else:
            is_it = one.role == "attribute" and of_method(change, one, function) == SURE
        for name in keywords_beside(change.old, one) if is_it else ():
            start, stop = change.old.span(name)
            old, at = change.old.text[start:stop], change.to_new(start)
            if old in function.renamed and at is not None and change.new.text[at : at + len(old)] == old:
                new = function.renamed[old]
                reason = f"the parameter `{old}` is called `{new}` now"
                yield Replacement(at, at + len(old), new, reason, SURE, f"handed {old} {new}")


def keywords_beside(source: SourceText, one: Occurrence) -> Iterator[tree_sitter.Node]:
    """The names of the keywords that are passed on to a function that is an argument."""
    at = len(one.path) - (2 if one.role == "attribute" else 1)
    function, listed, call = one.path[at], one.path[at - 1], one.path[at - 2]
    if listed.type == "call" and listed.child_by_field_name("function") == function:
        given = listed.child_by_field_name("arguments")
        for other in [] if given is None else given.named_children:
            if other.type == "dictionary_splat" and other.named_children:
                yield from keys_of(other.named_children[0])
    if listed.type == "argument_list" and listed.named_children[0] == function:
        called = source.text_of(call.child_by_field_name("function")).rpartition(".")[2]
        for other in listed.named_children if called in HANDING else ():
            if (name := other.child_by_field_name("name")) is not None:
                yield name
    is_target = listed.type == "keyword_argument" and source.text_of(listed.child_by_field_name("name"))
    for other in call.named_children if is_target == TARGET else ():
        value = other.child_by_field_name("value")
        if source.text_of(other.child_by_field_name("name")) == "kwargs" and value is not None:
            yield from keys_of(value)


def keys_of(literal: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The texts that are keys of a dictionary."""
    for pair in literal.named_children if literal.type == "dictionary" else ():
        key = pair.child_by_field_name("key")
        if key is not None and key.type == "string" and len(key.named_children) == 3:
            yield key.named_children[1]
