"""The demo's claims are true: for the engine, for CPython, and in what it prints."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from fim_lsp.demo import Hole, Try, holes, judged
from quotient import Language

FOLDER = Path(__file__).parent.parent / "datasets" / "demo"
HOLES = list(holes(FOLDER))
TRIES = [pytest.param(hole, tried, id=f"{hole.file}: {tried.text}") for hole in HOLES for tried in hole.tries]


def parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


@pytest.mark.parametrize(("hole", "tried"), TRIES)
def test_every_verdict(hole: Hole, tried: Try) -> None:
    recognizer = Language.load("python", version="3.11").recognizer(hole.left, hole.right)
    verdict, rest = judged(recognizer, tried.text)
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
    for hole in HOLES:
        assert hole.title in out
        for tried in hole.tries:
            assert f"{tried.verdict:9} {tried.text!r}" in out
