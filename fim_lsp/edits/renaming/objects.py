"""The class of an object, as far as the file shows it (`table = Table()`, `table: Table`, `Table().add`), and
the subclasses of a class."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Iterator
from functools import lru_cache

import tree_sitter

from fim_lsp.edits.renaming.asked_classes import COMPREHENSIONS, classes_asked
from fim_lsp.edits.renaming.queried_models import model_queried
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.names import BINDING, Names, Occurrence, Scope, names_of
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.texts.symbols import WORD

NAMED_CALL = re.compile(r"([^\W\d]\w*)\((?:[^()]|\([^()]*\))*\)")
# The methods and functions that copy an object with some fields changed.
COPYING = ("_replace", "model_copy", "__replace__")
COPIED_BY = ("replace", "dataclasses.replace", "copy.replace", "evolve", "attrs.evolve", "attr.evolve")
# The functions that give the items of a list, and the number of that argument.
COPIES_OF_LISTS = {"sorted": 0, "list": 0, "reversed": 0, "tuple": 0, "set": 0, "filter": 1}
# The most steps from a list to the one that it was made from.
DEEPEST = 4
# `list[Table]` and the like hold tables.
LISTED = re.compile(
    r"^(?:\w+\.)?(?:[lL]ist|[sS]et|[fF]rozen[sS]et|[tT]uple|Sequence|Iterable|Iterator|Collection|[dD]eque)"
    r"\[['\"]?([^\W\d]\w*)['\"]?(?:, *\.\.\.)?\]$"
)
# `dict[str, Table]` and the like have tables as values.
MAPPED = re.compile(
    r"^(?:\w+\.)?(?:[dD]ict|Mapping|MutableMapping|[dD]efault[dD]ict|OrderedDict)"
    r"\[[\w. \[\]]+, *['\"]?([^\W\d]\w*)['\"]?\]$"
)
# `'Table'`, `Table | None` and `Optional[Table]` are tables, or nothing.
ANNOTATED = re.compile(
    r"^['\"]?(?:(?:typing\.)?Optional\[)?([^\W\d]\w*)(?:\[[^\[\]]*\])?(?:\]| *\| *None)?['\"]?$"
)


def class_made(source: SourceText, names: Names, one: Occurrence, said: str) -> str:
    """The class of an object: `Table()`, or a variable that every binding makes a table, such as
    `table = Table()`, `table: Table`, `with Table() as table`; otherwise empty."""
    if (made := NAMED_CALL.fullmatch(said)) is not None:
        return class_returned(names, one, made[1])
    if said.startswith("self.") and said[len("self.") :].isidentifier():
        return class_kept(source, names, one, said[len("self.") :])
    if not said.isidentifier():
        return ""
    owner = names.binding_scope(said, one.scopes)
    classes = set()
    for other in names.variable(said, owner) if owner is not None else []:
        if other.role in BINDING:
            value = value_bound(other)
            of = None if value is None else object_copied(source, value)
            # A copy with the name of its original says nothing new.
            if of is None or source.text_of(of) != said:
                classes.add(class_given(source, names, other))
    return next(iter(classes)) if len(classes) == 1 else ""


def is_member_of(
    source: SourceText,
    names: Names,
    one: Occurrence,
    classes: Collection[str],
    scopes: Container[Scope | None],
) -> bool:
    """Whether an attribute's object is proven to be of one of some classes: by their names, and by their
    places in the file."""
    if one.role != "attribute":
        return False
    said = object_in_front(source, one)
    if said in ("self", "cls") or said.startswith("super("):
        return class_of(one) in scopes
    if said in classes or class_made(source, names, one, said) in classes:
        return True
    return any(name in classes for name in classes_asked(source, names, one, said))


def names_field(
    source: SourceText,
    names: Names,
    one: Occurrence,
    classes: Collection[str],
    scopes: Container[Scope | None],
) -> bool:
    """Whether a keyword names a field of one of some classes: where an object is constructed, copied with
    changes, or matched by a pattern."""
    if one.role != "keyword" or len(one.path) < 5:
        return False
    if one.parent.type == "keyword_pattern":
        pattern = one.path[-4]
        return pattern.type == "class_pattern" and source.text_of(pattern.named_children[0]) in classes
    call = one.path[-4]
    called = call.child_by_field_name("function")
    if call.type != "call" or called is None:
        return False
    of = object_copied(source, call)
    if of is None:
        said = source.text_of(called)
        return said in classes or (said in ("cls", "type(self)") and class_of(one) in scopes)
    said = source.text_of(of)
    if said in ("self", "cls"):
        return class_of(one) in scopes
    return class_made(source, names, names.at(*source.span(of)), said) in classes


def object_in_front(source: SourceText, one: Occurrence) -> str:
    """The text in front of the dot of an attribute, which may stand in a pattern."""
    if one.parent.type == "attribute":
        return source.text_of(one.parent.child_by_field_name("object"))
    return source.text[source.span(one.parent)[0] : one.start].rstrip().removesuffix(".")


def class_returned(names: Names, one: Occurrence, called: str) -> str:
    """The class of a call's result: the called class, or the annotation of a function of the file."""
    found = names.variable(called, names.binding_scope(called, one.scopes))
    functions = [other.parent for other in found if other.role == "function"]
    if not functions:
        return called
    said = names.source.text_of(functions[0].child_by_field_name("return_type"))
    is_plain = len(functions) == 1 and functions[0].children[0].type == "def"
    return ANNOTATED.sub(r"\1", said) if is_plain else ""


def object_copied(source: SourceText, value: tree_sitter.Node) -> tree_sitter.Node | None:
    """The object that a call copies: `order` in `replace(order, count=1)`."""
    called, listed = value.child_by_field_name("function"), value.child_by_field_name("arguments")
    if value.type != "call" or called is None or listed is None:
        return None
    if called.type == "attribute" and source.text_of(called.child_by_field_name("attribute")) in COPYING:
        return called.child_by_field_name("object")
    is_copied = source.text_of(called) in COPIED_BY and listed.named_children
    return listed.named_children[0] if is_copied else None


def class_of_value(source: SourceText, names: Names, value: tree_sitter.Node | None) -> str:
    """The class of the object that a call makes, or that a query finds."""
    if value is not None and (model := model_queried(source, value, is_one=True)):
        return model
    if value is None or value.type != "call":
        return ""
    of = object_copied(source, value)
    called = value.child_by_field_name("function")
    if of is None and called is not None and called.type != "identifier":
        return source.text_of(called)
    node = called if of is None else of
    if node is None:
        return ""
    one = names.at(*source.span(node))
    return (
        class_returned(names, one, source.text_of(node))
        if of is None
        else class_made(source, names, one, source.text_of(node))
    )


def list_ordered(source: SourceText, one: Occurrence) -> tree_sitter.Node | None:
    """The list whose items a lambda gets, as in `max(tables, key=lambda table: table.size)`."""
    call = next((node for node in reversed(one.path) if node.type == "call"), None)
    called = None if call is None else call.child_by_field_name("function")
    listed = None if call is None else call.child_by_field_name("arguments")
    if called is None or listed is None:
        return None
    said, given = source.text_of(called), listed.named_children
    if said in ("max", "min", "sorted") and given:
        return given[0]
    if said in ("map", "filter") and len(given) == 2:
        return given[1]
    return called.child_by_field_name("object") if said.endswith(".sort") else None


def class_of_items(source: SourceText, names: Names, value: tree_sitter.Node, depth: int = DEEPEST) -> str:
    """The class of the items of a list: by the annotation of its variable, by what is assigned to that, or
    by the list from which it was sorted, cut or chosen."""
    if value.type in COMPREHENSIONS:
        return class_chosen(source, names, value, depth)
    if value.type in ("list", "tuple", "set") and value.named_children:
        made = {class_of_value(source, names, node) for node in value.named_children}
        return made.pop() if len(made) == 1 else ""
    if model := model_queried(source, value, is_one=False):
        return model
    of = list_copied(source, value)
    if of is not None:
        return class_of_items(source, names, of, depth - 1) if depth else ""
    if values := class_of_values(source, names, value, "values"):
        return values
    said = source.text_of(value)
    if value.type == "attribute" and said.startswith("self."):
        return class_of_items_kept(source, names, value)
    if value.type != "identifier":
        return ""
    one = names.at(*source.span(value))
    bound = [
        other
        for other in names.variable(said, names.binding_scope(said, one.scopes))
        if other.role in BINDING
    ]
    around = bound[0].parent if len(bound) == 1 else None
    annotation = "" if around is None else source.text_of(around.child_by_field_name("type"))
    if found := LISTED.match(annotation):
        return found[1]
    given = None if around is None or annotation else value_bound(bound[0])
    return class_of_items(source, names, given, depth - 1) if given is not None and depth else ""


def class_of_items_kept(source: SourceText, names: Names, value: tree_sitter.Node) -> str:
    """The class of the items of a list in an attribute of `self`, by its one annotation in the class."""
    at = source.span(value)
    name = source.text_of(value.child_by_field_name("attribute"))
    owner = class_of(names.at(at[1] - len(name), at[1]))
    said = set()
    for other in names.of(name):
        around = other.parent if other.role == "bind" else other.path[-3] if len(other.path) > 2 else None
        if around is None or around.type != "assignment" or class_of(other) != owner:
            continue
        if annotation := source.text_of(around.child_by_field_name("type")):
            said.add(annotation)
    found = LISTED.match(said.pop()) if owner is not None and len(said) == 1 else None
    return found[1] if found else ""


def class_chosen(source: SourceText, names: Names, value: tree_sitter.Node, depth: int) -> str:
    """The class of the items of `[row for row in rows if row.ok]`, or of `[Row(one) for one in ones]`."""
    body = value.child_by_field_name("body")
    clauses = [node for node in value.named_children if node.type == "for_in_clause"]
    if body is None or body.type != "identifier":
        return class_of_value(source, names, body)
    left, right = (clauses[-1].child_by_field_name(field) for field in ("left", "right"))
    if right is None or source.text_of(left) != source.text_of(body) or not depth:
        return ""
    return class_of_items(source, names, right, depth - 1)


def list_copied(source: SourceText, value: tree_sitter.Node) -> tree_sitter.Node | None:
    """The list whose items a list has: `rows` in `sorted(rows, key=f)`, `rows[1:]`."""
    if value.type == "subscript":
        index = value.child_by_field_name("subscript")
        return value.child_by_field_name("value") if index is not None and index.type == "slice" else None
    called, given = value.child_by_field_name("function"), value.child_by_field_name("arguments")
    if value.type != "call" or given is None or not given.named_children:
        return None
    number = COPIES_OF_LISTS.get(source.text_of(called))
    return given.named_children[number] if number is not None and number < len(given.named_children) else None


def class_of_values(source: SourceText, names: Names, value: tree_sitter.Node, method: str) -> str:
    """The class of the values of a dictionary, by its annotation: `table.values()`, `table.items()`."""
    called = value.child_by_field_name("function") if value.type == "call" else None
    of = None if called is None else called.child_by_field_name("object")
    if of is None or source.text_of(called).rpartition(".")[2] != method or of.type != "identifier":
        return ""
    said = source.text_of(of)
    scopes = names.at(*source.span(of)).scopes
    bound = [one for one in names.variable(said, names.binding_scope(said, scopes)) if one.role in BINDING]
    found = (
        MAPPED.match(source.text_of(bound[0].parent.child_by_field_name("type"))) if len(bound) == 1 else None
    )
    return found[1] if found else ""


def value_bound(one: Occurrence) -> tree_sitter.Node | None:
    """The value that an assignment gives to a name."""
    field = {"assignment": "right", "named_expression": "value"}.get(one.parent.type)
    return None if field is None else one.parent.child_by_field_name(field)


def class_kept(source: SourceText, names: Names, one: Occurrence, attribute: str) -> str:
    """The class of an object in an attribute of `self`, if all assignments in its class agree."""
    owner = class_of(one)
    classes = set()
    for other in names.of(attribute):
        around = other.path[-3] if len(other.path) > 2 else other.parent
        is_own = other.role == "attribute" and class_of(other) == owner
        if not is_own or around.type != "assignment" or around.child_by_field_name("left") != other.parent:
            continue
        value = around.child_by_field_name("right")
        if value is not None and value.type == "identifier":
            start, stop = source.span(value)
            classes.add(class_made(source, names, names.at(start, stop), source.text_of(value)))
        else:
            classes.add(class_annotated(source, names, around))
    return next(iter(classes)) if owner is not None and len(classes) == 1 else ""


def class_of(one: Occurrence) -> Scope | None:
    """The class around a place."""
    return next((scope for scope in one.scopes if scope[1] == "class_definition"), None)


def class_annotated(source: SourceText, names: Names, assignment: tree_sitter.Node) -> str:
    """The class that an assignment gives, by its annotation or by a call."""
    said = source.text_of(assignment.child_by_field_name("type"))
    if said:
        return ANNOTATED.sub(r"\1", said)
    value = assignment.child_by_field_name("right") or assignment.child_by_field_name("value")
    return class_of_value(source, names, value)


def class_given(source: SourceText, names: Names, one: Occurrence) -> str:
    """The class of the value that a binding gives to a name."""
    around = one.parent
    match around.type:
        case "typed_parameter" | "typed_default_parameter":
            return ANNOTATED.sub(r"\1", source.text_of(around.child_by_field_name("type")))
        case "assignment" | "named_expression":
            return class_annotated(source, names, around)
        case "as_pattern_target" if one.path[-3].type == "as_pattern":
            return class_of_value(source, names, one.path[-3].named_children[0])
        case "for_statement" | "for_in_clause":
            value = around.child_by_field_name("right")
            return "" if value is None else class_of_items(source, names, value)
        case "pattern_list" if one.path[-3].type in ("for_statement", "for_in_clause"):
            value = one.path[-3].child_by_field_name("right")
            is_second = len(around.named_children) == 2 and around.named_children[1] == one.path[-1]
            return class_of_values(source, names, value, "items") if value is not None and is_second else ""
        case "lambda_parameters" if len(around.named_children) == 1:
            value = list_ordered(source, one)
            return "" if value is None else class_of_items(source, names, value)
    return ""


def family(change: FileChange, owner: Scope | None) -> dict[Scope | None, str]:
    """A class and its subclasses in the file, with their names; empty outside of classes."""
    if owner is None or owner[1] != "class_definition":
        return {}
    return family_of(change.old, owner, ())


def family_of(source: SourceText, owner: Scope | None, names: Iterable[str]) -> dict[Scope | None, str]:
    """The subclasses in a file of one of its classes, or of classes given by name."""
    found: dict[Scope | None, str] = {}
    said = {*names}
    for scope, name, bases in classes_of(source):
        if scope == owner or bases & said:
            found[scope] = name
            said.add(name)
    return found


def heirs_without(source: SourceText, name: str, method: str) -> Iterator[str]:
    """The classes of a file that are derived from one and do not override a method of it."""
    own = {*names_of(source).binding_scopes(method)}
    for scope, heir in family_of(source, None, (name,)).items():
        if scope not in own:
            yield heir


@lru_cache(maxsize=8)
def classes_of(source: SourceText) -> tuple[tuple[Scope, str, frozenset[str]], ...]:
    """The classes of a file, each with its name and the words of its bases."""
    return tuple(
        (
            (node.start_byte, node.type),
            source.text_of(node.child_by_field_name("name")),
            frozenset(WORD.findall(source.text_of(node.child_by_field_name("superclasses")))),
        )
        for node in classes_below(source.root)
    )


def classes_below(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The top-level classes, and the classes in them."""
    for child in node.named_children:
        inner = child.child_by_field_name("definition") if child.type == "decorated_definition" else child
        if inner is not None and inner.type == "class_definition":
            yield inner
            body = inner.child_by_field_name("body")
            if body is not None:
                yield from classes_below(body)
        elif child.type in ("if_statement", "try_statement", "block", "else_clause"):
            yield from classes_below(child)
