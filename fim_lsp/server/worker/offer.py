"""The offer for a site, the last of the four values in a row."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fim_lsp.context.added_import import AddedImport
from fim_lsp.server.worker.messages import Answer, Reason, Rung


@dataclass(frozen=True, slots=True)
class Offer:
    """Texts that fit, best first, each with its begun part; without texts, the reason.

    Without either, there were texts and none was right, so another attempt may do better.
    """

    texts: tuple[str, ...] = ()
    reason: Reason | None = None
    rung: Rung | None = None
    # The import of each text.
    imports: tuple[AddedImport | None, ...] = ()
    model_seconds: float = 0.0
    # The model's refused wishes, in words.
    refused: tuple[str, ...] = ()

    @property
    def is_final(self) -> bool:
        return bool(self.texts) or self.reason is not None

    def behind(self, earlier: Offer) -> Offer:
        """This offer as the result of two attempts, with the time of both."""
        return replace(
            self,
            model_seconds=earlier.model_seconds + self.model_seconds,
            refused=(*earlier.refused, *self.refused),
        )

    def answer(self, job: int, seconds: float) -> Answer:
        return Answer(
            job,
            self.texts,
            self.reason if self.is_final else "model silent",
            self.rung,
            seconds,
            self.model_seconds,
            self.refused,
            self.imports if any(self.imports) else (),
        )
