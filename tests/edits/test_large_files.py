"""Results that are computed in parts, for speed in large files, equal those of the whole file."""

from __future__ import annotations

from random import Random

import pytest
import tree_sitter

from fim_lsp.dialects import is_plain
from fim_lsp.document.syntax import parser
from fim_lsp.edits.functions.placed_calls import adapted_placed_calls
from fim_lsp.edits.next_edits import next_edits
from fim_lsp.edits.proving.proof import Proof, compiles
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.hunks import LEAST_LONG, LineDiff, line_by_line
from fim_lsp.edits.texts.source import SourceText, children_between
from fim_lsp.known_languages import language_named
from fim_lsp.server.next_edits.messages import Changed, FindNextEdits
from fim_lsp.server.next_edits.working_out import WorkingOut
from quotient import Document, Language

OUTER = """\
x = 1


@final
class Outer(Base):
    a = 1

    class Inner:
        @property
        def one(self, first):
            y = first
            def inner():
                nonlocal y
                y = x
            return inner

    async def two(self):
        await self.one(y)
        for z in x: continue


class Said:
    global x
    def three(self): return x
    b = 2
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("self, first", "self, first, last"),
        ("self, first", "first, first"),
        ("y = first", "z = first"),
        ("await self.one(y)", "return self.one(y)"),
        ("await self.one(y)", "yield from self.one(y)"),
        ("continue", "pass"),
        ("for z in x: continue", "continue"),
        ("async def two", "def two"),
        ("a = 1", "return 1"),
        ("a = 1", "global x; x = 1"),
        ("a = 1", "nonlocal x"),
        ("    def three(self)", "    x: int = 1\n    def three(self)"),
        ("b = 2", "x = 2"),
        ("b = 2", "x: int = 2"),
        ("class Outer(Base)", "class Outer(x for x in y, z)"),
        ("    class Inner:\n        @property\n", "    class Inner:\n"),
        ("    async def two", "async def two"),
        ("y = first\n", "return first\n"),
        ("x = 1\n", "return\n"),
    ],
)
def test_members_of_a_class_compile_by_themselves_as_in_the_whole_file(old: str, new: str) -> None:
    assert compiles(OUTER)
    start = OUTER.index(old)
    proof = Proof(SourceText("a.py", OUTER), Language.load("python", version="3.11"))
    whole = OUTER[:start] + new + OUTER[start + len(old) :]
    assert proof.compiles(start, start + len(old), new) == compiles(whole)


def test_of_a_file_s_parts_those_are_found_that_are_touched() -> None:
    root = SourceText("a.py", OUTER).root
    size = len(OUTER)
    for first in range(0, size, 3):
        for last in (first, first + 1, first + 40, size):
            expected = [one for one in root.children if one.start_byte <= last and first <= one.end_byte]
            assert children_between(root, first, last) == expected, (first, last)


def test_lines_that_stayed_where_they_were_are_compared_one_by_one() -> None:
    random = Random(7)
    for _ in range(50):
        old = [f"line {random.randint(0, 30)}\n" for _ in range(4 * LEAST_LONG)]
        new = list(old)
        for number in sorted(random.sample(range(len(old)), 12)):
            new[number] = f"another {number}\n"
        found = line_by_line(old, new)
        assert found is not None
        assert [number for first, last in found for number in range(first, last)] == [
            number for number, (one, other) in enumerate(zip(old, new, strict=True)) if one != other
        ]
        hunks = LineDiff.of("".join(old), "".join(new)).hunks
        assert [(hunk.old_first, hunk.old_last) for hunk in hunks] == found
        assert [(hunk.new_first, hunk.new_last) for hunk in hunks] == found


def test_a_line_that_was_moved_is_not_taken_for_two_that_were_replaced() -> None:
    old = [f"line {number}\n" for number in range(4 * LEAST_LONG)]
    new = [*old[:20], *old[21:40], old[20], *old[40:]]
    assert line_by_line(old, new) is None
    [gone, come] = LineDiff.of("".join(old), "".join(new)).hunks
    assert (gone.old_first, gone.old_last, gone.new_last - gone.new_first) == (20, 21, 0)
    assert (come.new_first, come.new_last, come.old_last - come.old_first) == (39, 40, 0)


def test_what_is_known_of_a_document_follows_where_its_work_began() -> None:
    texts = [OUTER, OUTER.replace("first", "begin", 1), OUTER.replace("first", "begin")]
    texts.append(texts[2].replace("a = 1", "a = 2"))

    def asked(working_out: WorkingOut, old: str, new: str) -> object:
        changed = Changed("file:///a.py", "python", "3.11", old, new)
        return working_out.find_edits(FindNextEdits(1, changed, 0.5, 50)).edits

    kept = WorkingOut()
    steps = [(0, 1), (1, 1), (1, 2), (0, 2), (2, 3), (3, 3), (0, 1), (1, 0)]
    for before, now in steps:
        expected = asked(WorkingOut(), texts[before], texts[now])
        assert asked(kept, texts[before], texts[now]) == expected, (before, now)
    assert asked(kept, texts[0], texts[1]) != ()


def test_whether_elements_are_meant_is_asked_where_one_was_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file with something like the end of an element is read once, to learn that it has no elements."""
    asked = 0

    def counted(text: str) -> bool:
        nonlocal asked
        asked += 1
        return is_plain(text)

    monkeypatch.setattr("fim_lsp.dialects.is_plain", counted)
    between = "use(1);\n" * 20
    old = f"const end = '/>';\n{between}let total = 1;\nuse(total);\nuse(total);\n"
    working_out = WorkingOut()
    found = []
    for new in (
        old,
        old.replace("total", "sum", 1),
        old.replace("(total)", "(total", 1),
        f"{old}use(<b/>);\n",
    ):
        changed = Changed("file:///a.js", "javascript", None, old, new)
        found.append(working_out.find_edits(FindNextEdits(1, changed, 0.5, 50)).edits)
    assert (asked, [len(edits) for edits in found]) == (2, [0, 1, 1, 0])


def test_in_a_file_that_does_not_parse_nothing_is_read_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the text before the change nor that after each edit is read anew; only the changed parts
    are."""
    old = "let total = 1;\n" + "use(total, total);\n" * 30
    new = old.replace("total", "sum").replace("use(sum, sum);", "use(sum, total;", 10) + "for (;\n"
    texts, trees = 0, 0
    document, parse = Language.document, parser

    def counted_document(language: Language, text: str) -> Document:
        nonlocal texts
        texts += 1
        return document(language, text)

    class CountedParser:
        def parse(self, content: bytes, tree: tree_sitter.Tree | None = None) -> tree_sitter.Tree:
            nonlocal trees
            trees += tree is None
            known = parse(change.new.known_language)
            return known.parse(content) if tree is None else known.parse(content, tree)

    change = FileChange.of("a.js", old, new, language_named("javascript"))
    monkeypatch.setattr(Language, "document", counted_document)
    monkeypatch.setattr("fim_lsp.edits.texts.source.parser", lambda _: CountedParser())
    assert next_edits(change, Language.load("javascript"), bar=0.3) != []
    # The tree of the present text, and the trees of both others.
    assert (texts, trees) == (1, 2)


def test_the_calls_of_a_function_are_followed_in_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice as many calls, and declared names, take twice as many looks at the tree."""
    looks = 0
    path_to = SourceText.path_to

    def counted(source: SourceText, offset: int) -> list[tree_sitter.Node]:
        nonlocal looks
        looks += 1
        return path_to(source, offset)

    monkeypatch.setattr(SourceText, "path_to", counted)
    taken = []
    for count in (50, 100):
        uses = "".join(f"function f{n}(a, key) {{\n  return area(a, {n});\n}}\n" for n in range(count))
        old, new = (f"function area({said}) {{}}\n" + uses for said in ("a, b", "b, key"))
        change = FileChange.of("a.js", old, new, language_named("javascript"))
        looks = 0
        assert len([*adapted_placed_calls(change)]) == 2 * count
        taken.append(looks)
    assert taken[1] < 2.5 * taken[0]


def test_a_text_that_was_written_anew_says_nothing() -> None:
    lines = [f"def f{n}(a, b):\n    return a + b\n" for n in range(2_500)]
    old, known_language = "".join(lines), language_named("python")
    few, many = old.replace("f0(a, b)", "f0(first, b)"), old.replace("a + b", "a - b")
    language = Language.load("python")
    assert next_edits(FileChange.of("a.py", old, few, known_language), language) != []
    change = FileChange.of("a.py", old, many, known_language)
    assert change.is_rewrite
    assert next_edits(change, language) == []
    assert not FileChange.of("a.py", old, few, known_language).is_rewrite
