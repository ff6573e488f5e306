"""Type checkers as advisers: which one is asked, what it may cost, and how its answers are used."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from fim_lsp.checkers.advice import (
    LEAST_WAITED_SECONDS,
    MOST_LATE,
    MOST_STARTS,
    MOST_WAITED_SECONDS,
    Advice,
    Checkers,
    Diagnostic,
)
from fim_lsp.checkers.finding import Checker, checker_of
from fim_lsp.checkers.process import CheckerProcess
from fim_lsp.decoding.choices.lessons import Lessons
from fim_lsp.decoding.choices.members import Members
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.texts.hypothesis import Ending, Hypothesis
from fim_lsp.decoding.texts.marks import Mark
from fim_lsp.decoding.texts.written import Written
from fim_lsp.decoding.writing.advised import write_advised
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.document.sent import SentText
from fim_lsp.server.worker.completers import GrammarAlone
from fim_lsp.server.worker.job_loop import JobLoop
from fim_lsp.server.worker.messages import Close, Trusted
from fim_lsp.system.programs import executable, scripts_of
from quotient import Language
from tests.models import Script, Wavering, tiny_model
from tests.scripted import checker as fake

PATIENCE = 120.0
MEMBERS = frozenset(("append", "area"))
PYTHON = Language.load("python", version="3.11")
LEFT, RIGHT = "value = [1]\n", "\n"


def command(*words: str) -> Checker:
    return Checker("fake", (sys.executable, str(fake.__file__), *words))


def until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def checkers_of(folder: Path, *words: str, patience: float = 10_000.0) -> Checkers:
    return Checkers((str(folder),), patience, lambda _: command(*words))


def advice_of(checkers: Checkers, folder: Path, left: str = LEFT, right: str = RIGHT) -> Advice:
    uri = (folder / "a.py").as_uri()
    checkers.prepare(uri, left + right)
    process = checkers._processes[str(folder)]
    assert process is not None
    assert process.is_ready.wait(PATIENCE)
    advice = checkers.advice(uri, left, right, False)
    assert advice is not None
    return advice


@pytest.mark.parametrize("words", [(), ("publishes",)])
def test_a_checker_says_what_is_wrong_and_which_members_there_are(folder: Path, words: tuple[str]) -> None:
    checkers = checkers_of(folder, *words)
    try:
        advice = advice_of(checkers, folder, left=f"wrong\n{LEFT}")
        assert advice.diagnostics("print(value)") == []
        assert advice.diagnostics("wrong") == [Diagnostic(0, 5, "wrong: no")]
        assert advice.diagnostics("é = 1; value.size + wrong") == [
            Diagnostic(7, 17, "value.size: no", attribute=13),
            Diagnostic(20, 25, "wrong: no"),
        ]
        assert advice.members("x = value.") == MEMBERS
        assert advice.members("x = other.") is None
        at_cursor = advice_of(checkers, folder, left=f"{LEFT}value.a").members_at_cursor()
        assert at_cursor == ("a", MEMBERS)
    finally:
        checkers.end()


@pytest.mark.parametrize("way", ["dies", "garbles", "floods", "is silent"])
def test_a_checker_that_does_not_do_its_work_is_of_no_account(folder: Path, way: str) -> None:
    asked: list[Path] = []

    def find(folder: Path) -> Checker:
        asked.append(folder)
        return command(way)

    checkers = Checkers((str(folder),), 1.0, find)
    uri = (folder / "a.py").as_uri()
    try:
        for _ in range(MOST_STARTS + 2):
            checkers.prepare(uri, LEFT)
            process = checkers._processes[str(folder)]
            if process is None:
                continue
            if way == "is silent":
                process.end()
            else:
                until(lambda process=process: process.is_over)  # type: ignore[misc]
        assert checkers.advice(uri, LEFT, RIGHT, False) is None
        # The checker is started a few times, and then no more.
        assert len(asked) == MOST_STARTS
    finally:
        checkers.end()


def test_what_comes_too_late_is_not_waited_for(folder: Path) -> None:
    checkers = checkers_of(folder)
    try:
        advice = advice_of(checkers, folder)
        advice.waited = math.inf
        assert advice.diagnostics("wrong") is None
        assert advice.members("value.") is None
    finally:
        checkers.end()


def test_answers_are_waited_for_as_long_as_a_share_of_what_the_model_took(folder: Path) -> None:
    checkers = checkers_of(folder, patience=1.0)
    try:
        advice = advice_of(checkers, folder)
        advice.began = math.inf
        assert advice.left_to_wait == LEAST_WAITED_SECONDS
        advice.began, advice.waited = -math.inf, LEAST_WAITED_SECONDS
        assert advice.left_to_wait == MOST_WAITED_SECONDS - LEAST_WAITED_SECONDS
        # A checker that is late repeatedly is hardly waited for.
        checkers.n_late = MOST_LATE
        assert advice.left_to_wait == 0.0
    finally:
        checkers.end()


def test_a_checker_ends_with_trust_in_its_folder(folder: Path) -> None:
    job_loop = JobLoop(lambda _: None, lambda _: None)
    job_loop.serving.completer = GrammarAlone()
    job_loop.around.checkers.find = lambda _: command()
    text = SentText((folder / "a.py").as_uri(), 1, "3.11", LEFT)
    job_loop.prepare(text)
    assert not job_loop.around.checkers._processes
    job_loop.handle(Trusted((str(folder),)))
    job_loop.prepare(text)
    process = job_loop.around.checkers._processes[str(folder)]
    assert process is not None
    child = psutil.Process(process.pid)
    job_loop.handle(Close(text.uri))
    job_loop.handle(Trusted(()))
    child.wait(PATIENCE)
    assert process.is_over
    assert process.ask("textDocument/diagnostic", {}) is None


def test_a_checker_is_not_told_keys(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder chooses the checker, which may pass on what it is given."""
    for name in ("FIM_LSP_API_KEY", "HF_TOKEN", "fim_lsp_own"):
        monkeypatch.setenv(name, "a key")
    told = folder / "told"
    program = "import os, pathlib, sys; pathlib.Path(sys.argv[1]).write_text(' '.join(os.environ))"
    process = CheckerProcess(Checker("told", (sys.executable, "-c", program, str(told))), folder)
    try:
        until(lambda: told.exists() and "fim_lsp_own" in told.read_text().split())
    finally:
        process.end()
    assert not {"FIM_LSP_API_KEY", "HF_TOKEN"} & set(told.read_text().split())


def test_a_folder_has_the_checker_of_its_environment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = folder / "elsewhere"
    programs = [
        scripts_of(folder / ".venv") / executable("basedpyright-langserver"),
        elsewhere / executable("ty"),
    ]
    for program in programs:
        program.parent.mkdir(parents=True, exist_ok=True)
        program.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(elsewhere))
    assert checker_of(folder) == Checker("basedpyright-langserver", (str(programs[0]), "--stdio"))
    assert checker_of(elsewhere) == Checker("ty", (str(programs[1]), "server"))
    # A relative entry would depend on the current folder.
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PATH", "elsewhere")
    assert checker_of(elsewhere) is None


@pytest.mark.parametrize(
    ("behind", "begun", "text", "added", "is_allowed"),
    [
        ("", "", "", "app", True),
        ("", "", "", "appn", False),
        ("", "", "app", "end(", True),
        ("", "", "app", "(", False),
        ("", "ap", "", "pend", True),
        ("", "ap", "", "ple", False),
        ("", "append", "", "(wrong.x", True),
        ("", "", "append(", "x.y", True),
        ("x = a.", "", "x = a", ".ar", True),
        ("x = a.", "", "x = a", ".b", False),
        ("x = a.", "", "y", ".b", True),
        ("x = a.", "", "x = a.", "area", True),
    ],
)
def test_members_are_asked_for_where_their_name_is_written(
    behind: str, begun: str, text: str, added: str, is_allowed: bool
) -> None:
    rule = Members.of(behind, begun, MEMBERS)
    assert rule is not None
    assert rule.allows(Hypothesis(None, text=text.encode()), added.encode()) is is_allowed


@pytest.mark.parametrize(
    ("left", "first", "second"),
    [
        # The member exists, but another one was wanted.
        (LEFT, "value.push(2)", "value.append(2)"),
        (f"{LEFT}value.", "push(2)", "append(2)"),
        (f"{LEFT}value.a", "dd(2)", "ppend(2)"),
        # A wrong name is not written twice.
        (f"{LEFT}wrong = 1\n", "wrong.real", "value.area"),
        (f"{LEFT}wrong = 1\nx = [", "value, wrong]", "value, 1]"),
    ],
)
def test_a_text_goes_back_to_where_it_went_wrong(folder: Path, left: str, first: str, second: str) -> None:
    model = replace(tiny_model(), runtime=Wavering(tiny_model(), left, (first, second)))
    checkers = checkers_of(folder)
    try:
        advice = advice_of(checkers, folder, left)
        recognizer = PYTHON.recognizer(left, RIGHT, ())
        options = Options(max_tokens=32)
        [without] = DecodingSession(model).complete(CompletionRequest(left, RIGHT, recognizer, options))
        session = DecodingSession(model)
        [advised] = session.complete(CompletionRequest(left, RIGHT, recognizer, options, adviser=advice))
        assert (without.text, advised.text) == (first, second)
    finally:
        checkers.end()


def test_where_all_is_wrong_something_is_offered_and_the_reason_told(folder: Path) -> None:
    left = f"{LEFT}wrong = 1\n"
    model = replace(tiny_model(), runtime=Script(tiny_model(), left, "wrong"))
    checkers = checkers_of(folder)
    try:
        advice = advice_of(checkers, folder, left)
        session = DecodingSession(model)
        [found] = session.complete(
            CompletionRequest(left, RIGHT, PYTHON.recognizer(left, RIGHT, ()), adviser=advice)
        )
        assert found.text
        assert "fake: wrong: no" in session.refused
    finally:
        checkers.end()


class Against:
    """A checker that refuses everything from its second character on."""

    who = "they"

    def diagnostics(self, text: str) -> list[Diagnostic]:
        return [Diagnostic(1, len(text), "no")]

    def members(self, text: str) -> None:
        """Returns no members."""

    def members_at_cursor(self) -> None:
        """Returns no members."""


def test_of_a_text_that_nothing_helps_is_told_where_it_is_wrong() -> None:
    model = replace(tiny_model(), runtime=Script(tiny_model(), LEFT, "value"))
    session = DecodingSession(model)
    [found] = session.complete(
        CompletionRequest(LEFT, RIGHT, PYTHON.recognizer(LEFT, RIGHT, ()), adviser=Against())
    )
    assert found.wrong_from == 1
    assert "they: no" in session.refused


@dataclass(frozen=True)
class Knowing(Against):
    """A checker that refuses the name in front of a place."""

    stop: int

    def diagnostics(self, _text: str) -> list[Diagnostic]:
        return [Diagnostic(0, self.stop, "no")]


@pytest.mark.parametrize(("stop", "refused"), [(7, []), (6, ["they: no"])])
def test_a_name_that_the_engine_ended_is_not_called_a_wish_of_the_model(
    stop: int, refused: list[str]
) -> None:
    """The model wrote `public`, and `a;` ended the text: `publica` was not its wish."""
    text = Hypothesis(None, text=b"publica;", marks=[Mark(6, -0.5, -0.5, -0.5)])
    written, lessons = Written(text, Ending(8, 3, 2, -0.5), "forced"), Lessons()
    write_advised(lambda: written, Knowing(stop), lessons, tiny_model(), b"", lambda: True)
    assert lessons.words == refused


def test_ty_is_understood(folder: Path) -> None:
    program = Path(sys.executable).with_name(executable("ty"))
    checkers = Checkers((str(folder),), 10_000.0, lambda _: Checker("ty", (str(program), "server")))
    left = "class Cart:\n    def total(self) -> int:\n        return 1\n\ncart = Cart()\n"
    try:
        advice = advice_of(checkers, folder, left)
        [wrong] = advice.diagnostics("print(cart.price)") or ()
        assert (wrong.start, wrong.attribute) == (6, 11)
        assert "price" in wrong.words
        assert advice.diagnostics("print(cart.total())") == []
        members = advice.members("print(cart.")
        assert members is not None
        assert "total" in members
    finally:
        checkers.end()
        assert isinstance(advice.process, CheckerProcess)
