"""A comparison of two runs, case by case: those that got better, and those that got worse.

It shows the effect of a change of the engine, of the decoding or of the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fim_lsp.replay.journal import plan_differences
from fim_lsp.replay.outcome import CaseOutcome
from fim_lsp.replay.report.results import Results


@dataclass(frozen=True, slots=True)
class OutcomeQuestion:
    """A yes-or-no question about an outcome; the answer is None where the outcome does not have it."""

    name: str
    answer: Callable[[CaseOutcome], bool | None]


QUESTIONS = (
    OutcomeQuestion("parses", lambda outcome: outcome.is_success),
    OutcomeQuestion("passes", lambda outcome: outcome.passes),
    OutcomeQuestion("is exact", lambda outcome: outcome.is_exact),
    OutcomeQuestion("stays in its place", lambda outcome: outcome.escape is None),
)


@dataclass(frozen=True, slots=True)
class ChangedAnswer:
    """A question about one case in one mode that the two runs answer differently."""

    case: str
    mode: str
    question: str
    is_better: bool
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """`n_compared` pairs of outcomes are in both runs; of them, `n_texts` have different texts."""

    n_compared: int
    n_texts: int
    changes: list[ChangedAnswer]
    only_before: int
    only_after: int
    plan: list[str]

    @property
    def better(self) -> list[ChangedAnswer]:
        return [change for change in self.changes if change.is_better]

    @property
    def worse(self) -> list[ChangedAnswer]:
        return [change for change in self.changes if not change.is_better]


def comparison(before: Results, after: Results) -> Comparison:
    old, new = by_pair(before), by_pair(after)
    both = [pair for pair in old if pair in new]
    return Comparison(
        len(both),
        sum(old[pair].text != new[pair].text for pair in both),
        [change for pair in both for change in changes(*pair, old[pair], new[pair])],
        len(old) - len(both),
        len(new) - len(both),
        [f"{name}: {old} -> {new}" for name, old, new in plan_differences(before.plan, after.plan)],
    )


def by_pair(results: Results) -> dict[tuple[str, str], CaseOutcome]:
    return {
        (result.case, mode): outcome
        for result in results.results
        for mode, outcome in result.outcomes.items()
    }


def changes(case: str, mode: str, old: CaseOutcome, new: CaseOutcome) -> Iterator[ChangedAnswer]:
    for question in QUESTIONS:
        before, after = question.answer(old), question.answer(new)
        if before != after and None not in (before, after):
            yield ChangedAnswer(case, mode, question.name, bool(after), old.text, new.text)
