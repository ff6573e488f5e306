"""A completer for tests of what the worker makes of texts."""

from __future__ import annotations

from fim_lsp.server.worker.attempt import Attempt, CandidateText, Proposals


class Says:
    """A completer that writes the same texts everywhere."""

    name, note, quick, seconds = "says", "", None, None

    def __init__(self, *texts: str) -> None:
        self.texts = texts

    def propose_texts(self, task: Attempt) -> Proposals:  # noqa: ARG002
        return Proposals(tuple(CandidateText(text) for text in self.texts))
