"""The documents as they were sent, edit by edit, within the memory limits."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace

from fim_lsp.document.sent import SentText
from fim_lsp.document.texts import WorkerText
from fim_lsp.server.worker.messages import Limits


class KeptTexts:
    """The last used texts."""

    def __init__(self) -> None:
        # The least recently used text comes first.
        self._texts: OrderedDict[str, WorkerText] = OrderedDict()

    def __len__(self) -> int:
        return len(self._texts)

    @property
    def memory(self) -> int:
        """The bytes held for documents, roughly."""
        return sum(text.memory for text in self._texts.values())

    def following(self, sent: SentText, limits: Limits) -> WorkerText | None:
        """The document as it was sent; None if its edits do not follow the known text."""
        kept = self._texts.pop(sent.uri, None)
        if sent.whole is not None:
            kept = WorkerText(sent, sent.whole)
        elif kept is None or kept.serial + len(sent.edits) != sent.serial:
            return None
        else:
            try:
                for edit in sent.edits:
                    kept.edit(edit)
            except UnicodeError:
                # An earlier text had surrogates. The present one may have none, so it is sent again.
                return None
            kept.serial = sent.serial
            if kept.versions != sent.versions:
                kept = WorkerText(replace(sent, above=kept.above), kept.text)
        kept.keep_within(limits.chart_bytes)
        self._texts[sent.uri] = kept
        while len(self._texts) > limits.documents:
            self._texts.popitem(last=False)
        return kept

    def beside(self, uri: str) -> dict[str, str]:
        """The texts of the other documents."""
        return {other: kept.text for other, kept in self._texts.items() if other != uri}

    def forget(self, uri: str | None) -> None:
        """Forgets a document, or all of them."""
        if uri is None:
            self._texts.clear()
        else:
            self._texts.pop(uri, None)
