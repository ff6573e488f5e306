"""The second bundled model, as the worker loads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from fim_lsp.decoding.models.runtime_wishes import ANY_RUNTIME
from fim_lsp.known_languages import GO, JAVA, PYTHON
from fim_lsp.server.worker.completers import GrammarAlone
from fim_lsp.server.worker.with_model import WithModel, load_completer


def loaded() -> WithModel:
    completer, message = load_completer(None, ANY_RUNTIME, 1, lambda _what, _share: None)
    assert message == ""
    assert isinstance(completer, WithModel)
    return completer


def test_it_is_loaded_once_for_all_its_languages() -> None:
    completer = loaded()
    assert completer.for_language(PYTHON) is completer
    other = completer.for_language(GO)
    assert isinstance(other, WithModel)
    assert other is not completer
    assert other.name == completer.name == "bundled"
    assert completer.for_language(JAVA) is other


def test_without_it_a_document_is_still_answered(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A missing second model once raised an error, so that each request in its languages failed."""
    monkeypatch.setattr("fim_lsp.bundled_models.BUNDLED_OF_BRACES", tmp_path)
    completer = loaded()
    assert completer.for_language(PYTHON) is completer
    assert completer.for_language(GO) == completer.for_language(JAVA) == GrammarAlone()
    # A missing model is searched and reported once, and not at each key.
    assert len(caplog.messages) == 1
    assert "no bundled model" in caplog.text
