"""The offer that is shown for a site, as a value that can be kept: the last of the four in a row."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fim_lsp.context.added_import import AddedImport
from fim_lsp.server.worker.messages import Answer, Reason, Rung


@dataclass(frozen=True, slots=True)
class Offer:
    """Texts that fit, best first, each with what was begun; without any, the reason.

    Without either, there were some, and none was right: another attempt may do better.
    """

    texts: tuple[str, ...] = ()
    reason: Reason | None = None
    rung: Rung | None = None
    # The import that goes with each text.
    imports: tuple[AddedImport | None, ...] = ()
    model_seconds: float = 0.0
    # The model's wishes that came to nothing, in words.
    refused: tuple[str, ...] = ()

    @property
    def is_final(self) -> bool:
        return bool(self.texts) or self.reason is not None

    def behind(self, earlier: Offer) -> Offer:
        """This one as what comes of two attempts: both took their time."""
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
