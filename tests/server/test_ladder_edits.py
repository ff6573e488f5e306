"""The kept text, tree and set-aside parts of a broken file follow its edits."""

from __future__ import annotations

import random

import pytest

from fim_lsp.document.repair import patched_text, patches
from fim_lsp.document.repair.substitute import adapt
from fim_lsp.document.sent import SentEdit, SentText
from fim_lsp.document.syntax import SyntaxTree
from fim_lsp.server.worker.job_loop import JobLoop
from fim_lsp.server.worker.messages import Answer, Close, Complete, FromWorker, MissingDocument
from quotient import Language
from tests.footings import WISHES, library_files, substitute_of, text_of
from tests.server_editor import VERSION
from tests.sessions.play import n_faults, parses
from tests.thoroughness import n_tries


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


@pytest.mark.parametrize("seed", range(n_tries(2, 4)))
def test_what_is_set_aside_follows_the_edits(seed: int) -> None:
    """The substitute is always the text with its patches, and has the same lines."""
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
    """Unless text that tree-sitter cannot read is ignored, a new tree has no more faults than the kept one.

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
    """CPython's verdict on the saved file, after any edits around its beginning."""
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
