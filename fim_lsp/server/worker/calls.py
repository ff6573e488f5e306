"""Wrong calls in a text, checked against the file's own definitions.

A call may have a keyword that is no parameter, or too many arguments (`definitions.py` has wrong
definitions). This needs no type checker, and is reported only if it is certain:

    def area(width, height): ...
    area(3, 4, depth=5)        a top-level function, bound once, without decorators, `*` and `**`
    self.scale(by=2)           a method of the enclosing class, with the same conditions
    Point(1, 2, 3)             a class without bases, by its `__init__`

tree-sitter parses the file with the text in its hole; only arguments inside the text count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import tree_sitter

from fim_lsp.checkers.advice import Diagnostic
from fim_lsp.context.outline import text_of
from fim_lsp.decoding.writing.advised import Adviser
from fim_lsp.document.syntax import encode_text
from fim_lsp.document.texts import WorkerText
from fim_lsp.server.worker.definitions import may_be_wrong, wrong_definitions

# A name with more places is not looked up.
MOST_PLACES = 200
CALLED = re.compile(r"([^\W\d]\w*)[ \t]*\(")
# The cursor's call is searched so many bytes in front of it.
LOOKED_BACK = 500
# What stands in front of a definition's name.
HEADER = re.compile(r"[ \t]*(?:async[ \t]+def|def|class)[ \t]+")
WORD = re.compile(r"\w")
DEL = re.compile(r"\bdel\b")
# Code that may bind any name: an import of everything, and these words. One pattern for all of them takes ten
# times as long.
IMPORT_OF_ALL = re.compile(rb"import\s*\*")
BINDERS = {name: re.compile(rb"\b%s\b" % name) for name in (b"globals", b"setattr", b"exec")}
# Statements that bind, or may bind, names.
BINDING = {
    "aliased_import",
    "as_pattern_target",
    "augmented_assignment",
    "default_parameter",
    "delete_statement",
    "dictionary_splat_pattern",
    "dotted_name",
    "for_in_clause",
    "for_statement",
    "global_statement",
    "lambda_parameters",
    "list_pattern",
    "list_splat_pattern",
    "named_expression",
    "nonlocal_statement",
    "parameters",
    "pattern_list",
    "tuple_pattern",
    "type_parameter",
    "typed_default_parameter",
    "typed_parameter",
}


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a function. Those in front of `/` have no names for callers."""

    places: tuple[str, ...]
    n_nameless: int
    keywords: frozenset[str]

    @classmethod
    def of(cls, parameters: tree_sitter.Node, is_method: bool) -> Signature | None:
        """The signature; None if it takes any arguments, or cannot be read."""
        places: list[str] = []
        keywords: set[str] = set()
        n_nameless, is_by_keyword = 0, False
        for node in parameters.named_children:
            match node.type:
                case "identifier" | "default_parameter" | "typed_default_parameter" | "typed_parameter":
                    name = node.child_by_field_name("name") or node
                    name = name if name.type != "typed_parameter" else name.named_children[0]
                    if name.type != "identifier":
                        return None
                    keywords.add(text_of(name)) if is_by_keyword else places.append(text_of(name))
                case "positional_separator":
                    n_nameless = len(places)
                case "keyword_separator":
                    is_by_keyword = True
                case "comment":
                    pass
                case _:
                    return None
        if is_method and not places:
            return None
        first = 1 if is_method else 0
        return cls(tuple(places[first:]), max(n_nameless - first, 0), frozenset(keywords))

    def mistakes(self, arguments: Sequence[tree_sitter.Node]) -> Iterator[tuple[tree_sitter.Node, str]]:
        """The wrong arguments of a call, with reasons."""
        n_given = 0
        for node in arguments:
            if node.type == "keyword_argument":
                name = text_of(node.child_by_field_name("name"))
                is_given = name in self.places[:n_given]
                if name not in (*self.places[self.n_nameless :], *self.keywords) or is_given:
                    why = "is given twice" if is_given else "is no parameter"
                    yield node, f"`{name}` {why}"
            else:
                n_given += 1
                if n_given > len(self.places):
                    yield node, f"it takes {len(self.places)} arguments by place"


@dataclass(slots=True)
class Calls:
    """An adviser that knows a document's functions, and adds its diagnostics to another adviser's."""

    text: WorkerText
    start: int
    stop: int
    begun: str
    other: Adviser | None = None
    who: str = "this file"

    def diagnostics(self, text: str) -> Sequence[Diagnostic] | None:
        self.who = "this file"
        if found := self._wrong(text):
            return sorted(found, key=lambda one: one.start)
        if self.other is None:
            return None
        self.who = self.other.who
        return self.other.diagnostics(text)

    def members(self, text: str) -> frozenset[str] | None:
        return None if self.other is None else self.other.members(text)

    def members_at_cursor(self) -> tuple[str, frozenset[str]] | None:
        return None if self.other is None else self.other.members_at_cursor()

    def _wrong(self, text: str) -> list[Diagnostic]:
        whole = self.text.text
        called = set(CALLED.findall(whole[max(self.start - LOOKED_BACK, 0) : self.start] + self.begun + text))
        # Most offers call no function of the file, and parsing a long file takes 10 ms.
        is_called = any(defines(whole, name) for name in called)
        line = whole[whole.rfind("\n", 0, self.start) + 1 : self.start] + self.begun
        is_defined = may_be_wrong(whole[: self.start] + "\n" + whole[self.stop :], line + text)
        if not is_called and not is_defined:
            return []
        root, content = self.text.tree.with_text(whole, self.start, self.stop, self.begun + text)
        first = len(encode_text(whole[: self.start] + self.begun))
        last = first + len(encode_text(text))
        if is_untold(content):
            return []
        found = []
        for wrong in against(root, content, first, last):
            start, stop = (
                len(content[first:place].decode("utf-8", "surrogatepass"))
                for place in (wrong.start, wrong.stop)
            )
            found.append(replace(wrong, start=start, stop=stop))
        return sorted(found, key=lambda one: one.start)


def is_untold(content: bytes) -> bool:
    """Whether a file may bind any name."""
    return IMPORT_OF_ALL.search(content) is not None or any(
        name in content and word.search(content) for name, word in BINDERS.items()
    )


def defines(text: str, name: str) -> bool:
    """Whether a line of a text begins with the definition of a name. Only the name's own places are read."""
    for blank in " \t" if "\t" in text else " ":
        place = text.find(blank + name)
        while place >= 0:
            start, end = place + 1, place + 1 + len(name)
            # Behind `def` or `class`, and perhaps more blanks.
            if text[place - 1 : place] in "fs \t":
                line_start = text.rfind("\n", 0, start) + 1
                if HEADER.fullmatch(text, line_start, start) and not WORD.match(text, end):
                    return True
            place = text.find(blank + name, end)
    return False


def against(root: tree_sitter.Node, content: bytes, first: int, last: int) -> Iterator[Diagnostic]:
    """The faults between two bytes."""
    for call in calls_between(root, first, last):
        for node, why in wrong_arguments(call, root, content):
            if first <= node.start_byte and node.end_byte <= last:
                called = text_of(call.child_by_field_name("function"))
                yield Diagnostic(beginning(node, first), node.end_byte, f"`{called}`: {why}")
    yield from wrong_definitions(root, content, first, last)


def beginning(argument: tree_sitter.Node, first: int) -> int:
    """The start of a wrong argument; a superfluous one begins with its comma."""
    comma = argument.prev_sibling
    is_more = argument.type != "keyword_argument" and comma is not None and comma.type == ","
    return comma.start_byte if is_more and comma and comma.start_byte >= first else argument.start_byte


def calls_between(root: tree_sitter.Node, first: int, last: int) -> Iterator[tree_sitter.Node]:
    """The calls that overlap two bytes."""
    pending = [root]
    while pending:
        node = pending.pop()
        if node.type == "call":
            yield node
        pending += [one for one in node.named_children if one.start_byte < last and one.end_byte > first]


def wrong_arguments(
    call: tree_sitter.Node, root: tree_sitter.Node, content: bytes
) -> Iterator[tuple[tree_sitter.Node, str]]:
    arguments = call.child_by_field_name("arguments")
    if arguments is None or arguments.type != "argument_list" or arguments.has_error:
        return
    given = [node for node in arguments.named_children if node.type != "comment"]
    if any(node.type in ("list_splat", "dictionary_splat") for node in given):
        return
    signature = signature_of(call.child_by_field_name("function"), root, content)
    if signature is not None:
        yield from signature.mistakes(given)


def signature_of(
    function: tree_sitter.Node | None, root: tree_sitter.Node, content: bytes
) -> Signature | None:
    """The signature of a call's function, if it is certain."""
    if function is None:
        return None
    if function.type == "identifier":
        return signature_at_the_margin(text_of(function), root, content)
    if function.type != "attribute" or text_of(function.child_by_field_name("object")) != "self":
        return None
    method, around = enclosing_class(function)
    if method is None or around is None or not is_plain(method):
        return None
    parameters = method.child_by_field_name("parameters")
    if parameters is None or not parameters.named_children or text_of(parameters.named_children[0]) != "self":
        return None
    name = text_of(function.child_by_field_name("attribute"))
    body = around.child_by_field_name("body")
    text = text_of(around)
    # A name that is assigned on `self`, or defined twice, may be anything.
    is_set = re.search(rf"\.\s*{name}\s*(?:=[^=]|:[^:]|,)", text) or is_deleted(name, text)
    named = [] if body is None else [one for one in body.children if name in names_of(one)]
    if is_set or len(named) != 1 or named[0].type != "function_definition":
        return None
    own = named[0].child_by_field_name("parameters")
    return None if own is None else Signature.of(own, is_method=True)


def is_deleted(name: str, text: str) -> bool:
    """Whether a `del` stands in front of a member in its line."""
    deleting = (line[found.end() :] for line in text.split("\n") if (found := DEL.search(line)))
    return any(re.search(rf"\.\s*{name}\b", rest) for rest in deleting)


def signature_at_the_margin(name: str, root: tree_sitter.Node, content: bytes) -> Signature | None:
    places = [found.span() for found in re.finditer(rb"\b%s\b" % re.escape(name.encode()), content)]
    if len(places) > MOST_PLACES:
        return None
    definition = None
    for start, stop in places:
        node = root.descendant_for_byte_range(start, stop)
        parent = None if node is None else node.parent
        if node is None or parent is None or node.type != "identifier":
            continue
        if parent.type in ("function_definition", "class_definition"):
            if parent.child_by_field_name("name") != node:
                continue
            is_member = parent.parent is not None and parent.parent.type == "block"
            if is_member and enclosing_definition(parent) == "class_definition":
                # A method, which a bare name does not call.
                continue
            if definition is not None or parent.parent != root:
                return None
            definition = parent
        elif parent.type in BINDING or (
            parent.type == "assignment" and parent.child_by_field_name("left") == node
        ):
            return None
    if definition is None or not is_plain(definition):
        return None
    if definition.type == "class_definition":
        return signature_of_class(definition)
    parameters = definition.child_by_field_name("parameters")
    return None if parameters is None else Signature.of(parameters, is_method=False)


def signature_of_class(definition: tree_sitter.Node) -> Signature | None:
    body = definition.child_by_field_name("body")
    if body is None or definition.child_by_field_name("superclasses") is not None:
        return None
    makers = [one for one in body.children if names_of(one) & {"__init__", "__new__"}]
    if len(makers) != 1 or makers[0].type != "function_definition" or "__init__" not in names_of(makers[0]):
        return None
    parameters = makers[0].child_by_field_name("parameters")
    return None if parameters is None else Signature.of(parameters, is_method=True)


def names_of(statement: tree_sitter.Node) -> set[str]:
    """The names that a statement of a class body may bind: a definition's name, or else all words."""
    if statement.type in ("function_definition", "class_definition"):
        return {text_of(statement.child_by_field_name("name"))}
    if statement.type == "decorated_definition":
        return {text_of(child.child_by_field_name("name")) for child in statement.named_children}
    return set(re.findall(r"\w+", text_of(statement)))


def is_plain(definition: tree_sitter.Node) -> bool:
    """Whether a definition has no decorators."""
    return definition.parent is not None and definition.parent.type != "decorated_definition"


def enclosing_definition(node: tree_sitter.Node) -> str:
    around = node.parent
    while around is not None and around.type not in ("class_definition", "function_definition", "module"):
        around = around.parent
    return "" if around is None else around.type


def enclosing_class(
    node: tree_sitter.Node,
) -> tuple[tree_sitter.Node | None, tree_sitter.Node | None]:
    """The method directly around a place, and the method's class."""
    method: tree_sitter.Node | None = node.parent
    while method is not None and method.type not in ("function_definition", "lambda", "class_definition"):
        method = method.parent
    if method is None or method.type != "function_definition":
        return None, None
    around = method.parent
    while around is not None and around.type in ("block", "decorated_definition"):
        around = around.parent
    return (method, around) if around is not None and around.type == "class_definition" else (None, None)
