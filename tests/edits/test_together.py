"""Code that is put around something, and edits that stay refused until the user makes one by hand."""

from __future__ import annotations

import pytest

from fim_lsp.context.import_place import Asker
from fim_lsp.context.importable import ImportSource as Importing
from fim_lsp.edits.next_edits import EditContext, next_edits
from fim_lsp.edits.repeating.rows import is_balanced
from fim_lsp.edits.repeating.substitutions import substitutions
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import NextEdit
from fim_lsp.edits.texts.refusals import Refusals
from quotient import Language

PATH = "shop/till.py"


def edits(old: str, new: str, around: EditContext | None = None, bar: float = 0.65) -> list[NextEdit]:
    return next_edits(FileChange.of(PATH, old, new), Language.load("python"), around, bar)


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("a = db[table].rows\n", "a = db.table(table).rows\n", ("[table]", ".table(table)")),
        ('def f(x: "Till") -> None: ...\n', "def f(x: Till) -> None: ...\n", ('"Till"', "Till")),
        ("x: Optional[int] = 1\n", "x: int | None = 1\n", ("Optional[int]", "int | None")),
    ],
)
def test_what_is_put_around_something_is_one_substitution(old: str, new: str, key: tuple[str, str]) -> None:
    assert key in {one.key for one in substitutions([FileChange.of(PATH, old, new)])}


def test_halves_that_hold_by_themselves_are_not_joined() -> None:
    found = substitutions([FileChange.of(PATH, "a = one(x) + two(x)\n", "a = three(x) + four(x)\n")])
    assert {one.key for one in found} == {("one", "three"), ("two", "four")}


@pytest.mark.parametrize(
    ("text", "is_so"), [("f(a)", True), ("f(", False), (")(", False), ('"a"', True), ("'", False), ("", True)]
)
def test_what_opens_closes(text: str, is_so: bool) -> None:
    assert is_balanced(text) == is_so


def test_who_makes_by_hand_what_was_refused_is_shown_it_again() -> None:
    rows = ["self.parent = a\n", "log(b.parent)\n", "log(c.parent)\n", "log(d.parent)\n"]
    refusals = Refusals()
    refusals.add(PATH, "parent", "info", "".join(rows))
    once = "".join([rows[0], rows[1].replace("parent", "info"), *rows[2:]])
    twice = once.replace("c.parent", "c.info")
    key = PATH, "parent", "info"
    assert refusals.standing({PATH: "".join(rows)}) == {key}
    assert refusals.standing({PATH: once}) == {key}
    assert not refusals.standing({PATH: twice})
    # Words that were only added, or only removed, prove nothing.
    assert refusals.standing({PATH: "log(b.info, c.info, parent, parent, parent, parent)\n"}) == {key}
    assert refusals.standing({PATH: ""}) == {key}


def test_a_cause_that_was_refused_at_one_call_is_not_followed_at_the_next() -> None:
    old = "def till(a, b):\n    return a\n\n\nx = till(1, b=2)\ny = 1\nz = till(3, b=4)\n"
    new = old.replace("till(a, b)", "till(a)")
    first, *rest = edits(old, new)
    assert rest
    refused = {(first.path, first.old, first.new)}
    assert not edits(old, new, EditContext(refused=refused))


def test_a_module_does_not_import_from_itself() -> None:
    old = "import sys\n\n\ndef f():\n    return 1\n"
    new = old.replace("return 1", "return Till(1)")

    def importable(name: str) -> Importing | None:
        return Importing("shop.till", "Till", name) if name == "Till" else None

    own = EditContext(importable, Asker("shop.till", False, frozenset({"shop"})))
    other = EditContext(importable, Asker("shop.door", False, frozenset({"shop"})))
    assert not edits(old, new, own)
    assert any("import Till" in edit.new for edit in edits(old, new, other))
