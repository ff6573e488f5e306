"""Unfinished texts, which a model was writing when a key fell: where it agrees, they are read in one pass
instead of being written again token by token."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fim_lsp.decoding.writing.request import CompletionRequest


@dataclass(slots=True)
class Unfinished:
    """The text in progress of the last request."""

    left: str = ""
    right: str = ""
    text: str = ""
    # The part that the model has written by itself.
    written: str = ""

    def followed_request(self, request: CompletionRequest) -> CompletionRequest:
        """The request with what is expected behind it; from now on its text is followed."""
        expected = self.behind(request.left) or request.expected
        if request.options.n > 1 or request.options.strategy != "greedy":
            return replace(request, expected=expected)
        told = request.on_partial
        self.left, self.right, self.text, self.written = request.left, request.right, expected, ""

        def grown(text: str) -> None:
            self.written = text
            # An expected text goes on as far as it is right.
            self.text = self.text if self.text.startswith(text) else text
            if told is not None:
                told(text)

        return replace(request, expected=expected, on_partial=grown)

    def behind(self, left: str) -> str:
        """The part of the text behind a place; empty where something else was typed."""
        whole = self.left + self.text
        is_behind = len(left) >= len(self.left) and whole.startswith(left)
        return whole[len(left) :] if is_behind else ""

    def agrees(self, left: str, right: str) -> bool:
        """Whether what has been written so far goes on behind a place, or may."""
        whole = self.left + self.written
        is_behind = right == self.right and left.startswith(self.left)
        return is_behind and (whole.startswith(left) or left.startswith(whole))
