"""Real files with broken statements: offers add no errors, and the headers around the cursor stay."""

from __future__ import annotations

import ast
import random
import sysconfig
from pathlib import Path

import pytest

from fim_lsp.document.hole import Hole
from fim_lsp.document.sent import SentText
from fim_lsp.server.worker.job_loop import JobLoop
from fim_lsp.server.worker.ladder import footing
from fim_lsp.server.worker.messages import Answer, Complete, FromWorker, Rung
from fim_lsp.server.worker.site import Site
from tests.footings import WISHES, library_files, text_of
from tests.server_editor import VERSION
from tests.sessions.play import n_faults, parses
from tests.thoroughness import n_tries


@pytest.mark.parametrize("seed", range(n_tries(2, 4)))
def test_what_is_offered_in_broken_real_files_breaks_nothing(seed: int) -> None:
    """The files have a hole somewhere: an offer repairs the file, or adds no errors."""
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


def test_sources_of_the_test_parse() -> None:
    for content in library_files():
        ast.parse(content)


def headers(tree: ast.AST, line: int) -> set[int]:
    """The first lines, counted from 0, of the compound statements around a line in their first blocks."""
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
