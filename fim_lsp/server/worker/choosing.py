"""Which of the texts that were written for a place are offered, and how much of each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import get_args

from fim_lsp.known_languages import PYTHON
from fim_lsp.server.worker.completers import Candidate
from fim_lsp.server.worker.fitting import Surroundings, fits, offered, right_part
from fim_lsp.server.worker.ladder import Footing
from fim_lsp.server.worker.manners import MANNERS, Manner, Setting, mannered
from fim_lsp.server.worker.messages import Complete, Reason, Rung
from fim_lsp.server.worker.texts import WorkerText
from fim_lsp.worth.features import Site
from fim_lsp.worth.judge import Judged, cuts, judge_of, reasons

# What an offer fits into, from all of the file down.
RUNGS: tuple[Rung, ...] = get_args(Rung)


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is wanted, and what it is held to there."""

    wanted: Complete
    text: WorkerText
    ground: Footing

    def fits(self, offer: str) -> bool:
        return fits(self.ground.recognizer, offer)

    def offer(self, written: str) -> str | None:
        """What may be offered of a text that was written."""
        wanted, text = self.wanted, self.text
        left = text.text[: wanted.start] + wanted.begun
        right = text.text[wanted.stop :]
        around = Surroundings(
            self.ground.recognizer, left, right, lambda: text.style(wanted.wishes.indentation), text.known
        )
        return offered(written, around, wanted.wishes)

    def is_worse(self, offer: str) -> bool:
        """Whether the file has more faults with an offer than without."""
        wanted = self.wanted
        is_proved = self.ground.rung == "file"
        return self.text.is_worse_with(wanted.start, wanted.stop, wanted.begun + offer, is_proved=is_proved)


class Choosing:
    def __init__(self) -> None:
        self.manners: Collection[Manner] = MANNERS
        self.has_judge = True
        # Who wants to know what was judged, and where: whoever trains the judge.
        self.on_judged: Callable[[Complete, list[Judged]], None] | None = None
        # The last offer for each document, and the bar that it was held to.
        self._judged: dict[str, tuple[Judged, float]] = {}

    def manners_of(self, wanted: Complete) -> Collection[Manner]:
        """Whoever asks gets what there is."""
        return () if wanted.wishes.is_asked else self.manners

    def chosen(
        self, place: Place, around: Setting, written: Sequence[Candidate], model: str
    ) -> tuple[tuple[str, ...], Reason | None]:
        """What is offered of what a model wrote, each with what was begun, and else the reason."""
        wanted = place.wanted
        fitting = [(offer, one) for one in written if (offer := self.polite(place, around, one))]
        if not fitting:
            return (), "model silent"
        sure = [
            offer
            for whole, one in fitting
            if (offer := self.sure_part(place, around, whole, one, model)) is not None
        ]
        if not sure and wanted.wishes.is_asked:
            sure = [offer for offer, _ in fitting]
        unharmful = [offer for offer in dict.fromkeys(sure) if not place.is_worse(offer)]
        reason: Reason | None = None if unharmful else "tree" if sure else "unsure"
        return tuple(wanted.begun + offer for offer in unharmful), reason

    def polite(self, place: Place, around: Setting, written: Candidate) -> str | None:
        """What may be offered of a text that was written, and is good manners."""
        offer = place.offer(written.text)
        manners = self.manners_of(place.wanted)
        # Without a model there is nothing but closers.
        if offer is None or not manners or written.evidence is None:
            return offer
        return mannered(offer, around, manners, place.fits)

    def sure_part(
        self, place: Place, around: Setting, offer: str, candidate: Candidate, model: str
    ) -> str | None:
        """An offer, or the beginning of it that is most worth; None if that is too unsure."""
        wanted, bar = place.wanted, place.wanted.wishes.bar
        if candidate.evidence is None:
            return offer
        # What it was fitted with is Python.
        is_judged = self.has_judge and around.known is PYTHON and not wanted.wishes.is_asked
        if not is_judged:
            is_sure = wanted.wishes.is_asked or candidate.confidence >= bar
            n_right = candidate.evidence.right_until(offer)
            return right_part(place.ground.recognizer, offer, n_right) if is_sure else None
        site = Site(around.left, around.right, RUNGS.index(place.ground.rung))
        found = cuts(offer, candidate.evidence, site, place.fits)
        if self.on_judged is not None:
            self.on_judged(wanted, [*found])
            return None
        best = judge_of(model).best(found, bar)
        if best is None:
            return None
        self._judged[wanted.text.uri] = best, bar
        return best.text if best.useful >= bar else None

    def reasons(self, uri: str, model: str) -> tuple[str, ...]:
        """Why the last offer for a document was shown or not."""
        known = self._judged.get(uri)
        return () if known is None else tuple(reasons(judge_of(model), *known))

    def forget(self, uri: str) -> None:
        self._judged.pop(uri, None)
