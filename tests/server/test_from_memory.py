"""Languages that no model knows: offers from the memory of the file and of the workspace."""

from __future__ import annotations

import queue
import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from fim_lsp.document.sent import SentText
from fim_lsp.known_languages import JAVASCRIPT
from fim_lsp.memory.alone import ProbableText, offered_beginnings
from fim_lsp.server.worker.completers import GrammarAlone
from fim_lsp.server.worker.folder_reading import Scanned
from fim_lsp.server.worker.from_memory import has_no_body, missing_blanks
from fim_lsp.server.worker.job_loop import JobLoop, Own
from fim_lsp.server.worker.messages import Answer, Close, Complete, Folders, FromWorker, Prepare, Wishes
from tests.scripted.worker import Scripted

FAR_AWAY = "package p\n\nfunc f(r *Request) {\n\tcounted := registry.Lookup(r.Name)\n\tuse(counted)\n}\n"
WISHES = Wishes(1, 64, 20, True, "", False, None, bar=0.4)


@dataclass
class Loop:
    """A worker without its pipes."""

    loop: JobLoop
    waiting: queue.Queue[Own]
    sent: list[FromWorker]

    def complete(self, text: str, language: str = "go", wishes: Wishes = WISHES) -> Answer:
        left, right = text.split("$0")
        whole = SentText("file:///x", 0, "3.12", left + right, language=language)
        self.loop.handle(Complete(1, whole, len(left), len(left), "", wishes, 20.0))
        answer = self.sent[-1]
        assert isinstance(answer, Answer)
        return answer


def loop() -> Loop:
    waiting: queue.Queue[Own] = queue.Queue()
    sent: list[FromWorker] = []
    found = JobLoop(sent.append, waiting.put)
    found.serving.completer = GrammarAlone()
    return Loop(found, waiting, sent)


def test_what_the_file_says_is_offered_and_a_line_s_rest_comes_with_it() -> None:
    text = FAR_AWAY + "\nfunc g(r *Request) {\n\tcounted := reg$0\n}\n"
    assert loop().complete(text).texts == ("istry.Lookup(r.Name)",)


def test_the_worth_of_what_is_shown_is_known_where_more_beginnings_were_sure() -> None:
    """A better model's text is compared with that worth, and is shown if it is worth more."""
    worker = loop()
    [offer] = worker.complete(FAR_AWAY + "\nfunc g(r *Request) {\n\tcounted := reg$0\n}\n").texts
    assert 0 < worker.loop.completing.choosing.judging.worth("file:///x", offer) < 100


def test_a_text_does_not_come_back_behind_a_blank_that_does_not_agree_with_it() -> None:
    worker = loop()
    text = FAR_AWAY + "\nfunc g(r *Request) {\n\tcounted :=$0\n}\n"
    assert worker.complete(text).texts == (" registry.Lookup(r.Name)",)
    assert worker.complete(text.replace("$0", " $0")).texts == ("registry.Lookup(r.Name)",)
    assert worker.complete(text.replace("$0", "  $0")).texts == ()
    assert worker.complete(text.replace("$0", "   $0")).texts == ()
    assert worker.complete(text.replace("$0", "   reg$0")).texts == ("istry.Lookup(r.Name)",)


@pytest.mark.parametrize(
    ("left", "expected"),
    [
        ("/**\n * One.\n */\n", ""),
        ("  /**\n   * One.\n   */\n", "  "),
        ("  /* One.\n     Two. */\n ", " "),
        ("  f(a); /* One. */\n", "  "),
        ("  if (a) {\n", "    "),
    ],
)
def test_a_line_below_a_comment_stands_where_the_comment_begins(left: str, expected: str) -> None:
    assert missing_blanks(left, JAVASCRIPT, lambda: "  ") == expected


def test_beside_a_model_what_is_remembered_comes_first_and_the_model_where_nothing_is() -> None:
    """A model never reduces the number of offers."""
    worker = loop()
    answers = [["reg", ["isters()"]], ["zzz", ["_largest()"]]]
    worker.loop.serving.completer = Scripted("large", {"answers": answers})
    known = FAR_AWAY + "\nfunc g(r *Request) {\n\tcounted := reg$0\n}\n"
    strange = known.replace("reg$0", "zzz$0")
    assert worker.complete(known).texts == ("istry.Lookup(r.Name)",)
    assert worker.complete(known, wishes=replace(WISHES, is_asked=True, names=False)).texts == ("isters()",)
    assert worker.complete(strange, wishes=replace(WISHES, names=False)).texts == ("_largest()",)
    alone = replace(WISHES, has_memory=False, names=False)
    assert worker.complete(known, wishes=alone).texts == ("isters()",)


def test_what_other_files_say_is_offered_once_they_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.go").write_text(FAR_AWAY)
    (tmp_path / "b.java").write_text("class B { int registered = registration(); }\n")
    worker = loop()
    text = 'package p\n\nimport "example.org/registry"\n\nfunc g(r *Request) {\n\tcounted := reg$0\n}\n'
    without_import = text.replace('import "example.org/registry"\n\n', "")
    assert worker.complete(text).texts == ()
    worker.loop.handle(Folders((str(tmp_path),), ()))
    worker.loop.handle(Prepare(SentText("file:///x", 0, "3.12", "package p\n", language="go")))
    while not isinstance(scanned := worker.waiting.get(timeout=20), Scanned) or not scanned.workspace.uris:
        worker.loop.handle(scanned)
    worker.loop.handle(scanned)
    assert worker.complete(text).texts == ("istry.Lookup(r.Name)",)
    # A name that this file's package lacks is never offered.
    assert worker.complete(without_import).texts == ()
    worker.loop.handle(Folders((str(tmp_path),), (), has_memory=False))
    worker.loop.handle(Close("file:///x"))
    assert worker.complete(text).texts == ()


def test_a_list_is_not_closed_behind_a_comma() -> None:
    """`f(name, command, c,)` would fit, but the comma says that an argument is missing."""
    found = [
        ProbableText("f(a", 0.9, ")"),
        ProbableText("f(a,", 0.8, ")"),
        ProbableText("f(a, b", 0.5, ")"),
        ProbableText("a,", 0.5, ""),
    ]
    assert [one.text for one in offered_beginnings(found)] == ["f(a)", "f(a, b)", "a,"]


@pytest.mark.parametrize(
    ("left", "text", "expected"),
    [
        ("class A {\n  ", "size() {}", True),
        ("func (s *Store) ", "Size() int {}", True),
        ("", "class A{}", True),
        ("  if", " (a) {}", False),
        ("\t} else ", "if err != nil {}", False),
        ("", "a = {}", False),
        ("f(", "() => {})", False),
    ],
)
def test_what_is_defined_is_not_closed_at_once(left: str, text: str, expected: bool) -> None:
    """`size() {}` would fit without a body; a value may be empty."""
    assert has_no_body(left, text) is expected


def test_no_method_without_a_body_is_remembered() -> None:
    text = "class A {\n  size() {\n    return 1;\n  }\n}\n\nclass B {\n  size() {\n    return 2;\n  }\n}\n\n"
    assert not any(
        one.endswith("{}") for one in loop().complete(text + "class C {\n  si$0\n}\n", "javascript").texts
    )


def test_closers_alone_are_for_a_user_who_asks() -> None:
    text = "package p\n\nfunc g() {\n\tf(a[1$0\n}\n"
    worker = loop()
    answer = worker.complete(text)
    assert (answer.texts, answer.reason) == ((), "no model")
    asked = Wishes(1, 64, 20, True, "", False, None, is_asked=True)
    assert worker.complete(text, wishes=asked).texts == ("])",)


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ('{\n  "a": {\n    "port": 80\n  },\n  "b": {\n    "port": $0\n  }\n}\n', "json", "80"),
        ('host = "alpha"\nport = 80\n\n[other]\nhost = "beta"\nport = $0\n', "toml", "80"),
    ],
)
def test_a_text_of_two_characters_is_for_a_user_who_asks(text: str, language: str, expected: str) -> None:
    worker = loop()
    assert worker.complete(text, language).texts == ()
    asked = Wishes(1, 64, 20, True, "", False, None, is_asked=True)
    assert worker.complete(text, language, asked).texts[:1] == (expected,)


def test_an_offer_at_a_line_s_beginning_brings_the_indentation() -> None:
    text = FAR_AWAY.replace("\tuse", "$0\tuse", 1).replace("$0\tuse(counted)\n", "$0\n", 1) + FAR_AWAY[11:]
    assert loop().complete(text).texts == ("\tuse(counted)",)


def test_a_secret_is_not_remembered() -> None:
    secret = '\tpassword := "q8Zr2Lw0Xv7Tn4Kd"\n'
    text = f"package p\n\nfunc f() {{\n{secret}\tuse(password)\n}}\n\nfunc g() {{\n\tpassword := $0\n}}\n"
    assert not any("q8Zr" in one for one in loop().complete(text).texts)


def test_the_beginning_of_what_does_not_fit_is_not_offered() -> None:
    """`module` would be a field of a class, because `module.exports` once stood behind a brace."""
    text = (
        "class A {\n  f() {}\n}\n\nmodule.exports = A;\n\nclass B {\n  g() {}\n}\n\nmodule.exports = B;\n\n"
        "class C {\n  h() {}\n}\n\nmodule.exports = C;\n\nclass D {\n  i() {}\n\n  $0\n}\n"
    )
    assert not any(one.startswith("module") for one in loop().complete(text, "javascript").texts)
    assert loop().complete(text.replace("  $0\n}\n", "}\n\n$0"), "javascript").texts


def test_a_text_in_a_bracket_has_a_blank_on_both_sides_or_on_none() -> None:
    text = "f({ label, onClick });\ng({ label, onClick });\nh({$0});\n"
    assert loop().complete(text, "javascript").texts == ("label, onClick",)
    assert loop().complete(text.replace("{$0}", "{$0 }"), "javascript").texts == (" label, onClick",)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        # The table is there already, so its name is not said again, and no piece of it is meant either.
        ("toml", 'a = 1\n$0\n\n[build-system]\nb = "c"\n\n[tool]\nb = "c"\n'),
        ("toml", "[servers.$0\n\n[servers.alpha-one]\nport = 80\n\n[tool]\nport = 80\n"),
        ("json", '{"react-dom": 1, "$0}\n'),
    ],
)
def test_no_piece_of_a_key_is_offered(language: str, text: str) -> None:
    asked = replace(WISHES, n=3, is_asked=True)
    offered = loop().complete(text, language, asked).texts
    assert not [one for one in offered if re.search(r"(?:build|alpha|react)(?!\w*-\w)", one)], offered
