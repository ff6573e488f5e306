"""`fim-lsp complete`: without a model the shortest filling, labelled as such; with a model, its
completions."""

from __future__ import annotations

import ast
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import fim_lsp
from fim_lsp.cli import main
from fim_lsp.decoding.models import model as models
from tests.models import Wavering, save_tiny_model, tiny_model

GRAMMAR = ["--model", "none"]
UNFINISHED = "def total(prices):\n    return sum(price * 2 for price in prices\n\nprint(total([3]))\n"


@pytest.fixture
def unfinished(tmp_path: Path) -> Path:
    path = tmp_path / "total.py"
    path.write_text(UNFINISHED)
    return path


def test_the_completion_makes_the_file_parse(unfinished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["complete", *GRAMMAR, "--json", f"{unfinished}:2:45"]) == 0
    answer = json.loads(capsys.readouterr().out)
    [completion] = answer["completions"]
    offset = answer["offset"]
    ast.parse(UNFINISHED[:offset] + completion["text"] + UNFINISHED[offset:])
    assert completion == {"text": ")", "source": "grammar"}
    assert answer["model"] is None
    assert answer["explanation"]


def test_for_people_it_shows_the_place_and_says_that_no_model_was_asked(
    unfinished: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["complete", *GRAMMAR, f"{unfinished}:2:45"]) == 0
    out = capsys.readouterr().out
    assert "   2 |     return sum(price * 2 for price in prices«)»\n" in out
    assert "no model was asked for" in out
    assert "\x1b" not in out


def test_colours_can_be_forced(
    unfinished: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    main(["complete", *GRAMMAR, f"{unfinished}:2:45"])
    assert "\x1b[1;30;43m)\x1b[0m" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    main(["complete", *GRAMMAR, f"{unfinished}:2:45"])
    assert "\x1b" not in capsys.readouterr().out


def test_a_file_that_parses_needs_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.py"
    path.write_text("x = 1\n")
    assert main(["complete", *GRAMMAR, f"{path}:1:6"]) == 0
    assert "nothing has to come here" in capsys.readouterr().out


def test_a_hole_that_nothing_fits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.py"
    path.write_text("x = )\n")
    assert main(["complete", "--json", f"{path}:1:6"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["completions"] == []
    assert (answer["fault"]["side"], answer["fault"]["offset"]) == ("left", 4)


@pytest.mark.parametrize("place", ["total.py", "missing.py:1:1"])
def test_a_place_that_cannot_be_used(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["complete", place]) == 2
    assert capsys.readouterr().err.startswith("fim-lsp complete: ")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tests.models import save_tiny_model

    return save_tiny_model(tmp_path_factory.mktemp("tiny"))


def test_a_model_writes_completions_that_fit(
    unfinished: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # A model with random weights knows no names.
    words = ["--model", str(folder), "--n", "3", "--max-tokens", "12", "--offline", "--scope", "free"]
    words.append("--no-names")
    assert main(["complete", *words, "--json", f"{unfinished}:2:45"]) == 0
    answer = json.loads(capsys.readouterr().out)
    texts = [completion["text"] for completion in answer["completions"]]
    assert len(texts) == len(set(texts)) == 3
    for completion in answer["completions"]:
        ast.parse(UNFINISHED[: answer["offset"]] + completion["text"] + UNFINISHED[answer["offset"] :])
        assert completion["source"] == "model"
        assert completion["stopped_by"] in ("eos", "scope", "budget", "limit", "forced")
        assert completion["n_tokens"] <= 12
    assert answer["model"] == str(folder)
    assert answer["seconds"] > 0


def test_for_people_it_says_why_a_completion_ends_and_what_it_took(
    unfinished: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["complete", "--model", str(folder), "--max-tokens", "4", f"{unfinished}:2:45"]) == 0
    out = capsys.readouterr().out
    assert "   2 |     return sum(price * 2 for price in prices«" in out
    assert " token" in out
    assert "mean log-probability" in out
    assert f"(model {folder}, loaded in " in out


@pytest.mark.parametrize(
    "words",
    [
        ["--model", "/nowhere/at/all"],
        ["--device", "banana"],
        ["--dtype", "banana"],
        ["--n", "0"],
        ["--temperature", "-1"],
        ["--temperature", "nan"],
        ["--budget", "nan"],
    ],
)
def test_what_cannot_be_used_is_said(
    unfinished: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["complete", *words, f"{unfinished}:2:45"]) == 2
    assert capsys.readouterr().err.startswith("fim-lsp complete: ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--model", "nope", "a.py:1:1"], "neither a folder nor a name such as"),
        (["--model", "nope", "a.py:1:1"], "`fim-lsp models` lists what there is"),
        (["--model", "a.py", "a.py:1:1"], "a.py is not a model file: those end with .gguf"),
        (
            ["--model", "folder", "a.py:1:1"],
            "folder is not a model: it has no config.json; `fim-lsp models` lists",
        ),
        (["folder:1:1"], "folder is a folder; name a place in one of its files"),
        (["--budget", "-1", "a.py:1:1"], "more than 0 seconds, not -1"),
    ],
)
def test_what_is_said_is_the_cause_and_the_next_step(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text("x = 1\n")
    Path("folder").mkdir()
    assert main(["complete", *words]) == 2
    message = capsys.readouterr().err
    assert said in message
    assert "torch" not in message.lower()


def test_without_pytorch_the_bundled_model_answers_all_the_same(
    unfinished: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "find_spec", lambda _name: None)
    assert main(["complete", "--json", f"{unfinished}:2:45"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["model"] == "bundled"
    assert answer["completions"]


def test_what_takes_pytorch_says_how_to_get_it(
    unfinished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "find_spec", lambda _name: None)
    save_tiny_model(tmp_path / "own")
    for words in (["--model", str(tmp_path / "own")], ["--model", "a/b"], ["--runtime", "torch"]):
        assert main(["complete", *words, f"{unfinished}:2:45"]) == 2
        assert "needs torch and transformers: pip install 'fim-lsp[torch]'" in capsys.readouterr().err


def test_without_a_model_the_grammar_answers_and_says_why(
    unfinished: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fim_lsp.bundled_models.BUNDLED", tmp_path / "nowhere")
    monkeypatch.setattr(models, "find_spec", lambda _name: object())
    assert main(["complete", f"{unfinished}:2:45"]) == 0
    out = capsys.readouterr().out
    assert "shortest text that makes the file parse: ')'" in out
    assert "no bundled model" in out


def test_without_a_model_nothing_large_is_imported(unfinished: Path) -> None:
    import subprocess

    program = (
        "import sys; from fim_lsp.cli import main;"
        f"main(['complete', '--model', 'none', '{unfinished}:2:45']);"
        "assert not {'torch', 'transformers', 'pygls'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)


AREA = "def area(width, *, unit='m'):\n    return width\n\narea("


def completed_with(
    monkeypatch: pytest.MonkeyPatch, folder: Path, first: str, second: str, *words: str
) -> None:
    """Prints a completion behind `area(` by a model that prefers one text, and then another."""
    path = folder / "area.py"
    path.write_text(f"{AREA}\n")
    model = replace(tiny_model(), runtime=Wavering(tiny_model(), AREA, [first, second]))
    monkeypatch.setattr(models, "load_model", lambda *_, **__: model)
    assert main(["complete", "--model", "wavering", *words, f"{path}:4:6"]) == 0


@pytest.mark.parametrize(("first", "second"), [("1,q=2)", "1,unit=2)"), ("1,2)", "1)")])
def test_calls_of_what_the_file_defines_are_right(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    first: str,
    second: str,
) -> None:
    completed_with(monkeypatch, tmp_path, first, second, "--json")
    answer = json.loads(capsys.readouterr().out)
    [completion] = answer["completions"]
    assert (completion["text"], completion["wrong_from"]) == (second, None)
    assert any(words.startswith("this file: ") for words in answer["refused"])
    # Without names, nothing in the file is known.
    completed_with(monkeypatch, tmp_path, first, second, "--json", "--no-names")
    answer = json.loads(capsys.readouterr().out)
    assert [one["text"] for one in answer["completions"]] == [first]


def test_what_was_refused_is_told_in_plain_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    completed_with(monkeypatch, tmp_path, "1,q=2)", "1,unit=2)", "--explain")
    assert "\nrefused while writing: this file: `area`: `q` is no parameter\n" in capsys.readouterr().out
    completed_with(monkeypatch, tmp_path, "wide)", "1)", "--json")
    answer = json.loads(capsys.readouterr().out)
    assert [one["text"] for one in answer["completions"]] == ["1)"]
    assert "`wide` is not defined here" in answer["refused"]


def test_where_nothing_that_was_wanted_fits_nothing_is_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`]` is refused, and the alternatives, such as `1.`, are no better than any other text."""
    completed_with(monkeypatch, tmp_path, "]", "]", "--json")
    answer = json.loads(capsys.readouterr().out)
    assert answer["completions"] == []
    assert any("a stopgap" in words for words in answer["refused"])


def test_a_text_that_makes_a_comment_of_the_rest_of_the_line_is_not_offered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only a comment can take in half a word and a closer without an opener."""
    left, right = "def f(x):\n    a = 1\n    b = (2)\n  ", "or)\n    c = 3\n    return a\n"
    path = tmp_path / "half.py"
    path.write_text(left + right)
    main(["complete", f"{path}:4:3"])
    assert "makes a comment of the rest of the line" in capsys.readouterr().out
    assert fim_lsp.complete(left + right, len(left)) == []


def test_several_places_get_as_many_fillings_as_were_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "add.py"
    path.write_text("def add(a, b):\n    return \n\n\nprint(add(1, ))\n")
    places = [f"{path}:2:12", f"{path}:5:14"]
    assert main(["complete", "--together", *places]) == 0
    shown = capsys.readouterr().out
    assert [line.partition(": ")[0] for line in shown.split("\n") if line] == places
    assert main(["complete", "--together", *places, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 1


def test_without_a_place_one_place_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["complete"])
    assert "required: FILE:LINE:COL\n" in capsys.readouterr().err
