"""Unfinished texts: if a key agrees with the text in progress, the model reads that text in one pass instead
of writing it again token by token."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fim_lsp.decoding.writing.request import CompletionRequest


@dataclass(slots=True)
class Unfinished:
    """The text in progress of the last request."""

    left: str = ""
    right: str = ""
    text: str = ""
    # The part that the model wrote by itself.
    written: str = ""

    def followed_request(self, request: CompletionRequest) -> CompletionRequest:
        """The request with its expected text; from now on its own text is followed."""
        expected = self.behind(request.left) or request.expected
        if request.options.n > 1 or request.options.strategy != "greedy":
            return replace(request, expected=expected)
        told = request.on_partial
        self.left, self.right, self.text, self.written = request.left, request.right, expected, ""

        def grown(text: str) -> None:
            self.written = text
            # The expected text stays as long as the new one agrees with it.
            self.text = self.text if self.text.startswith(text) else text
            if told is not None:
                told(text)

        return replace(request, expected=expected, on_partial=grown)

    def behind(self, left: str) -> str:
        """The part of the text behind a place; empty if the user typed something else."""
        whole = self.left + self.text
        is_behind = len(left) >= len(self.left) and whole.startswith(left)
        return whole[len(left) :] if is_behind else ""

    def agrees(self, left: str, right: str) -> bool:
        """Whether the text so far agrees with what the user has typed at a place."""
        whole = self.left + self.written
        is_behind = right == self.right and left.startswith(self.left)
        return is_behind and (whole.startswith(left) or left.startswith(whole))
