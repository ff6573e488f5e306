"""Models that were trained on edits rewrite the lines around the last change. Tests of each family's prompt,
the names that identify a family, and that every proposed edit is proved whatever a model writes."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from fim_lsp.cli import main
from fim_lsp.decoding.models.gguf import gguf_model
from fim_lsp.decoding.models.model import Model, load_model, with_runtime
from fim_lsp.decoding.models.pytorch import tokens_of
from fim_lsp.edit_formats import (
    LinesToRewrite,
    Part,
    ShownChange,
    edit_format,
    marked_zeta_parts,
    second_sweep_parts,
    second_zeta_parts,
    sweep_parts,
    zeta_parts,
)
from fim_lsp.edits.next_edits import EditContext, next_edits
from fim_lsp.edits.rewriting import Rewriter, regions
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import NextEdit, Replacement
from fim_lsp.fim_formats import fim_format
from fim_lsp.runtimes.pytorch import TorchRuntime
from quotient import Language
from tests.e2e.llama import WHY_NO_LIBRARY, has_library
from tests.house.own_files import path_of
from tests.models import random_network, save_tiny_model, trained_tokenizer
from tests.typist import Typist
from training.gguf_file import write_gguf

PYTHON = Language.load("python")
QWEN = ("<|endoftext|>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|fim_pad|>", "<|repo_name|>",
        "<|file_sep|>")  # fmt: skip
SEED = ("<[end\u2581of\u2581sentence]>", "<[fim-prefix]>", "<[fim-middle]>", "<[fim-suffix]>", "<filename>")
BUNDLED = path_of("fim_lsp/bundled/model")
OLD = (
    "def total(prices):\n    found = 0\n    for price in prices:\n        found += price\n    return found\n"
)
NEW = OLD.replace("    found = 0", "    amount = 0")
REGION_END = "<|editable_region_end|>"
ASKED = LinesToRewrite(
    "till.py",
    "a = 1\n",
    "b = 3\nc = b\n",
    "d = 4\n",
    "b = 2\nc = b\n",
    5,
    (ShownChange("till.py", "b = 2\n", "b = 3\n"),),
)


@cache
def taught_model(name: str, seed: int = 0) -> Model:
    """A small model of its family's tokens with random weights and a name."""
    tokenizer = trained_tokenizer(1200, SEED if name in (ZETA_2, ZETA_2_1) else QWEN)
    network = random_network(len(tokenizer), seed, 2048)
    spoken = fim_format(tokenizer.get_vocab())
    assert spoken is not None
    return with_runtime(name, TorchRuntime(network, "cpu"), tokens_of(tokenizer, network), spoken)


def typing_model(name: str, mark: str, text: str) -> Model:
    model = taught_model(name)
    return replace(model, runtime=Typist(model, mark.encode(), text))  # type: ignore[arg-type]


SWEEP, SWEEP_2 = "sweepai/sweep-next-edit-0.5B", "sweepai/sweep-next-edit-v2-7B"
ZETA_2, ZETA_2_1 = "zed-industries/zeta-2", "zed-industries/zeta-2.1"
# What the prompt ends with, and how the lines are written behind it.
WRITES = {
    SWEEP: ("updated/till.py", "\n{}"),
    SWEEP_2: ("updated/till.py:1:5\na = 1\nb = 2\n", "{}"),
    "zed-industries/zeta": ("### Response:\n\n<|editable_region_start|>\n", f"{{}}{REGION_END}\n```"),
    ZETA_2: ("=======\n", "{}>>>>>>> UPDATED\n"),
    ZETA_2_1: ("<|marker_2|>\n", "<|marker_1|>{}<|marker_2|>"),
}


def edits(model: Model, old: str = OLD, new: str = NEW, bar: float = 0.65) -> list[NextEdit]:
    change = FileChange.of("till.py", old, new)
    return next_edits(change, PYTHON, EditContext(writer=Rewriter.of(model)), bar)


def written_edits(name: str, text: str, old: str = OLD, new: str = NEW) -> list[NextEdit]:
    mark, written = WRITES[name]
    if name == SWEEP_2:
        # The lines above the cursor's are in the prompt.
        text = text.removeprefix("a = 1\nb = 2\n")
    return [
        one
        for one in edits(typing_model(name, mark, written.format(text)), old, new)
        if "goes on" in one.reason
    ]


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("sweep-next-edit-1.5B", "sweep"),
        ("sweep-next-edit-1.5b.q8_0.v2", "sweep"),
        ("zeta", "zeta"),
        ("zed-industries_zeta-Q4_K_M", "zeta"),
        ("sweep-next-edit-v2-7B", "sweep-2"),
        # An unknown version may be asked otherwise.
        ("sweep-next-edit-v3-7B", None),
        ("zeta-3-8B", None),
        ("qwen2.5-coder-0.5b", None),
        (None, None),
    ],
)
def test_a_name_tells_the_family(name: str | None, known: str | None) -> None:
    found = edit_format([None, name], QWEN)
    assert (None if found is None else found.name) == known


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("zed-industries_zeta-2-Q4_K_L", "zeta-2"),
        ("zeta-2-8B", "zeta-2"),
        ("zeta-2.1.i1-Q4_K_M", "zeta-2.1"),
        ("zed-industries/zeta-2.1", "zeta-2.1"),
        ("zeta-2.2", None),
        ("seed-coder-8b-base", None),
    ],
)
def test_a_name_tells_the_version(name: str, known: str | None) -> None:
    found = edit_format([name], SEED)
    assert (None if found is None else found.name) == known


def test_a_family_without_its_tokens_is_none() -> None:
    assert edit_format(["sweep-next-edit"], ()) is None


def test_sweep_is_shown_the_lines_as_they_were_and_as_they_are() -> None:
    said = "".join(part if isinstance(part, str) else part.name for part in sweep_parts(ASKED))
    assert said == (
        "<|file_sep|>till.py.diff\noriginal:\nb = 2\nupdated:\nb = 3\n"
        "<|file_sep|>original/till.py\nb = 2\nc = b\n"
        "<|file_sep|>current/till.py\nb = 3\nc = b\n"
        "<|file_sep|>updated/till.py"
    )


def test_zeta_is_shown_an_excerpt_with_marks() -> None:
    parts = [*zeta_parts(replace(ASKED, is_start=True))]
    said = "".join(part for part in parts if isinstance(part, str))
    assert len(parts) == len([part for part in parts if isinstance(part, str)])
    assert said.startswith(
        "### Instruction:\nYou are a code completion assistant and your task is to analyze"
    )
    assert said.partition("### User Edits:\n\n")[2] == (
        'User edited "till.py":\n```diff\n@@ -1,1 +1,1 @@\n-b = 2\n+b = 3\n```\n\n'
        "### User Excerpt:\n\n```till.py\n<|start_of_file|>\na = 1\n<|editable_region_start|>\n"
        "b = 3<|user_cursor_is_here|>\nc = b\n<|editable_region_end|>\nd = 4\n```\n\n"
        "### Response:\n\n<|editable_region_start|>\n"
    )


def said(parts: Iterable[Part]) -> str:
    return "".join(part if isinstance(part, str) else part.name for part in parts)


def test_the_second_sweep_is_shown_numbers_of_lines_the_file_and_the_cursor() -> None:
    asked = replace(ASKED, first=2, wide="a = 1\nb = 3\nc = b\nd = 4\n", cursor=11)
    asked = replace(asked, changes=(ShownChange("till.py", "b = 2\n", "b = 3\n", 2),))
    assert said(second_sweep_parts(asked)) == (
        "<|file_sep|>till.py\na = 1\nb = 3\nc = b\nd = 4\n\n"
        "<|file_sep|>till.py:2:2\noriginal:\nb = 2\nupdated:\nb = 3\n"
        "<|file_sep|>original/till.py:2:3\nb = 2\nc = b\n\n"
        "<|file_sep|>current/till.py:2:3\nb = 3\nc = b<|cursor|>\n\n"
        "<|file_sep|>updated/till.py:2:3\nb = 3\n"
    )


def test_the_second_zeta_is_shown_what_stands_behind_first_and_the_lines_between_signs() -> None:
    front = (
        "<[fim-suffix]>d = 4\n<[fim-prefix]><filename>edit_history\n"
        "--- a/till.py\n+++ b/till.py\n@@ -1,1 +1,1 @@\n-b = 2\n+b = 3\n\n"
        "<filename>till.py\na = 1\n"
    )
    assert said(second_zeta_parts(ASKED)) == (
        f"{front}<<<<<<< CURRENT\nb = 3<|user_cursor|>\nc = b\n=======\n<[fim-middle]>"
    )
    assert said(marked_zeta_parts(ASKED)) == (
        f"{front}<|marker_1|>b = 3<|user_cursor|>\nc = b\n<|marker_2|>\n<[fim-middle]>"
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (ZETA_2, "NO_EDITS\n>>>>>>> UPDATED\n"),
        (ZETA_2_1, "<|marker_2|><|marker_2|>"),
        (ZETA_2_1, "<|marker_1|><|marker_1|>"),
    ],
)
def test_a_model_may_say_that_nothing_changes(name: str, text: str) -> None:
    mark, _ = WRITES[name]
    found = edits(typing_model(name, mark, text), bar=0.0)
    assert [one for one in found if "goes on" in one.reason] == []


def test_a_sign_that_a_model_lacks_is_text() -> None:
    model = taught_model(ZETA_2)
    without = replace(model, file_signs={**model.file_signs})
    del without.file_signs["<filename>"]  # type: ignore[attr-defined]
    prompts = [Rewriter.of(one)._prompt(ASKED) for one in (model, without)]
    assert [prompt.count(model.file_signs["<filename>"]) for prompt in prompts] == [2, 0]


def test_places_that_rules_are_not_sure_of_are_rewritten_too() -> None:
    """Each region has the lines around one place, and none is written twice."""
    lines = [f"value_{number} = {number}\n" for number in range(90)]
    old = "".join(lines)
    change = FileChange.of("till.py", old, old.replace("value_5 = 5", "value_5 = 6"))

    def pointed(number: int, probability: float) -> Replacement:
        start = change.new.text.index(f"value_{number} ")
        return Replacement(start, start + 5, "other", "because", probability)

    unsure = [pointed(12, 0.6), pointed(40, 0.3), pointed(70, 0.5), pointed(71, 0.4)]
    rows = [
        (change.new.lines.line_at(one.start), change.new.lines.line_at(one.stop), one.is_last)
        for one in regions(change, 8, unsure)
    ]
    assert rows == [(0, 14, True), (62, 79, False), (32, 49, False)]


@pytest.mark.parametrize("name", WRITES)
def test_what_differs_from_the_lines_is_an_edit(name: str) -> None:
    # Names alone allow another edit with the same text; here only the model's addition is wanted.
    old = "a = 1\nb = 2\nlog(a)\nsend(a, 1)\nlog(b)\n"
    new = old.replace("log(a)", "log(a, 2)")
    found = written_edits(name, new.replace("send(a, 1)", "send(a, 1, 2)"), old, new)
    assert [(one.old, one.new) for one in found] == [("", ", 2")]
    assert found[0].edited_text(new) == new.replace("send(a, 1)", "send(a, 1, 2)")
    assert found[0].probability > 0.9


@pytest.mark.parametrize("name", WRITES)
def test_lines_keep_their_ends(name: str) -> None:
    old = "a = 1\nb = 2\nlog(a)\nsend(a, 1)\nlog(b)\n"
    new = old.replace("log(a)", "log(a, 2)")
    wanted = new.replace("send(a, 1)", "send(a, 1, 2)")
    windows = [text.replace("\n", "\r\n") for text in (old, new, wanted)]
    found = written_edits(name, wanted, *windows[:2])
    assert [one.edited_text(windows[1]) for one in found] == [windows[2]]
    # With mixed line ends, the right one is unknown.
    mixed = [text.replace("\r\n", "\n", 1) for text in windows]
    assert written_edits(name, wanted, *mixed[:2]) == []


@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize(
    "text",
    [
        # No change; text that does not parse; an unknown name; the text that was just typed or replaced.
        "a = 1\nb = 2\nlog(a, 2)\nsend(a, 1)\nlog(b)\n",
        "a = 1\nb = 2\nlog(a, 2)\nsend(a, 1\nlog(b)\n",
        "a = 1\nb = 2\nlog(a, 2)\nsend(nowhere, 1)\nlog(b)\n",
        "a = 1\nb = 2\nlog(a, 3)\nsend(a, 1)\nlog(b)\n",
        "a = 1\nb = 2\nlog(a)\nsend(a, 1)\nlog(b)\n",
    ],
)
def test_what_does_not_hold_is_no_edit(name: str, text: str) -> None:
    old = "a = 1\nb = 2\nlog(a)\nsend(a, 1)\nlog(b)\n"
    assert written_edits(name, text, old, old.replace("log(a)", "log(a, 2)")) == []


@pytest.mark.parametrize("name", WRITES)
def test_lines_that_were_taken_out_do_not_come_back(name: str) -> None:
    old = "a = 1\nlog(a)\nsend(a, 1)\nb = 2\n"
    assert written_edits(name, old, old, old.replace("log(a)\n", "")) == []


def test_a_model_that_comes_to_no_end_says_nothing() -> None:
    assert written_edits(SWEEP, "x = 1\n" * 400) == []


def test_code_that_looks_like_a_sign_is_text() -> None:
    model = taught_model(SWEEP)
    rewriter = Rewriter.of(model)
    asked = replace(ASKED, lines='b = "<|file_sep|>"\n')
    assert rewriter._prompt(asked).count(model.file_signs["<|file_sep|>"]) == 4


def test_most_of_what_is_written_is_read_and_not_waited_for() -> None:
    lines = "".join(f"value_{number} = {number}\n" for number in range(9))
    old, new = f"{lines}log(1)\n", f"{lines}log(2)\n"
    mark, written = WRITES[SWEEP]
    model = typing_model(SWEEP, mark, written.format(new))
    rewriter = Rewriter.of(model)
    n_rows = 0
    prompt = rewriter.reader.prompt

    def counted(tokens: Sequence[int], n_last: int, is_cancelled: object) -> object:
        nonlocal n_rows
        n_rows += 1
        return prompt(tokens, n_last, is_cancelled)  # type: ignore[arg-type]

    rewriter.reader.prompt = counted  # type: ignore[method-assign, assignment]
    change, document = FileChange.of("till.py", old, new), PYTHON.document(new)
    [*rewriter.replacements(change, tuple, document)]
    assert 0 < n_rows < len(model.encode(new)) / 4
    n_before = n_rows
    [*rewriter.replacements(change, tuple, document)]
    assert n_rows == n_before, "the same lines are not written again"


@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize("seed", range(3))
def test_whatever_a_model_writes_each_edit_leaves_the_file_parsing(name: str, seed: int) -> None:
    for one in edits(taught_model(name, seed), bar=0.0):
        ast.parse(one.edited_text(NEW))


def test_a_folder_tells_by_its_name_and_a_file_by_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "sweep-next-edit-0.5B"
    tokenizer = trained_tokenizer(1200, QWEN)
    random_network(len(tokenizer), 0, 2048).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    model = load_model(str(folder))
    assert model.edit_format is not None
    assert model.edit_format.name == "sweep"
    assert model.file_signs["<|file_sep|>"] == tokenizer.get_vocab()["<|file_sep|>"]
    if not has_library():
        pytest.skip(WHY_NO_LIBRARY)
    write_gguf(BUNDLED, tmp_path / "zeta-q8_0.gguf")
    found = gguf_model(str(tmp_path / "zeta-q8_0.gguf"), {}, lambda _what, _share: None)
    assert found.edit_format is not None
    assert found.edit_format.name == "zeta"


@pytest.fixture
def pair(tmp_path: Path) -> tuple[str, str]:
    old, new = tmp_path / "old.py", tmp_path / "till.py"
    old.write_text(OLD)
    new.write_text(NEW)
    return str(old), str(new)


def test_on_the_command_line(
    pair: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = pair
    model = save_tiny_model(tmp_path / "zeta")
    command = ["edits", new, "--since", old, "--least-probability", "0", "--json"]
    assert main([*command, "--model", str(model)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {*found[0]} == {"path", "start", "end", "old", "new", "reason", "probability"}
    for one in found:
        ast.parse(NEW[: one["start"]] + one["new"] + NEW[one["end"] :])
    assert main([*command, "--model", "none"]) == 0


def test_a_model_that_cannot_be_asked_is_said_in_a_sentence(
    pair: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = pair
    for model, said in (
        ("./nowhere", "nowhere is neither a folder nor a name"),
        ("http://127.0.0.1:9", "http://127.0.0.1:9 is a server: about next edits"),
    ):
        assert main(["edits", new, "--since", old, "--model", model]) == 2
        assert said in capsys.readouterr().err


def test_a_replay_names_its_model_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in (("old", OLD), ("new", OLD.replace("found", "amount"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "till.py").write_text(text)
    model, out = str(save_tiny_model(tmp_path / "zeta")), tmp_path / "run"
    command = ["replay", "edits", "--between", str(tmp_path / "old"), str(tmp_path / "new"), "--out"]
    assert main([*command, str(out), "--model", model]) == 0
    rows = (out / "rows.jsonl").read_bytes()
    assert f"{model} (" in (out / "report.md").read_text()
    assert main([*command, str(out), "--model", model]) == 0
    assert (out / "rows.jsonl").read_bytes() == rows
    # Another model is another run, and a model that cannot be asked is reported.
    assert main([*command, str(out), "--model", "none"]) == 2
    assert main([*command, str(tmp_path / "more"), "--model", "./nowhere"]) == 2
    assert "nowhere is neither a folder nor a name" in capsys.readouterr().err
