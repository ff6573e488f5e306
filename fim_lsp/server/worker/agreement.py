"""How far a quick model and a better one write the same text at a place."""

from __future__ import annotations

from fim_lsp.shared import n_shared


class Agreement:
    def __init__(self) -> None:
        # The last text of the quick model in each document, with what is in front.
        self._quick: dict[str, tuple[str, str]] = {}

    def note_quick(self, uri: str, left: str, text: str) -> None:
        """Notes what the quick model has written at a place."""
        self._quick[uri] = left, text

    def n_agreed(self, uri: str, left: str, offer: str) -> int:
        """The number of characters of a better model's offer that the quick model wrote there, too."""
        quick_left, text = self._quick.get(uri, ("", ""))
        return n_shared(offer, text) if quick_left == left else 0

    def forget(self, uri: str) -> None:
        self._quick.pop(uri, None)
