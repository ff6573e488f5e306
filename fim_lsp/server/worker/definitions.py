"""Wrong definitions: a name that a suite defines twice, and class keywords that no base takes.

    class A:
        def area(self): ...
        def area(self): ...        a model that goes on writing repeats definitions from further down
            ^
    class Config(Base = object):   no `__init_subclass__` takes it
                 ^

It is reported only if it is certain: for two definitions in one suite, if the first has no decorators and
nothing in between uses the name; for classes without bases and metaclass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import tree_sitter

from fim_lsp.checkers.advice import Diagnostic
from fim_lsp.context.outline import text_of

DEFINED = re.compile(r"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+([^\W\d]\w*)", re.MULTILINE)
WITH_KEYWORDS = re.compile(r"^[ \t]*class[ \t]+\w+[^()\n]*\([^)]*=", re.MULTILINE)
DEFINITIONS = ("function_definition", "class_definition", "decorated_definition")


def may_be_wrong(rest: str, text: str) -> bool:
    """Whether a text may have such keywords, or define a name that it or the file also defines."""
    defined = DEFINED.findall(text)
    if len(set(defined)) < len(defined) or WITH_KEYWORDS.search(text):
        return True
    return any(
        re.search(rf"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+{name}\b", rest, re.MULTILINE)
        for name in defined
    )


def wrong_definitions(root: tree_sitter.Node, content: bytes, first: int, last: int) -> Iterator[Diagnostic]:
    """The wrong definitions between two bytes."""
    pending = [root]
    while pending:
        node = pending.pop()
        inside = [one for one in node.named_children if one.start_byte < last and one.end_byte > first]
        pending += inside
        if node.type == "class_definition":
            for keyword in vain_keywords(node):
                if first <= keyword.start_byte and keyword.end_byte <= last:
                    yield wrong_name(keyword, first, "is a keyword that no base takes")
        own = [one for one in node.named_children if one.type in DEFINITIONS] if inside else []
        for one in own:
            name = name_of(one)
            if name is not None and first < name.end_byte <= last:
                others = (other for other in own if other != one and is_again(one, other, content))
                if next(others, None) is not None:
                    yield wrong_name(name, first, "is defined twice")


def name_of(definition: tree_sitter.Node) -> tree_sitter.Node | None:
    return (definition.child_by_field_name("definition") or definition).child_by_field_name("name")


def wrong_name(name: tree_sitter.Node, first: int, why: str) -> Diagnostic:
    return Diagnostic(max(name.start_byte, first), name.end_byte, f"`{text_of(name)}` {why}", is_chosen=True)


def vain_keywords(definition: tree_sitter.Node) -> list[tree_sitter.Node]:
    """The names of a class's keywords that nothing takes."""
    bases = definition.child_by_field_name("superclasses")
    given = [] if bases is None else [node for node in bases.named_children if node.type != "comment"]
    if bases is None or bases.has_error or any(node.type != "keyword_argument" for node in given):
        return []
    names = [name for node in given if (name := node.child_by_field_name("name")) is not None]
    return [] if any(text_of(name) == "metaclass" for name in names) else names


def is_again(one: tree_sitter.Node, other: tree_sitter.Node, content: bytes) -> bool:
    """Whether one of two definitions hides the other."""
    former, latter = sorted((one, other), key=lambda node: node.start_byte)
    name, again = name_of(former), name_of(latter)
    if name is None or again is None or text_of(name) in ("", "_") or text_of(name) != text_of(again):
        return False
    # A decorator may keep the first one, or the second one's decorators may use it.
    between = content[former.end_byte : again.start_byte]
    is_used = re.search(rb"(?<![\w.])%s\b" % re.escape(text_of(name).encode()), between) is not None
    return former.type != "decorated_definition" and not is_used
