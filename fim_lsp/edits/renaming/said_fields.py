"""Members that Python libraries take by keyword or string: fields of models in queries, and options of a
command in its parsed arguments.

    -    writer = CharField()        Book.objects.filter(writer=name).order_by("-writer")
    +    author = CharField()        class Meta: ordering = ["writer"]             `author` now
    -add_argument("--output")        print(args.output)
    +add_argument("--target")                   ^ `target` now
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

import tree_sitter

from fim_lsp.edits.renaming.bound_values import value_given
from fim_lsp.edits.renaming.queried_models import SHORTCUTS, model_queried
from fim_lsp.edits.renaming.renames import LIKELY, Rename, are_alike
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.names import BINDING, Occurrence, Scope
from fim_lsp.edits.texts.source import SourceText

Path = Sequence[tree_sitter.Node]
# The methods that query objects of a model by its fields.
QUERIES = frozenset(
    {
        "filter", "exclude", "get", "order_by", "values", "values_list", "only", "defer", "create", "update",
        "get_or_create", "update_or_create", "select_related", "prefetch_related", "distinct", "filter_by",
        "earliest", "latest",
    }
)  # fmt: skip
OPTION = re.compile(r"--([A-Za-z][\w-]*)")
PARSED = re.compile(r"\bparse_(?:known_|intermixed_)?args\(")
PARSED_NAMES = ("args", "opts", "options", "namespace", "parsed")


def renamed_fields(change: FileChange, rename: Rename) -> Iterator[Replacement]:
    """The places that name a field of a model."""
    owner, around = rename.owner, model_around(rename)
    if owner is None or around is None:
        return
    name = change.old.text_of(around.child_by_field_name("name"))
    yield from fields_told(change, rename, {name}, owner)


def model_around(rename: Rename) -> tree_sitter.Node | None:
    """The class with a base whose field, made by a call, was renamed."""
    owner, value = rename.owner, value_given(rename.before)
    if owner is None or owner[1] != "class_definition" or rename.role != "bind":
        return None
    around = next(node for node in rename.before.path if (node.start_byte, node.type) == owner)
    is_model = value is not None and value.type == "call"
    return around if is_model and around.child_by_field_name("superclasses") is not None else None


def renamed_fields_there(other: FileChange, rename: Rename, names: Collection[str]) -> Iterator[Replacement]:
    """The places in another file that name a field of a model, which has some names there."""
    if model_around(rename) is not None and names:
        yield from fields_told(other, rename, names, None)


def fields_told(
    change: FileChange, rename: Rename, names: Collection[str], owner: Scope | None
) -> Iterator[Replacement]:
    for found in re.finditer(rf"\b{re.escape(rename.old)}(?:__\w+)?\b", change.old.text):
        start = change.to_new(found.start())
        stop = (start or 0) + len(rename.old)
        if start is None or change.new.text[start:stop] != rename.old:
            continue
        path = change.old.path_to(found.start())
        is_inside = any((node.start_byte, node.type) == owner for node in path)
        if any(is_told(change.old, path, found.span(), name, is_inside) for name in names):
            yield Replacement(start, stop, rename.new, rename.reason, LIKELY, f"told {rename.group}")


def is_told(source: SourceText, path: Path, place: tuple[int, int], name: str, is_inside: bool) -> bool:
    """Whether a place names a field: a keyword or string of a query for the model, a keyword of its
    constructor, or a string in its `Meta`."""
    at = len(path) - 1
    is_keyword = path[-1].type == "identifier" and path[-2].type == "keyword_argument"
    if is_keyword and path[-2].child_by_field_name("name") != path[-1]:
        return False
    if not is_keyword:
        while at and path[at].type != "string":
            at -= 1
        if not at or source.text_of(path[at]).strip("'\"").lstrip("-") != source.text[slice(*place)]:
            return False
    call = next((node for node in reversed(path[:at]) if node.type in ("call", "class_definition")), None)
    if call is None or call.type == "class_definition":
        is_meta = call is not None and source.text_of(call.child_by_field_name("name")) == "Meta"
        return is_meta and not is_keyword and is_inside
    called = call.child_by_field_name("function")
    if is_keyword and source.text_of(called) == name:
        return True
    if is_keyword and source.text_of(called) in SHORTCUTS:
        return name in (model_queried(source, call, is_one) for is_one in (True, False))
    asks = called is not None and source.text_of(called.child_by_field_name("attribute")) in QUERIES
    if not asks and call.child_by_field_name("arguments") is not None:
        return not is_keyword and is_inside and is_in_meta(source, path)
    return asks and re.search(rf"\b{re.escape(name)}\b", source.text_of(called)) is not None


def is_in_meta(source: SourceText, path: Path) -> bool:
    inner = next((node for node in reversed(path) if node.type == "class_definition"), None)
    return inner is not None and source.text_of(inner.child_by_field_name("name")) == "Meta"


# --- options ----------------------------------------------------------------------------------------------


def renamed_options(change: FileChange) -> Iterator[Replacement]:
    """The places that read a renamed option from the parsed arguments."""
    done = set()
    for replaced in change.replaced:
        old, rest = option_at(change.old, replaced.old_start)
        new, now = option_at(change.new, replaced.new_start)
        # A different option with another help text may have replaced it.
        if not old or not new or old == new or old in done or not (rest == now or are_alike(old, new)):
            continue
        done.add(old)
        reason = f"the option `{old}` is called `{new}` now"
        for one in change.old_names.of(old):
            start = change.to_new(one.start)
            if one.role != "attribute" or start is None or not is_parsed(change, one):
                continue
            if change.new.text[start : start + len(old)] == old:
                yield Replacement(start, start + len(old), new, reason, LIKELY, f"option {old} {new}")


def option_at(source: SourceText, offset: int) -> tuple[str, str]:
    """The attribute name of an option that is declared by its name alone, and the rest of its declaration."""
    path = source.path_to(offset)
    string = next((node for node in reversed(path) if node.type == "string"), None)
    call = next((node for node in reversed(path) if node.type == "call"), None)
    said = "" if call is None else source.text_of(call.child_by_field_name("function"))
    listed = None if call is None else call.child_by_field_name("arguments")
    if string is None or listed is None or not said.endswith(".add_argument"):
        return "", ""
    if any(
        child.type == "keyword_argument" and source.text_of(child.child_by_field_name("name")) == "dest"
        for child in listed.named_children
    ):
        return "", ""
    named = [OPTION.fullmatch(source.text_of(one).strip("'\"")) for one in listed.named_children]
    first = next((one for one in named if one is not None), None)
    own = OPTION.fullmatch(source.text_of(string).strip("'\""))
    is_first = first is not None and own is not None and first[0] == own[0]
    rest = source.text_of(listed).replace(source.text_of(string), "")
    return (own[1].replace("-", "_"), rest) if own is not None and is_first else ("", "")


def is_parsed(change: FileChange, one: Occurrence) -> bool:
    """Whether an attribute belongs to a parser's result."""
    value = one.parent.child_by_field_name("object")
    if value is None or value.type != "identifier":
        return False
    name = change.old.text_of(value)
    bound = [other for other in change.old_names.of(name) if other.role in BINDING]
    given = [change.old.text_of(value_given(other)) for other in bound if other.role == "bind"]
    return any(PARSED.search(text) for text in given) or (name in PARSED_NAMES and not given)
