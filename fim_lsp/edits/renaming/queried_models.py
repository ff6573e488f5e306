"""The models whose objects Django's queries give.

book = Book.objects.get(isbn=isbn)          get_object_or_404(Book, isbn=isbn)
for book in Book.objects.filter(pages=3).order_by("-title"): ...
"""

from __future__ import annotations

import tree_sitter

from fim_lsp.edits.texts.source import SourceText

# The methods of a query that give one object, and those that give a query again.
GIVING_ONE = frozenset(
    name
    for method in ("get", "first", "last", "create", "earliest", "latest")
    for name in (method, f"a{method}")
)
GIVING_MANY = frozenset(
    {
        "all", "filter", "exclude", "order_by", "select_related", "prefetch_related", "distinct", "only",
        "defer", "reverse", "using", "annotate", "none", "iterator",
    }
)  # fmt: skip
MANAGER = "objects"
# The functions that take a model, and give one object of it, or several.
SHORTCUTS = {
    "get_object_or_404": True,
    "aget_object_or_404": True,
    "get_list_or_404": False,
    "aget_list_or_404": False,
}


def model_queried(source: SourceText, value: tree_sitter.Node, is_one: bool) -> str:
    """The model of which a query gives one object, or several; empty if it gives neither."""
    if value.type == "await" and value.named_children:
        value = value.named_children[0]
    called = value.child_by_field_name("function")
    if value.type != "call" or called is None:
        return ""
    if called.type == "identifier":
        given = value.child_by_field_name("arguments")
        first = given.named_children[0] if given is not None and given.named_children else None
        is_meant = SHORTCUTS.get(source.text_of(called)) is is_one
        return source.text_of(first) if is_meant and first is not None and first.type == "identifier" else ""
    name = source.text_of(called.child_by_field_name("attribute"))
    return model_asked(source, called) if name in (GIVING_ONE if is_one else GIVING_MANY) else ""


def model_asked(source: SourceText, called: tree_sitter.Node) -> str:
    """The model whose manager a chain of methods begins with: `Book` of `Book.objects.filter(...).get`."""
    node = called.child_by_field_name("object")
    while node is not None and node.type == "call":
        inner = node.child_by_field_name("function")
        name = "" if inner is None else source.text_of(inner.child_by_field_name("attribute"))
        if inner is None or name not in GIVING_MANY:
            return ""
        node = inner.child_by_field_name("object")
    if node is None or source.text_of(node.child_by_field_name("attribute")) != MANAGER:
        return ""
    of = node.child_by_field_name("object")
    return source.text_of(of) if of is not None and of.type == "identifier" else ""
