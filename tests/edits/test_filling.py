"""Models without training on edits write a line anew, as a hole whose old text is in the prompt: which lines,
which prompt, and that every proposed edit is proved whatever they write."""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from pathlib import Path

import pytest

from fim_lsp.cli import main
from fim_lsp.edits.filling import (
    MOST_SURE,
    LineFiller,
    edit_writer,
    lines_to_fill,
    shown_left,
    shown_right,
)
from fim_lsp.edits.next_edits import EditContext, next_edits, unsure_places
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import NextEdit, Replacement
from fim_lsp.edits.writers import Interrupted
from fim_lsp.known_languages import KnownLanguage, language_named
from quotient import Language
from tests.models import save_tiny_model, tiny_model
from tests.typist import Typist

OLD = "def f(a, b):\n    log(a)\n    first = a\n    return send(a)\n"
NEW = OLD.replace("log(a)", "log(a, b)")
PYTHON = language_named("python")


def filler(line: str, text: str, sign: str = "#") -> LineFiller:
    """A model that prefers a given text in place of a line."""
    model = tiny_model()
    mark = f"{sign} was: {line}\n    ".encode()
    return LineFiller.of(replace(model, runtime=Typist(model, mark, text)))  # type: ignore[arg-type]


def written_edits(
    line: str, text: str, old: str = OLD, new: str = NEW, known_language: KnownLanguage = PYTHON
) -> list[NextEdit]:
    change = FileChange.of("till.py", old, new, known_language)
    writer = filler(line, text, known_language.line_comment)
    found = next_edits(change, Language.load(known_language.name), EditContext(writer=writer), 0.0)
    return [one for one in found if "written by" in one.reason]


def test_a_line_is_written_anew_as_the_model_wants_it() -> None:
    (edit,) = written_edits("first = a", "first = a, b")
    assert (edit.old, edit.new) == ("", ", b")
    assert edit.edited_text(NEW) == NEW.replace("first = a\n", "first = a, b\n")
    assert edit.reason == "written by tiny, which was not trained on edits"


def test_no_line_is_surer_than_was_measured() -> None:
    (edit,) = written_edits("first = a", "first = a, b")
    assert edit.probability == MOST_SURE < 0.65


@pytest.mark.parametrize(
    "text",
    [
        # The same line; text that does not parse; an unknown name; a name that is removed although it is used
        # below.
        "first = a",
        "first = (a",
        "first = nowhere",
        "",
    ],
)
def test_what_is_no_edit_or_does_not_hold_is_not_proposed(text: str) -> None:
    for edit in written_edits("first = a", text):
        assert "nowhere" not in edit.new
        ast.parse(edit.edited_text(NEW))
        assert edit.new.strip(), "the model did not want that"


def test_lines_keep_their_ends() -> None:
    old, new = (text.replace("\n", "\r\n") for text in (OLD, NEW))
    (edit,) = written_edits("first = a", "first = a, b", old, new)
    assert edit.edited_text(new) == new.replace("first = a\r", "first = a, b\r")


def test_other_languages_have_their_own_comments() -> None:
    old = "function f(a, b) {\n    log(a);\n    g(a);\n}\n"
    new = old.replace("log(a)", "log(a, b)")
    (edit,) = written_edits("g(a);", "g(a, b);", old, new, language_named("javascript"))
    assert edit.edited_text(new) == new.replace("g(a)", "g(a, b)")


def test_a_language_without_comments_is_left_alone() -> None:
    old = '{\n    "a": 1,\n    "b": 2\n}\n'
    assert written_edits('"b": 2', '"b": 3', old, old.replace("1", "3"), language_named("json")) == []


def test_places_that_rules_point_to_go_first_and_then_lines_beside_the_change() -> None:
    lines = [f"value_{number} = call({number})\n" for number in range(30)]
    lines[10] = "# a comment\n"
    old = "".join(lines)
    change = FileChange.of("till.py", old, old.replace("call(9)", "call(9, 9)"))

    def pointed(number: int, probability: float) -> Replacement:
        start = change.new.text.index(f"call({number})")
        return Replacement(start, start + 4, "other", "because", probability)

    found = lines_to_fill(change, [pointed(3, 0.3), pointed(20, 0.6), pointed(3, 0.28)])
    texts = [change.new.text[one.start : one.stop] for one in found]
    assert texts == ["value_20 = call(20)", "value_3 = call(3)", "value_8 = call(8)"]
    assert [one.asked.probability if one.asked else None for one in found] == [0.6, 0.3, None]


def test_the_model_sees_the_change_the_lines_around_and_the_old_line() -> None:
    change = FileChange.of("till.py", OLD, NEW)
    (line,) = (one for one in lines_to_fill(change, ()) if change.new.text.startswith("first", one.start))
    assert shown_left(change, line) == (
        "# edit: log(a)\n#   to: log(a, b)\ndef f(a, b):\n    log(a, b)\n    # was: first = a\n    "
    )
    assert shown_right(change, line) == "\n    return send(a)\n"


@pytest.mark.parametrize("seed", range(3))
def test_whatever_a_model_writes_each_edit_leaves_the_file_parsing(seed: int) -> None:
    change = FileChange.of("till.py", OLD, NEW)
    writer = edit_writer(tiny_model(seed))
    assert isinstance(writer, LineFiller)
    for edit in next_edits(change, Language.load("python"), EditContext(writer=writer), 0.0):
        ast.parse(edit.edited_text(NEW))


def test_places_of_which_rules_are_not_sure_are_those_below_the_bar() -> None:
    old = "".join(f"send(first, {number})\nkeep({number})\n" for number in range(4))
    change = FileChange.of("till.py", old, old.replace("send(first, 0)", "send(second, 0)"))
    unsure = unsure_places(change, EditContext(), 0.99)
    assert unsure
    assert {change.new.text[one.start : one.stop] for one in unsure} == {"first"}
    assert unsure_places(change, EditContext(), 0.99, unsure) == []


def test_an_interrupted_model_goes_on_behind_its_finished_lines() -> None:
    old = OLD.replace("    return", "    second = b\n    return")
    change = FileChange.of("till.py", old, old.replace("log(a)", "log(a, b)"))
    document = Language.load("python").document(change.new.text)
    start = change.new.text.index("first")
    unsure = [Replacement(start, start + 5, "third", "because", 0.5)]
    writer = filler("first = a", "first = a, b")
    n_asked = 0

    def is_given_up() -> bool:
        nonlocal n_asked
        n_asked += 1
        return n_asked > n_most

    n_most = 0
    writer.attend(is_given_up)
    with pytest.raises(Interrupted):
        [*writer.replacements(change, lambda: unsure, document)]
    n_most = 10**9
    first = [*writer.replacements(change, lambda: unsure, document)]
    assert [one.new for one in first][:1] == [", b"]
    n_asked = 0
    assert [*writer.replacements(change, lambda: unsure, document)] == first
    assert n_asked == 0, "nothing is written again"


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A model without training on edits is asked only on request, and its edits stay below the bar."""
    old, new = tmp_path / "old.py", tmp_path / "till.py"
    old.write_text(OLD)
    new.write_text(NEW)
    model = str(save_tiny_model(tmp_path / "other"))
    command = ["edits", str(new), "--since", str(old), "--json", "--model", model]
    assert main([*command, "--least-probability", "0"]) == 0
    for one in json.loads(capsys.readouterr().out):
        ast.parse(NEW[: one["start"]] + one["new"] + NEW[one["end"] :])
    assert main(command) == 0
    assert [one for one in json.loads(capsys.readouterr().out) if "written by" in one["reason"]] == []
