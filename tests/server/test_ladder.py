"""Broken files: the reached rung, and the truth of its promise."""

from __future__ import annotations

import pytest

from fim_lsp.document.hole import Hole
from fim_lsp.document.repair import patched_text, patches
from fim_lsp.document.repair.substitute import MAX_SUBSTITUTES, Patch, Substitute
from fim_lsp.document.sent import SentEdit, SentText
from fim_lsp.document.texts import WorkerText
from fim_lsp.recognizers import fits
from fim_lsp.server.worker.choosing import harm
from fim_lsp.server.worker.ladder import Footing, footing
from fim_lsp.server.worker.messages import Rung
from fim_lsp.server.worker.site import Site
from tests.footings import footing_between, text_of
from tests.server_editor import VERSION


def check(marked: str, rung: Rung | None) -> None:
    """Checks the rung at `$0`."""
    before, _, behind = marked.partition("$0")
    on_footing = footing(Site.of(text_of(before + behind), Hole(len(before), len(before), "")))
    assert (on_footing and on_footing.rung) == rung


def test_a_file_that_some_text_mends_is_on_the_first_rung() -> None:
    check("x = [1, $0\ny = 2\n", "file")
    check("x = 1$0\n", "file")


@pytest.mark.parametrize(
    ("marked", "rung", "known", "unknown"),
    [
        # The function is broken, too; of the rest of the file, only the bound names are known.
        ("import os\nRATE = 1\ndef f(a):\n    $0\n    y = = 1\n", "left", ["a", "RATE", "os"], ["b", "re"]),
        ("class A:\n    def f(self):\n        $0\n\n", "enclosing", ["self", "y", "__class__"], ["z"]),
        # A name behind a dot alone binds nothing.
        ("RATE = a.of\ndef f(a):\n    $0\n    y = = 1\n", "left", ["a", "RATE"], ["of"]),
        (
            "import os\ndef g(b):\n    c = d\nh = (e\ndef f(a):\n    $0\n    y = = 1\n",
            "left",
            # Unreadable text counts by the names that it may bind.
            ["a", "g", "os", "h"],
            ["b", "c", "d", "e"],
        ),
        # Elsewhere, a name that an outer function binds is an ordinary word.
        (
            "def f(total):\n    def g():\n        nonlocal total\n        $0\n\n",
            "enclosing",
            ["total"],
            ["z"],
        ),
    ],
)
def test_names_are_looked_at_in_a_part_of_a_file(
    marked: str, rung: Rung, known: list[str], unknown: list[str]
) -> None:
    # The file has more broken statements than can be set aside.
    before, _, behind = (marked + "y = )\n" * 40).partition("$0")
    text, hole = text_of(before + behind), Hole(len(before), len(before), "")
    on_footing = footing(Site.of(text, hole))
    assert on_footing is not None
    assert on_footing.rung == rung
    recognizer = on_footing.with_names().recognizer
    assert all(fits(recognizer, f"print({name})") for name in known)
    assert not any(recognizer.fork().advance(f"print({name})") for name in unknown)


def test_what_is_set_aside_may_bind_what_stands_in_front_of_equals() -> None:
    before, behind = "rate = = shop.price\ndef f(a):\n    ", "\n"
    text, hole = text_of(before + behind), Hole(len(before), len(before), "")
    on_footing = footing(Site.of(text, hole))
    assert on_footing is not None
    assert on_footing.rung == "set aside"
    recognizer = on_footing.with_names().recognizer
    assert all(fits(recognizer, f"print({name})") for name in ("a", "rate"))
    assert not recognizer.fork().advance("print(price)")
    assert not recognizer.fork().advance("print(shop)")


@pytest.mark.parametrize(
    "statement",
    [
        "x = = 1",
        "foo(",
        "def (:",
        "foo)",
        "if x = 1:\n    pass",
        "for x i y:\n    pass\nelse:\n    pass",
        "try\n    x\nexcept E:\n    pass",
        "class A\n    def f(self): pass",
        "x = 'abc",
        "foo(a,\n    b\n",
        "import",
        "del f()",
        "match x\n    case 1:\n        pass",
    ],
)
@pytest.mark.parametrize("is_in_front", [True, False])
def test_an_erroneous_statement_elsewhere_is_set_aside(statement: str, is_in_front: bool) -> None:
    hole = "\n\ndef g(a):\n    return foo($0\n\n\nz = 3\n"
    check(f"{statement}\n{hole}" if is_in_front else f"{hole}\n{statement}\n", "set aside")


def test_an_error_inside_the_same_function_is_set_aside_too() -> None:
    check("def f(a):\n    x = = 1\n    if a:\n        return foo($0\n    return 2\n", "set aside")


@pytest.mark.parametrize(
    "statement", ["x = = 1", "foo(", "def (:", ")", "  if x", "            y = ]", "class"]
)
@pytest.mark.parametrize("is_in_front", [True, False])
def test_an_erroneous_line_in_the_middle_of_a_method_leaves_the_blocks_around_it(
    statement: str, is_in_front: bool
) -> None:
    """The text behind the line continues the method and the class, whatever the line's column is."""
    method = "    def f(self):\n        a = 1\n        if a:\n            b = 2\n"
    rest = "            c = 3\n        return a\n\n    def h(self):\n        return 2\n\n"
    hole = "    def g(self):\n        return foo($0\n\n"
    broken = f"{method}{statement}\n{rest}"
    check("class A:\n" + (broken + hole if is_in_front else hole + broken), "set aside")


def test_more_errors_than_can_be_set_aside_leave_the_function() -> None:
    check("del f()\n" * 10 + "def g(a):\n    return foo($0\n", "enclosing")


def test_more_errors_than_can_be_set_aside_in_the_function_leave_its_left_side() -> None:
    check("def g(a):\n    return foo($0\n" + "    del f()\n" * 10, "left")


def test_nothing_mends_an_error_in_front_of_the_cursor_on_its_line() -> None:
    check("x = ] $0\n", None)


def test_mending_keeps_lines_and_blocks() -> None:
    text = text_of("if x = 1:\n    keep()\nelse:\n    keep()\nf(\n")
    place = len(text.text) - 1
    assert footing(Site.of(text, Hole(place, place, ""))) is not None
    assert text.repair.substitute is not None
    assert text.repair.substitute.text == "if 1:\n    keep()\nelse:\n    keep()\nf(\n"


def test_an_open_bracket_sets_its_statement_aside_and_is_remembered() -> None:
    """For tree-sitter the whole file is an error; the engine finds the error one statement later."""
    functions = "".join(f"def f{number}(a):\n    return [a, {number}]\n\n\n" for number in range(300))
    broken = "x = foo(1, {\n    'a': [2,\n"
    text = text_of(functions + broken + "def g(a, b):\n    y = a[\n" + functions)
    cursor = text.text.index("y = a[") + len("y = a[")
    found = footing(Site.of(text, Hole(cursor, cursor, "")))
    assert found is not None
    assert found.rung == "set aside"
    assert text.repair.substitute is not None
    n_lines = text.text[: len(functions)].count("\n")
    assert text.repair.substitute.patches[0].old == "x = foo(1, {\n"
    # An edit in front moves the remembered part, and an edit of the line itself forgets it.
    text.edit(SentEdit(0, 0, "import os\n"))
    assert text.lines.starts.index(text.repair.substitute.patches[0].start) == n_lines + 1
    text.edit(SentEdit(text.repair.substitute.patches[0].start, text.repair.substitute.patches[0].start, "#"))
    assert "x = foo(1, {\n" not in [patch.old for patch in text.repair.substitute.patches]


def test_texts_that_are_tried_with_each_key_keep_their_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the first error set aside the second one remains, so each search tries two texts."""
    text = text_of("x = = 1\ny = = 2\n" + "def f(a):\n    return [a]\n" * 3 + "z = a")
    n_patched = []
    patch = Substitute.patch

    def counted_patch(substitute: Substitute, whole: str, patches: list[Patch]) -> None:
        n_patched.append(len(patches))
        patch(substitute, whole, patches)

    monkeypatch.setattr(Substitute, "patch", counted_patch)
    for key in "bc":
        text.edit(SentEdit(len(text.text), len(text.text), key))
        place = len(text.text)
        found = footing(Site.of(text, Hole(place, place, "")))
        assert found is not None
        assert found.rung == "set aside"
    assert n_patched == [1, 2]


def test_substitutes_are_few_and_the_oldest_one_is_used_again() -> None:
    text = text_of("a = 1\nb = 2\nc = 3\n")
    substitutes = text.repair.substitutes
    for line in (0, 1, 0, 2, 1):
        there = [*patches(text.code, {line})]
        substitute = substitutes.with_patches(text.text, there)
        assert substitute.text == patched_text(text.text, there)
        assert len(substitutes.kept) <= MAX_SUBSTITUTES
    oldest = substitutes.kept[0]
    assert substitutes.with_patches(text.text, []) is oldest
    assert oldest.text == text.text
    substitutes.keep_within(0)
    assert substitutes.memory == 0


def test_tree_sitter_has_no_say_where_the_engine_has_proved_that_the_file_parses() -> None:
    """The file uses variance annotations of TypeScript, which tree-sitter's grammar cannot read."""
    held = footing_between("interface A", " { b: T }\n", "typescript")
    assert fits(held.recognizer, "<in out T>")
    assert harm("<in out T>", held, None, may_import=False) is None


@pytest.mark.parametrize(
    ("marked", "rung"),
    [
        # The def at the cursor was once set aside with the error in front of it, and a comment was offered as
        # its block.
        ("x = = 3\ndef after(a: A) -> A:\n    $0\n\n\n@app.after\nasync def b():\n    c\n", "set aside"),
        ("x = = 3\ndef f(a):\n$0\n\ny = 1\n", "set aside"),
        ("x = = 3\nif a:\n    for b in c:\n        $0\n", "set aside"),
        ("x = = 3\ny = [\n    f(1,\n    $0\n]\n", "set aside"),
        # The fault is around the cursor, so nothing is promised.
        ("def f(:\n    $0\n\ndef g():\n    return 1\n", None),
        ("def f(\n    a,\n    b b,\n):\n    $0\n\ndef g():\n    return 1\n", None),
        ("class A:\n    def f(self):\n        if x = 1:\n            $0\n        return 2\n", None),
    ],
)
def test_what_the_cursor_is_in_is_never_set_aside(marked: str, rung: Rung | None) -> None:
    check(marked, rung)
    before, _, behind = marked.partition("$0")
    on_footing = footing(Site.of(text_of(before + behind), Hole(len(before), len(before), "")))
    if on_footing is not None:
        assert not on_footing.recognizer.is_member(), "a block, or what is in the bracket, has to come"


@pytest.mark.parametrize(
    ("begun", "written", "is_held"),
    [
        # No existing name begins like it, so it is new, and may only be bound.
        ("gen", "d_sequence.append(seq_len)", False),
        ("gen", "(seq_len)", False),
        ("gen", "erated = seq_len", True),
        ("gen", " = 1", True),
        ("seq", "_len.append(1)", True),
        ("seq", "s.append(1)", False),
        ("pri", "nt(seq_len)", True),
        ("seq_len.ap", "pend(1)", True),
        ("ret", "urn", True),
    ],
)
def test_half_a_name_is_the_beginning_of_one_that_exists_or_is_new(
    begun: str, written: str, is_held: bool
) -> None:
    left = "def f(seq_len):\n    "
    for held in (footing_between(left + begun, "\n"), begun_footing(left, begun)):
        recognizer = held.with_names().recognizer
        assert (recognizer.advance(written) and recognizer.is_member()) == is_held


def begun_footing(left: str, begun: str) -> Footing:
    """The footing when the begun word belongs to the hole, as in a popup."""
    text = left + begun + "\n"
    sent = SentText("file:///a", 0, VERSION, text)
    found = footing(Site.of(WorkerText(sent, text), Hole(len(left), len(left + begun), begun)))
    assert found is not None
    return found


@pytest.mark.parametrize("language", ["javascript", "typescript", "java", "go"])
def test_a_comment_that_hides_what_is_broken_mends_nothing(language: str) -> None:
    """`/*` would fit, because a comment ends below."""
    before, broken, behind = {
        "java": ("class A {\n  void a() {\n    b(", ");\n  }\n  void c( {\n  }\n  ", "/* d */\n}\n"),
        "go": ("package a\n\nfunc b() {\n\tc(", ")\n}\n\nfunc d( {\n}\n\n", "/* e */\n"),
    }.get(language, ("function a() {\n  b(", ");\n}\nfunction c( {\n}\n", "/* d */\n"))
    text = before + broken + behind
    sent = SentText("file:///a", 0, VERSION, text, language=language)
    site = Site.of(WorkerText(sent, text), Hole(len(before), len(before)))
    found = footing(site)
    assert found is not None
    assert found.rung != "file"
    assert fits(found.recognizer, "1")


def test_the_comment_around_the_cursor_may_be_all_that_parses() -> None:
    text = "a();\n/* b $0 c\n*/\nd();\n"
    left, right = text.split("$0")
    sent = SentText("file:///a", 0, VERSION, left + right, language="javascript")
    site = Site.of(WorkerText(sent, left + right), Hole(len(left), len(left)))
    found = footing(site)
    assert found is not None
    assert found.rung == "file"
    assert fits(found.recognizer, "words")


def test_what_opens_the_blocks_around_the_hole_is_not_set_aside() -> None:
    """`})}(a=>{` would fit: the header above is broken, and no user closes it in the middle of its body."""
    before = 'test("a", () => {\n  b();\n});\n\nfunction = f() {\n  test("c", () => {\n    d.'
    behind = "\n    e();\n  });\n}\n"
    text = before + behind
    sent = SentText("file:///a.ts", 0, VERSION, text, language="typescript")
    found = footing(Site.of(WorkerText(sent, text), Hole(len(before), len(before))))
    assert found is not None
    assert fits(found.recognizer, "g();")


@pytest.mark.parametrize(
    ("language", "before"),
    [
        ("typescript", 'test("a", () => {\n  b();\n});\n\nfunction = f() {\n  test("c", () => {\n    '),
        ("go", "package a\n\nvar = b\n\nfunc c() {\n\tif d {\n\t\t"),
    ],
)
def test_in_front_of_a_break_no_text_has_to_close_what_is_open(language: str, before: str) -> None:
    text = before + "\n} } ) = ;\n"
    sent = SentText("file:///a", 0, VERSION, text, language=language)
    found = footing(Site.of(WorkerText(sent, text), Hole(len(before), len(before))))
    assert found is not None
    assert found.rung != "file"
    assert fits(found.recognizer, "g()" if language == "go" else "g();")
