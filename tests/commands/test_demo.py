"""The demo's claims are true for the engine, for CPython, and in the printed text."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from fim_lsp.decoding.models.model import Model, load_model
from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.demo import DemoHole, Try, holes, judged_text
from fim_lsp.demo_completions import DemoFilling, DemoPlace, demonstration_lines, filling, places, shown_place
from fim_lsp.terminal import Palette
from quotient import Language
from tests.laws.oracle import parses

FOLDER = Path(__file__).parents[2] / "datasets" / "demo"
HOLES = list(holes(FOLDER))
PLACES = list(places(FOLDER / "completions"))
TRIES = [pytest.param(hole, tried, id=f"{hole.file}: {tried.text}") for hole in HOLES for tried in hole.tries]


@pytest.mark.parametrize(("hole", "tried"), TRIES)
def test_every_verdict(hole: DemoHole, tried: Try) -> None:
    recognizer = Language.load("python", version="3.11").recognizer(hole.left, hole.right)
    verdict, rest = judged_text(recognizer, tried.text)
    assert verdict == tried.verdict
    assert parses(hole.left + tried.text + hole.right) == (verdict == "fits")
    assert verdict == "never" or parses(hole.left + tried.text + rest + hole.right)


def test_the_witness_of_every_hole_parses() -> None:
    language = Language.load("python", version="3.11")
    for hole in HOLES:
        assert parses(hole.left + language.recognizer(hole.left, hole.right).witness() + hole.right), (
            hole.file
        )


def test_what_is_printed_holds_every_verdict_and_no_colours_in_a_pipe() -> None:
    command = [sys.executable, "-m", "fim_lsp.demo", str(FOLDER)]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "\x1b" not in out
    for place in PLACES:
        assert place.title in out
        assert "\n".join(f"«{line}»" for line in place.expected.split("\n")) in out.replace("\n  | ", "\n")
    for hole in HOLES:
        assert hole.title in out
        for tried in hole.tries:
            assert f"{tried.verdict:9} {tried.text!r}" in out


@pytest.fixture(scope="module")
def model() -> Model:
    """The bundled model after one request, because the first request also loads code."""
    loaded = load_model()
    filling(loaded, Language.load("python", version="3.11"), PLACES[0])
    return loaded


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.file)
def test_the_bundled_model_completes_every_place_sensibly_within_a_second(
    place: DemoPlace, model: Model
) -> None:
    """The expected texts are those that a person has read and accepted. The time is measured on one core."""
    start = time.process_time()
    found = filling(model, Language.load("python", version="3.11"), place)
    seconds = time.process_time() - start
    assert found is not None
    assert found.completion.text == place.expected
    assert parses(place.left + place.expected + place.right)
    # Each place gets two completions: one with and one without the grammar.
    assert seconds < 2 * 1.0


def test_there_are_several_places_and_some_where_the_grammar_made_the_difference(model: Model) -> None:
    language = Language.load("python", version="3.11")
    found = [filling(model, language, place) for place in PLACES]
    assert len(found) >= 6
    saved = [filled for filled in found if filled is not None and not filled.does_without_parse]
    assert len(saved) >= 2
    for filled in saved:
        assert filled.without_grammar != filled.completion.text


def test_without_its_model_the_demonstration_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fim_lsp.bundled_models.BUNDLED", tmp_path)
    [line] = demonstration_lines(FOLDER / "completions", Palette(has_colours=False))
    assert line.startswith("no completions by a model: this installation has no bundled model")


def test_a_completion_of_several_lines_is_marked_line_by_line() -> None:
    place = DemoPlace("a body", "shop.py", "for item in items:\n    ", "\n", is_one_line=False, expected="")
    completion = Completion(
        "print(\n        item)", "eos", n_tokens=4, n_forced=0, mean_logprob=-1.0, seconds=0.1
    )
    free = "print(\n        item"
    found = DemoFilling(completion, ("]",), 0.1, free, does_without_parse=False)
    lines = list(shown_place(place, found, Palette(has_colours=False)))
    assert lines == [
        "shop.py: a body",
        "  | for item in items:",
        "  |     «print(»",
        "  | «        item)»",
        "  4 tokens in 100 ms; the model ended it",
        "  the grammar refused ']'; without it: 'print(\\n        item', which does not parse",
    ]
    assert "nothing that fits" in list(shown_place(place, None, Palette(has_colours=False)))[-1]
