"""Broken files: which rung holds, and that what it promises is so."""

from __future__ import annotations

import ast
import random
import sys
import sysconfig
from pathlib import Path

import pytest

from fim_lsp.document.hole import Hole, fits
from fim_lsp.document.repair import patched_text, patches
from fim_lsp.document.repair.substitute import Substitute, adapt
from fim_lsp.document.sent import SentEdit, SentText
from fim_lsp.document.syntax import SyntaxTree
from fim_lsp.document.texts import WorkerText
from fim_lsp.server.worker.job_loop import JobLoop
from fim_lsp.server.worker.ladder import Footing, footing
from fim_lsp.server.worker.messages import Answer, Close, Complete, FromWorker, MissingDocument, Rung, Wishes
from fim_lsp.server.worker.site import Site
from quotient import Language
from tests.footings import footing_between
from tests.sessions.play import n_faults, parses
from tests.thoroughness import n_tries

VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
WISHES = Wishes(1, 64, 20, True, "", False, None)


def text_of(content: str) -> WorkerText:
    return WorkerText(SentText("file:///a.py", 0, VERSION, content), content)


def substitute_of(text: WorkerText) -> Substitute:
    text.repair.substitute = text.repair.substitute or Substitute(text.language, text.text)
    return text.repair.substitute


def check(marked: str, rung: Rung | None) -> None:
    """Which rung holds at `$0`."""
    before, _, behind = marked.partition("$0")
    on_footing = footing(Site.of(text_of(before + behind), Hole(len(before), len(before), "")))
    assert (on_footing and on_footing.rung) == rung


def test_a_file_that_some_text_mends_is_on_the_first_rung() -> None:
    check("x = [1, $0\ny = 2\n", "file")
    check("x = 1$0\n", "file")


@pytest.mark.parametrize(
    ("marked", "rung", "known", "unknown"),
    [
        # What is broken is in the function, too; the rest of the file is known by what it binds.
        ("import os\nRATE = 1\ndef f(a):\n    $0\n    y = = 1\n", "left", ["a", "RATE", "os"], ["b", "re"]),
        ("class A:\n    def f(self):\n        $0\n\n", "enclosing", ["self", "y", "__class__"], ["z"]),
        # What stands behind dots alone binds nothing.
        ("RATE = a.of\ndef f(a):\n    $0\n    y = = 1\n", "left", ["a", "RATE"], ["of"]),
        (
            "import os\ndef g(b):\n    c = d\nh = (e\ndef f(a):\n    $0\n    y = = 1\n",
            "left",
            # What cannot be read is known by what it may bind.
            ["a", "g", "os", "h"],
            ["b", "c", "d", "e"],
        ),
        # What a function around binds is a word elsewhere.
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
    # More of it is broken than can be set aside.
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
    """Whatever its column is: what is behind it goes on with the method, and with the class."""
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


def library_files() -> list[str]:
    folder = Path(sysconfig.get_path("stdlib"))
    names = ("textwrap.py", "heapq.py", "reprlib.py", "shlex.py")
    return [(folder / name).read_text(encoding="utf-8") for name in names]


@pytest.mark.parametrize("seed", range(n_tries(2, 4)))
def test_what_is_offered_in_broken_real_files_breaks_nothing(seed: int) -> None:
    """Real files with broken statements and a hole somewhere: the offer mends, or adds no errors."""
    generator = random.Random(seed)
    answers: list[FromWorker] = []
    job_loop = JobLoop(answers.append, lambda _: None)
    rungs: set[Rung | None] = set()
    for number in range(60):
        content = generator.choice(library_files())
        lines = content.splitlines(keepends=True)
        for _ in range(generator.randrange(3)):
            lines[generator.randrange(len(lines))] = generator.choice(["x = = 1\n", "f(\n", ")\n", "  if\n"])
        lines.insert(generator.randrange(len(lines)), "")
        place = generator.randrange(len(lines))
        lines[place] = lines[place].rstrip("\n") + generator.choice(["", "(", "[1, ", " = ("]) + "\n"
        content = "".join(lines)
        offset = len("".join(lines[: place + 1])) - 1
        sent = SentText(f"file:///{number}.py", 0, VERSION, content)
        job_loop.handle(Complete(number, sent, offset, offset, "", WISHES, 1.0))
        answer = answers[-1]
        assert isinstance(answer, Answer)
        assert answer.reason != "worker"
        rungs.add(answer.rung)
        for offer in answer.texts:
            after = content[:offset] + offer + content[offset:]
            if answer.rung == "file":
                assert parses(after), (offer, offset)
            assert n_faults(after) <= n_faults(content), (offer, offset)
    assert {"file", "set aside"} <= rungs


@pytest.mark.parametrize("seed", range(n_tries(2, 3)))
def test_a_document_that_follows_edits_is_the_one_that_is_sent_whole(seed: int) -> None:
    generator = random.Random(seed)
    content = library_files()[seed % 4]
    text = text_of(content)
    text.tree.faults(text.text)
    for _ in range(40):
        start = generator.randrange(len(text.text))
        stop = min(start + generator.choice([0, 0, 1, 20]), len(text.text))
        text.edit(
            SentEdit(start, stop, generator.choice(["x", "(", "\n", "é😀", "\r\n", "def f():\n    ", "'"]))
        )
        fresh = text_of(text.text)
        assert text.lines == fresh.lines
        assert text.engine.text == text.text
        assert [(fault.start, fault.stop) for fault in text.tree.faults(text.text)] == [
            (fault.start, fault.stop) for fault in fresh.tree.faults(text.text)
        ] or not parses(text.text), (
            "tree-sitter may recover otherwise, but not find errors where there are none"
        )


def test_edits_that_do_not_follow_ask_for_the_whole_text() -> None:
    answers: list[FromWorker] = []
    job_loop = JobLoop(answers.append, lambda _: None)
    job_loop.handle(Complete(1, SentText("file:///a.py", 0, VERSION, "f("), 2, 2, "", WISHES, 1.0))
    late = SentText("file:///a.py", 5, VERSION, None, (SentEdit(2, 2, "("),))
    job_loop.handle(Complete(2, late, 3, 3, "", WISHES, 1.0))
    assert [type(answer) for answer in answers] == [Answer, MissingDocument]


def test_one_edit_turns_one_text_into_another() -> None:
    document = Language.load("python", VERSION).document("aXb")
    for text in ("aYYb", "", "abab", "ab", "abab"):
        adapt(document, text)
        assert document.text == text


def test_bounds_are_kept() -> None:
    answers: list[FromWorker] = []
    job_loop = JobLoop(answers.append, lambda _: None)
    for number in range(40):
        sent = SentText(f"file:///{number}.py", 0, VERSION, "f(")
        job_loop.handle(Complete(number, sent, 2, 2, "", WISHES, 1.0))
    assert len(job_loop.around.texts) == job_loop.limits.documents
    text = text_of("x = 1\n" * 50)
    engine, tree = text.engine, text.tree
    engine.recognizer(10)
    assert text.memory > engine.memory + 10 * len(text.text)
    text.keep_within(1)
    assert text.engine is not engine
    assert text.tree is not tree
    job_loop.handle(Close("file:///39.py"))
    assert len(job_loop.around.texts) == job_loop.limits.documents - 1


def test_sources_of_the_test_parse() -> None:
    for content in library_files():
        ast.parse(content)


def test_an_open_bracket_sets_its_statement_aside_and_is_remembered() -> None:
    """tree-sitter calls the whole file an error; the engine finds it one statement later."""
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
    # An edit in front moves what is remembered, one of the line itself forgets it.
    text.edit(SentEdit(0, 0, "import os\n"))
    assert text.lines.starts.index(text.repair.substitute.patches[0].start) == n_lines + 1
    text.edit(SentEdit(text.repair.substitute.patches[0].start, text.repair.substitute.patches[0].start, "#"))
    assert "x = foo(1, {\n" not in [patch.old for patch in text.repair.substitute.patches]


def test_tree_sitter_has_no_say_where_the_engine_has_proved_that_the_file_parses() -> None:
    """Variance is TypeScript's, and nothing that tree-sitter's grammar reads."""
    held = footing_between("interface A", " { b: T }\n", "typescript")
    assert held.fits("<in out T>")
    assert not held.is_worse_with("<in out T>")


@pytest.mark.parametrize("seed", range(n_tries(2, 4)))
def test_what_is_set_aside_follows_the_edits(seed: int) -> None:
    """However it came about, the substitute is the text with its patches, and keeps the text's lines."""
    generator = random.Random(seed)
    content = library_files()[seed % 4]
    text = text_of(content)
    for _ in range(60):
        if generator.random() < 0.3:
            broken = {generator.randrange(len(text.lines)) for _ in range(4)}
            substitute_of(text).patch(text.text, patches(text.code, broken))
        start = generator.randrange(len(text.text))
        if substitute_of(text).patches and generator.random() < 0.5:
            patch = generator.choice(substitute_of(text).patches)
            start = min(
                generator.choice([patch.start - 1, patch.start, patch.stop - 1, patch.stop]), len(text.text)
            )
        start = max(start, 0)
        stop = min(start + generator.choice([0, 0, 1, 20, 200]), len(text.text))
        text.edit(SentEdit(start, stop, generator.choice(["x", "(", "\n", "é😀", "\r\n", ""])))
        substitute = substitute_of(text)
        assert substitute.text == patched_text(text.text, substitute.patches)
        for patch in substitute.patches:
            assert text.text[patch.start : patch.stop] == patch.old


@pytest.mark.parametrize("seed", range(n_tries(3, 8)))
def test_a_kept_tree_is_as_strict_as_one_made_anew(seed: int) -> None:
    """Where a text is not held against what it does to the tree, a tree made anew has no more faults with it.

    After many edits in a broken file tree-sitter's trees may differ from those of the whole text.
    """
    generator = random.Random(seed)
    pieces = [
        "x",
        "(",
        ")",
        "[",
        "'",
        '"""',
        "\n",
        "\n    ",
        "x = = 1\n",
        "def (:\n",
        "= ",
        ":",
        'f"{',
        "\\\n",
        "é",
    ]
    content = generator.choice(library_files())[: generator.choice([400, 2_000, 6_000])]
    tree, n_harmless = SyntaxTree(content), 0
    for _ in range(60):
        start = generator.randrange(len(content) + 1)
        stop = min(len(content), start + generator.choice([0, 0, 1, 5, 40]))
        new = generator.choice([*pieces, ""])
        tree.edit(content, start, stop, new)
        content = content[:start] + new + content[stop:]
        place = generator.choice([start + len(new), generator.randrange(len(content) + 1)])
        offer = generator.choice(pieces) + generator.choice(pieces)
        if generator.random() < 0.7 and not tree.is_worse_with(content, place, place, offer):
            n_harmless += 1
            assert n_faults(content[:place] + offer + content[place:]) <= n_faults(content)
    assert n_harmless


@pytest.mark.parametrize("seed", range(n_tries(2, 3)))
def test_a_byte_order_mark_is_one_at_the_beginning_alone(seed: int) -> None:
    """CPython's verdict on the file as it is saved, after any edits around its beginning."""
    generator = random.Random(seed)
    for _ in range(60):
        content = generator.choice(["x = 1\n", "\ufeffx = 1\n", "\ufeff\ufeffx = 1\n", ""])
        text = text_of(content)
        for _ in range(6):
            start = generator.choice([0, 0, 1, min(2, len(content))])
            start = min(start, len(content))
            stop = min(start + generator.choice([0, 0, 1, 2]), len(content))
            new = generator.choice(["", "\ufeff", "y = 1\n", "\ufeff\n", "\f"])
            content = content[:start] + new + content[stop:]
            text.edit(SentEdit(start, stop, new))
            assert len(text.text) == len(content)
            assert text.engine.text == text.text
            assert parses(text.text) == parses(content), content


@pytest.mark.parametrize(
    ("marked", "rung"),
    [
        # The def at the cursor was set aside with the error in front of it, and a comment was offered as its
        # block.
        ("x = = 3\ndef after(a: A) -> A:\n    $0\n\n\n@app.after\nasync def b():\n    c\n", "set aside"),
        ("x = = 3\ndef f(a):\n$0\n\ny = 1\n", "set aside"),
        ("x = = 3\nif a:\n    for b in c:\n        $0\n", "set aside"),
        ("x = = 3\ny = [\n    f(1,\n    $0\n]\n", "set aside"),
        # What is wrong is around the cursor: nothing is promised.
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


def headers(tree: ast.AST, line: int) -> set[int]:
    """The first lines, from 0, of the compound statements in whose first block a line is."""
    return {
        node.lineno - 1
        for node in ast.walk(tree)
        if isinstance(
            node, ast.FunctionDef | ast.ClassDef | ast.If | ast.For | ast.While | ast.With | ast.Try
        )
        and node.body[0].lineno - 1 <= line < (node.body[-1].end_lineno or 0)
    }


@pytest.mark.parametrize("name", ["textwrap.py", "shlex.py", "bisect.py", "queue.py", "heapq.py"])
def test_in_real_files_the_headers_around_the_cursor_stay(name: str) -> None:
    source = Path(sysconfig.get_path("stdlib"), name).read_text("utf-8")
    tree, lines = ast.parse(source), source.split("\n")
    chosen = random.Random(name)
    inside = [number for number in range(len(lines)) if lines[number].strip() and headers(tree, number)]
    n_set_aside = 0
    for _ in range(40):
        line, broken = chosen.choice(inside), chosen.randrange(len(lines))
        around = headers(tree, line)
        if broken in around or broken == line:
            continue
        spoilt = [*lines]
        spoilt[broken] = chosen.choice(["x = = 1", "    y y", "def (:", ")", "        foo("])
        text = text_of("\n".join(spoilt))
        offset = text.lines.starts[line] + len(spoilt[line])
        on_footing = footing(Site.of(text, Hole(offset, offset, "")))
        if on_footing is not None and on_footing.rung == "set aside":
            n_set_aside += 1
            assert text.repair.substitute is not None
            replaced = {text.lines.line_at(patch.start) for patch in text.repair.substitute.patches}
            assert not replaced & (around | {line}), (
                f"cut in line {line + 1}, {spoilt[broken]!r} in {broken + 1}"
            )
    assert n_set_aside >= 5


@pytest.mark.parametrize(
    ("begun", "written", "is_held"),
    [
        # No name begins like it: it is new, so it is bound, and not used.
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
    """The same where what is begun belongs to the hole, as it does in a popup's."""
    text = left + begun + "\n"
    sent = SentText("file:///a", 0, VERSION, text)
    found = footing(Site.of(WorkerText(sent, text), Hole(len(left), len(left + begun), begun)))
    assert found is not None
    return found
